"""`serve`: the page, on this computer or for the phones at the table."""

import argparse
import os
import sqlite3
from pathlib import Path

import platformdirs

from common.messages import why
from companion.camera_address import may_be_told
from companion.cases.store import COPIES, DATABASE, DamagedDataError, InUseError, NewerDataError, claim
from companion.cli.common import BAD_INPUT, add_language, complain, whole
from companion.listening import PORT, listen
from companion.malloc import share_heaps
from companion.words.words import Words, words


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
    """Serve until interrupted. Returns the exit status.

    What was mistyped is refused before the page is loaded, which takes a second.
    """
    share_heaps()
    os.umask(0o077)  # what is made from now on is readable by its owner only
    said = words(args.lang)
    for address in args.tell:
        may_be_told(address)
    folder = args.data or Path(platformdirs.user_data_dir("table-companion", appauthor=False))
    try:
        listener = listen("127.0.0.1", args.port)
    except OSError as error:
        return complain(said.say("serve.port", port=args.port or PORT, why=why(error)), BAD_INPUT)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        claimed = claim(folder, f"http://127.0.0.1:{listener.getsockname()[1]}/")
        from companion.cli import serving  # noqa: PLC0415 - all of the page, with Flask and OpenCV

        app = serving.page(folder)
    except (OSError, sqlite3.Error) as error:
        listener.close()
        return complain(unusable(error, folder, said), BAD_INPUT)
    try:
        return serving.serve(app, listener, args, said)
    finally:
        claimed.close()


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
