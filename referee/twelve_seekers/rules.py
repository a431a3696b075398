"""Twelve Seekers between two looks: which turns explain what is seen, legal ones first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations, product
from typing import Any, Final

from referee.looks import FAR, FURTHER, PARTLY, SLIP, UNKNOWN, UNREAD, Fit, Fix, Look, together
from referee.turns import Explanation, Owed, Start, Turn, house_of
from referee.twelve_seekers import breaches
from referee.twelve_seekers.plans import (
    BOTH_ENDS,
    CARD_LAST,
    COSTS,
    NET,
    PENDING,
    PRUNE,
    REACHING,
    STEALS,
    TAKES,
    Done,
    Goal,
    lay,
    takes,
    turns,
)
from referee.twelve_seekers.tables import (
    ANY_CARD,
    BOX,
    COLOR_RULE,
    DISCARD_RULES,
    EACH,
    GOLD,
    NAMES,
    NO_GEMS,
    PLACE_RULES,
    SWAP_RULE,
    TURNS,
    Card,
    Gems,
    Kind,
    Reading,
    ReadSide,
    Side,
    Table,
    all_cards_fit,
    as_state,
    gems_fit,
    kind_of,
    named,
    power,
    read_state,
    side_fit,
    sort_key,
    total,
)
from scoring.errors import MISSING, StateError
from scoring.twelve_seekers.seekers import ADVANCED, BASIC

HOUSE: Final[dict[str, Any]] = {"first-order": "either", "gold-moves": True}
BEGUN_WRONGLY: Final = 3.0
"""Somebody has begun a turn that is the other player's; it is told when the card is taken."""
BEGUN_AGAIN: Final = 6.0
"""The same player has begun the next turn with one gem and no card: sooner the last turn took one too many."""
WAITING: Final = 12.0
"""A look that no turn explains is waited out."""
COVERED: Final = 9.5
"""The same where pieces are out of sight."""
EDITED: Final = 14.5
"""Somebody changed the table outside any turn."""
ONE_MORE: Final = 0.3
"""One piece more that was changed so."""
MANY: Final = 3.0
"""All further pieces."""
MOST_STEPS: Final = 20_000
"""Steps of one search."""
UNCLEAR: Final = -1
"""The power of a turn in which not one card was taken."""
OUT_OF_ORDER: Final = 4.0
"""Somebody moves twice though it is the other's turn, as far as the order can be known without the cards."""
MOST_LEGAL: Final = 100
"""Legal turns with one card that are listed."""
UNSEEN_TURNS: Final = 3
"""Turns between two looks, where no cards are in sight."""
STARTS: Final = 100
"""Ways to read the first look that are kept."""
ADVANCED_EACH: Final = 2
"""Advanced seekers that each takes in the advanced game."""


class Seekers:
    """Twelve Seekers under one rule sheet, between two players."""

    amends = True
    counted = False
    together = False

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        state = look.state
        rule = state.get("rule", header.get("rule"))
        if type(rule) is not int or not 1 <= rule <= 20:
            raise StateError("/rule", "number-between", MISSING if rule is None else rule, {"least": 1, "most": 20})
        self.rule = rule
        self.kind = kind_of(rule)
        self.names: Sequence[str] = header["players"]
        if len(self.names) != 2:
            raise StateError("/players", "players", list(self.names))
        order = state.get("order_cards")
        self.order = order[0] if isinstance(order, list) and order and order[0] in (1, 2, 3, 4) else None
        start = header.get("start")
        self.first = self.names.index(start) if start in self.names else None
        field = state.get("seekers_left")
        cards = field if isinstance(field, list) else []
        advanced = sum(isinstance(card, str) and card in ADVANCED for card in cards)
        seen = "basic" if not advanced else "chaos" if advanced == TURNS else "advanced"
        self.mode = header.get("mode") or seen
        rows = [row for row in state.get("players", ()) if isinstance(row, dict)]
        self.cards_seen = "seekers_left" in state or any("seekers" in row for row in rows)
        """Whether seeker cards are in sight; else a turn's power is the number of gems that it takes."""
        self.box: Gems = BOX
        """Gems of each kind in the game; where not all are in sight, those that the first look shows."""
        self.house = house_of(header, HOUSE)
        self.extra: dict[str, Any] = {"": {"rule": rule}}

    def header(self) -> dict[str, Any]:
        """What the header line says of the game."""
        return {
            "rule": self.rule,
            "start": UNKNOWN if self.first is None else self.names[self.first],
            "order": UNKNOWN if self.order is None else self.order,
            "mode": self.mode,
            "house": self.house,
        }

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        read = read_state(look.state, self.names, self.kind)
        self.extra[""].update(read.extra)
        if not self.cards_seen:
            sides = [shown and shown._replace(stack=None) for shown in read.sides]
            read = read._replace(field=None, sides=tuple(sides))
        for row in look.state.get("players", ()):
            self.extra[row["name"]] = {key: row[key] for key in ("chips", "color_cards", "choices") if key in row}
        return read

    # The first look

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this: with the box's numbers of each color."""
        read: Reading = look.read
        if read.row is None:
            return
        sides = []
        for shown in read.sides:
            gems: Gems = () if self.kind == "line" else NO_GEMS
            invalid: Gems = NO_GEMS if self.kind == "valid" else ()
            stack: tuple[Card, ...] = ()
            gold = 0
            if shown is not None:
                gems, invalid = shown.gems or gems, shown.invalid or invalid
                stack, gold = shown.stack or (), shown.gold or 0
            sides.append(Side(gems, invalid, gold, stack))
        taken = [card for side in sides for card in side.stack]
        field = read.field if self.cards_seen else ()
        if field is None:
            rest = Counter(BASIC)
            rest.subtract(card for card in taken if card in BASIC)
            field = tuple((+rest).elements())
        done = (len(sides[0].stack), len(sides[1].stack))
        table = Table(
            read.row,
            tuple(sorted(field, key=sort_key)),
            (sides[0], sides[1]),
            read.thrown or NO_GEMS,
            done,
            (power(sides[0].stack[-1]) if done[0] else 0, power(sides[1].stack[-1]) if done[1] else 0),
            self.first if not any(done) else None,
            read.color,
        )
        lying = total(table, self.kind)
        if not self.cards_seen and sum(lying) < sum(BOX):
            self.box = tuple(lying[: len(BOX)])
        yield from sorted(self._boxed(table, look), key=lambda start: start.cost)[:STARTS]

    def _boxed(self, table: Table, look: Look) -> Iterator[Start]:
        """The table with the colors of the box: the pieces that may have been read wrongly, read again."""
        row = table.row
        found = list(self._counted(table, look, row, 0.0, ()))
        yield from found
        if found and found[0].cost > 0.0:
            for i, gem in enumerate(row):  # a doubtful piece may hide that another one was read wrongly
                at = f"/dungeon/{i}"
                if gem < len(BOX) and look.flagged(at):
                    for is_ in range(len(BOX)):
                        if is_ != gem and look.named(at, NAMES[is_]):
                            cost = look.price(at, NAMES[gem], NAMES[is_])
                            fix = Fix(at, NAMES[gem], NAMES[is_])
                            yield from self._counted(table, look, (*row[:i], is_, *row[i + 1 :]), cost, (fix,))

    def _counted(self, table: Table, look: Look, row: Gems, cost: float, fixes: tuple[Fix, ...]) -> Iterator[Start]:
        """The row with as many pieces read again as there are too many of a color."""
        unread = [i for i, gem in enumerate(row) if gem >= len(BOX)]
        counts = total(table._replace(row=tuple(gem for gem in row if gem < len(BOX))), self.kind)
        over = [gem for gem in range(7) for _ in range(max(counts[gem] - self.box[gem], 0))]
        under = [gem for gem in range(7) for _ in range(max(self.box[gem] - counts[gem], 0))]
        if len(over) + len(unread) != len(under) or len(under) > 3:
            yield Start(0.0, table)
            return
        put_right = {fix.at for fix in fixes}
        for order in set(permutations(under)):
            new, old = order[: len(over)], order[len(over) :]
            choices = []
            for was, is_ in zip(over, new, strict=True):
                places = [i for i, gem in enumerate(row) if gem == was and f"/dungeon/{i}" not in put_right]
                prices = [(look.price(f"/dungeon/{i}", NAMES[was], NAMES[is_]), i, is_) for i in places]
                choices.append(sorted(prices)[: STARTS if len(over) < 3 else 8])
            choices += [[(UNREAD, i, is_)] for i, is_ in zip(unread, old, strict=True)]
            for ways in product(*choices):
                if len({i for _, i, _ in ways}) == len(ways):
                    true = list(row)
                    for _, i, is_ in ways:
                        true[i] = is_
                    more = tuple(Fix(f"/dungeon/{i}", NAMES[row[i]], NAMES[is_]) for _, i, is_ in ways)
                    yield Start(cost + sum(way[0] for way in ways), table._replace(row=tuple(true)), (*fixes, *more))

    # Whose turn it is

    def expected(self, table: Table) -> int | None:
        """The player whose turn it is, None where it may be either's."""
        one, other = table.turns
        return table.starter if one == other else int(one > other)

    def turn_of(self, table: Table) -> str | None:
        """Whose turn it is; None where the game is over, or where it is not known."""
        player = None if self.over(table) else self.expected(table)
        return None if player is None else self.names[player]

    def over(self, table: Table) -> bool:
        """T16."""
        return sum(table.turns) >= TURNS or not table.field if self.cards_seen else not table.row

    def field(self, table: Table) -> Sequence[Card]:
        """The cards that may be taken: any where they are out of sight."""
        return table.field if self.cards_seen else ANY_CARD

    def after(self, table: Table, p: int, cards: Sequence[Card]) -> Table:
        """The turn is done: who begins the next round (T5)."""
        began = p if table.starter is None and table.turns[0] == table.turns[1] else table.starter
        done, powers = list(table.turns), list(table.powers)
        done[p] += 1
        taken = {power(card) for card in cards}
        powers[p] = taken.pop() if len(taken) == 1 else UNCLEAR
        if done[0] == done[1] and began is not None:
            one, other = powers
            if self.order == 2:
                began = 1 - began
            elif self.order in (3, 4) and UNCLEAR in powers:
                began = None  # no card, or several: nobody can say which of them counts
            elif self.order in (3, 4):
                high = int(other > one)
                began = 1 - began if one == other else high if self.order == 3 else 1 - high
            elif self.order is None:
                began = None
        field = list(table.field)
        for card in cards:
            if card in field:
                field.remove(card)
        return table._replace(
            turns=(done[0], done[1]), powers=(powers[0], powers[1]), starter=began, field=tuple(field)
        )

    def before(self, table: Table, p: int, cards: Sequence[Card]) -> tuple[str, ...]:
        """What taking these cards breaks: T4, T5, T6; nothing where no cards are in sight."""
        if not self.cards_seen:
            return ()
        breaks = () if len(cards) == 1 else ("T4",)
        turn = self.expected(table)
        if turn is not None and turn != p:
            breaks = (*breaks, "T5")
        if self.mode == "advanced" and cards:
            stack, left = table.sides[p].stack, EACH - table.turns[p] - 1
            if not _two_advanced((*stack, *cards), left) and any(
                _two_advanced((*stack, card), left) for card in table.field
            ):
                breaks = (*breaks, "T6")
        return breaks

    def colors(self, table: Table, read: Reading, p: int) -> tuple[int | None, ...]:
        """The colors that may be valid in this turn (T10)."""
        if self.rule not in PLACE_RULES:
            return (None,)
        if self.rule == COLOR_RULE and table.turns[p] < EACH - 1:
            open_ = {color for color in (table.color, read.color) if color is not None}
            if open_:
                return tuple(sorted(open_))
        return tuple(range(5))

    # Explanations

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        read: Reading = look.read
        same = together(gems_fit(look, read, table, self.kind), all_cards_fit(look, read, table))
        if same.cost == 0.0:
            return [_with_color(Explanation(0.0, (), same.fixes), table, read)]
        return _Search(self, table, look, wide, same).found()

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        read: Reading = look.read
        same = together(gems_fit(look, read, table, self.kind), all_cards_fit(look, read, table))
        search = _Search(self, table, look, True, same)
        search.stands = True
        return min((one for one in search.found() if one.turns), key=lambda one: one.cost, default=None)

    def key(self, table: Table) -> Any:
        """Everything but the players' bonuses follows from what lies there."""
        return table

    def make(self, before: Table, p: int, cards: Sequence[Card], done: Done, breaks: tuple[str, ...]) -> Turn:
        """The line of the log for a turn."""
        sides = (done.mine, done.theirs) if p == 0 else (done.theirs, done.mine)
        thrown = before.thrown
        if done.thrown is not None:
            thrown = (*thrown[: done.thrown], thrown[done.thrown] + 1, *thrown[done.thrown + 1 :])
        table = self.after(before._replace(row=done.row, sides=sides, thrown=thrown), p, cards)
        info = done.info
        what: Gems = info["what"]
        card: Any = list(cards) if len(cards) != 1 else cards[0]
        to = info.get("to")
        fields = {"seeker": card, **info, "what": named(what), "to": self.names[p] if to is None else to}
        fields.pop("owed", None)
        breaks += self._house_breaks(before, p, info)
        same = (p, tuple(sorted(map(str, cards))), tuple(sorted(what)))
        number = sum(before.turns) + 1
        return Turn(self.names[p], "take", fields, breaks, table, same, number, before.turns[p] + 1, legal=not breaks)

    def _house_breaks(self, before: Table, p: int, info: Mapping[str, Any]) -> tuple[str, ...]:
        """What a turn breaks only where this house reads a silent place strictly."""
        breaks = []
        to = info.get("to")
        turned = isinstance(to, dict) and to.get("turned") is True
        if self.house["first-order"] == "strict" and turned and not before.sides[p].gems:
            breaks.append("T9")
        own = (*info.get("returned", ()), info.get("gave"), *info.get("swapped", ())[:1])
        if not self.house["gold-moves"] and {"gold", "rainbow"}.intersection(own):
            breaks.append("T14")
        return tuple(breaks)

    def alike(self, one: Turn, other: Turn) -> Turn | None:
        """Turns that differ are told apart."""
        return None

    def between(self, before: Table, turn: Turn, look: Look) -> Fit | None:
        """What was found in a look that shows a part of this turn stays."""
        return None

    def nearest(self, before: Table, turn: Turn) -> list[dict[str, Any]]:
        """The legal moves that would have changed the fewest pieces."""
        return breaches.nearest(self, before, turn)

    def legal(self, table: Table) -> Iterator[Turn]:
        """The turns that the player whose turn it is may take, rule 18's swaps among them; of an advanced seeker's some
        thousand, a part."""
        p = None if self.over(table) else self.expected(table)
        for card in dict.fromkeys(self.field(table)) if p is not None else ():
            for turn in islice(breaches.lawful(self, table, p or 0, (card,)), MOST_LEGAL):
                if turn.breaks:
                    continue
                yield turn
                if self.rule == SWAP_RULE:
                    yield from breaches.swapped(turn, p or 0, card)

    def because(self, table: Table, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """T3, and the pieces of the color that was read: all that there are lie elsewhere."""
        if "seekers" in fix.at:
            return ["T2"], []
        others = []
        read: Reading = look.read
        gem = NAMES.index(fix.read) if fix.read in NAMES else -1
        for i, one in enumerate(read.row or ()):
            if one == gem and f"/dungeon/{i}" != fix.at:
                others.append(f"/dungeon/{i}")
        for shown in read.sides:
            if shown is None:
                continue
            if self.kind == "line":
                others += [f"{shown.at}/line/{i}" for i, one in enumerate(shown.gems or ()) if one == gem]
            elif 0 <= gem < GOLD:
                for key, counts in ((self.kind, shown.gems), ("invalid", shown.invalid)):
                    others += [f"{shown.at}/{key}/{NAMES[gem]}"] if counts and counts[gem] else []
            if gem == GOLD and shown.gold:
                others.append(f"{shown.at}/gold")
        return ["T3"], [at for at in others if at != fix.at]

    def state(self, table: Table) -> dict[str, Any]:
        """The table in the form of the looks."""
        state = as_state(table, self.names, self.kind, self.extra)
        if not self.cards_seen:
            del state["seekers_left"]
            for player in state["players"]:
                del player["seekers"]
        return state


class _Search:
    """One table, one look: the explanations found so far."""

    def __init__(self, rules: Seekers, table: Table, look: Look, wide: bool, same: Any) -> None:
        self.rules, self.table, self.look, self.wide = rules, table, look, wide
        self.read: Reading = look.read
        self.same = same
        self.stands = False
        self.begun: int | None = None
        self.wrongly = 0.0
        self.reaching = any(card in REACHING for card in table.field)
        self.left = [MOST_STEPS]
        self.out: list[Explanation] = []
        self.best = FAR

    def found(self) -> list[Explanation]:
        """All explanations that are worth keeping."""
        least = self.look.least = breaches.least(self)
        if self.same.cost < PRUNE + least:
            self._add(Explanation(self.same.cost, (), self.same.fixes))
        for sequence in self._sequences():
            self._play(self.table, sequence, 0, 0.0, ())
        if self.best > least and not self.stands:
            for p in self._movers(self.table):
                self._partly(self.table, p, None, 0.0, ())
                self._cardless(self.table, p, 0.0, ())
            if self.wide:
                for p in {0, 1} - {*self._movers(self.table)}:
                    self._partly(self.table, p, None, BEGUN_WRONGLY, (), BEGUN_WRONGLY)
            for sequence in self._sequences(True):
                after = self.table
                for p, card in sequence:
                    after = self.rules.after(after, p, (card,))
                movers = self._movers(after)
                for q in {*movers, 1 - sequence[-1][0]} if self.wide and movers else movers:
                    self.begun = q
                    self.wrongly = BEGUN_WRONGLY if q not in movers else 0.0
                    self._play(self.table, sequence, 0, self.wrongly, ())
            self.begun = None
        if self.wide or self._doubtful_part():
            breaches.explain(self)
        if self.wide:
            self._wait()
        return self.out

    def _doubtful_part(self) -> bool:
        """Whether a part of a turn explains the look best, and may be a whole one that breaks a rule (T4, T12)."""
        best = min(self.out, key=lambda one: one.cost, default=None)
        new = self.new_cards()
        whole = max(map(len, new)) > 1 or (any(new) and self.rules.rule in DISCARD_RULES)
        return best is not None and best.held and whole

    def _add(self, one: Explanation) -> None:
        if one.cost <= self.best + 2 * PRUNE:
            self.out.append(_with_color(one, self.table, self.read))
            self.best = min(self.best, one.cost)

    def _movers(self, table: Table) -> tuple[int, ...]:
        turn = self.rules.expected(table)
        if self.rules.over(table):
            return ()
        return (0, 1) if turn is None or not self.rules.cards_seen else (turn,)

    def new_cards(self) -> list[list[Card]]:
        """The cards that came to each stack since."""
        new: list[list[Card]] = []
        for side, shown in zip(self.table.sides, self.read.sides, strict=True):
            cards = list(shown.stack) if shown is not None and shown.stack is not None else list(side.stack)
            if tuple(cards[: len(side.stack)]) == side.stack:
                new.append(cards[len(side.stack) :])
            elif len(cards) <= len(side.stack):
                new.append([])
            else:
                lying = Counter(side.stack)
                more = []
                for card in cards:
                    if lying[card]:
                        lying[card] -= 1
                    else:
                        more.append(card)
                new.append(more[-(len(cards) - len(side.stack)) :])
        return new

    def _sequences(self, begun: bool = False) -> list[list[tuple[int, Card]]]:
        """Who may have taken which card, in which order. `begun`: a part of another turn comes after them."""
        if not self.rules.cards_seen:
            return list(self._takes_unseen(begun))
        new = self.new_cards()
        gone: list[Card] = []
        if self.read.field is not None:
            gone = list((Counter(self.table.field) - Counter(self.read.field)).elements())
        blind = [i for i, shown in enumerate(self.read.sides) if shown is None or shown.stack is None]
        if blind and len(gone) > len(new[0]) + len(new[1]):
            rest = list((Counter(gone) - Counter(new[0]) - Counter(new[1])).elements())
            for i in blind:
                new[i] = [*new[i], *rest[: 1 if len(blind) > 1 else len(rest)]]
        found = []
        options = [[self._cards(card, gone) for card in cards] for cards in new]
        for one in product(*options[0]):
            for other in product(*options[1]):
                n = len(one) + len(other)
                if not n or n > 4:
                    continue
                for places in combinations(range(n), len(one)):
                    mine, theirs = iter(one), iter(other)
                    found.append([(0, next(mine)) if i in places else (1, next(theirs)) for i in range(n)])
        return found

    def _takes_unseen(self, begun: bool) -> Iterator[list[tuple[int, Card]]]:
        """The same where no cards are in sight: as many gems as left the row, each player's as many as came to them."""
        if self.read.row is None:
            return
        lost = len(self.table.row) - len(self.read.row)
        came = [
            None if shown is None else _came(shown, side, self.rules.kind)
            for shown, side in zip(self.read.sides, self.table.sides, strict=True)
        ]
        for n in range(1, 2 if begun else UNSEEN_TURNS + 1):
            for sizes in product(ANY_CARD, repeat=n):
                if sum(sizes) != lost and not (begun and sum(sizes) < lost):
                    continue
                for movers in product((0, 1), repeat=n):
                    thrown = self.rules.rule in DISCARD_RULES
                    got = [sum(k for k, mover in zip(sizes, movers, strict=True) if mover == p) for p in (0, 1)]
                    least = [n - movers.count(p) * thrown for p, n in enumerate(got)]
                    if begun or all(
                        c is None or low <= c <= high for c, low, high in zip(came, least, got, strict=True)
                    ):
                        yield list(zip(movers, sizes, strict=True))

    def _cards(self, card: Card, gone: list[Card]) -> list[Card]:
        """What a card may be that came to a stack: as read, or one that left the field."""
        field = self.table.field
        if card in gone or (not gone and card in field):
            return [card]
        return [one for one in dict.fromkeys([card, *gone]) if one in field] or list(dict.fromkeys(field))

    def _play(  # noqa: PLR0912 -- one way to go on after the other
        self, table: Table, sequence: list[tuple[int, Card]], i: int, cost: float, so_far: tuple[Turn, ...]
    ) -> None:
        """The turns of a sequence from the i-th on, each in every way that the look does not refute."""
        over = PRUNE if self.begun is None else -PARTLY
        if cost > self.best + over or self.left[0] < 0 or not self._long_enough(table, sequence[i:]):
            return
        rules = self.rules
        if i == len(sequence):
            if self.begun is not None:
                if not (so_far[-1].breaks and so_far[-1].who == rules.names[self.begun]):  # that is still the same turn
                    self._partly(table, self.begun, None, cost, so_far, self.wrongly)
                    self._cardless(table, self.begun, cost, so_far)
            else:
                self._leaf(table, cost, so_far)
            return
        p, card = sequence[i]
        last = i + 1 == len(sequence) and self.begun is None
        if card not in rules.field(table) or card not in TAKES:
            return
        if not rules.cards_seen and p not in (rules.expected(table), None):
            cost += OUT_OF_ORDER * (rules.expected(table) is not None)
        breaks = rules.before(table, p, (card,))
        if breaks and not self.wide and cost:
            return
        here = cost + SLIP * bool(breaks) + FURTHER * max(len(breaks) - 1, 0)
        goal = self._goal(p, sequence, i)
        seen = set()
        colors = self._colors(table, p, len(sequence) - i)
        for done in turns(goal, table.row, table.sides[p], table.sides[1 - p], card, colors):
            if self.left[0] < 0:
                return
            stands = done.owed is not None and (not last or self.stands)
            if done.owed is not None and not stands:
                self._held(table, p, card, done, here, so_far, here - cost)
                continue
            if stands and not self.wide:
                continue
            key = (done.row, done.mine, done.theirs, done.thrown, stands)
            turn = rules.make(table, p, (card,), done, (*breaks, done.owed[1]) if stands and done.owed else breaks)
            if key in seen and not self._merge(turn, so_far):
                continue
            seen.add(key)
            more = SLIP if stands and not breaks else FURTHER if stands else 0.0
            self._play(turn.table, sequence, i + 1, here + more, (*so_far, turn))
        if last and not self.stands:
            if self.best > cost:
                self._partly(table, p, card, here, so_far, here - cost)
        elif self.wide and not any(turn.breaks for turn in so_far):
            rest = [NET[one] for _, one in sequence[i + 1 :] if one in NET]
            for turn, more in self._short(table, p, card, breaks, sum(rest)):
                self._play(turn.table, sequence, i + 1, cost + more, (*so_far, turn))

    def _colors(self, table: Table, p: int, left: int) -> tuple[int | None, ...]:
        """The colors that may be valid in a turn, with how many are left: any, where its round's card was not seen."""
        rules = self.rules
        if rules.rule == COLOR_RULE and table.turns[p] < EACH - 1 and self.read.color is not None:
            before, now = sum(self.table.turns), sum(table.turns)
            if (before - 1) // 2 < now // 2 < (now + left - (self.begun is None)) // 2:
                return tuple(range(5))
        return rules.colors(table, self.read, p)

    def _long_enough(self, table: Table, sequence: list[tuple[int, Card]]) -> bool:
        """Whether the row that is seen may be left after these takes."""
        if self.read.row is None:
            return True
        gone = len(table.row) - len(self.read.row)
        return gone >= 0 and (self.begun is not None or gone <= sum(TAKES.get(card, 5) for _, card in sequence))

    def _goal(self, p: int, sequence: list[tuple[int, Card]], i: int) -> Goal:
        rest = sequence[i + 1 :]
        rules = self.rules
        thrown = rules.rule in DISCARD_RULES
        begun = self.begun is not None
        reached = {self.begun, 1 - self.begun if self.reaching else self.begun} if self.begun is not None else set()
        reached |= {1 - player for player, card in rest if card in REACHING} | {player for player, _ in rest}
        return Goal(
            self.look,
            self.read,
            rules.kind,
            rules.rule,
            p,
            row=not rest and not begun,
            mine=p not in reached,
            theirs=1 - p not in reached,
            later=None if begun else tuple(card for _, card in rest),
            lost=begun * (1 + (self.begun == p))
            + sum((COSTS.get(card, 0) + thrown) if player == p else card in STEALS for player, card in rest),
            left=self.left,
        )

    def _merge(self, turn: Turn, so_far: tuple[Turn, ...]) -> bool:
        """Two ways to the same table: what they differ in does not matter any more. True where it is something else."""
        for i, one in enumerate(self.out):
            if len(one.turns) > len(so_far):
                other = one.turns[len(so_far)]
                if other.table == turn.table and other.same == turn.same and one.turns[: len(so_far)] == so_far:
                    fields = dict(other.fields)
                    for key in ("from", "to"):
                        if fields[key] != turn.fields[key]:
                            fields[key] = _either(fields[key], turn.fields[key])
                    turns_ = (*one.turns[: len(so_far)], other._replace(fields=fields), *one.turns[len(so_far) + 1 :])
                    self.out[i] = one._replace(turns=turns_)
                    return False
        return True

    def _leaf(self, table: Table, cost: float, so_far: tuple[Turn, ...]) -> None:
        fit = together(
            gems_fit(self.look, self.read, table, self.rules.kind), all_cards_fit(self.look, self.read, table)
        )
        if fit.cost < 2 * PRUNE + self.look.least:
            self._add(Explanation(cost + fit.cost, so_far, fit.fixes))

    def _held(
        self, table: Table, p: int, card: Card, done: Done, cost: float, so_far: tuple[Turn, ...], lent: float
    ) -> None:
        """The turn lacks something that may still come."""
        assert done.owed is not None
        turn = self.rules.make(table, p, (card,), done, ())
        fit = together(
            gems_fit(self.look, self.read, turn.table, self.rules.kind), all_cards_fit(self.look, self.read, turn.table)
        )
        if fit.cost < 2 * PRUNE + self.look.least:
            owed = Owed(self.rules.names[p], *done.owed)
            lying = turn.table
            self._add(Explanation(cost + fit.cost + PARTLY, so_far, fit.fixes, (owed,), True, lying, None, lent))

    # Parts of a take

    def _partly(  # noqa: PLR0912 -- one way to lie there after the other
        self,
        table: Table,
        p: int,
        card: Card | None,
        cost: float,
        so_far: tuple[Turn, ...],
        lent: float = 0.0,
    ) -> None:
        """A card, some gems of a take, some of them in a hand: no breach yet."""
        if self.stands:
            return
        read, rules = self.read, self.rules
        reach = max((TAKES.get(one, 0) for one in ((card,) if card is not None else rules.field(table))), default=0)
        if read.row is None:
            return
        n = len(table.row) - len(read.row)
        if not 0 <= n <= reach:
            return
        if n == 1 and card is None and so_far and so_far[-1].who == rules.names[p]:
            cost += BEGUN_AGAIN
        both = card is None and any(one in BOTH_ENDS for one in table.field)
        both = both or card in BOTH_ENDS
        gems_only = card is not None or not rules.cards_seen
        owed = Owed(rules.names[p], "gems" if gems_only else "a seeker", "T7" if gems_only else "T4")
        shown = read.sides[p]
        for left in range(n + 1):
            if 0 < left < n and not both:
                continue
            lost = (*table.row[:left], *table.row[len(table.row) - (n - left) :]) if n else ()
            row = table.row[left : len(table.row) - (n - left)]
            mine, lying = self._part_laid(table.sides[p], shown, lost)
            if mine is None or (lying and not rules.cards_seen):
                continue
            if lying and card is not None and card not in PENDING and n >= min(TAKES.get(card, 0), len(table.row)):
                continue  # no part: all of the turn lies there
            stack = (*table.sides[p].stack, card) if card is not None else table.sides[p].stack
            mine = mine._replace(stack=stack)
            theirs = table.sides[1 - p]
            part = table._replace(row=row, sides=(mine, theirs) if p == 0 else (theirs, mine))
            if card is not None:
                part = rules.after(part, p, (card,))
            elif read.field is not None and len(read.field) == len(part.field) - 1:
                gone = [*(Counter(part.field) - Counter(read.field)).elements()]
                if len(gone) == 1:  # the card is in the hand
                    field = list(part.field)
                    field.remove(gone[0])
                    part = part._replace(field=tuple(field))
            if not n and part.field == table.field and card is None:
                continue
            fit = together(gems_fit(self.look, read, part, rules.kind), all_cards_fit(self.look, read, part))
            if fit.cost < 2 * PRUNE + self.look.least:
                lies = part if lying and card is not None else None
                self._add(Explanation(cost + fit.cost + PARTLY, so_far, fit.fixes, (owed,), True, lies, None, lent))

    def _cardless(self, table: Table, p: int, cost: float, so_far: tuple[Turn, ...]) -> None:
        """All of an advanced seeker's turn lies there but the card, or its gems are in a hand."""
        rules, read = self.rules, self.read
        if read.row is None or cost + PARTLY >= self.best:
            return
        owed = (Owed(rules.names[p], "a seeker", "T4"),)
        goal = self._goal(p, [], 0)._replace(row=True, mine=True, theirs=True, later=())
        side, colors = table.sides[p], rules.colors(table, read, p)
        for card in dict.fromkeys(table.field):
            if card not in CARD_LAST or len(table.row) - len(read.row) not in (NET[card], TAKES[card]):
                continue
            if card == "anywhere":
                parts = [table._replace(row=take.rest) for take in takes(table.row, card) if goal.shows_row(take.rest)]
            else:
                parts = []
            for done in turns(goal, table.row, side, table.sides[1 - p], card, colors):
                mine = done.mine._replace(stack=side.stack, bonuses=side.bonuses)
                sides = (mine, done.theirs) if p == 0 else (done.theirs, mine)
                parts.append(table._replace(row=done.row, sides=sides))
            for part in dict.fromkeys(parts):
                fit = together(gems_fit(self.look, read, part, rules.kind), all_cards_fit(self.look, read, part))
                if fit.cost < 2 * PRUNE + self.look.least:
                    self._add(Explanation(cost + fit.cost + PARTLY, so_far, fit.fixes, owed, True))

    def _part_laid(self, side: Side, shown: ReadSide | None, lost: Gems) -> tuple[Side | None, bool]:
        """The mover's things when some of the lost gems lie there already, and whether all of them do."""
        if shown is None or shown.gems is None:
            return side, False
        came_gold = max((shown.gold or 0) - side.gold, 0)
        gold = side.gold + min(came_gold, lost.count(GOLD))
        rest = [gem for gem in lost if gem != GOLD]
        if self.rules.kind == "line":
            more = len(shown.gems) - len(side.gems) + came_gold - (gold - side.gold)  # one may have been read as gold
            if not 0 <= more <= len(rest):
                return None, False
            best, least = None, FAR
            for left in (True, False):
                came = shown.gems[:more] if left else shown.gems[len(shown.gems) - more :]
                left_over, line = rest.copy(), []
                for gem in came:  # a gem that was not lost is one of the lost ones, read wrongly
                    line.append(gem if gem in left_over else -1)
                    if gem in left_over:
                        left_over.remove(gem)
                laid = tuple(left_over.pop() if gem < 0 else gem for gem in line)
                one = side._replace(gems=(*laid, *side.gems) if left else (*side.gems, *laid), gold=gold)
                wrong = side_fit(self.look, shown, one, "line").cost
                if wrong < least:
                    best, least = one, wrong
            return best, more == len(rest) and gold - side.gold == lost.count(GOLD)
        ways = [self._in_places(side, shown, rest, gold, first) for first in ((0, 1) if side.invalid else (0,))]
        ways.append((side._replace(gold=gold), rest))  # none of them does
        best, over = min(ways, key=lambda way: side_fit(self.look, shown, way[0], self.rules.kind).cost)
        return best, not over and gold - side.gold == lost.count(GOLD)

    def _in_places(self, side: Side, shown: ReadSide, rest: list[int], gold: int, first: int) -> tuple[Side, list[int]]:
        """Lost gems on the counts where they are seen, one place looked at before the other; those that are not."""
        assert shown.gems is not None
        zones = [(list(side.gems), shown.gems), (list(side.invalid), shown.invalid or side.invalid)]
        left_over = []
        for gem in rest:
            for counts, seen in (zones[first], zones[1 - first]):
                if counts and counts[gem] < seen[gem]:
                    counts[gem] += 1
                    break
            else:
                left_over.append(gem)
        if left_over and (shown.gold or 0) > gold:  # one of them was read as gold
            zones[-1 if zones[-1][0] else 0][0][left_over.pop()] += 1
        for counts, seen in zones:  # a gem that was not lost is one of the lost ones, read wrongly
            while left_over and sum(counts) < sum(seen):
                counts[left_over.pop()] += 1
        return side._replace(gems=tuple(zones[0][0]), invalid=tuple(zones[1][0]), gold=gold), left_over

    def _short(
        self, table: Table, p: int, card: Card, breaks: tuple[str, ...], later: int
    ) -> Iterator[tuple[Turn, float]]:
        """The turn stood though it took fewer gems than its card says (T7)."""
        rules = self.rules
        told = (*breaks, "T7")
        for n in range(TAKES[card] - 1, 0, -1):
            if self.read.row is not None and self.begun is None:
                lost = len(table.row) - len(self.read.row)
                if not n <= lost <= n + later:
                    continue
            for left in (True, False):
                what = table.row[:n] if left else table.row[len(table.row) - n :]
                rest = table.row[n:] if left else table.row[: len(table.row) - n]
                for color in rules.colors(table, self.read, p):
                    mine = table.sides[p]._replace(stack=(*table.sides[p].stack, card))
                    for side, to in lay(mine, what, rules.kind, color):
                        info = {"what": what, "from": "dungeon.left" if left else "dungeon.right", "to": to}
                        done = Done(rest, side, table.sides[1 - p], None, info)
                        yield rules.make(table, p, (card,), done, told), SLIP + FURTHER * len(breaks)

    # What no turn explains

    def _wait(self) -> None:
        """The look is waited out, or taken as it is."""
        read, table = self.read, self.table
        if read.row is None or any(shown is None or shown.gems is None for shown in read.sides):
            self._add(Explanation(self.look.least + COVERED, (), (), (), True))
            return
        repaired = breaches.repairs(self)
        flips = repaired[0][1] if repaired else ()
        seen = breaches.adopted(self, flips)
        done = (len(seen.sides[0].stack), len(seen.sides[1].stack))
        seen = seen._replace(turns=done, starter=table.starter if done == table.turns else None)
        here, before = sum(total(seen, self.rules.kind)), sum(total(table, self.rules.kind))
        if not self.look.typed:
            self._add(Explanation(self.look.least + (COVERED if here < before else WAITING), (), (), (), True))
        moved = breaches.distance(table, seen, self.rules.kind)
        turn = Turn(
            None,
            "edit",
            {"what": breaches.changed(table, seen, self.rules.kind), "from": UNKNOWN, "to": UNKNOWN},
            (),
            seen,
            ("edit", moved),
            sum(table.turns),
            max(table.turns),
            UNKNOWN,
        )
        fixes = tuple(fix for fix, _ in flips)
        self._add(Explanation(self.look.least + EDITED + min(ONE_MORE * moved, MANY), (turn,), fixes))


def _with_color(one: Explanation, table: Table, read: Reading) -> Explanation:
    """The explanation with rule 19's card as the look shows it."""
    color = read.color
    if color is None or color == (one.turns[-1].table if one.turns else one.table or table).color:
        return one
    lying = one.lying and one.lying._replace(color=color)
    if not one.turns:
        return one._replace(table=(one.table or table)._replace(color=color), lying=lying)
    last = one.turns[-1]
    return one._replace(turns=(*one.turns[:-1], last._replace(table=last.table._replace(color=color))), lying=lying)


def _two_advanced(cards: Sequence[Card], left: int) -> bool:
    """T6: whether a player may still end with just two advanced seekers."""
    advanced = sum(card in ADVANCED for card in cards)
    return advanced <= ADVANCED_EACH <= advanced + left


def _came(shown: ReadSide, side: Side, kind: Kind) -> int | None:
    """How many gems came to a player; None where not all of them are in sight."""
    if shown.gems is None or shown.gold is None or shown.invalid is None:
        return None
    count = len if kind == "line" else sum
    return count(shown.gems) - count(side.gems) + sum(shown.invalid) - sum(side.invalid) + shown.gold - side.gold


def _either(one: Any, other: Any) -> Any:
    """What two ways of doing the same agree in."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: one[key] if one[key] == other.get(key) else UNKNOWN for key in one}
    return one if one == other else UNKNOWN
