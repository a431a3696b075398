"""`watch` on the command line, with a film that is drawn here and a reader that knows what it shows."""

import json

import cv2
import numpy as np
import pytest

from companion.cli.main import main
from vision.table.reading import TableReading, Tile

PROFILE = {
    "name": "t", "game": "twelve-seekers", "rule": 7,
    "zones": {"A": {"polygon": [[0, 0], [320, 0], [320, 240], [0, 240]]}},
}  # fmt: skip


class FakeReader:
    """Sees a red tile, and three where the picture's middle is dark."""

    def __init__(self, profile):
        self.profile = profile

    def read(self, image):
        colors = ["red"] if image[120, 160].mean() > 128 else ["red", "red", "gold"]
        square = np.array([[-8.0, -8], [8, -8], [8, 8], [-8, 8]])
        places = [np.array([20.0 + 20 * i, 20]) for i in range(3)]
        tiles = [
            Tile(c, "A", 0, i, at, square + at, 0.9) for i, (c, at) in enumerate(zip(colors, places, strict=False))
        ]
        return TableReading(tuple(tiles), (), {"A": np.array([[0.0, 0], [320, 0], [320, 240], [0, 240]])})


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.cli.watch.table_reader", FakeReader)
    path = tmp_path / "t.json"
    path.write_text(json.dumps(PROFILE))
    return path


@pytest.fixture
def film(tmp_path):
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 12, (320, 240))
    rng = np.random.default_rng(2)
    light = rng.integers(160, 200, (240, 320, 3)).astype(np.uint8)
    dark = light.copy()
    dark[112:128, 152:168] = 20
    for i in range(36):
        writer.write(light if i < 12 or i >= 24 else dark)
    writer.release()
    return path


def test_each_settled_state_is_a_line_of_json(table, film, capsys):
    assert main(["watch", str(film), "--table", str(table), "--json"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [len(a["tiles"]) for a in answers] == [1, 3, 1]
    assert 0.3 <= answers[0]["time"] <= 0.4
    assert answers[1]["state"]["players"] == [{"name": "A", "line": ["red", "red"], "gold": 1}]
    assert answers[1]["answer"]["players"][0]["total"] == 2
    assert answers[0].keys() >= {"photo", "tiles", "cards", "state", "doubtful", "time", "answer"}


def test_people_read_a_table(table, film, capsys):
    assert main(["watch", str(film), "--table", str(table), "--lang", "ja"]) == 0
    out = capsys.readouterr().out
    assert "秒" in out
    assert "A: 赤" in out


def test_photos_of_a_folder_are_states(table, tmp_path, capsys):
    folder = tmp_path / "photos"
    folder.mkdir()
    light = np.random.default_rng(2).integers(160, 200, (240, 320, 3)).astype(np.uint8)
    dark = light.copy()
    dark[112:128, 152:168] = 20
    for name, picture in (("1.png", light), ("2.png", dark), ("3.png", dark)):
        cv2.imwrite(str(folder / name), picture)
    (folder / "4.jpg").write_bytes(b"nothing")
    assert main(["watch", str(folder), "--table", str(table), "--json", "--lang", "en"]) == 1
    out, err = capsys.readouterr()
    answers = [json.loads(line) for line in out.splitlines()]
    assert [(len(a["tiles"]), a["photo"][-5:], a["time"]) for a in answers] == [(1, "1.png", 0.0), (3, "2.png", 1.0)]
    assert "4.jpg" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("source", "data", "said"),
    [
        ("nowhere.mp4", PROFILE, "no such file"),
        ("file:///etc/passwd", PROFILE, "http, https or rtsp"),
        ("http://127.0.0.1:1/x", PROFILE, "does not answer"),
        ("{table}", PROFILE, "no video"),
        ("{film}", {**PROFILE, "game": "chess"}, "game"),
        ("{film}", {**PROFILE, "zone": {}}, "zone"),
        ("{film}", None, "--table"),
    ],
)
def test_bad_input_is_one_line(source, data, said, table, film, capsys):
    if data is not None:
        table.write_text(json.dumps(data))
    source = source.format(table=table, film=film)
    profile = [] if data is None else ["--table", str(table)]
    assert main(["watch", source, *profile, "--lang", "en"]) in (1, 2)
    out, err = capsys.readouterr()
    assert not out
    assert said in err
    assert len(err.splitlines()) == 1


def test_cards_of_no_known_kind_are_said_and_the_table_is_followed(table, film, capsys):
    table.write_text(json.dumps({**PROFILE, "cards": {str(m): {"kind": "wizard"} for m in (40, 41)}}))
    assert main(["watch", str(film), "--table", str(table), "--json"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 3
    assert "cards/40/kind" in err
    assert len(err.splitlines()) == 1


def test_a_state_that_does_not_score_is_said_and_followed_on(table, film, capsys):
    table.write_text(json.dumps({key: value for key, value in PROFILE.items() if key != "rule"}))
    assert main(["watch", str(film), "--table", str(table), "--json", "--lang", "en"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == 3
    assert all("rule" in a["answer"]["error"] for a in answers)


LENS = {"name": "lens", "size": [320, 240], "matrix": [[300, 0, 160], [0, 300, 120], [0, 0, 1]],
        "distortion": [-0.3, 0, 0, 0, 0]}  # fmt: skip


def test_pictures_are_straightened_where_the_lens_is_known(table, film, tmp_path, monkeypatch, capsys):
    seen = []

    class Keeps(FakeReader):
        def read(self, image):
            seen.append(image)
            return super().read(image)

    monkeypatch.setattr("companion.cli.watch.table_reader", Keeps)
    lens = tmp_path / "lens.json"
    lens.write_text(json.dumps(LENS))
    for options in ([], ["--camera", str(lens)]):
        assert main(["watch", str(film), "--table", str(table), "--json", *options]) == 0
    plain, straight = seen[0], seen[len(seen) // 2]
    # A barrel's corners are pulled outwards: what stands there in the straight picture stood nearer to the middle.
    assert np.abs(straight[120, 160].astype(int) - plain[120, 160]).max() < 20
    assert straight.shape == plain.shape
    assert (straight[:4, :4] != plain[:4, :4]).any()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "JSON"), ('{"size": [1, 2]}', "size"), (json.dumps({**LENS, "zoom": 2}), "zoom"), (None, "no such file")],
)
def test_a_lens_that_is_none_is_said(table, film, tmp_path, capsys, text, said):
    lens = tmp_path / "lens.json"
    if text is not None:
        lens.write_text(text)
    assert main(["watch", str(film), "--table", str(table), "--camera", str(lens)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
