"""What lies on a table, as the state of the game in play, with the way back from each place to what was seen there.

The game makes a player's part of the state from the tiles and cards in that player's zones; what all games share
stands in `companion.games.zones`. What is not seen is left out: scoring says what it lacks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from common.messages import Message
from companion.games import game_of
from companion.games.zones import Table, laid_over, mistake, players_of
from companion.record import Observation
from vision.table.profile import TableProfile, TableProfileError


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
        places: JSON pointers into the state, each with the pieces that stand for it, by their index in the observation.
            What was typed has none.
        zones: the players' zones, in the order of the state's players.
        problems: what a person should know: of what was observed, and of how the state came about.
        kinds: the kinds of pieces that were seen on this table, now or before.
    """

    state: dict[str, Any]
    places: Mapping[str, tuple[int, ...]]
    zones: tuple[str, ...] = ()
    problems: tuple[Message, ...] = ()
    kinds: frozenset[str] = frozenset()


def table_state(
    observation: Observation,
    profile: TableProfile,
    entries: Entries | None = None,
    kinds: frozenset[str] = frozenset(),
) -> TableState:
    """The state that an observation shows, with what people typed laid over it.

    Args:
        kinds: the kinds of pieces that were seen on this table before. Of a kind of which none was ever seen nothing
            is said: that none lies there is not known.

    Raises TableProfileError: no such game.
    """
    game = game_of(profile)
    assert game.table is not None
    typed = entries or Entries()
    unfit = unfit_cards(profile)
    table = Table(observation, profile, typed.table, typed.players, frozenset(unfit), kinds)
    if seen := [one.marker for one in observation.pieces if one.marker is not None and one.marker in unfit]:
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
    return TableState(state, table.places, zones, (*observation.problems, *table.problems), table.kinds)


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
