"""Games that were played, evening by evening: who took part, what they have, who won.

Tapped games are kept here, the latest state of each. Photographed sheets and followed tables keep themselves; they are
listed beside them by whoever knows them.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from sqlite3 import Connection
from typing import Any, Final

from companion.cases.evaluate import scored
from companion.cases.merge import merged
from companion.cases.store import Store, StoreFull
from companion.cases.tapped import TAPPED, change, step
from companion.log import HOST, MOST_EVENTS, ONCE, heard, signed
from scoring import StateError

MOST_GAMES: Final = 5000
"""Tapped games kept at most."""
ONE_EVENING: Final = 12 * 3600.0
"""Seconds for which a game leads to the one that was begun after it."""
MOST_REMEMBERED: Final = 50
"""Games whose players are offered when somebody is named."""
CARRIED: Final = "carried"
"""The kind of what a correction of an earlier short game changed: nobody takes that back here."""
A_DAY: Final = 24 * 3600.0
MORNING: Final = timedelta(hours=5)
"""An evening goes on until then."""

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


@dataclass(frozen=True)
class Tap:
    """What a device taps: a `state`, or, without one, that it takes its last change back or makes it again (`kind`).

    Attributes:
        was: the state on which it was tapped; None: whatever is there now.
        new: whether the device takes the game for one that is not kept yet, and shall be from now on.
        match: what the short games of one match share.
        last: the game that the device showed before.
        stroke: what changes share that are one thing said.
        once: the tap's id: sent again, it counts once.
    """

    state: State | None = None
    was: State | None = None
    new: bool = False
    match: str | None = None
    last: str | None = None
    stroke: str | None = None
    once: str | None = None
    kind: str = TAPPED


class Evenings:
    """The tapped games of a data folder. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
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
            self._write(db, games)

    def _write(self, db: Connection, games: Sequence[Played]) -> None:
        for one in games:
            db.execute(
                """INSERT INTO tapped VALUES (?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET state = excluded.state, match = excluded.match""",
                (one.id, one.begun, one.match, json.dumps(dict(one.state or {}), ensure_ascii=False)),
            )
        (kept,) = db.execute("SELECT count(*) FROM tapped").fetchone()
        if kept > MOST_GAMES:
            raise StoreFull

    def tap(self, game: str, by: str, tap: Tap) -> Played | None:
        """A device taps. Returns how the game stands then; None where there is none: it was deleted, or another one was
        begun after the `last`. Raises StoreFull.

        What is tapped on a state that others have changed since is put together with theirs.
        """
        with self._store.transaction() as db:
            there, events = self.game(game), self._store.edits(game)
            play = self._store.play(game)
            if play and play["game"] != TAPPED:
                return None  # a photographed or followed one has this id
            if there is None:
                if tap.state is None or not tap.new or (tap.last and self.next_of(tap.last) not in (None, game)):
                    return None
                there = Played(game, TAPPED, time.time(), tap.state["game"], tap.was or tap.state)
            elif heard(events, tap.once):
                return there
            if tap.state is not None and tap.state["game"] != there.game:
                return there
            before = there.state or {}
            if tap.state is None:
                event, state = step(events, before, by, tap.kind) or ({}, before)
            else:
                state = merged(before if tap.was is None else tap.was, tap.state, before)
                event = {**change(events, before, state, tap.stroke), "kind": tap.kind} if state != before else {}
            if event and len(events) >= MOST_EVENTS:
                raise StoreFull
            if event or not events:
                db.execute("INSERT OR IGNORE INTO plays VALUES (?, ?, '', ?)", (game, TAPPED, there.begun))
                (said,) = signed(
                    [{"kind": "begun", **event, **({ONCE: tap.once} if tap.once else {})}], by, len(events)
                )
                self._store.add_edit(game, said)
            played = replace(there, state=state, match=tap.match or there.match)
            self._write(db, [played])
        if tap.last:
            self._begun_after[tap.last] = game
        return played

    def with_log(self, game: str) -> tuple[Played, list[dict[str, Any]]] | None:
        """A tapped game and what was tapped in it, see `companion.cases.tapped`, both of one moment: nothing in one
        that came in whole."""
        with self._store.open():
            played = self.game(game)
            return None if played is None else (played, self._store.edits(game))

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
            if (ended := self.game(before)) and (later := self.game(after)):
                self.tap(after, HOST, Tap(carried(ended, later.state or {}), later.state, kind=CARRIED))

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
            for game in games:
                db.execute("DELETE FROM tapped WHERE id = ?", (game,))
                db.execute(
                    "DELETE FROM edits WHERE play IN (SELECT id FROM plays WHERE id = ? AND game = ?)", (game, TAPPED)
                )
                db.execute("DELETE FROM plays WHERE id = ? AND game = ?", (game, TAPPED))
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
