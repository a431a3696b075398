"""The secure page over real sockets: the same door, the same app; what is silent or speaks no TLS harms nobody."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from fake_eyes import FakeEyes
from flask import Flask

from companion.web import create_app
from companion.web import server as page_server
from companion.web.running.certificates import identity
from companion.web.running.network import Reach, SecurePage
from companion.web.server import MOST_OF_ONE, PageServer, _Server
from companion.web.services import services_of

HOSTS = frozenset({"127.0.0.1", "localhost"})


class Place:
    """An app open to the network, behind TLS."""

    def __init__(self, app: Flask, folder: Path) -> None:
        known = identity(folder, HOSTS)
        listener = socket.create_server(("127.0.0.1", 0))
        self.app, self.port = app, listener.getsockname()[1]
        self.trust = ssl.create_default_context(cadata=known.authority.decode())
        self.server = PageServer(app, listener, known.context)
        self.server.start()
        services_of(app).network.reach = Reach(
            HOSTS, True, None, SecurePage(f"127.0.0.1:{self.port}", known.authority, "")
        )

    @property
    def origin(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def ask(self, method: str, address: str, body: object = None, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.trust, timeout=20)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, address, data, {"X-Companion": "1", **headers})
        return connection.getresponse()


@pytest.fixture
def place(tmp_path: Path, eyes: FakeEyes) -> Iterator[Place]:
    folder = tmp_path / "data"
    place = Place(create_app(folder, HOSTS, lan=True, eyes=eyes), folder)
    yield place
    place.server.close()


def cookie(place: Place, to: str | None = None) -> tuple[str, str]:
    code = services_of(place.app).pairing.new_code()
    answer = place.ask("POST", "/api/pair", {"code": code, "to": to}, Origin=place.origin)
    assert answer.status == 200
    return answer.getheader("Set-Cookie") or "", json.loads(answer.read())["to"]


def test_only_a_paired_device_comes_in_and_its_cookie_stays_on_the_secure_page(place: Place) -> None:
    assert place.ask("GET", "/").status == 403
    assert place.ask("GET", "/pair").status == 200
    assert place.ask("POST", "/api/live/push", b"x").status == 403
    given, to = cookie(place)
    assert to == "/"
    assert "Secure" in given
    assert "HttpOnly" in given
    assert "SameSite=Strict" in given
    held = given.split(";")[0]
    assert place.ask("GET", "/", Cookie=held).status == 200
    assert place.ask("POST", "/api/live/push", b"x", Cookie=held).status == 409


@pytest.mark.parametrize(("to", "where"), [("film", "/camera/film"), ("//evil.example", "/"), ("/camera/film", "/")])
def test_a_link_leads_where_it_may(place: Place, to: str, where: str) -> None:
    assert cookie(place, to)[1] == where


def test_hosts_and_origins_are_looked_at_as_on_the_plain_page(place: Place) -> None:
    held = cookie(place)[0].split(";")[0]
    assert place.ask("GET", "/", Cookie=held, Host="evil.example").status == 400
    assert place.ask("GET", "/", Cookie=held, Origin=place.origin).status == 200
    for origin in (f"http://127.0.0.1:{place.port}", "https://evil.example", "null"):
        assert place.ask("POST", "/api/live/push", b"x", Cookie=held, Origin=origin).status == 403


def test_many_requests_share_a_connection(place: Place) -> None:
    connection = http.client.HTTPSConnection("127.0.0.1", place.port, context=place.trust, timeout=20)
    connection.connect()
    line = connection.sock
    for _ in range(5):
        connection.request("GET", "/public/base.css")
        answer = connection.getresponse()
        assert answer.status == 200
        assert answer.read()
        assert connection.sock is line


def test_the_silent_and_the_mistaken_keep_nobody_waiting(place: Place) -> None:
    address = ("127.0.0.1", place.port)
    silent = [socket.create_connection(address) for _ in range(60)]
    plain = socket.create_connection(address)
    plain.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    opened = [
        place.trust.wrap_socket(socket.create_connection(address), server_hostname="127.0.0.1") for _ in range(60)
    ]
    assert place.ask("GET", "/pair").status == 200
    assert plain.recv(1000) == b""
    for one in (*silent, plain, *opened):
        one.close()


def test_the_certificate_is_there_for_paired_devices(place: Place) -> None:
    held = cookie(place)[0].split(";")[0]
    assert place.ask("GET", "/camera/table-companion.crt").status == 403
    answer = place.ask("GET", "/camera/table-companion.crt", Cookie=held)
    assert answer.getheader("Content-Type") == "application/x-x509-ca-cert"
    assert answer.read() == services_of(place.app).network.reach.secure.authority
    code = place.ask("POST", "/api/camera/phone/code", {}, Cookie=held)
    link = json.loads(code.read())["link"]
    assert link.startswith(f"{place.origin}/pair#")
    assert link.endswith(",film")


@pytest.fixture
def plain(tmp_path: Path, eyes: FakeEyes) -> Iterator[tuple[str, int]]:
    """Where a plain page listens."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = PageServer(create_app(tmp_path, HOSTS, eyes=eyes), listener)
    server._server.timeout = 120  # a test gives up sooner: whoever is closed by then is not closed for being silent
    server.start()
    yield listener.getsockname()
    server.close()


HEAD = b"POST /api/language HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Companion: 1\r\n"
BEGUN = {
    "silent": b"",
    "head": b"GET / HTTP/1.1\r\nHo",
    "body": HEAD + b"Content-Length: 20\r\n\r\n{",
    "many": b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: 1\r\n" % n for n in range(800)),
}


@pytest.mark.parametrize("begun", BEGUN)
def test_who_begins_and_does_not_go_on_keeps_nobody_waiting(plain: tuple[str, int], begun: str) -> None:
    lines = [socket.create_connection(plain) for _ in range(200)]
    for line in lines:
        line.sendall(BEGUN[begun])
    connection = http.client.HTTPConnection(*plain, timeout=20)
    connection.request("GET", "/public/base.css")
    assert connection.getresponse().status == 200
    for line in lines:
        line.close()


@pytest.mark.parametrize("cut", [3, 60, len(HEAD) + 10, len(HEAD) + 25])
def test_a_request_that_comes_in_parts_is_answered_when_it_is_whole(plain: tuple[str, int], cut: int) -> None:
    body = b'{"language": "ja"}'
    request = HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body
    with socket.create_connection(plain) as line:
        line.sendall(request[:cut])
        line.settimeout(0.2)
        with pytest.raises(TimeoutError):
            line.recv(1)
        line.settimeout(20)
        line.sendall(request[cut:] + b"GET /public/base.css HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        said = b"".join(iter(lambda: line.recv(65536), b""))
    assert said.count(b"HTTP/1.1 200") == 2


def test_who_drips_a_request_is_closed(plain: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_server, "IDLE", 0.5)

    def drip() -> None:
        for _ in range(200):
            line.sendall(b"X")
            time.sleep(0.05)

    with socket.create_connection(plain) as line:
        line.sendall(HEAD)
        with pytest.raises(ConnectionError):
            drip()


def test_headers_without_end_are_refused(plain: tuple[str, int]) -> None:
    said = b""
    with socket.create_connection(plain) as line, suppress(ConnectionError):  # a reset may overtake the answer
        line.settimeout(20)
        for _ in range(40):
            line.sendall(b"X-A: " + b"a" * 8192)
        said = line.recv(100)
    assert said == b"" or b" 414 " in said


def test_one_other_device_cannot_take_all_connections() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    server = _Server(listener.getsockname(), None)

    def one(address: str) -> SimpleNamespace:
        return SimpleNamespace(remote_addr=address, counted=False)

    held = [one("192.168.1.9") for _ in range(MOST_OF_ONE)]
    assert all(server._room_for(line) for line in held)
    assert not server._room_for(one("192.168.1.9"))
    assert server._room_for(one("192.168.1.10"))
    server.gone("192.168.1.9")
    assert server._room_for(one("192.168.1.9"))
    listener.close()


def test_all_others_together_cannot_take_more_connections_than_there_are() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = _Server(listener.getsockname(), None)
        lines = [SimpleNamespace(remote_addr=f"192.168.1.{n // 40}", counted=False) for n in range(480)]
        assert [server._room_for(line) for line in lines] == [True] * 400 + [False] * 80
        server.gone("192.168.1.0")
        assert server._room_for(lines[-1])


CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
JAPANESE = b'{"language": "ja"}'
IN_CHUNKS = {
    "one": (b"12\r\n" + JAPANESE + b"\r\n0\r\n\r\n", 200),
    "one a byte": (b"".join(b"1\r\n%c\r\n" % one for one in JAPANESE) + b"0\r\n\r\n", 200),
    "with words beside its length": (b"012;name=x\r\n" + JAPANESE + b"\r\n0\r\n\r\n", 200),
    "of no length that is known": (b"twelve\r\n" + JAPANESE, 400),
    "below nothing": (b"-12\r\n" + JAPANESE, 400),
    "longer than it says": (b"11\r\n" + JAPANESE + b"\r\n0\r\n\r\n", 400),
    "of four gigabytes": (b"ffffffff\r\n" + b" " * 300_000, 413),
}


@pytest.mark.parametrize("what", IN_CHUNKS)
def test_a_body_in_chunks_is_taken_as_it_comes_or_refused(plain: tuple[str, int], what: str) -> None:
    body, status = IN_CHUNKS[what]
    with socket.create_connection(plain) as line:
        line.settimeout(20)
        line.sendall(CHUNKED + body)
        assert line.recv(100).startswith(b"HTTP/1.1 %d " % status)


def test_a_chunk_of_thirty_megabytes_costs_no_memory(plain: tuple[str, int]) -> None:
    body = bytes(30 << 20)
    tracemalloc.start()
    try:
        with socket.create_connection(plain) as line, suppress(ConnectionError):
            line.sendall(CHUNKED + b"%x\r\n" % len(body))
            line.sendall(body)
            line.recv(100)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20
