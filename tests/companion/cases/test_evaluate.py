"""What a state is worth is found out once, however many people look at it, and says what hangs on a doubt."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from companion.cases import evaluate
from companion.cases.evenings import Played, result
from companion.cases.kept import Kept
from scoring import score_state
from scoring.samples import sample


def state(*lines: list[str], **more: Any) -> dict[str, Any]:
    players = [{"name": "ABCD"[i], "line": line} for i, line in enumerate(lines)]
    return {"game": "twelve-seekers", "rule": 8, "players": players, **more}


@pytest.fixture
def scorings(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every state that is scored from now on; nothing is known from before."""
    done: list[Any] = []
    for name in ("_scored", "_answered", "_staked"):
        monkeypatch.setattr(evaluate, name, Kept(64))
    monkeypatch.setattr(
        evaluate, "score_state", lambda asked, **how: (done.append(asked), score_state(asked, **how))[1]
    )
    return done


def test_four_viewers_of_two_languages_cost_one_scoring(scorings: list[Any]) -> None:
    shown = state(["red", "red", "blue"], ["green"])
    with ThreadPoolExecutor(4) as viewers:
        answers = list(viewers.map(lambda language: evaluate.evaluate(dict(shown), language), ["en", "ja"] * 4))
    assert evaluate.totals(shown) == [p["total"] for p in answers[0]["answer"]["players"]]
    assert len(scorings) == 1
    assert answers[0] is answers[2]
    assert answers[0] != answers[1]


def test_a_state_that_does_not_score_is_judged_once_and_says_who_waits(scorings: list[Any]) -> None:
    half = state(["red"], ["pink"])
    answers = [evaluate.evaluate(half, "en") for _ in range(4)]
    assert len(scorings) == 2  # all of it, and the player who is complete
    assert answers[0]["problem"]["place"] == "/players/1/line/0"
    assert [p and p["name"] for p in answers[0]["so_far"]["players"]] == ["A", None]
    assert evaluate.totals(half) == [None, None]


def test_who_is_complete_is_shown_with_places_of_the_whole_table() -> None:
    half = state(["pink"], ["red", "red"], ["violet"], ["blue", "blue"])
    shown = evaluate.evaluate(half, "en")["so_far"]
    assert [one and one["name"] for one in shown["players"]] == [None, "B", None, "D"]
    assert [len(shown["waiting"]), *("A" in one or "C" in one for one in shown["waiting"])] == [2, True, True]
    gems = [player["lines"][0]["because"] for player in shown["players"] if player]
    assert [list(places) for places in gems] == [[f"/players/{i}/line/{k}" for k in (0, 1)] for i in (1, 3)]


@pytest.mark.parametrize(
    ("place", "values", "points"),
    [
        ("/players/0/line/2", ("red", "blue"), [0, 3]),
        ("/players/0/line/2", ("blue",), [0, 0]),
        ("/players/0/line/2", ("blue", "pink"), [0, 0]),  # what cannot lie there changes nothing
        ("/players/0/line/2", (), None),
        ("/rule", (8, 9), None),
    ],
)
def test_what_hangs_on_a_doubt(place: str, values: tuple[Any, ...], points: list[int] | None) -> None:
    shown = state(["red", "red", "blue"], ["green"])
    assert evaluate.stake(shown, place, values) == points


def test_a_cell_of_a_map_is_a_place_of_its_own() -> None:
    player = {"name": "A", "map": ["ooo........"] + ["..........."] * 10, "escaped": 3}
    sheet = {"game": "in-the-ruin", "letters": {}, "players": [player]}
    assert evaluate.stake(sheet, "/players/0/map/0/2", ("o", ".", "#")) == [-1, 0]


def test_who_asks_while_another_computes_waits_for_it() -> None:
    kept, made, going = Kept[str, int](2), [], threading.Event()

    def slowly() -> int:
        going.wait(5)
        made.append(1)
        return 7

    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(kept.get, "a", slowly) for _ in range(3)]
        going.set()
        assert [one.result() for one in asked] == [7, 7, 7]
    assert len(made) == 1


def test_a_failure_is_not_kept_and_the_oldest_goes() -> None:
    kept = Kept[str, int](2)
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 // 0)
    assert [kept.get(key, lambda: 1) for key in "abc"] == [1, 1, 1]
    assert kept.get("b", lambda: 2) == 1
    assert kept.get("a", lambda: 2) == 2


def test_a_secret_hand_has_the_total_that_each_one_would_give():
    rows = [
        {"name": "A", "gems": {"red": 3, "blue": 2}, "color_cards": ["red"]},
        {"name": "B", "gems": {"yellow": 3}, "color_cards": ["blue", "purple"]},
    ]
    state = {"game": "twelve-seekers", "rule": 14, "players": rows}
    mine, theirs = evaluate.evaluate(state, "en")["hands"]
    assert theirs == []
    assert [hand["cards"] for hand in mine] == ["yellow", "green"]  # blue and purple are B's
    for hand in mine:
        open_ = {**rows[0], "color_cards": ["red", hand["cards"]]}
        answer = evaluate.evaluate({**state, "players": [open_, rows[1]]}, "en")["answer"]
        assert hand["total"] == answer["players"][0]["total"]
    assert [hand["total"] for hand in mine] == sorted((hand["total"] for hand in mine), reverse=True)
    assert "hands" not in evaluate.evaluate({**state, "players": [open_, rows[1]]}, "en")


GAMES = sorted(evaluate.GAMES)
STATE = {"game": "splendor", "players": [{"name": "Aya"}, {"name": ""}]}


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        ("", ""),
        ("/players/0", "Aya"),
        ("/players/1", "player 2"),
        ("/players/0/hand/3", "Aya, hand, no. 4"),
        ("/players/0/hand/3/1", "Aya, hand, no. 4"),  # a card is one piece, whatever stands on it
        ("/players", "players"),
        ("/a~1b~0", "a/b~"),
    ],
)
def test_a_place_is_said_as_a_person_would(place: str, wanted: str) -> None:
    assert evaluate.place_in_words(place, STATE, "en") == wanted


@pytest.mark.parametrize("state", [None, {"game": "splendor", "players": []}, {"game": "no game"}])
def test_a_game_that_does_not_score_has_no_result(state: dict[str, Any] | None) -> None:
    assert result(Played("x", "tapped", 0.0, "splendor", state)) is None


@pytest.mark.parametrize("game", GAMES)
def test_each_row_of_the_score_sheet_has_everybodys_points_and_together_they_are_the_totals(game: str) -> None:
    found = score_state(sample(game, random.Random(3)))
    rows = evaluate.points_by_row(found)
    assert rows.keys() == set(evaluate.GAMES[game].rows)
    for i, player in enumerate(found.players):
        points = [row[i] for row in rows.values()]
        if player.total is not None and None not in points:
            assert sum(points) == player.total


def test_a_winning_card_that_is_missing_is_asked_for_in_a_players_words():
    rows = [
        {
            "name": "Mika",
            "ready": True,
            "open": [["H1", "H1", "H1"]],
            "hand": ["D2", "D3", "D4", *["A5"] * 3, "I1", "I1"],
        },
        {"name": "Jun", "open": [], "discards": ["I1"]},
    ]
    state = {"game": "human-angel-demon", "winner": "Mika", "won_by": "discard", "discarder": "Jun", "players": rows}
    said = evaluate.evaluate({**state, "short_game": 1, "bonus": []}, "en")["problem"]
    assert said["place"] == "/players/0/winning_card"
    assert said["message"] == "Mika: with which card was the goal? It is the winning card."
