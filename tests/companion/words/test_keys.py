"""Every key that is said has words, every sentence is said somewhere, and nothing is written in English only."""

import ast
import re
from pathlib import Path

import pytest

from companion.words.catalog import catalog

ROOT = Path(__file__).parents[3]
KEY = re.compile(r"(?:js\.)?[a-z][a-z-]*(?:\.[A-Za-z0-9_-]+)+")
SAYING = re.compile(r"\w*Error|Problem|Message|SourceState|Status|say|term|told|refused|answer|explain|cut_edge")
"""Calls whose arguments are keys of the catalogs."""
NO_KEY = re.compile(r".*\.(json|jsonl|jpg|png|pdf|html|js|css|log|py|webmanifest)|dungeon\.\w+|A\.\w+")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
ENGLISH = re.compile(r"\b(the|is|are|not|of|with|this|expected|please|cannot|and)\b", re.IGNORECASE)


def sources():
    for room in ("common", "companion", "vision", "calibration"):
        yield from sorted((ROOT / room).rglob("*.py"))


def constants(node):
    """The texts written below a node, those with gaps cut off at the first gap and marked by a `*`."""
    parts = {id(one) for joined in ast.walk(node) if isinstance(joined, ast.JoinedStr) for one in joined.values}
    for one in ast.walk(node):
        if isinstance(one, ast.JoinedStr):
            first = one.values[0]
            if isinstance(first, ast.Constant) and len(one.values) > 1:
                yield f"{first.value}*"
        elif isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in parts:
            yield one.value


def called(node):
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def test_every_key_that_is_said_or_raised_has_words():
    english = catalog("en")
    missing = set()
    said = 0
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not SAYING.fullmatch(called(node)):
                continue
            for text in (text for argument in node.args for text in constants(argument)):
                if KEY.fullmatch(text) and not NO_KEY.fullmatch(text):
                    said += 1
                    if text not in english:
                        missing.add((path.name, node.lineno, text))
    assert said > 250
    assert not missing


def test_every_error_of_a_person_is_a_key_and_no_sentence():
    wrong = set()
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                texts = [text for argument in node.exc.args for text in constants(argument)]
                if called(node.exc) in OURS and any(re.search(r"\w+ \w+ \w+", text) for text in texts):
                    wrong.add((path.name, node.lineno))
    assert not wrong


OURS = {
    "InputError", "PhotoError", "ProfileError", "TableProfileError", "PaletteError", "CameraError",
    "CameraProfileError", "ColorsError", "SourceError", "EditError", "AddressError", "SheetNameError", "Problem",
    "BlankError", "NotJsonError",
}  # fmt: skip


def test_every_sentence_is_said_somewhere():
    written, begun = set(), set()
    for path in [*sources(), *sorted((ROOT / "scoring").rglob("*.py"))]:
        for text in constants(ast.parse(path.read_text("utf-8"))):
            (begun.add(text[:-1]) if text.endswith("*") else written.add(text))
    folders = ("templates/pages/**/*.html", "templates/static/**/*.js", "companion/games/*/editor.js")
    for path in [path for folder in folders for path in ROOT.glob(folder)]:
        text = path.read_text("utf-8")
        desk = f"js.dispute.{path.stem}."
        for key in re.findall(r"""["'`]([a-z][\w.-]*[\w-])["'`]""", text):
            written |= {key, f"js.{key}", desk + key}
        for start in re.findall(r"""["'`]([a-z][\w.-]*[.-])(?:\$\{|["'] ?[~+])""", text):
            begun |= {start, f"js.{start}", desk + start}
    begun = tuple(one for one in begun if "." in one)
    own = (  # put together from what scoring answers
        "question.",
        "reading.",
        "source.",
        "list.",
        "choice.",
        "set.",
        "seekers.",
        "ruin.",
        "had.",
        "splendor.",
        "igna.",
    )
    unsaid = {
        key
        for key in catalog("en")
        if not (key in written or key.startswith((*begun, *own)) or key.endswith(".this") or ".card." in key)
        and KEY.fullmatch(key)
    }
    assert not unsaid


NAMES = re.compile(
    r"https?|rtsp|PDF|JSON|JPEG|PNG|WebP|HEIC|QR|UTF|ArUco|MP4|MOV|AVI|MKV|Safari|Chrome|iPhone|iPad|Android|Wi-Fi"
    r"|Human|Angel|Demon|Item|Splendor|Igna|Twelve|Seekers|Ruin|In the Ruin"
    r"|Show Details|visit this website|Visit Website"
    r"|held|first-of-kind|Advanced|Proceed to|calibrate colors|--[a-z]+|print board|pillow-heif"
)


def test_japanese_sentences_are_japanese():
    """No English sentence stands in the Japanese catalog: at most names of formats, options and fields."""
    wrong = {}
    for key, sentence in catalog("ja").items():
        plain = NAMES.sub("", re.sub(r"\{[^}]*\}", "", sentence))
        if ENGLISH.search(plain) or (len(re.findall(r"[A-Za-z]{3,}", plain)) > 2 and not JAPANESE.search(plain)):
            wrong[key] = sentence
    assert not wrong


@pytest.mark.parametrize("key", ["scale.stickers", "tile.stacked", "card.unfit", "source.frozen", "camera.moved"])
def test_what_a_table_has_to_say_is_said_by_the_one_class_that_page_and_command_line_share(key):
    assert key in catalog("en")
    assert key in catalog("ja")
