"""How every game that is known ended, in the database, where it is listed in pages and counted.

A game is scored once for each state of it; who played, who won, and what each row of its score sheet gave are rows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from typing import Any, Final

from companion import __version__
from companion.cases.evaluate import points_by_row, scored, won
from companion.cases.evenings import Evenings, Played, Standing
from companion.cases.store import Store
from companion.cases.tapped import TAPPED
from scoring import StateError

SCHEMA: Final = (
    """CREATE TABLE IF NOT EXISTS results (
        id TEXT PRIMARY KEY, source TEXT NOT NULL, stamp TEXT NOT NULL, begun REAL NOT NULL, day TEXT NOT NULL,
        game TEXT NOT NULL, rule INTEGER, short_game INTEGER, match TEXT, place TEXT, place_row INTEGER,
        complete INTEGER NOT NULL, over INTEGER NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS results_begun ON results (begun)",
    "CREATE INDEX IF NOT EXISTS results_match ON results (match)",
    """CREATE TABLE IF NOT EXISTS seats (
        id TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, total INTEGER, won INTEGER NOT NULL,
        PRIMARY KEY (id, seat))""",
    """CREATE TABLE IF NOT EXISTS rows_of_seats (
        id TEXT NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, points INTEGER, PRIMARY KEY (id, seat, name))""",
    """CREATE TRIGGER IF NOT EXISTS result_gone AFTER DELETE ON results BEGIN
        DELETE FROM seats WHERE id = old.id; DELETE FROM rows_of_seats WHERE id = old.id; END""",
    """CREATE TRIGGER IF NOT EXISTS tapped_changed AFTER UPDATE ON tapped BEGIN
        DELETE FROM results WHERE id = old.id; END""",
    """CREATE TRIGGER IF NOT EXISTS tapped_gone AFTER DELETE ON tapped BEGIN
        DELETE FROM results WHERE id = old.id; END""",
)
IMPORTED: Final = "imported"
"""The source of a game of which only the points came, from another program."""
COLUMNS: Final = "id, source, begun, day, game, rule, short_game, match, place, place_row, complete, over"


@dataclass(frozen=True)
class Listed:
    """A game as the list shows it: `players` with their totals, and the `winners`."""

    id: str
    source: str
    begun: float
    day: str
    game: str
    rule: int | None
    short_game: int | None
    match: str | None
    at: tuple[str, int] | None
    complete: bool
    over: bool
    followed: bool  # whether a later short game of its match is known
    players: tuple[tuple[str, int | None], ...]
    winners: tuple[str, ...]


@dataclass(frozen=True)
class RowOfSheet:
    """A row of a game's score sheet, over all games that are over: what it gave winners and others on average."""

    game: str
    name: str
    games: int
    winners: float | None
    others: float | None


@dataclass(frozen=True)
class Which:
    """Games that are over: those of one `game`, where it is given, in which all of `names` took part."""

    game: str | None = None
    names: tuple[str, ...] = ()

    @property
    def sql(self) -> str:
        took_part = "results.id IN (SELECT id FROM seats WHERE name = ?)"
        return " AND ".join(["over AND game = coalesce(?, game)", *[took_part] * len(self.names)])

    @property
    def values(self) -> tuple[str | None, ...]:
        return self.game, *self.names


ALL: Final = Which()


@dataclass(frozen=True)
class PlayElsewhere:
    """A play that another program kept: who had how many points, and who won."""

    id: str
    begun: float  # seconds since 1970
    game: str
    seats: tuple[tuple[str, int | None, bool], ...]  # name, points, whether they won


@dataclass(frozen=True)
class Pair:
    """Two who played against each other: in how many games, and who of them won how many."""

    one: str
    other: str
    games: int
    one_won: int
    other_won: int


class Results:
    """Results of a data folder. Thread-safe."""

    def __init__(self, store: Store, evenings: Evenings) -> None:
        self._store, self._evenings = store, evenings
        with store.transaction() as db:
            for statement in SCHEMA:
                db.execute(statement)

    def take(self, others: Iterable[Played]) -> None:
        """Take in what has changed of the tapped games, and how all others (photographed, followed) stand now."""
        here = {game.id: (game, _stamp(game)) for game in others if game.state}
        asked = "SELECT id, stamp FROM results WHERE source NOT IN (?, ?)"
        known = dict(self._store.run(asked, TAPPED, IMPORTED))
        gone = [(one,) for one in known if one not in here]
        fresh = [one for one in here.values() if known.get(one[0].id) != one[1]]
        with self._store.transaction() as db:
            db.executemany("DELETE FROM results WHERE id = ?", gone)
        tapped = self._evenings.unlisted(__version__)
        if not fresh and not tapped:
            return
        with self._store.transaction() as db:
            for game, stamp in (*fresh, *((one, __version__) for one in tapped)):
                result, seats, rows = _rows(game, stamp)
                db.execute("DELETE FROM results WHERE id = ?", (game.id,))
                db.execute(f"INSERT INTO results VALUES ({', '.join('?' * len(result))})", result)
                db.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?)", seats)
                db.executemany("INSERT INTO rows_of_seats VALUES (?, ?, ?, ?)", rows)

    def listed(self, most: int, before: float | None = None) -> tuple[list[Listed], float | None]:
        """The last games, newest first; and the time before which there are more, None where there are not."""
        until = float("inf") if before is None else before
        times = self._store.run(
            "SELECT begun FROM results WHERE begun < ? ORDER BY begun DESC LIMIT 2 OFFSET ?", until, most - 1
        )
        since = times[0][0] if len(times) > 1 else float("-inf")  # those that began at one moment stand on one page
        page = self._store.run(
            f"SELECT {COLUMNS} FROM results WHERE begun >= ? AND begun < ? ORDER BY begun DESC, id", since, until
        )
        seats: dict[str, list[tuple[str, int | None, int]]] = {}
        marks = ", ".join("?" * len(page))
        asked = f"SELECT id, name, total, won FROM seats WHERE id IN ({marks}) ORDER BY id, seat"
        for one, *seat in self._store.run(asked, *(row[0] for row in page)):
            seats.setdefault(one, []).append(tuple(seat))
        matches = sorted({row[7] for row in page if row[7] is not None})
        marks = ", ".join("?" * len(matches))
        last = dict(self._store.run(f"SELECT match, id FROM results WHERE match IN ({marks}) ORDER BY begun", *matches))
        games = [_listed(row, seats.get(row[0], []), last) for row in page]
        more = page and self._store.run("SELECT 1 FROM results WHERE begun < ? LIMIT 1", page[-1][2])
        return games, page[-1][2] if more else None

    def take_in(self, plays: Sequence[PlayElsewhere]) -> int:
        """Keep plays of another program, all or none; how many of them are new. What is here already stays."""
        new = 0
        with self._store.transaction() as db:
            for one in plays:
                if db.execute("SELECT 1 FROM results WHERE id = ?", (one.id,)).fetchone():
                    continue
                new += 1
                at = Played(one.id, IMPORTED, one.begun, one.game, None)
                head = (one.id, IMPORTED, IMPORTED, one.begun, at.evening, one.game)
                over = any(won for *_, won in one.seats)
                db.execute(
                    "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, NULL, NULL, NULL, NULL, NULL, 1, ?)", (*head, over)
                )
                db.executemany(
                    "INSERT INTO seats VALUES (?, ?, ?, ?, ?)", [(one.id, i, *seat) for i, seat in enumerate(one.seats)]
                )
        return new

    def forget(self, *ids: str) -> None:
        """Delete plays that came from another program."""
        with self._store.transaction() as db:
            db.executemany("DELETE FROM results WHERE source = ? AND id = ?", [(IMPORTED, one) for one in ids])
        self._store.wipe()

    def imported(self, day: str) -> list[str]:
        """The ids of an evening's plays that came from another program."""
        return [one for (one,) in self._store.run("SELECT id FROM results WHERE source = ? AND day = ?", IMPORTED, day)]

    def names(self) -> list[str]:
        """Who took part in games that are over, most often first."""
        asked = "SELECT name FROM seats JOIN results USING (id) WHERE over GROUP BY name ORDER BY count(*) DESC, name"
        return [name for (name,) in self._store.run(asked)]

    def course(self, which: Which) -> dict[str, list[tuple[float, int]]]:
        """Everybody's points of game after game, with the time of each, oldest first."""
        out: dict[str, list[tuple[float, int]]] = {}
        for name, begun, total in self._store.run(
            f"""SELECT name, begun, total FROM seats JOIN results USING (id)
            WHERE {which.sql} AND total IS NOT NULL ORDER BY begun, results.id""",
            *which.values,
        ):
            out.setdefault(name, []).append((begun, total))
        return out

    def own_best(self, game: str, name: str, before: float, but: str | None = None) -> tuple[int, float] | None:
        """The most points that somebody has had alone in a game that began before this time, in seconds since 1970,
        and when that one began; None: they never played it alone. `but`: the id of a game that is left out."""
        asked = """SELECT total, begun FROM seats JOIN results USING (id)
            WHERE over AND game = ? AND name = ? AND total IS NOT NULL AND begun < ? AND id IS NOT ?
            AND (SELECT count(*) FROM seats AS others WHERE others.id = results.id) = 1
            ORDER BY total DESC, begun LIMIT 1"""
        return next(iter(self._store.run(asked, game, name, before, but)), None)

    def standings(self, which: Which = ALL) -> list[Standing]:
        """How often each player played and won in games that are over, most wins first."""
        asked = f"""SELECT name, count(*), sum(won), total(total) FROM seats JOIN results USING (id)
            WHERE {which.sql} GROUP BY name ORDER BY sum(won) DESC, total(total) DESC, name"""
        return [Standing(*row) for row in self._store.run(asked, *which.values)]

    def by_rule(self, *days: str, of: Which = ALL) -> dict[str, dict[tuple[str, int | None], list[Standing]]]:
        """Who wins at which game and under which of its rule sheets (None: it has none), by day; "" is all of them."""
        which = f"AND day IN ({', '.join('?' * len(days))})" if days else ""
        day = "day" if days else "''"
        out: dict[str, dict[tuple[str, int | None], list[Standing]]] = {}
        for on, game, rule, *row in self._store.run(
            f"""SELECT {day}, game, rule, name, count(*), sum(won), total(total) FROM seats JOIN results USING (id)
            WHERE {of.sql} {which} GROUP BY 1, game, rule, name
            ORDER BY game, coalesce(rule, 0), sum(won) DESC, total(total) DESC, name""",
            *of.values,
            *days,
        ):
            out.setdefault(on, {}).setdefault((game, rule), []).append(Standing(*row))
        return out

    def by_row(self, which: Which = ALL) -> list[RowOfSheet]:
        """What each row of each score sheet gave on average, to those who won and to the others."""
        asked = f"""SELECT game, rows_of_seats.name, count(DISTINCT id), avg(CASE WHEN won THEN points END),
            avg(CASE WHEN NOT won THEN points END) FROM rows_of_seats JOIN seats USING (id, seat)
            JOIN results USING (id) WHERE {which.sql} GROUP BY game, rows_of_seats.name"""
        return [RowOfSheet(*row) for row in self._store.run(asked, *which.values)]

    def pairs(self, which: Which = ALL) -> list[Pair]:
        """Who played against whom, and how often each of them won, the most games first."""
        asked = f"""SELECT a.name, b.name, count(*), sum(a.won), sum(b.won) FROM seats a
            JOIN seats b ON a.id = b.id AND a.name < b.name JOIN results ON results.id = a.id
            WHERE {which.sql} GROUP BY a.name, b.name ORDER BY count(*) DESC, a.name, b.name"""
        return [Pair(*row) for row in self._store.run(asked, *which.values)]


def _stamp(game: Played) -> str:
    """What tells whether a game was scored as it is now, by these rules."""
    return sha256(dumps([game.source, game.match, game.at, game.state, __version__]).encode()).hexdigest()[:16]


def _rows(game: Played, stamp: str) -> tuple[tuple[Any, ...], list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    state = game.state or {}
    found = scored(state)
    complete = not isinstance(found, StateError)
    totals = [None] * len(game.players) if isinstance(found, StateError) else [one.total for one in found.players]
    over = not isinstance(found, StateError) and bool(found.winners)
    winners = () if isinstance(found, StateError) else won(found)
    place, row = game.at or (None, None)
    short = state.get("short_game") if game.match or game.at else None
    head = (game.id, game.source, stamp, game.begun, game.evening, game.game, state.get("rule"), short, game.match)
    seats = [
        (game.id, i, name, total, name in winners)
        for i, (name, total) in enumerate(zip(game.players, totals, strict=True))
    ]
    rows = [] if isinstance(found, StateError) else [
        (game.id, i, name, points[i]) for name, points in points_by_row(found).items() for i in range(len(seats))
    ]  # fmt: skip
    return (*head, place, row, complete, over), seats, rows


def _listed(row: Sequence[Any], seats: Sequence[tuple[str, int | None, int]], last: dict[str, str]) -> Listed:
    one, source, begun, day, game, rule, short_game, match, place, place_row, complete, over = row
    return Listed(
        one, source, begun, day, game, rule, short_game, match,
        None if place is None else (place, place_row), bool(complete), bool(over),
        match is not None and last[match] != one,
        tuple((name, total) for name, total, _ in seats),
        tuple(name for name, _, won in seats if won),
    )  # fmt: skip
