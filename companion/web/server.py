"""The web server: cheroot over a listening socket, plain or with TLS.

A connection takes a thread only when a request's head has come, and its body where it is a small one: what is silent,
slow, or begins a TLS handshake and leaves it, waits in cheroot's selector, for `IDLE` seconds in all.
"""

import logging
import re
import socket
import ssl
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection, HTTPRequest
from cheroot.ssl import Adapter
from cheroot.wsgi import Gateway_10, Server

from companion.listening import BACKLOG
from companion.web.request_body import MAX_UPLOAD

THREADS = 160
"""One request a thread; each page of a live table holds two: its picture and its stream of events."""
IDLE = 20.0
"""Seconds after which a silent connection is closed, and one whose request has not come by then."""
MAX_BODY = MAX_UPLOAD + 64 * 1024
"""Bytes of a request's body, at most. Flask answers what is above MAX_UPLOAD, in words."""
MAX_HEADER = 64 * 1024
"""Bytes of a request's headers, at most."""
SMALL_BODY = 64 * 1024
"""Bytes of a body that is waited for before a thread is given to its request, at most."""
MOST = 400
"""Connections held at a time, at most."""
MOST_OF_ONE = 40
"""Connections of one other device, at most: a browser opens six to a page."""
LONGEST_LENGTH, HEXADECIMAL = 1000, re.compile(rb"[0-9a-fA-F]{1,8}")
"""Bytes of the line that says how long a chunk of a body is, and how it is said."""
HEAD_END = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", re.IGNORECASE)
REFUSED = (400, 403, 413)
"""Answers after which the rest of a large body is not waited for."""

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

    @property
    def listening(self) -> bool:
        """Whether anybody can still connect."""
        return self._server.listener.fileno() >= 0

    def close(self) -> None:
        """Stop serving."""
        self._server.stop()

    def _serve(self) -> None:
        try:
            self._server.serve()
        except Exception:
            log.exception("the web server has stopped")


class _Server(Server):
    """Takes a socket that listens already, counts connections, and logs errors to the companion's log."""

    listener: socket.socket

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self.gateway = _Gateway
        self._counting = threading.Lock()
        self._held: Counter[str] = Counter()

    def bind(self, family: int, type: int, proto: int = 0) -> socket.socket:
        self.socket = self.listener
        return self.listener

    def process_conn(self, conn: Any) -> None:
        """A connection that is new, or that something came from."""
        if conn.counted or self._room_for(conn):
            super().process_conn(conn)
        else:
            conn.close()

    def _room_for(self, conn: Any) -> bool:
        with self._counting:
            address = conn.remote_addr
            most_of_one = MOST if address.startswith("127.") else MOST_OF_ONE
            if self._held[address] >= most_of_one or self._held.total() >= MOST:
                return False
            self._held[address] += 1
            conn.counted = True
            return True

    def gone(self, address: str) -> None:
        """A counted connection was closed."""
        with self._counting:
            self._held[address] -= 1
            self._held += Counter()

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        log.log(level, "web server: %s", msg, exc_info=traceback)


class _Chunks:
    """The body of a request that does not say its length: no more of it is taken than is asked for.

    cheroot's own reader takes a whole chunk, which may be as long as the longest body, whatever it is asked for.
    """

    def __init__(self, line: Any) -> None:
        self._line = line
        self._left = 0  # of the chunk that has begun
        self.ended = False

    def read(self, size: int = -1) -> bytes:
        """So many bytes, or as many as there are. Raises OSError where what comes is not in chunks."""
        taken = bytearray()
        while not self.ended and (size < 0 or len(taken) < size):
            self._left = self._left or self._begun()
            wanted = min(self._left, SMALL_BODY if size < 0 else size - len(taken))
            piece = self._line.read(wanted)
            taken += piece
            self._left -= len(piece)
            if len(piece) < wanted or (not self._left and not self.ended and self._line.read(2) != b"\r\n"):
                raise OSError("a body in chunks broke off")
        return bytes(taken)

    def _begun(self) -> int:
        """The length of the chunk that begins; the one of no length is the end."""
        length = self._line.readline(LONGEST_LENGTH).partition(b";")[0].strip()
        if not HEXADECIMAL.fullmatch(length):
            raise OSError("a chunk does not say its length")
        self.ended = not int(length, 16)
        if self.ended:
            self._line.readline(LONGEST_LENGTH)
        return int(length, 16)


class _Gateway(Gateway_10):
    """Hands a body in chunks over as it comes."""

    def __init__(self, request: Any) -> None:
        if request.chunked_read:
            request.rfile = _Chunks(request.conn.rfile)
        super().__init__(request)


class _Request(HTTPRequest):
    """A request that is refused does not keep its thread until all of a large body has come."""

    def send_headers(self) -> None:
        left = getattr(self.rfile, "remaining", 0)
        unread = isinstance(self.rfile, _Chunks) and not self.rfile.ended
        if unread or (left > SMALL_BODY and int(self.status[:3]) in REFUSED):
            self.close_connection = True
        super().send_headers()


class _Connection(HTTPConnection):
    """A connection that goes back to the selector until the whole of a request's head has come."""

    RequestHandlerClass = _Request
    counted = False
    waiting_since: float | None = None

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._head = bytearray()

    def communicate(self) -> bool:
        try:
            came = self._came()
        except (EOFError, OSError):
            return False
        if not came:
            if self.waiting_since is None and self._head:
                self.waiting_since = time.monotonic()
            return self.waiting_since is None or time.monotonic() - self.waiting_since < IDLE
        self.waiting_since = None
        self.rfile._read_buf, self.rfile._read_pos = bytes(self._head), 0
        self._head.clear()
        return bool(super().communicate())  # type: ignore[no-untyped-call]

    def _came(self) -> bool:
        """Take what there is without waiting. Whether a thread is to go on. Raises EOFError, OSError."""
        self._head += self.rfile._read_buf[self.rfile._read_pos :]
        self.rfile._reset_read_buf()
        self.socket.settimeout(0)
        try:
            while not self._whole():
                taken = self.socket.recv(MAX_HEADER)
                if not taken:
                    raise EOFError
                self._head += taken
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return False
        finally:
            self.socket.settimeout(self.server.timeout)
        return True

    def _whole(self) -> bool:
        """Whether the head is there, too long, or followed by as much of the body as is waited for."""
        end = self._head.find(HEAD_END)
        if end < 0:
            return len(self._head) > MAX_HEADER
        length = LENGTH.search(self._head, 0, end + 2)
        body = int(length[1]) if length and b"\r\nexpect:" not in self._head[:end].lower() else 0
        return body > SMALL_BODY or len(self._head) - end - len(HEAD_END) >= body

    def close(self) -> None:
        super().close()
        if self.counted:
            self.counted = False
            self.server.gone(self.remote_addr)


class _TlsConnection(_Connection):
    """The handshake is made step by step as the other side speaks."""

    shaken = False

    def communicate(self) -> bool:
        if not self.shaken:
            self.waiting_since = self.waiting_since or time.monotonic()
            try:
                self.socket.settimeout(0)
                self.socket.do_handshake()
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return time.monotonic() - self.waiting_since < IDLE
            except (OSError, ValueError):
                # A browser that does not trust the certificate yet, something that speaks no TLS, or nobody at all.
                return False
            self.shaken = True
            self.waiting_since = None
        return super().communicate()


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
