"""What a turn of Twelve Seekers was, in words."""

from collections.abc import Sequence
from typing import Any

from companion.games.told import UNKNOWN, Line, Speaker, Told, given_up

WHERE = ("left", "right", "both")
"""Ends of the row from which gems are taken."""


def _did(move: Line, words: Speaker) -> str | None:
    if move["move"] != "take":
        return None
    seeker = move["seeker"]
    cards = seeker if isinstance(seeker, list) else [seeker]
    place = str(move.get("from", UNKNOWN)).removeprefix("dungeon.")
    where = words.say(f"from.{place}" if place in WHERE else "from.middle")
    named = words.join(_seeker(card, words) for card in cards)
    text = words.say("did.take", seeker=named, what=words.pieces(move["what"]), where=where)
    text += _swaps(move, words) + given_up(move, words)
    for key in ("stole", "gave"):
        if move.get(key):
            text += words.say(f"did.{key}", what=words.piece(move[key]))
    if move.get("swapped"):
        mine, theirs = move["swapped"]
        text += words.say("did.swapped", mine=words.piece(mine), theirs=words.piece(theirs))
    if move.get("bonus"):
        text += words.say("did.bonus", n=move["bonus"])
    return text


def _seeker(card: Any, words: Speaker) -> str:
    return str(card) if isinstance(card, int) else words.term(f"seeker.{card}", str(card))


def _swaps(move: Line, words: Speaker) -> str:
    return words.say("did.swaps", n=move["swaps"]) if move.get("swaps") else ""


def _way(best: Line, ways: Sequence[Line], words: Speaker) -> str:
    """To which end the gems go, where that matters, and the swaps: only where they are worth more."""
    to, text = best.get("to"), ""
    if any(line["points"] != best["points"] for line in ways) and isinstance(to, dict) and "end" in to:
        text = words.say(f"legal.{to['end']}-turned" if to.get("turned") is True else f"legal.{to['end']}")
    return text + _swaps(best, words)


TOLD = Told(_did, apart=("swaps",), way=_way)
