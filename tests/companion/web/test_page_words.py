"""A page gets the words of its own modules, all of them and no others' topics, and they may be kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from acting import Page

from companion.web.language import page_words
from companion.words.catalog import LANGUAGES, catalog

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "templates/static/js"
PAGES = sorted(path for path in (ROOT / "templates/pages").rglob("*.html") if "/static/js/" in path.read_text("utf-8"))
IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["`'](/static/js/|[./]+)([^"`'$]+)["`']""")
MOST_SHELF, MOST_PAGE = 20_000, 150_000
"""Bytes of the first page with its words; of any page with its words, modules and styles, without photos."""


def modules(template: Path) -> set[Path]:
    """The modules that a page loads, and what those import; editors of games are loaded as well."""
    todo = [SCRIPTS / name for name in re.findall(r'src="/static/js/([\w/.-]+)"', template.read_text("utf-8"))]
    if "dispute" in str(template) or template.stem == "table":
        todo += ROOT.glob("companion/games/*/*.js")
    found: set[Path] = set()
    while todo:
        path = todo.pop().resolve()
        if path not in found:
            found.add(path)
            for start, name in IMPORT.findall(path.read_text("utf-8")):
                todo.append((SCRIPTS if start.startswith("/static") else path.parent / start) / name)
    return found


def topics(template: Path) -> list[str]:
    named = re.search(r"set topics = \[(.*?)\]", template.read_text("utf-8"))
    return re.findall(r'"([\w.-]+)"', named[1]) if named else []


@pytest.mark.parametrize("template", PAGES, ids=lambda path: path.stem)
def test_a_page_has_all_words_of_its_modules_and_no_topic_in_vain(template: Path) -> None:
    words = page_words("en", topics(template))
    said = set()
    for path in modules(template):
        game = path.parent.name.replace("_", "-")
        for context, key in re.findall(r"""(context\.)?\bsay\(\s*["'`]([a-z][\w.-]*)""", path.read_text("utf-8")):
            said.add(f"dispute.{game}.{key}" if context else key)
    assert not {key for key in said if key not in words and not any(word.startswith(key) for word in words)}
    texts = "".join(path.read_text("utf-8") for path in modules(template))
    assert not [topic for topic in topics(template) if not re.search(rf"""["'`]{topic}\b""", texts)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_kept_by_the_browser_and_change_their_address_with_their_language(page: Page, language: str) -> None:
    text = page.get("/evenings/", headers={"Accept-Language": language}).get_data(as_text=True)
    address = re.search(r'src="(/words/[^"]+)"', text)
    assert address
    answer = page.get(address[1])
    assert answer.headers["Cache-Control"] == "max-age=31536000, immutable"
    assert catalog(language)["js.evenings.no-json"] in answer.get_data(as_text=True)
    assert f"/words/{language}/" in address[1]
    assert page.get("/words/xx/0/live.js").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_small(page: Page, language: str) -> None:
    def size(address: str) -> int:
        return len(page.get(address, headers={"Accept-Language": language}).get_data())

    def whole(address: str) -> int:
        text = page.get(address, headers={"Accept-Language": language}).get_data(as_text=True)
        return len(text.encode()) + sum(
            size(one) for one in re.findall(r'(?:src|href)="(/(?:words|static|public)/[^"]+)"', text)
        )

    shelf = page.get("/", headers={"Accept-Language": language}).get_data(as_text=True)
    assert len(shelf.encode()) + size(re.findall(r'src="(/words/[^"]+)"', shelf)[0]) < MOST_SHELF
    for address in ("/", "/in-the-ruin/", "/live/", "/print/", "/camera/", "/in-the-ruin/sheets/new", "/dispute/igna"):
        assert 3_000 < whole(address) < MOST_PAGE, address
