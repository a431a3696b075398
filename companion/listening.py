"""Listen where the page is asked for: a socket on a port that was named, or on the usual one, or the next one free."""

import socket
from contextlib import suppress

PORT = 8137
"""Where the page is usually asked for."""
BACKLOG = 128
"""Connections that may wait to be accepted."""


def listen(host: str, port: int | None, usual: int = PORT) -> socket.socket:
    """A listening socket; without a port, on the usual one or the next that is free. Raises OSError."""
    choices = [port] if port is not None else [*range(usual, min(usual + 20, 65536)), 0]
    for choice in choices[:-1]:
        with suppress(OSError):
            return socket.create_server((host, choice), backlog=BACKLOG)
    return socket.create_server((host, choices[-1]), backlog=BACKLOG)
