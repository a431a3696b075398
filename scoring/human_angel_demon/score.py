"""From a checked table to the breakdown: the winner's points, the discarder's loss, the end of the match."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from scoring.breakdown import NOTHING, Breakdown, Line, Note, PlayerScore, Value
from scoring.house_rules import Question, Readings
from scoring.human_angel_demon.conditions import OPEN_SETS, Paid, Seen, paid
from scoring.human_angel_demon.sets import ITEM, Card, Form, cards_of
from scoring.human_angel_demon.table import HAND, Player, Table
from scoring.ranking import best

QUESTIONS: Final = (
    Question("condition-sets", ("all", "opened"), "explicit", "human-angel-demon/conditions"),
    Question("three-open", ("own", "table"), "explicit", "human-angel-demon/conditions"),
    Question("forbidden-goal", ("scored", "nobody"), "silent", "human-angel-demon/goal"),
    Question("instant-win", ("red-in-hand", "red-in-sets", "no-red"), "inferred", "human-angel-demon/advanced-1"),
)
INSTANT_WINS: Final = frozenset(("had.instant-win", "had.instant-win-any"))
"""The lines of who wins the whole game at once."""
SHORT_GAMES: Final = {2: 6, 3: 6, 4: 8}
"""How many short games a match has, by the number of players."""
ENOUGH: Final = {2: 24, 3: 18, 4: 12}
"""The points that end a match at once."""
MOST_KEPT: Final = 10_000
"""Lines and notes that are kept for when they come again."""
NOBODY: Final = Note("had.nobody")


def score(table: Table, readings: Readings, explain: bool) -> Breakdown:
    """Every player's points after this short game, and the winners once the match is over."""
    claimed, notes = table.winner, [*_claim_notes(table)]
    if table.form is None or (table.against and readings["forbidden-goal"] == "nobody"):
        table = table._replace(winner=None, discarder=None)
    gains = [] if table.winner is None else _gains(table, table.players[table.winner], readings)
    won = sum([line.points or 0 for line in gains])
    players = []
    instants = [_instant(player, table, readings) for player in table.players] if table.advanced else []
    for i, player in enumerate(table.players):
        lines = [_before(player.points, (f"{player.place}/points",) if "points" in player.given else ())]
        if i == table.winner:
            lines += gains
        elif i == table.discarder and table.advanced:
            lines.append(_loss(table, player, won))
        if table.advanced and (instant := instants[i]):
            lines.append(instant)
        players.append(PlayerScore(player.name, tuple(lines)))
    ran_out = claimed is None and not any(line and line.key in INSTANT_WINS for line in instants)
    notes += [*_notes(table, won, claimed, ran_out), *_doubtful_wins(table, instants, readings)]
    winners = _winners(table, players, instants, notes)
    return Breakdown("human-angel-demon", tuple(players), winners, (), tuple(notes))


def _gains(table: Table, winner: Player, readings: Readings) -> list[Line]:
    """What the goal is worth."""
    lines = [_opened(cards) for cards in winner.open]
    lines += [_no_set(cards) for cards in winner.odd]
    cards = [*cards_of(winner.open), *winner.hand]
    if table.advanced:
        red = [card for card in cards if card.red]
        everyone = table.players if readings["three-open"] == "table" else (winner,)
        sets: list[Sequence[Card]] = [*winner.open]
        if table.form and readings["condition-sets"] == "all" and red:
            sets += _in_sets(winner.hand, table.form)
        seen = Seen(sets, [cards for player in everyone for cards in player.open])
        lines += [_condition(card, seen, table.item_win) for card in red]
    else:
        lines += [_red(card) for card in cards if card.red]
    return [*lines, *_bonus(table, cards)]


@lru_cache(maxsize=MOST_KEPT)
def _before(points: int, because: tuple[str, ...]) -> Line:
    """A line that is given again where the same comes again, as those of opened sets and red cards are."""
    return Line("had.before", points, because, NOTHING, "human-angel-demon/match")


@lru_cache(maxsize=MOST_KEPT)
def _opened(cards: tuple[Card, ...]) -> Line:
    codes = {"cards": tuple([card.code for card in cards])}
    return Line("had.open", 1, tuple([card.place for card in cards]), codes, "human-angel-demon/scoring-1")


def _no_set(cards: tuple[Card, ...]) -> Line:
    codes = {"cards": tuple([card.code for card in cards])}
    return Line("had.no-set", 0, tuple([card.place for card in cards]), codes, "human-angel-demon/goal-form")


@lru_cache(maxsize=MOST_KEPT)
def _red(card: Card) -> Line:
    return Line("had.red", 1, (card.place,), {"card": card.code}, "human-angel-demon/scoring-2")


def _condition(card: Card, seen: Seen, item_win: Sequence[int]) -> Line:
    found = paid(card.title, seen, item_win)
    key = f"had.condition.{found.condition}" if found.met else f"had.no-condition.{found.condition}"
    because = tuple(dict.fromkeys([card.place, *[other.place for other in found.proof]]))
    values = _proof(card, found, len(seen.opened))
    source = "advanced-1" if card.title[0] == ITEM and found.met else "conditions"
    return Line(key, found.points if found.met else 0, because, values, f"human-angel-demon/{source}")


def _proof(card: Card, found: Paid, opened: int) -> dict[str, Value]:
    """What the line of a condition says: what it pays, and how many sets are open or which cards break it."""
    values: dict[str, Value] = {"card": card.code, "each": found.points}
    if found.condition == "three-open":
        return values | {"n": opened}
    if found.proof and not found.met:
        return values | {"cards": tuple(other.code for other in found.proof)}
    return values


def _in_sets(hand: Sequence[Card], form: Form) -> list[list[Card]]:
    """The cards of a hand as its goal form puts them together."""
    left: dict[str, list[Card]] = {}
    for card in hand:
        left.setdefault(card.title, []).append(card)
    return [[left[title].pop(0) for title in titles] for titles in form]


def _bonus(table: Table, cards: Sequence[Card]) -> Iterator[Line]:
    """The bonus checks, up to and including the first that matches nothing."""
    for check in table.bonus:
        same = [card for card in cards if card.title == check.title]
        values: dict[str, Value] = {"card": check.code, "n": len(same)}
        because = (check.place, *(card.place for card in same))
        key = "had.bonus" if same else "had.no-bonus"
        yield Line(key, len(same), because, values, "human-angel-demon/scoring-3")
        if not same:
            return


def _loss(table: Table, discarder: Player, won: int) -> Line:
    """What the discarder loses: it points at the discard, in the hand that it completed, and at that goal."""
    assert table.winner is not None
    winner = table.players[table.winner]
    code = winner.given["winning_card"]
    lying = next(((card.place,) for card in winner.hand if card.code == code), ())
    lost = min(won, discarder.points)
    because = ("/discarder", *lying, f"{winner.place}/winning_card", "/winner")
    values: dict[str, Value] = {"card": code, "name": winner.name, "won": won, "n": lost}
    return Line("had.loss", -lost, because, values, "human-angel-demon/advanced-3")


def _winners(
    table: Table, players: Sequence[PlayerScore], instants: Sequence[Line | None], notes: list[Note]
) -> tuple[str, ...]:
    """Who has won the match; nobody while it goes on."""
    at_once = [
        (player.name, line.because)
        for player, line in zip(players, instants, strict=False)
        if line and line.key in INSTANT_WINS
    ]
    if at_once:
        notes += [
            Note("had.instant", {"name": name}, because, "human-angel-demon/conditions") for name, because in at_once
        ]
        return tuple(name for name, _ in at_once)
    n = len(players)
    if n not in ENOUGH:
        notes.append(Note("had.players", {"n": n}))
        return ()
    played = table.short_game or 0
    totals = [player.total or 0 for player in players]
    if max(totals) >= ENOUGH[n]:
        notes.append(Note("had.enough", {"n": ENOUGH[n]}, source="human-angel-demon/match"))
    elif played >= SHORT_GAMES[n]:
        notes.append(Note("had.last", {"n": SHORT_GAMES[n]}, source="human-angel-demon/match"))
    else:
        return ()
    winners = best(players, totals)
    if len(winners) > 1:
        values: dict[str, Value] = {"names": winners, "points": max(totals)}
        notes.append(Note("had.tie", values, source="human-angel-demon/match"))
    return winners


def _instant(player: Player, table: Table, readings: Readings) -> Line | None:
    """The line of 0 of who has opened three sets of Items only: the whole game is won at once, or why it is not."""
    item_sets = _item_sets(player)
    if len(item_sets) < OPEN_SETS:
        return None
    cards = cards_of(item_sets)
    carries = _carries(player, table, readings)
    wins = carries or readings["instant-win"] == "no-red"
    because = tuple(dict.fromkeys(card.place for card in (*cards, *carries)))
    if carries:
        key = "had.instant-win"
    elif wins:
        key = "had.instant-win-any"
    else:
        key = "had.no-instant-win" if readings["instant-win"] == "red-in-hand" else "had.no-instant-win-in-sets"
    values: dict[str, Value] = {"n": len(item_sets), "cards": tuple(card.code for card in carries)}
    return Line(key, 0, because, values, "human-angel-demon/conditions")


def _item_sets(player: Player) -> list[Sequence[Card]]:
    return [cards for cards in player.open if all(card.title[0] == ITEM for card in cards)]


def _carries(player: Player, table: Table, readings: Readings) -> list[Card]:
    """The red Items that may carry the instant win, where they count for it."""
    searched = cards_of(_item_sets(player))
    if readings["instant-win"] != "red-in-sets":
        searched += player.hand
    return [
        card
        for card in searched
        if card.red and card.title[0] == ITEM and (not table.item_win or int(card.title[1]) in table.item_win)
    ]


def _doubtful_wins(table: Table, instants: Sequence[Line | None], readings: Readings) -> Iterator[Note]:
    """Who wins at once by a red Item that may be the one of a point; the winner's red Items have their own note."""
    if table.item_win or readings["instant-win"] == "no-red":
        return
    for i, line in enumerate(instants):
        if line and line.key in INSTANT_WINS and i != table.winner:
            cards = _carries(table.players[i], table, readings)
            values: dict[str, Value] = {"name": table.players[i].name, "cards": tuple(c.code for c in cards)}
            yield Note("had.item-win-other", values, tuple(c.place for c in cards))


def _claim_notes(table: Table) -> Iterator[Note]:
    """What the rules say against the goal that was claimed, and opened groups that are no sets."""
    for player in table.players:
        for cards in player.odd:
            group: dict[str, Value] = {"name": player.name, "cards": tuple(card.code for card in cards), "rule": "H4"}
            yield Note("had.no-set", group, tuple(card.place for card in cards), "human-angel-demon/goal-form")
    if table.winner is None:
        return
    winner = table.players[table.winner]
    if table.form is None:
        n = len(winner.hand)
        key = "had.no-goal" if n == HAND else "had.hand-size"
        values: dict[str, Value] = {"name": winner.name, "n": n, "most": HAND, "rule": "H10"}
        yield Note(key, values, (f"{winner.place}/hand",), "human-angel-demon/goal-form")
    yield from table.against
    if "open" not in winner.given:
        yield Note("had.open-unknown", {"name": winner.name}, (winner.place,), "human-angel-demon/goal")
    by_discard = table.discarder is not None
    if by_discard and table.advanced and "discards" not in winner.given:
        yield Note("had.discards-unknown", {"name": winner.name}, (winner.place,), "human-angel-demon/advanced-2")
    completing = winner.given.get("winning_card")
    if completing is not None and completing not in [card.code for card in winner.hand]:
        other: dict[str, Value] = {"name": winner.name, "card": completing}
        yield Note("had.winning-card", other, (f"{winner.place}/winning_card",), "human-angel-demon/goal-form")


def _notes(table: Table, won: int, claimed: int | None, ran_out: bool) -> Iterator[Note]:
    """What is odd, ignored or unknown. `claimed`: who claimed a goal; `ran_out`: nobody did, nor won at once."""
    for i, player in enumerate(table.players):
        if i != claimed:
            for key in ("hand", "winning_card"):
                if player.given.get(key):
                    yield Note(f"had.ignored.{key}", {"name": player.name}, (f"{player.place}/{key}",))
    if table.winner is None:
        if ran_out:
            yield NOBODY
        if table.bonus:
            yield Note("had.bonus-nobody", because=("/bonus",))
    else:
        yield from _winner_notes(table, table.players[table.winner], won)
    enough = ENOUGH.get(len(table.players))
    for player in table.players:
        if enough and player.points >= enough:
            yield _over_before(player.place, player.name, player.points, enough)
    most = SHORT_GAMES.get(len(table.players))
    if most and (table.short_game or 0) > most:
        yield Note("had.short-game", {"n": table.short_game or 0, "most": most}, ("/short_game",))


@lru_cache(maxsize=MOST_KEPT)
def _over_before(place: str, name: str, points: int, enough: int) -> Note:
    """A note that is given again where the same comes again."""
    values: dict[str, Value] = {"name": name, "n": points, "most": enough}
    return Note("had.over-before", values, (f"{place}/points",), "human-angel-demon/match")


def _winner_notes(table: Table, winner: Player, won: int) -> Iterator[Note]:
    cards = [*cards_of(winner.open), *winner.hand]
    titles = {card.title for card in cards}
    for i, check in enumerate(table.bonus[:-1]):
        if check.title not in titles:
            yield Note("had.bonus-after", {"n": len(table.bonus) - i - 1}, tuple(c.place for c in table.bonus[i + 1 :]))
            break
    else:
        if table.bonus and table.bonus[-1].title in titles:
            last = table.bonus[-1]
            yield Note("had.bonus-more", {"card": last.code}, (last.place,), "human-angel-demon/scoring-3")
    red_items = [card for card in cards if card.red and card.title[0] == ITEM]
    if table.advanced and red_items and not table.item_win:
        yield Note(
            "had.item-win",
            {"cards": tuple(c.code for c in red_items), "n": len(red_items)},
            tuple(c.place for c in red_items),
        )
    if table.advanced and table.discarder is not None and (loser := table.players[table.discarder]).points < won:
        yield Note(
            "had.floor", {"name": loser.name, "won": won, "points": loser.points}, source="human-angel-demon/advanced-3"
        )
