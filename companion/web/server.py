"""The web server: cheroot over a listening socket, plain or with TLS.

A connection takes a thread only while a request of it can be read: silent ones, and TLS handshakes that somebody
begins and leaves, wait in cheroot's selector until they speak or `IDLE` seconds have passed.
"""

from __future__ import annotations

import logging
import select
import socket
import ssl
import threading
from contextlib import suppress
from typing import Any

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection
from cheroot.ssl import Adapter
from cheroot.wsgi import Server

from companion.web.app import MAX_UPLOAD

THREADS = 48
"""One request a thread; each page of a live table holds two: its picture and its stream of events."""
IDLE = 20.0
"""Seconds after which a silent connection is closed."""
MAX_BODY = MAX_UPLOAD + 64 * 1024
"""Bytes of a request's body, at most. Flask answers what is above MAX_UPLOAD, in words."""
BACKLOG = 128
"""Connections that may wait to be accepted."""
MAX_HEADER = 64 * 1024
"""Bytes of a request's headers, at most."""

log = logging.getLogger("companion")


class PageServer:
    """Serves a WSGI app on a listening socket until it is closed.

    Args:
        app: the WSGI application.
        listener: a bound, listening TCP socket.
        context: the TLS context; None: plain HTTP.
    """

    def __init__(self, app: Any, listener: socket.socket, context: ssl.SSLContext | None = None) -> None:
        name = listener.getsockname()[:2]
        self._server = _Server(name, app, numthreads=THREADS, server_name="companion", shutdown_timeout=1)
        self._server.timeout = IDLE
        self._server.request_queue_size = BACKLOG
        self._server.max_request_header_size = MAX_HEADER
        self._server.max_request_body_size = MAX_BODY
        self._server.ssl_adapter = None if context is None else _Adapter(context)
        self._server.ConnectionClass = _Connection if context is None else _TlsConnection
        self._server.listener = listener

    def start(self) -> None:
        """Serve in a thread of its own from now on."""
        self._server.prepare()
        threading.Thread(target=self._serve, name="web server", daemon=True).start()

    def run(self) -> None:
        """Serve until Ctrl+C."""
        self._server.prepare()
        with suppress(KeyboardInterrupt):
            self._server.serve()

    def close(self) -> None:
        """Stop serving."""
        self._server.stop()

    def _serve(self) -> None:
        try:
            self._server.serve()
        except Exception:
            log.exception("the web server has stopped")


class _Server(Server):
    """Takes a socket that listens already, and logs errors to the companion's log."""

    listener: socket.socket

    def bind(self, family: int, type: int, proto: int = 0) -> socket.socket:
        self.socket = self.listener
        return self.listener

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        log.log(level, "web server: %s", msg, exc_info=traceback)


class _Connection(HTTPConnection):
    """A connection that goes back to the selector while it has nothing to read."""

    def communicate(self) -> bool:
        if not self.rfile.has_data() and not select.select([self.socket], [], [], 0)[0]:
            return True
        return bool(super().communicate())  # type: ignore[no-untyped-call]


class _TlsConnection(HTTPConnection):
    """The handshake is made step by step as the other side speaks."""

    shaken = False

    def communicate(self) -> bool:
        if not self.shaken:
            try:
                self.socket.settimeout(0)
                self.socket.do_handshake()
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return True
            except (OSError, ValueError):
                # A browser that does not trust the certificate yet, something that speaks no TLS, or nobody at all.
                return False
            self.shaken = True
            self.socket.settimeout(self.server.timeout)
            return True
        return bool(super().communicate())  # type: ignore[no-untyped-call]


class _Adapter(Adapter):
    """Wraps sockets and leaves the handshake for later."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.context = context

    def bind(self, sock: socket.socket) -> socket.socket:
        return sock

    def wrap(self, sock: socket.socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, self.get_environ()

    def get_environ(self) -> dict[str, str]:
        return {"wsgi.url_scheme": "https", "HTTPS": "on"}

    def makefile(self, sock: socket.socket, mode: str = "r", bufsize: int = -1) -> Any:
        return MakeFile(sock, mode, bufsize)
