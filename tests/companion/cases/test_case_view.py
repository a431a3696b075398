"""What pages get of a table at rest: each piece as it lies, what is asked about it, what is wrong, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from common.messages import Message
from companion.cases.case import Case, case_view
from companion.cases.table import TableState
from companion.cases.table_evidence import record, table_case
from companion.record import CARD, Observation, Piece
from companion.words.words import words
from vision.table.reading import Card, TableReading, Tile, tile_problems

EN = words("en")


def says(message: Message) -> str:
    """A card in a few words is the page's own."""
    card = message.values.get("card")
    return f"{card['bonus']} {card['points']}" if message.key == "card" and card else EN.told(message)


def square(x: float) -> np.ndarray:
    return np.array([[x, 0], [x + 9, 0], [x + 9, 9], [x, 9]], float)


def drawn(x: int) -> list[list[int]]:
    """The square on the page, from the corner of its first pixel."""
    return [[x, 0], [x + 10, 0], [x + 10, 10], [x, 10]]


def tile(color: str, zone: str | None, x: float, confidence: float = 0.9876, **doubt: Any) -> Tile:
    at = None if zone is None else 0
    return Tile(color, zone, at, at, np.zeros(2), square(x), confidence, bool(doubt), **doubt)


def kept(tiles: tuple[Tile, ...], cards: tuple[Card, ...], read: tuple[Tile, ...], **state: Any) -> dict[str, Any]:
    """The record of a table at rest; of the first tile a person said what it is."""
    seen = TableReading(tiles, cards, {"A": square(0), "B": square(50)}, tile_problems(tiles))
    table = TableState(state["state"], state["places"], ("A", "B"), seen.problems, frozenset({"gems", "cards"}))
    return record((100, 60), seen, frozenset({0}), (square(80),), table, TableReading(read, cards, {}, ()))


TILES = (
    tile("red", "A", 0),
    tile("blue", "A", 10, 0.5, doubt="tile.unsure"),
    tile("green", None, 20, doubt="tile.border", borders=("A", "B")),
    tile("gold", "A", 30, doubt="tile.stacked"),
)
GEMS = kept(
    TILES,
    (),
    (tile("yellow", "A", 0), *TILES[1:]),
    state={
        "game": "twelve-seekers",
        "rule": 8,
        "players": [{"name": "A", "line": ["red", "blue"]}, {"name": "B", "line": []}],
    },
    places={"/players/0/line/0": (0,), "/players/0/line/1": (1,)},
)


def test_each_tile_says_what_it_is_and_why_it_is_asked_about() -> None:
    shown = case_view(table_case(GEMS), "en", says)
    assert shown["evidence"] == [
        {
            "id": "table",
            "size": [100, 60],
            "pieces": [
                {"id": "p0", "label": "red", "polygon": drawn(0), "said": True, "zone": "A"}
                | {"color": "red", "read": "yellow", "sure": 99},
                {"id": "p1", "label": "blue", "polygon": drawn(10), "zone": "A", "color": "blue", "sure": 50}
                | {"why": "the color is not certain"},
                {"id": "p2", "label": "green", "polygon": drawn(20), "color": "green", "sure": 99, "border": True}
                | {"why": "on the border of A and B; it counts for nobody"},
                {"id": "p3", "label": "gold", "polygon": drawn(30), "zone": "A", "color": "gold", "sure": 99}
                | {"why": "it lies on top of another tile, or under it"},
            ],
        }
    ]
    assert shown["places"] == {"/players/0/line/0": ["p0"], "/players/0/line/1": ["p1"]}


def test_what_hangs_most_points_on_it_is_asked_first_and_what_is_wrong_names_its_tiles() -> None:
    shown = case_view(table_case(GEMS), "en", says)
    # As blue it costs what a line of two costs; as red it would be a pair.
    assert [(doubt["piece"], doubt["place"], doubt["points"]) for doubt in shown["doubts"]] == [
        ("p1", "/players/0/line/1", [0, 5]),
        ("p2", None, None),
        ("p3", None, None),
    ]
    assert shown["problems"] == [
        {"message": "A: 1 tile lies on top of another or under it (gold)", "pieces": ["p3"]},
        {"message": "1 tile lies on the border of A and B: green", "pieces": ["p2"]},
    ]


def test_a_record_keeps_where_all_lies_and_what_no_piece_is() -> None:
    assert {key: GEMS[key] for key in ("size", "gone", "zones", "players", "kinds", "places")} == {
        "size": [100, 60],
        "gone": [[[80.5, 0.5], [89.5, 0.5], [89.5, 9.5], [80.5, 9.5]]],
        "zones": {
            "A": [[0.5, 0.5], [9.5, 0.5], [9.5, 9.5], [0.5, 9.5]],
            "B": [[50.5, 0.5], [59.5, 0.5], [59.5, 9.5], [50.5, 9.5]],
        },
        "players": ["A", "B"],
        "kinds": ["cards", "gems"],
        "places": {"/players/0/line/0": [0], "/players/0/line/1": [1]},
    }
    assert GEMS["problems"][0] == ["tile.stacked", {"zone": "A", "n": 1, "colors": ["gold"], "tiles": [3]}]


def test_a_doubtful_card_names_those_that_it_may_be_and_that_it_is_none() -> None:
    shown = case_view(table_case(splendor_cards()), "en", says)
    sure, unsure, unread = shown["evidence"][0]["pieces"]
    assert (sure["label"], sure["known"], sure.get("why")) == ("black 0", True, None)
    assert (unsure["label"], unsure["known"]) == ("blue 1", True)
    assert unsure["why"] == says(Message("card.unsure"))
    assert ("known" in unread, unread["why"]) == (False, says(Message("card.unread")))
    assert [doubt["piece"] for doubt in shown["doubts"]] == ["p1", "p2"]
    assert [choice["label"] for choice in shown["doubts"][0]["choices"]] == [
        "blue 1",
        "blue 2",
        "This is no card",
    ]
    assert [choice["key"] for choice in shown["doubts"][1]["choices"]] == [""]


def splendor_cards() -> dict[str, Any]:
    black, blue, other = (
        {"kind": "development", "level": level, "points": points, "bonus": color}
        for level, color, points in ((1, "black", 0), (1, "blue", 1), (2, "blue", 2))
    )
    cards = (
        Card(7, black, "A", square(0)),
        Card(None, blue, "A", square(10), "mine", 0.5, True, (blue, other, {"kind": "development"})),
        Card(None, None, "B", square(20), "mine", 0.2, True),
    )
    players = [{"name": "A", "cards": [black, blue]}, {"name": "B", "cards": []}]
    places = {"/players/0/cards/0": (0,), "/players/0/cards/1": (1,)}
    return kept((), cards, (), state={"game": "splendor", "players": players}, places=places)


def test_a_sheet_s_picture_says_where_its_grid_lies() -> None:
    corners = [[[0, 0], [1, 0]]]
    piece = Piece("0.end.3.4", CARD, Message("color.red"), ((0.4, 0.6),), 1.0, None)
    shown = case_view(Case(None, {}, (Observation((piece,), id="0.end", lattice=corners),)), "en", says)
    assert shown["evidence"] == [
        {"id": "0.end", "size": None, "lattice": corners}
        | {"pieces": [{"id": "0.end.3.4", "label": "red", "polygon": [[0, 1]]}]}
    ]
    assert (shown["state"], shown["doubts"], shown["contradictions"]) == (None, [], [])
