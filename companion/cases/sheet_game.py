"""The referee follows a play of In the Ruin: each photo of a sheet, and each sheet at rest under a camera: a look."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from companion.cases.game_log import GameLog
from companion.cases.kept import Kept
from companion.cases.sheet import play_gates, sheet_marks
from companion.games.in_the_ruin.edits import NO_MOVE, PIECE, WHICH_MOVE, fold
from companion.games.in_the_ruin.play import Cell, Player, Sheet
from companion.log import standing

MOST_LOGS: Final = 32
"""Plays whose logs are kept for whoever asks next."""
_logs: Kept[tuple[Any, ...], GameLog] = Kept(MOST_LOGS)


def play_log(play: str, sheet: str, edits: Sequence[Mapping[str, Any]], letters: Mapping[str, Cell]) -> GameLog:
    """The log of the play of this id, followed once after each of its `edits`, which are only ever added to."""
    asked = play, sheet, len(edits), tuple(sorted(letters.items()))
    return _logs.get(asked, lambda: sheet_log(sheet, edits, letters))


def sheet_log(sheet: str, edits: Sequence[Mapping[str, Any]], letters: Mapping[str, Cell]) -> GameLog:
    """The log of a play. A look shows a sheet as it was read, with what people said of it until the next one.

    Its players are the ids of those who have a sheet, as in the play's state; the times are the numbers of the looks.
    No camera sees the cards in the middle: any piece is taken for the card's where nobody says which one lay there.
    """
    edits = standing(edits)
    pieces = told_pieces(edits)
    seated = tuple(player.id for player in fold(sheet, edits).players if player.last_stage)
    log = GameLog(seated, quiet=True)
    reads = [n for n, edit in enumerate(edits) if edit["kind"] == "read" and edit["player"] in seated]
    rounds: list[int] = []
    for look, (n, after) in enumerate(zip(reads, [*reads, len(edits)][1:], strict=False)):
        players = {player.id: player for player in fold(sheet, edits[:after]).players}
        stage = edits[n]["stage"]
        rows: list[dict[str, Any]] = [{"name": one} for one in seated]
        shown = players.get(edits[n]["player"])
        doubtful: list[str] = []
        if shown is not None and shown.sheets[stage].known:
            i = seated.index(shown.id)
            rows[i] |= _row(shown, shown.sheets[stage], letters, play_gates(players.values()))
            doubtful = [f"/players/{i}/map/{r}/{c}" for r, c in shown.sheets[stage].doubtful()]
        state = {"game": "in-the-ruin", "letters": {one: list(cell) for one, cell in letters.items()}, "players": rows}
        rounds.append(_next_round(log, edits[n]["player"]))
        log.look({**state, **_card(pieces.get(rounds[-1]))}, doubtful, float(look))
        for edit in edits[n + 1 : after]:
            if edit["kind"] == NO_MOVE:
                log.undo(state, edit["n"])
            elif edit["kind"] == WHICH_MOVE:
                log.answer(state, edit["question"], edit["choice"])
    log.quiet = False
    due = round_due(log)
    if log.last is not None and due in pieces:
        if due not in rounds:  # nobody has drawn it yet
            state = {"game": "in-the-ruin", "players": [{"name": one} for one in seated], **_card(pieces[due])}
            log.look(state, (), float(len(reads)))
        else:
            log.last = replace(log.last, legal=tuple(log.game.legal()))
    return log


def told_pieces(edits: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """The pieces that people said lay there, by round; `edits` are those that stand."""
    said = {edit["round"]: edit["piece"] for edit in edits if edit["kind"] == PIECE}
    return {round_: piece for round_, piece in said.items() if piece is not None}


def round_due(log: GameLog) -> int:
    """The round in which somebody draws next."""
    return min((_next_round(log, one) for one in log.zones), default=1)


def _next_round(log: GameLog, player: str) -> int:
    """The round of a player's next turn: after the own last one, and no earlier than anybody's."""
    rounds: list[int] = [move["round"] + (move["who"] == player) for move in log.moves]
    return max(rounds, default=1)


def _card(piece: str | None) -> dict[str, Any]:
    return {} if piece is None else {"cards": [{"cells": piece.count("#"), "piece": piece.split("/")}]}


def _row(player: Player, sheet: Sheet, letters: Mapping[str, Cell], gates: Collection[Cell]) -> dict[str, Any]:
    return {
        "map": sheet.map(),
        "destinations": list(sheet_marks(sheet, letters, gates).destinations),
        "gates": [list(cell) for cell in sheet.gate_cells()],
        "gems": player.tick_count("gems"),
        "penalties": player.tick_count("penalties"),
    }
