"""Splendor: points of bought cards and nobles. Source: a player's description of the rules, not the rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from scoring.breakdown import Breakdown, Line, Note, PlayerScore
from scoring.errors import StateError
from scoring.fields import State, an_object, count, flag, items, known, number, one_of, players, pointer, required
from scoring.house_rules import Question, Readings
from scoring.ranking import best, most_points

QUESTIONS: Final = (Question("fewest-cards", ("bought", "with-reserved")),)

COLORS: Final = ("white", "blue", "green", "red", "black")
TOKENS: Final = (*COLORS, "gold")
NOBLE: Final = 3
GOAL: Final = 15
TOKEN_LIMIT: Final = 10
RESERVE_LIMIT: Final = 3

STATE_KEYS: Final = frozenset({"game", "players", "round_over", "house_rules"})
PLAYER_KEYS: Final = frozenset({"name", "cards", "nobles", "tokens", "reserved"})
CARD_KEYS: Final = frozenset({"points", "bonus"})


class Player(NamedTuple):
    """`cards` are the points of each bought card, `nobles` how many there are, `listed` whether each has its place."""

    place: str
    name: str
    cards: Sequence[int]
    nobles: int
    listed: bool
    reserved: int


class Table(NamedTuple):
    players: Sequence[Player]
    round_over: bool


def read(state: State) -> Table:
    """Check a state of this game. Raises StateError."""
    known(state, STATE_KEYS, "")
    rows = players(state, PLAYER_KEYS)
    return Table([_player(row, f"/players/{i}") for i, row in enumerate(rows)], flag(state, "round_over", ""))


def _player(row: State, place: str) -> Player:
    cards = []
    bonuses = dict.fromkeys(COLORS, 0)
    for i, card in enumerate(items(row, "cards", place)):
        here = f"{place}/cards/{i}"
        known(an_object(card, here), CARD_KEYS, here)
        cards.append(count(card, "points", here))
        bonuses[one_of(required(card, "bonus", here), COLORS, f"{here}/bonus")] += 1
    nobles = row.get("nobles", 0)
    listed = type(nobles) is list
    if listed:
        for i, noble in enumerate(nobles):
            _noble(noble, f"{place}/nobles/{i}", bonuses)
    elif type(nobles) is not int or nobles < 0:
        raise StateError(f"{place}/nobles", "nobles", nobles)
    tokens = an_object(row.get("tokens", {}), f"{place}/tokens")
    known(tokens, frozenset(TOKENS), f"{place}/tokens")
    held = sum(count(tokens, color, f"{place}/tokens") for color in tokens)
    if held > TOKEN_LIMIT:
        raise StateError(f"{place}/tokens", "tokens", held, {"most": TOKEN_LIMIT})
    reserved = count(row, "reserved", place, RESERVE_LIMIT)
    return Player(place, row["name"], cards, len(nobles) if listed else nobles, listed, reserved)


def _noble(noble: object, place: str, bonuses: dict[str, int]) -> None:
    """A noble's requirement, which the bought cards must meet; one set of cards may serve several nobles."""
    needs = an_object(noble, place)
    known(needs, frozenset(COLORS), place)
    if not needs:
        raise StateError(place, "noble", noble)
    for color, n in needs.items():
        if number(n, pointer(place, color), 0) > bonuses[color]:
            raise StateError(pointer(place, color), "noble-met", n, {"n": bonuses[color], "color": color})


def score(table: Table, readings: Readings, explain: bool) -> Breakdown:
    """Every player's points and, once someone has 15, the winners."""
    scores = tuple(PlayerScore(player.name, tuple(_lines(player))) for player in table.players)
    notes: list[Note] = []
    nobles, most = sum(player.nobles for player in table.players), len(table.players) + 1
    if nobles > most > 2:
        notes.append(Note("splendor.nobles-many", {"n": nobles, "most": most}))
    totals = [player.total or 0 for player in scores]
    if max(totals) < GOAL:
        return Breakdown("splendor", scores, (), (*notes, Note("splendor.goes-on", {"goal": GOAL})))
    if not table.round_over:
        notes.append(Note("splendor.round", {"goal": GOAL}))
    reserved = readings["fewest-cards"] == "with-reserved"
    cards = [len(player.cards) + (player.reserved if reserved else 0) for player in table.players]
    winners = best(scores, [(total, -n) for total, n in zip(totals, cards, strict=True)])
    if len(most_points(scores)) > 1:
        notes.append(Note("splendor.tie" if len(winners) == 1 else "splendor.tie-shared", {"names": winners}))
    return Breakdown("splendor", scores, winners, tuple(notes))


def _lines(player: Player) -> list[Line]:
    source = "splendor/points"
    lines = [
        Line("splendor.card", points, (f"{player.place}/cards/{i}",), {"n": points}, source)
        for i, points in enumerate(player.cards)
        if points
    ]
    plain = tuple(f"{player.place}/cards/{i}" for i, points in enumerate(player.cards) if not points)
    if plain:
        lines.append(Line("splendor.plain", 0, plain, {"n": len(plain)}, source))
    if player.nobles and player.listed:
        lines += [
            Line("splendor.noble", NOBLE, (f"{player.place}/nobles/{i}",), {"n": 1}, "splendor/nobles")
            for i in range(player.nobles)
        ]
    elif player.nobles:
        nobles = (f"{player.place}/nobles",)
        lines.append(Line("splendor.noble", NOBLE * player.nobles, nobles, {"n": player.nobles}, "splendor/nobles"))
    return lines
