"""What a sheet's score row tells of the numbers in it: its last box is the sum of the others, less the penalties.

Handwriting leaves a 3 and a 9, a 1 and a 7 open; the other boxes of the row mostly do not. The likeliest row counts, by
what each box looks like and by how likely a row of points agrees with itself. A number chosen so stays doubtful: the
sums that players wrote are there to be compared with what is counted, and must not be made from it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from companion.games.in_the_ruin.play import SUMS
from scoring.in_the_ruin.escape import LEFT_INSIDE, PAY
from scoring.in_the_ruin.lines import GEM, PENALTY, ROUTE
from vision.sheet.reading import SheetReading
from vision.sheet.written import WrittenNumber

Row = tuple[int | None, ...]


@dataclass(frozen=True)
class SumsSettings:
    """How often people keep to the rules of the score row. Probabilities unless said; guesses, not fitted."""

    right: float = 0.9  # of a box whose number a rule gives
    others: int = 100  # numbers that stand there about as often where it is not the right one
    least: float = 1e-5  # chance that a box is granted to any number
    most: float = 0.9  # how sure a number is at most that was chosen so
    rows: int = 20_000  # that are compared at most


SETTINGS = SumsSettings()
ESCAPES: Final = frozenset((*PAY.values(), LEFT_INSIDE, 0))


def agreed(reading: SheetReading) -> SheetReading:
    """The reading with its doubtful numbers as the score row makes them likely; as it is where it has no such row."""
    row = reading.written
    if len(row) != len(SUMS) or not any(box.doubtful for box in row):
        return reading
    return replace(reading, written=likeliest_row(row, reading.ticks))


def likeliest_row(row: Sequence[WrittenNumber], ticks: Mapping[str, int]) -> tuple[WrittenNumber, ...]:
    """The numbers of a score row, in the order of `SUMS`; `ticks`: counted in the tracks "gems" and "penalties"."""
    choices = _choices(row)
    chances: list[dict[int | None, float]] = [{} for _ in row]
    best, most = tuple(box.number for box in row), 0.0
    for numbers in product(*choices):
        chance = _kept_to_rules(numbers, ticks)
        for number, of_box in zip(numbers, choices, strict=True):
            chance *= of_box[number]
        for number, of_box in zip(numbers, chances, strict=True):
            of_box[number] = of_box.get(number, 0.0) + chance
        if chance > most:
            best, most = numbers, chance
    if not most:
        return tuple(row)
    total = sum(chances[0].values())
    return tuple(
        box if not box.doubtful else replace(box, number=number, confidence=min(of_box[number] / total, SETTINGS.most))
        for box, number, of_box in zip(row, best, chances, strict=True)
    )


def _choices(row: Sequence[WrittenNumber]) -> list[dict[int | None, float]]:
    """What each box may hold, and how likely; of many doubtful ones only the likeliest."""
    doubtful = max(1, sum(box.doubtful for box in row))
    each = max(2, int(SETTINGS.rows ** (1 / doubtful)))
    out: list[dict[int | None, float]] = []
    for box in row:
        if not box.doubtful:
            out.append({box.number: 1.0})
            continue
        chances = {box.number: box.confidence} | dict(box.chances)
        likely = sorted(chances, key=lambda number: -chances[number])[:each]
        out.append({number: chances[number] + SETTINGS.least for number in likely})
    return out


def _kept_to_rules(row: Row, ticks: Mapping[str, int]) -> float:
    """How likely somebody writes this row, whatever the points are: by the rules that tell what a box must hold."""
    *_, gems, routes, escape, total = row
    told = [
        gems is None or gems == GEM * ticks.get("gems", 0),
        routes is None or routes % ROUTE == 0,
        escape is None or escape in ESCAPES,
    ]
    parts = [number for number in row[:-1] if number is not None]
    if total is not None and len(parts) == len(row) - 1:
        told.append(total == sum(parts) + PENALTY * ticks.get("penalties", 0))
    wrong = (1 - SETTINGS.right) / SETTINGS.others
    out = 1.0
    for right in told:
        out *= SETTINGS.right if right else wrong
    return out
