"""Letters against their templates: residuals, features, and what the classifier makes of them."""

import cv2
import numpy as np
import pytest

from vision.sheet.letter_classifier import SIDE, WHITE, classify_letters
from vision.sheet.letter_templates import fit_blur_and_gain
from vision.sheet.tracing_features import (
    FEATURES,
    GAIN,
    NEAR_STROKES,
    pen_darkness,
    relative_to_peers,
    tracing_features,
)

LETTERS = "ABDEFGHKNR"


def printed(text: str, thick: int = 2, blur: float = 1.0, ink: int = 40) -> np.ndarray:
    out = np.full((SIDE, SIDE, 3), WHITE, np.uint8)
    cv2.putText(out, text, (22, 41), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (ink,) * 3, 2, cv2.LINE_AA)
    out = cv2.erode(out, np.ones((thick - 1, thick - 1), np.uint8))
    return cv2.GaussianBlur(out, (0, 0), blur)


def darkness(pictures: list[np.ndarray]) -> np.ndarray:
    return 1 - np.stack([cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in pictures]).astype(np.float32) / WHITE


@pytest.mark.parametrize(("blur", "ink"), [(1.0, 40), (1.0, 90), (2.2, 40), (2.2, 90)])
def test_a_blurred_or_pale_photo_is_explained_by_its_print(blur: float, ink: int) -> None:
    known = darkness([printed(c) for c in LETTERS])
    found = fit_blur_and_gain(darkness([printed(c, blur=blur, ink=ink) for c in LETTERS]), known)
    assert np.abs(found.residual).max() < 0.1
    assert found.blur == pytest.approx(np.full(len(LETTERS), (blur**2 - 1) ** 0.5), abs=0.5)
    assert found.gain == pytest.approx(np.full(len(LETTERS), (WHITE - ink) / (WHITE - 40)), rel=0.1)


def test_what_was_added_is_what_the_print_does_not_explain() -> None:
    found = fit_blur_and_gain(darkness([printed("E"), printed("E", thick=5)]), darkness([printed("E")] * 2))
    plain, traced = np.clip(found.residual, 0, None).sum((1, 2))
    assert traced > 10 * plain


def seen(traced: str, known: bool = True, order: int = 1) -> np.ndarray:
    """The classifier's probabilities for a row of letters."""
    pictures = np.stack([printed(c, thick=4 if c in traced else 2) for c in LETTERS])
    prints = [(cv2.cvtColor(printed(c), cv2.COLOR_BGR2GRAY), 0.95) if known else None for c in LETTERS]
    return classify_letters(pictures[::order], prints[::order]).traced[::order]


@pytest.mark.parametrize("traced", ["A", "BK", "DGR"])
def test_the_bold_ones_are_traced_and_the_others_are_not(traced: str) -> None:
    chances = dict(zip(LETTERS, seen(traced), strict=True))
    assert {c for c, p in chances.items() if p > 0.5} == set(traced)


def test_a_print_that_nobody_knows_is_none() -> None:
    pictures = np.stack([printed(c) for c in LETTERS])
    assert seen("", known=False) == pytest.approx(classify_letters(pictures).traced)


def test_what_one_knows_of_the_print_tells_more() -> None:
    both = np.array([c in "BK" for c in LETTERS])
    sure, even = (np.where(both, chances, 1 - chances).min() for chances in (seen("BK"), seen("BK", known=False)))
    assert sure > even


def test_the_order_of_the_letters_does_not_matter() -> None:
    assert seen("BK") == pytest.approx(seen("BK", order=-1), abs=0.1)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_letters_are_judged_too(count: int) -> None:
    pictures = np.stack([printed(c) for c in LETTERS])[:count]
    prints = [(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), 1.0) for p in pictures]
    found = classify_letters(pictures, prints)
    assert found.traced.shape == found.gate.shape == (count,)
    assert np.isfinite(found.traced).all()


def test_blank_paper_breaks_nothing() -> None:
    white = np.full((3, SIDE, SIDE, 3), WHITE, np.uint8)
    features, rest = tracing_features(white, white[..., 0], np.ones(3), WHITE)
    assert features.shape == (3, FEATURES)
    assert np.isfinite(features).all()
    assert np.abs(rest).max() == 0


def test_without_a_template_there_are_no_features() -> None:
    pictures = np.stack([printed(c) for c in "AB"])
    known = np.stack([cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in pictures])
    features, rest = tracing_features(pictures, known, np.array([0.0, 0.9]), WHITE)
    assert not features[0].any()
    assert not rest[0].any()
    assert features[1, 0] == pytest.approx(0.9)


def features_of(*more: float) -> np.ndarray:
    out = np.zeros((len(more), FEATURES), np.float32)
    out[:, 0], out[:, NEAR_STROKES] = 0.9, more
    return out


@pytest.mark.parametrize(
    ("more", "odds", "traced"),
    [
        ((0, 0, 0.01, 0, -0.01, 0, 0.15), (-3, -3, -3, -3, -3, -3, -0.5), "......T"),
        ((0, 0, 0.01, 0, -0.01, 0, 0.00), (-3, -3, -3, -3, -3, -3, 0.2), "......."),
        ((0.1, 0.1, 0.11, 0.1, 0.09, 0.1, 0.1), (-3, -3, -3, -3, -3, -3, 0.2), "......."),
        ((0.1, 0.1, 0.11, 0.1, 0.09, 0.1, 0.1), (4, 4, 4, 4, 4, 4, 4), "TTTTTTT"),
        ((0.1,), (0.3,), "T"),
    ],
    ids=["stands out", "does not", "all alike", "all traced", "alone"],
)
def test_who_stands_out_from_plain_peers_is_traced(more: tuple, odds: tuple, traced: str) -> None:
    out = relative_to_peers(features_of(*more), np.array(odds, float))
    assert "".join("T" if o > 0 else "." for o in out) == traced


@pytest.mark.parametrize(
    ("gain", "traced"),
    [
        ((0, 0.02, -0.01, 0, 0.01, 0, 0.5), "......T"),
        ((0, 0.02, -0.01, 0, 0.01, 0, -0.5), "......T"),
        ((0, 0.02, -0.01, 0, 0.01, 0, 0.01), "......."),
        ((0.4, 0.5, 0.4, 0.5, 0.4, 0.5, 0.5), "......."),
    ],
    ids=["darker than the others", "paler", "like the others", "all darker than their print"],
)
def test_ink_makes_gray_print_darker_and_graphite_black_print_paler(gain: tuple, traced: str) -> None:
    features = features_of(*[0.0] * len(gain))
    features[:, GAIN] = gain
    out = relative_to_peers(features, np.array([-3.0] * (len(gain) - 1) + [0.0]))
    assert "".join("T" if o > 0 else "." for o in out) == traced


def test_letters_whose_print_is_not_known_stay_as_they_are() -> None:
    odds = np.array([-2.0, 0.3, 1.5])
    assert relative_to_peers(np.zeros((3, FEATURES), np.float32), odds) == pytest.approx(odds)


@pytest.mark.parametrize("ink", [0.05, 0.2, 0.6])
@pytest.mark.parametrize("drawn", ["circle", "tracing"])
def test_a_pens_darkness_shows_in_what_it_drew_beside_the_letter(ink: float, drawn: str) -> None:
    known = np.stack([cv2.cvtColor(printed(c), cv2.COLOR_BGR2GRAY) for c in LETTERS])
    rest = np.zeros((len(LETTERS), SIDE, SIDE), np.float32)
    if drawn == "circle":
        for one in rest:
            cv2.circle(one, (SIDE // 2, SIDE // 2), 20, ink, 4)
    else:
        rest[known < 0.8 * WHITE] = ink
    found = pen_darkness(rest, known, WHITE)
    assert found == pytest.approx(ink if drawn == "circle" else 0, abs=0.15 * ink)
