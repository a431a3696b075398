"""A followed game: each take of the demo's game is named, and a piece that was misread is put right."""

import pytest

from companion.cases.game_log import GameLog
from scoring import score_state
from training.synth import demo_game as game

STATES = list(game.states())
CARDS = game.GAME.stickers


def look(lying, **players):
    """What a camera gives of a table; `players`: what differs from it."""
    rows = [
        {
            "name": name,
            "line": list(lying.lines[name]),
            "gold": lying.gold[name],
            "seekers": [CARDS[marker]["power"] for marker in lying.seekers[name]],
            **players.get(name, {}),
        }
        for name in ("A", "B")
    ]
    left = [CARDS[marker]["power"] for marker in lying.stock]
    return {
        "game": "twelve-seekers", "rule": game.RULE, "order_cards": [game.ORDER],
        "dungeon": list(lying.dungeon), "seekers_left": left, "players": rows,
    }  # fmt: skip


def taken(take, before):
    gems = before.dungeon[: take.power] if take.end == "left" else before.dungeon[-take.power :]
    return take.player, f"dungeon.{take.end}", list(gems)


def test_every_take_is_named():
    log = GameLog(("A", "B"))
    said = [log.look(look(lying), time=float(i)) for i, lying in enumerate(STATES)]
    assert not said[0].moves
    assert [len(one.moves) for one in said[1:]] == [1] * len(game.TAKES)
    named = [(move["who"], move["from"], move["what"]) for one in said for move in one.moves]
    assert named == [taken(*both) for both in zip(game.TAKES, STATES, strict=False)]
    assert not [slip for one in said for slip in one.slips]
    assert [one.turn_of for one in said[1:-1]] == [take.player for take in game.TAKES[1:]]
    assert log.moves == [move for one in said for move in one.moves]


@pytest.mark.parametrize("flagged", [True, False])
def test_a_misread_gem_is_put_right_by_the_box_and_the_last_state(flagged):
    log = GameLog(("A", "B"))
    for lying in STATES[:4]:
        log.look(look(lying))
    lying = STATES[4]
    line = list(lying.lines["A"])
    i = line.index("yellow")
    line[i] = "purple"
    said = log.look(look(lying, A={"line": line}), [f"/players/0/line/{i}"] if flagged else [])
    later = [log.look(look(lying)) for lying in STATES[5:8]]
    assert said.state["players"][0]["line"] == list(lying.lines["A"])
    assert [(fix["at"], fix["is"]) for one in (said, *later) for fix in one.corrected] == [
        (f"/players/0/line/{i}", "yellow")
    ]
    assert not [slip for one in (said, *later) for slip in one.slips]


def test_players_keep_the_names_that_people_gave_them():
    log = GameLog(("A", "B"))
    renamed = {"A": {"name": "Aki"}, "B": {"name": "Ben"}}
    log.look(look(STATES[0], **renamed))
    said = log.look(look(STATES[1], **renamed))
    assert [row["name"] for row in said.state["players"]] == ["Aki", "Ben"]
    assert [move["who"] for move in said.moves] == ["A"]
    assert score_state(dict(said.state)).players[0].name == "Aki"


def test_a_game_that_no_referee_knows_is_left_as_it_is():
    state = {"game": "no-such-game", "players": []}
    assert GameLog(()).look(state).state is state


@pytest.mark.parametrize("hidden", ["dungeon", "seekers"])
def test_a_table_that_does_not_show_enough_is_not_judged(hidden):
    log = GameLog(("A", "B"))
    for lying in STATES[:3]:
        state = look(lying)
        if hidden == "dungeon":
            del state["dungeon"]
        else:
            del state["seekers_left"]
            for row in state["players"]:
                del row["seekers"]
        said = log.look(state)
        assert said.state is state
        assert (said.moves, said.slips, said.corrected, said.questions) == ((), (), (), ())
