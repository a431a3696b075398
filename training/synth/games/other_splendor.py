"""Splendor by another hand: every rule from S2 to S9 is broken in every way that its text names."""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from training.synth.games.laid_out import Game, Moment, State

GEMS = ["white", "blue", "green", "red", "black"]
ALL = [*GEMS, "gold"]
EACH = {2: 4, 3: 5, 4: 7}
"""Tokens of each color, by the number of players."""
SLIPS = {
    "order": ("S3",), "buy-and-token": ("S3",), "keep-and-token": ("S3",), "low-pair": ("S4",), "four": ("S4",),
    "pair-and-one": ("S4",), "gold": ("S4",), "cheap": ("S5",), "dear": ("S5",), "other-color": ("S5",),
    "fourth": ("S6",), "two-gold": ("S6",), "robbed": ("S3", "S2"), "two-and-robbed": ("S3", "S2"), "refill": ("S7",),
    "eleven": ("S8",), "noble": ("S9",), "no-noble": ("S9",), "late": ("S10",),
}  # fmt: skip
"""How a turn may be done wrongly, and the rules of which one has to be named."""
WAYS = {
    "buy": ("buy-and-token", "cheap", "dear", "other-color", "refill", "no-noble", "noble"),
    "keep": ("keep-and-token", "fourth", "two-gold", "refill"),
    "tokens": ("low-pair", "four", "pair-and-one", "gold", "robbed", "two-and-robbed", "eleven"),
}
ROW = 4
TWO = 2
HALF = 0.5
LATE = 2
"""So many times the share of slips is that of games in which somebody goes on after the end."""
LONGEST = 22
"""Rounds of a game."""


class Impossible(Exception):
    """This cannot be done now."""


class Splendor(Game):
    """A game of two to four players, some rounds of which were played before the first look.

    `slips`: how many of the turns break a rule.
    """

    def __init__(self, rng: Random, slips: float = 0.0) -> None:
        super().__init__(rng)
        self.share = slips
        self.names = ["Aki", "Emi", "Jun", "Sora"][: rng.choice((2, 3, 3, 4))]
        n = len(self.names)
        self.decks = {level: self._deck(level) for level in (1, 2, 3)}
        nobles: list[State] = []
        while len(nobles) < n + 1:
            some = rng.sample(GEMS, rng.choice((2, 3)))
            noble = {color: 4 if len(some) == 2 else 3 for color in GEMS if color in some}
            if noble not in nobles:
                nobles.append(noble)
        self.t: State = {
            "game": "splendor",
            "supply": {**dict.fromkeys(GEMS, EACH[n]), "gold": 5},
            "market": [self.decks[level].pop() for level in (1, 2, 3) for _ in range(4)],
            "nobles_left": nobles,
            "decks": [1, 2, 3],
            "players": [{"name": name, "tokens": {}, "cards": [], "nobles": [], "kept": []} for name in self.names],
        }
        self._play(rng.choice((0, 0, 2, 5)))

    def _deck(self, level: int) -> list[State]:
        rng = self.rng
        deck: list[State] = []
        while len(deck) < (40, 30, 20)[level - 1]:
            colors = rng.sample(GEMS, rng.randint(2, 4))
            price = {color: rng.randint(1, 1 + level) for color in GEMS if color in colors}
            points = rng.choice(((0, 0, 0, 1), (1, 2, 2, 3), (3, 4, 5, 5))[level - 1])
            card = {"level": level, "price": price, "points": points, "bonus": rng.choice(GEMS)}
            if card not in deck:
                deck.append(card)
        return deck

    def _play(self, before: int) -> None:
        rng, n = self.rng, len(self.names)
        start, share = rng.randrange(n), self.share
        self.start = self.names[start] if rng.random() < HALF else None  # known before the first look, or not
        turned = False
        for round_ in range(LONGEST):
            if round_ == before:
                self.moments, self.moves, self.slips, self.injected = [], [], [], []
                self._moment(True)
            self.share = share if round_ >= before else 0.0
            order = [(start + i) % n for i in range(n)]
            again = turned and n == TWO  # after one turned round the other player is next: a second one is no slip
            turned = round_ > before and not again and rng.random() < self.share / 2
            if turned:
                i = rng.randrange(n - 1)
                order[i], order[i + 1] = order[i + 1], order[i]
            for k, p in enumerate(order):
                self._turn(p, "order" if turned and k == i else None)
            if round_ >= before and max(self.points(p) for p in range(n)) >= 15:
                if self.start is not None and rng.random() < share * LATE:
                    self._late(start)
                return

    def _late(self, p: int) -> None:
        """Somebody goes on though the game is over."""
        self._turn(p, "late")
        if self.moves[-1]["move"] == "pass":
            del self.moves[-1], self.slips[-1], self.injected[-1], self.moments[-1]

    def _moment(self, rests: bool, must: bool = False) -> None:
        self.moments.append(Moment(len(self.moves), rests, self._shown(), must))

    # One turn

    def _turn(self, p: int, wrong: str | None) -> None:
        rng = self.rng
        before = deepcopy((self.t, self.decks))
        tries: list[tuple[str, str | None]] = []
        if wrong is None and rng.random() < self.share:
            tries = [(kind, slip) for kind, slips in WAYS.items() for slip in slips]
            rng.shuffle(tries)
        lawful = ["buy", "keep", "tokens"]
        if rng.random() < 0.75:
            lawful = ["buy", "tokens", "keep"] if rng.random() < 0.85 else ["keep", "buy", "tokens"]
        else:
            rng.shuffle(lawful)
        tries += [(kind, None) for kind in lawful]
        mark = len(self.moments)
        slip, move = None, {"move": "pass"}
        for kind, slip in tries:
            self.t, self.decks = deepcopy(before)
            del self.moments[mark:]
            try:
                move = getattr(self, f"_{kind}")(p, slip)
                self._end(p, slip, move)
            except Impossible:
                move = {"move": "pass"}
                continue
            break
        else:
            self.t, self.decks = deepcopy(before)
            del self.moments[mark:]
        told = slip or wrong
        if told is not None:
            del self.moments[mark:]  # a slip is seen as it lies
            self.slips.append((self.names[p], SLIPS[told]))
            self.injected.append(told)
        self.moves.append({"who": self.names[p], **move})
        self._moment(True, told is not None)

    def _side(self, p: int) -> State:
        side: State = self.t["players"][p]
        return side

    def _move_tokens(self, here: State, there: State, tokens: dict[str, int]) -> None:
        for color, n in tokens.items():
            if here.get(color, 0) < n:
                raise Impossible
            here[color] = here.get(color, 0) - n
            there[color] = there.get(color, 0) + n

    def _own(self, p: int) -> Counter[str]:
        return Counter(card["bonus"] for card in self._side(p)["cards"])

    def _price(self, p: int, card: State) -> dict[str, int]:
        own = self._own(p)
        return {color: n - own[color] for color, n in card["price"].items() if n > own[color]}

    def _payment(self, p: int, card: State, freely: bool) -> dict[str, int] | None:
        """With as little gold as may be; `freely`: sometimes with more of it, which is lawful too."""
        tokens, paid, gold = self._side(p)["tokens"], {}, 0
        for color, n in self._price(p, card).items():
            some = min(n, tokens.get(color, 0))
            if freely and some and gold < tokens.get("gold", 0) and self.rng.random() < 0.1:
                some -= 1
            gold += n - some
            paid[color] = some
        if gold > tokens.get("gold", 0):
            return None
        return {color: n for color, n in {**paid, "gold": gold}.items() if n}

    def _buy(self, p: int, slip: str | None) -> State:
        rng, t, side = self.rng, self.t, self._side(p)
        can = [card for card in (*t["market"], *side["kept"]) if self._payment(p, card, False) is not None]
        if not can:
            raise Impossible
        card = rng.choice(sorted(can, key=lambda one: (-one["points"], rng.random()))[:3])
        paid = self._payment(p, card, slip is None) or self._payment(p, card, False) or {}
        if slip in ("cheap", "dear", "other-color"):
            paid = self._misprice(side["tokens"], paid, slip)
        market = card in t["market"]
        tokens_first = rng.random() < 0.5
        if tokens_first:
            self._move_tokens(side["tokens"], t["supply"], paid)
            if paid:
                self._moment(False)
        (t["market"] if market else side["kept"]).remove(card)
        if rng.random() < 0.4:
            self._moment(False)  # the card is in the hand
        side["cards"].append(card)
        if not tokens_first:
            if paid:
                self._moment(False)
            self._move_tokens(side["tokens"], t["supply"], paid)
        if slip == "buy-and-token":
            some = [color for color in GEMS if t["supply"].get(color) and color not in paid]
            if not some or sum(side["tokens"].values()) > 8:
                raise Impossible
            self._move_tokens(t["supply"], side["tokens"], {rng.choice(some): 1})
        self._filled(card, market, slip)
        return {"move": "buy", "card": card, "paid": paid}

    def _misprice(self, tokens: State, paid: dict[str, int], slip: str) -> dict[str, int]:
        rng, paid = self.rng, dict(paid)
        more = [color for color in ALL if tokens.get(color, 0) > paid.get(color, 0)]
        if slip != "dear":
            if not paid:
                raise Impossible
            less = rng.choice(list(paid))
            paid[less] -= 1
            more = [color for color in more if color not in ("gold", less)]
            if slip == "cheap" and sum(paid.values()) > 9:
                raise Impossible
        if slip != "cheap":
            if not more:
                raise Impossible
            color = rng.choice(more)
            paid[color] = paid.get(color, 0) + 1
        return {color: n for color, n in paid.items() if n}

    def _filled(self, card: State, market: bool, slip: str | None) -> None:
        """The empty place is filled from its level's deck."""
        t, level = self.t, card["level"]
        if slip == "refill":
            full = [one for one in (1, 2, 3) if sum(other["level"] == one for other in t["market"]) >= ROW]
            levels = [one for one in full if one != level and self.decks[one]]  # else it puts an earlier slip right
            if not market or not levels or not self.decks[level]:
                raise Impossible
            level = self.rng.choice(levels)
        if market and self.decks[level]:
            self._moment(False)
            t["market"].append(self.decks[level].pop())
            t["decks"] = [one for one in (1, 2, 3) if self.decks[one]]
        self.rng.shuffle(t["market"])

    def _keep(self, p: int, slip: str | None) -> State:
        rng, t, side = self.rng, self.t, self._side(p)
        if (len(side["kept"]) >= 3) != (slip == "fourth"):
            raise Impossible
        card = rng.choice(t["market"])
        gold = min(2 if slip == "two-gold" else 1, t["supply"].get("gold", 0))
        if slip == "two-gold" and (gold < 2 or sum(side["tokens"].values()) > 8):
            raise Impossible
        gold_first = rng.random() < 0.3
        if gold_first and gold:
            self._move_tokens(t["supply"], side["tokens"], {"gold": gold})
            self._moment(False)
        t["market"].remove(card)
        side["kept"].append(card)
        if not gold_first and gold:
            self._moment(False)
            self._move_tokens(t["supply"], side["tokens"], {"gold": gold})
        if slip == "keep-and-token":
            some = [color for color in GEMS if t["supply"].get(color)]
            if not some or sum(side["tokens"].values()) > 9:
                raise Impossible
            self._move_tokens(t["supply"], side["tokens"], {rng.choice(some): 1})
        self._filled(card, True, slip)
        return {"move": "keep", "card": card}

    def _tokens(self, p: int, slip: str | None) -> State:
        rng, t, side = self.rng, self.t, self._side(p)
        supply, mine = t["supply"], side["tokens"]
        colors = [color for color in GEMS if supply.get(color)]
        pairs = [color for color in colors if supply[color] >= 4]
        rng.shuffle(colors)
        if not colors:
            raise Impossible
        what = [rng.choice(pairs)] * 2 if pairs and rng.random() < 0.3 else colors[:3]
        if slip == "low-pair":
            low = [color for color in colors if supply[color] in (2, 3)]
            what = [rng.choice(low or colors)] * (2 if low else 1)
        elif slip == "four":
            what = colors[:4]
        elif slip == "pair-and-one":
            two = [color for color in colors if supply[color] >= 2]
            what = [*two[:1] * 2, *[color for color in colors if color not in two[:1]][:1]]
        elif slip == "gold":
            what = [*colors[: rng.randint(1, 2)], "gold"]
        elif slip == "robbed":
            what = []
        elif slip == "two-and-robbed":
            what = colors[:2]
        need = {"low-pair": 2, "four": 4, "pair-and-one": 3, "gold": 2, "two-and-robbed": 2}.get(slip or "", 0)
        over = sum(mine.values()) + len(what) + (slip in ("robbed", "two-and-robbed")) - 10
        if len(what) < need or (slip == "eleven") != (over > 0 and slip is not None):
            raise Impossible
        if slip is None and len(what) > 1 and rng.random() < 0.5:
            self._move_tokens(supply, mine, {what[0]: 1})
            self._moment(False)
            self._move_tokens(supply, mine, dict(Counter(what[1:])))
        else:
            self._move_tokens(supply, mine, dict(Counter(what)))
        if slip in ("robbed", "two-and-robbed"):
            q = (p + rng.randint(1, len(self.names) - 1)) % len(self.names)
            theirs = self._side(q)["tokens"]
            some = [color for color in GEMS if theirs.get(color) and color not in what]
            if not some:
                raise Impossible
            self._move_tokens(theirs, mine, {rng.choice(some): 1})
        return {"move": "tokens", "what": what, "returned": []}

    def _end(self, p: int, slip: str | None, move: State) -> None:
        """Ten tokens at most, then a noble."""
        rng, t, side = self.rng, self.t, self._side(p)
        over = sum(side["tokens"].values()) - 10
        if over > 0 and slip not in (None, "eleven"):
            raise Impossible
        if over > 0 and slip is None:
            self._moment(False)
            back = rng.sample([color for color, n in side["tokens"].items() for _ in range(n)], over)
            self._move_tokens(side["tokens"], t["supply"], dict(Counter(back)))
            move["returned"] = back
        own = self._own(p)
        due = [one for one in t["nobles_left"] if all(own[color] >= n for color, n in one.items())]
        if slip == "noble":
            some = [one for one in t["nobles_left"] if one not in due]
            if due or not some:
                raise Impossible
            due = some
        if slip == "no-noble" and not due:
            raise Impossible
        if due and slip != "no-noble":
            noble = rng.choice(due)
            self._moment(False)
            t["nobles_left"].remove(noble)
            side["nobles"].append(noble)

    def points(self, p: int) -> int:
        """A player's points."""
        side = self._side(p)
        return sum(int(card["points"]) for card in side["cards"]) + 3 * len(side["nobles"])

    # What is seen

    def _shown(self) -> State:
        state = deepcopy(self.t)
        for player in state["players"]:
            player["tokens"] = {color: n for color, n in player["tokens"].items() if n}
            player["reserved"] = len(player["kept"])
            player["kept"] = [{"level": card["level"]} for card in player["kept"]]
        return state

    def header(self) -> State:
        return {"game": "splendor", "players": self.names, **({"start": self.start} if self.start else {})}

    def pieces(self, state: State) -> list[tuple[str, Any]]:
        found = [(f"/supply/{color}", color) for color, n in state.get("supply", {}).items() if n]
        for p, player in enumerate(state["players"]):
            found += [(f"/players/{p}/tokens/{color}", color) for color, n in player.get("tokens", {}).items() if n]
        return found

    def misread(self, state: State, at: str, true: Any) -> tuple[str, Any] | None:
        read = self.rng.choice([color for color in ALL if color != true])
        counts = state["supply"] if at.startswith("/supply") else state["players"][int(at.split("/")[2])]["tokens"]
        if counts.get(true, 0) < 1:
            return None
        counts[true] -= 1
        counts[read] = counts.get(read, 0) + 1
        return f"{at.rsplit('/', 1)[0]}/{read}", read

    def hide(self, state: State) -> None:
        if self.rng.random() < 0.5:
            del state["supply"]
        else:
            player = self.rng.choice(state["players"])
            for key in [key for key in player if key != "name"]:
                del player[key]

    def clear(self, state: State) -> list[Callable[[State], None]]:
        def empty(p: int | None, key: str) -> Callable[[State], None]:
            def step(now: State) -> None:
                here = now if p is None else now["players"][p]
                here[key] = dict.fromkeys(here[key], 0) if isinstance(here[key], dict) else type(here[key])()

            return step

        steps = [empty(None, key) for key in ("supply", "market", "nobles_left", "decks")]
        for p, player in enumerate(state["players"]):
            steps += [empty(p, key) for key in ("tokens", "cards", "nobles", "kept", "reserved") if player[key]]
        return steps
