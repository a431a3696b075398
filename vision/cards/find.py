"""Find and name the cards of enrolled decks in a picture of a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import hypot

import cv2
import numpy as np

from vision.cards.columns import beside, free_share, gaps, in_line
from vision.cards.compare import Bank, affine_at_middle, align, density, likeness, mean_color, tint
from vision.cards.deck import Deck, Face, OneSize
from vision.cards.features import points_all_over
from vision.cards.identify import Verdict, identify, other_print
from vision.cards.poses import fit_table, local_frames, table_poses, votes
from vision.cards.still import FoundCard, Look, Remembered, thumbnail
from vision.cards.strips import Edges, Strip


@dataclass(frozen=True)
class FindSettings:
    """When a face is tried at a place, taken for the card there, and named without doubt."""

    quick_side: int = 960  # pixels of the longer side of the copy that is searched first
    close: float = 1.4
    """Pixels per millimetre at which a picture is searched again for what the first search has not explained."""
    enough_cards: int = 4  # cards by which the table's plane is known
    hidden: tuple[float, float, float] = (0.2, 0.5, 0.8)  # shares of a card that may be covered
    most_odds: float = 1e4  # how much a single cell may speak for a face: odds
    straight: float = 3.5
    """What it costs that one side of a line is covered: the logarithm of how many such lines there are."""
    like: float = 0.92  # how alike a cell of the right face is
    spread: float = 0.12  # how far below that it may come out
    worth_a_look: float = 4.0  # how much (natural logarithm of odds) must speak for a face at a rough place
    in_line: float = 1.0  # the same in line with a known card, where its upper end was made out
    evidence: float = 12.0  # the same once it is laid on its print
    nearly: float = 0.5  # part of the best face's evidence from which others are told from it in detail
    most_tried: int = 16  # faces that are told apart in detail, at most, beside their sisters
    drawn_aside: float = 0.8
    """What covers most of a card may draw a face aside: then less than this part of what spoke for it is left."""
    least_cells: int = 12  # cells in sight by which alone a face is laid on its print
    least_open: float = 20.0  # pixels of a face that must be in sight
    taken: float = 0.85  # share of a card that other cards may cover where it is looked for
    frame: float = 0.85  # share of its rim in which a stranger of the same layout agrees with a face
    framed: float = 0.45  # by how much less it agrees within
    own_of_frame: float = 0.35  # share of what is a face's own in which one of the same layout agrees, at most
    least_own: int = 4  # cells by which a frame, or what is a face's own, is told
    tint: float = 0.12  # by how much its color differs from the face's then: the logarithm of a ratio between channels
    stays: float = 8.0  # how much (natural logarithm of odds) speaks for the card that lay at a place
    most_missed: int = 10  # searches for which it is remembered though it is not made out
    of_strip: float = 5.5
    """How much must speak for a face where a strip with a card's edges sticks out below another card."""
    name_strip: float = 10.0  # how much must speak for it to name it
    sure_strip: float = 20.0  # and to name it without a doubt: less speaks for strangers, too
    own_of_strip: float = 0.5  # share of what is a face's own that must agree there to name it
    undecided: float = 0.49  # confidence below which several faces are as likely: it is named by what is its own alone
    own_in_sight: float = 0.2  # share of what is a face's own that must be in sight then, and agree
    hardly_any: float = 0.1  # the same below which it is no card: an ornament that repeats fits beside itself, too
    no_side: float = 3.5  # grey levels below which no side of a card is there, where it would be in sight
    clear_whole: float = 30.0  # grey levels by which all sides of a card that lies whole in sight differ from around
    free_whole: float = 0.85  # share of it on which no known card is in sight, at least
    strip_faces: int = 3  # faces that are laid on a strip's print
    least_seen: float = 0.14  # share of its print of which a card that is named shows, at least
    below: float = 0.6  # share of its print on which other cards lie where a card is asked about that shows less
    hardly: float = 0.25  # share of what they leave of it in sight that must agree for that
    little: float = 0.75  # or share of what other cards leave of it in sight that agrees
    most_families: int = 8  # of faces that are told apart in detail, at most
    strengths: tuple[float, ...] = tuple(np.exp(np.linspace(-0.6, 0.6, 13)).tolist())
    """How strong a camera may show colors, in parts of how they are known."""
    own_strength: float = 0.02  # what it costs that it shows them stronger or weaker: a hue's deviation, for e times
    tell_light: int = 3  # cards that tell the hue of the light on a table
    same_light: float = 0.025  # by how much hues differ on one table, see `compare.tint`
    one_light: float = 0.035  # the same where cards agree on the light
    two_lights: float = 0.08  # by how much two lights differ
    clear_light: float = 3.0  # how much more (natural logarithm) must speak for the light than for any other
    other_card: float = 0.05  # the chance that a card is none of those that it may be
    other_hue: tuple[float, float] = (0.15, 0.25)  # by how much a doubtful card's hue differs, and a stranger's
    whole_print: int = 1  # level at which what was taken for a card is compared with it as a whole
    other_print: float = 0.6  # share of what stands out that is unlike where it is in doubt
    any_light: float = 0.1  # the same where nobody knows the light
    other_families: float = 9.0  # how much their hue speaks against those that are not compared in detail
    most_hue: float = 40.0  # how much, doubled, hue speaks against a face, at most
    fine: float = 2.0  # pixels of a face for each of the picture at which print is told apart, at most
    shown: int = 3  # other faces that it may be, of those that a person is asked about
    sure: float = 0.99  # confidence below which a name is doubtful
    sign: float = 0.55  # a cell at least so much like the face is in sight
    clear: float = 0.25  # by so much more or less than that it is certain


SETTINGS = FindSettings()
ASKEW = tuple((dx, dy) for dx in (0.0, -1.3, 1.3, -2.6, 2.6) for dy in (0.0, -1.3, 1.3, -2.6, 2.6))
"""Millimetres by which a strip may lie beside where its edges are seen."""
AROUND = np.array([[0.3, 0.5, 0.3], [0.5, 1.0, 0.5], [0.3, 0.5, 0.3]], np.float32)
"""How much a cell's neighbours say of whether it is covered."""
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)


@dataclass(frozen=True)
class Place:
    """Where a card may lie: how many points say so, which deck and size group, millimetres to pixels (3, 3)."""

    points: int
    deck: Deck
    of: OneSize
    to_pixels: np.ndarray


@dataclass
class Laid:
    """A face laid on the picture.

    Attributes:
        place: where and of which size group.
        level: of the bank, at which it is compared.
        to_pixels: (3, 3) millimetres from the card's middle to pixels.
        like: (cells, K) how alike each cell is to each face.
        tried: the faces that it may be, the likeliest first.
        out: (cells,) which cells lie outside the picture.
        open: (cells,) which cells are in sight.
        expected: (K,) what speaks for each face beforehand, natural logarithms: what lay there likely still does.
        tints: how its hue differs from that of each picture that it may be.
        card, face, colors: what it was found to be, once that is known, which of the faces that is, its mean color here
            and that of the face, (3,) each.
        strip: where it was seen as a strip below another card.
        speaks: how much speaks for its face: where only a strip is in sight little is in doubt, too little not named.
    """

    place: Place
    level: int
    to_pixels: np.ndarray
    like: np.ndarray
    tried: list[int]
    out: np.ndarray
    open: np.ndarray
    expected: np.ndarray
    card: FoundCard | None = None
    face: int = -1
    colors: tuple[np.ndarray, np.ndarray] | None = None
    tints: list[np.ndarray] = field(default_factory=list)
    strip: Strip | None = None
    speaks: float = np.inf

    @cached_property
    def from_pixels(self) -> np.ndarray:
        """(3, 3) pixels to millimetres from the card's middle."""
        return np.asarray(np.linalg.inv(self.to_pixels))

    @cached_property
    def beyond(self) -> np.ndarray:
        """(cells,) bool: what lies beyond the line along which another card seems to cover it."""
        return beyond_line(self.bank, self.like[:, self.tried[0]], ~self.out)

    @property
    def bank(self) -> Bank:
        """The faces of its size."""
        return self.place.of.bank

    def opened(self, hidden: np.ndarray) -> np.ndarray:
        """(cells,) bool: which cells are in sight where others hide some."""
        bank = self.bank
        return open_cells(self.like[:, self.tried].max(1), self.textured(), hidden | self.out, bank.grid).ravel()

    def framed(self, open_: np.ndarray, hidden: np.ndarray) -> bool:
        """Whether it agrees with a face all around but hardly within: a stranger of its layout, or a large token."""
        rim, within = self.agreeing(open_, hidden)
        return rim > SETTINGS.frame and rim - within > SETTINGS.framed

    def own(self) -> np.ndarray:
        """(cells,) bool: what of its print is the likeliest face's own; all of it where nothing is."""
        textured = self.textured()
        own = textured & self.bank.own[:, self.tried[0]]
        return own if own.sum() >= SETTINGS.least_own else textured

    def bare(self, cells: np.ndarray, hidden: np.ndarray) -> np.ndarray:
        """(cells,) bool: those on which no other card lies, nor beside them, as that changes how they look; those
        beside one, too, where hardly any other is left."""
        wide = cv2.dilate(hidden.reshape(self.bank.grid).astype(np.uint8), np.ones((3, 3), np.uint8)).ravel() > 0
        bare = cells & ~wide & ~self.out
        return bare if bare.sum() >= SETTINGS.least_own else cells & ~hidden & ~self.out

    def in_common(self, open_: np.ndarray, hidden: np.ndarray) -> bool:
        """Whether what agrees is what the deck's faces have in common, and hardly what is the face's own."""
        frame = self.bare(self.textured() & ~self.bank.own[:, self.tried[0]], hidden)
        if frame.sum() < SETTINGS.least_own:
            return False
        return open_[frame].mean() > SETTINGS.frame and self.own_agreeing(open_, hidden) < SETTINGS.own_of_frame

    def own_agreeing(self, open_: np.ndarray, hidden: np.ndarray) -> float:
        """Share of what is the likeliest face's own that agrees, where no other card lies; 1 where nothing is."""
        asked = self.bare(self.own(), hidden)
        return float(open_[asked].mean()) if asked.any() else 1.0

    def tint(self, patch: np.ndarray, open_: np.ndarray) -> float:
        """How much the color of what agrees within differs from the face's, in the light that falls on its rim.

        A logarithm of a ratio between channels: 0 for the face itself, whatever covers a part of it.
        """
        bank = self.bank
        face = bank.faces(self.level)[self.tried[0]]
        rows, cols = bank.grid
        small = [cv2.resize(p, (cols, rows), interpolation=cv2.INTER_AREA) for p in (patch, face)]
        ratio = np.log((small[0] + 4) / (small[1] + 4))
        ratio -= ratio.mean(2, keepdims=True)
        agree, rim = open_.reshape(bank.grid), np.ones(bank.grid, bool)
        rim[1:-1, 1:-1] = False
        if not (agree & rim).any() or not (agree & ~rim).any():
            return 0.0
        apart = np.abs(ratio[agree & ~rim] - np.median(ratio[agree & rim], axis=0)).max(1)
        return float(np.quantile(apart, 0.75))

    def agreeing(self, open_: np.ndarray, hidden: np.ndarray) -> tuple[float, float]:
        """Shares of the rim and of what it frames that agree, where no other card lies."""
        asked = self.bare(self.textured(), hidden).reshape(self.bank.grid)
        agree = open_.reshape(self.bank.grid)
        rim = np.ones_like(asked)
        rim[1:-1, 1:-1] = False
        a, b = agree[asked & rim], agree[asked & ~rim]
        return float(a.mean()) if len(a) else 1.0, float(b.mean()) if len(b) else 1.0

    def in_sight(self) -> list[np.ndarray]:
        """Outlines (4, 2) int32 in pixels of the cells that are in sight."""
        rows, cols = self.bank.grid
        w, h = self.bank.size_mm
        x, y = np.meshgrid(np.linspace(-w / 2, w / 2, cols + 1), np.linspace(-h / 2, h / 2, rows + 1))
        at = np.stack([x, y, np.ones_like(x)], -1) @ self.to_pixels.T
        at = np.round(at[..., :2] / at[..., 2:]).astype(np.int32)
        corners = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], 2).reshape(-1, 4, 2)
        return list(corners[self.open])

    def textured(self) -> np.ndarray:
        """(cells,) bool: where all faces that it may be have something to compare."""
        return np.asarray(self.bank.textured[:, self.tried].all(1))


class CardFinder:
    """Finds the cards of some decks in pictures."""

    def __init__(self, decks: Sequence[Deck]) -> None:
        self.decks = list(decks)
        self.forget()

    def forget(self) -> None:
        """Let the next picture stand alone."""
        self._last: Remembered | None = None
        self._there: list[Laid] = []
        self._lost: list[tuple[int, Laid]] = []
        """Cards that lay there and are not made out, with how many searches have missed them: a hand may hide them."""
        self.to_mm: np.ndarray | None = None
        """(3, 3) pixels to millimetres of the table on which the cards of the last picture lie."""
        self._strange: list[FoundCard] = []
        """Strips of cards that nobody can name."""

    def find(self, image: np.ndarray) -> tuple[FoundCard, ...]:
        """The cards in a picture, (H, W, 3) BGR; those that most points speak for first."""
        return (*_cards(self._found(image)), *self._strange)

    def follow(self, image: np.ndarray) -> tuple[FoundCard, ...]:
        """The cards in the next picture of a film: the same as before where nothing but light and noise has changed.

        A card that lay there is looked for where it lay; all others where the picture has changed.
        """
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        last = self._last
        if last is None or not last.still(gray):
            changed = None if last is None else last.changed(gray)
            if last is None or changed is None:
                self._there = self._found(image)
            else:
                self._there = self._again(image, gray, [look.same(gray) for look in last.looks], changed)
            looks = [Look.of(gray, laid.bank, laid.to_pixels, laid.level) for laid in self._there]
            last = self._last = Remembered((*_cards(self._there), *self._strange), looks, thumbnail(gray))
        return last.cards

    def _again(self, image: np.ndarray, gray: np.ndarray, same: Sequence[bool], changed: np.ndarray) -> list[Laid]:
        """The cards where they lay, as far as they still lie there, and new ones where the picture has changed.

        `same`: which of those that lay there look as before; `changed`: (h, w) uint8, see Remembered.changed.
        """
        taken = [laid for laid, kept in zip(self._there, same, strict=True) if kept]
        before = [(0, laid) for laid, kept in zip(self._there, same, strict=True) if not kept]
        lost, self._lost = [*before, *self._lost], []
        for missed, old in lost:
            laid = _lay(image, replace(old.place, to_pixels=old.to_pixels), taken, old)
            if laid is not None:
                taken.append(laid)
            elif missed < SETTINGS.most_missed:
                self._lost.append((missed + 1, old))
        if len(taken) < SETTINGS.enough_cards:
            return self._found(image)
        unknown = cv2.resize(changed, gray.shape[::-1], interpolation=cv2.INTER_NEAREST)
        self._search(image, gray, unknown, taken)
        here = cv2.resize(changed, gray.shape[::-1], interpolation=cv2.INTER_NEAREST)
        strange = [card for card in self._strange if not _at(here, card.corners)]
        return self._with_strips(image, taken, here, strange)

    def _found(self, image: np.ndarray) -> list[Laid]:
        """The cards in a picture: the large and clear ones on a small copy; then the others, where none of them lie."""
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        unknown = np.full(gray.shape, 255, np.uint8)
        scale, taken = min(1.0, SETTINGS.quick_side / max(gray.shape)), list[Laid]()
        while True:
            _lay_all(image, self.places(gray, scale, unknown), taken)
            if taken or scale == 1:
                break
            scale = min(1.0, 2 * scale)
        self._search(image, gray, unknown, taken, scale)
        return self._with_strips(image, taken, np.full_like(gray, 255), [])

    def _with_strips(
        self, image: np.ndarray, taken: list[Laid], changed: np.ndarray, strange: Sequence[FoundCard]
    ) -> list[Laid]:
        """The cards laid and those that stick out below them; what no face fits there is `strange`, and asked about."""
        _lay_beside(image, taken, changed)
        _lay_in_line(image, taken, changed)
        above = len(taken)
        unknown = _lay_strips(image, taken, changed)
        if len(taken) > above:
            _lay_in_line(image, taken, changed)
        named = _with_sides(image, _named(image, taken))
        unknown += [(laid, laid.strip) for laid in taken if laid.card is None and laid.strip and laid.strip.clear]
        self._strange = list(strange)
        missing = [(of, strip.outline) for of, strip in unknown]
        free = _free(image, named)
        for of in {id(laid.bank): laid for laid in named}.values():
            mine = [laid.to_pixels for laid in named if laid.bank is of.bank]
            missing += [(of, outline) for outline in gaps(mine, of.bank.size_mm, free)]
        missing = _without_strangers(image, missing, named, free)
        for of, outline in missing:
            if all(_apart(outline, other.corners) for other in self._strange):
                self._strange.append(FoundCard(of.place.deck.name, None, outline, 0.0, True))
        frames = [(affine_at_middle(laid.to_pixels), 1.0) for laid in named]
        self.to_mm = fit_table(frames, image.shape)
        return named

    def _search(
        self, image: np.ndarray, gray: np.ndarray, unknown: np.ndarray, taken: list[Laid], searched: float = 0.0
    ) -> None:
        """Lay more cards beside those that are taken, where a mask (H, W) uint8, which is changed, is not 0.

        `searched`: the scale at which that was done already.
        """
        enough = min(1.0, max((SETTINGS.close / density(laid.to_pixels) for laid in taken), default=0.0))
        if enough > searched:
            for laid in taken:
                cv2.fillPoly(unknown, laid.in_sight(), 0)
            _lay_all(image, self.places(gray, enough, unknown, taken), taken)

    def places(self, gray: np.ndarray, scale: float, unknown: np.ndarray, known: Sequence[Laid] = ()) -> list[Place]:
        """Where cards may lie, by the points that stand out; those that most points speak for first.

        Args:
            gray: the picture (H, W) uint8.
            scale: at which it is searched, up to 1.
            unknown: (H, W) uint8, 0 where nothing is looked for.
            known: cards that lie there.
        """
        seen = points_all_over(gray, scale, unknown)
        cast = [(deck, one, votes(seen, one.points)) for deck in self.decks for one in deck.sizes]
        frames = [(affine_at_middle(laid.to_pixels), 1.0) for laid in known]
        if len(known) < SETTINGS.enough_cards:
            frames += [frame for _, one, v in cast for frame in local_frames(v, min(one.bank.size_mm))]
        to_mm = fit_table(frames, gray.shape)
        if to_mm is None:
            return []
        from_mm = np.linalg.inv(to_mm)
        found = [Place(p.points, deck, one, from_mm @ p.matrix) for deck, one, v in cast for p in table_poses(v, to_mm)]
        return sorted(found, key=lambda place: -place.points)


def _cards(found: Sequence[Laid]) -> tuple[FoundCard, ...]:
    return tuple(laid.card for laid in found if laid.card is not None)


def _named(image: np.ndarray, taken: Sequence[Laid]) -> list[Laid]:
    """Those of the cards laid that are cards of their deck, with their names."""
    hidden = _who_covers_whom(taken)
    new = [(laid, covers) for laid, covers in zip(taken, hidden, strict=True) if laid.card is None]
    for laid, covers in new:
        laid.card = _name(image, laid, covers, None)
    sure = [one.colors for one in taken if one.card is not None and not one.card.doubtful and one.colors is not None]
    light = light_on(sure) if len(sure) >= SETTINGS.tell_light else agreed_light([laid.tints for laid in taken])
    if light is not None:
        for laid, covers in new:
            apart = 0.0 if laid.colors is None else light.apart(*laid.colors)
            if apart > SETTINGS.other_hue[0] or len(set(laid.bank.families[laid.tried].tolist())) > 1:
                laid.card = _name(image, laid, covers, light)
    return [laid for laid in taken if laid.card is not None]


@dataclass(frozen=True)
class Light:
    """What a table's light and the camera make of the cards' colors: by how much hues differ, (3,), see `tint`, and
    how strong colors are shown."""

    hue: np.ndarray
    strength: float = 1.0

    def apart(self, seen: np.ndarray, own: np.ndarray) -> float:
        """By how much a color that is seen differs from a face's own in this light."""
        return float(np.abs(tint(seen, own, self.strength) - self.hue).max())


def light_on(colors: Sequence[tuple[np.ndarray, np.ndarray]]) -> Light:
    """The light in which most cards of a table have their own color: pairs (3,) of what is seen and what is known."""

    def lights() -> Iterator[tuple[float, Light]]:
        """Each light, with what speaks against it."""
        for strength in SETTINGS.strengths:
            hues = np.array([tint(seen, own, strength) for seen, own in colors])
            light = Light(np.median(hues, axis=0), strength)
            off = np.minimum(np.abs(hues - light.hue).max(1), SETTINGS.other_hue[1]).mean()
            yield float(off) + SETTINGS.own_strength * abs(np.log(strength)), light

    return min(lights(), key=lambda one: one[0])[1]


def agreed_light(tints: Sequence[Sequence[np.ndarray]]) -> Light | None:
    """The light in which each card of a table has one of the hues that its picture comes in.

    `tints`: for each card how its hue differs from each of theirs, (3,) each, see `tint`. None where several lights, or
    none, would do.
    """
    cards = [np.array(one) for one in tints if len(one)]
    if len(cards) < SETTINGS.tell_light:
        return None
    lights = np.concatenate(cards)
    agree = np.zeros(len(lights))
    for card in cards:
        off = ((lights[:, None] - card[None]) ** 2).sum(2).min(1)
        agree += np.log(np.exp(-0.5 * off / SETTINGS.one_light**2) + SETTINGS.other_card)
    agree -= 0.5 * (lights**2).sum(1) / SETTINGS.any_light**2
    best = lights[agree.argmax()]
    others = np.abs(lights - best).max(1) > SETTINGS.two_lights
    if others.any() and agree.max() - agree[others].max() < SETTINGS.clear_light:
        return None
    return Light(np.asarray(lights[np.abs(lights - best).max(1) <= SETTINGS.one_light].mean(0)))


def _lay_beside(image: np.ndarray, taken: list[Laid], changed: np.ndarray) -> None:
    """Lay cards that lie around those that are taken and are turned as they are; points tell no faint print.

    `changed`: (H, W) uint8, 0 where nothing is looked for.
    """
    if len(taken) < SETTINGS.enough_cards or not changed.any():
        return
    lying = [laid.to_pixels for laid in taken]
    to_mm = fit_table([(affine_at_middle(one), 1.0) for one in lying], image.shape)
    if to_mm is None:
        return
    free = _free(image, taken)
    for like in {id(laid.bank): laid.place for laid in taken}.values():
        for to_pixels in beside(like.of.bank, image, to_mm, lying, free):
            if not _at(changed, like.of.bank.corners(to_pixels)[:2]):
                continue
            found = _lay(image, replace(like, points=0, to_pixels=to_pixels), taken)
            if found is not None:
                taken.append(found)
                cv2.fillPoly(free, found.in_sight(), 0)


def _free(image: np.ndarray, taken: Sequence[Laid]) -> np.ndarray:
    """(H, W) uint8: 0 where cards are in sight, 255 elsewhere."""
    free = np.full(image.shape[:2], 255, np.uint8)
    for laid in taken:
        cv2.fillPoly(free, laid.in_sight(), 0)
    return free


def _lay_in_line(image: np.ndarray, taken: list[Laid], changed: np.ndarray) -> None:
    """Lay cards in line with those that are taken: in a column most show their upper end alone.

    `changed`: (H, W) uint8, 0 where nothing is looked for.
    """
    free = _free(image, taken)
    for known in taken:  # which grows: a column has more than two cards
        for to_pixels in in_line(known.bank, image, known.to_pixels, free):
            place = replace(known.place, points=0, to_pixels=to_pixels)
            if not _at(changed, known.bank.corners(to_pixels)[:2]):
                continue
            found = _lay(image, place, taken, least=SETTINGS.of_strip, rough=SETTINGS.in_line)
            if found is not None:
                taken.append(found)
                cv2.fillPoly(free, found.in_sight(), 0)


def _lay_strips(image: np.ndarray, taken: list[Laid], changed: np.ndarray) -> list[tuple[Laid, Strip]]:
    """Lay cards on the strips that stick out below those that are taken; strips on which none fits, with their card.

    `changed`: (H, W) uint8, 0 where nothing is looked for.
    """
    if not taken:
        return []
    edges = Edges(image, float(np.median([density(laid.to_pixels) for laid in taken])))
    free = _free(image, taken)
    unknown: list[tuple[Laid, Strip]] = []
    for above in taken:  # which grows: a strip may lie below a strip
        for quarter in range(4):
            clear: list[tuple[Laid, Strip]] = []
            for strip in edges.beyond(above.to_pixels, above.bank.size_mm, quarter, free):
                if not _at(changed, strip.outline):
                    continue
                found = _lay_strip(image, strip, above.place, taken)
                if found is not None:
                    taken.append(found)
                    cv2.fillPoly(free, found.in_sight(), 0)
                    break
                clear += [(above, strip)] if strip.clear else []
            else:
                unknown += clear[:1]
    return [one for one in unknown if _at(free, one[1].outline)]


def _with_sides(image: np.ndarray, named: Sequence[Laid]) -> list[Laid]:
    """Those of the cards named that lie there: where several faces are as likely, what most of the deck shows may have
    been found in a stranger's print, or fit beside itself, and no side of a card is where it would be in sight."""
    out, edges = [], None
    for laid in named:
        assert laid.card is not None
        if laid.card.doubtful and laid.card.confidence < SETTINGS.undecided:
            edges = edges or Edges(image, float(np.median([density(one.to_pixels) for one in named])))
            free = _free(image, [one for one in named if one is not laid])
            if edges.in_sight(laid.to_pixels, laid.bank.size_mm, free) < SETTINGS.no_side:
                continue
        out.append(laid)
    return out


def _without_strangers(
    image: np.ndarray, missing: Sequence[tuple[Laid, np.ndarray]], named: Sequence[Laid], free: np.ndarray
) -> list[tuple[Laid, np.ndarray]]:
    """Outlines that nobody can name, each with a card near there, but for those on a card that lies whole in sight, on
    top of others, and that no face fits: it is none of the deck's, and nothing is to be asked."""
    if not missing or not named:
        return list(missing)
    edges = Edges(image, float(np.median([density(laid.to_pixels) for laid in named])))
    out = []
    for of, outline in missing:
        to_pixels, clear = edges.whole(of.to_pixels, of.bank.size_mm, outline)
        whole = clear > SETTINGS.clear_whole and free_share(free, of.bank.corners(to_pixels)) > SETTINGS.free_whole
        if not whole or _speaks(of.bank, image, to_pixels) >= SETTINGS.sure_strip:
            out.append((of, outline))
    return out


def _speaks(bank: Bank, image: np.ndarray, to_pixels: np.ndarray) -> float:
    """How much, at most, speaks for a face where a card lies so, or the other way round, or a little aside."""
    most = -np.inf
    for turn, (dx, dy) in product((1.0, -1.0), ASKEW):
        moved = to_pixels @ np.array([[turn, 0, dx], [0, turn, dy], [0, 0, 1]])
        like, seen = likeness(bank, image, moved, 0, bare=True)
        most = max(most, float(evidence(bank, like, seen).max()))
    return most


def _at(mask: np.ndarray, outline: np.ndarray) -> bool:
    """Whether the middle of an outline, (n, 2) in pixels, lies where a mask is not 0."""
    x, y = np.round(outline.mean(0)).astype(int)
    return bool(0 <= y < mask.shape[0] and 0 <= x < mask.shape[1] and mask[y, x])


def _apart(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether the middle of an outline lies beside another: two cards may see one strip below them."""
    middle = one.mean(0).astype(float)
    return cv2.pointPolygonTest(other.astype(np.float32), (middle[0], middle[1]), False) < 0


def _lay_strip(image: np.ndarray, strip: Strip, like: Place, taken: Sequence[Laid]) -> Laid | None:
    """The likeliest face laid on a strip with a card's edges; less speaks for it there than in the open."""
    bank = like.of.bank
    mine = strip.holds(bank.middles)
    best: tuple[np.ndarray, float, np.ndarray] | None = None

    mine &= ~covered(bank, strip.to_pixels, taken)

    def judged(to_pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        alike, seen = likeness(bank, image, to_pixels, 0, bare=True)
        seen = seen * mine
        return alike, evidence(bank, alike, seen), seen < 0.5

    for dx, dy in ASKEW:
        to_pixels = strip.to_pixels @ np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]])
        alike, score, out = judged(to_pixels)
        if best is None or score.max() > best[1]:
            best = to_pixels, float(score.max()), score
    assert best is not None
    level = max((i for i, dense in enumerate(bank.levels) if dense <= 1.2 * density(strip.to_pixels)), default=0)
    where = mine.reshape(bank.grid).astype(np.float32)
    for face in np.argsort(-best[2], kind="stable")[: SETTINGS.strip_faces]:
        to_pixels = align(bank, image, best[0], int(face), level, where)
        alike, score, out = judged(to_pixels)
        if score.max() > best[1]:
            best = to_pixels, float(score.max()), score
    to_pixels, most, _ = best
    if most < SETTINGS.of_strip:
        return None
    alike, score, out = judged(to_pixels)
    order = np.argsort(-score, kind="stable")
    tried = [
        int(i) for i in order[: SETTINGS.most_tried] if score[i] > min(SETTINGS.nearly * most, most - SETTINGS.evidence)
    ]
    place = replace(like, points=0, to_pixels=strip.to_pixels)
    laid = Laid(place, level, to_pixels, alike, bank.sisters(tried), out, ~out, np.zeros(len(score)))
    laid.strip, laid.speaks = strip, most
    # Of what sticks out below a card another one may cover a part.
    agree = open_cells(alike[:, tried].max(1), laid.textured(), out, bank.grid).ravel()
    agree &= ~laid.beyond
    laid.open = agree if agree.any() else ~out
    return laid


def _lay_all(image: np.ndarray, places: Sequence[Place], taken: list[Laid]) -> None:
    """Lay a face on each of the places that holds a card, beside those that are taken."""
    for place in places:
        laid = _lay(image, place, taken)
        if laid is not None:
            taken.append(laid)


def _lay(
    image: np.ndarray,
    place: Place,
    taken: Sequence[Laid],
    known: Laid | None = None,
    least: float = SETTINGS.evidence,
    rough: float = SETTINGS.worth_a_look,
) -> Laid | None:
    """The likeliest face laid on its print, if at least so much speaks for one, and `rough` before it is laid; less
    suffices for a card `known` to lie there."""
    bank, to_pixels = place.of.bank, place.to_pixels
    if covered(bank, to_pixels, taken).mean() > SETTINGS.taken:
        return None
    level = max((i for i, dense in enumerate(bank.levels) if dense <= 1.2 * density(to_pixels)), default=0)
    expected = np.zeros(len(bank.pictures))
    if known is not None and known.card is not None:
        expected[known.face] = np.clip(
            np.log(known.card.confidence / max(1 - known.card.confidence, 1e-9)), 0, SETTINGS.stays
        )
    like, score, out = _judged(image, bank, to_pixels, taken, expected)
    for at, enough in ((min(level, 1), min(least, rough)), (level, least)):
        face = int(score.argmax())
        if score[face] < enough:
            return None
        before, where = score[face], in_sight(bank, like[:, face], out)
        for only in (None, where):
            aligned = align(bank, image, to_pixels, face, at, only)
            judged = _judged(image, bank, aligned, taken, expected)
            if judged[1].max() > SETTINGS.drawn_aside * before:
                to_pixels, (like, score, out) = aligned, judged
                break
    order = np.argsort(-score, kind="stable")
    if score[order[0]] < least:
        return None
    tried = [int(i) for i in order[: SETTINGS.most_tried] if score[i] > SETTINGS.nearly * score[order[0]]]
    laid = Laid(place, level, to_pixels, like, bank.sisters(tried), out, np.zeros(0, bool), expected)
    laid.speaks = float(score[order[0]])
    laid.open = laid.opened(covered(bank, to_pixels, taken)) & ~laid.beyond
    return laid if laid.open.any() else None


def in_sight(bank: Bank, like: np.ndarray, out: np.ndarray) -> np.ndarray | None:
    """(rows, columns) float32: where a face agrees with the picture; None where that is hardly anywhere."""
    agree = open_cells(like, np.ones_like(out), out, bank.grid)
    return agree.astype(np.float32) if agree.sum() >= SETTINGS.least_cells else None


def _who_covers_whom(taken: Sequence[Laid]) -> list[np.ndarray]:
    """For each card which cells others cover: where two overlap, the one that shows more of its part lies on top."""
    seen = [laid.opened(np.zeros(len(laid.out), bool)) for laid in taken]
    hidden = [np.zeros(len(laid.out), bool) for laid in taken]
    for i, one in enumerate(taken):
        for j, other in enumerate(taken[:i]):
            mine, its = inside(one, other), inside(other, one)
            if not mine.any() or not its.any():
                continue
            a, b = seen[i][mine & one.textured()], seen[j][its & other.textured()]
            if (a.mean() if len(a) else 0) > (b.mean() if len(b) else 0):
                hidden[j] |= its
            else:
                hidden[i] |= mine
    return hidden


def _name(image: np.ndarray, laid: Laid, hidden: np.ndarray, light: Light | None) -> FoundCard | None:
    """The card that lies there; None where what is in sight is no card of the deck.

    `light`: on the table; None where nobody knows it.
    """
    bank, place = laid.bank, laid.place
    open_ = laid.opened(hidden)
    patch, seen = bank.patch(image, laid.to_pixels, laid.level)
    own = laid.own()
    framed = laid.framed(open_, hidden)
    # Of a card below others too little is in sight to take it for a stranger: it is asked about.
    under = bool((hidden & own).sum() >= SETTINGS.below * own.sum())
    strange_tint = framed and laid.tint(patch, open_) > SETTINGS.tint
    # A card of which what lies on it was not found agrees so, too: with its own print up to a line.
    upto = laid.bare(own, hidden | laid.beyond)
    upto_line = upto.sum() >= SETTINGS.least_own and open_[upto].mean() >= SETTINGS.little
    if strange_tint and not under and not upto_line:
        return None
    framed |= (common := laid.in_common(open_, hidden))
    much = bool((open_ & own).sum() >= SETTINGS.least_seen * own.sum())
    # Of a card below others all that they leave in sight may be little, and agree.
    left = laid.bare(own, hidden)
    clear = much or (left.sum() >= SETTINGS.least_own and open_[left].mean() >= SETTINGS.little)
    other = laid.strip is not None and laid.own_agreeing(open_, hidden) < SETTINGS.own_of_strip
    agrees = left.sum() < SETTINGS.least_own or laid.own_agreeing(open_, hidden) >= SETTINGS.hardly
    below = (agrees and under) or laid.strip is not None
    hardly_own = (open_ & own).sum() < SETTINGS.own_in_sight * own.sum() or (
        laid.own_agreeing(open_, hidden) < SETTINGS.own_of_strip
    )
    if not clear and not below and not laid.expected.any():
        return None
    wide = open_.reshape(bank.grid).astype(np.float32)
    # Half a cell along what is covered is left out: nobody knows where exactly its border runs.
    in_sight = np.clip(2 * cv2.resize(wide, seen.shape[::-1], interpolation=cv2.INTER_LINEAR) - 1, 0, 1) * seen
    if in_sight.sum() < SETTINGS.least_open:
        return None
    faces, logs = _told_apart(image, laid, np.asarray(in_sight, np.float32), open_, light)
    logs = logs + laid.expected[faces]
    odds = np.exp(logs - logs.max())
    # Cards that count the same are one card: which of them it is nobody asks.
    known: dict[str, tuple[float, int, Face]] = {}
    for k, chance in sorted(zip(faces, odds / odds.sum(), strict=True), key=lambda one: -one[1]):
        face = place.deck.faces[place.of.faces[k]]
        so_far, *first = known.get(face.counts_as, (0.0, k, face))
        known[face.counts_as] = so_far + chance, *first
    (sure, laid.face, face), *others = sorted(known.values(), key=lambda one: -one[0])
    laid.colors = mean_color(bank, patch, open_), mean_color(bank, bank.faces(laid.level)[laid.face], open_)
    strange = 0.0 if light is None else light.apart(*laid.colors)
    undecided = sure < SETTINGS.undecided
    ornament = undecided and (laid.strip is None or other)
    if strange > SETTINGS.other_hue[1] or (ornament and (open_ & own).sum() < SETTINGS.hardly_any * own.sum()):
        return None
    speaks = laid.speaks if laid.strip or not much or laid.speaks < SETTINGS.evidence else np.inf
    weak = strange_tint or speaks < SETTINGS.name_strip or not clear or other or strange > SETTINGS.other_hue[0]
    unsure = sure < SETTINGS.sure or speaks < SETTINGS.sure_strip
    doubtful = (unsure or framed or weak) and not face.back
    if not doubtful and not face.back:
        coarse = min(SETTINGS.whole_print, laid.level)
        patch, _ = bank.patch(image, laid.to_pixels, coarse)
        in_sight = cv2.resize(in_sight, patch.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        doubtful = other_print(bank, patch, laid.face, coarse, in_sight) > SETTINGS.other_print
    likeliest = (face, *(other for _, _, other in others[: SETTINGS.shown])) if doubtful else ()
    nearest = tuple(one.entry for one in likeliest if not one.back)
    unknown = weak and (laid.strip is not None or not clear or strange_tint or sure < SETTINGS.sure)
    # What most of the deck shows strangers may show, too.
    unknown |= (hardly_own and undecided) or (common and not agrees)
    entry = None if face.back or unknown else face.entry
    return FoundCard(place.deck.name, entry, bank.corners(laid.to_pixels), float(sure), doubtful, nearest)


def _told_apart(
    image: np.ndarray, laid: Laid, in_sight: np.ndarray, open_: np.ndarray, light: Light | None
) -> tuple[list[int], np.ndarray]:
    """The faces that it may be, and the logarithms of how likely each is, the best 0: of each family by its print, of
    several by what their pictures show and by their hue."""
    bank, dense = laid.bank, density(laid.to_pixels)
    level = max((i for i, fine in enumerate(bank.levels) if fine <= SETTINGS.fine * dense), default=0)
    patch, _ = bank.patch(image, laid.to_pixels, level)
    in_sight = cv2.resize(in_sight, patch.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    expected, spread = (Light(np.zeros(3)), SETTINGS.any_light) if light is None else (light, SETTINGS.same_light)
    seen = mean_color(bank, patch, open_)
    hues: dict[int, float] = {}
    laid.tints = []
    for family in dict.fromkeys(bank.families[laid.tried].tolist()):
        laid.tints.append(tint(seen, mean_color(bank, bank.faces(level)[family], open_), expected.strength))
        off = laid.tints[-1] - expected.hue
        hues[family] = -0.5 * min(float((off**2).sum()) / spread**2, SETTINGS.most_hue)
    verdicts: dict[int, Verdict] = {}
    for family, hue in hues.items():
        if len(verdicts) < SETTINGS.most_families and hue > max(hues.values()) - SETTINGS.other_families:
            mine = [k for k in laid.tried if bank.families[k] == family]
            own = patch
            if family != bank.families[laid.tried[0]]:  # on whose print it was laid: others are cut a little otherwise
                own, _ = bank.patch(image, align(bank, image, laid.to_pixels, mine[0], level), level)
            verdicts[family] = identify(bank, own, mine, level, in_sight, dense)
    if len(verdicts) == 1:
        (one,) = verdicts.values()
        return list(one.faces), one.logs
    # Each picture once: its hues the light may change, pixel by pixel, as it likes.
    firsts = {int(bank.kin[one.faces[0]]): one.faces[0] for one in reversed(list(verdicts.values()))}
    between = identify(bank, patch, list(firsts.values())[::-1], level, in_sight, dense)
    pictures = {int(bank.kin[k]): float(log) for k, log in zip(between.faces, between.logs, strict=True)}
    faces: list[int] = []
    logs: list[float] = []
    for family, one in verdicts.items():
        faces += one.faces
        picture = pictures.get(int(bank.kin[family]), between.others)
        logs += [float(log) + picture + hues[family] for log in one.logs]
    return faces, np.array(logs) - max(logs)


def _judged(
    image: np.ndarray, bank: Bank, to_pixels: np.ndarray, taken: Sequence[Laid], expected: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How alike each cell is to each face (cells, K), what speaks for each face, which cells lie outside."""
    like, seen = likeness(bank, image, to_pixels, 0, bare=True)
    return like, evidence(bank, like, seen * ~covered(bank, to_pixels, taken)) + expected, seen < 0.5


def evidence(bank: Bank, like: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(K,): how much (natural logarithm of odds) speaks for each face, against any other card's face.

    How much of a card is covered nobody knows: the share that suits each face best is taken, or a line along the card's
    rows or columns of which one side lies under another card.
    """
    rows, cols = bank.grid
    ratio = _odds(bank, like)
    here_and_there = [seen @ np.log((1 - hidden) * ratio + hidden) for hidden in SETTINGS.hidden]
    by_cells = (seen[:, None] * np.log((1 - SETTINGS.hidden[0]) * ratio + SETTINGS.hidden[0])).reshape(rows, cols, -1)
    beside = []
    for of_lines in (by_cells.sum(1), by_cells.sum(0)):
        upto = np.cumsum(of_lines, axis=0)[:-1]
        beside += [upto.max(0), (of_lines.sum(0) - upto).max(0)]
    return np.max([*here_and_there, *(part - SETTINGS.straight for part in beside)], axis=0)


def _odds(bank: Bank, like: np.ndarray) -> np.ndarray:
    """(cells, K): how much likelier each cell is so alike to a face (cells, K) where that lies there."""
    mean, spread = bank.usual()
    right = np.exp(-0.5 * (np.minimum(like - SETTINGS.like, 0) / SETTINGS.spread) ** 2) / SETTINGS.spread
    other = np.exp(-0.5 * ((like - mean[:, None]) / spread[:, None]) ** 2) / spread[:, None]
    return np.where(np.isnan(like), 1.0, np.minimum(right / np.maximum(other, 1e-6), SETTINGS.most_odds))


def beyond_line(bank: Bank, like: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """(cells,) bool: what lies beyond the line along which another card seems to cover this one, by how alike its cells
    are to its face (cells,); nothing where none does.

    Cards in a column lie rim on rim, and on bare ground alike: there cells of what is covered agree by chance.
    """
    hidden = SETTINGS.hidden[0]
    speaks = (seen * np.log((1 - hidden) * _odds(bank, like[:, None])[:, 0] + hidden)).reshape(bank.grid)
    least, out = -SETTINGS.straight, np.zeros(bank.grid, bool)
    for turn in range(4):
        by_lines = np.rot90(speaks, turn).sum(1)
        beyond = np.cumsum(by_lines[::-1])[::-1]
        beyond[0] = np.inf
        first = int(beyond.argmin())
        if beyond[first] < least:
            least, lines = float(beyond[first]), np.zeros_like(np.rot90(out, turn))
            lines[first:] = True
            out = np.rot90(lines, -turn)
    return np.asarray(out.ravel())


def open_cells(like: np.ndarray, textured: np.ndarray, hidden: np.ndarray, grid: tuple[int, int]) -> np.ndarray:
    """(rows, columns) bool: where nothing covers a card, by how alike its cells are and their neighbours'; bare ground
    (NaN, see `likeness`) as far as it goes on from there."""
    bare, free = np.isnan(like).reshape(grid), ~hidden.reshape(grid)
    speaks = (textured.reshape(grid) & free & ~bare).astype(np.float32)
    alike = np.where(bare, 0.0, like.reshape(grid))
    for_it = np.clip((alike - SETTINGS.sign) / SETTINGS.clear, -1, 1).astype(np.float32) * speaks
    around = cv2.filter2D(for_it, -1, AROUND, borderType=cv2.BORDER_CONSTANT)
    agree = (around > 0) & free
    for _ in range(max(grid)):
        agree |= (cv2.dilate(agree.astype(np.uint8), CROSS) > 0) & bare & free
    return np.asarray(agree)


def covered(bank: Bank, to_pixels: np.ndarray, taken: Sequence[Laid]) -> np.ndarray:
    """(cells,) bool: which cells of a card lie where other cards are in sight."""
    out = np.zeros(len(bank.middles), bool)
    for laid in taken:
        found = _cells_of(bank, to_pixels, laid)
        if found is not None:
            out[found[0]] |= laid.open[found[1]]
    return out


def inside(one: Laid, other: Laid) -> np.ndarray:
    """(cells,) bool: which cells of a card lie within another's outline."""
    found = _cells_of(one.bank, one.to_pixels, other)
    return np.zeros(len(one.out), bool) if found is None else found[0]


def _cells_of(bank: Bank, to_pixels: np.ndarray, laid: Laid) -> tuple[np.ndarray, np.ndarray] | None:
    """Which cells of a card lie within another's outline, (cells,) bool, and for those which of its cells they are."""
    x, y, down = (laid.from_pixels @ to_pixels[:, 2]).tolist()
    if hypot(x / down, y / down) > hypot(*bank.size_mm) / 2 + hypot(*laid.bank.size_mm) / 2:
        return None
    at = bank.middles @ (laid.from_pixels @ to_pixels).T
    rows, cols = laid.bank.grid
    cell = np.floor((at[:, :2] / at[:, 2:] / laid.bank.size_mm + 0.5) * (cols, rows)).astype(int)
    on = (cell[:, 0] >= 0) & (cell[:, 1] >= 0) & (cell[:, 0] < cols) & (cell[:, 1] < rows)
    return on, cell[on, 1] * cols + cell[on, 0]
