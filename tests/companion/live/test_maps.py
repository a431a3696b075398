"""The recorded demo of In the Ruin: two players draw, one pushes the sheet, and every state is read rightly."""

from __future__ import annotations

from companion.demo import MAPS, MAPS_FILM
from companion.live.maps import MapTable
from companion.sources.demo import DemoFilm
from companion.sources.files import VideoFile
from scoring import score_state
from training.synth import demo_maps
from training.synth.demo_maps import Drawn
from vision.sheet.tracker import SheetState
from vision.table.profile import TableProfile


def as_drawn(state: SheetState) -> Drawn:
    reading = state.reading
    return Drawn(reading.map, reading.destinations, reading.gates, dict(reading.ticks))


def test_the_demo_is_a_game_of_two_whose_every_state_is_read_and_scored():
    table = MapTable.of(TableProfile.load(MAPS))
    source, tracker = DemoFilm(film=MAPS_FILM), table.tracker()
    source.start()
    seen: dict[str, list[Drawn]] = {player: [] for player in table.players}
    totals = []
    while frame := source.next():
        for state in tracker.take(frame.image, frame.time):
            seen[state.player].append(as_drawn(state))
            breakdown = score_state(table.state(tracker.states), explain=False)
            totals.append([player.total for player in breakdown.players])
    assert seen == {player: list(demo_maps.states(k)) for k, player in enumerate(demo_maps.PLAYERS)}
    assert len({tuple(row) for row in totals}) > demo_maps.STAGES


def test_the_film_is_what_is_drawn_and_small():
    assert MAPS_FILM.stat().st_size <= 2_000_000
    film = VideoFile(MAPS_FILM)
    film.start()
    count = 0
    while film.next():
        count += 1
    assert count == sum(1 for _ in demo_maps.script())
