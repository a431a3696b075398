"""Games that were played, evening by evening: who took part, what they have, who won.

Tapped games are kept here, the latest state of each. Photographed sheets and followed tables keep themselves; they are
listed beside them by whoever knows them.
"""

import json
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final

from companion.cases.evaluate import scored
from companion.cases.store import Store, StoreFull
from scoring import StateError

MOST_GAMES: Final = 5000
"""Tapped games kept at most."""
MOST_PAGES: Final = 100
"""Pages of which it is known what they had kept last."""
ONE_EVENING: Final = 12 * 3600.0
"""Seconds for which a game leads to the one that was begun after it."""
MOST_REMEMBERED: Final = 50
"""Games whose players are offered when somebody is named."""
A_DAY: Final = 24 * 3600.0
MORNING: Final = timedelta(hours=5)
"""An evening goes on until then."""
TAPPED: Final = "tapped"

State = Mapping[str, Any]


@dataclass(frozen=True)
class Played:
    """A game that was played."""

    id: str  # its name among those of its `source`: `tapped`, `photo` or `live`
    source: str
    begun: float  # seconds since 1970
    game: str
    state: State | None  # its table state; None while nothing is known
    match: str | None = None  # what the short games of one match share; None where there is no match
    at: tuple[str, int] | None = None  # the table on which it was seen, and the row of its history

    @property
    def evening(self) -> str:
        """The day on which its evening began, as 2026-11-22."""
        return f"{datetime.fromtimestamp(self.begun) - MORNING:%Y-%m-%d}"

    @property
    def players(self) -> list[str]:
        """Who takes part."""
        return [str(row.get("name", "")) for row in (self.state or {}).get("players", [])]


@dataclass(frozen=True)
class Result:
    """How a game stands: everybody's `totals` (None: unknown), and the `winners`, nobody while it goes on."""

    totals: tuple[int | None, ...]
    winners: tuple[str, ...]


@dataclass(frozen=True)
class Standing:
    """How often somebody played and won, and all points of those games together."""

    name: str
    played: int
    won: int
    points: int


class Evenings:
    """The tapped games of a data folder. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._turn = threading.Lock()
        self._versions: defaultdict[str, tuple[str, str]] = defaultdict(lambda: (secrets.token_hex(8), ""))
        self._own: dict[tuple[str, str], dict[str, Any]] = {}
        self._begun_after: dict[str, str] = {}
        store.run(
            """CREATE TABLE IF NOT EXISTS tapped (
            id TEXT PRIMARY KEY, begun REAL NOT NULL, match TEXT, state TEXT NOT NULL)"""
        )

    def keep(self, game: str, state: State, match: str | None = None, begun: float | None = None) -> None:
        """Keep a tapped game as it is now; it is on disk when this returns. Raises StoreFull."""
        self.keep_all([Played(game, TAPPED, time.time() if begun is None else begun, state["game"], state, match)])

    def keep_all(self, games: Sequence[Played]) -> None:
        """Keep tapped games, all or none; they are on disk when this returns. Raises StoreFull."""
        with self._store.transaction() as db:
            for one in games:
                db.execute(
                    """INSERT INTO tapped VALUES (?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET state = excluded.state, match = excluded.match""",
                    (one.id, one.begun, one.match, json.dumps(dict(one.state or {}), ensure_ascii=False)),
                )
            (kept,) = db.execute("SELECT count(*) FROM tapped").fetchone()
            if kept > MOST_GAMES:
                raise StoreFull

    def keep_after(
        self, after: str | None, game: str, state: State, match: str | None, by: str, last: str | None = None
    ) -> str | None:
        """Keep what the page `by` made of the version `after` (None: of none), begun after the `last` game.

        Returns the new version; None, and nothing is kept, where another one is kept now, none any more, or another
        game was begun after the last one. What goes on from none takes the place of what this page itself had kept,
        whose answer may have been lost, and of nothing else. Raises StoreFull.
        """
        with self._turn:
            there, (version, kept_by) = self.game(game), self._versions[game]
            if after is not None and (after != version or there is None):
                return None
            if there is not None and (there.game != state["game"] or (after is None and by != kept_by)):
                return None
            if last and self.next_of(last) not in (None, game):
                return None
            self.keep(game, state, match)
            if last:
                self._begun_after[last] = game
            self._versions[game] = (secrets.token_hex(8), by)
            self._own.pop((game, by), None)
            self._own[game, by] = {"state": state, "version": self._versions[game][0]}
            if len(self._own) > MOST_PAGES:
                del self._own[next(iter(self._own))]
            return self._versions[game][0]

    def own(self, game: str, by: str) -> dict[str, Any] | None:
        """The state that the page `by` had kept last, and its version: the answer may never have come back to it."""
        with self._turn:
            return self._own.get((game, by))

    def with_version(self, game: str) -> tuple[Played, str, str] | None:
        """A tapped game, which version of it that is in this run of the companion, and by which page."""
        with self._turn:
            played = self.game(game)
            return None if played is None else (played, *self._versions[game])

    def game(self, game: str) -> Played | None:
        """A tapped game."""
        return next(iter(self._games("WHERE id = ?", game)), None)

    def games(self) -> list[Played]:
        """All tapped games, the newest first."""
        return self._games("ORDER BY begun DESC")

    def unlisted(self, stamp: str) -> list[Played]:
        """The tapped games of which no result with this stamp is known, see `results`."""
        return self._games("WHERE id NOT IN (SELECT id FROM results WHERE stamp = ?)", stamp)

    def of_day(self, day: str) -> list[Played]:
        """The tapped games of an evening, in the order of their beginning."""
        midnight = datetime.fromisoformat(day).timestamp()
        near = self._games("WHERE begun BETWEEN ? AND ? ORDER BY begun", midnight, midnight + 2 * A_DAY)
        return [game for game in near if game.evening == day]

    def of_match(self, match: str) -> list[Played]:
        """The short games of a match, in the order of their beginning."""
        return self._games("WHERE match = ? ORDER BY begun", match)

    def next_of(self, game: str) -> str | None:
        """The game that was begun after this one, on any device: lately, or as the next short game of its match."""
        then, played = self.game(self._begun_after.get(game, "")), self.game(game)
        if then and time.time() - then.begun < ONE_EVENING:
            return then.id
        match = self.of_match(played.match or "") if played else []
        return next((one.id for one in match if played and one.begun > played.begun), None)

    def carry_on(self, game: str, match: str | None) -> None:
        """What was corrected in a short game goes on into those that were played after it."""
        games = self.of_match(match or "")
        at = next((i for i, one in enumerate(games) if one.id == game), len(games))
        for before, after in pairwise([one.id for one in games[at:]]):
            while (ended := self.game(before)) and (now := self.with_version(after)):
                later, version, _ = now
                state = carried(ended, later.state or {})
                if state == later.state or self.keep_after(version, after, state, match, ""):
                    break

    def newest(self) -> Played | None:
        """The tapped game that was begun last."""
        return next(iter(self._games("ORDER BY begun DESC LIMIT 1")), None)

    def latest(self, game: str) -> Played | None:
        """The tapped game of this kind that was begun last."""
        return next((one for one in self.games() if one.game == game), None)

    def _games(self, which: str, *values: str | float) -> list[Played]:
        rows = self._store.run(f"SELECT id, begun, match, state FROM tapped {which}", *values)
        states = [(game, begun, match, json.loads(state)) for game, begun, match, state in rows]
        return [Played(game, TAPPED, begun, state["game"], state, match) for game, begun, match, state in states]

    def forget(self, *games: str) -> None:
        """Delete these games, for good."""
        with self._store.transaction() as db:
            db.executemany("DELETE FROM tapped WHERE id = ?", [(game,) for game in games])
        self._store.wipe()

    def names(self) -> list[str]:
        """Who played tapped games lately, the latest first."""
        games = self._games("ORDER BY begun DESC LIMIT ?", MOST_REMEMBERED)
        return list(dict.fromkeys(name for game in games for name in game.players if name))


def result(played: Played) -> Result | None:
    """How a game stands; None while it is not complete."""
    found = None if played.state is None else scored(played.state)
    if found is None or isinstance(found, StateError):
        return None
    return Result(tuple(player.total for player in found.players), tuple(found.winners))


def carried(before: Played, state: State) -> State:
    """The state of a later short game, with the points that the one before it ended with."""
    end = result(before)
    if end is None or state.get("short_game", 1) <= (before.state or {}).get("short_game", 1):
        return state
    totals = dict(zip(before.players, end.totals, strict=True))
    rows = [row | {"points": totals.get(row.get("name"), row.get("points", 0))} for row in state["players"]]
    return {**state, "players": rows}
