"""Reading a picture of a table: markers, zones, tiles, their colors, rows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from vision.table.box import TWELVE_SEEKERS, fit_box
from vision.table.finder import find_tiles, guess_plane
from vision.table.judge import Judged, judge_tiles, tile_windows
from vision.table.markers import Markers, find_markers
from vision.table.palette import Palette
from vision.table.plane import Located, Plane, locate, project, table_plane
from vision.table.profile import TableProfile
from vision.table.reading import COLORS, Card, Problem, TableReading, Tile
from vision.table.rows import rows_and_columns
from vision.table.white import Balance, paper_white

BOXES: Mapping[str, Mapping[str, int]] = {"twelve-seekers": TWELVE_SEEKERS}
NONE = len(COLORS)
SURE = 0.90
"""Confidence below which a tile is doubtful."""
SURE_FROM = 1.6
"""The finder's probability, times this, is how often a place is a tile."""
STACKED = 0.8
"""Tiles: two tiles closer than this lie on top of one another."""
ON_BORDER = 0.3
"""Tiles: a center closer than this to a zone's border may belong to either side."""
CUT_OFF = 0.9
"""Share of a tile's width that must lie in the picture."""
THOROUGH_EVERY = 15
"""Pictures of a film between thorough searches for markers that are missed."""


class TableReader:
    """Reads pictures of one table, one after the other.

    Where a marker is hidden, its zone is taken from the pictures before. Not for several threads at once.
    """

    def __init__(self, profile: TableProfile, palette: Palette | None = None) -> None:
        """Raises PaletteError or OSError where the profile names a palette that cannot be used."""
        if palette is None and profile.palette is not None:
            palette = Palette.load(Path(profile.palette))
        self.profile = profile
        self._known = palette.known() if palette else None
        self._zones: dict[str, Located] = {}
        self._markers: dict[int, np.ndarray] = {}
        self._plane: Plane | None = None
        self._since = 0

    def read(self, image: np.ndarray, thorough: bool | None = None) -> TableReading:
        """Read a picture.

        Args:
            image: (H, W, 3) BGR.
            thorough: search markers in every way (slow); else on a small copy and where they were last seen.
                By default the first picture is searched thoroughly, and then now and again while a zone is missing.
        """
        seconds: dict[str, float] = {}
        with _timed("markers", seconds):
            markers = self._find_markers(image, thorough)
        with _timed("zones", seconds):
            zones = locate(self.profile, markers.outlines, self._zones, image.shape)
            self._zones.update(zones)
            plane = table_plane(self.profile, zones, image.shape) or self._plane
        with _timed("white", seconds):
            balance = Balance(paper_white(image, markers.outlines.values()))
        with _timed("find", seconds):
            self._plane = plane = plane or guess_plane(image)
            places = find_tiles(image, plane, balance) if plane else np.zeros((0, 3))
        with _timed("judge", seconds):
            judged = (
                judge_tiles(tile_windows(image, plane, places, balance), self._known) if plane else judge_tiles(places)
            )
        with _timed("rows", seconds):
            tiles = self._tiles(image.shape, plane, zones, places, judged) if plane else ()
        return TableReading(
            tiles=tiles,
            cards=self._cards(markers, zones),
            zones={name: zone.outline for name, zone in zones.items()},
            problems=self._problems(markers, zones, tiles),
            seconds=seconds,
        )

    def _find_markers(self, image: np.ndarray, thorough: bool | None) -> Markers:
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        corners = self.profile.zone_markers
        if thorough is None:
            missing = any(m not in self._markers for m in corners)
            thorough = self._since == 0 or (missing and self._since % THOROUGH_EVERY == 0)
        self._since += 1
        known = {m: self._markers[m] for m in corners if m in self._markers}
        expected = (corners | set(self.profile.cards)) if thorough else known
        markers = find_markers(gray, self.profile.dictionary, expected, thorough)
        self._markers.update({m: o for m, o in markers.outlines.items() if m in corners})
        return markers

    def _tiles(
        self, shape: tuple[int, ...], plane: Plane, zones: Mapping[str, Located], places: np.ndarray, judged: Judged
    ) -> tuple[Tile, ...]:
        """The tiles among the places, zone by zone, row by row; those outside every zone last."""
        outlines = [project(plane.to_pixels, _outline(p, t)) for p, t in zip(places, judged.turns, strict=True)]
        whole = np.array([_whole(outline, shape) for outline in outlines], bool)
        odds = judged.odds.copy()
        odds[:, NONE] = 1 - (1 - odds[:, NONE]) * np.clip(places[:, 2] * SURE_FROM, 0, 1)
        odds[:, :NONE] *= (1 - odds[:, NONE:]) / odds[:, :NONE].sum(1, keepdims=True)
        color, forbidden = fit_box(odds, BOXES.get(self.profile.game))
        real = np.nonzero((color != NONE) & whole)[0]
        if not len(real):
            return ()
        places, color, forbidden = places[real], color[real], forbidden[real]
        confidence = odds[real, color]
        centers = project(plane.to_pixels, places[:, :2])
        zone_of, bordering = _zones_of(centers, zones, plane)
        stacked = _stacked(places)
        tiles: list[Tile] = []
        for name in [*zones, None]:
            mine = [i for i in range(len(real)) if zone_of[i] == name]
            cells = self._rows(centers[mine], name, zones[name], plane) if name is not None else None
            for k, i in enumerate(mine):
                doubt = (
                    "tile.stacked" if stacked[i] else "tile.box" if forbidden[i] else "tile.border" if bordering[i]
                    else "tile.unsure" if confidence[i] < SURE else ""
                )  # fmt: skip
                tiles.append(
                    Tile(
                        color=COLORS[color[i]],
                        zone=name,
                        row=None if cells is None else int(cells[k, 0]),
                        col=None if cells is None else int(cells[k, 1]),
                        center=centers[i],
                        polygon=outlines[real[i]],
                        confidence=float(np.clip(confidence[i], 0, 1)),
                        doubtful=bool(doubt),
                        doubt=doubt,
                    )
                )
        return tuple(
            sorted(
                tiles,
                key=lambda t: (t.zone is None, list(zones).index(t.zone) if t.zone else 0, t.row or 0, t.col or 0),
            )
        )

    def _rows(self, centers: np.ndarray, name: str, zone: Located, plane: Plane) -> np.ndarray:
        """In the zone's own frame; in the table's where the zone is an outline without a size."""
        given = self.profile.zones[name]
        if given.markers is None and given.size_mm is None:
            return rows_and_columns(project(plane.to_tiles, centers))
        return rows_and_columns(project(zone.to_mm, centers) / self.profile.tile_mm)

    def _cards(self, markers: Markers, zones: Mapping[str, Located]) -> tuple[Card, ...]:
        corners = self.profile.zone_markers
        found = [(m, o) for m, o in sorted(markers.outlines.items()) if m not in corners]
        zone_of, _ = _zones_of(np.array([o.mean(0) for _, o in found]).reshape(-1, 2), zones, None)
        return tuple(Card(m, self.profile.cards.get(m), zone, o) for (m, o), zone in zip(found, zone_of, strict=True))

    def _problems(self, markers: Markers, zones: Mapping[str, Located], tiles: tuple[Tile, ...]) -> tuple[Problem, ...]:
        out = [Problem("marker.twice", {"marker": m}) for m in sorted(markers.twice)]
        for name, zone in self.profile.zones.items():
            hidden = [m for m in zone.markers or () if m not in markers.outlines]
            if name not in zones:
                out.append(Problem("zone.missing", {"zone": name, "markers": hidden}))
            elif hidden:
                out.append(Problem("zone.hidden", {"zone": name, "markers": hidden}))
        names = list(zones)
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                shared, _ = cv2.intersectConvexConvex(
                    cv2.convexHull(zones[a].outline.astype(np.float32)),
                    cv2.convexHull(zones[b].outline.astype(np.float32)),
                )
                least = min(cv2.contourArea(zones[n].outline.astype(np.float32)) for n in (a, b))
                if shared > 0.05 * least:
                    out.append(Problem("zone.overlap", {"zone": a, "other": b}))
        for key in ("tile.stacked", "tile.border"):
            out += [Problem(key, {"zone": t.zone, "color": t.color}) for t in tiles if t.doubt == key]
        return tuple(out)


def _zones_of(
    centers: np.ndarray, zones: Mapping[str, Located], plane: Plane | None
) -> tuple[list[str | None], np.ndarray]:
    """Each center's zone, the one it lies deepest in; and whether it lies on a border of one."""
    names = list(zones)
    depth = np.full((len(centers), len(names)), -np.inf)
    for k, name in enumerate(names):
        outline = zones[name].outline.astype(np.float32).reshape(-1, 1, 2)
        depth[:, k] = [cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in centers]
    of = [names[int(d.argmax())] if names and d.max() >= 0 else None for d in depth]
    border = np.zeros(len(centers), bool)
    if plane is not None and names and len(centers):
        at = project(plane.to_tiles, centers)
        half = np.array([0.5, 0.0])
        tile = np.linalg.norm(project(plane.to_pixels, at + half) - project(plane.to_pixels, at - half), axis=1)
        border = np.abs(depth).min(1) < ON_BORDER * tile
    return of, border


def _whole(outline: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Whether a tile lies in the picture with all but its rim; one that is cut off is not counted."""
    inner = outline.mean(0) + (outline - outline.mean(0)) * CUT_OFF
    return bool((inner > -0.5).all() and (inner < (shape[1] - 0.5, shape[0] - 0.5)).all())


def _stacked(places: np.ndarray) -> np.ndarray:
    d = np.linalg.norm(places[:, None, :2] - places[None, :, :2], axis=2)
    np.fill_diagonal(d, 9)
    return d.min(1) < STACKED


def _outline(place: np.ndarray, turn: float) -> np.ndarray:
    """(n, 2) a tile's outline in tiles: a square as it is turned, or a circle."""
    if np.isnan(turn):
        a = np.arange(16) * np.pi / 8
        return place[:2] + 0.5 * np.stack([np.cos(a), np.sin(a)], 1)
    c, s = 0.5 * np.cos(turn), 0.5 * np.sin(turn)
    return place[:2] + np.array([[-c + s, -s - c], [c + s, s - c], [c - s, s + c], [-c - s, -s + c]])


@contextmanager
def _timed(stage: str, seconds: dict[str, float]) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - start
