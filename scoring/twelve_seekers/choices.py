"""What a player may choose, and what the choice gives. The best is taken once, here, for all sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from scoring.breakdown import Choice
from scoring.errors import StateError
from scoring.fields import State
from scoring.house_rules import Readings
from scoring.twelve_seekers.kinds import COLORLESS, COLORS, Extra, Part, runs
from scoring.twelve_seekers.sheets import AnyKind
from scoring.twelve_seekers.table import RAINBOW, Player

RAINBOW_COLORS: Final = (*COLORS, "none")
NO_PAIR: Final[Extra] = ()


class Outcome(NamedTuple):
    """A legal choice: the rainbow's color (None: no rainbow to choose for), the rest, and what they give."""

    rainbow: int | None
    extra: Extra
    parts: Sequence[Part]
    points: int

    def named(self, kind: AnyKind) -> dict[str, Choice]:
        """The choice as the state writes it."""
        names: dict[str, Choice] = {} if self.rainbow is None else {"rainbow": RAINBOW_COLORS[self.rainbow]}
        return {**names, **kind.named(self.extra)} if self.extra else names


def best(kind: AnyKind, player: Player, readings: Readings) -> Outcome:
    """The outcome with the most points among those that agree with the choices made. Raises StateError."""
    found: Outcome | None = None
    for rainbow, extra, gems in _legal(kind, player, readings, player.made):
        parts = kind.parts(gems, extra)
        points = 0
        for part in parts:
            points += part[0]
        if found is None or points > found.points:
            found = Outcome(rainbow, extra, parts, points)
    if found is None:
        raise StateError(f"{player.place}/choices", "legal-choice", dict(player.made))
    return found


def every(kind: AnyKind, player: Player, readings: Readings) -> list[Outcome]:
    """Every legal outcome, whatever was chosen, best first."""
    outcomes = []
    for rainbow, extra, gems in _legal(kind, player, readings, {}):
        parts = kind.parts(gems, extra)
        outcomes.append(Outcome(rainbow, extra, parts, sum(part[0] for part in parts)))
    return sorted(outcomes, key=lambda outcome: -outcome.points)


def has_rainbow(kind: AnyKind, player: Player) -> bool:
    """Whether there is a rainbow gem whose color matters."""
    return bool(player.counts[RAINBOW]) and kind.collects != "valid"


def _legal(kind: AnyKind, player: Player, readings: Readings, made: State) -> Iterator[tuple[int | None, Extra, Any]]:
    cards = player.cards if kind.cards else ()
    others = {name: value for name, value in made.items() if name != "rainbow"}
    options = [(rainbow, gems_with(kind, player, rainbow)) for rainbow in _rainbows(kind, player, readings, made)]
    some = False
    for rainbow, gems in options:
        for extra in kind.extras(gems, cards):
            if not others or _agrees(kind.named(extra), others):
                some = True
                yield rainbow, extra, gems
    if not some and not others:  # only where two colors are needed and there are no two
        for rainbow, gems in options:
            yield rainbow, NO_PAIR, gems


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
    gems = list(player.counts[:RAINBOW])
    if rainbow is not None and rainbow != COLORLESS:
        gems[rainbow] += 1
    return gems


def _agrees(named: State, made: State) -> bool:
    return all(_as_set(named[name]) == _as_set(value) for name, value in made.items())


def _as_set(value: object) -> set[object]:
    return set(value) if isinstance(value, (list, tuple)) else {value}
