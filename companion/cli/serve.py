"""`serve`: the page, on this computer or for the phones at the table."""

from __future__ import annotations

import argparse
import logging
import logging.handlers
import os
import socket
import sqlite3
import sys
import threading
import time
import webbrowser
from pathlib import Path

import platformdirs
from flask import Flask

from companion.cases.store import COPIES, DATABASE, DamagedDataError, InUseError, NewerDataError, Store, claim
from companion.cli.common import BAD_INPUT, add_language, complain, refused
from companion.malloc import share_heaps
from companion.web import create_app
from companion.web.access import qr
from companion.web.access.devices import Role
from companion.web.access.phone import pairing_link
from companion.web.api.outgoing import OutgoingError, tell
from companion.web.app import LOOPBACK
from companion.web.server import PageServer
from companion.web.services import services_of
from companion.words.words import Words, words
from vision.errors import why

log = logging.getLogger("companion")

LOOK_SECONDS = 3600.0
"""Between two looks whether another day has come."""
PORT = 8137
SECURE_PORT = 8437
"""Where the page is secure, with --lan: phones give their camera to no other."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="where profiles, photos and results lie")
    parser.add_argument(
        "--port", type=_port, metavar="N", help=f"the port to listen on (default: {PORT} or the next free one)"
    )
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
    address = lan_address() if args.lan else None
    if args.lan and address is None:
        return complain(said.say("serve.no-network"), BAD_INPUT)
    try:
        listener = listen("0.0.0.0" if args.lan else "127.0.0.1", args.port)
    except OSError as error:
        return complain(said.say("serve.port", port=args.port or PORT, why=why(error)), BAD_INPUT)
    port = listener.getsockname()[1]
    hosts = LOOPBACK | (
        {address, socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"} if address else set()
    )
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        claimed = claim(folder, f"http://127.0.0.1:{port}/")
        app = create_app(folder, frozenset(hosts), lan=args.lan)
        log_to(folder / "companion.log", app.logger)
    except (OSError, sqlite3.Error) as error:
        listener.close()
        return complain(unusable(error, folder, said), BAD_INPUT)
    threading.Thread(target=_tidy, args=(services_of(app).store,), name="daily copy", daemon=True).start()
    try:
        for told in args.tell:
            tell(services_of(app).tables, told)
    except OutgoingError as error:
        listener.close()
        return complain(said.told(error), BAD_INPUT)
    app.config["LAN_ADDRESS"] = f"{address}:{port}" if address else None
    server = PageServer(app, listener)
    secure = _secure(app, folder, hosts, address, said) if address else None
    here = f"http://127.0.0.1:{port}/"
    if args.lan:
        codes = services_of(app).pairing

        def home() -> str:
            return pairing_link(f"127.0.0.1:{port}", codes.new_code(Role.HOST, home=True))

        codes.home_used = lambda: print(said.say("serve.open", address=home()), flush=True)
        here = home()
        link = pairing_link(app.config["LAN_ADDRESS"], codes.new_code())
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
        server.close()
        if secure is not None:
            secure.close()
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


def _secure(app: Flask, folder: Path, hosts: set[str] | frozenset[str], address: str, said: Words) -> PageServer | None:
    """The page over TLS too, for phones that film; None, with a word, where it cannot be."""
    from companion.web.access.certificates import identity  # noqa: PLC0415 - not needed without --lan

    try:
        known = identity(folder, hosts)
        listener = listen("0.0.0.0", None, SECURE_PORT)
    except OSError as error:
        complain(said.say("serve.not-secure", why=why(error)), BAD_INPUT)
        return None
    app.config.update(
        SECURE_ADDRESS=f"{address}:{listener.getsockname()[1]}",
        SECURE_AUTHORITY=known.authority,
        SECURE_FINGERPRINT=known.fingerprint,
    )
    server = PageServer(app, listener, known.context)
    server.start()
    return server


def listen(host: str, port: int | None, usual: int = PORT) -> socket.socket:
    """A listening socket; without a port, on the usual one or the next that is free. Raises OSError."""
    choices = [port] if port is not None else [*range(usual, usual + 20), 0]
    for choice in choices:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, choice))
            listener.listen(128)
        except OSError:
            listener.close()
            if choice == choices[-1]:
                raise
        else:
            return listener
    raise OSError("no free port")


def lan_address() -> str | None:
    """This computer's address in the local network; None without one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") or address == "0.0.0.0" else address


def log_to(path: Path, logger: logging.Logger) -> None:
    """Errors of the companion itself go to a file, not to the people at the table."""
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=1_000_000, backupCount=1, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger.handlers[:] = [handler]
    logger.propagate = False


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise refused("argument.number", least=0, most=65535, got=text)
    return int(text)


def _show(code: str, said: Words) -> None:
    try:
        print(code)
    except UnicodeEncodeError:
        print(said.say("serve.no-qr"))
