"""The template language of the sentences, the same here and in `templates/static/js/lib/dom.js`: text with gaps.

{name}            a value; a list is joined by commas
{n:gem|gems}      one of two words: the first where the value is 1
{points:+}        a number with its sign
{at:th}           an English ordinal number: 1st, 2nd
{kinds:color}     a word of the catalogs, `color.red` for "red"; the value itself where they have none
{zones:area&}     a list joined by "and"
{colors:color*}   a list, equal ones counted: "red × 2, blue"
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

GAP = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
Gap = tuple[str, str, str]
"""The text before a gap, the name of its value and how it is written; the last one of a template has no name."""


def parse(template: str) -> tuple[Gap, ...]:
    """The texts and gaps of a template, in order."""
    out, at = [], 0
    for found in GAP.finditer(template):
        out.append((template[at : found.start()], found[1], found[2] or ""))
        at = found.end()
    return (*out, (template[at:], "", ""))


def ordinal(n: int) -> str:
    """An English ordinal number: 1st, 2nd, 3rd, 4th, …, 11th."""
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def number(value: object, form: str = "") -> str:
    """A number as it is set: with a minus sign, not a hyphen. Other values (names, files) stay as they are."""
    text = f"{value:{form}}"
    return text.replace("-", "−") if isinstance(value, (int, float)) else text


def write(value: Any, how: str, word: Callable[[str, Any], str], comma: str, both: str, nothing: str) -> str:
    """A gap's value as text.

    Args:
        how: what stands behind the gap's colon.
        word: called with a kind (`color`) and one value, answers its word; with "" for values without a kind.
        comma: what joins a list; `both`: what joins it where `&` asks for "and"; `nothing`: an empty list.
    """
    if "|" in how:
        one, _, many = how.partition("|")
        return one if value == 1 else many
    if how == "+" and isinstance(value, (int, float)):
        return number(value, "+")
    if how == "th":
        return ordinal(value)
    kind = how.rstrip("*&")
    if not isinstance(value, (list, tuple)):
        return word(kind, value)
    if how.endswith("*"):
        counts = Counter(value).items()
        texts: Sequence[str] = [word(kind, one) + (f" × {n}" if n > 1 else "") for one, n in counts]
    else:
        texts = [word(kind, one) for one in value]
    return (both if how.endswith("&") else comma).join(texts) or nothing
