"""What comparing pictures rests on: as it would be done in a line, only faster."""

import numpy as np
import pytest

from vision.cards.compare import median
from vision.cards.features import Points
from vision.cards.poses import SETTINGS, votes


@pytest.mark.parametrize("many", [1, 2, 3, 8, 9, 4001, 4002])
@pytest.mark.parametrize("alike", [False, True])
def test_a_median_is_numpys_own_to_the_last_bit(many, alike):
    values = np.random.default_rng(many).normal(0, 90, many).astype(np.float32)
    if alike:
        values = np.round(values / 60)
    assert median(values) == float(np.median(values))


@pytest.mark.parametrize("many", [0, 1, SETTINGS.at_once, 2 * SETTINGS.at_once + 7])
def test_each_point_of_a_picture_votes_for_the_points_of_the_deck_that_look_most_like_it(many):
    rng = np.random.default_rng(5)
    of_deck, of_picture = (_points(rng, n) for n in (40, many))
    apart = ((of_picture.look[:, None].astype(int) - of_deck.look[None].astype(int)) ** 2).sum(2)
    nearest = np.argsort(apart, axis=1)[:, : SETTINGS.looks]
    expected = {
        (i, *of_deck.place[k].tolist())
        for i in range(many)
        for k in nearest[i].tolist()
        if apart[i, k] < SETTINGS.most_different**2
    }
    cast = votes(of_picture, of_deck)
    assert {(int(i), *place.tolist()) for i, place in zip(cast.point, cast.place, strict=True)} == expected
    assert len(cast.point) == len(expected)
    assert many < SETTINGS.at_once or 0 < len(expected) < SETTINGS.looks * many


def _points(rng, many):
    look = rng.integers(0, 72, (many, 128)).astype(np.uint8)
    look[::3] = np.minimum(look[::3], 35)
    return Points(rng.uniform(-40, 40, (many, 2)), rng.uniform(1, 3, many), rng.uniform(-3, 3, many), look)
