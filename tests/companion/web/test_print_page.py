"""The print page: what is chosen comes as a file, and nothing else does."""

from __future__ import annotations

import pypdfium2
import pytest
from acting import Page

from companion.printing.sets import KINDS
from vision.table.profile import TableProfile


@pytest.mark.parametrize("language", ["en", "ja"])
def test_it_offers_every_kind_in_the_browsers_language(page: Page, language: str) -> None:
    text = page.get("/print", headers={"Accept-Language": language}).get_data(as_text=True)
    assert f'<html lang="{language}"' in text
    assert [kind for kind in KINDS if f'value="{kind}"' in text] == list(KINDS)
    assert ">print." not in text


@pytest.mark.parametrize(
    ("asked", "pages", "name"),
    [
        ("", 6 + 2 + 1 + 1, "twelve-seekers-all-A4.pdf"),
        ("what=board&paper=A3&game=igna", 1, "board-A3.pdf"),
        ("what=mats&zone=A&sheets=2x2", 4, "twelve-seekers-mats-A4.pdf"),
        ("what=stickers&game=human-angel-demon", 3, "human-angel-demon-stickers-A4.pdf"),
    ],
)
def test_the_pdf_comes_as_a_file(page: Page, asked: str, pages: int, name: str) -> None:
    answer = page.get(f"/print/pages.pdf?{asked}")
    assert answer.mimetype == "application/pdf"
    assert answer.headers["Content-Disposition"].endswith(f'"{name}"')
    assert len(pypdfium2.PdfDocument(answer.data)) == pages


def test_the_profile_follows_the_ruler(page: Page) -> None:
    right, small = (
        TableProfile.from_json(page.get(f"/print/table.json?what=mats&zone=A&zone=dungeon&ruler={ruler}").json)
        for ruler in ("100", "97")
    )
    assert set(right.zones) == {"A", "dungeon"}
    assert small.zones["A"].size_mm[0] == pytest.approx(0.97 * right.zones["A"].size_mm[0], abs=0.1)


@pytest.mark.parametrize(
    "asked",
    [
        "what=posters", "game=in-the-ruin", "paper=A5", "sheets=9x9", "zone=E", "zone=strip", "zone=A&zone=A",
        "game=splendor&zone=dungeon", "ruler=1", "ruler=long", "ruler=nan", "ruler=inf",
    ],
)  # fmt: skip
def test_what_cannot_be_printed_is_refused(page: Page, asked: str) -> None:
    for address in ("/print/pages.pdf", "/print/table.json"):
        assert page.get(f"{address}?{asked}").status_code == 400
