"""Igna (Kradia KP003): sets of three treasure cards, whose values stand on the game's help card."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from scoring import middle
from scoring.breakdown import Breakdown, Line, Note, PlayerScore, Value
from scoring.errors import StateError
from scoring.fields import State, an_object, count, flag, items, known, number, players, required, text
from scoring.house_rules import Question, Readings
from scoring.ranking import best, most_points

QUESTIONS: Final = (Question("bonus-cards", ("each", "once-a-set"), "silent", "igna/points"),)

KINDS: Final = ("same", "run", "mixed")
SETS_TO_END: Final = 4

STATE_KEYS: Final = middle.IGNA_GAME | {"game", "points", "players", "house_rules"}
POINTS_KEYS: Final = frozenset((*KINDS, "bonus"))
PLAYER_KEYS: Final = middle.IGNA_PLAYER | {"name", "sets"}
CARD_KEYS: Final = frozenset({"color", "number", "bonus"})
SHORT_CARD: Final = re.compile(r"([^\W\d_]+)([1-9][0-9]{0,8})(\*?)")


class Card(NamedTuple):
    color: str
    number: int
    bonus: bool


class Treasure(NamedTuple):
    """A set of three: its kind and its cards."""

    place: str
    kind: str
    cards: Sequence[Card]


class Player(NamedTuple):
    place: str
    name: str
    sets: Sequence[Treasure]


class Table(NamedTuple):
    """`points` are the values of the help card, None where they have not been entered."""

    points: Mapping[str, int] | None
    players: Sequence[Player]


def read(state: State) -> Table:
    """Check a state of this game. Raises StateError."""
    known(state, STATE_KEYS, "")
    points = None
    if "points" in state:
        given = an_object(state["points"], "/points")
        known(given, POINTS_KEYS, "/points")
        points = {key: count(given, key, "/points") for key in given}
    found = []
    for i, row in enumerate(players(state, PLAYER_KEYS)):
        place = f"/players/{i}"
        sets = [_set(value, f"{place}/sets/{n}") for n, value in enumerate(items(row, "sets", place))]
        found.append(Player(place, row["name"], sets))
    middle.igna(state, _card)
    return Table(points, found)


def _set(value: object, place: str) -> Treasure:
    if type(value) is not list or len(value) != 3:
        raise StateError(place, "igna-set", value, {"n": 3})
    cards = [_card(card, f"{place}/{i}") for i, card in enumerate(value)]
    kind = _kind(cards)
    if kind is None:
        raise StateError(place, "igna-set", value, {"n": 3})
    return Treasure(place, kind, cards)


def _kind(cards: Sequence[Card]) -> str | None:
    """One color and number; one color and three numbers in a row; three colors and one number."""
    colors = len({card.color for card in cards})
    numbers = sorted(card.number for card in cards)
    if numbers[0] == numbers[2]:
        return {1: "same", 3: "mixed"}.get(colors)
    in_a_row = numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
    return "run" if colors == 1 and in_a_row else None


def _card(value: Any, place: str) -> Card:
    if type(value) is str:
        short = SHORT_CARD.fullmatch(value)
        if not short:
            raise StateError(place, "igna-card", value)
        return Card(short[1], int(short[2]), bool(short[3]))
    if type(value) is not dict:
        raise StateError(place, "igna-card", value)
    known(value, CARD_KEYS, place)
    color = text(value, "color", place)
    return Card(color, number(required(value, "number", place), f"{place}/number", 1), flag(value, "bonus", place))


def score(table: Table, readings: Readings, explain: bool) -> Breakdown:
    """Every player's points, null where the help card's values are needed and missing; the winners at four sets."""
    once = readings["bonus-cards"] == "once-a-set"
    scores = tuple(PlayerScore(player.name, tuple(_lines(player, table.points, once))) for player in table.players)
    notes = _notes(table, once)
    winners: tuple[str, ...] = ()
    ended = [player for player in table.players if len(player.sets) >= SETS_TO_END]
    if len(ended) > 1:
        where = tuple(f"{player.place}/sets" for player in ended)
        names: dict[str, Value] = {"names": tuple(player.name for player in ended), "n": SETS_TO_END}
        notes.append(Note("igna.ended-twice", names, where, "igna/end"))
    if not ended:
        notes.append(Note("igna.goes-on", {"n": SETS_TO_END}, source="igna/end"))
    elif top := most_points(scores):
        winners = best(scores, [player.total for player in scores])
        if len(top) > 1:
            values: dict[str, Value] = {"names": winners, "points": scores[top[0]].total or 0}
            notes.append(Note("igna.tie", values, source="igna/end"))
    return Breakdown("igna", scores, winners, (), tuple(notes))


def _lines(player: Player, points: Mapping[str, int] | None, once: bool) -> list[Line]:
    """A line for each set and each bonus card, which pay `once` in a set or each.

    Without values, a line of null stands even where nothing lies.
    """
    source = "igna/points"
    lines = []
    for treasure in player.sets:
        worth = None if points is None else points.get(treasure.kind)
        cards = tuple(f"{treasure.place}/{i}" for i in range(3))
        lines.append(Line(f"igna.set.{treasure.kind}", worth, cards, _values(treasure), source))
        paid = False
        for i, card in enumerate(treasure.cards):
            if card.bonus:
                bonus = None if points is None else points.get("bonus", 0)
                values: dict[str, Value] = {"hue": card.color, "n": card.number}
                if once and paid:
                    lines.append(Line("igna.bonus-again", 0, (cards[i],), values, source))
                else:
                    lines.append(Line("igna.bonus", bonus, (cards[i],), values, source))
                paid = True
    if points is None and not lines:
        lines.append(Line("igna.unknown", None, (), {"n": 0}, source))
    return lines


def _values(treasure: Treasure) -> dict[str, Value]:
    return {
        "hues": tuple(dict.fromkeys(card.color for card in treasure.cards)),
        "numbers": tuple(sorted({card.number for card in treasure.cards})),
    }


def _notes(table: Table, once: bool) -> list[Note]:
    if table.points is None:
        return [Note("igna.no-points")]
    sets = [treasure for player in table.players for treasure in player.sets]
    notes = []
    unknown = tuple(kind for kind in KINDS if kind not in table.points and any(s.kind == kind for s in sets))
    if unknown:
        notes.append(Note("igna.unknown-kind", {"sets": unknown}))
    left = tuple(kind for kind in KINDS if kind not in table.points and kind not in unknown)
    if table.points and left:
        notes.append(Note("igna.values-left", {"sets": left}))
    if "bonus" not in table.points and any(card.bonus for treasure in sets for card in treasure.cards):
        notes.append(Note("igna.no-bonus"))
    for treasure in sets:
        where = tuple(f"{treasure.place}/{i}" for i, card in enumerate(treasure.cards) if card.bonus)
        if len(where) > 1 and table.points.get("bonus") and not once:
            notes.append(Note("igna.bonus-each", {"n": len(where)}, where))
    for player in table.players:
        if len(player.sets) > SETS_TO_END:
            values: dict[str, Value] = {"name": player.name, "n": len(player.sets), "most": SETS_TO_END}
            notes.append(Note("igna.sets-many", values, (f"{player.place}/sets",)))
    return notes


def sample(rng: Random) -> dict[str, Any]:
    """A random legal table state: two to four players; the help card's values known, in part or not at all."""
    colors = ["red", "blue", "green", "yellow"]

    def treasure() -> list[Any]:
        n = rng.randint(1, 5)
        kind = rng.randint(0, 2)
        one = rng.choice(colors)
        picked = rng.sample(colors, 3) if kind == 0 else [one] * 3
        numbers = [n, n + 1, n + 2] if kind == 1 else [n] * 3
        cards: list[Any] = []
        for color, value in zip(picked, numbers, strict=True):
            bonus = rng.random() < 0.2
            short = f"{color}{value}{'*' if bonus else ''}"
            cards.append(short if rng.random() < 0.7 else {"color": color, "number": value, "bonus": bonus})
        rng.shuffle(cards)
        return cards

    names = "ABCD"[: rng.randint(2, 4)]
    players = [{"name": name, "sets": [treasure() for _ in range(rng.randint(0, 4))]} for name in names]
    state: dict[str, Any] = {"game": "igna", "players": players}
    if rng.random() < 0.8:
        points = {"same": 3, "run": 2, "mixed": 1, "bonus": 1}
        state["points"] = {kind: n for kind, n in points.items() if rng.random() < 0.95}
    return state
