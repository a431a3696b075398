"""Splendor: points of bought cards and nobles. Source: a player's description of the rules, not the rulebook."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import Any, Final, NamedTuple

from scoring.breakdown import Breakdown, Line, Note, PlayerScore, Value
from scoring.errors import StateError
from scoring.fields import (
    UNKNOWN,
    State,
    an_object,
    count,
    count_or_unknown,
    counts,
    each,
    flag,
    items,
    known,
    members,
    number,
    one_of,
    players,
    pointer,
    required,
    several,
)
from scoring.house_rules import Question, Readings
from scoring.ranking import best, most_points

QUESTIONS: Final = (
    Question("fewest-cards", ("bought", "with-nobles", "with-reserved"), "silent", "splendor/goal"),
    Question("noble-cards", ("shared", "once"), "inferred", "splendor/nobles"),
)

COLORS: Final = ("white", "blue", "green", "red", "black")
TOKENS: Final = (*COLORS, "gold")
EVERY_COLOR: Final = frozenset(COLORS)
EVERY_TOKEN: Final = frozenset(TOKENS)
NOBLE: Final = 3
GOAL: Final = 15
TOKEN_LIMIT: Final = 10
RESERVE_LIMIT: Final = 3

MOST_PLAYERS: Final = 4
GOLD: Final = 5
"""Gold tokens in the box."""
OF_A_COLOR: Final = 7
"""Tokens of each other color in the box."""
ALL_TOKENS: Final = OF_A_COLOR * len(COLORS) + GOLD
CARDS: Final = 90
"""Cards in the box."""
CARDS_OF_A_COLOR: Final = CARDS // len(COLORS)
LAID_OUT: Final = {2: 4, 3: 5}
"""So many of them are laid out for fewer players than four."""
MOST_POINTS: Final = 5
"""On a card."""
NOBLES: Final = 10
"""In the box; they ask for four cards each of two colors, or for three each of three."""
NOBLES_ASK: Final = ([4, 4], [3, 3, 3])

SPLENDOR_GAME: Final = frozenset({"supply", "market", "nobles_left", "decks"})
SPLENDOR_PLAYER: Final = frozenset({"kept"})
SPLENDOR_CARD: Final = frozenset({"level", "price"})
LEVELS: Final = 3
MOST_ASKED: Final = 14
"""Tokens of one color that a card may cost; printed cards ask up to 7, and 14 in all."""

STATE_KEYS: Final = SPLENDOR_GAME | {"game", "players", "round_over", "house_rules"}
PLAYER_KEYS: Final = SPLENDOR_PLAYER | {"name", "cards", "nobles", "tokens", "reserved"}
CARD_KEYS: Final = SPLENDOR_CARD | {"points", "bonus"}


Needs = Mapping[str, int]
"""What a noble asks for: bought cards by color."""


class Player(NamedTuple):
    """`cards` are points and color of each bought card, `nobles` how many there are, `needs` of each that is listed.

    `kept`: whether the kept cards are listed; `looked`: whether the state says anything of nobles (none are counted
    where it does not).
    """

    place: str
    name: str
    cards: Sequence[tuple[int, str]]
    nobles: int
    needs: Sequence[Needs] | None
    tokens: Mapping[str, int]
    reserved: int
    kept: bool
    looked: bool


class Table(NamedTuple):
    """`supply` are the tokens that lie in the middle, None where the state does not say; `left` the nobles there."""

    players: Sequence[Player]
    round_over: bool
    supply: Mapping[str, int] | None = None
    left: Sequence[Any] = ()


def read(state: State) -> Table:
    """Check a state of this game. Raises StateError."""
    known(state, STATE_KEYS, "")
    rows = players(state, PLAYER_KEYS)
    if not SPLENDOR_GAME.isdisjoint(state):
        _middle(state)
    found = [_player(row, f"/players/{i}") for i, row in enumerate(rows)]
    return Table(found, flag(state, "round_over", ""), state.get("supply"), state.get("nobles_left", ()))


_BOX: Final = {**dict.fromkeys(COLORS, OF_A_COLOR), "gold": GOLD}


def _player(row: State, place: str) -> Player:
    cards = [_card(given, place, i) for i, given in enumerate(items(row, "cards", place))]
    nobles = row.get("nobles", 0)
    needs = None
    if type(nobles) is list:
        needs = nobles
        for i, noble in enumerate(nobles):
            _noble(noble, f"{place}/nobles/{i}")
    elif type(nobles) is not int or nobles < 0:
        raise StateError(f"{place}/nobles", "nobles", nobles)
    tokens = an_object(row.get("tokens", {}), f"{place}/tokens")
    known(tokens, EVERY_TOKEN, f"{place}/tokens")
    held = sum([count(tokens, color, f"{place}/tokens") for color in tokens])
    if held > ALL_TOKENS:
        raise StateError(f"{place}/tokens", "tokens", held, {"most": ALL_TOKENS})
    reserved = count(row, "reserved", place, CARDS)
    if "kept" in row:
        _kept(row, place)
        reserved = len(row["kept"])
    many = number(nobles, f"{place}/nobles", 0) if needs is None else len(needs)
    return Player(place, row["name"], cards, many, needs, tokens, reserved, "kept" in row, "nobles" in row)


def _card(card: Any, place: str, i: int) -> tuple[int, str]:
    """The points and the color of a card; one that is right, as most are, is looked at once."""
    if type(card) is dict and CARD_KEYS.issuperset(card):
        points, color = card.get("points", 0), card.get("bonus")
        if len(card) > 2 or "points" not in card:
            _face(card, f"{place}/cards/{i}")
        if type(points) is int and 0 <= points <= MOST_POINTS and color in COLORS:
            return points, color
    here = f"{place}/cards/{i}"
    known(an_object(card, here), CARD_KEYS, here)
    return count(card, "points", here), one_of(required(card, "bonus", here), COLORS, f"{here}/bonus")


def _noble(noble: object, place: str) -> None:
    """A noble's requirement, whether or not the cards that are seen meet it."""
    needs = an_object(noble, place)
    known(needs, EVERY_COLOR, place)
    if not needs:
        raise StateError(place, "noble", noble)
    for color, n in needs.items():
        number(n, pointer(place, color), 0, CARDS_OF_A_COLOR)


def score(table: Table, readings: Readings, explain: bool) -> Breakdown:
    """Every player's points and, once someone has 15, the winners."""
    once = readings["noble-cards"] == "once"
    scores = tuple(PlayerScore(player.name, tuple(_lines(player, once))) for player in table.players)
    notes = [*_broken(table), *_box_notes(table)]
    if not once:
        notes += [_shared(player) for player in table.players if player.needs and len(_served(player)) < player.nobles]
    totals = [player.total or 0 for player in scores]
    if max(totals) < GOAL:
        goes_on = Note("splendor.goes-on", {"goal": GOAL}, source="splendor/goal")
        return Breakdown("splendor", scores, (), (), (*notes, goes_on))
    cards = [_counted(player, readings["fewest-cards"]) for player in table.players]
    ahead = best(scores, [(total, -n) for total, n in zip(totals, cards, strict=True)])
    if not table.round_over:
        notes.append(Note("splendor.round", {"goal": GOAL}, source="splendor/goal"))
    if len(top := most_points(scores)) > 1:
        notes.append(_tie([table.players[i] for i in top], [cards[i] for i in top], ahead, table.round_over))
    winners, leading = (ahead, ()) if table.round_over else ((), ahead)
    return Breakdown("splendor", scores, winners, leading, tuple(notes))


def _counted(player: Player, reading: str) -> int:
    """The cards that count where the fewest break a tie."""
    more = {"bought": 0, "with-nobles": player.nobles, "with-reserved": player.reserved}
    return len(player.cards) + more[reading]


def _tie(tied: Sequence[Player], cards: Sequence[int], ahead: tuple[str, ...], over: bool) -> Note:
    """How many cards each of those with equal points has, and who wins, or is ahead, with the fewest."""
    key = "splendor.tie" if len(ahead) == 1 else "splendor.tie-shared"
    tally = tuple(f"{player.name} {n}" for player, n in zip(tied, cards, strict=True))
    where = tuple(f"{player.place}/cards" for player in tied if player.cards)
    return Note(key if over else f"{key}-so-far", {"names": ahead, "tally": tally}, where, "splendor/goal")


def _lines(player: Player, once: bool) -> list[Line]:
    """A line for each card with points and each listed noble; `once`: a card serves one noble only."""
    where = members(f"{player.place}/cards", len(player.cards))
    cards = list(zip(where, player.cards, strict=True))
    lines = [_card_line(place, *card) for place, card in cards if card[0]]
    plain = tuple([place for place, card in cards if not card[0]])
    if plain:
        lines.append(_plain(plain))
    if player.needs:
        served = _served(player) if once else range(player.nobles)
        lines += [_listed(player, i, needs, i in served) for i, needs in enumerate(player.needs)]
    elif player.nobles:
        nobles = (f"{player.place}/nobles",)
        lines.append(Line("splendor.noble", NOBLE * player.nobles, nobles, {"n": player.nobles}, "splendor/nobles"))
    return lines


@lru_cache(maxsize=10_000)
def _card_line(place: str, points: int, color: str) -> Line:
    """A line that is given again where the same comes again."""
    return Line("splendor.card", points, (place,), {"color": color, "n": points}, "splendor/points")


@lru_cache(maxsize=10_000)
def _plain(because: tuple[str, ...]) -> Line:
    return Line("splendor.plain", 0, because, {"n": len(because)}, "splendor/points")


def _listed(player: Player, i: int, needs: Needs, served: bool) -> Line:
    key = "splendor.noble-for" if served else "splendor.noble-unserved"
    return Line(key, NOBLE if served else 0, (f"{player.place}/nobles/{i}",), _asked(needs), "splendor/nobles")


def _asked(needs: Needs) -> dict[str, Value]:
    asked = [(color, n) for color, n in needs.items() if n]
    return {"colors": tuple(color for color, _ in asked), "numbers": tuple(n for _, n in asked)}


def _held(player: Player) -> Counter[str]:
    """The bought cards of each color."""
    return Counter([color for _, color in player.cards])


def _missing(needs: Needs, held: Mapping[str, int]) -> tuple[str, ...]:
    """The cards that a noble asks for and that are not there, each by its color."""
    return tuple([color for color, n in needs.items() for _ in range(n - held[color])])


def _served(player: Player) -> Collection[int]:
    """The most of a player's listed nobles that are served if each card serves one only.

    Those whose cards are not all there have been served by cards that nobody sees. Of more nobles than the box holds,
    those that ask for the least, as long as the cards last.
    """
    needs = player.needs or ()
    cards = _held(player)

    def enough(some: Iterable[int]) -> bool:
        return all(sum(needs[i].get(color, 0) for i in some) <= cards[color] for color in COLORS)

    every = range(len(needs))
    if enough(every):
        return every
    unmet = [i for i in every if _missing(needs[i], cards)]
    met = [i for i in every if i not in unmet]
    if len(met) <= NOBLES:
        most = (some for n in range(len(met), -1, -1) for some in combinations(met, n))
        return unmet + list(next(some for some in most if enough(some)))
    found = unmet
    for i in sorted(met, key=lambda i: sum(needs[i].values())):
        if all(n <= cards[color] for color, n in needs[i].items()):
            cards.subtract(needs[i])
            found.append(i)
    return found


def _shared(player: Player) -> Note:
    values: dict[str, Value] = {"name": player.name, "n": player.nobles, "other": len(_served(player))}
    return Note("splendor.nobles-share", values, (f"{player.place}/nobles",))


def _broken(table: Table) -> Iterator[Note]:
    """What lies there though the rules forbid it: too many tokens, too many kept cards, nobles that are not due."""
    values: dict[str, Value]
    for player in table.players:
        place, name = player.place, player.name
        if (n := sum(player.tokens.values())) > TOKEN_LIMIT:
            values = {"name": name, "n": n, "most": TOKEN_LIMIT, "back": n - TOKEN_LIMIT, "rule": "S8"}
            held_colors = tuple([f"{place}/tokens/{color}" for color, n in player.tokens.items() if n])
            yield Note("splendor.tokens-back", values, held_colors, "splendor/tokens")
        if (n := player.reserved) > RESERVE_LIMIT:
            values = {"name": name, "n": n, "most": RESERVE_LIMIT, "back": n - RESERVE_LIMIT, "rule": "S6"}
            where = f"{place}/{'kept' if player.kept else 'reserved'}"
            yield Note("splendor.kept-back", values, (where,), "splendor/keep")
        if not player.needs:
            continue
        held = _held(player)
        for i, needs in enumerate(player.needs):
            if missing := _missing(needs, held):
                values = {"name": name, **_asked(needs), "missing": missing, "rule": "S9"}
                yield Note("splendor.noble-unmet", values, (f"{place}/nobles/{i}",), "splendor/nobles")
    for i, needs in enumerate(table.left):
        due = [] if needs == UNKNOWN else [p for p in table.players if not _missing(needs, _held(p))]
        if due and any(needs.values()):
            values = {"names": tuple(p.name for p in due), "n": len(due), **_asked(needs), "rule": "S9"}
            yield Note("splendor.noble-due", values, (f"/nobles_left/{i}",), "splendor/nobles")


def _box_notes(table: Table) -> Iterator[Note]:
    """What the box does not hold, and nobles that nobody can have got."""
    players = table.players
    values: dict[str, Value]
    if len(players) > MOST_PLAYERS:
        yield Note("players.many", {"n": len(players), "most": MOST_PLAYERS}, ("/players",))
    nobles = sum([player.nobles for player in players]) + len(table.left)
    laid_out = len(players) + 1
    for player in players:
        if player.needs is None and player.nobles and player.nobles > (most := _nobles_met(player)):
            values = {"name": player.name, "n": player.nobles, "most": most, "rule": "S9"}
            yield Note("splendor.nobles-cards", values, (f"{player.place}/nobles",), "splendor/nobles")
        elif not player.looked and _nobles_met(player):
            yield Note("splendor.nobles-unknown", {"name": player.name}, (player.place,), "splendor/nobles")
    if nobles > NOBLES:
        yield Note("splendor.nobles-box", {"n": nobles, "most": NOBLES})
    elif nobles > laid_out > 2:
        yield Note("splendor.nobles-many", {"n": nobles, "most": laid_out})
    yield from _token_notes(players, table.supply)
    for player in players:
        for i, (points, color) in enumerate(player.cards):
            if points > MOST_POINTS:
                values = {"name": player.name, "color": color, "n": points, "most": MOST_POINTS}
                yield Note("splendor.card-points", values, (f"{player.place}/cards/{i}",))
        strange = [i for i, needs in enumerate(player.needs or ()) if _asks(needs) not in NOBLES_ASK]
        if strange:
            where = tuple(f"{player.place}/nobles/{i}" for i in strange)
            yield Note("splendor.noble-unknown", {"name": player.name}, where)
    yield from _twice(players)


def _nobles_met(player: Player) -> int:
    """How many nobles of those that there can be a player's cards meet: four of two colors, three of three."""
    held = _held(player)
    return sum(comb(sum(n >= asked[0] for n in held.values()), len(asked)) for asked in NOBLES_ASK)


def _token_notes(players: Sequence[Player], supply: Mapping[str, int] | None) -> Iterator[Note]:
    """Colors of which there are more tokens than are laid out, or fewer where the supply is known too."""
    held: dict[str, int] = {} if supply is None else {color: supply.get(color, 0) for color in TOKENS}
    for player in players:
        for color, n in player.tokens.items():
            held[color] = held.get(color, 0) + n
    for color, n in held.items():
        most = GOLD if color == "gold" else LAID_OUT.get(len(players), OF_A_COLOR)
        if n < most and supply is not None and len(players) > 1:
            short: dict[str, Value] = {"color": color, "n": n, "most": most}
            yield Note("splendor.tokens-missing", short, ("/supply",), "splendor/set-up")
        if n > most:
            where = tuple(f"{player.place}/tokens/{color}" for player in players if player.tokens.get(color))
            if supply and supply.get(color):
                where = (*where, f"/supply/{color}")
            if color == "gold":
                yield Note("splendor.gold-many", {"n": n, "most": most}, where)
            else:
                yield Note("splendor.tokens-many", {"color": color, "n": n, "most": most}, where)


def _twice(players: Sequence[Player]) -> Iterator[Note]:
    """Nobles that are listed more than once; those of the box all differ."""
    if sum([len(player.needs) for player in players if player.needs]) < 2:
        return
    held: dict[tuple[int, ...], list[str]] = {}
    for player in players:
        for i, needs in enumerate(player.needs or ()):
            held.setdefault(tuple([needs.get(color, 0) for color in COLORS]), []).append(f"{player.place}/nobles/{i}")
    for noble, where in held.items():
        if len(where) > 1 and any(noble):
            asked = [(color, n) for color, n in zip(COLORS, noble, strict=True) if n]
            values: dict[str, Value] = {"colors": tuple(c for c, _ in asked), "numbers": tuple(n for _, n in asked)}
            yield Note("splendor.noble-twice", {**values, "n": len(where)}, tuple(where))


def _asks(needs: Needs) -> list[int]:
    return sorted(n for n in needs.values() if n)


def sample(rng: Random) -> dict[str, Any]:
    """A random legal table state: two to four players."""
    players = []
    for i in range(rng.randint(2, 4)):
        cards = [
            {"points": rng.choice([0, 0, 1, 2, 3]), "bonus": rng.choice(COLORS)} for _ in range(rng.randint(0, 15))
        ]
        held = {color: sum(card["bonus"] == color for card in cards) for color in COLORS}
        some = [color for color in COLORS if held[color]]
        nobles: Any = rng.randint(0, 3)
        if some and rng.random() < 0.5:
            nobles = [{color: rng.randint(1, held[color]) for color in rng.sample(some, 1)} for _ in range(nobles)]
        tokens = dict.fromkeys(rng.sample([*COLORS, "gold"], 3), rng.randint(0, 3))
        players.append(
            {"name": "ABCD"[i], "cards": cards, "nobles": nobles, "tokens": tokens, "reserved": rng.randint(0, 3)}
        )
    return {"game": "splendor", "players": players, "round_over": rng.random() < 0.5}


def _middle(state: State) -> None:
    """The supply, the open cards, the nobles that lie there, the decks: checked, never scored."""
    counts(state, "supply", "", _BOX)
    each(state, "market", "", _open_card)
    each(state, "nobles_left", "", _price)
    several(state, "decks", "", range(1, LEVELS + 1))


def _open_card(card: object, place: str) -> None:
    """A card as it lies in the market, or kept: whole, or by its back."""
    fields = an_object(card, place)
    known(fields, CARD_KEYS, place)
    _face(fields, place)
    count(fields, "points", place, MOST_POINTS)
    if "bonus" in fields:
        one_of(fields["bonus"], EVERY_COLOR, f"{place}/bonus")


def _face(card: State, place: str) -> None:
    """The level and the price of a card."""
    count_or_unknown(card, "level", place, LEVELS, 1)
    if "price" in card and card["price"] != UNKNOWN:
        _price(card["price"], f"{place}/price")


def _kept(row: State, place: str) -> None:
    """The kept cards; `reserved` is how many."""
    kept = items(row, "kept", place)
    each(row, "kept", place, _open_card)
    if len(kept) > CARDS or ("kept" in row and "reserved" in row and row["reserved"] != len(kept)):
        raise StateError(f"{place}/kept", "number-between", len(kept), {"least": 0, "most": row.get("reserved", CARDS)})


def _price(value: object, place: str) -> None:
    fields = an_object(value, place)
    known(fields, EVERY_COLOR, place)
    for color, n in fields.items():
        number(n, f"{place}/{color}", 0, MOST_ASKED)
