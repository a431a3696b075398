"""Everything that can happen to a game that is being scored, and what each does to what is known.

An edit is `{"kind": …, "player": id, …}`. It is checked once, when it comes in, and then
kept for good: the play is what the edits make of it, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from companion.games.in_the_ruin import COLS, PIECES, ROWS, STAGES
from companion.games.in_the_ruin.play import GATE, PLAIN, TRACED, Correction, Play, Player, Sheet
from scoring.games import GAMES
from vision.errors import InputError, OddError, shown

MAX_PLAYERS = 8
MAX_COUNT = 99
MAX_NAME = 40
MAX_GOALS = 24
MAX_MOVES = 9999
READINGS = {question.name: question.readings for question in GAMES["in-the-ruin"].questions}
"""The open questions of the rulebook, and how each can be read."""


NO_MOVE, WHICH_MOVE = "no-move", "which-move"
"""A move of the log that was none (`n`; None: the last one), and the answer to the referee's question."""
TO_NEW = "photo-to-new-player"
"""A player joins to whom a photo is moved: one thing said, and one taken back."""
PIECE = "piece"
"""The piece of the card that lay there in a `round` of the log, one of `PIECES`; None: nobody says."""
UNDO, REDO = "undo", "redo"
"""Edits that take an earlier one back, and make it count again: `{"kind": "undo", "edit": its number}`."""
BY = "by"
"""Which device an edit came from: undoing belongs to who did it."""
HOST = ""
"""The computer itself, and edits of versions that did not tell."""
BY_A_PHOTO = "by_a_photo"
"""Marks a player who came with a photo: undoing what people said takes no photo away."""


class EditError(InputError):
    """An edit that cannot be taken, and why."""


def fold(sheet: str, edits: Iterable[Mapping[str, Any]]) -> Play:
    """The play that these edits make, later ones over earlier ones. Undone edits do not count. Raises OddError."""
    edits, play, number = list(edits), Play(sheet), 0
    try:
        undone = _undone(edits)
        for number, edit in enumerate(edits):
            if number not in undone and edit["kind"] not in (UNDO, REDO):
                apply(play, edit)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise OddError("problem.odd", number=number, got=shown(edits[number])) from error
    return play


def standing(edits: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The edits that count: none that was taken back, and no undoing."""
    undone = _undone(edits)
    return [edit for n, edit in enumerate(edits) if n not in undone and edit["kind"] not in (UNDO, REDO)]


def undoable(edits: Sequence[Mapping[str, Any]], by: str = HOST) -> int | None:
    """The number of the last edit that this device made and has not taken back; photos stay."""
    undone = _undone(edits)
    return next((n for n in reversed(range(len(edits))) if _said(edits[n], by) and n not in undone), None)


def redoable(edits: Sequence[Mapping[str, Any]], by: str = HOST) -> int | None:
    """The number of the edit that this device took back last, unless it made another since."""
    undone = _undone(edits)
    for edit in reversed(edits):
        if _said(edit, by):
            return None
        if edit["kind"] == UNDO and edit["edit"] in undone and edit.get(BY, HOST) == by:
            return int(edit["edit"])
    return None


def _undone(edits: Sequence[Mapping[str, Any]]) -> set[int]:
    out: set[int] = set()
    for edit in edits:
        if edit["kind"] == UNDO:
            out.add(edit["edit"])
        elif edit["kind"] == REDO:
            out.discard(edit["edit"])
    return out


def _said(edit: Mapping[str, Any], by: str) -> bool:
    return edit["kind"] in BY_A_PERSON and not edit.get(BY_A_PHOTO) and edit.get(BY, HOST) == by


def apply(play: Play, edit: Mapping[str, Any]) -> None:
    """Do one edit. An edit of a player who is gone does nothing."""
    kind = edit["kind"]
    if kind in OF_THE_GAME:
        OF_THE_GAME[kind](play, edit)
    elif player := play.player(edit["player"]):
        if kind in OF_A_PLAYER:
            OF_A_PLAYER[kind](player, edit)
        else:
            OF_A_SHEET[kind](player.sheets[edit["stage"]], edit)


def check(
    play: Play, edit: Any, letters: Mapping[str, Any], same: Callable[[str, str], bool] = str.__eq__
) -> dict[str, Any]:
    """The edit, if a person may make it now.

    Args:
        letters: those of the sheet.
        same: whether two names are the same.

    Raises EditError.
    """
    if not isinstance(edit, dict) or edit.get("kind") not in BY_A_PERSON:
        raise EditError("edit.unfit", field="kind")
    kind = edit["kind"]
    fields = dict(FIELDS[kind])
    if kind not in OF_THE_GAME:
        fields["player"] = _player
    if kind in OF_A_SHEET:
        fields["stage"] = _stage
    if unknown := edit.keys() - fields.keys() - {"kind"}:
        raise EditError("edit.unfit", field=sorted(unknown)[0])
    for name, fits in fields.items():
        if name not in edit:
            raise EditError("edit.unfit", field=name)
        fits(name, edit[name], play, letters)
    if kind in ("move-photo", TO_NEW, "drop-photo") and not _has_photo(play, edit):
        raise EditError("edit.no-photo")
    if kind == "stage-over" and not any(player.sheets["end"].known for player in play.players):
        raise EditError("edit.no-map")
    if kind == "house-rule" and edit["reading"] not in (None, *READINGS[edit["name"]]):
        raise EditError("edit.unfit", field="reading")
    if kind in ("add-player", TO_NEW) and len(play.players) >= MAX_PLAYERS:
        raise EditError("edit.players", most=MAX_PLAYERS)
    if kind in ("add-player", TO_NEW, "rename") and any(
        same(p.name, edit["name"].strip()) and (kind != "rename" or p.id != edit["player"]) for p in play.players
    ):
        raise EditError("edit.name-taken", name=edit["name"].strip())
    return edit


def _add_player(play: Play, edit: Mapping[str, Any]) -> None:
    if play.player(edit["player"]) is None:
        play.players.append(Player(edit["player"], edit["name"].strip()))


def _remove_player(play: Play, edit: Mapping[str, Any]) -> None:
    play.players = [p for p in play.players if p.id != edit["player"]]


def _charge(play: Play, edit: Mapping[str, Any]) -> None:
    _house_rule(play, {"name": "two-by-two", "reading": "charged" if edit["on"] else None})


def _house_rule(play: Play, edit: Mapping[str, Any]) -> None:
    play.house_rules.pop(edit["name"], None)
    if edit["reading"] is not None:
        play.house_rules[edit["name"]] = edit["reading"]


def _move_photo(play: Play, edit: Mapping[str, Any]) -> None:
    """A sheet changes places with another: what was said of it goes with it."""
    one, other = play.player(edit["player"]), play.player(edit["to"])
    if one and other:
        here, there = one.sheets[edit["stage"]], other.sheets[edit["to_stage"]]
        one.sheets[edit["stage"]], other.sheets[edit["to_stage"]] = there, here


def _photo_to_new_player(play: Play, edit: Mapping[str, Any]) -> None:
    _add_player(play, {"player": edit["to"], "name": edit["name"]})
    _move_photo(play, edit)


def _has_photo(play: Play, edit: Mapping[str, Any]) -> bool:
    player = play.player(edit["player"])
    sheet = player.sheets[edit["stage"]] if player else Sheet()
    return sheet.photo is not None or sheet.failed is not None


def _stage_over(play: Play, edit: Mapping[str, Any]) -> None:
    """The maps as they are now are those of the first stage; the same sheets are drawn on."""
    for player in play.players:
        if player.sheets["end"].known:
            player.sheets["first"] = deepcopy(player.sheets["end"])


def _demo(play: Play, edit: Mapping[str, Any]) -> None:
    play.demo = True


def _of_the_log(play: Play, edit: Mapping[str, Any]) -> None:
    """What is said of the game's log changes no sheet: `companion.cases.sheet_game` hears it."""


def _rename(player: Player, edit: Mapping[str, Any]) -> None:
    player.name = edit["name"].strip()


def _ticks(player: Player, edit: Mapping[str, Any]) -> None:
    player.ticks[edit["track"]] = edit["count"]


def _goals(player: Player, edit: Mapping[str, Any]) -> None:
    player.goals = [(a, b) for a, b in edit["goals"]]
    player.goals_known = True


def _escaped(player: Player, edit: Mapping[str, Any]) -> None:
    player.escaped, player.escaped_known = edit["round"], True


def _first_square(player: Player, edit: Mapping[str, Any]) -> None:
    player.first_square = edit["cells"]


def _cell(sheet: Sheet, edit: Mapping[str, Any]) -> None:
    cell = (edit["row"], edit["col"])
    if edit["value"] is None:
        sheet.cells.pop(cell, None)
    else:
        sheet.cells[cell] = Correction(edit["value"], sheet.read(cell))


def _gate(sheet: Sheet, edit: Mapping[str, Any]) -> None:
    cell = (edit["row"], edit["col"])
    sheet.gates[cell] = edit["on"]
    sheet.letters = {at: said for at, said in sheet.letters.items() if at[1] != cell}


def _destination(sheet: Sheet, edit: Mapping[str, Any]) -> None:
    sheet.destinations[edit["letter"]] = edit["on"]
    sheet.letters = {at: said for at, said in sheet.letters.items() if at[0] != edit["letter"]}


def _letters(sheet: Sheet, edit: Mapping[str, Any]) -> None:
    for letter, row, col, value in edit["letters"]:
        sheet.letters[letter, (row, col)] = Correction(value, sheet.read_letter(letter, (row, col)))


def _by_hand(sheet: Sheet, edit: Mapping[str, Any]) -> None:
    sheet.by_hand, sheet.failed = True, None


def _read(sheet: Sheet, edit: Mapping[str, Any]) -> None:
    sheet.before = [*sheet.before, sheet.reading] if edit.get("once_more") and sheet.reading else []
    sheet.sent = edit.get("sent") or (sheet.sent if sheet.photo == edit["photo"] else None)
    sheet.photo, sheet.size, sheet.reading, sheet.failed = edit["photo"], tuple(edit["size"]), edit["reading"], None


def _failed(sheet: Sheet, edit: Mapping[str, Any]) -> None:
    sheet.failed = {k: edit[k] for k in ("photo", "size", "key", "values")}


def _drop_photo(player: Player, edit: Mapping[str, Any]) -> None:
    player.sheets[edit["stage"]] = Sheet()


def _dismiss(sheet: Sheet, edit: Mapping[str, Any]) -> None:
    sheet.failed = None


OF_THE_GAME: dict[str, Callable[[Play, Mapping[str, Any]], None]] = {
    "add-player": _add_player,
    "remove-player": _remove_player,
    "charge-blocks": _charge,
    "house-rule": _house_rule,
    "move-photo": _move_photo,
    TO_NEW: _photo_to_new_player,
    "stage-over": _stage_over,
    NO_MOVE: _of_the_log,
    WHICH_MOVE: _of_the_log,
    PIECE: _of_the_log,
    "demo": _demo,
}
OF_A_PLAYER: dict[str, Callable[[Player, Mapping[str, Any]], None]] = {
    "rename": _rename,
    "ticks": _ticks,
    "goals": _goals,
    "escaped": _escaped,
    "first-square": _first_square,
    "drop-photo": _drop_photo,
}
OF_A_SHEET: dict[str, Callable[[Sheet, Mapping[str, Any]], None]] = {
    "cell": _cell,
    "gate": _gate,
    "destination": _destination,
    "letters": _letters,
    "by-hand": _by_hand,
    "dismiss": _dismiss,
    "read": _read,
    "failed": _failed,
}

Fits = Callable[[str, Any, Play, Mapping[str, Any]], None]


def _whole(low: int, high: int, nothing: bool = False) -> Fits:
    def fits(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
        if not (value is None and nothing) and (type(value) is not int or not low <= value <= high):
            raise EditError("edit.number-or-none" if nothing else "edit.number", least=low, most=high)

    return fits


def _one_of(*values: Any) -> Fits:
    def fits(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
        if not any(value is v or (isinstance(value, str) and value == v) for v in values):
            raise EditError("edit.unfit", field=name)

    return fits


def _text(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    if not isinstance(value, str) or not 0 < len(value.strip()) <= MAX_NAME or not value.isprintable():
        raise EditError("edit.text", most=MAX_NAME)


def _new_id(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    if not isinstance(value, str) or not (value.isascii() and value.isalnum() and len(value) <= 16):
        raise EditError("edit.unfit", field=name)
    if play.player(value):
        raise EditError("edit.unfit", field=name)


def _player(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    if not isinstance(value, str) or play.player(value) is None:
        raise EditError("edit.player-gone")


def _letter(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    if not isinstance(value, str) or value not in letters:
        raise EditError("edit.no-letter")


def _judged(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    if not isinstance(value, list) or not 0 < len(value) <= len(letters):
        raise EditError("edit.unfit", field=name)
    for one in value:
        if not isinstance(one, list) or len(one) != 4:
            raise EditError("edit.unfit", field=name)
        _letter(name, one[0], play, letters)
        _row(name, one[1], play, letters)
        _col(name, one[2], play, letters)
        if one[1:3] != list(letters[one[0]]):
            raise EditError("edit.unfit", field=name)
        _one_of(PLAIN, TRACED, GATE)(name, one[3], play, letters)
    if len({one[0] for one in value}) < len(value):
        raise EditError("edit.unfit", field=name)


def _reading(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    if value is not None and not isinstance(value, str):
        raise EditError("edit.unfit", field=name)


def _pairs(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    if not isinstance(value, list) or len(value) > MAX_GOALS:
        raise EditError("edit.goals", most=MAX_GOALS)
    # The sheet may have lost a letter since: a card that somebody holds can be kept, moved and taken back.
    held = [letter for player in play.players for pair in player.goals for letter in pair]
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] == pair[1]:
            raise EditError("edit.goal-pair")
        for letter in pair:
            if letter not in held:
                _letter(name, letter, play, letters)


_stage = _one_of(*STAGES)
_on = _one_of(True, False)
_row, _col = _whole(0, ROWS - 1), _whole(0, COLS - 1)

FIELDS: dict[str, dict[str, Fits]] = {
    "add-player": {"player": _new_id, "name": _text},
    "remove-player": {"player": _player},
    "charge-blocks": {"on": _on},
    "house-rule": {"name": _one_of(*READINGS), "reading": _reading},
    "rename": {"name": _text},
    "ticks": {"track": _one_of("gems", "penalties"), "count": _whole(0, MAX_COUNT)},
    "goals": {"goals": _pairs},
    "escaped": {"round": _whole(1, MAX_COUNT, nothing=True)},
    "first-square": {"cells": _whole(0, ROWS * COLS, nothing=True)},
    "cell": {"row": _row, "col": _col, "value": _one_of(".", "o", "#", None)},
    "gate": {"row": _row, "col": _col, "on": _on},
    "destination": {"letter": _letter, "on": _on},
    "letters": {"letters": _judged},
    "by-hand": {},
    "dismiss": {},
    "move-photo": {"player": _player, "stage": _stage, "to": _player, "to_stage": _stage},
    TO_NEW: {"player": _player, "stage": _stage, "to": _new_id, "to_stage": _stage, "name": _text},
    "drop-photo": {"stage": _stage},
    "stage-over": {},
    NO_MOVE: {"n": _whole(1, MAX_MOVES, nothing=True)},
    WHICH_MOVE: {"question": _text, "choice": _text},
    PIECE: {"round": _whole(1, MAX_COUNT), "piece": _one_of(*PIECES, None)},
}
"""The fields of each edit that a person can make, and what fits in them."""

BY_A_PERSON = frozenset(FIELDS)
