"""From which probability on a reading says yes, or asks a person."""

from typing import Final

TICKED: Final = 0.5
"""Probability from which a box of a track is read as ticked."""
TICK_UNSURE: Final = 0.05
"""A number of ticks that is wrong with this probability is asked about; a box ticked with this one may count."""
SURE: Final = 0.95
"""A cell whose kind is less likely is doubtful, where the blank sheet is known."""
UNSURE: Final = 0.18
"""A letter that is wrong with a higher probability makes its cell doubtful."""
