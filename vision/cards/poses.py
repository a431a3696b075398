"""Where cards lie: points that look like a deck's vote for it, and all cards lie on one table."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.cards.features import Points


@dataclass(frozen=True)
class PosesSettings:
    """When points of a picture and of a face agree on where a card lies."""

    looks: int = 2  # how many points of the deck a point of the picture may be
    at_once: int = 128  # points of the picture that are compared at once
    most_different: float = 290.0  # how different their looks may be: the distance of descriptors
    near: float = 0.22  # votes for one card: how far apart their middles may be, in its shorter sides
    turn: float = 0.4  # radians by which their turns may differ
    size: float = 0.35  # logarithm by which their sizes may differ
    off_mm: float = 1.5  # how far a point of a card seen by itself may lie from where it belongs
    least_local: int = 7  # points that make a card by themselves
    enough: int = 40  # points by which it is as sure as can be
    near_mm: float = 7.0  # votes for one card on a known table: millimetres between their middles, at most
    turn_plane: float = 0.3  # radians by which their turns may differ there
    size_plane: float = 0.35  # logarithm by which their sizes may differ there
    least_on_table: int = 4
    tight_mm: float = 2.5  # how far a point of a card may lie from where it belongs, once the card is laid on the table


SETTINGS = PosesSettings()


@dataclass(frozen=True)
class Votes:
    """Points of a picture that look like points of a deck.

    Attributes:
        at: (n, 2) pixels of the picture.
        turn: (n,) radians by which the point is turned against the deck's.
        dense: (n,) pixels per millimetre.
        place: (n, 2) millimetres from the card's middle.
        point: (n,) which point of the picture it is.
    """

    at: np.ndarray
    turn: np.ndarray
    dense: np.ndarray
    place: np.ndarray
    point: np.ndarray


def votes(seen: Points, deck: Points) -> Votes:
    """Pair the points of a picture with those of a deck that look most like them."""
    a, b = seen.look.astype(np.float32), deck.look.astype(np.float32)
    twice, square_b, own = -2 * b.T, (b**2).sum(1), (a**2).sum(1)
    best, square = np.zeros((SETTINGS.looks, len(a)), int), np.zeros((SETTINGS.looks, len(a)), np.float32)
    for first in range(0, len(a), SETTINGS.at_once):  # what is compared at once stays near the processor
        mine = slice(first, first + SETTINGS.at_once)
        like = a[mine] @ twice + square_b
        rows = np.arange(len(like))
        for k in range(SETTINGS.looks):
            best[k, mine] = like.argmin(1)
            square[k, mine] = like[rows, best[k, mine]] + own[mine]
            like[rows, best[k, mine]] = np.inf
    ok = square < SETTINGS.most_different**2
    si, dj = np.nonzero(ok)[1], best[ok]
    turn = seen.turn[si] - deck.turn[dj]
    return Votes(seen.place[si], turn, seen.size[si] / deck.size[dj], deck.place[dj], si)


def _turned(place: np.ndarray, turn: np.ndarray) -> np.ndarray:
    c, s = np.cos(turn), np.sin(turn)
    return np.stack([c * place[:, 0] - s * place[:, 1], s * place[:, 0] + c * place[:, 1]], 1)


def _clusters(keys: np.ndarray, turn: np.ndarray, turn_tol: float, least: int) -> list[np.ndarray]:
    """Groups of votes that agree: keys (n, 2) within 1 of a seed, turns within turn_tol; the largest first."""
    if not len(keys):
        return []
    around = max(3, int(2 * np.pi / turn_tol))
    cells = np.column_stack([np.floor(keys), np.floor(turn % (2 * np.pi) / (2 * np.pi) * around) % around]).astype(int)
    low = cells[:, :2].min(0) - 1
    wide = int(cells[:, 1].max() - low[1]) + 2

    def code(c: np.ndarray) -> np.ndarray:
        return np.asarray(((c[:, 0] - low[0]) * wide + c[:, 1] - low[1]) * around + c[:, 2] % around)

    # A seed needs `least` votes in its own and the neighbouring cells: most votes have none.
    own, count = np.unique(code(cells), return_counts=True)
    near = np.zeros(len(cells), int)
    for step in np.ndindex(3, 3, 3):
        there = code(cells + np.array(step) - 1)
        at = np.minimum(np.searchsorted(own, there), len(own) - 1)
        near += np.where(own[at] == there, count[at], 0)
    kept = np.nonzero(near >= least)[0]
    kept = kept[np.argsort(code(cells[kept]), kind="stable")]
    keys, turn, cells = keys[kept], turn[kept], cells[kept]
    codes = code(cells)
    pairs = []
    for step in np.ndindex(3, 3, 3):
        there = code(cells + np.array(step) - 1)
        lo, hi = np.searchsorted(codes, there), np.searchsorted(codes, there, side="right")
        many = hi - lo
        i = np.repeat(np.arange(len(kept)), many)
        j = np.arange(len(i)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(lo, many)
        turned = np.abs((turn[i] - turn[j] + np.pi) % (2 * np.pi) - np.pi)
        agree = (np.abs(keys[i] - keys[j]) < 1).all(1) & (turned < turn_tol)
        pairs.append(np.stack([i[agree], j[agree]]))
    i, j = np.concatenate(pairs, 1)
    order = np.lexsort((kept[j], i))
    counts = np.bincount(i, minlength=len(kept))
    members = np.split(j[order], np.cumsum(counts)[:-1])
    out = []
    free = np.ones(len(keys), bool)
    for i in np.argsort(-counts, kind="stable"):
        if counts[i] < least:
            break
        if free[i] and free[members[i]].sum() >= least:
            out.append(kept[members[i]])
            free[members[i]] = False
    return out


def local_frames(v: Votes, short: float) -> list[tuple[np.ndarray, float]]:
    """Cards seen by themselves: affine maps (2, 3) from mm to pixels, with weights up to 1; the surest first."""
    log = np.log(v.dense)
    out: list[tuple[np.ndarray, int]] = []
    middle = v.at - v.dense[:, None] * _turned(v.place, v.turn)
    for step in (
        np.arange(np.floor(log.min() / SETTINGS.size), np.ceil(log.max() / SETTINGS.size) + 1) if len(log) else ()
    ):
        mine = np.nonzero(np.abs(log / SETTINGS.size - step) < 1)[0]
        if len(mine) < SETTINGS.least_local:
            continue
        unit = SETTINGS.near * short * np.exp(step * SETTINGS.size)
        for group in _clusters(middle[mine] / unit, v.turn[mine], SETTINGS.turn, SETTINGS.least_local):
            g = mine[group]
            affine, inside = cv2.estimateAffine2D(
                v.place[g].astype(np.float32), v.at[g].astype(np.float32),
                ransacReprojThreshold=float(SETTINGS.off_mm * np.exp(step * SETTINGS.size)), maxIters=300,
            )  # fmt: skip
            if affine is None:
                continue
            ok = g[inside.ravel() > 0]
            if len(set(v.point[ok].tolist())) < SETTINGS.least_local or np.ptp(v.place[ok], axis=0).min() < 8:
                continue
            s = np.linalg.svd(affine[:, :2], compute_uv=False)
            if np.linalg.det(affine[:, :2]) <= 0 or s[0] > 2.2 * s[1]:
                continue
            out.append((affine, len(ok)))
    out.sort(key=lambda one: -one[1])
    kept: list[tuple[np.ndarray, float]] = []
    for affine, count in out:
        reach = 0.3 * short * np.sqrt(np.linalg.det(affine[:, :2]))
        if all(np.linalg.norm(affine[:, 2] - other[:, 2]) > reach for other, _ in kept):
            kept.append((affine, min(count, SETTINGS.enough) / SETTINGS.enough))
    return kept


def fit_table(frames: list[tuple[np.ndarray, float]], shape: tuple[int, ...]) -> np.ndarray | None:
    """The homography (3, 3) from pixels to millimetres of the table on which the cards (affine maps, weights) lie."""
    if not frames:
        return None
    half = max(shape[:2]) / 2
    mid = np.array([shape[1], shape[0]]) / 2
    at = np.array([(a[:, 2] - mid) / half for a, _ in frames])
    turnless = np.array([a[:, :2] / half for a, _ in frames])
    weight = np.array([w for _, w in frames])

    def residual(p: np.ndarray) -> np.ndarray:
        k = np.array([[p[0], p[1]], [0, p[2]]])
        line = p[3:5]
        down = 1 + at @ line
        down = np.where(np.abs(down) < 0.05, 0.05, down)
        q = at @ k.T / down[:, None]
        j = (k[None] - q[:, :, None] * line[None, None]) / down[:, None, None]
        m = j @ turnless
        e = m.transpose(0, 2, 1) @ m - np.eye(2)
        return np.stack([e[:, 0, 0], e[:, 1, 1], 1.4 * e[:, 0, 1]], 1)

    c = np.median([np.linalg.inv(t @ t.T) for t in turnless], axis=0)
    low = np.linalg.cholesky(c).T
    p = np.array([low[0, 0], low[0, 1], low[1, 1], 0.0, 0.0])
    prior = np.array([0, 0, 0, 0.15, 0.15])
    damp = 1e-3
    unit = np.array([p[0], p[0], p[2], 1, 1])

    def cost(p: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        r = residual(p)
        size = np.linalg.norm(r, axis=1)
        w = weight / (1 + (size / 0.08) ** 2)
        return float((weight * np.log1p((size / 0.08) ** 2)).sum() + ((prior * p) ** 2).sum()), r, w

    best, r, w = cost(p)
    for _ in range(60):
        jac = np.stack([(residual(p + 1e-5 * unit * e) - r) / 1e-5 for e in np.eye(5)], -1)
        ww = np.repeat(w / 0.08**2, 3)
        a = jac.reshape(-1, 5)
        hess = a.T @ (ww[:, None] * a) + np.diag((prior * unit) ** 2) + damp * np.eye(5)
        grad = a.T @ (ww * r.ravel()) + prior**2 * p * unit
        step = -np.linalg.solve(hess, grad) * unit
        new = cost(p + step)
        if new[0] < best:
            gain = best - new[0]
            p, (best, r, w), damp = p + step, new, damp / 4
            if gain < 1e-6:
                break
        else:
            damp *= 6
            if damp > 1e6:
                break
    h = np.array([[p[0], p[1], 0], [0, p[2], 0], [p[3], p[4], 1]])
    to = np.array([[1 / half, 0, -mid[0] / half], [0, 1 / half, -mid[1] / half], [0, 0, 1]])
    return np.asarray(h @ to)


def on_table(v: Votes, to_mm: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Each vote's card middle (n, 2) mm, turn, log of its size, and the point itself (n, 2) mm."""
    p = v.at @ to_mm[:, :2].T + to_mm[:, 2]
    at = p[:, :2] / p[:, 2:]
    j = (to_mm[None, :2, :2] - at[:, :, None] * to_mm[2, :2][None, None]) / p[:, 2][:, None, None]
    d = np.stack([np.cos(v.turn), np.sin(v.turn)], 1)
    # A point's turn follows the picture's own: the deck's axis seen at `turn` lies on the table so.
    lies = (j @ d[:, :, None])[:, :, 0]
    turn = np.arctan2(lies[:, 1], lies[:, 0])
    size = np.log(v.dense) + 0.5 * np.log(np.abs(np.linalg.det(j)))
    return at - _turned(v.place, turn), turn, size, at


@dataclass(frozen=True)
class Pose:
    """A card's middle (2,) in mm on the table, its turn in radians, and how many points say so."""

    middle: np.ndarray
    turn: float
    points: int

    @property
    def matrix(self) -> np.ndarray:
        """(3, 3): millimetres from the card's middle to millimetres of the table."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.array([[c, -s, self.middle[0]], [s, c, self.middle[1]], [0, 0, 1]])


def table_poses(v: Votes, to_mm: np.ndarray) -> list[Pose]:
    """Where on a known table cards may lie; most points first."""
    middle, turn, size, at = on_table(v, to_mm)
    keep = np.nonzero(np.abs(size) < SETTINGS.size_plane)[0]
    out = []
    for group in _clusters(middle[keep] / SETTINGS.near_mm, turn[keep], SETTINGS.turn_plane, SETTINGS.least_on_table):
        g = keep[group]
        found = _rigid(v.place[g], at[g], turn[g])
        if found is None:
            continue
        m, a, inside = found
        n = len(set(v.point[g[inside]].tolist()))
        if n >= SETTINGS.least_on_table:
            out.append(Pose(m, a, n))
    out.sort(key=lambda one: -one.points)
    return out


def _rigid(place: np.ndarray, at: np.ndarray, turn: np.ndarray) -> tuple[np.ndarray, float, np.ndarray] | None:
    """The rigid motion on which most points agree: the middle, the turn, which points."""
    p, q = place @ np.array([1, 1j]), at @ np.array([1, 1j])
    best: tuple[int, complex, complex] | None = None
    n = len(p)
    i, j = np.triu_indices(n, 1)
    if len(i) > 400:
        pick = np.linspace(0, len(i) - 1, 400).astype(int)
        i, j = i[pick], j[pick]
    apart = np.abs(p[i] - p[j])
    far = apart > 6
    i, j = i[far], j[far]
    if not len(i):
        t = np.exp(1j * turn)
        rot = t / np.abs(t)
        move = q - rot * p
    else:
        ratio = (q[i] - q[j]) / (p[i] - p[j])
        ok = np.abs(np.log(np.abs(ratio) + 1e-9)) < 0.15
        i, ratio = i[ok], ratio[ok]
        t = np.exp(1j * turn)
        rot = np.concatenate([ratio / np.abs(ratio), t])
        move = np.concatenate([q[i], q]) - rot * np.concatenate([p[i], p])
    off = np.abs(rot[:, None] * p[None] + move[:, None] - q[None])
    inside = off < SETTINGS.tight_mm
    score = inside.sum(1)
    k = int(score.argmax())
    best = (int(score[k]), rot[k], move[k])
    for _ in range(2):
        ok = np.abs(best[1] * p + best[2] - q) < SETTINGS.tight_mm
        if ok.sum() < 2:
            return None
        pm, qm = p[ok].mean(), q[ok].mean()
        r = ((q[ok] - qm) * (p[ok] - pm).conj()).sum()
        r = r / abs(r) if abs(r) > 1e-9 else best[1]
        best = (int(ok.sum()), r, qm - r * pm)
    ok = np.abs(best[1] * p + best[2] - q) < SETTINGS.tight_mm
    return np.array([best[2].real, best[2].imag]), float(np.angle(best[1])), ok
