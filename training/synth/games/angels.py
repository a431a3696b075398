"""Random games of Human Angel Demon as a camera would see them: hands are hidden; gains, goals, the deck's end."""

from collections import Counter
from copy import deepcopy
from itertools import combinations
from random import Random
from typing import Any

from scoring.human_angel_demon.sets import BLACK, CODES, RED, is_big_set

SLIPS = {"two": "H2", "no-set": "H4", "not-taken": "H5", "order": "H7"}
LEAST = 3
"""Cards in the deck with which a turn can be played; with fewer the short game is over."""
GAINS, GOALS, SHORT_GAMES = 0.3, 0.02, 2


class Game:
    """A game that plays itself; `steps` are its moments, `turns` what a referee has to tell."""

    def __init__(self, rng: Random, players: int, slips: float = 0.0) -> None:
        self.rng, self.slips = rng, slips
        self.names = ["Aya", "Ben", "Emi", "Dan"][:players]
        self.turns: list[Any] = []
        self.takes: list[tuple[int, int, str]] = []
        """Cards taken from the market: the first step that shows it, the turn, the card."""
        self.told: list[tuple[str, str]] = []
        self.told_in: list[int] = []
        """The turn of each slip, counted from 0."""
        self.steps: list[tuple[int, bool, bool, dict[str, Any]]] = []
        self.short_game = 0
        for _ in range(SHORT_GAMES):
            self._short_game()

    def _short_game(self) -> None:
        rng, players = self.rng, len(self.names)
        self.goal: dict[str, Any] = {}
        self.short_game += 1
        self.deck = [card for card in CODES for _ in range(RED if card.endswith("r") else BLACK)]
        rng.shuffle(self.deck)
        self.hands = [[self.deck.pop() for _ in range(7)] for _ in self.names]
        self.market = [self.deck.pop() for _ in range(players + 1)]
        self.sides: list[dict[str, Any]] = [{"open": [], "discards": [], "ready": False} for _ in self.names]
        if self.turns:
            self.turns.append((None, "deal"))
        self.steps.append((len(self.turns), True, True, self.state()))
        begun = len(self.turns)
        p = (self.short_game - 1) % players
        while len(self.deck) >= LEAST + players and not self.goal:
            slip = rng.choice(list(SLIPS)) if rng.random() < self.slips and len(self.turns) > begun else None
            p = (p + 1) % players if slip == "order" else p
            self._turn(p, slip)
            p = (p + 1) % players

    def _wins(self, p: int, shown: list[str]) -> None:
        """A goal with the card taken: eight cards of two threes and a pair are shown, then one for the bonus."""
        *self.hands[p], bonus = shown
        self.goal = {"winner": self.names[p], "won_by": "take", "bonus": [bonus]}
        self.turns.append((self.names[p], "goal"))
        self.steps.append((len(self.turns), True, True, self.state()))

    def _nine(self) -> list[str] | None:
        """Two threes and a pair of cards that are not in sight, and one more; None where none are left."""
        laid = [row for side in self.sides for row in (side["discards"], *side["open"])]
        left = Counter({card: RED if card.endswith("r") else BLACK for card in CODES})
        left -= Counter(card for row in (self.market, *laid) for card in row)
        hand: list[str] = []
        for size in (3, 3, 2, 1):
            alike = [card for card in CODES if left[card] >= size]
            if not alike:
                return None
            card = self.rng.choice(alike)
            left[card] -= size
            hand += [card] * size
        return hand

    def _gained(self, p: int) -> None:
        """H6: another player takes the discard into a set, with two cards of the hand."""
        card = self.sides[p]["discards"][-1]
        for q, side in enumerate(self.sides):
            hand = self.hands[q]
            sets = [two for two in combinations(hand, 2) if is_big_set([CODES[one][0] for one in (*two, card)])]
            if q != p and sets and not side["ready"] and self.rng.random() < GAINS:
                self.sides[p]["discards"].pop()
                for one in sets[0]:
                    hand.remove(one)
                hand += [self.deck.pop(), self.deck.pop()]
                side["open"].append([card, *sets[0]])
                self.turns.append((self.names[q], "gain"))
                self.steps.append((len(self.turns), True, True, self.state()))
                return

    def _turn(self, p: int, slip: str | None) -> None:
        rng, side, hand = self.rng, self.sides[p], self.hands[p]
        if not self.market:
            self.market = [self.deck.pop() for _ in range(len(self.names) + 1)]
            self.steps.append((len(self.turns), True, False, self.state()))
        took = self.market.pop(rng.randrange(len(self.market)))
        sets = [some for some in combinations([*hand, took], 3) if is_big_set([CODES[card][0] for card in some])]
        others = [card for card in hand if card != took]
        possible = {
            None: True, "order": True, "two": bool(self.market), "no-set": not sets and not side["ready"],
            "not-taken": side["ready"] and bool(others),
        }  # fmt: skip
        slip = slip if possible[slip] else None
        hand.append(took)
        shown = self._nine() if side["open"] and slip is None and rng.random() < GOALS else None
        if shown is not None:
            self.takes.append((len(self.steps), -1, took))
            self._wins(p, shown)
            return
        self.takes.append((len(self.steps), len(self.turns), took))
        self.steps.append((len(self.turns), False, False, self.state()))
        opened = list(sets[0]) if sets else rng.sample(hand, 3) if slip == "no-set" else None
        if slip == "two":
            hand.append(self.market.pop())
            self.takes.append((len(self.steps), -1, hand[-1]))
        if opened and not side["ready"]:
            for card in opened:
                hand.remove(card)
            hand += [self.deck.pop(), self.deck.pop()]
            side["open"].append(opened)
            did = tuple(sorted(opened))
        else:
            card = took if side["ready"] and slip != "not-taken" else rng.choice(others)
            hand.remove(card)
            side["discards"].append(card)
            side["ready"] = side["ready"] or (bool(side["open"]) and rng.random() < 0.2)
            did = (card,)
        if slip:
            self.told.append((self.names[p], SLIPS[slip]))
            self.told_in.append(len(self.turns))
        self.turns.append((self.names[p], "turn", took, did))
        self.steps.append((len(self.turns), True, slip is not None, self.state()))
        if not opened and slip is None and any(True for _ in side["discards"]):
            self._gained(p)

    def state(self) -> dict[str, Any]:
        """The table as a state."""
        shown = self.goal.get("winner")
        players = [
            {
                "name": name,
                "points": 0,
                **deepcopy(side),
                "hand_size": len(hand),
                **({"hand": hand} if name == shown else {}),
            }
            for name, side, hand in zip(self.names, self.sides, self.hands, strict=True)
        ]
        state = {"game": "human-angel-demon", "short_game": self.short_game, "market": list(self.market)}
        return {**state, "players": players, **self.goal}

    def header(self) -> dict[str, Any]:
        return {"game": "human-angel-demon", "players": self.names, "start": self.names[0]}


def pieces(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Pointers and codes of the cards in sight."""
    found = [(f"/market/{i}", card) for i, card in enumerate(state["market"])]
    for p, player in enumerate(state["players"]):
        found += [(f"/players/{p}/discards/{i}", card) for i, card in enumerate(player["discards"])]
        for n, cards in enumerate(player["open"]):
            found += [(f"/players/{p}/open/{n}/{i}", card) for i, card in enumerate(cards)]
    return found or [("/short_game", "?")]
