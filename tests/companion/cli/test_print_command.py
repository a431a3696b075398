"""`print` on the command line: what it writes, what it checks, what it refuses in one line."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.cli.main import main
from companion.games import FIRST, GAMES, table_games
from companion.words.catalog import LANGUAGES
from companion.words.words import words
from vision.table.profile import TableProfile

ROOT = Path(__file__).parents[3]


def test_pdf_and_profile_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdf, json = tmp_path / "a.pdf", tmp_path / "a.json"
    assert main(["print", "all", "--out", str(pdf), "--profile", str(json), "--lang", "ja", "--paper", "A3"]) == 0
    assert pdf.read_bytes().startswith(b"%PDF")
    table = TableProfile.load(json)
    assert set(table.zones) == {"A", "B", "dungeon"}
    assert set(table.cards) == set(GAMES[FIRST].stickers)
    said = capsys.readouterr()
    assert str(pdf) in said.out
    assert not said.err


REFUSED = [
    (["posters"], "posters"),
    (["mats", "--paper", "A5"], "A5"),
    (["stickers", "--game", "in-the-ruin"], "in-the-ruin"),
    (["mats", "--zones", "A,E"], "got E"),
    (["mats", "--zones", "A,bonus"], "got bonus"),
    (["mats", "--zones", "strip"], "got strip"),
    (["mats", "--zones", "A,A"], "A,A"),
    (["mats", "--join", "0x1"], "0x1"),
    (["mats", "--join", "9x9"], "9x9"),
    (["mats", "--ruler", "nan"], "nan"),
    (["mats", "photo.jpg"], "mats"),
    (["mats", "--out", "/no/such/folder/a.pdf"], "/no/such/folder/a.pdf"),
    (["check"], "--table"),
    (["check", "photo.jpg", "--table", "/no/such/profile.json"], "/no/such/profile.json"),
]


@pytest.mark.parametrize(("words", "named"), REFUSED)
def test_what_cannot_be_printed_is_said_in_one_line(
    words: list[str], named: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        status = main(["print", *words])
    except SystemExit as end:
        status = end.code
    said = capsys.readouterr()
    assert status == 2
    assert said.err.count("\n") == 1
    assert named in said.err
    assert not list(tmp_path.iterdir())


def photo_of(pdf: Path, photo: Path) -> None:
    """The first sheet, seen from aslant."""
    page = pypdfium2.PdfDocument(pdf)[0].render(scale=100 / 72).to_numpy()[..., :3]
    height, width = page.shape[:2]
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    seen = np.float32([[150, 60], [width - 40, 120], [width + 60, height], [60, height - 60]])
    view = cv2.getPerspectiveTransform(corners, seen)
    cv2.imwrite(str(photo), cv2.warpPerspective(page, view, (width + 120, height + 60), borderValue=(80, 110, 140)))


def test_a_photo_tells_whether_the_mat_is_the_profiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdf, right, wrong, photo = (tmp_path / name for name in ("a.pdf", "right.json", "wrong.json", "photo.png"))
    one = ["print", "mats", "--zones", "A", "--join", "1x1"]
    assert main([*one, "--out", str(pdf), "--profile", str(right)]) == 0
    assert main([*one, "--paper", "Letter", "--out", str(tmp_path / "b.pdf"), "--profile", str(wrong)]) == 0
    photo_of(pdf, photo)
    capsys.readouterr()
    assert main(["print", "check", str(photo), "--table", str(right)]) == 0
    assert "printed at the stated size" in capsys.readouterr().out
    assert main(["print", "check", str(photo), "--table", str(wrong)]) == 0
    width, height = TableProfile.load(right).zones["A"].size_mm
    found = re.search(r"it is (\d+) × (\d+) mm", capsys.readouterr().out)
    assert found
    assert [int(n) for n in found.groups()] == pytest.approx([width, height], rel=0.02)


def test_a_photo_that_is_none_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, bad, blank = tmp_path / "a.json", tmp_path / "bad.jpg", tmp_path / "blank.png"
    assert main(["print", "mats", "--out", str(tmp_path / "a.pdf"), "--profile", str(table)]) == 0
    bad.write_bytes(b"no photo")
    cv2.imwrite(str(blank), np.full((600, 800, 3), 90, np.uint8))
    capsys.readouterr()
    assert main(["print", "check", str(bad), str(blank), "--table", str(table)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [str(bad), *[str(blank)] * 3]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [game.slug for game in table_games()])
def test_every_sticker_says_where_it_belongs(game: str, language: str) -> None:
    labels = [GAMES[game].card_words(card, words(language).say) for card in GAMES[game].deck]
    assert all(labels)
    assert not [words for words in labels if re.search(r"[{}]|^[a-z-]+\.[a-z]", words)]
