"""How many readings are right where the truth is known, with 95 % bounds: what few photos tell of many."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from common.json_file import NotJsonError, read_json
from common.messages import InputError, Message

Z = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""
SAME_PLACE = 0.5
"""Parts of a tile's width by which truth and reading may lie apart."""
MOST_TRUTH = 16 * 1024 * 1024
"""Bytes of what is right of many photos, at most."""


def load_truth(path: Path) -> dict[str, Mapping[str, Any]]:
    """What is right, by photo: its path as given, or its file's name. Raises InputError, OSError.

    Of a sheet: `marks`, `{"row,column": mark}` of single cells (`sheet_photos.LETTER_MARKS`), as the report saves them,
    `written`, `{"0": number}` of single boxes, and, of a whole sheet, `map`, `destinations`, `gates`, `ticks` as `sheet
    read` answers them; of several sheets in a photo the same in `sheets`, by number from 1. Of a table:
    `tiles`, each with `center` and `color` (`none`: no tile is there).
    """
    try:
        truth = read_json(path, MOST_TRUTH)
    except NotJsonError as error:
        raise InputError("batch.no-truth", file=path, why=error) from None
    if not isinstance(truth, dict) or not all(isinstance(one, dict) for one in truth.values()):
        raise InputError("batch.no-truth", file=path, why=Message("batch.truth-form"))
    return truth


def accuracy(kind: str, lines: Iterable[Mapping[str, Any]], truth: Mapping[str, Mapping[str, Any]]) -> list[Message]:
    """A sentence for each figure that can be told: right ones of all, and between what its true share lies.

    Args:
        kind: `sheet` or `table`.
        lines: the public JSON objects of `sheet read` or `table read`.
        truth: as `load_truth` gives it.

    A photo that could not be read has nothing right. Raises InputError where truth does not fit its photo.
    """
    right, total = Counter[str](), Counter[str]()
    for line in lines:
        want = truth.get(line["photo"], truth.get(Path(line["photo"]).name))
        if want is None:
            continue
        try:
            for figure, good in (_sheet if kind == "sheet" else _table)(line, want):
                total[figure] += 1
                right[figure] += good
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise InputError("batch.truth-misfit", photo=line["photo"], why=str(error)) from None
    if not total:
        return [Message("accuracy.none")]
    return [_told(figure, right[figure], n) for figure, n in total.items()]


def wilson(k: int, n: int) -> tuple[float, float]:
    """Between what the true share lies, with 95 % certainty, where `k` of `n` were counted: Wilson's interval."""
    middle = (k + Z * Z / 2) / (n + Z * Z)
    half = Z / (n + Z * Z) * math.sqrt(k * (n - k) / n + Z * Z / 4)
    return max(0.0, min(k / n, middle - half)), min(1.0, max(k / n, middle + half))


def _told(figure: str, k: int, n: int) -> Message:
    low, high = wilson(k, n)
    return Message(f"accuracy.{figure}", {"k": k, "n": n, **{
        name: f"{100 * value:.2f}" for name, value in (("share", k / n), ("low", low), ("high", high))
    }})  # fmt: skip


def _sheet(line: Mapping[str, Any], want: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Each thing whose truth is known, and whether it was read rightly."""
    for n, one in want.get("sheets", {}).items():
        yield from _sheet(line if "error" in line else line.get("sheets", [line])[int(n) - 1], one)
    cells = {f"{r},{c}": kind for r, row in enumerate(want.get("map", [])) for c, kind in enumerate(row)}
    marks: Mapping[str, str] = {**cells, **want.get("marks", {})}
    read = "error" not in line
    doubtful = {f"{r},{c}" for r, c in line["doubtful"]} if read else set()
    for at, kind in marks.items():
        r, c = map(int, at.split(","))
        good = read and line["map"][r][c] == kind[0]
        yield "cells", good
        yield "silent", read and not good and at not in doubtful
    if "map" in want:
        yield "maps", read and line["map"] == want["map"]
    for key in ("destinations", "gates"):
        if key in want:
            yield key, read and sorted(line[key]) == sorted(want[key])
    for track, count in want.get("ticks", {}).items():
        yield "ticks", read and line["ticks"].get(track) == count
    for box, number in want.get("written", {}).items():
        yield "written", read and line["written"][int(box)]["number"] == number


def _table(line: Mapping[str, Any], want: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    for tile in want.get("tiles", []):
        x, y = tile["center"]
        there = [
            one["color"]
            for one in line.get("tiles", [])
            if math.dist(one["center"], (x, y)) < SAME_PLACE * (math.dist(*one["polygon"][:2]) or 1)
        ]
        yield "tiles", "error" not in line and (there or ["none"])[0] == tile["color"]
