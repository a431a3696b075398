"""What pens cover of letters is drawn as the reader measures it."""

import numpy as np

from training.draw_traces import faces
from training.draw_tracings import photographed_tracings
from vision.sheet.letter_classifier import SIDE
from vision.sheet.tracings import LAYERS, traced_over


def test_drawn_tracings_look_to_the_network_as_what_they_are() -> None:
    rng = np.random.default_rng(5)
    every = faces([], rng, 3)
    sheets = [sheet for _ in range(3) for sheet in photographed_tracings(rng, every)]
    said, traced = [], []
    for layers, labels, inks in sheets:
        n = len(labels)
        assert layers.shape == (n, LAYERS, SIDE, SIDE)
        assert np.isfinite(layers).all()
        assert inks.shape == (n, SIDE // 4, SIDE // 4)
        assert (labels[:, 2] < 2).all(), "nothing under a wall"
        assert inks[labels[:, 0] == 0].max(initial=0) == 0, "no tracing on what nobody traced"
        said.append(traced_over(layers)[labels[:, 0] < 2])
        traced.append(labels[:, 0][labels[:, 0] < 2] == 1)
    odds, told = np.concatenate(said), np.concatenate(traced)
    assert 0.05 < told.mean() < 0.8
    assert np.median(odds[told]) > np.median(odds[~told]) + 2
