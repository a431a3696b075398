"""`table read` and `calibrate colors` as a person runs them, on photos of a drawn table."""

from __future__ import annotations

import json

import cv2
import pytest

from companion.cli.main import main
from training.synth.table_photo import Area, DrawnTable, Placed, Setting
from vision.table.reading import COLORS

SETTING = Setting({"A": Area(120, 120, 420, 260)}, top="felt", seed=2, cards={60: {"kind": "seeker", "power": 3}})
ROW = [Placed(c, 190 + 30 * i, 200, 1) for i, c in enumerate(COLORS)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A photo of seven tiles in a row, with a card beside them; a bare table; the profile."""
    path = tmp_path_factory.mktemp("table")
    drawn = DrawnTable(SETTING)
    cv2.imwrite(str(path / "row.jpg"), drawn.photo([*ROW, Placed(60, 640, 250)]))
    cv2.imwrite(str(path / "bare.jpg"), drawn.photo())
    (path / "table.json").write_text(json.dumps(SETTING.profile("evening", rule=1).to_json()))
    (path / "broken.json").write_text('{"name": "x", "zoens": {}}')
    (path / "text.jpg").write_text("no photo")
    return path


def run(folder, capsys, *words):
    status = main([w.format(folder) for w in words])
    out = capsys.readouterr()
    return status, out.out, out.err


def test_a_photo_is_read(folder, capsys):
    status, out, _ = run(folder, capsys, "table", "read", "{}/row.jpg", "--table", "{}/table.json", "--json",
                         "--annotate", "{}/drawn")  # fmt: skip
    answer = json.loads(out)
    assert status == 0
    tiles = [t for t in answer["tiles"] if t["zone"]]
    assert [(t["zone"], t["row"], t["col"]) for t in tiles] == [("A", 0, i) for i in range(7)]
    wrong = [i for i, color in enumerate(COLORS) if tiles[i]["color"] != color]
    assert len(wrong) <= 1
    assert set(wrong) <= set(answer["doubtful"])
    assert [(c["marker"], c["card"], c["zone"]) for c in answer["cards"]] == [
        (60, {"kind": "seeker", "power": 3}, None)
    ]
    player = answer["state"]["players"][0]
    assert sum(player["gems"].values()) + player["gold"] == 7
    assert all(answer["tiles"][i]["confidence"] <= 1 for i in answer["doubtful"])
    assert cv2.imread(str(folder / "drawn" / "row.jpg")).shape == (960, 1280, 3)


def test_people_get_rows(folder, capsys):
    for language, row, card in (("en", "A: red", "cards: seeker 3"), ("ja", "A: 赤", "seeker 3")):
        status, out, _ = run(
            folder, capsys, "table", "read", "{}/row.jpg", "--table", "{}/table.json", "--lang", language
        )
        assert status == 0
        assert row in out.replace("?", "")
        assert card in out


def test_people_are_told_in_words_what_is_wrong(folder, capsys):
    data = json.loads((folder / "table.json").read_text())
    data["zones"]["B"] = {"markers": [80, 81, 82, 83]}
    (folder / "more.json").write_text(json.dumps(data))
    status, out, _ = run(folder, capsys, "table", "read", "{}/row.jpg", "--table", "{}/more.json", "--lang", "en")
    assert status == 0
    (said,) = [line for line in out.splitlines() if line.startswith("  ! ")]
    assert "B" in said
    assert "zone.missing" not in said


def test_a_photo_that_cannot_be_read_does_not_stop_the_others(folder, capsys):
    status, out, _ = run(folder, capsys, "table", "read", "{}/text.jpg", "{}/gone.jpg", "{}/bare.jpg",
                         "--table", "{}/table.json", "--json")  # fmt: skip
    first, second, third = map(json.loads, out.splitlines())
    assert status == 1
    assert "error" in first
    assert "error" in second
    assert [t for t in third["tiles"] if t["zone"]] == []


BAD = (
    ("table", "read", "{}/row.jpg", "--table", "{}/broken.json"),
    ("table", "read", "{}/row.jpg", "--table", "{}/gone.json"),
    ("calibrate", "colors", "{}/row.jpg", "--table", "{}/broken.json", "--out", "{}/p.json"),
    ("calibrate", "colors", "{}/gone.jpg", "--table", "{}/table.json", "--out", "{}/p.json"),
)


@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_bad_input_gets_one_line(folder, capsys, words):
    status, out, err = run(folder, capsys, *words)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


def test_colors_are_learned_and_used(folder, capsys):
    palette = ("calibrate", "colors", "{}/row.jpg", "--table", "{}/table.json", "--out", "{}/palette.json")
    assert run(folder, capsys, *palette)[0] == 0
    data = json.loads((folder / "table.json").read_text())
    (folder / "with.json").write_text(json.dumps({**data, "palette": "palette.json"}))
    status, out, _ = run(folder, capsys, "table", "read", "{}/row.jpg", "--table", "{}/with.json", "--json")
    assert status == 0
    assert [t["color"] for t in json.loads(out)["tiles"] if t["zone"]] == list(COLORS)


def test_a_photo_without_the_row_teaches_nothing(folder, capsys):
    status, _, err = run(folder, capsys, "calibrate", "colors", "{}/bare.jpg", "--table", "{}/table.json",
                         "--out", "{}/none.json")  # fmt: skip
    assert status == 1
    assert "7 tiles" in err
    assert not (folder / "none.json").exists()
