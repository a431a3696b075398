"""`python -m companion sheet`, as a person or a script meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import demo_sheets as demo
import numpy as np
import pytest

from companion.cli.main import main
from vision.sheet.blank import load_blank
from vision.sheet.profile import SheetProfile

LETTERS = demo.profile()["letters"]


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> Path:
    """A folder with a blank sheet, two filled ones, a wall and an empty file, and the sheet's profile."""
    folder = tmp_path_factory.mktemp("table")
    pictures = {"blank": demo.blank_photo(), "wall": np.full((600, 800, 3), 128, np.uint8)}
    for player in (0, 1):
        pictures[f"player{player}"] = demo.filled_photo(seed=3, player=player)[0]
    for name, picture in pictures.items():
        (folder / f"{name}.jpg").write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "endless.json").write_text(f'{{"A": [{"9" * 5000}, 1]}}')
    (folder / "twice.json").write_text('{"name": "s", "rows": 11, "cols": 11, "rows": 12}')
    (folder / "sheet.json").write_text(json.dumps(demo.profile()), "utf-8")
    return folder


def run(capsys, *words: object) -> tuple[int, str, str]:
    try:
        status = main(["sheet", *map(str, words)])
    except SystemExit as stop:
        status = int(stop.code or 0)
    out, err = capsys.readouterr()
    return status, out, err


def test_enroll_read_and_score(table, capsys):
    profile = table / "made.json"
    assert run(capsys, "enroll", table / "blank.jpg", "--out", profile)[0] == 0
    made = json.loads(profile.read_text("utf-8"))
    assert made["letters"] == LETTERS
    assert {k: len(v) for k, v in made["tracks"].items()} == {"gems": 10, "penalties": 10}
    assert made["blank"] == "made-blank.png"
    assert set(load_blank(SheetProfile.load(profile)).letters) == set(LETTERS)

    drawn = table / "drawn"
    status, out, _ = run(capsys, "read", table / "player0.jpg", "--sheet", profile, "--json", "--annotate", drawn)
    assert status == 0
    (reading,) = map(json.loads, out.splitlines())
    assert reading["photo"] == str(table / "player0.jpg")
    assert cv2.imread(str(drawn / "player0.jpg")).shape == demo.blank_photo().shape

    status, out, _ = run(
        capsys, "score", table / "player0.jpg", "--sheet", profile, "--goals", "AF,bt", "--escaped", 9, "--json"
    )
    assert status == 0
    answer = json.loads(out)
    (player,) = answer["players"]
    assert player["total"] == sum(line["points"] for line in player["lines"])
    assert answer["state"]["players"][0]["map"] == reading["map"]
    assert answer["state"]["players"][0]["goals"] == [["A", "F"], ["B", "T"]]


@pytest.mark.parametrize(
    ("flags", "printed"),
    [((), "{"), (("--json",), "{"), (("--out", "P"), "P: 11"), (("--out", "P", "--json"), "{")],
)
def test_enroll_prints_the_profile_or_where_it_lies(table, tmp_path, capsys, flags, printed):
    profile = tmp_path / "p.json"
    words = [profile if flag == "P" else flag for flag in flags]
    status, out, err = run(capsys, "enroll", table / "blank.jpg", *words, "--annotate", tmp_path / "drawn")
    assert (status, err) == (0, "")
    assert out.startswith(printed.replace("P", str(profile)))
    assert out.count("\n") == 1
    assert profile.exists() == ("--out" in flags)
    if printed == "{":
        made = json.loads(out)
        assert made["letters"] == LETTERS
        assert made.get("blank") == ("p-blank.png" if "--out" in flags else None)
        assert not profile.exists() or profile.read_text("utf-8") == out
    (drawn,) = (tmp_path / "drawn").iterdir()
    assert drawn.name == "blank.jpg"
    assert cv2.imread(str(drawn)).shape == demo.blank_photo().shape


def test_enrolling_a_filled_sheet_is_doubted_and_goes_on(table, capsys):
    status, out, err = run(capsys, "enroll", table / "player0.jpg", "--json")
    assert (status, "marks" in err, len(json.loads(out)["tracks"])) == (0, True, 2)


def test_score_draws_both_photos_as_read_does(table, tmp_path, capsys):
    earlier, later = table / "player0.jpg", table / "player1.jpg"
    common = ("--sheet", table / "sheet.json", "--json")
    words = ("score", later, "--first", earlier, *common)
    plain = run(capsys, *words)
    assert plain[0] == 0
    assert run(capsys, *words, "--annotate", tmp_path / "scored") == plain
    run(capsys, "read", later, earlier, *common, "--annotate", tmp_path / "read")
    for photo in (earlier, later):
        scored, read = (cv2.imread(str(tmp_path / of / photo.name)).astype(int) for of in ("scored", "read"))
        assert scored.shape == read.shape
        assert np.abs(scored - read).mean() < 1
        assert np.abs(scored - cv2.imread(str(photo))).mean() > 1


@pytest.mark.parametrize("verb", ["enroll", "read", "score"])
def test_a_photo_is_not_drawn_over_its_own_file(table, tmp_path, capsys, verb):
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(data := (table / "player0.jpg").read_bytes())
    sheet = () if verb == "enroll" else ("--sheet", table / "sheet.json")
    status, out, err = run(capsys, verb, photo, *sheet, "--annotate", tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith(f"companion: {photo}: ")
    assert "--annotate" in err
    assert photo.read_bytes() == data


@pytest.mark.parametrize("verb", ["read", "score"])
@pytest.mark.parametrize("blank", ["photo.jpg", "pictures/photo.jpg"])
def test_the_profiles_blank_picture_is_not_drawn_over(table, tmp_path, capsys, verb, blank):
    folder = tmp_path / "sheets"
    kept, profile = folder / blank, folder / "p.json"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(data := (table / "blank.jpg").read_bytes())
    profile.write_text(json.dumps({**demo.profile(), "blank": blank}))
    photo = tmp_path / "photo.jpg"
    photo.write_bytes((table / "player0.jpg").read_bytes())
    status, out, err = run(capsys, verb, photo, "--sheet", profile, "--annotate", kept.parent)
    assert (status, out) == (2, "")
    assert err.startswith(f"companion: {kept}: ")
    assert "--annotate" in err
    assert kept.read_bytes() == data
    assert run(capsys, verb, photo, "--sheet", profile, "--annotate", tmp_path / "drawn")[0] == 0


def test_letters_from_a_file_override_the_print(table, capsys):
    (table / "letters.json").write_text('{"A": [0, 0], "B": [1, 5]}', "utf-8")
    status, out, _ = run(capsys, "enroll", table / "blank.jpg", "--letters", table / "letters.json")
    assert status == 0
    assert json.loads(out)["letters"] == {"A": [0, 0], "B": [1, 5]}


def test_a_photo_that_cannot_be_read_does_not_stop_the_others(table, capsys):
    photos = [table / n for n in ("player0.jpg", "wall.jpg", "empty.jpg", "missing.jpg", "player1.jpg")]
    status, out, err = run(capsys, "read", *photos, "--sheet", table / "sheet.json", "--json")
    answers = list(map(json.loads, out.splitlines()))
    assert status == 1
    assert err == ""
    assert [a["photo"] for a in answers] == [str(p) for p in photos]
    assert ["error" in a for a in answers] == [False, True, True, True, False]
    assert all(list(a) == ["photo", "error"] for a in answers if "error" in a)


def test_several_photos_are_answered_in_order_as_each_would_be(table, capsys):
    photos = [table / f"player{n}.jpg" for n in (1, 0, 1)]
    drawn = table / "together"
    words = ("--sheet", table / "sheet.json", "--json", "--annotate", drawn)
    status, out, err = run(capsys, "read", *photos, *words)
    answers = list(map(json.loads, out.splitlines()))
    assert (status, err) == (0, "")
    assert [a["photo"] for a in answers] == [str(p) for p in photos]
    assert sorted(p.name for p in drawn.iterdir()) == ["player0.jpg", "player1.jpg", "player1_.jpg"]
    for photo, answer in zip(photos, answers, strict=True):
        alone = json.loads(run(capsys, "read", photo, "--sheet", table / "sheet.json", "--json")[1])
        truth = demo.filled_photo(seed=3, player=int(photo.stem[-1]))[1]
        assert {k: answer[k] for k in ("grid", "map", "ticks", "confidence")} == {
            k: alone[k] for k in ("grid", "map", "ticks", "confidence")
        }
        wrong = set(answer["destinations"]) ^ set(truth["destinations"])
        assert len(wrong) <= 1
        assert wrong <= answer["letter_doubts"].keys()


@pytest.mark.parametrize("blank", ["gone.png", "sheet.json", "wall.jpg"])
def test_a_blank_picture_of_no_use_is_said_and_left_aside(table, capsys, blank):
    profile = table / "with-blank.json"
    profile.write_text(json.dumps({**demo.profile(), "blank": blank}), "utf-8")
    status, out, err = run(capsys, "read", table / "player0.jpg", "--sheet", profile, "--json")
    alone = run(capsys, "read", table / "player0.jpg", "--sheet", table / "sheet.json", "--json")[1]
    assert (status, out) == (0, alone)
    assert err.startswith(f"companion: {profile}: its picture of the blank sheet is not used. ")
    assert err.count("\n") == 1
    assert blank in err


def test_for_people(table, capsys):
    status, out, err = run(capsys, "read", table / "player0.jpg", table / "wall.jpg", "--sheet", table / "sheet.json")
    assert status == 1
    assert "destinations" in out
    assert "wall.jpg" in err


@pytest.mark.parametrize(("words", "status", "said"), [
    (["read", "player0.jpg", "--sheet", "nothing.json"], 2, "nothing.json"),
    (["read", "player0.jpg", "--sheet", "empty.jpg"], 2, "expected JSON"),
    (["read", "player0.jpg", "--sheet", "twice.json"], 2, "rows: expected each key once, got rows twice"),
    (["read", "player0.jpg", "--sheet", "endless.json"], 2, "expected JSON"),
    (["score", "player0.jpg", "--sheet", "endless.json"], 2, "expected JSON"),
    (["enroll", "blank.jpg", "--letters", "endless.json"], 2, "too many digits"),
    (["score", "wall.jpg", "--sheet", "sheet.json"], 1, "wall.jpg"),
    (["score", "player0.jpg", "--sheet", "sheet.json", "--goals", "A"], 2, "pairs of two different letters"),
    (["score", "player0.jpg", "--sheet", "sheet.json", "--goals", "AZ"], 2, "letters of the sheet"),
    (["score", "player0.jpg", "--sheet", "sheet.json", "--escaped", "-3"], 2, "escaped"),
    (["score", "player0.jpg", "--sheet", "sheet.json", "--escaped", "99"], 2, "whole number from 1 to 48, got 99"),
    (["score", "player0.jpg", "--sheet", "sheet.json", "--escaped", "x"], 2, "whole number from 1 to 48, got x"),
    (["enroll", "wall.jpg"], 1, "wall.jpg"),
    (["enroll", "blank.jpg", "--letters", "sheet.json"], 2, "letters"),
    (["enroll", "blank.jpg", "--rows", "1"], 2, "2 to 40"),
    (["enroll", "blank.jpg", "--annotate", "empty.jpg"], 2, "empty.jpg"),
    (["score", "player0.jpg", "--sheet", "sheet.json", "--annotate", "empty.jpg"], 2, "empty.jpg"),
    (["read", "player0.jpg", "--sheet", "sheet.json", "--annotate", "empty.jpg"], 2, "empty.jpg"),
])  # fmt: skip
def test_bad_input_is_one_line(table, capsys, words, status, said):
    words = [str(table / w) if "." in w else w for w in words]
    got, out, err = run(capsys, *words)
    assert got == status
    assert out == ""
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_who_reads_a_sheet_loads_nothing_of_tables_other_games_and_cameras(table: Path) -> None:
    """All of it together costs a command for one photo a third of its time."""
    words = ["sheet", "read", str(table / "player0.jpg"), "--sheet", str(table / "sheet.json"), "--json"]
    others = ("vision.table.read", "vision.cards.deck", "scoring.splendor", "referee", "companion.sources")
    others += ("tqdm", "ssl", "numpy.ma", "numpy.random")
    code = (
        f"import sys; from companion.cli.main import main; main({words}); "
        f"sys.exit(','.join({{*{others}}} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["map"]
