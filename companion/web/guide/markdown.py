"""The guide's Markdown as HTML: headings, paragraphs, lists, tables, pictures, links, bold, italics, code; no more."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import groupby

from markupsafe import Markup

Address = Callable[[str], str | None]
"""Where a link or a picture of a page lies here; None where it is not here."""

HEADING = re.compile(r"(#{1,4}) (.+)")
ITEM = re.compile(r"(?:- |(\d+)\. )(.+)", re.DOTALL)
RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
INLINE = re.compile(
    r"`(?P<code>[^`]+)`|!\[(?P<alt>[^\]]*)\]\((?P<picture>[^)]+)\)|\[(?P<words>[^\]]+)\]\((?P<link>[^)]+)\)"
    r"|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>[^*]+)\*"
)


def to_html(text: str, address: Address) -> Markup:
    """A page as HTML. What stands in it is text; only the marks above become elements."""
    return Markup("".join(_blocks(text, address)))


def title(text: str) -> str:
    """A page's first heading."""
    return next((found[2] for line in text.splitlines() if (found := HEADING.fullmatch(line))), "")


def _blocks(text: str, address: Address) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = block.splitlines()
        if found := HEADING.fullmatch(lines[0]):
            n = len(found[1])
            yield f"<h{n}>{_inline(found[2], address)}</h{n}>"
            lines = lines[1:]
        if not lines:
            continue
        if lines[0].startswith("|"):
            yield _table(lines, address)
        elif ITEM.match(lines[0]):
            yield from _lists(lines, address)
        elif words := _inline("\n".join(lines), address).strip():
            yield f"<p>{words}</p>"


def _lists(lines: Sequence[str], address: Address) -> Iterator[str]:
    items: list[str] = []
    for line in lines:
        if ITEM.match(line) or not items:
            items.append(line)
        else:
            items[-1] += f"\n{line.strip()}"
    found = [one for item in items if (one := ITEM.fullmatch(item))]
    for numbered, group in groupby(found, key=lambda one: one[1] is not None):
        tag = "ol" if numbered else "ul"
        yield f"<{tag}>{''.join(f'<li>{_inline(one[2], address)}</li>' for one in group)}</{tag}>"


def _table(lines: Sequence[str], address: Address) -> str:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if not RULE.fullmatch(line)]
    head = "".join(f'<th scope="col">{_inline(cell, address)}</th>' for cell in rows[0])
    body = "".join(f"<tr>{''.join(f'<td>{_inline(cell, address)}</td>' for cell in row)}</tr>" for row in rows[1:])
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide-table" tabindex="0">{table}</div>'


def _inline(text: str, address: Address) -> str:
    out, at = [], 0
    for found in INLINE.finditer(text):
        out.append(escape(text[at : found.start()], quote=False))
        out.append(_mark(found, address))
        at = found.end()
    return "".join(out) + escape(text[at:], quote=False)


def _mark(found: re.Match[str], address: Address) -> str:
    if found["code"] is not None:
        return f"<code>{escape(found['code'])}</code>"
    if found["picture"] is not None:
        here = address(found["picture"])
        alt = escape(found["alt"])
        return f'<img src="{escape(here)}" alt="{alt}" loading="lazy">' if here else ""
    if found["link"] is not None:
        here, words = address(found["link"]), _inline(found["words"], address)
        return f'<a href="{escape(here)}">{words}</a>' if here else words
    tag, words = ("strong", found["bold"]) if found["bold"] is not None else ("em", found["italic"])
    return f"<{tag}>{_inline(words, address)}</{tag}>"
