"""What all games share: whose zone is whose, what lies in it, and from left to right."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import cv2
import numpy as np

from common.messages import Message
from scoring.fields import pointer
from vision.table.profile import TableProfile, TableProfileError
from vision.table.reading import Card, Problem, TableReading, Tile

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
    """A piece and its index among all of a reading."""

    index: int
    piece: Any


class Table:
    """A reading as a game's module asks for it; it notes which piece stands for which place of the state.

    `typed`: keys of the state that people typed; `typed_by_zone`: of the players'. `unfit`: markers of cards that
    the game can make nothing of; they are left out. `before`: the kinds of pieces that were seen on this table before.
    """

    def __init__(
        self,
        reading: TableReading,
        profile: TableProfile,
        typed: Mapping[str, Any],
        typed_by_zone: Mapping[str, Mapping[str, Any]],
        unfit: frozenset[int],
        before: frozenset[str] = frozenset(),
    ) -> None:
        self.reading, self.profile, self.unfit = reading, profile, unfit
        self.typed, self.typed_by_zone = typed, typed_by_zone
        self.places: dict[str, tuple[int, ...]] = {}
        self.problems: list[Problem] = []
        self.kinds = before | _kinds_of(reading, unfit)
        self._known_rows: dict[str | None, list[list[Seen]]] = {}

    def tiles(self, zones: Iterable[str | None]) -> list[Seen]:
        """The tiles in some zones, each zone row by row, as one line from left to right."""
        out = []
        for zone in zones:
            here = [Seen(i, tile) for i, tile in enumerate(self.reading.tiles) if tile.zone == zone]
            out += sorted(here, key=lambda seen: (_number(seen.piece, "row"), _number(seen.piece, "col")))
        return out

    def cards(self, zones: Iterable[str] | None = None, kind: str | None = None) -> list[Seen]:
        """The known cards in some zones (None: anywhere), each zone row by row, from left to right."""
        rows = [row for zone in ([*self.profile.zones, None] if zones is None else zones) for row in self._rows(zone)]
        return [seen for row in rows for seen in row if kind is None or seen.piece.card.get("kind") == kind]

    def card_rows(self, zones: Iterable[str], kind: str) -> list[list[Seen]]:
        """The cards of a kind in some zones, row by row."""
        rows = [[s for s in row if s.piece.card.get("kind") == kind] for zone in zones for row in self._rows(zone)]
        return [row for row in rows if row]

    def parts_of(self, row: list[Seen]) -> list[int]:
        """How many cards of a row lie together each, where between others there is room for one more card."""
        outline = self.reading.zones.get(row[0].piece.zone)
        across = [_upright(outline)(np.asarray(one.piece.polygon, np.float64))[:, 0] for one in row]
        apart = np.diff([x.mean() for x in across])
        widths = [float(np.ptp(x)) for x, one in zip(across, row, strict=True) if one.piece.marker is None]
        step = max([*widths, min(apart, default=0.0)])
        return [int(n) for n in np.diff([0, *np.flatnonzero(apart >= ROOM * step) + 1, len(row)])]

    def saw(self, place: str, seen: Iterable[Seen]) -> None:
        """Note which pieces stand for a place of the state."""
        self.places[place] = tuple(one.index for one in seen)

    def saw_each(self, place: str, seen: Iterable[Seen]) -> None:
        """Note which piece stands for each item of a list."""
        for i, one in enumerate(seen):
            self.saw(f"{place}/{i}", [one])

    def say(self, key: str, **values: Any) -> None:
        """Note what a person should know."""
        self.problems.append(Problem(key, values))

    def parts(self, player: str) -> list[str]:
        """A player's zones: the player's own, then its parts, in the profile's order."""
        zones = self.profile.zones
        return [zone for zone in zones if zone == player] + [z for z in zones if z.startswith(f"{player}.")]

    def tells(self, kind: str, seen: Collection[object], zones: Collection[str]) -> bool:
        """Whether a list of the pieces of a kind that are `seen` in some zones can be written down.

        An empty list says that none lies there. That is known only where such a piece was seen on this table, now or
        before, and where all of these zones are in sight.
        """
        in_sight = bool(zones) and all(zone in self.reading.zones for zone in zones)
        return bool(seen) or (kind in self.kinds and in_sight)

    def _rows(self, zone: str | None) -> list[list[Seen]]:
        """The known cards of a zone in rows, as its player sees them; asked for often, laid out once."""
        if zone not in self._known_rows:
            self._known_rows[zone] = self._laid_out(zone)
        return self._known_rows[zone]

    def _laid_out(self, zone: str | None) -> list[list[Seen]]:
        first = len(self.reading.tiles)
        known = [Seen(first + i, c) for i, c in enumerate(self.reading.cards) if c.zone == zone and c.card is not None]
        here = [one for one in known if one.piece.marker not in self.unfit]
        if not here:
            return []
        turned = _upright(self.reading.zones.get(zone) if zone else None)
        corners = [turned(np.asarray(seen.piece.polygon, np.float64)) for seen in here]
        middles = np.array([p.mean(0) for p in corners])
        rows_of = [ROW_OF_FACES if seen.piece.marker is None else ROW for seen in here]
        high = float(np.median([np.ptp(p[:, 1]) * k for p, k in zip(corners, rows_of, strict=True)]))
        order = np.argsort(middles[:, 1], kind="stable")
        rows: list[list[int]] = [[int(order[0])]]
        for i in order[1:]:
            if middles[i, 1] - middles[rows[-1], 1].mean() > high:
                rows.append([])
            rows[-1].append(int(i))
        return [[here[i] for i in sorted(row, key=lambda i: middles[i, 0])] for row in rows]


def _kinds_of(reading: TableReading, unfit: frozenset[int]) -> frozenset[str]:
    """The kinds of the pieces that are seen for certain."""
    sure = (card for card in reading.cards if card.card is not None and not card.doubtful)
    cards = {str(card.card.get("kind")) for card in sure if card.card is not None and card.marker not in unfit}
    return frozenset(cards | {LOOSE for tile in reading.tiles if not tile.doubtful})


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


def _upright(outline: np.ndarray | None) -> Callable[[np.ndarray], np.ndarray]:
    """From pixels to a zone as its player sees it; pixels where it has no four corners."""
    if outline is None or len(outline) != 4:
        return lambda points: points
    corners = np.asarray(outline, np.float64)
    wide = (np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    high = (np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])) / 2
    frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    to = cv2.getPerspectiveTransform(corners.astype(np.float32), frame)
    return lambda points: np.asarray(cv2.perspectiveTransform(points.reshape(1, -1, 2), to)[0])


def _number(tile: Tile | Card, name: str) -> int:
    value = getattr(tile, name)
    return 0 if value is None else int(value)


def whole(least: int, most: int) -> Field:
    """A whole number within limits, for Kind."""
    expected = Message("profile.count", {"least": least, "most": most})
    return expected, lambda value: type(value) is int and least <= value <= most


def one_of(values: Iterable[str]) -> Field:
    """One of some words, for Kind."""
    words = tuple(values)
    return Message("profile.key", {"keys": words}), lambda value: isinstance(value, str) and value in words
