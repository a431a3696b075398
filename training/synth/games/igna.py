"""Random games of Igna as a camera sees them, or with what people see besides: tokens, hands, discard places."""

from collections.abc import Sequence
from copy import deepcopy
from itertools import combinations
from random import Random
from typing import Any

from training.synth.games.camera import Shot, Step, is_look

COLORS = ("red", "yellow", "green", "blue")
TREASURES = [f"{color}{number}{'*' if number == 3 else ''}" for color in COLORS for number in range(1, 6)]
POINTS = {"same": 6, "run": 3, "mixed": 4, "bonus": 1}
SLIPS = {"no-set": "I5", "token": "I6", "not-laid": "I3", "order": "I2", "draw": "I2", "robbed": "I4"}
BOOKS = {"pile": "I7", "adventurer": "I9", "goes-on": "I10"}
"""What may be done wrongly besides, and the rule."""
SEEN_BY_CAMERA = ("no-set",)
PRICE = 3
LAST_SET = 4
FEW, MANY = 2, 8


def drawn(hand: int) -> int:
    """How many cards of each kind are drawn to a hand of so many (I2)."""
    return 2 if hand <= FEW else 0 if hand >= MANY else 1


def is_set(cards: tuple[str, ...]) -> bool:
    plain = [card.rstrip("*") for card in cards]
    colors, numbers = {card[:-1] for card in plain}, sorted(int(card[-1]) for card in plain)
    if numbers[0] == numbers[2]:
        return len(colors) != 2
    return len(colors) == 1 and numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]


class Game:
    """A game that plays itself; `steps` are its moments, `turns` what a referee has to tell.

    `camera`: only sets and the treasure offered are seen. `stays`: a treasure that nobody wanted lies there until the
    next one is laid, else until the turn is over.
    """

    def __init__(self, rng: Random, players: int, camera: bool, slips: float = 0.0, books: float = 0.0) -> None:
        self.rng, self.camera, self.slips, self.books = rng, camera, slips, books
        self.stays = rng.random() < 0.5
        self.names = ["Aya", "Ben", "Emi", "Dan"][:players]
        self.deck = rng.sample(TREASURES * 4, 4 * len(TREASURES))
        self.hands = [[self.deck.pop() for _ in range(4)] for _ in self.names]
        self.cards = [1 for _ in self.names]
        self.tokens = [2 for _ in self.names]
        self.adventurers = ["down" for _ in self.names]
        self.sets: list[list[list[str]]] = [[] for _ in self.names]
        self.laid: str | None = None
        self.gone: list[str] = []
        self.played: list[str] = []
        self.turns: list[Any] = []
        self.came: list[tuple[int, int, tuple[str, ...], int]] = []
        """Every set: the first step that shows it, whose it is, its cards, the turn if another player's treasure was
        got, else -1."""
        self.offers: dict[int, int] = {}
        """The step in which each turn's treasure is offered first."""
        self.robbed: dict[int, str] = {}
        """Turns in which another player got the treasure: whose it was."""
        self.rested: set[int] = set()
        """Turns in which a treasure was laid and nothing more was done."""
        self.told: list[tuple[str, str]] = []
        self.told_in: list[int] = []
        """The turn of each slip, counted from 0."""
        self.movers: list[int] = []
        """Whose turns they were, also where another player got the treasure."""
        self.steps: list[Step] = []
        self._step(True)
        p = rng.randrange(players)
        self.start = self.names[p]
        while all(len(sets) < LAST_SET for sets in self.sets) and len(self.deck) > 4:
            names = SEEN_BY_CAMERA if camera else tuple(SLIPS)
            slip = rng.choice(names) if rng.random() < slips and self.turns else None
            if slip == "order":
                p = (p + 1) % players
            self._turn(p, slip)
            p = (p + 1) % players
        if books and any(len(sets) >= LAST_SET for sets in self.sets):  # else the deck was used up
            for _ in range(rng.randint(0, 2)):
                self._turn(p, "goes-on")
                p = (p + 1) % players

    def _put_away(self) -> None:
        if self.laid:
            self.gone.append(self.laid)
        self.laid = None

    def _sets(self, p: int, holding: str | None = None) -> list[tuple[str, ...]]:
        some = combinations(self.hands[p], 2 if holding else 3)
        return [cards for cards in ((*one, *((holding,) if holding else ())) for one in some) if is_set(cards)]

    def _turn(self, p: int, slip: str | None) -> None:  # noqa: PLR0912, PLR0915 -- a turn has many ways
        rng, hand = self.rng, self.hands[p]
        self.movers.append(p)
        size = len(hand) + self.cards[p]
        n = drawn(size)
        done = slip if slip == "order" else None
        if slip == "draw" and n != 2:
            n, done = n + 1, slip
        hand += [self.deck.pop() for _ in range(n)]
        self.cards[p] += n
        self._step(False)
        laid: str | None = None
        fours = rng.random() < 0.15 and not self.camera
        if slip == "not-laid":
            done = slip
            self._put_away()
        elif (fours or not hand) and self.tokens[p] >= PRICE:
            self.tokens[p] -= PRICE
            self._put_away()
            self._step(False)
        elif hand:
            laid = hand.pop(rng.randrange(len(hand)))
            self._put_away()
            self.laid = laid
            self.offers[len(self.turns)] = len(self.steps)
            self._step(False)
        others = [q for q in range(len(self.names)) if q != p and laid and self._sets(q, laid)]
        if (
            others
            and rng.random() < 0.7
            and slip in (None, "robbed", "order")
            and all(len(one) < LAST_SET for one in self.sets)
        ):
            q = rng.choice(others)
            cards = rng.choice(self._sets(q, laid))
            for card in cards[:2]:
                self.hands[q].remove(card)
            self.sets[q].append(list(cards))
            self.came.append((len(self.steps), q, cards, len(self.turns)))
            self.laid = None
            if slip == "robbed":
                done = slip
            else:
                self.tokens[p] += 1
            self._told(self.names[p if done == "order" else q], done)
            if done is None:
                self.robbed[len(self.turns)] = self.names[p]
            self.turns.append((self.names[q], "get", (laid,)))
            self._step(True, done is not None)
            return
        opened: list[list[str]] = []
        acted = False
        if slip == "goes-on":
            done = slip
        elif slip is None and not self.camera and self.books:
            if self.adventurers[p] == "open" and rng.random() < self.books:
                self.adventurers[p], done = "down", "adventurer"
            elif self.adventurers[p] == "down" and rng.random() < 0.1:
                self.adventurers[p] = "open"
        while (ways := self._sets(p)) and rng.random() < 0.6 and len(self.sets[p]) < LAST_SET and slip != "goes-on":
            self._open(p, rng.choice(ways), opened)
            acted = True
            self._step(False)
        if slip == "no-set" and not opened and len(hand) > 2 and not is_set(tuple(hand[:3])):
            self._open(p, hand[:3], opened)
            acted, done = True, slip
        quiet = slip in ("draw", "token", "not-laid", "goes-on")
        if not quiet and self.cards[p] and rng.random() < (0.25 if self.cards[p] < 3 else 0.7):
            acted = True
            if self.cards[p] > 1 and rng.random() < 0.4:
                self.cards[p] -= 2
                self.played += ["?", "?"]
                hand.append(self.deck.pop())
            else:
                self.cards[p] -= 1
                self.played.append(rng.choice(("charm", "thief", "map")))
                if self.played[-1] == "charm":
                    self.tokens[p] += 1
                elif self.played[-1] == "map":
                    hand.append(self.deck.pop())
                else:
                    q = rng.choice([one for one in range(len(self.names)) if one != p])
                    taken = min(self.tokens[q], 1)
                    self.tokens[q] -= taken
                    self.tokens[p] += taken
        if not acted or (slip == "token" and opened):
            self.tokens[p] += 1
            done = slip if slip == "token" and acted else done
        if self.books and self.laid and done is None and not self.stays and rng.random() < self.books:
            self.played.append(self.laid)
            self.laid, done = None, "pile"
        if not self.stays:
            self._put_away()
        self._told(self.names[p], done)
        if laid and not acted and done is None:
            self.rested.add(len(self.turns))
        self.turns.append((self.names[p], "turn", laid, tuple(sorted(tuple(sorted(one)) for one in opened))))
        self._step(True, done is not None)

    def _open(self, p: int, cards: Sequence[str], opened: list[list[str]]) -> None:
        for card in cards:
            self.hands[p].remove(card)
        self.sets[p].append(list(cards))
        self.came.append((len(self.steps), p, tuple(cards), -1))
        opened.append(list(cards))

    def _told(self, name: str, slip: str | None) -> None:
        if slip:
            self.told.append((name, {**SLIPS, **BOOKS}[slip]))
            self.told_in.append(len(self.turns))

    def state_before(self, turn: int) -> dict[str, Any]:
        """The table before a turn, counted from 0."""
        return next(step.state for step in reversed(self.steps) if step.turns == turn and step.rests)

    def _step(self, rests: bool, must: bool = False) -> None:
        self.steps.append(Step(len(self.turns), rests, self.state(), must))

    def state(self) -> dict[str, Any]:
        """The table as a state."""
        players = []
        for p, name in enumerate(self.names):
            player: dict[str, Any] = {"name": name, "sets": deepcopy(self.sets[p])}
            if not self.camera:
                player |= {"tokens": self.tokens[p], "hand_size": len(self.hands[p]) + self.cards[p]}
                player |= {"adventurer": self.adventurers[p]} if self.books else {}
            players.append(player)
        state: dict[str, Any] = {"game": "igna", "points": POINTS, "laid": self.laid, "players": players}
        if not self.camera:
            state |= {"discard_treasure": list(self.gone), "discard_igna": list(self.played)}
        return state

    def header(self) -> dict[str, Any]:
        return {"game": "igna", "players": self.names, "start": self.start}


def pieces(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Pointers and treasures in sight."""
    found = [("/laid", state["laid"])] if state["laid"] else []
    for p, player in enumerate(state["players"]):
        for n, cards in enumerate(player["sets"]):
            found += [(f"/players/{p}/sets/{n}/{i}", card) for i, card in enumerate(cards)]
    return found or [("/nothing", "?")]


def known_by(game: Game, shot: Shot) -> tuple[Shot, list[Any], dict[Any, Any]]:
    """What a camera can tell: a line for each set, got from somebody only where the look before shows the treasure; the
    film with how many lines each look makes; what may be said as well, since no look tells it from what happened.
    """
    numbers = {id(step): i for i, step in enumerate(game.steps)}
    states = [line["state"] for line in shot.lines if is_look(line)]
    looks = [i for i, state in enumerate(states) if isinstance(state, dict)]
    lines: list[Any] = []
    unclear: dict[Any, Any] = {}
    steps = [step._replace(turns=0) for step in shot.steps]
    last = looks[0]
    for look in looks[1:]:
        before, now = numbers[id(shot.steps[last])], numbers[id(shot.steps[look])]
        offered, read = shot.steps[last].state["laid"], states[last]["laid"]
        for _, p, cards, turn in sorted((one for one in game.came if before < one[0] <= now), key=lambda one: one[1]):
            opened = (game.names[p], "turn", "?", (tuple(sorted(cards)),))
            seen = turn >= 0 and game.offers[turn] <= before
            lines.append((game.names[p], "get", (offered,)) if seen else opened)
            if seen and read != offered:
                unclear[opened] = lines[-1]
            if read in cards and not (seen and read == offered):
                unclear[game.names[p], "get", (read,)] = lines[-1]  # another one like it had been offered before
        for i in range(look, len(steps)):
            steps[i] = steps[i]._replace(turns=len(lines))
        last = look
    return shot._replace(steps=steps), lines, {said: move for said, move in unclear.items() if said not in lines}
