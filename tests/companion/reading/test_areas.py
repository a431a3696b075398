"""Areas that are proposed from where cards lie: tables as players lay them, seen from above."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import GAMES
from companion.live.set_up import checks
from companion.reading.areas import Proposal, proposed
from vision.table.reading import Card, TableReading, Tile

SIZE = (1600, 1000)
CARD = (63, 88)


def card(x: float, y: float, kind: str = "development", quarter: int = 0, **more: Any) -> Card:
    """A card about (x, y), turned clockwise by quarters."""
    a = np.radians(90 * quarter)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD) / 2 @ turn
    return Card(None, {"kind": kind, **more}, None, corners + np.array([x, y]))


def gem(x: float, y: float) -> Tile:
    at = np.array([x, y])
    outline = at + 11 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return Tile("red", None, None, None, at, outline, 0.99)


def row(x: float, y: float, n: int, kind: str, quarter: int = 0) -> list[Card]:
    return [card(x + 70 * i * (quarter % 2 == 0), y + 70 * i * (quarter % 2), kind, quarter) for i in range(n)]


MARKET = [card(600 + 75 * k, 350 + 100 * (3 - level), level=level) for level in (1, 2, 3) for k in range(4)]


def column(x: float, y: float, n: int, quarter: int = 0) -> list[Card]:
    """Bought cards in a column, of which all but one are covered."""
    return [card(x, y + 30 * i * (1 if quarter == 0 else -1), quarter=quarter, level=1 + i % 2) for i in range(n)]


NEAR = [*column(300, 850, 2), *column(370, 850, 1)]
FAR = [*column(900, 200, 3, 2), *column(1100, 200, 1, 2)]


def around(kind: str) -> list[list[Card]]:
    """Three cards on each side of a table, near, left, far, right."""
    places = [(700, 900, 0), (150, 400, 1), (700, 150, 2), (1450, 400, 3)]
    return [row(x, y, 3, kind, quarter) for x, y, quarter in places]


ROWS, TITLES = around("treasure"), around("card")
TABLES = {
    "two opposite": ("splendor", [*MARKET, *NEAR, *FAR], {"A": NEAR, "B": FAR, "market": MARKET}),
    "two side by side": (
        "splendor",
        [*MARKET, *NEAR, *(beside := column(1200, 850, 2))],
        {"A": NEAR, "B": beside, "market": MARKET},
    ),
    "a noble lies beside its player's cards": (
        "splendor",
        [*MARKET, *NEAR, *(noble := [card(440, 850, "noble")])],
        {"A": [*NEAR, *noble], "market": MARKET},
    ),
    "the offered treasure is nobody's": (
        "igna",
        [*ROWS[0], *ROWS[2], *(offered := [card(770, 500, "treasure")])],
        {"A": ROWS[0], "B": ROWS[2], "laid": offered},
    ),
    "three around a table": (
        "human-angel-demon",
        [*TITLES[0], *TITLES[1], *TITLES[3], *(open_ := row(700, 480, 4, "card"))],
        {"A": TITLES[0], "B": TITLES[1], "C": TITLES[3], "market": open_},
    ),
}


def laid(
    game: str, cards: Any, players: int | None = None, zones: Any = None, tiles: Any = ()
) -> dict[str, np.ndarray]:
    return proposal(game, cards, players, zones, tiles).areas


def proposal(
    game: str, cards: Any, players: int | None = None, zones: Any = None, tiles: Any = (), n: int = 0
) -> Proposal:
    return proposed(TableReading(tuple(tiles), tuple(cards), zones or {}, ()), GAMES[game], SIZE, players, n)


def inside(area: np.ndarray, at: np.ndarray) -> bool:
    return bool((area.min(0) <= at).all() and (at <= area.max(0)).all())


@pytest.mark.parametrize("table", TABLES)
def test_each_players_cards_lie_in_an_area_of_their_own(table: str) -> None:
    game, cards, whose = TABLES[table]
    areas = laid(game, cards)
    assert areas.keys() == whose.keys()
    for name, mine in whose.items():
        for one in mine:
            assert [a for a, area in areas.items() if inside(area, one.polygon.mean(0))] == [name]


QUARTERS = {
    "sets 6 cm apart": [
        [*row(x, y, 3, "card"), *row(x + 265, y, 3, "card")] for x, y in ((60, 150), (700, 150), (60, 400))
    ],
    "rows of seven": [row(x, y, 7, "card") for x, y in ((60, 100), (700, 100), (60, 300), (700, 300))],
    "close together": [row(x, y, n, "card") for x, y, n in ((60, 100, 5), (540, 100, 2), (60, 300, 3), (540, 300, 6))],
}


@pytest.mark.parametrize("table", QUARTERS)
def test_where_people_say_how_many_play_hands_a_hands_breadth_apart_are_each_a_players(table: str) -> None:
    hands = QUARTERS[table]
    areas = laid("human-angel-demon", [one for hand in hands for one in hand], players=len(hands))
    whose = [{a for one in hand for a, area in areas.items() if inside(area, one.polygon.mean(0))} for hand in hands]
    assert all(len(names) == 1 for names in whose)
    assert set.union(*whose) == set("ABCD"[: len(hands)])


def test_what_an_unknown_deck_says_of_its_levels_stops_nothing() -> None:
    cards = [
        replace(one, card={"kind": "development", "level": level})
        for one, level in zip(MARKET, ["x", 1, None, 2.5, 2, True] * 2, strict=True)
    ]
    assert laid("splendor", [*cards, *NEAR], players=2) is not None


def test_an_area_begins_at_its_players_own_top_left() -> None:
    areas = laid("splendor", [*MARKET, *NEAR, *FAR])
    near, far = areas["A"], areas["B"]
    assert near[0] == pytest.approx(near.min(0))
    assert far[0] == pytest.approx(far.max(0))


@pytest.mark.parametrize("cards", [[], MARKET, [*MARKET, card(300, 300, "noble")]])
def test_nobodys_place_is_proposed_before_it_is_said_how_many_play(cards: list[Card]) -> None:
    assert laid("splendor", cards).keys() == ({"market"} if cards else set())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_before_the_first_turn_places_lie_beside_the_middle_and_apart(players: int) -> None:
    ways = proposal("splendor", MARKET, players).ways
    assert ways >= 1
    for n in range(ways):
        areas = proposal("splendor", MARKET, players, n=n).areas
        assert [*areas] == ["market", *"ABCD"[:players]]
        boxes = [(area.min(0), area.max(0)) for area in areas.values()]
        for i, (low, high) in enumerate(boxes):
            for other_low, other_high in boxes[i + 1 :]:
                assert (np.minimum(high, other_high) - np.maximum(low, other_low)).min() <= 0
        assert all(inside(areas["market"], one.polygon.mean(0)) for one in MARKET)


ROW = [gem(420 + 24 * i, 120 + i) for i in range(39)]
SEATINGS = {
    "beside each other below a row far up": (ROW, "A left of B"),
    "opposite around a row in the middle": ([gem(420 + 24 * i, 500) for i in range(39)], "B above A"),
}


@pytest.mark.parametrize("where", SEATINGS)
def test_a_long_row_is_the_dungeon_and_places_lie_where_there_is_room(where: str) -> None:
    tiles, how = SEATINGS[where]
    areas = laid("twelve-seekers", [], tiles=tiles)
    assert [*areas] == ["dungeon", "A", "B"]
    assert all(inside(areas["dungeon"], one.center) for one in tiles)
    (ax, ay), (bx, by) = areas["A"].mean(0), areas["B"].mean(0)
    assert (ax < bx and abs(ay - by) < 50) if how == "A left of B" else by + 300 < ay


def test_a_player_across_the_row_reads_it_from_there() -> None:
    far = laid("twelve-seekers", [], tiles=SEATINGS["opposite around a row in the middle"][0])["B"]
    assert far[0] == pytest.approx(far.max(0))


HEAPS = {
    "two rows": [gem(400 + 24 * i, 300 + 24 * k) for i in range(6) for k in range(3)],
    "two halves apart": [gem(100 + 24 * i + 600 * (i > 9), 300) for i in range(20)],
    "nine only": ROW[:9],
}


@pytest.mark.parametrize("heap", HEAPS)
def test_what_is_no_long_row_is_no_dungeon_and_no_place_is_guessed(heap: str) -> None:
    assert laid("twelve-seekers", [], tiles=HEAPS[heap]) == {}


def colored(colors: str) -> list[Tile]:
    names = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "p": "purple", "*": "rainbow", "o": "gold"}
    return [replace(gem(420 + 24 * i, 500), color=names[one]) for i, one in enumerate(colors)]


WHOLE = "rygbp" * 7 + "*ooo"
CHECKS = {
    "all there": (WHOLE, [("set-up.tiles", {"n": 39}, True), ("set-up.empty", {"n": 2}, True)]),
    "one blue is gone": (
        WHOLE.replace("b", "", 1),
        [("set-up.tiles.missing", {"n": 1, "colors": ["blue"]}, False), ("set-up.empty", {"n": 2}, True)],
    ),
    "a fourth gold": (
        WHOLE + "o",
        [("set-up.tiles.more", {"colors": ["gold"]}, False), ("set-up.empty", {"n": 2}, True)],
    ),
}


@pytest.mark.parametrize(("turned", "rows"), [(0, 1), (0, 2), (3, 2), (-3, 1), (90, 1)])
def test_before_the_first_turn_it_is_said_in_which_order_rows_are_read(turned: int, rows: int) -> None:
    each = -(-len(WHOLE) // rows)
    tiles = [
        replace(one, polygon=one.polygon + moved, center=one.center + moved)
        for i, one in enumerate(colored(WHOLE))
        for moved in [np.array([-24.0 * each * (i // each), 28.0 * (i // each)])]
    ]
    angle = np.radians(turned)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = np.array(SIZE) / 2
    tiles = [
        replace(one, polygon=(one.polygon - middle) @ turn.T + middle, center=(one.center - middle) @ turn.T + middle)
        for one in tiles
    ]
    reading = TableReading(tuple(tiles), (), {}, ())
    game = GAMES["twelve-seekers"]
    found = checks(reading, proposed(reading, game, SIZE, players=2).areas, game)
    told = [one.message.values["n"] for one in found if one.message.key == "set-up.rows"]
    assert told == ([rows] if rows > 1 else [])


@pytest.mark.parametrize("what", CHECKS)
def test_what_is_missing_is_said_before_the_first_turn(what: str) -> None:
    colors, said = CHECKS[what]
    reading = TableReading(tuple(colored(colors)), (), {}, ())
    game = GAMES["twelve-seekers"]
    found = checks(reading, proposed(reading, game, SIZE).areas, game)
    assert [(one.message.key, dict(one.message.values), one.fits) for one in found] == said


def test_how_many_play_tells_groups_that_nobody_could_tell_apart() -> None:
    cards = [*MARKET, *column(500, 850, 2), *column(700, 850, 2)]
    assert laid("splendor", cards).keys() == {"market", "A"}
    assert laid("splendor", cards, players=2).keys() == {"market", "A", "B"}


def test_beside_areas_that_are_there_only_another_players_is_proposed() -> None:
    areas = laid("splendor", [*MARKET, *NEAR, *FAR])
    known = {name: areas[name] for name in ("A", "market")}
    assert laid("splendor", FAR, zones=known).keys() == {"B"}
    assert laid("splendor", column(*(areas["A"].max(0) + np.array([20, -90])), 1), zones=known) == {}


def test_gems_tell_of_players_where_there_are_no_areas_yet() -> None:
    lines = {"A": [gem(500 + 25 * i, 900) for i in range(5)], "B": [gem(500 + 25 * i, 100) for i in range(4)]}
    dungeon = [gem(450 + 25 * i, 500) for i in range(9)]
    seeker = card(700, 880, "seeker", power=3)
    tiles = [*lines["A"], *lines["B"], *dungeon]
    areas = laid("twelve-seekers", [seeker], tiles=tiles)
    assert areas.keys() == {"A", "B", "dungeon"}
    assert inside(areas["A"], seeker.polygon.mean(0))
    assert all(inside(areas[name], one.center) for name, line in lines.items() for one in line)
    assert laid("twelve-seekers", [seeker], tiles=tiles, zones={"A": areas["A"]}) == {}


@given(
    st.lists(st.tuples(st.floats(0, 1600), st.floats(0, 1000), st.integers(0, 3)), max_size=12),
    st.sampled_from([None, 2, 3, 4]),
)
def test_areas_lie_in_the_picture_whatever_lies_there(
    places: list[tuple[float, float, int]], players: int | None
) -> None:
    for area in laid("splendor", [card(x, y, quarter=q, level=1) for x, y, q in places], players).values():
        assert area.shape == (4, 2)
        assert ((area >= 0) & (area <= SIZE)).all()
