"""Igna (Kradia KP003): sets of three treasure cards, whose values stand on the game's help card."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from scoring.breakdown import Breakdown, Line, Note, PlayerScore, Value
from scoring.errors import StateError
from scoring.fields import (
    UNKNOWN,
    State,
    an_object,
    count,
    count_or_unknown,
    each,
    flag,
    items,
    known,
    members,
    number,
    one_of,
    players,
    required,
    text,
)
from scoring.house_rules import Question, Readings
from scoring.ranking import best, most_points

QUESTIONS: Final = (Question("bonus-cards", ("each", "once-a-set"), "silent", "igna/points"),)

KINDS: Final = ("same", "run", "mixed")
SETS_TO_END: Final = 4
MOST_KEPT: Final = 10_000
"""Cards, sets and lines that are kept for when they come again."""

IGNA_GAME: Final = frozenset({"discard_treasure", "discard_igna", "laid"})
IGNA_PLAYER: Final = frozenset({"tokens", "hand_size", "adventurer"})
IGNA_MOST: Final = 200
"""Cards or tokens; nobody has more."""

STATE_KEYS: Final = IGNA_GAME | {"game", "points", "players", "house_rules"}
POINTS_KEYS: Final = frozenset((*KINDS, "bonus"))
PLAYER_KEYS: Final = IGNA_PLAYER | {"name", "sets"}
CARD_KEYS: Final = frozenset({"color", "number", "bonus"})
SHORT_CARD: Final = re.compile(r"([^\W\d_]+)([1-9][0-9]{0,8})(\*?)")
SPELLINGS: Final = {
    "red": ("赤", "赤色", "あか", "レッド"),
    "yellow": ("黄", "黄色", "きいろ", "イエロー"),
    "green": ("緑", "緑色", "みどり", "グリーン"),
    "blue": ("青", "青色", "あお", "ブルー"),
    "purple": ("紫", "紫色", "むらさき", "パープル"),
    "white": ("白", "白色", "しろ", "ホワイト"),
    "black": ("黒", "黒色", "くろ", "ブラック"),
}
"""Other words for a color. The rulebook names no colors: any other word is a color of its own."""
COLOR_OF: Final = {word: color for color, words in SPELLINGS.items() for word in words}
NO_SET: Final = ""
"""The kind of a group that is no set."""


class Card(NamedTuple):
    """`written` is the color's word as the state has it."""

    color: str
    number: int
    bonus: bool
    written: str


class Treasure(NamedTuple):
    """A group of three cards: its kind, `NO_SET` where it is none, and its cards."""

    place: str
    kind: str
    cards: tuple[Card, ...]


class Player(NamedTuple):
    """Groups of three in front of a player, and those of them that are valid sets."""

    place: str
    name: str
    groups: Sequence[Treasure]
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
        groups = [_group(value, f"{place}/sets/{n}") for n, value in enumerate(items(row, "sets", place))]
        found.append(Player(place, row["name"], groups, [group for group in groups if group.kind]))
    _middle(state)
    return Table(points, found)


def _group(value: object, place: str) -> Treasure:
    if type(value) is not list or len(value) != 3:
        raise StateError(place, "igna-set", value, {"n": 3})
    cards = tuple([_card(card, where) for card, where in zip(value, members(place, 3), strict=True)])
    return Treasure(place, _kind(cards), cards)


@lru_cache(maxsize=MOST_KEPT)
def _kind(cards: tuple[Card, ...]) -> str:
    """One color and number; one color and three numbers in a row; three colors and one number; `NO_SET`."""
    colors = len({card.color for card in cards})
    numbers = sorted(card.number for card in cards)
    if numbers[0] == numbers[2]:
        return {1: "same", 3: "mixed"}.get(colors, NO_SET)
    in_a_row = numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
    return "run" if colors == 1 and in_a_row else NO_SET


def _card(value: Any, place: str) -> Card:
    if type(value) is not dict:
        short = _short_card(value) if type(value) is str else None
        if short is None:
            raise StateError(place, "igna-card", value)
        return short
    known(value, CARD_KEYS, place)
    color = text(value, "color", place)
    n = number(required(value, "number", place), f"{place}/number", 1)
    return Card(_color(color), n, flag(value, "bonus", place), color)


@lru_cache(maxsize=MOST_KEPT)
def _color(written: str) -> str:
    """The color that a word means, in any case and width."""
    folded = normalize("NFKC", written).casefold().strip()
    return COLOR_OF.get(folded, folded)


@lru_cache(maxsize=MOST_KEPT)
def _short_card(code: str) -> Card | None:
    """The card of a short text, None where it is none."""
    short = SHORT_CARD.fullmatch(normalize("NFKC", code).strip())
    return Card(_color(short[1]), int(short[2]), bool(short[3]), _written(code)) if short else None


def _written(code: str) -> str:
    """The color's word in the short text of a card."""
    return re.split(r"\d", code.strip(), maxsplit=1)[0]


def score(table: Table, readings: Readings, explain: bool) -> Breakdown:
    """Every player's points, null where the help card's values are needed and missing; the winners at four sets."""
    once = readings["bonus-cards"] == "once-a-set"
    scores = tuple(PlayerScore(player.name, tuple(_lines(player, table.points, once))) for player in table.players)
    notes = _notes(table, once)
    winners: tuple[str, ...] = ()
    ended = [player for player in table.players if len(player.sets) >= SETS_TO_END]
    if len(ended) > 1:
        where = tuple(f"{player.place}/sets" for player in ended)
        who = tuple(player.name for player in ended)
        names: dict[str, Value] = {"names": who, "n": SETS_TO_END, "rule": "I10"}
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
    for treasure in player.groups:
        cards = members(treasure.place, 3)
        if treasure.kind == NO_SET:
            lines.append(Line("igna.no-set", 0, cards, _values(treasure.cards), "igna/sets"))
            continue
        worth = None if points is None else points.get(treasure.kind)
        lines.append(Line(f"igna.set.{treasure.kind}", worth, cards, _values(treasure.cards), source))
        paid = False
        for i, card in enumerate(treasure.cards):
            if card.bonus:
                bonus = None if points is None else points.get("bonus", 0)
                lines.append(_bonus(cards[i], card, 0 if once and paid else bonus, once and paid))
                paid = True
    if points is None and not player.sets:
        lines.append(Line("igna.unknown", None, (), {"n": 0}, source))
    return lines


@lru_cache(maxsize=MOST_KEPT)
def _bonus(place: str, card: Card, points: int | None, again: bool) -> Line:
    """The line of a bonus card, the same one where the same comes again."""
    key = "igna.bonus-again" if again else "igna.bonus"
    return Line(key, points, (place,), {"hue": card.color, "n": card.number}, "igna/points")


@lru_cache(maxsize=MOST_KEPT)
def _values(cards: tuple[Card, ...]) -> Mapping[str, Value]:
    return {
        "hues": tuple(dict.fromkeys(card.color for card in cards)),
        "numbers": tuple(sorted({card.number for card in cards})),
    }


def _notes(table: Table, once: bool) -> list[Note]:
    notes = [*_broken(table), *_spellings(table)]
    if table.points is None:
        return [*notes, Note("igna.no-points")]
    sets = [treasure for player in table.players for treasure in player.sets]
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
    return notes


def _broken(table: Table) -> Iterator[Note]:
    """What lies there though the rules forbid it: groups that are no sets, more sets than end the game."""
    values: dict[str, Value]
    for player in table.players:
        for group in player.groups:
            if group.kind == NO_SET:
                cards = tuple(f"{card.color}{card.number}{'*' * card.bonus}" for card in group.cards)
                values = {"name": player.name, "cards": cards, "rule": "I5"}
                yield Note("igna.no-set", values, members(group.place, 3), "igna/sets")
        if (n := len(player.sets)) > SETS_TO_END:
            values = {"name": player.name, "n": n, "most": SETS_TO_END, "rule": "I10"}
            yield Note("igna.sets-many", values, (f"{player.place}/sets",), "igna/end")


def _spellings(table: Table) -> Iterator[Note]:
    """Colors that are written in more than one way: they are one color."""
    groups = [group for player in table.players for group in player.groups]
    if all(card.written == card.color for group in groups for card in group.cards):
        return
    written: dict[str, dict[str, str]] = {}
    for group in groups:
        for i, card in enumerate(group.cards):
            written.setdefault(card.color, {}).setdefault(card.written, f"{group.place}/{i}")
    for color, words in written.items():
        if len(words) > 1:
            yield Note("igna.spellings", {"color": color, "words": tuple(words)}, tuple(words.values()))


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


def _middle(state: State) -> None:
    """The discard places, the treasure offered; the players' tokens, hands and adventurers: checked, never scored."""
    each(state, "discard_treasure", "", _card)
    items(state, "discard_igna", "")
    if state.get("laid") not in (None, UNKNOWN):
        _card(state["laid"], "/laid")
    for i, row in enumerate(state["players"]):
        place = f"/players/{i}"
        count_or_unknown(row, "tokens", place, IGNA_MOST)
        count_or_unknown(row, "hand_size", place, IGNA_MOST)
        if "adventurer" in row:
            one_of(row["adventurer"], ("down", "open", UNKNOWN), f"{place}/adventurer")
