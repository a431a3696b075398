"""What the box or a rule refuses becomes a question about the cards in question; the other points stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from common.messages import Message
from companion.cases.case import Case, Doubt, case_view
from companion.games import GAMES
from companion.record import CARD, Observation, Piece


def seen(game, players, said=(), **table):
    """A table whose cards all were seen: those of each player's lists, in the order of the state."""
    places, pieces = {}, []
    for i, player in enumerate(players):
        for key in ("open", "sets", "hand"):
            for at, card in lying(player.get(key, []), f"/players/{i}/{key}"):
                name = f"p{len(pieces)}"
                places[at] = (name,)
                label = Message("card", {"card": card, "marker": None})
                square = ((0, 0), (1, 0), (1, 1), (0, 1))
                pieces.append(Piece(name, CARD, label, square, 1.0, None, len(pieces) in said, {"card": card}, "A"))
    return Case({"game": game, "players": players, **table}, places, (Observation(tuple(pieces)),))


def lying(value, place):
    if isinstance(value, list):
        for i, one in enumerate(value):
            yield from lying(one, f"{place}/{i}")
    else:
        yield place, value


def view(case):
    return case_view(case, "en", lambda message: message.key)


def treasure(*cards):
    return [{"color": color, "number": number} for color, number in cards]


ITEMS = [{"name": "A", "open": [["I3", "I3", "I3"]], "hand": ["H1", "I3"]}, {"name": "B", "open": [["H1", "H2", "H3"]]}]
IGNA = [{"name": "A", "sets": [treasure(("blue", 1), ("blue", 1), ("blue", 6)), treasure(*[("red", 2)] * 3)]}]


def test_of_a_card_that_the_box_does_not_hold_so_often_all_are_asked_about():
    found = view(seen("human-angel-demon", ITEMS, winner=None))
    (asked,) = found["contradictions"]
    assert asked["pieces"] == ["p0", "p1", "p2", "p4"]
    assert "at most 3 of this card" in asked["message"]
    assert [row and row["name"] for row in found["so_far"]["players"]] == [None, "B"]  # B's points stand


@pytest.mark.parametrize(("said", "asked"), [((0,), ["p1", "p2", "p4"]), ((0, 1, 2, 4), [])])
def test_what_a_person_has_said_is_not_asked_again(said, asked):
    found = view(seen("human-angel-demon", ITEMS, said, winner=None))["contradictions"]
    assert [piece for one in found for piece in one["pieces"]] == asked


@pytest.mark.parametrize(
    ("game", "players", "table"),
    [
        ("human-angel-demon", [{"name": "A", "open": [["H1", "H2", "D3"]]}], {"winner": None}),
        ("igna", [{"name": "A", "sets": [treasure(("blue", 1), ("blue", 1), ("blue", 6))]}], {}),
    ],
)
def test_three_cards_that_make_no_set_are_asked_about(game, players, table):
    (asked,) = view(seen(game, [*players, {"name": "B"}], **table))["contradictions"]
    assert asked["pieces"] == ["p0", "p1", "p2"]


@pytest.mark.parametrize(("doubted", "asked"), [("p3", 0), ("q0", 1)])
def test_where_a_card_of_the_same_player_is_in_doubt_that_is_asked_first(doubted, asked):
    case = seen("igna", IGNA, points={"same": 3, "run": 2, "mixed": 1, "bonus": 1})
    (picture,) = case.evidence
    elsewhere = replace(picture.pieces[0], id="q0", zone="B")
    pictures = (replace(picture, pieces=(*picture.pieces, elsewhere)),)
    assert len(view(replace(case, evidence=pictures, doubts=(Doubt(doubted),)))["contradictions"]) == asked


def test_the_other_sets_count_meanwhile():
    found = view(seen("igna", IGNA, points={"same": 3, "run": 2, "mixed": 1, "bonus": 1}))
    assert found["answer"]["players"][0]["total"] == 3
    assert [one["pieces"] for one in found["contradictions"]] == [["p0", "p1", "p2"]]


def test_a_state_in_which_nothing_contradicts_asks_nothing():
    fine = [{"name": "A", "open": [["I3", "I3", "I3"]]}, {"name": "B"}]
    assert view(seen("human-angel-demon", fine, winner=None))["contradictions"] == []
    assert view(seen("human-angel-demon", fine))["contradictions"] == []  # who goaled is not known: no card's fault


def test_while_nobody_has_said_who_goaled_a_set_that_is_none_is_asked_about_all_the_same():
    odd = [{"name": "A", "open": [["H1", "H2", "D3"]]}, {"name": "B"}]
    (asked,) = view(seen("human-angel-demon", odd))["contradictions"]
    assert asked["pieces"] == ["p0", "p1", "p2"]


def test_notes_that_are_asked_about_are_notes_of_their_game():
    from companion.words.words import words  # noqa: PLC0415

    for game in GAMES.values():
        assert all(f"note.{key}" in words("en") for key in game.contradictions)
