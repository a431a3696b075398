"""The guide on the page: each chapter in each language, its links and pictures; which marks become elements."""

from __future__ import annotations

import re

import pytest
from acting import Page

from companion import __version__
from companion.web.guide.guide_page import CHAPTERS, DOCS
from companion.web.guide.markdown import title, to_html

MARKS = {
    "a heading, and words below": ("# Title\nWords", "<h1>Title</h1><p>Words</p>"),
    "bold, italics, code": ("**a** *b* `<c>`", "<p><strong>a</strong> <em>b</em> <code>&lt;c&gt;</code></p>"),
    "a link that is here": ("[a](here.md)", '<p><a href="/here">a</a></p>'),
    "a link that is not": ("see [a](away.md)", "<p>see a</p>"),
    "a picture that is not": ("![a](away.md) b", "<p>b</p>"),
    "steps, of several lines": ("1. a\n   b\n2. c", "<ol><li>a\nb</li><li>c</li></ol>"),
    "a list": ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
    "elements are words": ("<script>a</script> & b", "<p>&lt;script&gt;a&lt;/script&gt; &amp; b</p>"),
    "no way out of an attribute": (
        '![" onload="a](here.md)',
        '<p><img src="/here" alt="&quot; onload=&quot;a" loading="lazy"></p>',
    ),
    "a table": (
        "| a | b |\n|---|---|\n| c | *d* |",
        '<div class="wide-table" tabindex="0"><table><thead><tr><th scope="col">a</th>'
        '<th scope="col">b</th></tr></thead>'
        "<tbody><tr><td>c</td><td><em>d</em></td></tr></tbody></table></div>",
    ),
}


@pytest.mark.parametrize("mark", MARKS)
def test_marks_become_elements(mark: str) -> None:
    text, html = MARKS[mark]
    assert to_html(text, lambda link: "/here" if link == "here.md" else None) == html


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_shown_with_all_that_it_links_to(page: Page, name: str, language: str) -> None:
    said = {"Accept-Language": language}
    text = (DOCS / "guide" / language / f"{name}.md").read_text("utf-8")
    shown = page.get(f"/guide/{name}", headers=said).text
    article = shown[shown.index("<article") : shown.index("</article>")]
    assert title(text) in article
    assert not re.search(r"\]\(|\*\*|^#|\|--", article, re.MULTILINE)  # no mark is left
    for address in re.findall(r'(?:href|src)="(/[^"]+)"', article):
        assert page.get(address).status_code == 200, address
    assert "guide/pictures" in article or "![" not in text


def test_help_names_the_version_and_stands_on_every_page(page: Page) -> None:
    shown = page.get("/guide/").text
    assert __version__ in shown
    assert "companion.log" in shown  # trouble by symptom stands on the first page of it
    for address in ("/", "/live/", "/in-the-ruin/", "/dispute/igna", "/evenings/", "/decks/", "/phone", "/print"):
        assert 'href="/guide/"' in page.get(address).text, address


@pytest.mark.parametrize(
    "address", ["/guide/security", "/guide/..%2Fsecurity", "/guide/pictures/../guide", "/guide/pictures/xx/a.jpg"]
)
def test_nothing_beside_the_guide_is_shown(page: Page, address: str) -> None:
    assert page.get(address).status_code == 404
