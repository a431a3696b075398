"""How photos that people reported as misread are read now.

    python -m bench.misread FOLDER

Each zip in the folder is one that the page made ("Save as a case"): photo, reading, truth, profile. Shown are the
places that were wrong then and those that are wrong now.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common.json_file import json_value
from common.messages import InputError
from companion.reading.misread import JSON_FILES, PHOTO, TABLE, Misread, sheet_values
from companion.reading.pipeline import see_sheet
from companion.reading.table_photos import see_table
from vision.foreign import Limits, members
from vision.sheet.profile import SheetProfile
from vision.table.profile import TableProfile

IN_CASE = Limits(len(JSON_FILES) + 2)
"""What the zip of a case may hold."""


def misreads(folder: Path) -> Iterator[tuple[Path, Misread]]:
    """The cases of a folder, by file. Raises OSError, KeyError, vision.errors.InputError."""
    for path in sorted(folder.glob("*.zip")):
        files = members(path.read_bytes(), IN_CASE)
        kind, *values = (json_value(files[f"{name}.json"]) for name in ("kind", *JSON_FILES))
        yield path, Misread(kind, files[PHOTO], *values)


def read_again(case: Misread) -> dict[str, Any]:
    """What is read from the photo now, in the shape of `truth`. Raises PhotoError and a profile's errors."""
    if case.kind == TABLE:
        return dict(see_table(case.photo, TableProfile.from_json(case.profile)).table.state)
    reading = see_sheet(case.photo, SheetProfile.from_json(case.profile)).reading
    return sheet_values(reading.map, reading.destinations, reading.ticks)


def differences(one: Any, other: Any, place: str = "") -> list[str]:
    """Where two JSON values differ, as JSON pointers; characters of texts have places of their own."""
    if isinstance(one, str) and isinstance(other, str) and len(one) == len(other):
        one, other = list(one), list(other)
        if len(one) == 1:
            return [] if one == other else [place]
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted(one.keys() | other.keys())
        return [where for key in keys for where in differences(one.get(key), other.get(key), f"{place}/{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [where for i, (a, b) in pairs for where in differences(a, b, f"{place}/{i}")]
    return [] if one == other else [place]


def main() -> None:
    """Read all of them again and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    then = now = count = 0
    for path, case in misreads(parser.parse_args().folder):
        before = differences(case.truth, case.reading)
        try:
            after = differences(case.truth, read_again(case))
        except InputError as error:
            after = [f"not read: {error}"]
        print(f"{path.name}: {len(before)} wrong then, {len(after)} now {' '.join(after[:8])}")
        then, now, count = then + len(before), now + len(after), count + 1
    print(f"{count} cases: {then} wrong then, {now} now")


if __name__ == "__main__":
    main()
