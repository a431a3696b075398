"""The documentation: what it links to is there, and what is said in English is said in Japanese."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs/guide"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("training/*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text("utf-8")) if not link.startswith("http")]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_guide_says_in_both_languages_the_same_things() -> None:
    """The same pages, and on each the same headings, tables, steps and pictures, if in other words."""

    def build(page: Path) -> list[str]:
        begins = re.findall(r"^(#+|\||\d+\.|- |!\[)", page.read_text("utf-8"), re.MULTILINE)
        return [page.name, *begins]

    english, japanese = ([build(page) for page in sorted((GUIDE / language).glob("*.md"))] for language in ("en", "ja"))
    assert english
    assert english == japanese
