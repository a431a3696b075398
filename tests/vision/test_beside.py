"""Letters judged beside their print: the cues, what is usual among sisters, and the judge."""

import cv2
import numpy as np
import pytest

from vision.network import MODELS
from vision.sheet.beside import among_sisters, cues, decide
from vision.sheet.printed import match
from vision.sheet.traces import SIDE, WHITE, Traces, judge_beside

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
    found = match(darkness([printed(c, blur=blur, ink=ink) for c in LETTERS]), known)
    assert np.abs(found.rest).max() < 0.1
    assert found.blur == pytest.approx(np.full(len(LETTERS), (blur**2 - 1) ** 0.5), abs=0.5)
    assert found.gain == pytest.approx(np.full(len(LETTERS), (WHITE - ink) / (WHITE - 40)), rel=0.1)


def test_what_was_added_is_what_the_print_does_not_explain() -> None:
    found = match(darkness([printed("E"), printed("E", thick=5)]), darkness([printed("E")] * 2))
    plain, traced = np.clip(found.rest, 0, None).sum((1, 2))
    assert traced > 10 * plain


def seen(traced: str, known: bool = True) -> np.ndarray:
    """The judge's chances for a row of letters; the first look knows nothing."""
    pictures = np.stack([printed(c, thick=4 if c in traced else 2) for c in LETTERS])
    prints = [(cv2.cvtColor(printed(c), cv2.COLOR_BGR2GRAY), 0.95) if known else None for c in LETTERS]
    even = Traces(np.full(len(LETTERS), 0.4), np.full(len(LETTERS), 0.1))
    out = judge_beside(pictures, prints, np.zeros(len(LETTERS), bool), even)
    assert (out.gate == even.gate).all()
    return out.traced


@pytest.mark.parametrize("traced", ["A", "BK", "DGR"])
def test_the_bold_ones_are_traced_and_the_others_are_not(traced: str) -> None:
    chances = dict(zip(LETTERS, seen(traced), strict=True))
    assert min(chances[c] for c in traced) > max(p for c, p in chances.items() if c not in traced)
    assert {c for c, p in chances.items() if p > 0.5} == set(traced)


def test_without_any_print_the_first_look_stays_even() -> None:
    chances = seen("AK", known=False)
    assert np.ptp(chances) < 1e-6


def test_the_order_of_the_letters_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    single, sure, first = rng.normal(0, 1, (9, 22)), rng.random(9), rng.normal(0, 2, (9, 2))
    passage = rng.random(9) < 0.5
    there = decide(among_sisters(single, sure, first, passage))
    back = decide(among_sisters(single[::-1], sure[::-1], first[::-1], passage[::-1]))[::-1]
    assert there == pytest.approx(back, abs=1e-4)


@pytest.mark.parametrize("count", [1, 2])
def test_few_letters_are_judged_too(count: int) -> None:
    pictures = np.stack([printed(c) for c in LETTERS[:count]])
    known = np.stack([cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in pictures])
    out = decide(
        among_sisters(
            cues(pictures, known, np.ones(count), WHITE), np.ones(count), np.zeros((count, 2)), np.zeros(count, bool)
        )
    )
    assert np.isfinite(out).all()


def test_blank_paper_breaks_nothing() -> None:
    white = np.full((3, SIDE, SIDE, 3), WHITE, np.uint8)
    assert np.isfinite(cues(white, white[..., 0], np.ones(3), WHITE)).all()


def test_all_weights_for_letters_are_small() -> None:
    assert sum((MODELS / name).stat().st_size for name in ("traces.onnx", "beside.npz")) < 900_000
