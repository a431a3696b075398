"""The commands that README and docs show are understood; those for which there are files do what they say."""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil
from pathlib import Path

import pytest
from test_referee_command import A_GAME

from companion import demo
from companion.cli.main import main
from scoring.samples import sample

ROOT = Path(__file__).resolve().parents[3]
DOCS = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
COMMAND = re.compile(r"^ {4}python -m companion (.+)$|`python -m companion ([^`]+)`", re.MULTILINE)
OPTIONAL = re.compile(r"\[(--[^\]]+)\]")


def shown() -> list[str]:
    """Every command that is shown, with all of its options; of several values the first."""
    found = {one or other for file in DOCS for one, other in COMMAND.findall(file.read_text("utf-8"))}
    whole = [re.sub(r" ?\| ?[^\s\]]+", "", one).replace(" …", "") for one in found]
    return sorted({OPTIONAL.sub(r"\1", one) for one in whole if " " in one})


def test_commands_are_found() -> None:
    assert len(shown()) >= 12


@pytest.mark.parametrize("command", shown())
def test_a_command_that_is_shown_is_understood(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where its files are not there it says just that."""
    monkeypatch.chdir(tmp_path)
    name = shlex.split(command)[0]
    if name in ("serve", "print"):
        pytest.skip("needs no file: it would do its work")
    try:
        status = main([*shlex.split(command), "--lang", "en"] if "--lang" not in command else shlex.split(command))
    except SystemExit as ended:  # arguments that are not understood
        raise AssertionError(capsys.readouterr().err) from ended
    said = capsys.readouterr().err
    assert status in (1, 2)
    assert any(file in said for file in shlex.split(command)[1:]), said


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what README's commands name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "STATE.json").write_text(json.dumps(sample("splendor", random.Random(1))))
    (tmp_path / "LOOKS.jsonl").write_text(A_GAME)
    shutil.copy(demo.BLANK, tmp_path / "BLANK.jpg")
    shutil.copy(demo.FILLED[0], tmp_path / "PHOTO.jpg")
    for folder, photo in (("FOLDER", demo.FILLED[0]), ("OTHERS", demo.FILLED[1])):
        (tmp_path / folder).mkdir()
        shutil.copy(photo, tmp_path / folder)
    shutil.copy(demo.SHEET, tmp_path / "sheet.json")
    return tmp_path


DONE = {  # the command, as README begins it, and what stands there then
    "score STATE.json": (),
    "referee LOOKS.jsonl": (),
    "sheet enroll BLANK.jpg": ("sheet.json",),
    "sheet read FOLDER": ("results.jsonl", "report.html"),
    "print all": ("profile.json", "table.json"),
}


@pytest.mark.parametrize("begins", DONE)
def test_a_command_for_which_there_are_files_does_what_it_says(
    begins: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (command,) = [one for one in shown() if one.startswith(begins)]
    words = shlex.split(command.replace("--annotate DIR", "").replace("--json", ""))
    assert main(words) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.strip() or any((files / name).exists() for name in DONE[begins])
    assert not DONE[begins] or any((files / name).exists() for name in DONE[begins])
