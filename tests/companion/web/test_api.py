"""Other programs read what is played, and hear the points as they change."""

from __future__ import annotations

import io
import json
import socket
import ssl
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from acting import Page
from fake_table import FakeTable
from flask import Flask
from test_tables import lay, show, start

from companion.camera_address import OutgoingError, without_password
from companion.sources.http_client import InsideError
from companion.web.api import outgoing
from companion.web.api.outgoing import TRIES, _send, sender, tell
from companion.web.api.scores import scores
from companion.web.running.certificates import identity
from companion.web.services import services_of

API = "/api/v1"


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is as described, as far as these descriptions go."""
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list}
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if value is None or not any(isinstance(value, kinds[kind]) for kind in types if kind != "null"):
        return value is None and "null" in types
    if isinstance(value, list):
        return all(fits(one, schema["items"]) for one in value)
    properties = schema.get("properties", {})
    return not properties or (
        set(schema["required"]) <= value.keys() and all(fits(value[name], properties[name]) for name in value)
    )


def test_every_address_answers_as_it_is_described_and_none_is_left_out(
    app: Flask, page: Page, table: FakeTable, photos: list[bytes]
) -> None:
    play = page.start()
    page.photograph(play, photos[0])
    at = start(page)
    paths = page.get(f"{API}/openapi.json").json["paths"]
    rules = {rule.rule.replace("<", "{").replace(">", "}") for rule in app.url_map.iter_rules() if API in rule.rule}
    assert rules - {f"{API}/", f"{API}/openapi.json"} == set(paths)
    asked = 0
    for path, one in paths.items():
        content = one["get"]["responses"]["200"]["content"]
        if "application/json" in content:
            answer = page.get(path.replace("{table}", at).replace("{play_id}", play))
            assert answer.status_code == 200
            assert fits(answer.json, content["application/json"]["schema"]), (path, answer.json)
            asked += 1
        if "{" in path:
            assert page.get(path.replace("{table}", "0" * 16).replace("{play_id}", "0" * 16)).status_code == 404
    assert asked >= 5
    assert page.get(f"{API}/tables/{at}").json["result"]["answer"]["players"]
    assert page.get(f"{API}/plays/{play}").json["result"]["answer"]["players"]
    services_of(app).tables.stop()
    assert page.get(f"{API}/tables/{at}").json["state"]
    assert [row["running"] for row in page.get(f"{API}/tables").json] == [False]


@pytest.mark.parametrize("address", [f"{API}/", "/overlay"])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_pages_need_nothing_from_elsewhere(page: Page, address: str, language: str) -> None:
    text = page.get(address, headers={"Accept-Language": language}).get_data(as_text=True)
    assert f'<html lang="{language}"' in text
    assert "http://" not in text
    assert "https://" not in text
    assert ">api." not in text


def test_listeners_hear_each_change_and_whether_it_is_a_correction(app: Flask, page: Page, table: FakeTable) -> None:
    at = start(page)
    heard = scores(services_of(app).tables, 5.0, lambda: True)

    def nxt() -> dict[str, Any]:
        return next(event for event in heard if event is not None)

    def points(event: dict[str, Any]) -> list[int]:
        return [player["points"] for player in event["players"]]

    first = nxt()
    assert (first["event"], first["table"], first["corrected"]) == ("score", at, False)
    lay(page, at, table, {"A": ["red", "red"], "B": []})
    second = nxt()
    while points(second) == points(first):
        second = nxt()
    assert not second["corrected"]
    page.post(f"/api/live/{at}/entries", {"players": {"A": {"name": "Aki"}}})
    third = nxt()
    while third["players"][0]["name"] != "Aki":
        third = nxt()
    assert third["corrected"]
    services_of(app).tables.stop()
    assert nxt() == {"event": "stopped", "table": at}


def test_the_stream_says_what_listeners_hear(page: Page, table: FakeTable) -> None:
    at = start(page)
    answer = page.get(f"{API}/events", buffered=False)
    assert answer.mimetype == "text/event-stream"
    text = ""
    for part in answer.response:
        text += part if isinstance(part, str) else part.decode()
        if "event: score" in text:
            break
    event = json.loads(text.split("data: ")[1].splitlines()[0])
    assert event["table"] == at
    assert [player["zone"] for player in event["players"]] == show(page, at)["table"]["settled"]["players"]
    answer.close()


def test_a_webhook_is_told(app: Flask, page: Page) -> None:
    bodies: list[Any] = []
    came = threading.Event()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            first = not bodies
            bodies.append(json.loads(data))
            self.send_response(500 if first else 200)  # it is told again where it fails
            self.end_headers()
            if not first:
                came.set()

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Hook) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        tell(services_of(app).tables, f"http://127.0.0.1:{server.server_port}/hook")
        at = start(page)
        assert came.wait(20)
        server.shutdown()
    assert bodies[0]["table"] == at
    assert bodies[0]["players"]


class SmallBroker:
    """An MQTT broker of one line at a time, which takes and answers packets as the standard (3.1.1) has them."""

    def __init__(self, refuses: int = 0, says: bytes | None = None, context: ssl.SSLContext | None = None) -> None:
        self.refuses, self.says, self.context = refuses, says, context
        self.greeted: list[dict[str, Any]] = []
        self.kept: dict[str, bytes] = {}
        self.gone = threading.Event()
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def port(self) -> int:
        return self.server.getsockname()[1]

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self.server.accept()
                with suppress(OSError):  # who was refused, or trusts it not, hangs up
                    if self.context:
                        line = self.context.wrap_socket(line, server_side=True)
                    with line, line.makefile("rb") as said:
                        while self._packet(line, said):
                            pass
                self.gone.set()

    def _packet(self, line: socket.socket, said: Any) -> bool:
        kind = said.read(1)
        if not kind:
            return False
        size, factor = 0, 1
        while True:
            (seven,) = said.read(1)
            size, factor = size + (seven & 127) * factor, factor * 128
            if seven < 128:
                break
        body = io.BytesIO(said.read(size))
        if kind[0] >> 4 == 1:
            assert (text(body), body.read(1)) == ("MQTT", b"\x04")
            flags = body.read(1)[0]
            body.read(2)
            who = [text(body) for _ in range(1 + bool(flags & 0x80) + bool(flags & 0x40))]
            self.greeted.append({"client": who[0], "as": tuple(who[1:])})
            line.sendall(bytes((0x20, 2, 0, self.refuses)) if self.says is None else self.says)
        elif kind[0] >> 4 == 3:
            assert kind[0] & 0b111 == 0b011  # at least once, and kept
            topic = text(body)
            number = body.read(2)
            self.kept[topic] = body.read()
            line.sendall(b"\x40\x02" + number)
        return kind != b"\xe0"


def text(body: io.BytesIO) -> str:
    return body.read(int.from_bytes(body.read(2), "big")).decode()


def test_a_broker_is_told(app: Flask, page: Page) -> None:
    broker = SmallBroker()
    tell(services_of(app).tables, f"mqtt://me:a%20b@127.0.0.1:{broker.port}/table/points")
    at = start(page)
    assert broker.gone.wait(20)
    assert json.loads(broker.kept["table/points"])["table"] == at
    assert broker.greeted[0]["as"] == ("me", "a b")


@pytest.mark.parametrize("size", [0, 127, 128, 20_000])
def test_a_message_of_any_size_comes_whole(size: int) -> None:
    broker = SmallBroker()
    sender(f"mqtt://127.0.0.1:{broker.port}/")(b"x" * size)
    assert broker.kept == {"table-companion": b"x" * size}
    assert broker.greeted[0]["as"] == ()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"refuses": 5}, "refused: Not authorized"),
        ({"refuses": 4}, "refused: Bad user name or password"),
        ({"says": b"HTTP/1.1 400 Bad Request\r\n\r\n"}, "timed out"),
        ({"says": b"\x40\x02\x00\x01"}, "timed out"),
        ({"says": b"\x20\xff\xff\xff\xff\xff"}, "no MQTT"),
        ({"says": b"\x20\xff\xff\xff\x7f"}, "timed out"),
        ({"says": b""}, "timed out"),
    ],
)
def test_a_broker_that_takes_nothing_is_said_in_the_log(
    how: dict[str, Any], said: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "PATIENCE", 0.3 if said == "timed out" else 10.0)
    broker = SmallBroker(**how)
    _send(sender(f"mqtt://me:secret@127.0.0.1:{broker.port}/x"), {"event": "x"}, "mqtt://broker/x")
    (line,) = [one.getMessage() for one in caplog.records if one.name == "companion"]
    assert said in line
    assert broker.kept == {}


ODD_ANSWERS = {
    "no HTTP": b"garbage\r\n\r\n",
    "nothing": b"",
    "a redirection": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{port}/admin\r\nContent-Length: 0\r\n\r\n",
    "no": b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n",
    "a line without end": b"HTTP/1.1 200 " + b"x" * 200_000,
    "headers without end": b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 20_000,
}


@pytest.mark.parametrize("what", ODD_ANSWERS)
def test_whatever_a_webhook_answers_telling_goes_on_and_the_log_says_it_in_a_line(
    what: str, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def answer() -> None:
            for _ in range(TRIES):
                line, _ = server.accept()
                with line, suppress(OSError):
                    asked.append(line.recv(65536))
                    line.sendall(ODD_ANSWERS[what].replace(b"{port}", str(port).encode()))

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        address = f"http://me:a%20b@127.0.0.1:{port}/hook"
        _send(sender(address), {"event": "x"}, without_password(address))
        thread.join(20)
    (said,) = [one.getMessage() for one in caplog.records if one.name == "companion"]
    assert said.startswith(f"http://127.0.0.1:{port}/hook was not told of the points")
    assert "\n" not in said
    assert len(asked) == TRIES
    assert all(one.startswith(b"POST /hook ") and b"Authorization: Basic bWU6YSBi" in one for one in asked)


@pytest.mark.parametrize(
    ("address", "first", "drop"),
    [("http://127.0.0.1:{port}/", b"", b"H"), ("mqtt://127.0.0.1:{port}/", b"\x20\xff\x7f", b"\x00")],
    ids=["webhook", "broker"],
)
def test_a_receiver_that_drips_its_answer_is_given_up(
    address: str, first: bytes, drop: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "PATIENCE", 0.3)
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line, _ = server.accept()
            with line, suppress(OSError):
                line.sendall(first)
                while not over.wait(0.02):
                    line.sendall(drop)

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(TimeoutError):
            sender(address.format(port=server.getsockname()[1]))(b"{}")
        over.set()


@pytest.mark.parametrize("scheme", ["http", "mqtt"])
def test_a_name_that_leads_to_this_computer_is_told_nothing(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *how, **more: real("127.0.0.1", *how, **more))
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hear() -> None:
            line, _ = server.accept()
            with line, suppress(OSError):
                heard.append(line.recv(100))

        thread = threading.Thread(target=hear, daemon=True)
        thread.start()
        with pytest.raises(InsideError):
            sender(f"{scheme}://me:secret@rebound.example:{server.getsockname()[1]}/admin")(b"{}")
        thread.join(20)
    assert heard == [b""]


@pytest.mark.parametrize("trusted", [True, False])
def test_a_broker_over_tls_is_told_where_its_certificate_is_trusted(
    trusted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = identity(tmp_path, {"127.0.0.1"})
    context = ssl.create_default_context(cadata=known.authority.decode() if trusted else None)
    monkeypatch.setattr(ssl, "create_default_context", lambda: context)
    broker = SmallBroker(context=known.context)
    tell = sender(f"mqtts://me:secret@127.0.0.1:{broker.port}/x")
    if trusted:
        tell(b"{}")
        assert broker.kept == {"x": b"{}"}
    else:
        with pytest.raises(ssl.SSLError):
            tell(b"{}")
        assert broker.greeted == []


@pytest.mark.parametrize("address", ["", "ftp://x", "http://", "mqtt:///topic", "http://[", "file:///etc/passwd"])
def test_what_cannot_be_told_is_refused(address: str) -> None:
    with pytest.raises(OutgoingError, match=r"serve\.outgoing"):
        sender(address)


def test_listening_ends_with_the_program(app: Flask, page: Page) -> None:
    start(page)
    tables = services_of(app).tables
    heard = scores(tables, 60.0, lambda: True)
    assert next(heard) is not None
    tables.close()
    assert [event and event["event"] for event in heard] in ([], ["stopped"])
