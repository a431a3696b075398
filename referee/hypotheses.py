"""Multi-hypothesis tracking: the few cheapest explanations of all observations so far, each with its cost.

A hypothesis is a table, a log that leads to it and the sum of the costs of believing in it. Each look is explained
from each of them; the cheapest is believed. Where even that is dear (a breach, a sure piece read wrongly), dearer
explanations are looked for too, also some that begin before the turn told last: what was begun then may have been
half a turn, or a slip that was put right since.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from operator import is_
from typing import Any, Final, NamedTuple

from referee import tidying
from referee.looks import FURTHER, SLIP, Fix, Look, breach
from referee.turns import Explanation, Owed, Renewal, Rules, Turn

BEAM: Final = 8
"""Hypotheses that are kept."""
MOST_ALIKE: Final = 32
"""So many are kept where none is better than another, as where pieces are out of sight."""
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
NEVER_WHOLE: Final = 1.0
"""What was seen of half a turn is none when the game ends, rather than that the turn was whole."""
SPOILT: Final = 3.0
"""What came to it then broke a rule."""
PUT_BACK: Final = SLIP + AMENDED
"""What was thought to be a part of a turn was none of it: a slip, put right before anybody went on."""
BOTH_BACK: Final = SLIP
"""A whole turn and a part of the next one, between two looks, were both taken back."""
UNDONE: Final = 3.0
"""A turn that breaks a rule undoes the one before it: sooner that one was read wrongly."""
LATER_BREACH: Final = 0.5
"""The turn that breaks a rule is not the last one that the look shows."""
AS_LIKELY: Final = 0.3
"""Two ways to the same table nearer than that are as likely."""
LESS_LIKELY: Final = 2.0
"""Two ways to the same table nearer than that: the one may be what happened, though the other one is believed."""
BANNED: Final = 9.0
"""A person took this explanation back."""
TYPED: Final = 2.0
"""A look that a person typed is waited out, beyond what it costs that somebody changed the table."""
ENDED: Final = 6.0
"""What a turn still lacked when it was seen came only when somebody had begun the next one."""
SUREST: Final = 0.99
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

    `mended` are turns that broke a rule and were put right before the next one. `cleared`: how many looks, up to the
    last one, show a table that is being cleared. `blames`: looks in which somebody broke a rule, who may have broken
    one instead (None: nobody), and how likely that is beside this. `denied`: lines of the log, counted from 0, that
    another way to the same table denies, and how likely that is beside this. `amiss`: looks in which a part of a turn
    broke a rule, and whose, where the whole turn does not.
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
    cleared: int = 0
    blames: tuple[tuple[int, str | None, float], ...] = ()
    denied: tuple[tuple[int, float], ...] = ()
    amiss: tuple[tuple[int, str | None], ...] = ()

    def lies(self) -> Any:
        """The table as it lies there, with what of a turn was done; what is to go out of the game may have gone."""
        part = self.held[-1].lying if self.held else None
        return self.table if part is None or _owes_a_discard(self) else part

    def guilty(self, look: int) -> set[str | None]:
        """Who broke a rule at about that look, even if it was put right since or is a part of a turn under way."""
        near = (entry for entry in (*self.log, *self.mended) if abs(entry.look - look) <= 1)
        parts = {who for n, who in self.amiss if abs(n - look) <= 1}
        if self.lent and self.owed and any(abs(held.look.number - look) <= 1 for held in self.held):
            parts.add(self.owed[0].who)
        return parts | {entry.turn.culprit for entry in near if entry.turn.breaks}


class _Back(NamedTuple):
    """A story gone back over: whether nothing in it was a slip, and the whole lawful turn that was seen last."""

    start: Hypothesis
    lawful: bool = True
    lay: Turn | None = None


class Past(NamedTuple):
    """A look and the hypotheses before it, or after it."""

    look: Look
    beam: list[Hypothesis]


class Hypotheses:
    """What may have happened so far, the likeliest first.

    Args:
        rules: the game.
        banned: lines of the log, by number, that a person said were none.
    """

    def __init__(self, rules: Rules, banned: set[tuple[int, Any]]) -> None:
        self.rules = rules
        self.banned = banned
        self.beam: list[Hypothesis] = []
        """Empty before the first look."""
        self._past: list[Past] = []
        self._uncleared: list[Past] = []
        """The last looks that do not show a table that is being cleared, with the hypotheses after them."""

    @property
    def best(self) -> Hypothesis | None:
        """What is believed now."""
        return self.beam[0] if self.beam else None

    def take(self, look: Look, told: Sequence[Entry]) -> None:
        """One more look. What was `told` of the log stays where something else is hardly better."""
        if self.beam:
            for past in self._past[:-BACK]:
                past.look.explained.clear()
            self._past = [*self._past[-BACK:], Past(look, self.beam)]
            self.beam = self._explained(look, told)
            self.beam = self._walked_again(told)
            if not self.beam[0].cleared:
                self._uncleared = [*self._uncleared[-BACK:], Past(look, self.beam)]
            return
        starts = sorted(self.rules.start(look), key=lambda start: start.cost)
        self.beam = [
            Hypothesis(start.table, start.cost - starts[0].cost, (), tuple(Wrong(look, fix) for fix in start.fixes))
            for start in starts
        ]

    def finish(self, looks: Sequence[Look]) -> None:
        """No look comes any more: what was half done stands, and what nothing explained is as it lay before the table
        was cleared."""
        ends: list[Hypothesis] = []
        for cleared in dict.fromkeys(one.cleared for one in self.beam):
            stories = [one for one in self.beam if one.cleared == cleared]
            best, look = stories[0], looks[-1 - min(cleared, len(looks) - 1)]
            if cleared:
                lay = next((past.beam for past in self._uncleared if past.look is look), [best])
                stories = _as_it_lay(stories, lay) or stories  # else what lay there is seen anew
            whole = [self._finished(one, look) for one in stories if not one.held]
            halves = [self._never_whole(one, self._finished(one, look)) for one in stories if one.held]
            ends += whole  # what the looks since then made of a whole turn holds for the half that stands as well
            ends += [
                half for half in halves if not any(_same_log(half, one) and half.table == one.table for one in whole)
            ]
        self.beam = sorted(ends, key=lambda one: one.cost)

    def _finished(self, one: Hypothesis, look: Look) -> Hypothesis:
        stands = self.rules.finish(one.table, look) if one.owed or one.held else None
        if stands is None:
            return one
        if (one.cleared or stands.turns[-1].who is None) and self._only_gone(one.lies(), look):
            return self._finished_before(one, look)  # where pieces only left, the clearing had begun
        return self._follow(one, stands, look)

    def _never_whole(self, half: Hypothesis, end: Hypothesis) -> Hypothesis:
        """The end of a story with half a turn, dearer where that is no turn now though it was more than a clearing."""
        if len(end.log) > len(half.log) or all(self._only_gone(half.table, held.look) for held in half.held):
            return end
        return end._replace(cost=end.cost + NEVER_WHOLE)

    def _finished_before(self, one: Hypothesis, look: Look) -> Hypothesis:
        """The story with the turn that an earlier look showed in part, if more than pieces that left."""
        before = next((held.look for held in reversed(one.held) if held.look is not look), None)
        if before is None or self._only_gone(one.table, before):
            return one
        stands = self.rules.finish(one.table, before)
        return one if stands is None or stands.turns[-1].who is None else self._follow(one, stands, before)

    def _only_gone(self, table: Any, look: Look) -> bool:
        return tidying.only_gone(self.rules.state(table), self.rules.as_read(look), self.rules.hands)

    def _nothing_came(self, table: Any, look: Look) -> bool:
        return tidying.nothing_came(self.rules.state(table), self.rules.as_read(look), self.rules.hands)

    def _clearing(self, one: Hypothesis, look: Look) -> Iterator[Hypothesis]:
        """The table is being cleared: all is as it was before."""
        rules = self.rules
        lay = one.lies()
        key = ("clearing", lay, one.cleared > 0)
        if key not in look.memo:
            over = rules.cleared_next(lay)
            look.memo[key] = tidying.cost(rules.state(lay), rules.as_read(look), rules.hands, over, one.cleared > 0)
        cost = look.memo[key]
        if cost is not None and not look.typed:
            table, renewal = rules.seen_again(one.table, look)
            if renewal is not None:
                one = self._renewed(one, renewal)
            since = (*one.since, look)
            yield one._replace(table=table, cost=one.cost + cost, since=since, cleared=one.cleared + 1)

    def _begun_to_clear(self, look: Look) -> Iterator[Hypothesis]:
        """The table is being cleared, and the looks before it show that it had begun: nothing came of a turn."""
        before: list[Look] = []
        for past in reversed(self._past[:-1]):
            best = past.beam[0]
            before.insert(0, past.look)
            new = self.beam[0].log[len(best.log) :]
            begun = self._nothing_came if new and all(entry.turn.faint for entry in new) else self._only_gone
            if best.cleared or not all(begun(best.lies(), seen) for seen in before):
                return
            for one in self._clearing(best, look):
                yield one._replace(since=(*best.since, *before, look), cleared=len(before) + 1)

    def choose(self, n: int, move: Any) -> None:
        """A person says that the n-th line of the log (counted from 1) is this `move`, see `sign`."""
        self.beam = [one for one in self.beam if len(one.log) >= n and sign(one.log[n - 1]) == move] or self.beam
        self._past = []

    def undo(self) -> None:
        """A person says that the last line of the log was none."""
        best = self.beam[0]
        entry = best.log[-1]
        self.banned.add((len(best.log), entry.turn.same))
        self.beam, self._past = [Hypothesis(entry.before, best.cost, best.log[:-1], best.wrong)], []

    def near(self, margin: float) -> list[Hypothesis]:
        """Those beside the best one that cost less than this more."""
        return [one for one in self.beam[1:] if one.cost < self.beam[0].cost + margin]

    def share(self, holds: Callable[[Hypothesis], bool]) -> float:
        """How much of all belief is in stories of which this holds."""
        weights = [(math.exp(self.beam[0].cost - one.cost), holds(one)) for one in self.beam]
        whole = sum(weight for weight, _ in weights)
        return sum(weight for weight, right in weights if right) / whole if whole else 1.0

    def likely(self, n: int, entry: Entry) -> float:
        """How much of all belief is in stories whose n-th line (counted from 0) is this one, as it is told."""
        agree = self.rules.agree
        return self.share(lambda one: len(one.log) > n and agree(entry.turn, one.log[n].turn))

    def sure(self, n: int, entry: Entry) -> float:
        """How likely the n-th line of the log (counted from 0) is, beside all other ways to the same tables too."""
        denied = dict(self.beam[0].denied).get(n, 0.0)
        return round(min(self.likely(n, entry) / (1 + denied), SUREST), 2)

    def blamed(self, slip: Entry) -> float:
        """Where somebody broke a rule at about that look: how likely it was the player of this turn."""
        right = whole = 0.0
        for one in self.beam:
            guilty = one.guilty(slip.look)
            weight = math.exp(self.beam[0].cost - one.cost) if guilty else 0.0
            whole += weight
            others = sum(how for look, who, how in one.blames if look == slip.look and who not in guilty)
            right += weight * (slip.turn.culprit in guilty) / (1 + others)
        return right / whole if whole else 1.0

    def _explained(self, look: Look, told: Sequence[Entry]) -> list[Hypothesis]:
        """The hypotheses after one more look, the best first."""
        best, before = self.beam[0], self.beam[0].cost
        found = [*self._ways(best, look, best.lent > 0.0), *self._clearing(best, look)]
        least = min(found, key=lambda one: one.cost, default=None)
        if least is None or least.cost - before - look.least > TROUBLE or _owed_on(best, least):
            found = []
            for i, one in enumerate(self.beam):
                wide = i < CAREFUL and one.cost < before + MARGIN
                found += self._ways(one, look, wide or one.lent > 0.0)
                found += self._clearing(one, look)
            for one in self.beam[:GONE_BACK]:
                found += self._gone_back(one, look)
        else:
            clears = any(one.cleared for one in found)
            for one in self.beam[1:]:
                found += self._ways(one, look, one.lent > 0.0)
                found += self._clearing(one, look) if clears else ()
        if best.cleared == 0 and any(one.cleared for one in found):
            found += self._begun_to_clear(look)
        return self._kept(found, told) or self.beam

    def _ways(self, one: Hypothesis, look: Look, wide: bool) -> Iterator[Hypothesis]:
        """The hypothesis after one more look, in each way that explains it."""
        return (self._follow(one, way, look) for way in _explain(self.rules, one.table, look, wide))

    def _walked_again(self, told: Sequence[Entry]) -> list[Hypothesis]:
        """The hypotheses after the last look; where two things were wrong, found from some looks ago."""
        now = self.beam[0].cost
        hides = self.rules.hides
        if now - self._past[0].beam[0].cost - sum(look.least for look, _ in self._past) < (SLIP if hides else DEAR):
            return self.beam
        stories = self._past[0].beam
        for look, _ in self._past:
            found = [
                further
                for one in stories
                for further in (
                    *self._ways(one, look, True),
                    *self._clearing(one, look),
                )
                if further.cost < now + AS_LIKELY * hides
            ]
            stories = self._kept(found, told)
        return self._kept([*stories, *self.beam], told)

    def _gone_back(self, one: Hypothesis, look: Look) -> Iterator[Hypothesis]:
        """The turn told last was not over, or a slip that has been put right since."""
        start = self._before_last(one)
        if start is None or len(one.since) > BACK:
            return
        ways = [_Back(start)]
        for seen in one.since:
            ways = [way for so_far in ways for way in self._back_over(so_far, seen)]
            ways = [way for way in ways if way.start.cost <= one.cost + 2 * MARGIN]
        before = start.mended
        for start, lawful, lay in ways:
            slips = start.mended[len(before) :]
            for way in _explain(self.rules, start.table, look, True):
                spoilt = SPOILT if lawful and way.turns and way.turns[0].breaks else 0.0
                if (
                    lay is not None
                    and way.turns
                    and (_comes_later(lay, way) or not self.rules.goes_on(lay, way.turns[0]))
                ):
                    spoilt += SLIP + FURTHER  # all of it was taken back, and something else was done first
                if any(slip.turn.same == turn.same for slip in slips for turn in way.turns[1:]):
                    continue  # it still lies there: it was not put right before the others moved
                if any(self.rules.still_lies(slip.turn, way.turns, look) for slip in slips):
                    continue
                if slips and way.turns and self._same_slip(slips[-1].turn, way.turns[0]):
                    more = start.cost - sum(breach(slip.turn.breaks) for slip in slips)  # the same slip, not over yet
                    yield self._follow(start._replace(cost=more, mended=before), way, look)
                else:
                    yield self._follow(start._replace(cost=start.cost + spoilt), way, look)

    def _same_slip(self, lay: Turn, turn: Turn) -> bool:
        """Whether a turn is more of one that broke the same rules when it was seen."""
        return _broken(lay) == _broken(turn) and self.rules.goes_on(lay, turn)

    def _back_over(self, so_far: _Back, seen: Look) -> Iterator[_Back]:
        """A look gone through again that shows no turn that stood: the likeliest lawful part of one, and slip."""
        start, lawful, lay = so_far
        best: dict[bool, _Back] = {}
        for way in _explain(self.rules, start.table, seen, True):
            broken = any(turn.breaks for turn in way.turns)
            if len(way.turns) > 1 or (way.turns and way.turns[0].who is None) or way.renewal is not None:
                continue
            if broken and self.rules.lasting:
                continue
            if way.turns and not broken and not self.rules.amends:
                continue
            next_begun = bool(way.turns and way.owed) and way.owed[0].who is not None
            more = AMENDED * bool(way.turns) + BOTH_BACK * next_begun
            cost = start.cost + way.cost + more
            if broken in best and best[broken].start.cost <= cost:
                continue
            waited = start._replace(
                cost=cost,
                wrong=(*start.wrong, *(Wrong(seen, fix) for fix in way.fixes)),
                held=start.held if broken else (*start.held, Held(seen, way.lying, way.cost)),
                since=(*start.since, seen),
            )
            if not way.turns:
                waited = waited._replace(owed=way.owed, lent=way.lent)
            if broken:
                slip = Entry(way.turns[0], seen.number, seen.time, "camera", start.table)
                waited = waited._replace(mended=(*start.mended, slip))
            whole = way.turns[0] if way.turns and not broken else None
            best[broken] = _Back(waited, lawful and not broken, whole or lay)
        yield from best.values()

    def _before_last(self, one: Hypothesis) -> Hypothesis | None:
        """What was believed before the last turn; where its look shows others before it, after those."""
        start = one.earlier
        many = 0 if start is None else len(one.log) - len(start.log)
        if start is None or many < 2 or not self.rules.amends:
            return start
        look, last = one.since[0], one.log[-1]
        turns = [entry.turn.same for entry in one.log[-many:]]
        ways = [way for way in _explain(self.rules, start.table, look, True) if _sames(way) == turns]
        alone = [way.cost for way in _explain(self.rules, last.before, look, True) if _sames(way) == turns[-1:]]
        if not ways or not alone:
            return start
        same = [way for way in ways if way.turns[-1].table == last.turn.table] or ways  # a piece read anew is paid for
        whole = min(self._follow(start, way, look).cost for way in same)
        cost = max(whole - min(alone), start.cost)
        return Hypothesis(last.before, cost, one.log[:-1], start.wrong, mended=start.mended)

    def _follow(  # noqa: PLR0912 -- one price after the other
        self, one: Hypothesis, way: Explanation, look: Look
    ) -> Hypothesis:
        """The hypothesis with one explanation more."""
        if way.renewal is not None:
            one = self._renewed(one, way.renewal)
        cost = one.cost + way.cost
        if self._put_back(one, way):
            cost += max(PUT_BACK - one.lent, AMENDED)
        elif _breach_follows(one, way):
            cost -= one.lent
        elif one.lent and way.turns and one.held and one.owed:
            one = one._replace(amiss=(*one.amiss, (one.held[-1].look.number, one.owed[0].who)))
        wrong = (*one.wrong, *(Wrong(look, fix) for fix in way.fixes)) if way.fixes else one.wrong
        held: tuple[Held, ...] = (Held(look, way.lying, way.cost),) if way.held else ()
        if self._ends(one, way):
            cost += ENDED  # what was owed stayed so while somebody else moved
        if _comes_and_goes(one, way):
            cost += ENDED
        if not way.turns:
            if one.held and not held:
                cost += LEFT_OFF
            held = (*one.held, *held) if held else ()
            table = one.table if way.table is None else way.table
            since = (*one.since, look)
            return one._replace(
                table=table, cost=cost, wrong=wrong, owed=way.owed, held=held, since=since, lent=way.lent, cleared=0
            )
        if one.held and not one.lent:
            part, whose = one.held[-1].lying, one.owed[0].who if one.owed else way.turns[0].who
            theirs = [turn for turn in way.turns[:2] if turn.who == whose]
            cost += self.rules.in_parts * any(turn.breaks and turn.table != part for turn in theirs)
        log = list(one.log)
        table = one.table
        between, wrong, later = self._between(one, way, wrong)
        cost += between
        cost += UNDONE * self._undone(one, way.turns[0])
        cost += LATER_BREACH * any(turn.breaks and not _left_out(one, turn) for turn in way.turns[:-1])
        for i, turn in enumerate(way.turns):
            first, time = look.number, look.time
            if i == 0:
                lay = next((seen for seen, lying, _ in one.held if lying == turn.table), None)
                if lay is not None:
                    first, time = lay.number, lay.time
                elif _owes_a_discard(one) and _throws_once(way):
                    cost += ENDED
            if any(same == turn.same and abs(n - len(log) - 1) <= 1 for n, same in self.banned):
                cost += BANNED
            log.append(Entry(turn, first, time, "person" if look.typed else "camera", table))
            table = turn.table
        held = (*later, *held) if held else ()
        return one._replace(
            table=table,
            cost=cost,
            log=tuple(log),
            wrong=wrong,
            owed=way.owed,
            held=held,
            earlier=one,
            since=(look,),
            lent=way.lent,
            cleared=0,
        )

    def _undone(self, one: Hypothesis, turn: Turn) -> bool:
        """Whether a turn breaks a rule and puts back all that its player's last turn did."""
        if not turn.breaks or not one.log or one.log[-1].turn.who != turn.who:
            return False
        state = self.rules.state
        return bool(state(turn.table) == state(one.log[-1].before))

    def _ends(self, one: Hypothesis, way: Explanation) -> bool:
        """Whether somebody moves who does not owe what is still owed."""
        waits = self.rules.together
        if not way.turns or not one.owed or one.owed[0].guessed or waits:
            return False
        return one.owed[0].who not in (None, *_until_seen(way))

    def _put_back(self, one: Hypothesis, way: Explanation) -> bool:
        """Whether what was half done when it was seen is no part of the turn that came."""
        whose = one.owed[0].who if one.owed else None
        turn = next((turn for turn in way.turns if whose is not None and turn.who == whose), None)
        return turn is not None and any(not self.rules.part_of(one.table, turn, held.look) for held in one.held)

    def _renewed(self, one: Hypothesis, renewal: Renewal) -> Hypothesis:
        """The hypothesis with its turns as they are seen now."""
        log, cost = [], 0.0
        for entry in one.log:
            turn = renewal.turn(entry.turn)
            cost -= breach(entry.turn.breaks) + renewal.odd(entry.turn)
            if turn is not None:
                cost += breach(turn.breaks) + renewal.odd(turn)
                log.append(entry if turn is entry.turn else entry._replace(turn=turn))
            else:
                cost += PUT_BACK  # its player has had no turn
        wrong = [w for w in one.wrong if (w.look.number, w.fix.at) not in renewal.judged]
        cost -= sum(w.look.price(*w.fix) for w in one.wrong if (w.look.number, w.fix.at, w.fix.read) in renewal.right)
        wrong += [Wrong(look, fix) for look, fix in renewal.wrong]
        return one._replace(log=tuple(log), cost=one.cost + cost, wrong=tuple(wrong))

    def _between(
        self, one: Hypothesis, way: Explanation, wrong: tuple[Wrong, ...]
    ) -> tuple[float, tuple[Wrong, ...], tuple[Held, ...]]:
        """The wrong readings, those of the looks in which a turn was half done seen in the light of the whole.

        The cost is what these looks show beyond what they were thought to show. With them, the looks that show a
        part of the turn that is half done now: these turns changed nothing.
        """
        if not one.held:
            return 0.0, wrong, ()
        if way.owed and not any(_changes(turn) for turn in way.turns):
            return 0.0, wrong, one.held
        cost, first = 0.0, 0
        tables = [one.table, *(turn.table for turn in way.turns)]
        for seen, _, paid in one.held:
            fits = [
                (fit.cost, i, fit)
                for i, turn in enumerate(way.turns)
                if i >= first and (fit := self.rules.between(tables[i], turn, seen)) is not None
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

    def _kept(self, found: list[Hypothesis], told: Sequence[Entry]) -> list[Hypothesis]:
        """The cheapest hypotheses, one for each table and each thing owed."""
        best: dict[Any, tuple[float, Hypothesis]] = {}
        nobody: set[str | None] = set() if self.rules.lasting else {None}  # what lasts, more looks showed
        for one in found:
            n = min(len(told), len(one.log))
            stays = all(a is b or sign(a) == sign(b) for a, b in zip(told[:n], one.log, strict=False))
            cost = one.cost + (0.0 if stays and n == len(told) else CHANGED_MIND)
            key = (self.rules.key(one.table), tuple(owed.who for owed in one.owed), bool(one.held), one.cleared)
            if key in best and (further := abs(cost - best[key][0])) < LESS_LIKELY:
                least, likelier = min(best[key], (cost, one), key=lambda way: way[0])
                other = one if likelier is best[key][1] else best[key][1]
                story = self._either(likelier, other) if further < AS_LIKELY else likelier
                how = math.exp(-further)
                story = _denied(story, other, how, self.rules.agree)
                best[key] = (least, _blaming(story, other, how, nobody))
            elif key not in best or cost < best[key][0]:
                best[key] = (cost, one)
        if not best:
            return []
        ranked = [one for _, one in sorted(best.values(), key=lambda pair: pair[0])]
        most = ranked[0].cost + MARGIN
        most_kept = max(BEAM, min(MOST_ALIKE, sum(one.cost <= ranked[0].cost for one in ranked)))
        kept = [one for one in ranked[:most_kept] if one.cost < most]
        kinds = {self._kind(one) for one in kept}
        for one in ranked[most_kept:]:  # many that are alike would crowd out the only one that can go on
            if one.cost < most and self._kind(one) not in kinds:
                kinds.add(self._kind(one))
                kept.append(one)
        return kept

    def _kind(self, one: Hypothesis) -> tuple[str | None, bool]:
        """Whose turn it is, and whether something is waited for."""
        return self.rules.turn_of(one.table), bool(one.held)

    def _either(self, one: Hypothesis, other: Hypothesis) -> Hypothesis:
        """Two ways to the same table, as likely: what they differ in and nobody can know any more is left open."""
        if len(one.log) != len(other.log):
            return one
        log = list(one.log)
        for i, (entry, another) in enumerate(zip(one.log, other.log, strict=True)):
            if entry is not another and entry.turn.same != another.turn.same:
                turn = self.rules.alike(entry.turn, another.turn)
                if turn is None or turn is entry.turn:
                    return one
                if turn is another.turn:
                    return other
                log[i] = entry._replace(turn=turn)
        if all(map(is_, log, one.log)):
            return one
        return one._replace(log=tuple(log), wrong=tuple(wrong for wrong in one.wrong if wrong in other.wrong))


def _same_log(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two stories tell the same moves."""
    pairs = zip(one.log, other.log, strict=False)
    return len(one.log) == len(other.log) and all(a is b or sign(a) == sign(b) for a, b in pairs)


def _as_it_lay(stories: Sequence[Hypothesis], lay: Sequence[Hypothesis]) -> list[Hypothesis]:
    """The stories before the table was cleared, each as likely as the looks since then made it; none where the best one
    of now was not among them.
    """

    def same(one: Hypothesis, other: Hypothesis) -> bool:
        return _same_log(one, other) and one.owed == other.owed and bool(one.held) == bool(other.held)

    def of(one: Hypothesis, some: Sequence[Hypothesis]) -> Hypothesis | None:
        """The one of some that is the same story: that in which all lies where it does, if there is."""
        alike = [other for other in some if same(one, other)]
        return next((other for other in alike if other.table == one.table), alike[0] if alike else None)

    best = stories[0]
    mine = of(best, lay)
    if mine is None:
        return []
    found = []
    for one in lay:
        later = of(one, stories)
        if later is not None and of(later, lay) is one:
            cost = later.cost
        else:  # it was given up since, or could not go on in the midst of a turn
            cost = one.cost + best.cost - mine.cost + (0.0 if one.held else MARGIN)
        found.append(one._replace(cost=cost, cleared=best.cleared))
    return found


def _comes_later(lay: Turn, way: Explanation) -> bool:
    """Whether a turn that lay there is told after another player's, or still to come after it."""
    if way.turns[0].who == lay.who:
        return False
    return any(turn.same == lay.same for turn in way.turns[1:]) or any(owed.who == lay.who for owed in way.owed)


def _breach_follows(one: Hypothesis, way: Explanation) -> bool:
    """Whether what follows asks for the breach of the part that was seen; if somebody moved, it has to break a rule."""
    if not way.turns or way.lent:
        return way.held
    whose = {owed.who for owed in one.owed}
    return any(turn.breaks for turn in way.turns if turn.culprit in whose)


def _blaming(one: Hypothesis, other: Hypothesis, how: float, nobody: set[str | None]) -> Hypothesis:
    """The story, with whom another one blames (`nobody`: where it blames none) that leads to the same table and is so
    likely beside it: no look to come tells them apart.
    """
    if one is other or one.log is other.log:
        return one
    mine, theirs = (
        {(entry.look, entry.turn.culprit) for entry in story.log[-BACK:] if entry.turn.breaks} for story in (one, other)
    )
    others: set[str | None] = {who for _, who in theirs - mine} or nobody
    found = [(look, who, how) for look, _ in mine - theirs for who in others]
    most: dict[tuple[int, str | None], float] = {}
    for look, who, its in (*one.blames, *((look, who, its * how) for look, who, its in other.blames), *found):
        most[look, who] = max(its, most.get((look, who), 0.0))
    return one._replace(blames=tuple((look, who, its) for (look, who), its in most.items()))


def _denied(one: Hypothesis, other: Hypothesis, how: float, agree: Callable[[Turn, Turn], bool]) -> Hypothesis:
    """The story, with the lines that another one denies that leads to the same table and is so likely beside it."""
    if one is other or one.log is other.log:
        return one
    first = n = min(len(one.log), len(other.log))
    while first and one.log[first - 1] is not other.log[first - 1]:
        first -= 1
    lines = [i for i in range(first, n) if not agree(one.log[i].turn, other.log[i].turn)]
    most = dict(one.denied)
    for i in (*lines, *range(n, len(one.log))):
        most[i] = max(how, most.get(i, 0.0))
    return one._replace(denied=tuple(most.items()))


def _explain(rules: Rules, table: Any, look: Look, wide: bool) -> Sequence[Explanation]:
    """How the table may have become what the look shows; worked out once."""
    key = (table, wide)
    if key not in look.explained:
        ways = list(rules.explain(table, look, wide))
        look.explained[key] = _as_typed(ways) if look.typed else ways
    found: Sequence[Explanation] = look.explained[key]
    return found


def _as_typed(ways: list[Explanation]) -> list[Explanation]:
    """What a person typed lies there: somebody changed the table rather than that the look is waited out, until a
    later one shows what it was a part of.
    """
    edits = [way.cost for way in ways if any(turn.who is None for turn in way.turns)]
    least = min(edits, default=0.0) + TYPED

    def waits(way: Explanation) -> bool:
        return way.held and not (way.turns or way.owed) and way.table is None

    return [way._replace(cost=max(way.cost, least)) if waits(way) else way for way in ways]


def _owes_a_discard(one: Hypothesis) -> bool:
    """Whether all of a turn lay there but what Twelve Seekers' T12 throws out."""
    return bool(one.held) and one.held[-1].lying is not None and any(owed.rule == "T12" for owed in one.owed)


def _comes_and_goes(one: Hypothesis, way: Explanation) -> bool:
    """Whether gems that an effect still lacked came after all, and its player has begun to take them away again."""
    if not one.held or not one.owed or one.owed[0].rule != "T14" or len(way.turns) < 2 or not way.owed:
        return False
    return one.owed[0].who == way.turns[0].who == way.owed[0].who


def _owed_on(one: Hypothesis, then: Hypothesis) -> bool:
    """Whether what an effect lacked came with another turn whose effect lacks something: one of them is left out."""
    owed = (*one.owed[:1], *then.owed[:1])
    return len(then.log) > len(one.log) and [some.rule for some in owed] == ["T14", "T14"]


def _left_out(one: Hypothesis, turn: Turn) -> bool:
    """Whether a turn breaks no rule but that by which something was owed when it was seen last."""
    return bool(one.owed) and one.owed[0].who == turn.who and turn.breaks == (one.owed[0].rule,)


def _until_seen(way: Explanation) -> Iterator[str | None]:
    """Who moved, or from whom somebody took something, up to the first turn that changed anything on the table."""
    for turn in way.turns:
        yield turn.who if turn.move != "pass" else None
        if "from" in turn.fields:
            yield turn.fields["from"]
        if _changes(turn):
            return


def _sames(way: Explanation) -> list[Any]:
    return [turn.same for turn in way.turns]


def _changes(turn: Turn) -> bool:
    """Whether a turn changed anything on the table."""
    return turn.move != "pass" and (turn.fields.get("what") != [] or any(map(turn.fields.get, ("paid", "sets"))))


def _broken(turn: Turn) -> Any:
    """Who broke which rules."""
    return turn.who, turn.breaks


def _throws_once(way: Explanation) -> bool:
    """Whether the player of the turn has gone on, all of that turn but the throw (T12) in sight: one gem was thrown,
    for either turn.
    """
    return len(way.turns) == 1 and any(owed.rule == "T12" and owed.who == way.turns[0].who for owed in way.owed)


def sign(entry: Entry) -> Any:
    """What makes two lines of the log the same move, lawful or not."""
    return entry.turn.same, entry.turn.breaks
