"""One played game as it is known so far: what was read from photos, and what people said.

A correction is kept beside the reading, not written over it, so that another photo
replaces the reading and leaves what a person said.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.games.in_the_ruin import COLS, ROWS, STAGES
from vision.sheet.decisions import SURE, TICK_UNSURE, TICKED

Cell = tuple[int, int]
T = TypeVar("T")

PASSAGE, WALL = "o", "#"
CELL_KINDS = ".o#"
SUMS = ("square-first", "square-second", "gems", "routes", "escape", "total")
"""What players write in the boxes of a sheet that has so many, in reading order: rows of the score sheet, the total."""
PLAIN, TRACED, GATE = "plain", "traced", "gate"
"""What a letter can be: printed only, traced over by hand and not claimed (a destination), claimed (a gate)."""

ALIKE = 3
"""So many doubtful cells between the same two kinds are one question."""
CONFIRMED = 3
"""So many answers that a kind was read rightly, and none that it was not, and its surer cells are believed."""


@dataclass(frozen=True)
class Correction(Generic[T]):
    """A cell, a letter or a count that a person judged: `value`, and what the photo said then (None: no photo)."""

    value: T
    read: T | None

    def outdated(self, read: T | None) -> bool:
        """Whether the paper has changed since: a photo says now what it did not say then, nor the person."""
        return self.read is not None and read not in (self.read, self.value)


@dataclass
class Sheet:
    """One player's sheet at the end of one stage."""

    photo: str | None = None  # the stored photo's name, with `size` (width, height); None: filled in by hand
    sent: str | None = None  # the digest of the file that the photo came in; None where that is not known
    size: tuple[int, int] = (0, 0)
    reading: dict[str, Any] | None = None  # what was read from it, as JSON (see `companion.reading.pictures`)
    before: list[dict[str, Any]] = field(default_factory=list)
    """What earlier photos of the same sheet gave, nothing drawn since: what one of them shows surely, and alike, is no
    question; what it shows otherwise is one."""
    failed: dict[str, Any] | None = None  # the photo that could not be read last: {photo, size, key, values}
    by_hand: bool = False
    cells: dict[Cell, Correction[str]] = field(default_factory=dict)  # what a person said of cells
    gates: dict[Cell, bool] = field(default_factory=dict)
    destinations: dict[str, bool] = field(default_factory=dict)
    letters: dict[tuple[str, Cell], Correction[str]] = field(default_factory=dict)
    """What a person said of letters, by letter and cell; it goes before `gates` and `destinations`."""
    ticks: dict[str, Correction[int]] = field(default_factory=dict)  # what a person counted, by track

    @property
    def known(self) -> bool:
        """Whether there is anything to score."""
        return self.reading is not None or self.by_hand

    def read(self, cell: Cell) -> str | None:
        """What the photo says of a cell; None without a photo."""
        return self.reading["map"][cell[0]][cell[1]] if self.reading else None

    def read_ticks(self, track: str) -> int | None:
        """How many ticks the photo shows; None without a photo."""
        return int(self.reading["ticks"].get(track, 0)) if self.reading else None

    def map(self) -> list[str]:
        """The map as it counts: the reading with the corrections over it."""
        rows = [list(row) for row in self.reading["map"]] if self.reading else [["."] * COLS for _ in range(ROWS)]
        for (row, col), correction in self.cells.items():
            rows[row][col] = correction.value
        return ["".join(row) for row in rows]

    def map_with(self, cells: Iterable[Cell], value: str) -> list[str]:
        """The map as it counts, with something else in these cells."""
        rows = [list(row) for row in self.map()]
        for row, col in cells:
            rows[row][col] = value
        return ["".join(row) for row in rows]

    def map_at(self, cell: Cell) -> str:
        """What a cell counts as."""
        said = self.cells.get(cell)
        return said.value if said else self.read(cell) or "."

    def doubtful_ticks(self) -> dict[str, tuple[int, ...]]:
        """The counts that the photo leaves open, the read one among them, of each track that nobody counted."""
        if not self.reading:
            return {}
        doubts, boxes = self.reading.get("tick_doubts", {}), self.reading.get("ticked", {})
        open_counts = {}
        for track in doubts.keys() & boxes.keys() - self.ticks.keys():
            sure, likely = (sum(p >= least for p in boxes[track]) for least in (1 - TICK_UNSURE, TICK_UNSURE))
            last = max((k for k, p in enumerate(boxes[track], 1) if p >= TICKED), default=0)  # ticks may have a gap
            read = int(self.reading["ticks"].get(track, 0))
            counts = tuple(sorted({*range(sure, likely + 1), last, read}))
            if doubts[track] >= TICK_UNSURE and len(counts) > 1:
                open_counts[track] = counts
        return open_counts

    def troubles(self) -> tuple[str, ...]:
        """What makes the photo doubtful as a whole, of `vision.sheet.reading.TROUBLES`."""
        return tuple((self.reading or {}).get("troubles", ()))

    def doubtful(self) -> list[Cell]:
        """Cells to look at: doubtful in the photo and not judged yet, or judged before the paper changed."""
        if not self.reading:
            return []
        doubtful, rows = _doubtful_cells(self.reading), self.reading["map"]
        for earlier in self.before:
            sure = {(r, c) for r in range(ROWS) for c in range(COLS)} - _doubtful_cells(earlier)
            alike = {(r, c) for r, c in sure if earlier["map"][r][c] == rows[r][c]}
            doubtful = (doubtful - alike) | (sure - alike)
        asked = doubtful - self.cells.keys() - self._believed(doubtful)
        changed = {cell for cell, said in self.cells.items() if said.outdated(self.read(cell))}
        return sorted(asked | changed)

    def _believed(self, doubtful: set[Cell]) -> set[Cell]:
        """Doubtful cells that are read like those which a person confirmed, and more surely: the photo is dim, not
        misread. Where something else than its kind makes a cell doubtful, it stays so."""
        out: set[Cell] = set()
        confidence: Sequence[Sequence[float]] = (self.reading or {}).get("confidence", ())
        for kind in CELL_KINDS if confidence else ():
            answers = {cell: said for cell, said in self.cells.items() if cell in doubtful and said.read == kind}
            if len(answers) < CONFIRMED or any(said.value != kind for said in answers.values()):
                continue
            least = min(confidence[r][c] for r, c in answers)
            out |= {(r, c) for r, c in doubtful if self.read((r, c)) == kind and least <= confidence[r][c] < SURE}
        return out

    def alike(self) -> dict[str, list[Cell]]:
        """Doubtful cells that may be asked about together, by the two kinds that they may be, sorted: crosses and
        outlines are one hand's walls, or they are none."""
        rivals: Sequence[str] = (self.reading or {}).get("rivals", ())
        found: dict[str, list[Cell]] = {}
        for row, col in self.doubtful() if rivals else ():
            kinds = "".join(sorted({self.map_at((row, col)), rivals[row][col]}))
            if len(kinds) == 2 and (row, col) not in self.cells:
                found.setdefault(kinds, []).append((row, col))
        return {kinds: cells for kinds, cells in found.items() if len(cells) >= ALIKE}

    def read_letter(self, letter: str, cell: Cell) -> str | None:
        """What the photo says of a letter; None without a photo."""
        return _letter_in(self.reading, letter, cell) if self.reading else None

    def judged(self, letter: str, cell: Cell) -> bool:
        """Whether a person said what a letter is."""
        return (letter, cell) in self.letters or letter in self.destinations or cell in self.gates

    def letter_doubts(self, letters: Mapping[str, Cell]) -> dict[str, float]:
        """How likely letters are misread, of those that the photo showed, no wall covers and nobody judged."""
        if not self.reading:
            return {}
        doubts = self.reading.get("letter_doubts", {})
        return {
            letter: self._letter_doubt(letter, cell)
            for letter, cell in letters.items()
            if letter in doubts and self._seen(letter, cell) and self._open(letter, cell)
        }

    def _letter_doubt(self, letter: str, cell: Cell) -> float:
        """How likely one letter is misread, by all photos of the sheet as it lies now."""
        doubt, read = float(self.reading["letter_doubts"][letter]), self.read_letter(letter, cell)  # type: ignore[index]
        for earlier in self.before:
            then = earlier.get("letter_doubts", {}).get(letter)
            if then is not None:
                doubt = min(doubt, then) if _letter_in(earlier, letter, cell) == read else max(doubt, 1 - then)
        return doubt

    def letters_to_ask(self, letters: Mapping[str, Cell], unsure: float) -> list[str]:
        """Letters to ask about: likelier misread than `unsure`, never seen, or judged before the paper changed."""
        # Readings of older versions tell nothing of single letters.
        if not self.reading or "letter_doubts" not in self.reading:
            return []
        doubts = self.letter_doubts(letters)
        asked = {letter for letter, doubt in doubts.items() if doubt > unsure}
        unseen = {x for x, cell in letters.items() if x not in doubts and self._open(x, cell)}
        changed = {
            letter for (letter, cell), said in self.letters.items()
            if letters.get(letter) == cell and self.map_at(cell) != WALL
            and said.outdated(self.read_letter(letter, cell))
        }  # fmt: skip
        return sorted(asked | unseen | changed)

    def _seen(self, letter: str, cell: Cell) -> bool:
        """Whether the photo was read with the letter in this cell: a saved sheet can be corrected later."""
        strip = (self.reading or {}).get("letter_strip")
        return not strip or [letter, *cell] in strip["letters"]

    def _open(self, letter: str, cell: Cell) -> bool:
        return self.map_at(cell) != WALL and not self.judged(letter, cell)

    def gate_cells(self) -> list[Cell]:
        """The gates, as read and corrected: passages all."""
        read = [(row, col) for row, col in self.reading["gates"]] if self.reading else []
        judged = [(cell, said.value == GATE) for (_, cell), said in self.letters.items()]
        return sorted(c for c in _laid_over(read, [*self.gates.items(), *judged]) if self.map_at(c) == PASSAGE)

    def destination_letters(self) -> list[str]:
        """The destinations not yet claimed, as read and corrected."""
        read = self.reading["destinations"] if self.reading else []
        judged = [(letter, said.value == TRACED) for (letter, _), said in self.letters.items()]
        return sorted(_laid_over(read, [*self.destinations.items(), *judged]))


def _doubtful_cells(reading: Mapping[str, Any]) -> set[Cell]:
    # Readings of older versions do not tell doubtful cells from cells with doubtful letters.
    return {(row, col) for row, col in reading.get("doubtful_cells", reading["doubtful"])}


def _letter_in(reading: Mapping[str, Any], letter: str, cell: Cell) -> str:
    if list(cell) in reading["gates"]:
        return GATE
    return TRACED if letter in reading["destinations"] else PLAIN


def _laid_over(read: Iterable[T], said: Iterable[tuple[T, bool]]) -> set[T]:
    """What was read, once what a person said of each is laid over it; later words go before earlier ones."""
    out = set(read)
    for one, on in said:
        (out.add if on else out.discard)(one)
    return out


@dataclass
class Player:
    """A player: two sheets, and what no photo can know. `escaped_known`: whether the round was entered at all."""

    id: str
    name: str
    sheets: dict[str, Sheet] = field(default_factory=lambda: {stage: Sheet() for stage in STAGES})
    ticks: dict[str, int] = field(default_factory=dict)  # what a person counted before there was a sheet, by track
    goals: list[tuple[str, str]] = field(default_factory=list)
    goals_known: bool = False
    escaped: int | None = None
    escaped_known: bool = False
    first_square: int | None = None

    @property
    def last_stage(self) -> str | None:
        """The later stage that has a sheet; None while there is none."""
        return next((stage for stage in reversed(STAGES) if self.sheets[stage].known), None)

    def written(self) -> tuple[int | None, ...]:
        """The sums that the player wrote on the latest sheet, in reading order; None where a box is empty or unsure."""
        stage = self.last_stage
        reading = (self.sheets[stage].reading if stage else None) or {}
        return tuple(None if box["doubtful"] else box["number"] for box in reading.get("written", ()))

    @property
    def square_known(self) -> int | None:
        """The first stage's square: what a person said, else what stands on the sheet; None where its map is known."""
        if self.first_square is not None or self.sheets["first"].known:
            return self.first_square
        sums = self.written()
        return sums[0] if len(sums) == len(SUMS) else None

    @property
    def complete(self) -> bool:
        """Whether all is there that the points are made of."""
        first = self.sheets["first"].known or self.square_known is not None
        return first and self.sheets["end"].known and self.goals_known and self.escaped_known

    def contradictions(self) -> dict[str, list[Cell]]:
        """Cells filled at the end of the first stage that are something else at the end: one photo is misread.

        By the stage on which to ask: the end, and once a person judged the cell there, the first stage.
        """
        first, end = self.sheets["first"], self.sheets["end"]
        out: dict[str, list[Cell]] = {"first": [], "end": []}
        if first.known and end.known:
            before, after = first.map(), end.map()
            for cell in ((r, c) for r in range(ROWS) for c in range(COLS)):
                if before[cell[0]][cell[1]] not in (".", after[cell[0]][cell[1]]):
                    asked = "end" if cell not in end.cells else "first" if cell not in first.cells else None
                    if asked:
                        out[asked].append(cell)
        return out

    def walled_over(self, letters: Mapping[str, Cell]) -> list[str]:
        """Destinations of the first stage under a wall at the end: only people know whether somebody claimed them."""
        first, end = self.sheets["first"], self.sheets["end"]
        if not (first.known and end.known):
            return []
        return sorted(
            letter for letter in first.destination_letters()
            if letter in letters and end.map_at(letters[letter]) == WALL and not end.judged(letter, letters[letter])
        )  # fmt: skip

    def count_ticks(self, track: str, count: int) -> None:
        """A person counts the ticks of the latest sheet; before there is one, of the first that becomes known."""
        if self.last_stage is None:
            self.ticks[track] = count
        else:
            sheet = self.sheets[self.last_stage]
            sheet.ticks[track] = Correction(count, sheet.read_ticks(track))

    def give_ticks(self) -> None:
        """What was counted before there was a sheet is said of the one that is there now."""
        if self.last_stage is not None:
            for track, count in self.ticks.items():
                if track not in self.sheets[self.last_stage].ticks:
                    self.count_ticks(track, count)
            self.ticks.clear()

    def tick_count(self, track: str) -> int:
        """Ticks in a track: what a person said of the latest sheet, else what it shows, else none."""
        for sheet in (self.sheets[stage] for stage in reversed(STAGES)):
            if track in sheet.ticks:
                return sheet.ticks[track].value
            if (read := sheet.read_ticks(track)) is not None:
                return read
        return self.ticks.get(track, 0)

    def ticks_outdated(self, track: str) -> int | None:
        """What the latest photo shows in a track, where that is new and people said another number before."""
        sheet = self.sheets[self.last_stage or "end"]
        said, read = sheet.ticks.get(track), sheet.read_ticks(track)
        return read if said and said.outdated(read) else None

    def ticks_lost(self, track: str) -> int | None:
        """What people counted at the end of the first stage, where the end's photo shows fewer: ticks only grow."""
        first, end = self.sheets["first"].ticks.get(track), self.sheets["end"]
        read = end.read_ticks(track)
        fewer = first is not None and read is not None and track not in end.ticks and read < first.value
        return first.value if first and fewer else None


@dataclass
class Play:
    """A game of In the Ruin. `sheet` names the sheet profile that its photos are read with.

    `house_rules`: the readings of the rulebook's open questions that people chose.
    """

    sheet: str
    players: list[Player] = field(default_factory=list)
    house_rules: dict[str, str] = field(default_factory=dict)
    demo: bool = False

    @property
    def charge_blocks(self) -> bool:
        """Whether sets of 2×2 passages cost penalty ticks."""
        return self.house_rules.get("two-by-two") == "charged"

    def player(self, player_id: str) -> Player | None:
        return next((p for p in self.players if p.id == player_id), None)
