"""What `serve` does once its arguments are known to fit: the page, its listeners, what the terminal shows."""

import argparse
import logging
import logging.handlers
import socket
import sqlite3
import threading
import time
import webbrowser
from pathlib import Path

from flask import Flask

from common.messages import InputError
from companion.cases.store import Store
from companion.cli.common import BAD_INPUT, complain
from companion.web import create_app
from companion.web.access import qr
from companion.web.access.phone import pairing_link
from companion.web.api.outgoing import tell
from companion.web.running.devices import Role
from companion.web.server import PageServer
from companion.web.services import services_of
from companion.words.words import Words

log = logging.getLogger("companion")

LOOK_SECONDS = 3600.0
"""Between two looks whether another day has come."""


def page(folder: Path) -> Flask:
    """The page on a data folder, which logs into it. Raises OSError, sqlite3.Error."""
    app = create_app(folder)
    log_to(folder / "companion.log", app.logger)
    return app


def serve(app: Flask, listener: socket.socket, args: argparse.Namespace, said: Words) -> int:
    """Serve until interrupted. Returns the exit status."""
    store, network, codes = services_of(app).store, services_of(app).network, services_of(app).pairing
    threading.Thread(target=_tidy, args=(store,), name="daily copy", daemon=True).start()
    network.port = port = listener.getsockname()[1]
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
    lines = said.say("serve.open", address=here), said.say("serve.data", folder=store.folder), said.say("serve.stop")
    for line in lines:
        print(line, flush=True)
    if not args.no_browser:
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()
    try:
        server.run()
    finally:
        services_of(app).tables.close()  # what listens to them ends, too
        network.close()
        server.close()
    return 0


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
