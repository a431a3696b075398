"""What a player may choose, and what the choice gives. The best is taken once, here, for all sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

from scoring.breakdown import Choice
from scoring.errors import StateError
from scoring.fields import State
from scoring.house_rules import Readings
from scoring.twelve_seekers.kinds import COLORLESS, COLORS, Extra, runs
from scoring.twelve_seekers.sheets import AnyKind
from scoring.twelve_seekers.table import RAINBOW, Player

RAINBOW_COLORS: Final = (*COLORS, "none")
NO_PAIR: Final[Extra] = ()
Plain = tuple[int, int | None, Extra]

_points = itemgetter(0)


class Outcome(NamedTuple):
    """A legal choice and what it gives: the rainbow's color (None: no rainbow to choose for), the rest."""

    points: int
    rainbow: int | None
    extra: Extra

    def named(self, kind: AnyKind) -> dict[str, Choice]:
        """The choice as the state writes it."""
        names: dict[str, Choice] = {} if self.rainbow is None else {"rainbow": RAINBOW_COLORS[self.rainbow]}
        return {**names, **kind.named(self.extra)} if self.extra else names


def best(kind: AnyKind, player: Player, readings: Readings) -> Outcome:
    """The outcome with the most points among those that agree with the choices made. Raises StateError."""
    outcomes = _outcomes(kind, player, readings, player.made)
    if not outcomes:
        raise StateError(f"{player.place}/choices", "legal-choice", dict(player.made))
    return Outcome(*max(outcomes, key=_points))


def every(kind: AnyKind, player: Player, readings: Readings) -> list[Outcome]:
    """Every legal outcome, whatever was chosen, best first."""
    outcomes = _outcomes(kind, player, readings, {})
    return [Outcome(*outcome) for outcome in sorted(outcomes, key=_points, reverse=True)]


def _outcomes(kind: AnyKind, player: Player, readings: Readings, made: State) -> list[Plain]:
    """The legal choices that agree with those made, as the fields of an Outcome."""
    cards = player.cards if kind.cards else ()
    others = {name: _as_set(value) for name, value in made.items() if name != "rainbow"} if made else {}
    rainbows = _rainbows(kind, player, readings, made)
    outcomes: list[Plain] = []
    points = kind.points
    for rainbow in rainbows:
        gems = gems_with(kind, player, rainbow)
        extras = kind.extras(gems, cards)
        if others:
            extras = [extra for extra in extras if _agrees(kind.named(extra), others)]
        for extra in extras:
            outcomes.append((points(gems, extra), rainbow, extra))
    if outcomes or others:
        return outcomes
    return [(0, rainbow, NO_PAIR) for rainbow in rainbows]  # two colors are needed, and there are no two


def has_rainbow(kind: AnyKind, player: Player) -> bool:
    """Whether there is a rainbow gem whose color matters."""
    return bool(player.counts[RAINBOW]) and kind.collects != "valid"


def _rainbows(kind: AnyKind, player: Player, readings: Readings, made: State) -> Sequence[int | None]:
    if not has_rainbow(kind, player):
        return (None,)
    colors: Sequence[int] = range(len(COLORS))
    if readings["rainbow-color"] == "held":
        colors = [color for color in colors if player.counts[color]] or colors
    if readings["rainbow-duty"] == "may":
        colors = [*colors, COLORLESS]
    if "rainbow" in made:
        return [color for color in colors if RAINBOW_COLORS[color] == made["rainbow"]]
    return colors


def gems_with(kind: AnyKind, player: Player, rainbow: int | None) -> Any:
    """The gems as the kind of rule takes them, the rainbow having taken a color."""
    if kind.collects == "line":
        return runs([rainbow if gem == RAINBOW and rainbow is not None else gem for gem in player.line])
    if kind.collects == "valid":
        return player.counts
    gems = player.counts[:RAINBOW]
    if rainbow is not None and rainbow != COLORLESS:
        gems[rainbow] += 1
    return gems


def _agrees(named: State, made: Mapping[str, set[object]]) -> bool:
    return all(_as_set(named[name]) == value for name, value in made.items())


def _as_set(value: object) -> set[object]:
    return set(value) if isinstance(value, (list, tuple)) else {value}
