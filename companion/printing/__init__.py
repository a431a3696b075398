"""What is printed at home: stickers for cards, zone mats, the calibration board, the color strip.

Everything is drawn here, in millimetres, into PDF pages that say their scale. `ids` is the table of the markers'
ids, `cards` says what each game's stickers stand for, and `sets.make` puts pages and table profile together.
"""
