"""The catalogs: both languages say the same things, in the one template language, and nothing twice."""

import json
import re

import pytest

from companion.words.catalog import LANGUAGES, catalog, lacking, own_catalog, topics
from companion.words.template import GAP
from companion.words.words import Words, words
from vision.errors import PhotoError

KINDS = {"", "+", "th", "color", "color*", "seeker", "set", "card", "treasure", "area", "area&"}
"""What may stand behind a gap's colon, besides two words for one and many."""


def gaps(sentence):
    return {name for name, _ in GAP.findall(sentence)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_lacks_no_sentence_and_has_none_of_its_own(language):
    assert lacking(language) == frozenset()
    assert own_catalog(language).keys() == own_catalog("en").keys()


def test_both_languages_say_the_same_things_with_the_same_gaps():
    english, japanese = (catalog(language) for language in ("en", "ja"))
    for key, sentence in english.items():
        assert sentence.strip(" ,") or key == "list.comma"
        assert japanese[key].strip()
        assert gaps(japanese[key]) <= gaps(sentence), key
        assert gaps(sentence) - gaps(japanese[key]) <= {"n"}, key


def test_both_languages_are_divided_alike():
    english, japanese = (
        [
            (path.parent.name == language or path.parent.name, path.name.replace(f".{language}.", "."))
            for path in topics(language)
        ]
        for language in ("en", "ja")
    )
    assert english == japanese
    for one, other in zip(topics("en"), topics("ja"), strict=True):
        assert list(json.loads(one.read_text("utf-8"))) == list(json.loads(other.read_text("utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_gap_is_written_as_the_template_language_has_it(language):
    for key, sentence in catalog(language).items():
        assert not re.search(r"[{}]", GAP.sub("", sentence)), key
        assert {how for _, how in GAP.findall(sentence) if "|" not in how} <= KINDS, key


@pytest.mark.parametrize(
    ("key", "values", "en", "ja"),
    [
        ("report.winners", {"names": ("A",), "n": 1}, "Winner: A", "勝者：A"),
        ("report.winners", {"names": ["A", "B"], "n": 2}, "Winners: A, B", "勝者：A、B"),
        (
            "tile.stacked",
            {"zone": "A", "n": 2, "colors": ["red", "red"]},
            "A: 2 tiles lie on top of one another (red × 2)",
            "A：ほかのタイルと重なっているタイルが2枚あります（赤 × 2）。",
        ),
        (
            "tile.stacked",
            {"zone": None, "n": 1, "colors": ["gold"]},
            "outside all areas: 1 tile lies on top of another or under it (gold)",
            "エリアの外：ほかのタイルと重なっているタイルが1枚あります（黄金）。",
        ),
        (
            "tile.border.nobody",
            {"zones": ["Aki.valid", "dungeon"]},
            "on the border of Aki: valid and Dungeon; it counts for nobody",
            "Aki：有効とダンジョンのエリアの境目にあります。いまは誰の分でもありません。",
        ),
        (
            "had.open",
            {"cards": ("H3", "I1r")},
            "Opened set: Human 3, Item 1 (red)",
            "オープンしたセット：Human 3、Item 1（赤）",
        ),
        ("nothing.known", {}, "nothing.known", "nothing.known"),
    ],
)
def test_values_are_said_in_words(key, values, en, ja):
    assert (words("en").say(key, **values), words("ja").say(key, **values)) == (en, ja)


def test_a_gap_without_a_value_stays_to_be_seen():
    assert words("en").say("source.missing", why=3).startswith("{got}")


def test_a_message_within_a_message_is_said_in_the_same_language():
    why = PhotoError("photo.dark")
    said = [Words(language).say("source.bad-photo", got="a.jpg", why=why) for language in LANGUAGES]
    assert all(catalog(language)["photo.dark"] in text for language, text in zip(LANGUAGES, said, strict=True))
