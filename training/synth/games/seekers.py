"""Random games of Twelve Seekers as a camera would see them: looks, and what really happened."""

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

COLORS = ["red", "yellow", "green", "blue", "purple"]
KINDS = [*COLORS, "rainbow", "gold"]
POWERS = {
    "steal-one": 1, "first-of-kind": 1, "three-return-two": 1, "pair": 2, "steal-same": 2, "anywhere": 2,
    "both-ends-one": 2, "five-return-two": 3, "all-different": 3, "swap-one": 3, "give-one": 3, "two-kinds": 4,
    "five-return-one": 4, "both-ends-two": 4, "five-give-one": 5, "five-give-most": 5, "four-kinds": 5,
}  # fmt: skip
PAYING = ("first-of-kind", "pair", "all-different", "two-kinds", "four-kinds")
LINES = (7, 8, 9, 10, 16, 17, 18)
PLACES = (19, 20)
SLIPS = ("many", "few", "middle", "order", "two-cards", "split", "theirs", "forget", "wrong-throw", "place", "swaps")
OF_GEMS = ("middle", "split", "theirs", "forget", "wrong-throw", "place")
"""Slips that the gems show without any card."""


class Game:
    """A game that plays itself; `looks` are the lines of the input, `truth` is what a referee has to tell."""

    def __init__(
        self, rng: Random, rule: int, mode: str = "basic", slips: float = 0.0, *, cards_seen: bool = True
    ) -> None:
        self.rng, self.rule, self.mode, self.slips, self.cards_seen = rng, rule, mode, slips, cards_seen
        self.kind = "line" if rule in LINES else "valid" if rule in PLACES else "gems"
        row = [color for color in COLORS for _ in range(7)] + ["rainbow"] + ["gold"] * 3
        rng.shuffle(row)
        field: list[Any] = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5]
        swap = {"basic": 0, "advanced": 4, "chaos": 12}[mode]
        if swap:
            names = list(POWERS)
            rng.shuffle(names)
            for name in names:
                if POWERS[name] in field and swap:
                    field.remove(POWERS[name])
                    field.append(name)
                    swap -= 1
        self.names = ["A", "B"]
        self.order = rng.randint(1, 4)
        self.table: dict[str, Any] = {
            "row": row,
            "field": field,
            "sides": [{"line": [], "valid": [], "invalid": [], "gold": 0, "stack": [], "bonuses": []} for _ in "AB"],
            "thrown": [],
            "color": None,
        }
        self.cards = rng.sample(COLORS, 5)
        self.round = 0
        self.turns: list[dict[str, Any]] = []
        self.steps: list[tuple[int, bool, dict[str, Any]]] = [(0, True, deepcopy(self.table))]
        self.told: list[tuple[str, str]] = []
        self.must: set[tuple[int, int]] = set()
        self._play()

    # Playing

    def _play(self) -> None:
        rng = self.rng
        starter = rng.randrange(2)
        self.starter = starter
        unclear = False
        for round_ in range(6):
            self.round = round_
            if self.rule == 19 and round_ < 5:
                self.table["color"] = self.cards[round_]
            if round_ == 0:
                self.steps = [(0, True, deepcopy(self.table))]
            powers = {}
            players = [starter, 1 - starter]
            wrong = rng.random() < self.slips / 2 and round_ > 0 and not unclear and self.cards_seen
            if wrong:
                players.reverse()
            for i, p in enumerate(players):
                if not self.table["field"]:
                    return
                powers[p] = self._turn(p, "order" if wrong and i == 0 else None)
            two = any(isinstance(turn["seeker"], list) for turn in self.turns[-2:])
            unclear = two and self.order in (3, 4)  # nobody can say whose power was the higher one
            if self.order == 2:
                starter = 1 - starter
            elif self.order in (3, 4):
                one, other = powers[0], powers[1]
                high = int(other > one)
                starter = 1 - starter if one == other else high if self.order == 3 else 1 - high

    def _color(self, took: list[str]) -> str:
        if self.rule == 19 and self.round < 5:
            return self.table["color"] or COLORS[0]
        colored = [gem for gem in took if gem in COLORS]
        return self.rng.choice(colored or COLORS)

    def _lay(self, table: dict[str, Any], p: int, gems: list[str], color: str | None, how: str = "") -> None:
        side = table["sides"][p]
        side["gold"] += gems.count("gold")
        gems = [gem for gem in gems if gem != "gold"]
        if self.kind == "line":
            if self.rng.random() < 0.5:
                gems.reverse()
            if how == "split" and len(gems) > 1 and side["line"]:
                side["line"] = gems[:1] + side["line"] + gems[1:]
            elif self.rng.random() < 0.5:
                side["line"] = gems + side["line"]
            else:
                side["line"] = side["line"] + gems
        elif self.kind == "gems":
            side["valid"] += gems
        else:
            for gem in gems:
                side["valid" if gem in ("rainbow", color) else "invalid"].append(gem)

    def _own(self, table: dict[str, Any], p: int) -> list[tuple[str, int]]:
        side = table["sides"][p]
        return [(zone, i) for zone in ("line", "valid", "invalid") for i in range(len(side[zone]))]

    def _legal_cards(self, p: int) -> list[Any]:
        field: list[Any] = self.table["field"]
        if self.mode != "advanced":
            return field
        stack = self.table["sides"][p]["stack"]
        left = 6 - len(stack) - 1
        good = []
        for card in field:
            a = sum(isinstance(one, str) for one in [*stack, card])
            if a <= 2 and 2 - a <= left:
                good.append(card)
        return good or field

    def _turn(self, p: int, slip: str | None) -> int:
        rng = self.rng
        before = deepcopy(self.table)
        card = rng.choice(self._legal_cards(p))
        if slip is None and rng.random() < self.slips:
            slip = rng.choice(SLIPS[:3] + SLIPS[4:] if self.cards_seen else OF_GEMS)
        slip = self._possible(slip, p, card)
        mend = slip is not None and slip in ("many", "middle", "theirs", "split") and rng.random() < 0.35
        if mend:
            self._do(p, card, slip)
            wrong = self.table
            self.table = deepcopy(before)
            self.must.add((len(self.turns), len(self.steps)))
            self.steps.append((len(self.turns), True, wrong))
            self.told.append((self.names[p], self._rule(slip or "")))
            slip = None
        stages, turn, breaks = self._do(p, card, slip)
        for stage in stages:
            self.steps.append((len(self.turns), False, stage))
        turn.update(who=self.names[p], breaks=breaks)
        self.turns.append(turn)
        if breaks:
            self.told.append((self.names[p], breaks[0]))
            self.must.add((len(self.turns), len(self.steps)))
        self.steps.append((len(self.turns), True, deepcopy(self.table)))
        return int(POWERS.get(card, card))

    def _possible(self, slip: str | None, p: int, card: Any) -> str | None:
        side = self.table["sides"][p]
        theirs = self.table["sides"][1 - p]
        n = POWERS.get(card, card)
        basic = not isinstance(card, str)
        row = self.table["row"]
        can = {
            "many": basic and len(row) > n,
            "few": basic and n > 1,
            "middle": basic and len(row) > n + 4 and row[:2] + row[2 + n :] not in (row[n:], row[:-n]),
            "order": True,
            "two-cards": basic and len(self.table["field"]) > 3 and len(row) > n,
            "split": basic and n > 2 and self.kind == "line" and len(side["line"]) > 1 and self.rule != 18,
            "theirs": basic
            and any(theirs[zone] for zone in ("line", "valid", "invalid"))
            and self.rule not in (11, 12, 13),
            "forget": basic and self.rule in (11, 12, 13),
            "wrong-throw": basic and self.rule in (11, 12, 13),
            "place": basic and self.kind == "valid" and n > 2,
            "swaps": False,
        }
        return slip if slip and can[slip] else None

    def _rule(self, slip: str) -> str:
        return {
            "many": "T7", "few": "T7", "middle": "T7", "order": "T5", "two-cards": "T4", "split": "T9", "theirs": "T11",
            "forget": "T12", "wrong-throw": "T12", "place": "T10",
        }[slip]  # fmt: skip

    def _do(  # noqa: PLR0912, PLR0915 -- one step after the other
        self, p: int, card: Any, slip: str | None
    ) -> tuple[list[dict[str, Any]], dict[str, Any], list[str]]:
        """One turn on the table: its half-done stages, the move, the rules it breaks."""
        rng, table = self.rng, self.table
        side, theirs, row = table["sides"][p], table["sides"][1 - p], table["row"]
        stages: list[dict[str, Any]] = []
        turn: dict[str, Any] = {"move": "take", "seeker": card}
        breaks = [self._rule(slip)] if slip else []
        before = Counter(side["line"] + side["valid"] + side["invalid"] + ["gold"] * side["gold"])
        n = POWERS.get(card, card)
        if card in ("three-return-two", "all-different", "swap-one", "give-one"):
            n = 3
        elif card in ("five-return-two", "five-return-one"):
            n = 5
        n += {"many": 1, "few": -1}.get(slip or "", 0)
        left = rng.random() < 0.5

        def card_taken() -> None:
            table["field"].remove(card)
            side["stack"].append(card)
            if slip == "two-cards":
                second = rng.choice(table["field"])
                table["field"].remove(second)
                side["stack"].append(second)
                turn["seeker"] = [card, second]

        first = rng.random() < 0.5
        if first:
            card_taken()
            stages.append(deepcopy(table))
        if card in ("both-ends-one", "both-ends-two"):
            k = n // 2
            one, other = row[:k], row[len(row) - k :]
            what = one + other
            table["row"] = row = row[k : len(row) - k]
            gems = what if rng.random() < 0.5 else other + one
        elif card == "anywhere" or slip == "middle":
            at = rng.randrange(len(row) - n + 1) if slip is None else 2
            what = gems = row[at : at + n]
            table["row"] = row = row[:at] + row[at + n :]
        else:
            what = gems = row[:n] if left else row[len(row) - n :]
            table["row"] = row = row[n:] if left else row[: len(row) - n]
        turn["what"] = list(what)
        if slip != "middle":
            stages.append(deepcopy(table))
        color = self._color(what) if self.kind == "valid" else None
        gems = list(gems)
        if card in ("five-return-two", "five-return-one"):
            back = [gems.pop(rng.randrange(len(gems))) for _ in range(2 if card == "five-return-two" else 1)]
            table["row"] = row = back + row if left else row + back
        if card == "five-give-one":
            self._give(table, p, gems.pop(rng.randrange(len(gems))))
        if slip == "place":
            wrong = next((gem for gem in gems if gem in COLORS and gem != color), None)
            same = [gem for gem in gems if gem == color]
            if wrong is None or (self.rule == 20 and not same):
                breaks = []
                slip = None
            else:
                gems.remove(wrong)
                side["valid"].append(wrong)
        self._lay(table, p, gems, color, slip or "")
        if slip == "split" and len([gem for gem in what if gem != "gold"]) < 2:
            breaks = []
        if slip == "theirs":
            zone, i = rng.choice(self._own(table, 1 - p))
            gem = theirs[zone].pop(i)
            side["line" if self.kind == "line" else "valid" if self.kind == "gems" else "invalid"].append(gem)
        self._effect(table, p, card, what, left, color)
        if not first:
            if card not in ("steal-one", "steal-same", "give-one", "five-give-most", "five-give-one"):
                stages.append(deepcopy(table))
            card_taken()
        if card in PAYING:
            side["bonuses"].append((card, list(what), sorted(gem for gem in before if before[gem])))
        if self.rule in (11, 12, 13):
            stages.append(deepcopy(table))
            counts = {c: side["valid"].count(c) for c in COLORS if side["valid"].count(c)}
            if counts and slip != "forget":
                least = [c for c in counts if counts[c] == min(counts.values())]
                others = [c for c in counts if c not in least]
                if slip == "wrong-throw" and others:
                    least = others
                elif slip == "wrong-throw":
                    breaks = []
                gem = rng.choice(least)
                side["valid"].remove(gem)
                table["thrown"].append(gem)
            elif slip and not counts:
                breaks = []
        if self.rule == 18:
            for _ in range(rng.randint(0, {1: 2, 2: 1, 3: 1}.get(POWERS.get(card, card), 0))):
                line = side["line"]
                if len(line) > 1:
                    i = rng.randrange(len(line) - 1)
                    line[i], line[i + 1] = line[i + 1], line[i]
        return stages, turn, breaks

    def _give(self, table: dict[str, Any], p: int, gem: str) -> None:
        theirs = table["sides"][1 - p]
        if gem == "gold":
            theirs["gold"] += 1
        elif self.kind == "line":
            theirs["line"].insert(0 if self.rng.random() < 0.5 else len(theirs["line"]), gem)
        else:
            theirs["valid" if self.kind == "gems" else "invalid"].append(gem)

    def _effect(self, table: dict[str, Any], p: int, card: Any, what: list[str], left: bool, color: str | None) -> None:
        rng = self.rng
        side, theirs = table["sides"][p], table["sides"][1 - p]
        if card in ("steal-one", "steal-same"):
            some = [
                (zone, i)
                for zone, i in self._own(table, 1 - p)
                if theirs[zone][i] in COLORS and (card == "steal-one" or theirs[zone][i] in what)
            ]
            if some:
                zone, i = rng.choice(some)
                self._lay(table, p, [theirs[zone].pop(i)], color)
        elif card == "three-return-two":
            for _ in range(2):
                own = [*self._own(table, p), *[("gold", 0)] * side["gold"]]
                zone, i = rng.choice(own)
                gem = "gold" if zone == "gold" else side[zone].pop(i)
                side["gold"] -= gem == "gold"
                table["row"].insert(0 if left else len(table["row"]), gem)
        elif card == "give-one":
            own = self._own(table, p)
            if own:
                zone, i = rng.choice(own)
                self._give(table, p, side[zone].pop(i))
        elif card == "five-give-most":
            own = self._own(table, p)
            counts = Counter(side[zone][i] for zone, i in own if side[zone][i] in COLORS)
            if counts:
                gem = rng.choice([c for c in counts if counts[c] == max(counts.values())])
                zone, i = rng.choice([(z, i) for z, i in own if side[z][i] == gem])
                self._give(table, p, side[zone].pop(i))
        elif card == "swap-one":
            own = self._own(table, p)
            places = [i for i, gem in enumerate(table["row"]) if gem in COLORS]
            if own and places:
                zone, i = rng.choice(own)
                at = rng.choice(places)
                side[zone][i], table["row"][at] = table["row"][at], side[zone][i]

    # Looking

    def state(self, table: dict[str, Any]) -> dict[str, Any]:
        """The table as a state."""
        players = []
        for name, side in zip(self.names, table["sides"], strict=True):
            player: dict[str, Any] = {"name": name}
            if self.kind == "line":
                player["line"] = list(side["line"])
            else:
                player["gems" if self.kind == "gems" else "valid"] = dict(Counter(side["valid"]))
                if self.kind == "valid":
                    player["invalid"] = dict(Counter(side["invalid"]))
            player["gold"] = side["gold"]
            if self.cards_seen:
                player["seekers"] = list(side["stack"])
            players.append(player)
        state = {"game": "twelve-seekers", "rule": self.rule, "dungeon": list(table["row"]), "players": players}
        if self.cards_seen:
            state.update(order_cards=[self.order], seekers_left=list(table["field"]))
        if table["color"]:
            state["color_card"] = table["color"]
        return state

    def header(self) -> dict[str, Any]:
        return {"game": "twelve-seekers", "rule": self.rule, "players": self.names, "mode": self.mode}

    def final(self) -> dict[str, Any]:
        """The last table as a state to be scored."""
        state = self.state(self.table)
        for player, side in zip(state["players"], self.table["sides"], strict=True):
            if side["bonuses"]:
                player["bonuses"] = [
                    {"seeker": card, "gems": gems, **({"held": held} if card == "first-of-kind" else {})}
                    for card, gems, held in side["bonuses"]
                ]
        return state
