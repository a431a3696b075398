"""What scoring answers: players, each with lines of points, and what is to be said beside them.

Nothing here is a sentence. A line, a note and a ruling carry a message key and the values of
its gaps; the words, Japanese and English, stand in the companion's catalogs. `because` and `gap`
hold JSON pointers into the state; a cell of a map is the row's pointer and the column:
`/players/0/map/3/5` is row 3, column 5 of that player's map, both from 0.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

Value = str | int | tuple[str | int, ...]
"""What fills a gap of a sentence: a number, a word's key (`red`), a name, or several of them."""
Choice = str | int | tuple[str, ...]
NOTHING: Mapping[str, Value] = MappingProxyType({})
Grade = Literal["explicit", "inferred", "silent"]
"""What a reading rests on: the rulebook's own words, what follows from them, or nothing that it says."""


class Line(NamedTuple):
    """One thing that scored, cost, was carried over, or that a player would ask about (0 points).

    `points` is None where a value is unknown. `source` names the rule in the rulebook (a key
    `<game>/<section>` of the catalogs). `gap` holds the places that are missing: the
    cells that would have to be passages for a route to be joined.
    """

    key: str
    points: int | None
    because: tuple[str, ...]
    values: Mapping[str, Value]
    source: str
    gap: tuple[str, ...] = ()


class Note(NamedTuple):
    """A ruling that was needed, or a broken rule or an odd thing that was seen; `because` and `source` as in a line.

    `source` is empty where no one place of the rulebook says it.
    """

    key: str
    values: Mapping[str, Value] = NOTHING
    because: tuple[str, ...] = ()
    source: str = ""


class Alternative(NamedTuple):
    """A legal choice and the total that it gives."""

    choices: Mapping[str, Choice]
    total: int


class Ruling(NamedTuple):
    """A question about a rule that matters in this very state: another reading gives another result.

    `taken` is the reading that was used. `totals`, `winners` and `leading` are what the reading `other`
    gives, players in the state's order. `grade` and `source` say what the usual reading rests on.
    """

    question: str
    taken: str
    other: str
    totals: tuple[int | None, ...]
    winners: tuple[str, ...]
    leading: tuple[str, ...]
    grade: Grade
    source: str


class PlayerScore(NamedTuple):
    """A player's lines. `choices` are the choices used; `alternatives` every legal one, best first."""

    name: str
    lines: tuple[Line, ...]
    choices: Mapping[str, Choice] = MappingProxyType({})
    alternatives: tuple[Alternative, ...] = ()

    @property
    def total(self) -> int | None:
        """Whole points: the sum of the lines, None where one of them is unknown."""
        points = [line.points for line in self.lines]
        return None if None in points else sum(points)  # type: ignore[arg-type]


class Breakdown(NamedTuple):
    """The answer to one table state; players in the state's order.

    `winners` is empty while the game is not over and where the state cannot say; who is ahead in a game that the
    state shows to go on stands in `leading`. `house_rules` are the readings that the state switched away from the
    usual ones, by question.
    """

    game: str
    players: tuple[PlayerScore, ...]
    winners: tuple[str, ...]
    leading: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    house_rules: Mapping[str, str] = MappingProxyType({})
