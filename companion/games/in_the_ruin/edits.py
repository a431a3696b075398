"""Everything that can happen to a game that is being scored, and what each does to what is known.

An edit is `{"kind": …, "player": id, …}`. It is checked once, when it comes in, and then
kept for good: the play is what the edits make of it, in order, see `companion.log`.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from common.messages import InputError, OddError, shown
from companion import log
from companion.games.in_the_ruin import COLS, PIECES, ROWS, STAGES, TRACKS
from companion.games.in_the_ruin.play import CELL_KINDS, GATE, PLAIN, TRACED, Correction, Play, Player, Sheet
from scoring.games import rules_of

MAX_PLAYERS = 8
MAX_COUNT = 99
MAX_NAME = 40
MAX_GOALS = 24
MAX_MOVES = 9999
READINGS = {question.name: question.readings for question in rules_of("in-the-ruin").questions}
"""The open questions of the rulebook, and how each can be read."""


NO_MOVE, WHICH_MOVE = "no-move", "which-move"
"""A move of the log that was none (`n`; None: the last one), and the answer to the referee's question."""
TO_NEW = "photo-to-new-player"
"""A player joins to whom a photo is moved: one thing said, and one taken back."""
PIECE = "piece"
"""The piece of the card that lay there in a `round` of the log, one of `PIECES`; None: nobody says."""
REPLACES = "replaces"
"""Marks a reading in the place of an earlier one: undoing brings that one back with its photo."""
BY_A_PHOTO = "by_a_photo"
"""Marks a player who came with a photo: undoing what people said takes no photo away."""


Edit = Mapping[str, Any]
Fits = Callable[[str, Any, Play, Mapping[str, Any]], None]
"""Checks a field's value, called with its name, the play and the sheet's letters. Raises EditError."""


@dataclass(frozen=True)
class Kind:
    """A kind of edit."""

    of: type  # whose it is: the play's, a player's (then it has a `player`), or a sheet's (then also a `stage`)
    do: Callable[[Any, Edit], None]  # what it does to that
    fields: Mapping[str, Fits] | None  # what fits in what a person gives with it; None: the companion alone makes it


KINDS: dict[str, Kind] = {}


class EditError(InputError):
    """An edit that cannot be taken, and why."""


def fold(sheet: str, edits: Iterable[Edit]) -> Play:
    """The play that these edits make, later ones over earlier ones. Undone edits do not count. Raises OddError."""
    play = Play(sheet)
    at: tuple[int, Edit] = (0, {})
    try:
        for at in log.numbered(list(edits)):
            apply(play, at[1])
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise OddError("problem.odd", number=at[0], got=shown(at[1])) from error
    return play


def can_be_undone(edit: Edit) -> bool:
    """Whether an edit is what a person did; a sheet's first photo stays."""
    return (edit["kind"] in BY_A_PERSON and not edit.get(BY_A_PHOTO)) or bool(edit.get(REPLACES))


def apply(play: Play, edit: Edit) -> None:
    """Do one edit. An edit of a player who is gone does nothing."""
    kind = KINDS[edit["kind"]]
    if kind.of is Play:
        kind.do(play, edit)
    elif player := play.player(edit["player"]):
        kind.do(player if kind.of is Player else player.sheets[edit["stage"]], edit)
    for player in play.players:
        player.give_ticks()


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
    name = edit["kind"]
    kind = KINDS[name]
    fields = {**(kind.fields or {}), **({} if kind.of is Play else {"player": _player})}
    if kind.of is Sheet:
        fields["stage"] = _stage
    for unknown in sorted(edit.keys() - fields.keys() - {"kind"}):
        raise EditError("edit.unfit", field=unknown)
    for field, fits in fields.items():
        _must(field in edit, "edit.unfit", field=field)
        fits(field, edit[field], play, letters)
    _must(name not in ("move-photo", TO_NEW, "drop-photo") or _has_photo(play, edit), "edit.no-photo")
    _must(name != "stage-over" or any(player.sheets["end"].known for player in play.players), "edit.no-map")
    _must(name != "house-rule" or edit["reading"] in (None, *READINGS[edit["name"]]), "edit.unfit", field="reading")
    _must(name not in ("add-player", TO_NEW) or len(play.players) < MAX_PLAYERS, "edit.players", most=MAX_PLAYERS)
    if name in ("add-player", TO_NEW, "rename"):
        called = edit["name"].strip()
        others = [p for p in play.players if name != "rename" or p.id != edit["player"]]
        _must(not any(same(p.name, called) for p in others), "edit.name-taken", name=called)
    return edit


def _must(fits: object, key: str, **values: Any) -> None:
    if not fits:
        raise EditError(key, **values)


def _whole(low: int, high: int, nothing: bool = False) -> Fits:
    def fits(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
        fit = (value is None and nothing) or (type(value) is int and low <= value <= high)
        _must(fit, "edit.number-or-none" if nothing else "edit.number", least=low, most=high)

    return fits


def _one_of(*values: Any) -> Fits:
    def fits(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
        fit = any(value is v or (isinstance(value, str) and value == v) for v in values)
        _must(fit, "edit.unfit", field=name)

    return fits


def _text(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    fit = isinstance(value, str) and 0 < len(value.strip()) <= MAX_NAME and value.isprintable()
    _must(fit, "edit.text", most=MAX_NAME)


def _new_id(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    fit = isinstance(value, str) and value.isascii() and value.isalnum() and len(value) <= 16
    _must(fit and not play.player(value), "edit.unfit", field=name)


def _player(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    _must(isinstance(value, str) and play.player(value), "edit.player-gone")


def _letter(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    _must(isinstance(value, str) and value in letters, "edit.no-letter")


def _judged(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    _must(isinstance(value, list) and 0 < len(value) <= len(letters), "edit.unfit", field=name)
    for one in value:
        _must(isinstance(one, list) and len(one) == 4, "edit.unfit", field=name)
        for fits, part in zip((_letter, _row, _col, _one_of(PLAIN, TRACED, GATE)), one, strict=True):
            fits(name, part, play, letters)
        _must(one[1:3] == list(letters[one[0]]), "edit.unfit", field=name)
    _must(len({one[0] for one in value}) == len(value), "edit.unfit", field=name)


def _marked(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    _must(isinstance(value, list) and 0 < len(value) <= ROWS * COLS, "edit.unfit", field=name)
    for one in value:
        _must(isinstance(one, list) and len(one) == 3, "edit.unfit", field=name)
        for fits, part in zip((_row, _col, _one_of(*CELL_KINDS)), one, strict=True):
            fits(name, part, play, letters)
    _must(len({(row, col) for row, col, _ in value}) == len(value), "edit.unfit", field=name)


def _reading(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    _must(value is None or isinstance(value, str), "edit.unfit", field=name)


def _pairs(name: str, value: Any, play: Play, letters: Mapping[str, Any]) -> None:
    _must(isinstance(value, list) and len(value) <= MAX_GOALS, "edit.goals", most=MAX_GOALS)
    # The sheet may have lost a letter since: a card that somebody holds can be kept, moved and taken back.
    held = [letter for player in play.players for pair in player.goals for letter in pair]
    for pair in value:
        _must(isinstance(pair, list) and len(pair) == 2 and pair[0] != pair[1], "edit.goal-pair")
        for letter in pair:
            if letter not in held:
                _letter(name, letter, play, letters)


_stage = _one_of(*STAGES)
_on = _one_of(True, False)
_row, _col = _whole(0, ROWS - 1), _whole(0, COLS - 1)
_AT = {"row": _row, "col": _col}
_MOVED = {"player": _player, "stage": _stage, "to": _player, "to_stage": _stage}


def _kind(name: str, of: type, fields: Mapping[str, Fits] | None = None) -> Callable[[Any], Any]:
    """Note what an edit of this kind does, see `Kind`."""

    def noted(do: Callable[[Any, Edit], None]) -> Callable[[Any, Edit], None]:
        KINDS[name] = Kind(of, do, fields)
        return do

    return noted


@_kind("add-player", Play, {"player": _new_id, "name": _text})
def _add_player(play: Play, edit: Edit) -> None:
    if play.player(edit["player"]) is None:
        play.players.append(Player(edit["player"], edit["name"].strip()))


@_kind("remove-player", Play, {"player": _player})
def _remove_player(play: Play, edit: Edit) -> None:
    play.players = [p for p in play.players if p.id != edit["player"]]


@_kind("charge-blocks", Play, {"on": _on})
def _charge(play: Play, edit: Edit) -> None:
    _house_rule(play, {"name": "two-by-two", "reading": "charged" if edit["on"] else None})


@_kind("house-rule", Play, {"name": _one_of(*READINGS), "reading": _reading})
def _house_rule(play: Play, edit: Edit) -> None:
    play.house_rules.pop(edit["name"], None)
    if edit["reading"] is not None:
        play.house_rules[edit["name"]] = edit["reading"]


@_kind("move-photo", Play, _MOVED)
def _move_photo(play: Play, edit: Edit) -> None:
    """A sheet changes places with another: what was said of it goes with it."""
    one, other = play.player(edit["player"]), play.player(edit["to"])
    if one and other:
        here, there = one.sheets[edit["stage"]], other.sheets[edit["to_stage"]]
        one.sheets[edit["stage"]], other.sheets[edit["to_stage"]] = there, here


@_kind(TO_NEW, Play, {**_MOVED, "to": _new_id, "name": _text})
def _photo_to_new_player(play: Play, edit: Edit) -> None:
    _add_player(play, {"player": edit["to"], "name": edit["name"]})
    _move_photo(play, edit)


def _has_photo(play: Play, edit: Edit) -> bool:
    player = play.player(edit["player"])
    sheet = player.sheets[edit["stage"]] if player else Sheet()
    return sheet.photo is not None or sheet.failed is not None


@_kind("stage-over", Play, {})
def _stage_over(play: Play, edit: Edit) -> None:
    """The maps as they are now are those of the first stage; the same sheets are drawn on."""
    for player in play.players:
        if player.sheets["end"].known:
            player.sheets["first"] = deepcopy(player.sheets["end"])


@_kind("demo", Play)
def _demo(play: Play, edit: Edit) -> None:
    play.demo = True


@_kind(NO_MOVE, Play, {"n": _whole(1, MAX_MOVES, nothing=True)})
@_kind(WHICH_MOVE, Play, {"question": _text, "choice": _text})
@_kind(PIECE, Play, {"round": _whole(1, MAX_COUNT), "piece": _one_of(*PIECES, None)})
def _of_the_log(play: Play, edit: Edit) -> None:
    """What is said of the game's log changes no sheet: `companion.cases.sheet_game` hears it."""


@_kind("rename", Player, {"name": _text})
def _rename(player: Player, edit: Edit) -> None:
    player.name = edit["name"].strip()


@_kind("ticks", Player, {"track": _one_of(*TRACKS), "count": _whole(0, MAX_COUNT)})
def _ticks(player: Player, edit: Edit) -> None:
    player.count_ticks(edit["track"], edit["count"])


@_kind("goals", Player, {"goals": _pairs})
def _goals(player: Player, edit: Edit) -> None:
    player.goals, player.goals_known = [(a, b) for a, b in edit["goals"]], True


@_kind("escaped", Player, {"round": _whole(1, MAX_COUNT, nothing=True)})
def _escaped(player: Player, edit: Edit) -> None:
    player.escaped, player.escaped_known = edit["round"], True


@_kind("first-square", Player, {"cells": _whole(0, ROWS * COLS, nothing=True)})
def _first_square(player: Player, edit: Edit) -> None:
    player.first_square = edit["cells"]


@_kind("drop-photo", Player, {"stage": _stage})
def _drop_photo(player: Player, edit: Edit) -> None:
    player.sheets[edit["stage"]] = Sheet()


@_kind("cell", Sheet, {**_AT, "value": _one_of(*CELL_KINDS, None)})
def _cell(sheet: Sheet, edit: Edit) -> None:
    cell = (edit["row"], edit["col"])
    if edit["value"] is None:
        sheet.cells.pop(cell, None)
    else:
        sheet.cells[cell] = Correction(edit["value"], sheet.read(cell))


@_kind("cells", Sheet, {"cells": _marked})
def _cells(sheet: Sheet, edit: Edit) -> None:
    for row, col, value in edit["cells"]:
        _cell(sheet, {"row": row, "col": col, "value": value})


@_kind("gate", Sheet, {**_AT, "on": _on})
def _gate(sheet: Sheet, edit: Edit) -> None:
    cell = (edit["row"], edit["col"])
    sheet.gates[cell] = edit["on"]
    sheet.letters = {at: said for at, said in sheet.letters.items() if at[1] != cell}


@_kind("destination", Sheet, {"letter": _letter, "on": _on})
def _destination(sheet: Sheet, edit: Edit) -> None:
    sheet.destinations[edit["letter"]] = edit["on"]
    sheet.letters = {at: said for at, said in sheet.letters.items() if at[0] != edit["letter"]}


@_kind("letters", Sheet, {"letters": _judged})
def _letters(sheet: Sheet, edit: Edit) -> None:
    for letter, row, col, value in edit["letters"]:
        sheet.letters[letter, (row, col)] = Correction(value, sheet.read_letter(letter, (row, col)))


@_kind("by-hand", Sheet, {})
def _by_hand(sheet: Sheet, edit: Edit) -> None:
    sheet.by_hand, sheet.failed = True, None


@_kind("dismiss", Sheet, {})
def _dismiss(sheet: Sheet, edit: Edit) -> None:
    sheet.failed = None


@_kind("read", Sheet)
def _read(sheet: Sheet, edit: Edit) -> None:
    sheet.before = [*sheet.before, sheet.reading] if edit.get("once_more") and sheet.reading else []
    sheet.sent = edit.get("sent") or (sheet.sent if sheet.photo == edit["photo"] else None)
    sheet.photo, sheet.size, sheet.reading, sheet.failed = edit["photo"], tuple(edit["size"]), edit["reading"], None


@_kind("judged-again", Sheet)
def _judged_again(sheet: Sheet, edit: Edit) -> None:
    """Other photos of the box's sheets came, beside which letters are judged otherwise: the paper is the same."""
    if sheet.photo != edit["photo"] or sheet.reading is None:
        return
    before = [(cell, said, said.outdated(sheet.read(cell))) for cell, said in sheet.cells.items()]
    lettered = [(at, said, said.outdated(sheet.read_letter(*at))) for at, said in sheet.letters.items()]
    sheet.reading = {**sheet.reading, **edit["reading"]}
    sheet.cells |= {cell: replace(said, read=sheet.read(cell)) for cell, said, old in before if not old}
    sheet.letters |= {at: replace(said, read=sheet.read_letter(*at)) for at, said, old in lettered if not old}


@_kind("failed", Sheet)
def _failed(sheet: Sheet, edit: Edit) -> None:
    sheet.failed = {k: edit[k] for k in ("photo", "size", "key", "values")}


BY_A_PERSON = frozenset(name for name, kind in KINDS.items() if kind.fields is not None)
