"""A player's points in hands of Splendor as they lie on the table: the whole way that a user's photo goes.

    python -m bench.card_hands [--seed 7] [--decks 13] [--set] [--list] [--keep FOLDER]

Whole boxes by the game's own list are drawn in unlike styles from a seed that is new each time unless one is said. Each
is learnt from photos, kept, and read in four photos of 1920 × 1080 pixels with eight hands: of one player (twice), of
two, of four. A hand is 16 cards in columns of one color, of which 29 mm of each card are in sight below the next one,
and the nobles that they please; cards stray and turn, every fourth photo shows sleeves, thumbs and tokens lie about.
Areas are drawn by hand. Decks of even seeds are those that parameters are set on (`--set`), those of odd ones are
reported. What is asked is answered truly; then a player's points are right, or the hand is wrong in silence.

right    share of hands with the right points, once what was asked is answered
asked    cards that are asked about, in the mean of the hands; `many`: hands with more than two
unasked  share of hands with the right points of which nothing was asked
cards    share of hands in which every card's color and points are right in the end
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.card_film import Room, Seat, room
from bench.cards import arguments
from calibration.decks import Laid, Order, enroll_deck, learn_at
from companion.cases.case import contradictions
from companion.cases.evaluate import totals
from companion.cases.table_evidence import record, table_case
from companion.games.splendor import GAME
from companion.reading.tables import read_state, table_reader
from scoring.splendor import COLORS, NOBLE
from training.synth.decks import MANNERS, DrawnCard, DrawnDeck, drawn_box
from training.synth.laid_cards import Camera, Lying, laid_for_learning, photographed
from training.synth.table_photo import Area
from vision.cards.deck import Deck, DeckError
from vision.table.profile import TableProfile, Zone
from vision.table.reading import Card, TableReading

PIXELS = (1920, 1080)
PHOTOS = (1, 1, 2, 4)
"""Players whose hands each photo shows."""
HELD = {1: 9, 2: 5, 3: 2}
"""Cards of each level in a hand."""
SHOWN, STRAYS = 29.0, 1.5
"""Millimetres of a card in a column that are in sight, and by which cards stray."""
LEARNT_IN = (5, 3)
"""Cards across and down in a photo by which a deck is learnt."""
NEAR = 0.25
"""Widths of a card by which its outline may lie beside it for a person to say of which card it is."""
BARS = {"right": 1.0, "asked": 2.0}
Held = Counter[tuple[Any, ...]]
"""Cards by color and points, nobles by what they need."""


@dataclass
class Hand:
    """What became of a player's cards: how many were asked about, what was made of them, the truth."""

    asked: int
    total: int | None
    points: int
    seen: Held
    true: Held

    @property
    def right(self) -> bool:
        """Whether the points are right in the end."""
        return self.total == self.points

    def told(self) -> str:
        """What is wrong, in a line."""
        missing, more = sorted((self.true - self.seen).elements()), sorted((self.seen - self.true).elements())
        return f"{self.total} for {self.points}, asked {self.asked}, missing {missing}, more {more}"


@dataclass
class Table:
    """Cards as they lie in a photo, from below to the top; each's entry, and whose it is, beside it."""

    image: np.ndarray
    lying: list[Lying] = field(default_factory=list)
    entries: list[Mapping[str, Any]] = field(default_factory=list)
    owners: list[str | None] = field(default_factory=list)
    areas: dict[str, np.ndarray] = field(default_factory=dict)


def learnt(seed: int, box: tuple[DrawnDeck, DrawnDeck], path: Path) -> str:
    """Learn a box from photos and keep it; what enrolling says where it does not find the cards, which are then cut
    where they lie."""
    rng = np.random.default_rng([seed, 3])
    photos, laid, corners = list[np.ndarray](), list[Laid](), list[list[np.ndarray]]()
    for deck in box:
        entries = {str(card.entry["id"]): dict(card.entry) for card in deck.cards}
        for photo, names, quads in laid_for_learning(rng, deck, *LEARNT_IN):
            cards = [entries.get(name, {"id": f"back-{deck.size_mm[0]:.0f}", "back": True}) for name in names]
            cols = min(LEARNT_IN[0], len(names))
            of_size = tuple({**card, "size_mm": list(deck.size_mm)} for card in cards)
            laid.append(Laid(f"{len(photos)}.jpg", -(-len(names) // LEARNT_IN[0]), cols, of_size))
            photos.append(photo)
            corners.append(quads)
    order, said = Order(box[0].style, box[0].size_mm, tuple(laid)), ""
    try:
        known = enroll_deck(photos, order)
    except DeckError as error:
        known, said = learn_at(photos, order, corners), str(error)
    known.save(path)
    return said


def tables(seed: int, box: tuple[DrawnDeck, DrawnDeck]) -> Iterator[Table]:
    """A box's photos with their truth."""
    for i, players in enumerate(PHOTOS):
        yield _laid_out(np.random.default_rng([seed, 20 + i]), box, players)


def _laid_out(rng: np.random.Generator, box: tuple[DrawnDeck, DrawnDeck], players: int) -> Table:
    place = _seats(players)
    table = Table(np.zeros(0))
    left = [box[0].cards[k] for k in rng.permutation(len(box[0].cards))]
    nobles = [box[1].cards[k] for k in rng.permutation(len(box[1].cards))]

    def add(card: DrawnCard, at: tuple[float, float], turn: float, owner: str | None) -> None:
        dx, dy, askew = rng.normal(0, 1, 3)
        at = (at[0] + STRAYS * dx, at[1] + STRAYS * dy)
        table.lying.append(Lying(card.face, at, turn + 1.2 * askew))
        table.entries.append(card.entry)
        table.owners.append(owner)

    for name, seat in place.seats.items():
        hand = [card for level, n in HELD.items() for card in [c for c in left if c.entry["level"] == level][:n]]
        left = [card for card in left if all(card is not mine for mine in hand)]
        for card, at, turn in _columns(rng, seat, hand):
            add(card, at, turn, name)
        held = Counter(card.entry["bonus"] for card in hand)
        pleased = [one for one in nobles if not Counter(one.entry["needs"]) - held][: int(rng.integers(0, 3))]
        for k, noble in enumerate(pleased):
            nobles = [one for one in nobles if one is not noble]
            add(noble, *_in_seat(seat, 385 + 64 * k, 45, 0.0), name)
    for k in range(4 if players > 1 else 0):  # what lies open in the middle
        x, y = place.market
        add(left[k], (x + 35 + 70 * k, y + 50), 0.0, None)
    sleeved = bool(rng.random() < 0.25)
    for one in table.lying:
        one.sleeve = sleeved
    camera = Camera.drawn(rng, place.size, PIXELS, 0.0 if rng.random() < 0.3 else 0.4)
    table.image = photographed(rng, DrawnDeck("", box[0].size_mm, (), box[0].back, ()), table.lying, place.size, camera)
    for name, seat in place.seats.items():
        a = seat.area
        around = np.array([[a.x, a.y], [a.x + a.width, a.y], [a.x + a.width, a.y + a.height], [a.x, a.y + a.height]])
        around = np.roll(around, 2 if seat.far else 0, 0)
        drawn = cv2.perspectiveTransform(around[None].astype(np.float64), camera.to_pixels)[0]
        table.areas[name] = drawn + rng.normal(0, 5, (4, 2))
    return table


def _seats(players: int) -> Room:
    """Where everybody sits; who sits alone fills the photo."""
    if players > 1:
        return room(players, 0)
    return Room((660.0, 371.0), {"A": Seat(Area(60, 30, 540, 315), (0, 0))}, (0, 0), 0.0, "")


def _in_seat(seat: Seat, x: float, y: float, turn: float) -> tuple[tuple[float, float], float]:
    a = seat.area
    return ((a.x + a.width - x, a.y + a.height - y), turn + 180) if seat.far else ((a.x + x, a.y + y), turn)


def _columns(
    rng: np.random.Generator, seat: Seat, hand: Sequence[DrawnCard]
) -> Iterator[tuple[DrawnCard, tuple[float, float], float]]:
    """A hand's cards, where they lie and how they are turned: a column of each color."""
    shown = min(SHOWN, 180.0 / max(Counter(card.entry["bonus"] for card in hand).values()))
    for col, color in enumerate(rng.permutation(COLORS)):
        lean, aside = rng.normal(0, 1.5, 2)
        for k, card in enumerate(card for card in hand if card.entry["bonus"] == color):
            x = 38 + 66.5 * col + aside + np.sin(np.deg2rad(lean)) * shown * k
            yield card, *_in_seat(seat, x, 50 + shown * k, -lean)


def read(table: Table, deck: Path) -> Iterator[Hand]:
    """Read a photo as the page does, answer what it asks, and say what became of each hand."""
    zones = {name: Zone(polygon=tuple((float(x), float(y)) for x, y in at)) for name, at in table.areas.items()}
    profile = TableProfile("drawn", GAME.slug, zones=zones, decks=(str(deck),))
    reading = table_reader(profile).read(table.image, thorough=True)
    asked: Counter[str | None] = Counter()
    said: list[Card] = []
    while True:
        state = read_state(reading, profile)
        many = len(reading.tiles)
        known = frozenset(i for i, card in enumerate(reading.cards, many) if any(card is one for one in said))
        case = table_case(record(PIXELS, reading, known, (), state))
        pieces = {doubt.piece for doubt in case.doubts}
        pieces |= {piece for one in contradictions(case, "en") for piece in one["pieces"]}
        unsure = {int(piece[1:]) - many for piece in pieces} - {k - many for k in known}
        unsure = {k for k in unsure if k >= 0}
        if not unsure:
            break
        asked.update(reading.cards[k].zone for k in unsure)
        reading, said = _answered(table, reading, unsure, said)
    points = dict(zip(state.zones, totals(state.state), strict=True))
    for name, row in zip(state.zones, state.state["players"], strict=True):
        held = [*row.get("cards", ()), *({"needs": needs} for needs in row.get("nobles", ()))]
        yield replace(hand_of(table, name, held, asked[name]), total=points[name])


def hand_of(table: Table, name: str, held: Sequence[Mapping[str, Any]], asked: int) -> Hand:
    """A player's hand of which these cards were made."""
    true = [entry for entry, owner in zip(table.entries, table.owners, strict=True) if owner == name]
    total, points = (sum(NOBLE if "needs" in card else card["points"] for card in cards) for cards in (held, true))
    return Hand(asked, total, points, _held(held), _held(true))


def _held(cards: Sequence[Mapping[str, Any]]) -> Held:
    return Counter(
        ("noble", *sorted(card["needs"].items())) if "needs" in card else (card["bonus"], card["points"])
        for card in cards
    )


def _answered(
    table: Table, reading: TableReading, unsure: set[int], said: list[Card]
) -> tuple[TableReading, list[Card]]:
    """The reading once a person has said what each of some cards is; what is shown twice is one card."""
    taken = {_shown(table, card.polygon) for k, card in enumerate(reading.cards) if k not in unsure}
    cards, said = [], list(said)
    for k, card in enumerate(reading.cards):
        if k in unsure:
            truly = _shown(table, card.polygon)
            if truly is None or truly in taken:
                continue  # none, or one that is named already
            taken.add(truly)
            said.append(replace(card, card=table.entries[truly], doubtful=False, nearest=()))
        cards.append(said[-1] if k in unsure else card)
    return replace(reading, cards=tuple(cards)), said


def _shown(table: Table, polygon: np.ndarray) -> int | None:
    """Which card a person sees in an outline: the one that lies so, else the topmost one in its middle."""
    middle = polygon.mean(0)
    far = [float(np.linalg.norm(one.corners.mean(0) - middle) / _width(one.corners)) for one in table.lying]
    if min(far) < NEAR and _width(polygon) > 0.7 * _width(table.lying[int(np.argmin(far))].corners):
        return int(np.argmin(far))
    for k in reversed(range(len(table.lying))):
        outline = table.lying[k].corners.astype(np.float32)
        if cv2.pointPolygonTest(outline, (float(middle[0]), float(middle[1])), False) >= 0:
            return k
    return None


def _width(corners: np.ndarray) -> float:
    sides = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def measured(seed: int, number: int, keep: Path | None = None) -> tuple[str, list[tuple[str, Hand]]]:
    """A box's style and how it was learnt, and its hands, each with its photo."""
    box = drawn_box(seed, MANNERS[number % len(MANNERS)], GAME.deck)
    with tempfile.TemporaryDirectory() as folder:
        path, began = Path(folder) / "box.json", time.process_time()
        refused = learnt(seed, box, path)
        style = f"{box[0].style}; learnt in {time.process_time() - began:.0f} s"
        if refused:
            style += f" from true corners, as: {refused}"
        Deck.load(path)
        hands = []
        for i, table in enumerate(tables(seed, box)):
            hands += [(f"photo {i}, {'ABCD'[k]}", hand) for k, hand in enumerate(read(table, path))]
            if keep is not None:
                cv2.imwrite(str(keep / f"{seed}-{i}.png"), table.image)
    return style, hands


def figures(hands: Sequence[Hand]) -> dict[str, float]:
    """The figures by name."""
    n = max(len(hands), 1)
    return {
        "right": sum(hand.right for hand in hands) / n,
        "asked": sum(hand.asked for hand in hands) / n,
        "many": sum(hand.asked > BARS["asked"] for hand in hands),
        "unasked": sum(hand.right and not hand.asked for hand in hands) / n,
        "cards": sum(hand.seen == hand.true for hand in hands) / n,
    }


def main() -> None:
    """Measure and print."""
    args, seeds = arguments(__doc__, 13)
    every: list[Hand] = []
    worst: dict[str, tuple[float, int]] = {}
    for number, seed in enumerate(seeds):
        style, hands = measured(seed, number, args.keep)
        mine = [hand for _, hand in hands]
        every += mine
        print(f"box {seed} ({style}): {_told(figures(mine))}", flush=True)
        for where, hand in hands if args.list else ():
            if not hand.right or hand.asked or hand.seen != hand.true:
                print(f"    {where}: {'' if hand.right else 'WRONG '}{hand.told()}")
        for name, value in figures(mine).items():
            pick = max if name in ("asked", "many") else min
            worst[name] = pick(worst.get(name, (value, seed)), (value, seed), key=lambda one: one[0])
    print(f"all {len(every)} hands, {sum(not hand.right for hand in every)} wrong: {_told(figures(every))}")
    print("worst box: " + ", ".join(f"{name} {value:.3f} ({seed})" for name, (value, seed) in worst.items()))


def _told(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in shares.items())


if __name__ == "__main__":
    main()
