"""Human Angel Demon: what a card is believed to be, where looks differ and where a set tells."""

import pytest

from referee.human_angel_demon.cards import Card, as_set
from referee.human_angel_demon.tables import Side, Table
from referee.looks import Look

AT = "/players/0/open/0/0"


def seen(*codes):
    """A card that looks show as these, one after the other, each without a doubt."""
    card = Card()
    for n, code in enumerate(codes):
        card, _ = card.read(Look(n, {"state": {}}), AT, code)
    return card


@pytest.mark.parametrize(
    ("codes", "doubtful", "believed"),
    [
        (("H1", "H2", "H4"), True, ("H1", "H2", "H3")),
        (("H1", "H2", "H4"), False, None),
        (("D4", "D4r", "D7"), True, ("D4", "D4r", "D4")),
        (("D4", "D4", "D7"), True, ("D4", "D4", "D4")),
    ],
)
def test_a_doubtful_card_is_what_makes_a_set_and_there_is_one_red_card_of_each_title(codes, doubtful, believed):
    look = Look(0, {"state": {}, "doubtful": [AT] * doubtful})
    cards = (seen(codes[0]), seen(codes[1]), Card().read(look, AT, codes[2])[0])
    made = as_set(cards, frozenset())
    assert (made and tuple(card.code for card in made)) == believed


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        ([("H2",), ("H2",), ("H2",)], ["H2", "H2", "H2"]),
        ([("H2",), ("H2",), ("H2",), ("H2", "H2r")], ["H2", "H2", "H2", "H2r"]),
        ([("H2", "H2r"), ("H2",), ("H2",), ("H2",)], ["H2r", "H2", "H2", "H2"]),
        ([("H2",), ("H2",), ("H2",), ("H2",)], ["H2", "H2", "H2", "H2"]),
        ([("H2r",), ("H2",), ("H2",), ("H2",), ("H2", "H2r")], ["H2r", "H2", "H2", "H2", "H2"]),
    ],
)
def test_more_cards_than_there_are_are_what_another_look_showed(rows, codes):
    cards = (Card(), *(seen(*shown) for shown in rows))
    discards = tuple(range(1, len(cards)))
    table = Table(cards, (), (Side(discards, (), False),))
    assert table.in_the_box().codes(discards) == codes
