"""The app factory."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from companion.games import SHELF
from companion.web import (
    camera,
    camera_push,
    dispute,
    door,
    enroll,
    live,
    live_colors,
    pages,
    pairing,
    phone,
    photos,
    printing,
    problems,
    reopen,
    ruin,
    words,
)
from companion.web.eyes import Eyes, Turn
from companion.web.live_eyes import TableEyes
from companion.web.live_tables import LiveTables
from companion.web.store import Store

TEMPLATES = Path(__file__).parents[2] / "templates"
MAX_UPLOAD = 32 * 1024 * 1024
"""Bytes of a request at most: a 48-megapixel JPEG fits."""
LOOPBACK = frozenset({"127.0.0.1", "localhost"})


def create_app(
    folder: Path,
    hosts: frozenset[str] = LOOPBACK,
    lan: bool = False,
    eyes: Eyes | None = None,
    table_eyes: TableEyes | None = None,
) -> Flask:
    """The companion's page.

    Args:
        folder: the data folder; made where it is missing.
        hosts: the host names and addresses that the page answers to.
        lan: whether every request needs the pairing cookie.
        eyes: what reads photos.
        table_eyes: what follows tables.
    """
    app = Flask("companion", template_folder=str(TEMPLATES / "pages"), static_folder=None)
    store = Store(folder)
    app.config.update(
        STORE=store,
        SECRET_KEY=store.key(),
        EYES=eyes or Eyes(),
        TURN=Turn(),
        STATIC=TEMPLATES / "static",
        MAX_CONTENT_LENGTH=MAX_UPLOAD,
        MAX_FORM_MEMORY_SIZE=100_000,
        MAX_FORM_PARTS=20,
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    words.init_app(app)
    problems.init_app(app)
    door.init_app(app, set(hosts), lan)
    app.extensions["pairing"] = pairing.Pairing()
    app.extensions["live"] = LiveTables(store, table_eyes or TableEyes())
    for module in (
        pages,
        pairing,
        phone,
        photos,
        enroll,
        reopen,
        ruin,
        dispute,
        live,
        live_colors,
        camera,
        camera_push,
        printing,
    ):
        app.register_blueprint(module.bp)
    app.jinja_env.globals.update(shelf=SHELF, lan=lan)
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    return app
