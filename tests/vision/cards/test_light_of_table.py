"""The hue of a table's light, told by cards that come in several hues."""

import numpy as np
import pytest

from vision.cards.find import agreed_light, light_on

LIGHT = np.array([-0.1, 0.025, 0.075])
HUES = np.array([[0.25, -0.15, -0.1], [-0.25, 0.05, 0.2], [0.05, 0.2, -0.25]])


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
    assert light is None or np.abs(light.hue - LIGHT).max() < 1e-6


REDDISH = np.array([0.8, 1.0, 1.15])
CARDS = np.array([[30.0, 60, 150], [140, 70, 40], [60, 150, 90], [120, 120, 110], [40, 140, 160]])


def shown(color, strength, light=REDDISH):
    """What a camera makes of a color in a light, that shows colors stronger or weaker."""
    lit = color * light
    return lit.mean() + strength * (lit - lit.mean())


@pytest.mark.parametrize("strength", [0.7, 1.0, 1.2])
def test_a_card_has_its_own_color_however_strong_a_camera_shows_it_and_a_stranger_has_not(strength):
    stranger = shown(CARDS[0], strength), CARDS[1]
    light = light_on([*((shown(color, strength), color) for color in CARDS), stranger])
    assert max(light.apart(shown(color, strength), color) for color in CARDS) < 0.08
    assert light.apart(*stranger) > 0.3
