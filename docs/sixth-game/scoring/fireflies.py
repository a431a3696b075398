"""Fireflies, a game made up to show how one is added: cards of four colors, of which a single one flies off."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from scoring.breakdown import Breakdown, Line, Note, PlayerScore
from scoring.errors import StateError
from scoring.fields import State, known, players, words_of
from scoring.house_rules import Question, Readings
from scoring.ranking import best, most_points

QUESTIONS: Final[tuple[Question, ...]] = ()
COLORS: Final = ("red", "yellow", "green", "blue")
NUMBERS: Final = 9
CARDS: Final = tuple(f"{color}{number}" for color in COLORS for number in range(1, NUMBERS + 1))
"""Each exists once."""


class Player(NamedTuple):
    place: str
    name: str
    cards: tuple[str, ...]


def read(state: State) -> tuple[Player, ...]:
    """Check a state of this game. Raises StateError."""
    known(state, frozenset({"game", "players", "house_rules"}), "")
    found: list[Player] = []
    taken: set[str] = set()
    for i, row in enumerate(players(state, frozenset({"name", "cards"}))):
        cards = words_of(row, "cards", CARDS, f"/players/{i}")
        for n, card in enumerate(cards):
            if card in taken:
                raise StateError(f"/players/{i}/cards/{n}", "not-twice", card)
            taken.add(card)
        found.append(Player(f"/players/{i}", row["name"], cards))
    return tuple(found)


def score(table: tuple[Player, ...], readings: Readings, explain: bool) -> Breakdown:
    """Most points win; of those who have as many, whoever has more cards."""
    scores = tuple(PlayerScore(player.name, tuple(_lines(player))) for player in table)
    tied = most_points(scores)
    winners = best([scores[i] for i in tied], [len(table[i].cards) for i in tied])
    cards = tuple(f"{player.place}/cards" for player in table)
    notes = () if len(tied) == 1 else (Note("fireflies.tie", {"names": winners}, cards, "fireflies/end"),)
    return Breakdown("fireflies", scores, winners, notes=notes)


def _lines(player: Player) -> Iterator[Line]:
    for color in COLORS:
        mine = [i for i, card in enumerate(player.cards) if card.rstrip("123456789") == color]
        points = sum(int(player.cards[i][-1]) for i in mine)
        where = tuple(f"{player.place}/cards/{i}" for i in mine)
        if len(mine) == 1:
            yield Line("fireflies.single", -points, where, {"color": color, "n": points}, "fireflies/colors")
        elif mine:
            yield Line("fireflies.swarm", points, where, {"color": color, "n": len(mine)}, "fireflies/colors")


def sample(rng: Random) -> dict[str, Any]:
    """A random legal table state: two to four players."""
    deck = rng.sample(CARDS, len(CARDS))
    names = "ABCD"[: rng.randint(2, 4)]
    rows = [{"name": name, "cards": [deck.pop() for _ in range(rng.randint(0, 8))]} for name in names]
    return {"game": "fireflies", "players": rows}
