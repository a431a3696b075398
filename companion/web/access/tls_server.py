"""The page over TLS, beside the plain one: cheroot serves it, for waitress speaks no TLS.

Handshakes are made step by step as the other side speaks, so that who begins one and says no more keeps nobody waiting.
"""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from typing import Any

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection
from cheroot.ssl import Adapter
from cheroot.wsgi import Server

THREADS = 48
"""Each page holds a moving picture and a line of events."""
IDLE = 20.0
"""Seconds after which a silent connection is closed."""
WAITING = 128
"""Connections that may wait to be taken."""

log = logging.getLogger("companion")


class SecureServer:
    """Serves an app on a listening socket with TLS, in a thread of its own, until it is closed."""

    def __init__(self, app: Any, listener: socket.socket, context: ssl.SSLContext) -> None:
        self._server = _Server(
            listener.getsockname()[:2], app, numthreads=THREADS, server_name="companion", shutdown_timeout=1
        )
        self._server.timeout = IDLE
        self._server.request_queue_size = WAITING
        self._server.ssl_adapter = _Adapter(context)
        self._server.ConnectionClass = _Connection
        self._server.listener = listener
        self._thread = threading.Thread(target=self._serve, name="secure page", daemon=True)

    def start(self) -> None:
        """Serve from now on."""
        self._server.prepare()
        self._thread.start()

    def close(self) -> None:
        """Stop serving."""
        self._server.stop()

    def _serve(self) -> None:
        try:
            self._server.serve()
        except Exception:
            log.exception("the secure page is served no more")


class _Server(Server):
    """Takes a socket that listens already, and says what goes wrong in the log."""

    listener: socket.socket

    def bind(self, family: int, type: int, proto: int = 0) -> socket.socket:
        self.socket = self.listener
        return self.socket

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        log.log(level, "secure page: %s", msg, exc_info=traceback)


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


class _Connection(HTTPConnection):
    shaken = False

    def communicate(self) -> bool:
        if not self.shaken:
            try:
                self.socket.settimeout(0)
                self.socket.do_handshake()
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                # Back among those that are waited for: who says nothing takes no thread.
                return True
            except (OSError, ValueError):
                # A browser that does not trust us yet, something that speaks no TLS, or nobody at all.
                return False
            self.shaken = True
            self.socket.settimeout(self.server.timeout)
            return True
        return bool(super().communicate())
