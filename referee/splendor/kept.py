"""Kept cards of which no look has shown yet who holds which: they are told by their backs."""

from collections.abc import Sequence

from referee.looks import UNKNOWN
from referee.splendor.tables import Card, Side
from referee.turns import Turn


def by_backs(turns: Sequence[Turn], others: Sequence[Sequence[Turn]]) -> list[Turn]:
    """The turns of a story, each kept card by its back where another story that is as likely (`others`, with as many
    turns) holds that it is another one.
    """
    found = []
    for turn, *ways in zip(turns, *others, strict=True):
        open_ = [way for way in ways if way is not turn]
        found.append(_by_backs(turn, open_) if open_ else turn)
    return found


def same_back(told: Turn, turn: Turn) -> bool:
    """Whether a card that was told by its back may be the one that was kept in this turn."""
    if told.move != "keep" or turn.move != "keep" or told.who != turn.who or told.breaks != turn.breaks:
        return False
    card, other = told.fields["card"], turn.fields["card"]
    return "bonus" not in card and card["level"] in (other["level"], UNKNOWN)


def _by_backs(turn: Turn, ways: Sequence[Turn]) -> Turn:
    sides = tuple(
        side._replace(kept=_open(side, [way.table.sides[p] for way in ways])) for p, side in enumerate(turn.table.sides)
    )
    fields = turn.fields
    same = [way for way in ways if way.move == "keep" and way.who == turn.who]
    if turn.move == "keep" and any(way.fields["card"] != fields["card"] for way in same):
        levels, places = ({way.fields["card"]["level"] for way in same}, {way.fields["from"] for way in same})
        level = fields["card"]["level"] if levels == {fields["card"]["level"]} else UNKNOWN
        place = fields["from"] if places == {fields["from"]} else UNKNOWN
        fields = {**fields, "card": {"level": level}, "from": place}
    if fields is turn.fields and sides == turn.table.sides:
        return turn
    return turn._replace(fields=fields, table=turn.table._replace(sides=sides))


def _open(side: Side, ways: Sequence[Side]) -> tuple[Card, ...]:
    """A player's kept cards, by their backs where one of the `ways` holds others."""
    kept = list(side.kept)
    for way in ways:
        if len(way.kept) == len(kept):
            kept = [one if one == other else _back(one, other) for one, other in zip(kept, way.kept, strict=True)]
    return tuple(kept)


def _back(one: Card, other: Card) -> Card:
    return Card(one.level if one.level == other.level else 0)
