"""Propose the players' areas from where cards lie. A page asks whether they are these; where nobody can be asked they
count, and it is said.

Cards that lie near each other and apart from the middle of the table are one player's. Lengths are in units: a card's
shorter side; places are in the picture's pixels, turned so that most cards' sides are upright.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import numpy as np

from companion.games.entry import Game
from companion.games.markers import ZONES
from companion.reading.seating import Place, seatings
from vision.table.reading import Card, TableReading


@dataclass(frozen=True)
class Measures:
    """What is near, apart, wide; in units where nothing else is said."""

    card: tuple[float, ...] = (63.0, 88.0)  # millimetres of a card under a sticker: the sticker lies at its top left
    sticker: float = 17.5  # millimetres of a sticker's black square
    tiles: float = 2.5  # units of a table with tiles and no cards: widths of a tile
    near: tuple[float, ...] = (0.2, 0.35, 0.5, 0.65, 0.8)  # gaps between the cards of a market that are tried
    wide: float = 5.5  # from one card of a player to another, at most, where nobody has said how many play
    apart: float = 1.0  # cards nearer to an area that there is already are not another player's
    other_way: float = 3.0  # by how much farther apart cards count that are turned towards different sides
    beside: float = 1.5  # how far a noble or a token may lie from the cards whose it is
    round: float = 0.15  # what an area is wider than what lies in it
    grows: float = 7.0  # how far an area reaches beyond its cards, at most: more will lie there
    step: float = 0.25  # steps in which areas grow until they meet
    opposite: float = 0.5  # cosine of the angle by which two players sit on opposite sides of the middle, at least
    amid: float = 0.3  # how far the middle lies from that of all that lies about, in parts of its width and height
    clear: float = 1.25  # how far all lie from one another, at least, where the middle has no levels to be known by
    covered: float = 0.1  # two cards that share more than this of a unit lie on top of one another
    level: int = 4  # open cards of a level, at most
    market: int = 6  # open cards of which a market is known, at least
    row: int = 10  # tiles of a long row in the middle, at least
    most: float = 0.6  # of all tiles that lie about, at least so many are the row's
    slender: float = 4.0  # how much longer than wide it is, at least
    beside_row: float = 0.4  # from one tile of it to the next, at most
    looser: float = 0.25  # by how much the middle's area is wider than another, before the game begins
    around: float = 2.0  # what lies so near the middle is nobody's either, where nobody has a piece yet
    first: float = 75.0  # degrees clockwise from the right where counting seats begins, before the near side's middle


MEASURES: Final = Measures()


@dataclass(frozen=True)
class _Piece:
    """Something that lies in no area: its corners (n, 2), whether a player is known by it, whether it is no card."""

    corners: np.ndarray
    card: Card | None
    grows: bool

    @property
    def level(self) -> int | None:
        """The level of a card of the market."""
        level = (self.card.card or {}).get("level") if self.card else None
        return level if type(level) is int else None  # of decks from elsewhere it may be a word


class Proposal(NamedTuple):
    """Areas by name, (4, 2) pixels each, from its player's top left corner clockwise; and in how many ways to sit."""

    areas: dict[str, np.ndarray]
    ways: int = 1


def proposed(
    reading: TableReading, game: Game, size: tuple[int, int], players: int | None = None, seating: int = 0
) -> Proposal:
    """Areas for what lies in none.

    Where the game has not begun, places are proposed beside its middle; the middle alone where nobody has said how many
    play, and nothing where the middle of a table with tiles is not known for certain.

    Args:
        reading: what was seen, with the areas that there are.
        size: the picture's width and height in pixels.
        players: how many have cards outside every area, where that is known.
        seating: of the ways to sit around a middle beside which nobody has a piece yet, the n-th.
    """
    pieces = _pieces(reading, game)
    if not any(piece.grows for piece in pieces):
        return Proposal({})
    begins = not reading.zones and bool(game.middle)
    row = _row(pieces) if begins and game.tiles else []
    turn, unit = _turn(pieces, row), _unit(pieces)
    boxes = np.array([_box(piece.corners @ turn.T) for piece in pieces]) / unit
    gaps = _gaps(boxes)
    known = {name: _box(np.asarray(zone, np.float64) @ turn.T) / unit for name, zone in reading.zones.items()}
    middle = [] if game.middle in known else row or _market(pieces, boxes, gaps)
    seats = _seats(pieces, boxes, turn, middle, players)
    if not middle and game.middle not in known:
        others, between = _between(_seats(pieces, boxes, turn, middle, players and players + 1), boxes, gaps)
        seats, middle = (others, between) if between else (seats, middle)
    if begins and game.tiles and not middle:
        return Proposal({})
    play = players or (game.players[0] if len(game.players) == 1 else 0)
    if begins and middle and (len(seats) < play or not seats):
        sat, ways = _beside_the_middle(
            pieces, boxes, gaps, middle, seats, _box(_corners(size) @ turn.T / unit), play, seating
        )
        names = [game.middle, *(seat for seat in ZONES if seat != "strip")]
        return Proposal({name: _outline(*at, turn, unit, size) for name, at in zip(names, sat, strict=False)}, ways)
    beside = [zone[None] for name, zone in known.items() if name not in game.common]
    seats = [
        seat
        for seat in seats
        if all(_gaps(np.concatenate([boxes[seat], zone]))[-1, :-1].min() > MEASURES.apart for zone in beside)
    ]
    free = [seat for seat in ZONES if seat != "strip" and seat not in known]
    seats = sorted(seats, key=len, reverse=True)[: len(free)]
    if not seats:
        return Proposal({})
    _attach(pieces, boxes, gaps, [*([middle] if middle else []), *seats])
    laid = [_around(boxes[seat]) for seat in seats]
    common = _around(boxes[middle]) if middle else None
    fixed = [*known.values(), *([common] if common is not None else [])]
    corners = _corners(size) @ turn.T / unit
    center = known.get(game.middle, common if common is not None else _box(corners)).reshape(2, 2).mean(0)
    order = sorted(range(len(seats)), key=lambda i: _clockwise(laid[i], center))
    grown = _grown(laid, fixed, _box(corners), known.get(game.middle, common))
    out = {}
    if common is not None:
        out[game.middle] = _outline(common, 0, turn, unit, size)
    for name, i in zip(free, order, strict=False):
        quarter = _facing([pieces[k] for k in seats[i]], turn, grown[i], center)
        out[name] = _outline(grown[i], quarter, turn, unit, size)
    return Proposal(out)


def _beside_the_middle(
    pieces: Sequence[_Piece],
    boxes: np.ndarray,
    gaps: np.ndarray,
    middle: Sequence[int],
    seats: Sequence[Sequence[int]],
    bounds: np.ndarray,
    players: int,
    seating: int,
) -> tuple[list[Place], int]:
    """The middle and, for so many players, their places beside it; nothing where none fits those with pieces.

    Also in how many ways they may sit.
    """
    area = Place(_around(boxes[[*middle]]) + MEASURES.looser * np.array([-1, -1, 1, 1]), 0)
    if not players:
        return [area], 1
    mine = {i for seat in seats for i in seat}
    named = [i for i, piece in enumerate(pieces) if i not in mine and (piece.card is None or piece.card.card)]
    near = next(
        group for group in _near(gaps[np.ix_(named, named)], MEASURES.around) if named.index(middle[0]) in group
    )
    block = _around(boxes[[named[k] for k in near]])
    here = [boxes[[*seat]].mean(0).reshape(2, 2).mean(0) for seat in seats]
    ways = [way for way in seatings(block, bounds, players) if _each_its_own(here, way)]
    return ([area, *ways[seating % len(ways)]], len(ways)) if ways else ([], 0)


def _each_its_own(points: Sequence[np.ndarray], places: Sequence[Place]) -> bool:
    """Whether each point lies in a place of its own."""
    found = [
        next((k for k, (box, _) in enumerate(places) if (box[:2] <= at).all() and (at <= box[2:]).all()), -1)
        for at in points
    ]
    return -1 not in found and len({*found}) == len(found)


def _row(pieces: Sequence[_Piece]) -> list[int]:
    """The tiles of a long row that most of the tiles lie in; else none."""
    tiles = [i for i, piece in enumerate(pieces) if piece.card is None]
    if len(tiles) < MEASURES.row:
        return []
    corners = [pieces[i].corners for i in tiles]
    unit = MEASURES.tiles * float(np.median([np.linalg.norm(p - np.roll(p, 1, 0), axis=1).min() for p in corners]))
    middles = np.array([p.mean(0) for p in corners])
    far = np.linalg.norm(middles[:, None] - middles[None], axis=2) / unit - 1 / MEASURES.tiles
    group = max(_near(far, MEASURES.beside_row), key=len)
    if len(group) < max(MEASURES.row, MEASURES.most * len(tiles)):
        return []
    long, wide = np.linalg.svd(middles[group] - middles[group].mean(0), compute_uv=False)
    return [tiles[k] for k in group] if long >= MEASURES.slender * wide else []


def _corners(size: tuple[int, int]) -> np.ndarray:
    """(4, 2) the picture's corners in pixels, clockwise from its top left."""
    return np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float64)


def _pieces(reading: TableReading, game: Game) -> list[_Piece]:
    cards = [card for card in reading.cards if card.zone is None]
    out = [_Piece(_whole(card), card, (card.card or {}).get("kind") in game.grows) for card in cards]
    return out + [
        _Piece(
            np.asarray(tile.polygon, np.float64),
            None,
            tile.color in game.tiles and not tile.doubtful and not reading.zones,
        )
        for tile in reading.tiles
        if tile.zone is None
    ]


def _whole(card: Card) -> np.ndarray:
    """A card's corners; those of the card under a sticker."""
    p = np.asarray(card.polygon, np.float64)
    if card.marker is None:
        return p
    right, down = (
        (p[1] - p[0]) * MEASURES.card[0] / MEASURES.sticker,
        (p[3] - p[0]) * MEASURES.card[1] / MEASURES.sticker,
    )
    return np.array([p[0], p[0] + right, p[0] + right + down, p[0] + down])


def _turn(pieces: Sequence[_Piece], row: Sequence[int] = ()) -> np.ndarray:
    """(2, 2): turns the picture so that a long row, or most cards, lie along it, at most an eighth of a full turn."""
    middles = np.array([pieces[i].corners.mean(0) for i in row])
    edges = (
        [np.linalg.svd(middles - middles.mean(0))[2][0]]
        if len(row)
        else [one.corners[1] - one.corners[0] for one in pieces if one.card is not None]
    )
    if not edges:
        return np.eye(2)
    angles = np.array([np.arctan2(y, x) for x, y in edges])
    a = np.angle(np.exp(4j * angles).mean()) / 4
    return np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])


def _unit(pieces: Sequence[_Piece]) -> float:
    def sides(of: Sequence[_Piece]) -> list[float]:
        return [float(np.linalg.norm(one.corners - np.roll(one.corners, 1, 0), axis=1).min()) for one in of]

    cards = sides([one for one in pieces if one.card is not None])
    return float(np.median(cards)) if cards else MEASURES.tiles * float(np.median(sides(pieces)))


def _box(points: np.ndarray) -> np.ndarray:
    """(4,) left, top, right, bottom."""
    return np.concatenate([points.min(0), points.max(0)])


def _around(boxes: np.ndarray) -> np.ndarray:
    """The box around some boxes, a little wider."""
    return np.concatenate([boxes[:, :2].min(0) - MEASURES.round, boxes[:, 2:].max(0) + MEASURES.round])


def _gaps(boxes: np.ndarray) -> np.ndarray:
    """(n, n) how far boxes are from each other; below 0 by how much they overlap."""
    apart = np.maximum(boxes[:, None, :2] - boxes[None, :, 2:], boxes[None, :, :2] - boxes[:, None, 2:])
    return np.where(apart.max(2) < 0, apart.max(2), np.hypot(*np.moveaxis(apart.clip(0), 2, 0)))


def _groups(far: np.ndarray, reach: float, count: int | None = None) -> list[list[int]]:
    """Groups of which no two are farther apart than `reach`; or so many groups, however far they reach."""
    groups = [[i] for i in range(len(far))]
    wide = far.astype(np.float64).copy()
    np.fill_diagonal(wide, np.inf)
    while len(groups) > (count or 1):
        i, k = sorted(int(at) for at in np.unravel_index(wide.argmin(), wide.shape))
        if count is None and wide[i, k] > reach:
            break
        groups[i] += groups.pop(k)
        wide[i] = wide[:, i] = np.maximum(wide[i], wide[k])
        wide = np.delete(np.delete(wide, k, 0), k, 1)
        wide[i, i] = np.inf
    return groups


def _near(gaps: np.ndarray, near: float) -> list[list[int]]:
    """What is linked by gaps of at most `near`."""
    out: list[list[int]] = []
    left = list(range(len(gaps)))
    while left:
        group = [left.pop(0)]
        for i in group:
            group += [k for k in left if gaps[i, k] <= near]
            left = [k for k in left if k not in group]
        out.append(group)
    return out


def _market(pieces: Sequence[_Piece], boxes: np.ndarray, gaps: np.ndarray) -> list[int]:
    """The open cards of a market with levels: they lie side by side, each level in a row of its own; else none."""
    dealt = [i for i, piece in enumerate(pieces) if piece.level is not None]
    free = [i for i in dealt if (gaps[i, dealt] < -MEASURES.covered).sum() <= 1]  # a card covers itself
    best: list[int] = []
    for near in MEASURES.near:
        for group in _near(gaps[np.ix_(free, free)], near):
            cards = [free[k] for k in group]
            if (
                len(cards) >= MEASURES.market
                and len(cards) > len(best)
                and _in_levels([pieces[i].level for i in cards], boxes[cards])
            ):
                best = cards
    return best


def _in_levels(levels: Sequence[int | None], boxes: np.ndarray) -> bool:
    """Whether each level's cards lie in a row of their own, two rows at least."""
    names = sorted({level for level in levels if level is not None})
    mine = [boxes[[level == name for level in levels]] for name in names]
    if len(names) < 2 or any(len(row) > MEASURES.level for row in mine):
        return False
    middles = [(row[:, :2] + row[:, 2:]) / 2 for row in mine]
    for axis in (0, 1):
        spans = sorted((m[:, axis].min(), m[:, axis].max()) for m in middles)
        thin = all(hi - lo < 0.5 for lo, hi in spans)
        if thin and all(a[1] + 0.5 < b[0] for a, b in pairwise(spans)):
            return True
    return False


def _between(seats: list[list[int]], boxes: np.ndarray, gaps: np.ndarray) -> tuple[list[list[int]], list[int]]:
    """Players' groups, and the one that lies apart in the midst of others: it is nobody's."""
    middles = np.array([_around(boxes[seat]).reshape(2, 2).mean(0) for seat in seats]).reshape(-1, 2)
    whole = _around(boxes[[i for seat in seats for i in seat]]).reshape(2, 2) if len(seats) > 2 else np.eye(2)
    best, at = MEASURES.opposite, -1
    clear = all(gaps[np.ix_(one, other)].min() > MEASURES.clear for one, other in combinations(seats, 2))
    for i, here in enumerate(middles if clear and len(seats) > 2 else ()):
        others = [k for k in range(len(seats)) if k != i]
        away = middles[others] - here
        ways = away / np.maximum(np.linalg.norm(away, axis=1), 1e-9)[:, None]
        straight = float(-(ways @ ways.T).min(initial=1.0))
        off = np.linalg.norm((here - whole.mean(0)) / np.ptp(whole, 0))
        if straight > best and off < MEASURES.amid:
            best, at = straight, i
    return (seats, []) if at < 0 else (seats[:at] + seats[at + 1 :], seats[at])


def _seats(
    pieces: Sequence[_Piece], boxes: np.ndarray, turn: np.ndarray, taken: list[int], players: int | None
) -> list[list[int]]:
    """The players' groups of cards: so many, parted where the widest gaps run through the table; or, where nobody has
    said how many play, of cards no farther apart than one player's."""
    mine = [i for i, piece in enumerate(pieces) if piece.grows and i not in taken]
    ways = np.array([_quarter(pieces[i], turn) for i in mine])
    if players is not None and (parted := _parted(boxes[mine], ways, players)):
        return [[mine[k] for k in group] for group in parted]
    middles = (boxes[mine, :2] + boxes[mine, 2:]) / 2
    far = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    far += MEASURES.other_way * ((ways[:, None] != ways[None]) & (ways[:, None] >= 0) & (ways[None] >= 0))
    return [[mine[k] for k in group] for group in _groups(far, MEASURES.wide, players)]


def _parted(boxes: np.ndarray, ways: np.ndarray, count: int) -> list[list[int]]:
    """So many groups of boxes, parted by straight cuts where gaps are widest; a gap between cards that are turned
    towards different sides counts as wider. Nothing where there are not so many gaps."""
    groups = [list(range(len(boxes)))]
    while len(groups) < count:
        found = [
            (gap, g, one, other) for g, group in enumerate(groups) for gap, one, other in _cuts(boxes, ways, group)
        ]
        if not found:
            return []
        _, g, one, other = max(found, key=lambda cut: cut[0])
        groups[g : g + 1] = [one, other]
    return groups


def _cuts(boxes: np.ndarray, ways: np.ndarray, group: list[int]) -> Iterator[tuple[float, list[int], list[int]]]:
    """The straight cuts through a group: how wide the gap is, and what lies on either side."""
    for axis in (0, 1):
        order = sorted(group, key=lambda i: float(boxes[i, axis]))
        for k in range(1, len(order)):
            one, other = order[:k], order[k:]
            gap = float(boxes[other[0], axis] - boxes[one, axis + 2].max())
            if gap > 0:
                sides = [{*ways[side].tolist()} for side in (one, other)]
                turned = all(len(side) == 1 for side in sides) and sides[0] != sides[1]
                yield gap + MEASURES.other_way * turned, one, other


def _attach(pieces: Sequence[_Piece], boxes: np.ndarray, gaps: np.ndarray, groups: Sequence[list[int]]) -> None:
    """What tells of no player (nobles, tokens, backs) goes to the nearest cards or tokens, the nearest first."""
    left = {i for i in range(len(pieces)) if not any(i in group for group in groups)}
    while left:
        far, i, k = min((float(gaps[i, group].min()), i, k) for i in left for k, group in enumerate(groups))
        if far > MEASURES.beside:
            return
        left.discard(i)
        larger = _around(boxes[[*groups[k], i]])
        if not any(_shared(larger, _around(boxes[other])) for n, other in enumerate(groups) if n != k):
            groups[k].append(i)


def _grown(
    boxes: Sequence[np.ndarray], fixed: Sequence[np.ndarray], bounds: np.ndarray, middle: np.ndarray | None
) -> list[np.ndarray]:
    """The players' boxes grown until they meet each other, what is fixed, or the picture's edge."""
    limits = [
        np.concatenate([np.maximum(b[:2] - MEASURES.grows, bounds[:2]), np.minimum(b[2:] + MEASURES.grows, bounds[2:])])
        for b in boxes
    ]
    for box, limit in zip(boxes, limits, strict=True):
        if middle is not None:  # nobody's area reaches past the near side of the middle
            for axis in (1, 0):
                if box[axis] >= middle[axis + 2] - MEASURES.step:
                    limit[axis] = max(limit[axis], middle[axis + 2])
                    break
                if box[axis + 2] <= middle[axis] + MEASURES.step:
                    limit[axis + 2] = min(limit[axis + 2], middle[axis])
                    break
    grown = [box.tolist() for box in boxes]
    others = [box.tolist() for box in fixed]
    moving = {(i, side) for i in range(len(grown)) for side in range(4)}
    while moving:
        for i, side in sorted(moving):
            tried = [*grown[i]]
            tried[side] += MEASURES.step if side > 1 else -MEASURES.step
            past = tried[side] > limits[i][side] if side > 1 else tried[side] < limits[i][side]
            around = [*others, *(box for k, box in enumerate(grown) if k != i)]
            if past or any(_shared(tried, other) > _shared(grown[i], other) for other in around):
                moving.discard((i, side))
            else:
                grown[i] = tried
    return [np.array(box) for box in grown]


def _shared(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> float:
    """The area that two boxes share."""
    wide, high = (min(a[k + 2], b[k + 2]) - max(a[k], b[k]) for k in (0, 1))
    return float(wide * high) if wide > 0 and high > 0 else 0.0


def _clockwise(box: np.ndarray, center: np.ndarray) -> float:
    """Where a seat comes in the order of play, from the near side's left clockwise."""
    x, y = box.reshape(2, 2).mean(0) - center
    return float((np.degrees(np.arctan2(y, x)) - MEASURES.first) % 360)


def _facing(pieces: Sequence[_Piece], turn: np.ndarray, box: np.ndarray, center: np.ndarray) -> int:
    """By how many quarter turns clockwise a player's own top left corner lies from the picture's.

    Most cards stand as their player reads them; without cards a player faces the middle.
    """
    quarters = [quarter for one in pieces if (quarter := _quarter(one, turn)) >= 0]
    if quarters:
        return int(np.bincount(quarters).argmax())
    x, y = center - box.reshape(2, 2).mean(0)
    return round(np.degrees(np.arctan2(x, -y)) / 90) % 4


def _quarter(piece: _Piece, turn: np.ndarray) -> int:
    """By how many quarter turns clockwise a card is turned; -1 for what is none."""
    if piece.card is None:
        return -1
    x, y = (piece.corners[1] - piece.corners[0]) @ turn.T
    return round(np.degrees(np.arctan2(y, x)) / 90) % 4


def _outline(box: np.ndarray, quarter: int, turn: np.ndarray, unit: float, size: tuple[int, int]) -> np.ndarray:
    left, top, right, bottom = box
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]]) * unit @ turn
    return np.roll(corners, -quarter, 0).clip(0, np.array(size) - 1.0)
