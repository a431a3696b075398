"""`referee` on the command line: a recorded game in sentences, and what is no game in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.main import main

HEADER = {"header": {"game": "igna", "players": ["Aki", "Ben"], "start": "Aki"}}
FIRST = {
    "game": "igna",
    "players": [{"name": "Aki", "sets": [], "hand_size": 3}, {"name": "Ben", "sets": [], "hand_size": 3}],
}
WON = {**FIRST, "players": [{"name": "Aki", "sets": [["red1", "red2", "red3"]], "hand_size": 3}, FIRST["players"][1]]}
LOOKS = [HEADER, {"state": FIRST, "time": 1}, {"state": WON, "time": 9}]
A_GAME = "\n".join(map(json.dumps, LOOKS))

GIVEN = [  # the file's text (None: there is none), the exit status, what is said and what is complained of
    (A_GAME, 0, "Aki", ""),
    (A_GAME + "\nlost", 0, 'got "lost"', ""),
    ("", 2, "", "expected looks"),
    ("hello", 2, 'got "hello"', "expected looks"),
    (None, 2, "", "no such file"),
]


@pytest.mark.parametrize(("text", "status", "said", "complaint"), GIVEN)
def test_a_game_is_told_and_what_is_none_is_one_line(
    text: str | None, status: int, said: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.jsonl"
    if text is not None:
        path.write_text(text, "utf-8")
    assert main(["referee", str(path)]) == status
    out, err = capsys.readouterr()
    assert said in out
    assert complaint in err
    assert err.count("\n") == bool(complaint)
