"""Which letters are destinations and which circles gates: what several judges say of a sheet's letters, together.

Destinations are letters traced over that nobody has claimed, gates claimed ones that are passages. A letter under a
wall is neither, nor is one that something lies on.

A first look sees one photo. Where other photos of the same sheet are at hand, or the blank sheet's, a second look sees
what the letters look like there as well (`vision.sheet.letter_templates`).
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.photo import CORES
from vision.sheet.letter_classifier import Traces, judge_letters
from vision.sheet.letter_templates import Look, plainness, prints
from vision.sheet.profile import Cell
from vision.sheet.reading import Letters, SheetReading


@dataclass(frozen=True)
class LetterFusionSettings:
    """How much each judge of a letter has to say."""

    traced: float = 0.5  # probability from which a letter in a circle is read as traced over
    bare: float = 0.62
    """The same of one in no circle: passages lead to destinations, so letters that none has reached are traced less
    often."""
    clearly: float = 0.8
    """Probability from which a letter is clearly traced, or its circle doubled, to who knows the print."""
    say: float = 0.7
    """The say of the judge of letters, beside that of cells, who sees them less finely and knows no print."""
    equal: float = 0.5  # the same on circles where the print is known
    added: float = 1.3
    """What the mean of both judges' log odds on circles is worth where the print is known: they see different things,
    one the letter, one what lies along rays across the print, so that together they are surer than either."""
    least: float = 1e-4  # no judge is surer than that
    printed: float = 0.5
    """Share of what the judge of cells says of a letter on the blank sheet that is taken off what it says later."""
    pale: tuple[float, float] = (0.12, 0.2)
    """Darkness of a pen's circles at which tracing hardly shows on bold print, and from which it does."""
    untold: float = 0.65  # what the log odds of a letter judged plain are worth where the pen is as pale as that
    circles: int = 2  # so many circles about letters tell how dark the pen is
    in_two_tones: float = 0.2
    """Share of letters that are misjudged in pictures in black and white: in these none is surer."""


SETTINGS = LetterFusionSettings()
GATE = 0.5
"""Probability from which a circle is read as doubled."""
UNSURE = 0.18
"""A letter more likely misjudged than that makes its cell doubtful."""
FREE = 0.1
"""Nothing lies on a letter whose cell is hidden less likely than that."""
SURE_WALL = 0.8
"""A cell read as a wall less surely than that is none if its letter is clearly traced or its circle doubled: nobody
traces a letter under a wall, and a thick doubled circle looks like a filling."""

JUDGING = ThreadPoolExecutor(CORES, "judging")
"""Judges the letters of several photos."""


@dataclass(frozen=True)
class Goals:
    """Letters of the destinations, cells of the gates, how likely each letter is misjudged, and what is no wall."""

    destinations: tuple[str, ...]
    gates: tuple[Cell, ...]
    doubts: Mapping[str, float]
    no_walls: Mapping[Cell, str]


def look_at(
    shown: Mapping[str, Cell],
    pictures: np.ndarray,
    kinds: np.ndarray,
    walled: np.ndarray,
    others: Traces,
    known: Sequence[tuple[np.ndarray, float] | None] = (),
) -> Letters:
    """Judge the letters of one photo (see `Letters`), beside their prints where those are known (`judge_letters`)."""
    letters = Letters(shown, pictures, kinds, walled, others, others)
    if any(known):
        return replace(letters, beside=True, seen=judge_letters(pictures, known))
    # Letters under a wall are no sisters to be held against.
    said = judge_letters(pictures[~walled])
    traced, gate = np.zeros((2, len(shown)))
    traced[~walled], gate[~walled] = said.traced, said.gate
    return replace(letters, seen=Traces(traced, gate))


def goals(letters: Letters) -> Goals:
    """What the judges hold likely together."""
    traced = _as_far_as_the_pen_tells(agreed(letters.seen.traced, letters.others.traced, SETTINGS.say), letters)
    share, worth = (SETTINGS.equal, SETTINGS.added) if letters.beside else (SETTINGS.say, 1.0)
    gate = agreed(letters.seen.gate, letters.others.gate, share, worth)
    # Who took a cell for a wall has no say on its circle.
    gate = np.where(letters.walled, letters.seen.gate, gate)
    destinations, gates, doubts, no_walls = [], [], {}, {}
    for k, (letter, cell) in enumerate(letters.shown.items()):
        around = letters.passage[k]
        if letters.walled[k]:
            if not letters.beside or max(traced[k], gate[k]) < SETTINGS.clearly:
                continue
            around = gate[k] >= SETTINGS.clearly or letters.kinds[k, 1] > letters.kinds[k, 0]
            no_walls[cell] = "o" if around else "."
        if around and gate[k] >= GATE:
            gates.append(cell)
        elif traced[k] >= (SETTINGS.traced if around else SETTINGS.bare):
            destinations.append(letter)
        is_gate = around and gate[k] >= GATE
        may_be = [min(gate[k], 1 - gate[k])] * bool(around) + [min(traced[k], 1 - traced[k])] * (not is_gate)
        doubts[letter] = float(max(*may_be, SETTINGS.in_two_tones * letters.two_toned, 0))
    return Goals(tuple(destinations), tuple(sorted(gates)), doubts, no_walls)


def _as_far_as_the_pen_tells(traced: np.ndarray, letters: Letters) -> np.ndarray:
    """The probabilities (n,) of tracing with those of letters judged plain nearer to even where the pen is pale.

    A hard pencil that leaves pale circles leaves nearly nothing on bold print: of drawn letters judged plain, 2 in 100
    are traced, and 16 in 100 where it is the palest.
    """
    if letters.seen.ink is None:
        return traced
    drawn = letters.seen.ink[letters.passage]
    drawn = drawn[~np.isnan(drawn)]
    if len(drawn) < SETTINGS.circles:
        return traced
    worth = float(np.interp(drawn.mean(), SETTINGS.pale, (SETTINGS.untold, 1.0)))
    odds = (traced / np.maximum(1 - traced, SETTINGS.least)) ** worth
    return np.where(traced < SETTINGS.traced, odds / (1 + odds), traced)


def agreed(one: np.ndarray, other: np.ndarray, share: float = 0.5, worth: float = 1.0) -> np.ndarray:
    """What two judges of the same marks hold likely together: the mean of their log odds, as probabilities.

    `share` is the first one's say, 0 to 1; `worth` is how many times that mean counts.
    """
    odds = [np.maximum(p, SETTINGS.least) / np.maximum(1 - np.asarray(p), SETTINGS.least) for p in (one, other)]
    return 1 - 1 / (1 + odds[0] ** (share * worth) * odds[1] ** ((1 - share) * worth))


def beyond_print(traced: np.ndarray, names: Sequence[str], printed: Mapping[str, float]) -> np.ndarray:
    """Chances (n,) of tracing by the judge of cells, who knows no print, with the blank sheet's own beside them.

    Some letters look traced as they are printed: that judge says so of the blank sheet too, of the same ones.

    Args:
        traced: (n,) what it says of the letters `names`.
        printed: what it says of each on the blank sheet; empty where there is none.
    """
    if not printed:
        return traced
    usual = float(np.median(_log_odds(np.array(list(printed.values())))))
    more = _log_odds(np.array([printed[name] for name in names])) - usual
    return np.asarray(1 / (1 + np.exp(SETTINGS.printed * more - _log_odds(traced))))


def _log_odds(chances: np.ndarray) -> np.ndarray:
    """The logarithms of the odds of probabilities."""
    bounded = np.clip(chances, SETTINGS.least, 1 - SETTINGS.least)
    return np.asarray(np.log(bounded / (1 - bounded)))


def _looks(letters: Letters) -> dict[str, Look]:
    """How each letter looks, and how likely it is plain."""
    plain = plainness(agreed(letters.seen.traced, letters.others.traced), letters.passage) * ~letters.walled
    gray = (cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in letters.pictures)
    return {k: Look(g, float(p)) for k, g, p in zip(letters.shown, gray, plain, strict=True)}


def look_again(readings: Sequence[SheetReading], blank: Mapping[str, Look] | None = None) -> list[SheetReading]:
    """Readings of the same sheet, by several players or at several times, each held against the others.

    Only destinations, gates, doubt about them and unsure walls over them change. Readings without letters stay as they
    are.
    """
    seen = [k for k, reading in enumerate(readings) if reading.letters is not None and reading.letters.shown]
    out = list(readings)
    if len(seen) + bool(blank) < 2:
        return out
    letters = [seen_letters for k in seen if (seen_letters := readings[k].letters) is not None]
    looks = [_looks(one) for one in letters] + ([blank] if blank else [])
    for k, judged in zip(seen, JUDGING.map(_beside, letters, prints(looks, len(seen))), strict=True):
        out[k] = with_letters(readings[k], judged)
    return out


def with_letters(reading: SheetReading, letters: Letters) -> SheetReading:
    """The reading with its letters judged (anew)."""
    found = goals(letters)
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


def _beside(letters: Letters, known: Mapping[str, tuple[np.ndarray, float]]) -> Letters:
    """The letters judged beside their print."""
    seen = judge_letters(letters.pictures, [known.get(letter) for letter in letters.shown])
    return replace(letters, beside=True, seen=seen)
