"""What the rules ask for at a moment of a followed game, as players read it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from companion.cases.game_log import GameLog
from companion.games import GAMES
from companion.games.moment import Moment
from companion.web.tables.view import due
from companion.words.words import words

NAMES = {"A": "Mika", "B": "Jun"}


def took(who: str, seeker: Any, *what: str, **more: Any) -> dict[str, Any]:
    return {"move": "take", "who": who, "seeker": seeker, "what": list(what), **more}


def wrote(who: str, n: int, claimed: str | None = None) -> dict[str, Any]:
    return {"move": "write", "who": who, "round": n, "claimed": claimed}


def rows(a: Mapping[str, Any] | None = None, b: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    return [{"name": "A", **(a or {})}, {"name": "B", **(b or {})}]


SIX = [took(who, 1, "red") for _ in range(6) for who in "AB"]
ASKED: list[tuple[str, str, dict[str, Any], dict[str, Any], list[str]]] = [
    (
        "rules 11 to 13: the scarcest color, never gold or the rainbow",
        "twelve-seekers",
        {"rule": 11, "players": rows({"gems": {"red": 3, "blue": 1, "rainbow": 1}, "gold": 1})},
        {"owed": {("A", "T12")}},
        ["Mika: one blue gem goes out of the game."],
    ),
    (
        "... several are as scarce",
        "twelve-seekers",
        {"rule": 12, "players": rows({"gems": {"red": 2, "green": 1, "blue": 1, "purple": 0}})},
        {"owed": {("A", "T12")}},
        ["Mika: one gem goes out of the game, of one of these colors: green, blue."],
    ),
    (
        "rule 18: two swaps after a turn of power 1, one of them done",
        "twelve-seekers",
        {"rule": 18, "players": rows()},
        {"moves": [took("A", 1, "red", swaps=1)], "turn": "B"},
        ["Mika may still swap neighboring gems of the line: 1 swap left.", "Round 1 of 6"],
    ),
    (
        "... an advanced seeker has its power",
        "twelve-seekers",
        {"rule": 18, "players": rows()},
        {"moves": [took("A", "pair", "red", "red")], "turn": "B"},
        ["Mika may still swap neighboring gems of the line: 1 swap left.", "Round 1 of 6"],
    ),
    (
        "... none after power 4",
        "twelve-seekers",
        {"rule": 18, "players": rows()},
        {"moves": [took("A", 4, *["red"] * 4)], "turn": "B"},
        ["Round 1 of 6"],
    ),
    (
        "rule 19: a card for the round",
        "twelve-seekers",
        {"rule": 19, "players": rows()},
        {"moves": SIX[:4], "turn": "A"},
        ["Round 3: turn over a color card; only that color is valid.", "Round 3 of 6"],
    ),
    (
        "... one's own color in the last",
        "twelve-seekers",
        {"rule": 19, "players": rows()},
        {"moves": SIX[:10], "turn": "B"},
        ["Jun: which color? It is named before the turn; only that color is valid.", "Round 6 of 6"],
    ),
    (
        "rule 20: always, whoever begins",
        "twelve-seekers",
        {"rule": 20, "players": rows()},
        {},
        ["Which color? Whoever moves next names it before the turn; only that color is valid."],
    ),
    ("... not in the midst of a turn", "twelve-seekers", {"rule": 20, "players": rows()}, {"owed": {("A", "T7")}}, []),
    ("... nor after six rounds", "twelve-seekers", {"rule": 20, "players": rows()}, {"moves": SIX}, []),
    (
        "fifteen points: the others of the round still play",
        "splendor",
        {"players": rows({"cards": [{"points": 5}, {"points": 4}], "nobles": 2})},
        {"moves": [{"who": "A"}]},
        ["Mika has reached 15 points: last round. Still to play: Jun."],
    ),
    (
        "... all have played",
        "splendor",
        {"players": rows({"cards": [{"points": 15}]})},
        {"moves": [{"who": "A"}, {"who": "B"}]},
        ["Mika has reached 15 points and all have had as many turns: the game is over."],
    ),
    ("... fourteen", "splendor", {"players": rows({"cards": [{"points": 14}]})}, {"moves": [{"who": "A"}]}, []),
    (
        "the market is filled when it is empty",
        "human-angel-demon",
        {"short_game": 3, "market": [], "players": rows()},
        {},
        ["The market is empty: lay out 3 cards.", "Short game 3 of 6"],
    ),
    (
        "a small hand draws two of each; too few tokens to pay",
        "igna",
        {"players": rows({"hand_size": 2, "tokens": 2})},
        {"turn": "A"},
        [
            "Mika draws 2 treasure cards and 2 Igna cards.",
            "Then: lay a treasure; 3 tokens to pay instead are not there.",
        ],
    ),
    (
        "a full hand draws none",
        "igna",
        {"players": rows({"hand_size": 8, "tokens": 3})},
        {"turn": "A"},
        ["Mika draws nothing, with 8 cards in hand or more.", "Then: lay a treasure, or pay 3 tokens."],
    ),
    (
        "whoever rests on a destination declares it",
        "in-the-ruin",
        {"letters": {"C": [1, 2]}, "players": rows({"destinations": ["C"], "pawn": [1, 2]}, {"pawn": None})},
        {},
        ["Mika rests on C: declare it, and tick a gem."],
    ),
    (
        "as many cards go off as letters were claimed, once all have drawn",
        "in-the-ruin",
        {"players": rows()},
        {"moves": [wrote("A", 1, "Q"), wrote("A", 2, "C"), wrote("B", 2, "D")]},
        ["C, D claimed: 2 cards go off the row, and their letters become destinations."],
    ),
    (
        "... not before",
        "in-the-ruin",
        {"players": rows()},
        {"moves": [wrote("A", 2, "C")]},
        ["Still to draw in this round: Jun."],
    ),
    (
        "no card is left in the row",
        "in-the-ruin",
        {"stage": 1, "cards": [], "players": rows()},
        {},
        ["No card is left in the row: stage 1 is over. Write the largest rectangle into the left box."],
    ),
    (
        "stage 2: as many cards as players are out",
        "in-the-ruin",
        {"stage": 2, "players": rows({"escaped": 7})},
        {"moves": [wrote("A", 7), wrote("B", 7)]},
        ["1 player has escaped: 1 card goes off the row."],
    ),
]


@pytest.mark.parametrize(
    ("game", "seen", "more", "said"), [case[1:] for case in ASKED], ids=[case[0] for case in ASKED]
)
def test_the_rules_ask_for(game: str, seen: dict[str, Any], more: dict[str, Any], said: list[str]) -> None:
    due = GAMES[game].due
    assert due is not None
    now = Moment(seen, **{**more, "owed": frozenset(more.get("owed", ())), "names": NAMES})
    assert [words("en").told(message) for message in due(now)] == said


@pytest.mark.parametrize(
    ("slug", "seen"), [("twelve-seekers", {"rule": 19, "dungeon": ["red"]}), ("human-angel-demon", {"market": []})]
)
def test_nothing_is_asked_where_nobody_has_a_place_yet(slug: str, seen: dict[str, Any]) -> None:
    log = GameLog(())
    told = log.look({"game": slug, "players": [], **seen})
    assert due(log, told, {}) == []


def splendor(supply: int, tokens: int, points: int) -> dict[str, Any]:
    """A table of two, of whom the first holds so many tokens of three colors, and cards with so many points."""
    held = dict.fromkeys(("red", "blue", "green"), tokens)
    cards = [{"points": 5, "bonus": "red", "level": 3}] * (points // 5)
    return {
        "game": "splendor",
        "market": [],
        "supply": dict.fromkeys(held, supply) | {"white": 4, "black": 4, "gold": 5},
        "players": [{"name": "A", "tokens": held, "cards": cards}, {"name": "B", "tokens": {}, "cards": []}],
    }


def test_of_a_look_that_no_turn_explains_nothing_is_said() -> None:
    log = GameLog(("A", "B"))
    log.look(splendor(4, 0, 0))
    log.look(splendor(3, 1, 0))
    told = log.look(splendor(3, 1, 15))
    held = replace(told, held=True, state=splendor(3, 1, 0))
    with Flask(__name__).test_request_context():
        assert due(log, held, NAMES) == []
        assert "15 points" in due(log, told, NAMES)[0]
