"""The same photos give the same readings by every door: the page, the command line, the benches' pipeline."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest
from acting import GAME, Page
from flask import Flask
from PIL import Image, ImageDraw

from companion.cli.main import main
from companion.demo import FILLED
from companion.reading.pipeline import judged_together, see_sheet
from companion.web import create_app
from companion.web.services import services_of
from training.synth.arrangements import arranged
from vision.sheet.packed import packed, unpacked
from vision.sheet.profile import SheetProfile

READ = ("map", "destinations", "gates", "ticks", "confidence", "doubtful", "letter_doubts", "tick_doubts", "written")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The page with real eyes."""
    return create_app(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def page(app: Flask) -> Iterator[Page]:
    with app.test_client() as client:
        yield Page(client)


@pytest.fixture(scope="module")
def sheet(page: Page) -> str:
    return page.enroll_demo()


def known(app: Flask, play: str) -> list[dict]:
    """The readings of a play's photos, as they count now, in the order in which the photos came."""
    edits = services_of(app).store.edits(play)
    read = {edit["photo"]: dict(edit["reading"]) for edit in edits if edit["kind"] == "read"}
    for edit in edits:
        if edit["kind"] == "judged-again":
            read[edit["photo"]] |= edit["reading"]
    return [{key: one[key] for key in READ if key in one} for one in read.values()]


def test_page_and_command_line_read_the_same_photos_alike(
    app: Flask, page: Page, sheet: str, capsys: pytest.CaptureFixture
) -> None:
    play = page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"]
    for file in FILLED:
        page.photograph(play, file.read_bytes())
    profile = services_of(app).store.sheet_file(sheet)
    assert main(["sheet", "read", *map(str, FILLED), "--sheet", str(profile), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert known(app, play) == [{key: line[key] for key in READ if key in line} for line in lines]
    shown = page.view(play)["players"]
    assert [one["sheets"]["end"]["map"] for one in shown] == [line["map"] for line in lines]
    assert [one["sheets"]["end"]["destinations"] for one in shown] == [line["destinations"] for line in lines]


def test_several_sheets_in_one_photo_are_several_players_and_lines(
    app: Flask, page: Page, sheet: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    photo, profile = tmp_path / "together.png", services_of(app).store.sheet_file(sheet)
    for name, shown in (("beside", 2), ("cut-right", 1)):
        cv2.imwrite(str(photo), arranged(0, name)[0])
        play = page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"]
        page.photograph(play, photo.read_bytes())
        assert main(["sheet", "read", str(photo), "--sheet", str(profile), "--json"]) == 0
        line = json.loads(capsys.readouterr().out)
        sheets = [player["sheets"]["end"] for player in page.view(play)["players"]]
        assert len(sheets) == len(line["sheets"]) == 2
        assert [one["map"] for one in sheets if one["known"]] == [one["map"] for one in line["sheets"] if "map" in one]
        assert len([one for one in sheets if one["known"]]) == shown
        assert [one["failed"]["message"] for one in sheets if one["failed"]] == [
            one["error"] for one in line["sheets"] if "error" in one
        ]
        assert {key: line[key] for key in ("map", "grid")} == {key: line["sheets"][0][key] for key in ("map", "grid")}
        assert len({one["photo"] or one["failed"]["photo"] for one in sheets}) == 2
        assert main(["sheet", "read", str(photo), "--sheet", str(profile)]) == 0
        assert f"{photo}, sheet 2" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["scan.pdf", "scan.tiff"])
def test_the_pages_of_a_file_are_so_many_photos(
    app: Flask, page: Page, sheet: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    scan, profile = tmp_path / name, services_of(app).store.sheet_file(sheet)
    first, second = [Image.open(file) for file in FILLED]
    first.save(scan, save_all=True, append_images=[second])
    play = page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"]
    assert page.photograph(play, scan.read_bytes()).status_code == 200
    for asked in (scan, tmp_path):  # the file, or its folder
        assert main(["sheet", "read", str(asked), "--sheet", str(profile), "--json"]) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [line["photo"] for line in lines] == [str(scan), f"{scan}#2"]
        shown = page.view(play)["players"]
        assert [one["sheets"]["end"]["map"] for one in shown] == [line["map"] for line in lines]
    assert lines[0]["map"] != lines[1]["map"]


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_bare_page_among_others_makes_no_player(page: Page, sheet: str, at: int, tmp_path: Path) -> None:
    scan = tmp_path / "scan.pdf"
    pages = [Image.open(file) for file in FILLED]
    pages.insert(at, Image.effect_noise(pages[0].size, 5).point(lambda level: 120 + level).convert("RGB"))
    pages[0].save(scan, save_all=True, append_images=pages[1:])
    play = page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"]
    assert page.photograph(play, scan.read_bytes()).status_code == 200
    shown = [one["sheets"]["end"] for one in page.view(play)["players"]]
    assert [(one["known"], one["failed"]) for one in shown] == [(True, None)] * len(FILLED)


def titled(size: tuple[int, int]) -> Image.Image:
    """A cover page with a title alone."""
    page = Image.new("RGB", size, "white")
    ImageDraw.Draw(page).text((size[0] // 8, size[1] // 8), "Our games, 2025", "black", font_size=90)
    return page


def printed(size: tuple[int, int]) -> Image.Image:
    """A cover page with lines of print on it."""
    page = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(page)
    for i in range(30):
        pen.text((size[0] // 8, size[1] // 10 + i * size[1] // 40), "Scanned on a Friday " * 4, "black", font_size=40)
    return page


@pytest.mark.parametrize("cover", [titled, printed])
def test_a_printed_cover_makes_no_player_and_is_named(
    page: Page, sheet: str, cover: Callable[[tuple[int, int]], Image.Image], tmp_path: Path
) -> None:
    scan, sheets = tmp_path / "scan.pdf", [Image.open(file) for file in FILLED]
    cover(sheets[0].size).save(scan, save_all=True, append_images=sheets)
    play = page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"]
    answer = page.photograph(play, scan.read_bytes()).json
    shown = [one["sheets"]["end"] for one in answer["view"]["players"]]
    assert [(one["known"], one["failed"]) for one in shown] == [(True, None)] * len(FILLED)
    assert answer["message"].startswith("Page 1 of the file shows no sheet")


def test_of_bare_pages_alone_it_is_said_why_none_can_be_read(page: Page, sheet: str, tmp_path: Path) -> None:
    scan, bare = tmp_path / "scan.pdf", Image.new("RGB", (600, 800), "white")
    bare.save(scan, save_all=True, append_images=[bare, bare])
    play = page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"]
    page.photograph(play, scan.read_bytes())
    assert len([one for one in page.view(play)["players"] if one["sheets"]["end"]["failed"]]) == 1


def test_further_sheets_of_a_photo_are_those_of_the_next_players(app: Flask, page: Page, sheet: str) -> None:
    play = page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"]
    for name in ("Aki", "Ben", "Emi"):
        page.tell(play, kind="add-player", player=f"p{name}", name=name)
    done, data = cv2.imencode(".png", arranged(0, "beside")[0])
    assert done
    page.photograph(play, data.tobytes(), "pAki", "first")
    players = page.view(play)["players"]
    assert [(one["name"], one["sheets"]["first"]["known"]) for one in players] == [
        ("Aki", True), ("Ben", True), ("Emi", False),
    ]  # fmt: skip
    again = page.photograph(play, data.tobytes(), "pEmi", "first")
    assert again.status_code == 409  # the same photo once more


def test_the_demo_is_read_like_any_photo(app: Flask, page: Page, sheet: str) -> None:
    by_hand = page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"]
    for file in FILLED:
        page.photograph(by_hand, file.read_bytes())
    demo = page.post(f"{GAME}/plays", {"sheet": sheet, "demo": True}).json["play"]
    assert known(app, demo) == known(app, by_hand)


def test_letters_that_were_kept_are_judged_as_if_they_had_just_been_read(app: Flask, sheet: str) -> None:
    profile = SheetProfile.load(services_of(app).store.sheet_file(sheet))
    readings = [see_sheet(file.read_bytes(), profile).reading for file in FILLED]
    kept = [unpacked(packed(reading) or b"") for reading in readings]
    for now, then in zip(
        judged_together(readings, profile), judged_together([*filter(None, kept)], profile), strict=True
    ):
        assert now.letters_json() == then.letters_json()


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no zip at all"])
def test_damaged_letters_are_left_aside(data: bytes) -> None:
    assert unpacked(data) is None
