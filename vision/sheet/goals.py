"""Which letters are destinations and which circles gates: what several judges say of a sheet's letters, together.

Destinations are letters traced over that nobody has claimed, gates claimed ones that are passages. A letter under a
wall is neither, nor is one that something lies on.

A first look sees one photo. Where other photos of the same sheet are at hand, or the blank sheet's, a second look sees
what the letters look like there as well (`vision.sheet.printed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.sheet.printed import Look, plainness, prints
from vision.sheet.profile import Cell
from vision.sheet.reading import SheetReading
from vision.sheet.traces import Traces, judge_beside, judge_letters

TRACED, GATE = 0.5, 0.5
UNSURE = 0.1
"""A letter whose chance to be traced, or a gate, lies so near to one half makes its cell doubtful."""
LEAST = 1e-4
"""No judge is surer than that."""


@dataclass(frozen=True)
class Letters:
    """A photo's letters that no wall and no piece hides.

    Attributes:
        shown: where each stands.
        pictures: (n, SIDE, SIDE, 3) uint8, cut out by `vision.sheet.traces`, the light taken off.
        passage: (n,) bool, a circle is drawn around it.
        others: what the judge of cells says of them.
        seen: what the judge of letters says, from this photo alone or with the print.
    """

    shown: Mapping[str, Cell]
    pictures: np.ndarray
    passage: np.ndarray
    others: Traces
    seen: Traces

    @property
    def looks(self) -> dict[str, Look]:
        """How each letter looks, and how likely it is plain."""
        plain = plainness(agreed(self.seen.traced, self.others.traced), self.passage)
        gray = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in self.pictures)
        return {k: Look(g, float(p)) for k, g, p in zip(self.shown, gray, plain, strict=True)}


@dataclass(frozen=True)
class Goals:
    """Letters of the destinations, cells of the gates, and cells whose letter may be either way."""

    destinations: tuple[str, ...]
    gates: tuple[Cell, ...]
    unsure: frozenset[Cell]


def look_at(
    shown: Mapping[str, Cell],
    pictures: np.ndarray,
    passage: np.ndarray,
    others: Traces,
    blank: Mapping[str, Look] | None = None,
) -> Letters:
    """Judge the letters of one photo (see `Letters`), beside those of the blank sheet where it is known."""
    if not blank:
        return Letters(shown, pictures, passage, others, judge_letters(pictures))
    unjudged = Letters(shown, pictures, passage, others, others)
    return _beside(unjudged, prints([unjudged.looks, blank])[0])


def goals(letters: Letters) -> Goals:
    """What the judges hold likely together."""
    traced = agreed(letters.seen.traced, letters.others.traced)
    gate = np.where(letters.passage, agreed(letters.seen.gate, letters.others.gate), 0.0)
    destinations, gates, unsure = [], [], []
    for (letter, cell), one, other in zip(letters.shown.items(), traced, gate, strict=True):
        if other >= GATE:
            gates.append(cell)
        elif one >= TRACED:
            destinations.append(letter)
        if abs(other - GATE) < UNSURE or (abs(one - TRACED) < UNSURE and other < GATE):
            unsure.append(cell)
    return Goals(tuple(destinations), tuple(sorted(gates)), frozenset(unsure))


def agreed(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """What two judges of the same marks hold likely together: the mean of their log odds, as probabilities."""
    odds = [np.maximum(p, LEAST) / np.maximum(1 - np.asarray(p), LEAST) for p in (one, other)]
    return 1 - 1 / (1 + np.sqrt(odds[0] * odds[1]))


def look_again(readings: Sequence[SheetReading], blank: Mapping[str, Look] | None = None) -> list[SheetReading]:
    """Readings of the same sheet, by several players or at several times, each held against the others.

    Only destinations, gates and doubt about them change. Readings without letters stay as they are.
    """
    seen = [k for k, reading in enumerate(readings) if reading.letters is not None and reading.letters.shown]
    out = list(readings)
    if len(seen) + bool(blank) < 2:
        return out
    looks = [readings[k].letters.looks for k in seen]
    for k, known in zip(seen, prints(looks + ([blank] if blank else [])), strict=False):
        out[k] = with_letters(readings[k], _beside(readings[k].letters, known))
    return out


def with_letters(reading: SheetReading, letters: Letters) -> SheetReading:
    """The reading with its letters judged (anew)."""
    found = goals(letters)
    return replace(
        reading,
        destinations=found.destinations,
        gates=found.gates,
        doubtful=tuple(sorted({*reading.doubtful_cells, *found.unsure})),
        letters=letters,
    )


def _beside(letters: Letters, known: Mapping[str, tuple[np.ndarray, float]]) -> Letters:
    """The letters judged beside their print."""
    return replace(letters, seen=judge_beside(letters.pictures, [known.get(letter) for letter in letters.shown]))
