"""The demo table: a game by its rules, seen right by what reads real tables."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from companion.sources import ENDED, open_source
from companion.sources import demo_game as game
from companion.sources.demo import DemoFilm, demo_profile, script
from scoring.twelve_seekers.seekers import POWER
from training.synth.moving_hand import Look, lay_hand
from training.synth.table_photo import DrawnTable
from vision.table.read import TableReader

STATES = list(game.states())


def test_each_take_takes_as_many_gems_as_its_seeker_has_power():
    assert len(STATES) == len(game.TAKES) + 1
    for take, before, after in zip(game.TAKES, STATES, STATES[1:], strict=False):
        assert len(before.dungeon) - len(after.dungeon) == take.power
        assert len(after.lines[take.player]) - len(before.lines[take.player]) == take.power
        marker = after.seekers[take.player][-1]
        assert POWER[demo_profile().cards[marker]["power"]] == take.power
        assert Counter((*after.dungeon, *after.lines["A"], *after.lines["B"])) == Counter(game.ROW)


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
            assert length >= 24
            length = 0


@pytest.fixture(scope="module")
def drawn():
    return DrawnTable(game.setting())


@pytest.mark.parametrize("state", STATES)
def test_the_demo_is_read_right(drawn, state):
    photo = drawn.photo(state.placed(), noise=1.5)
    reading = TableReader(demo_profile()).read(photo)
    seen = {zone: tuple(t.color for t in reading.tiles if t.zone == zone) for zone in game.AREAS}
    assert seen == {"dungeon": state.dungeon, **state.lines}
    assert not [t for t in reading.tiles if t.zone is None]
    for player, cards in state.seekers.items():
        assert sorted(c.marker for c in reading.cards if c.zone == player) == sorted(cards)
    assert not [p for p in reading.problems if p.key == "zone.missing"]


def test_the_demo_begins_at_once_and_ends():
    source = open_source("demo")
    assert isinstance(source, DemoFilm)
    source.start()
    first, second = source.next(), source.next()
    assert first.image.shape == (960, 1280, 3)
    assert not np.array_equal(first.image, second.image)
    assert np.abs(first.image.astype(int) - second.image).mean() < 4
    source.close()
    assert source.next() is None
    assert source.state.kind == ENDED


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
