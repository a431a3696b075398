"""From what is known of a play to the table state that is scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.in_the_ruin.play import Play, Player, Sheet


@dataclass(frozen=True)
class LeftOut:
    """A goal card that a player holds and that cannot be scored: the sheet does not have its `letters` any more."""

    player: str
    place: int
    card: tuple[str, str]
    letters: tuple[str, ...]


@dataclass(frozen=True)
class TableState:
    """What is scored.

    Attributes:
        state: the public JSON object; None while no player has a sheet.
        ids: the player's id at each place of `state["players"]`.
        so_far: players without a sheet of the end: they count as if the game ended with the sheet they have.
        cards: for each player of the state, the place of each of its `goals` among the cards that the player holds.
        left_out: the cards held that are not in the state.
    """

    state: dict[str, Any] | None
    ids: tuple[str, ...]
    so_far: frozenset[str]
    cards: tuple[tuple[int, ...], ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def table_state(play: Play, letters: Mapping[str, Any]) -> TableState:
    """The state of all players who have a sheet; `letters` are the sheet's, as [row, column]."""
    scored = [player for player in play.players if player.last_stage]
    if not scored:
        return TableState(None, (), frozenset())
    # The sheet can be corrected after a card was entered: one with a letter that is gone must not stop all the rest.
    left_out = tuple(card for player in scored for card in _left_out(player, letters))
    gone = {(card.player, card.place) for card in left_out}
    cards = tuple(tuple(i for i in range(len(p.goals)) if (p.id, i) not in gone) for p in scored)
    state: dict[str, Any] = {
        "game": "in-the-ruin",
        "letters": {letter: list(cell) for letter, cell in letters.items()},
        "players": [_player(player, letters, held) for player, held in zip(scored, cards, strict=True)],
    }
    if play.charge_blocks:
        state["charge_blocks"] = True
    so_far = frozenset(p.id for p in scored if not p.sheets["end"].known)
    return TableState(state, tuple(p.id for p in scored), so_far, cards, left_out)


def _left_out(player: Player, letters: Mapping[str, Any]) -> list[LeftOut]:
    gone = [tuple(letter for letter in card if letter not in letters) for card in player.goals]
    return [LeftOut(player.id, i, player.goals[i], missing) for i, missing in enumerate(gone) if missing]


def _player(player: Player, letters: Mapping[str, Any], cards: tuple[int, ...]) -> dict[str, Any]:
    last, first = player.sheets[player.last_stage or "end"], player.sheets["first"]

    def destinations(sheet: Sheet) -> list[str]:
        # A sheet can be corrected after it was read: a letter that it does not have any more is no destination.
        return [letter for letter in sheet.destination_letters() if letter in letters]

    out: dict[str, Any] = {
        "name": player.name,
        "map": last.map(),
        "destinations": destinations(last),
        "gems": player.tick_count("gems"),
        "penalties": player.tick_count("penalties"),
        "escaped": player.escaped,
        "goals": [list(player.goals[i]) for i in cards],
    }
    if first.known:
        out["first_map"] = first.map()
        out["first_destinations"] = destinations(first)
    if player.first_square is not None:
        out["first_square"] = player.first_square
    return out
