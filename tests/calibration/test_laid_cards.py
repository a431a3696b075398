"""Where cards lie in a photo from which a deck is learnt: the cards themselves, not what is printed on them."""

from itertools import islice

import cv2
import numpy as np
import pytest

from calibration.card_edges import on_one_table
from calibration.decks import Laid, Order, enroll_deck, find_cards, find_laid_cards
from training.synth.decks import DrawnDeck, drawn_deck
from training.synth.laid_cards import laid_for_learning
from vision.cards.deck import DeckError

SIZE_MM = (60.0, 90.0)
DENSE = 3
TABLE = (70, 95, 120)
COLS, ROWS = 3, 2
LAID = Laid("p.jpg", ROWS, COLS, tuple({"id": str(i)} for i in range(COLS * ROWS)))


def photo(card, table=TABLE):
    """A photo of six cards, the left one nearest to the rim, and their corners, (6, 4, 2)."""
    w, h = (round(side * DENSE) for side in SIZE_MM)
    out = np.full((2 * (h + 50) + 50, 3 * (w + 50) + 50, 3), table, np.uint8)
    out = np.clip(out + np.random.default_rng(1).normal(0, 4, out.shape), 0, 255).astype(np.uint8)
    corners = []
    for i in range(COLS * ROWS):
        x, y = 50 + i % COLS * (w + 50), 50 + i // COLS * (h + 50)
        out[y : y + h, x : x + w] = card(i, h, w)
        corners.append([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    return cv2.GaussianBlur(out, (0, 0), 0.7), np.array(corners) - 0.5


def photo_for_learning(seed, deck, n):
    """The nth of the photos from which a drawn deck is learnt, what lies there, and corners."""
    return next(islice(laid_for_learning(np.random.default_rng([seed, 3]), deck, 5, 3), n, None))


def rimmed(i, h, w, rim=3.0):
    """A dark picture with a rim of about the table's brightness."""
    card = np.full((h, w, 3), (90, 120, 150), np.uint8)
    r = round(rim * DENSE)
    card[r : h - r, r : w - r] = (25, 15, 20)
    cv2.circle(card, (w // 2, 60 + 20 * i), 14, (60, 200, 120), -1)
    return card


def boxed(i, h, w, box=(8, 8, 70, 70)):
    """A picture hardly darker than the table, with a white box as wide and high as it is said."""
    card = np.full((h, w, 3), (45, 70, 90), np.uint8)
    x, y, wide, high = box
    card[y : y + high, x : x + wide] = 245
    cv2.putText(card, str(i), (x + 15, y + high // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 3)
    return card


def banded(i, h, w):
    """A dark picture with a band across it, as bright as the table."""
    card = rimmed(i, h, w, 0.0)
    card[h - 45 : h - 12] = TABLE
    cv2.putText(card, "NAME", (w // 3, h - 22), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (10, 10, 10), 2)
    return card


CARDS = {
    "a rim like the table": rimmed,
    "a narrow rim": lambda i, h, w: rimmed(i, h, w, 2.0),
    "a square box": boxed,
    "a box of a card's proportions": lambda i, h, w: boxed(i, h, w, (10, 10, 60, 90)),
    "no rim": lambda i, h, w: rimmed(i, h, w, 0.0),
    "a band like the table": banded,
}


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
@pytest.mark.parametrize("announced", [True, False], ids=["rows announced", "not announced"])
def test_cards_are_cut_at_their_own_edge(card, announced):
    seen, corners = photo(card)
    found = (
        find_laid_cards(seen, LAID, [SIZE_MM] * 6)
        if announced
        else [card.corners for card in find_cards(seen, [SIZE_MM])[0]]
    )
    assert np.abs(np.array(found) - corners).max() < 0.7 * DENSE


def test_titles_of_cards_that_cannot_be_made_out_are_no_cards():
    seen, _ = photo(lambda i, h, w: boxed(i, h, w, (10, h - 40, w - 20, 30)), table=(45, 70, 90))
    with pytest.raises(DeckError, match=r"expected deck\.cards .*, got order\.count \(n 0\)"):
        enroll_deck([seen], Order("d", SIZE_MM, (LAID,)))


def test_as_many_cards_as_were_announced_but_in_other_rows_are_not_said_to_be_too_few():
    seen, _ = photo(CARDS["no rim"])
    with pytest.raises(DeckError, match=r"expected deck\.cards .*, got deck\.otherwise \(n 6\)"):
        enroll_deck([seen], Order("d", SIZE_MM, (Laid("p.jpg", COLS, ROWS, LAID.cards),)))


def test_edges_that_stretch_the_table_as_no_camera_sees_it_give_way_to_the_outlines():
    seen, corners = photo(CARDS["no rim"])
    wood = 6 * DENSE * np.array([[-1, 0], [1, 0], [1, 0], [-1, 0]])
    rough = [quad + np.random.default_rng(i).normal(0, 2, (4, 2)) for i, quad in enumerate(corners)]
    cut = on_one_table(seen, ([quad + wood for quad in corners], rough), [SIZE_MM] * len(corners))
    assert np.abs(np.array(cut) - corners).max() < 0.5 * DENSE


def test_cards_that_no_way_of_seeing_outlines_shows_together_are_found():
    deck = drawn_deck(54000, "jewels", "flat")
    shown, ids, corners = photo_for_learning(54000, deck, 3)
    mine = [0, 1, 2, 5, 6, 7]
    there = np.array([corners[k] for k in mine])
    (left, top), (right, bottom) = (there.min((0, 1)) - 30).astype(int), (there.max((0, 1)) + 30).astype(int)
    laid = Laid("p.jpg", 2, 3, tuple({"id": ids[k]} for k in mine))
    cut = find_laid_cards(shown[top:bottom, left:right], laid, [deck.size_mm] * len(mine))
    dense = np.linalg.norm(there[0, 1] - there[0, 0]) / deck.size_mm[0]
    assert np.abs(np.array(cut) + np.array([left, top]) - there).max() < dense


def test_grain_that_would_lay_cards_on_one_another_is_not_their_edge():
    deck = drawn_deck(8800205, "heroes", "photo")
    seen, names, corners = photo_for_learning(8800205, deck, 1)
    laid = Laid("1.jpg", 3, 5, tuple({"id": name} for name in names))
    cut = find_laid_cards(seen, laid, [deck.size_mm] * len(names))
    off = [
        np.abs(mine - true).max() / np.linalg.norm(true[1] - true[0]) for mine, true in zip(cut, corners, strict=True)
    ]
    assert max(off) < 0.06


@pytest.mark.parametrize(
    ("seed", "kind", "manner", "which"),
    [(56014, "suits", "photo", 1), (8800331, "jewels", "flat", 0)],
    ids=["cards as bright as a patterned cloth", "cards of a table's hue"],
)
def test_cards_whose_edges_are_no_steeper_than_what_the_table_shows_are_told_by_their_colors(seed, kind, manner, which):
    deck = drawn_deck(seed, kind, manner)
    seen, names, corners = photo_for_learning(seed, deck, which)
    laid = Laid("p.jpg", 3, 5, tuple({"id": name} for name in names))
    cut = find_laid_cards(seen, laid, [deck.size_mm] * len(names))
    dense = np.linalg.norm(corners[0][1] - corners[0][0]) / deck.size_mm[0]
    assert np.abs(np.array(cut) - np.array(corners)).max() < dense
    with pytest.raises(DeckError):
        find_laid_cards(seen, Laid("p.jpg", 5, 3, laid.cards), [deck.size_mm] * len(names))


@pytest.mark.parametrize(
    ("seed", "kind", "manner"), [(56108, "sea", "ornament"), (56112, "jewels", "painted"), (56118, "hues", "ornament")]
)
def test_a_card_that_lies_alone_is_not_taken_for_what_no_camera_sees_of_one(seed, kind, manner):
    deck = drawn_deck(seed, kind, manner)
    alone = DrawnDeck(deck.style, deck.size_mm, (), deck.back, ())
    ((shown, _, corners),) = laid_for_learning(np.random.default_rng([(seed - 56100) // 2, 0]), alone, 5, 3)
    (found,) = find_laid_cards(shown, Laid("p.jpg", 1, 1, ({"id": "back"},)), [deck.size_mm])
    assert np.abs(found - corners[0]).max() < 4


@pytest.mark.parametrize("band", [4.0, 6.0])
def test_a_card_that_lies_alone_ends_beyond_a_dark_band_where_its_print_does(band):
    w, h = (round(side * DENSE) for side in SIZE_MM)
    shown = np.full((h + 300, w + 600, 3), (34, 36, 34), np.uint8)
    corners = np.array([[300, 150], [300 + w, 150], [300 + w, 150 + h], [300, 150 + h]])
    shown[150 : 150 + h, 300 : 300 + w] = (60, 24, 16)
    print_ends = 150 + h - round(band * DENSE)
    shown[150:print_ends, 300 : 300 + w] = (40, 150, 160)
    shown = np.clip(shown + np.random.default_rng(3).normal(0, 2, shown.shape), 0, 255).astype(np.uint8)
    shown = cv2.GaussianBlur(shown, (0, 0), 0.7)
    (found,) = find_laid_cards(shown, Laid("p.jpg", 1, 1, ({"id": "1"},)), [SIZE_MM])
    assert np.abs(found - (corners - 0.5)).max() < 2
