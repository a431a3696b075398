"""`serve`: the page, on this computer or for the phones at the table."""

import argparse
import logging
import logging.handlers
import os
import sqlite3
import threading
import time
import webbrowser
from pathlib import Path

import platformdirs

from common.messages import InputError, why
from companion.cases.store import COPIES, DATABASE, DamagedDataError, InUseError, NewerDataError, Store, claim
from companion.cli.common import BAD_INPUT, add_language, complain, whole
from companion.malloc import share_heaps
from companion.web import create_app
from companion.web.access import qr
from companion.web.access.phone import pairing_link
from companion.web.api.outgoing import tell
from companion.web.running.devices import Role
from companion.web.running.network import PORT, listen
from companion.web.server import PageServer
from companion.web.services import services_of
from companion.words.words import Words, words

log = logging.getLogger("companion")

LOOK_SECONDS = 3600.0
"""Between two looks whether another day has come."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="where profiles, photos and results lie")
    port = f"the port to listen on (default: {PORT} or the next free one)"
    parser.add_argument("--port", type=whole(0, 65535), metavar="N", help=port)
    parser.add_argument(
        "--lan", action="store_true", help="open the page to the local network; phones come in by QR code"
    )
    parser.add_argument(
        "--tell", action="append", default=[], metavar="URL",
        help="tell this address of the points as they change: http(s) (a webhook) or mqtt(s)://broker/topic",
    )  # fmt: skip
    add_language(parser)
    parser.add_argument("--no-browser", action="store_true", help="do not open the page in the browser")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted. Returns the exit status."""
    share_heaps()
    os.umask(0o077)  # what is made from now on is readable by its owner only
    said = words(args.lang)
    folder = args.data or Path(platformdirs.user_data_dir("table-companion", appauthor=False))
    try:
        listener = listen("127.0.0.1", args.port)
    except OSError as error:
        return complain(said.say("serve.port", port=args.port or PORT, why=why(error)), BAD_INPUT)
    port = listener.getsockname()[1]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        claimed = claim(folder, f"http://127.0.0.1:{port}/")
        app = create_app(folder)
        log_to(folder / "companion.log", app.logger)
    except (OSError, sqlite3.Error) as error:
        listener.close()
        return complain(unusable(error, folder, said), BAD_INPUT)
    threading.Thread(target=_tidy, args=(services_of(app).store,), name="daily copy", daemon=True).start()
    network, codes = services_of(app).network, services_of(app).pairing
    network.port = port
    here = f"http://127.0.0.1:{port}/"

    def home() -> str:
        return pairing_link(f"127.0.0.1:{port}", codes.new_code(Role.HOST, home=True))

    codes.home_used = lambda: print(said.say("serve.open", address=home()), flush=True)
    try:
        for told in args.tell:
            tell(services_of(app).tables, told)
        unsecured = network.open(app) if args.lan else None
    except InputError as error:
        listener.close()
        return complain(said.told(error), BAD_INPUT)
    server = PageServer(app, listener)
    if unsecured is not None:
        complain(said.say("serve.not-secure", why=unsecured), BAD_INPUT)
    if args.lan:
        here = home()
        link = pairing_link(network.reach.address or "", codes.new_code())
        _show(qr.terminal(link), said)
        print(said.say("serve.phone", link=link))
    for line in (said.say("serve.open", address=here), said.say("serve.data", folder=folder), said.say("serve.stop")):
        print(line, flush=True)
    if not args.no_browser:
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()
    try:
        server.run()
    finally:
        services_of(app).tables.close()  # what listens to them ends, too
        network.close()
        server.close()
        claimed.close()
    return 0


def unusable(error: OSError | sqlite3.Error, folder: Path, said: Words) -> str:
    """Why a data folder cannot be worked with, and what to do."""
    if isinstance(error, InUseError):
        return said.say("serve.in-use", folder=folder, address=error.where)
    if isinstance(error, NewerDataError):
        return said.say("serve.newer", folder=folder)
    damaged = getattr(error, "sqlite_errorname", "") in ("SQLITE_NOTADB", "SQLITE_CORRUPT")
    if damaged or isinstance(error, DamagedDataError):
        return said.say("serve.damaged", file=folder / DATABASE, copies=folder / COPIES, why=str(error))
    return said.say("serve.folder", folder=folder, why=why(error) if isinstance(error, OSError) else str(error))


def _tidy(store: Store) -> None:
    """Once a day copy the database, and throw away the pictures that nothing refers to."""
    while True:
        try:
            store.copy_of_today()
            store.collect()
        except (OSError, sqlite3.Error):
            log.exception("the daily copy could not be made")
        time.sleep(LOOK_SECONDS)


def log_to(path: Path, logger: logging.Logger) -> None:
    """Errors of the companion itself go to a file, not to the people at the table."""
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=1_000_000, backupCount=1, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    handler.handleError = lambda record: None  # type: ignore[method-assign]  # a full disk: the page says it
    logger.handlers[:] = [handler]
    logger.propagate = False


def _show(code: str, said: Words) -> None:
    try:
        print(code)
    except UnicodeEncodeError:
        print(said.say("serve.no-qr"))
