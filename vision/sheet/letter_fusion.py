"""Fuse classifiers: which letters of a sheet are destinations, and which circles are gates.

Destinations are letters traced over that nobody has claimed, gates claimed ones that are passages. A letter under a
wall is neither, nor is one that something lies on.

The cell classifier and the letter classifier judge each letter. A first reading uses one photo; where other photos of
the same sheet, or the blank sheet's, are at hand, the letter classifier also takes templates from them
(`vision.sheet.letter_templates`).
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.network import sigmoid
from vision.photo import CORES
from vision.ranks import median
from vision.sheet.decisions import UNSURE
from vision.sheet.letter_classifier import LetterProbabilities, classify_letters
from vision.sheet.letter_templates import LetterSample, Template, plainness, templates_from_others
from vision.sheet.profile import Cell
from vision.sheet.reading import LetterEvidence, SheetReading


@dataclass(frozen=True)
class LetterFusionSettings:
    """Thresholds and weights by which the classifiers' probabilities are fused."""

    traced_in_circle: float = 0.5  # threshold of a circled letter being traced
    traced: float = 0.62
    """The same without a circle: passages lead to destinations, so letters that none has reached are traced less
    often."""
    clear: float = 0.8
    """Threshold of a letter being clearly traced, or its circle doubled, where there are templates."""
    letter_weight: float = 0.7
    """Weight of the letter classifier in the mean of log odds; the rest is the cell classifier's, which sees letters
    less finely and has no templates. In circles, where the blank sheet is known, what the pen covers counts as much as
    each of them."""
    circle_weight: float = 0.6  # the same for circles where there are templates
    circle_gain: float = 1.3
    """Factor of that mean for circles where there are templates: one classifier sees the letter, the other rays across
    the print, and together they are more certain than either."""
    unlike_gain: float = 0.5
    """Factor of that mean, besides, where print and hand are unlike what both know and the pen's cover is heard; and of
    what that says against a second outline."""
    least_outlined: float = -0.3
    """Log odds of a second outline by what the pen covers, at least: one that lies on the first all along looks like
    none."""
    broad: tuple[float, float] = (0.06, 0.15)
    """Cells of the pen's width from which on the judges tell less and less of a second outline, and the pen's cover
    more: both outlines are thick, or the inner one is a spot."""
    broad_gain: float = 0.35  # factor of the judges' log odds of one at the end
    broad_least: float = -3.0  # log odds by what the pen covers, at least, at the end
    least_odds: float = 1e-4  # probabilities are clamped to this and 1 less this before log odds are taken
    blank_weight: float = 0.5
    """Share of the cell classifier's log odds on the blank sheet that is subtracted from those on a photo."""
    pale_pen: tuple[float, float] = (0.12, 0.2)
    """Darkness of a pen's circles at which tracing hardly shows on bold print, and from which it does."""
    pale_gain: float = 0.65  # factor of the log odds of letters classified as plain where the pen is that pale
    least_circles: int = 2  # circled letters from which the pen's darkness is estimated
    two_tone_error: float = 0.2  # share of letters misread in black and white pictures: the least doubt there


SETTINGS = LetterFusionSettings()
GATE = 0.5
"""Threshold of a circle being doubled."""
FREE = 0.1
"""Nothing lies on a letter whose cell is hidden with a lower probability."""
SURE_WALL = 0.8
"""A wall with a lower probability is none if its letter is clearly traced or its circle doubled: nobody traces a letter
under a wall, and a thick doubled circle looks like a filling."""

PHOTO_THREADS = ThreadPoolExecutor(CORES, "letters")
"""Classify the letters of several photos in parallel."""


@dataclass(frozen=True)
class FusedLetters:
    """Destinations, gates, each letter's probability of being misread, and what cells are that were taken for walls."""

    destinations: tuple[str, ...]
    gates: tuple[Cell, ...]
    doubts: Mapping[str, float]
    no_walls: Mapping[Cell, str]


def letter_evidence(
    shown: Mapping[str, Cell],
    crops: np.ndarray,
    kinds: np.ndarray,
    walled: np.ndarray,
    covered: np.ndarray,
    by_cells: LetterProbabilities,
    templates: Sequence[Template | None] = (),
    unlike: float = 0.0,
) -> LetterEvidence:
    """Classify the letters of one photo, with templates where there are any (see `LetterEvidence`)."""
    evidence = LetterEvidence(shown, crops, kinds, walled, covered, by_cells, by_cells, unlike=unlike)
    if any(templates):
        return replace(evidence, has_templates=True, by_letters=_by_letters(evidence, templates))
    # Letters under a wall or a piece are no peers to be compared with.
    seen = ~(walled | covered)
    found = classify_letters(crops[seen])
    traced, gate = np.zeros((2, len(shown)))
    traced[seen], gate[seen] = found.traced, found.gate
    return replace(evidence, by_letters=LetterProbabilities(traced, gate))


def fuse(letters: LetterEvidence) -> FusedLetters:
    """Destinations, gates and doubts by both classifiers' probabilities."""
    traced = fused(letters.by_letters.traced, letters.by_cells.traced, SETTINGS.letter_weight)
    if letters.traced_over is not None:
        said = _log_odds(letters.by_letters.traced), _log_odds(letters.by_cells.traced), letters.traced_over
        # Without a circle the other two are righter alone.
        traced = np.where(letters.circled & ~letters.covered, sigmoid(np.mean(said, 0)), traced)
    traced = _allowing_for_pale_pen(traced, letters)
    weight, gain = (
        (SETTINGS.circle_weight, SETTINGS.circle_gain) if letters.has_templates else (SETTINGS.letter_weight, 1.0)
    )
    gate = fused(letters.by_letters.gate, letters.by_cells.gate, weight, gain)
    if letters.outlined is not None:
        say, least = _say_of_outlines(letters)
        gate = sigmoid(say * _log_odds(gate) + np.maximum(letters.outlined, least))
    # The cell classifier took these cells for walls and did not look for circles.
    gate = np.where(letters.walled, letters.by_letters.gate, gate)
    destinations, gates, doubts, no_walls = [], [], {}, {}
    for k, (letter, cell) in enumerate(letters.shown.items()):
        circled = letters.circled[k]
        if letters.walled[k]:
            if not letters.has_templates or max(traced[k], gate[k]) < SETTINGS.clear:
                continue
            circled = gate[k] >= SETTINGS.clear or letters.kinds[k, 1] > letters.kinds[k, 0]
            no_walls[cell] = "o" if circled else "."
        elif letters.covered[k] and max(traced[k], gate[k] * circled) < SETTINGS.clear:
            continue
        is_gate = circled and gate[k] >= GATE
        if is_gate:
            gates.append(cell)
        elif traced[k] >= (SETTINGS.traced_in_circle if circled else SETTINGS.traced):
            destinations.append(letter)
        errors = [min(gate[k], 1 - gate[k])] * bool(circled) + [min(traced[k], 1 - traced[k])] * (not is_gate)
        doubts[letter] = float(max(*errors, SETTINGS.two_tone_error * letters.two_toned, 0))
    return FusedLetters(tuple(destinations), tuple(sorted(gates)), doubts, no_walls)


def _say_of_outlines(letters: LetterEvidence) -> tuple[float, float]:
    """The factor of the judges' log odds that a circle is outlined twice, and the least log odds by what the pen
    covers."""
    say = 1 - (1 - SETTINGS.unlike_gain) * letters.unlike
    least = say * SETTINGS.least_outlined
    if letters.pen_width is None:
        return say, least
    broad = float(np.interp(letters.pen_width, SETTINGS.broad, (0, 1)))
    return say + broad * (min(SETTINGS.broad_gain, say) - say), least + broad * (SETTINGS.broad_least - least)


def _allowing_for_pale_pen(traced: np.ndarray, letters: LetterEvidence) -> np.ndarray:
    """Probabilities (n,) of tracing, those of letters classified as plain nearer to even where the pen is pale.

    A hard pencil that leaves pale circles leaves nearly nothing on bold print: of drawn letters classified as plain,
    2 in 100 are traced, and 8 in 100 where it is the palest.
    """
    if letters.by_letters.pen is None:
        return traced
    circles = letters.by_letters.pen[letters.circled]
    circles = circles[~np.isnan(circles)]
    if len(circles) < SETTINGS.least_circles:
        return traced
    gain = float(np.interp(circles.mean(), SETTINGS.pale_pen, (SETTINGS.pale_gain, 1.0)))
    odds = (traced / np.maximum(1 - traced, SETTINGS.least_odds)) ** gain
    return np.where(traced < SETTINGS.traced_in_circle, odds / (1 + odds), traced)


def fused(one: np.ndarray, other: np.ndarray, weight: float = 0.5, gain: float = 1.0) -> np.ndarray:
    """The weighted mean of two classifiers' log odds, times `gain`, as probabilities; `weight`: the first one's."""
    odds = [
        np.maximum(p, SETTINGS.least_odds) / np.maximum(1 - np.asarray(p), SETTINGS.least_odds) for p in (one, other)
    ]
    return 1 - 1 / (1 + odds[0] ** (weight * gain) * odds[1] ** ((1 - weight) * gain))


def relative_to_blank(traced: np.ndarray, names: Sequence[str], on_blank: Mapping[str, float]) -> np.ndarray:
    """Correct the cell classifier's probabilities (n,) of tracing by those it gives on the blank sheet.

    Some letters look traced as they are printed, on the blank sheet as well.

    Args:
        traced: (n,) probabilities for the letters `names`.
        on_blank: that of each letter on the blank sheet; empty where there is none.
    """
    if not on_blank:
        return traced
    typical = float(median(_log_odds(np.array(list(on_blank.values())))))
    excess = _log_odds(np.array([on_blank[name] for name in names])) - typical
    return sigmoid(_log_odds(traced) - SETTINGS.blank_weight * excess)


def _log_odds(probabilities: np.ndarray) -> np.ndarray:
    clamped = np.clip(probabilities, SETTINGS.least_odds, 1 - SETTINGS.least_odds)
    return np.asarray(np.log(clamped / (1 - clamped)))


def _samples(letters: LetterEvidence) -> dict[str, LetterSample]:
    """Each letter as a sample for templates."""
    traced = fused(letters.by_letters.traced, letters.by_cells.traced)
    plain = plainness(traced, letters.circled) * ~(letters.walled | letters.covered)
    gray = (cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) for crop in letters.crops)
    return {k: LetterSample(g, float(p)) for k, g, p in zip(letters.shown, gray, plain, strict=True)}


def refine_across_photos(
    readings: Sequence[SheetReading], blank: Mapping[str, LetterSample] | None = None
) -> list[SheetReading]:
    """Classify the letters of several readings of the same sheet again, each with templates from the others.

    The readings may be of several players or of several times. Only destinations, gates, doubts about them and unsure
    walls over them change. Readings without letters stay as they are; a single one was compared with the blank sheet
    when it was read.
    """
    having = [k for k, reading in enumerate(readings) if reading.letters is not None and reading.letters.shown]
    out = list(readings)
    if len(having) < 2:
        return out
    letters = [evidence for k in having if (evidence := readings[k].letters) is not None]
    samples = [_samples(one) for one in letters] + ([blank] if blank else [])
    refined = PHOTO_THREADS.map(_with_templates, letters, templates_from_others(samples, len(having)))
    for k, evidence in zip(having, refined, strict=True):
        out[k] = with_letters(readings[k], evidence)
    return out


def with_letters(reading: SheetReading, letters: LetterEvidence) -> SheetReading:
    """The reading with destinations, gates and doubts by this evidence."""
    found = fuse(letters)
    doubts = dict(found.doubts)
    if reading.hidden is not None:
        # What lies on a letter hides its tracing: it is rightly read as plain only if nothing does.
        for letter in doubts.keys() - set(found.destinations):
            cell = letters.shown[letter]
            if cell not in found.gates and reading.hidden[cell] > FREE:
                doubts[letter] = float(1 - (1 - doubts[letter]) * (1 - reading.hidden[cell]))
    unsure = (letters.shown[letter] for letter, doubt in doubts.items() if doubt > UNSURE)
    rows = [list(row) for row in reading.map]
    for (r, c), kind in found.no_walls.items():
        rows[r][c] = kind
    return replace(
        reading,
        map=tuple("".join(row) for row in rows),
        destinations=found.destinations,
        gates=found.gates,
        doubtful=tuple(sorted({*reading.doubtful_cells, *unsure})),
        letter_doubts=doubts,
        letters=letters,
    )


def _with_templates(letters: LetterEvidence, templates: Mapping[str, Template]) -> LetterEvidence:
    """The letters classified again, with templates."""
    found = _by_letters(letters, [templates.get(letter) for letter in letters.shown])
    return replace(letters, has_templates=True, by_letters=found)


def _by_letters(letters: LetterEvidence, templates: Sequence[Template | None]) -> LetterProbabilities:
    """What the letter classifier says beside templates: what lies on covered letters must not count as their peers'
    ink."""
    found = classify_letters(letters.crops, templates, letters.unlike)
    open_ = np.flatnonzero(~letters.covered).tolist()
    if len(open_) == len(letters.covered):
        return found
    alone = classify_letters(letters.crops[open_], [templates[k] for k in open_], letters.unlike)
    traced, gate = found.traced.copy(), found.gate.copy()
    traced[open_], gate[open_] = alone.traced, alone.gate
    if alone.pen is None:
        return LetterProbabilities(traced, gate)
    pen = np.full(len(traced), np.nan)
    pen[open_] = alone.pen
    return LetterProbabilities(traced, gate, pen)
