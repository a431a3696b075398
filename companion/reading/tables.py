"""A picture of a table as an observation."""

from companion.cases.table import Entries, TableState, table_state
from companion.cases.table_evidence import outline, pieces, pieces_of
from companion.games import game_of
from companion.reading import print_scale
from companion.record import Observation
from vision.table.palette import Palette
from vision.table.profile import TableProfile
from vision.table.read import TableReader
from vision.table.reading import TableReading


def table_reader(profile: TableProfile, palette: Palette | None = None) -> TableReader:
    """What reads pictures of a table on which this game's tiles lie.

    Raises TableProfileError (no such game), PaletteError or OSError (the profile's palette cannot be used).
    """
    game = game_of(profile)
    return TableReader(profile, palette, game.tiles, game.chips)


def observation(reading: TableReading, profile: TableProfile) -> Observation:
    """What a reading of a table shows: its tiles, then its cards. Raises TableProfileError: no such game."""
    zones = {name: outline(polygon) for name, polygon in reading.zones.items()}
    problems = (*reading.problems, *print_scale.problems(reading, profile, game_of(profile)))
    return Observation(pieces_of(pieces(reading)), zones, problems)


def read_state(
    reading: TableReading, profile: TableProfile, entries: Entries | None = None, kinds: frozenset[str] = frozenset()
) -> TableState:
    """The state that a reading shows, see `table_state`. Raises TableProfileError: no such game."""
    return table_state(observation(reading, profile), profile, entries, kinds)
