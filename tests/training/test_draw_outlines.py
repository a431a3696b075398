"""What a pen covers is drawn as the reader measures it."""

import numpy as np

from training.draw_outlines import photographed_covers, random_sketch, sketched
from training.draw_traces import Manner, faces
from vision.sheet.outlines import SIDE, outlined_twice


def test_sketches_look_to_the_network_as_what_they_are() -> None:
    rng = np.random.default_rng(3)
    every = faces([], rng, 2)
    drawn = [one for _ in range(40) if (one := sketched(rng, random_sketch(rng, every)))]
    covers, gates = np.stack([cover for cover, _ in drawn]), np.array([gate for _, (gate, _) in drawn])
    assert covers.shape == (len(drawn), 3, SIDE, SIDE)
    assert np.isfinite(covers).all()
    said = outlined_twice(covers, covers[:0])
    assert np.median(said[gates]) > np.median(said[~gates]) + 1


def test_photographed_letters_are_covered_by_their_circles_only() -> None:
    rng = np.random.default_rng(1)
    covers, labels = photographed_covers(rng, faces([], rng, 2), Manner(bright=0.5, within=0.5, bare=4))
    assert covers.shape == (len(labels), 3, SIDE, SIDE)
    bare = labels[:, 0] == 2
    assert all((labels[bare, 2] == sheet).sum() <= 4 for sheet in set(labels[:, 2]))
    assert bare.any()
    assert not labels[bare, 1].any(), "what has no letter is not traced"
    assert 0.02 < (covers[:, 0, 4:-4, 4:-4] > 0.5).mean() < 0.6
    assert set(labels[~bare, :2].ravel().tolist()) <= {0, 1}
    assert (np.diff(labels[:, 2].astype(int)) >= 0).all(), "sheet by sheet"


def test_circles_without_a_letter_are_single_and_show_no_print() -> None:
    rng = np.random.default_rng(4)
    every = faces([], rng, 2)
    drawn = [sketched(rng, random_sketch(rng, every), bare=True) for _ in range(40)]
    assert all(one is not None and one[1] == (False, False) for one in drawn)
    printed = np.stack([one[0][2, 6:-6, 6:-6] for one in drawn if one])
    assert printed.mean() < 0.15
