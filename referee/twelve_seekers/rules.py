"""Legal turns of Twelve Seekers, and what may be seen after them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import eq, ne
from typing import Any, Final

from referee.looks import EXACT, UNKNOWN, Fix, Look, together
from referee.turns import Explanation, Start, Turn
from referee.twelve_seekers import breaches
from referee.twelve_seekers.game import SeekersGame, with_color
from referee.twelve_seekers.plans import MISREADS, settled
from referee.twelve_seekers.search import Search
from referee.twelve_seekers.tables import (
    BOX,
    GOLD,
    NAMES,
    NO_GEMS,
    SWAP_RULE,
    Card,
    Gems,
    Reading,
    Side,
    Table,
    all_cards_fit,
    as_state,
    gems_fit,
    power,
    read_state,
    sort_key,
    total,
)
from scoring.twelve_seekers.seekers import BASIC

MOST_LEGAL: Final = 100
"""Legal turns with one card that are listed."""
NOTHING: Final[tuple[Any, ...]] = (UNKNOWN, None, [])
"""What a place shows that is covered, or cleared."""
STARTS: Final = 100
"""Ways to read the first look that are kept."""


class Seekers(SeekersGame):
    """Twelve Seekers under one rule sheet, between two players."""

    amends = True

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        read = read_state(look.state, self.names, self.kind)
        self.extra[""].update({key: value for key, value in read.extra.items() if value not in NOTHING})
        if not self.cards_seen:
            sides = [shown and shown._replace(stack=None) for shown in read.sides]
            read = read._replace(field=None, sides=tuple(sides))
        for row in look.state.get("players", ()):
            more = {
                key: row[key] for key in ("chips", "color_cards", "choices") if row.get(key, UNKNOWN) not in NOTHING
            }
            self.extra.setdefault(row["name"], {}).update(more)
        return read

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
        search = Search(self, table, look, True, EXACT)
        ways = breaches.repairs(search, STARTS) or [(0.0, ())]
        if not ways[0][1]:  # of each color there are as many as in the box
            ways += breaches.exchanged(search)
        for cost, flips in ways:
            yield Start(cost, breaches.adopted(search, flips), tuple(fix for fix, _ in flips))

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        if "invented" not in look.memo:
            look.memo["invented"] = look.read = self._possible(look.read, table)
        read: Reading = look.read
        lies = settled(table, look, read)
        same = together(gems_fit(look, read, lies, self.kind), all_cards_fit(look, read, lies))
        if same.cost == 0.0:
            return [with_color(Explanation(0.0, (), same.fixes, table=None if lies is table else lies), table, read)]
        return Search(self, table, look, wide, same).found()

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """The part of a turn that the last look shows, as a turn that stands."""
        read: Reading = look.read
        same = together(gems_fit(look, read, table, self.kind), all_cards_fit(look, read, table))
        search = Search(self, table, look, True, same)
        search.stands = True
        return min((one for one in search.found() if one.turns), key=lambda one: one.cost, default=None)

    def key(self, table: Table) -> Any:
        """Everything but the players' bonuses follows from what lies there."""
        return table

    def _possible(self, read: Reading, table: Table) -> Reading:
        """The reading without a tile of the row that cannot be, where one more than the box holds is in sight."""
        sides = [shown for shown in read.sides if shown is not None and shown.gems is not None]
        if read.row is None or len(sides) < len(read.sides):
            return read
        counts = Counter(dict(enumerate(read.thrown or ())))
        counts.update(read.row)
        for shown in sides:
            gems = shown.gems or ()
            counts.update(gems if self.kind == "line" else dict(enumerate(gems)))
            counts.update(dict(enumerate(shown.invalid or ())))
            counts[GOLD] += shown.gold or 0
        if sum(counts.values()) != sum(self.box) + 1:
            return read
        rows = [
            (*read.row[:i], *read.row[i + 1 :])
            for i, gem in enumerate(read.row)
            if gem < len(self.box) and counts[gem] > self.box[gem]
        ]
        return read._replace(row=max(rows, key=lambda row: _alike(row, table.row))) if rows else read

    def goes_on(self, lay: Turn, turn: Turn) -> bool:
        """The same gems are taken, and what went from hand to hand, or lay in a valid or invalid place, stays there."""
        if lay.who is None or turn.who is None:
            return True
        if lay.who != turn.who or lay.same[2] != turn.same[2]:
            return len(turn.same[2]) > len(lay.same[2])
        ends = {lay.fields.get("from"), turn.fields.get("from")}
        if ends == {"dungeon.left", "dungeon.right"}:
            return False
        if any(gems - _in_places(turn)[place] for place, gems in _in_places(lay).items()):
            return False
        moved = ("returned", "stole", "gave", "swapped")
        return all(_bag(lay.fields[key]) == _bag(turn.fields.get(key)) for key in moved if key in lay.fields)

    def still_lies(self, slip: Turn, turns: Sequence[Turn], look: Look) -> bool:
        """All gems lie where they lay after it."""
        return bool(turns) and _gems_of(slip.table) == _gems_of(turns[-1].table)

    def part_of(self, before: Table, turn: Turn, look: Look) -> bool:
        """All its cards or none are taken, and no other one before all its gems; and the gems that it leaves in the row
        lie there, but for one that is swapped and some wrong readings.
        """
        read: Reading = look.read
        cards = turn.fields["seeker"]
        if self._next_begun(before, turn, read):
            return False
        if read.field is not None and isinstance(cards, list):
            lay = Counter(before.field) - Counter(read.field)
            if 0 < sum((lay & Counter(cards)).values()) < len(cards):
                return False
        n, place = len(turn.fields["what"]), turn.fields.get("from")
        if read.row is None or place not in ("dungeon.left", "dungeon.right") or not n:
            return True
        left = place == "dungeon.left"
        rest = before.row[n:] if left else before.row[:-n]
        if len(read.row) < len(rest):
            return False
        seen = read.row[len(read.row) - len(rest) :] if left else read.row[: len(rest)]
        return bool(sum(map(ne, seen, rest)) <= MISREADS + look.unsure)

    def _next_begun(self, before: Table, turn: Turn, read: Reading) -> bool:
        """Whether its player has taken one more card while gems of the turn lie in the row."""
        p, cards = self.names.index(turn.who or ""), turn.fields["seeker"]
        shown = read.sides[p]
        if shown is None or shown.stack is None or read.row is None or isinstance(cards, list):
            return False
        more = len(shown.stack) - len(before.sides[p].stack)
        return more > 1 and cards in shown.stack and len(read.row) > len(turn.table.row)

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


def _alike(row: Gems, before: Gems) -> int:
    """How many gems of the row lie as they lay before, whatever left it at its ends."""
    return max(sum(map(int, map(eq, row, before[i:]))) for i in range(max(len(before) - len(row), 0) + 1))


def _gems_of(table: Table) -> list[Any]:
    """All gems that lie in the row and before the players, where they lie."""
    return [table.row, *((side.gems, side.invalid, side.gold) for side in table.sides)]


def _in_places(turn: Turn) -> dict[str, Counter[str]]:
    """The gems of a turn in the valid and in the invalid place."""
    to = turn.fields["to"]
    return {place: Counter(to.get(place, ()) if isinstance(to, dict) else ()) for place in ("valid", "invalid")}


def _bag(gems: Any) -> Any:
    """Gems by name, in whatever order."""
    return sorted(gems) if isinstance(gems, (list, tuple)) else gems
