"""What lies on a table, as the state of the game in play, with the way back from each place to what was seen there.

The game makes a player's part of the state from the tiles and cards in that player's zones; what all games share
stands in `companion.games.zones`. What is not seen is left out: scoring says what it lacks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from common.messages import Message
from companion.cases.print_scale import problems as printed_wrong
from companion.games import game_of
from companion.games.zones import Table, laid_over, mistake, players_of
from vision.table.palette import Palette
from vision.table.profile import TableProfile, TableProfileError
from vision.table.read import TableReader
from vision.table.reading import Problem, TableReading


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
        kinds: the kinds of pieces that were seen on this table, now or before.
    """

    state: dict[str, Any]
    places: Mapping[str, tuple[int, ...]]
    zones: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    kinds: frozenset[str] = frozenset()


def table_reader(profile: TableProfile, palette: Palette | None = None) -> TableReader:
    """What reads pictures of a table on which this game's tiles lie.

    Raises TableProfileError (no such game), PaletteError or OSError (the profile's palette cannot be used).
    """
    game = game_of(profile)
    return TableReader(profile, palette, game.tiles, game.chips)


def table_state(
    reading: TableReading,
    profile: TableProfile,
    entries: Entries | None = None,
    kinds: frozenset[str] = frozenset(),
) -> TableState:
    """The state that a reading shows, with what people typed laid over it.

    Args:
        kinds: the kinds of pieces that were seen on this table before. Of a kind of which none was ever seen nothing
            is said: that none lies there is not known.

    Raises TableProfileError: no such game.
    """
    game = game_of(profile)
    assert game.table is not None
    typed = entries or Entries()
    unfit = unfit_cards(profile)
    table = Table(reading, profile, typed.table, typed.players, frozenset(unfit), kinds)
    if seen := [card.marker for card in reading.cards if card.marker is not None and card.marker in unfit]:
        table.say("card.unfit", cards=sorted(seen), why=unfit[min(seen)].to_json())
    zones = players_of(profile, game.common)
    state: dict[str, Any] = {"game": game.slug, **game.table.state(table)}
    state = laid_over(state, typed.table, table, "")
    players = []
    for i, zone in enumerate(zones):
        place = f"/players/{i}"
        row = {"name": zone, **game.table.player(table, zone, place)}
        players.append(laid_over(row, typed.players.get(zone, {}), table, place))
    state["players"] = players
    problems = (*table.problems, *printed_wrong(reading, profile, game))
    return TableState(state, table.places, zones, problems, table.kinds)


def unfit_cards(profile: TableProfile) -> dict[int, TableProfileError]:
    """The profile's cards of which its game can make nothing, by marker, and why: they are read and count nothing."""
    table = game_of(profile).table
    assert table is not None
    found = {marker: mistake(table.cards, f"cards/{marker}", card) for marker, card in profile.cards.items()}
    return {marker: wrong for marker, wrong in found.items() if wrong is not None}


def mistakes(profile: TableProfile) -> Message | None:
    """The same in one sentence; None where there are none."""
    unfit = list(unfit_cards(profile).values())
    return Message("card.left-out", {"why": unfit[0], "n": len(unfit)}) if unfit else None
