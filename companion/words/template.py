"""The template language of the sentences, the same here and in `templates/static/js/lib/dom.js`: text with gaps.

{name}            a value; a list is joined by commas
{n:gem|gems}      one of the word's forms: which one a number takes is the language's own, see `Language`
{points:+}        a number with its sign
{at:th}           an ordinal number of the language: 1st, 2nd
{kinds:color}     a word of the catalogs, `color.red` for "red"; the value itself where they have none
{zones:area&}     a list joined by "and"
{colors:color*}   a list, equal ones counted: "red × 2, blue"
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

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


class Language(NamedTuple):
    """What differs from language to language in how gaps are filled.

    Numbers are told apart by regular expressions on their digits, which Python and the page's modules read alike.
    Babel would know them for every language: 10 MB of data for the two lines that each language here needs.

    Attributes:
        comma: what joins a list.
        both: what joins it where `&` asks for "and".
        nothing: an empty list.
        plural: a pattern for each form of a word but the last, which all other numbers take, separated by spaces:
            `1` in English, `[01]` in French, `1 (.*[^1])?[2-4]` in Polish.
        ordinal: patterns with what stands behind the number, the first that fits: `1=er .*=e` in French.
    """

    comma: str
    both: str
    nothing: str
    plural: str
    ordinal: str

    def form(self, n: object, forms: Sequence[str]) -> str:
        """The form of a word for a number."""
        fits = (i for i, pattern in enumerate(self.plural.split()) if re.fullmatch(pattern, f"{n}"))
        return forms[min(next(fits, len(forms)), len(forms) - 1)]

    def nth(self, n: object) -> str:
        """An ordinal number."""
        ways = (way.rpartition("=") for way in self.ordinal.split())
        return next((f"{n}{ending}" for pattern, _, ending in ways if re.fullmatch(pattern, f"{n}")), f"{n}")


def number(value: object, form: str = "") -> str:
    """A number as it is set: with a minus sign, not a hyphen. Other values (names, files) stay as they are."""
    text = f"{value:{form}}"
    return text.replace("-", "−") if isinstance(value, (int, float)) else text


def write(value: Any, how: str, word: Callable[[str, Any], str], language: Language) -> str:
    """A gap's value as text.

    Args:
        how: what stands behind the gap's colon.
        word: called with a kind (`color`) and one value, answers its word; with "" for values without a kind.
        language: how lists, plurals and ordinal numbers are formed.
    """
    if "|" in how:
        return language.form(value, how.split("|"))
    if how == "+" and isinstance(value, (int, float)):
        return number(value, "+")
    if how == "th":
        return language.nth(value)
    kind = how.rstrip("*&")
    if not isinstance(value, (list, tuple)):
        return word(kind, value)
    if how.endswith("*"):
        counts = Counter(value).items()
        texts: Sequence[str] = [word(kind, one) + (f" × {n}" if n > 1 else "") for one, n in counts]
    else:
        texts = [word(kind, one) for one in value]
    return (language.both if how.endswith("&") else language.comma).join(texts) or language.nothing
