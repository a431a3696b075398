"""Names proposed for a photographed deck, from the order in which its cards lie and from what they show."""

from __future__ import annotations

from random import Random

import pytest

from companion.games import GAMES
from companion.web.deck_names import propose

GAME = GAMES["splendor"]
ROWS = [row for _, row in GAME.card_rows()]
MOST_TAPS_IN_ORDER, MOST_TAPS = 12, 40


def draft(kinds, families=True):
    """A photographed deck whose cards are these: those of a level and color show one picture, with points top left."""
    cards = [{"kind": None, "size": GAME.size_of(GAME.deck[kind])} for kind in kinds]
    found = [[i for i, kind in enumerate(kinds) if kind in row] for row in ROWS if GAME.deck[row[0]]["kind"] != "noble"]
    points = {kind: GAME.deck[kind].get("points") for kind in kinds}
    return {
        "cards": cards,
        "families": [
            {"cards": family, "corners": [[0] * len(family), [points[kinds[i]] for i in family], family, family]}
            for family in found
            if families and len(family) > 2
        ],
    }


def wrong(found, kinds):
    """The cards that are named as what they do not count as."""
    return [i for i, card in enumerate(found["cards"])
            if card["kind"] is None or GAME.deck[card["kind"]] != GAME.deck[kinds[i]]]  # fmt: skip


def named_by_hand(kinds, families=True):
    """The taps by which a person names a deck: one for each picture or card that is asked for, two for each name
    that is still wrong."""
    made, taps = draft(kinds, families), 0
    propose(made, GAME)
    while bad := wrong(made, kinds):
        at = bad[0]
        family = next((one["cards"] for one in made["families"] if at in one["cards"]), [at])
        row = next(row for row in ROWS if kinds[at] in row)
        if len(family) > 1 and made["cards"][at]["kind"] not in row:
            made["cards"][family[0]] |= {"picture": row[0], "said": False}
            taps += 1
        else:
            made["cards"][at] |= {"kind": kinds[at], "said": True}
            taps += 1 if len(family) == 1 else 2
        propose(made, GAME)
    return taps


ASKED = [kind for row in ROWS for kind in row]


def test_laid_in_the_order_asked_nothing_has_to_be_put_right():
    assert named_by_hand(ASKED) == named_by_hand(ASKED, families=False) == 0


@pytest.mark.parametrize("seed", range(8))
def test_laid_in_any_order_a_hundred_cards_take_few_taps(seed):
    kinds = Random(seed).sample(ASKED, len(ASKED))
    assert named_by_hand(kinds) <= MOST_TAPS - 4  # photos, learning and the first one to begin are taps too


@pytest.mark.parametrize("seed", range(4))
def test_rows_in_any_order_and_cards_of_a_row_in_any_order(seed):
    rng = Random(seed)
    rows = rng.sample(ROWS, len(ROWS))
    assert named_by_hand([kind for row in rows for kind in rng.sample(row, len(row))]) <= MOST_TAPS - 4


def test_a_card_that_is_missing_shifts_no_other_row():
    kinds = [kind for kind in ASKED if kind != ROWS[2][4]]
    made = draft(kinds)
    propose(made, GAME)
    assert wrong(made, kinds) == []


def test_a_picture_that_is_named_keeps_what_was_said_of_its_cards():
    kinds = ROWS[3] + ROWS[0]
    made = draft(kinds)
    made["cards"][2] |= {"kind": ROWS[3][2], "said": True}
    propose(made, GAME)
    assert made["cards"][2]["kind"] == ROWS[3][2]
    assert {card["kind"] for card in made["cards"][:8]} == set(ROWS[3])
