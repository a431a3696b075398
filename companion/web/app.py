"""The app factory."""

from pathlib import Path

from flask import Flask

from companion.cases.evenings import Evenings
from companion.cases.results import Results
from companion.cases.store import Store
from companion.web import decks, language, pages, photos, printing, problems
from companion.web.access import access_control, pairing_page, phone, roles
from companion.web.api import api_page
from companion.web.cameras import calibrate, push
from companion.web.cases import case_page
from companion.web.evenings import elsewhere, evenings_page
from companion.web.guide import guide_page, set_up
from companion.web.request_body import MAX_UPLOAD
from companion.web.running.devices import Devices
from companion.web.running.eyes import Eyes, Turn
from companion.web.running.live_maps import LiveMaps
from companion.web.running.live_tables import LiveTables
from companion.web.running.network import LOOPBACK, Network, Reach
from companion.web.running.pairing import Pairing
from companion.web.running.play_news import PlayNews
from companion.web.running.table_eyes import TableEyes
from companion.web.services import KEY, Services
from companion.web.sheets import camera, enroll, plays, shutter
from companion.web.tables import colors, corrections, home, live_picture, table_page

HERE = Path(__file__).parents[1]
TEMPLATES = next(folder for folder in (HERE / "templates", HERE.parent / "templates") if folder.is_dir())
"""Installed: in the package; in a checkout: beside it."""


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
        SECRET_KEY=store.key(),
        MAX_CONTENT_LENGTH=MAX_UPLOAD,
        MAX_FORM_MEMORY_SIZE=100_000,
        MAX_FORM_PARTS=20,
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    language.init_app(app)
    problems.init_app(app, store.folder)
    access_control.init_app(app)
    news = PlayNews()
    evenings = Evenings(store)
    app.extensions[KEY] = Services(
        store=store,
        eyes=eyes or Eyes(),
        turn=Turn(),
        pushes=Turn(waiting=3),
        tables=LiveTables(store, table_eyes or TableEyes()),
        evenings=evenings,
        results=Results(store, evenings),
        news=news,
        maps=LiveMaps(store, table_eyes or TableEyes(), news),
        pairing=Pairing(),
        network=Network(folder, Reach(hosts, lan)),
        devices=Devices(folder / "devices.json"),
        static=TEMPLATES / "static",
    )
    for module in (
        pages,
        pairing_page,
        phone,
        photos,
        enroll,
        plays,
        shutter,
        camera,
        case_page,
        evenings_page,
        elsewhere,
        guide_page,
        set_up,
        home,
        table_page,
        live_picture,
        corrections,
        colors,
        calibrate,
        push,
        printing,
        api_page,
        decks,
    ):
        app.register_blueprint(module.bp)
    roles.check(app)
    app.jinja_env.globals.update(art=pages.art, ways_into=pages.ways_into)
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False, "separators": (",", ":")}
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    return app
