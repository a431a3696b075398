"""Write log lines from the best hypothesis: moves, broken rules, corrected readings, questions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from referee.hypotheses import Entry, Hypotheses, Hypothesis, Wrong, sign
from referee.looks import Look
from referee.turns import Turn

NEAR: Final = 1.5
"""Hypotheses nearer than that to the best one have a say in what is certain."""
LATER: Final = 2
"""So many looks at that player later a reading is corrected though it is not certain, if it is as likely as this:"""
LIKELY: Final = 0.7
ASKED: Final = 0.7
"""Two explanations nearer than that are worth a question."""
ASKED_OF: Final = ("cells", "what", "row", "claimed", "special")
"""What of a turn is worth a question where its round is not."""
PATIENCE: Final = 2
"""Looks for which a slip that is not sure is not told."""
MOST_PATIENCE: Final = 6
"""So many looks later it is told, however likely."""
SLIP_LIKELY: Final = 0.8
"""What is less sure is not told before that."""
SLIP_SURE: Final = 0.97
"""What is surer is told in its own look; where a person typed that look, what is surer than SLIP_LIKELY."""
TO_AND_FRO: Final = 2
"""Where several lines were replaced so often from one on, a slip in them is told when they have stood for a while."""

Line = dict[str, Any]


class Telling:
    """What was said so far, and what has to be said now. `number` is that of the last look, -1 before the first."""

    def __init__(self) -> None:
        self.number = -1
        self.looks: list[Look] = []
        """Those that could be read."""
        self.told: list[Entry] = []
        self.said: set[int] = set()
        """Lines of the log of which people said what they are."""
        self.question: tuple[str, int, dict[str, Any]] | None = None
        """The open one: its id, the line of the log that it is about, and which move each choice is."""
        self._questions = 0
        self._asked: set[Any] = set()
        self._assumed: set[int] = set()
        self._corrected: dict[tuple[int, str], list[Any]] = {}
        self._slips: dict[Any, str] = {}
        self._slip_looks: dict[str, tuple[int, int]] = {}
        self._gone: set[str] = set()
        self._replaced: dict[int, list[int]] = {}
        """Of each line of the log from which on several were replaced: the looks at which they were."""

    def judged_anew(self, fresh: Telling) -> None:
        """All looks have been gone through once more, in `fresh`: what was said before was said."""
        self.number, self.looks, self.said = fresh.number, fresh.looks, fresh.said
        self.question, self._asked, self._assumed, self._replaced = None, set(), set(), {}

    def undone(self, n: int) -> None:
        """A person says that the log's n-th line (counted from 1), its last, was none."""
        self.told = self.told[: n - 1]
        if self.question and self.question[1] >= n:
            self.question = None

    def closing(self, story: Hypotheses | None, time: Any) -> Line:
        """The line that closes a line of the input: whose turn it is, which moves stand, what is owed."""
        best = story.best if story is not None else None
        turn_of = story.rules.turn_of(best.table) if story is not None and best is not None else None
        return {
            "line": "look",
            "look": self.number,
            "time": time,
            "turn_of": turn_of,
            "moves": list(range(1, len(self.told) + 1)),
            "owed": [one.written() for one in best.owed] if best is not None else [],
        }

    def tell(self, story: Hypotheses, last: bool = False) -> list[Line]:
        """What has to be said now: corrected, replaced, move, slip, mended, question."""
        best = story.best
        if best is None:
            return []
        lines = list(self._corrections(story, best, last))
        told, log = self.told, _as_told(story, best)
        same = 0
        while same < min(len(told), len(log)) and (told[same] is log[same] or _same_line(told[same], log[same])):
            same += 1
        if len(told) - same > 1:
            self._replaced.setdefault(same, []).append(self.number)
        self._same_slips(best)
        slips = [
            self._slip(story, entry)
            for entry in best.mended
            if _slip_key(entry) not in self._slips
            and (last or (self.number - entry.look >= PATIENCE and story.share(_made(entry)) >= SLIP_LIKELY))
        ]
        for n, entry in enumerate(log):
            untold = entry.turn.breaks and _slip_key(entry) not in self._slips
            if untold and (last or self._due(story, best, n, entry)):
                slips.append(self._slip(story, entry, n + 1 in self.said))
        mended = list(self._put_right(best)) if same < len(told) else []
        if same < len(told):
            because = "mended" if mended else "seen"
            lines.append({"line": "replaced", "look": self.number, "from": same + 1, "because": because})
        lines += [self._move(story, log[n], n) for n in range(same, len(log))]
        self.told = log
        lines += slips
        lines += [{"line": "mended", "look": self.number, "slip": name} for name in mended]
        lines += self._ask(story, best)
        return lines

    def _due(self, story: Hypotheses, best: Hypothesis, n: int, entry: Entry) -> bool:
        """Whether the slip in the log's n-th line (counted from 0) is told now, and not when more is known of it."""
        if self._wavers(n) or (entry.turn.faint and n + 1 == len(best.log)):
            return False  # of what left nothing behind the rest is to come, perhaps
        sure = story.likely(n, entry)
        odd = [w.look.number for w in best.wrong if w.look.number >= entry.look and not w.look.flagged(w.fix.at)]
        further = self._shown_since(max(odd, default=entry.look), entry.turn.who)
        return (
            n + 1 in self.said
            or (entry.by == "person" and sure >= SLIP_LIKELY)
            or (entry.turn.plain and not odd and sure >= SLIP_SURE)
            or (further >= (PATIENCE if entry.turn.plain else 1) and sure >= SLIP_LIKELY)
            or self._shown_since(entry.look, entry.turn.who) >= MOST_PATIENCE
        )

    def _wavers(self, n: int) -> bool:
        """Whether the log's n-th line (counted from 0) is one of those that are told now so, now otherwise."""
        looks = [at for first, at in self._replaced.items() if first <= n and len(at) >= TO_AND_FRO]
        return any(self.number - at[-1] < MOST_PATIENCE for at in looks)

    def _shown_since(self, number: int, who: str | None) -> int:
        """How many looks after that one there were, without those that show nothing of the player."""
        return self.number - number - sum(look.number > number and not look.shows(who) for look in self.looks)

    def _put_right(self, best: Hypothesis) -> Iterator[str]:
        """The slips told that the log no longer holds, where no reading of their look turned out wrong."""
        stand = {_slip_key(entry) for entry in best.log if entry.turn.breaks}
        for key, name in self._slips.items():
            look, wrong = self._slip_looks[name]
            if key not in stand and name not in self._gone:
                self._gone.add(name)
                if sum(one.look.number == look for one in best.wrong) <= wrong:
                    yield name

    def _corrections(self, story: Hypotheses, best: Hypothesis, last: bool) -> Iterator[Line]:
        near = story.near(NEAR)
        believed: dict[tuple[int, str], list[Any]] = {}
        for wrong in best.wrong:  # pieces that are only counted have one pointer
            believed.setdefault((wrong.look.number, wrong.fix.at), []).append(wrong.fix.true)
        for wrong in best.wrong:
            look, fix = wrong
            at = (look.number, fix.at)
            if fix.true in self._corrected.get(at, ()):
                continue
            if story.rules.counted and not last and any(held.look is look for held in best.held):
                continue
            believes = _holds(wrong)
            since = self._shown_since(look.number, look.whose(fix.at))
            if story.rules.lasting and not last and not since and not look.flagged(fix.at):
                continue  # one sure look at a sheet against another: the next one tells
            late = last or since >= LATER
            if not all(map(believes, near)) and not (late and story.share(believes) >= LIKELY):
                continue
            self._corrected[at] = [*(one for one in self._corrected.get(at, ()) if one in believed[at]), fix.true]
            because, others = story.rules.because(best.table, look, fix)
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
        stand = {_slip_key(entry): entry for entry in (*best.log, *best.mended) if entry.turn.breaks}
        for key, entry in stand.items():
            if key in self._slips:
                continue
            for old, name in list(self._slips.items()):
                if old not in stand and old[1:] == key[1:] and self._slip_looks[name][0] == entry.look:
                    self._slips[key] = self._slips.pop(old)
                    break

    def _slip(self, story: Hypotheses, entry: Entry, said: bool = False) -> Line:
        """The line that tells a slip; of nobody where another one may have done it and nobody `said` whose it was."""
        turn, name = entry.turn, f"s{len(self._slips) + 1}"
        self._slips[_slip_key(entry)] = name
        wrong = story.best.wrong if story.best is not None else ()
        likely = min(story.blamed(entry), story.share(_guilty(entry)))
        known = said or (turn.named and likely >= SLIP_LIKELY)
        self._slip_looks[name] = (entry.look, sum(one.look.number == entry.look for one in wrong))
        return {
            "line": "slip",
            "look": entry.look,
            "id": name,
            "who": turn.culprit if known else None,
            "breaks": list(turn.breaks),
            "move": {"who": turn.who, "move": turn.move, **turn.fields},
            "nearest": story.rules.nearest(entry.before, turn),
        }

    def _move(self, story: Hypotheses, entry: Entry, n: int) -> Line:
        """The log's n-th line (counted from 0)."""
        turn = entry.turn
        by = "person" if n + 1 in self.said else "assumed" if n + 1 in self._assumed else entry.by
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
            "sure": story.sure(n, entry),
            "legal": turn.legal,
            "breaks": list(turn.breaks),
        }
        if turn.breaks:
            line["nearest"] = story.rules.nearest(entry.before, turn)
            if _slip_key(entry) in self._slips:
                line["slip"] = self._slips[_slip_key(entry)]
        line["state"] = story.rules.state(turn.table)
        return line

    def _ask(self, story: Hypotheses, best: Hypothesis) -> list[Line]:
        """A question where two explanations remain though another look has come."""
        if self.question is not None:
            about = self.question[1]
            open_ = any(
                len(one.log) >= about and sign(one.log[about - 1]) != sign(best.log[about - 1])
                for one in story.near(NEAR)
                if len(best.log) >= about
            )
            if open_:
                return []
            self.question = None
            self._assumed.discard(about)
            return self.again(story, about, "seen")
        for other in story.near(ASKED) if not best.cleared else ():
            if len(other.log) != len(best.log) or (story.rules.together and _same_in_all(best, other)):
                continue
            agree = story.rules.agree
            pairs = enumerate(zip(self.told, other.log, strict=True))
            n = next((i for i, (one, another) in pairs if not agree(one.turn, another.turn)), None)
            if n is None or best.log[n].look >= self.number or (n, sign(other.log[n])) in self._asked:
                continue
            if self.looks and not self.looks[-1].shows(best.log[n].turn.who):
                continue  # the next look at that player may tell
            self._asked.add((n, sign(other.log[n])))
            return self._put(story, n)
        return []

    def _put(self, story: Hypotheses, n: int) -> list[Line]:
        """Ask about the n-th line of the log (counted from 0)."""
        ways: dict[Any, tuple[float, Turn]] = {}
        for one in story.beam:
            further = one.cost - story.beam[0].cost
            if further < NEAR and len(one.log) > n:
                move = sign(one.log[n])
                weight = ways[move][0] if move in ways else 0.0
                ways[move] = (weight + math.exp(-further), one.log[n].turn)
        ranked = sorted(ways.items(), key=lambda way: -way[1][0])[:3]
        whole = sum(weight for _, (weight, _) in ranked)
        self._questions += 1
        name = f"q{self._questions}"
        self.question = (name, n + 1, {"abc"[i]: move for i, (move, _) in enumerate(ranked)})
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
            *self.again(story, n + 1, "question"),
            {"line": "question", "look": self.number, "id": name, "about": n + 1, "choices": choices},
        ]

    def again(self, story: Hypotheses, about: int, because: str) -> list[Line]:
        """The lines of the log from one on, told once more."""
        best = story.best
        if best is None or len(self.told) < about:
            return []
        lines: list[Line] = [{"line": "replaced", "look": self.number, "from": about, "because": because}]
        self.told = _as_told(story, best)
        return [*lines, *(self._move(story, self.told[n], n) for n in range(about - 1, len(self.told)))]


def _as_told(story: Hypotheses, best: Hypothesis) -> list[Entry]:
    """The log, without what other stories that are as likely deny and nobody knows yet."""
    log = list(best.log)
    others = [one.log for one in story.near(ASKED) if len(one.log) == len(log)]
    if others:
        turns = story.rules.left_open([entry.turn for entry in log], [[entry.turn for entry in one] for one in others])
        log = [
            entry if turn is entry.turn else entry._replace(turn=turn) for entry, turn in zip(log, turns, strict=True)
        ]
    return log


def _slip_key(entry: Entry) -> Any:
    """What makes two slips the same one."""
    return entry.turn.number, entry.turn.who, entry.turn.breaks[0]


def _holds(wrong: Wrong) -> Callable[[Hypothesis], bool]:
    """Whether stories hold that this reading was wrong, and what the piece is."""
    return lambda one: any(wrong.fix == other.fix and wrong.look is other.look for other in one.wrong)


def _made(slip: Entry) -> Callable[[Hypothesis], bool]:
    """Whether stories hold that a slip happened, even if it was put right since."""
    return lambda one: any(sign(entry) == sign(slip) for entry in (*one.mended, *one.log))


def _guilty(slip: Entry) -> Callable[[Hypothesis], bool]:
    """Whether stories hold that who broke a rule in that turn did: this one at any time, or another about then."""
    made = _made(slip)
    return lambda one: made(one) or slip.turn.culprit in one.guilty(slip.look)


def _same_in_all(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two stories hold the same turns, in whichever rounds: where all move together, that is no question."""
    mine, theirs = (
        Counter((turn.who, turn.move, turn.breaks, *[repr(turn.fields.get(key)) for key in ASKED_OF]) for turn in turns)
        for turns in ([entry.turn for entry in story.log] for story in (one, other))
    )
    return mine == theirs


def _same_line(one: Entry, other: Entry) -> bool:
    return one.turn == other.turn and one.look == other.look
