"""Everything that people read, said in one language: the one class between keys with values and sentences.

Scoring, vision, sources and the pages answer with keys and values; the sentences stand in the catalogs
`<language>/*.json`, their gaps as `companion.words.template` explains.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Protocol

from companion.words import template
from companion.words.catalog import catalog
from companion.words.json_cache import Written
from companion.words.text import one_line, shortened, shown
from scoring.breakdown import Choice, Grade, Line, Note
from scoring.errors import MISSING, StateError

WRITTEN = {
    "color": re.compile(r"(red|yellow|green|blue|purple|rainbow|gold)"),
    "card": re.compile(r"[HADI][1-7]r?"),
    "treasure": re.compile(r"(\D{1,20})([1-9]\d{0,5})(\*?)"),
}
"""How a piece of a kind is written, in states and in the gaps of sentences; which kind a complaint is about says its
sentence `got.<complaint>`."""
LONGEST_LIST = 160
"""Characters of a list of pieces that a message shows."""
LISTS = frozenset(("players", "map", "noble"))
"""Complaints that ask for several things: where an empty list or object came, there are none yet."""
NO_VALUE = object()
MOST_KEPT = 20_000
"""Sentences that are kept for when they come again."""


class Message(Protocol):
    """Something to be said: a key of the catalogs, and what fills the gaps of its sentence."""

    @property
    def key(self) -> str: ...

    @property
    def values(self) -> Mapping[str, Any]: ...


class Words:
    """All sentences of one language, by its code."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalog = catalog(language)
        self._templates: dict[str, tuple[template.Gap, ...]] = {}
        self._kept: dict[Any, str] = {}
        self._values: dict[tuple[str | int, str], str] = {}
        forms = ("list.comma", "list.and", "list.nothing", "language.plural", "language.ordinal")
        self._forms = template.Language(*map(self.term, forms))
        self.written = Written()
        """What has been written with these words, for whoever writes a lot."""

    def __contains__(self, key: str) -> bool:
        return key in self._catalog

    def starting(self, *prefixes: str) -> Iterator[tuple[str, str]]:
        """The keys that begin with one of these, and their sentences with gaps."""
        return ((key, sentence) for key, sentence in self._catalog.items() if key.startswith(prefixes))

    def term(self, key: str) -> str:
        """A word or a sentence without gaps; the key itself where the catalogs do not have it."""
        return self._catalog.get(key, key)

    def say(self, key: str, /, **values: Any) -> str:
        """The sentence of a key with its gaps filled. A value that is a `Message`, or one as JSON, is said too."""
        return self._fill(key, values) if values else self.term(key)

    def gaps(self, key: str) -> tuple[template.Gap, ...]:
        """The texts and gaps of a sentence, see `template.parse`."""
        gaps = self._templates.get(key)
        if gaps is None:
            gaps = self._templates[key] = template.parse(self.term(key))
        return gaps

    def told(self, message: Message | StateError) -> str:
        """The sentence of a message: an error, a problem, a reason."""
        return self.error(message) if isinstance(message, StateError) else self.say(message.key, **message.values)

    def line(self, line: Line) -> str:
        """What a line says; where the rainbow gem is among what it counted, also that."""
        text = self._again(line.key, line.values)
        rainbow = line.values.get("rainbow")
        if rainbow is None:
            return text
        return self._fill("rainbow.in-line" if rainbow else "rainbow.in-count", {"text": text, "at": rainbow})

    def note(self, note: Note) -> str:
        """What a note says."""
        if note.key == "house-rule":
            question, reading = str(note.values["question"]), str(note.values["reading"])
            return self.say("house-rule", question=self.question(question), text=self.reading(question, reading))
        return self._again(f"note.{note.key}", note.values)

    def question(self, name: str) -> str:
        """An open question of a rulebook."""
        return self.term(f"question.{name}")

    def reading(self, question: str, reading: str) -> str:
        """One answer to an open question."""
        return self.term(f"reading.{question}.{reading}")

    def basis(self, grade: Grade, source: str) -> str:
        """What a reading rests on: the rulebook's words, what follows from them, or nothing; with the section."""
        return self.say(f"grade.{grade}", section=self.term(f"source.{source}"))

    def source(self, source: str) -> dict[str, str]:
        """Where a rule stands: the game's name and the rulebook's section."""
        return {"game": self.term(f"game.{source.partition('/')[0]}"), "section": self.term(f"source.{source}")}

    def choices(self, choices: Mapping[str, Choice]) -> str:
        """Choices in one line: `rainbow: blue, number: 3`."""
        said = [self.say("choice", name=self.term(f"choice.{name}"), value=value) for name, value in choices.items()]
        return self._value(said, "")

    def error(self, error: StateError) -> str:
        """What is wrong with a state, in one line: where, what was expected, what came."""
        place = shortened(error.place) or self.term("error.whole")
        whole = f"complaint.{error.expected}"
        if whole in self:
            return one_line(self.say(whole, place=place, got=self._got(error)))
        expected = self.say(f"expected.{error.expected}", **self._translated(error.values))
        n = error.values.get("n")
        count = len(error.got) if isinstance(error.got, list) or error.got == {} else None
        if error.got is MISSING:
            said = self.say("error.missing", place=place, expected=expected)
        elif count is not None and isinstance(n, int) and count < n:
            said = self.say("error.so-far", place=place, expected=expected, count=count, n=n)
        elif count == 0 and error.expected in LISTS:
            said = self.say("error.none", place=place, expected=expected)
        else:
            said = self.say("error", place=place, expected=expected, got=self._got(error))
        return one_line(said)

    def _translated(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Where one of some colors is asked for, each as it must be written and in this language."""
        words = values.get("words", ())
        if self.language == "en" or not words or not all(f"color.{word}" in self for word in words):
            return values
        named = tuple(self.say("color.written", word=word, color=self.term(f"color.{word}")) for word in words)
        return {**values, "words": named}

    def _got(self, error: StateError) -> str:
        """What came, in words where it is cards or colors that are what they should be but not right together."""
        got = error.got
        if got is None:
            return self.term("error.null")
        if error.expected == "state-file":
            return self.term(f"file-kind.{got}")
        if error.expected == "legal-choice" and isinstance(got, dict):
            return self.choices(got)
        _, _, kind = self.gaps(f"got.{error.expected}")[0]
        if kind in WRITTEN and got:
            names = [self._piece(kind, one) for one in (got if isinstance(got, list) else [got])]
            if all(names):
                return shortened(self._value(names, ""), LONGEST_LIST)
        return shown(got)

    def _piece(self, kind: str, one: object) -> str:
        """The words of a card or a gem of a kind, empty where it is not written like one."""
        if isinstance(one, dict) and kind == "treasure":
            one = f"{one.get('color', '')}{one.get('number', '')}{'*' if one.get('bonus') else ''}"
        found = WRITTEN[kind].fullmatch(one) if isinstance(one, str) else None
        if not found:
            return ""
        return f"{self._word('color', found[1])} {found[2]}{found[3]}" if kind == "treasure" else self._word(kind, one)

    def _again(self, key: str, values: Mapping[str, Any]) -> str:
        """As `say`, for values that can be compared: what was said before is found again."""
        asked = (key, *values.values())
        said = self._kept.get(asked)
        return _keep(self._kept, asked, self._fill(key, values)) if said is None else said

    def _fill(self, key: str, values: Mapping[str, Any]) -> str:
        out = []
        for text, name, how in self.gaps(key):
            out.append(text)
            if name:
                value = values.get(name, NO_VALUE)
                simple = self._values.get((value, how)) if type(value) is str or type(value) is int else None
                out.append(simple or (f"{{{name}}}" if value is NO_VALUE else self._value(value, how)))
        return "".join(out)

    def _value(self, value: Any, how: str) -> str:
        if type(value) is str or type(value) is int:
            said = template.write(value, how, self._word, self._forms)
            return _keep(self._values, (value, how), said)
        if isinstance(value, dict):
            return self.say(value["key"], **value["values"])
        if hasattr(value, "key"):
            return self.told(value)
        if isinstance(value, (list, tuple)) and value and hasattr(value[0], "key"):
            value = [self.told(one) for one in value]
        return template.write(value, how, self._word, self._forms)

    def _word(self, kind: str, value: Any) -> str:
        if not kind:
            return template.number(value, "g" if isinstance(value, float) else "")
        if kind == "card":
            said = self._values.get((value, kind))
            if said is None:
                key = "card.red" if value.endswith("r") else "card.black"
                said = self.say(key, attribute=self.term(f"attribute.{value[0]}"), title=value[1])
                _keep(self._values, (value, kind), said)
            return said
        if kind == "area":
            return self.area(value)
        if kind == "treasure":
            return self._piece(kind, value) or str(value)
        return self._catalog.get(f"{kind}.{value}", str(value))

    def area(self, zone: str | None) -> str:
        """An area of the table: a player's, a part of it (`A.valid`), one with a name of its own, or none of them."""
        name, _, part = (zone or "none").rpartition(".")
        if name and f"part.{part}" in self:
            return self.say("area.part", name=name, part=self.term(f"part.{part}"))
        return self._catalog.get(f"area.{zone or 'none'}", str(zone))


def _keep(kept: dict[Any, str], asked: Any, said: str) -> str:
    """Keep what was said for when it is asked for again. Returns it."""
    if len(kept) > MOST_KEPT:
        kept.clear()
    kept[asked] = said
    return said


@cache
def words(language: str) -> Words:
    """The words of a language, by its code."""
    return Words(language)
