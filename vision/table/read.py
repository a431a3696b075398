"""Read one picture of a table: markers, zones, tiles, colors, rows, cards."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from common.messages import Message
from vision import timed
from vision.cards.deck import Deck
from vision.cards.find import CardFinder
from vision.cards.still import FoundCard
from vision.errors import PhotoError
from vision.table.chips import CHIP_MM, find_chips
from vision.table.classifier import Judged, judge_tiles, tile_windows
from vision.table.detector import find_tiles, guess_plane
from vision.table.edge_to_edge import edge_to_edge
from vision.table.inventory import fit_box
from vision.table.markers import Markers, find_markers, shrunk
from vision.table.neighbors import among_neighbors
from vision.table.palette import Palette
from vision.table.plane import Located, Plane, framed, locate, project, table_plane
from vision.table.profile import TableProfile, TableProfileError
from vision.table.reading import COLORS, Card, TableReading, Tile, tile_problems
from vision.table.rows import rows_and_columns
from vision.table.white_balance import Balance, card_white, evened, paper_white

NONE = len(COLORS)


@dataclass(frozen=True)
class ReadSettings:
    """When a piece is found, in doubt, in a zone, or where it was."""

    sure: float = 0.90  # confidence below which a tile is doubtful
    found_at: tuple[float, float, float] = (0.0, 0.55, 0.62)
    """Probabilities of the finder at which `is_tile` holds; between them it goes straight."""
    is_tile: tuple[float, float, float] = (0.0, 0.715, 1.0)
    """How often a place is a tile then (drawn tables held apart)."""
    unknown: float = 0.5  # confidence in the color of a tile that only its neighbors tell, at most
    stacked: float = 0.8  # tiles: two tiles closer than this lie on top of one another
    on_border: float = 0.3  # tiles: a center closer than this to a zone's border may belong to either side
    sticker_mm: float = 17.5  # side of a printed sticker's black square
    cut_off: float = 0.9  # share of a tile's width that must lie in the picture
    same_place: float = 1.0  # pixels by which nothing has moved
    same_white: float = 0.03  # parts of white's level by which the light is the same
    small_width: int = 320  # pixels of the width of the picture that tells a moved camera
    moved: float = 0.008  # how far it moves, in widths
    least_like: float = 0.05  # how alike both pictures are at least, 0 to 1
    mirrored: int = 2  # markers, or faces, seen as in a mirror, and none as it is, where the picture is mirrored
    legible: float = 20.0
    """Pixels of the small copy: where a marker that was seen is smaller, the whole picture is searched for its like."""
    thorough_every: int = 15  # pictures of a film between thorough searches for markers that are missed


SETTINGS = ReadSettings()
LEAST_PIXELS = {"tile": 12, "card": 45, "sticker": 18}
"""Pixels that a piece's shorter side must have to be read."""
_SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
_CIRCLE = 0.5 * np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], 1)


@dataclass(frozen=True)
class View:
    """How a camera sees the table: where its zones and its plane lie, and how white looks."""

    zones: Mapping[str, Located]
    plane: Plane | None
    white: np.ndarray | None
    balance: Balance

    def like(self, zones: Mapping[str, Located], white: np.ndarray | None) -> bool:
        """Whether zones and white are those of this view, but for the camera's noise."""
        if zones.keys() != self.zones.keys() or (white is None) != (self.white is None):
            return False
        if (
            white is not None
            and self.white is not None
            and (np.abs(white / self.white - 1) > SETTINGS.same_white).any()
        ):
            return False
        moves = (np.abs(zones[name].outline - self.zones[name].outline).max() for name in zones)
        return max(moves, default=0.0) < SETTINGS.same_place


class TableReader:
    """Reads pictures of one table, one after the other.

    Where a marker is hidden, its zone is taken from the pictures before. Not for several threads at once.
    """

    def __init__(
        self,
        profile: TableProfile,
        palette: Palette | None = None,
        inventory: Mapping[str, int] | None = None,
        chips: Collection[str] = (),
    ) -> None:
        """`inventory`: the most tiles there are of each color; None: any number; empty: none are looked for.
        `chips`: the colors of round chips that lie there.

        Raises PaletteError, TableProfileError or OSError where a palette or a deck of the profile cannot be used.
        """
        if palette is None and profile.palette is not None:
            palette = Palette.load(Path(profile.palette))
        self.profile, self._inventory, self._chips = profile, inventory, chips
        self._has_tiles = inventory is None or bool(inventory)
        self._known = palette.known() if palette else None
        self._card_finder = CardFinder(_decks(profile)) if profile.decks else None
        self.forget()

    def forget(self) -> None:
        """Let the next picture stand alone: nothing is taken from the pictures before."""
        self._zones: dict[str, Located] = {}
        self._markers: dict[int, np.ndarray] = {}
        self._view: View | None = None
        self._since = 0
        self._drawn_on: np.ndarray | None = None
        self._size: tuple[int, ...] = ()
        if self._card_finder is not None:
            self._card_finder.forget()

    def read(self, image: np.ndarray, thorough: bool | None = None) -> TableReading:
        """Read a picture.

        Args:
            image: (H, W, 3) BGR.
            thorough: search markers in every way (slow); else on a small copy and where they were last seen.
                By default the first picture is searched thoroughly, and then now and again while a zone is missing.

        Raises PhotoError where the picture is mirrored.
        """
        if image.shape != self._size:  # what was kept is in pixels of another picture
            self.forget()
            self._size = image.shape
        seconds: dict[str, float] = {}
        with timed("markers", seconds):
            small = shrunk(image)
            thoroughly = self._is_thorough(thorough)
            markers = self._find_markers(image, small, thoroughly)
            if thoroughly and self._is_mirrored(image, markers):
                raise PhotoError("table.mirrored")
        with timed("zones", seconds):
            lit = evened(image, markers.outlines.values())
            small = small if lit is image else shrunk(lit)
            view = self._view = self._seen(lit, markers)
        places, judged = np.zeros((0, 3)), judge_tiles(np.zeros((0, 0, 0, 3), np.uint8))
        if view.plane is not None and self._has_tiles:
            with timed("find", seconds):
                places = find_tiles(lit, view.plane, view.balance, small)
            with timed("judge", seconds):
                judged = judge_tiles(tile_windows(lit, view.plane, places, view.balance), self._known)
        with timed("rows", seconds):
            tiles = self._tiles(lit, small, view, places, judged) if view.plane else ()
        cards = self._cards(markers, view.zones)
        if self._card_finder is not None:
            with timed("cards", seconds):
                seen = self._card_finder.find(image) if thorough else self._card_finder.follow(image)
                cards += self._faces(seen, view.zones)
                if thoroughly and self._faces_mirrored(image, cards):
                    raise PhotoError("table.mirrored")
        if self._chips:
            with timed("chips", seconds):
                tiles += self._round(lit, view, cards)
        return TableReading(
            tiles=tiles,
            cards=cards,
            zones={name: zone.outline for name, zone in view.zones.items()},
            problems=(
                *self._problems(markers, view.zones, tiles),
                *self._coarse(view.zones, cards),
                *self._moved(image),
            ),
            seconds=seconds,
        )

    def _seen(self, image: np.ndarray, markers: Markers) -> View:
        """Zones, plane and white of this picture; the very same as before where nothing has changed."""
        zones = locate(self.profile, markers.outlines, self._zones, image.shape)
        self._zones.update(zones)
        white = paper_white(image, markers.outlines.values(), self.profile.white)
        if self._view is not None and self._view.like(zones, white):
            return self._view
        plane = table_plane(self.profile, zones, image.shape)
        if plane is None and self._has_tiles:
            plane = (self._view.plane if self._view else None) or guess_plane(image)
        return View(zones, plane, white, Balance(white))

    def _coarse(self, zones: Mapping[str, Located], cards: Sequence[Card]) -> Iterator[Message]:
        """What the camera sees too small to read it: in an area of known size, and the cards that lie there."""
        sides = {"tile": self.profile.tile_mm} if self._has_tiles else {}
        if self._card_finder is not None:
            sides["card"] = min(min(one.bank.size_mm) for deck in self._card_finder.decks for one in deck.sizes)
        if self.profile.cards:
            sides["sticker"] = SETTINGS.sticker_mm
        for name, zone in zones.items():
            given = self.profile.zones[name]
            to_mm = self._cards_to_mm if given.markers is None and given.size_mm is None else zone.to_mm
            if to_mm is not None:
                seen, true = (
                    cv2.contourArea(p.astype(np.float32)) for p in (zone.outline, project(to_mm, zone.outline))
                )
                dense = np.sqrt(seen / max(true, 1.0))
                for what, side in sides.items():
                    if side * dense < LEAST_PIXELS[what]:
                        said = {"what": {"key": f"piece.{what}", "values": {}}, "n": round(side * dense)}
                        yield Message("zone.coarse", {"zone": name, **said, "least": LEAST_PIXELS[what]})
        found = [float(np.linalg.norm(np.diff(c.polygon, axis=0), axis=1).min()) for c in cards if c.marker is None]
        if found and (wide := float(np.median(found))) < LEAST_PIXELS["card"]:
            yield Message("card.coarse", {"n": round(wide), "least": LEAST_PIXELS["card"]})

    def _moved(self, image: np.ndarray) -> tuple[Message, ...]:
        """Whether the camera looks elsewhere than at first, which zones drawn by hand cannot follow."""
        if all(zone.polygon is None for zone in self.profile.zones.values()):
            return ()
        scale = SETTINGS.small_width / image.shape[1]
        small = cv2.cvtColor(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
        )
        now = small.astype(np.float32)
        if self._drawn_on is None or self._drawn_on.shape != now.shape:
            self._drawn_on = now
            return ()
        window = cv2.createHanningWindow(now.shape[::-1], cv2.CV_32F)
        (x, y), sure = cv2.phaseCorrelate(self._drawn_on, now, window)
        if sure < SETTINGS.least_like or np.hypot(x, y) < SETTINGS.moved * SETTINGS.small_width:
            return ()
        drawn = (name for name, zone in self.profile.zones.items() if zone.polygon is not None)
        return (Message("camera.moved", {"zones": ", ".join(drawn)}),)

    def _is_thorough(self, asked: bool | None) -> bool:
        missing = any(m not in self._markers for m in self.profile.zone_markers)
        self._since += 1
        return (
            asked if asked is not None else self._since == 1 or (missing and self._since % SETTINGS.thorough_every == 1)
        )

    def _is_mirrored(self, image: np.ndarray, markers: Markers) -> bool:
        """Whether the profile's markers are seen as in a mirror, and none as it is."""
        expected = self.profile.zone_markers | set(self.profile.cards)
        if not expected or not expected.isdisjoint(markers.outlines):
            return False
        turned = cv2.cvtColor(cv2.flip(image, 1), cv2.COLOR_BGR2GRAY)
        found = find_markers(turned, self.profile.dictionary, thorough=False, full_size=True)
        return len(expected & found.outlines.keys()) >= min(SETTINGS.mirrored, len(expected))

    def _faces_mirrored(self, image: np.ndarray, cards: Sequence[Card]) -> bool:
        """Whether more faces of the profile's decks are seen as in a mirror, where hardly one is as it is: a picture
        on a card may be its own mirror image."""
        known = sum(card.card is not None and not card.doubtful for card in cards)
        if known >= SETTINGS.mirrored or self._card_finder is None:
            return False
        seen = CardFinder(self._card_finder.decks).find(cv2.flip(image, 1))
        return sum(found.entry is not None and not found.doubtful for found in seen) >= SETTINGS.mirrored + known

    def _find_markers(self, image: np.ndarray, small: np.ndarray, thorough: bool) -> Markers:
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        corners = self.profile.zone_markers
        expected = (corners | set(self.profile.cards)) if thorough else self._markers
        small = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        legible = SETTINGS.legible * gray.shape[1] / small.shape[1]
        sides = (np.sqrt(cv2.contourArea(outline)) for outline in self._markers.values())
        full_size = any(side < legible for side in sides)
        markers = find_markers(gray, self.profile.dictionary, expected, thorough, small, full_size)
        self._markers.update(markers.outlines)
        return markers

    def _tiles(
        self, image: np.ndarray, small: np.ndarray, view: View, places: np.ndarray, judged: Judged
    ) -> tuple[Tile, ...]:
        """The tiles among the places and beside them, zone by zone, row by row; those outside every zone last."""
        assert view.plane is not None
        zones, plane = view.zones, view.plane
        odds, turns = judged.odds.copy(), judged.turns
        is_tile = (1 - odds[:, NONE]) * np.interp(places[:, 2], SETTINGS.found_at, SETTINGS.is_tile)
        sure, maybe = among_neighbors(places[:, :2], is_tile).T
        odds[:, NONE] = 1 - maybe
        odds[:, :NONE] *= (1 - odds[:, NONE:]) / odds[:, :NONE].sum(1, keepdims=True)
        more = _unknown(small, small.shape[1] / image.shape[1], plane, places[odds.argmax(1) != NONE, :2])
        if len(more):
            also = judge_tiles(tile_windows(image, plane, more, view.balance), self._known)
            places, turns = np.concatenate([places, more]), np.concatenate([turns, also.turns])
            colors = also.odds[:, :NONE] / also.odds[:, :NONE].sum(1, keepdims=True)
            odds = np.concatenate([odds, np.pad(colors, ((0, 0), (0, 1)))])
            sure, maybe = (
                np.concatenate([part, np.full(len(more), p)]) for part, p in ((sure, SETTINGS.unknown), (maybe, 1))
            )
        outlines = _outlines(places, turns, plane)
        whole = _whole(outlines, image.shape)
        color, forbidden = fit_box(odds, self._inventory)
        real = np.nonzero((color != NONE) & whole)[0]
        if not len(real):
            return ()
        places, color, forbidden = places[real], color[real], forbidden[real]
        confidence = np.clip(odds[real, color] * (sure / maybe)[real], 0, 1).tolist()
        centers = project(plane.to_pixels, places[:, :2])
        zone_of, bordering = _zones_of(centers, zones, plane)
        stacked = _stacked(places)
        tiles: list[Tile] = []
        for name in [*zones, None]:
            mine = [i for i in range(len(real)) if zone_of[i] == name]
            cells = self._rows(centers[mine], name, zones[name], plane).tolist() if name is not None else None
            for k, i in enumerate(mine):
                doubt = (
                    "tile.stacked" if stacked[i] else "tile.box" if forbidden[i] else "tile.border" if bordering[i]
                    else "tile.unsure" if confidence[i] < SETTINGS.sure else ""
                )  # fmt: skip
                tiles.append(
                    Tile(
                        color=COLORS[color[i]],
                        zone=name,
                        row=None if cells is None else cells[k][0],
                        col=None if cells is None else cells[k][1],
                        center=centers[i],
                        polygon=outlines[real[i]],
                        confidence=confidence[i],
                        doubtful=bool(doubt),
                        doubt=doubt,
                        borders=bordering[i],
                    )
                )
        order = {name: i for i, name in enumerate([*zones, None])}
        return tuple(sorted(tiles, key=lambda t: (order[t.zone], t.row or 0, t.col or 0)))

    def _round(self, image: np.ndarray, view: View, cards: Sequence[Card]) -> tuple[Tile, ...]:
        """The chips, as round tiles, where areas of known size or cards tell how large they look."""
        plane, outlines = self._chip_plane(image, view), [card.polygon for card in cards]
        if plane is None:
            return ()
        white = card_white(image, outlines) if view.white is None else view.white
        found = find_chips(image, plane, self._chips, Balance(white), outlines)
        centers = np.array([chip.center for chip in found]).reshape(-1, 2)
        zone_of, bordering = _zones_of(centers, view.zones, plane)
        tiles = []
        for chip, zone, borders in zip(found, zone_of, bordering, strict=True):
            doubt = "tile.border" if borders else "tile.unsure" if chip.confidence < SETTINGS.sure else ""
            row = None if zone is None else 0
            seen = (chip.center, chip.outline, chip.confidence)
            tiles.append(Tile(chip.color, zone, row, row, *seen, bool(doubt), doubt, borders))
        order = {name: i for i, name in enumerate([*view.zones, None])}
        return tuple(sorted(tiles, key=lambda t: (order[t.zone], t.color, round(t.center[0] / 8), t.center[1])))

    @property
    def _cards_to_mm(self) -> np.ndarray | None:
        """(3, 3), pixels to millimetres as the cards tell it that are known by their faces."""
        return None if self._card_finder is None else self._card_finder.to_mm

    def _chip_plane(self, image: np.ndarray, view: View) -> Plane | None:
        sized = table_plane(self.profile, view.zones, image.shape)
        if sized is not None:
            unit = self.profile.tile_mm / CHIP_MM
            return Plane(np.diag([unit, unit, 1.0]) @ sized.to_tiles, (sized.size[0] * unit, sized.size[1] * unit))
        to_mm = self._cards_to_mm
        if to_mm is None:
            return None
        height, width = image.shape[:2]
        return framed(to_mm, CHIP_MM, image.shape, np.array([[0, 0], [width, 0], [width, height], [0, height]]))

    def _rows(self, centers: np.ndarray, name: str, zone: Located, plane: Plane) -> np.ndarray:
        """In the zone's own frame; in the table's where the zone is an outline without a size."""
        given = self.profile.zones[name]
        if given.markers is None and given.size_mm is None:
            to_tiles = plane.to_tiles
        else:
            to_tiles = np.diag([1 / self.profile.tile_mm, 1 / self.profile.tile_mm, 1.0]) @ zone.to_mm
        return rows_and_columns(project(to_tiles, centers), project(to_tiles, zone.outline))

    def _cards(self, markers: Markers, zones: Mapping[str, Located]) -> tuple[Card, ...]:
        corners = self.profile.zone_markers
        found = [(m, o) for m, o in sorted(markers.outlines.items()) if m not in corners]
        centers = np.array([o for _, o in found]).reshape(-1, 4, 2).mean(1)
        zone_of, _ = _zones_of(centers, zones, None)
        return tuple(Card(m, self.profile.cards.get(m), zone, o) for (m, o), zone in zip(found, zone_of, strict=True))

    def _faces(self, found: Sequence[FoundCard], zones: Mapping[str, Located]) -> tuple[Card, ...]:
        zone_of, _ = _zones_of(np.array([f.corners.mean(0) for f in found]).reshape(-1, 2), zones, None)
        return tuple(
            Card(None, f.entry, zone, f.corners, f.deck, f.confidence, f.doubtful, f.nearest)
            for f, zone in zip(found, zone_of, strict=True)
        )

    def _problems(self, markers: Markers, zones: Mapping[str, Located], tiles: tuple[Tile, ...]) -> tuple[Message, ...]:
        out = [Message("marker.twice", {"marker": m}) for m in sorted(markers.twice)]
        for name, zone in self.profile.zones.items():
            hidden = [m for m in zone.markers or () if m not in markers.outlines]
            if name not in zones:
                out.append(Message("zone.missing", {"zone": name, "markers": hidden}))
            elif hidden:
                out.append(Message("zone.hidden", {"zone": name, "markers": hidden}))
        names = list(zones)
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                shared, _ = cv2.intersectConvexConvex(
                    cv2.convexHull(zones[a].outline.astype(np.float32)),
                    cv2.convexHull(zones[b].outline.astype(np.float32)),
                )
                least = min(cv2.contourArea(zones[n].outline.astype(np.float32)) for n in (a, b))
                if shared > 0.05 * least:
                    out.append(Message("zone.overlap", {"zone": a, "other": b}))
        return (*out, *tile_problems(tiles))


def _unknown(small: np.ndarray, scale: float, plane: Plane, known: np.ndarray) -> np.ndarray:
    """(m, 3) places that are tiles by how they lie beside the known ones, (n, 2); `scale`: of the small picture."""
    more = edge_to_edge(small, lambda at: (project(plane.to_pixels, at) + 0.5) * scale - 0.5, known)
    return np.pad(more, ((0, 0), (0, 1)))


def _decks(profile: TableProfile) -> list[Deck]:
    decks = []
    for path in profile.decks:
        try:
            decks.append(Deck.load(Path(path)))
        except OSError:
            raise TableProfileError("decks", "profile.deck", Path(path).name) from None
    return decks


def _zones_of(
    centers: np.ndarray, zones: Mapping[str, Located], plane: Plane | None
) -> tuple[list[str | None], list[tuple[str, ...]]]:
    """Each center's zone, the one it lies deepest in; and the zones whose border it lies on."""
    border: list[tuple[str, ...]] = [()] * len(centers)
    if not zones or not len(centers):
        return [None] * len(centers), border
    names = list(zones)
    depth = _depths(centers, [zone.outline for zone in zones.values()])
    deepest = depth.argmax(1).tolist()
    of = [names[k] if inside else None for k, inside in zip(deepest, (depth.max(1) >= 0).tolist(), strict=True)]
    if plane is not None:
        at = project(plane.to_tiles, centers)
        half = np.array([0.5, 0.0])
        left, right = np.split(project(plane.to_pixels, np.concatenate([at - half, at + half])), 2)
        near = np.abs(depth) < SETTINGS.on_border * np.linalg.norm(right - left, axis=1)[:, None]
        for i in np.nonzero(near.any(1))[0]:
            border[i] = tuple(names[k] for k in np.nonzero(near[i])[0])
    return of, border


def _depths(points: np.ndarray, outlines: Sequence[np.ndarray]) -> np.ndarray:
    """(n, m): how deep each point lies in each polygon, in pixels; below 0 how far from it."""
    ends = np.cumsum([len(outline) for outline in outlines])
    first = ends - [len(outline) for outline in outlines]
    start = np.concatenate(outlines)
    edge = np.concatenate([np.roll(outline, -1, 0) for outline in outlines]) - start
    to = points[:, None] - start[None]
    along = (to * edge).sum(2) / np.maximum((edge**2).sum(1), 1e-12)
    off = to - np.clip(along, 0, 1)[..., None] * edge
    near = np.sqrt(np.minimum.reduceat((off**2).sum(2), first, axis=1))
    # A ray to the right crosses the border of what it starts in an odd number of times.
    below = to[..., 1] >= 0
    crossed = below != (to[..., 1] - edge[:, 1] >= 0)
    left = (to[..., 0] * edge[:, 1] - to[..., 1] * edge[:, 0] < 0) == (edge[:, 1] > 0)
    inside = np.add.reduceat(crossed & left, first, axis=1, dtype=int) % 2 == 1
    return np.where(inside, near, -near)


def _whole(outlines: list[np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """Which tiles lie in the picture with all but their rims; one that is cut off is not counted."""
    if not outlines:
        return np.zeros(0, bool)
    first = np.cumsum([0, *(len(outline) for outline in outlines[:-1])])
    points = np.concatenate(outlines)
    lo, hi = np.minimum.reduceat(points, first), np.maximum.reduceat(points, first)
    rim = (hi - lo) * (1 - SETTINGS.cut_off) / 2
    inside = (lo + rim > -0.5) & (hi - rim < np.array([shape[1], shape[0]]) - 0.5)
    return np.asarray(inside.all(1))


def _stacked(places: np.ndarray) -> np.ndarray:
    d = np.linalg.norm(places[:, None, :2] - places[None, :, :2], axis=2)
    np.fill_diagonal(d, 9)
    return d.min(1) < SETTINGS.stacked


def _outlines(places: np.ndarray, turns: np.ndarray, plane: Plane) -> list[np.ndarray]:
    """Each tile's outline (n, 2) in pixels: a square as it is turned, or a circle."""
    round_ = np.isnan(turns)
    c, s = np.cos(turns[~round_]), np.sin(turns[~round_])
    squares = places[~round_, None, :2] + _SQUARE @ np.stack([c, s, -s, c], 1).reshape(-1, 2, 2)
    circles = places[round_, None, :2] + _CIRCLE
    pixels = project(plane.to_pixels, np.concatenate([squares.reshape(-1, 2), circles.reshape(-1, 2)]))
    of_square = iter(pixels[: 4 * len(squares)].reshape(-1, 4, 2))
    of_circle = iter(pixels[4 * len(squares) :].reshape(-1, len(_CIRCLE), 2))
    return [next(of_circle if is_round else of_square) for is_round in round_]
