"""Write files so that what stood there before is lost only once the new one is whole."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ANYBODY = 0o666
"""Permissions of a new file, less what the process masks out."""


@contextmanager
def named(path: Path) -> Iterator[None]:
    """What the system cannot do meanwhile is said of this file: writing does not name any."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            error.filename = str(path)
        raise


def write_whole(path: Path, data: bytes, mode: int = ANYBODY) -> None:
    """Write a file whole or not at all; to what is no file, such as a pipe, just write. Raises OSError.

    Args:
        path: where; a link stays one.
        data: what.
        mode: the permissions of a file that is new.
    """
    with named(path):
        path = path.resolve()
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        temporary = path.with_name(f".writing-{secrets.token_hex(8)}")
        try:
            with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
