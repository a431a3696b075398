"""A case: a table state, where each place of it was seen, what people said of it, what is in doubt and what is wrong.

Photos, cameras and people who tap all make one, and every page shows it in the same way: see `case_view`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from common.messages import Message
from companion.cases.evaluate import evaluate, stake
from companion.games import GAMES
from companion.record import CARD, TILE, Observation, Piece

MOST_ASKED: Final = 9
"""Cards of which a question asks which of them is another, at most."""

Say = Callable[[Message], str]
"""Says a message in one language."""


@dataclass(frozen=True)
class Doubt:
    """Something that a person should settle."""

    piece: str  # the id of the piece
    choices: Mapping[str, Message] = field(default_factory=dict)
    """What a card may be, by the value that says so: what else a piece may be the pages know."""
    place: str | None = None  # where it counts, as a JSON pointer into the state; None where it counts nowhere
    values: tuple[Any, ...] = ()  # what may stand at that place of the state, the present value among them
    alike: tuple[str, ...] = ()  # the ids of the pieces that are one question together, this one among them


@dataclass(frozen=True)
class Case:
    """A table state with its evidence.

    Attributes:
        state: the public table state; None while nothing is known.
        places: JSON pointers into the state, each with the ids of the pieces that stand for it. What was typed has
            none. A sheet's map names its picture: the cell below it, `…/3/5`, is the piece `<picture>.3.5`; a goal
            card is `<player>.goals.<n>` among those that the player holds.
        evidence: what was observed, each picture for itself.
        doubts: what a person should settle.
        problems: what a person should know, each with the ids of the pieces that it is about.
    """

    state: Mapping[str, Any] | None
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    evidence: tuple[Observation, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    problems: tuple[tuple[Message, tuple[str, ...]], ...] = ()


def case_view(case: Case, language: str, say: Say) -> dict[str, Any]:
    """A case with its answer as JSON, in one language: what pages show. `say` says messages of that language."""
    found = evaluate(case.state, language) if case.state is not None else {}
    return {
        "state": case.state,
        **found,
        "places": {place: list(pieces) for place, pieces in case.places.items()},
        "evidence": [_observation(one, say) for one in case.evidence],
        "doubts": sorted((_doubt(case, doubt, say) for doubt in case.doubts), key=_weight, reverse=True),
        "problems": [{"message": say(message), "pieces": list(pieces)} for message, pieces in case.problems],
        "contradictions": contradictions(case, language),
    }


def contradictions(case: Case, language: str) -> list[dict[str, Any]]:
    """What the box or a rule refuses, and the cards that may have been misread: those of which nobody said anything.

    What people have not said yet, such as who goaled, is no reason not to ask. Where a card of the same player is in
    doubt anyway, that is asked first: its answer may be what was missing.
    """
    game = GAMES.get(case.state["game"]) if case.state else None
    if case.state is None or game is None or not game.contradictions:
        return []
    asked = game.typed.asked
    found = evaluate({asked: None, **case.state} if asked else case.state, language)
    refused: list[tuple[str, list[str]]] = []
    if problem := found.get("problem"):
        refused.append((problem["message"], [*problem.get("alike", ()), *problem.get("places", (problem["place"],))]))
    answer = found.get("answer", {"notes": [], "note_details": []})
    for words, note in zip(answer["notes"], answer["note_details"], strict=True):
        if note["key"] in game.contradictions:
            refused.append((words, note["because"]))
    cards = {piece.id: piece for one in case.evidence for piece in one.pieces if piece.kind == CARD and not piece.said}
    doubted = {_area(cards[doubt.piece]) for doubt in case.doubts if doubt.piece in cards} - {""}
    out = []
    for message, places in refused:
        below = tuple(f"{place}/" for place in places)
        pieces = dict.fromkeys(
            piece
            for at, those in case.places.items()
            if at in places or (below and at.startswith(below))
            for piece in those
            if piece in cards
        )
        if 0 < len(pieces) <= MOST_ASKED and doubted.isdisjoint(_area(cards[piece]) for piece in pieces):
            out.append({"message": message, "pieces": list(pieces)})
    return out


def _area(piece: Piece) -> str:
    """The player's place in which a piece lies, whichever part of it; empty where it lies in none."""
    return (piece.zone or "").partition(".")[0]


def _observation(seen: Observation, say: Say) -> dict[str, Any]:
    out = {
        "id": seen.id,
        "size": None if seen.size is None else list(seen.size),
        "pieces": [_piece(piece, say) for piece in seen.pieces],
    }
    return out if seen.lattice is None else {**out, "lattice": seen.lattice}


def _piece(piece: Piece, say: Say) -> dict[str, Any]:
    """A piece; what is not the case of it is left out."""
    out = {"id": piece.id, "label": say(piece.label), "polygon": [[round(x), round(y)] for x, y in piece.polygon]}
    known: dict[str, Any] = {"why": piece.doubt and say(piece.doubt), "said": piece.said, "zone": piece.zone}
    if piece.kind == TILE:
        border = piece.doubt is not None and piece.doubt.key.startswith("tile.border")
        sure = round(100 * (piece.confidence or 0.0))
        known |= {"color": piece.color, "read": piece.read, "sure": sure, "border": border}
    elif piece.kind == CARD:
        known["known"] = bool(piece.card)
    return out | {key: value for key, value in known.items() if value is not None and value is not False}


def _doubt(case: Case, doubt: Doubt, say: Say) -> dict[str, Any]:
    points = None
    if case.state is not None and doubt.place is not None:
        points = stake(case.state, doubt.place, doubt.values)
    return {
        "piece": doubt.piece,
        "place": doubt.place,
        "choices": [{"key": key, "label": say(label)} for key, label in doubt.choices.items()],
        "points": points,
        **({"alike": list(doubt.alike)} if doubt.alike else {}),
    }


def _weight(doubt: dict[str, Any]) -> int:
    """How many points hang on an answer."""
    points: list[int] = doubt["points"] or [0]
    return max(map(abs, points))
