"""Publish a message to an MQTT broker (version 3.1.1): connect, publish, hear that it is taken, go."""

import secrets
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

CONNECT, CONNECTED, TAKEN, DISCONNECT = 0x10, 0x20, 0x40, 0xE0
"""Kinds of packets."""
PUBLISH_KEPT: Final = 0x33
"""Publish at least once, kept for who subscribes later."""
CLEAN, WITH_PASSWORD, WITH_NAME = 0x02, 0x40, 0x80
LEVEL: Final = 4
KEEP_ALIVE: Final = 60
NUMBER: Final = b"\x00\x01"
"""Of the one message."""
LONGEST: Final = 1024
"""Bytes of a broker's answer, at most."""


class BrokerError(OSError):
    """The broker refused, or said something that is no MQTT."""


@dataclass(frozen=True)
class Broker:
    """Where a broker is, and as whom it is told."""

    host: str
    port: int
    secure: bool = False
    name: str | None = None
    password: str | None = None

    def publish(self, topic: str, data: bytes, patience: float) -> None:
        """Publish, kept for who comes later. Raises OSError: no line, refused, or not taken in `patience` seconds."""
        until = time.monotonic() + patience
        with self._line(patience) as line:
            line.sendall(_packet(CONNECT, self._greeting()))
            greeted = _answer(line, CONNECTED, until)
            if len(greeted) < 2 or greeted[1]:
                raise BrokerError(f"refused: {greeted[1:].hex() or 'no reason'}")
            line.sendall(_packet(PUBLISH_KEPT, _text(topic) + NUMBER + data))
            if _answer(line, TAKEN, until)[:2] != NUMBER:
                raise BrokerError("another message was taken")
            line.sendall(_packet(DISCONNECT, b""))

    @contextmanager
    def _line(self, patience: float) -> Iterator[socket.socket]:
        with socket.create_connection((self.host, self.port), timeout=patience) as line:
            if not self.secure:
                yield line
                return
            with ssl.create_default_context().wrap_socket(line, server_hostname=self.host) as sealed:
                yield sealed

    def _greeting(self) -> bytes:
        flags = CLEAN
        known = [_text(f"companion-{secrets.token_hex(6)}")]
        if self.name is not None:
            flags |= WITH_NAME | WITH_PASSWORD
            known += [_text(self.name), _text(self.password or "")]
        return _text("MQTT") + bytes((LEVEL, flags)) + KEEP_ALIVE.to_bytes(2) + b"".join(known)


def _text(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(2) + data


def _packet(kind: int, body: bytes) -> bytes:
    """A packet; its length stands in seven bits a byte, the lowest first."""
    left, length = len(body), bytearray()
    while True:
        left, seven = divmod(left, 0x80)
        length.append(seven | (0x80 if left else 0))
        if not left:
            return bytes((kind, *length)) + body


def _answer(line: socket.socket, kind: int, until: float) -> bytes:
    """The next packet's body, which is of this kind. Raises OSError."""
    (said,) = _exactly(line, 1, until)
    if said & 0xF0 != kind:
        raise BrokerError(f"no MQTT: {said:#04x}")
    size = shift = 0
    while True:
        (seven,) = _exactly(line, 1, until)
        size |= (seven & 0x7F) << shift
        shift += 7
        if size > LONGEST or not seven & 0x80:
            break
    if size > LONGEST:
        raise BrokerError(f"no MQTT: {size} bytes")
    return _exactly(line, size, until)


def _exactly(line: socket.socket, size: int, until: float) -> bytes:
    data = b""
    while len(data) < size:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        line.settimeout(left)
        part = line.recv(size - len(data))
        if not part:
            raise BrokerError("hung up")
        data += part
    return data
