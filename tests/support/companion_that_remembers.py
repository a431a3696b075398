"""The companion as people start it, whose eyes read no picture twice: most tests open the demo, each anew.

PYTHONPATH=tests/support python -m companion_that_remembers serve …
"""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from hashlib import sha256
from typing import Any


def remembered(see: Callable[..., Any]) -> Callable[..., Any]:
    """A method of eyes that looks once at what it is given; what it cannot read it looks at again."""
    seen: dict[bytes, Any] = {}

    def look(eyes: object, *given: object, **named: object) -> Any:
        key = sha256(pickle.dumps([contents(one) for one in (*given, *sorted(named.items()))])).digest()
        if key not in seen:
            seen[key] = see(eyes, *given, **named)
        return copy.deepcopy(seen[key])

    return look


def contents(given: object) -> object:
    """What is looked at, whatever it is called: the demo's sheet is another one for each test."""
    from vision.photo import Photo  # noqa: PLC0415
    from vision.sheet.profile import PICTURES, SheetProfile  # noqa: PLC0415

    if isinstance(given, Photo):
        return given.image, given.scale
    if isinstance(given, SheetProfile):
        files = [given.folder / name for name in map(vars(given).get, PICTURES) if given.folder and name]
        return {**vars(given), "name": "", "folder": [file.read_bytes() for file in files], "blank": None, "page": None}
    return given


def main() -> int:
    # Not above: the decoder's process imports this file, too.
    from companion.cli.main import main as run  # noqa: PLC0415
    from companion.web.running.eyes import Eyes  # noqa: PLC0415

    for name in ("read", "read_all", "enroll"):
        setattr(Eyes, name, remembered(getattr(Eyes, name)))
    return run()


if __name__ == "__main__":
    sys.exit(main())
