"""Zone mats: a marker at each corner of a player's area, on one sheet or on several that are joined."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Final

from companion.games.entry import Game
from companion.games.markers import ZONE_MARKER_MM, margin
from companion.printing.paper import PALE, Page, Pen, Sheet
from companion.words.words import Words

INSET: Final = margin(ZONE_MARKER_MM)
"""From the mat's edge to its markers, in mm: their white margin."""
JOIN_MARK: Final = 5.0
"""Half the height of the diamond that two joined sheets make, in mm."""
Grid = tuple[int, int]
"""How many sheets lie side by side, and how many one below the other."""


def mat_size(paper: str, joined: Grid) -> tuple[float, float]:
    """Width and height of a whole mat in mm."""
    _, _, width, height = Sheet(paper, True, "", "").area
    return width * joined[0], height * joined[1]


def zone_size(paper: str, joined: Grid) -> tuple[float, float]:
    """Width and height between the outer corners of a mat's markers, in mm."""
    width, height = mat_size(paper, joined)
    return round(width - 2 * INSET, 1), round(height - 2 * INSET, 1)


def pages(game: Game, mats: Sequence[str], paper: str, joined: Grid, code: str, words: Words) -> list[Page]:
    """All sheets of some zones' mats, row by row from the top left."""
    columns, rows = joined
    out = []
    for zone, row, column in product(mats, range(rows), range(columns)):
        part = {"part": f"{row + 1}-{column + 1}"} if columns * rows > 1 else {}
        title = words.say("mats.title-part" if part else "mats.title", zone=area_name(zone, words), **part)
        draw = partial(_draw, zone=zone, ids=game.areas[zone], at=(column, row), of=joined, words=words)
        out.append(Page(Sheet(paper, True, title, code), draw))
    return out


def _draw(pen: Pen, sheet: Sheet, zone: str, ids: Sequence[int], at: Grid, of: Grid, words: Words) -> None:
    left, top, width, height = sheet.area
    right, bottom = left + width, top + height
    first, last = at[0] == 0, at[0] == of[0] - 1
    highest, lowest = at[1] == 0, at[1] == of[1] - 1
    for outer, start, end in (
        (highest, (left, top), (right, top)), (lowest, (left, bottom), (right, bottom)),
        (first, (left, top), (left, bottom)), (last, (right, top), (right, bottom)),
    ):  # fmt: skip
        if outer:
            pen.line(start, end, gray=PALE)
        else:
            _joint(pen, start, end)
    corners = ((first, highest), (last, highest), (last, lowest), (first, lowest))
    places = corner_places(left, top, width, height)
    for number, (here, level), (x, y) in zip(ids, corners, places, strict=True):
        if here and level:
            pen.marker(x, y, ZONE_MARKER_MM, number)
    middle = left + width / 2
    if highest:
        pen.text(middle, top + 8, area_name(zone, words), 6, "center", PALE - 0.1)
    if lowest:
        pen.text(middle, bottom - 3, words.say("mats.player-side"), 3, "center", PALE - 0.15)
    if of != (1, 1) and lowest:
        pen.text(middle, bottom - 8, words.say("mats.join"), 2.8, "center", PALE - 0.15)


def corner_places(left: float, top: float, width: float, height: float) -> list[tuple[float, float]]:
    """Where the four corner markers' own top left corners lie on a mat, in mm."""
    far = ZONE_MARKER_MM + INSET
    near_x, near_y, far_x, far_y = left + INSET, top + INSET, left + width - far, top + height - far
    return [(near_x, near_y), (far_x, near_y), (far_x, far_y), (near_x, far_y)]


def _joint(pen: Pen, start: tuple[float, float], end: tuple[float, float]) -> None:
    """An edge where two sheets meet: a line to cut along, and diamonds of which each sheet has a half."""
    pen.line(start, end, gray=0.5, dash=True)
    upright = start[0] == end[0]
    for part in (0.3, 0.5, 0.7):
        x, y = (a + part * (b - a) for a, b in zip(start, end, strict=True))
        r, s = JOIN_MARK, 0.4 * JOIN_MARK
        around = ((0, -r), (s, 0), (0, r), (-s, 0)) if upright else ((-r, 0), (0, s), (r, 0), (0, -s))
        pen.line(*((x + dx, y + dy) for dx, dy in (*around, around[0])), gray=0.5)


def area_name(zone: str, words: Words) -> str:
    """What stands on an area's print."""
    player, _, part = zone.partition(".")
    if not part:
        return words.area(zone) if len(zone) > 1 else words.say("mats.player", player=player)
    return words.say("area.part", name=words.say("mats.player", player=player), part=words.term(f"part.{part}"))
