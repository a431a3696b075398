"""A game followed from look to look: a few hypotheses about what happened, each with its price.

A hypothesis is a table, a log that leads to it and the sum of the costs of believing in it. Each look is explained
from each of them; the cheapest is told. Where even that is dear (a breach, a sure piece read wrongly), dearer
explanations are looked for too, also some that begin before the turn told last: what was begun then may have been
half a turn, or a slip that was put right since.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from referee.looks import SLIP, UNKNOWN, Fix, Look, breach
from referee.turns import Explanation, Owed, Renewal, Rules, Turn
from scoring import score_state
from scoring.errors import MISSING, StateError

FORMAT: Final = 1
RULES_VERSION: Final = 1
"""Version of the rules' reading."""

GAMES: Final = {
    "twelve-seekers": ("referee.twelve_seekers", "Seekers"),
    "splendor": ("referee.splendor", "Splendor"),
    "igna": ("referee.igna", "Igna"),
    "in-the-ruin": ("referee.in_the_ruin", "InTheRuin"),
    "human-angel-demon": ("referee.human_angel_demon", "HumanAngelDemon"),
}
"""Each game's module and class, loaded when it is first played."""

BEAM: Final = 8
"""Hypotheses that are kept."""
CAREFUL: Final = 12
"""Hypotheses from which a look is explained with more care."""
MARGIN: Final = 7.0
"""A hypothesis that costs so much more than the best one is dropped."""
TROUBLE: Final = 3.2
"""A look that costs so much is explained with more care."""
GONE_BACK: Final = 2
"""Hypotheses whose last turn is gone back over."""
BACK: Final = 3
"""Looks that are gone through again at most."""
DEAR: Final = 8.0
"""Where the last looks together cost so much more than they have to, they are gone through once more with all care."""
AMENDED: Final = 1.0
"""A turn that was legal as it lay was not over yet."""
LEFT_OFF: Final = 3.0
"""What was begun was put back, and nothing else was done."""
SPOILT: Final = 3.0
"""What came to it then broke a rule."""
PUT_BACK: Final = SLIP + AMENDED
"""What was thought to be a part of a turn was none of it: a slip, put right before anybody went on."""
LATER_BREACH: Final = 0.5
"""The turn that breaks a rule is not the last one that the look shows."""
NEAR: Final = 1.5
"""Hypotheses nearer than that to the best one have a say in what is certain."""
LATER: Final = 2
"""So many looks later a reading is corrected though it is not certain."""
AS_LIKELY: Final = 0.3
"""Two ways to the same table nearer than that are as likely."""
ASKED: Final = 0.7
"""Two explanations nearer than that are worth a question."""
BANNED: Final = 9.0
"""A person took this explanation back."""
ENDED: Final = 6.0
"""What a turn still lacked when it was seen came only when somebody had begun the next one."""
SUREST: Final = 0.99
PATIENCE: Final = 2
"""Looks for which a slip that is not sure is not told."""
MOST_PATIENCE: Final = 6
"""So many looks later it is told, however likely."""
SLIP_LIKELY: Final = 0.8
"""What is less sure is not told before that."""
SLIP_SURE: Final = 0.97
"""What is surer is told in its own look."""
CHANGED_MIND: Final = 0.05
"""What has been told stays, if something else is only that much better."""


class Entry(NamedTuple):
    """A turn in the log, with the look that first shows all of it."""

    turn: Turn
    look: int
    time: Any
    by: str
    before: Any


class Wrong(NamedTuple):
    """A reading to be corrected: its look, and whether it was doubtful."""

    look: Look
    fix: Fix


class Held(NamedTuple):
    """A look that shows a part of a turn, the table if that were all of it, and what it cost to believe that."""

    look: Look
    lying: Any
    cost: float


class Hypothesis(NamedTuple):
    """What may have happened. `earlier` was believed before the last turn, `since` are the looks from there on.

    `mended` are turns that broke a rule and were put right before the next one.
    """

    table: Any
    cost: float
    log: tuple[Entry, ...]
    wrong: tuple[Wrong, ...] = ()
    owed: tuple[Owed, ...] = ()
    held: tuple[Held, ...] = ()
    earlier: Hypothesis | None = None
    since: tuple[Look, ...] = ()
    lent: float = 0.0
    mended: tuple[Entry, ...] = ()


class Past(NamedTuple):
    """A look and the hypotheses before it."""

    look: Look
    beam: list[Hypothesis]


Line = dict[str, Any]


class Game:
    """One game: looks in, lines out. Pure: no clock, no files, no language.

    `take` answers one line of the input (the JSON value, parsed), `end` what comes after the last one. An `error` in a
    line is the StateError.
    """

    def __init__(self, file: str | None = None) -> None:
        self._file = file
        self._header: dict[str, Any] = {}
        self._rules: Rules | None = None
        self._beam: list[Hypothesis] = []
        self._past: list[Past] = []
        self._look: Look | None = None
        self._looks: list[Look] = []
        self._number = -1
        self._told: list[Entry] = []
        self._corrected: dict[tuple[int, str], list[Any]] = {}
        self._slips: dict[Any, str] = {}
        self._slip_looks: dict[str, tuple[int, int]] = {}
        self._gone: set[str] = set()
        self._banned: set[Any] = set()
        self._question: tuple[str, int, dict[str, Any]] | None = None
        self._questions = 0
        self._asked: set[Any] = set()
        self._assumed: set[int] = set()
        self._said: set[int] = set()
        self._lines: list[Line] = []

    @property
    def lines(self) -> list[Line]:
        """The input so far, as `take` reads it again: the whole game."""
        return self._lines.copy()

    @property
    def best(self) -> Hypothesis | None:
        """What is believed now."""
        return self._beam[0] if self._beam else None

    @property
    def state(self) -> dict[str, Any] | None:
        """The table as it is believed to lie, in the form of the looks; None before the first one."""
        return None if self._rules is None or self.best is None else self._rules.state(self.best.table)

    @property
    def house(self) -> dict[str, Any]:
        """How this game reads what the rulebook is silent on, by switch; empty before the first look."""
        house: dict[str, Any] = {} if self._rules is None else self._rules.header()["house"]
        return house

    def legal(self) -> list[Line]:
        """What the player whose turn it is may do, the most points first; empty where that is not known.

        A move as the log writes it, and `points`: by how much the player's total grows, None where nothing scores yet.
        """
        rules, best = self._rules, self.best
        if rules is None or best is None or best.held:
            return []
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
        return self._question[0] if self._question is not None else None

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
            self._number += 1
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
        rules, best, look = self._rules, self.best, self._look
        if rules is None or best is None or look is None:
            return [{"line": "end", "state": None, "over": False}]
        lines: list[Line] = []
        if best.owed or best.held:
            stands = rules.finish(best.table, look)
            if stands is not None:
                self._beam = [self._follow(best, stands, look)]
        lines += self._tell(last=True)
        best = self._beam[0]
        return [*lines, {"line": "end", "state": rules.state(best.table), "over": rules.over(best.table)}]

    # Lines of the input

    def _take_header(self, header: object) -> list[Line]:
        if self._rules is not None or not isinstance(header, dict):
            raise StateError("/header", "object", header)
        self._header = header
        return []

    def _begin(self, look: Look) -> Line:
        """The header line; the first look says what the header leaves out."""
        state = look.state
        game = state.get("game", self._header.get("game"))
        if not isinstance(game, str) or game not in GAMES:
            raise StateError("/game", "one-of", MISSING if game is None else game, {"words": tuple(GAMES)})
        players = self._header.get("players")
        if not players:
            rows = state.get("players")
            players = [row.get("name") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        if not isinstance(players, list) or not players or not all(isinstance(name, str) for name in players):
            raise StateError("/players", "players", players)
        if len(set(players)) < len(players):
            raise StateError("/players", "own-name", players)
        module, name = GAMES[game]
        make: Callable[[Mapping[str, Any], Look], Rules] = getattr(import_module(module), name)
        self._rules = make({**self._header, "players": players}, look)
        file = {"file": self._file} if self._file is not None else {}
        said = self._rules.header()
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
        look = Look(self._number, line)
        lines = [] if self._rules is not None else [self._begin(look)]
        rules = self._rules
        assert rules is not None
        try:
            look.read = rules.read(look)
        except StateError as error:
            return [*lines, self.failed(error, look.time)]
        self._look = look
        self._looks.append(look)
        if self._beam:
            self._past = [*self._past[-BACK:], Past(look, self._beam)]
            self._beam = self._explained(rules, look)
            self._beam = self._walked_again(rules)
        else:
            starts = sorted(rules.start(look), key=lambda start: start.cost)
            self._beam = [
                Hypothesis(start.table, start.cost - starts[0].cost, (), tuple(Wrong(look, fix) for fix in start.fixes))
                for start in starts
            ]
        return [*lines, *self._tell(), self._closing(look.time)]

    def _answer(self, line: Mapping[str, Any]) -> list[Line]:
        given = line["answer"]
        if self._question is None or not isinstance(given, dict) or given.get("question") != self._question[0]:
            open_ = self._question[0] if self._question else UNKNOWN
            raise StateError("/answer/question", "one-of", given, {"words": (open_,)})
        _, about, choices = self._question
        if given.get("choice") not in choices:
            raise StateError("/answer/choice", "one-of", given.get("choice"), {"words": tuple(choices)})
        chosen = choices[given["choice"]]
        self._question = None
        kept = [one for one in self._beam if len(one.log) >= about and _sign(one.log[about - 1]) == chosen]
        self._beam, self._past = kept or self._beam, []
        self._said.add(about)
        lines = self._again(about, "answer")
        return [*lines, *self._tell(), self._closing(line.get("time"))]

    def _undo(self, line: Mapping[str, Any]) -> list[Line]:
        best = self.best
        if best is None or not self._told or not best.log:
            return [self._closing(line.get("time"))]
        entry = best.log[-1]
        n = len(best.log)
        self._banned.add((n, entry.turn.same))
        self._beam, self._past = [Hypothesis(entry.before, best.cost, best.log[:-1], best.wrong)], []
        self._told = self._told[: n - 1]
        if self._question and self._question[1] >= n:
            self._question = None
        return [{"line": "undone", "look": self._number, "n": n}, *self._tell(), self._closing(line.get("time"))]

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
            if not 1 <= line["n"] <= len(self._told):
                raise StateError("/n", "number-between", line["n"], {"least": 1, "most": len(self._told)})
            self._banned.add((line["n"], self._told[line["n"] - 1].turn.same))
        fresh = Game(self._file)
        fresh._banned = set(self._banned)
        for one in self._lines:
            if not _rewrites(one):
                fresh.take(one)
        old, lines = self._told, self._lines
        slips, looks_of, gone, questions = self._slips, self._slip_looks, self._gone, self._questions
        corrected = self._corrected
        self.__dict__.update(fresh.__dict__)
        self._lines, self._slips, self._slip_looks, self._gone = lines, slips, looks_of, gone
        self._questions, self._question, self._asked = questions, None, set()
        self._corrected = corrected
        self._assumed.clear()
        self._told = old
        return [*self._tell(), self._closing(line.get("time"))]

    # Hypotheses

    def _explained(self, rules: Rules, look: Look) -> list[Hypothesis]:
        """The hypotheses after one more look, the best first."""
        before = self._beam[0].cost
        each = [
            [self._follow(one, way, look) for way in _explain(rules, one.table, look, one.lent > 0.0)]
            for one in self._beam
        ]
        found = [one for some in each for one in some]
        if min((one.cost for one in each[0]), default=math.inf) - before - look.least > TROUBLE:
            found = []
            for i, one in enumerate(self._beam):
                wide = i < CAREFUL and one.cost < before + MARGIN
                ways = _explain(rules, one.table, look, wide or one.lent > 0.0)
                found += [self._follow(one, way, look) for way in ways]
            for one in self._beam[:GONE_BACK]:
                found += self._gone_back(rules, one, look)
        return self._kept(rules, found) or self._beam

    def _walked_again(self, rules: Rules) -> list[Hypothesis]:
        """The hypotheses after the last look; where two things were wrong, found from some looks ago."""
        now = self._beam[0].cost
        if now - self._past[0].beam[0].cost - sum(look.least for look, _ in self._past) < DEAR:
            return self._beam
        stories = self._past[0].beam
        for look, _ in self._past:
            found = [
                further
                for one in stories
                for way in _explain(rules, one.table, look, True)
                if (further := self._follow(one, way, look)).cost < now
            ]
            stories = self._kept(rules, found)
        return self._kept(rules, [*stories, *self._beam])

    def _gone_back(self, rules: Rules, one: Hypothesis, look: Look) -> Iterator[Hypothesis]:
        """The turn told last was not over, or a slip that has been put right since."""
        start = one.earlier
        if start is None or len(one.since) > BACK or any(seen.typed for seen in one.since):
            return
        lawful, before = True, start.mended
        for seen in one.since:
            best: Hypothesis | None = None
            slipped = False
            for way in _explain(rules, start.table, seen, True):
                broken = any(turn.breaks for turn in way.turns)
                more = AMENDED if way.turns else 0.0
                if len(way.turns) > 1 or (way.turns and way.turns[0].who is None) or way.renewal is not None:
                    continue
                if way.turns and not broken and not rules.amends:
                    continue
                waited = start._replace(
                    cost=start.cost + way.cost + more,
                    wrong=(*start.wrong, *(Wrong(seen, fix) for fix in way.fixes)),
                    held=start.held if broken else (*start.held, Held(seen, way.lying, way.cost)),
                    since=(*start.since, seen),
                )
                if broken:
                    slip = Entry(way.turns[0], seen.number, seen.time, "camera", start.table)
                    waited = waited._replace(mended=(*start.mended, slip))
                if best is None or waited.cost < best.cost:
                    best, slipped = waited, broken
            if best is None or best.cost > one.cost + 2 * MARGIN:
                return
            start = best
            lawful = lawful and not slipped
        for way in _explain(rules, start.table, look, True):
            spoilt = SPOILT if lawful and way.turns and way.turns[0].breaks else 0.0
            slips = start.mended[len(before) :]
            if any(slip.turn.same == turn.same for slip in slips for turn in way.turns[1:]):
                continue  # it still lies there: it was not put right before the others moved
            if slips and way.turns and _broken(slips[-1].turn) == _broken(way.turns[0]):
                more = start.cost - sum(breach(slip.turn.breaks) for slip in slips)  # the same slip, not over yet
                yield self._follow(start._replace(cost=more, mended=before), way, look)
            else:
                yield self._follow(start._replace(cost=start.cost + spoilt), way, look)

    def _follow(self, one: Hypothesis, way: Explanation, look: Look) -> Hypothesis:
        """The hypothesis with one explanation more."""
        if way.renewal is not None:
            one = self._renewed(one, way.renewal)
        cost = one.cost + way.cost
        if way.turns or way.held:  # a breach that nothing followed is not asked for again
            cost -= one.lent
        wrong = (*one.wrong, *(Wrong(look, fix) for fix in way.fixes)) if way.fixes else one.wrong
        held: tuple[Held, ...] = (Held(look, way.lying, way.cost),) if way.held else ()
        if self._ends(one, way):
            cost += ENDED  # what was owed stayed so while somebody else moved
        if not way.turns:
            if one.held and not held:
                cost += LEFT_OFF
            held = (*one.held, *held) if held else ()
            return Hypothesis(
                one.table if way.table is None else way.table,
                cost,
                one.log,
                wrong,
                way.owed,
                held,
                one.earlier,
                (*one.since, look),
                way.lent,
                one.mended,
            )
        log = list(one.log)
        table = one.table
        between, wrong, later = self._between(one, way, wrong)
        cost += between
        cost += LATER_BREACH * any(turn.breaks for turn in way.turns[:-1])
        for i, turn in enumerate(way.turns):
            first, time = look.number, look.time
            if i == 0:
                lay = next((seen for seen, lying, _ in one.held if lying == turn.table), None)
                if lay is not None:
                    first, time = lay.number, lay.time
                elif _owes_a_discard(one) and _goes_on(way):
                    cost += ENDED
            if any(same == turn.same and abs(n - len(log) - 1) <= 1 for n, same in self._banned):
                cost += BANNED
            log.append(Entry(turn, first, time, "person" if look.typed else "camera", table))
            table = turn.table
        held = (*later, *held) if held else ()
        return Hypothesis(table, cost, tuple(log), wrong, way.owed, held, one, (look,), way.lent, one.mended)

    def _ends(self, one: Hypothesis, way: Explanation) -> bool:
        """Whether somebody moves who does not owe what is still owed."""
        waits = self._rules is not None and self._rules.together
        if not way.turns or not one.owed or one.owed[0].guessed or waits:
            return False
        return one.owed[0].who not in (None, *_until_seen(way))

    def _renewed(self, one: Hypothesis, renewal: Renewal) -> Hypothesis:
        """The hypothesis with its turns as they are seen now."""
        log, cost = [], 0.0
        for entry in one.log:
            turn = renewal.turn(entry.turn)
            cost -= breach(entry.turn.breaks) + renewal.odd(entry.turn)
            if turn is not None:
                cost += breach(turn.breaks) + renewal.odd(turn)
                log.append(entry if turn is entry.turn else entry._replace(turn=turn))
        wrong = [w for w in one.wrong if (w.look.number, w.fix.at) not in renewal.judged]
        wrong += [Wrong(look, fix) for look, fix in renewal.wrong]
        return one._replace(log=tuple(log), cost=one.cost + cost, wrong=tuple(wrong))

    def _between(
        self, one: Hypothesis, way: Explanation, wrong: tuple[Wrong, ...]
    ) -> tuple[float, tuple[Wrong, ...], tuple[Held, ...]]:
        """The wrong readings, those of the looks in which a turn was half done seen in the light of the whole.

        The cost is what these looks show beyond what they were thought to show. With them, the looks that show a
        part of the turn that is half done now: these turns changed nothing.
        """
        if self._rules is None or not one.held:
            return 0.0, wrong, ()
        if way.owed and not any(_changes(turn) for turn in way.turns):
            return 0.0, wrong, one.held
        cost, first = 0.0, 0
        tables = [one.table, *(turn.table for turn in way.turns)]
        for seen, _, paid in one.held:
            fits = [
                (fit.cost, i, fit)
                for i, turn in enumerate(way.turns)
                if i >= first and (fit := self._rules.between(tables[i], turn, seen)) is not None
            ]
            if fits:
                dear, i, fit = min(fits)
                wrong = tuple(w for w in wrong if w.look is not seen)
                if dear - paid > PUT_BACK:
                    cost += PUT_BACK
                    continue
                first = i
                cost += max(dear - paid, 0.0)
                wrong += tuple(Wrong(seen, fix) for fix in fit.fixes)
        return cost, wrong, ()

    def _kept(self, rules: Rules, found: list[Hypothesis]) -> list[Hypothesis]:
        """The cheapest hypotheses, one for each table and each thing owed."""
        told = self._told
        best: dict[Any, tuple[float, Hypothesis]] = {}
        for one in found:
            n = min(len(told), len(one.log))
            stays = all(a is b or _sign(a) == _sign(b) for a, b in zip(told[:n], one.log, strict=False))
            cost = one.cost + (0.0 if stays and n == len(told) else CHANGED_MIND)
            key = (rules.key(one.table), tuple(owed.who for owed in one.owed), bool(one.held))
            if key in best and abs(cost - best[key][0]) < AS_LIKELY:
                least, likelier = min(best[key], (cost, one), key=lambda way: way[0])
                other = one if likelier is best[key][1] else best[key][1]
                best[key] = (least, self._either(rules, likelier, other))
            elif key not in best or cost < best[key][0]:
                best[key] = (cost, one)
        if not best:
            return []
        ranked = sorted(best.values(), key=lambda pair: pair[0])
        most = ranked[0][1].cost + MARGIN
        return [one for _, one in ranked[:BEAM] if one.cost < most]

    @staticmethod
    def _either(rules: Rules, one: Hypothesis, other: Hypothesis) -> Hypothesis:
        """Two ways to the same table, as likely: what they differ in and nobody can know any more is left open."""
        if len(one.log) != len(other.log):
            return one
        log = list(one.log)
        for i, (entry, another) in enumerate(zip(one.log, other.log, strict=True)):
            if entry is not another and entry.turn.same != another.turn.same:
                turn = rules.alike(entry.turn, another.turn)
                if turn is None or turn is entry.turn:
                    return one
                if turn is another.turn:
                    return other
                log[i] = entry._replace(turn=turn)
        return one._replace(log=tuple(log))

    # What is told

    def _closing(self, time: Any) -> Line:
        rules, best = self._rules, self.best
        turn_of = rules.turn_of(best.table) if rules is not None and best is not None else None
        return {
            "line": "look",
            "look": self._number,
            "time": time,
            "turn_of": turn_of,
            "moves": list(range(1, len(self._told) + 1)),
            "owed": [one.written() for one in best.owed] if best is not None else [],
        }

    def _tell(self, last: bool = False) -> list[Line]:
        """What has to be said now: corrected, replaced, move, slip, mended, question."""
        rules, best = self._rules, self.best
        if rules is None or best is None:
            return []
        lines = list(self._corrections(rules, best, last))
        told = self._told
        same = 0
        while same < min(len(told), len(best.log)) and (
            told[same] is best.log[same] or _same_line(told[same], best.log[same])
        ):
            same += 1
        self._same_slips(best)
        slips = [self._slip(rules, entry) for entry in best.mended if self._slip_key(entry) not in self._slips]
        for n, entry in enumerate(best.log):
            if not entry.turn.breaks or self._slip_key(entry) in self._slips:
                continue
            without = (look.number > entry.look and not look.shows(entry.turn.who) for look in self._looks)
            age, sure = self._number - entry.look - sum(without), self._sure(n, entry)
            due = age >= (PATIENCE if entry.turn.plain else 1) and (sure >= SLIP_LIKELY or age >= MOST_PATIENCE)
            odd = any(w.look.number >= entry.look and not w.look.flagged(w.fix.at) for w in best.wrong)
            if last or entry.by == "person" or due or (entry.turn.plain and not odd and sure >= SLIP_SURE):
                slips.append(self._slip(rules, entry))
        mended = list(self._put_right(best)) if same < len(told) else []
        if same < len(told):
            because = "mended" if mended else "seen"
            lines.append({"line": "replaced", "look": self._number, "from": same + 1, "because": because})
        lines += [self._move(rules, best, n) for n in range(same, len(best.log))]
        self._told = list(best.log)
        lines += slips
        lines += [{"line": "mended", "look": self._number, "slip": name} for name in mended]
        lines += self._ask(rules, best)
        return lines

    def _put_right(self, best: Hypothesis) -> Iterator[str]:
        """The slips told that the log no longer holds, where no reading of their look turned out wrong."""
        stand = {self._slip_key(entry) for entry in best.log if entry.turn.breaks}
        for key, name in self._slips.items():
            look, wrong = self._slip_looks[name]
            if key not in stand and name not in self._gone:
                self._gone.add(name)
                if sum(one.look.number == look for one in best.wrong) <= wrong:
                    yield name

    def _corrections(self, rules: Rules, best: Hypothesis, last: bool) -> Iterator[Line]:
        near = [one for one in self._beam[1:] if one.cost < best.cost + NEAR]
        believed: dict[tuple[int, str], list[Any]] = {}
        for wrong in best.wrong:  # pieces that are only counted have one pointer
            believed.setdefault((wrong.look.number, wrong.fix.at), []).append(wrong.fix.true)
        for wrong in best.wrong:
            look, fix = wrong
            at = (look.number, fix.at)
            if fix.true in self._corrected.get(at, ()):
                continue
            if rules.counted and not last and any(held.look is look for held in best.held):
                continue
            certain = all(any(fix == w.fix and look is w.look for w in one.wrong) for one in near)
            if not (last or certain or self._number - look.number >= LATER):
                continue
            self._corrected[at] = [*(one for one in self._corrected.get(at, ()) if one in believed[at]), fix.true]
            because, others = rules.because(best.table, look, fix)
            yield {
                "line": "corrected",
                "look": look.number,
                "at": fix.at,
                "read": fix.read,
                "is": fix.true,
                "because": because,
                "others": others,
                "flagged": look.flagged(fix.at),
            }

    def _same_slips(self, best: Hypothesis) -> None:
        """A slip that was told stays the same one where its look is seen as another number of turns now."""
        stand = {self._slip_key(entry): entry for entry in (*best.log, *best.mended) if entry.turn.breaks}
        for key, entry in stand.items():
            if key in self._slips:
                continue
            for old, name in list(self._slips.items()):
                if old not in stand and old[1:] == key[1:] and self._slip_looks[name][0] == entry.look:
                    self._slips[key] = self._slips.pop(old)
                    break

    def _slip_key(self, entry: Entry) -> Any:
        return entry.turn.number, entry.turn.who, entry.turn.breaks[0]

    def _slip(self, rules: Rules, entry: Entry) -> Line:
        """The line that tells a slip."""
        turn, name = entry.turn, f"s{len(self._slips) + 1}"
        self._slips[self._slip_key(entry)] = name
        wrong = self.best.wrong if self.best is not None else ()
        self._slip_looks[name] = (entry.look, sum(one.look.number == entry.look for one in wrong))
        return {
            "line": "slip",
            "look": entry.look,
            "id": name,
            "who": turn.who,
            "breaks": list(turn.breaks),
            "move": {"who": turn.who, "move": turn.move, **turn.fields},
            "nearest": rules.nearest(entry.before, turn),
        }

    def _move(self, rules: Rules, best: Hypothesis, n: int) -> Line:
        """One line of the log."""
        entry = best.log[n]
        turn = entry.turn
        by = "person" if n + 1 in self._said else "assumed" if n + 1 in self._assumed else entry.by
        line: Line = {
            "line": "move",
            "n": n + 1,
            "turn": turn.number,
            "round": turn.round,
            "who": turn.who,
            "move": turn.move,
            **turn.fields,
            "look": entry.look,
            "time": entry.time,
            "by": by,
            "sure": self._sure(n, entry),
            "legal": turn.legal,
            "breaks": list(turn.breaks),
        }
        if turn.breaks:
            line["nearest"] = rules.nearest(entry.before, turn)
            if self._slip_key(entry) in self._slips:
                line["slip"] = self._slips[self._slip_key(entry)]
        line["state"] = rules.state(turn.table)
        return line

    def _sure(self, n: int, entry: Entry) -> float:
        """How much of all belief holds that this line is right."""
        right = whole = 0.0
        for one in self._beam:
            weight = math.exp(self._beam[0].cost - one.cost)
            whole += weight
            if len(one.log) > n and _sign(one.log[n]) == _sign(entry):
                right += weight
        return round(min(right / whole, SUREST), 2) if whole else SUREST

    def _ask(self, rules: Rules, best: Hypothesis) -> list[Line]:
        """A question where two explanations remain though another look has come."""
        if self._question is not None:
            about = self._question[1]
            open_ = any(
                len(one.log) >= about and _sign(one.log[about - 1]) != _sign(best.log[about - 1])
                for one in self._beam[1:]
                if one.cost < best.cost + NEAR and len(best.log) >= about
            )
            if open_:
                return []
            self._question = None
            self._assumed.discard(about)
            return self._again(about, "seen")
        for other in self._beam[1:]:
            if other.cost >= best.cost + ASKED or len(other.log) != len(best.log):
                continue
            pairs = enumerate(zip(best.log, other.log, strict=True))
            n = next((i for i, (one, another) in pairs if _sign(one) != _sign(another)), None)
            if n is None or best.log[n].look >= self._number or (n, _sign(other.log[n])) in self._asked:
                continue
            if self._look is not None and not self._look.shows(best.log[n].turn.who):
                continue  # the next look at that player may tell
            self._asked.add((n, _sign(other.log[n])))
            return self._put(n)
        return []

    def _put(self, n: int) -> list[Line]:
        """Ask about the n-th line of the log (counted from 0)."""
        ways: dict[Any, tuple[float, Turn]] = {}
        for one in self._beam:
            further = one.cost - self._beam[0].cost
            if further < NEAR and len(one.log) > n:
                sign = _sign(one.log[n])
                weight = ways[sign][0] if sign in ways else 0.0
                ways[sign] = (weight + math.exp(-further), one.log[n].turn)
        ranked = sorted(ways.items(), key=lambda way: -way[1][0])[:3]
        whole = sum(weight for _, (weight, _) in ranked)
        self._questions += 1
        name = f"q{self._questions}"
        self._question = (name, n + 1, {"abc"[i]: sign for i, (sign, _) in enumerate(ranked)})
        self._assumed.add(n + 1)
        choices = [
            {
                "key": "abc"[i],
                "move": {"who": turn.who, "move": turn.move, **turn.fields, "breaks": list(turn.breaks)},
                "sure": round(weight / whole, 2),
            }
            for i, (_, (weight, turn)) in enumerate(ranked)
        ]
        return [
            *self._again(n + 1, "question"),
            {"line": "question", "look": self._number, "id": name, "about": n + 1, "choices": choices},
        ]

    def _again(self, about: int, because: str) -> list[Line]:
        """The lines of the log from one on, told once more."""
        rules, best = self._rules, self.best
        if rules is None or best is None or len(self._told) < about:
            return []
        lines: list[Line] = [{"line": "replaced", "look": self._number, "from": about, "because": because}]
        self._told = list(best.log)
        for n in range(about - 1, len(best.log)):
            lines.append(self._move(rules, best, n))
        return lines


def _explain(rules: Rules, table: Any, look: Look, wide: bool) -> Sequence[Explanation]:
    """How the table may have become what the look shows; worked out once."""
    key = ("explained", table, wide)
    if key not in look.memo:
        look.memo[key] = list(rules.explain(table, look, wide))
    found: Sequence[Explanation] = look.memo[key]
    return found


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


def _owes_a_discard(one: Hypothesis) -> bool:
    """Whether all of a turn lay there but what Twelve Seekers' T12 throws out."""
    return bool(one.held) and one.held[-1].lying is not None and any(owed.rule == "T12" for owed in one.owed)


def _until_seen(way: Explanation) -> Iterator[str | None]:
    """Who moved, or from whom somebody took something, up to the first turn that changed anything on the table."""
    for turn in way.turns:
        yield turn.who if turn.move != "pass" else None
        if "from" in turn.fields:
            yield turn.fields["from"]
        if _changes(turn):
            return


def _changes(turn: Turn) -> bool:
    """Whether a turn changed anything on the table."""
    return turn.move != "pass" and turn.fields.get("what") != []


def _broken(turn: Turn) -> Any:
    """Who broke which rules."""
    return turn.who, turn.breaks


def _goes_on(way: Explanation) -> bool:
    """Whether the player of the first turn is the one who moves next."""
    who = way.turns[1].who if len(way.turns) > 1 else way.owed[0].who if way.owed else None
    return who == way.turns[0].who


def _sign(entry: Entry) -> Any:
    """What makes two lines of the log the same move, lawful or not."""
    return entry.turn.same, entry.turn.breaks


def _same_line(one: Entry, other: Entry) -> bool:
    return one.turn == other.turn and one.look == other.look


def follow(lines: Sequence[object], file: str | None = None) -> list[Line]:
    """A whole game at once: the answers to all lines of the input."""
    game = Game(file)
    return [out for line in lines for out in game.take(line)] + game.end()
