"""From photographed map sheets to a case of In the Ruin: the one builder of its state, and what a reading keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from common.messages import Message
from companion.cases.case import Case, Doubt
from companion.cases.evaluate import scored, stake, totals
from companion.games.in_the_ruin import COLS, GAME, ROWS, STAGES, TRACKS
from companion.games.in_the_ruin.play import PASSAGE, PLAIN, SUMS, TRACED, WALL, Cell, Play, Player, Sheet
from companion.record import Observation, Piece
from scoring import Breakdown
from vision.sheet.decisions import TICKED, UNSURE

if TYPE_CHECKING:
    from vision.sheet.reading import SheetReading

BLANK = "."
CELLS = {
    BLANK: Message("js.cell.blank"),
    PASSAGE: Message("js.cell.passage"),
    WALL: Message("js.cell.wall"),
}
LETTERS = {what: Message(f"js.letters.{what}") for what in (PLAIN, TRACED, "gate")}
PLACES = {"end": "map", "first": "first_map"}
DESTINATIONS = {"map": "destinations", "first_map": "first_destinations"}
"""Where a state has the destinations of a map."""


@dataclass(frozen=True)
class Marks:
    """What counts on one sheet: the rows of its `map`, and the letters that are `destinations`."""

    map: Sequence[str]
    destinations: Sequence[str]


@dataclass(frozen=True)
class LeftOut:
    """A goal card that a player holds and that cannot be scored: the sheet does not have its `letters` any more."""

    player: str
    place: int
    card: tuple[str, str]
    letters: tuple[str, ...]


@dataclass(frozen=True)
class Scored:
    """What of a play is scored.

    Attributes:
        state: the public JSON object; None while no player has a sheet.
        ids: the player's id at each place of `state["players"]`.
        cards: for each player of the state, the place of each of its `goals` among the cards that the player holds.
        left_out: the cards held that are not in the state.
    """

    state: dict[str, Any] | None
    ids: tuple[str, ...]
    cards: tuple[tuple[int, ...], ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def sheet_state(
    letters: Mapping[str, Iterable[int]],
    players: Sequence[Mapping[str, Any]],
    house_rules: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """The table state of players as `sheet_player` makes them; `letters` are the sheet's, as row and column."""
    state: dict[str, Any] = {
        "game": "in-the-ruin",
        "letters": {letter: list(cell) for letter, cell in letters.items()},
        "players": list(players),
    }
    others = {name: reading for name, reading in house_rules.items() if name != "two-by-two"}
    if others:
        state["house_rules"] = others
    return {**state, "charge_blocks": True} if house_rules.get("two-by-two") == "charged" else state


def sheet_player(
    name: str,
    end: Marks | None,
    first: Marks | None = None,
    ticks: Mapping[str, int] | None = None,
    escaped: int | None = None,
    goals: Iterable[Iterable[str]] = (),
    first_square: int | None = None,
    escape_known: bool = True,
) -> dict[str, Any]:
    """A player's part of the state.

    Args:
        name: the player's name.
        end: the sheet at the end; None at half-time, when only the first stage's square counts.
        first: the sheet at the end of the first stage, where it is known.
        ticks: ticks counted in the tracks `gems` and `penalties`.
        escaped: the round of the escape; None: never, or, where `escape_known` is not so, nobody said yet.
        goals: the goal cards held, two letters each.
        first_square: the square bonus that was written down after the first stage, in cells.
    """
    ticks = ticks or {}
    out: dict[str, Any] = {"name": name}
    if end is not None:
        out |= {"map": list(end.map), "destinations": list(end.destinations)}
    out |= {"gems": ticks.get("gems", 0), "penalties": ticks.get("penalties", 0)}
    if escape_known and (end is not None or escaped is not None):
        out["escaped"] = escaped
    out["goals"] = [list(card) for card in goals]
    if first is not None:
        out |= {"first_map": list(first.map), "first_destinations": list(first.destinations)}
    return out if first_square is None else {**out, "first_square": first_square}


def read_marks(reading: SheetReading) -> Marks:
    """What counts on a sheet as it was read."""
    return Marks(reading.map, reading.destinations)


def matters(reading: SheetReading, state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The doubtful cells and letters of which another reading changes the points, the largest difference first.

    `state` was scored, the sheet's player its only one. Each is `{"cell": [row, column], "points"}` or
    `{"letter", "points"}`; `points` are the fewest and the most that the player has by one of the readings.
    """
    (now,), (player,) = totals(state), state["players"]
    letters = sorted(letter for letter, doubt in reading.letter_doubts.items() if doubt > UNSURE)
    asked = sheet_doubts("", "/players/0/map", reading.doubtful_cells, letters, player["destinations"])
    told = []
    for doubt in asked:
        what = doubt.piece.strip(".").split(".")
        named = {"letter": what[0]} if len(what) == 1 else {"cell": [int(what[0]), int(what[1])]}
        way = stake(state, doubt.place, doubt.values) if doubt.place else None
        if way and now is not None and way[0] != way[1]:
            told.append({**named, "points": [now + way[0], now + way[1]]})
    return sorted(told, key=lambda one: one["points"][0] - one["points"][1])


def sheet_doubts(
    name: str, place: str, cells: Iterable[Cell], letters: Iterable[str], found: Collection[str], carded: bool = True
) -> list[Doubt]:
    """What a person should settle on a sheet, and where it counts: cells, then letters.

    Args:
        name: the picture's.
        place: the sheet's map in the state.
        cells: the doubtful cells.
        letters: the doubtful letters.
        found: the sheet's destinations.
        carded: whether the goal cards are known, which tell what hangs on a letter.
    """
    whose, _, field = place.rpartition("/")
    there = f"{whose}/{DESTINATIONS[field]}" if carded else None
    asked = [Doubt(f"{name}.{row}.{col}", place=f"{place}/{row}/{col}", values=tuple(CELLS)) for row, col in cells]
    either = [(letter, (sorted(found), sorted({*found} ^ {letter}))) for letter in letters]
    return asked + [Doubt(f"{name}.{letter}", place=there, values=ways) for letter, ways in either]


def play_state(play: Play, letters: Mapping[str, Cell]) -> Scored:
    """The state of all players who have a sheet; `letters` are the sheet's, as row and column."""
    rows = [player for player in play.players if player.last_stage]
    if not rows:
        return Scored(None, ())
    # The sheet can be corrected after a card was entered: one with a letter that is gone must not stop all the rest.
    left_out = tuple(card for player in rows for card in _left_out(player, letters))
    gone = {(card.player, card.place) for card in left_out}
    cards = tuple(tuple(i for i in range(len(p.goals)) if (p.id, i) not in gone) for p in rows)
    gates = play_gates(rows)
    players = [_player(player, letters, held, gates) for player, held in zip(rows, cards, strict=True)]
    state = sheet_state(letters, players, play.house_rules)
    if not all(player.complete for player in play.players):
        state["goes_on"] = True
    return Scored(state, tuple(p.id for p in rows), cards, left_out)


def play_case(play: Play, letters: Mapping[str, Cell]) -> Case:
    """A play as a case: its sheets are the evidence."""
    made = play_state(play, letters)
    places: dict[str, tuple[str, ...]] = {}
    pictures, doubts = [], []
    for i, player in enumerate(p for p in play.players if p.id in made.ids):
        for stage, sheet in player.sheets.items():
            if not sheet.known:
                continue
            place, name = f"/players/{i}/{PLACES[stage]}", f"{i}.{stage}"
            places[place] = (name,)
            asked = _doubts(name, place, player, stage, letters, made.state)
            doubts += asked
            picture = _picture(name, sheet, letters, {doubt.piece for doubt in asked})
            pictures.append(picture)
            if stage == player.last_stage:
                places |= _tick_places(i, player, picture)
        places |= {f"/players/{i}/goals/{k}": (f"{i}.goals.{at}",) for k, at in enumerate(made.cards[i])}
    index = {player: i for i, player in enumerate(made.ids)}
    problems: list[tuple[Message, tuple[str, ...]]] = [
        (_gone(one, play), (f"{index[one.player]}.goals.{one.place}",)) for one in made.left_out
    ]
    problems += [(message, ()) for message in (*_twins(play), *_ticks(play), *_sums(play, made))]
    return Case(made.state, places, tuple(pictures), tuple(doubts), tuple(problems))


def edit_message(edit: Mapping[str, Any], name: str, held: Sequence[Sequence[str]] = ()) -> Message:
    """What a person said with an edit, to be taken back or said again; `name` is the player's, `held` the goal cards
    that were known before."""
    kind, values = edit["kind"], {"name": name, **edit}
    if kind == "cell":
        key = "undo.cell" if edit["value"] is not None else "undo.cell.read"
        values |= {"row": edit["row"] + 1, "col": edit["col"] + 1, "value": CELLS.get(edit["value"])}
        return Message(key, values)
    if kind in ("gate", "destination", "charge-blocks"):
        values |= {key: edit[key] + 1 for key in ("row", "col") if key in edit}
        return Message(f"undo.{kind}.{'on' if edit['on'] else 'off'}", values)
    if kind == "ticks":
        return Message(f"undo.ticks.{edit['track']}", {"name": name, "n": edit["count"]})
    if kind in ("escaped", "first-square"):
        n = edit["round"] if kind == "escaped" else edit["cells"]
        nothing = {"escaped": ".never", "first-square": ".read"}[kind]
        return Message(f"undo.{kind}" + (nothing if n is None else ""), {"name": name, "n": n})
    if kind == "house-rule":
        question = Message(f"question.{edit['name']}")
        said = None if edit["reading"] is None else Message(f"reading.{edit['name']}.{edit['reading']}")
        return Message("undo.house-rule" + (".none" if said is None else ""), {"question": question, "reading": said})
    if kind in ("move-photo", "photo-to-new-player", "drop-photo", "read"):
        values["stage"] = Message(f"js.stage.{edit['stage']}")
    if kind == "goals":
        new = [card for card in edit["goals"] if card not in held]
        gone = [] if new else [card for card in held if card not in edit["goals"]]
        cards = new or gone or edit["goals"]
        values |= {"cards": tuple("–".join(card) for card in cards), "n": len(cards)}
        kind = "goals.gone" if gone else "goals" if cards else "goals.none"
    if kind == "read" and "sent" not in edit:
        kind = "read.corners"
    if kind == "piece" and edit["piece"] is None:
        kind = "piece.none"
    if kind == "no-move" and edit["n"] is None:
        kind = "no-move.last"
    if kind == "cells":
        values["n"] = len(edit["cells"])
    if kind == "letters":
        values["letters"] = tuple(letter for letter, *_ in edit["letters"])
    return Message(f"undo.{kind}", values)


def _left_out(player: Player, letters: Mapping[str, Any]) -> list[LeftOut]:
    gone = [tuple(letter for letter in card if letter not in letters) for card in player.goals]
    return [LeftOut(player.id, i, player.goals[i], missing) for i, missing in enumerate(gone) if missing]


def unclaimed(marks: Marks, letters: Mapping[str, Cell], gates: Collection[Cell]) -> Marks:
    """The marks without destinations under a wall whose cell is among the `gates` of all sheets: somebody claimed them.

    Under a camera a letter that was seen traced stays known when a wall covers it. A claimed letter becomes a gate on
    some sheet, and a wall where no passage is.
    """
    there = [(letter, *letters[letter]) for letter in marks.destinations]
    return replace(marks, destinations=[x for x, r, c in there if (r, c) not in gates or marks.map[r][c] != WALL])


def play_gates(players: Iterable[Player]) -> set[Cell]:
    """The cells that are a gate on somebody's last sheet."""
    return {cell for player in players for cell in player.sheets[player.last_stage or "end"].gate_cells()}


def sheet_marks(sheet: Sheet, letters: Mapping[str, Cell], gates: Collection[Cell] = ()) -> Marks:
    """What counts on a sheet of a play, as read and corrected; `gates` are the `play_gates`."""
    # A sheet can be corrected after it was read: a letter that it does not have any more is no destination.
    found = Marks(sheet.map(), [letter for letter in sheet.destination_letters() if letter in letters])
    said = {cell for letter, cell in letters.items() if sheet.destinations.get(letter)}
    return unclaimed(found, letters, set(gates) - said)


def _player(
    player: Player, letters: Mapping[str, Cell], cards: tuple[int, ...], gates: Collection[Cell]
) -> dict[str, Any]:
    end, first = player.sheets["end"], player.sheets["first"]
    return sheet_player(
        player.name,
        sheet_marks(end, letters, gates) if end.known else None,
        sheet_marks(first, letters) if first.known else None,
        {track: player.tick_count(track) for track in TRACKS},
        player.escaped,
        [player.goals[i] for i in cards],
        player.square_known,
        player.escaped_known,
    )


def _picture(name: str, sheet: Sheet, letters: Mapping[str, Cell], asked: set[str]) -> Observation:
    """A sheet's photo: the cells and letters that are asked about or were said, and the boxes of the tracks."""
    reading: Mapping[str, Any] = sheet.reading or {}
    pieces = [
        Piece(f"{name}.{row}.{col}", "cell", CELLS[sheet.map_at((row, col))])
        for row, col in sorted({*sheet.cells, *sheet.doubtful()})
    ]
    traced, gates = sheet.destination_letters(), sheet.gate_cells()
    for letter, cell in sorted(letters.items()):
        what = "gate" if cell in gates else TRACED if letter in traced else PLAIN
        if f"{name}.{letter}" in asked or sheet.judged(letter, cell):
            pieces.append(Piece(f"{name}.{letter}", "letter", LETTERS[what]))
    for track, boxes in reading.get("ticked", {}).items():
        pieces += [
            Piece(f"{name}.{track}.{k}", "tick", Message("ruin.tick"), confidence=p) for k, p in enumerate(boxes)
        ]
    return Observation(tuple(pieces), id=name, size=sheet.size, lattice=reading.get("lattice"))


def _doubts(name: str, place: str, player: Player, stage: str, letters: Mapping[str, Cell], state: Any) -> list[Doubt]:
    """What a person should settle on a player's sheet."""
    sheet = player.sheets[stage]
    unsure = list(dict.fromkeys(sheet.letters_to_ask(letters, UNSURE)))
    if stage == "end":
        unsure += [letter for letter in player.walled_over(letters) if letter not in unsure]
    found = state["players"][int(place.split("/")[2])][DESTINATIONS[place.rpartition("/")[2]]]
    counts = sheet.doubtful_ticks() if stage == player.last_stage else {}
    whose = place.rpartition("/")[0]
    ticks = [Doubt(f"{name}.{track}", place=f"{whose}/{track}", values=counts[track]) for track in sorted(counts)]
    together = [
        Doubt(f"{name}.alike.{kinds}", place=place, values=(sheet.map(), *(sheet.map_with(cells, k) for k in kinds)))
        for kinds, cells in sheet.alike().items()
    ]
    return sheet_doubts(name, place, sheet.doubtful(), unsure, found, player.goals_known) + together + ticks


def _tick_places(i: int, player: Player, picture: Observation) -> dict[str, tuple[str, ...]]:
    """The ticked boxes of tracks whose number nobody typed."""
    boxes = [piece for piece in picture.pieces if piece.kind == "tick" and (piece.confidence or 0) >= TICKED]
    return {
        f"/players/{i}/{track}": tuple(p.id for p in boxes if p.id.startswith(f"{picture.id}.{track}."))
        for track in TRACKS
        if track not in player.sheets[player.last_stage or "end"].ticks
    }


def _twins(play: Play) -> list[Message]:
    """Where photos of two players show one map, but for cells that are in doubt: a sheet was photographed twice."""
    found = []
    for stage in STAGES:
        photographed = [
            (player.name, sheet.map(), set(sheet.doubtful()))
            for player in play.players
            if (sheet := player.sheets[stage]).reading and "changed" not in sheet.reading
        ]
        for (name, rows, asked), (other, others, also) in combinations(photographed, 2):
            pairs = [(rows[r][c], others[r][c]) for r in range(ROWS) for c in range(COLS) if (r, c) not in asked | also]
            if any(one != BLANK for one, _ in pairs) and all(one == two for one, two in pairs):
                values = {"name": name, "other": other, "stage": Message(f"js.stage.{stage}")}
                found.append(Message("ruin.twins", values))
    return found


def _ticks(play: Play) -> list[Message]:
    """Where the newest photo shows other ticks than people counted: on an earlier photo, or fewer than before it."""
    out = []
    for player, track in product(play.players, TRACKS):
        values = {"name": player.name, "n": player.tick_count(track)}
        if (read := player.ticks_outdated(track)) is not None:
            out.append(Message(f"ruin.ticked.{track}", {**values, "read": read}))
        if (said := player.ticks_lost(track)) is not None:
            out.append(Message(f"ruin.fewer-ticks.{track}", {**values, "said": said}))
    return out


def _sums(play: Play, made: Scored) -> list[Message]:
    """Where players wrote down other sums than are counted: as far as all is known that a sum is made of."""
    found = scored(made.state) if made.state else None
    if not isinstance(found, Breakdown):
        return []
    out = []
    for player, score in zip((p for p in play.players if p.id in made.ids), found.players, strict=True):
        known = {"square-second", "gems"} if player.sheets["end"].known else set()
        known |= {"square-first"} if player.sheets["first"].known else set()
        known |= {"routes"} if player.sheets["end"].known and player.goals_known else set()
        known |= {"total"} if player.complete else set()
        sums = player.written()
        for what, wrote in zip(SUMS, sums, strict=True) if len(sums) == len(SUMS) else ():
            points = [line.points for line in score.lines if what in ("total", GAME.row(line.key))]
            counted = sum(n for n in points if n is not None)
            if what in known and None not in points and wrote not in (None, counted):
                row = Message("ruin.total" if what == "total" else f"row.in-the-ruin.{what}")
                out.append(Message("ruin.wrote", {"name": player.name, "what": row, "wrote": wrote, "n": counted}))
    return out


def _gone(card: LeftOut, play: Play) -> Message:
    name = next(player.name for player in play.players if player.id == card.player)
    values = {"name": name, "card": "–".join(card.card), "letters": card.letters}
    return Message("ruin.goal-left-out", values)
