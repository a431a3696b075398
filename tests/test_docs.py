"""The documentation: what it links to is there, and what is said in English is said in Japanese."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.answers import answers, places_of, row_of, threats
from companion import __version__
from companion.words.catalog import catalog

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs/guide"
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("training/*.md")])
ROOMS = (
    "bench",
    "calibration",
    "common",
    "companion",
    "docs",
    "referee",
    "scoring",
    "templates",
    "tests",
    "training",
    "vision",
)
NAMED = re.compile(rf"`((?:{'|'.join(ROOMS)})/[\w./-]+)`")
INVENTED = "fireflies"
"""The sixth game of the walk-through."""
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


@pytest.mark.parametrize("room", ["*.md", *(f"{room}/**/*.{kind}" for room in ROOMS for kind in ("md", "py"))])
def test_every_file_that_is_named_is_there(room: str) -> None:
    named = {(page, name) for page in ROOT.glob(room) for name in NAMED.findall(page.read_text("utf-8"))}
    gone = {(page, name) for page, name in named if not (ROOT / name).exists() and "NAME" not in name}
    assert {(str(page), name) for page, name in gone if INVENTED not in name} == set()


def test_the_page_on_the_referee_names_each_rule_as_the_log_does() -> None:
    words = catalog("en")
    rules = {key.removeprefix("rule."): text for key, text in words.items() if re.fullmatch(r"rule\.[A-Z]\d+", key)}
    page = (ROOT / "docs/referee.md").read_text("utf-8")
    assert dict(re.findall(r"^\| ([A-Z]\d+) \| ([^|]+) \| [^|]+ \|$", page, re.MULTILINE)) == rules


def test_every_threat_names_tests_that_are_there() -> None:
    """Who renames or removes the test of an answer has to say so on the page that promises it."""
    rows = threats()
    assert len(rows) > 15
    for threat, named in rows.items():
        assert named, threat
        assert {one.rpartition(":")[2] for one in places_of(named)} == set(named), threat


@pytest.mark.parametrize("threat", threats())
def test_every_answer_can_be_taken_away_to_see_its_tests_fail(threat: str) -> None:
    """`python -m bench.answers` does it: what it takes away is there, once, and what stands there then is Python."""
    mine = [answer for answer in answers() if row_of(answer) == threat]
    assert mine
    for answer in mine:
        text = (ROOT / answer.file).read_text("utf-8")
        assert text.count(answer.old) == 1, answer
        compile(text.replace(answer.old, answer.new), answer.file, "exec")


def test_the_version_is_released_with_notes_that_a_player_reads() -> None:
    log = (ROOT / "CHANGELOG.md").read_text("utf-8")
    releases = re.findall(r"^## \[(.+?)\](.*)\n([^#]*(?:### For players\n([^#]*))?)", log, re.MULTILINE)
    names = [name for name, *_ in releases]
    assert names[:2] == ["Unreleased", __version__]
    assert all(re.fullmatch(r" - \d{4}-\d\d-\d\d", date) for name, date, *_ in releases if name != "Unreleased")
    notes = [line for line in releases[1][3].splitlines() if line]
    assert 0 < len(notes) <= 20
    assert max(map(len, notes)) < 170
