"""Random games of Splendor as a camera would see them: looks, and what really happened."""

from itertools import combinations
from random import Random
from typing import Any

COLORS = ["white", "blue", "green", "red", "black"]
TOKENS = [*COLORS, "gold"]
SLIPS = (
    "pair",
    "four",
    "gold",
    "cheap",
    "dear",
    "order",
    "both",
    "eleven",
    "not-due",
    "no-noble",
    "four-kept",
    "two-gold",
)
RULES = {
    "pair": "S4", "four": "S4", "gold": "S4", "cheap": "S5", "dear": "S5", "order": "S3", "both": "S3", "eleven": "S8",
    "not-due": "S9", "no-noble": "S9", "four-kept": "S6", "two-gold": "S6",
}  # fmt: skip
MENDABLE = ("pair", "four", "gold", "both", "not-due", "two-gold")
MOST_ROUNDS = 30


def copied(things: Any) -> Any:
    """A table or its decks once more. Cards and nobles never change: they are the same ones."""
    if isinstance(things, dict):
        return {key: copied(one) if isinstance(one, (dict, list)) else one for key, one in things.items()}
    return [copied(one) if isinstance(one, dict) and "tokens" in one else one for one in things]


def priced(rng: Random, level: int, colors: list[str]) -> dict[str, int]:
    """What a card of a level costs in these colors, at least one of each."""
    price = dict.fromkeys(colors, 1)
    for _ in range({1: 4, 2: 7, 3: 11}[level] - len(colors)):
        color = rng.choice(colors)
        price[color] = min(price[color] + 1, 7)
    return price


class Game:
    """A game that plays itself; `steps` are its moments, `turns` what a referee has to tell."""

    def __init__(self, rng: Random, players: int, slips: float = 0.0) -> None:
        self.rng, self.slips = rng, slips
        self.names = ["Aya", "Ben", "Emi", "Dan"][:players]
        n = {2: 4, 3: 5, 4: 7}[players]
        decks = {level: self._deck(level) for level in (1, 2, 3)}
        self.decks = decks
        self.table: dict[str, Any] = {
            "supply": {color: 5 if color == "gold" else n for color in TOKENS},
            "market": [decks[level].pop() for level in (1, 2, 3) for _ in range(4)],
            "nobles": rng.sample(self._nobles(), players + 1),
            "decks": [1, 2, 3],
            "sides": [{"tokens": dict.fromkeys(TOKENS, 0), "cards": [], "kept": [], "nobles": []} for _ in self.names],
        }
        self.turns: list[dict[str, Any]] = []
        self.told: list[tuple[str, str]] = []
        self.steps: list[tuple[int, bool, bool, dict[str, Any]]] = [(0, True, True, copied(self.table))]
        self._play()

    def _nobles(self) -> list[dict[str, int]]:
        return [dict.fromkeys(some, each) for n, each in ((2, 4), (3, 3)) for some in combinations(COLORS, n)]

    def _deck(self, level: int) -> list[dict[str, Any]]:
        rng = self.rng
        deck: list[dict[str, Any]] = []
        while len(deck) < {1: 40, 2: 30, 3: 20}[level]:
            colors = rng.sample(COLORS, rng.randint(1, 4) if level < 3 else rng.randint(2, 4))
            price = priced(rng, level, colors)
            points = rng.choice({1: [0, 0, 0, 1], 2: [1, 2, 2, 3], 3: [3, 4, 4, 5]}[level])
            price = {color: price[color] for color in COLORS if color in price}
            card = {"level": level, "price": price, "points": points, "bonus": rng.choice(COLORS)}
            if card not in deck:  # no two cards are alike
                deck.append(card)
        return deck

    def _play(self) -> None:
        for _ in range(MOST_ROUNDS):
            order = list(range(len(self.names)))
            wrong = self.rng.random() < self.slips / 3 and len(self.turns) > 0
            if wrong:
                order[0], order[1] = order[1], order[0]
            for i, p in enumerate(order):
                self._turn(p, "order" if wrong and i == 0 else None)
            if max(self.points(p) for p in range(len(self.names))) >= 15:
                return

    def points(self, p: int) -> int:
        side = self.table["sides"][p]
        return sum(int(card["points"]) for card in side["cards"]) + 3 * len(side["nobles"])

    def _bonuses(self, p: int) -> dict[str, int]:
        cards = self.table["sides"][p]["cards"]
        return {color: sum(card["bonus"] == color for card in cards) for color in COLORS}

    def _payment(self, p: int, card: dict[str, Any]) -> dict[str, int] | None:
        have, tokens = self._bonuses(p), self.table["sides"][p]["tokens"]
        paid, gold = {}, 0
        for color, n in card["price"].items():
            need = max(n - have[color], 0)
            give = min(need, tokens[color])
            if give:
                paid[color] = give
            gold += need - give
        if gold > tokens["gold"]:
            return None
        return {**paid, "gold": gold} if gold else paid

    def _due(self, p: int) -> list[dict[str, int]]:
        have = self._bonuses(p)
        return [noble for noble in self.table["nobles"] if all(have[color] >= n for color, n in noble.items())]

    def _turn(self, p: int, slip: str | None) -> None:
        rng = self.rng
        before, decks = copied(self.table), copied(self.decks)
        if slip is None and rng.random() < self.slips:
            slip = rng.choice([one for one in SLIPS if one != "order"])
        for _ in range(2):
            stages, turn, done = self._act(p, slip)
            if slip in (None, "order") or done:
                break
            self.table, self.decks, slip = copied(before), copied(decks), None
        if slip in MENDABLE and rng.random() < 0.4:
            self.told.append((self.names[p], RULES[slip]))
            self.steps.append((len(self.turns), True, True, self.table))
            self.table, self.decks = copied(before), copied(decks)
            stages, turn, done = self._act(p, None)
            slip = None
        self.steps += [(len(self.turns), False, False, stage) for stage in stages]
        turn["who"] = self.names[p]
        if slip:
            self.told.append((self.names[p], RULES[slip]))
        self.turns.append(turn)
        self.steps.append((len(self.turns), True, slip is not None, copied(self.table)))

    def _act(self, p: int, slip: str | None) -> tuple[list[dict[str, Any]], dict[str, Any], bool]:
        """One turn: its half-done stages, the move, whether the slip could be made."""
        rng, table = self.rng, self.table
        side = table["sides"][p]
        can = [card for card in [*table["market"], *side["kept"]] if self._payment(p, card) is not None]
        stages: list[dict[str, Any]] = []
        colors = [color for color in COLORS if table["supply"][color]]
        wants = {"cheap": "buy", "dear": "buy", "both": "buy", "four-kept": "keep", "two-gold": "keep"}.get(slip or "")
        if slip in ("pair", "four", "gold", "eleven"):
            wants = "tokens"
        kind = wants or ("buy" if can and rng.random() < 0.8 else "keep" if rng.random() < 0.12 else "tokens")
        if kind == "keep" and len(side["kept"]) >= 3 and slip != "four-kept":
            kind = "tokens"
        if kind == "tokens" and not colors:
            kind = "buy" if can else "keep" if len(side["kept"]) < 3 else "pass"
        if (kind == "buy" and not can) or (wants and kind != wants):
            return stages, {"move": "none"}, False
        make = {"buy": self._buy, "keep": self._keep, "tokens": self._take}.get(kind)
        turn: dict[str, Any] = {"move": "pass"}
        done = False
        if make:
            turn, done = make(p, slip, stages, can)
        told = self._over_ten(p, slip, stages, turn)
        self._noble(p, slip, stages, turn)
        if slip == "eleven":
            done = told
        if slip in ("not-due", "no-noble"):
            done = turn.pop("noble-slip", False)
        return stages, turn, done

    def _buy(  # noqa: PLR0912 -- one step after the other
        self, p: int, slip: str | None, stages: list[Any], can: list[Any]
    ) -> tuple[dict[str, Any], bool]:
        rng, table = self.rng, self.table
        side = table["sides"][p]
        card = rng.choice(can)
        paid = self._payment(p, card) or {}
        done = True
        if slip == "cheap":
            some = [color for color in paid if paid[color]]
            done = bool(some)
            if some:
                color = rng.choice(some)
                paid[color] -= 1
        elif slip == "dear":
            some = [color for color in TOKENS if side["tokens"][color] > paid.get(color, 0)]
            done = bool(some)
            if some:
                color = rng.choice(some)
                paid[color] = paid.get(color, 0) + 1
        paid = {color: n for color, n in paid.items() if n}
        market = card in table["market"]
        if rng.random() < 0.5:
            table["market"] = [one for one in table["market"] if one is not card]
            stages.append(copied(table))
        first = rng.random() < 0.5

        def lay() -> None:
            if market:
                table["market"] = [one for one in table["market"] if one is not card]
            else:
                side["kept"].remove(card)
            side["cards"].append(card)

        if first:
            lay()
            stages.append(copied(table))
        for color, n in paid.items():
            side["tokens"][color] -= n
        if paid and slip is None:
            stages.append(copied(table))
        for color, n in paid.items():
            table["supply"][color] += n
        if not first:
            if slip is None:
                stages.append(copied(table))
            lay()
        if slip == "both":
            colors = [color for color in COLORS if table["supply"][color] > 0 and not paid.get(color)]
            done = bool(colors) and sum(side["tokens"].values()) < 10
            if done:
                color = rng.choice(colors)
                table["supply"][color] -= 1
                side["tokens"][color] += 1
        if market:
            stages.append(copied(table))
            self._refill(card["level"])
        return {"move": "buy", "card": card, "paid": paid}, done

    def _refill(self, level: int) -> None:
        if self.decks[level]:
            self.table["market"].append(self.decks[level].pop())
        if not self.decks[level] and level in self.table["decks"]:
            self.table["decks"].remove(level)

    def _keep(self, p: int, slip: str | None, stages: list[Any], can: list[Any]) -> tuple[dict[str, Any], bool]:
        rng, table = self.rng, self.table
        side = table["sides"][p]
        if slip == "four-kept" and len(side["kept"]) != 3:
            return {"move": "none"}, False
        if slip == "two-gold" and sum(side["tokens"].values()) > 8:
            return {"move": "none"}, False  # with one of them given back it would be lawful
        card = rng.choice(table["market"])
        table["market"] = [one for one in table["market"] if one is not card]
        side["kept"].append(card)
        gold = min(table["supply"]["gold"], 2 if slip == "two-gold" else 1)
        if gold:
            stages.append(copied(table))
        table["supply"]["gold"] -= gold
        side["tokens"]["gold"] += gold
        stages.append(copied(table))
        self._refill(card["level"])
        return {"move": "keep", "card": card}, gold == 2 if slip == "two-gold" else True

    def _take(self, p: int, slip: str | None, stages: list[Any], can: list[Any]) -> tuple[dict[str, Any], bool]:
        rng, table = self.rng, self.table
        supply, side = table["supply"], table["sides"][p]
        colors = [color for color in COLORS if supply[color]]
        pairs = [color for color in COLORS if supply[color] >= 4]
        what = rng.sample(colors, min(3, len(colors)))
        if pairs and rng.random() < 0.25:
            what = [rng.choice(pairs)] * 2
        done = True
        if slip == "pair":
            some = [color for color in COLORS if supply[color] in (2, 3)]
            done = bool(some)
            if some:
                color = rng.choice(some)
                what = [color] * 2 + [other for other in colors if other != color][: rng.randint(0, 1)]
        elif slip == "four":
            done = len(colors) >= 4
            what = colors[:4] if done else what
        elif slip == "gold":
            done = supply["gold"] > 0
            what = [*what[:2], "gold"] if done else what
        if slip in ("pair", "four", "gold") and sum(side["tokens"].values()) + len(what) > 10:
            return {"move": "none"}, False
        for color in what:
            supply[color] -= 1
        if slip is None:
            stages.append(copied(table))
        for i, color in enumerate(what):
            side["tokens"][color] += 1
            if i == 0 and slip is None and len(what) > 1:
                stages.append(copied(table))
        return {"move": "tokens", "what": what, "returned": []}, done

    def _over_ten(self, p: int, slip: str | None, stages: list[Any], turn: dict[str, Any]) -> bool:
        side, supply = self.table["sides"][p], self.table["supply"]
        over = sum(side["tokens"].values()) - 10
        if over > 0 and slip == "eleven":
            return True
        if over > 0:
            stages.append(copied(self.table))
        for _ in range(over):
            color = self.rng.choice([color for color in TOKENS if side["tokens"][color]])
            side["tokens"][color] -= 1
            supply[color] += 1
            turn.setdefault("returned", []).append(color)
        return False

    def _noble(self, p: int, slip: str | None, stages: list[Any], turn: dict[str, Any]) -> None:
        table, side = self.table, self.table["sides"][p]
        due = self._due(p)
        if slip == "not-due":
            others = [noble for noble in table["nobles"] if noble not in self._due(p)]
            if others and not due:
                table["nobles"].remove(others[0])
                side["nobles"].append(others[0])
                turn["noble-slip"] = True
            return
        if not due:
            return
        if slip == "no-noble":
            turn["noble-slip"] = True
            return
        stages.append(copied(table))
        noble = self.rng.choice(due)
        table["nobles"].remove(noble)
        side["nobles"].append(noble)
        turn["noble"] = noble

    # Looking

    def state(self, table: dict[str, Any]) -> dict[str, Any]:
        """The table as a state; kept cards by their backs."""
        players = []
        for name, side in zip(self.names, table["sides"], strict=True):
            players.append(
                {
                    "name": name,
                    "cards": side["cards"],
                    "nobles": side["nobles"],
                    "tokens": {color: n for color, n in side["tokens"].items() if n},
                    "kept": [{"level": card["level"]} for card in side["kept"]],
                    "reserved": len(side["kept"]),
                }
            )
        market = list(table["market"])
        return {
            "game": "splendor",
            "supply": dict(table["supply"]),
            "market": market,
            "nobles_left": table["nobles"],
            "decks": list(table["decks"]),
            "players": players,
        }

    def header(self) -> dict[str, Any]:
        return {"game": "splendor", "players": self.names}
