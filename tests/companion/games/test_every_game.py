"""Every game of the list has all that a game needs; what one lacks is named."""

from __future__ import annotations

import json
import re
from random import Random

import numpy as np
import pytest

from companion.cases.evaluate import rows
from companion.games import FIRST, GAMES, table_games
from companion.games.entry import Game
from companion.games.markers import IDS, ZONES
from companion.games.shape import TABLE, fit
from companion.games.zones import mistake
from companion.reading.tables import read_state
from companion.words.catalog import LANGUAGES, own_words
from companion.words.words import words
from scoring import score_state
from scoring.games import NAMES
from scoring.samples import sample
from vision.table.profile import TableProfile, Zone
from vision.table.reading import Card, TableReading

EVERY = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
OF_A_TABLE = pytest.mark.parametrize("game", table_games(), ids=[game.slug for game in table_games()])
EXPORTS = ("start", "newPlayer", "player", "picture")
SAMPLES = 60


def test_both_lists_name_the_same_games() -> None:
    assert set(GAMES) == set(NAMES)
    assert GAMES[FIRST].table is not None
    assert [game.slug for game in GAMES.values() if game.demo] == [FIRST]


@EVERY
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_its_words(game: Game, language: str) -> None:
    own = json.loads(own_words(language, game.slug).read_text("utf-8"))
    player = game.shape["players"][0]
    needed = {f"game.{game.slug}", f"shelf.{game.slug}"}
    needed |= {f"dispute.field.{key}" for key in (game.shape.keys() | player.keys() | TABLE.keys()) - {"game"}}
    needed |= {f"area.{zone}" for zone in game.common}
    needed |= {f"part.{zone.partition('.')[2]}" for zone in game.zones if "." in zone}
    needed |= {f"sheet.{number}" for number in game.sheets}
    needed |= {f"row.{game.slug}.{row}" for row in game.rows}
    if counter := game.typed.counter:
        needed |= {f"js.live.count.{counter}{more}" for more in ("", "-less", "-more")}
    if asked := game.typed.asked:
        needed |= {f"js.live.ask.{asked}", f"js.live.ask.{asked}-choose"}
    assert not {key for key in needed if key not in words(language)}
    assert own[f"game.{game.slug}"]


@EVERY
def test_it_has_its_icon_and_its_editor(game: Game) -> None:
    icon = game.file("icon.svg").read_text("utf-8")
    assert icon.startswith("<svg ")
    assert 'viewBox="0 0 96 96"' in icon
    editor = game.file("editor.js").read_text("utf-8")
    assert f'game: "{game.slug}"' in editor
    exported = editor[editor.index("export default") :]
    assert not [name for name in EXPORTS if not re.search(rf"^  {name}[:(,]", exported, re.MULTILINE)]
    json.dumps(game.box)


@EVERY
def test_its_shape_fits_its_samples_and_they_score(game: Game) -> None:
    rng = Random(f"shape {game.slug}")
    for _ in range(SAMPLES):
        state = sample(game.slug, rng)
        fit(state, game.shape)
        score_state(state, explain=False)


@EVERY
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rows_of_its_score_sheet_sum_to_the_totals(game: Game, language: str) -> None:
    rng = Random(f"rows {game.slug}")
    for _ in range(SAMPLES if game.rows else 0):
        found = score_state(sample(game.slug, rng), explain=False)
        assert not [line.key for player in found.players for line in player.lines if game.row(line.key) is None]
        for i, player in enumerate(found.players):
            points = [row["points"][i] for row in rows(found, language)]
            assert (None if None in points else sum(points)) == player.total


@EVERY
def test_what_is_typed_and_saved_is_part_of_its_state(game: Game) -> None:
    player = game.shape["players"][0]
    assert set(game.typed.table or ()) <= game.shape.keys()
    assert set(game.typed.player or ()) <= player.keys()
    assert game.typed.counter is None or player[game.typed.counter] is int
    assert game.typed.asked is None or game.typed.asked in game.shape
    assert game.saved is None or game.saved.key in game.shape


@OF_A_TABLE
def test_its_cards_are_known_named_and_become_a_state(game: Game) -> None:
    assert game.table is not None
    assert not [card for card in game.deck if mistake(game.table.cards, "", card)]
    for language in LANGUAGES:
        names = {game.card_words(card, words(language).say) for card in game.deck}
        assert not [name for name in names if re.search(rf"[{{}}?]|{game.slug}\.", name)]
    zones = {name: Zone(game.areas[name]) for name in game.mats}
    table = TableProfile("all", game.slug, zones=zones, cards=game.stickers)
    square = np.array([(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)])
    cards = tuple(
        Card(n, card, "A", square + np.array([10 * i, 0])) for i, (n, card) in enumerate(game.stickers.items())
    )
    made = read_state(TableReading((), cards, {}), table)
    fit(made.state, game.shape)
    assert any(place.startswith("/players/0/") for place in made.places)


@OF_A_TABLE
def test_its_markers_are_given_once(game: Game) -> None:
    numbers = [number for ids in game.areas.values() for number in ids] + list(game.stickers)
    assert len(numbers) == len(set(numbers))
    assert max(numbers) < IDS
    assert not set(ZONES) & set(game.zones)
    assert set(game.seats) <= set(game.mats)
