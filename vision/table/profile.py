"""The table profile: zones, cards and tile size, known before a photo is read.

The public JSON format. Zones are bounded by four markers (and have a size in millimetres)
or by a polygon in pixels of the photo.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from common.file_kind import unmarked
from common.json_file import MOST_NUMBER, bounded, read_profile, whole
from common.messages import Message, MisfitError

Point = tuple[float, float]
DICTIONARIES: Mapping[str, int] = {
    "DICT_4X4_50": 0, "DICT_4X4_100": 1, "DICT_4X4_250": 2, "DICT_4X4_1000": 3,
    "DICT_5X5_50": 4, "DICT_5X5_100": 5, "DICT_5X5_250": 6, "DICT_5X5_1000": 7,
    "DICT_6X6_50": 8, "DICT_6X6_100": 9, "DICT_6X6_250": 10, "DICT_6X6_1000": 11,
    "DICT_7X7_50": 12, "DICT_7X7_100": 13, "DICT_7X7_250": 14, "DICT_7X7_1000": 15, "DICT_ARUCO_ORIGINAL": 16,
    "DICT_APRILTAG_16h5": 17, "DICT_APRILTAG_25h9": 18, "DICT_APRILTAG_36h10": 19, "DICT_APRILTAG_36h11": 20,
    "DICT_APRILTAG_16H5": 17, "DICT_APRILTAG_25H9": 18, "DICT_APRILTAG_36H10": 19, "DICT_APRILTAG_36H11": 20,
    "DICT_ARUCO_MIP_36h12": 21, "DICT_ARUCO_MIP_36H12": 21,
}  # fmt: skip
"""ArUco's predefined dictionaries by name, with OpenCV's numbers: a profile is checked where OpenCV is not."""
TILE_MM = 22.0
"""A tile's width where the profile says nothing."""
MARKERS_MM = (5, 200)
"""Sides of a zone's markers."""
SHAPES = (0.1, 10)
"""Heights of pictures by their width."""
MOST_SHEETS = 4
"""Pencilled sheets on a table."""
KEYS = (
    "name", "game", "rule", "dictionary", "zones", "tile_mm", "cards", "palette", "decks", "white", "picture", "shape",
    "sheet", "players",
)  # fmt: skip
ZONE_KEYS = ("markers", "size_mm", "marker_mm", "polygon")


class TableProfileError(MisfitError):
    """A table profile that cannot be used."""

    KEY = "misfit.table-profile"


@dataclass(frozen=True)
class Zone:
    """An area of the table.

    Attributes:
        markers: ids at its top left, top right, bottom right, bottom left, as its player sees them; the zone
            lies inside their outer corners.
        size_mm: width and height between those corners.
        polygon: instead of markers, at least three points in pixels of the photo.
        marker_mm: side of the markers' black squares, where these lie on four loose cards that tell the area's size.
    """

    markers: tuple[int, int, int, int] | None = None
    size_mm: tuple[float, float] | None = None
    polygon: tuple[Point, ...] | None = None
    marker_mm: float | None = None


@dataclass(frozen=True)
class TableProfile:
    """A table: its game (empty: not named), zones, cards and tiles. `name` suffices; the rest is optional.

    `cards` maps a sticker's marker id to what the profile says of that card; `palette` is the file of a
    color calibration, `decks` are files of enrolled decks, `sheet` is the profile of the pencilled sheets that lie
    there, all relative to the profile; `players` are those whose sheets they are, from left to right. `white` is what
    white paper looks like where no marker tells: red, green, blue, 0 to 255. `picture` is how many
    pixels wide the picture was on which polygons were drawn, without it they are pixels of every picture; `shape` is
    that picture's height by its width: in one of another shape they lie elsewhere.
    """

    name: str
    game: str = ""
    rule: int | None = None
    dictionary: str = "DICT_5X5_250"
    zones: Mapping[str, Zone] = field(default_factory=dict)
    tile_mm: float = TILE_MM
    cards: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    palette: str | None = None
    decks: tuple[str, ...] = ()
    white: tuple[float, float, float] | None = None
    picture: float | None = None
    shape: float | None = None
    sheet: str | None = None
    players: tuple[str, ...] = ()

    @property
    def zone_markers(self) -> frozenset[int]:
        """Ids of all markers at the corners of zones."""
        return frozenset(marker for zone in self.zones.values() for marker in zone.markers or ())

    def shrunk(self, scale: float) -> TableProfile:
        """The profile for pictures that are `scale` times smaller than those its polygons were drawn on."""
        if scale == 1:
            return self
        zones = {
            name: zone
            if zone.polygon is None
            else replace(zone, polygon=tuple((x / scale, y / scale) for x, y in zone.polygon))
            for name, zone in self.zones.items()
        }
        return replace(self, zones=zones, picture=self.picture and self.picture / scale)

    @classmethod
    def from_json(cls, data: Any, folder: Path | None = None) -> TableProfile:
        """Check and take over a profile's JSON object; its other files lie in `folder`. Raises TableProfileError."""
        data = unmarked("table", data, TableProfileError)
        if not isinstance(data, dict):
            raise TableProfileError("", "profile.object", data)
        _known(data, KEYS, "")
        for key, value in data.items():
            if not whole(value):
                raise TableProfileError(key, "profile.whole", value)
        name = data.get("name")
        if not isinstance(name, str) or not name:
            raise TableProfileError("name", "profile.text", name)
        game = data.get("game", cls.game)
        if not isinstance(game, str) or ("game" in data and not game):
            raise TableProfileError("game", "profile.game", game)
        rule = data.get("rule")
        if rule is not None and (type(rule) is not int or not 1 <= rule <= 20):
            raise TableProfileError("rule", "profile.count", rule, least=1, most=20)
        dictionary = data.get("dictionary", cls.dictionary)
        if not isinstance(dictionary, str) or dictionary not in DICTIONARIES:
            raise TableProfileError("dictionary", "profile.dictionary", dictionary)
        tile = data.get("tile_mm", TILE_MM)
        if not _is_number(tile) or not 5 <= tile <= 100:
            raise TableProfileError("tile_mm", "profile.millimetres", tile, least=5, most=100)
        palette = data.get("palette")
        if palette is not None and (not isinstance(palette, str) or "\0" in palette):
            raise TableProfileError("palette", "profile.file", palette)
        if palette is not None and folder is not None:
            palette = str(folder / palette)
        decks = data.get("decks", [])
        if not isinstance(decks, list) or not all(isinstance(d, str) and d and "\0" not in d for d in decks):
            raise TableProfileError("decks", "profile.files", decks)
        if folder is not None:
            decks = [str(folder / deck) for deck in decks]
        sheet, players = _sheets(data, folder)
        zones = _object(data.get("zones"), "zones", _zone)
        cards = {_marker(key, f"cards/{key}"): card for key, card in _object(data.get("cards"), "cards", _card).items()}
        white, picture, shape = _white(data.get("white")), _picture(data.get("picture")), _shape(data.get("shape"))
        more = palette, tuple(decks), white, picture, shape, sheet, players
        profile = cls(name, game, rule, dictionary, zones, float(tile), cards, *more)
        _markers_used_once(profile)
        return profile

    @classmethod
    def load(cls, path: Path) -> TableProfile:
        """Read a profile from disk; a palette's path comes out relative to the current folder.

        Raises TableProfileError (also for a file that is none) and OSError.
        """
        return cls.from_json(read_profile(path, TableProfileError), path.parent)

    def to_json(self) -> dict[str, Any]:
        """The public JSON object; what is unknown is left out."""
        known = {
            "name": self.name,
            "game": self.game or None,
            "rule": self.rule,
            "dictionary": self.dictionary,
            "zones": {name: _zone_json(zone) for name, zone in self.zones.items()},
            "tile_mm": self.tile_mm,
            "cards": {str(marker): dict(card) for marker, card in self.cards.items()} or None,
            "palette": self.palette,
            "decks": list(self.decks) or None,
            "white": self.white and list(self.white),
            "picture": self.picture,
            "shape": self.shape,
            "sheet": self.sheet,
            "players": None if self.sheet is None else list(self.players),
        }
        return {key: value for key, value in known.items() if value is not None}


def _zone_json(zone: Zone) -> dict[str, Any]:
    if zone.polygon is not None:
        return {"polygon": [list(point) for point in zone.polygon]}
    known = {
        "markers": list(zone.markers or ()), "size_mm": zone.size_mm and list(zone.size_mm), "marker_mm": zone.marker_mm
    }  # fmt: skip
    return {key: value for key, value in known.items() if value is not None}


def _known(data: Mapping[str, Any], keys: tuple[str, ...], place: str) -> None:
    for key in data:
        if key not in keys:
            raise TableProfileError(f"{place}{key}", "profile.key", key, keys=keys)


def _object(data: Any, place: str, take: Callable[[Any, str], Any]) -> dict[str, Any]:
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise TableProfileError(place, "profile.object", data)
    return {key: take(value, f"{place}/{key}") for key, value in data.items()}


def _card(data: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(data, dict):
        raise TableProfileError(place, "profile.card", data)
    if not bounded(data):
        raise TableProfileError(place, "profile.bounded", data, most=MOST_NUMBER)
    return data


def _zone(data: Any, place: str) -> Zone:
    if not isinstance(data, dict):
        raise TableProfileError(place, "profile.zone", data)
    _known(data, ZONE_KEYS, f"{place}/")
    if ("markers" in data) == ("polygon" in data):
        raise TableProfileError(place, "profile.markers-or-polygon", data)
    size = data.get("size_mm")
    if size is not None:
        if not _are_numbers(size, 2, 10, 5000):
            raise TableProfileError(f"{place}/size_mm", "profile.size-mm", size, least=10, most=5000)
        size = (float(size[0]), float(size[1]))
    if "polygon" in data:
        points = data["polygon"]
        if not isinstance(points, list) or len(points) < 3 or not all(_are_numbers(p, 2) for p in points):
            raise TableProfileError(f"{place}/polygon", "profile.polygon", points)
        return Zone(None, size, tuple((float(x), float(y)) for x, y in points))
    ids = data["markers"]
    if not isinstance(ids, list) or len(ids) != 4:
        raise TableProfileError(f"{place}/markers", "profile.four-markers", ids)
    a, b, c, d = (_marker(id_, f"{place}/markers/{i}") for i, id_ in enumerate(ids))
    side = data.get("marker_mm")
    if side is not None and (not _is_number(side) or not MARKERS_MM[0] <= side <= MARKERS_MM[1]):
        raise TableProfileError(
            f"{place}/marker_mm", "profile.millimetres", side, least=MARKERS_MM[0], most=MARKERS_MM[1]
        )
    return Zone((a, b, c, d), size, marker_mm=None if side is None else float(side))


def _white(data: Any) -> tuple[float, float, float] | None:
    if data is None:
        return None
    if not _are_numbers(data, 3, 1, 255):
        raise TableProfileError("white", "profile.white", data)
    return float(data[0]), float(data[1]), float(data[2])


def _picture(data: Any) -> float | None:
    if data is not None and (not _is_number(data) or data < 1):
        raise TableProfileError("picture", "profile.count", data, least=1, most=100_000)
    return data if data is None else float(data)


def _shape(data: Any) -> float | None:
    if data is not None and (not _is_number(data) or not SHAPES[0] <= data <= SHAPES[1]):
        raise TableProfileError("shape", "profile.number", data, least=SHAPES[0], most=SHAPES[1])
    return data if data is None else float(data)


def _sheets(data: Mapping[str, Any], folder: Path | None) -> tuple[str | None, tuple[str, ...]]:
    """The file of the sheets' profile, and whose they are."""
    sheet, players = data.get("sheet"), data.get("players", [])
    if "sheet" in data and (not isinstance(sheet, str) or not sheet or "\0" in sheet):
        raise TableProfileError("sheet", "profile.sheet-file", sheet)
    named = isinstance(players, list) and all(isinstance(p, str) and p for p in players)
    if not named or len(set(players)) < len(players) or not ("players" in data) <= len(players) <= MOST_SHEETS:
        raise TableProfileError("players", "profile.players", players, most=MOST_SHEETS)
    return str(folder / sheet) if sheet is not None and folder is not None else sheet, tuple(players)


def _marker(value: Any, place: str) -> int:
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6 else value
    if type(number) is not int or not 0 <= number < 1024:
        raise TableProfileError(place, "profile.marker", value, most=1023)
    return number


def _markers_used_once(profile: TableProfile) -> None:
    used: dict[int, str] = {}
    for name, zone in profile.zones.items():
        for marker in zone.markers or ():
            place = f"zones/{name}/markers"
            if marker in used:
                raise TableProfileError(place, "profile.marker-once", _also(marker, used))
            used[marker] = place
    for marker in profile.cards:
        if marker in used:
            raise TableProfileError(f"cards/{marker}", "profile.marker-once", _also(marker, used))


def _also(marker: int, used: Mapping[int, str]) -> Message:
    return Message("profile.also", {"what": marker, "place": used[marker]})


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 1e6


def _are_numbers(value: Any, n: int, least: float = -1e6, most: float = 1e6) -> bool:
    return isinstance(value, list) and len(value) == n and all(_is_number(x) and least <= x <= most for x in value)
