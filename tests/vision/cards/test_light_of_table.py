"""The hue of a table's light, told by cards that come in several hues."""

import numpy as np
import pytest

from vision.cards.find import agreed_light

LIGHT = np.array([-0.2, 0.05, 0.15])
HUES = np.array([[0.5, -0.3, -0.2], [-0.5, 0.1, 0.4], [0.1, 0.4, -0.5]])


def seen(*own):
    """How each card's hue differs from each of the three, in that light; `own`: which is its own."""
    return [[LIGHT + HUES[k] - hue for hue in HUES] for k in own]


@pytest.mark.parametrize(
    ("tints", "told"),
    [
        pytest.param(seen(0, 1, 2, 1), True, id="cards of three hues agree on one light"),
        pytest.param(seen(0, 1), False, id="two cards are too few"),
        pytest.param([*seen(0, 1, 2, 1), []], True, id="a card of which nothing was measured says nothing"),
        pytest.param([[LIGHT, -LIGHT]] * 3, False, id="cards of one hue may lie in one light or another"),
    ],
)
def test_the_light_is_told_where_no_other_would_do(tints, told):
    light = agreed_light(tints)
    assert (light is not None) == told
    assert light is None or np.abs(light - LIGHT).max() < 1e-6
