"""One followed table for all its viewers: settled states, points, live picture, history, what people said.

One thread takes frames and follows; everything else may be called from any thread.
"""

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from common.messages import Message
from companion.cases.evaluate import totals
from companion.cases.game_log import Followed, GameLog, believed, doubtful_places, put_right, said_places
from companion.cases.journal import Journal
from companion.cases.moved import carried, lies_otherwise
from companion.cases.replay import Kept, judged, log_of, rows_of_game, under_rule
from companion.cases.said import (
    SAID,
    Pieces,
    as_seen,
    earlier_of,
    pieces_with,
    pieces_without,
    redoable,
    typed,
    typed_what,
    undoable,
)
from companion.cases.table import Entries, TableState
from companion.cases.table_evidence import READ, pieces, record
from companion.games import game_of
from companion.games.entry import Game
from companion.live.change_log import STATUS, TABLE
from companion.live.corrections import Correction, Corrections
from companion.live.earlier import look_again, said_earlier, typed_earlier
from companion.live.following import Following, log
from companion.live.picture import small_jpeg
from companion.live.settle_detector import SETTINGS, Follower, tile_at
from companion.live.settled import Settled
from companion.log import EDIT, HOST, ONCE, REDO, UNDO
from companion.reading.areas import Proposal, proposed
from companion.reading.tables import read_state
from companion.record import Said
from companion.sources import OPENING, RUNNING, Frame, Source, SourceState
from companion.sources.opening import DEMOS
from scoring.twelve_seekers.middle import ORDER_CARDS
from vision.errors import PhotoError
from vision.table.profile import TableProfile
from vision.table.reading import TableReading


@dataclass(frozen=True)
class KeptPicture:
    """How a picture is kept."""

    width: int = 1280  # pixels, at most
    quality: int = 82  # of its JPEG


KEPT = KeptPicture()
RETRY = 5.0
"""Seconds after which a state that the disk did not take is written again."""
UNKEPT = "live.why.unkept"
"""Why a table at rest is not as it should be: its state is shown and not kept."""
TURNED = "rest.turned"
"""Why nothing is said of the table: its picture has another shape than that on which its areas were drawn."""
NEW_GAME = "rest.new"
"""Why nothing is said of the table: another game begins on it."""

READINGS = ("either", "strict")
"""Values of the referee's switches that are words."""
GOES_ON = "goes_on"
"""What people say of a game whose end nobody sees."""

RESTING, WAITING = "resting", "waiting"


class TableSession(Following):
    """One table that is followed, until it is stopped.

    Args:
        journal: where its history is kept.
        profile: the table.
        source, unseen: see Following.
        follower: makes, for a profile, what tells rest from motion and reads.
    """

    def __init__(
        self,
        journal: Journal,
        profile: TableProfile,
        source: Source,
        follower: Callable[[TableProfile], Follower],
        unseen: float | None = None,
    ) -> None:
        super().__init__(f"table {journal.table}", source, unseen)
        self.journal, self.profile, self.table = journal, profile, journal.table
        self.entries = journal.entries
        self.epoch = secrets.token_hex(4)
        """Tells this following from others of the same table: numbers of changes begin anew with each."""
        self.settled: Settled | None = None
        """The last state that came to rest; it stays while the camera is lost."""
        self.status = self._rest = SourceState(OPENING)
        """How it is with the table: with its source, or, while that runs, whether the table is RESTING or WAITING."""
        self._make_follower, self._ready = follower, False
        self._follower: Follower | None = None
        self._lock = threading.RLock()
        self._game, self._first = 0, False
        self._unkept: tuple[float, bytes] | None = None
        """When the last state is to be written again, which the disk did not take, and its picture."""
        goes_on = _goes_on(journal.begun.get("source"))
        self.log = log_of(journal) if goes_on else GameLog(())
        """The moves of the game that is played."""
        self._kept_pieces = tuple(map(Correction.from_json, journal.pieces)) if goes_on else ()
        """What people said of pieces before the table is followed again."""
        self._new_areas = False
        """Whether areas were drawn after the last state came to rest: it was read without them."""
        self._shape: float | None = None
        """Height by width of the pictures on which the areas hold that were drawn: of the first one, where the layout
        does not say."""
        self.seats: tuple[int | None, int] = None, 0
        """How many play, where people said so before there were areas, and which of the ways to sit they chose."""
        self._proposed: tuple[Any, Proposal] = None, Proposal({})
        """The state and the seats for which areas were proposed last, and they."""
        if not goes_on and journal.row():
            journal.again()
        self._earlier: Mapping[int, Kept] = earlier_of(journal.events)
        self._kinds = frozenset((journal.whole() or {}).get("kinds", ()))
        """The kinds of pieces that were seen on this table before the last state."""

    @property
    def goes_on(self) -> bool:
        """Whether the game may go on, for all that was said. Photos of a table show its end; a film may end before."""
        over = not self.running or self._photographed
        return not over and _said_to_go_on(self.entries, game_of(self.profile))

    @property
    def begins_anew(self) -> bool:
        """Whether another game begins, of which nothing was seen yet."""
        return self._first

    @property
    def scale(self) -> float:
        """Pixels of the source for one of a frame."""
        return self.source.scale

    @property
    def as_read(self) -> TableReading | None:
        """The last settled state as the camera saw it, whatever people said of its tiles."""
        return self._follower.last if self._follower else None

    @property
    def frame(self) -> np.ndarray | None:
        """The newest frame, (H, W, 3) BGR."""
        return None if (frame := self._slot.newest) is None else frame.image

    @property
    def _photographed(self) -> bool:
        """Whether the newest frame is a photo of the table at rest."""
        return (frame := self._slot.newest) is not None and frame.settled

    def _opened(self) -> None:
        self._read_with(Corrections(self._kept_pieces))

    def _read_with(self, corrections: Corrections) -> None:
        """Pictures are read anew from now on, by the profile as it is; these corrections hold."""
        self._follower = self._make_follower(self.profile.shrunk(self.scale))
        self._follower.corrections = corrections

    def proposed(self, players: int | None = None) -> Proposal:
        """Areas proposed from where pieces lie, see `areas.proposed`: nothing counts by them."""
        settled, (of, found) = self.settled, self._proposed
        if settled is None or (self.profile.zones and not settled.reading.zones):
            return Proposal({})  # what was read before the areas were there proposes nothing any more
        play, seating = self.seats
        wanted = settled, players or play, seating
        if of is None or wanted[0] is not of[0] or wanted[1:] != of[1:]:
            found = proposed(settled.reading, game_of(self.profile), settled.size, *wanted[1:])
            self._proposed = wanted, found
        return found

    def sit(self, players: int | None, seating: int) -> None:
        """So many play, and sit in the n-th way: areas are proposed accordingly."""
        with self._lock:
            self.seats = players, seating
        self.changes.add(TABLE)

    def enter(
        self,
        table: Mapping[str, Any],
        players: Mapping[str, Mapping[str, Any]],
        by: str = HOST,
        said: bool = True,
        once: str | None = None,
    ) -> None:
        """Lay typed values over what was seen; None takes a value back. `said`: whether a person says so here; `once`:
        the id by which it is known when it comes a second time."""
        with self._lock:
            entries = typed(self.entries, table, players)
            if not said:
                self._commit(lambda: self.journal.typed(entries))
            elif entries != self.entries:
                change = {"typed": {"table": dict(table), "players": dict(players)}, **({ONCE: once} if once else {})}
                self._say(change, typed_what(table, players, entries), by)

    def say_pieces(self, said: Sequence[Said], by: str = HOST, number: int | None = None) -> bool:
        """A person says what pieces are, all at once; `number`: of an earlier state. False where one is not there."""
        with self._lock:
            if number is not None and (self.settled is None or number != self.settled.number):
                kept = self.journal.whole(number)
                made = None if kept is None else said_earlier(kept, said, self.profile, self.entries)
                what = Message("undo.earlier", {"n": number + 1})
                return made is not None and self._put_right(number, made, what, by)
            follower, before = self._follower, self._pieces
            if follower is None or self.settled is None:
                return False
            what = self._what(said)
            if not follower.say(said):
                return False
            after = self._pieces
            gone, new = ([one for one in a if one not in b] for a, b in ((before, after), (after, before)))
            try:
                self._say({"pieces": {"gone": gone, "new": new}}, (what,), by)
            except Exception:
                follower.take_back(tuple(map(Correction.from_json, before)))
                raise
            return True

    def _what(self, said: Sequence[Said]) -> Message:
        """What is said of pieces, in words: of a single tile, what it was read as too."""
        last, (at, color, card) = self.as_read, said[0]
        if card:
            return Message("undo.card")
        index = tile_at(last, at) if last and len(said) == 1 else None
        if last is None or index is None:
            return Message("undo.tiles")
        values = {"color": Message(f"color.{last.tiles[index].color}"), "value": Message(f"color.{color}")}
        return Message("undo.tile" if color else "undo.tile.none", values)

    @property
    def _pieces(self) -> Pieces:
        """What people said of the pieces that lie there now."""
        return tuple(one.to_json() for one in self._follower.corrections.said) if self._follower else ()

    def settle_move(self, question: str = "", choice: str = "", n: int | None = None) -> None:
        """Answer the referee's question; without one, take the last move back, or the n-th."""
        with self._lock:
            if (old := self.settled) is not None:
                seen = old.table.state
                game = self.log.answer(seen, question, choice) if question else self.log.undo(seen, n)
                new = self._as_settled(
                    old.at, old.size, old.reading, old.said, replace(old.table, state=dict(game.state)), game
                )
                self._again(replace(new, number=old.number, first=old.first))

    def game_is_over(self, over: bool) -> None:
        """A person says whether the game is over, the table being cleared. They are asked once."""
        with self._lock:
            self.log.over_asked = True
            if over:
                self.enter({GOES_ON: False}, {})
            self.changes.add(TABLE)

    def step(self, kind: str, by: str = HOST) -> None:
        """Take back what a device said last (`undo`), or say again what it took back last (`redo`), if anything."""
        find, left = {UNDO: (undoable, pieces_without), REDO: (redoable, pieces_with)}[kind]
        with self._lock:
            events = self.journal.events
            if (number := find(events, by)) is None:
                return
            said = tuple(map(Correction.from_json, left(events, number, self._pieces)))
            same = self._follower is None or said == self._follower.corrections.said
            self._commit(lambda: self.journal.add({"kind": kind, EDIT: number}, by), None if same else said)

    def _say(self, change: dict[str, Any], what: tuple[Message, ...], by: str) -> None:
        """A person says something."""
        event = {"kind": SAID, "what": [one.to_json() for one in what], **change}
        self._commit(lambda: self.journal.add(event, by))

    def _commit(self, write: Callable[[], None], pieces: tuple[Correction, ...] | None = None) -> None:
        """From now on what is written holds, and these `pieces`. Nothing of it is shown that the disk did not take."""
        entries, settled, earlier, log = self.entries, self.settled, self._earlier, self.log
        try:
            with self.journal.together():
                write()
                self.entries, said = self.journal.entries, earlier_of(self.journal.events)
                self._change_rule()
                if said != earlier:
                    self._judge_all(said)
                else:
                    self._judge_again(
                        None if pieces is None or self._follower is None else self._follower.take_back(pieces)
                    )
                self._keep_pieces()
        except Exception:
            self.entries, self.settled, self._earlier, self.log = entries, settled, earlier, log
            self.changes.add(TABLE)
            raise

    def type_earlier(self, number: int, state: Mapping[str, Any], by: str = HOST) -> bool:
        """A person types an earlier state. False where there is none."""
        with self._lock:
            kept = self.journal.whole(number)
            if kept is None:
                return False
            return self._put_right(number, typed_earlier(kept, state), Message("undo.earlier", {"n": number + 1}), by)

    def count_as_it_lies(self, by: str = HOST) -> bool:
        """A person says that the last picture counts though no turn explains it, photos of some turns having been left
        out. False where nothing is held back."""
        with self._lock:
            old = self.settled
            if old is None or old.number is None or not old.game.held:
                return False
            table, look = look_again(old.body, self.profile, self.entries)
            places = {at: list(seen) for at, seen in table.places.items()}
            looks = [*(line for line in old.body["looks"] if "header" in line), {**look, "by": "person"}]
            made = {**old.body, "state": dict(table.state), "places": places, "looks": looks}
            if old.body != self.journal.whole(old.number):  # a look that was not worth a row: undoing comes back to it
                self.journal.changed(old.number, old.totals, old.body)
            return self._put_right(old.number, made, Message("undo.as-it-lies"), by)

    def set_house(self, name: str, value: object, by: str = HOST) -> bool:
        """A switch of the referee is set, and the whole game judged anew. False where there is none."""
        with self._lock:
            rows = rows_of_game(self.journal)
            now = self.log.game.house
            unknown = isinstance(value, str) and value not in READINGS
            if not rows or unknown or type(now.get(name)) is not type(value):
                return False
            return self._put_header(rows, {"house": {**now, name: value}}, Message("undo.house"), by)

    def set_begin(self, name: str, value: object, by: str = HOST) -> bool:
        """A person says who begins (`start`, a zone), or which order card lies there (`order`); all is judged anew.

        False where the game has no such thing.
        """
        with self._lock:
            rows = rows_of_game(self.journal)
            fits = value in self.log.zones if name == "start" else type(value) is int and value in ORDER_CARDS
            if not rows or name not in self.log.game.begins or not fits:
                return False
            return self._put_header(rows, {name: value}, Message(f"undo.{name}"), by)

    def _put_header(self, rows: Mapping[int, Kept], said: Mapping[str, Any], what: Message, by: str) -> bool:
        """The game's header says this too from now on."""
        number, kept = next(iter(rows.items()))
        old: Mapping[str, Any] = next((line["header"] for line in kept["looks"] if "header" in line), {})
        header = {"header": {**old, **said}}
        looks = [header, *(line for line in kept["looks"] if "header" not in line)]
        return self._put_right(number, {**kept, "looks": looks}, what, by)

    def _put_right(self, number: int, made: Kept, what: Message, by: str) -> bool:
        was = self.journal.whole(number) or {}
        if made != was:
            self._say({"earlier": {"number": number, "was": was, "made": made}}, (what,), by)
        return True

    def _judge_all(self, earlier: Mapping[int, Kept]) -> None:
        """Other words of people on states before: all of that game is judged anew."""
        changed = [n for n in {*self._earlier, *earlier} if self._earlier.get(n) != earlier.get(n)]
        self._earlier = earlier
        rows = self._rows_of_game(changed[0])
        events = self.journal.events
        self._take_rows(rows | {n: dict(earlier[n] if n in earlier else as_seen(events, n)) for n in changed})

    def _change_rule(self) -> None:
        """Where another rule was typed, the whole game is judged anew under it, from the pieces that were seen."""
        if self.settled is None or not self.log.game.lines:
            return
        rule = read_state(self.settled.reading, self.profile, self.entries, self._kinds).state.get("rule")
        if rule == self.log.rule or not (rows := self._rows_of_game()):
            return
        self._take_rows(under_rule(rows, rule, lambda kept: look_again(kept, self.profile, self.entries)))

    def _rows_of_game(self, number: int | None = None) -> dict[int, Kept]:
        """The records of a game (None: the last one), by number, the last state's as it is now."""
        rows: dict[int, Kept] = dict(rows_of_game(self.journal, number))
        last = self.settled.number if self.settled else None
        if self.settled is not None and last in rows:
            rows[last] = dict(self.settled.body)  # with looks that were not worth a row
        return rows

    def _take_rows(self, rows: Mapping[int, Kept]) -> None:
        """These are the records of a game now: it is judged anew."""
        last = self.settled.number if self.settled else None
        log, found = judged(rows)
        for number, one in found.items():
            if one.kept != self.journal.whole(number):
                self.journal.changed(number, one.totals, one.kept)
                self.changes.add(number)
        if self.settled is not None and last in found and last == max(found):
            self.log, new = log, found[last]
            told = new.game or Followed(new.kept["state"])
            game = replace(told, legal=tuple(log.game.legal()))
            table = replace(self.settled.table, state=new.kept["state"])
            self.settled = replace(self.settled, table=table, totals=new.totals, game=game, body=new.kept)
        self.changes.add(TABLE)

    def still(self) -> AbstractContextManager[Any]:
        """Nothing changes within it: what is read there is of one moment."""
        return self._lock

    def take_profile(self, profile: TableProfile, file: str | None = None) -> None:
        """Go on with another profile of the same table: zones were drawn, a palette was learned."""
        with self._lock:
            self.journal.has_profile(profile.to_json(), file)
            if profile.zones != self.profile.zones:
                self._new_areas, self._shape = True, None
            self.profile = profile
            self._read_with(self._corrections_moved())
        self.changes.add(TABLE)

    def _corrections_moved(self) -> Corrections:
        """What people said of pieces, for the same pieces in other areas."""
        old = self._follower
        if old is None:
            return Corrections(self._kept_pieces)
        return Corrections(old.corrections.said) if old.last is None else old.corrections.moved_out(old.last)

    def _keep_pieces(self) -> None:
        """Write down what people said of the pieces that lie there now."""
        if self._follower is not None:
            self.journal.corrected(list(self._pieces))

    def _get_ready(self, frame: Frame) -> None:
        """What reading needs is loaded while the first picture is looked at: a film's clock waits for it."""
        self._ready = True
        if frame.settled:  # it is read at once; only now is it known how small photos are made
            self._read_with(self._corrections_moved())
            return
        with suppress(PhotoError):
            self._make_follower(self.profile.shrunk(self.scale)).reader.read(frame.image)

    def _take(self, frame: Frame) -> None:
        if not self._ready:
            self._get_ready(frame)
        if frame.game != self._game:
            self._begin_anew(frame.game)
        follower = self._follower
        if follower is None:
            return
        if self._turned(frame):
            self._rest = SourceState(WAITING, TURNED)
            return
        step = follower.take(frame)
        if step.waiting:
            self._rest = SourceState(WAITING, NEW_GAME if self._first else step.waiting, step.values)
        else:
            self._rest = SourceState(RESTING)
        if step.seen is not None and follower is self._follower:
            self._settle(*step.seen, frame.image if follower.picture is None else follower.picture)

    def _turned(self, frame: Frame) -> bool:
        """Whether the picture's shape is another than that on which areas were drawn: they lie elsewhere in it."""
        high, wide = frame.image.shape[:2]
        self._shape = self.profile.shape or self._shape or high / wide
        drawn = any(zone.polygon for zone in self.profile.zones.values())
        return drawn and abs(high / wide - self._shape) > SETTINGS.shape * self._shape

    def _begin_anew(self, game: int) -> None:
        """Another game on the same table: nothing of the last one holds but the names, the rule and the areas."""
        with self._lock:
            self._game, self._first = game, self.settled is not None
            self.log = GameLog(())
            self._earlier = {}
            self._read_with(Corrections())
            stays = ("rule", "house_rules", *game_of(self.profile).typed.stays)
            table = {key: value for key, value in self.entries.table.items() if key in stays}
            names = {zone: {"name": row["name"]} for zone, row in self.entries.players.items() if "name" in row}
            self.entries = Entries(table, names)
            try:
                self.journal.typed(self.entries)
            except (OSError, sqlite3.Error):
                log.exception("the names of table %s could not be written down anew", self.table)

    def new_game(self) -> None:
        """Another game begins on this table: it is empty until the table is seen again."""
        with self._lock:
            self._begin_anew(self._game)
            self._kinds |= self.settled.table.kinds if self.settled else frozenset()
            self.settled = None
        self.changes.add(TABLE)

    def _look(self, source: SourceState) -> None:
        if (late := self._unkept) is not None and time.monotonic() > late[0]:
            self._keep(late[1])
        unkept = self._unkept is not None and self._rest.kind == RESTING
        status = source if source.kind != RUNNING else SourceState(RESTING, UNKEPT) if unkept else self._rest
        if status != self.status:
            self.status = status
            self.changes.add(STATUS)

    def _settle(self, reading: TableReading, said: frozenset[int], picture: np.ndarray) -> None:
        """A state has come to rest. It is shown first and written down then: a disk takes its time."""
        size = (picture.shape[1], picture.shape[0])
        with self._lock:
            new_areas, self._new_areas = self._new_areas, False
            if new_areas and self.settled is not None:
                self._forget_read_without_areas(self.settled)
            before, row = self.settled, self.log.row
            self._kinds |= before.table.kinds if before else frozenset()
            self.log.begin_row()
            new = self._judged(time.time(), size, reading, said)
            first, self._first = self._first, False
            same = before is not None and before.number is not None and before.table.state == new.table.state
            counts = not self._photographed and not new.game.held
            if before is not None and same and not first and (counts or new.lies_as(before)):
                # Nothing has happened in the game: camera or table were pushed. What is held has its own picture.
                self.log.row = [*row, *self.log.row]
                new = replace(new, number=before.number, at=before.at, body={**new.body, **self.log.kept()})
            self.settled = replace(new, first=first)
            self._unkept = None
            self._look(self.source.state)
            self.changes.add(TABLE)
            if new.number is None:
                self._keep(small_jpeg(picture, KEPT.width, KEPT.quality))
            with suppress(OSError, sqlite3.Error):  # what was said went with its piece, or is gone with it
                self._keep_pieces()

    def _forget_read_without_areas(self, settled: Settled) -> None:
        """The last state was read without the areas that hold now: what it showed is no move."""
        if not self.log.game.lines:
            return
        self.log.forget_row(settled.table.state)
        if settled.number is not None:
            with suppress(OSError, sqlite3.Error):
                self.journal.changed(settled.number, settled.totals, {**settled.body, "looks": []})

    def _keep(self, jpeg: bytes) -> None:
        """Write the last state down. Where the disk does not take it, the page says so, and it is tried again."""
        with self._lock:
            if (new := self.settled) is None or new.number is not None:
                return
            try:
                number = self.journal.settled(new.at, jpeg, new.totals, new.body, new.first)
            except (OSError, sqlite3.Error):
                if self._unkept is None:
                    log.exception("the history of table %s could not be written", self.table)
                self._unkept = time.monotonic() + RETRY, jpeg
            else:
                self._unkept = None
                self.settled = replace(new, number=number)
                self.changes.add(TABLE, number)

    def _judge_again(self, seen: tuple[TableReading, frozenset[int]] | None = None) -> None:
        """The same table with other words of people."""
        old = self.settled
        if old is not None:
            follower = self._follower
            seen = seen or (follower.take_back(follower.corrections.said) if follower else None)
            reading, said = seen or (old.reading, old.said)
            judged = self._judged(old.at, old.size, reading, said, corrected=True)
            self._again(replace(judged, number=old.number, first=old.first))
        else:
            self.changes.add(TABLE)

    def _again(self, new: Settled) -> None:
        """The last state is another now."""
        if new.number is not None:
            self.journal.changed(new.number, new.totals, new.body)
            self.changes.add(new.number)
        self.settled = new
        self.changes.add(TABLE)

    def _judged(
        self, at: float, size: tuple[int, int], reading: TableReading, said: frozenset[int], corrected: bool = False
    ) -> Settled:
        """What was read, what the course of the game says of it, and what it is worth."""
        state = read_state(reading, self.profile, self.entries, self._kinds)
        if self.log.zones != state.zones:
            self.log = GameLog(state.zones)
        if corrected and self.log.cleared and self.log.last is not None:  # what people say is not of this table
            game = replace(self.log.last, state=believed(state.state, self.log.game.state))
        else:
            words = said_places(state, said, self.entries)
            game = self.log.look(state.state, doubtful_places(reading, state), at, words, corrected)
        read = reading
        if game.misread:  # the marks on the picture are those that count
            reading = put_right(reading, state, game.misread)
            state = read_state(reading, self.profile, self.entries, self._kinds)
        if game.held and not lies_otherwise(state.state, game.state):
            game = replace(game, held=False, as_of=None)
        places = carried(state.places, state.state, game.state)
        state = replace(state, state=dict(game.state), places=places)
        return self._as_settled(at, size, reading, said, state, game, read)

    def _as_settled(
        self,
        at: float,
        size: tuple[int, int],
        reading: TableReading,
        said: frozenset[int],
        state: TableState,
        game: Followed,
        before: TableReading | None = None,
    ) -> Settled:
        gone = self._follower.corrections.gone if self._follower else ()
        points = dict(zip(state.zones, totals(state.state), strict=True))
        read = self.as_read if said or len(gone) or game.misread else None
        body = record(size, reading, said, gone, state, before)
        body |= {"game": game.kept(), **self.log.kept(), "scale": self.scale}
        if read is not None:
            body[READ] = pieces(read)
        return Settled(None, at, size, reading, said, state, points, game, body)


def left_unfinished(journal: Journal) -> bool:
    """Whether a table that is followed no longer was broken off, and its game may go on for all that was said."""
    if not journal.broken_off or not _goes_on(journal.begun.get("source")):
        return False
    return _said_to_go_on(journal.entries, game_of(TableProfile.from_json(journal.begun["profile"])))


def _said_to_go_on(entries: Entries, game: Game) -> bool:
    said: bool = entries.table.get(GOES_ON, GOES_ON in (game.typed.table or ()))
    return said


def _goes_on(source: object) -> bool:
    """Whether a table that is followed again lies as it was left: a film begins anew."""
    return isinstance(source, str) and source not in DEMOS and not Path(source).expanduser().exists()
