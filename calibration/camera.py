"""Calibrate a camera from pictures of the ChArUco board, and say which views are still missing.

Pictures are looked at one by one (`look`); a picture that would only do harm is refused in words. `missing` says which
tilt, corner or distance the pictures so far leave out. `solve` makes the profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.board import COLS, CORNERS, ROWS, board
from common.file_kind import marked, unmarked
from common.json_file import read_profile, whole, write_json
from common.messages import InputError, Message, MisfitError


@dataclass(frozen=True)
class Settings:
    """What makes a picture good, and a set of pictures enough."""

    corners: int = 12  # of the board's crossings must be seen
    blur: float = 0.005  # width of an edge, in parts of the picture's width, from which it is too blurred
    moved: float = 0.025  # how far the board must have moved since an earlier picture, in parts of the width,
    turned: float = 8.0  # or how many degrees it must have been tilted
    tilt: float = 14.0  # degrees to each side
    near: float = 0.36  # part of the picture that the board's crossings fill, at least once
    far: float = 0.16  # and at most, once
    border: float = 0.25  # the picture's corners and edges, in parts of its sides: the lens bends there most
    in_cell: int = 3  # crossings that cover a corner, an edge, the middle
    least: int = 6  # pictures without which nothing is worked out
    views: int = 10  # pictures that are enough
    outlier: float = 3.0  # a picture that fits so many times worse than the median is left out
    more_terms: float = 0.85  # a third radial term is taken where it brings the error down to this part


SETTINGS = Settings()
FOCAL_GUESS = 0.9
"""Focal length in parts of the longer side, for judging tilts before anything is known."""
FINE = (12, 9)
"""Cells across and down in which the coverage that is shown is counted."""


class CameraError(InputError):
    """A picture or a set of pictures that cannot be used, and why."""


class CameraProfileError(MisfitError):
    """A file that is no camera profile."""

    KEY = "misfit.camera-profile"


@dataclass(frozen=True)
class View:
    """The board in one picture.

    Attributes:
        size: the picture's width and height.
        ids: (n,) which of the board's crossings were seen.
        points: (n, 2) float32, where, in pixels.
        tilt: degrees by which the board's right and lower side are nearer to the camera than the others, roughly.
        fills: part of the picture that the crossings fill.
    """

    size: tuple[int, int]
    ids: np.ndarray
    points: np.ndarray
    tilt: tuple[float, float]
    fills: float

    @property
    def outline(self) -> np.ndarray:
        """(m, 2) the crossings' convex hull."""
        return cv2.convexHull(self.points).reshape(-1, 2)

    def apart(self, other: View) -> float:
        """How far the board lies from where it lay in another picture, in parts of the width; infinite if unknown."""
        _, mine, theirs = np.intersect1d(self.ids, other.ids, return_indices=True)
        if not len(mine) or self.size != other.size:
            return float("inf")
        return float(np.linalg.norm(self.points[mine] - other.points[theirs], axis=1).mean() / self.size[0])


def look(image: np.ndarray) -> View:
    """Find the board in a picture, (H, W) gray or (H, W, 3) BGR. Raises CameraError."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    height, width = gray.shape
    points, ids, _, _ = _detector().detectBoard(gray)
    if ids is None or len(ids) < 4:
        raise CameraError("board.none")
    ids, points = ids.ravel(), points.reshape(-1, 2).astype(np.float32)
    flat, _ = cv2.findHomography(_places(ids)[:, :2], points, cv2.RANSAC, 0.01 * width)
    if flat is None:
        raise CameraError("board.none")
    if _edge_width(gray, flat, _places(ids)[:, :2]) > max(SETTINGS.blur * width, 3.0):
        raise CameraError("board.blurred")
    if len(ids) < SETTINGS.corners:
        raise CameraError("board.few", n=len(ids), all=CORNERS, least=SETTINGS.corners)
    fills = float(cv2.contourArea(cv2.convexHull(points))) / (width * height)
    return View((width, height), ids, points, _tilt(ids, points, (width, height)), fills)


def check(view: View, before: Sequence[View]) -> None:
    """Whether a picture adds something to those before. Raises CameraError."""
    if before and view.size != before[0].size:
        (width, height), (want_width, want_height) = view.size, before[0].size
        raise CameraError("board.size", width=width, height=height, want_width=want_width, want_height=want_height)
    tilts = (np.abs(np.subtract(view.tilt, other.tilt)).max() for other in before)
    if any(view.apart(o) < SETTINGS.moved and t < SETTINGS.turned for o, t in zip(before, tilts, strict=True)):
        raise CameraError("board.same")


@dataclass(frozen=True)
class Need:
    """Something that the pictures must show once: its key, and whether they do."""

    key: str
    met: bool


def needs(views: Sequence[View]) -> tuple[Need, ...]:
    """Everything that is needed, in the order in which it is easily done."""
    across, down = (np.array([view.tilt[i] for view in views] or [0.0]) for i in (0, 1))
    fills = np.array([view.fills for view in views] or [np.nan])
    parts = np.concatenate([np.zeros((0, 2)), *(view.points / view.size for view in views)])
    x, y = (np.digitize(parts[:, i], (SETTINGS.border, 1 - SETTINGS.border)) for i in (0, 1))
    rows, columns = ("top", "middle", "bottom"), ("left", "middle", "right")
    return (
        Need("near", bool((fills >= SETTINGS.near).any())),
        Need("far", bool((fills <= SETTINGS.far).any())),
        Need("tilt-right", bool((across >= SETTINGS.tilt).any())),
        Need("tilt-left", bool((across <= -SETTINGS.tilt).any())),
        Need("tilt-bottom", bool((down >= SETTINGS.tilt).any())),
        Need("tilt-top", bool((down <= -SETTINGS.tilt).any())),
        *(
            Need(f"cell-{row}-{column}", int(((y == r) & (x == c)).sum()) >= SETTINGS.in_cell)
            for r, row in enumerate(rows)
            for c, column in enumerate(columns)
        ),
        Need("more", len(views) >= SETTINGS.views),
    )


def missing(views: Sequence[View]) -> tuple[str, ...]:
    """Keys of what is still needed: `near`, `tilt-left`, `cell-top-right`, … , `more`; empty when it is enough."""
    return tuple(need.key for need in needs(views) if not need.met)


def coverage(views: Sequence[View]) -> np.ndarray:
    """(down, across) how many crossings were seen in each cell of the picture."""
    across, down = FINE
    out = np.zeros((down, across), int)
    for view in views:
        at = np.clip(view.points / view.size * (across, down), 0, (across - 1, down - 1)).astype(int)
        np.add.at(out, (at[:, 1], at[:, 0]), 1)
    return out


@dataclass(frozen=True)
class CameraProfile:
    """A camera as it was set when calibrated.

    Attributes:
        size: width and height of its pictures; pictures of another size but the same shape are taken too.
        matrix: (3, 3), in pixels of `size`.
        distortion: (5,) k1, k2, p1, p2, k3.
        error: how far the board's crossings lie from where the profile expects them, in pixels (root mean square).
        views: how many pictures it was made from.
        coverage: part of the picture in which the board was seen, 0 to 1.
    """

    name: str
    size: tuple[int, int]
    matrix: np.ndarray
    distortion: np.ndarray
    error: float
    views: int = 0
    coverage: float = 0.0
    _maps: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = field(default_factory=dict, repr=False, compare=False)

    def matrix_for(self, size: tuple[int, int]) -> np.ndarray:
        """The matrix for pictures of this size. Raises CameraError where they have another shape."""
        (width, height), (own_width, own_height) = size, self.size
        scale = width / own_width
        if abs(scale * own_height - height) > 0.01 * height:
            raise CameraError("board.size", width=width, height=height, want_width=own_width, want_height=own_height)
        # Pixels count from their middles: the first one's edge stays at -1/2.
        out = np.array(self.matrix, float)
        out[:2, 2] += 0.5
        out[:2] *= scale
        out[:2, 2] -= 0.5
        return out

    def maps(self, size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        """Maps for `cv2.remap` that straighten pictures of this size; worked out once. Raises CameraError."""
        if size not in self._maps:
            matrix = self.matrix_for(size)
            self._maps[size] = cv2.initUndistortRectifyMap(
                matrix, self.distortion, np.eye(3), matrix, size, cv2.CV_16SC2
            )
        return self._maps[size]

    def undistort(self, image: np.ndarray) -> np.ndarray:
        """The picture as a lens without distortion would show it, of the same size. Raises CameraError."""
        height, width = image.shape[:2]
        return cv2.remap(image, *self.maps((width, height)), cv2.INTER_LINEAR)

    def to_json(self) -> dict[str, Any]:
        """The profile's JSON object."""
        return {
            "name": self.name,
            "size": list(self.size),
            "matrix": [[round(float(x), 4) for x in row] for row in self.matrix],
            "distortion": [round(float(x), 7) for x in self.distortion],
            "error": round(self.error, 4),
            "views": self.views,
            "coverage": round(self.coverage, 3),
        }

    @classmethod
    def from_json(cls, data: Any) -> CameraProfile:
        """Check and take over a profile's JSON object. Raises CameraProfileError."""
        data = unmarked("camera", data, CameraProfileError)
        if not isinstance(data, dict):
            raise CameraProfileError("", "profile.object", data)
        known = ("name", "size", "matrix", "distortion", "error", "views", "coverage")
        for key in data:
            if key not in known:
                raise CameraProfileError(key, "profile.key", key, keys=known)
        name = data.get("name", "camera")
        if not isinstance(name, str):
            raise CameraProfileError("name", "profile.text", name)
        if not whole(name):
            raise CameraProfileError("name", "profile.whole", name)
        width, height = (int(x) for x in _numbers(data, "size", (2,), 16, 20_000))
        matrix = _numbers(data, "matrix", (3, 3), -1e6, 1e6)
        if not (matrix[0, 0] > 0 and matrix[1, 1] > 0 and (matrix[2] == (0, 0, 1)).all()):
            raise CameraProfileError("matrix", "profile.matrix", data["matrix"])
        distortion = _numbers(data, "distortion", (5,), -1e3, 1e3)
        error, views, covered = (
            float(_numbers({"x": data.get(key, 0)}, "x", (), 0, 1e6, key)) for key in ("error", "views", "coverage")
        )
        return cls(name, (width, height), matrix, distortion, error, int(views), covered)

    def save(self, path: Path) -> None:
        """Write it to a file. Raises OSError."""
        write_json(path, marked("camera", self.to_json()))

    @classmethod
    def load(cls, path: Path) -> CameraProfile:
        """Read it from a file. Raises CameraProfileError (also for a file that is none) and OSError."""
        return cls.from_json(read_profile(path, CameraProfileError))


def solve(views: Sequence[View], name: str = "camera") -> CameraProfile:
    """Solve for the camera's intrinsics and distortion. Raises CameraError where the pictures do not suffice."""
    if len(views) < SETTINGS.least:
        raise CameraError("camera.too-few", n=len(views), least=SETTINGS.least)
    error, matrix, distortion, each = _fit(views)
    kept = [view for view, e in zip(views, each, strict=True) if e <= SETTINGS.outlier * np.median(each)]
    if SETTINGS.least <= len(kept) < len(views):
        error, matrix, distortion, each = _fit(kept)
    else:
        kept = list(views)
    more = _fit(kept, third=True)
    if more[0] <= SETTINGS.more_terms * error:
        error, matrix, distortion, each = more
    width, height = views[0].size
    focal = matrix[[0, 1], [0, 1]] / max(width, height)
    inside = (0.2 < matrix[0, 2] / width < 0.8) and (0.2 < matrix[1, 2] / height < 0.8)
    if not (np.isfinite(error) and inside and (focal > 0.2).all() and (focal < 20).all() and error < 0.01 * width):
        raise CameraError("camera.no-fit")
    covered = float((coverage(kept) > 0).mean())
    return CameraProfile(name, (width, height), matrix, distortion, float(error), len(kept), covered)


def _fit(views: Sequence[View], third: bool = False) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """The error, the matrix, the distortion, and each picture's own error."""
    objects = [_places(view.ids) for view in views]
    flags = 0 if third else cv2.CALIB_FIX_K3
    try:
        error, matrix, distortion, *_, each = cv2.calibrateCameraExtended(
            objects,
            [view.points for view in views],
            views[0].size,
            None,
            None,
            flags=flags,  # type: ignore[call-overload]
        )
    except cv2.error:
        raise CameraError("camera.no-fit") from None
    return error, matrix, distortion.ravel()[:5], each.ravel()


@cache
def _detector() -> cv2.aruco.CharucoDetector:
    return cv2.aruco.CharucoDetector(board())


def _places(ids: np.ndarray) -> np.ndarray:
    """(n, 3) where these crossings are on the board, in squares."""
    return np.asarray(board().getChessboardCorners(), np.float32)[ids]


def _edge_width(gray: np.ndarray, flat: np.ndarray, crossings: np.ndarray) -> float:
    """How wide the board's edges are in the picture, in pixels, in the direction in which they are wider.

    `flat` leads from the board (in squares) to the picture; edges are looked at around the `crossings`, (n, 2) on the
    board. It is laid flat with about as many pixels as it has there; an edge's width is the board's contrast divided
    by how steeply it rises.
    """
    corners = cv2.perspectiveTransform(np.asarray([[[0, 0], [COLS, 0], [COLS, ROWS], [0, ROWS]]], np.float32), flat)[0]
    cell = float(np.sqrt(max(cv2.contourArea(corners), 1.0) / (COLS * ROWS)))
    side = int(np.clip(cell, 12, 80))
    view = cv2.warpPerspective(gray, np.diag([side, side, 1.0]) @ np.linalg.inv(flat), (COLS * side, ROWS * side))
    view, reach, half = view.astype(np.float32), max(2, round(0.12 * side)), side // 2
    around = (np.rint(crossings) * side).astype(int)
    patches = [view[y - half : y + half, x - half : x + half] for x, y in around]
    low, high = np.percentile(patches, (10, 90))
    if high - low < 20:
        return float("inf")
    widths = []
    for turned in (patches, [patch.T for patch in patches]):
        edges = [np.abs(np.diff(patch, axis=1))[:, half - reach : half + reach].max(1) for patch in turned]
        widths.append((high - low) / max(float(np.median(edges)), 0.5))
    return max(widths) * cell / side


def _tilt(ids: np.ndarray, points: np.ndarray, size: tuple[int, int]) -> tuple[float, float]:
    """Degrees by which the board's right and lower side come nearer, as the picture shows them."""
    width, height = size
    focal = FOCAL_GUESS * max(size)
    matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    _, turn, _ = cv2.solvePnP(_places(ids), points, matrix, None)
    x, y, z = cv2.Rodrigues(turn)[0][:, 2]
    if z < 0:
        x, y, z = -x, -y, -z
    return float(np.degrees(np.arctan2(x, z))), float(np.degrees(np.arctan2(y, z)))


def _numbers(
    data: dict[str, Any], key: str, shape: tuple[int, ...], least: float, most: float, place: str = ""
) -> np.ndarray:
    """An array of numbers of this shape within bounds. Raises CameraProfileError."""
    got = data.get(key)
    try:
        out = np.array(got)
        good = out.shape == shape and out.dtype.kind in "if" and bool(((out >= least) & (out <= most)).all())
    except ValueError:
        good = False
    if not good:
        count = " × ".join(map(str, shape))
        values = {"count": count, "least": least, "most": most}
        wanted = Message("profile.numbers" if shape else "profile.number", values)
        raise CameraProfileError(place or key, wanted, got)
    return out.astype(float)
