"""The words of scoring: lines, notes, rulings and errors, Japanese and English.

Scoring answers with keys and values; the sentences stand in the catalogs `<language>/scoring.json`.
A gap `{n}` takes a value, `{n:gem|gems}` one of two words by the number n, `{points:+}` a number with its sign.
A value whose name stands in `TERMS` is itself a word of the catalogs (`red` in the gap `{color}` is `color.red`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from string import Formatter
from typing import Any

from companion.cases.json_cache import Written
from companion.words.catalog import catalog
from scoring.breakdown import Choice, Line, Note, Value
from scoring.errors import MISSING, StateError

TERMS = {
    "color": "color", "colors": "color", "kind": "color", "kinds": "color", "hue": "color", "hues": "color",
    "seeker": "seeker", "seekers": "seeker", "sets": "set", "question": "question",
}  # fmt: skip
CARDS = {
    "color-cards": "color", "two-colors": "color", "bonus-gems": "color", "in-the-box": "color",
    "had-box": "card", "big-set": "card", "goal-form": "card", "winning-card": "card", "own-discard": "card",
    "igna-set": "hue",
}  # fmt: skip
"""What a complaint is about, if it is about gems or cards: how they are written stands in `WRITTEN`."""
WRITTEN = {
    "color": re.compile(r"(red|yellow|green|blue|purple|rainbow|gold)"),
    "card": re.compile(r"[HAD][1-7]r?|I[1-4]r?"),
    "hue": re.compile(r"(\D{1,20})([1-9]\d{0,5})(\*?)"),
}
LONGEST = 60
LONGEST_LIST = 160


class Words:
    """Everything that scoring can say, in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalog = catalog(language, "scoring")
        self._templates: dict[str, list[tuple[str, str | None, str]]] = {}
        self._said: dict[Any, str] = {}
        self.written = Written()
        """What has been written with these words, for whoever writes a lot."""

    def term(self, key: str) -> str:
        """A word or a sentence without gaps."""
        return self._catalog.get(key, key)

    def say(self, key: str, values: Mapping[str, Value] | None = None) -> str:
        """The sentence of a key with its gaps filled."""
        if not values:
            return self.term(key)
        asked = (key, *values.values())
        said = self._said.get(asked)
        if said is None:
            if len(self._said) > 20_000:
                self._said.clear()
            said = self._said[asked] = self._fill(key, values)
        return said

    def line(self, line: Line) -> str:
        """What a line says."""
        return self.say(line.key, line.values)

    def note(self, note: Note) -> str:
        """What a note says."""
        if note.key == "house-rule":
            question, reading = str(note.values["question"]), str(note.values["reading"])
            return self.say("house-rule", {"question": question, "text": self.reading(question, reading)})
        return self.say(f"note.{note.key}", note.values)

    def question(self, name: str) -> str:
        """An open question of a rulebook."""
        return self.term(f"question.{name}")

    def reading(self, question: str, reading: str) -> str:
        """One answer to an open question."""
        return self.term(f"reading.{question}.{reading}")

    def source(self, source: str) -> dict[str, str]:
        """Where a rule stands: the game's name and the rulebook's section."""
        return {"game": self.term(f"game.{source.partition('/')[0]}"), "section": self.term(f"source.{source}")}

    def choices(self, choices: Mapping[str, Choice]) -> str:
        """Choices in one line: `rainbow: blue, number: 3`."""
        parts = []
        for name, value in choices.items():
            words = value if isinstance(value, tuple) else (value,)
            shown = (str(w) if isinstance(w, int) else self.term(f"color.{w}") for w in words)
            parts.append(self.say("choice", {"name": self.term(f"choice.{name}"), "value": self._list(list(shown))}))
        return self.term("list.comma").join(parts)

    def error(self, error: StateError) -> str:
        """What is wrong with a state, in one line: where, what was expected, what came."""
        place = shortened(error.place) or self.term("error.whole")
        expected = self.say(f"expected.{error.expected}", error.values)
        if error.got is MISSING:
            return one_line(self._fill("error.missing", {"place": place, "expected": expected}))
        n = error.values.get("n")
        if isinstance(error.got, list) and isinstance(n, int) and len(error.got) < n:
            return one_line(
                self._fill("error.so-far", {"place": place, "expected": expected, "count": len(error.got), "n": n})
            )
        if error.got == []:
            return one_line(self._fill("error.none", {"place": place, "expected": expected}))
        return one_line(self._fill("error", {"place": place, "expected": expected, "got": self._got(error)}))

    def _got(self, error: StateError) -> str:
        """What came, in words where it is cards or colors that are what they should be but not right together."""
        got = error.got
        if got is None:
            return self.term("error.null")
        if error.expected == "legal-choice" and isinstance(got, dict):
            return self.choices(
                {name: tuple(value) if isinstance(value, list) else value for name, value in got.items()}
            )
        kind = CARDS.get(error.expected)
        if kind and got:
            names = [self._piece(kind, one) for one in (got if isinstance(got, list) else [got])]
            if None not in names:
                return shortened(self._list([name for name in names if name]), LONGEST_LIST)
        return shown(got)

    def _piece(self, kind: str, one: object) -> str | None:
        """The words of a card or a gem of a kind, None where it is not written like one."""
        if isinstance(one, dict) and kind == "hue":
            one = f"{one.get('color', '')}{one.get('number', '')}{'*' if one.get('bonus') else ''}"
        found = WRITTEN[kind].fullmatch(one) if isinstance(one, str) else None
        if not found:
            return None
        if kind == "card":
            return self._card(found[0])
        name = self._value(kind, found[1], "")
        return f"{name} {found[2]}{found[3]}" if kind == "hue" else name

    def _fill(self, key: str, values: Mapping[str, Value]) -> str:
        template = self._templates.get(key)
        if template is None:
            parsed = Formatter().parse(self.term(key))
            template = self._templates[key] = [(text, name, spec or "") for text, name, spec, _ in parsed]
        out = []
        for text, name, spec in template:
            out.append(text)
            if name is not None:
                out.append(self._value(name, values[name], spec))
        return "".join(out)

    @lru_cache(maxsize=10_000)  # noqa: B019 -- there is one for each language, and it never goes away
    def _value(self, name: str, value: Value, spec: str) -> str:
        if isinstance(value, tuple):
            return self._list([self._value(name, one, spec) for one in value])
        if "|" in spec:
            one, _, many = spec.partition("|")
            return one if value == 1 else many
        if spec == "+" and isinstance(value, int):
            return f"{value:+}"
        if name in TERMS:
            key = f"{TERMS[name]}.{value}"
            known = self.term(key)
            return known if known != key else str(value)  # Igna's colors are no closed list
        if name in ("card", "cards"):
            return self._card(str(value))
        return str(value)

    def _card(self, card: str) -> str:
        key = "card.red" if card.endswith("r") else "card.black"
        return self.term(key).format(attribute=self.term(f"attribute.{card[0]}"), title=card[1])

    def _list(self, words: list[str]) -> str:
        return self.term("list.comma").join(words) if words else self.term("list.nothing")


@cache
def words(language: str) -> Words:
    """The words of a language (`en` or `ja`)."""
    return Words(language)


def shown(value: object) -> str:
    """A value of a state as it was written, shortened."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        text = "[…]" if isinstance(value, list) else "{…}"
    return shortened(text)


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, its end cut off where it is long."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def one_line(text: str) -> str:
    """The text without anything that would break the line or steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
