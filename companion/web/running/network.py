"""Other devices: the page is opened to the local network, and closed again, while it is served on this computer."""

import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from common.messages import InputError, Message, why
from companion.listening import listen
from companion.web.running.certificates import identity
from companion.web.server import PageServer

LOOPBACK = frozenset({"127.0.0.1", "localhost"})
SECURE_PORT = 8437
"""Where the page is secure once it is open to others: phones give their camera to no other."""
CLOSING = 2.0
"""Seconds that are waited until nobody listens, at most; answers under way end by themselves."""


@dataclass(frozen=True)
class SecurePage:
    """Where the page is reached by TLS, and what a phone trusts it by."""

    address: str  # host:port
    authority: bytes  # the certificate (PEM) of the authority that signed the page's own
    fingerprint: str  # its SHA-256, as phones show it


@dataclass(frozen=True)
class Reach:
    """From where the page is reached."""

    hosts: frozenset[str] = LOOPBACK  # the host names and addresses, without port, that it answers to
    lan: bool = False  # whether other devices reach it, and every request needs the pairing cookie
    address: str | None = None  # host:port for other devices
    secure: SecurePage | None = None  # the page with TLS, where there is one


class Network:
    """The listeners for other devices, beside the one on this computer. Thread-safe.

    Attributes:
        reach: from where the page is reached now.
        port: of the page on this computer; None where something else serves it, and it can be opened to nobody.
    """

    def __init__(self, folder: Path, reach: Reach) -> None:
        self.reach = reach
        self.port: int | None = None
        self._folder = folder
        self._lock = threading.Lock()
        self._servers: list[PageServer] = []

    def open(self, app: Flask) -> Message | None:
        """Open the page to the local network; from now on every request needs its cookie.

        Returns why it has no secure page, or None where it has. Raises InputError where there is no network.
        """
        with self._lock:
            if self.reach.lan:
                return None
            address = lan_address()
            if self.port is None or address is None:
                raise InputError("serve.no-network")
            name = socket.gethostname().lower()
            hosts = LOOPBACK | {address, name, f"{name}.local"}
            try:
                plain = listen(address, None, self.port)
            except OSError as error:
                raise InputError("serve.not-opened", why=why(error)) from None
            self._servers = [PageServer(app, plain)]
            secure = self._secure(app, address, hosts)
            page, unsecured = (None, secure) if isinstance(secure, Message) else (secure, None)
            self.reach = Reach(hosts, True, f"{address}:{plain.getsockname()[1]}", page)
            for server in self._servers:
                server.start()
            return unsecured

    def _secure(self, app: Flask, address: str, hosts: frozenset[str]) -> SecurePage | Message:
        """Add the listener for TLS. Returns where it is, or why there is none."""
        try:
            known = identity(self._folder, hosts)
            listener = listen(address, None, SECURE_PORT)
        except OSError as error:
            return why(error)
        self._servers.append(PageServer(app, listener, known.context))
        return SecurePage(f"{address}:{listener.getsockname()[1]}", known.authority, known.fingerprint)

    def close(self) -> None:
        """Only this computer reaches the page from now on, without a cookie. Devices that were let in stay known."""
        with self._lock:
            self.reach = Reach()
            ending, self._servers = self._servers, []
            for server in ending:
                threading.Thread(target=server.close, daemon=True).start()
            end = time.monotonic() + CLOSING
            while any(server.listening for server in ending) and time.monotonic() < end:
                time.sleep(0.01)


def lan_address() -> str | None:
    """This computer's address in the local network; None without one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") or address == "0.0.0.0" else address
