"""How much of the pages' JavaScript was run: what counts as a line, and what within a function was not run."""

from __future__ import annotations

import pytest

from bench.page_coverage import ROOT, Watched, lines_of, script_of, signs_run

TEXT = "/** Says it. */\nexport const a = '𝄞';\n\n  // not this\nif (a) {\n  b();\n}\n"


def test_blank_lines_and_comments_are_no_lines_and_places_are_counted_as_browsers_do() -> None:
    said = TEXT.encode("utf-16-le")
    assert [(number, said[2 * at :].decode("utf-16-le")[:2]) for number, at in lines_of(TEXT)] == [
        (2, "ex"),
        (5, "if"),
        (6, "b("),
        (7, "}\n"),
    ]


def test_what_lies_within_a_range_counts_for_itself() -> None:
    whole = {"ranges": [{"startOffset": 0, "endOffset": 9, "count": 1}, {"startOffset": 2, "endOffset": 4, "count": 0}]}
    never = {"ranges": [{"startOffset": 6, "endOffset": 99, "count": 0}]}
    assert list(signs_run(8, [whole, never])) == [1, 1, 0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("http://127.0.0.1:1/static/js/lib/api.js?v=1", "templates/static/js/lib/api.js"),
        ("http://127.0.0.1:1/public/pair.js", "templates/static/public/pair.js"),
        ("http://127.0.0.1:1/static/js/lib/none.js", None),
        ("http://127.0.0.1:1/static/js/../../guide/start.html", None),
        ("debugger://1", None),
    ],
)
def test_only_scripts_of_ours_are_counted(url: str, file: str | None) -> None:
    assert script_of(url) == (ROOT / file if file else None)


def test_what_was_run_in_any_page_was_run() -> None:
    watched, url = Watched(), "http://127.0.0.1:1/public/pair.js"
    assert {run for run, _ in watched.counts().values()} == {0}
    for start, count in ((0, 1), (0, 0)):
        watched.add(url, [{"ranges": [{"startOffset": start, "endOffset": 10**6, "count": count}]}])
    run, of = watched.counts()["templates/static/public/pair.js"]
    assert run == of > 0
