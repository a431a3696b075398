"""Which pieces of a table a person is asked about."""

from __future__ import annotations

import pytest

from companion.cases.table_evidence import table_case


@pytest.mark.parametrize(
    ("tiles", "together"),
    [
        ("A? A? A? A?", ["p0", "p1", "p2", "p3"]),
        ("A? A? A?", []),  # three questions are soon answered
        ("A? A? A A? A?", []),  # one is sure: there are gems
        ("A? B? A? B?", []),  # of two areas
        ("A? A? A? A! A?", []),  # a person said what one is
    ],
)
def test_tiles_of_an_area_where_none_is_sure_are_asked_about_together(tiles: str, together: list[str]) -> None:
    polygon = [[0, 0], [9, 0], [9, 9], [0, 9]]
    kept = {
        "tiles": [
            {"color": "red", "zone": word[0], "polygon": polygon, "confidence": 0.5, "said": "!" in word}
            | {"doubtful": "?" in word, "doubt": "tile.unsure" * ("?" in word), "borders": []}
            for word in tiles.split()
        ],
        "cards": [],
        "places": {},
        "problems": [],
        "size": [100, 100],
        "state": {"game": "twelve-seekers", "rule": 3, "players": []},
    }
    assert {doubt.alike for doubt in table_case(kept).doubts} == {tuple(together)}


@pytest.mark.parametrize(
    ("game", "place", "asked"),
    [("twelve-seekers", "/players/0/gems/red", ["p0"]), ("splendor", "/players/0/tokens/red", [])],
)
def test_a_doubtful_piece_is_asked_about_where_points_may_hang_on_it(game: str, place: str, asked: list[str]) -> None:
    polygon = [[0, 0], [9, 0], [9, 9], [0, 9]]
    tile = {"color": "red", "zone": "A", "polygon": polygon, "confidence": 0.5, "doubtful": True, "said": False}
    state = {"game": game, "rule": 3, "players": [{"name": "A", "gems": {"red": 1}, "tokens": {"red": 1}}]}
    kept = {
        "tiles": [{**tile, "doubt": "tile.unsure", "borders": []}],
        "cards": [],
        "places": {place: [0]},
        "problems": [],
        "size": [100, 100],
        "state": state,
    }
    case = table_case(kept)
    assert [doubt.piece for doubt in case.doubts] == asked
    assert case.evidence[0].pieces[0].doubt is not None  # it is marked in any case
