"""Read a game line by line (observed states, answers, undo), and return the log lines that each causes."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from referee.hypotheses import Hypotheses, Hypothesis
from referee.looks import UNKNOWN, Look
from referee.telling import Line, Telling
from referee.turns import Rules
from scoring import score_state
from scoring.errors import MISSING, StateError
from scoring.games import NAMES

FORMAT: Final = 1
RULES_VERSION: Final = 1
"""Version of the rules' reading."""

MOST: Final = 10_000
"""No number of any state is larger."""


class Game:
    """One game: looks in, lines out. Pure: no clock, no files, no language.

    `take` answers one line of the input (the JSON value, parsed), `end` what comes after the last one. An `error` in a
    line is the StateError.
    """

    def __init__(self, file: str | None = None) -> None:
        self._file = file
        self._header: dict[str, Any] = {}
        self._story: Hypotheses | None = None
        """None before the first look."""
        self._telling = Telling()
        self._banned: set[tuple[int, Any]] = set()
        self._lines: list[Line] = []

    @property
    def lines(self) -> list[Line]:
        """The input so far, as `take` reads it again: the whole game."""
        return self._lines.copy()

    @property
    def best(self) -> Hypothesis | None:
        """What is believed now."""
        return None if self._story is None else self._story.best

    @property
    def state(self) -> dict[str, Any] | None:
        """The table as it is believed to lie, in the form of the looks; None before the first one."""
        story, best = self._story, self.best
        return None if story is None or best is None else story.rules.state(best.table)

    @property
    def house(self) -> dict[str, Any]:
        """How this game reads what the rulebook is silent on, by switch; empty before the first look."""
        house: dict[str, Any] = {} if self._story is None else self._story.rules.header()["house"]
        return house

    @property
    def begins(self) -> dict[str, Any]:
        """Who begins (`start`) and which order card lies there (`order`), `"?"` where nobody knows.

        What the game does not have is left out.
        """
        said = {} if self._story is None else self._story.rules.header()
        return {name: said[name] for name in ("start", "order") if said.get(name) is not None}

    def legal(self) -> list[Line]:
        """What the player whose turn it is may do, the most points first; empty where that is not known.

        A move as the log writes it, and `points`: by how much the player's total grows, None where nothing scores yet.
        """
        story, best = self._story, self.best
        if story is None or best is None or best.held:
            return []
        rules = story.rules
        now = _totals(rules, best.table)
        found: dict[Any, Line] = {}
        for turn in rules.legal(best.table):
            if turn.table not in found:
                then = _totals(rules, turn.table).get(turn.who)
                before = now.get(turn.who)
                points = None if then is None or before is None else then - before
                found[turn.table] = {"who": turn.who, "move": turn.move, **turn.fields, "points": points}
        return sorted(found.values(), key=lambda line: -(line["points"] or 0))

    @property
    def asked(self) -> str | None:
        """The id of the question that is open."""
        return self._telling.question[0] if self._telling.question is not None else None

    def take(self, line: object) -> list[Line]:
        """The answer to one line of the input; no line is refused."""
        if not isinstance(line, dict):
            return [self.failed(StateError("", "object", line))]
        try:
            told = self._answered(line)
        except StateError as error:
            told = [self.failed(error, line.get("time"))]
        if not _rewrites(line) or not _is_typed(line):
            self._lines.append(line)
        return told

    def _answered(self, line: Mapping[str, Any]) -> list[Line]:
        if _rewrites(line):
            return self._rewrite(line)
        if "state" in line:
            self._telling.number += 1
            return self._take_look(line)
        if "header" in line:
            return self._take_header(line["header"])
        if "answer" in line:
            return self._answer(line)
        if line.get("undo"):
            return self._undo(line)
        raise StateError("/state", "field", MISSING)

    def failed(self, error: StateError, time: Any = None) -> Line:
        """The closing line where a line of the input is none."""
        return {**self._closing(time), "error": error}

    def end(self) -> list[Line]:
        """What the game came to: a turn that was half done stands now, and what nothing explained is as it lies."""
        story = self._story
        if story is None or story.best is None:
            return [{"line": "end", "state": None, "over": False}]
        story.finish(self._telling.looks)
        lines = self._telling.tell(story, last=True)
        table = story.best.table
        return [*lines, {"line": "end", "state": story.rules.scored(table), "over": story.rules.over(table)}]

    # Lines of the input

    def _take_header(self, header: object) -> list[Line]:
        if self._story is not None or not isinstance(header, dict):
            raise StateError("/header", "object", header)
        self._header = header
        return []

    def _begin(self, look: Look) -> Line:
        """The header line; the first look says what the header leaves out."""
        state = look.state
        game = state.get("game", self._header.get("game"))
        if not isinstance(game, str) or game not in NAMES:
            raise StateError("/game", "one-of", MISSING if game is None else game, {"words": NAMES})
        players = self._header.get("players")
        if not players:
            rows = state.get("players")
            players = [row.get("name") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        if not isinstance(players, list) or not players or not all(isinstance(name, str) for name in players):
            raise StateError("/players", "players", players)
        if len(set(players)) < len(players):
            raise StateError("/players", "own-name", players)
        make: Callable[[Mapping[str, Any], Look], Rules] = import_module(f"referee.{game.replace('-', '_')}").RULES
        rules = make({**self._header, "players": players}, look)
        self._story = Hypotheses(rules, self._banned)
        file = {"file": self._file} if self._file is not None else {}
        said = rules.header()
        return {
            "line": "header",
            **file,
            "format": FORMAT,
            "game": game,
            "players": players,
            **said,
            "rules": RULES_VERSION,
        }

    def _take_look(self, line: Mapping[str, Any]) -> list[Line]:
        if not isinstance(line["state"], dict):
            raise StateError("/state", "object", line["state"])
        _bounded(line["state"], "")
        telling = self._telling
        seen = {key: value for key, value in line["state"].items() if key != "players" or value is not None}
        look = Look(telling.number, {**line, "state": seen})
        lines = [] if self._story is not None else [self._begin(look)]
        story = self._story
        assert story is not None
        try:
            look.read = story.rules.read(look)
        except StateError as error:
            return [*lines, self.failed(error, look.time)]
        telling.looks.append(look)
        story.take(look, telling.told)
        return [*lines, *telling.tell(story), self._closing(look.time)]

    def _answer(self, line: Mapping[str, Any]) -> list[Line]:
        given, story, telling = line["answer"], self._story, self._telling
        asked = given.get("question") if isinstance(given, dict) else None
        if story is None or telling.question is None or asked != telling.question[0]:
            raise StateError("/answer/question", "one-of", given, {"words": (self.asked or UNKNOWN,)})
        _, about, choices = telling.question
        if given.get("choice") not in tuple(choices):
            raise StateError("/answer/choice", "one-of", given.get("choice"), {"words": tuple(choices)})
        telling.question = None
        telling.said.add(about)
        story.choose(about, choices[given["choice"]])
        lines = telling.again(story, about, "answer")
        return [*lines, *telling.tell(story), self._closing(line.get("time"))]

    def _undo(self, line: Mapping[str, Any]) -> list[Line]:
        story, best, telling = self._story, self.best, self._telling
        if story is None or best is None or not telling.told or not best.log:
            return [self._closing(line.get("time"))]
        n = len(best.log)
        story.undo()
        telling.undone(n)
        undone = {"line": "undone", "look": telling.number, "n": n}
        return [undone, *telling.tell(story), self._closing(line.get("time"))]

    # What was long ago

    def _rewrite(self, line: Mapping[str, Any]) -> list[Line]:
        """A person's word on what was long ago: a state typed for an earlier look, or a move of the log that was none.

        Everything from there on is judged anew, and what that changes is told.
        """
        if _is_typed(line):
            looks = [i for i, one in enumerate(self._lines) if "state" in one]
            if not 0 <= line["look"] < len(looks):
                raise StateError("/look", "number-between", line["look"], {"least": 0, "most": len(looks) - 1})
            i = looks[line["look"]]
            typed = {key: value for key, value in line.items() if key != "look"}
            self._lines[i] = {**typed, "time": self._lines[i].get("time", UNKNOWN)}
        else:
            told = self._telling.told
            if not 1 <= line["n"] <= len(told):
                raise StateError("/n", "number-between", line["n"], {"least": 1, "most": len(told)})
            self._banned.add((line["n"], told[line["n"] - 1].turn.same))
        fresh = Game(self._file)
        fresh._banned = set(self._banned)
        for one in self._lines:
            if not _rewrites(one):
                fresh.take(one)
        self._header, self._story, self._banned = fresh._header, fresh._story, fresh._banned
        self._telling.judged_anew(fresh._telling)
        lines = [] if self._story is None else self._telling.tell(self._story)
        return [*lines, self._closing(line.get("time"))]

    def _closing(self, time: Any) -> Line:
        return self._telling.closing(self._story, time)


def _bounded(value: object, at: str) -> None:
    """Raises StateError where a number of a state is larger than that of any game: pieces are counted one by one."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            if not isinstance(one, str):
                _bounded(one, f"{at}/{key}")
    elif isinstance(value, int) and not -MOST <= value <= MOST:
        raise StateError(at, "number-between", value, {"least": 0, "most": MOST})


def _rewrites(line: Mapping[str, Any]) -> bool:
    """Whether a line of the input is about what was before the last look."""
    return _is_typed(line) or (bool(line.get("undo")) and type(line.get("n")) is int)


def _is_typed(line: Mapping[str, Any]) -> bool:
    return "state" in line and line.get("by") == "person" and type(line.get("look")) is int


def _totals(rules: Rules, table: Any) -> dict[str | None, int | None]:
    """The players' totals, if nothing more came; none where the table does not score."""
    try:
        return {player.name: player.total for player in score_state(rules.state(table), explain=False).players}
    except StateError:
        return {}


def follow(lines: Sequence[object], file: str | None = None) -> list[Line]:
    """A whole game at once: the answers to all lines of the input."""
    game = Game(file)
    return [out for line in lines for out in game.take(line)] + game.end()
