"""Turns in which an advanced seeker's effect was done wrongly (T14): each ability with its own breaches.

What may go wrong is listed forwards, as the legal turns are: too many or too few gems moved, a gem that the seeker may
not move, an old gem for one just taken, the wrong end of the row, the wrong place. An effect that is left out is owed
first, and stands as a breach when the other player goes on.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any, Final

from referee.twelve_seekers.plans import (
    BOTH_ENDS,
    GIVES,
    RETURNS,
    STEALS,
    TAKES,
    Done,
    Goal,
    Take,
    ended,
    given,
    held,
    laid,
    lay,
    more,
    replaced,
    stealable,
    takes,
    without,
)
from referee.twelve_seekers.tables import GOLD, NAMES, RAINBOW, SWAP_RULE, Card, Gems, Kind, Side, named

EFFECT: Final = "T14"
TAKE: Final = "T7"
MOST_BACK: Final = 3
"""So many gems are given back to the row at most, rightly or wrongly."""
MOST_MOVED: Final = 2
"""So many gems are stolen or given at most."""
NOT_AS_BASIC: Final = ("three-return-two", "anywhere", *BOTH_ENDS, *RETURNS)
"""Seekers that take in a way of their own: a wrong take is a breach of that (T14), and of the power (T7) elsewhere."""

Spoilt = tuple[Done, str]


def spoilt(
    goal: Goal, row: Gems, mine: Side, theirs: Side, card: Card, colors: Iterable[int | None]
) -> Iterator[Spoilt]:
    """The turns with a card in which one thing was done wrongly, those that the goal does not refute; and the rule."""
    how = SPOILING.get(card)
    mine = mine._replace(stack=(*mine.stack, card))
    for color in colors if how is not None else ():
        assert how is not None
        for take in takes(row, card) if how not in (_taken_otherwise, _taken_apart) else (None,):
            for done in how(goal, row, take, mine, theirs, card, color):
                for whole in ended(goal, done, card):
                    if whole.owed is None:
                        yield whole, EFFECT
        if card in (*STEALS, *GIVES, "swap-one", "three-return-two"):
            for take in _one_more_or_less(row, card):
                for done in laid(goal, take, take.rest, take.orders, mine, theirs, card, color):
                    for whole in ended(goal, done, card) if done.owed is None else ():
                        if whole.owed is None:
                            yield whole, EFFECT if card in NOT_AS_BASIC else TAKE


def _one_more_or_less(row: Gems, card: Card) -> Iterator[Take]:
    """A take of one gem too many or too few."""
    for n in (TAKES[card] + 1, TAKES[card] - 1):
        if 0 < n < len(row):
            yield Take(row[:n], "dungeon.left", row[n:], (row[:n],))
            yield Take(row[-n:], "dungeon.right", row[:-n], (row[-n:],))


def _fields(goal: Goal, take: Take, to: Any, color: int | None, **fields: Any) -> dict[str, Any]:
    info = {"what": take.what, "from": take.place, "to": to, **fields}
    if goal.kind == "valid":
        info["color"] = NAMES[color] if color is not None and color in take.what else "?"
    return info


def _all_without(side: Side, kind: Kind, gems: Iterable[int]) -> list[Side]:
    sides = [side]
    for gem in gems:
        sides = list(dict.fromkeys(less for one in sides for less in without(one, kind, gem)))
    return sides


def _stolen(
    goal: Goal, row: Gems, take: Take, mine: Side, theirs: Side, card: Card, color: int | None
) -> Iterator[Done]:
    """Two gems stolen, or one that may not be: gold, the rainbow, another color than those just taken."""
    if not goal.shows_row(take.rest):
        return
    lying = held(theirs, goal.kind)
    allowed = stealable(card, take.what, lying)
    some: list[tuple[int, ...]] = [(gem,) for gem in range(7) if lying[gem] and gem not in allowed]
    some += [two for two in combinations_with_replacement(range(7), 2) if all(lying[gem] for gem in two)]
    laid_down = [way for order in take.orders for way in lay(mine, order, goal.kind, color)]
    for gems in some:
        if goal.rule == SWAP_RULE and not goal.leads_to_mine(_came(laid_down[0][0], goal.kind, gems, color)[0]):
            continue  # in whatever order they lie there
        came = [(side, to) for one, to in laid_down for side in _came(one, goal.kind, gems, color)]
        came = [(side, to) for side, to in came if goal.leads_to_mine(side)]
        names = named(gems)
        said = names[0] if len(names) == 1 else names
        for less in _all_without(theirs, goal.kind, gems) if came else ():
            if goal.shows_theirs(less):
                for side, to in came:
                    yield Done(take.rest, side, less, None, _fields(goal, take, to, color, stole=said))


def _came(side: Side, kind: Kind, gems: tuple[int, ...], color: int | None) -> list[Side]:
    """The mover's things after stolen gems came to them, one by one."""
    sides = [side]
    for gem in gems:
        sides = list(dict.fromkeys(new for one in sides for new, _ in lay(one, (gem,), kind, color)))
    return sides


def _gave(goal: Goal, row: Gems, take: Take, mine: Side, theirs: Side, card: Card, color: int | None) -> Iterator[Done]:
    """Two gems given, one of another color than that of which there are most, or one laid in the valid place."""
    if not goal.shows_row(take.rest):
        return
    some = [*((gem,) for gem in range(7)), *combinations_with_replacement(range(7), 2)]
    ways = [
        (gems, receiver, rightly)
        for gems in some
        for rightly in ((True, False) if len(gems) == 1 else (True,))
        for receiver in _received(theirs, goal.kind, gems, not rightly)
        if goal.shows_theirs(receiver)
    ]
    for order in take.orders if ways else ():
        for side, to in lay(mine, order, goal.kind, color):
            lying = held(side, goal.kind)
            most = max(lying[:5])
            free = card != "five-give-most"
            for gems, receiver, rightly in ways:
                if len(gems) == 1 and rightly and (free or (gems[0] < RAINBOW and lying[gems[0]] == most)):
                    continue  # that is lawful
                for less in _all_without(side, goal.kind, gems):
                    if goal.leads_to_mine(less):
                        yield _given(goal, take, less, receiver, to, color, gems)


def _given(goal: Goal, take: Take, mine: Side, theirs: Side, to: Any, color: int | None, gems: tuple[int, ...]) -> Done:
    said = NAMES[gems[0]] if len(gems) == 1 else named(gems)
    return Done(take.rest, mine, theirs, None, _fields(goal, take, to, color, gave=said))


def _received(theirs: Side, kind: Kind, gems: tuple[int, ...], wrongly_laid: bool) -> list[Side]:
    """The opponent's things after gems were given; `wrongly_laid`: only in the valid place."""
    if wrongly_laid:
        valid = kind == "valid" and gems[0] < GOLD
        return [theirs._replace(gems=more(theirs.gems, gems[0]))] if valid else []
    sides = [theirs]
    for gem in gems:
        sides = list(dict.fromkeys(new for one in sides for new in given(one, kind, gem)))
    return sides


def _gave_old(  # noqa: PLR0912 -- two ways to give wrongly
    goal: Goal, row: Gems, take: Take, mine: Side, theirs: Side, card: Card, color: int | None
) -> Iterator[Done]:
    """A gem given that lay there before, two of those just taken, or one laid in the valid place."""
    if not goal.shows_row(take.rest):
        return
    lying = held(mine, goal.kind)
    for gem in range(7):
        for receiver in given(theirs, goal.kind, gem) if lying[gem] else ():
            if goal.shows_theirs(receiver):
                for less in _all_without(mine, goal.kind, (gem,)):
                    for side, to in lay(less, take.what, goal.kind, color):
                        if goal.leads_to_mine(side):
                            yield _given(goal, take, side, receiver, to, color, (gem,))
    for n in range(1, MOST_MOVED + 1):
        for away in combinations(range(len(take.what)), n):
            gems = tuple(take.what[i] for i in away)
            kept = tuple(gem for i, gem in enumerate(take.what) if i not in away)
            for receiver in _received(theirs, goal.kind, gems, n == 1):
                if goal.shows_theirs(receiver):
                    for side, to in lay(mine, kept, goal.kind, color):
                        if goal.leads_to_mine(side):
                            yield _given(goal, take, side, receiver, to, color, gems)


def _backs(rest: Gems, gems: Gems, left: bool) -> Iterator[Gems]:
    for order in dict.fromkeys(permutations(gems)):
        yield (*order, *rest) if left else (*rest, *order)


def _returned_any(
    goal: Goal, row: Gems, take: Take, mine: Side, theirs: Side, card: Card, color: int | None
) -> Iterator[Done]:
    """One or three of the mover's gems given back, or two to the other end."""
    if not goal.shows_theirs(theirs):
        return
    left = take.place == "dungeon.left"
    for n, there in ((1, left), (3, left), (2, not left)):
        for gems in combinations_with_replacement(range(7), n):
            rows = [one for one in _backs(take.rest, gems, there) if goal.shows_row(one)]
            for order in take.orders if rows else ():
                for side, to in lay(mine, order, goal.kind, color):
                    for less in _all_without(side, goal.kind, gems):
                        if goal.leads_to_mine(less):
                            fields = _fields(goal, take, to, color, returned=named(gems))
                            yield from (Done(one, less, theirs, None, fields) for one in rows)


def _returned_wrongly(
    goal: Goal, row: Gems, take: Take, mine: Side, theirs: Side, card: Card, color: int | None
) -> Iterator[Done]:
    """Another number of the gems just taken given back, to the other end, or one that lay there before."""
    if not goal.shows_theirs(theirs):
        return
    n, left = RETURNS[card], take.place == "dungeon.left"
    lying = held(mine, goal.kind)
    ways = [(k, 0, left) for k in range(1, MOST_BACK + 1) if k != n]
    ways += [(n, 0, not left), *((n - old, old, left) for old in range(1, n + 1))]
    for new, old, there in ways:
        for away in combinations(range(len(take.what)), new):
            kept = tuple(gem for i, gem in enumerate(take.what) if i not in away)
            for olds in combinations_with_replacement([gem for gem in range(7) if lying[gem]], old):
                gems = (*(take.what[i] for i in away), *olds)
                rows = [one for one in _backs(take.rest, gems, there) if goal.shows_row(one)]
                for less in _all_without(mine, goal.kind, olds) if rows else ():
                    for side, to in lay(less, kept, goal.kind, color):
                        if goal.leads_to_mine(side):
                            fields = _fields(goal, take, to, color, returned=named(gems))
                            yield from (Done(one, side, theirs, None, fields) for one in rows)


def _taken_apart(
    goal: Goal, row: Gems, take: Take | None, mine: Side, theirs: Side, card: Card, color: int | None
) -> Iterator[Done]:
    """Two gems of the row that were no neighbors, or another number of neighbors."""
    n = len(row)
    some = [(i, j) for i, j in combinations(range(n), 2) if j > i + 1]
    some += [tuple(range(i, i + k)) for k in (1, 3) for i in range(n - k + 1)]  # type: ignore[misc]
    for places in some:
        rest = tuple(gem for i, gem in enumerate(row) if i not in places)
        what = tuple(row[i] for i in places)
        yield from _as_taken(goal, Take(what, f"dungeon.{places[0]}", rest, (what,)), mine, theirs, color)


def _taken_otherwise(
    goal: Goal, row: Gems, take: Take | None, mine: Side, theirs: Side, card: Card, color: int | None
) -> Iterator[Done]:
    """Not as many gems from each end as the seeker says."""
    k = BOTH_ENDS[card]
    for left, right in product(range(2 * k + 2), repeat=2):
        n = left + right
        if (left, right) == (k, k) or not 0 < n <= 2 * k + 1 or n >= len(row):
            continue
        one, other = row[:left], row[len(row) - right :]
        place = "dungeon.both" if left and right else "dungeon.left" if left else "dungeon.right"
        orders = tuple(dict.fromkeys(((*one, *other), (*other, *one))))
        yield from _as_taken(
            goal, Take((*one, *other), place, row[left : len(row) - right], orders), mine, theirs, color
        )


def _as_taken(goal: Goal, take: Take, mine: Side, theirs: Side, color: int | None) -> Iterator[Done]:
    if goal.shows_row(take.rest) and goal.shows_theirs(theirs):
        for order in take.orders:
            for side, to in lay(mine, order, goal.kind, color):
                if goal.leads_to_mine(side):
                    yield Done(take.rest, side, theirs, None, _fields(goal, take, to, color))


def _swapped_wrongly(
    goal: Goal, row: Gems, take: Take, mine: Side, theirs: Side, card: Card, color: int | None
) -> Iterator[Done]:
    """A gem swapped for gold or the rainbow, or laid at an end of the line in place of where the other one lay."""
    if not goal.shows_theirs(theirs):
        return
    for i, gem in enumerate(take.rest):
        barred = gem in (RAINBOW, GOLD)
        for own in range(7):
            new = (*take.rest[:i], own, *take.rest[i + 1 :])
            if (not barred and goal.kind != "line") or not goal.shows_row(new):
                continue
            for order in take.orders:
                for one, to in lay(mine, order, goal.kind, color):
                    if barred and gem == RAINBOW:
                        sides: Iterable[Side] = replaced(one, goal.kind, own, gem)
                    else:
                        sides = (
                            side
                            for less in without(one, goal.kind, own)
                            for side in _came(less, goal.kind, (gem,), None)
                        )
                    for side in sides:
                        if goal.leads_to_mine(side):
                            swapped = [NAMES[own], NAMES[gem]]
                            yield Done(new, side, theirs, None, _fields(goal, take, to, color, swapped=swapped))


SPOILING: Final[dict[Card, Callable[..., Iterator[Done]]]] = {
    "steal-one": _stolen,
    "steal-same": _stolen,
    "three-return-two": _returned_any,
    "anywhere": _taken_apart,
    "both-ends-one": _taken_otherwise,
    "both-ends-two": _taken_otherwise,
    "five-return-two": _returned_wrongly,
    "five-return-one": _returned_wrongly,
    "swap-one": _swapped_wrongly,
    "give-one": _gave,
    "five-give-most": _gave,
    "five-give-one": _gave_old,
}
"""What may go wrong with each seeker's effect; the five that only pay take as a basic seeker does (T7)."""
