"""`python -m companion calibrate`: calibrate tile colors or a camera. Each verb has a module of its own.

A verb NAME lives in `companion/cli/calibrate_NAME.py` and offers `add_arguments(parser)` and `run(args) -> int`.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import Any

VERBS = {
    "colors": "learn the colors of these tiles from photos of one row of them",
    "camera": "learn a camera's lens from photos of the printed board",
}
BAD_INPUT = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs and their arguments; a verb that is not there says so when it is asked for."""
    rows = parser.add_subparsers(dest="verb", required=True, metavar="|".join(VERBS))
    for name, about in VERBS.items():
        row = rows.add_parser(name, help=about, description=about)
        if (module := _load(name)) is not None:
            module.add_arguments(row)
        else:
            row.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """The verb's own exit status."""
    module = _load(args.verb)
    if module is None:
        print(f"companion calibrate: {args.verb} is not part of this version", file=sys.stderr)
        return BAD_INPUT
    return int(module.run(args))


def _load(verb: str) -> Any:
    name = f"companion.cli.calibrate_{verb}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise
