"""Cards known by their faces: a drawn deck is learnt and known again, turned, covered, beside strangers."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.decks import Laid, Order, OrderError, enroll_deck
from companion.words.words import words
from training.synth.cards import SIZE_MM, face, grid, lay, table
from training.synth.decks import drawn_deck
from vision.cards.deck import Deck, DeckError, Face, look_the_same
from vision.cards.find import CardFinder, _name, _with_sides
from vision.cards.strips import Strip
from vision.errors import PhotoError
from vision.table.profile import TableProfile
from vision.table.read import TableReader

PICTURES = {
    "sun": (1, None),
    "moon": (2, None),
    "king-1": (3, 1),
    "king-4": (3, 4),
    "king-7": (3, 7),
    "back": (9, None),
}
FACES = {name: face(*drawn) for name, drawn in PICTURES.items()}
COLS = 3
DENSE = 1.7
"""Pixels per millimetre of the tables' photos: cards 85 pixels wide."""


def order():
    cards = tuple({"id": name, **({"back": True} if name == "back" else {})} for name in FACES)
    return Order("drawn", SIZE_MM, (Laid("drawn.jpg", 2, COLS, cards),))


@pytest.fixture(scope="module")
def deck():
    return enroll_deck([grid(list(FACES.values()), COLS)], order())


@pytest.fixture(scope="module")
def finder(deck):
    return CardFinder([deck])


def found_at(cards, corners):
    """The card found there, if any."""
    here = [c for c in cards if np.linalg.norm(c.corners.mean(0) - corners.mean(0)) < 0.15 * SIZE_MM[0] * DENSE]
    assert len(here) <= 1
    return here[0] if here else None


def test_a_learnt_face_is_the_card_cut_at_its_corners(deck):
    for learnt, drawn in zip(deck.faces, FACES.values(), strict=True):
        small = cv2.resize(drawn, learnt.picture.shape[1::-1], interpolation=cv2.INTER_AREA)
        inside = slice(8, -8)
        like = np.corrcoef(learnt.picture[inside, inside].ravel(), small[inside, inside].ravel())[0, 1]
        assert like > 0.97, learnt.entry["id"]


@pytest.mark.parametrize("turn", [0.0, 0.8, 2.4, 3.9, 5.5])
def test_cards_are_known_however_they_are_turned(finder, turn):
    photo = table()
    laid = {n: lay(photo, FACES[n], (220 + 250 * i, 450), DENSE, turn) for i, n in enumerate(list(FACES)[:4])}
    cards = finder.find(photo)
    assert len(cards) == len(laid)
    for name, corners in laid.items():
        card = found_at(cards, corners)
        assert card is not None
        assert (card.entry["id"], card.doubtful) == (name, False)
        assert np.abs(card.corners - corners).max() < 3


def test_cards_that_differ_in_a_digit_are_told_apart(finder):
    photo = table()
    laid = {
        n: lay(photo, FACES[n], (250 + 300 * i, 400), DENSE, 0.2) for i, n in enumerate(("king-1", "king-4", "king-7"))
    }
    cards = finder.find(photo)
    assert {n: found_at(cards, c).entry["id"] for n, c in laid.items()} == {n: n for n in laid}


def test_where_the_digits_are_covered_no_name_is_given_without_a_doubt(finder):
    photo = table()
    lay(photo, FACES["sun"], (850, 450), DENSE)
    lay(photo, FACES["moon"], (600, 450), DENSE)
    corners = lay(photo, FACES["king-4"], (300, 450), DENSE)
    for a, b in (((0, 0), (24, 24)), ((26, 51), (50, 75))):
        lo, hi = (corners[0] + np.array(p) * DENSE for p in (a, b))
        cv2.rectangle(photo, tuple(np.int32(lo)), tuple(np.int32(hi)), (30, 60, 160), -1)
    card = found_at(finder.find(photo), corners)
    assert card is None or (card.doubtful and {one["id"] for one in card.nearest} == {"king-1", "king-4", "king-7"})


def test_a_card_half_under_another_is_known(finder):
    photo = table()
    under = lay(photo, FACES["sun"], (400, 400), DENSE)
    over = lay(photo, FACES["moon"], (400, 400 + 36 * DENSE), DENSE)
    lay(photo, FACES["king-1"], (800, 450), DENSE, 1.0)
    cards = finder.find(photo)
    assert found_at(cards, under).entry["id"] == "sun"
    assert found_at(cards, over).entry["id"] == "moon"


def test_a_stranger_and_a_back_get_no_name(finder):
    photo = table()
    known = lay(photo, FACES["sun"], (300, 450), DENSE)
    back = lay(photo, FACES["back"], (600, 450), DENSE, 0.4)
    stranger = lay(photo, face(77, 4), (900, 450), DENSE)
    cards = finder.find(photo)
    assert found_at(cards, known).entry["id"] == "sun"
    for corners in (back, stranger):
        card = found_at(cards, corners)
        assert card is None or card.entry is None


def test_the_same_picture_read_20_times_gives_20_times_the_same_cards(deck):
    photo = table((500, 900))
    for i, name in enumerate(("sun", "king-1", "king-4")):
        lay(photo, FACES[name], (150 + 280 * i, 250 + 30 * i), DENSE, 0.5 * i)
    lay(photo, FACES["moon"], (200, 300), DENSE, 1.0)
    alone = [CardFinder([deck]).find(photo) for _ in range(4)]
    film = CardFinder([deck])
    followed = [film.follow(photo) for _ in range(12)]
    film.forget()
    searched = [film.find(photo) for _ in range(3)]
    first = alone[0]
    assert len(first) >= 3
    for again in (*alone[1:], *followed, *searched, film.follow(photo)):
        assert [(c.entry, c.confidence) for c in again] == [(c.entry, c.confidence) for c in first]
        assert all((a.corners == b.corners).all() for a, b in zip(again, first, strict=True))


def test_a_resting_table_is_not_searched_again_but_a_changed_digit_is_seen(deck, monkeypatch):
    film = CardFinder([deck])
    searched = []
    monkeypatch.setattr(film, "_found", lambda image: searched.append(1) or CardFinder._found(film, image))
    photo = table()
    lay(photo, FACES["sun"], (300, 450), DENSE, 0.3)
    changed = photo.copy()
    corners = lay(photo, FACES["king-1"], (700, 450), DENSE)
    lay(changed, FACES["king-4"], (700, 450), DENSE)
    noise = np.random.default_rng(3)
    first = film.follow(photo)
    for light in (1.0, 0.97, 1.03):
        shown = np.clip(photo * light + noise.normal(0, 3, photo.shape), 0, 255).astype(np.uint8)
        assert film.follow(shown) == first
    assert len(searched) == 1
    assert found_at(film.follow(changed), corners).entry["id"] == "king-4"
    assert len(searched) == 2
    lay(changed, FACES["moon"], (1000, 450), DENSE)
    assert len(film.follow(changed)) == 3
    film.forget()
    film.follow(changed)
    assert len(searched) == 4


def test_a_card_that_lay_there_is_known_by_a_narrow_strip(deck):
    photo = table()
    corners = lay(photo, FACES["sun"], (400, 300), DENSE)
    for i, name in enumerate(("king-1", "king-4", "back")):
        lay(photo, FACES[name], (700 + 180 * i, 300), DENSE)
    film = CardFinder([deck])
    film.follow(photo)
    over = lay(photo, FACES["moon"], (400, 300 + 16 * DENSE), DENSE)
    for cards in (film.follow(photo), CardFinder([deck]).find(photo)):
        assert found_at(cards, corners).entry["id"] == "sun"
        assert found_at(cards, over).entry["id"] == "moon"
    bare = table()
    assert film.follow(bare) == ()


@pytest.mark.parametrize("turn", [0.0, 3.1])
def test_each_card_of_a_column_is_known_at_first_sight(finder, turn):
    photo = table()
    column = ("king-7", "moon", "king-1", "sun")
    down = np.array([-np.sin(turn), np.cos(turn)])
    at = [(np.array([450, 450]) + (i - 1.5) * 0.25 * SIZE_MM[1] * DENSE * down) for i in range(len(column))]
    laid = [lay(photo, FACES[name], tuple(xy), DENSE, turn) for name, xy in zip(column, at, strict=True)]
    cards = finder.find(photo)
    assert [found_at(cards, corners).entry["id"] for corners in laid] == list(column)
    assert len(cards) == len(column)


@pytest.mark.parametrize(("radius", "spread"), [(150, 7), (150, 9), (200, 11)])
def test_no_card_of_a_fan_is_passed_over(finder, radius, spread):
    photo = table()
    fan = ("king-7", "moon", "king-1", "sun")
    laid = []
    for i, name in enumerate(fan):
        turn = np.deg2rad((i - 1.5) * spread)
        at = np.array([500, 700]) + radius * np.array([np.sin(turn), -np.cos(turn)])
        laid.append(lay(photo, FACES[name], tuple(at), DENSE, turn))
    cards = finder.find(photo)
    assert len(cards) == len(fan)
    for name, corners in zip(fan, laid, strict=True):
        card = found_at(cards, corners)
        assert card is not None, name
        assert card.entry == {"id": name} or (card.entry is None and card.doubtful), name


def test_a_token_on_a_card_makes_it_no_stranger(finder):
    photo = table()
    corners = lay(photo, FACES["moon"], (400, 400), DENSE)
    lay(photo, FACES["sun"], (650, 400), DENSE)
    cv2.circle(photo, (410, 420), round(17 * DENSE), (60, 120, 30), -1)
    cv2.circle(photo, (410, 420), round(12 * DENSE), (220, 230, 240), -1)
    card = found_at(finder.find(photo), corners)
    assert card is not None
    assert card.entry == {"id": "moon"}


@pytest.mark.parametrize(
    ("apart", "on_top", "asked"), [(26, False, 1), (32, True, 0)], ids=["below", "on top, whole in sight"]
)
def test_a_stranger_that_sticks_out_below_a_card_is_asked_about(finder, apart, on_top, asked):
    photo = table()
    lying = [(face(77, 4), 400), (FACES["moon"], 400 + apart * DENSE)]
    for shown, y in lying[::-1] if on_top else lying:
        lay(photo, shown, (400, y), DENSE)
    cards = finder.find(photo)
    assert [card.entry["id"] for card in cards if card.entry] == ["moon"]
    assert [card.doubtful for card in cards if card.entry is None] == [True] * asked


def test_strangers_on_the_ornament_of_all_cards_get_no_name():
    drawn = drawn_deck(8800209, "sea", "ornament")
    learnt = [Face(card.entry, drawn.size_mm, card.face) for card in drawn.cards]
    photo, shift = table(), 1.15 * DENSE * np.array(drawn.size_mm)
    shown = [*drawn.strangers, *(drawn.cards[k].face for k in (0, 7, 14, 21))]
    at = [lay(photo, one, shift * (0.6 + i % 6, 0.6 + i // 6), DENSE) for i, one in enumerate(shown)]
    cards = CardFinder([Deck.learnt("ornament", drawn.size_mm, learnt)]).find(photo)
    names = [None if (card := found_at(cards, corners)) is None else card.entry for corners in at]
    assert [name and name["id"] for name in names] == [None] * 8 + ["w0-1", "w1-2", "w2-3", "w3-4"]


@pytest.mark.parametrize(
    ("beside", "covered", "lies_there"),
    [
        pytest.param(0, False, True, id="where it lies"),
        pytest.param(0, True, True, id="half under another card"),
        pytest.param(260, False, False, id="on the bare table"),
    ],
)
def test_which_of_several_cards_lies_is_asked_only_where_a_card_has_its_sides(finder, beside, covered, lies_there):
    photo = table()
    corners = lay(photo, FACES["king-4"], (300, 450), DENSE)
    for a, b in (((0, 0), (24, 24)), ((26, 51), (50, 75))):
        lo, hi = (corners[0] + np.array(p) * DENSE for p in (a, b))
        cv2.rectangle(photo, tuple(np.int32(lo)), tuple(np.int32(hi)), (30, 60, 160), -1)
    lay(photo, FACES["sun"], (330 if covered else 850, 500 if covered else 450), DENSE)
    finder.forget()
    named = finder._found(photo)
    (unsure,) = [laid for laid in named if laid.card.doubtful]
    assert unsure.card.confidence < 0.49
    there = replace(unsure, to_pixels=np.array([[1, 0, beside], [0, 1, 0], [0, 0, 1]]) @ unsure.to_pixels)
    others = [laid for laid in named if laid is not unsure]
    assert any(laid is there for laid in _with_sides(photo, [*others, there])) == lies_there


def test_a_strip_in_which_hardly_any_of_some_cards_own_print_agrees_is_none_of_them(finder):
    photo = table()
    corners = lay(photo, FACES["king-4"], (300, 450), DENSE)
    for a, b in (((0, 0), (24, 24)), ((26, 51), (50, 75))):
        lo, hi = (corners[0] + np.array(p) * DENSE for p in (a, b))
        cv2.rectangle(photo, tuple(np.int32(lo)), tuple(np.int32(hi)), (30, 60, 160), -1)
    lay(photo, FACES["sun"], (850, 450), DENSE)
    finder.forget()
    (unsure,) = [laid for laid in finder._found(photo) if laid.card.doubtful]
    strip = Strip(unsure.to_pixels, corners, np.array([0.0, 1.0]), 20.0, False)
    rows, cols = unsure.bank.grid
    few = np.zeros((rows, cols, 1))
    few[-2:, :2] = 1.0
    none = np.zeros(rows * cols, bool)
    whole = replace(unsure, strip=strip, speaks=15.0)
    hardly = replace(whole, like=np.repeat(few.reshape(-1, 1), unsure.like.shape[1], 1))
    assert _name(photo, whole, none, None) is not None
    assert _name(photo, hardly, none, None) is None


@pytest.mark.parametrize("gap", [4, 9, 16])
def test_nothing_is_seen_in_the_gaps_between_cards(finder, gap):
    photo = table()
    for i, name in enumerate(("sun", "moon", "king-1", "king-4", "king-7", "sun")):
        x, y = i % 3, i // 3
        lay(photo, FACES[name], (300 + x * (50 + gap) * DENSE, 300 + y * (75 + gap) * DENSE), DENSE, 0.02 * (-1) ** i)
    cards = finder.find(photo)
    assert len(cards) == 6
    assert not any(card.doubtful for card in cards)


def test_which_of_some_cards_that_count_the_same_is_no_doubt(deck):
    kinds = [{"id": face.entry["id"], "kind": face.entry["id"].partition("-")[0]} for face in deck.faces]
    faces = [replace(face, entry=kind) for face, kind in zip(deck.faces, kinds, strict=True)]
    photo = table()
    lay(photo, FACES["sun"], (850, 450), DENSE)
    corners = lay(photo, FACES["king-4"], (300, 450), DENSE)
    for a, b in (((0, 0), (24, 24)), ((26, 51), (50, 75))):
        lo, hi = (corners[0] + np.array(p) * DENSE for p in (a, b))
        cv2.rectangle(photo, tuple(np.int32(lo)), tuple(np.int32(hi)), (30, 60, 160), -1)
    card = found_at(CardFinder([Deck.learnt("kinds", SIZE_MM, faces)]).find(photo), corners)
    assert (card.entry["kind"], card.doubtful) == ("king", False)


def test_a_bare_table_has_no_cards(finder):
    assert finder.find(table()) == ()


def test_a_deck_is_kept(deck, tmp_path):
    deck.save(tmp_path / "deck.json")
    kept = Deck.load(tmp_path / "deck.json")
    photo = table()
    corners = lay(photo, FACES["king-4"], (500, 450), DENSE, 1.0)
    lay(photo, FACES["moon"], (800, 450), DENSE)
    assert found_at(CardFinder([kept]).find(photo), corners).entry == {"id": "king-4"}
    text = (tmp_path / "deck.json").read_text("utf-8")
    data = json.loads(text)
    data["size_mm"] = data["cards"][0]["size_mm"] = [10**400, 1]
    (tmp_path / "large.json").write_text(json.dumps(data))
    with pytest.raises(DeckError):
        Deck.load(tmp_path / "large.json")
    (tmp_path / "deck.npz").write_bytes(b"no pictures")
    with pytest.raises(DeckError, match=r"deck\.pictures"):
        Deck.load(tmp_path / "deck.json")


def test_cards_that_look_the_same_are_said_at_once():
    cards = ({"id": "one"}, {"id": "two"}, {"id": "three"})
    twice = enroll_deck(
        [grid([FACES["sun"], FACES["sun"], FACES["moon"]], 3)], Order("d", SIZE_MM, (Laid("p", 1, 3, cards),))
    )
    assert look_the_same(twice.faces) == [("one", "two")]


def test_a_photo_without_the_cards_of_its_order_is_refused():
    with pytest.raises(DeckError, match=r"deck\.cards .*order\.count .n 4"):
        enroll_deck([grid(list(FACES.values())[:4], 2)], order())
    with pytest.raises(OrderError, match=r"order\.number"):
        enroll_deck([table(), table()], order())


GOOD = {"deck": "d", "size_mm": [50, 75], "photos": [{"photo": "a.jpg", "rows": 1, "cols": 1, "cards": [{"id": "x"}]}]}
PHOTO = GOOD["photos"][0]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], "the whole file: expected an object with deck, size_mm and photos, got []"),
        ({**GOOD, "deck": ""}, 'deck: expected text that is not empty, got ""'),
        ({**GOOD, "size_mm": [50]}, "size_mm: expected [width, height] in millimetres, 10 to 400, got [50]"),
        ({**GOOD, "photos": []}, "photos: expected a list of photos, got []"),
        ({**GOOD, "photos": [{**PHOTO, "rows": 0}]}, "photos[0].rows: expected a whole number from 1 to 30, got 0"),
        ({**GOOD, "photos": [{**PHOTO, "cols": 2, "rows": 2}]},
         "photos[0].cards: expected 2 rows of 2 cards (the last may be short), got 1 card"),
        ({**GOOD, "photos": [{**PHOTO, "cards": [{}]}]}, "photos[0].cards[0]: expected an object with an id, got {}"),
        ({**GOOD, "photos": [PHOTO, PHOTO]}, "photos: expected an id of its own for each card, got x twice"),
        ({**GOOD, "photos": [{**PHOTO, "cards": [{"id": "x", "back": 1}]}]},
         "photos[0].cards[0].back: expected true or false, got 1"),
    ],
)  # fmt: skip
def test_an_order_that_makes_no_sense_is_refused(data, said):
    with pytest.raises(OrderError) as refused:
        Order.from_json(data)
    assert said in words("en").told(refused.value)


@pytest.mark.parametrize("names", [("sun", "moon", "king-1"), ("king-4", "king-7", "sun")])
def test_without_markers_faces_tell_a_mirrored_table(deck, tmp_path, names):
    deck.save(tmp_path / "deck.json")
    reader = TableReader(TableProfile("t", "splendor", decks=(str(tmp_path / "deck.json"),)), inventory={})
    photo = table()
    for i, name in enumerate(names):
        lay(photo, FACES[name], (220 + 250 * i, 450), DENSE, 0.3)
    assert {card.card["id"] for card in reader.read(photo, thorough=True).cards} == set(names)
    with pytest.raises(PhotoError) as raised:
        reader.read(np.ascontiguousarray(photo[:, ::-1]), thorough=True)
    assert raised.value.key == "table.mirrored"


@pytest.mark.parametrize("on_it", [(), (77, 4), (12, 1)])
def test_a_table_without_a_known_face_is_not_mirrored(deck, tmp_path, on_it):
    deck.save(tmp_path / "deck.json")
    reader = TableReader(TableProfile("t", "splendor", decks=(str(tmp_path / "deck.json"),)), inventory={})
    photo = table()
    if on_it:
        lay(photo, face(*on_it), (500, 450), DENSE, 0.3)
    assert [card.card for card in reader.read(photo, thorough=True).cards if card.card] == []
