"""Which pieces of a table a person is asked about."""

from __future__ import annotations

import pytest

from companion.cases.table_evidence import table_case


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
