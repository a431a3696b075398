"""A game followed from settled state to settled state: what the referee makes of the looks that a camera gives."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from companion.cases.moved import Lit, lit_places, pieces
from companion.cases.table import Entries, TableState
from companion.games import GAMES
from referee import Game
from scoring.fields import pointer
from vision.table.reading import COLORS, TableReading

Line = dict[str, Any]
MOVES: Final = ("move", "replaced", "undone")
SLIPS: Final = ("slip", "mended")
AGAIN: Final = "again"
"""Marks a look as the one before once more, with what people said of it."""

NOT_TOLD: Final = ("state", "look", "misread", "held", "as_of")


@dataclass(frozen=True)
class Followed:
    """What a look told: lines of the log as `referee` writes them, and the state that is believed."""

    state: Mapping[str, Any]  # the look's state as the referee corrected it; the look's own where no game is followed
    moves: tuple[Line, ...] = ()  # the moves that the look commits, `replaced` and `undone` lines among them in order
    slips: tuple[Line, ...] = ()  # breaches that are told now, or put right
    questions: tuple[Line, ...] = ()  # where two explanations remain
    corrected: tuple[Line, ...] = ()  # readings that cannot be, with what the piece must be
    turn_of: str | None = None  # whose turn it is; None where that is unknown
    owed: tuple[Line, ...] = ()  # what a player still has to do before the turn is over
    legal: tuple[Line, ...] = ()  # what the player whose turn it is may do, with the points that each would give
    look: int = -1  # the look's number in the log
    misread: tuple[Line, ...] = ()  # all pieces of this look that must be others, told or not: `at`, `read`, `is`
    held: bool = False  # whether the look is held back: the state that is believed is one of before
    as_of: float | None = None  # when the state that is believed lay there, where the look is held back

    @property
    def unexplained(self) -> bool:
        """Whether the look is held back though no half turn explains it: what lies there counts nowhere yet."""
        return self.held and not self.owed

    def to_json(self) -> dict[str, Any]:
        """What it told, without the state and what is known of the look beside it."""
        told = {name: value for name, value in vars(self).items() if name not in NOT_TOLD}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}

    def kept(self) -> dict[str, Any]:
        """What is written down with a settled state: what was legal follows from it."""
        return {**self.to_json(), "legal": [], "held": self.held, "as_of": self.as_of}


@dataclass
class GameLog:
    """The log of one game so far. Its players are the zones, whatever people call them."""

    zones: Sequence[str]
    game: Game = field(default_factory=Game)
    moves: list[Line] = field(default_factory=list)  # the moves that stand now
    slips: list[Line] = field(default_factory=list)  # breaches that were told and have not been put right
    question: Line | None = None  # where two explanations remain
    rule: object = None
    row: list[Line] = field(default_factory=list)
    """The lines that the look which is judged now came in, with what people said of it: see `begin_row`."""
    first: Mapping[str, Any] | None = None  # the table before the first move
    header: Line | None = None  # what no look shows: the house's switches
    last: Followed | None = None  # what the last look told
    cleared: bool = False
    """Whether the last look shows a table that is being cleared: half of the pieces are gone, unexplained."""
    over_asked: bool = False  # whether people were asked if the game is over, and said that it is not
    quiet: bool = False  # whether nobody asks what is legal now: listing it takes longer than following
    _lit: tuple[list[int], list[Lit]] = field(default_factory=lambda: ([], []))

    def begin_row(self) -> None:
        """Another state has come to rest: its lines are kept with it."""
        self.row = []

    def kept(self) -> dict[str, Any]:
        """What a settled state keeps of the game, so that all of them make the log again."""
        return {"looks": [*self.row], "begins": len(self.game.lines) <= len(self.row)}

    def look(
        self,
        state: Mapping[str, Any],
        doubtful: Iterable[str] = (),
        time: float | None = None,
        said: Collection[str] = (),
        again: bool = False,
    ) -> Followed:
        """Take a settled state.

        Args:
            state: the table state. Where it is played by another rule than before, another log begins.
            doubtful: JSON pointers into it.
            time: seconds.
            said: JSON pointers of what people said or typed: it is never put right, whatever the others may be.
            again: whether it is the same look once more, with other words of people: it takes the place of the one
                with what they said before.
        """
        if not followable(state):
            return Followed(state)
        if again and not self.moves and self.game.lines and len(self.game.lines) <= len(self.row):
            self._begin_anew()  # what people say of the table that the game begins with is no move
        look = {**look_line(state, self.zones, time), "doubtful": sorted(doubtful)}
        if said:
            look["said"] = sorted(said)
        if again:
            self._forget_said(state)
            if self.last and self.row and all(self.row[-1].get(key) == look.get(key) for key in ("state", "said")):
                legal = () if self.quiet else tuple(self.game.legal())
                return replace(self.last, state=believed(state, self.game.state), legal=legal)
            look[AGAIN] = True
        told = self.take(state, look)
        if again and any(value_at(told.state, place) != value_at(state, place) for place in said):
            self._forget_said(state)  # nothing in the game explains it: the table is as people say
            return self.take(state, {**look, "by": "person"})
        return told

    def take(self, state: Mapping[str, Any], line: Line) -> Followed:
        """Take a line that `referee` reads; `state`: the table state that it is about, by people's names."""
        if "header" in line:
            self.header = line
            self.row.append(line)
            self.game.take(line)
            return self.last or Followed(state)
        seen = line.get("state")
        if seen is not None and seen.get("rule") != self.rule:
            self._begin_anew()
            self.rule = seen.get("rule")
        self.row.append(line)
        self.last = self._told(state, self.game.take(line))
        self.first = self.first or self.game.state
        if seen is not None:
            best = self.game.best
            waits = best is not None and (best.cleared > 0 or (bool(best.held) and not best.owed))
            self.cleared = waits and bool(self.moves) and 2 * pieces(seen) <= pieces(self.game.state)
        return self.last

    def _forget_said(self, state: Mapping[str, Any]) -> None:
        """Follow the game anew without what people said last of the table as it lies, if they did."""
        row = self.row
        while row and row[-1].get(AGAIN):
            row = row[:-1]
        if len(row) < len(self.row) and self.game.lines[: len(row) - len(self.row)]:
            self._take_back(state, row)

    def forget_row(self, state: Mapping[str, Any]) -> bool:
        """The areas are others now: what was read last was of no game. Whether anything of the game is left.

        Where nobody has moved yet the game begins with the next look.
        """
        if any(move["who"] is not None for move in self.moves) and len(self.row) < len(self.game.lines):
            self._take_back(state, [])
            return True
        self._begin_anew()
        return False

    def _take_back(self, state: Mapping[str, Any], row: list[Line]) -> None:
        """Follow the game anew with these lines alone of those that the last state came in."""
        lines = self.game.lines
        fresh = GameLog(self.zones, quiet=True)
        for line in lines[: len(lines) - len(self.row) + len(row)]:
            fresh.take(state, line)
        vars(self).update(vars(fresh), row=row, quiet=self.quiet, over_asked=self.over_asked)

    def _begin_anew(self) -> None:
        self.game, self.moves, self.slips, self.row, self.first = Game(), [], [], [], None
        if self.header is not None:
            self.row.append(self.header)
            self.game.take(self.header)

    def lit(self) -> list[tuple[Line, Lit]]:
        """Every move that stands now, with the places of its pieces. Another thread may take a look meanwhile."""
        moves, (stood, lit) = [*self.moves], self._lit
        if stood != (stand := [id(move) for move in moves]):
            lit = lit_places(self.first, [move["state"] for move in moves], [move["look"] for move in moves])
            self._lit = stand, lit
        return list(zip(moves, lit, strict=True))

    def answer(self, state: Mapping[str, Any], question: str, choice: str) -> Followed:
        """Take a person's answer to a question; `state` is that of the last look."""
        return self.take(state, {"answer": {"question": question, "choice": choice}})

    def undo(self, state: Mapping[str, Any], n: int | None = None) -> Followed:
        """Take a move back, the last one or the n-th, all after it judged anew; `state`: that of the last look."""
        return self.take(state, {"undo": True} if n is None else {"undo": True, "n": n})

    def to_lines(self, names: Mapping[str, str]) -> str:
        """The whole game as JSON lines that `referee` reads again. `names`: what people call the players, by zone."""
        return "".join(json.dumps(_called(line, names), ensure_ascii=False) + "\n" for line in self.game.lines)

    def _told(self, state: Mapping[str, Any], lines: list[Line]) -> Followed:
        told = {kinds: tuple(line for line in lines if line["line"] in kinds) for kinds in (MOVES, SLIPS)}
        for line in told[MOVES]:
            if line["line"] == "replaced":
                self.moves = [move for move in self.moves if move["n"] < line["from"]]
            elif line["line"] == "undone":
                self.moves = [move for move in self.moves if move["n"] != line["n"]]
            else:
                self.moves.append(line)
        for line in lines:
            if line["line"] == "slip":
                self.slips.append(line)
            elif line["line"] == "mended":
                self.slips = [slip for slip in self.slips if slip["id"] != line["slip"]]
            elif line["line"] == "question":
                self.question = line
        if self.question is not None and self.game.asked != self.question["id"]:
            self.question = None
        closing = lines[-1]
        return Followed(
            state if "error" in closing else believed(state, self.game.state),
            told[MOVES],
            told[SLIPS],
            tuple(line for line in lines if line["line"] == "question"),
            tuple(line for line in lines if line["line"] == "corrected"),
            closing.get("turn_of"),
            tuple(closing.get("owed", ())),
            () if self.quiet else tuple(self.game.legal()),
            closing.get("look", -1),
            *self._held_back(closing.get("look", -1)),
        )

    def _held_back(self, look: int) -> tuple[tuple[Line, ...], bool, float | None]:
        """What in the last look must be something else; whether it is held back; when what is believed lay there."""
        best = self.game.best
        if best is None:
            return (), False, None
        wrong = (one.fix for one in best.wrong if one.look.number == look)
        misread = tuple({"at": fix.at, "read": fix.read, "is": fix.true} for fix in wrong)
        if not best.held:
            return misread, False, None
        looks = [line for line in self.game.lines if "state" in line]
        first = best.held[0].look.number
        return misread, True, looks[first - 1].get("time") if 0 < first <= len(looks) else None


def value_at(value: Any, place: str) -> Any:
    """What stands at a JSON pointer; None where nothing does."""
    for key in place.split("/")[1:]:
        if isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, dict):
            value = value.get(key)
        else:
            return None
    return value


def _called(line: Line, names: Mapping[str, str]) -> Line:
    """A line that `referee` reads, with the players of its state by people's names."""
    if not isinstance(line.get("state"), Mapping):
        return line
    rows = [{**row, "name": names.get(row["name"], row["name"])} for row in line["state"]["players"]]
    return {**line, "state": {**line["state"], "players": rows}}


def look_line(state: Mapping[str, Any], zones: Sequence[str], time: float | None) -> Line:
    """A state as a line that `referee` reads: its players are the zones, whatever people call them."""
    rows = [
        {**GAMES[state["game"]].unseen, **row, "name": zone} for row, zone in zip(state["players"], zones, strict=True)
    ]
    return {"time": time, "state": {**state, "players": rows}}


def followable(state: Mapping[str, Any]) -> bool:
    """Whether a state shows enough of the table for its moves to be judged: else legal ones would be told as slips."""
    game = GAMES.get(str(state.get("game")))
    return game is not None and bool(game.followed) and game.followed <= state.keys()


def doubtful_places(reading: TableReading, table: TableState) -> list[str]:
    """The places of a table's state that stand on a doubtful tile or card, as JSON pointers."""
    flags = [*(tile.doubtful for tile in reading.tiles), *(card.doubtful for card in reading.cards)]
    doubtful = {i for i, flag in enumerate(flags) if flag}
    return [place for place, pieces in table.places.items() if doubtful.intersection(pieces)]


def said_places(table: TableState, pieces: Collection[int], typed: Entries) -> list[str]:
    """The places of a table's state of which people said what lies there: of all of its pieces, or by typing."""
    said = [place for place, seen in table.places.items() if seen and all(one in pieces for one in seen)]
    said += [pointer("", key) for key in typed.table if key in table.state]
    for i, zone in enumerate(table.zones):
        said += [pointer(f"/players/{i}", key) for key in typed.players.get(zone, ()) if key != "name"]
    return said


def put_right(reading: TableReading, table: TableState, wrong: Iterable[Line]) -> TableReading:
    """The reading with the colors that the course of the game shows its tiles to have."""
    tiles = list(reading.tiles)
    for line in wrong:
        here = [i for i in table.places.get(line["at"], ()) if i < len(tiles) and tiles[i].color == line["read"]]
        if here and line["is"] in COLORS:
            i = min(here, key=lambda i: (not tiles[i].doubtful, tiles[i].confidence))
            tiles[i] = replace(tiles[i], color=line["is"])
    return replace(reading, tiles=tuple(tiles))


def believed(seen: Mapping[str, Any], state: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """A state that was seen, with what the referee believes laid over it; players keep the names that they have."""
    if state is None:
        return seen
    rows = zip(seen["players"], state["players"], strict=True)
    return {**seen, **state, "players": [{**row, **own, "name": row["name"]} for row, own in rows]}
