"""What all games share: whose zone is whose, what lies in it, and from left to right."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from statistics import fmean, median
from typing import Any, NamedTuple

from common.messages import Message
from companion.record import CARD, TILE, Observation, Piece, Point
from scoring.fields import pointer
from vision.table.profile import TableProfile, TableProfileError

ROW = 1.6
"""Heights of stickers: those that differ by more lie in another row."""
ROW_OF_FACES = 0.55
"""The same of cards known by their faces, in heights of cards."""
ROOM = 1.7
"""Steps from card to card, or widths of a card, from which one more card has room between two."""
LOOSE = "loose"
"""The kind of tiles and tokens, beside the kinds of cards that profiles name."""

Field = tuple[Message, Callable[[Any], bool]]
"""What is expected of a value, and whether one is it."""


class Kind(NamedTuple):
    """A kind of card as a profile names it: its fields, and which of them it needs (one of several ways)."""

    fields: Mapping[str, Field]
    needs: tuple[tuple[str, ...], ...]


def mistake(kinds: Mapping[str, Kind], place: str, card: Mapping[str, Any]) -> TableProfileError | None:
    """What is wrong with a card of a profile, at its JSON path there; None where it is one of these kinds."""
    kind = kinds.get(card["kind"]) if isinstance(card.get("kind"), str) else None
    if kind is None:
        return TableProfileError(f"{place}/kind", "profile.key", card.get("kind"), keys=tuple(kinds))
    for key, value in card.items():
        if key == "kind":
            continue
        if key not in kind.fields:
            return TableProfileError(f"{place}/{key}", "profile.key", key, keys=tuple(kind.fields))
        expected, fits = kind.fields[key]
        if not fits(value):
            return TableProfileError(f"{place}/{key}", expected, value)
    if not any(all(key in card for key in keys) for keys in kind.needs):
        return TableProfileError(place, "profile.has", dict(card), ways=[" + ".join(keys) for keys in kind.needs])
    return None


@dataclass(frozen=True)
class Seen:
    """A piece and its index among all that were observed."""

    index: int
    piece: Piece


class Table:
    """An observation as a game's module asks for it; it notes which piece stands for which place of the state.

    `typed`: keys of the state that people typed; `typed_by_zone`: of the players'. `unfit`: markers of cards that
    the game can make nothing of; they are left out. `before`: the kinds of pieces that were seen on this table before.
    """

    def __init__(
        self,
        observation: Observation,
        profile: TableProfile,
        typed: Mapping[str, Any],
        typed_by_zone: Mapping[str, Mapping[str, Any]],
        unfit: frozenset[int],
        before: frozenset[str] = frozenset(),
    ) -> None:
        self.observation, self.profile, self.unfit = observation, profile, unfit
        self.typed, self.typed_by_zone = typed, typed_by_zone
        self.places: dict[str, tuple[int, ...]] = {}
        self.problems: list[Message] = []
        self.kinds = before | _kinds_of(observation, unfit)
        self._known_rows: dict[str | None, list[list[Seen]]] = {}

    def tiles(self, zones: Iterable[str | None]) -> list[Seen]:
        """The tiles in some zones, each zone row by row, as one line from left to right."""
        out = []
        for zone in zones:
            out += sorted(self._pieces(TILE, zone), key=lambda seen: seen.piece.at or (0, 0))
        return out

    def cards(self, zones: Iterable[str] | None = None, kind: str | None = None) -> list[Seen]:
        """The known cards in some zones (None: anywhere), each zone row by row, from left to right."""
        rows = [row for zone in ([*self.profile.zones, None] if zones is None else zones) for row in self._rows(zone)]
        return [seen for row in rows for seen in row if kind is None or seen.piece.card.get("kind") == kind]

    def card_rows(self, zones: Iterable[str], kind: str) -> list[list[Seen]]:
        """The cards of a kind in some zones, row by row."""
        rows = [[s for s in row if s.piece.card.get("kind") == kind] for zone in zones for row in self._rows(zone)]
        return [row for row in rows if row]

    def parts_of(self, row: list[Seen], room: float = ROOM) -> list[int]:
        """How many cards of a row lie together each, where between others there is room for one more card: so many
        steps from card to card."""
        turned = self._upright(row[0].piece.zone)
        across = [[turned(point)[0] for point in one.piece.polygon] for one in row]
        if not all(across):
            return [len(row)]
        apart = [b - a for a, b in pairwise(map(fmean, across))]
        widths = [max(xs) - min(xs) for xs, one in zip(across, row, strict=True) if one.piece.marker is None]
        step = max([*widths, min(apart, default=0.0)])
        ends = [i for i, far in enumerate(apart, 1) if far >= room * step]
        return [end - start for start, end in pairwise([0, *ends, len(row)])]

    def saw(self, place: str, seen: Iterable[Seen]) -> None:
        """Note which pieces stand for a place of the state."""
        self.places[place] = tuple(one.index for one in seen)

    def saw_each(self, place: str, seen: Iterable[Seen]) -> None:
        """Note which piece stands for each item of a list."""
        for i, one in enumerate(seen):
            self.saw(f"{place}/{i}", [one])

    def say(self, key: str, **values: Any) -> None:
        """Note what a person should know."""
        self.problems.append(Message(key, values))

    def parts(self, player: str) -> list[str]:
        """A player's zones: the player's own, then its parts, in the profile's order."""
        zones = self.profile.zones
        return [zone for zone in zones if zone == player] + [z for z in zones if z.startswith(f"{player}.")]

    def tells(self, kind: str, seen: Collection[object], zones: Collection[str]) -> bool:
        """Whether a list of the pieces of a kind that are `seen` in some zones can be written down.

        An empty list says that none lies there. That is known only where such a piece was seen on this table, now or
        before, and where all of these zones are in sight.
        """
        in_sight = bool(zones) and all(zone in self.observation.zones for zone in zones)
        return bool(seen) or (kind in self.kinds and in_sight)

    def _rows(self, zone: str | None) -> list[list[Seen]]:
        """The known cards of a zone in rows, as its player sees them; asked for often, laid out once."""
        if zone not in self._known_rows:
            self._known_rows[zone] = self._laid_out(zone)
        return self._known_rows[zone]

    def _pieces(self, kind: str, zone: str | None) -> list[Seen]:
        pieces = enumerate(self.observation.pieces)
        return [Seen(i, one) for i, one in pieces if one.kind == kind and one.zone == zone and one.what is not None]

    def _upright(self, zone: str | None) -> Callable[[Point], Point]:
        return upright(self.observation.zones.get(zone or "", ()))

    def _laid_out(self, zone: str | None) -> list[list[Seen]]:
        here = [one for one in self._pieces(CARD, zone) if one.piece.marker not in self.unfit]
        shown, others = ([one for one in here if bool(one.piece.polygon) == seen] for seen in (True, False))
        turned = self._upright(zone)
        corners = {one.index: [turned(point) for point in one.piece.polygon] for one in shown}
        middle = {i: (fmean(x for x, _ in points), fmean(y for _, y in points)) for i, points in corners.items()}
        highs = [
            (max(y for _, y in corners[one.index]) - min(y for _, y in corners[one.index]))
            * (ROW_OF_FACES if one.piece.marker is None else ROW)
            for one in shown
        ]
        high = median(highs or [0.0])
        rows: list[list[Seen]] = []
        for one in sorted(shown, key=lambda one: middle[one.index][1]):
            if not rows or middle[one.index][1] - fmean(middle[last.index][1] for last in rows[-1]) > high:
                rows.append([])
            rows[-1].append(one)
        laid = [sorted(row, key=lambda one: middle[one.index][0]) for row in rows]
        return [*laid, others] if others else laid


def _kinds_of(observation: Observation, unfit: frozenset[int]) -> frozenset[str]:
    """The kinds of the pieces that are seen for certain."""
    sure = [one for one in observation.pieces if one.what is not None and one.doubt is None]
    cards = {str(one.card.get("kind")) for one in sure if one.kind == CARD and one.marker not in unfit}
    return frozenset(cards | {LOOSE for one in sure if one.kind == TILE})


def players_of(profile: TableProfile, common: Iterable[str]) -> tuple[str, ...]:
    """The players, in the order of their zones: `A.valid` is a part of A; zones in `common` are nobody's."""
    nobodys = {"strip", *common}
    return tuple(dict.fromkeys(name for zone in profile.zones if (name := zone.partition(".")[0]) not in nobodys))


def laid_over(seen: Mapping[str, Any], typed: Mapping[str, Any], table: Table, place: str) -> dict[str, Any]:
    """What was seen with what was typed laid over it; a typed value was not seen anywhere."""
    out = dict(seen)
    for key, value in typed.items():
        if key in ("game", "players"):
            continue
        here = pointer(place, key)
        for known in [known for known in table.places if known == here or known.startswith(f"{here}/")]:
            if known == here or key in seen:
                del table.places[known]
        out[key] = value
    return out


def upright(outline: Sequence[Point]) -> Callable[[Point], Point]:
    """From pixels to an area as its player sees it, by the homography of its corners; pixels where it has not four."""
    if len(outline) != 4:
        return lambda point: point
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = outline
    wide, high = (dist(*outline[:2]) + dist(*outline[2:])) / 2, (dist(outline[0], outline[3]) + dist(*outline[1:3])) / 2
    det = (bx - cx) * (dy - cy) - (dx - cx) * (by - cy)
    if det == 0:
        return lambda point: point
    sx, sy = ax - bx + cx - dx, ay - by + cy - dy
    g, h = (sx * (dy - cy) - (dx - cx) * sy) / det, ((bx - cx) * sy - sx * (by - cy)) / det
    # The unit square goes to the corners by this matrix; pixels go back by its adjugate.
    a, b, c, d, e, f = bx - ax + g * bx, dx - ax + h * dx, ax, by - ay + g * by, dy - ay + h * dy, ay

    def seen(point: Point) -> Point:
        x, y = point
        u = (e - f * h) * x + (c * h - b) * y + b * f - c * e
        v = (f * g - d) * x + (a - c * g) * y + c * d - a * f
        w = (d * h - e * g) * x + (b * g - a * h) * y + a * e - b * d
        return (wide * u / w, high * v / w) if w else point

    return seen


def whole(least: int, most: int) -> Field:
    """A whole number within limits, for Kind."""
    expected = Message("profile.count", {"least": least, "most": most})
    return expected, lambda value: type(value) is int and least <= value <= most


def one_of(values: Iterable[str]) -> Field:
    """One of some words, for Kind."""
    words = tuple(values)
    return Message("profile.key", {"keys": words}), lambda value: isinstance(value, str) and value in words
