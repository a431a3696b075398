"""A whole demo sheet of our own, blank or filled in by a few players, photographed on a table.

    blank_photo(seed)           → BGR
    filled_photo(seed, player)  → BGR, truth

The truth is a dict: `profile` (the public JSON of a sheet profile), `lattice` (12, 12, 2)
crossings in photo pixels (the center of the first pixel is 0, 0), `map`, `destinations`,
`gates`, `ticks`, `ticked`, `erased`. Same seed, same picture. No font files are needed.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from training.synth import hands
from training.synth.camera import develop_plain, shade
from training.synth.hands import Hand, Rng, Stroke
from training.synth.letters import glyph_strokes
from training.synth.media import Layer, Medium, lay, paper_tooth
from training.synth.print import hershey_glyph, stamp, stroke_glyph, symbol
from training.synth.walls import wall

N = 11
SCALE = 72
LEFT, TOP, RIGHT, BOTTOM = 1.1, 2.9, 3.0, 1.1
"""Paper around the grid, in cells."""
MAP = ("A....B....C", "..D.....E..", "F....G....H", "..I....J...", ".....K....L", "M..N.......",
       "......O..P.", "Q...R......", "..S.....T..", ".....U....V", "W......X...")  # fmt: skip
LETTERS = {ch: (i, j) for i, row in enumerate(MAP) for j, ch in enumerate(row) if ch != "."}
ENTRANCE = (5, 5)
TRIED = 9
"""Letters that a player's paths make for; most are reached."""
TRACKS = {name: [(round(x + 0.56 * k, 4), -1.0, 0.46, 0.46) for k in range(10)]
          for name, x in (("gems", -0.2), ("penalties", 6.1))}  # fmt: skip
PENS = (
    Medium("pencil", 0.05, (0.3, 0.29, 0.29), 0.72, 0.45, True, 0.0, 0.004, False),
    Medium("ball", 0.035, (0.5, 0.2, 0.12), 0.9, 0.1, False, 0.0, 0.003, True),
    Medium("felt", 0.06, (0.12, 0.1, 0.1), 0.95, 0.03, False, 0.0, 0.004, True),
    Medium("pencil", 0.035, (0.34, 0.33, 0.33), 0.62, 0.5, True, 0.0, 0.004, False),
)
HANDS = (
    Hand(
        0.38,
        1.0,
        0.3,
        0.02,
        0,
        0.03,
        0.1,
        0.3,
        0,
        0.05,
        ("zigzag", "zigzag", "dense"),
        2.4,
        0.085,
        0.03,
        0.8,
        0.75,
        "ring",
        2,
        0.012,
    ),
    Hand(
        0.34, 1.1, 0.0, 0.03, 0, 0.05, 0.2, 0.5, 0, 0.1, ("cross", "lines"), 0.8, 0.1, 0.05, 1.0, 1.25, "ring", 2, 0.015
    ),
    Hand(
        0.4,
        0.95,
        1.0,
        0.03,
        0,
        0.04,
        0.1,
        0.3,
        0,
        0.0,
        ("solid", "edge"),
        0.3,
        0.06,
        0.05,
        0.7,
        0.72,
        "ring",
        1.5,
        0.012,
    ),
    Hand(
        0.31,
        1.0,
        0.7,
        0.04,
        0,
        0.06,
        0.3,
        0.4,
        0,
        0.1,
        ("knot", "loops", "zigzag"),
        2.0,
        0.1,
        0.02,
        1.2,
        1.3,
        "ring",
        2,
        0.015,
    ),
)


def profile() -> dict[str, Any]:
    """The demo sheet's profile, as public JSON."""
    letters = {k: list(v) for k, v in LETTERS.items()}
    tracks = {k: [list(b) for b in v] for k, v in TRACKS.items()}
    return {"name": "demo", "rows": N, "cols": N, "letters": letters, "entrance": list(ENTRANCE), "tracks": tracks}


def blank_photo(seed: int = 0) -> np.ndarray:
    """The demo sheet as it comes out of the box, photographed: (1200, 1600, 3) uint8 BGR."""
    rng = np.random.default_rng([77, seed])
    return _photograph(rng, _paper())[0]


def filled_photo(
    seed: int = 0, player: int = 0, sheet: dict[str, Any] | None = None
) -> tuple[np.ndarray, dict[str, Any]]:
    """A player's filled sheet, photographed: (1200, 1600, 3) uint8 BGR, and its truth.

    Args:
        seed: what chance is drawn from.
        player: whose pen and hand.
        sheet: what stands on it: `map`, `traced` letters, cells of `gates`, cells `erased`, `ticks`; None: any.
    """
    rng = np.random.default_rng([78, seed, player])
    image, truth = filled_paper(rng, player, sheet)
    photo, lattice = _photograph(rng, image)
    return photo, {**truth, "lattice": lattice}


def filled_paper(rng: Rng, player: int = 0, sheet: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
    """A player's filled sheet seen flat, (H, W, 3) float32 BGR, 0 to 1, and its truth; `sheet` as `filled_photo` has
    it."""
    pen, hand = PENS[player % len(PENS)], HANDS[player % len(HANDS)]
    sheet = sheet or _play(rng)
    image = _paper()
    layer = Layer(pen, image.shape[:2], SCALE)
    at = lambda cell: ((cell[1] + 0.5 + LEFT) * SCALE, (cell[0] + 0.5 + TOP) * SCALE)  # noqa: E731
    image = _erase(rng, image, sheet["erased"], hand, at)
    for i, row in enumerate(sheet["map"]):
        for j, kind in enumerate(row):
            if kind == "#":
                layer.draw(rng, wall(rng, hand, (-0.5, -0.5, 1, 1)), at((i, j)))
            elif kind == "o" and (i, j) != ENTRANCE:
                layer.draw(
                    rng, hands.gate(rng, hand) if (i, j) in sheet["gates"] else hands.passage(rng, hand)[0], at((i, j))
                )
    for letter in sheet["traced"]:
        bold = Layer(replace(pen, width=pen.width * 1.3), image.shape[:2], SCALE)
        bold.draw(rng, hands.traced(rng, hand, glyph_strokes(letter, 0.4)), at(LETTERS[letter]), 1.2)
        layer.ink = np.maximum(layer.ink, bold.ink)
    for name, count in sheet["ticks"].items():
        for x, y, w, h in TRACKS[name][:count]:
            middle = ((x + w / 2 + LEFT) * SCALE, (y + h / 2 + TOP) * SCALE)
            layer.draw(rng, _tick(rng), middle)
    image = lay(image, layer.opacity(rng, paper_tooth(rng, image.shape[:2], SCALE)), pen)
    truth = {
        "profile": profile(),
        "map": sheet["map"],
        "gates": sheet["gates"],
        "ticks": sheet["ticks"],
        "ticked": {k: [int(i < n) for i in range(10)] for k, n in sheet["ticks"].items()},
        "destinations": sorted(c for c in sheet["traced"] if LETTERS[c] not in sheet["gates"]),
        "erased": sheet["erased"],
    }
    return image, truth


def _tick(rng: Rng) -> list[Stroke]:
    points = np.array([[-0.17, 0.0], [-0.05, 0.15], [0.2, -0.2]]) + rng.normal(0, 0.02, (3, 2))
    return [hands.pressed(rng, hands.resample(points, 0.06))]


def _erase(rng: Rng, image: np.ndarray, cells: list, hand: Hand, at) -> np.ndarray:
    """Faint rings that were rubbed out."""
    rubber = Layer(Medium("pencil", 0.05, (0.4, 0.4, 0.4), 0.6, 0.3, True, 0, 0.02, True), image.shape[:2], SCALE)
    for cell in cells:
        rubber.draw(rng, hands.passage(rng, hand)[0], at(cell), 0.12)
    return lay(image, rubber.opacity(rng, paper_tooth(rng, image.shape[:2], SCALE)), rubber.medium)


def _play(rng: Rng) -> dict[str, Any]:
    """A map as it grows in play: paths from the entrance to letters, one reached by a warp, walls beside them.

    Nowhere are 2×2 passages, which the rules forbid. Two letters are gates; three more are destinations.
    """
    kinds = np.full((N, N), ".", dtype="<U1")
    kinds[ENTRANCE] = "o"
    order = [str(letter) for letter in rng.permutation(sorted(LETTERS))]
    far = next(c for c in order if max(abs(k - e) for k, e in zip(LETTERS[c], ENTRANCE, strict=True)) > 3)
    order.remove(far)
    reached = [letter for letter in order[:TRIED] if _path(rng, kinds, LETTERS[letter], LETTERS[far])]
    i, j = LETTERS[far]
    kinds[i, j] = kinds[i, j + 1 if j < N - 1 else j - 1] = "o"
    near = cv2.dilate((kinds == "o").astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    kinds[near & (kinds == ".") & (rng.random((N, N)) < 0.62)] = "#"
    gates = [reached[0], far]
    blank = [letter for letter in LETTERS if kinds[LETTERS[letter]] == "."]
    traced = sorted(gates + [str(c) for c in rng.choice(blank, min(3, len(blank)), replace=False)])
    blanks = [(int(i), int(j)) for i, j in zip(*np.nonzero(kinds == "."), strict=True)]
    erased = [blanks[k] for k in rng.choice(len(blanks), min(2, len(blanks)), replace=False)]
    return {"map": ["".join(row) for row in kinds], "traced": traced, "gates": sorted(LETTERS[c] for c in gates),
            "erased": erased,
            "ticks": {"gems": int(rng.integers(0, 11)), "penalties": int(rng.integers(0, 6))}}  # fmt: skip


def _path(rng: Rng, kinds: np.ndarray, goal: tuple[int, int], far: tuple[int, int]) -> bool:
    """Draw a path from the nearest passage to a cell. False, and nothing, where it made 2×2 or came near `far`."""
    passages = np.argwhere(kinds == "o")
    i, j = passages[np.abs(passages - goal).sum(1).argmin()]
    drawn = kinds.copy()
    while (i, j) != goal:
        down, right = int(np.sign(goal[0] - i)), int(np.sign(goal[1] - j))
        if right == 0 or (down and rng.random() < 0.5):
            i += down
        else:
            j += right
        drawn[i, j] = "o"
    passage = drawn == "o"
    blocks = passage[1:, 1:] & passage[1:, :-1] & passage[:-1, 1:] & passage[:-1, :-1]
    top, left = max(0, far[0] - 2), max(0, far[1] - 2)
    if blocks.any() or passage[top : far[0] + 3, left : far[1] + 3].any():
        return False
    kinds[:] = drawn
    return True


def _paper() -> np.ndarray:
    """The printed sheet seen flat, (H, W, 3) float32 BGR, 0 to 1."""
    h, w = round((N + TOP + BOTTOM) * SCALE), round((N + LEFT + RIGHT) * SCALE)
    image = np.full((h, w, 3), (0.91, 0.95, 0.96), np.float32)
    ink = np.float32([0.16, 0.15, 0.17])
    gray = (0.42, 0.42, 0.43)
    px = lambda x, y: (round((x + LEFT) * SCALE), round((y + TOP) * SCALE))  # noqa: E731
    for off, thick in ((0.35, 3), (0.45, 1)):
        cv2.rectangle(
            image,
            px(-LEFT + off, -TOP + off),
            px(N + RIGHT - off, N + BOTTOM - off),
            (0.35, 0.4, 0.5),
            thick,
            cv2.LINE_AA,
        )
    for k in range(N + 1):
        cv2.line(image, px(0, k), px(N, k), gray, 1, cv2.LINE_AA)
        cv2.line(image, px(k, 0), px(k, N), gray, 1, cv2.LINE_AA)
    cv2.rectangle(image, px(0, 0), px(N, N), ink.tolist(), 4, cv2.LINE_AA)
    letter = stroke_glyph(7)
    for name, (i, j) in LETTERS.items():
        stamp(image, letter(name), px(j + 0.5, i + 0.5), 0.42 * SCALE, ink)
    rng = np.random.default_rng(5)
    symbol(rng, image, px(ENTRANCE[1] + 0.5, ENTRANCE[0] + 0.5), 0.85 * SCALE, 1)
    title = hershey_glyph(cv2.FONT_HERSHEY_TRIPLEX, 4)
    stamp(image, title("THE SUNKEN HALLS"), px(5.5, -2.0), 0.5 * SCALE, ink)
    label = hershey_glyph(cv2.FONT_HERSHEY_DUPLEX, 3)
    for name, boxes in TRACKS.items():
        word = {"gems": "GEMS", "penalties": "PENALTY"}[name]
        stamp(image, label(word), px(boxes[0][0] + 0.11 * len(word), boxes[0][1] - 0.25), 0.2 * SCALE, ink)
        for x, y, w_, h_ in boxes:
            cv2.rectangle(image, px(x, y), px(x + w_, y + h_), ink.tolist(), 2, cv2.LINE_AA)
    for k in range(6):
        symbol(rng, image, px(N + 1.2, 1 + 1.6 * k), 0.7 * SCALE, (2, 5, 6, 4, 2, 6)[k])
        cv2.rectangle(image, px(N + 1.8, 0.7 + 1.6 * k), px(N + 2.4, 1.3 + 1.6 * k), ink.tolist(), 1, cv2.LINE_AA)
    return image


def _photograph(rng: Rng, paper: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lay the paper on a table and photograph it askew. Returns the photo and the lattice in its pixels."""
    height, width = 1200, 1600
    h, w = paper.shape[:2]
    scene = _table(rng, height, width)
    fit = min(width / w, height / h) * rng.uniform(0.84, 0.9)
    corners = (np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - (w / 2, h / 2)) * fit
    corners[:2] *= rng.uniform(0.8, 0.94)
    turn = rng.normal(0, 0.06)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    seen = corners @ spin + (width / 2, height / 2) + rng.normal(0, 12, (4, 2))
    seen = np.clip(seen, 25, (width - 25, height - 25)).astype(np.float32)
    scene, lattice = _laid(scene, paper, seen)
    return develop_plain(rng, np.power(scene, 2.2, dtype=np.float32) * shade(rng, (height, width))), lattice


def photographed_together(
    rng: Rng, papers: Sequence[np.ndarray], corners: Sequence[np.ndarray], shape: tuple[int, int] = (1200, 1600)
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Several papers on one table, as `filled_paper` draws them, later ones over earlier ones.

    Args:
        rng: what chance is drawn from.
        papers: the papers.
        corners: (4, 2) for each, where its top left, top right, bottom right and bottom left lie in the photo, pixels.
        shape: the photo's height and width.

    Returns the photo, uint8 BGR, and each sheet's lattice in its pixels.
    """
    scene, lattices = _table(rng, *shape), []
    for paper, seen in zip(papers, corners, strict=True):
        scene, lattice = _laid(scene, paper, seen.astype(np.float32))
        lattices.append(lattice)
    return develop_plain(rng, np.power(scene, 2.2, dtype=np.float32) * shade(rng, shape)), lattices


def _laid(scene: np.ndarray, paper: np.ndarray, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The scene with a paper, its corners at `seen`, and its lattice there."""
    (height, width), (h, w) = scene.shape[:2], paper.shape[:2]
    to_photo = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5, seen)
    there = cv2.warpPerspective(np.ones((h, w), np.float32), to_photo, (width, height), flags=cv2.INTER_LINEAR)
    shadow = cv2.GaussianBlur(cv2.warpAffine(there, np.float32([[1, 0, 9], [0, 1, 12]]), (width, height)), (0, 0), 9)
    scene = scene * (1 - 0.45 * shadow[..., None])
    sheet = cv2.warpPerspective(paper, to_photo, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    scene = scene * (1 - there[..., None]) + sheet * there[..., None]
    u, v = np.meshgrid(np.arange(N + 1.0), np.arange(N + 1.0))
    flat = np.stack([(u + LEFT) * SCALE, (v + TOP) * SCALE], -1).reshape(-1, 1, 2)
    return scene, cv2.perspectiveTransform(flat, to_photo).reshape(N + 1, N + 1, 2)


def _table(rng: Rng, height: int, width: int) -> np.ndarray:
    """Wood: streaks along one way."""
    noise = rng.normal(0, 1, (height // 2, width // 8)).astype(np.float32)
    streaks = cv2.GaussianBlur(cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC), (0, 0), 2)
    base = np.float32([0.3, 0.42, 0.55]) * rng.uniform(0.7, 1.1)
    return np.clip(base * (1 + 0.12 * streaks[..., None]), 0.02, 1)
