"""The one way from the bytes of a table's photo to its state: the page, the command line and the benches all go it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from common.messages import Message
from companion.cases.table import TableState
from companion.games import game_of
from companion.reading.areas import proposed
from companion.reading.tables import read_state, table_reader
from vision.photo import Photo, open_photo
from vision.table.profile import TableProfile, Zone
from vision.table.read import TableReader
from vision.table.reading import TableReading


@dataclass(frozen=True)
class SeenTable:
    """A table's photo, what was read from it, and the state that it makes.

    Attributes:
        areas: those that were proposed and taken where the profile has none, as its `zones`, in the file's pixels.
    """

    photo: Photo
    reading: TableReading
    table: TableState
    areas: Mapping[str, Zone] = field(default_factory=dict)


def see_table(
    data: bytes, profile: TableProfile, reader: Callable[[TableProfile], TableReader] = table_reader
) -> SeenTable:
    """Read a photo of a table; `profile` is in the file's pixels, `reader` makes what reads pictures of a table.

    Where the profile has no areas, those are taken that lie before players, see `companion.reading.areas`.

    Raises PhotoError, PaletteError.
    """
    photo = open_photo(data)
    reading = reader(profile.shrunk(photo.scale)).read(photo.image, thorough=True)
    areas = {} if profile.zones else _areas(photo, reading, profile)
    if areas:
        profile = replace(profile, zones=areas, picture=None, shape=None)
        reading = reader(profile.shrunk(photo.scale)).read(photo.image, thorough=True)
    table = read_state(reading, profile)
    if areas:
        table = replace(table, problems=(*table.problems, Message("table.areas", {"zones": [*areas]})))
    return SeenTable(photo, reading, table, areas)


def _areas(photo: Photo, reading: TableReading, profile: TableProfile) -> dict[str, Zone]:
    """The areas that lie before players; none where no player has anything."""
    game = game_of(profile)
    found = proposed(reading, game, photo.image.shape[1::-1]).areas
    if not found.keys() - game.common:
        return {}
    return {name: Zone(polygon=tuple(map(tuple, photo.full(corners).tolist()))) for name, corners in found.items()}
