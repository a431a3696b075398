"""The table that a request is about: its session and history, its layout, and what they cannot give in words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.cases.journal import DEMO, Journal
from companion.games import game_of
from companion.live.session import TableSession
from companion.sources import SourceError
from companion.web.access.access_control import here
from companion.web.answers import found
from companion.web.problems import Problem
from companion.web.running.live_tables import photo_source
from companion.web.running.table_eyes import PHOTOS
from companion.web.services import services
from vision.photo import Photo
from vision.table.palette import PaletteError
from vision.table.profile import TableProfile, TableProfileError

READING = 60.0
"""Seconds that photos of a table may take to be read."""


def table_of(table: str) -> tuple[TableSession | None, Journal]:
    """A table's session (None: not followed now) and history. Raises Problem."""
    journal = services().tables.journal(table)
    known = found(journal if journal and journal.begun else None, "live.problem.no-table")
    return services().tables.session(table), known


def refuse_to_stop_unasked(source: Any, table: str | None, body: dict[str, Any]) -> None:
    """A table that is filmed stops for another one only where a person was asked: `instead` in the body.

    Photos stop no table, and the demo is no loss: it goes on where it stopped. Raises Problem.
    """
    filmed = services().tables.filmed
    if filmed is None or not filmed.running or filmed.table == table or body.get("instead") is True:
        return
    if source != PHOTOS and filmed.journal.begun.get("source") != DEMO:
        raise Problem("live.problem.running", 409, name=filmed.profile.name)


def state_of_table(table: str, row: int | None = None) -> dict[str, Any] | None:
    """What a table shows: in a row of its history, else now, else at last. None: nothing yet. Raises Problem."""
    session, journal = table_of(table)
    if row is None and session is not None:
        return session.settled.table.state if session.settled else None
    return (journal.whole(row) or {}).get("state")


def followed(table: str) -> TableSession:
    """A table's session, for whoever looks at it. Raises Problem where it is not followed."""
    session, _ = table_of(table)
    if session is None:
        raise Problem("live.problem.stopped", 409)
    return session


def session_of(table: str) -> TableSession:
    """A table's session, for whoever changes it: one that is photographed is always there. Raises Problem."""
    session, journal = table_of(table)
    if session is None and journal.begun.get("source") == PHOTOS:
        return taken_up(table)
    return followed(table)


def taken_up(table: str) -> TableSession:
    """Go on with a table that was followed before; a photographed one once its last photo has been read again.

    Raises Problem.
    """
    with in_words():
        session = found(services().tables.again(table, here()), "live.problem.no-table")
    if session.settled is None:
        number, source = read_again(session), photo_source(session)
        if source is not None and number is not None:
            source.wait(number, READING)
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


def read_again(session: TableSession) -> int | None:
    """Where a table is photographed, its last photo is read once more. Returns the number of its frame."""
    source = photo_source(session)
    if source and (kept := session.journal.photo):
        photo, scale = kept
        data = (services().store.photos / f"{photo}.jpg").read_bytes()
        return source.put(Photo(services().eyes.load(data).image, scale))
    return None
