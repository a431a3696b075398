"""When a table rests, and what follows: hands, lamps, cameras and people as they are."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from film import ZONES, Film, picture, place, with_hand

from common.messages import Message
from companion.live.settle_detector import BLIND, BRIGHT, COVERED, DARK, MOVING, UNSEEN, WAITING, blinded
from companion.live.stillness import reduced
from companion.record import Said
from companion.sources.frame import Frame
from vision.errors import PhotoError

BEFORE = {"dungeon": ("red", "blue", "green"), "A": (), "B": ()}
TAKEN = {"dungeon": ("red", "blue"), "A": (), "B": ()}
AFTER = {"dungeon": ("red", "blue"), "A": ("green",), "B": ()}
AWAY, OVER, HOME = (60, 250), (107, 46), (40, 156)


def take(film, pause=0.0):
    """A hand takes the last gem and lays it before A."""
    film.hand((AWAY, OVER), 0.5)
    film.hand((OVER, OVER), max(0.1, pause))
    film.hand((OVER, HOME), 0.4, TAKEN)
    film.hand((HOME, HOME), max(0.1, pause), TAKEN)
    film.hand((HOME, AWAY), 0.4, AFTER)


def played(film, pause=0.0):
    """A whole turn; returns when the hand had left."""
    film.rest(1.5)
    take(film, pause)
    left = film.time
    film.rest(2.0)
    return left


LIGHTS = {
    "still": None,
    "flicker": lambda image, t: image * (1 + 0.05 * np.sin(np.arange(240) / 30 + 40 * t))[:, None, None],
    "exposure in steps": lambda image, t: image * (1.0, 0.8, 1.15)[int(t / 0.9) % 3],
    "white balance": lambda image, t: image * np.array([1 + 0.1 * np.sin(t), 1, 1 - 0.1 * np.sin(t)]),
    "a lamp that fades": lambda image, t: image * (1 - 0.06 * t),
}


@pytest.mark.parametrize(
    ("light", "fps", "noise"),
    [*((light, 12, 1) for light in LIGHTS), ("still", 5, 1), ("still", 60, 1), ("still", 15, 6), ("flicker", 30, 3)],
)
def test_a_turn_is_two_states_in_any_light(light, fps, noise):
    film = Film(fps, noise, LIGHTS[light])
    left = played(film)
    assert film.states() == [BEFORE, AFTER]
    assert film.seen[0][0] <= 0.6
    assert film.seen[1][0] - left <= 0.6


def moved(way):
    """A camera whose picture is moved, `way(seconds)` pixels to the right and down."""

    def change(image, t):
        x, y = way(t)
        to = np.array([[1, 0, x], [0, 1, y]], float)
        return cv2.warpAffine(image, to, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)

    return change


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(lambda t: (0.6 * t, -0.4 * t), id="a stand that gives"),
        pytest.param(lambda t: (0.5 * np.sin(7 * t), 0.4 * np.cos(5 * t)), id="a hand that holds it"),
    ],
)
def test_a_camera_that_moves_a_little_lets_the_table_rest(way):
    film = Film(change=moved(way))
    left = played(film)
    assert film.states() == [BEFORE, AFTER]
    assert film.seen[1][0] - left <= 1.0


@pytest.mark.parametrize(
    ("at", "seen"),
    [
        pytest.param(np.s_[80:102, 155:215], [BEFORE, AFTER], id="beside all areas"),
        pytest.param(np.s_[150:210, 200:260], [BEFORE], id="in an area"),
    ],
)
def test_a_hand_beside_all_areas_holds_nothing_up(at, seen):
    film = Film()
    film.rest(1)
    film.hand((AWAY, OVER), 0.5)
    film.hand((OVER, AWAY), 0.5, AFTER)
    film.lying = AFTER
    lying = picture(AFTER)
    lying[at] = (120, 150, 200)
    film.rest(2, lying)
    assert film.states() == seen


def unread(**hidden):
    """The problems of areas so many of whose markers are not seen."""
    return tuple(Message("zone.hidden", {"zone": zone, "markers": list(range(n))}) for zone, n in hidden.items())


ALL = tuple(ZONES)
ABSENT = {"C": 4, "D": 4, "E": 4, "F": 4}


@pytest.mark.parametrize(
    ("located", "problems", "first", "later"),
    [
        pytest.param(ALL, (), "", "", id="all seen"),
        pytest.param(ALL, unread(A=4), "", "", id="one area covered"),
        pytest.param(ALL, unread(A=4, B=3), "", UNSEEN, id="most are not seen"),
        pytest.param(ALL, unread(**ABSENT), "", "", id="areas that were never laid"),
        pytest.param(("A",), unread(dungeon=4, B=4), "", "", id="one area laid"),
        pytest.param((), unread(dungeon=4, A=4, B=4), UNSEEN, UNSEEN, id="none located"),
        pytest.param((), (), "", "", id="a profile without areas"),
    ],
)
def test_a_picture_without_most_markers_is_no_state_and_is_looked_at_again(located, problems, first, later):
    film = Film()
    film.located, film.problems = located, problems
    film.rest(1.5)
    assert film.waits[-1] == first
    assert film.states() == ([] if first else [BEFORE])
    film.located, film.problems = ALL, unread(**ABSENT)
    film.rest(2)
    film.hand((AWAY, OVER), 0.5)
    film.hand((OVER, AWAY), 0.5, AFTER)
    film.located, film.problems = located, problems
    film.rest(1.5)
    assert film.waits[-1] == later
    assert film.states() == ([BEFORE] if later else [BEFORE, AFTER])
    film.located, film.problems = ALL, ()
    film.rest(2)
    assert film.states() == [BEFORE, AFTER]


MARKET = ((5, (20, 90)), (7, (100, 90)), (8, (160, 90)))
LAID = (9, (230, 90))


@pytest.mark.parametrize(
    ("rests", "then"),
    [
        pytest.param(1.5, MARKET, id="a card under the hand"),
        pytest.param(1.5, (*MARKET, LAID), id="another laid meanwhile"),
        pytest.param(12, (*MARKET, LAID), id="a long time"),
    ],
)
def test_a_card_under_a_hand_beside_all_areas_is_not_gone(rests, then):
    def lie(cards):
        film.cards, image = cards, picture(BEFORE)
        for marker, (x, y) in cards:
            cv2.rectangle(image, (x - 6, y - 6), (x + 5, y + 5), (20 * marker, 90, 200), -1)
        return image

    film = Film()
    film.rest(1.5, lie(MARKET))
    for k in range(6):
        film.frame(cv2.rectangle(lie(MARKET), (80 + k, 75), (118 + k, 105), (120, 150, 200), -1))
    image = cv2.rectangle(lie(then), (84, 75), (122, 105), (120, 150, 200), -1)
    film.cards = tuple(card for card in then if card[0] != 7)
    film.rest(rests, image)
    film.rest(1.5, lie(then))
    stickers = [[card.marker for card in reading.cards] for _, reading, _ in film.seen]
    assert stickers == [[5, 7, 8]] + [[5, 7, 8, 9]] * (LAID in then)


@pytest.mark.parametrize("pause", [0.5, 1.5, 4.0])
@pytest.mark.parametrize("color", [(120, 150, 200), (30, 30, 30), (60, 80, 130), (220, 220, 220)])
def test_a_hand_that_lies_still_is_no_rest(pause, color):
    film = Film()
    film.rest(1)
    film.hand((AWAY, OVER), 0.5, color=color)
    film.hand((OVER, OVER), pause, TAKEN, color=color)
    assert film.waits[-1] == COVERED
    film.hand((OVER, AWAY), 0.5, AFTER, color=color)
    film.rest(1)
    assert film.states() == [BEFORE, AFTER]


def test_what_is_put_down_is_taken_for_a_thing_after_a_while():
    film = Film()
    film.rest(1)
    film.hand((AWAY, OVER), 0.5)
    cup = picture(BEFORE)
    cup[170:210, 230:270] = 250
    film.show(cup, 1)
    assert film.waits[-1] == COVERED
    film.show(cup, 3)
    assert film.waits[-1] == ""
    film.hand((AWAY, OVER), 0.5)
    film.lying = AFTER
    cup = picture(AFTER)
    cup[170:210, 230:270] = 250
    film.show(cup, 1)
    assert film.states() == [BEFORE, AFTER]


def test_an_arm_that_rests_on_tiles_takes_none_away():
    film = Film(fps=6)
    film.rest(1)
    film.hand((AWAY, OVER), 0.5)
    film.hand((OVER, OVER), 20, TAKEN)
    assert film.waits[-1] == COVERED
    film.hand((OVER, AWAY), 0.5, BEFORE)
    film.rest(1)
    assert film.states() == [BEFORE]


def test_tiles_that_vanish_are_waited_for():
    film = Film()
    film.rest(1)
    film.lying = TAKEN
    film.rest(0.35)
    assert film.states() == [BEFORE]
    film.rest(0.25)
    assert film.states() == [BEFORE, TAKEN]


def test_the_page_hears_what_holds_a_state_up():
    film = Film()
    film.frame(picture(BEFORE))
    assert film.waits == [WAITING]
    film.rest(1)
    assert film.waits[-1] == ""
    film.hand((AWAY, OVER), 0.5)
    assert film.waits[-1] == MOVING


def test_a_hand_that_changes_nothing_makes_no_event():
    film = Film()
    film.rest(1)
    film.hand((AWAY, OVER), 0.5)
    film.hand((OVER, AWAY), 0.5)
    film.rest(1)
    assert film.states() == [BEFORE]


def test_a_resting_table_is_not_read_again_and_again():
    film = Film()
    film.rest(20)
    assert film.reads <= 2
    assert film.states() == [BEFORE]


def test_readings_that_disagree_are_outvoted():
    film = Film()
    odd = {**BEFORE, "A": ("gold",)}
    turns = iter([BEFORE, odd, BEFORE, odd, BEFORE, BEFORE] + [BEFORE] * 99)
    picture_ = picture(BEFORE)
    read = film.read

    def fickle(image):
        film.lying = next(turns)
        return read(image)

    film.follower.reader = type("Fickle", (), {"read": staticmethod(fickle)})()
    film.show(picture_, 2)
    assert film.states() == [BEFORE]


def test_the_same_state_elsewhere_is_said_for_the_page():
    film = Film()
    film.rest(1)
    film.shift = (9.0, 0.0)
    film.show(np.roll(picture(BEFORE), 9, 1), 10)
    assert film.states() == [BEFORE, BEFORE]
    assert film.seen[1][1].tiles[0].center[0] == film.seen[0][1].tiles[0].center[0] + 9


def test_frames_of_another_size_are_followed():
    film = Film()
    film.rest(1)
    film.scale = 3
    film.lying = AFTER
    film.rest(1.5)
    assert film.states() == [BEFORE, AFTER]


@pytest.mark.parametrize("zones", [tuple(ZONES), ()], ids=["in areas", "without any"])
def test_what_was_said_of_a_tile_holds_in_pictures_of_another_size(zones):
    film = Film()
    film.located = zones
    film.rest(1)
    film.follower.say([Said(tuple(film.follower.last.tiles[1].center), "purple")])
    for film.scale in (3, 1):
        film.rest(1.5)
        _, seen, said = film.seen[-1]
        assert [tile.color for tile in seen.tiles] == ["red", "purple", "green"]
        assert said == {1}
        assert seen.tiles[1].center[0] == place("dungeon", 1)[0] * film.scale


def test_what_an_older_version_kept_in_pixels_holds():
    film = Film()
    film.located = ()
    film.rest(1)
    film.follower.say([Said(tuple(film.follower.last.tiles[1].center), "purple")])
    (said,) = film.follower.corrections.said
    wide = film.follower.corrections.width
    old = replace(said, at=tuple(wide * n for n in said.at), reach=tuple(wide * n for n in said.reach))
    seen, _ = film.follower.take_back((old,))
    assert [tile.color for tile in seen.tiles] == ["red", "purple", "green"]
    assert film.follower.corrections.said[0].at == pytest.approx(said.at)


def test_a_picture_that_cannot_be_read_is_said():
    film = Film()
    film.fail = PhotoError("photo.dark")
    film.rest(1)
    assert film.waits[-1] == "photo.dark"
    assert not film.seen
    film.fail = None
    film.show(with_hand(picture(BEFORE), 60, 200), 0.1)
    film.rest(1)
    assert film.states() == [BEFORE]


BLINDED = {
    "the light is off": (lambda image: 0.06 * image, DARK),
    "the light is off, the camera tries": (lambda image: 0.1 * image + 8, DARK),
    "overexposed": (lambda image: 250 + 0.02 * image, BRIGHT),
    "a hand over the lens": (
        lambda image: np.full_like(image, 70) + np.linspace(0, 40, image.shape[1])[:, None],
        BLIND,
    ),
}


@pytest.mark.parametrize("why", BLINDED)
def test_a_picture_that_shows_nothing_is_said_and_is_no_state(why):
    """What was seen before stays, and the same table in the light again is no news."""
    blind, said = BLINDED[why]
    film = Film(12, 1)
    film.rest(1.5)
    image = picture(film.lying).astype(np.float32)
    lying, film.lying = film.lying, {"dungeon": ("gold",), "A": (), "B": ()}  # whatever is read in the dark
    film.show(blind(image), 10.0)
    assert film.waits[-1] == said
    film.lying = lying
    film.rest(2.0)
    assert film.states() == [BEFORE]
    assert film.waits[-1] == ""


def test_a_picture_that_shows_nothing_at_first_is_waited_for():
    film = Film(12, 1)
    film.show(np.zeros((240, 320, 3), np.float32), 2.0)
    assert film.waits[-1] == DARK
    film.rest(2.0)
    assert film.states() == [BEFORE]


@pytest.mark.parametrize("light", [0.4, 1.0, 1.3])
def test_a_table_in_dim_or_strong_light_is_seen(light):
    assert blinded(reduced((light * picture(BEFORE)).clip(0, 255).astype(np.uint8))) == ""


def test_photos_are_read_one_by_one():
    film = Film()
    for i, lying in enumerate((BEFORE, AFTER, AFTER), 1):
        film.lying = lying
        step = film.follower.take(Frame(i, float(i), picture(lying).astype(np.uint8), settled=True))
        assert (step.seen is not None) == (i < 3)


# What nobody touched


def test_a_tile_that_nobody_touched_keeps_its_color():
    film = Film()
    film.rest(1)
    seen = {**AFTER, "dungeon": ("red", "purple")}  # how the reader takes the blue one now
    film.hand((AWAY, OVER), 0.5)
    film.lying = seen
    film.show(picture(AFTER), 1)
    assert film.states() == [BEFORE, AFTER]
    assert [t.doubtful for t in film.seen[-1][1].tiles] == [False, True, False]


def test_a_tile_that_was_swapped_changes():
    film = Film()
    film.rest(1)
    film.hand((AWAY, OVER), 0.5)
    film.lying = {**BEFORE, "dungeon": ("red", "yellow", "green")}
    film.rest(1)
    assert film.states() == [BEFORE, film.lying]


def test_a_sticker_in_a_glare_is_still_there():
    film = Film()
    film.cards = ((40, (250, 200)), (41, (200, 200)))
    film.rest(1)
    film.hand((AWAY, OVER), 0.5)
    film.cards, film.lying = ((41, (200, 200)),), AFTER
    film.rest(1)
    assert [c.marker for c in film.seen[-1][1].cards] == [40, 41]


# What people say


def said(film, zone, i, color):
    """The reading as people would have it then, and of which of its tiles they said something."""
    assert film.follower.say([Said(tuple(place_of(film, zone, i)), color)])
    return film.follower.corrections.apply(film.follower.last)


def place_of(film, zone, i):
    return next(t.center for t in film.follower.last.tiles if t.zone == zone and t.col == i)


def test_what_a_person_says_of_a_tile_holds_until_it_moves():
    film = Film()
    film.rest(1)
    corrected, spoken = said(film, "dungeon", 1, "purple")
    assert [t.color for t in corrected.tiles] == ["red", "purple", "green"]
    assert spoken == {1}
    take(film)
    film.rest(1)
    assert film.states()[-1] == {**AFTER, "dungeon": ("red", "purple")}
    film.lying = {"dungeon": ("red",), "A": ("green", "blue"), "B": ()}
    film.hand((AWAY, OVER), 0.5)
    film.rest(1)
    assert film.states()[-1]["A"] == ("green", "blue")
    film.hand((AWAY, OVER), 0.5)
    film.lying = AFTER
    film.rest(1)
    assert film.states()[-1] == AFTER


def test_a_tile_that_is_confirmed_is_not_doubtful():
    film = Film()
    film.rest(1)
    last = film.follower.last
    film.follower.last = replace(last, tiles=tuple(replace(t, doubtful=True, doubt="tile.unsure") for t in last.tiles))
    corrected, _ = said(film, "dungeon", 0, "red")
    assert [t.doubtful for t in corrected.tiles] == [False, True, True]
    assert corrected.tiles[0].confidence == 1


def test_what_is_no_tile_is_left_out_and_can_come_back():
    film = Film()
    film.rest(1)
    corrected, spoken = said(film, "dungeon", 1, None)
    assert [t.color for t in corrected.tiles] == ["red", "green"]
    assert not spoken
    corrected, _ = said(film, "dungeon", 1, "blue")
    assert [t.color for t in corrected.tiles] == ["red", "blue", "green"]


def test_another_color_in_the_same_place_is_another_piece():
    film = Film()
    film.rest(1)
    said(film, "dungeon", 1, "purple")
    film.hand((AWAY, OVER), 0.5)
    film.lying = {**BEFORE, "dungeon": ("red", "yellow", "green")}
    film.rest(1)
    assert film.states()[-1]["dungeon"] == ("red", "yellow", "green")


def test_a_camera_that_was_moved_keeps_what_people_said():
    film = Film()
    film.rest(1)
    said(film, "dungeon", 1, "purple")
    film.shift = (20.0, 5.0)
    film.show(np.roll(picture(BEFORE), (5, 20), (0, 1)), 10)
    assert film.states()[-1]["dungeon"] == ("red", "purple", "green")


def test_nothing_can_be_said_where_no_tile_lies():
    film = Film()
    nowhere = Said((300, 230), "red")
    assert not film.follower.say([nowhere])
    film.rest(1)
    there = Said(tuple(place_of(film, "dungeon", 1)), "purple")
    assert not film.follower.say([there, nowhere])
    assert film.follower.corrections.said == ()
    assert film.follower.say([there])
