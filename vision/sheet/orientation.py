"""Which way up a found grid lies, and whether it is this profile's sheet at all: the print tells.

The profile's letters are looked for at each turn, a few at once; hands leave some of them bare, and a few are enough.
Where they are all hidden the outlines of the tick tracks decide, and at last the photo's own top.
"""

import random
from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.flatten import SheetMap, cut_cells
from vision.sheet.printed_letters import ALPHABET, NONE, SIDE, SPAN, read_patches
from vision.sheet.profile import SheetProfile
from vision.sheet.ticks import place_boxes


@dataclass(frozen=True)
class UprightSettings:
    """Counts of letters, or shares of the profile's letters."""

    at_once: int = 8  # letters read before it is asked whether they suffice
    clear: float = 4  # read in their places, with few others there, settle it
    mirrored: float = 2.5  # the same where they are read as in a mirror, and not as they are
    doubt: float = 0.04  # how likely a letter reads wrongly or is hidden, at least
    close: float = 8.0  # difference in log likelihood below which the tracks are asked
    weight: float = 40.0  # of the tracks' outlines in log likelihood
    other_read: float = 0.12  # share of the letters read in their places, at most, for another sheet
    other_least: float = 5  # and so many letters plainly read where the profile has none or others
    unseen_of: int = 8  # letters that a profile must have before it means anything that none is seen
    unseen_read: float = 1.5  # read in their places, at most, where the print is not seen
    unseen_margin: float = 3.0  # and the turn likelier by less than one letter, plainly read, would make it
    doubtful: float = 0.4  # share of doubtful cells from which `close` is too little as well


SETTINGS = UprightSettings()
ROUND = "OQCDGUIXSL"
"""Letters that hand-drawn circles and strokes may look like: no proof of another sheet."""


@dataclass(frozen=True)
class Evidence:
    """How the turn was found: `turn`, in quarters counterclockwise from the given lattice; `read`, how many of the
    profile's letters were read in their places; `strange`, how many others plainly stand where they should not;
    `margin`, difference in log likelihood to the next best turn (inf where no other was needed)."""

    turn: int
    read: float
    strange: float
    margin: float

    def other(self, profile: SheetProfile) -> bool:
        """The print plainly belongs to another sheet."""
        few = self.read < max(1.5, SETTINGS.other_read * len(profile.letters))
        return bool(profile.letters) and few and self.strange >= SETTINGS.other_least

    def unseen(self, profile: SheetProfile, doubtful: float = 0.0) -> bool:
        """Nothing of the print is seen, neither letters nor tracks: this may be no sheet at all.

        `doubtful`: share of the cells, 0 to 1, whose marks are doubtful; what is no sheet has many.
        """
        least = SETTINGS.unseen_margin if doubtful < SETTINGS.doubtful else SETTINGS.close
        known = len(_letters(profile)[0]) if profile.letters else 0
        return known >= SETTINGS.unseen_of and self.read < SETTINGS.unseen_read and self.margin < least


def upright(image: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> tuple[np.ndarray, Evidence]:
    """Turn a found lattice so that [0, 0] is the sheet's top left corner.

    Args:
        image: (H, W, 3) BGR or (H, W) gray photo.
        lattice: (rows + 1, cols + 1, 2) crossings in photo pixels, any turn (not mirrored).
    """
    turns = _turns(np.asarray(lattice), profile.rows, profile.cols)
    first = turns[0]
    if not profile.letters or len(turns) == 1:
        return np.rot90(lattice, first), Evidence(first, 0, 0, 0.0)
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    cells, classes = _letters(profile)
    seen, settled, read = _read_at_once(gray, lattice, turns, cells, classes)
    if settled is not None:
        return np.rot90(lattice, settled), Evidence(settled, read, 0, np.inf)
    fits = {
        t: float(np.log(SETTINGS.doubt + (1 - SETTINGS.doubt) * p[np.arange(len(p)), classes]).sum())
        for t, p in seen.items()
    }
    ranked = sorted(turns, key=lambda t: -fits[t])
    if profile.tracks and fits[ranked[0]] - fits[ranked[1]] < SETTINGS.close:
        for turn in turns:
            sheet_map = SheetMap(np.rot90(lattice, turn))
            outlines = [place_boxes(gray, sheet_map, boxes)[1] for boxes in profile.tracks.values() if boxes]
            fits[turn] += SETTINGS.weight * float(np.mean(outlines or [0]))
        ranked = sorted(turns, key=lambda t: -fits[t])
    best = ranked[0]
    read, wrong = _agreement(seen[best], classes)
    strange = wrong
    if read < max(1.5, SETTINGS.other_read * len(classes)):
        strange = _strange(gray, lattice, turns, profile)
    return np.rot90(lattice, best), Evidence(best, read, strange, fits[best] - fits[ranked[1]])


def first_look(gray: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> int | None:
    """The turn, in quarters counterclockwise, where a few letters settle it; None where `upright` must look closely.

    A lattice whose crossings are a little off will do.
    """
    turns = _turns(np.asarray(lattice), profile.rows, profile.cols)
    if not profile.letters or len(turns) == 1:
        return None
    return _read_at_once(gray, lattice, turns, *_letters(profile))[1]


def is_mirrored(gray: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> bool:
    """Whether the sheet's letters are read in their places as in a mirror; `lattice` of any turn, where they are not
    read as it is."""
    flipped = np.asarray(lattice)[:, ::-1]
    turns = _turns(flipped, profile.rows, profile.cols)
    if not profile.letters or len(turns) == 1:
        return False
    cells, classes = _letters(profile)
    seen, settled, _ = _read_at_once(gray, flipped, turns, cells, classes)
    found = (_agreement(one, classes) for one in seen.values()) if settled is None else ()
    return settled is not None or any(read >= SETTINGS.mirrored and read > 2 * wrong for read, wrong in found)


def _letters(profile: SheetProfile) -> tuple[np.ndarray, np.ndarray]:
    """Cells (n, 2) and classes (n,) of the profile's letters, of those that the network knows."""
    names = sorted(profile.letters)
    cells = np.array([profile.letters[n] for n in names])
    classes = np.array([ALPHABET.find(n) for n in names])
    return cells[classes >= 0], classes[classes >= 0]


def _read_at_once(
    gray: np.ndarray, lattice: np.ndarray, turns: list[int], cells: np.ndarray, classes: np.ndarray
) -> tuple[dict[int, np.ndarray], int | None, float]:
    """Read a few letters at each turn, then a few more, until at one of them enough stand in their places.

    Returns what was seen at each turn, (n, 27), of all letters unless it was settled; the turn that settled it and how
    many letters were read there, or None and 0.
    """
    order = np.array(random.Random(0).sample(range(len(cells)), len(cells)), int)  # sooner loaded than NumPy's
    seen = {turn: np.empty((0, NONE + 1), np.float32) for turn in turns}
    for part in np.split(order, range(SETTINGS.at_once, len(order), SETTINGS.at_once)):
        for turn in turns:
            seen[turn] = np.concatenate([seen[turn], _read(gray, lattice, turn, cells[part])])
            read, wrong = _agreement(seen[turn], classes[order[: len(seen[turn])]])
            if read >= SETTINGS.clear and read > 2 * wrong:
                return seen, turn, read
    return {turn: every[np.argsort(order)] for turn, every in seen.items()}, None, 0.0


def _turns(lattice: np.ndarray, rows: int, cols: int) -> list[int]:
    """Turns that give rows × cols, the one with the photo's own top first."""
    fitting = [k for k in range(4) if np.rot90(lattice, k).shape[:2] == (rows + 1, cols + 1)]
    if not fitting:
        raise ValueError(f"expected a lattice of {rows} × {cols} cells, got {lattice.shape}")

    def lean(turn: int) -> float:
        turned = np.rot90(lattice, turn)
        right = (turned[:, -1] - turned[:, 0]).sum(0)
        return abs(float(np.arctan2(right[1], right[0])))

    start = min(fitting, key=lean)
    return sorted(fitting, key=lambda k: (k - start) % 4)


def _read(gray: np.ndarray, lattice: np.ndarray, turn: int, cells: np.ndarray) -> np.ndarray:
    return read_patches(cut_cells(gray, SheetMap(np.rot90(lattice, turn)), cells, SIDE, SPAN))


def _agreement(seen: np.ndarray, classes: np.ndarray) -> tuple[float, float]:
    """How many letters are read in their places, and how many others plainly are."""
    own = seen[np.arange(len(seen)), classes]
    other = 1 - own - seen[:, NONE]
    return float(own.sum()), float(other[other > 0.8].sum())


def _strange(gray: np.ndarray, lattice: np.ndarray, turns: list[int], profile: SheetProfile) -> float:
    """Letters plainly read where the profile has none or others, at the turn at which most are read."""
    every = np.moveaxis(np.mgrid[0 : profile.rows, 0 : profile.cols], 0, -1).reshape(-1, 2)
    expected = {tuple(cell): letter for letter, cell in profile.letters.items()}
    most = 0.0
    for turn in turns:
        seen = _read(gray, lattice, turn, every)
        named = seen[:, :NONE].argmax(1)
        plain = seen.max(1) > 0.9
        strange = [
            ALPHABET[n] not in ROUND and expected.get(tuple(cell)) != ALPHABET[n] and tuple(cell) != profile.entrance
            for n, cell in zip(named, every, strict=True)
        ]
        # One sheet has each letter once: hand marks that look like a letter do so again and again.
        most = max(most, float(len(set(named[plain & (seen.argmax(1) != NONE) & np.array(strange)]))))
    return most
