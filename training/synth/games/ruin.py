"""Random games of In the Ruin as a camera sees them, all sheets and the cards, or as photos of one sheet a round."""

import string
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from random import Random
from typing import Any

from training.synth.games import camera

SIZE = 11
MIDDLE = (5, 5)
CARDS = 24
ROW = 3
HAND = 5
SLIPS = {"shape": "R3", "island": "R4", "square": "R5", "far": "R7"}
BOOKS = {
    "undeclared": "R8", "no-tick": "R8", "no-wall": "R9", "too-few-off": "R10",
    "too-many-off": "R10", "stays": "R11", "early-escape": "R14", "tick-gone": "R16",
    "free-cell": "R6", "still-there": "R16",
}  # fmt: skip
"""What may be done wrongly at a round's end, and the rule."""
SEEN_ON_PHOTOS = ("shape", "island", "square")

Cell = tuple[int, int]


def around(cell: Cell) -> list[Cell]:
    r, c = cell
    return [(a, b) for a, b in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)) if 0 <= a < SIZE and 0 <= b < SIZE]


def is_square(cells: Iterable[Cell]) -> bool:
    """Whether a 2×2 square lies in the cells."""
    some = set(cells)
    return any({(r + 1, c), (r, c + 1), (r + 1, c + 1)} <= some for r, c in some)


def polyomino(rng: Random, n: int) -> list[Cell]:
    cells = [(0, 0)]
    while len(cells) < n:
        r, c = rng.choice(cells)
        a, b = rng.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
        more = [*cells, (r + a, c + b)]
        if len(set(more)) == len(more) and not is_square(more):
            cells = more
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return sorted((r - top, c - left) for r, c in cells)


class Sheet:
    """A player's sheet; `seen` is what lies there for who photographs it now."""

    def __init__(self) -> None:
        self.map: dict[Cell, str] = {}
        self.gates: list[Cell] = []
        self.destinations: list[str] = []
        self.gems = self.penalties = 0
        self.pawn: Cell | None = MIDDLE
        self.goals: list[list[str]] = []
        self.escaped: int | None = None

    def passages(self) -> set[Cell]:
        return {cell for cell, mark in self.map.items() if mark == "o"}

    def square(self, more: Iterable[Cell]) -> bool:
        """Whether these cells make a square, with what was drawn before: an old one is nobody's slip any more."""
        cells = {*more}
        passages = self.passages() | cells
        return any(is_square({(a, b) for a, b in passages if max(abs(a - r), abs(b - c)) <= 1}) for r, c in cells)

    def joins(self, cells: Iterable[Cell]) -> bool:
        return any(at in self.map for cell in cells for at in around(cell))


class Game:
    """A game that plays itself; `steps` are its moments, `turns` what a referee has to tell.

    `look`: `table` (a camera sees all sheets and the cards), `photo` (a photo of each sheet at a round's end, nothing
    of the cards or the pawn), `card` (the same, and people say which card lay there). `printed`: where the sheet's 24
    letters stand, else somewhere. Where a turn is only told from the one before by a look between them (a slip, a cell
    more by a goal card), there is one. `books`: how many rounds have something done wrongly in what is written down.
    """

    def __init__(
        self,
        rng: Random,
        players: int,
        look: str,
        slips: float = 0.0,
        printed: Mapping[str, Cell] | None = None,
        books: float = 0.0,
    ) -> None:
        self.rng, self.look, self.slips, self.books = rng, look, slips, books
        self.book: str | None = None
        self.booked: list[tuple[str | None, str]] = []
        self.names = ["Aya", "Ben", "Emi", "Dan"][:players]
        letters = string.ascii_uppercase[:CARDS]
        cells = [(r, c) for r in range(SIZE) for c in range(SIZE) if (r, c) != MIDDLE]
        self.letters = dict(printed or zip(letters, rng.sample(cells, CARDS), strict=True))
        self.pieces = {letter: polyomino(rng, rng.choice((2, 3, 3, 4, 4, 5))) for letter in letters}
        self.deck = rng.sample(letters, CARDS)
        self.discarded: list[str] = []
        self.sheets = [Sheet() for _ in self.names]
        self.row: list[str] = []
        self.round, self.stage = 1, 1
        self.turns: list[Any] = []
        self.told: list[tuple[str, str]] = []
        self.writes: list[tuple[int, int]] = []
        """Whose sheet each step shows, of which round, for photos; 0: what was set up."""
        self.open: set[str] = set()
        self.steps: list[camera.Step] = []
        self._set_up()
        while not self._over():
            self._round()

    def _set_up(self) -> None:
        for sheet in self.sheets:
            sheet.goals = [self.rng.sample(sorted(self.letters), 2) for _ in range(2)]
            own = [self.deck.pop() for _ in range(2 if len(self.sheets) > 1 else 4)]
            for i, letter in enumerate(own):
                mark = "o" if i < len(own) / 2 else "#"
                piece = self.pieces[letter]
                r, c = MIDDLE
                spot = [(r + a - piece[0][0], c + b - piece[0][1]) for a, b in piece]
                spots = [] if sheet.map else [spot]
                while not spots:
                    spots = list(self._spots(sheet, mark, letter))
                sheet.map.update(dict.fromkeys(self.rng.choice(spots), mark))
            self.discarded += own
        self._appear(self.discarded)
        self.row = [self.deck.pop() for _ in range(ROW)]
        for p in range(len(self.sheets)):
            if self.look != "table" or not p:
                self._step(p)
                self.writes.append((p, 0))

    def _appear(self, letters: Iterable[str]) -> list[str]:
        new = [letter for letter in letters if letter not in self.open]
        self.open |= set(new)
        for sheet in self._here():
            sheet.destinations += new
        return new

    def _here(self) -> list[Sheet]:
        return [sheet for sheet in self.sheets if sheet.escaped is None]

    def _over(self) -> bool:
        return not self._here() or (self.stage == 2 and not self.row)

    def _spots(self, sheet: Sheet, mark: str, letter: str, join: bool = True, square: bool = False) -> Iterator[Any]:
        rng, piece = self.rng, self.pieces[letter]
        for _ in range(150):
            flip = rng.choice((1, -1))
            some = [(r, flip * c) for r, c in piece]
            for _ in range(rng.randrange(4)):
                some = [(c, -r) for r, c in some]
            r, c = rng.choice(some)
            top, left = rng.randrange(SIZE), rng.randrange(SIZE)
            cells = sorted((a - r + top, b - c + left) for a, b in some)
            inside = all(0 <= a < SIZE and 0 <= b < SIZE and (a, b) not in sheet.map for a, b in cells)
            if inside and sheet.joins(cells) == join and (mark == "#" or sheet.square(cells) == square):
                yield cells

    def _round(self) -> None:  # noqa: PLR0912, PLR0915 -- three steps
        letter, rng = self.row[0], self.rng
        self.book = rng.choice(list(BOOKS)) if self.books and rng.random() < self.books else None
        self.booked = []
        order = [p for p, sheet in enumerate(self.sheets) if sheet.escaped is None]
        rng.shuffle(order)
        written = {}
        for p in order:
            drawn, slip = self._write(p, letter)
            further = len(drawn) > 1 and not self._is_piece(drawn, letter) and slip != "shape"
            slip = slip or (self.booked[0][1] if self.booked and self.booked[0][0] == self.names[p] else None)
            written[p] = (self.names[p], "write", tuple(sorted(drawn.items()))), bool(slip) or further
            if self.look == "table":
                self.turns.append(written[p][0])
                if (
                    slip in ("far", "R6", "R14") or further
                ):  # how far is only known, and in which round, where it was seen before
                    last = max(i for i, step in enumerate(self.steps) if step.rests)
                    self.steps[last] = self.steps[last]._replace(must=True)
                self._step(p, must=bool(slip) or further)
        off = [self.row.pop(0)]
        if self.book == "stays" and len(self.row) > 1 and rng.random() < 0.3:
            self._booked(None)
            self.row[0], off[0] = off[0], self.row[0]
        for sheet in self.sheets:
            if sheet.escaped == self.round:
                sheet.pawn = None
        self.discarded += off
        stands = any(self.letters[one] == sheet.pawn for sheet in self._here() for one in sheet.destinations)
        if stands and self.books and not self.booked and rng.random() < self.books:
            self.book = rng.choice(("undeclared", "no-tick", "no-wall", "too-few-off", "too-many-off", "still-there"))
        new: list[str] = []
        fresh = True
        claimed: set[str] = set()
        while fresh:
            here = {}
            for sheet in self._here():
                there = [one for one in sheet.destinations if self.letters[one] == sheet.pawn]
                name = self.names[self.sheets.index(sheet)]
                if there and self.book == "undeclared" and (self._booked(name) or (name, "R8") in self.booked):
                    there = []
                if any(self.letters[one] == sheet.pawn for one in sheet.destinations) and not there:
                    continue
                here.update(dict.fromkeys(there))
                if there and not (self.book == "no-tick" and self._booked(name)):
                    sheet.gems += 1
                    if len(sheet.goals) < HAND:
                        sheet.goals.append(rng.sample(sorted(self.letters), 2))
            for one in here:
                for sheet in self._here():
                    if one not in sheet.destinations:
                        continue  # it was declared before, and one player left it as it was
                    cell = self.letters[one]
                    name = self.names[self.sheets.index(sheet)]
                    if self.book == "still-there" and sheet.pawn != cell and self._booked(name):
                        continue
                    if sheet.map.get(cell) == "o":
                        sheet.gates.append(cell)
                    elif cell in sheet.map or not (self.book == "no-wall" and self._booked(name)):
                        sheet.map[cell] = "#"
                    sheet.destinations.remove(one)
            claimed.update(here)
            some = len(here)
            if here and len(self.row) > some:
                some -= self.book == "too-few-off" and self._booked(None)
                some += self.book == "too-many-off" and self._booked(None)
            gone = [self._next() for _ in range(some)]
            off += [one for one in gone if one]
            fresh = bool(here)
            if here and self.look == "table":
                self._step(0)
            new += self._appear(one for one in gone if one)
        if self.stage == 2:
            off += [one for one in (self._next() for s in self.sheets if s.escaped is not None) if one]
        if self.booked == [(None, "R11")] and letter in self.discarded:
            self.booked.remove((None, "R11"))  # it went off with the ones declared: all lies as it should
            self.told.pop()
        ended = not self.row and self.stage == 1
        while len(self.row) < ROW and self.deck:
            self.row.append(self.deck.pop())
            ended = False
        if ended:
            self.stage = 2
            self.deck, self.discarded = rng.sample(self.discarded, len(self.discarded)), []
            self.row = [self.deck.pop() for _ in range(ROW)]
        if self.look == "table":
            self._written_wrongly(order)
            self.round += 1
            self.turns.append((None, "cards", tuple(self.row)))
            if self.booked:
                self.steps[-1] = self.steps[-1]._replace(must=True)
            self._step(0, must=bool(self.booked))
            return
        for p in order:
            self.turns.append(written[p][0])
            if written[p][1]:
                last = max(i for i, (one, _) in enumerate(self.writes) if one == p)
                self.steps[last] = self.steps[last]._replace(must=True)
            self.writes.append((p, self.round))
            self._step(p, letter, written[p][1])
        self.round += 1

    def _booked(self, name: str | None) -> bool:
        """Whether what is to be done wrongly in this round is done now, once."""
        if self.booked or self.book is None:
            return False
        self.booked.append((name, BOOKS[self.book]))
        self.told.append(self.booked[0])  # type: ignore[arg-type]
        return True

    def _written_wrongly(self, order: list[int]) -> None:
        """What does not hang on letters declared: a tick erased, stage 2 begun too early."""
        sheet = self.sheets[self.rng.choice(order)]
        name = self.names[self.sheets.index(sheet)]
        if (
            self.book == "tick-gone"
            and self.rng.random() < 0.4
            and sheet.penalties
            and sheet.escaped is None
            and self._booked(name)
        ):
            sheet.penalties -= 1

    def _is_piece(self, drawn: dict[Cell, str], letter: str) -> bool:
        """Whether the cells are a card's piece, all of one kind: of what comes to it nobody sees the round."""
        return len(drawn) == len(self.pieces[letter]) and len(set(drawn.values())) == 1

    def _next(self) -> str | None:
        """Another card goes off, from the row or the deck."""
        pile = self.row if self.row else self.deck
        if not pile:
            return None
        card = pile.pop(0) if pile is self.row else pile.pop()
        self.discarded.append(card)
        return card

    def _write(self, p: int, letter: str) -> tuple[dict[Cell, str], str | None]:  # noqa: PLR0912, PLR0915 -- a turn
        """One player's turn: what was drawn, and the slip."""
        rng, sheet = self.rng, self.sheets[p]
        slips = list(SLIPS) if self.look == "table" else SEEN_ON_PHOTOS[self.look == "photo" :]
        slip = rng.choice(list(slips)) if rng.random() < self.slips else None
        mark = rng.choice("ooo##")
        spot = next(self._spots(sheet, mark, letter, slip != "island", slip == "square" and mark == "o"), None)
        if spot is None:
            slip = slip if slip in ("shape", "far") else None
            spot = next(self._spots(sheet, mark, letter), None)
        slip = None if slip == "square" and mark == "#" else slip
        drawn: dict[Cell, str] = {}
        if spot is not None and rng.random() < 0.9:
            drawn = dict.fromkeys(spot, mark)
        else:
            rim = [c for cell in sheet.map for c in around(cell) if c not in sheet.map]
            slip = slip if slip == "far" else None
            if rim:
                drawn = {rng.choice(rim): "#"}
            sheet.penalties += 1
        if slip == "shape":
            slip = slip if len(drawn) >= 4 else None
            if slip:
                for cell in list(drawn)[:2]:
                    drawn[cell] = "#" if mark == "o" else "o"
                if sheet.square([cell for cell, one in drawn.items() if one == "o"]):
                    drawn, slip = dict.fromkeys(drawn, "#"), None
        before = deepcopy(sheet)
        before.penalties -= spot is None or drawn.keys() != set(spot)
        sheet.map.update(drawn)
        special = None
        if slip is None and sheet.goals and rng.random() < (0.6 if self.book == "free-cell" else 0.05):
            special = "cell" if self.book == "free-cell" else rng.choice(("cell", "warp"))
            if special == "cell":
                rim = [c for cell in before.map for c in around(cell) if c not in sheet.map]
                one = rng.choice("o#")
                rim = [c for c in rim if one == "#" or not sheet.square([c])]
                if rim:
                    drawn = {**drawn, rng.choice(rim): one}
                    sheet.map.update(drawn)
                    if not (self.book == "free-cell" and self._booked(self.names[p])):
                        sheet.goals.pop()
            elif len(sheet.gates) > 1:
                sheet.goals.pop()
        steps = len(self.pieces[letter])
        reach = self._reach(sheet, steps, special == "warp")
        pawn = sheet.pawn
        if slip == "far":
            far = sorted(sheet.passages() - self._reach(sheet, steps, True))
            slip = slip if far else None
            pawn = rng.choice(far) if far else pawn
        if slip != "far" and reach and rng.random() < 0.8:
            good = [cell for cell in reach if any(self.letters[one] == cell for one in sheet.destinations)]
            pawn = rng.choice(good or sorted(reach))
        if (
            self.book == "early-escape"
            and self.stage == 1
            and MIDDLE in reach
            and sheet.pawn != MIDDLE
            and slip is None
        ) and self._booked(self.names[p]):
            pawn, sheet.escaped = MIDDLE, self.round
        if self.stage == 2 and pawn == MIDDLE and sheet.pawn != MIDDLE and rng.random() < 0.5 and slip is None:
            sheet.escaped = self.round
        if self.look == "table" and len(drawn) > 1:
            half = dict(list(drawn.items())[: rng.randrange(1, len(drawn))])
            now, sheet.map = sheet.map, {**before.map, **half}
            keep = sheet.penalties, sheet.goals, sheet.escaped
            sheet.penalties, sheet.goals, sheet.escaped = before.penalties, before.goals, None
            self._step(p, rests=False)
            sheet.map, (sheet.penalties, sheet.goals, sheet.escaped) = now, keep
        sheet.pawn = None if sheet.escaped else pawn
        if slip:
            self.told.append((self.names[p], SLIPS[slip]))
        return drawn, slip

    def _reach(self, sheet: Sheet, steps: int, warps: bool) -> set[Cell]:
        passages = sheet.passages()
        reached = {(sheet.pawn, False)} if sheet.pawn else set()
        for _ in range(steps):
            for cell, used in list(reached):
                reached |= {(at, used) for at in around(cell) if at in passages}
                if warps and not used and cell in sheet.gates:
                    reached |= {(gate, True) for gate in sheet.gates}
        return {cell for cell, _ in reached}

    def _step(self, p: int, letter: str | None = None, must: bool = False, rests: bool = True) -> None:
        self.steps.append(camera.Step(len(self.turns), rests, self.state(p, letter), must))

    def state(self, p: int, letter: str | None = None) -> dict[str, Any]:
        """The table as a state, or the sheet of one player."""
        players = []
        for i, (name, sheet) in enumerate(zip(self.names, self.sheets, strict=True)):
            rows = [[sheet.map.get((r, c), ".") for c in range(SIZE)] for r in range(SIZE)]
            player = {
                "name": name,
                "map": ["".join(row) for row in rows],
                "destinations": list(sheet.destinations),
                "gates": [list(cell) for cell in sheet.gates],
                "gems": sheet.gems,
                "penalties": sheet.penalties,
            }
            if self.look == "table":
                pawn = list(sheet.pawn) if sheet.pawn and not sheet.escaped else None
                player |= {"pawn": pawn, "goals": deepcopy(sheet.goals), "escaped": sheet.escaped}
            players.append(player if self.look == "table" or i == p else {"name": name})
        letters = {one: list(cell) for one, cell in self.letters.items()}
        state: dict[str, Any] = {"game": "in-the-ruin", "letters": letters, "players": players}
        if self.look == "table":
            state |= {"round": self.round, "stage": self.stage, "discarded": list(self.discarded), "deck": "?"}
            state["cards"] = [self._card(one) for one in self.row]
        elif self.look == "card":
            state |= {"round": self.round, "cards": [self._card(letter)] if letter else []}
        return state

    def _card(self, letter: str) -> dict[str, Any]:
        piece = self.pieces[letter]
        high, wide = (1 + max(cell[k] for cell in piece) for k in (0, 1))
        rows = ["".join("#" if (r, c) in piece else "." for c in range(wide)) for r in range(high)]
        return {"letter": letter, "cells": len(piece), "piece": rows}

    def header(self) -> dict[str, Any]:
        return {"game": "in-the-ruin", "players": self.names}


def pieces(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Pointers and marks of the cells that are filled, or lie beside one."""
    found = []
    for p, player in enumerate(state["players"]):
        rows = player.get("map", ())
        for r, row in enumerate(rows):
            for c, mark in enumerate(row):
                if mark != "." or any(rows[a][b] != "." for a, b in around((r, c))):
                    found.append((f"/players/{p}/map/{r}/{c}", mark))
    return found


def swap(state: dict[str, Any], at: str, true: str, read: str) -> str:
    """Read one cell as another mark."""
    _, _, p, _, r, c = at.split("/")
    rows = state["players"][int(p)]["map"]
    rows[int(r)] = rows[int(r)][: int(c)] + read + rows[int(r)][int(c) + 1 :]
    return at


def known_by(game: Game, shot: camera.Shot) -> tuple[camera.Shot, list[Any], dict[Any, Any]]:
    """What can be known of a game from these photos: one line for rounds of a player that no photo separates, unless
    each one's card was shown; the film with how many lines each photo makes; what may be said as well.
    """
    shown: set[int] = set()
    begun: set[int] = set()
    steps: dict[int, camera.Step] = {}
    lines: list[Any] = []
    last: dict[int, tuple[int, int]] = {}
    waiting: dict[int, list[tuple[int, Any]]] = {p: [] for p in range(len(game.names))}
    turns = iter(game.turns)
    kept = {id(step) for step in shot.steps}
    for (p, now), step in zip(game.writes, game.steps, strict=True):
        if now:
            waiting[p].append((now, next(turns)))
        if id(step) not in kept:
            continue
        first: list[Any] = []
        if now and now not in shown and game.look == "card":
            first = [(None, "cards", (step.state["cards"][0]["letter"],))]
        shown.add(now)
        wrote = [turn for _, turn in waiting[p]] if p in begun else []  # before a sheet's first photo all is unknown
        begun.add(p)
        if wrote and not (game.look == "card" and shown.issuperset(one for one, _ in waiting[p])):
            wrote = [(game.names[p], "write", tuple(sorted(mark for *_, marks in wrote for mark in marks)))]
        lines += [*wrote[:-1], *first, *wrote[-1:]]
        waiting[p] = []
        steps[id(step)] = step._replace(turns=len(lines))
        if wrote:
            last[id(step)] = p, len(lines) - 1
    unclear = dict(_a_look_late(shot, lines, last))
    unclear = {said: move for said, move in unclear.items() if said not in lines}
    return shot._replace(steps=[steps[id(step)] for step in shot.steps]), lines, unclear


def _a_look_late(shot: camera.Shot, lines: list[Any], last: Mapping[int, tuple[int, int]]) -> Iterator[tuple[Any, Any]]:
    """Lines with a cell of the line after or before: a sure photo shows it drawn already, or not drawn yet, and what it
    shows is so in the next one.
    """
    flags = [line["doubtful"] for line in shot.lines if isinstance(line, dict) and isinstance(line.get("state"), dict)]
    looks = [k for k, line in enumerate(_states(shot)) if isinstance(line, dict)]
    for k, at, true in shot.wrong:
        _, _, p, _, r, c = at.split("/")
        later = [j for j in looks if j > k and last.get(id(shot.steps[j]), (-1, 0))[0] == int(p)]
        now = last.get(id(shot.steps[k]))
        if now is None or not later or at in flags[looks.index(k)]:
            continue
        then = last[id(shot.steps[later[0]])]
        read = _states(shot)[k]["players"][int(p)]["map"][int(r)][int(c)]
        mark = read if true == "." else true
        mine, next_ = lines[now[1]], lines[then[1]]
        cell = ((int(r), int(c)), mark)
        if true == "." and cell in next_[2]:
            yield (*mine[:2], tuple(sorted((*mine[2], cell)))), mine
            yield (*next_[:2], tuple(one for one in next_[2] if one != cell)), next_
        elif read == "." and cell in mine[2]:
            yield (*mine[:2], tuple(one for one in mine[2] if one != cell)), mine
            yield (*next_[:2], tuple(sorted((*next_[2], cell)))), next_


def _states(shot: camera.Shot) -> list[Any]:
    return [line["state"] for line in shot.lines if camera.is_look(line)]
