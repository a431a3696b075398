"""The words of scoring: both languages say everything that scoring can say."""

import ast
import json
import re
from pathlib import Path
from random import Random

import pytest
from bad_states import ALL
from forbidden_states import ALL as FORBIDDEN

from companion.cases.answer import answer
from companion.cases.state_text import parse
from companion.cli.report import report
from companion.words.catalog import LANGUAGES, catalog, own_words, topics
from companion.words.words import words
from scoring import StateError, score_state
from scoring.games import NAMES, rules_of
from scoring.samples import sample

SCORING = Path(__file__).parents[3] / "scoring"
BLANK = ["." * 11] * 11
DOT = ["." * 11] * 5 + ["....." + "o" + "....."] + ["." * 11] * 5
WALL = [row.replace("o", "#") for row in DOT]
DEMON = {"name": "B", "open": [[f"I{i}", f"I{i}r", f"I{i}"] for i in (1, 2, 3)], "hand": ["H1"], "winning_card": "H1"}

RARE = [
    {"game": "in-the-ruin", "goes_on": True, "players": [{"name": "A", "map": ["." * 11] * 11}]},
    {"game": "twelve-seekers", "rule": 9, "players": [{"name": n, "line": ["red"] * 6 * (n == "A")} for n in "ABC"]},
    {
        "game": "twelve-seekers", "rule": 11, "house_rules": {"gold": "gem"},
        "players": [{"name": "A", "gems": {}, "gold": 1, "chips": 41, "color_cards": ["red"], "seekers": [1] * 7}],
    },
    {
        "game": "twelve-seekers", "rule": 19, "house_rules": {"rainbow-invalid": "valid"},
        "players": [{"name": "A", "valid": {}, "invalid": {"rainbow": 1}}],
    },
    {
        "game": "twelve-seekers", "rule": 2, "house_rules": {"rainbow-duty": "may"},
        "players": [{"name": "A", "gems": {"rainbow": 1, **dict.fromkeys(("red", "yellow", "green", "blue"), 2)}}],
    },
    {
        "game": "in-the-ruin", "house_rules": {"shared-escape": "after-one"},
        "players": [
            {"name": "A", "map": BLANK, "escaped": 3}, {"name": "B", "map": BLANK, "first_map": DOT, "escaped": 3},
        ],
    },
    {"game": "in-the-ruin", "players": [{"name": n, "map": BLANK, "escaped": 3} for n in "AB"]},
    {"game": "human-angel-demon", "advanced": True, "winner": None, "players": [{"name": "A"}, DEMON]},
    {
        "game": "in-the-ruin",
        "players": [{"name": "A", "map": DOT, "escaped": None}, {"name": "B", "map": WALL, "escaped": None}],
    },
    {
        "game": "twelve-seekers", "rule": 8,
        "players": [{"name": n, "line": [color] * 4, "seekers": [1]} for n, color in (("A", "red"), ("B", "yellow"))],
    },
    {
        "game": "twelve-seekers", "rule": 7,
        "players": [{"name": n, "line": [], "seekers": [1]} for n in "AB"],
    },
    {"game": "human-angel-demon", "winner": None, "players": [{"name": "A"}]},
    {"game": "igna", "points": {}, "players": [{"name": "A", "sets": [["red1", "red1", "red1"]] * 5}]},
    {
        "game": "igna", "points": {"same": 1, "bonus": 1}, "house_rules": {"bonus-cards": "once-a-set"},
        "players": [{"name": "A", "sets": [["red1*", "red1*", "red1"]]}],
    },
    {
        "game": "twelve-seekers", "rule": 11, "house_rules": {"gold": "color"},
        "players": [{"name": "A", "gems": {}, "gold": 1}],
    },
    {
        "game": "human-angel-demon", "advanced": True, "winner": None,
        "players": [{"name": "A", "open": [[f"I{i}"] * 3 for i in (1, 2, 3)]}, {"name": "B"}],
    },
    {
        "game": "splendor", "house_rules": {"noble-cards": "once"},
        "players": [{"name": "A", "cards": [{"points": 6, "bonus": "red"}], "nobles": [{"red": 1}] * 2}],
    },
    {
        "game": "twelve-seekers", "rule": 17, "house_rules": {"plus-runs": "once-a-color"},
        "players": [
            {"name": "A", "line": ["red", "red", "blue", "rainbow", "red"], "color_cards": ["red", "green"],
             "choices": {"rainbow": "red"}},
        ],
    },
    {
        "game": "twelve-seekers", "rule": 10, "house_rules": {"runs-cut": "cut"},
        "players": [{"name": "A", "line": ["red"] * 4}],
    },
    {"game": "twelve-seekers", "rule": 19, "players": [{"name": "A", "valid": {"rainbow": 1}, "color_cards": ["red"]}]},
    {
        "game": "twelve-seekers", "rule": 1,
        "players": [{"name": "A", "gems": dict.fromkeys(("red", "yellow", "green", "blue"), 7)}],
    },
    {
        "game": "twelve-seekers", "rule": 12,
        "players": [{"name": n, "gems": {}, "seekers": [power]} for n, power in (("A", 3), ("B", 4))],
    },
    {
        "game": "twelve-seekers", "rule": 12,
        "players": [{"name": n, "gems": {}, "seekers": [1, 2, 2, 3, 4, 5]} for n in "AB"],
    },
    {"game": "twelve-seekers", "rule": 3, "seekers_left": [1], "players": [{"name": "A", "gems": {}}]},
    {"game": "twelve-seekers", "rule": 3, "goes_on": False,
     "seekers_left": [1], "players": [{"name": "A", "gems": {}}]},
    {"game": "twelve-seekers", "rule": 3, "goes_on": False, "players": [{"name": "A", "gems": {}, "seekers": [1]}]},
    {"game": "twelve-seekers", "rule": 3, "goes_on": True, "players": [{"name": "A", "gems": {}}]},
    {"game": "splendor", "supply": {"gold": 4}, "players": [{"name": "A"}, {"name": "B"}]},
    {"game": "in-the-ruin", "stage": 1, "players": [{"name": "A", "map": BLANK, "escaped": None}]},
    {"game": "in-the-ruin", "players": [{"name": "A", "map": ["o" * 11] * 11, "gems": 25, "escaped": None}]},
    *(
        {
            "game": "human-angel-demon", "advanced": True, "winner": None, "house_rules": {"instant-win": reading},
            "players": [{"name": "A", "open": [[f"I{i}"] * 3 for i in (1, 2, 3)]}, {"name": "B"}],
        }
        for reading in ("no-red", "red-in-sets")
    ),
    {
        "game": "splendor", "round_over": True,
        "players": [{"name": n, "cards": [{"points": 5, "bonus": "red"}] * 3} for n in "AB"],
    },
    {
        "game": "twelve-seekers", "rule": 1,
        "players": [{"name": "A", "gems": {}, "bonuses": [{"seeker": "two-kinds", "gems": ["red", "blue"] * 2}]}],
    },
]  # fmt: skip


SAMPLES = 150
"""Of each game."""


PAGES = re.compile(r"(js|shelf|area|part|dispute)\.|[a-z-]+\.card\.")
"""Words of games that scoring does not say."""


def of_scoring(language):
    files = [next(path for path in topics(language) if path.stem == "scoring")]
    files += [own_words(language, game) for game in NAMES]
    found = {key: text for path in files for key, text in json.loads(path.read_text("utf-8")).items()}
    return {key: text for key, text in found.items() if not PAGES.match(key)}


@pytest.fixture(scope="module")
def said():
    """Every breakdown that can be had: rare ones and random ones, of each game as if there were no other."""
    random = (sample(game, rng) for game in NAMES for rng in [Random(f"words {game}")] for _ in range(SAMPLES))
    return [score_state(state) for state in (*RARE, *[state for state, *_ in FORBIDDEN], *random)]


def test_japanese_is_japanese():
    foreign = re.compile(r"[a-z]{4,}")
    allowed = re.compile(r"true|false|null|held|first-of-kind|discarder|winning_card|color|number|JSON|red3")
    for key, text in of_scoring("ja").items():
        plain = re.sub(r"\{[^}]*\}", "", allowed.sub("", text))
        assert not foreign.search(plain) or key.startswith(("game.", "attribute.")), (key, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_said_has_its_words(language, said):
    say = words(language)
    for breakdown in said:
        answer(breakdown, say)
        text = report(breakdown, say, explain=True)
        assert "/players" not in text
        assert not re.search(
            r"[{}]|\b(seekers|ruin|had|splendor|igna|note|reading|question|source|place|grade)\.[a-z]", text
        ), text


def test_every_word_is_said_somewhere(said):
    lines = {line.key for breakdown in said for player in breakdown.players for line in player.lines}
    notes = {f"note.{note.key}" for breakdown in said for note in breakdown.notes}
    prefixes = ("note.", *{f"{key.partition('.')[0]}." for key in lines})
    said_of = {key for key in of_scoring("en") if key.startswith(prefixes)}
    assert said_of == (lines | notes) - {"note.house-rule"}


def test_every_complaint_is_made_somewhere():
    made = set()
    for text, _, _ in ALL:
        with pytest.raises(StateError) as refused:
            score_state(parse(text))
        whole = f"complaint.{refused.value.expected}"
        made.add(whole if whole in words("en") else f"expected.{refused.value.expected}")
    assert made == {key for key in catalog("en") if key.startswith("complaint.")} | {
        key for key in of_scoring("en") if key.startswith("expected.")
    }


def test_every_source_question_and_reading_has_its_words():
    keys = of_scoring("en")
    sources = {
        node.value
        for path in SCORING.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z-]+/[a-z0-9-]*[a-z0-9]", node.value)
    }
    sources |= {f"twelve-seekers/rule-{rule}" for rule in range(1, 21)}
    assert {f"source.{source}" for source in sources if source.split("/")[0] in NAMES} == {
        key for key in keys if key.startswith("source.")
    }
    questions = [question for game in NAMES for question in rules_of(game).questions]
    asked = {f"question.{q.name}" for q in questions} | {f"reading.{q.name}.{r}" for q in questions for r in q.readings}
    assert asked == {key for key in keys if key.startswith(("question.", "reading."))}
    assert {f"sheet.{rule}" for rule in range(1, 21)} == {key for key in keys if key.startswith("sheet.")}
