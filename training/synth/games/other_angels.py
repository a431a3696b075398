"""Human Angel Demon by another hand, from one shuffled box: every rule from H2 to H10 broken that a look can show.

Written from the rules' text alone. Hands are real ones, so that whoever opens, gains or goals could.
"""

from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import combinations
from random import Random
from typing import Any

from training.synth.games.laid_out import Game, Moment, State

BOX = [f"{a}{n}{r}" for a, most in (("H", 7), ("A", 7), ("D", 7), ("I", 4)) for n in range(1, most + 1)
       for r in ("", "", "", "r")]  # fmt: skip
SLIPS = {
    "two-taken": ("H2",), "none-taken": ("H2",), "open-and-discard": ("H3",), "two-discards": ("H3",), "idle": ("H3",),
    "two-sets": ("H4", "H3"), "no-set": ("H4",), "ready-opens": ("H5",), "ready-swaps": ("H5",),
    "ready-early": ("H5",), "ready-gains": ("H5",), "gain-old": ("H6",), "gain-late": ("H6",),
    "gain-no-set": ("H4", "H6"), "from-row": ("H6", "H2"), "order": ("H7",), "hand-short": ("H8",),
    "hand-long": ("H8",), "goal-unopened": ("H10",), "goal-unready": ("H10",), "goal-no-form": ("H10",),
    "goal-own-discard": ("H10",),
}  # fmt: skip
"""How a turn may be done wrongly, and the rules of which one has to be named."""
CLAIMS = ("goal-unopened", "goal-no-form")
ON_A_DISCARD = ("gain-no-set", "ready-gains", "goal-unready", "goal-own-discard")
HAND = 7
SHORT_GAMES = 2
"""Short games that are played at most."""
LONGEST = 46
"""Turns of a short game after the first look."""
NUMBERS = {"1": "7", "7": "1", "2": "3", "3": "2", "4": "1", "5": "6", "6": "5"}
"""What a number is mostly mistaken for."""
ATTRIBUTES = {"H": "HAD", "A": "AHD", "D": "DHA", "I": "I"}


class Impossible(Exception):
    """This cannot be done now."""


class Over(Exception):
    """The short game is over."""


def title(card: str) -> str:
    """A card without the color of its title."""
    return card.rstrip("r")


def _a_set(cards: Iterable[str]) -> bool:
    some = sorted(title(card) for card in cards)
    numbers = [int(card[1:]) for card in some]
    one_kind = len({card[0] for card in some}) == 1
    run = one_kind and some[0][0] != "I" and numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]
    return len(set(some)) == 1 or run


def _sets_in(hand: list[str]) -> list[tuple[str, ...]]:
    return [some for some in combinations(hand, 3) if _a_set(some)]


def _goals(hand: list[str]) -> bool:
    """Whether eight cards are two sets of three and a pair."""
    for pair in combinations(range(8), 2):
        if title(hand[pair[0]]) == title(hand[pair[1]]):
            rest = [card for i, card in enumerate(hand) if i not in pair]
            for some in combinations(range(1, 6), 2):
                one = [rest[0], *(rest[i] for i in some)]
                if _a_set(one) and _a_set([card for i, card in enumerate(rest) if i and i not in some]):
                    return True
    return False


def _waits_for(hand: list[str]) -> set[str]:
    """The titles with which seven cards would be a goal."""
    near = {card[0] for card in hand}
    return {one for one in {title(card) for card in BOX} if one[0] in near and _goals([*hand, one])}


def _worth(card: str, hand: list[str]) -> float:
    """How well a card goes with the rest of a hand."""
    worth = 0.0
    for other in hand:
        if title(other) == title(card):
            worth += 2
        elif other[0] == card[0] != "I" and abs(int(other[1]) - int(card[1])) <= 2:
            worth += 1
    return worth


class Angels(Game):
    """A match of two to four players, or a part of one. `slips`: how many of the turns break a rule."""

    def __init__(self, rng: Random, slips: float = 0.0) -> None:
        super().__init__(rng)
        self.share = slips
        self.names = ["Kai", "Rin", "Sho", "Uta"][: rng.choice((2, 2, 3, 4))]
        self.counts_hands = slips > 0 or rng.random() < 0.5
        self.advanced = rng.random() < 0.5
        self.styles = [rng.choice(("greedy", "greedy", "careless", "patient")) for _ in self.names]
        self.points = [0] * len(self.names)
        self.slipped_in: list[int] = []
        """The move of each slip."""
        self.alternatives: dict[int, list[Any]] = {}
        """What may be said instead of a move that was a slip."""
        self.takes: list[tuple[int, int, str]] = []
        """Of each card taken from the market: the moments before it, the move, the card."""
        first = rng.randrange(len(self.names))
        self.start: str | None = self.names[first]
        before = rng.choice((0, 0, 0, 9, 25))
        for short in range(1, rng.randint(1, SHORT_GAMES) + 1):
            self._deal(short, before)
            try:
                self._play((first + short - 1) % len(self.names), before)
            except Over:
                self.points = [player["points"] for player in self.t["players"]]
            else:
                break
            before = 0

    # Set-up

    def _deal(self, short: int, before: int) -> None:
        self.deck = BOX.copy()
        self.rng.shuffle(self.deck)
        self.hands = [[self.deck.pop() for _ in range(HAND)] for _ in self.names]
        self.t: State = {
            "game": "human-angel-demon",
            "short_game": short,
            "market": [],
            "winner": None,
            "advanced": self.advanced,
            "players": [
                {"name": name, "points": self.points[p], "open": [], "discards": [], "ready": False}
                for p, name in enumerate(self.names)
            ],
        }
        self._fill()
        if short > 1:
            self.moves.append({"who": None, "move": "deal"})
            self._moment(True, True)
        elif not before:
            self._moment(True)

    def _fill(self) -> None:
        if len(self.deck) <= len(self.names):
            raise Over
        self.t["market"] = [self.deck.pop() for _ in range(len(self.names) + 1)]

    def _draw(self, p: int, n: int = 2) -> None:
        if len(self.deck) < n:
            raise Over
        self.hands[p] += [self.deck.pop() for _ in range(n)]

    def _moment(self, rests: bool, must: bool = False) -> None:
        state = deepcopy(self.t)
        if self.counts_hands:
            for player, hand in zip(state["players"], self.hands, strict=True):
                player["hand_size"] = len(hand)
        self.moments.append(Moment(len(self.moves), rests, state, must))

    # Turns

    def _play(self, p: int, before: int) -> None:
        rng = self.rng
        share, self.share = self.share, 0.0 if before else self.share
        for n in range(before + LONGEST):
            if before and n == before:
                self.share = share
                self.moments, self.moves, self.slips, self.injected, self.takes = [], [], [], [], []
                self.slipped_in, self.alternatives, self.start = [], {}, None
                self._moment(True)
            p = self._turn(p)
        if rng.random() < 0.3:
            raise Over

    def _turn(self, p: int) -> int:
        """One turn with what it brings; who moves then."""
        rng, n = self.rng, len(self.names)
        tries: list[str | None] = [None]
        if rng.random() < self.share:
            some = list(SLIPS)
            rng.shuffle(some)
            tries = [*some, None]
        saved = deepcopy((self.t, self.deck, self.hands))
        marks = [len(one) for one in (self.moments, self.moves, self.slips, self.slipped_in, self.takes)]
        for slip in tries:
            self.t, self.deck, self.hands = deepcopy(saved)
            kept = self.moments, self.moves, self.slips, self.slipped_in, self.takes
            for one, mark in zip(kept, marks, strict=True):
                del one[mark:]  # type: ignore[attr-defined]
            q = p
            if slip == "order":
                q = (p + rng.randint(1, n - 1)) % n
            try:
                self._do(q, slip)
            except Impossible:
                continue
            return (q + 1) % n
        raise Over

    def _do(self, p: int, slip: str | None) -> None:
        rng, t = self.rng, self.t
        side, hand = t["players"][p], self.hands[p]
        if not t["market"]:
            self._fill()
            self._moment(False)
        if slip in ("gain-old", "gain-late"):
            self._wrong_gain(p, slip)
            return
        if slip in CLAIMS and bool(side["open"]) != (slip == "goal-no-form"):
            raise Impossible
        took = self._take(p, slip)
        if took is not None and rng.random() < 0.5:
            self._moment(False)
        if _goals_with(hand) and slip is None and side["open"]:
            self._goal(p, "take", None)
        if slip in CLAIMS:
            self._claim(p, slip, str(took))
        self._act(p, slip, took)

    def _claim(self, p: int, slip: str, took: str) -> None:
        """A goal that the rules forbid."""
        hand = self.hands[p]
        if slip == "goal-unopened":
            hand.remove(took)
            self._rig(p, took, None)
            hand.append(took)
        if (slip == "goal-unopened") != _goals_with(hand):
            raise Impossible
        self._slip(p, slip)
        self._goal(p, "take", None)

    def _act(self, p: int, slip: str | None, took: str | None) -> None:
        """What is done with the card that was taken."""
        number, side, hand = len(self.moves), self.t["players"][p], self.hands[p]
        move: State = {"who": self.names[p], "move": "turn", "took": took or "?"}
        opened = self._opens(p, slip, took)
        if opened is not None:
            self._lay(side, hand, opened)
            move["opened"] = list(opened)
            if slip == "two-sets":
                more = _sets_in(hand)
                if not more:
                    raise Impossible
                second = self.rng.choice(more)
                self._lay(side, hand, second)
                self.alternatives[number] = [list(second)]
            self._draw(p, {"hand-short": 1, "hand-long": 3, "two-sets": 5, "open-and-discard": 3}.get(slip or "", 2))
            if slip == "ready-early":
                side["ready"] = True
        if opened is None or slip == "open-and-discard":
            self._discard(p, slip, took, move)
        if slip == "two-taken":
            self.alternatives[number] = []
        if slip is not None and slip not in ON_A_DISCARD:
            self._slip(p, slip)
        self.moves.append(move)
        self._moment(True, slip is not None)
        if move.get("discarded") is not None:
            self._after_discard(p, move["discarded"], slip)
        elif slip in ON_A_DISCARD:
            raise Impossible

    def _slip(self, p: int, slip: str) -> None:
        self.slips.append((self.names[p], SLIPS[slip]))
        self.injected.append(slip)
        self.slipped_in.append(len(self.moves))

    def _take(self, p: int, slip: str | None) -> str | None:
        rng, market, hand = self.rng, self.t["market"], self.hands[p]
        if slip in ("none-taken", "from-row"):
            return self._from_row(p) if slip == "from-row" else None
        if slip == "two-taken" and len(market) < 2:
            raise Impossible
        card = max(market, key=lambda one: (_worth(one, hand) if self.styles[p] != "careless" else 0) + rng.random())
        for one in [card, *([other for other in market if other is not card][:1] if slip == "two-taken" else [])]:
            market.remove(one)
            hand.append(one)
            self.takes.append((len(self.moments), len(self.moves), one))
        return str(card)

    def _from_row(self, p: int) -> str:
        """A card that somebody discarded is taken in place of one of the market."""
        rows = [player["discards"] for q, player in enumerate(self.t["players"]) if q != p and player["discards"]]
        if not rows:
            raise Impossible
        card = str(self.rng.choice(rows).pop())
        self.hands[p].append(card)
        return card

    def _rig(self, p: int, *needs: str | None, alike: Iterable[str] = ()) -> None:
        """Deal a player other cards that nobody has seen, since hands are hidden: a set for each of the needs (round a
        card that the player does not hold yet, or None), and cards `alike` these, or else a pair.
        """
        pool = [*self.hands[p], *self.deck]
        self.rng.shuffle(pool)
        size = len(self.hands[p])
        hand: list[str] = []
        for need in needs:
            hand += self._picked(pool, need)
        for one in alike:
            hand += self._alike(pool, one)
        if not alike:
            some = next((card for card in pool if sum(title(card) == title(other) for other in pool) > 1), None)
            if some is None:
                raise Impossible
            hand += [some, *self._alike([card for card in pool if card is not some], some)]
            for card in hand[-2:]:
                if card in pool:
                    pool.remove(card)
        if len(hand) != size:
            raise Impossible
        self.hands[p][:], self.deck[:] = hand, pool

    def _picked(self, pool: list[str], need: str | None) -> list[str]:
        """The cards that make a set, taken out of the pool; without the card that is needed."""
        for _ in range(40):
            one = need or self.rng.choice(pool)
            some = [card for card in pool if card[0] == one[0] and card is not one]
            rest = self.rng.sample(some, min(len(some), 2))
            if len(rest) > 1 and _a_set([one, *rest]):
                found = rest if need else [one, *rest]
                for card in found:
                    pool.remove(card)
                return found
        raise Impossible

    def _alike(self, pool: list[str], card: str) -> list[str]:
        for other in pool:
            if title(other) == title(card):
                pool.remove(other)
                return [other]
        raise Impossible

    def _lay(self, side: State, hand: list[str], cards: Iterable[str]) -> None:
        for card in cards:
            hand.remove(card)
        row = list(cards)
        if self.rng.random() < 0.3:
            self.rng.shuffle(row)
        side["open"].append(row)

    def _opens(self, p: int, slip: str | None, took: str | None) -> tuple[str, ...] | None:
        """The set that is opened now, or a group that is none."""
        rng, side, hand = self.rng, self.t["players"][p], self.hands[p]
        sets = _sets_in(hand)
        if slip == "no-set":
            if side["ready"]:
                raise Impossible
            some = [one for one in combinations(hand, 3) if not _a_set(one)]
            near = [one for one in some if len({title(card)[0] for card in one}) == 1] or some
            return rng.choice(near)
        if slip in ("ready-opens", "open-and-discard", "two-sets", "hand-short", "hand-long", "ready-early"):
            if not sets or side["ready"] != (slip == "ready-opens"):
                raise Impossible
            if slip in ("hand-short", "hand-long") and not self.counts_hands:
                raise Impossible
            return rng.choice(sets)
        if side["ready"] or not sets or slip is not None:
            return None
        wants = {"greedy": 0.9, "careless": 0.6, "patient": 0.35 if side["open"] else 0.8}[self.styles[p]]
        return rng.choice(sets) if rng.random() < wants else None

    def _discard(self, p: int, slip: str | None, took: str | None, move: State) -> None:
        rng, side, hand = self.rng, self.t["players"][p], self.hands[p]
        ready = side["ready"]
        if slip == "idle":
            move["discarded"] = None
            if took is None:
                raise Impossible
            return
        order = sorted(hand, key=lambda card: _worth(card, hand) + 2 * rng.random())
        if self.styles[p] == "careless":
            rng.shuffle(order)
        if slip == "ready-swaps":
            order = [card for card in order if title(card) != title(took or "")]
            if not ready or not order:
                raise Impossible
        elif ready:
            order = [took] if took else order
        card = order[0]
        hand.remove(card)
        side["discards"].append(card)
        move["discarded"] = card
        if slip == "two-discards":
            if ready:
                raise Impossible
            hand.remove(order[1])
            side["discards"].append(order[1])
            self.alternatives[len(self.moves)] = [[order[1]]]
            self._draw(p, 1)
        if slip == "none-taken":
            self._draw(p, 1)
        if slip == "two-taken":
            hand.pop()
        if not ready and slip is None and len(hand) == HAND and _waits_for(hand):
            wants = {"greedy": 0.8, "careless": 0.4, "patient": 0.95}[self.styles[p]]
            side["ready"] = rng.random() < wants

    def _after_discard(self, p: int, card: str, slip: str | None) -> None:
        """A goal by the discard, else a gain, the next in turn first."""
        n = len(self.names)
        others = [(p + i) % n for i in range(1, n)]
        if slip is not None and slip not in ON_A_DISCARD:
            return
        self._goal_by(p, others, card, slip)
        if slip in ("goal-unready", "goal-own-discard"):
            raise Impossible
        self._gained(p, others, card, slip)

    def _goal_by(self, p: int, others: list[int], card: str, slip: str | None) -> None:
        """Whether somebody goals by a discard; or does so against the rules, with cards dealt for it."""
        rng, t = self.rng, self.t
        for q in others:
            side, hand = t["players"][q], self.hands[q]
            if slip == "goal-unready" and side["open"] and not side["ready"]:
                self._rig(q, card, None)
            if slip == "goal-own-discard" and self.advanced and side["ready"] and side["open"] and side["discards"]:
                own_card = rng.choice(side["discards"])
                if title(own_card) == title(card):
                    self._rig(q, card, None)
                else:
                    self._rig(q, None, alike=(card, card, own_card, own_card))  # waits for a third of either
            if not side["open"] or not _goals_with([*hand, card]):
                continue
            own = self.advanced and any(title(one) in _waits_for(hand) for one in side["discards"])
            wrong = slip == ("goal-own-discard" if side["ready"] else "goal-unready") and (own or not side["ready"])
            if wrong:
                self._slip(q, str(slip))
            if wrong or (slip is None and side["ready"] and not own):
                t["players"][p]["discards"].pop()
                hand.append(card)
                side["winning_card"] = card
                self._goal(q, "discard", p)

    def _gained(self, p: int, others: list[int], card: str, slip: str | None) -> None:
        """Whether somebody gains a discard, if no one goaled."""
        rng, t = self.rng, self.t
        for q in others:
            side, hand = t["players"][q], self.hands[q]
            pairs = [two for two in combinations(hand, 2) if _a_set([*two, card]) != (slip == "gain-no-set")]
            if slip == "gain-no-set":
                pairs = [two for two in pairs if two[0][0] == two[1][0] == card[0]]
            if not pairs or side["ready"] != (slip == "ready-gains"):
                continue
            if slip is None and rng.random() < {"greedy": 0.3, "careless": 0.6, "patient": 0.8}[self.styles[q]]:
                continue
            two = rng.choice(pairs)
            t["players"][p]["discards"].pop()
            for one in two:
                hand.remove(one)
            row = [card, *two]
            rng.shuffle(row)
            side["open"].append(row)
            self._draw(q)
            if slip is not None:
                self._slip(q, slip)
            self.moves.append({"who": self.names[q], "move": "gain"})
            self._moment(True, slip is not None)
            return
        if slip is not None:
            raise Impossible

    def _wrong_gain(self, p: int, slip: str) -> None:
        """A discard that does not lie on top, or no set made of it; then the mover's turn is somebody's who goes on."""
        rng, t = self.rng, self.t
        ways = []
        for q, giver in enumerate(t["players"]):
            for i, card in enumerate(giver["discards"]):
                top = i == len(giver["discards"]) - 1
                if slip == "gain-old" and (top or q == p):
                    continue
                if slip == "gain-late" and (not top or q in (p, (p - 1) % len(self.names))):
                    continue
                for two in combinations(self.hands[p], 2):
                    if _a_set([*two, card]) and not t["players"][p]["ready"]:
                        ways.append((q, i, card, two))
        if not ways:
            raise Impossible
        q, i, card, two = rng.choice(ways)
        t["players"][q]["discards"].pop(i)
        for one in two:
            self.hands[p].remove(one)
        t["players"][p]["open"].append([card, *two])
        self._draw(p)
        self._slip(p, slip)
        self.moves.append({"who": self.names[p], "move": "gain"})
        self._moment(True, True)
        self._do(p, None)

    def _goal(self, p: int, by: str, discarder: int | None) -> None:
        rng, t = self.rng, self.t
        side, hand = t["players"][p], self.hands[p]
        t["winner"], t["won_by"] = self.names[p], by
        t["discarder"] = None if discarder is None else self.names[discarder]
        shown = sorted(hand)
        if rng.random() < 0.3:
            rng.shuffle(shown)
        side["hand"] = shown
        cards = [title(card) for row in (*side["open"], hand) for card in row]
        bonus = []
        while self.deck and rng.random() < 0.9:
            bonus.append(self.deck.pop())
            if title(bonus[-1]) not in cards:
                break
        t["bonus"] = bonus
        self.moves.append({"who": self.names[p], "move": "goal"})
        self._moment(True, True)
        if self.slips:
            raise Over  # what a claim that the rules forbid is worth, the players decide
        self._score(p, discarder)
        raise Over

    def _score(self, p: int, discarder: int | None) -> None:
        """Points carried to the next short game."""
        t = self.t
        side = t["players"][p]
        cards = [card for row in (*side["open"], side["hand"]) for card in row]
        won = len(side["open"]) + sum(title(card) == title(one) for one in t["bonus"] for card in cards)
        if self.advanced:
            won += self._conditions(side)
        else:
            won += sum(card.endswith("r") for card in cards)
        self.final = deepcopy(t)
        self.won = [player["points"] for player in t["players"]]
        self.won[p] += won
        if self.advanced and discarder is not None:
            self.won[discarder] = max(self.won[discarder] - won, 0)
        for player, points in zip(t["players"], self.won, strict=True):
            player["points"] = points

    def _conditions(self, side: State) -> int:
        """The advanced game: each red card by its condition."""
        sets = [[title(card) for card in row] for row in side["open"]] + _form(side["hand"])
        ends = [any(card[0] == "I" or card[1] in "17" for card in row) for row in sets]
        won = 0
        for card in (card for row in (*side["open"], side["hand"]) for card in row if card.endswith("r")):
            if card[0] == "I":
                won += 1
            elif card[1] in "17":
                won += 2 * all(ends)
            elif card[1] in "26":
                won += 2 * (not any(ends))
            elif card[1] in "35":
                won += 2 * (len(side["open"]) >= 3)
            else:
                won += 5 * all(one[0] in ("I", card[0]) for row in sets for one in row)
        return won

    # What is seen

    def header(self) -> State:
        header: State = {"game": "human-angel-demon", "players": self.names}
        if self.start is not None and len(self.names) % 2:
            header["start"] = self.start
        return header

    def pieces(self, state: State) -> list[tuple[str, Any]]:
        found = [(f"/market/{i}", card) for i, card in enumerate(state.get("market", ()))] * 3
        for p, player in enumerate(state["players"]):
            found += [(f"/players/{p}/discards/{i}", card) for i, card in enumerate(player.get("discards", ()))]
            found += [
                (f"/players/{p}/open/{n}/{i}", card)
                for n, row in enumerate(player.get("open", ()))
                for i, card in enumerate(row)
            ]
        return found

    def misread(self, state: State, at: str, true: Any) -> tuple[str, Any] | None:
        """The title's color is missed, or a number or an attribute is taken for one that looks like it."""
        rng = self.rng
        attribute, number, red = true[0], true[1], true[2:]
        if rng.random() < 0.35:
            red = "" if red else "r"
        elif attribute == "I":
            number = rng.choice([one for one in "1234" if one != number])
        elif rng.random() < 0.7:
            number = NUMBERS[number] if rng.random() < 0.7 else rng.choice([one for one in "1234567" if one != number])
        else:
            attribute = rng.choice(ATTRIBUTES[attribute][1:])
        read = f"{attribute}{number}{red}"
        place: Any = state
        *path, last = at.split("/")[1:]
        for part in path:
            place = place[int(part) if part.isdigit() else part]
        place[int(last)] = read
        return at, read

    def hide(self, state: State) -> None:
        if self.rng.random() < 0.4:
            del state["market"]
        else:
            player = self.rng.choice(state["players"])
            for key in [key for key in player if key not in ("name", "points")]:
                del player[key]

    def clear(self, state: State) -> list[Callable[[State], None]]:
        def empty(p: int | None, key: str) -> Callable[[State], None]:
            def step(now: State) -> None:
                here = now if p is None else now["players"][p]
                here[key] = False if key == "ready" else []

            return step

        steps = [empty(None, "market")]
        for p, player in enumerate(state["players"]):
            steps += [empty(p, key) for key in ("open", "discards", "ready", "hand") if player.get(key)]
        return steps

    def totals(self) -> list[int]:
        """The players' points after the last look."""
        return [player["points"] for player in self.t["players"]]


def _goals_with(hand: list[str]) -> bool:
    return len(hand) == HAND + 1 and _goals(hand)


def _form(hand: list[str]) -> list[list[str]]:
    """Eight cards as two sets and a pair; how they are seen never changes their points."""
    for pair in combinations(range(8), 2):
        if title(hand[pair[0]]) != title(hand[pair[1]]):
            continue
        rest = [i for i in range(8) if i not in pair]
        for some in combinations(rest, 3):
            groups = [some, tuple(i for i in rest if i not in some), pair]
            rows = [[title(hand[i]) for i in group] for group in groups]
            if _a_set(rows[0]) and _a_set(rows[1]):
                return rows
    return []
