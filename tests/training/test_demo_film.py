"""The demo table: a game by its rules, seen right by what reads real tables."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from companion.demo import FILM
from companion.reading.tables import table_reader
from companion.sources.files import VideoFile
from scoring.twelve_seekers.seekers import POWER
from training.synth import demo_game as game
from training.synth.demo_film import FPS, demo_profile, script
from training.synth.moving_hand import Look, lay_hand

STATES = list(game.states())


def test_the_game_is_played_by_the_rules():
    assert Counter(game.ROW) == {
        **dict.fromkeys(("red", "yellow", "green", "blue", "purple"), 7),
        "rainbow": 1,
        "gold": 3,
    }
    assert [take.player for take in game.TAKES] == ["A", "B"] * 6
    assert Counter(take.power for take in game.TAKES) == {1: 2, 2: 3, 3: 3, 4: 2, 5: 2}
    assert len(STATES) == len(game.TAKES) + 1
    for take, before, after in zip(game.TAKES, STATES, STATES[1:], strict=False):
        marker = after.seekers[take.player][-1]
        assert POWER[demo_profile().cards[marker]["power"]] == take.power
        left = take.end == "left"
        taken = before.dungeon[: take.power] if left else before.dungeon[-take.power :]
        assert after.dungeon == (before.dungeon[take.power :] if left else before.dungeon[: -take.power])
        gems = tuple(gem for gem in taken if gem != "gold")
        assert after.lines[take.player] == (*before.lines[take.player], *gems)
        assert after.gold[take.player] - before.gold[take.player] == taken.count("gold")


def test_nothing_changes_but_under_a_hand():
    tables, moments = script()
    for one, other in pairwise(moments):
        assert one.table == other.table or other.player
        assert other.table in (one.table, one.table + 1)
    at_rest = [tables[m.table] for m in moments if not m.player]
    assert list(dict.fromkeys(map(repr, at_rest))) == list(map(repr, STATES))


def test_tables_lie_there_long_enough():
    _, moments = script()
    length = 0
    for one in [*moments, None]:
        if one is not None and not one.player:
            length += 1
        elif length:
            assert length >= 2 * FPS
            length = 0


def test_the_recorded_film_shows_the_game_and_is_read_right():
    _, moments = script()
    rests = [i for i, (one, other) in enumerate(pairwise([*moments, moments[0]])) if not one.player and other.player]
    film, reader, states = VideoFile(FILM), table_reader(demo_profile()), iter(STATES)
    film.start()
    read = 0
    while frame := film.next():
        if frame.number - 1 in (*rests, len(moments) - 1):
            reader.forget()
            state, reading = next(states), reader.read(frame.image)
            gems = {zone: [t.color for t in reading.tiles if t.zone == zone] for zone in game.AREAS}
            assert tuple(gems["dungeon"]) == state.dungeon
            for player, line in state.lines.items():
                assert [color for color in gems[player] if color != "gold"] == list(line)
                assert gems[player].count("gold") == state.gold[player]
                assert sorted(c.marker for c in reading.cards if c.zone == player) == sorted(state.seekers[player])
            assert not [t for t in reading.tiles if t.zone is None]
            read += 1
    assert read == len(STATES)


@pytest.mark.parametrize("tips", [(100, 50), (-500, -500), (90, 119), (2000, 60)])
def test_a_hand_is_drawn_wherever_it_is(tips):
    image = np.full((120, 160, 3), 90, np.uint8)
    lay_hand(image, np.array(tips, float), np.array([0.2, -1.0]), 0.5, Look(), 3.0)
    touched = (image != 90).any()
    assert touched == (0 <= tips[0] < 200)


@pytest.mark.parametrize("below", range(-150, 250, 7))
def test_a_hand_may_lie_below_the_picture_in_part_or_wholly(below):
    picture = np.full((60, 80, 3), 200, np.uint8)
    lay_hand(picture, np.array([40.0, 60.0 + below]), np.array([0.0, -1.0]), 1.0, Look())
    if below < -2:
        assert picture.min() < 190
    elif below > 40:  # its shadow is soft
        assert (picture == 200).all()
