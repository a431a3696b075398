"""A drawn game of Splendor under a camera: cards by their faces, tokens and nobles, hands, nothing printed.

Lengths are millimetres on the table, (0, 0) its far left corner.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from calibration.decks import Laid, Order, enroll_deck
from companion.games.splendor import GAME
from training.synth.cards import DENSE, Color, face, grid, jewel_card
from training.synth.demo_film import FIRST, REST, DrawnGame, Moment, Play, hand_way
from training.synth.games.splendor import COLORS, TOKENS, priced
from training.synth.games.splendor import Game as PlayedGame
from training.synth.moving_hand import Look
from training.synth.table_photo import DRAWN, Area, DrawnTable, Placed, Setting
from vision.cards.deck import Deck
from vision.table.profile import TableProfile, Zone

CARD, NOBLE, TOKEN = (63.0, 88.0), (59.0, 59.0), 40.0
BGR: dict[str, Color] = {
    "white": (235, 235, 235), "blue": (170, 80, 30), "green": (70, 130, 30), "red": (40, 40, 190),
    "black": (45, 40, 40), "gold": (50, 190, 235),
}  # fmt: skip
PIXELS = (1920, 1080)
FAN = 31.0
"""Of a card in a column so much is in sight below the one that lies on it: 35 %."""
DECK_PHOTO = (5, 4)
"""Cards across and down in each photo by which the deck is learnt."""
HANDS = {
    "A": Look(), "B": Look(skin=(70, 96, 140), sleeve=None, left=True), "C": Look(sleeve=(60, 60, 150)),
    "D": Look(skin=(90, 120, 170), sleeve=(200, 200, 200), left=True),
}  # fmt: skip


@dataclass(frozen=True)
class Seat:
    """A player's area, where the player sits, and whether its cards lie upside down for the camera."""

    area: Area
    elbow: tuple[float, float]
    far: bool = False


@dataclass(frozen=True)
class Room:
    """Where everything lies: the table's size, its seats, where the market begins."""

    size: tuple[float, float]
    seats: Mapping[str, Seat]
    market: tuple[float, float]
    slant: float
    top: str


def room(players: int, seed: int) -> Room:
    """A table for two, who sit side by side, or for four, two on each side."""
    top = ("wood", "felt", "cloth", "mat")[seed % 4]
    near = {2: 330.0, 4: 620.0}[players]
    seats = {
        "A": Seat(Area(20, near, 525, 290), (280, near + 650)),
        "B": Seat(Area(575, near, 525, 290), (840, near + 650)),
    }
    if players == 2:
        return Room((1120.0, 630.0), seats, (300, 22), 0.2, top)
    seats = {
        "A": Seat(Area(230, near, 525, 290), (490, near + 650)),
        "B": Seat(Area(785, near, 525, 290), (1050, near + 650)),
    }
    far = {
        "C": Seat(Area(785, 10, 525, 290), (1050, -360), True),
        "D": Seat(Area(230, 10, 525, 290), (490, -360), True),
    }
    return Room((1600.0, 920.0), seats | far, (540, 315), 0.12, top)


class Played(PlayedGame):
    """A game that plays itself with the cards of one drawn box."""

    def _nobles(self) -> list[dict[str, int]]:
        return [dict(card["needs"]) for card in GAME.deck if card["kind"] == "noble"]

    def _deck(self, level: int) -> list[dict[str, Any]]:
        mine = [card for card in box() if card["level"] == level]
        self.rng.shuffle(mine)
        return mine


def box() -> list[dict[str, Any]]:
    """The development cards of the game's own list, each with an id and a price, the same for every game."""
    rng = Random(7)
    out: list[dict[str, Any]] = []
    used: set[tuple[Any, ...]] = set()
    for i, card in enumerate(GAME.deck):
        if card["kind"] != "development":
            continue
        level = card["level"]
        while True:
            colors = sorted(rng.sample(COLORS, rng.randint(1 + (level == 3), 4)), key=COLORS.index)
            price = priced(rng, level, colors)
            key = (level, card["points"], card["bonus"], *price.items())
            if key not in used:
                break
        used.add(key)
        out.append({"id": str(i), "level": level, "price": price, "points": card["points"], "bonus": card["bonus"]})
    return out


def faces() -> dict[str, np.ndarray]:
    """Every card's face by its id: cards of a level and color share one of two pictures; nobles by what they need."""
    out: dict[str, np.ndarray] = {}
    for card in box():
        picture = 100 * card["level"] + 10 * COLORS.index(card["bonus"]) + int(card["id"]) % 2
        price = [(BGR[color], n) for color, n in card["price"].items()]
        out[card["id"]] = jewel_card(picture, card["points"], BGR[card["bonus"]], price, CARD)
    for i, one in enumerate(GAME.deck):
        if one["kind"] == "noble":
            out[str(i)] = jewel_card(900 + i, 3, (200, 60, 200), [(BGR[c], n) for c, n in one["needs"].items()], NOBLE)
    for level in (1, 2, 3):
        out[f"back-{level}"] = face(990 + level, size_mm=CARD)
    return out


def learnt(path: Path) -> Deck:
    """The deck, learnt from drawn photos and kept at a path."""
    if not path.is_file():
        known = faces()
        entries = [{"id": name, **({"back": True} if "back" in name else GAME.deck[int(name)])} for name in known]
        groups = []
        for size in (CARD, NOBLE):
            mine = [one for one in entries if (one.get("kind") == "noble") == (size is NOBLE)]
            mine = [{**one, "size_mm": list(size)} for one in mine]
            each = DECK_PHOTO[0] * DECK_PHOTO[1]
            groups += [mine[i : i + each] for i in range(0, len(mine), each)]
        cols = DECK_PHOTO[0]
        laid = tuple(Laid(f"{i}.jpg", -(-len(g) // cols), cols, tuple(g)) for i, g in enumerate(groups))
        photos = [grid([known[one["id"]] for one in group], cols) for group in groups]
        enroll_deck(photos, Order("drawn", CARD, laid)).save(path)
    return Deck.load(path)


@dataclass
class Lying:
    """What lies where: market slots (level, column), each side's cards, nobles and tokens, the middle."""

    market: dict[tuple[int, int], dict[str, Any] | None]
    table: dict[str, Any]
    decks: set[int] = field(default_factory=set)


class SplendorFilm(DrawnGame):
    """A game as a film; `turn` and `truth` say what its last frame shows."""

    name = "splendor"

    def __init__(self, seed: int, players: int = 2, turns: int = 30, late: bool = True, noise: float = 3.0) -> None:
        """`late`: the last turns of the game are filmed, not the first."""
        super().__init__(play=Play(fps=5, hands=HANDS), noise=noise)
        self.seed, self.room = seed, room(players, seed)
        self.players = list(self.room.seats)
        self.size, self.elbows = self.room.size, {name: seat.elbow for name, seat in self.room.seats.items()}
        game = Played(Random(seed), players)
        rests = [table for _, rest, _, table in game.steps if rest]
        self.rests = rests[-turns - 1 :] if late else rests[: turns + 1]
        self.ends: dict[int, int] = {}
        """The frame at which each state has rested."""

    def profile(self, deck: Path) -> TableProfile:
        """The table as people tell of it: areas drawn roughly on the picture."""
        rng = np.random.default_rng(self.seed)
        zones = {}
        to = self.laid().to_photo
        for name, seat in self.room.seats.items():
            a = seat.area
            corners = np.array([a.x, a.y], np.float64) + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (
                a.width,
                a.height,
            )
            if seat.far:
                corners = np.roll(corners, 2, 0)
            drawn = cv2.perspectiveTransform(corners.reshape(1, -1, 2), to)[0] + rng.normal(0, 5, (4, 2))
            zones[name] = Zone(polygon=tuple((float(x), float(y)) for x, y in drawn))
        return TableProfile("drawn", "splendor", zones=zones, decks=(str(deck),))

    def laid(self) -> DrawnTable:
        """The bare table."""
        setting = Setting({}, self.size, marker=0.0, top=self.room.top, slant=self.room.slant, seed=20 + self.seed)
        return _Stacked(setting, pixels=PIXELS)

    def script(self) -> tuple[Sequence[Any], list[Moment]]:
        """All tables, and what each frame shows."""
        pictures = {name: _shrunk(picture) for name, picture in faces().items()}
        lying = Lying({(level, i): None for level in (1, 2, 3) for i in range(4)}, deepcopy(self.rests[0]))
        for card in self.rests[0]["market"]:
            lying.market[next(k for k, v in lying.market.items() if k[0] == card["level"] and v is None)] = card
        tables = [_Drawn(self.room, self.players, deepcopy(lying), pictures)]
        moments = [Moment(0)] * round(FIRST * self.play.fps)
        self.ends[len(moments) - 1] = 0
        for n, after in enumerate(self.rests[1:], 1):
            player, stops = self._stops(lying, after)
            if player is not None:
                x, y = self.elbows[player]
                away = (x, self.size[1] + 140.0) if y > 0 else (x, -140.0)
                for who, tips, speed, then in hand_way(player, away, [*stops, (away, lying)], self.play):
                    if isinstance(then, Lying) and then is not lying:
                        lying = then
                        tables.append(_Drawn(self.room, self.players, deepcopy(lying), pictures))
                    moments.append(Moment(len(tables) - 1, who, tips, speed))
            moments += [Moment(len(tables) - 1)] * round(REST * self.play.fps)
            self.ends[len(moments) - 1] = n
        return tables, moments

    def _stops(
        self, before: Lying, after: dict[str, Any]
    ) -> tuple[str | None, list[tuple[tuple[float, float], Lying]]]:
        """A hand's way through one turn: where it stops, and what lies there once it has been."""
        p = next((i for i, side in enumerate(after["sides"]) if side != before.table["sides"][i]), None)
        if p is None:
            return None, []
        name, now = self.players[p], deepcopy(before)
        mine = now.table["sides"][p]
        stops: list[tuple[tuple[float, float], Lying]] = []

        def stop(at: tuple[float, float]) -> None:
            stops.append((at, deepcopy(now)))

        gone = [k for k, v in now.market.items() if v is not None and v not in after["market"]]
        for key in gone:
            now.market[key] = None
            stop(_slot(self.room, *key))
        bought = after["sides"][p]["cards"][len(mine["cards"]) :]
        for card in bought:
            mine["cards"].append(card)
            stop(_card_at(self.room.seats[name], mine["cards"], len(mine["cards"]) - 1)[:2])
        if mine["tokens"] != after["sides"][p]["tokens"]:
            paid = sum(mine["tokens"].values()) > sum(after["sides"][p]["tokens"].values())
            places = [_tokens_at(self.room.seats[name], 0), _supply_at(self.room, 2)]
            first, second = places if paid else places[::-1]
            mine["tokens"] = {c: min(n, after["sides"][p]["tokens"][c]) for c, n in mine["tokens"].items()}
            now.table["supply"] = {c: min(n, after["supply"][c]) for c, n in now.table["supply"].items()}
            stop(first)
            mine["tokens"], now.table["supply"] = after["sides"][p]["tokens"], after["supply"]
            stop(second)
        mine["kept"] = after["sides"][p]["kept"]
        new = [card for card in after["market"] if card not in now.market.values()]
        for card in new:
            key = next(k for k, v in now.market.items() if k[0] == card["level"] and v is None)
            stop(_slot(self.room, key[0], -1))
            now.market[key] = card
            stop(_slot(self.room, *key))
        if after["sides"][p]["nobles"] != mine["nobles"]:
            now.table["nobles"] = after["nobles"]
            stop((self.room.market[0] - 160, self.room.market[1] + 100))
            mine["nobles"] = after["sides"][p]["nobles"]
            stop(_noble_at(self.room.seats[name], len(mine["nobles"]) - 1)[:2])
        now.table = deepcopy(after)
        if stops:
            stops[-1] = (stops[-1][0], deepcopy(now))
        return name, stops

    def truth(self, n: int) -> dict[str, tuple[int, Counter[tuple[Any, ...]]]]:
        """Each player's points and cards after a turn."""
        out = {}
        for name, side in zip(self.players, self.rests[n]["sides"], strict=True):
            points = sum(card["points"] for card in side["cards"]) + 3 * len(side["nobles"])
            out[name] = points, held(side)
        return out


def held(side: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """A player's cards, by points and bonus, and nobles."""
    nobles = Counter(tuple(sorted(noble.items())) for noble in side.get("nobles", ()))
    return Counter((card["points"], card["bonus"]) for card in side["cards"]) + nobles


class _Stacked(DrawnTable):
    """A table on which what comes later lies on top."""

    @staticmethod
    def in_order(placed: Sequence[Placed]) -> Sequence[Placed]:
        return placed


@dataclass(frozen=True)
class _Drawn:
    """A table as DrawnGame draws it."""

    room: Room
    players: Sequence[str]
    lying: Lying
    pictures: dict[str, np.ndarray]

    def placed(self) -> list[Placed]:
        """Everything on the table, from below to the top."""
        return [_strayed(i, one) for i, one in enumerate(self._all())]

    def _all(self) -> Iterator[Placed]:
        table = self.lying.table
        for level in (1, 2, 3):
            if level in table["decks"]:
                yield Placed(self.pictures[f"back-{level}"], *_slot(self.room, level, -1))
        for key, card in self.lying.market.items():
            if card is not None:
                yield Placed(self.pictures[card["id"]], *_slot(self.room, *key))
        for i, noble in enumerate(table["nobles"]):
            x, y = self.room.market[0] - 230 + 70 * (i % 2), self.room.market[1] + 40 + 72 * (i // 2)
            yield Placed(self.pictures[_noble(noble)], x, y)
        for i, color in enumerate(TOKENS):
            if table["supply"][color]:
                yield Placed(_token(color), *_supply_at(self.room, i))
        for name, side in zip(self.players, table["sides"], strict=True):
            seat = self.room.seats[name]
            for i in range(len(side["cards"])):
                yield Placed(self.pictures[side["cards"][i]["id"]], *_card_at(seat, side["cards"], i))
            for i, noble in enumerate(side["nobles"]):
                yield Placed(self.pictures[_noble(noble)], *_noble_at(seat, i))
            k = 0
            for color in TOKENS:
                for _ in range(side["tokens"][color]):
                    yield Placed(_token(color), *_tokens_at(seat, k))
                    k += 1


def _strayed(i: int, one: Placed) -> Placed:
    """People are no machines; a thing that stays where it lay has strayed as before."""
    what = one.what
    assert isinstance(what, np.ndarray)
    rng = np.random.default_rng([int(what[::7, ::7].sum()) % 100_003, round(one.x), round(one.y)])
    dx, dy, turn = rng.normal(0, 1, 3)
    return Placed(what, one.x + 1.2 * dx, one.y + 1.2 * dy, one.turn + 1.5 * turn)


def _noble(needs: dict[str, int]) -> str:
    return next(str(i) for i, card in enumerate(GAME.deck) if card.get("needs") == needs)


def _slot(room_: Room, level: int, column: int) -> tuple[float, float]:
    return room_.market[0] + 35 + 70 * (column + 1), room_.market[1] + 44 + 94 * (3 - level)


def _supply_at(room_: Room, i: int) -> tuple[float, float]:
    return room_.market[0] + 420 + 48 * (i % 2), room_.market[1] + 50 + 60 * (i // 2)


def _in_seat(seat: Seat, x: float, y: float) -> tuple[float, float, float]:
    a = seat.area
    if seat.far:
        return a.x + a.width - x, a.y + a.height - y, 180.0
    return a.x + x, a.y + y, 0.0


def _card_at(seat: Seat, cards: Sequence[dict[str, Any]], i: int) -> tuple[float, float, float]:
    color = cards[i]["bonus"]
    k = sum(card["bonus"] == color for card in cards[:i])
    return _in_seat(seat, 38 + 66 * COLORS.index(color), 50 + FAN * min(k, 6) + 4 * max(0, k - 6))


def _noble_at(seat: Seat, i: int) -> tuple[float, float, float]:
    return _in_seat(seat, 375 + 64 * (i % 2), 40 + 64 * (i // 2))


def _tokens_at(seat: Seat, k: int) -> tuple[float, float]:
    x, y, _ = _in_seat(seat, 372 + 43 * (k % 4), 175 + 43 * (k // 4))
    return x, y


def _token(color: str) -> np.ndarray:
    n = round(2 * TOKEN * DRAWN)
    out = np.zeros((n, n, 4), np.float32)
    bgr = np.array(BGR[color])
    for part, tone in ((0.5, bgr * 0.75), (0.42, bgr), (0.2, bgr * 0.6 + 90)):
        cv2.circle(out, (n // 2, n // 2), round(part * n / 2), (*(tone / 255).tolist(), 1.0), -1, cv2.LINE_AA)
    return out


def _shrunk(picture: np.ndarray) -> np.ndarray:
    small = cv2.resize(picture, None, fx=DRAWN / DENSE, fy=DRAWN / DENSE, interpolation=cv2.INTER_AREA)
    return small.astype(np.float32) / 255
