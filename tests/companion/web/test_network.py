"""The page is opened to phones, and closed again, from the page itself: over real sockets."""

from __future__ import annotations

import errno
import http.client
import json
import socket
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_eyes import FakeEyes
from fake_table import FakeTable

from common.messages import Message
from companion.web import create_app
from companion.web.running import network
from companion.web.running.devices import Role
from companion.web.server import PageServer
from companion.web.services import services_of

HOST = "127.0.0.1"
PHONE = "127.0.0.2"
"""Stands for the address in the local network."""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a second address of this computer")


class House:
    """A companion that runs, on this computer only at first."""

    def __init__(self, folder: Path, eyes: FakeEyes) -> None:
        listener = socket.create_server((HOST, 0))
        self.port = listener.getsockname()[1]
        self.app = create_app(folder, eyes=eyes, table_eyes=FakeTable())
        self.services = services_of(self.app)
        self.services.network.port = self.port
        self.server = PageServer(self.app, listener)
        self.server.start()
        self.cookies: dict[str, str] = {}

    def ask(self, who: str, address: str, body: object = None, tls: bool = False) -> tuple[int, bytes]:
        """What a browser gets, here or on a phone: the status, 0 where nobody listens, and the body."""
        reach = self.services.network.reach
        secure = reach.secure
        plain = reach.address if who == PHONE else None  # where this computer's port is taken, it is another one
        place = (secure.address if secure else f"{who}:1") if tls else plain or f"{who}:{self.port}"
        port = int(place.rpartition(":")[2])
        kind, trust = http.client.HTTPConnection, {}
        if tls:
            known = secure.authority.decode() if secure else ""
            kind, trust = http.client.HTTPSConnection, {"context": ssl.create_default_context(cadata=known or None)}
        line = kind(who, port, timeout=20, source_address=(who, 0), **trust)
        cookie = self.cookies.get(f"{who} {tls}", "")
        try:
            line.request(
                "GET" if body is None else "POST", address, json.dumps(body), {"X-Companion": "1", "Cookie": cookie}
            )
        except ConnectionRefusedError:
            return 0, b""
        answer = line.getresponse()
        if given := answer.getheader("Set-Cookie"):
            self.cookies[f"{who} {tls}"] = given.partition(";")[0]
        return answer.status, answer.read()

    def status(self, who: str, address: str = "/", body: object = None, tls: bool = False) -> int:
        return self.ask(who, address, body, tls)[0]

    def open(self, wanted: object = True, who: str = HOST) -> int:
        return self.status(who, "/api/phone/network", {"open": wanted})

    def let_in(self, role: Role, tls: bool = False) -> int:
        return self.status(PHONE, "/api/pair", {"code": self.services.pairing.new_code(role)}, tls)


@pytest.fixture
def house(tmp_path: Path, eyes: FakeEyes, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(network, "lan_address", lambda: PHONE)
    house = House(tmp_path, eyes)
    yield house
    house.services.tables.close()
    house.services.network.close()
    house.server.close()


def test_the_host_opens_the_page_to_phones_and_closes_it_again(house: House) -> None:
    assert [house.status(HOST), house.status(PHONE)] == [200, 0]
    assert house.open() == 200
    held = dict(house.cookies)
    assert [house.status(HOST), house.status(PHONE), house.status(PHONE, tls=True)] == [200, 403, 403]
    house.cookies.clear()
    assert [house.status(HOST), house.open()] == [403, 403]  # another browser of this computer needs its own link
    house.cookies = held
    assert [house.let_in(Role.PLAYER), house.let_in(Role.PLAYER, tls=True)] == [200, 200]
    assert [house.status(PHONE), house.status(PHONE, tls=True)] == [200, 200]
    assert house.open(False) == 200
    assert [house.status(HOST), house.status(PHONE), house.status(PHONE, tls=True)] == [200, 0, 0]
    house.cookies = {name: cookie for name, cookie in house.cookies.items() if name.startswith(PHONE)}
    assert house.status(HOST) == 200
    assert house.open() == 200
    assert [house.status(HOST), house.status(PHONE), house.status(PHONE, tls=True)] == [200, 200, 200]


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("wanted", [True, False])
def test_only_this_computer_opens_and_closes(house: House, role: Role, wanted: bool) -> None:
    house.open()
    house.let_in(role)
    assert house.open(wanted, PHONE) == 403
    assert house.status(PHONE) == 200


@pytest.mark.parametrize("wanted", [None, 1, "true"])
def test_what_is_no_answer_opens_nothing(house: House, wanted: object) -> None:
    assert house.open(wanted) == 400
    assert house.status(PHONE) == 0


def test_where_there_is_no_network_it_is_said(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "lan_address", lambda: None)
    status, body = house.ask(HOST, "/api/phone/network", {"open": True})
    assert (status, json.loads(body)["error"]["key"]) == (422, "serve.no-network")
    assert house.status(HOST) == 200


def test_on_a_full_disk_nothing_is_opened_and_nobody_is_locked_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("companion.web.running.devices.write", full)
    assert house.open() == 507
    assert [house.status(HOST), house.status(PHONE)] == [200, 0]


def test_a_taken_port_is_no_hindrance(house: House) -> None:
    with socket.create_server((PHONE, house.port)):
        assert house.open() == 200
    address = house.services.network.reach.address
    assert address not in (None, f"{PHONE}:{house.port}")
    line = http.client.HTTPConnection(address, timeout=20)
    line.request("GET", "/pair")
    assert line.getresponse().status == 200


def test_what_a_phone_listens_to_ends_when_the_page_is_closed_and_goes_on_here(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.api.api_page.SILENCE", 0.05)
    streams = {}
    for who in (HOST, PHONE):
        if who == PHONE:
            house.open()
            house.let_in(Role.GUEST)
        line = http.client.HTTPConnection(who, house.port, timeout=20, source_address=(who, 0))
        line.request("GET", "/api/v1/events", headers={"Cookie": house.cookies.get(f"{who} False", "")})
        streams[who] = line.getresponse()
        assert streams[who].status == 200
    assert house.open(False) == 200
    streams[PHONE].read()  # it comes to an end
    assert streams[HOST].readline()
    for _ in range(20):
        assert streams[HOST].readline()


def test_where_no_secure_page_comes_up_the_plain_one_does_and_the_reason_is_given(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(network, "identity", full)
    said = house.services.network.open(house.app)
    assert said == Message("file.disk-full")
    assert house.services.network.reach.secure is None
    assert house.status(PHONE) == 403  # it listens, and asks for a code
