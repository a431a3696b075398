"""Destinations and gates: what classifiers say together, and what other photos of a sheet tell about a letter."""

from dataclasses import replace
from functools import cache

import cv2
import demo_sheets as demo
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.sheet import letter_fusion, read
from vision.sheet.blank import NONE, BlankError, blank_letters, load_blank
from vision.sheet.decisions import UNSURE
from vision.sheet.letter_classifier import SIDE, LetterProbabilities
from vision.sheet.letter_fusion import fused, letter_evidence, refine_across_photos
from vision.sheet.profile import SheetProfile
from vision.sheet.reading import LetterEvidence, SheetReading

PLAYERS = range(4)

NOTHING_OVER, A_WALL, A_PIECE = np.array([[[False], [False]], [[True], [False]], [[False], [True]]])
"""Whether a letter's cell is read as a wall, and whether something lies on it."""


@cache
def reading(seed: int, player: int) -> tuple[SheetReading, dict]:
    photo, truth = demo.filled_photo(seed, player)
    return read.read_sheet(photo, SheetProfile.from_json(demo.profile())), truth


@pytest.mark.parametrize(
    ("traced", "gate", "passage", "found", "doubtful"),
    [
        (0.02, 0.01, True, "nothing", False),
        (0.98, 0.01, True, "destination", False),
        (0.98, 0.98, True, "gate", False),
        (0.02, 0.98, True, "gate", False),
        (0.98, 0.98, False, "destination", False),
        (0.02, 0.98, False, "nothing", False),
        (0.52, 0.01, True, "destination", True),
        (0.55, 0.01, False, "nothing", True),  # few letters are traced that no passage has reached
        (0.7, 0.01, False, "destination", True),
        (0.48, 0.01, True, "nothing", True),
        (0.98, 0.52, True, "gate", True),
        (0.98, 0.52, False, "destination", False),
    ],
)
def test_what_is_made_of_a_letter(
    monkeypatch, traced: float, gate: float, passage: bool, found: str, doubtful: bool
) -> None:
    said = LetterProbabilities(np.array([traced]), np.array([gate]))
    monkeypatch.setattr(letter_fusion, "classify_letters", lambda _: said)
    kinds = np.array([[0.1, 0.9, 0.0] if passage else [0.9, 0.1, 0.0]])
    letters = letter_evidence({"K": (2, 3)}, np.zeros((1, SIDE, SIDE, 3), np.uint8), kinds, *NOTHING_OVER, said)
    seen = letter_fusion.fuse(letters)
    assert seen.destinations == (("K",) if found == "destination" else ())
    assert seen.gates == (((2, 3),) if found == "gate" else ())
    assert (seen.doubts["K"] > UNSURE) == doubtful


@pytest.mark.parametrize(
    ("judges", "pen", "is_gate", "doubtful"),
    [
        (0.1, 6.0, True, False),  # both judges miss two circles that the pen's cover shows
        (0.1, 3.0, True, True),
        (0.1, -3.0, False, False),
        (0.97, -4.0, True, False),  # a second outline that lies on the first
        (0.7, -4.0, True, True),
    ],
)
def test_what_the_pen_covers_tells_of_gates_too(judges: float, pen: float, is_gate: bool, doubtful: bool) -> None:
    said, kinds = LetterProbabilities(np.array([0.02]), np.array([judges])), np.array([[0.1, 0.9, 0.0]])
    picture = np.zeros((1, SIDE, SIDE, 3), np.uint8)
    letters = LetterEvidence({"K": (2, 3)}, picture, kinds, *NOTHING_OVER, said, said, has_templates=True)
    seen = letter_fusion.fuse(replace(letters, outlined=np.array([pen])))
    assert seen.gates == (((2, 3),) if is_gate else ())
    assert (seen.doubts["K"] > UNSURE) == doubtful


@pytest.mark.parametrize(
    ("judges", "pen", "circle", "found"),
    [
        (0.35, 4.0, True, "destination"),  # both judges are unsure, and the pen's cover shows a tracing
        (0.65, -4.0, True, "nothing"),
        (0.01, 4.0, True, "nothing"),
        (0.99, -4.0, True, "destination"),
        (0.35, 4.0, False, "nothing"),  # heard for circled letters alone
        (0.65, -4.0, False, "destination"),
    ],
)
def test_what_the_pen_covers_tells_of_traced_letters_in_circles(
    judges: float, pen: float, circle: bool, found: str
) -> None:
    said = LetterProbabilities(np.array([judges]), np.array([0.01]))
    kinds = np.array([[0.1, 0.9, 0.0] if circle else [0.9, 0.1, 0.0]])
    picture = np.zeros((1, SIDE, SIDE, 3), np.uint8)
    letters = LetterEvidence({"K": (2, 3)}, picture, kinds, *NOTHING_OVER, said, said, has_templates=True)
    seen = letter_fusion.fuse(replace(letters, traced_over=np.array([pen])))
    assert seen.destinations == (("K",) if found == "destination" else ())


@pytest.mark.parametrize(("unlike", "is_gate"), [(0.0, False), (1.0, True)], ids=["a known print", "an unlike one"])
def test_the_pens_cover_counts_more_where_the_judges_do_not_know_the_print(unlike: float, is_gate: bool) -> None:
    said, kinds = LetterProbabilities(np.array([0.02]), np.array([0.05])), np.array([[0.1, 0.9, 0.0]])
    picture = np.zeros((1, SIDE, SIDE, 3), np.uint8)
    letters = LetterEvidence({"K": (2, 3)}, picture, kinds, *NOTHING_OVER, said, said, has_templates=True)
    seen = letter_fusion.fuse(replace(letters, unlike=unlike, outlined=np.array([3.0])))
    assert seen.gates == (((2, 3),) if is_gate else ())


@pytest.mark.parametrize(
    ("judges", "pen", "width", "is_gate"),
    [
        (0.02, 3.0, None, False),
        (0.02, 3.0, 0.04, False),  # a ballpoint's second outline would show to the judges
        (0.02, 3.0, 0.2, True),  # a highlighter's has run into a spot
        (0.9, -3.0, 0.04, True),  # a second outline that lies on the first
        (0.9, -3.0, 0.2, False),  # a letter traced with a broad brush looks like a ring
    ],
)
def test_the_broader_the_pen_the_more_its_cover_tells_of_gates(
    judges: float, pen: float, width: float | None, is_gate: bool
) -> None:
    said, kinds = LetterProbabilities(np.array([0.02]), np.array([judges])), np.array([[0.1, 0.9, 0.0]])
    picture = np.zeros((1, SIDE, SIDE, 3), np.uint8)
    letters = LetterEvidence({"K": (2, 3)}, picture, kinds, *NOTHING_OVER, said, said, has_templates=True)
    seen = letter_fusion.fuse(replace(letters, outlined=np.array([pen]), pen_width=width))
    assert seen.gates == (((2, 3),) if is_gate else ())


@pytest.mark.parametrize(
    ("traced", "gate", "print_known", "kind", "found"),
    [
        (0.99, 0.99, True, "o", "gate"),
        (0.99, 0.01, True, "o", "destination"),
        (0.6, 0.01, True, "#", "nothing"),
        (0.01, 0.6, True, "#", "nothing"),
        (0.99, 0.99, False, "#", "nothing"),
    ],
)
def test_an_unsure_wall_is_none_if_its_letter_is_clearly_traced(
    traced: float, gate: float, print_known: bool, kind: str, found: str
) -> None:
    said = LetterProbabilities(np.array([traced]), np.array([gate]))
    kinds, picture = np.array([[0.1, 0.3, 0.6]]), np.zeros((1, SIDE, SIDE, 3), np.uint8)
    letters = LetterEvidence({"K": (0, 0)}, picture, kinds, *A_WALL, said, said, has_templates=print_known)
    seen = letter_fusion.fuse(letters)
    assert seen.no_walls == ({(0, 0): kind} if kind != "#" else {})
    assert seen.destinations == (("K",) if found == "destination" else ())
    assert seen.gates == (((0, 0),) if found == "gate" else ())


@pytest.mark.parametrize(
    ("traced", "gate", "circle", "found"),
    [
        (0.1, 0.95, 0.9, "gate"),  # both outlines show beside the pawn
        (0.95, 0.1, 0.9, "destination"),
        (0.1, 0.7, 0.9, "nothing"),  # perhaps: the cell is asked about anyway
        (0.7, 0.1, 0.9, "nothing"),
        (0.1, 0.95, 0.2, "nothing"),  # no circle, no gate
        (0.1, 0.1, 0.9, "nothing"),
    ],
)
def test_under_a_piece_a_letter_counts_if_what_still_shows_is_clear(
    traced: float, gate: float, circle: float, found: str
) -> None:
    said = LetterProbabilities(np.array([traced]), np.array([gate]))
    kinds, picture = np.array([[1 - circle, circle, 0.0]]), np.zeros((1, SIDE, SIDE, 3), np.uint8)
    letters = LetterEvidence({"K": (0, 0)}, picture, kinds, *A_PIECE, said, said, has_templates=True)
    seen = letter_fusion.fuse(letters)
    assert seen.destinations == (("K",) if found == "destination" else ())
    assert seen.gates == (((0, 0),) if found == "gate" else ())
    assert set(seen.doubts) == ({"K"} if found != "nothing" else set())
    assert not seen.no_walls


@pytest.mark.parametrize(
    ("circles", "traced", "asked"),
    [
        ((0.4, 0.5), 0.1, False),  # a dark pen would show on print
        ((0.05, 0.08), 0.05, False),
        ((0.05, 0.08), 0.1, True),  # one as pale as that would not
        ((0.14, 0.15), 0.17, True),
        ((0.05,), 0.15, False),  # one circle tells nothing of the pen
        ((0.05, np.nan), 0.15, False),
        ((0.05, 0.08), 0.85, False),  # what shows is seen
    ],
)
def test_where_the_pen_is_pale_a_letter_is_less_surely_plain(
    circles: tuple[float, ...], traced: float, asked: bool
) -> None:
    n = len(circles) + 1
    said = LetterProbabilities(np.full(n, traced), np.full(n, 0.01), np.array([*circles, 0.9]))
    kinds = np.array([[0.1, 0.9, 0.0]] * len(circles) + [[0.9, 0.1, 0.0]])
    shown = {"ABC"[k]: (k, 0) for k in range(n)}
    letters = LetterEvidence(
        shown, np.zeros((n, SIDE, SIDE, 3), np.uint8), kinds, *np.zeros((2, n), bool), said, said, has_templates=True
    )
    seen = letter_fusion.fuse(letters)
    assert [doubt > UNSURE for doubt in seen.doubts.values()] == [asked] * n
    assert len(seen.destinations) == (n if traced > 0.5 else 0)


@pytest.mark.parametrize(
    ("traced", "hidden", "asked"),
    [
        (0.05, 0.02, False),
        (0.05, 0.3, True),  # a pawn may lie on it, and nobody sees what is below
        (0.95, 0.3, False),  # what shows is seen
    ],
)
def test_a_letter_on_which_something_may_lie_is_asked_about(traced: float, hidden: float, asked: bool) -> None:
    said, where = LetterProbabilities(np.array([traced]), np.array([0.01])), (1, 2)
    letters = LetterEvidence(
        {"K": where}, np.zeros((1, SIDE, SIDE, 3), np.uint8), np.array([[0.9, 0.1, 0.0]]), *NOTHING_OVER, said, said
    )
    seen, _ = reading(0, 0)
    covered = np.zeros_like(seen.confidence)
    covered[where] = hidden
    judged = letter_fusion.with_letters(replace(seen, hidden=covered, doubtful_cells=()), letters)
    assert judged.doubtful == ((where,) if asked else ())


def scanned(photo: np.ndarray) -> np.ndarray:
    """Black and white, as a scanner makes it."""
    gray = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    mean = cv2.ADAPTIVE_THRESH_MEAN_C
    return cv2.cvtColor(cv2.adaptiveThreshold(gray, 255, mean, cv2.THRESH_BINARY, 41, 14), cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize(
    ("made", "asked"),
    [
        (lambda photo: photo, False),
        (lambda photo: cv2.convertScaleAbs(photo, alpha=1.3), False),  # overexposed
        (lambda photo: cv2.convertScaleAbs(photo, alpha=2.5, beta=-170), False),  # hard
        (scanned, True),
        (lambda photo: cv2.GaussianBlur(scanned(photo), (3, 3), 0), True),
    ],
    ids=["photo", "overexposed", "hard", "scan", "soft scan"],
)
def test_in_black_and_white_every_letter_is_asked_about(made, asked: bool) -> None:
    photo, _ = demo.filled_photo(0, 0)
    doubts = read.read_sheet(made(photo), SheetProfile.from_json(demo.profile())).letter_doubts
    assert doubts
    assert all(doubt > UNSURE for doubt in doubts.values()) == asked


@pytest.mark.parametrize(("print_known", "asked"), [(True, False), (False, True)])
def test_two_who_agree_on_a_circle_are_surer_together_where_the_print_is_known(print_known: bool, asked: bool) -> None:
    said = LetterProbabilities(np.array([0.99]), np.array([0.2]))
    kinds, picture = np.array([[0.1, 0.9, 0.0]]), np.zeros((1, SIDE, SIDE, 3), np.uint8)
    letters = LetterEvidence({"K": (0, 0)}, picture, kinds, *NOTHING_OVER, said, said, has_templates=print_known)
    seen = letter_fusion.fuse(letters)
    assert seen.destinations == ("K",)
    assert (seen.doubts["K"] > UNSURE) == asked


@pytest.mark.parametrize(
    ("on_the_blank_sheet", "then"),
    [
        ({}, (0.4, 0.4, 0.4)),  # no blank sheet
        ({"A": 0.1, "B": 0.1, "C": 0.1}, (0.4, 0.4, 0.4)),  # all look alike
        ({"A": 0.1, "B": 0.5, "C": 0.1}, (0.4, 0.18, 0.4)),  # B looks traced as it is printed
        ({"A": 0.01, "B": 0.1, "C": 0.1}, (0.69, 0.4, 0.4)),  # A looks plainer than the others
    ],
)
def test_what_looks_traced_on_the_blank_sheet_tells_less(
    on_the_blank_sheet: dict[str, float], then: tuple[float, ...]
) -> None:
    found = letter_fusion.relative_to_blank(np.full(3, 0.4), ["A", "B", "C"], on_the_blank_sheet)
    assert found == pytest.approx(then, abs=0.01)


@pytest.mark.parametrize(
    ("one", "other", "least", "most"),
    [
        (0.5, 0.5, 0.5, 0.5),
        (0.9, 0.1, 0.5, 0.5),
        (0.9, 0.9, 0.9, 0.9),
        (0.9, 0.5, 0.7, 0.8),
        (1.0, 0.0, 0.5, 0.5),
        (1.0, 1.0, 0.99, 1.0),
    ],
)
def test_two_classifiers_meet_in_the_middle(one: float, other: float, least: float, most: float) -> None:
    assert least - 1e-9 <= fused(np.array([one]), np.array([other]))[0] <= most + 1e-9


@given(st.floats(0, 1), st.floats(0, 1))
def test_two_classifiers_are_equals(one: float, other: float) -> None:
    there, back = fused(np.array([one]), np.array([other]))[0], fused(np.array([other]), np.array([one]))[0]
    assert there == pytest.approx(back)
    assert min(one, other) - 1e-3 <= there <= max(one, other) + 1e-3


def right(readings: list[SheetReading], truths: list[dict]) -> int:
    return sum(
        set(r.destinations) == set(t["destinations"]) and set(r.gates) == {tuple(g) for g in t["gates"]}
        for r, t in zip(readings, truths, strict=True)
    )


def test_photos_read_together_are_read_at_least_as_well() -> None:
    alone, truths = zip(*[reading(seed, player) for seed in range(3) for player in PLAYERS], strict=True)
    assert right(refine_across_photos(alone), truths) >= max(right(alone, truths), 11)


def test_together_only_letters_change_and_the_order_stays() -> None:
    alone = [reading(1, player)[0] for player in PLAYERS]
    both = refine_across_photos(alone)
    for one, other in zip(alone, both, strict=True):
        assert other.lattice is one.lattice
        assert (other.map, other.ticks) == (one.map, one.ticks)
        assert set(other.doubtful) >= set(one.doubtful_cells)


def test_what_a_letter_is_does_not_depend_on_the_order_of_the_photos() -> None:
    alone = [reading(2, player)[0] for player in PLAYERS]
    there, back = refine_across_photos(alone), refine_across_photos(alone[::-1])[::-1]
    for one, other in zip(there, back, strict=True):
        assert one.letters.by_letters.traced == pytest.approx(other.letters.by_letters.traced, abs=0.05)


@pytest.mark.parametrize("count", [0, 1])
def test_a_photo_without_others_stays_as_it_is(count: int) -> None:
    alone = [reading(0, player)[0] for player in range(count)]
    assert refine_across_photos(alone) == alone


def test_readings_without_letters_are_left_alone() -> None:
    bare = replace(reading(0, 0)[0], letters=None)
    out = refine_across_photos([bare, reading(0, 1)[0], bare, reading(0, 2)[0]])
    assert out[0] is bare
    assert out[2] is bare
    assert right([out[1], out[3]], [reading(0, 1)[1], reading(0, 2)[1]]) == 2


def with_blank(folder, picture: np.ndarray | bytes | None, **changes) -> SheetProfile:
    if picture is not None:
        data = picture if isinstance(picture, bytes) else cv2.imencode(".png", picture)[1].tobytes()
        (folder / "blank.png").write_bytes(data)
    return SheetProfile.from_json({**demo.profile(), "blank": "blank.png", **changes}, folder)


def test_a_profile_with_its_blank_sheet_reads_at_least_as_well(tmp_path) -> None:
    profile = with_blank(tmp_path, demo.blank_photo())
    assert set(blank_letters(profile)) == set(profile.letters)
    cases = [(seed, player) for seed in (0, 1) for player in PLAYERS]
    alone, truths = zip(*[reading(*case) for case in cases], strict=True)
    readings = [read.read_sheet(demo.filled_photo(*case)[0], profile) for case in cases]
    assert right(readings, truths) >= max(right(alone, truths), len(cases) - 1)
    widths = {player: r.letters.pen_width for (seed, player), r in zip(cases, readings, strict=True) if not seed}
    assert all(0.02 < width < 0.15 for width in widths.values()), widths
    assert all(r.letters.pen_width is None for r in alone), "nobody knows what the pen covers"


@pytest.mark.parametrize(
    "picture",
    [None, b"", b"no picture", np.full((400, 400, 3), 240, np.uint8), np.full((3, 3, 3), 240, np.uint8)],
    ids=["missing", "empty", "text", "white", "tiny"],
)
def test_a_blank_picture_of_no_use_is_left_aside(tmp_path, picture) -> None:
    profile = with_blank(tmp_path, picture)
    assert blank_letters(profile) == {}
    with pytest.raises(BlankError) as told:
        load_blank(profile)
    assert told.value.path.name == "blank.png"
    assert told.value.reason.key.startswith(("photo.", "sheet."))


def test_a_blank_picture_that_comes_later_is_seen(tmp_path) -> None:
    profile = with_blank(tmp_path, b"no picture yet")
    assert not blank_letters(profile)
    assert blank_letters(with_blank(tmp_path, demo.blank_photo()))


def test_a_profile_without_letters_needs_no_blank_sheet(tmp_path) -> None:
    assert load_blank(with_blank(tmp_path, None, letters={})) is NONE
