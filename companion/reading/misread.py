"""A misread photo as one file: photo, reading, truth and profile. `bench/misread.py` takes such files in."""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.in_the_ruin.play import Sheet
from companion.reading.tables import read_state
from vision.photo import header
from vision.sheet.profile import SheetProfile
from vision.table.profile import TableProfile
from vision.table.reading import TableReading

SHEET, TABLE = "sheet", "table"
PHOTO = "photo.jpg"
JSON_FILES = ("reading", "truth", "profile")
OLD = (1980, 1, 1, 0, 0, 0)
"""The files' date in the zip: the same case is the same bytes."""


@dataclass(frozen=True)
class Misread:
    """A photo with what was read from it and what people said it shows."""

    kind: str  # SHEET or TABLE
    photo: bytes  # the kept photo, JPEG
    reading: Mapping[str, Any]  # what was read, in the shape of `truth`
    truth: Mapping[str, Any]  # a sheet's map, destinations and ticks; of a table the whole state
    profile: Mapping[str, Any]  # the sheet's, or the table's in this photo's pixels

    def to_zip(self) -> bytes:
        """The file."""
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(zipfile.ZipInfo(PHOTO, OLD), self.photo)
            for name, value in (("kind", self.kind), *((name, getattr(self, name)) for name in JSON_FILES)):
                text = json.dumps(value, ensure_ascii=False, indent=1)
                file.writestr(zipfile.ZipInfo(f"{name}.json", OLD), text)
        return held.getvalue()


def sheet_values(rows: Any, destinations: Any, ticks: Mapping[str, int]) -> dict[str, Any]:
    """What a sheet shows, as it is compared."""
    return {"map": list(rows), "destinations": sorted(destinations), "ticks": dict(sorted(ticks.items()))}


def sheet_misread(sheet: Sheet, ticks: Mapping[str, int], photo: bytes, profile: SheetProfile) -> Misread:
    """A sheet that was read; `ticks` as they count. The sheet must have a reading."""
    read = sheet.reading or {}
    reading = sheet_values(read["map"], read["destinations"], read["ticks"])
    truth = sheet_values(sheet.map(), sheet.destination_letters(), ticks)
    return Misread(SHEET, photo, reading, truth, {**profile.to_json(), "blank": None})


def table_misread(
    photo: bytes, read: TableReading, corrected: TableReading, profile: TableProfile, width: float
) -> Misread:
    """A table at rest as it was read, and as people said it is. What they typed beside it stays out.

    `profile` is in pixels of a picture so many pixels wide, of which `photo` may be a smaller one.
    """
    reading, truth = (dict(read_state(one, profile).state) for one in (read, corrected))
    return Misread(TABLE, photo, reading, truth, profile.shrunk(width / header(photo)[1]).to_json())
