"""Who has how many points, as it changes: what streams, webhooks and MQTT tell."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.live.session import TableSession
from companion.web.running.live_tables import LiveTables


def score(session: TableSession, colors: Mapping[str, int | None]) -> dict[str, Any] | None:
    """The points of a followed table; None before it has come to rest. `colors`: those that were chosen, by name."""
    settled = session.settled
    if settled is None:
        return None
    rows = settled.table.state.get("players", [])
    named = [(zone, str(row.get("name", zone))) for zone, row in zip(settled.table.zones, rows, strict=False)]
    players = [
        {"zone": zone, "name": name, "points": settled.totals.get(zone), "color": colors.get(name)}
        for zone, name in named
    ]
    game = settled.table.state["game"]
    return {"event": "score", "table": session.table, "game": game, "number": settled.number, "players": players}


def scores(tables: LiveTables, patience: float, goes_on: Callable[[], bool]) -> Iterator[dict[str, Any] | None]:
    """Each change of the points of whichever table is followed; None after `patience` seconds without any.

    `corrected` says whether the table is the one told of last, and only the words of people about it are others.
    """
    session: TableSession | None = None
    number: int | None = None
    told: dict[str, Any] | None = None
    while goes_on() and not tables.closing.is_set():
        now = tables.now
        if now is None or not now.running:
            if session is not None:
                yield {"event": "stopped", "table": session.table}
            session = told = None
            tables.closing.wait(min(patience, 1.0))
            yield None
            continue
        if now is not session:
            session, number = now, None
        news = session.changes.since(number, patience)
        number, new = news.number, score(session, tables.people.colors())
        if new is None or new == told or new["number"] is None:
            yield None
            continue
        same = told is not None and (told["table"], told["number"]) == (new["table"], new["number"])
        told = new
        yield {**new, "corrected": same}
