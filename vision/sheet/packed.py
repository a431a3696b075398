"""Pack what the letters of a reading are judged again by, with other photos beside it, and unpack it."""

import io
import json
import zipfile

import numpy as np

from vision.sheet.letter_classifier import LetterProbabilities
from vision.sheet.reading import LetterEvidence, SheetReading

NAMES = ("crops", "kinds", "walled", "covered")
BY = ("by_cells", "by_letters")
PROBABILITIES = ("traced", "gate", "pen")
BY_PEN = ("outlined", "traced_over")


def packed(reading: SheetReading) -> bytes | None:
    """The letters of a reading, the map that they lie on and what hides them; None where it has no letters."""
    letters = reading.letters
    if letters is None:
        return None
    arrays = {name: getattr(letters, name) for name in NAMES}
    for by in BY:
        found = {name: getattr(getattr(letters, by), name) for name in PROBABILITIES}
        arrays |= {f"{by}.{name}": values for name, values in found.items() if values is not None}
    known = {"hidden": reading.hidden} | {name: getattr(letters, name) for name in BY_PEN}
    arrays |= {name: values for name, values in known.items() if values is not None}
    rest = {
        "map": reading.map,
        "doubtful_cells": reading.doubtful_cells,
        "shown": dict(letters.shown),
        "has_templates": letters.has_templates,
        "two_toned": letters.two_toned,
        "unlike": letters.unlike,
        "pen_width": letters.pen_width,
    }
    held = io.BytesIO()
    np.savez(held, rest=np.array(json.dumps(rest)), **arrays)
    return held.getvalue()


def unpacked(data: bytes) -> SheetReading | None:
    """A reading with what was packed: no lattice, ticks or confidence. None where the bytes are damaged."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = dict(file)
        rest = json.loads(str(arrays["rest"]))
        cells, own = (LetterProbabilities(*(arrays.get(f"{by}.{name}") for name in PROBABILITIES)) for by in BY)  # type: ignore[arg-type]
        shown = {letter: (row, col) for letter, (row, col) in rest["shown"].items()}
        crops, kinds, walled = (arrays[name] for name in NAMES[:3])
        covered = arrays.get("covered", np.zeros(len(walled), bool))
        width = rest.get("pen_width")
        letters = LetterEvidence(
            shown,
            crops,
            kinds,
            walled,
            covered,
            cells,
            own,
            has_templates=bool(rest["has_templates"]),
            two_toned=bool(rest["two_toned"]),
            unlike=float(rest.get("unlike", 0)),
            pen_width=None if width is None else float(width),
            **{name: arrays.get(name) for name in BY_PEN},
        )
        return SheetReading(
            lattice=np.zeros((0, 0, 2)),
            map=tuple(rest["map"]),
            confidence=np.zeros((0, 0)),
            doubtful=(),
            destinations=(),
            gates=(),
            ticks={},
            ticked={},
            letters=letters,
            doubtful_cells=tuple((row, col) for row, col in rest["doubtful_cells"]),
            hidden=arrays.get("hidden"),
        )
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        return None
