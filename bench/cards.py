"""Cards known by their faces, held out by deck: decks that nobody tuned to, laid as people lay them.

    python -m bench.cards [--seed 7] [--decks 12] [--set] [--list] [--keep FOLDER]

Decks are drawn from a seed that is new each time unless one is said: kinds and manners of painting take turns. Each is
learnt from photos, as a person learns it (where its cards are not found there, from their true corners, which is
said), and then read on five tables: apart, columns in which a third of each card is in sight, fans, four hands in one
picture of 1920 × 1080, two seats with sleeves. Decks of even seeds are those that parameters are set on (`--set`),
those of odd ones are reported. Figures as in the contract's measure of cards, of each deck and of the worst; about
cards of which 0.35 or more are in sight, 45 pixels wide or more, and that this part tells from all others:

found     share of those cards found and named rightly
named     share of those located that are named rightly
silent    wrong names and invented cards that were not flagged, in parts of all cards
foreign   share of strangers and backs that got no name
flagged   of all cards, those answered as doubtful though the part in sight tells them from all others
"""

from __future__ import annotations

import argparse
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from calibration.decks import Laid, Order, enroll_deck, learn_at
from training.synth.decks import KINDS, MANNERS, DrawnDeck, drawn_deck
from training.synth.laid_cards import WAYS, Camera, Lying, laid_for_learning, laid_out, photographed
from vision.cards.deck import Deck, DeckError
from vision.cards.find import CardFinder
from vision.cards.still import FoundCard

NEAR, SEEN, SMALL = 0.15, 0.35, 45.0
GRID = (3, 5)
"""Rows and columns in the photos by which a deck is learnt: cards of one picture lie in two of them."""
PIXELS = (1920, 1080)
BARS = {"found": 0.93, "named": 0.97, "silent": 0.01, "foreign": 0.985, "flagged": 0.10}


@dataclass
class Figures:
    """What was counted on some tables."""

    every: int = 0
    asked: int = 0
    located: int = 0
    right: int = 0
    silent: int = 0
    strange: int = 0
    refused: int = 0
    flagged: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, other: Figures) -> None:
        """Count those of another table too."""
        for name in ("every", "asked", "located", "right", "silent", "strange", "refused", "flagged"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.notes += other.notes

    def shares(self) -> dict[str, float]:
        """The figures by name."""
        return {
            "found": self.right / max(self.asked, 1),
            "named": self.right / max(self.located, 1),
            "silent": self.silent / max(self.every, 1),
            "foreign": self.refused / max(self.strange, 1),
            "flagged": self.flagged / max(self.every, 1),
        }


def learnt(deck: DrawnDeck, seed: int) -> tuple[Deck, str]:
    """The deck as photos of it teach it; what enrolling says where it does not find the cards, which are then cut
    where they lie."""
    shown = list(laid_for_learning(np.random.default_rng([seed, 3]), deck, GRID[1], GRID[0]))
    laid = []
    for i, (_, names, _) in enumerate(shown):
        cards = tuple({"id": n, **({"back": True} if n == "back" else {})} for n in names)
        laid.append(Laid(f"{i}.jpg", -(-len(names) // GRID[1]), min(GRID[1], len(names)), cards))
    photos, order = [photo for photo, _, _ in shown], Order(deck.style, deck.size_mm, tuple(laid))
    try:
        return enroll_deck(photos, order), ""
    except DeckError as error:
        return learn_at(photos, order, [corners for _, _, corners in shown]), str(error)


def tables(deck: DrawnDeck, seed: int) -> Iterator[tuple[str, np.ndarray, list[Lying]]]:
    """The deck's tables: how the cards lie, the picture, the truth."""
    for i, way in enumerate(WAYS):
        rng = np.random.default_rng([seed, 10 + i])
        lying, size = laid_out(rng, deck, way)
        camera = Camera.drawn(rng, size, PIXELS, 0.0 if rng.random() < 0.3 else 0.4)
        yield way, photographed(rng, deck, lying, size, camera), lying


def judged(lying: Sequence[Lying], cards: Sequence[FoundCard]) -> Figures:
    """Compare what was found with what lies there."""
    out = Figures(every=len(lying))
    wide = [_width(one.corners) for one in lying]
    want = [None if one.card is None else str(one.card.entry["id"]) for one in lying]
    got = [None if card.entry is None else str(card.entry["id"]) for card in cards]
    apart = np.array([[np.linalg.norm(a.corners.mean(0) - b.corners.mean(0)) for b in cards] for a in lying])
    apart = apart.reshape(len(lying), len(cards)) / np.array(wide)[:, None]
    pairs = sorted(
        (got[j] is None or got[j] != want[i], float(apart[i, j]), i, j)
        for i, j in np.argwhere(apart < NEAR).tolist()
    )  # fmt: skip
    hit: dict[int, int] = {}
    of: dict[int, int] = {}
    for _, _, i, j in pairs:
        if i not in hit and j not in of:
            hit[i], of[j] = j, i
    given = set()
    for j, card in enumerate(cards):
        mine = of.get(j)
        out.flagged += card.doubtful and not (mine is not None and _hard(lying[mine], wide[mine]))
        if got[j] is None or (mine is not None and want[mine] == got[j]):
            continue
        near = [k for k in np.argsort(apart[:, j]).tolist() if apart[k, j] < 0.5] if len(lying) else []
        if mine is None and any(want[k] == got[j] and k not in hit for k in near):
            continue  # only laid badly
        at = mine if mine is not None else next((k for k in near if want[k] is None and k not in hit), None)
        given |= {at} if at is not None and want[at] is None else set()
        out.silent += not card.doubtful
        seen = "" if at is None else f" ({lying[at].visible:.2f} seen, {wide[at]:.0f} px)"
        where = "nothing" if at is None else want[at] or "a stranger"
        out.notes.append(f"{where} named {got[j]}{seen}{'' if card.doubtful else ' SILENT'}")
    for i, one in enumerate(lying):
        if want[i] is None:
            out.strange += 1
            out.refused += i not in given
        elif not _hard(one, wide[i]):
            out.asked += 1
            out.located += i in hit
            right = i in hit and got[hit[i]] == want[i]
            out.right += right
            if not right and (i not in hit or got[hit[i]] is None):
                what = "not found" if i not in hit else "not named"
                out.notes.append(f"{want[i]} {what} ({one.visible:.2f} seen, {wide[i]:.0f} px)")
    return out


def _hard(one: Lying, wide: float) -> bool:
    """Whether nobody need name a card: too little of it is in sight, or what any of several cards shows."""
    return one.card is not None and (one.visible < SEEN or wide < SMALL or bool(one.alike))


def _width(corners: np.ndarray) -> float:
    sides = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def measured(seed: int, number: int, keep: Path | None = None) -> tuple[str, dict[str, Figures]]:
    """A deck's style and how it was learnt, and its figures for each way of laying."""
    deck = drawn_deck(seed, KINDS[number % len(KINDS)], MANNERS[(number + number // len(KINDS)) % len(MANNERS)])
    began = time.process_time()
    known, refused = learnt(deck, seed)
    style = f"{deck.style}; learnt in {time.process_time() - began:.0f} s"
    if refused:
        style += f" from true corners, as: {refused}"
    finder = CardFinder([known])
    out = {}
    for way, photo, lying in tables(deck, seed):
        cards = finder.find(photo)
        out[way] = judged(lying, cards)
        if keep is not None:
            cv2.imwrite(str(keep / f"{seed}-{way.replace(' ', '-')}.png"), photo)
    return style, out


def arguments(what: str | None, decks: int) -> tuple[argparse.Namespace, list[int]]:
    """What a bench of drawn decks is told, and the decks' seeds: parameters are set on even ones."""
    parser = argparse.ArgumentParser(description=what, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, help="of the first deck; a new one each time where it is not said")
    parser.add_argument("--decks", type=int, default=decks)
    parser.add_argument("--set", action="store_true", help="the decks that parameters are set on")
    parser.add_argument("--list", action="store_true", help="name each fault")
    parser.add_argument("--keep", type=Path, help="a folder for the pictures")
    args = parser.parse_args()
    first = args.seed if args.seed is not None else secrets.randbelow(1 << 24)
    first += (first + (not args.set)) % 2
    print(f"seed {first}")
    return args, [first + 2 * number for number in range(args.decks)]


def main() -> None:
    """Measure and print."""
    args, seeds = arguments(__doc__, 12)
    worst: dict[str, tuple[float, int]] = {}
    ways: dict[str, Figures] = {way: Figures() for way in WAYS}
    short: Counter[str] = Counter()
    for number, seed in enumerate(seeds):
        style, by_way = measured(seed, number, args.keep)
        whole = Figures()
        for way, one in by_way.items():
            whole.add(one)
            ways[way].add(one)
        shares = whole.shares()
        print(f"deck {seed} ({style}): {_told(shares)}, of {whole.asked}", flush=True)
        for way, one in by_way.items():
            for note in one.notes if args.list else ():
                print(f"    {way}: {note}")
        for name, value in shares.items():
            less = name in ("silent", "flagged")
            worst[name] = (max if less else min)(worst.get(name, (value, seed)), (value, seed), key=lambda one: one[0])
            short[name] += value > BARS[name] if less else value < BARS[name]
    for way, one in ways.items():
        print(f"{way}: {_told(one.shares())}")
    total = Figures()
    for one in ways.values():
        total.add(one)
    print(f"all: {_told(total.shares())}")
    told = ", ".join(f"{name} {value:.3f} ({seed})" for name, (value, seed) in worst.items())
    print(f"worst deck: {told}; decks that fall short: {dict(short)}")


def _told(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in shares.items())


if __name__ == "__main__":
    main()
