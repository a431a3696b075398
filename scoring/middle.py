"""What lies in the middle of the table: checked for its shape and the box, never scored.

The keys are those of the looks; each game's reader takes them beside its own, so that what the referee
believes can be scored as it is. `"?"` stands for what is not known. All raise StateError.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from scoring.errors import MISSING, StateError
from scoring.fields import NO_LIMIT, State, an_object, count, items, known, number, one_of, pointer, words_of

UNKNOWN: Final = "?"


def count_or_unknown(fields: State, key: str, place: str, most: int = NO_LIMIT, least: int = 0) -> None:
    """A whole number, or `"?"`."""
    if key in fields and fields[key] != UNKNOWN:
        number(fields[key], pointer(place, key), least, most)


def counts(fields: State, key: str, place: str, box: Mapping[str, int]) -> Mapping[str, int]:
    """Pieces by kind, each no more than the box holds; empty where it is left out."""
    given = an_object(fields.get(key, {}), pointer(place, key))
    known(given, frozenset(box), pointer(place, key))
    for kind, n in given.items():
        number(n, f"{place}/{key}/{kind}", 0, box[kind])
    return given


def several(fields: State, key: str, place: str, words: Collection[Any]) -> None:
    """A list of some of these values, `"?"` where one is not known."""
    for i, value in enumerate(items(fields, key, place)):
        if type(value) not in (int, str) or (value not in words and value != UNKNOWN):
            raise StateError(f"{place}/{key}/{i}", "one-of", value, {"words": tuple(map(str, words))})


def each(fields: State, key: str, place: str, check: Callable[[object, str], object]) -> None:
    """A list whose members are checked one by one; `"?"` is one that is not known."""
    for i, value in enumerate(items(fields, key, place)):
        if value != UNKNOWN:
            check(value, f"{place}/{key}/{i}")


# Twelve Seekers

SEEKERS_GAME: Final = frozenset({"dungeon", "seekers_left", "order_cards", "color_card", "thrown"})
ORDER_CARDS: Final = (1, 2, 3, 4)


def twelve_seekers(state: State, box: Mapping[str, int], seekers: Collection[Any], lying: Mapping[str, int]) -> None:
    """The row, the field, the order cards, rule 19's color, the gems out of the game. `lying`: what players have."""
    row = words_of(state, "dungeon", (*box, UNKNOWN), "")
    thrown = counts(state, "thrown", "", {kind: n for kind, n in box.items() if kind != "gold"})
    several(state, "seekers_left", "", seekers)
    several(state, "order_cards", "", ORDER_CARDS)
    if "color_card" in state and state["color_card"] is not None:
        one_of(
            state["color_card"], (*[kind for kind in box if kind not in ("rainbow", "gold")], UNKNOWN), "/color_card"
        )
    for kind, most in box.items():
        n = row.count(kind) + lying.get(kind, 0) + thrown.get(kind, 0)
        if n > most and kind in row:
            raise StateError("/dungeon", "in-the-box", n, {"kind": kind, "most": most})


# Splendor

SPLENDOR_GAME: Final = frozenset({"supply", "market", "nobles_left", "decks"})
SPLENDOR_PLAYER: Final = frozenset({"kept"})
SPLENDOR_CARD: Final = frozenset({"level", "price"})
LEVELS: Final = 3
MOST_ASKED: Final = 14
"""Tokens of one color that a card may cost; printed cards ask up to 7, and 14 in all."""


def splendor(state: State, box: Mapping[str, int], most_points: int) -> None:
    """The supply, the open cards, the nobles that lie there, the decks."""
    counts(state, "supply", "", box)
    colors = frozenset(box) - {"gold"}
    each(state, "market", "", lambda card, place: splendor_card(card, place, colors, most_points))
    each(state, "nobles_left", "", lambda noble, place: _asked(noble, place, colors))
    several(state, "decks", "", range(1, LEVELS + 1))


def splendor_card(card: object, place: str, colors: Collection[str], most_points: int) -> None:
    """A card as it lies in the market, or kept: whole, or by its back."""
    fields = an_object(card, place)
    known(fields, frozenset({"points", "bonus"}) | SPLENDOR_CARD, place)
    splendor_face(fields, place, colors)
    count(fields, "points", place, most_points)
    if "bonus" in fields:
        one_of(fields["bonus"], colors, f"{place}/bonus")


def splendor_face(card: State, place: str, colors: Collection[str]) -> None:
    """The level and the price of a card."""
    count_or_unknown(card, "level", place, LEVELS, 1)
    if "price" in card and card["price"] != UNKNOWN:
        _asked(card["price"], f"{place}/price", colors)


def splendor_kept(row: State, place: str, box: Mapping[str, int], most_points: int, most: int) -> None:
    """The kept cards; `reserved` is how many."""
    kept = items(row, "kept", place)
    colors = frozenset(box) - {"gold"}
    each(row, "kept", place, lambda card, here: splendor_card(card, here, colors, most_points))
    if len(kept) > most or ("kept" in row and "reserved" in row and row["reserved"] != len(kept)):
        raise StateError(f"{place}/kept", "number-between", len(kept), {"least": 0, "most": row.get("reserved", most)})


def _asked(value: object, place: str, colors: Collection[str]) -> None:
    fields = an_object(value, place)
    known(fields, frozenset(colors), place)
    for color, n in fields.items():
        number(n, f"{place}/{color}", 0, MOST_ASKED)


# Human Angel Demon

CARDS_GAME: Final = frozenset({"market", "deck"})
CARDS_PLAYER: Final = frozenset({"hand_size"})
CARDS: Final = 100


def human_angel_demon(state: State, check: Callable[[object, str], object]) -> None:
    """The market and the deck; the hands' sizes."""
    each(state, "market", "", check)
    count_or_unknown(state, "deck", "", CARDS)
    for i, row in enumerate(state["players"]):
        count_or_unknown(row, "hand_size", f"/players/{i}", CARDS)


# Igna

IGNA_GAME: Final = frozenset({"discard_treasure", "discard_igna", "laid"})
IGNA_PLAYER: Final = frozenset({"tokens", "hand_size", "adventurer"})
IGNA_MOST: Final = 200
"""Cards or tokens; nobody has more."""


def igna(state: State, check: Callable[[object, str], object]) -> None:
    """The discard places, the treasure offered; the players' tokens, hands and adventurers."""
    each(state, "discard_treasure", "", check)
    items(state, "discard_igna", "")
    if state.get("laid") not in (None, UNKNOWN):
        check(state["laid"], "/laid")
    for i, row in enumerate(state["players"]):
        place = f"/players/{i}"
        count_or_unknown(row, "tokens", place, IGNA_MOST)
        count_or_unknown(row, "hand_size", place, IGNA_MOST)
        if "adventurer" in row:
            one_of(row["adventurer"], ("down", "open", UNKNOWN), f"{place}/adventurer")


# In the Ruin

RUIN_GAME: Final = frozenset({"round", "stage", "cards", "discarded", "deck"})
RUIN_PLAYER: Final = frozenset({"gates", "pawn"})
RUIN_CARDS: Final = 100
MOST_CELLS: Final = 8
STAGES: Final = 2


def in_the_ruin(state: State, letters: Collection[str], size: int) -> None:
    """The round, the row of cards, the deck; the players' gates and pawns."""
    count_or_unknown(state, "round", "", least=1)
    count_or_unknown(state, "stage", "", STAGES, 1)
    each(state, "cards", "", _exploration)
    several(state, "discarded", "", letters)
    count_or_unknown(state, "deck", "", RUIN_CARDS)
    for i, row in enumerate(state["players"]):
        each(row, "gates", f"/players/{i}", lambda value, place: _cell(value, place, size))
        if row.get("pawn") not in (None, UNKNOWN):
            _cell(row["pawn"], f"/players/{i}/pawn", size)


def _exploration(value: object, place: str) -> None:
    card = an_object(value, place)
    known(card, frozenset({"letter", "cells", "piece"}), place)
    if "cells" in card:
        number(card["cells"], f"{place}/cells", 1, MOST_CELLS)
    for i, row in enumerate(items(card, "piece", place)):
        if type(row) is not str or not {"#", "."}.issuperset(row):
            raise StateError(f"{place}/piece/{i}", "one-of", row, {"words": ("#", ".")})


def _cell(value: object, place: str, size: int) -> None:
    if type(value) is not list or len(value) != 2:
        raise StateError(place, "cell", value if value is not None else MISSING, {"most": size - 1})
    for i, n in enumerate(value):
        number(n, f"{place}/{i}", 0, size - 1)
