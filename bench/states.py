"""Random legal table states of every game, for the bench and for the laws in the tests."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

State = dict[str, Any]

COLORS = ["red", "yellow", "green", "blue", "purple"]
SEEKERS = {
    "steal-one": 1, "first-of-kind": 1, "three-return-two": 1, "pair": 2, "steal-same": 2, "anywhere": 2,
    "both-ends-one": 2, "five-return-two": 3, "all-different": 3, "swap-one": 3, "give-one": 3, "two-kinds": 4,
    "five-return-one": 4, "both-ends-two": 4, "five-give-one": 5, "five-give-most": 5, "four-kinds": 5,
}  # fmt: skip
PAYING = {"first-of-kind": 1, "pair": 2, "all-different": 3, "two-kinds": 4, "four-kinds": 5}
LINE_RULES = (7, 8, 9, 10, 16, 17, 18)
COUNT_RULES = (1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15)


def seekers(rng: Random, rule: int | None = None) -> State:
    """Twelve Seekers under a rule sheet, some choices made, most left open."""
    rule = rule or rng.randint(1, 20)
    bag = [color for color in COLORS for _ in range(7)] + ["rainbow"] + ["gold"] * 3
    rng.shuffle(bag)
    cards = rng.sample(COLORS, 4)
    players = []
    for i in range(2):
        taken = [bag.pop() for _ in range(rng.randint(0, 19))]
        gems = [gem for gem in taken if gem != "gold"]
        player: State = {"name": "AB"[i]}
        if "gold" in taken or rng.random() < 0.3:
            player["gold"] = taken.count("gold")
        if rule in LINE_RULES:
            player["line"] = sorted(gems, key=lambda gem: (rng.random() < 0.3, gem)) if rng.random() < 0.5 else gems
        elif rule in COUNT_RULES:
            player["gems"] = {gem: gems.count(gem) for gem in {*gems}}
        else:
            cut = rng.randint(0, len(gems))
            for key, part in (("valid", gems[:cut]), ("invalid", gems[cut:])):
                player[key] = {gem: part.count(gem) for gem in {*part}}
        if rng.random() < 0.8:
            player["seekers"] = [rng.choice([rng.randint(1, 5), rng.choice([*SEEKERS])]) for _ in range(6)]
        if rng.random() < 0.4:
            player["bonuses"] = [_bonus(rng) for _ in range(rng.randint(1, 2))]
        if rng.random() < 0.4:
            player["chips"] = rng.randint(-4, 8)
        if rule in (14, 15, 16, 17):
            player["color_cards"] = cards[:1] if rule == 15 else cards[2 * i : 2 * i + 2]
        if rng.random() < 0.4:
            player["choices"] = _choices(rng, rule, player, gems)
        players.append(player)
    return {"game": "twelve-seekers", "rule": rule, "players": players}


def _bonus(rng: Random) -> State:
    seeker = rng.choice([*PAYING])
    bag = [color for color in COLORS for _ in range(3)] + ["rainbow", "gold", "gold"]
    bonus: State = {"seeker": seeker, "gems": rng.sample(bag, PAYING[seeker])}
    if seeker == "first-of-kind":
        bonus["held"] = rng.sample([*COLORS, "rainbow", "gold"], rng.randint(0, 5))
    return bonus


def _choices(rng: Random, rule: int, player: State, gems: list[str]) -> State:
    choices: State = {}
    if rule < 19 and rng.random() < 0.6:
        choices["rainbow"] = rng.choice(COLORS)
    if rule == 6 and rng.random() < 0.6:
        choices["number"] = rng.randint(1, 8)
    held = {gem for gem in gems if gem != "rainbow"}
    if "rainbow" in gems and "rainbow" in choices:
        held.add(choices["rainbow"])
    if rule == 13 and len(held) > 1 and rng.random() < 0.6:
        choices["plus"], choices["minus"] = rng.sample(sorted(held), 2)
        if rng.random() < 0.5:
            del choices[rng.choice(["plus", "minus"])]
    if rule == 14 and rng.random() < 0.6:
        choices[rng.choice(["plus", "minus"])] = rng.choice(player["color_cards"])
    if rule == 15 and rng.random() < 0.6:
        choices["plus"] = rng.sample([color for color in COLORS if color not in player["color_cards"]], 2)
    return choices


def ruin(rng: Random) -> State:
    """In the Ruin: one to four sheets."""
    cells = [[r, c] for r in range(11) for c in range(11) if (r, c) != (5, 5)]
    letters = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWX", rng.sample(cells, 24), strict=True))
    players = []
    for i in range(rng.randint(1, 4)):
        weights = [rng.random() + 0.1 for _ in range(3)]
        rows = [rng.choices(".o#", weights, k=11) for _ in range(11)]
        rows[5][5] = "o"
        player: State = {
            "name": "ABCD"[i],
            "map": ["".join(row) for row in rows],
            "escaped": rng.choice([None, *range(8, 12)]),
            "destinations": rng.sample([*letters], rng.randint(0, 6)),
            "gems": rng.randint(0, 9),
            "penalties": rng.randint(0, 4),
            "goals": [rng.sample([*letters], 2) for _ in range(rng.randint(0, 6))],
        }
        kind = rng.random()
        if kind < 0.5:
            player["first_square"] = rng.randint(0, 40)
        if kind > 0.3:
            blank = rng.random()
            earlier = [["." if rng.random() < blank else cell for cell in row] for row in rows]
            player["first_map"] = ["".join(row) for row in earlier]
            if rng.random() < 0.5:
                player["first_destinations"] = rng.sample([*letters], rng.randint(0, 6))
        players.append(player)
    return {"game": "in-the-ruin", "letters": letters, "players": players, "charge_blocks": rng.random() < 0.3}


def demon(rng: Random) -> State:
    """Human Angel Demon: a goal by take, or by a discard that is allowed, or a deck that ran out."""
    while True:
        deck = [title + red for title in _titles() for red in ("", "", "", "r")]
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


def _titles() -> list[str]:
    return [f"{a}{n}" for a, most in (("H", 7), ("A", 7), ("D", 7), ("I", 4)) for n in range(1, most + 1)]


def _big_set(rng: Random, deck: list[str], items: bool) -> list[Any]:
    if items or rng.random() < 0.4:
        return _same(rng, deck, 3, items)
    a, n = rng.choice("HAD"), rng.randint(1, 5)
    return [_take(deck, f"{a}{n + i}") for i in range(3)]


def _same(rng: Random, deck: list[str], n: int, items: bool = False) -> list[Any]:
    title = f"I{rng.randint(1, 4)}" if items else rng.choice(_titles())
    return [_take(deck, title) for _ in range(n)]


def _take(deck: list[str], title: str) -> str | None:
    found = next((card for card in deck if card[:2] == title), None)
    if found:
        deck.remove(found)
    return found


def gems(rng: Random) -> State:
    """Splendor: two to four players."""
    colors = ["white", "blue", "green", "red", "black"]
    players = []
    for i in range(rng.randint(2, 4)):
        cards = [
            {"points": rng.choice([0, 0, 1, 2, 3]), "bonus": rng.choice(colors)} for _ in range(rng.randint(0, 15))
        ]
        held = {color: sum(card["bonus"] == color for card in cards) for color in colors}
        some = [color for color in colors if held[color]]
        nobles: Any = rng.randint(0, 3)
        if some and rng.random() < 0.5:
            nobles = [{color: rng.randint(1, held[color]) for color in rng.sample(some, 1)} for _ in range(nobles)]
        tokens = dict.fromkeys(rng.sample([*colors, "gold"], 3), rng.randint(0, 3))
        players.append(
            {"name": "ABCD"[i], "cards": cards, "nobles": nobles, "tokens": tokens, "reserved": rng.randint(0, 3)}
        )
    return {"game": "splendor", "players": players, "round_over": rng.random() < 0.5}


def igna(rng: Random) -> State:
    """Igna: two to four players; the help card's values known, in part or not at all."""
    colors = ["red", "blue", "green", "yellow"]

    def treasure() -> list[Any]:
        n = rng.randint(1, 5)
        kind = rng.randint(0, 2)
        one = rng.choice(colors)
        picked = rng.sample(colors, 3) if kind == 0 else [one] * 3
        numbers = [n, n + 1, n + 2] if kind == 1 else [n] * 3
        cards: list[Any] = []
        for color, number in zip(picked, numbers, strict=True):
            bonus = rng.random() < 0.2
            short = f"{color}{number}{'*' if bonus else ''}"
            cards.append(short if rng.random() < 0.7 else {"color": color, "number": number, "bonus": bonus})
        rng.shuffle(cards)
        return cards

    names = "ABCD"[: rng.randint(2, 4)]
    players = [{"name": name, "sets": [treasure() for _ in range(rng.randint(0, 4))]} for name in names]
    state: State = {"game": "igna", "players": players}
    if rng.random() < 0.8:
        points = {"same": 3, "run": 2, "mixed": 1, "bonus": 1}
        state["points"] = {kind: n for kind, n in points.items() if rng.random() < 0.95}
    return state


GAMES: dict[str, Callable[[Random], State]] = {
    "twelve-seekers": seekers,
    "in-the-ruin": ruin,
    "human-angel-demon": demon,
    "splendor": gems,
    "igna": igna,
}


def any_state(rng: Random) -> State:
    """A state of any game."""
    return rng.choice([*GAMES.values()])(rng)
