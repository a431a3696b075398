"""What lies on a table, as the state of the game in play, with the way back from each place to what was seen there.

One module a game makes a player's part of the state from the tiles and cards in that player's zones; what all games
share stands in `zones`. What is not seen is left out: scoring says what it lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any

from companion.cases.zones import Kind, Table, laid_over, players_of
from companion.printing.check import problems as printed_wrong
from vision.table.profile import TableProfile, TableProfileError
from vision.table.reading import Problem, TableReading

GAMES: Mapping[str, str] = MappingProxyType(
    {
        "twelve-seekers": "twelve_seekers",
        "human-angel-demon": "human_angel_demon",
        "splendor": "splendor",
        "igna": "igna",
    }
)
"""The games whose table is read, each with its module here. In the Ruin has sheets, not a table."""


@dataclass(frozen=True)
class Entries:
    """What people typed because no camera can see it. It is laid over what was seen: a typed value counts.

    Attributes:
        table: keys of the state itself: `rule`, `house_rules`, `round_over`, …
        players: keys of a player, by the player's zone: `name`, `chips`, `choices`, `bonuses`, `seekers`, …
    """

    table: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class TableState:
    """A table state and where each of its places was seen.

    Attributes:
        state: the public table state.
        places: JSON pointers into the state, each with the pieces that stand for it: an index below
            `len(reading.tiles)` is that tile, above it (less that length) that card. What was typed has no pieces.
        zones: the players' zones, in the order of the state's players.
        problems: what a person should know of how the state came about, as message keys.
    """

    state: dict[str, Any]
    places: Mapping[str, tuple[int, ...]]
    zones: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def table_state(reading: TableReading, profile: TableProfile, entries: Entries | None = None) -> TableState:
    """The state that a reading shows, with what people typed laid over it. Raises TableProfileError (see `check`)."""
    game = _game(profile)
    typed = entries or Entries()
    unfit = unfit_cards(profile)
    table = Table(reading, profile, typed.table, frozenset(unfit))
    if seen := [card.marker for card in reading.cards if card.marker is not None and card.marker in unfit]:
        table.say("card.unfit", cards=", ".join(map(str, sorted(seen))), why=str(unfit[min(seen)]))
    zones = players_of(profile)
    state: dict[str, Any] = {"game": profile.game, **game.table(table)}
    state = laid_over(state, typed.table, table, "")
    players = []
    for i, zone in enumerate(zones):
        place = f"/players/{i}"
        seen = {"name": zone, **game.player(table, zone, place)}
        players.append(laid_over(seen, typed.players.get(zone, {}), table, place))
    state["players"] = players
    return TableState(state, table.places, zones, (*table.problems, *printed_wrong(reading, profile)))


def check(profile: TableProfile) -> None:
    """Nothing if the profile's game is one whose table is read. Raises TableProfileError, in words."""
    _game(profile)


def unfit_cards(profile: TableProfile) -> dict[int, TableProfileError]:
    """The profile's cards of which its game can make nothing, by marker, and why: they are read and count nothing."""
    kinds: Mapping[str, Kind] = _game(profile).CARDS
    found = {marker: _mistake(kinds, f"cards/{marker}", card) for marker, card in profile.cards.items()}
    return {marker: mistake for marker, mistake in found.items() if mistake is not None}


def mistakes(profile: TableProfile) -> str:
    """The same in one line; empty where there are none."""
    unfit = list(unfit_cards(profile).values())
    more = f" (and {len(unfit) - 1} more like it)" if len(unfit) > 1 else ""
    return f"{unfit[0]}{more}: left out of the state" if unfit else ""


def _mistake(kinds: Mapping[str, Kind], place: str, card: Mapping[str, Any]) -> TableProfileError | None:
    kind = kinds.get(card["kind"]) if isinstance(card.get("kind"), str) else None
    if kind is None:
        return TableProfileError(f"{place}/kind", f"one of {', '.join(kinds)}", card.get("kind"))
    for key, value in card.items():
        if key == "kind":
            continue
        if key not in kind.fields:
            return TableProfileError(f"{place}/{key}", f"one of {', '.join(kind.fields)}", key)
        expected, fits = kind.fields[key]
        if not fits(value):
            return TableProfileError(f"{place}/{key}", expected, value)
    if not any(all(key in card for key in keys) for keys in kind.needs):
        return TableProfileError(place, " or ".join(" and ".join(keys) for keys in kind.needs), dict(card))
    return None


def _game(profile: TableProfile) -> Any:
    if profile.game not in GAMES:
        raise TableProfileError("game", f"one of {', '.join(GAMES)}", profile.game)
    return import_module(f"companion.games.{GAMES[profile.game]}.table")
