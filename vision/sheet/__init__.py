"""Reading a pencilled map sheet: find the grid, flatten it, judge cells and ticks.

`vision.sheet.read.read_sheet` is the list of the stages; each stage is a module of its own.
"""
