"""`watch` with map sheets under the camera, and profiles that cannot be used."""

import json

import cv2
import numpy as np
import pytest

from common.messages import Message
from companion.cli.main import main
from companion.words.words import words
from training.synth import demo

SHEET = demo.profile()


def written(folder, **changes):
    profile = {"name": "t", "game": "in-the-ruin", "sheet": "sheet.json", "players": ["A"], **changes}
    (folder / "sheet.json").write_text(json.dumps(SHEET))
    path = folder / "t.json"
    path.write_text(json.dumps({k: v for k, v in profile.items() if v is not None}))
    return path


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    path = tmp_path_factory.mktemp("film") / "film.avi"
    photo, _ = demo.filled_photo(seed=3, player=0)
    photo = cv2.resize(photo, (1000, 750), interpolation=cv2.INTER_AREA)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 12, (1000, 750))
    for _ in range(8):
        writer.write(photo)
    writer.release()
    return path


@pytest.mark.parametrize("zone", [None, {"A": {"polygon": [[0, 0], [1000, 0], [1000, 750], [0, 750]]}}])
def test_a_sheet_at_rest_is_read_and_scored(film, tmp_path, capsys, zone):
    path = written(tmp_path, zones=zone)
    assert main(["watch", str(film), "--table", str(path), "--json"]) == 0
    (said,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (sheet,) = said["sheets"]
    assert sheet["player"] == "A"
    assert sheet["map"] == said["state"]["players"][0]["map"]
    marked = sorted([r, c] for r, row in enumerate(sheet["map"]) for c, kind in enumerate(row) if kind != ".")
    assert sheet["changed"] == marked
    assert said["answer"]["players"][0]["name"] == "A"
    assert (said["moves"], said["slips"], said["turn_of"]) == ([], [], "A")
    assert main(["watch", str(film), "--table", str(path), "--json", "--no-referee"]) == 0
    assert said.keys() - json.loads(capsys.readouterr().out).keys() >= {"moves", "slips", "owed"}


def test_people_read_points_and_marks(film, tmp_path, capsys):
    assert main(["watch", str(film), "--table", str(written(tmp_path)), "--lang", "en"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("0.")
    assert "A" in first
    assert "■" in second


@pytest.mark.parametrize(
    ("level", "seconds", "said"),
    [(20, 1, "too dark"), (120, 1, "even color"), (20, 12, "too dark")],
)
def test_a_film_that_cannot_be_read_says_why_in_one_line(tmp_path, capsys, level, seconds, said):
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 4, (320, 240))
    for _ in range(4 * seconds):
        writer.write(np.full((240, 320, 3), level, np.uint8))
    writer.release()
    assert main(["watch", str(film), "--table", str(written(tmp_path)), "--lang", "en"]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("frames", [1, 8], ids=["one frame", "never at rest"])
def test_a_film_in_which_nothing_rests_says_so_in_one_line(tmp_path, capsys, frames, lang):
    film = tmp_path / "film.avi"
    photo = cv2.resize(demo.filled_photo(seed=3, player=0)[0], (1000, 750), interpolation=cv2.INTER_AREA)
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 12, (1000, 750))
    for k in range(frames):
        over = photo.copy()
        cv2.rectangle(over, (-40 + 60 * k, 500), (40 + 60 * k, 750), (110, 140, 190), -1)
        writer.write(over)
    writer.release()
    assert main(["watch", str(film), "--table", str(written(tmp_path)), "--lang", lang]) == 1
    said = words(lang).say("watch.ended", got=film, why=Message("rest.waiting"))
    assert capsys.readouterr() == ("", f"companion: {said}\n")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sheet": None}, "sheet: expected the file name of a sheet profile"),
        ({"sheet": "none.json"}, "none.json"),
        ({"players": []}, "players: expected 1 to 4 different names"),
        ({"players": ["A", "A"]}, "players: expected 1 to 4 different names"),
        ({"zones": {"B": {"polygon": [[0, 0], [9, 0], [9, 9]]}}}, "zones: expected a zone for each player"),
        ({"zones": {"A": {"polygon": [[0, 0]]}}}, "zones/A/polygon: expected at least three points"),
        ({"tile": 22}, "tile: expected one of"),
    ],
)
def test_a_profile_that_cannot_be_used_is_refused_in_one_line(tmp_path, capsys, changes, said):
    assert main(["watch", "none.avi", "--table", str(written(tmp_path, **changes))]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
