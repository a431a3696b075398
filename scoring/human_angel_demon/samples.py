"""Random legal table states of Human Angel Demon."""

from random import Random
from typing import Any

from scoring.human_angel_demon.sets import TITLES

State = dict[str, Any]


def sample(rng: Random) -> State:
    """A goal by take, or by a discard that is allowed, or a deck that ran out."""
    while True:
        deck = [title + red for title in TITLES for red in ("", "", "", "r")]
        rng.shuffle(deck)
        names = list("ABCD"[: rng.randint(2, 4)])
        items = rng.random() < 0.1
        opened = {name: [_big_set(rng, deck, items) for _ in range(rng.randint(1, 4))] for name in names}
        pair = _same(rng, deck, 2)
        hand = [*_big_set(rng, deck, False), *_big_set(rng, deck, rng.random() < 0.2), *pair]
        if any(card is None for cards in [*(c for o in opened.values() for c in o), hand] for card in cards):
            continue
        winner = rng.choice([*names, *names, None])
        state: State = {
            "game": "human-angel-demon",
            "advanced": rng.random() < 0.7,
            "winner": winner,
            "short_game": rng.randint(1, 8),
            "bonus": [deck.pop() for _ in range(rng.randint(0, 4))],
            "players": [{"name": n, "points": rng.randint(0, 25), "open": opened[n]} for n in names],
        }
        if rng.random() < 0.5:
            state["item_win"] = rng.sample(range(1, 5), rng.randint(1, 2))
        if winner:
            row = state["players"][names.index(winner)]
            row["hand"] = hand
            rng.shuffle(hand)
            state["won_by"] = "take"
            if rng.random() < 0.5:
                others = [name for name in names if name != winner]
                state |= {"won_by": "discard", "discarder": rng.choice(others)}
                row |= {"ready": True, "winning_card": rng.choice(hand)}
        for row in state["players"]:
            waits = state["advanced"] and state.get("won_by") == "discard" and row["name"] == winner
            row["discards"] = [] if waits else [deck.pop() for _ in range(rng.randint(0, 3))]
        return state


def _big_set(rng: Random, deck: list[str], items: bool) -> list[Any]:
    if items or rng.random() < 0.4:
        return _same(rng, deck, 3, items)
    a, n = rng.choice("HAD"), rng.randint(1, 5)
    return [_take(deck, f"{a}{n + i}") for i in range(3)]


def _same(rng: Random, deck: list[str], n: int, items: bool = False) -> list[Any]:
    title = f"I{rng.randint(1, 4)}" if items else rng.choice(TITLES)
    return [_take(deck, title) for _ in range(n)]


def _take(deck: list[str], title: str) -> str | None:
    found = next((card for card in deck if card[:2] == title), None)
    if found:
        deck.remove(found)
    return found
