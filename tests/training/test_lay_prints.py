"""Drawn letters beside their print, as the networks learn from them."""

import numpy as np
import pytest

from training.draw_traces import draw_sheets, faces
from training.lay_prints import sheet_prints
from vision.sheet.letter_classifier import SIDE, WHITE
from vision.sheet.tracing_features import FEATURES, NEAR_STROKES

SEEDS = range(4)
Drawn = list[tuple[list[np.ndarray], list[np.ndarray], list[tuple[np.ndarray, np.ndarray, np.ndarray]]]]


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    """Some prints, three sheets each, the first clean; letters of plain strokes, no font file is needed."""
    out = []
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        crops, labels, _ = draw_sheets(rng, faces([], rng, 2), 3)
        out.append((list(crops), list(labels), sheet_prints(list(crops), list(labels), rng)))
    return out


def test_every_sheet_gets_its_prints(drawn: Drawn) -> None:
    for crops, labels, laid in drawn:
        assert len(laid) == len(crops)
        for known, rest, features in laid:
            n = len(labels[0])
            assert known.shape == rest.shape == (n, SIDE, SIDE)
            assert known.dtype == rest.dtype == np.uint8
            assert features.shape == (n, FEATURES)
            assert np.isfinite(features).all()


def test_the_clean_sheet_only_serves_the_others(drawn: Drawn) -> None:
    for _, labels, laid in drawn:
        known, rest, features = laid[0]
        assert not labels[0][:, :2].any()
        assert (known == WHITE).all()
        assert (rest == 128).all()
        assert not features.any()


def test_where_the_print_is_not_known_it_is_white_and_nothing_is_left_over(drawn: Drawn) -> None:
    for _, _, laid in drawn:
        for known, rest, features in laid[1:]:
            bare = features[:, 0] == 0
            assert (known[bare] == WHITE).all()
            assert (rest[bare] == 128).all()
            assert (known[~bare].min((1, 2)) < WHITE).all()


def test_traced_letters_are_darker_beside_their_strokes(drawn: Drawn) -> None:
    features = np.concatenate([t for _, _, laid in drawn for _, _, t in laid[1:]])
    labels = np.concatenate([row for _, labels, _ in drawn for row in labels[1:]])
    seen = (features[:, 0] > 0) & (labels[:, 2] < 2)
    plain, traced = (features[seen & (labels[:, 0] == kind), NEAR_STROKES] for kind in (0, 1))
    assert min(len(plain), len(traced)) > 10
    assert np.median(traced) > np.median(plain) + 0.02


def test_tracing_that_nobody_sees_is_told_from_what_is_seen() -> None:
    changes: dict[int, list[float]] = {0: [], 1: [], 3: []}
    for seed in range(12):
        rng = np.random.default_rng(seed)
        crops, labels, _ = draw_sheets(rng, faces([], rng, 2), 3)
        for sheet, marks in zip(crops[1:], labels[1:], strict=True):
            changed = np.abs(sheet.astype(float) - crops[0])[:, 12:-12, 12:-12].mean((1, 2, 3))
            for change, (traced, _, around) in zip(changed, marks, strict=True):
                if not around and traced in changes:
                    changes[traced].append(change)
    plain, seen, unseen = (np.median(changes[kind]) for kind in (0, 1, 3))
    assert len(changes[3]) > 4
    assert abs(unseen - plain) < abs(seen - unseen)
