"""A photo of a whole table with cards on which nobody has drawn areas gives the points of all who sit there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from test_areas import SIZE, TABLES

from companion.reading.table_photos import see_table
from scoring import score_state
from vision.table.profile import TableProfile
from vision.table.reading import Card, TableReading

PHOTO = cv2.imencode(".png", np.zeros((SIZE[1], SIZE[0], 3), np.uint8))[1].tobytes()


class Eye:
    """Sees these cards, and in which of the profile's areas each lies."""

    def __init__(self, cards: list[Card], profile: TableProfile) -> None:
        self.cards, self.profile = cards, profile

    def read(self, image: np.ndarray, thorough: bool) -> TableReading:
        zones = {name: np.array(zone.polygon, np.float64) - 0.5 for name, zone in self.profile.zones.items()}

        def lies(card: Card) -> str | None:
            x, y = (float(at) for at in card.polygon.mean(0))
            inside = (n for n, p in zones.items() if cv2.pointPolygonTest(p.astype(np.float32), (x, y), False) > 0)
            return next(inside, None)

        return TableReading((), tuple(replace(card, zone=lies(card)) for card in self.cards), zones, ())


@pytest.mark.parametrize("name", ["two opposite"])
def test_each_who_sits_there_has_the_own_points(name: str) -> None:
    game, cards, seats = TABLES[name]
    worth = [replace(card, card={**card.card, "points": i % 5, "bonus": "red"}) for i, card in enumerate(cards)]
    bare = TableProfile("bare", game)
    seen = see_table(PHOTO, bare, lambda profile: Eye(worth, profile))
    state = seen.table.state
    points = {
        row["name"]: player.total for row, player in zip(state["players"], score_state(state).players, strict=True)
    }
    of = {id(card): i for i, card in enumerate(cards)}
    assert points == {seat: sum(of[id(card)] % 5 for card in mine) for seat, mine in seats.items() if seat != "market"}
    assert [problem.key for problem in seen.table.problems] == ["table.areas"]
    drawn = see_table(PHOTO, replace(bare, zones=seen.areas), lambda profile: Eye(worth, profile))
    assert drawn.table.state == state  # taken over into the profile, they give the same
    assert not drawn.areas


def test_where_nobody_has_anything_no_area_is_taken() -> None:
    game, _, seats = TABLES["two opposite"]
    seen = see_table(PHOTO, TableProfile("bare", game), lambda profile: Eye(list(seats["market"]), profile))
    assert (seen.areas, seen.table.state["players"]) == ({}, [])
