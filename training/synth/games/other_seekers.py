"""Twelve Seekers by another hand: every rule from T4 to T14 is broken in every way that its text names."""

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from training.synth.games.laid_out import Game, Moment, State

FIVE = ["red", "yellow", "green", "blue", "purple"]
LINES = (7, 8, 9, 10, 16, 17, 18)
PLACES = (19, 20)
THROWS = (11, 12, 13)
ADVANCED = {
    "steal-one": 1, "first-of-kind": 1, "three-return-two": 1, "pair": 2, "steal-same": 2, "anywhere": 2,
    "both-ends-one": 2, "five-return-two": 3, "all-different": 3, "swap-one": 3, "give-one": 3, "two-kinds": 4,
    "five-return-one": 4, "both-ends-two": 4, "five-give-one": 5, "five-give-most": 5, "four-kinds": 5,
}  # fmt: skip
TAKE = {**{n: n for n in range(1, 6)}, **ADVANCED, "three-return-two": 3, "five-return-two": 5, "five-return-one": 5}
EFFECTS: dict[str, tuple[str, ...]] = {
    "steal-one": ("none", "two", "barred"),
    "steal-same": ("none", "two", "other"),
    "three-return-two": ("none", "one", "three", "end"),
    "anywhere": ("apart",),
    "both-ends-one": ("one-end",),
    "both-ends-two": ("uneven",),
    "five-return-two": ("none", "one", "old", "end"),
    "five-return-one": ("none", "two", "old", "end"),
    "swap-one": ("none", "barred", "end-place"),
    "give-one": ("none", "two", "valid"),
    "five-give-one": ("none", "old", "valid"),
    "five-give-most": ("none", "other"),
}
"""How each seeker's effect may be done wrongly (T14)."""
LATER_EFFECTS = ("steal-one", "steal-same", "three-return-two", "swap-one", "give-one", "five-give-most")
"""Seekers whose effect comes after all gems lie before the mover."""
BASIC_SLIPS = {
    "many": ("T7",), "few": ("T7",), "both-ends": ("T7",), "middle": ("T7",), "two-cards": ("T4",), "turn": ("T5",),
    "third": ("T6",), "split": ("T9",), "inside": ("T9",), "mixed": ("T9",), "place": ("T10",), "theirs": ("T11",),
    "older": ("T11",), "keep": ("T12",), "wrong-throw": ("T12",), "swap-more": ("T13",),
}  # fmt: skip


HALF = ("few", "none", "keep", "one")
"""Slips that look like a turn that is not over, where what they lack comes before anybody goes on."""


class Impossible(Exception):
    """This slip cannot be made now."""


class Seekers(Game):
    """A game of six rounds. `slips`: how many of the turns break a rule; `only`: the slips that are tried."""

    def __init__(
        self, rng: Random, rule: int, mode: str = "basic", slips: float = 0.0, only: tuple[str, ...] | None = None
    ) -> None:
        super().__init__(rng)
        self.rule, self.mode, self.share, self.only = rule, mode, slips, only
        self.kind = "line" if rule in LINES else "valid" if rule in PLACES else "gems"
        self.names = ["Mio", "Ken"]
        row = [gem for gem in FIVE for _ in range(7)] + ["rainbow"] + ["gold"] * 3
        rng.shuffle(row)
        field: list[Any] = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5]
        if mode != "basic":
            for card in rng.sample(list(ADVANCED), 17):
                if ADVANCED[card] in field and sum(isinstance(one, str) for one in field) < (4, 12)[mode == "chaos"]:
                    field.remove(ADVANCED[card])
                    field.append(card)
        self.order = rng.randint(1, 4)
        self.t: State = {
            "game": "twelve-seekers",
            "rule": rule,
            "order_cards": [self.order],
            "dungeon": row,
            "seekers_left": field,
            "players": [{"name": name, **self._zones(), "gold": 0, "seekers": []} for name in self.names],
        }
        self.out: list[str] = []
        self.bonuses: list[list[State]] = [[], []]
        self._play()

    def _zones(self) -> State:
        if self.kind == "line":
            return {"line": []}
        return {"gems": []} if self.kind == "gems" else {"valid": [], "invalid": []}

    def _zone_names(self) -> tuple[str, ...]:
        return {"line": ("line",), "gems": ("gems",), "valid": ("valid", "invalid")}[self.kind]

    # The course of the game

    def _play(self) -> None:
        rng = self.rng
        colors = rng.sample(FIVE, 5)
        start = rng.randrange(2)
        sure = True
        for self.round in range(6):
            if self.rule == 19 and self.round < 5:
                self.t["color_card"] = colors[self.round]
            if not self.round:
                self._moment(True)
            order = [start, 1 - start]
            turned = self.round > 0 and sure and self._wants("turn") and rng.random() < self.share / 2
            if turned and not self._over():
                order.reverse()
                self.slips.append((self.names[order[0]], ("T5",)))
                self.injected.append("turn")
            powers: dict[int, Any] = {}
            for p in order:
                if self._over():
                    self._turn_cards(colors)
                    return
                powers[p] = self._turn(p, turned and p == order[0])
            sure = None not in powers.values() or self.order in (1, 2)
            high = int((powers[1] or 0) > (powers[0] or 0))
            if self.order == 2:
                start = 1 - start
            elif self.order > 2 and sure:
                start = 1 - start if powers[0] == powers[1] else high if self.order == 3 else 1 - high
        self._turn_cards(colors)

    def _over(self) -> bool:
        return not self.t["seekers_left"] or len(self.t["dungeon"]) < 6

    def _turn_cards(self, colors: list[str]) -> None:
        """At the end the color cards are turned."""
        if self.rule in (14, 15, 16, 17):
            for p, player in enumerate(self.t["players"]):
                player["color_cards"] = colors[2 * p : 2 * p + (1 if self.rule == 15 else 2)]
            self._moment(True, True)

    def _wants(self, slip: str) -> bool:
        return self.share > 0 and (self.only is None or slip in self.only)

    def _moment(self, rests: bool, must: bool = False) -> None:
        self.moments.append(Moment(len(self.moves), rests, self.shown(), must))

    def _may(self, p: int) -> list[Any]:
        """The cards that T6 allows."""
        field = self.t["seekers_left"]
        if self.mode != "advanced":
            return list(dict.fromkeys(field))
        stack = self.t["players"][p]["seekers"]
        found = []
        for card in dict.fromkeys(field):
            n = sum(isinstance(one, str) for one in (*stack, card))
            if n <= 2 <= n + 5 - len(stack):
                found.append(card)
        return found or list(dict.fromkeys(field))

    def _turn(self, p: int, out_of_turn: bool) -> int | None:
        rng = self.rng
        before = deepcopy((self.t, self.out, self.bonuses))
        tries: list[tuple[str | None, Any] | None] = [None]
        if not out_of_turn and rng.random() < self.share:
            cards = self._may(p)
            rng.shuffle(cards)
            tries = [*self._slips_for(cards), None]
        for tried in tries:
            self.t, self.out, self.bonuses = deepcopy(before)
            mark = len(self.moments)
            try:
                move, rules, power = self._one_turn(p, tried)
            except Impossible:
                del self.moments[mark:]
                continue
            break
        if tried is not None and rng.random() < 0.2 and "T5" not in rules and tried[0] not in HALF:
            # it is put right before anybody goes on
            wrong = self.shown()
            del self.moments[mark:]
            self.moments.append(Moment(len(self.moves), True, wrong, True))
            self.slips.append((self.names[p], rules))
            self.injected.append(self._name(tried))
            self.t, self.out, self.bonuses = deepcopy(before)
            mark = len(self.moments)
            may = self._may(p)
            move, rules, power = self._one_turn(p, (None, tried[1] if tried[1] in may else rng.choice(may)))
            tried = None
        self.moves.append({"who": self.names[p], **move})
        for i in range(mark, len(self.moments)):
            self.moments[i] = self.moments[i]._replace(rests=False)
        if tried is not None:
            del self.moments[mark:]  # a slip is seen as it lies
            self.slips.append((self.names[p], rules))
            self.injected.append(self._name(tried))
        self._moment(True, tried is not None or out_of_turn)
        return power

    def _name(self, tried: tuple[str | None, Any]) -> str:
        return f"{tried[1]}: {tried[0]}" if tried[0] in EFFECTS.get(tried[1], ()) else str(tried[0])

    def _slips_for(self, cards: list[Any]) -> list[tuple[str | None, Any]]:
        rng = self.rng
        found: list[tuple[str | None, Any]] = []
        for card in cards:
            some: list[str] = list(EFFECTS.get(card, ()))
            if not isinstance(card, str) or card in ("first-of-kind", "pair", "all-different", "two-kinds"):
                some += [one for one in BASIC_SLIPS if one not in ("turn", "third") and self._bears(one)]
            rng.shuffle(some)
            found += [(one, card) for one in some if self._wants(one)]
        if self.mode == "advanced" and self._wants("third"):
            found += [("third", card) for card in self.t["seekers_left"] if isinstance(card, str)][:1]
        if rng.random() < 0.5:
            rng.shuffle(found)
        return found[:14]

    def _bears(self, slip: str) -> bool:
        """Whether the sheet has what the slip breaks."""
        sheets = {"keep": THROWS, "wrong-throw": THROWS, "swap-more": (18,), "place": PLACES}
        lines = slip not in ("split", "inside", "mixed") or self.kind == "line"
        return lines and self.rule in sheets.get(slip, (self.rule,))

    # One turn

    def _one_turn(  # noqa: PLR0912, PLR0915 -- one thing after the other, as at the table
        self, p: int, tried: tuple[str | None, Any] | None
    ) -> tuple[State, tuple[str, ...], int | None]:
        rng, t = self.rng, self.t
        slip, card = tried or (None, rng.choice(self._may(p)))
        mine = t["players"][p]
        rules: tuple[str, ...] = ("T14",) if slip in EFFECTS.get(card, ()) else BASIC_SLIPS.get(slip or "", ())
        if slip == "third" and card in self._may(p):
            raise Impossible
        cards = [card]
        if slip == "two-cards":
            others = [one for one in t["seekers_left"] if not isinstance(one, str)]
            if card in others:
                others.remove(card)
            if not others or isinstance(card, str):
                raise Impossible
            cards.append(rng.choice(others))
        held = sorted({*self._gems(mine), *(["gold"] if mine["gold"] else [])})
        card_first = rng.random() < 0.5
        if card_first:
            self._take_cards(mine, cards)
            self._moment(False)
        row, n, left = t["dungeon"], TAKE[card], rng.random() < 0.5
        n = ADVANCED[card] if card in ADVANCED and TAKE[card] == ADVANCED[card] else n
        n += {"many": 1, "few": -1}.get(slip or "", 0)
        if slip is None:
            n = min(n, len(row))
        if n < 1 or (slip is not None and len(row) < n + 3):
            raise Impossible
        self._gone_gold = 0
        what, rest = self._take(row, n, left, card, slip)
        t["dungeon"] = rest
        if slip in ("many", "few", "both-ends", "middle", "apart", "one-end", "uneven"):
            self._shows_wrong(row, what, rest, n, card, slip)
        if slip is None and rng.random() < 0.5:
            self._moment(False)
        color = self._color(what)
        came = [gem for gem in what if gem != "gold"] if self.kind == "line" else list(what)
        if rng.random() < 0.5:
            came.reverse()
        if card in ("both-ends-one", "both-ends-two") and slip is None:
            k = len(what) // 2
            pair = [what[:k], what[k:]]
            rng.shuffle(pair)
            came = [gem for part in pair for gem in part]
            if self.kind == "line":
                came = [gem for gem in came if gem != "gold"]
        fields: State = {}
        if card in ("five-return-two", "five-return-one"):
            came = self._returned(p, card, slip, what, came, left, fields)
        if card == "five-give-one" and slip != "none":
            came = self._give_new(p, slip, what, came, fields)
        self._lay(p, came, color, slip, what)
        if slip is None and card in LATER_EFFECTS and rng.random() < 0.4:
            self._moment(False)
        effect = {
            "steal-one": self._steal, "steal-same": self._steal, "three-return-two": self._return_old,
            "swap-one": self._swap, "give-one": self._give, "five-give-most": self._give,
        }.get(card)  # fmt: skip
        if effect is not None:
            effect(p, card, slip, what, color, left, fields)
        if slip == "theirs":
            self._move_theirs(p)
        if slip == "older":
            self._move_older(p, what)
        if card in ("first-of-kind", "pair", "all-different", "two-kinds", "four-kinds") and n == ADVANCED[card]:
            entry: State = {"seeker": card, "gems": list(what)}
            self.bonuses[p].append({**entry, "held": held} if card == "first-of-kind" else entry)
        if self.rule in THROWS:
            self._throw(p, slip)
        if self.rule == 18:
            self._swaps(p, ADVANCED.get(card, card), slip)
        if not card_first:
            if slip is None:
                self._moment(False)
            self._take_cards(mine, cards)
        named = cards if len(cards) > 1 else card
        power = ADVANCED.get(card, card) if len(cards) == 1 else None
        return {"move": "take", "seeker": named, "what": list(what)}, rules, power

    def _take_cards(self, mine: State, cards: list[Any]) -> None:
        for card in cards:
            self.t["seekers_left"].remove(card)
            mine["seekers"].append(card)

    def _take(self, row: list[str], n: int, left: bool, card: Any, slip: str | None) -> tuple[list[str], list[str]]:  # noqa: PLR0911 -- a way each
        rng = self.rng
        if slip == "one-end":
            return (row[:2], row[2:]) if left else (row[-2:], row[:-2])
        if slip in ("uneven", "both-ends"):
            if n < 2:
                raise Impossible
            k = rng.choice((1, 3)) if slip == "uneven" else rng.randint(1, n - 1)
            return row[:k] + row[len(row) - n + k :], row[k : len(row) - n + k]
        if card in ("both-ends-one", "both-ends-two"):
            k = n // 2
            return row[:k] + row[-k:], row[k:-k]
        if slip == "apart":
            i = rng.randrange(len(row) - 3)
            j = rng.randrange(i + 2, len(row))
            return [row[i], row[j]], [gem for at, gem in enumerate(row) if at not in (i, j)]
        if card == "anywhere":
            i = rng.randrange(len(row) - 1)
            return row[i : i + 2], row[:i] + row[i + 2 :]
        if slip == "middle":
            if len(row) < n + 4:
                raise Impossible
            i = rng.randint(2, len(row) - n - 2)
            return row[i : i + n], row[:i] + row[i + n :]
        return (row[:n], row[n:]) if left else (row[-n:], row[:-n])

    def _shows_wrong(self, row: list[str], what: list[str], rest: list[str], n: int, card: Any, slip: str) -> None:
        """The row that is left shows that they were not taken rightly."""
        lawful = [row[n:], row[:-n]]
        if card == "both-ends-two":
            lawful = [row[2:-2]]
        elif card == "both-ends-one":
            lawful = [row[1:-1]]
        elif card == "anywhere":
            lawful = [row[:i] + row[i + 2 :] for i in range(len(row) - 1)]
        if slip not in ("many", "few") and rest in lawful:
            raise Impossible

    def _color(self, what: list[str]) -> str | None:
        if self.kind != "valid":
            return None
        if self.rule == 19 and self.round < 5:
            return str(self.t["color_card"])
        return self.rng.choice([gem for gem in what if gem in FIVE] or FIVE)

    def _lay(  # noqa: PLR0912 -- a way each
        self, p: int, came: list[str], color: str | None, slip: str | None, what: list[str]
    ) -> None:
        rng, mine = self.rng, self.t["players"][p]
        mine["gold"] += came.count("gold") if self.kind != "line" else 0
        gems = [gem for gem in came if gem != "gold"]
        if self.kind == "line":
            mine["gold"] += what.count("gold") - self._gone_gold
            old: list[str] = mine["line"]
            if slip in ("split", "inside", "mixed") and (len(old) < 3 or self.rule == 18):
                raise Impossible
            if slip == "split":
                line = gems[:1] + old + gems[1:]
                if len(gems) < 2:
                    raise Impossible
            elif slip == "inside":
                i = rng.randint(1, len(old) - 1)
                line = old[:i] + gems + old[i:]
            elif slip == "mixed":
                mixed = gems.copy()
                rng.shuffle(mixed)
                line = old + mixed
            else:
                line = gems + old if rng.random() < 0.5 else old + gems
            lawful = [side for one in (gems, gems[::-1]) for side in (one + old, old + one)]
            if slip in ("split", "inside", "mixed") and line in lawful:
                raise Impossible
            mine["line"] = line
        elif self.kind == "gems":
            mine["gems"] += gems
        else:
            wrong = None
            if slip == "place":
                some = [gem for gem in gems if gem in FIVE and gem != color]
                if not some or color not in gems:
                    raise Impossible
                wrong = rng.choice(some)
            for gem in gems:
                good = gem in ("rainbow", color)
                if gem == wrong:
                    good, wrong = True, None
                mine["valid" if good else "invalid"].append(gem)
        if slip in ("split", "inside", "mixed") and self.kind != "line":
            raise Impossible
        if slip == "place" and self.kind != "valid":
            raise Impossible

    _gone_gold = 0
    """Gold of the take that does not stay with the mover."""

    def _gems(self, player: State) -> list[str]:
        return [gem for zone in self._zone_names() for gem in player[zone]]

    def _places(self, player: State) -> list[tuple[str, int]]:
        return [(zone, i) for zone in self._zone_names() for i in range(len(player[zone]))]

    def _give_to(self, player: State, gem: str, valid: bool = False) -> None:
        if gem == "gold":
            player["gold"] += 1
        elif self.kind == "line":
            player["line"].insert(self.rng.choice((0, len(player["line"]))), gem)
        elif self.kind == "gems":
            player["gems"].append(gem)
        else:
            player["valid" if valid else "invalid"].append(gem)

    def _back(self, gems: list[str], left: bool) -> None:
        gems = gems.copy()
        self.rng.shuffle(gems)
        row = self.t["dungeon"]
        self.t["dungeon"] = gems + row if left else row + gems

    def _without(self, p: int, zone: str, i: int) -> str:
        return str(self.t["players"][p][zone].pop(i))

    # The seekers' effects

    def _returned(
        self, p: int, card: str, slip: str | None, what: list[str], came: list[str], left: bool, fields: State
    ) -> list[str]:
        rng = self.rng
        n = {"none": 0, "one": 1, "two": 2}.get(slip or "", 2 if card == "five-return-two" else 1)
        back = rng.sample(range(5), n)
        gems = [what[i] for i in back]
        kept = [gem for i, gem in enumerate(what) if i not in back]
        self._gone_gold = gems.count("gold")
        if slip == "old":
            mine = self.t["players"][p]
            old = [(zone, i) for zone, i in self._places(mine) if mine[zone][i] not in what]
            if not old:
                raise Impossible
            zone, i = rng.choice(old)
            gem = self._without(p, zone, i)
            kept = [one for i, one in enumerate(what) if i not in back[1:]]
            gems = [gem, *[what[i] for i in back[1:]]]
            self._gone_gold = [what[i] for i in back[1:]].count("gold")
        if slip == "end":
            row = self.t["dungeon"]
            if row[: len(gems)] == gems or row[-1] in gems or row[0] in gems:
                raise Impossible
        before = [*what, *self.t["dungeon"]] if left else [*self.t["dungeon"], *what]
        self._back(gems, left != (slip == "end"))
        if slip in ("one", "two") and self.t["dungeon"] in (before[5 - n :], before[: n - 5]):
            raise Impossible  # it looks as if fewer had been taken
        if rng.random() < 0.5:
            kept.reverse()
        if self.kind == "line":
            return [gem for gem in kept if gem != "gold"]
        self._gone_gold = 0
        return kept

    def _give_new(self, p: int, slip: str | None, what: list[str], came: list[str], fields: State) -> list[str]:
        rng = self.rng
        mine, theirs = self.t["players"][p], self.t["players"][1 - p]
        if slip == "old":
            old = [(zone, i) for zone, i in self._places(mine) if mine[zone][i] not in what]
            if not old:
                raise Impossible
            self._give_to(theirs, self._without(p, *rng.choice(old)))
            return came
        gem = rng.choice([one for one in what if slip != "valid" or one in FIVE])
        if slip == "valid" and self.kind != "valid":
            raise Impossible
        self._give_to(theirs, gem, slip == "valid")
        kept = list(what)
        kept.remove(gem)
        if what.count(gem) > 1 and self.kind == "line":
            kept = list(what)
            at = rng.choice([i for i, one in enumerate(what) if one == gem])
            kept.pop(at)
        self._gone_gold = int(gem == "gold") if self.kind == "line" else 0
        if rng.random() < 0.5:
            kept.reverse()
        return [one for one in kept if one != "gold"] if self.kind == "line" else kept

    def _steal(self, p: int, card: str, slip: str | None, what: list[str], color: Any, left: bool, f: State) -> None:
        rng = self.rng
        mine, theirs = self.t["players"][p], self.t["players"][1 - p]
        can = [
            (zone, i)
            for zone, i in self._places(theirs)
            if theirs[zone][i] in FIVE and (card == "steal-one" or theirs[zone][i] in what)
        ]
        if slip == "barred":
            can = [(zone, i) for zone, i in self._places(theirs) if theirs[zone][i] == "rainbow"]
            if not can and not theirs["gold"]:
                raise Impossible
            if not can:
                theirs["gold"] -= 1
                mine["gold"] += 1
                return
        elif slip == "other":
            can = [(z, i) for z, i in self._places(theirs) if theirs[z][i] in FIVE and theirs[z][i] not in what]
        if slip == "none" and can:
            return
        if not can:
            if slip is not None:
                raise Impossible
            return
        for _ in range(2 if slip == "two" else 1):
            zone, i = rng.choice(can)
            if i >= len(theirs[zone]):
                raise Impossible
            gem = self._without(1 - p, zone, i)
            self._give_to(mine, gem, gem in (color, "rainbow"))

    def _return_old(
        self, p: int, card: str, slip: str | None, what: list[str], color: Any, left: bool, f: State
    ) -> None:
        rng, mine = self.rng, self.t["players"][p]
        n = {"none": 0, "one": 1, "three": 3}.get(slip or "", 2)
        gems = []
        for _ in range(n):
            own = [*self._places(mine), *[("gold", i) for i in range(mine["gold"])]]
            zone, i = rng.choice(own)
            if zone == "gold":
                mine["gold"] -= 1
                gems.append("gold")
            else:
                gems.append(self._without(p, zone, i))
        row = self.t["dungeon"]
        if slip == "end" and (row[0] in gems or row[-1] in gems):
            raise Impossible
        if slip in ("one", "three") and len(set(gems)) < len(gems):
            raise Impossible
        self._back(gems, left != (slip == "end"))

    def _swap(self, p: int, card: str, slip: str | None, what: list[str], color: Any, left: bool, f: State) -> None:
        rng, mine, row = self.rng, self.t["players"][p], self.t["dungeon"]
        own = self._places(mine)
        want = ("gold", "rainbow") if slip == "barred" else FIVE
        places = [i for i, gem in enumerate(row) if gem in want]
        if not own or not places:
            if slip is not None:
                raise Impossible
            return
        if slip == "none":
            if {mine[zone][i] for zone, i in own} & {row[i] for i in places}:
                raise Impossible  # two of a color may have been swapped
            return
        zone, i = rng.choice(own)
        at = rng.choice(places)
        gem, new = mine[zone][i], row[at]
        if slip == "barred" and gem in ("gold", "rainbow"):
            raise Impossible
        row[at] = gem
        if slip == "end-place":
            if self.kind != "line" or gem == new or i in (0, len(mine["line"]) - 1) or len(mine["line"]) < 5:
                raise Impossible
            mine["line"].pop(i)
            mine["line"].append(new)
        elif new == "gold":
            mine[zone].pop(i)
            mine["gold"] += 1
        else:
            mine[zone][i] = new

    def _give(self, p: int, card: str, slip: str | None, what: list[str], color: Any, left: bool, f: State) -> None:
        rng = self.rng
        mine, theirs = self.t["players"][p], self.t["players"][1 - p]
        own = self._places(mine)
        if card == "five-give-most":
            counts = Counter(gem for gem in self._gems(mine) if gem in FIVE)
            top = max(counts.values(), default=0)
            own = [(z, i) for z, i in own if (counts[mine[z][i]] == top) != (slip == "other")]
            if slip == "other":
                own = [(z, i) for z, i in own if mine[z][i] in FIVE]
        if slip == "none" or not own:
            if not own and slip is not None:
                raise Impossible
            return
        if (slip == "valid" and self.kind != "valid") or (slip == "two" and len(self._places(mine)) == 1):
            raise Impossible
        for _ in range(2 if slip == "two" else 1):
            zone, i = rng.choice(own if slip != "two" else self._places(mine))
            gem = mine[zone][i]
            if slip == "valid" and gem not in FIVE:
                raise Impossible
            self._give_to(theirs, self._without(p, zone, i), slip == "valid")

    def _move_theirs(self, p: int) -> None:
        """A gem of the opponent's comes to the mover though no seeker says so."""
        mine, theirs = self.t["players"][p], self.t["players"][1 - p]
        some = self._places(theirs)
        if not some or self.rule in THROWS:
            raise Impossible
        gem = self._without(1 - p, *self.rng.choice(some))
        self._give_to(mine, gem)

    def _move_older(self, p: int, what: list[str]) -> None:
        """A gem that lay there before lies elsewhere now."""
        mine = self.t["players"][p]
        if self.kind == "valid":
            old = [i for i, gem in enumerate(mine["valid"]) if gem not in what and gem in FIVE]
            if not old:
                raise Impossible
            mine["invalid"].append(mine["valid"].pop(self.rng.choice(old)))
            return
        line = mine.get("line", [])
        n = len([gem for gem in what if gem != "gold"])
        if self.kind != "line" or self.rule == 18 or len(line) < n + 5 or not n:
            raise Impossible
        at_left = line[:n] in ([g for g in what if g != "gold"], [g for g in what if g != "gold"][::-1])
        old = line[n:] if at_left else line[:-n]
        i = self.rng.randint(1, len(old) - 2)
        if old[i] in (old[i - 1], old[i + 1]):
            raise Impossible
        j = 0 if i > 1 else len(old) - 1
        old[i], old[j] = old[j], old[i]
        if line == (line[:n] + old if at_left else old + line[-n:]):
            raise Impossible
        mine["line"] = line[:n] + old if at_left else old + line[-n:]

    def _throw(self, p: int, slip: str | None) -> None:
        mine = self.t["players"][p]
        counts = Counter(gem for gem in mine["gems"] if gem in FIVE)
        least = min(counts.values(), default=0)
        some = [gem for gem in counts if (counts[gem] == least) != (slip == "wrong-throw")]
        if slip == "keep":
            if not counts:
                raise Impossible
            return
        if not some:
            if slip == "wrong-throw":
                raise Impossible
            return
        if slip is None and self.rng.random() < 0.5:
            self._moment(False)
        gem = self.rng.choice(some)
        mine["gems"].remove(gem)
        self.out.append(gem)

    def _swaps(self, p: int, power: int, slip: str | None) -> None:
        line = self.t["players"][p]["line"]
        most = {1: 2, 2: 1, 3: 1}.get(power, 0)
        n = self.rng.randint(0, most)
        if slip == "swap-more":
            if most > 1 or len(line) < 8:
                raise Impossible
            n = most + 1
        if len(line) < 4:
            return
        spots = self.rng.sample(range(0, len(line) - 1, 3), min(n, len(range(0, len(line) - 1, 3))))
        for i in spots:
            if slip == "swap-more" and line[i] == line[i + 1]:
                raise Impossible
            line[i], line[i + 1] = line[i + 1], line[i]

    # What is seen

    def shown(self) -> State:
        """The table as a state."""
        state = deepcopy(self.t)
        for player in state["players"]:
            for zone in ("gems", "valid", "invalid"):
                if zone in player:
                    player[zone] = dict(Counter(player[zone]))
        if self.rule in THROWS and self.throws_seen:
            state["thrown"] = dict(Counter(self.out))
        return state

    @property
    def throws_seen(self) -> bool:
        """Whether the gems out of the game lie in sight, all evening."""
        return self.order % 2 == 0

    def final(self) -> State:
        """The last table, with what no look shows."""
        state = self.shown()
        for player, bonuses in zip(state["players"], self.bonuses, strict=True):
            if bonuses:
                player["bonuses"] = bonuses
        return state

    def header(self) -> State:
        return {"game": "twelve-seekers", "rule": self.rule, "players": self.names, "mode": self.mode}

    def pieces(self, state: State) -> list[tuple[str, Any]]:
        found = [(f"/dungeon/{i}", gem) for i, gem in enumerate(state.get("dungeon", ()))]
        for p, player in enumerate(state["players"]):
            found += [(f"/players/{p}/line/{i}", gem) for i, gem in enumerate(player.get("line", ()))]
            for zone in ("gems", "valid", "invalid"):
                found += [(f"/players/{p}/{zone}/{gem}", gem) for gem, n in player.get(zone, {}).items() if n]
        return [one for one in found if one[1] != "rainbow"]

    def misread(self, state: State, at: str, true: Any) -> tuple[str, Any] | None:
        read = self.rng.choice([gem for gem in (*FIVE, "gold") if gem != true])
        parts = at.split("/")[1:]
        if parts[0] == "dungeon":
            state["dungeon"][int(parts[1])] = read
            return at, read
        player = state["players"][int(parts[1])]
        here = f"/players/{parts[1]}"
        if parts[2] == "line":
            if read == "gold":
                read = "red" if true != "red" else "blue"
            player["line"][int(parts[3])] = read
            return at, read
        zone = player[parts[2]]
        zone[true] -= 1
        if not zone[true]:
            del zone[true]
        if read == "gold":
            player["gold"] += 1
            return f"{here}/gold", read
        zone[read] = zone.get(read, 0) + 1
        return f"{here}/{parts[2]}/{read}", read

    def hide(self, state: State) -> None:
        if self.rng.random() < 0.5:
            del state["dungeon"]
        else:
            player = self.rng.choice(state["players"])
            for key in [key for key in player if key != "name"]:
                del player[key]

    def clear(self, state: State) -> list[Callable[[State], None]]:
        def empty(place: Callable[[State], State], key: str) -> Callable[[State], None]:
            def step(now: State) -> None:
                here = place(now)
                here[key] = type(here[key])() if not isinstance(here[key], int) else 0

            return step

        def half(p: int, key: str) -> Callable[[State], None]:
            def step(now: State) -> None:
                things = now["players"][p][key]
                now["players"][p][key] = things[: len(things) // 2] if isinstance(things, list) else {}

            return step

        steps = [empty(lambda now: now, "dungeon"), empty(lambda now: now, "seekers_left")]
        if "thrown" in state:
            steps.append(empty(lambda now: now, "thrown"))
        for p, player in enumerate(state["players"]):
            for key in (*self._zone_names(), "gold", "seekers", "color_cards"):
                if key in player:
                    steps.append(empty(lambda now, p=p: now["players"][p], key))  # type: ignore[misc]
            steps.append(half(p, self._zone_names()[0]))
        return steps


def one_effect(rng: Random, rule: int, card: str, slip: str | None) -> Seekers | None:
    """Lawful turns, among them one with an advanced seeker, done rightly or wrongly; None where that cannot be done."""
    game = Seekers.__new__(Seekers)
    Game.__init__(game, rng)
    game.rule, game.mode, game.share, game.only, game.round = rule, "advanced", 0.0, None, 3
    game.kind = "line" if rule in LINES else "valid" if rule in PLACES else "gems"
    game.names, game.order, game.out, game.bonuses = ["Mio", "Ken"], 1, [], [[], []]
    row = [gem for gem in FIVE for _ in range(7)] + ["rainbow"] + ["gold"] * 3
    rng.shuffle(row)
    players = [{"name": name, **game._zones(), "gold": 0, "seekers": []} for name in game.names]
    left = [1, 2, 2, 3, 3, 4, 4, 5, 5, card, "pair", "two-kinds"]
    game.t = {
        "game": "twelve-seekers",
        "rule": rule,
        "order_cards": [1],
        "dungeon": row,
        "seekers_left": left,
        "players": players,
    }
    game._moment(True)
    for turn, (n, wrong) in enumerate([(4, None), (4, None), (5, None), (5, None), (card, slip), (2, None), (3, None)]):
        mark = len(game.moments)
        try:
            move, rules, _ = game._one_turn(turn % 2, (wrong, n))
        except Impossible:
            return None
        del game.moments[mark:]
        game.moves.append({"who": game.names[turn % 2], **move})
        if wrong is not None:
            game.slips.append((game.names[turn % 2], rules))
        game._moment(True)
    return game
