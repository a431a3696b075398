"""What is printed at home: stickers for cards, zone mats, the calibration board, the color strip.

Everything is drawn here, in millimetres, into PDF pages that say their scale. Which markers are printed and what
their stickers stand for says the game, a `companion.games.entry.Game`; `sets.make` puts the pages together, and
`sets.profile` the table profile that goes with them.
"""
