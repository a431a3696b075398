"""Everything that a watched table has to say is said in both languages, with the same gaps."""

from string import Formatter

import pytest

from companion.live.session import NEW_GAME
from companion.live.settle_detector import COVERED, MOVING, WAITING
from companion.sources.frame import REASONS
from companion.words.catalog import LANGUAGES, catalog
from companion.words.table import told

KEYS = [
    *REASONS, WAITING, MOVING, COVERED, "table.rules", "table.neither", "table.no-set", "zone.missing", "zone.hidden",
    "camera.moved",
    "zone.overlap", "marker.twice", "tile.unsure",
    *(f"tile.{doubt}{how}" for doubt in ("stacked", "border", "box") for how in ("", ".one", ".this")),
    "tile.border.nobody", "list.and", NEW_GAME,
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", KEYS)
def test_what_is_said_has_words(language, key):
    assert key in catalog(language, "table")


def test_the_languages_have_the_same_gaps():
    english, japanese = catalog("en", "table"), catalog("ja", "table")
    assert english.keys() == japanese.keys()
    for key, text in english.items():
        gaps = [{name for _, name, _, _ in Formatter().parse(t) if name} for t in (text, japanese[key])]
        assert gaps[0] == gaps[1], key


def test_the_catalog_says_what_the_reasons_say():
    english = catalog("en", "table")
    assert all(english[key] == reason for key, reason in REASONS.items())


def test_a_key_without_words_stays_a_key():
    assert told("ja", "nothing.known") == "nothing.known"
    assert told("en", "source.missing", {"got": "a\nb"}) == "a\\nb: there is no such file or folder"
    assert told("en", "source.missing") == "{got}: there is no such file or folder"


@pytest.mark.parametrize(
    ("values", "en", "ja"),
    [
        (
            {"zone": "A", "n": 2, "colors": ["red", "red"]},
            "A: 2 tiles lie on top of one another (red × 2)",
            "A：タイルが2枚、重なっています（赤 × 2）。",
        ),
        (
            {"zone": None, "n": 1, "colors": ["gold"]},
            "beside the zones: 1 tile lies on top of another or under it (gold)",
            "エリアの外：タイルが1枚、ほかのタイルと重なっています（黄金）。",
        ),
    ],
)
def test_places_and_colors_are_words(values, en, ja):
    assert (told("en", "tile.stacked", values), told("ja", "tile.stacked", values)) == (en, ja)
