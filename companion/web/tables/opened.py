"""The table that a request is about: its session and history, its layout, and what they cannot give in words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.cases.journal import DEMO, Journal
from companion.games import game_of
from companion.live.session import TableSession
from companion.sources import SourceError
from companion.web.answers import found
from companion.web.problems import Problem
from companion.web.running.live_tables import photo_source
from companion.web.services import services
from vision.photo import Photo
from vision.table.palette import PaletteError
from vision.table.profile import TableProfile, TableProfileError


def table_of(table: str) -> tuple[TableSession | None, Journal]:
    """A table's session (None: not followed now) and history. Raises Problem."""
    journal = services().tables.journal(table)
    known = found(journal if journal and journal.begun else None, "live.problem.no-table")
    return services().tables.session(table), known


def refuse_to_stop_unasked(table: str | None, body: dict[str, Any]) -> None:
    """A table that is being followed stops for another one only where a person was asked: `instead` in the body.

    The demo and photographed tables are no loss: they go on where they stopped. Raises Problem.
    """
    now = services().tables.now
    if now is None or not now.running or now.table == table or body.get("instead") is True:
        return
    if photo_source(now) is None and now.journal.begun.get("source") != DEMO:
        raise Problem("live.problem.running", 409, name=now.profile.name)


def state_of_table(table: str, row: int | None = None) -> dict[str, Any] | None:
    """What a table shows: in a row of its history, else now, else at last. None: nothing yet. Raises Problem."""
    session, journal = table_of(table)
    if row is None and session is not None:
        return session.settled.table.state if session.settled else None
    return (journal.whole(row) or {}).get("state")


def session_of(table: str) -> TableSession:
    """A table's session. Raises Problem where it is not followed."""
    session, _ = table_of(table)
    if session is None:
        raise Problem("live.problem.stopped", 409)
    return session


@contextmanager
def in_words() -> Iterator[None]:
    """What a source or a profile cannot give is said in words."""
    try:
        yield
    except SourceError as error:
        raise Problem("live.problem.source", 422, why=error) from None
    except (TableProfileError, PaletteError) as error:
        raise Problem("live.problem.profile", 422, why=error) from None


def checked(data: dict[str, Any]) -> TableProfile:
    """A profile from its JSON object. Raises Problem."""
    with in_words():
        profile = TableProfile.from_json(data)
        game_of(profile)
    return profile


def is_point(value: Any) -> bool:
    """Whether this is a point of a picture, [x, y]."""
    return isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) and abs(v) < 1e5 for v in value)


def read_again(session: TableSession) -> None:
    """Where a table is photographed, its last photo is read once more."""
    source = photo_source(session)
    if source and (kept := session.journal.photo):
        photo, scale = kept
        data = (services().store.photos / f"{photo}.jpg").read_bytes()
        source.put(Photo(services().eyes.load(data).image, scale))
