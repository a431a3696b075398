"""The recorded demo of In the Ruin: two players draw, one pushes the sheet, and every state is read rightly."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from companion.cases.game_log import GameLog
from companion.demo import MAPS, MAPS_FILM
from companion.live.maps import MapTable
from companion.sources.files import VideoFile
from scoring import score_state
from training.synth import demo_maps
from training.synth.demo_maps import Drawn
from vision.sheet.tracker import SheetState
from vision.table.profile import TableProfile


def as_drawn(state: SheetState, row: dict[str, Any]) -> Drawn:
    reading = state.reading
    return Drawn(tuple(row["map"]), tuple(row["destinations"]), reading.gates, dict(reading.ticks))


def test_the_demo_is_a_game_of_two_whose_every_state_is_read_and_scored():
    table = MapTable.of(TableProfile.load(MAPS))
    source, tracker = VideoFile(MAPS_FILM), table.tracker()
    source.start()
    seen: dict[str, list[Drawn]] = {player: [] for player in table.players}
    totals, log = [], GameLog(table.players)
    while frame := source.next():
        for state in tracker.take(frame.image, frame.time):
            game = log.look(*table.look([state], tracker.states), frame.time)
            assert table.believed(table.state(tracker.states), game.state) == table.state(tracker.states)
            row = next(row for row in table.state(tracker.states)["players"] if row["name"] == state.player)
            seen[state.player].append(as_drawn(state, row))
            breakdown = score_state(table.state(tracker.states), explain=False)
            totals.append([player.total for player in breakdown.players])
    assert seen == {player: list(demo_maps.states(k)) for k, player in enumerate(demo_maps.PLAYERS)}
    assert len({tuple(row) for row in totals}) > demo_maps.STAGES
    assert drawn_by(log) == {player: all_but_set_up(k) for k, player in enumerate(demo_maps.PLAYERS)}
    assert not [move for move in log.moves if move["breaks"]]
    assert [(move["who"], move["claimed"]) for move in log.moves if move["claimed"]] == [("A", "G")]
    assert [(move["who"], move["walls"]) for move in log.moves if move["walls"]] == [("B", [[2, 5]])]


def drawn_by(log: GameLog) -> dict[str, list[set[tuple[int, int]]]]:
    """Each player's moves, as the cells drawn."""
    moves: dict[str, list[set[tuple[int, int]]]] = {player: [] for player in demo_maps.PLAYERS}
    for move in log.moves:
        moves[move["who"]].append({(r, c) for r, c in move["cells"] + move["walls"]})
    return moves


def all_but_set_up(k: int) -> list[set[tuple[int, int]]]:
    """The cells that came in each stage but the first, in which a sheet is set up."""
    filled = [{(r, c) for r, row in enumerate(drawn.map) for c, mark in enumerate(row) if mark != "."}
              for drawn in demo_maps.states(k)]  # fmt: skip
    return [after - before for before, after in pairwise(filled[1:])]


def test_the_film_is_what_is_drawn_and_small():
    assert MAPS_FILM.stat().st_size <= 2_000_000
    film = VideoFile(MAPS_FILM)
    film.start()
    count = 0
    while film.next():
        count += 1
    assert count == sum(1 for _ in demo_maps.script())
