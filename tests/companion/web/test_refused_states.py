"""Three hundred states that cannot be: every door refuses them in one line, and nothing of them is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from acting import SENT_BY_THE_PAGE, Page
from bad_states import ALL

from companion.cases.address import AddressError, pack
from companion.cli.main import main

TEXTS = [text for text, _, _ in ALL]
KEPT = "/api/evenings/games/0123456789abcdef"


def scored(page: Page, text: bytes) -> tuple[int, str]:
    answer = page.client.post("/api/dispute/score", data=text, headers=SENT_BY_THE_PAGE)
    return answer.status_code, answer.json.get("problem", answer.json.get("error", {})).get("message", "")


def read(page: Page, text: bytes) -> tuple[int, str]:
    """A file is taken where it has the shape of a case, and the page says then what it lacks."""
    answer = page.client.post("/api/dispute/read", data=text, headers=SENT_BY_THE_PAGE)
    if answer.status_code == 200:
        return scored(page, json.dumps(answer.json["state"]).encode())
    return answer.status_code, answer.json["error"]["message"]


def opened(page: Page, text: bytes) -> tuple[int, str]:
    """The address of a case, with a state that nobody's page would make."""
    try:
        code = pack(json.loads(text))
    except (ValueError, RecursionError, AddressError):
        return 422, "no address"
    return page.get(f"/dispute/igna?s={code}", follow_redirects=True).status_code, "a page"


def kept(page: Page, text: bytes) -> tuple[int, str]:
    """Half-entered cases are kept, and never scored."""
    body = b'{"state": ' + text + b"}"
    answer = page.client.post(KEPT, data=body, headers={**SENT_BY_THE_PAGE, "Content-Type": "application/json"})
    if answer.status_code == 200:
        return scored(page, text)
    return answer.status_code, answer.json["error"]["message"]


@pytest.mark.parametrize("door", [scored, read, opened, kept])
def test_the_page_says_it_in_one_line(page: Page, door: Callable[[Page, bytes], tuple[int, str]]) -> None:
    wrong = []
    for text in TEXTS:
        status, said = door(page, text)
        if status >= 500 or not said or "\n" in said or len(said) > 700:
            wrong.append((text[:200], status, said[:200]))
    assert not wrong


def test_a_file_of_many_has_an_error_at_the_place_of_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len({*TEXTS}) >= 300
    path = tmp_path / "states.jsonl"
    path.write_bytes(b"\n".join(text for text in TEXTS if text) + b"\n")
    assert main(["score", "--jsonl", str(path), "--lang=en"]) == 0
    out, err = capsys.readouterr()
    answers = [json.loads(line) for line in out.splitlines()]
    assert (len(answers), err) == (len(TEXTS) - 1, "")
    places = [place for text, place, _ in ALL if text]
    for answer, place in zip(answers, places, strict=True):
        assert answer.keys() == {"error"}
        assert place in answer["error"]
