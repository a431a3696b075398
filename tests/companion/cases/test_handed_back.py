"""A case that was tapped goes back to where it came from: what was tapped is said there, and nothing else."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from companion.cases.handed_back import Words, edits_moved, laid_on, moved_on, sheet_edits, still_to_say, table_words
from companion.cases.sheet import play_state
from companion.games.in_the_ruin.edits import fold

BEFORE: dict[str, Any] = {
    "rule": 1,
    "dungeon": ["red"],
    "players": [{"name": "A", "line": ["red", "blue"], "chips": 2}, {"name": "B", "line": []}],
}


def changed(*changes: tuple[str, Any], of: dict[str, Any] = BEFORE) -> dict[str, Any]:
    """A state with other values; None takes a key out."""
    state = deepcopy(of)
    for place, value in changes:
        *way, key = place.split("/")
        row = state if not way else state["players"][int(way[0])]
        if value is None:
            row.pop(key, None)
        else:
            row[key] = value
    return state


NOTHING = Words()
TAPPED = [
    ("nothing", [], NOTHING),
    ("the rule", [("rule", 2)], Words(table={"rule": 2})),
    ("a key is gone", [("rule", None)], Words(table={"rule": None})),
    ("a new key", [("round", 3)], Words(table={"round": 3})),
    ("a player's chips", [("0/chips", 3)], Words(players={"west": {"chips": 3}})),
    ("a key of a player is gone", [("0/chips", None)], Words(players={"west": {"chips": None}})),
    ("a tile's color", [("0/line", ["red", "gray"])], Words(tiles={"/players/0/line/1": "gray"})),
    (
        "two tiles and a name",
        [("0/line", ["blue", "gray"]), ("0/name", "Aki")],
        Words(tiles={"/players/0/line/0": "blue", "/players/0/line/1": "gray"}, players={"west": {"name": "Aki"}}),
    ),
    ("a tile more", [("0/line", ["red", "blue", "gray"])], Words(players={"west": {"line": ["red", "blue", "gray"]}})),
    ("a line where none was seen", [("1/line", ["red"])], Words(players={"east": {"line": ["red"]}})),
    ("the other player's", [("1/name", "Bo")], Words(players={"east": {"name": "Bo"}})),
]
SEEN = {f"/players/0/line/{k}": ["t0"] for k in range(2)}


@pytest.mark.parametrize(("what", "changes", "wanted"), TAPPED, ids=[one[0] for one in TAPPED])
def test_what_was_tapped_of_a_table_is_what_people_say_of_it(what: str, changes: list[Any], wanted: Words) -> None:
    after = changed(*changes)
    assert table_words(BEFORE, after, ("west", "east"), SEEN) == wanted
    assert laid_on(BEFORE, BEFORE, after) == after


def test_a_tile_that_no_camera_sees_is_said_with_its_whole_line() -> None:
    after = changed(("0/line", ["red", "gray"]))
    said = table_words(BEFORE, after, ("west", "east"), {"/players/0/line/0": ["t0"]})
    assert said == Words(players={"west": {"line": ["red", "gray"]}})


# what was tapped, what others made of the table meanwhile, where they meet, and what comes of both
MEANWHILE = [
    ("nothing", [("rule", 2)], [], None, [("rule", 2)]),
    ("something else", [("rule", 2)], [("round", 3)], None, [("rule", 2), ("round", 3)]),
    ("the same", [("rule", 2)], [("rule", 2)], None, [("rule", 2)]),
    ("the same key otherwise", [("rule", 2)], [("rule", 3)], "/rule", None),
    ("another player's", [("0/chips", 3)], [("1/name", "Bo")], None, [("0/chips", 3), ("1/name", "Bo")]),
    ("this player's", [("0/chips", 3)], [("0/chips", 5)], "/players/0/chips", None),
    ("the second player's", [("1/name", "Bo")], [("1/name", "Ba")], "/players/1/name", None),
    ("it was taken away here, changed there", [("0/chips", None)], [("0/chips", 5)], "/players/0/chips", None),
    (
        "it was taken away here alone",
        [("0/chips", None)],
        [("0/name", "Aki")],
        None,
        [("0/chips", None), ("0/name", "Aki")],
    ),
]


@pytest.mark.parametrize(("what", "tapped", "others", "meets", "wanted"), MEANWHILE, ids=[one[0] for one in MEANWHILE])
def test_what_others_said_of_a_table_meanwhile_stays(
    what: str, tapped: list[Any], others: list[Any], meets: str | None, wanted: list[Any] | None
) -> None:
    after, now = changed(*tapped), changed(*others)
    assert moved_on(BEFORE, after, now) == meets
    if wanted is not None:
        assert laid_on(now, BEFORE, after) == changed(*wanted)


LETTERS = {"A": (0, 0), "B": (0, 3), "C": (10, 10)}
BLANK = ["." * 11] * 11
LINE = ["oooo.......", *BLANK[1:]]


def said(kind: str, player: str = "p", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "player": player, **more}


def read(player: str = "p", stage: str = "end", **more: Any) -> dict[str, Any]:
    found = {"map": LINE, "doubtful": [], "destinations": ["A"], "gates": [], "ticks": {"gems": 2, "penalties": 1}}
    return said("read", player, stage=stage, photo=f"{player}{stage}", size=[1, 1], reading={**found, **more})


PLAY = [
    said("add-player", name="Aya"),
    said("add-player", "q", name="Ben"),
    read(),
    read("q"),
    read("q", "first"),
    said("goals", goals=[["A", "B"]]),
    said("escaped", round=5),
]


def state_of(edits: list[dict[str, Any]]) -> dict[str, Any]:
    state = play_state(fold("sheet", deepcopy(edits)), LETTERS).state
    assert state is not None
    return state


CHANGES: list[tuple[str, list[tuple[str, Any]], list[dict[str, Any]]]] = [
    ("nothing", [], []),
    ("a name", [("0/name", "Aki")], [said("rename", name="Aki")]),
    ("gems", [("0/gems", 4)], [said("ticks", track="gems", count=4)]),
    ("no penalty any more", [("0/penalties", 0)], [said("ticks", track="penalties", count=0)]),
    ("penalties left out", [("0/penalties", None)], [said("ticks", track="penalties", count=0)]),
    ("out a round earlier", [("0/escaped", 4)], [said("escaped", round=4)]),
    ("never out", [("0/escaped", None)], [said("escaped", round=None)]),
    ("the second out", [("1/escaped", 6)], [said("escaped", "q", round=6)]),
    ("the first square", [("1/first_square", 21)], [said("first-square", "q", cells=21)]),
    ("a goal more", [("0/goals", [["A", "B"], ["A", "C"]])], [said("goals", goals=[["A", "B"], ["A", "C"]])]),
    ("a wall", [("0/map", ["#ooo.......", *BLANK[1:]])], [said("cell", stage="end", row=0, col=0, value="#")]),
    (
        "two cells of the first stage",
        [("1/first_map", [".ooo.......", "o..........", *BLANK[2:]])],
        [
            said("cell", "q", stage="first", row=0, col=0, value="."),
            said("cell", "q", stage="first", row=1, col=0, value="o"),
        ],
    ),
    (
        "a destination more, one less",
        [("0/destinations", ["B"])],
        [said("destination", stage="end", letter="A", on=False), said("destination", stage="end", letter="B", on=True)],
    ),
    (
        "a house rule",
        [("house_rules", {"gates": "never"})],
        [{"kind": "house-rule", "name": "gates", "reading": "never"}],
    ),
]


@pytest.mark.parametrize(("what", "changes", "wanted"), CHANGES, ids=[one[0] for one in CHANGES])
def test_what_was_tapped_of_a_play_is_said_of_its_sheets(
    what: str, changes: list[tuple[str, Any]], wanted: list[dict[str, Any]]
) -> None:
    after = changed(*changes, of=state_of(PLAY))
    assert sheet_edits(fold("sheet", deepcopy(PLAY)), LETTERS, after, iter(())) == wanted


@pytest.mark.parametrize(("what", "changes"), [one[:2] for one in CHANGES[1:-1]], ids=[one[0] for one in CHANGES[1:-1]])
def test_said_there_a_play_is_what_was_tapped(what: str, changes: list[tuple[str, Any]]) -> None:
    after = changed(*changes, of=state_of(PLAY))
    edits = sheet_edits(fold("sheet", deepcopy(PLAY)), LETTERS, after, iter(()))
    again = state_of([*PLAY, *edits])
    assert {key: value for key, value in again["players"][0].items() if value} == {
        key: value for key, value in after["players"][0].items() if value
    }


def test_a_player_more_is_added_with_a_sheet_by_hand_and_one_less_is_removed() -> None:
    play, state = fold("sheet", deepcopy(PLAY)), state_of(PLAY)
    more = {**state, "players": [*state["players"], {"name": "Chi", "map": LINE, "destinations": ["C"]}]}
    edits = sheet_edits(play, LETTERS, more, iter(["new"]))
    assert edits[:2] == [{"kind": "add-player", "player": "new", "name": "Chi"}, said("by-hand", "new", stage="end")]
    assert said("cell", "new", stage="end", row=0, col=3, value="o") in edits
    assert said("destination", "new", stage="end", letter="C", on=True) in edits
    assert {edit["player"] for edit in edits} == {"new"}
    less = {**state, "players": state["players"][1:]}
    assert sheet_edits(play, LETTERS, less, iter(())) == [{"kind": "remove-player", "player": "p"}]


def test_players_are_known_by_name_in_whatever_order_they_stand() -> None:
    play, state = fold("sheet", deepcopy(PLAY)), state_of(PLAY)
    assert sheet_edits(play, LETTERS, {**state, "players": state["players"][::-1]}, iter(())) == []


def test_a_goal_card_of_a_letter_that_the_sheet_has_no_more_stays_with_its_player() -> None:
    play = fold("sheet", deepcopy([*PLAY, said("goals", goals=[["A", "B"], ["A", "Z"]])]))
    state = play_state(play, LETTERS).state
    assert state is not None
    assert sheet_edits(play, LETTERS, state, iter(())) == []
    after = changed(("0/goals", [["B", "C"]]), of=state)
    assert sheet_edits(play, LETTERS, after, iter(())) == [said("goals", goals=[["B", "C"], ["A", "Z"]])]


OTHERS = [
    ("nobody said anything", said("ticks", track="gems", count=4), [], "said"),
    ("the same was said", said("ticks", track="gems", count=4), [said("ticks", track="gems", count=4)], "so already"),
    ("another count", said("ticks", track="gems", count=4), [said("ticks", track="gems", count=7)], "refused"),
    ("another track", said("ticks", track="gems", count=4), [said("ticks", track="penalties", count=7)], "said"),
    ("another name", said("rename", name="Aki"), [said("rename", name="Bo")], "refused"),
    ("another round", said("escaped", round=4), [said("escaped", round=6)], "refused"),
    ("another square", said("first-square", cells=4), [said("first-square", cells=6)], "refused"),
    ("other goals", said("goals", goals=[]), [said("goals", goals=[["B", "C"]])], "refused"),
    (
        "the same cell",
        said("cell", stage="end", row=0, col=0, value="#"),
        [said("cell", stage="end", row=0, col=0, value=".")],
        "refused",
    ),
    (
        "another cell",
        said("cell", stage="end", row=0, col=0, value="#"),
        [said("cell", stage="end", row=0, col=1, value=".")],
        "said",
    ),
    (
        "the same letter",
        said("destination", stage="end", letter="B", on=True),
        [said("destination", stage="end", letter="B", on=True)],
        "so already",
    ),
    ("the player is gone", said("remove-player"), [said("remove-player")], "so already"),
]


@pytest.mark.parametrize(("what", "edit", "meanwhile", "wanted"), OTHERS, ids=[one[0] for one in OTHERS])
def test_what_others_said_of_a_play_meanwhile_is_not_written_over(
    what: str, edit: dict[str, Any], meanwhile: list[dict[str, Any]], wanted: str
) -> None:
    before = fold("sheet", deepcopy(PLAY))
    now = fold("sheet", deepcopy([*PLAY, *meanwhile]))
    after = fold("sheet", deepcopy([*PLAY, *meanwhile, edit]))
    if wanted == "so already":
        after = now
    said_, refused = still_to_say([edit], before, now, after, set())
    assert (said_, refused) == {"said": ([edit], None), "so already": ([], None), "refused": ([], edit)}[wanted]


@pytest.mark.parametrize(
    ("what", "later", "wanted"),
    [
        ("nothing", [], set()),
        ("a cell", [said("cell", stage="end", row=0, col=0, value="#")], set()),
        (
            "moved to the other",
            [said("move-photo", stage="end", to="q", to_stage="first")],
            {("p", "end"), ("q", "first")},
        ),
        ("dropped", [said("drop-photo", stage="end")], {("p", "end")}),
        ("the stage is over", [{"kind": "stage-over"}], {("p", "first"), ("q", "first")}),
        (
            "dropped and that taken back",
            [said("drop-photo", "q", stage="first"), {"kind": "undo", "edit": len(PLAY)}],
            {("q", "first")},
        ),
    ],
)
def test_a_sheet_in_whose_place_another_came_is_not_the_one_that_was_tapped(
    what: str, later: list[dict[str, Any]], wanted: set[tuple[str, str]]
) -> None:
    edits = [*PLAY, *later]
    assert edits_moved(edits, len(PLAY)) == wanted
    play = fold("sheet", deepcopy(PLAY))
    for player, stage in wanted:
        one = said("cell", player, stage=stage, row=0, col=0, value="#")
        assert still_to_say([one], play, play, play, wanted) == ([], one)
    if ("p", "end") in wanted:  # ticks stand on the last sheet
        ticks = said("ticks", track="gems", count=9)
        assert still_to_say([ticks], play, play, play, wanted) == ([], ticks)
