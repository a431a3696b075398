"""Ask an address of somebody else's: one request, no redirections, an end in time whatever comes.

Cameras are asked here, and webhooks are told. Nothing is sent inside, to this computer or a link-local address, but
where a person named just that.
"""

import base64
import http.client
import io
import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from companion.camera_address import without_password

USER_AGENT = "table-companion"
REDIRECTS = range(300, 400)


class InsideError(OSError):
    """A name leads to this computer itself or to a link-local address, which nobody has named."""


class StatusError(OSError):
    """An answer that says no: its `status`, and where it leads (`to`) where it is a redirection."""

    def __init__(self, status: int, to: str | None) -> None:
        super().__init__(f"HTTP status {status}" + (f", it leads to {to}" if to else ""))
        self.status, self.to = status, to


FAILURES = (OSError, http.client.HTTPException, ValueError)
"""What asking an address raises: no connection, no HTTP, no address."""


def inside(address: str) -> bool:
    """Whether an IP address is this computer itself or link-local: services answer there that trust who asks."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return ip.is_loopback or ip.is_link_local or ip.is_unspecified or ip.is_multicast


def named_inside(host: str) -> bool:
    """Whether a host that a person typed is plainly this computer, or plainly a link-local address."""
    try:
        return host.lower() == "localhost" or inside(host)
    except ValueError:
        return False


def not_inside(line: socket.socket, named: str) -> None:
    """Hangs up and raises InsideError where a connection leads inside, but the host that a person `named` does not."""
    if inside(line.getpeername()[0]) and not named_inside(named):
        line.close()
        raise InsideError("its name leads to this computer itself, or to a link-local address")


class Answer:
    """An answer that is being read: `kind` is its media type. All reading ends when its time is over."""

    def __init__(self, response: http.client.HTTPResponse, line: http.client.HTTPConnection, clock: "_Clock") -> None:
        self._response, self._line, self._clock = response, line, clock
        self.headers = response.headers
        self.kind = response.headers.get_content_type()

    def give(self, seconds: float) -> None:
        """So long may be read from now on. After that reading raises TimeoutError."""
        self._clock.end = time.monotonic() + seconds

    def read(self, most: int) -> bytes:
        """So many bytes, or what there is. Raises FAILURES."""
        return self._response.read(most)

    def readline(self, most: int) -> bytes:
        """A line, or so many bytes of it. Raises FAILURES."""
        return self._response.readline(most)

    def close(self) -> None:
        """Hang up."""
        self._response.close()
        self._line.close()


def ask(
    address: str,
    patience: float,
    data: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    own_certificates: bool = False,
) -> Answer:
    """Get an address, or post `data` to it: connecting and the answer's head take `patience` seconds in all at most.

    `own_certificates`: the other side may have made its certificate itself, as cameras in the house do.
    Raises FAILURES.
    """
    parts = urlsplit(address)
    named, clock = parts.hostname or "", _Clock(time.monotonic() + patience)
    sent = {"User-Agent": USER_AGENT, **(headers or {})}
    if parts.username is not None:
        secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        sent["Authorization"] = "Basic " + base64.b64encode(secret).decode()
    if parts.scheme.lower() == "https":
        line: http.client.HTTPConnection = http.client.HTTPSConnection(
            named, parts.port, timeout=patience, context=_context(own_certificates)
        )
    else:
        line = http.client.HTTPConnection(named, parts.port, timeout=patience)
    # The two places where http.client lets in how a connection is made and how an answer is read.
    line._create_connection = _connecting(named)  # type: ignore[attr-defined]
    line.response_class = _timed(clock)  # type: ignore[assignment]
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        line.request("GET" if data is None else "POST", path, data, sent)
        response = line.getresponse()
        if not 200 <= response.status < 300:
            to = response.headers.get("Location") if response.status in REDIRECTS else None
            raise StatusError(response.status, to and without_password(to)[:200])
        return Answer(response, line, clock)
    except BaseException:
        line.close()
        raise


class _Clock:
    """When the time for reading is over."""

    def __init__(self, end: float) -> None:
        self.end = end


class _Timed(io.RawIOBase):
    """What comes along a socket until the time is over, however small the parts are in which it comes."""

    def __init__(self, line: socket.socket, clock: _Clock) -> None:
        self._line, self._clock = line, clock
        self._open = line.makefile("rb", buffering=0)  # the socket stays open as long as a file of it is

    def close(self) -> None:
        self._open.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._clock.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._line.settimeout(left)
        return self._line.recv_into(buffer)


def _timed(clock: _Clock) -> Callable[..., http.client.HTTPResponse]:
    def response(line: socket.socket, *how: Any, **more: Any) -> http.client.HTTPResponse:
        made = http.client.HTTPResponse(line, *how, **more)
        plain, made.fp = made.fp, io.BufferedReader(_Timed(line, clock))
        plain.close()
        return made

    return response


def _connecting(named: str) -> Callable[..., socket.socket]:
    """Connects; nothing is sent inside but to the host that a person `named`, whatever its name leads to."""

    def connect(address: tuple[str, int], *how: Any) -> socket.socket:
        line = socket.create_connection(address, *how)
        not_inside(line, named)
        return line

    return connect


def _context(own_certificates: bool) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if own_certificates:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
