"""Help on the page: the guide, trouble by symptom, the version, and what a camera of this computer sees."""

import re
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, render_template, send_from_directory, url_for
from markupsafe import Markup

from companion import __version__
from companion.sources.camera_names import camera_names
from companion.web.access.access_control import here
from companion.web.access.roles import for_guests
from companion.web.answers import found
from companion.web.guide.markdown import title, to_html
from companion.web.language import language
from companion.web.services import services
from companion.words.catalog import LANGUAGES

bp = Blueprint("guide", __name__)

PACKAGE = Path(__file__).parents[2]
DOCS = next((folder for folder in (PACKAGE / "docs", PACKAGE.parent / "docs") if folder.is_dir()), PACKAGE / "docs")
"""Installed: in the package; in a checkout: beside it."""
CHAPTERS = ("start", "twelve-seekers", "in-the-ruin", "human-angel-demon", "splendor", "igna", "trouble")
TROUBLE = "trouble"
OTHER_LANGUAGE = re.compile(r"\[[^\]]+\]\(\.\./\w+/[\w-]+\.md\)( [·・]\s*)?")
"""The link to the same page in another language: here the page's own switch does that."""
CHAPTER = re.compile(r"(?:\.\./\w+/)?([\w-]+)\.md")
PICTURE = re.compile(r"(?:\.\./)*pictures/(\w+)/([\w-]+\.\w+)")


@bp.get("/guide/")
@for_guests
def page() -> str:
    """Trouble by symptom, the chapters, the version, the camera."""
    filmed = services().tables.filmed
    return render_template(
        "guide.html",
        chapters=[(name, title(_text(name, _spoken()))) for name in CHAPTERS if name != TROUBLE],
        text=_html(TROUBLE, _spoken()).replace("h1>", "h2>"),  # the page has a heading of its own
        version=__version__,
        here=here(),
        names=camera_names(),
        followed=filmed.table if filmed is not None and filmed.running else None,
    )


@bp.get("/guide/<name>")
@for_guests
def chapter(name: str) -> str:
    """A chapter of the guide."""
    found(name in CHAPTERS or None)
    return render_template("guide.html", text=_html(name, _spoken()), name=title(_text(name, _spoken())))


@bp.get("/guide/pictures/<of>/<name>")
@for_guests
def picture(of: str, name: str) -> Response:
    """A picture of the guide in a language."""
    found(of in LANGUAGES or None)
    return send_from_directory(DOCS / "pictures" / of, name, max_age=3600)


def _spoken() -> str:
    """The language of the guide: that of the page, or English where it has none in that."""
    return language() if (DOCS / "guide" / language()).is_dir() else "en"


@cache
def _text(name: str, spoken: str) -> str:
    return (DOCS / "guide" / spoken / f"{name}.md").read_text("utf-8")


def _html(name: str, spoken: str) -> Markup:
    return to_html(OTHER_LANGUAGE.sub("", _text(name, spoken)), _address)


def _address(link: str) -> str | None:
    """Where a link of the guide leads here; None where that is not part of the program."""
    if link.startswith("https://"):
        return link
    if drawn := PICTURE.fullmatch(link):
        return url_for("guide.picture", of=drawn[1], name=drawn[2])
    if (known := CHAPTER.fullmatch(link)) and known[1] in CHAPTERS:
        return url_for("guide.page") if known[1] == TROUBLE else url_for("guide.chapter", name=known[1])
    return None
