"""Everything that a game is besides its rules, as one value: see `Game`."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from common.messages import Message
from companion.games.markers import FIRST_CARD, IDS, ZONES, Corners
from companion.games.moment import Due
from companion.games.set_up import SetUp
from companion.games.shape import Shape
from companion.games.told import Told
from companion.games.zones import Kind, Table, mistake

FOLDER: Final = Path(__file__).parent

CARD_MM: Final = (63.0, 88.0)
"""Width and height of a card where nobody says otherwise: the commonest."""

Card = Mapping[str, Any]
"""A card as a table profile names it: `{"kind": "seeker", "power": 3}`."""
Say = Callable[..., str]
"""Called with a key of the catalogs and its values, answers the sentence in one language."""
Check = Callable[[object], Any]
"""Takes a value from outside and returns it checked. Raises StateError."""


Hands = Callable[[Mapping[str, Any]], Iterator[tuple[int, Mapping[str, Any], tuple[str, ...]]]]
"""Of a state: who may have what, the player's part of the state with it, and what it is, as words `color.<name>`."""


class Laid(NamedTuple):
    """Where a card lies when its deck is photographed, row by row, and how a drawing of that shows it.

    Attributes:
        row: the row's name, see `Game.card_rows`: a key of the catalogs and what fills its gaps.
        sign: what tells the card in its row, in few signs.
        colors: of the card in the drawing.
    """

    row: Message
    sign: str = ""
    colors: tuple[str, ...] = ()


def label(slug: str, card: Card, say: Say) -> str:
    """A card in a few words: the sentence `<slug>.card.<kind>`, its gaps filled with what the card says."""
    return say(f"{slug}.card.{card['kind']}", **card)


def _of_its_kind(entry: Card) -> Card:
    """An enrolled deck's entry without what is its own: its id and size."""
    return {key: value for key, value in entry.items() if key not in ("id", "size_mm")}


@dataclass(frozen=True)
class TableRules:
    """How the pieces seen on a table become the game's state.

    Attributes:
        state: the keys of the state that are no player's, as far as they are seen.
        player: a player's keys, as far as they are seen; called with the table, the player's zone and the JSON
            pointer of the player in the state.
        cards: the kinds of cards that `state` and `player` understand.
        set_up: what of a table is as it should be before the first turn, and what is not.
    """

    state: Callable[[Table], dict[str, Any]]
    player: Callable[[Table, str, str], dict[str, Any]]
    cards: Mapping[str, Kind] = field(default_factory=dict)
    set_up: SetUp | None = None


@dataclass(frozen=True)
class Typed:
    """What people type at a followed table because no camera sees it."""

    table: tuple[str, ...] | None = None  # keys of the state that may be typed; None: all of them
    player: tuple[str, ...] | None = None  # the same of a player's
    counter: str | None = None  # a player's key that is stepped up and down beside the player's points
    asked: str | None = None  # a key of the state without which nothing can be scored: it is asked for first
    stays: tuple[str, ...] = ()  # keys of the state that hold in the next game too, besides rule and house rules


@dataclass(frozen=True)
class Saved:
    """A part of the state that is the same in every game of this box: entered once, kept for all cases."""

    key: str  # the state's key
    check: Check  # what the value has to be
    file: str  # the name of the file in the data folder


@dataclass(frozen=True)
class Start:
    """For how many a game is laid out, and what depends on that: the values of the sentences `set-up.<game>.<n>`."""

    players: tuple[int, ...]
    values: Callable[[int], Mapping[str, int]] = lambda n: {}


@dataclass(frozen=True)
class Game:
    """A game. Its words, its icon and the page's editor of its pieces lie in its folder, see `file`."""

    slug: str  # the name in addresses, table states and profiles; with `_` for `-` also that of its folder
    shape: Shape  # the keys of a table state and the types of their values
    box: Mapping[str, Any]  # what lies in the box and how much of it, as JSON for the editor
    table: TableRules | None = None  # how seen pieces become a state; None: paper sheets are photographed instead
    tiles: Mapping[str, int] = field(default_factory=dict)  # loose tiles of each color in the box; none: cards only
    chips: Mapping[str, int] = field(default_factory=dict)
    """Round chips of each color in the box; they earn no points, so one in doubt is marked and not asked about."""
    deck: tuple[Card, ...] = ()
    """Every card, in the order in which stickers are numbered; cards that exist several times as often."""
    copies: bool = False  # whether cards that count the same look the same: one of each is enough to learn a deck
    laid: Callable[[Card], Laid] | None = None  # where a card of the deck lies when it is photographed, row by row
    sizes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Width and height in millimetres of the kinds of cards that are not as most are, see CARD_MM."""
    zones: Mapping[str, int] = field(default_factory=dict)  # more areas, each with the first of its four markers
    players: tuple[int, ...] = (2, 3, 4)  # how many can play at a table
    seats: tuple[str, ...] = tuple("ABCD")  # areas for which mats are printed where nothing else is asked for
    mat_rows: int = 2  # sheets of paper of a mat, one below the other
    sheets: tuple[int, ...] = ()  # the numbers of the rule sheets of which one is in play (in words `sheet.<number>`)
    typed: Typed = Typed()  # what people type at a followed table
    saved: Saved | None = None  # what is entered once for all cases
    terms: tuple[str, ...] = ("color.",)  # prefixes of the catalogs' keys by which the editor names pieces
    label: Callable[[str, Card, Say], str] = label  # a card in a few words
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The rows of its score sheet (in words `row.<slug>.<name>`), each with how the keys of its lines begin; a line
    stands in the row that names it most closely."""
    groups: tuple[tuple[tuple[int, str], ...], ...] = ()
    """How a player's cards are laid where places tell what they are: rows of groups, each with its number of cards
    and its name (in words `js.live.lay.<name>`)."""
    contradictions: tuple[str, ...] = ()
    """Keys of the notes that say that cards cannot be what they were read as, or that somebody broke a rule."""
    middle: str = ""  # the area in the middle of the table, before nobody
    grows: tuple[str, ...] = ()  # kinds of cards by which a player's place is known, besides loose tiles
    followed: frozenset[str] = frozenset()
    """The keys of its state that show what players take from: with them its moves are judged, where there are any."""
    unseen: Mapping[str, Any] = field(default_factory=dict)  # what a player has of which a camera sees none
    start: Start | None = None  # how it is laid out before the first turn; None: there are no sentences
    demo: bool = False  # whether the demo table plays it
    mark: int | None = None  # the points that who plays alone has to reach
    hands: Hands | None = None  # what a player may have that is secret until the end
    due: Due | None = None  # what the rules ask for at a moment of a followed game
    told: Told = field(default_factory=Told)  # how it says what was done in a turn

    def row(self, key: str) -> str | None:
        """The row of the score sheet in which a line of this key stands."""
        fits = [(len(start), name) for name, starts in self.rows.items() for start in starts if key.startswith(start)]
        return max(fits)[1] if fits else None

    @property
    def colors(self) -> tuple[str, ...]:
        """What a loose piece on the table may be: tiles and chips."""
        return (*self.tiles, *self.chips)

    @property
    def areas(self) -> dict[str, Corners]:
        """The markers of every area that this game may have, the color strip's included."""
        return {**ZONES, **{name: (first, first + 1, first + 2, first + 3) for name, first in self.zones.items()}}

    @property
    def common(self) -> list[str]:
        """The areas that are no player's: not `A`, nor a part of it such as `A.valid`."""
        return [zone for zone in self.zones if "." not in zone]

    @property
    def mats(self) -> list[str]:
        """The areas that a mat may be printed for: all but the color strip's."""
        return [area for area in self.areas if area != "strip"]

    @property
    def stickers(self) -> dict[int, Card]:
        """Marker and card of each sticker; empty for a game whose cards need none."""
        if FIRST_CARD + len(self.deck) > IDS:
            raise ValueError(f"{self.slug} has {len(self.deck)} cards: expected at most {IDS - FIRST_CARD}")
        return dict(enumerate(self.deck, FIRST_CARD))

    def card_rows(self) -> list[tuple[Message, list[int]]]:
        """The rows in which the deck is laid to be photographed, in the order asked: each row's name, and its cards'
        places in the deck. Of cards that look the same one lies there."""
        rows: dict[str, tuple[Message, list[int]]] = {}
        for i, card in enumerate(self.deck):
            if self.laid is not None and not (self.copies and card in self.deck[:i]):
                name = self.laid(card).row
                rows.setdefault(repr(name), (name, []))[1].append(i)
        return list(rows.values())

    def size_of(self, card: Card) -> tuple[float, float]:
        """Width and height of a card in millimetres."""
        return self.sizes.get(str(card.get("kind")), CARD_MM)

    def number_of(self, entry: Card) -> int | None:
        """Which card of the deck an entry of an enrolled deck is, the first of its like; None where it is none."""
        return next((i for i, card in enumerate(self.deck) if card == _of_its_kind(entry)), None)

    def card_words(self, card: Card, say: Say) -> str:
        """A card in a few words, on its sticker and beside a picture of it."""
        card = _of_its_kind(card)
        if self.table is None or mistake(self.table.cards, "", card) is not None:
            return say("card.other", what=" ".join(str(value) for value in card.values()))
        return self.label(self.slug, card, say)

    def file(self, name: str) -> Path:
        """A file of the game's folder: `icon.svg`, `editor.js`, `words.en.json`."""
        return FOLDER / self.slug.replace("-", "_") / name
