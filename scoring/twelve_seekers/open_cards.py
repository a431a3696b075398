"""Color cards that nobody knows yet: what counts already, and between what the points will lie."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from scoring.breakdown import Line, Note, Value
from scoring.errors import StateError
from scoring.house_rules import Readings
from scoring.twelve_seekers.choices import Outcome, best, gems_with
from scoring.twelve_seekers.kinds import COLORS, Part
from scoring.twelve_seekers.sheets import AnyKind
from scoring.twelve_seekers.table import RAINBOW, Player, Table


def parts_so_far(kind: AnyKind, player: Player) -> list[Part]:
    """What a line pays for the cards that are known; nothing while the rainbow gem may still change its runs."""
    if kind.collects != "line" or not player.cards or player.counts[RAINBOW]:
        return []
    parts = kind.parts(gems_with(kind, player, None), player.cards)
    return [part for part in parts if part[2] in player.cards]


def open_line(player: Player, source: str) -> Line:
    """The line of what the unknown cards will count."""
    return Line("seekers.cards-open", None, _where(player), {"n": player.unknown}, source)


def notes(
    kind: AnyKind, player: Player, table: Table, lines: Sequence[Line], readings: Readings, source: str
) -> Iterator[Note]:
    """What is open until the end, and how many points that may be; or that there are more cards than the rule deals."""
    values: dict[str, Value] = {"name": player.name, "n": player.unknown}
    if player.shown > kind.cards:
        values = {"name": player.name, "n": player.shown, "most": kind.cards}
        yield Note("seekers.cards-many", values, _where(player), source)
        return
    others = {card for other in table.players if other is not player for card in other.cards}
    points = [outcome.points for outcome in _outcomes(kind, player, others, readings)]
    if not points:
        raise StateError(f"{player.place}/choices", "legal-choice", dict(player.made))
    rest = sum([line.points or 0 for line in lines if line.source != source])
    least, most = min(points) + rest, max(points) + rest
    key = "seekers.cards-open" if least < most else "seekers.cards-open.alike"
    yield Note(key, {**values, "least": least, "most": most}, _where(player), source)


def _outcomes(kind: AnyKind, player: Player, others: Collection[int], readings: Readings) -> Iterator[Outcome]:
    """The best outcome with each hand of cards that the player may have."""
    free = [color for color in range(len(COLORS)) if color not in player.cards and color not in others]
    for more in combinations(free, player.unknown):
        try:
            yield best(kind, player._replace(cards=(*player.cards, *more)), readings)
        except StateError:
            continue  # a choice that the state makes is not legal with these cards: they are not the player's


def _where(player: Player) -> tuple[str, ...]:
    return (f"{player.place}/color_cards",) if player.shown else (player.place,)
