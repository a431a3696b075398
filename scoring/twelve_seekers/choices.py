"""What a player may choose, and what the choice gives. The best is taken once, here, for all sheets."""

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

from scoring.breakdown import Choice
from scoring.errors import StateError
from scoring.fields import State
from scoring.house_rules import Readings
from scoring.twelve_seekers.kinds import COLORLESS, COLORS, NO_PAIR, Extra, PlusMinus, runs
from scoring.twelve_seekers.sheets import AnyKind
from scoring.twelve_seekers.table import RAINBOW, Player

RAINBOW_COLORS: Final = (*COLORS, "none")
NO_RAINBOW: Final = (None,)
"""The colors where there is no rainbow gem to choose for."""

Made = tuple[str, frozenset[object]]
"""A choice that a state makes: its name, and the one or two things chosen."""
Offer = tuple[int | None, Any, Sequence[Extra], Sequence[int]]
"""A color of the rainbow, the gems with it, the other choices that it leaves, and the points of each."""


class Outcome(NamedTuple):
    """A legal choice and what it gives: the rainbow's color (None: no rainbow to choose for), the rest.

    `gems` are the gems as the kind of rule takes them, the rainbow having its color.
    """

    points: int
    rainbow: int | None
    extra: Extra
    gems: Any

    def named(self, kind: AnyKind) -> dict[str, Choice]:
        """The choice as the state writes it."""
        names: dict[str, Choice] = {} if self.rainbow is None else {"rainbow": RAINBOW_COLORS[self.rainbow]}
        return {**names, **kind.named(self.extra)} if self.extra else names


def best(kind: AnyKind, player: Player, readings: Readings) -> Outcome:
    """The outcome with the most points among those that agree with the choices made. Raises StateError.

    Of several the first; outcomes that pay less are never put together.
    """
    found: Outcome | None = None
    for rainbow, gems, extras, points in _outcomes(kind, player, readings, player.made):
        most = max(points)
        if found is None or most > found.points:
            found = Outcome(most, rainbow, extras[points.index(most)], gems)
    if found is None:
        raise StateError(f"{player.place}/choices", "legal-choice", dict(player.made))
    return found


def every(kind: AnyKind, player: Player, readings: Readings) -> list[Outcome]:
    """Every legal outcome, whatever was chosen, best first."""
    found = [
        Outcome(n, rainbow, extra, gems)
        for rainbow, gems, extras, points in _outcomes(kind, player, readings, {}, isinstance(kind, PlusMinus))
        for n, extra in zip(points, extras, strict=True)
    ]
    return sorted(found, key=attrgetter("points"), reverse=True)


def _outcomes(kind: AnyKind, player: Player, readings: Readings, made: State, whatever: bool = False) -> list[Offer]:
    """The legal choices that agree with those made, and the points of each, by the rainbow's color.

    A color of the rainbow that leaves no two colors to choose is among them where there is no other, or `whatever`.
    """
    cards = player.cards if kind.cards else ()
    others = tuple([(name, _as_set(value)) for name, value in made.items() if name != "rainbow"]) if made else ()
    rainbows = _rainbows(kind, player, readings, made) if player.counts[RAINBOW] else NO_RAINBOW
    found: list[Offer] = []
    without_pair: list[Offer] = []
    for rainbow in rainbows:
        gems = gems_with(kind, player, rainbow)
        extras = kind.extras(gems, cards)
        if others:
            extras = _agreeing(kind, extras, others)
        if extras:
            found.append((rainbow, gems, extras, kind.points(gems, extras)))
        elif not others:
            without_pair.append((rainbow, gems, NO_PAIR, [0]))
    return found + without_pair if whatever else found or without_pair


def _rainbows(kind: AnyKind, player: Player, readings: Readings, made: State) -> Sequence[int | None]:
    """The colors that a player's rainbow gem may take."""
    if kind.collects == "valid":
        return NO_RAINBOW
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


@lru_cache(maxsize=1000)
def _agreeing(kind: AnyKind, extras: tuple[Extra, ...], made: tuple[Made, ...]) -> tuple[Extra, ...]:
    """Those that are what was chosen, two colors in either order."""
    named = [(extra, kind.named(extra)) for extra in extras]
    return tuple([extra for extra, names in named if all(_as_set(names.get(name)) == value for name, value in made)])


def _as_set(value: object) -> frozenset[object]:
    return frozenset(value) if isinstance(value, (list, tuple)) else frozenset((value,))
