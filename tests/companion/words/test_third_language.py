"""A third language is a folder: what it lacks is said in English, plurals and ordinal numbers are its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.words import catalog
from companion.words.template import Language
from companion.words.words import Words

FRENCH = {
    "language.name": "Français",
    "language.plural": "[01]",
    "language.ordinal": "1=er .*=e",
    "list.comma": ", ",
    "list.and": " et ",
    "list.nothing": "rien",
    "color.red": "rouge",
    "color.yellow": "jaune",
    "color.green": "vert",
    "color.blue": "bleu",
    "color.purple": "violet",
    "color.rainbow": "arc-en-ciel",
    "color.gold": "or",
    "tile.stacked": "{zone:area} : {n} {n:tuile recouverte|tuiles recouvertes} ({colors:color*})",
    "report.winners": "{n:Gagne|Gagnent} : {names}",
    "place.nth": "{at:th}",
    "place.nths": "du {first:th} au {last:th}",
    "area.none": "hors des zones",
    "move.assumed": " (supposé)",
    "player.name": "Joueur {number}",
}
EVERY_CACHE = (catalog.catalog, catalog.own_catalog)


@pytest.fixture
def french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Words]:
    shutil.copytree(catalog.FOLDER, tmp_path / "words", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    folder = tmp_path / "words/fr"
    folder.mkdir()
    head = {key: text for key, text in FRENCH.items() if key.startswith("language.")}
    (folder / "language.json").write_text(json.dumps(head), "utf-8")
    rest = {key: text for key, text in FRENCH.items() if key not in head}
    (folder / "pages.json").write_text(json.dumps(rest), "utf-8")
    monkeypatch.setattr(catalog, "FOLDER", tmp_path / "words")
    for kept in EVERY_CACHE:
        kept.cache_clear()
    yield Words("fr")
    for kept in EVERY_CACHE:
        kept.cache_clear()


def test_a_folder_is_a_language(french: Words) -> None:
    assert catalog.languages() == ("en", "fr", "ja")
    assert french.term("language.name") == "Français"


def test_what_it_lacks_is_said_in_english_and_is_known(french: Words) -> None:
    assert french.say("tile.border.nobody", zones=["A", "dungeon"]) == Words("en").say(
        "tile.border.nobody", zones=["A", "dungeon"]
    ).replace(" and ", " et ")
    assert catalog.lacking("fr") == catalog.own_catalog("en").keys() - FRENCH.keys()
    assert "tile.border.nobody" in catalog.lacking("fr")
    assert catalog.lacking("ja") == set()


@pytest.mark.parametrize(
    ("key", "values", "said"),
    [
        ("report.winners", {"names": ("A",), "n": 1}, "Gagne : A"),
        ("report.winners", {"names": ("A", "B"), "n": 2}, "Gagnent : A, B"),
        (
            "tile.stacked",
            {"zone": None, "n": 0, "colors": []},
            "hors des zones : 0 tuile recouverte (rien)",
        ),
        (
            "tile.stacked",
            {"zone": None, "n": 3, "colors": ["red", "red", "gold"]},
            "hors des zones : 3 tuiles recouvertes (rouge × 2, or)",
        ),
        ("place.nth", {"at": 1}, "1er"),
        ("place.nths", {"first": 1, "last": 21}, "du 1er au 21e"),
    ],
)
def test_plurals_and_ordinal_numbers_are_its_own(french: Words, key: str, values: dict, said: str) -> None:
    assert french.say(key, **values) == said


POLISH = Language(", ", " i ", "nic", "1 (.*[^1])?[2-4]", ".*=.")
ENGLISH = Language(", ", " and ", "none", "1", "(.*[^1])?1=st (.*[^1])?2=nd (.*[^1])?3=rd .*=th")


@pytest.mark.parametrize(
    ("n", "said"),
    [(0, "kart"), (1, "karta"), (2, "karty"), (4, "karty"), (5, "kart"), (12, "kart"), (22, "karty"), (112, "kart")],
)
def test_a_language_may_have_more_than_two_forms(n: int, said: str) -> None:
    assert POLISH.form(n, ("karta", "karty", "kart")) == said
    assert POLISH.form(n, ("card", "cards")) == ("card" if n == 1 else "cards"), "an English sentence it falls back to"


@pytest.mark.parametrize(
    ("n", "said"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st"),
     (102, "102nd"), (111, "111th")],
)  # fmt: skip
def test_english_ordinal_numbers(n: int, said: str) -> None:
    assert ENGLISH.nth(n) == said
