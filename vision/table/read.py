"""Reading a picture of a table: markers, zones, tiles, their colors, rows."""

from __future__ import annotations

import numpy as np

from vision.table.profile import TableProfile
from vision.table.reading import TableReading


class TableReader:
    """Reads pictures of one table, one after the other.

    Where a marker is hidden, its zone is taken from the pictures before. Not for several threads at once.
    """

    def __init__(self, profile: TableProfile) -> None:
        self.profile = profile

    def read(self, image: np.ndarray) -> TableReading:
        """Read a picture, (H, W, 3) BGR."""
        return TableReading((), (), {})
