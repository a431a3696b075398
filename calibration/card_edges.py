"""Where the cards of a photo end: all of them lie flat on one table, are of known sizes, and have rims alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import cv2
import numpy as np

from vision.cards.compare import affine_at_middle
from vision.cards.poses import fit_table


@dataclass(frozen=True)
class EdgesSettings:
    """How edges are looked for around a card. Lengths are millimetres."""

    tell_table: int = 4  # cards by which the table's plane is known
    reach: float = 8.0  # how far from where a side was seen its edge is looked for
    step: float = 0.25
    tilts: tuple[float, ...] = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)  # degrees
    side_part: float = 0.84  # the share of a side that is straight
    side_points: int = 48  # points on it
    parts: int = (
        6  # of a side, in which colors are averaged: print differs along a side, the table's grain does not count
    )
    across: float = 0.5  # how far on both sides of an edge colors are compared
    apart: float = 0.75  # how far two edges are apart, at least
    clear: float = 14.0  # grey levels from which an edge is as clear as can be
    sides_by_luck: float = 2.0  # of four: two that lie on edges any rectangle has
    peak: float = 0.5  # how far outlines are apart that are told apart, at least
    outer: float = 0.65
    """Part of what speaks for the best outline, luck aside, from which the largest one is the card, not its print."""
    print_inside: float = 1.0  # how far within the card's edge its print may end, at least
    smallest: float = -6.0  # by how much smaller or larger than the outlines that were seen the cards may be
    largest: float = 6.0
    says_print: float = 0.5  # how much the print's edge tells where a card lies, in parts of what its own does
    aside: tuple[float, ...] = (2.25, 0.75, 0.75, 0.75)
    """How far a card may lie aside of where it was seen, round by round: its neighbours' edges lie farther."""
    agreed: tuple[float, ...] = (0.75, 0.5, 0.4, 0.3)
    """The same for cards that tell how large all of them are: farther, and one edge of the print and one of the card
    make an outline."""
    least_rim: float = 1.25  # between the print's edge and the card's, at least, to be told apart
    most_rim: float = 7.0  # the same, at most
    rim_edge: float = 3.0  # grey levels of the edge that most cards have in common beyond their outlines, at least
    rim_clear: float = 4.0  # how many times what is usual there it is besides
    as_large: float = 0.98  # of the area of the largest cards that any way makes, at least
    lenses: tuple[float, ...] = (0.6, 0.75, 0.9, 1.1, 1.4, 1.7, 2.1, 2.6)
    """How long cameras' lenses are, in widths of their pictures."""
    on_another: float = 0.02
    """Part of a card that may lie on its neighbour: cards that touch, each laid a quarter of a millimetre off, have
    half of that."""
    bent: float = 0.05
    """By how much a table may look stretched as no camera sees it: a logarithm."""
    bent_alone: float = 0.025
    """The same of a card that lies alone, or nearly so: one side on its print's edge stretches it."""
    bent_one: float = 0.1  # the same of one card as its outline was seen
    clear_alone: float = 0.9  # how clear an edge is, 0 to 1, on which that side may lie instead
    clearest_point: float = 60.0  # grey levels from which an edge is as clear as can be at one point of a side
    long_steps: tuple[float, ...] = (0.8, 0.4, 0.2, 0.1)  # by which each card alone is moved
    clearest: float = 255.0  # the same where a card is laid exactly
    steps: tuple[float, ...] = (0.2, 0.1, 0.05)  # by which a card is moved in the end until its outline lies on edges


SETTINGS = EdgesSettings()
OFFSETS = np.arange(-SETTINGS.reach, SETTINGS.reach + 1e-6, SETTINGS.step)
OUTWARD = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])


def card_corners(size: Sequence[float]) -> np.ndarray:
    """A card's corners (4, 2) in millimetres from its middle, from its top left."""
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2


def on_one_table(
    photo: np.ndarray,
    seen: tuple[Sequence[np.ndarray], Sequence[np.ndarray]],
    sizes: Sequence[Sequence[float]],
) -> list[np.ndarray]:
    """The cards' corners again, all cards lying flat on one table and being of their sizes: a side that was taken for
    the print's edge, or the table's grain, is put right by the others, and the print of all by the rims around it.

    `seen`: the corners (4, 2) of all cards by the edges around them, and the same by their outlines alone, which count
    where the edges make a table that no camera sees so.

    Of several ways to lay them that counts whose cards' faintest sides are clearest, if none makes larger cards.
    """
    by_edges, by_outlines = seen
    soft = cv2.GaussianBlur(photo, (0, 0), 1.0)
    if len(by_edges) < SETTINGS.tell_table:
        return [_of_its_shape(soft, quad, size) for quad, size in zip(by_edges, sizes, strict=True)]
    ways = _ways(soft, by_edges, sizes)
    apart = [way for way in ways if _lie_apart(way)]
    if not apart:
        more = _ways(soft, by_outlines, sizes)
        apart = [way for way in more if _lie_apart(way)]
        ways += more
    ways = apart or ways
    areas = [sum(cv2.contourArea(quad.astype(np.float32)) for quad in way) for way in ways]
    large = [way for way, area in zip(ways, areas, strict=True) if area > SETTINGS.as_large * max(areas)]
    if min(_bent(soft.shape, way, sizes) for way in large) > SETTINGS.bent:
        ways += _ways(soft, by_outlines, sizes)
        large = [way for way in ways if _bent(soft.shape, way, sizes) <= SETTINGS.bent] or large
    return max(large, key=lambda way: round(_faintest_side(soft, way, sizes), 2))


def _lie_apart(quads: Sequence[np.ndarray]) -> bool:
    """Whether no card lies on another one: to be learnt they lie side by side."""
    shapes = [quad.astype(np.float32) for quad in quads]
    return not any(
        cv2.intersectConvexConvex(one, other)[0] > SETTINGS.on_another * cv2.contourArea(one)
        for one, other in combinations(shapes, 2)
    )


def _ways(soft: np.ndarray, quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]) -> list[list[np.ndarray]]:
    """Ways to lay the cards that were seen so: each alone; all alike, from there and from where they were seen."""
    alone = _each_alone(soft, quads, sizes)
    rim = _rim(soft, alone, sizes)
    ways = [_each_alone(soft, _all_grown(alone, sizes, rim), sizes) if rim else alone]
    for start in (ways[0], quads):
        laid = _laid_alike(soft, start, sizes, None)
        rim = _rim(soft, laid, sizes)
        ways.append(_laid_alike(soft, _all_grown(laid, sizes, rim), sizes, -rim) if rim else laid)
    return ways


def _of_its_shape(soft: np.ndarray, quad: np.ndarray, size: Sequence[float]) -> np.ndarray:
    """The corners of a card that lies alone: where no camera sees a card of its size so, as few of its sides as mend
    that lie on other edges near."""
    card = card_corners(size)
    to_photo = _map(card, quad)
    bent = _bent_so(soft.shape, np.linalg.inv(to_photo))
    if bent <= SETTINGS.bent_alone:
        return quad
    clear = _edges(soft, to_photo, np.zeros(3), card)[SETTINGS.tilts.index(0.0)]
    peak = (clear > SETTINGS.clear_alone) & (clear >= cv2.dilate(clear, np.ones((1, 3))))
    places = [[0.0, *OFFSETS[one & (SETTINGS.apart < OFFSETS)]] for one in peak]
    best = (0, bent, quad)
    for top, right, bottom, left in product(*places):
        moved = card + np.array([[-left, -top], [right, -top], [right, bottom], [-left, bottom]])
        outline = cv2.perspectiveTransform(moved[None], to_photo)[0]
        n = int(np.count_nonzero((top, right, bottom, left)))
        bent = _bent_so(soft.shape, np.linalg.inv(_map(card, outline)))
        if bent <= SETTINGS.bent_alone and (best[0] == 0 or (n, bent) < best[:2]):
            best = n, bent, outline
    return best[2]


def as_cameras_see(shape: Sequence[int], quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]) -> bool:
    """Whether cards at these corners, (4, 2) each from their own top left, lie on one table as a camera may see it;
    few tell little, each for itself."""
    if len(quads) >= SETTINGS.tell_table:
        return _bent(shape, quads, sizes) <= SETTINGS.bent
    maps = [_map(card_corners(size), quad) for quad, size in zip(quads, sizes, strict=True)]
    return all(_bent_so(shape, np.linalg.inv(to_photo)) <= SETTINGS.bent_one for to_photo in maps)


def _bent(shape: Sequence[int], quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]) -> float:
    """By how much, as a logarithm, the table on which cards lie so is stretched or skewed as no camera sees a table.

    A camera has square pixels and looks through the middle of its picture: of its lens only the angle is unknown
    (two views' constraint of a plane, Zhang 2000, with one of five unknowns left).
    """
    to_mm = _table(shape, quads, sizes)
    return np.inf if to_mm is None else _bent_so(shape, to_mm)


def _bent_so(shape: Sequence[int], to_mm: np.ndarray) -> float:
    """See `_bent`; `to_mm` (3, 3) from pixels to millimetres of the table."""
    h, w = shape[:2]
    to_view = np.array([[1, 0, (1 - w) / 2], [0, 1, (1 - h) / 2], [0, 0, w]]) @ np.linalg.inv(to_mm)
    right, down = (
        to_view[:, i] / np.array([SETTINGS.lenses, SETTINGS.lenses, np.ones(len(SETTINGS.lenses))]).T for i in (0, 1)
    )
    along = np.linalg.norm(right, axis=1), np.linalg.norm(down, axis=1)
    skewed = (right * down).sum(1) / (along[0] * along[1])
    return float(np.hypot(np.log(along[0] / along[1]), skewed).min())


def _table(shape: Sequence[int], quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]) -> np.ndarray | None:
    """(3, 3) from pixels to millimetres of the table on which cards lie so."""
    maps = [_map(card_corners(size), quad) for quad, size in zip(quads, sizes, strict=True)]
    return fit_table([(affine_at_middle(m), 1.0) for m in maps], tuple(shape))


def _map(card: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """(3, 3) from a card's millimetres to the photo's pixels."""
    return np.asarray(cv2.getPerspectiveTransform(card.astype(np.float32), quad.astype(np.float32)))


def _all_grown(quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]], mm: float) -> list[np.ndarray]:
    """The cards' corners where their outlines are moved outwards."""
    cards = [card_corners(size) for size in sizes]
    return [
        cv2.perspectiveTransform(_grown(card, mm)[None], _map(card, quad))[0]
        for quad, card in zip(quads, cards, strict=True)
    ]


def _faintest_side(soft: np.ndarray, quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]) -> float:
    """How clear, 0 to 1, the faintest side of a card is, in the mean of all."""
    straight, here = SETTINGS.tilts.index(0.0), np.abs(OFFSETS) < 1.5 * SETTINGS.step
    faintest = []
    for quad, size in zip(quads, sizes, strict=True):
        card = card_corners(size)
        edges = _edges(soft, _map(card, quad), np.zeros(3), card)[straight]
        faintest.append(edges[:, here].max(1).min())
    return float(np.mean(faintest))


def _each_alone(soft: np.ndarray, quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]) -> list[np.ndarray]:
    """The cards' corners where each is of its size on the table that all tell, its outline on the clearest edges near.

    The table is that of the outlines as they were seen: of how large cards are nothing is asked.
    """
    cards = [card_corners(size) for size in sizes]
    to_mm = _table(soft.shape, quads, sizes)
    if to_mm is None:
        return list(quads)
    from_mm, out = np.linalg.inv(to_mm), []
    for quad, card in zip(quads, cards, strict=True):
        seen = cv2.perspectiveTransform(quad[None].astype(np.float64), to_mm)[0]
        laid = _rigid_on_edges(soft, from_mm, seen, card)
        out.append(cv2.perspectiveTransform(laid[None], from_mm)[0])
    return out


def _rigid_on_edges(soft: np.ndarray, from_mm: np.ndarray, seen: np.ndarray, card: np.ndarray) -> np.ndarray:
    """Where a card lies on the table, (4, 2) in millimetres: its outline on the clearest edges near what was seen."""
    along = np.linspace(-SETTINGS.side_part / 2, SETTINGS.side_part / 2, 2 * SETTINGS.side_points)[:, None]
    inward = np.array([[0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]]) * SETTINGS.across
    sides = [(card[i] + card[(i + 1) % 4]) / 2 + along * (card[(i + 1) % 4] - card[i]) for i in range(4)]
    probes = np.stack([np.concatenate([s + sign * n for s, n in zip(sides, inward, strict=True)]) for sign in (-1, 1)])

    def laid(x: float, y: float, turn: float, what: np.ndarray) -> np.ndarray:
        c, s = np.cos(turn), np.sin(turn)
        return np.asarray(what @ np.array([[c, s], [-s, c]]) + (x, y))

    def clear(pose: tuple[float, float, float]) -> float:
        at = cv2.perspectiveTransform(laid(*pose, probes.reshape(-1, 2))[None], from_mm)[0].astype(np.float32)
        colors = cv2.remap(soft, at[:, :1], at[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        outer, inner = colors[:, 0].astype(np.float32).reshape(2, 4, -1, 3)
        steep = np.minimum(np.abs(outer - inner).max(-1), SETTINGS.clearest_point)
        return float(np.sqrt(steep.mean(1)).sum())

    poses = []
    for i in range(4):
        side, own = seen[(i + 1) % 4] - seen[i], card[(i + 1) % 4] - card[i]
        turn = float(np.arctan2(side[1], side[0]) - np.arctan2(own[1], own[0]))
        for k in range(4):  # the corner that is taken as it was seen
            x, y = seen[k] - laid(0, 0, turn, card)[k]
            poses.append((float(x), float(y), turn))
    best = max(poses, key=clear)
    value, reach = clear(best), float(np.abs(card).max())
    for step in SETTINGS.long_steps:
        while True:
            near = [
                (best[0] + dx * step, best[1] + dy * step, best[2] + dt * step / reach)
                for dx, dy, dt in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
            ]
            values = [clear(pose) for pose in near]
            if max(values) <= value:
                break
            best, value = near[int(np.argmax(values))], max(values)
    return laid(*best, card)


def _laid_alike(
    soft: np.ndarray, quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]], print_ends: float | None
) -> list[np.ndarray]:
    """The cards' corners where they are rectangles of their sizes on one table, and have rims alike.

    `print_ends`: how many millimetres beyond the outlines seen the print ends, if those are the cards'; None: nobody
    knows whose they are.
    """
    cards = [card_corners(size) for size in sizes]
    now = [quad.astype(np.float64) for quad in quads]
    for aside, agreed in zip(SETTINGS.aside, SETTINGS.agreed, strict=True):
        to_mm = _table(soft.shape, now, sizes)
        if to_mm is None:
            return now
        from_mm = np.linalg.inv(to_mm)
        seen = [
            _pose(cv2.perspectiveTransform(quad[None], to_mm)[0], card) for quad, card in zip(now, cards, strict=True)
        ]
        edges = [_edges(soft, from_mm, pose, card) for pose, card in zip(seen, cards, strict=True)]
        larger, print_larger = _outlines_alike(edges, agreed) if print_ends is None else (0.0, print_ends)
        poses = [_placed(one, pose, aside, larger, print_larger) for one, pose in zip(edges, seen, strict=True)]
        now = [
            cv2.perspectiveTransform(_laid(pose, _grown(card, larger))[None], from_mm)[0]
            for pose, card in zip(poses, cards, strict=True)
        ]
    outlines = [(larger, 1.0)] + ([] if print_larger is None else [(print_larger, SETTINGS.says_print)])
    return [
        cv2.perspectiveTransform(
            _laid(_exactly(soft, from_mm, pose, card, outlines), _grown(card, larger))[None], from_mm
        )[0]
        for pose, card in zip(poses, cards, strict=True)
    ]


def _rim(soft: np.ndarray, quads: Sequence[np.ndarray], sizes: Sequence[Sequence[float]]) -> float:
    """By how many millimetres another edge of most cards lies beyond their outlines, on all sides; 0 where none does.

    The table's grain makes no such edges: it differs from card to card and from side to side.
    """
    along = np.linspace(-SETTINGS.side_part / 2, SETTINGS.side_part / 2, SETTINGS.side_points)[:, None]
    beyond = np.arange(0.0, SETTINGS.most_rim, SETTINGS.step)
    steep = np.zeros((len(quads), 4, len(beyond)))
    for i, (quad, size) in enumerate(zip(quads, sizes, strict=True)):
        card = card_corners(size)
        to_photo = _map(card, quad)
        for side in range(4):
            a, b = card[side], card[(side + 1) % 4]
            line = (a + b) / 2 + along * (b - a)
            across = beyond[:, None] + np.array([-SETTINGS.across, SETTINGS.across])
            at = line + across[..., None, None] * OUTWARD[side]
            px = cv2.perspectiveTransform(at.reshape(-1, 1, 2), to_photo).astype(np.float32).reshape(-1, len(line), 2)
            seen = cv2.remap(soft, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            color = seen.astype(np.float32).mean(1).reshape(len(beyond), 2, 3)
            steep[i, side] = np.abs(color[:, 0] - color[:, 1]).max(1)
    common = np.median(steep.min(1), axis=0)
    outer = beyond >= SETTINGS.least_rim
    best = int(np.where(outer, common, 0).argmax())
    flank = common[best] < common[best - 1]  # of the outline's own edge
    clear = common[best] > SETTINGS.rim_edge + SETTINGS.rim_clear * float(np.median(common[outer]))
    return float(beyond[best]) if clear and not flank else 0.0


def _exactly(
    soft: np.ndarray, from_mm: np.ndarray, pose: np.ndarray, card: np.ndarray, outlines: Sequence[tuple[float, float]]
) -> np.ndarray:
    """A card's place, moved in small steps until its outlines, by so much larger and of such weights, lie on edges."""
    along = np.linspace(-SETTINGS.side_part / 2, SETTINGS.side_part / 2, SETTINGS.side_points)[:, None]
    probes = np.array([
        [[(a + b) / 2 + along * (b - a) + (larger + sign * SETTINGS.across) * out for sign in (-1, 1)]
         for a, b, out in zip(card, np.roll(card, -1, 0), OUTWARD, strict=True)]
        for larger, _ in outlines
    ])  # fmt: skip
    weight = np.array([weight for _, weight in outlines])[:, None]

    def clear(one: np.ndarray) -> float:
        at = cv2.perspectiveTransform(_laid(one, probes.reshape(-1, 2))[:, None], from_mm).astype(np.float32)
        color = cv2.remap(soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        parts = color.astype(np.float32).reshape(len(outlines), 4, 2, SETTINGS.parts, -1, 3).mean(4)
        steep = _all_along(parts[:, :, 0] - parts[:, :, 1])
        return float((weight * np.sqrt(np.minimum(steep, SETTINGS.clearest))).sum())

    value, reach = clear(pose), float(np.abs(card).max())
    for step in SETTINGS.steps:
        for _ in range(20):
            near = [pose + sign * step * way for way in np.diag([1, 1, 1 / reach]) for sign in (-1, 1)]
            values = [clear(one) for one in near]
            if max(values) <= value:
                break
            pose, value = near[int(np.argmax(values))], max(values)
    return pose


def _grown(card: np.ndarray, mm: float) -> np.ndarray:
    return np.asarray(card + np.sign(card) * mm)


def _laid(pose: np.ndarray, what: np.ndarray) -> np.ndarray:
    """Points of a card (n, 2) on the table; a pose is x, y and radians."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    return np.asarray(what @ np.array([[c, s], [-s, c]]) + pose[:2])


def _pose(seen: np.ndarray, card: np.ndarray) -> np.ndarray:
    """Where a quadrilateral (4, 2) lies on the table: its middle, and the turn that most of its sides have."""
    sides, own = np.roll(seen, -1, 0) - seen, np.roll(card, -1, 0) - card
    turns = np.arctan2(sides[:, 1], sides[:, 0]) - np.arctan2(own[:, 1], own[:, 0])
    first = turns[0]
    turn = first + float(np.median((turns - first + np.pi) % (2 * np.pi) - np.pi))
    return np.array([*seen.mean(0), turn])


def _edges(soft: np.ndarray, from_mm: np.ndarray, pose: np.ndarray, card: np.ndarray) -> np.ndarray:
    """(tilts, 4, offsets): how clear an edge there is, 0 to 1, so far outwards of each side of a card."""
    along = np.linspace(-SETTINGS.side_part / 2, SETTINGS.side_part / 2, SETTINGS.side_points)[:, None]
    lines = []
    pad = round(SETTINGS.across / SETTINGS.step)
    beyond = np.concatenate([OFFSETS[0] - SETTINGS.step * np.arange(pad, 0, -1), OFFSETS,
                             OFFSETS[-1] + SETTINGS.step * np.arange(1, pad + 1)])  # fmt: skip
    for side in range(4):
        a, b = card[side], card[(side + 1) % 4]
        lines.append((a + b) / 2 + along * (b - a) + beyond[:, None, None] * OUTWARD[side])
    points = np.array(lines)  # sides, offsets, points, 2
    near = round(SETTINGS.apart / SETTINGS.step)
    out = np.zeros((len(SETTINGS.tilts), 4, len(OFFSETS)))
    for i, tilt in enumerate(SETTINGS.tilts):
        tilted = np.array([pose[0], pose[1], pose[2] + np.deg2rad(tilt)])
        at = cv2.perspectiveTransform(_laid(tilted, points.reshape(-1, 2))[:, None], from_mm).astype(np.float32)
        at = at.reshape(4 * len(beyond), -1, 2)
        color = cv2.remap(soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        parts = color.astype(np.float32).reshape(4, len(beyond), SETTINGS.parts, -1, 3).mean(3)
        steep = _all_along(parts[:, 2 * pad :] - parts[:, : -2 * pad])
        # A faint edge counts nearly as much as a clear one, but only where it is steepest.
        steepest = cv2.dilate(steep, np.ones((1, 2 * near + 1)))
        out[i] = np.minimum(steepest / SETTINGS.clear, 1.0) * (steep / np.maximum(steepest, 1e-6)) ** 3
    return out


def _all_along(differences: np.ndarray) -> np.ndarray:
    """(…): how steep an edge is along all of a side, of how its parts' colors differ, (…, parts, 3): print that
    crosses a line is steep in some parts only."""
    parts = np.sort(np.abs(differences).max(-1), axis=-1)
    return np.asarray(parts[..., : SETTINGS.parts // 2].mean(-1))


def _outlines_alike(edges: Sequence[np.ndarray], aside: float) -> tuple[float, float | None]:
    """By how many millimetres the cards' outlines are larger on each side than was thought, and the same of the print
    within, None where it has no edge of its own."""
    n = len(OFFSETS)
    near = np.abs(OFFSETS[:, None] - OFFSETS[None]) <= 2 * aside
    by_sum = np.zeros(2 * n - 1)
    for one in edges:
        best = np.zeros(2 * n - 1)
        for tilt in range(len(SETTINGS.tilts)):
            of_both = np.zeros(2 * n - 1)
            for pair in (0, 1):
                both = np.where(near, one[tilt, pair][:, None] + one[tilt, pair + 2][None], 0)
                aslant = np.pad(both, ((0, 0), (0, n))).ravel()[:-n].reshape(n, -1)  # each row one on from the last
                of_both += aslant.max(0)
            best = np.maximum(best, of_both)
        by_sum += best / len(edges)
    larger = np.arange(2 * n - 1) / 2 * SETTINGS.step - SETTINGS.reach
    asked = (larger >= SETTINGS.smallest) & (larger <= SETTINGS.largest)
    speaks = np.where(asked, by_sum - SETTINGS.sides_by_luck, 0)
    around = np.ones((1, 2 * round(2 * SETTINGS.peak / SETTINGS.step) + 1))
    peak = speaks >= cv2.dilate(speaks[None], around)[0]
    peaks = np.nonzero(peak & (speaks > SETTINGS.outer * speaks.max()))[0]
    if not len(peaks):
        return 0.0, None
    card = int(peaks.max())
    inner = [k for k in peaks if larger[k] < larger[card] - SETTINGS.print_inside]
    prints = max(inner, key=lambda k: speaks[k], default=None)
    return float(larger[card]), None if prints is None else float(larger[prints])


def _placed(edges: np.ndarray, pose: np.ndarray, aside: float, larger: float, print_larger: float | None) -> np.ndarray:
    """Where a card lies whose outline is so much larger than thought, by the edges of all four sides."""
    shifts = np.arange(-aside, aside + 1e-6, SETTINGS.step / 2)
    best, out = -1.0, pose
    for i, tilt in enumerate(SETTINGS.tilts):
        across = []
        for of in (0, 1):  # top and bottom, right and left
            said = np.zeros(len(shifts))
            for grown, weight in ((larger, 1.0), (print_larger, SETTINGS.says_print)):
                if grown is not None:
                    for side, sign in ((of, 1), (of + 2, -1)):
                        said += weight * np.interp(grown + sign * shifts, OFFSETS, edges[i, side], 0, 0)
            k = int(said.argmax())
            across.append((said[k], shifts[k]))
        if across[0][0] + across[1][0] > best:
            best = across[0][0] + across[1][0]
            move = across[0][1] * OUTWARD[0] + across[1][1] * OUTWARD[1]
            turn = pose[2] + np.deg2rad(tilt)
            c, s = np.cos(turn), np.sin(turn)
            out = np.array([*(pose[:2] + move @ np.array([[c, s], [-s, c]])), turn])
    return out
