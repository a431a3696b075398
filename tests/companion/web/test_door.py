"""What stands at the door, one by one: names, pages that ask, cookies, sizes, codes and where they lead, QR codes."""

from __future__ import annotations

import re
import time
import tracemalloc
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fake_eyes import FakeEyes
from flask import Flask
from test_access_control import HOSTS, OUR_HOST

from companion.log import HOST
from companion.web import create_app
from companion.web.access import qr
from companion.web.access.access_control import asking, cookie_name, host_known, origin_known, stays
from companion.web.access.access_control import role as role_now
from companion.web.request_body import MAX_UPLOAD, brought_file
from companion.web.running.devices import Role
from companion.web.running.network import Reach
from companion.web.running.pairing import CODE_SECONDS, TRIES
from companion.web.services import services_of

SENT = {"Host": OUR_HOST, "X-Companion": "1"}
PHONE = {"REMOTE_ADDR": "192.168.1.30"}
HOUR = 3600.0


@pytest.fixture
def app(tmp_path: Path, eyes: FakeEyes) -> Flask:
    """Open to the network."""
    app = create_app(tmp_path / "data", hosts=HOSTS, lan=True, eyes=eyes)
    services_of(app).network.reach = Reach(HOSTS, True, OUR_HOST)
    return app


def comer(app: Flask, address: str = "192.168.1.30") -> Any:
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def let_in(app: Flask, role: Role = Role.PLAYER, **more: Any) -> Any:
    body = {"code": services_of(app).pairing.new_code(role), **more.pop("body", {})}
    return comer(app).post("/api/pair", json=body, headers={**SENT, **more.pop("headers", {})}, **more)


@pytest.mark.parametrize(
    ("host", "known"),
    [("127.0.0.1", True), ("127.0.0.1:8137", True), ("LOCALHOST:1", True), ("192.168.1.20", True),
     ("127.0.0.1:0", False), ("127.0.0.1:65536", False), ("127.0.0.1:x", False), ("10.0.0.1", False), ("", False)],
)  # fmt: skip
def test_a_name_is_one_of_ours_with_a_port_or_without(app: Flask, host: str, known: bool) -> None:
    with app.test_request_context("/", headers={"Host": host} if host else {}) as context:
        context.request.environ["HTTP_HOST"] = host
        assert host_known(context.request, HOSTS) == known


@pytest.mark.parametrize(
    ("method", "origin", "site", "mode", "known"),
    [
        ("GET", None, None, None, True), ("POST", None, None, None, True),
        ("POST", f"http://{OUR_HOST}", "same-origin", "cors", True), ("GET", None, "none", "navigate", True),
        ("GET", None, "cross-site", "navigate", True), ("HEAD", None, "same-site", "navigate", True),
        ("GET", None, "cross-site", "no-cors", False), ("GET", None, "cross-site", None, False),
        ("POST", None, "cross-site", "navigate", False), ("DELETE", None, "same-site", "navigate", False),
        ("GET", f"https://{OUR_HOST}", None, None, False), ("GET", "null", "same-origin", None, False),
    ],
)  # fmt: skip
def test_a_page_that_asks_is_ours_or_links_to_a_page(
    app: Flask, method: str, origin: str | None, site: str | None, mode: str | None, known: bool
) -> None:
    named = {"Host": OUR_HOST, "Origin": origin, "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    headers = {name: value for name, value in named.items() if value is not None}
    with app.test_request_context("/", method=method, headers=headers) as context:
        assert origin_known(context.request) == known


@pytest.mark.parametrize(
    ("headers", "status", "key"),
    [
        ({"Host": "evil.example"}, 400, "problem.host"),
        ({"Origin": "http://evil.example"}, 403, "problem.origin"),
        ({"X-Companion": None}, 403, "problem.origin"),
        ({}, 403, "problem.door"),
    ],
)
def test_each_refusal_has_its_reason(app: Flask, headers: dict[str, str | None], status: int, key: str) -> None:
    sent = {name: value for name, value in (SENT | headers).items() if value is not None}
    answer = comer(app).post("/api/people", json={}, headers=sent)
    assert (answer.status_code, answer.json["error"]["key"]) == (status, key)


@pytest.mark.parametrize(("lan", "address", "expected"), [
    (False, "127.0.0.1", Role.HOST), (False, "::1", Role.HOST), (False, "192.168.1.30", None),
    (True, "127.0.0.1", None), (True, "192.168.1.30", None),
])  # fmt: skip
def test_without_a_cookie_only_this_computer_is_in_and_only_while_the_page_is_closed(
    app: Flask, lan: bool, address: str, expected: Role | None
) -> None:
    services_of(app).network.reach = Reach(HOSTS, lan, OUR_HOST)
    with app.test_request_context("/", headers=SENT, environ_base={"REMOTE_ADDR": address}):
        assert role_now() == expected


KEPT, ANEW = None, "no-store"


@pytest.mark.parametrize(
    ("address", "kept"),
    [("/", ANEW), ("/pair", ANEW), ("/nope", ANEW), ("/api/v1/now", ANEW), ("/static/js/page.js", KEPT),
     ("/public/base.css", KEPT), ("/games/igna/editor.js", KEPT)],
)  # fmt: skip
def test_pages_are_never_kept_by_a_browser_and_their_parts_may_be(app: Flask, address: str, kept: str | None) -> None:
    client = comer(app)
    code = services_of(app).pairing.new_code()
    client.post("/api/pair", json={"code": code}, headers=SENT)
    answer = client.get(address, headers=SENT)
    assert ("no-store" in answer.headers.get("Cache-Control", "")) == (kept == ANEW)
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("host", "url", "starts", "secure"),
    [(OUR_HOST, f"http://{OUR_HOST}", "companion-8137=", False),
     (OUR_HOST, f"https://{OUR_HOST}", "companion-8137=", True),
     ("192.168.1.20", "http://192.168.1.20", "companion-80=", False)],
)  # fmt: skip
def test_a_cookie_is_named_by_the_port_and_secure_on_the_secure_page(
    app: Flask, host: str, url: str, starts: str, secure: bool
) -> None:
    cookie = let_in(app, headers={"Host": host}, base_url=url).headers["Set-Cookie"]
    assert cookie.startswith(starts)
    assert ("Secure" in cookie) == secure
    assert "Max-Age=2592000" in cookie


@pytest.mark.parametrize(
    ("agent", "name"),
    [("Mozilla/5.0 (iPhone; CPU iPhone OS 17)", "iPhone"), ("Mozilla/5.0 (iPad; CPU OS 17)", "iPad"),
     ("Mozilla/5.0 (Linux; Android 14; Pixel)", "Android"), ("Mozilla/5.0 (Windows NT 10.0)", "Windows"),
     ("Mozilla/5.0 (Macintosh; Intel)", "Macintosh"), ("Mozilla/5.0 (X11; Linux x86_64)", "Linux"), ("curl/8", "?")],
)  # fmt: skip
def test_a_device_is_called_what_its_browser_says_it_runs_on(app: Flask, agent: str, name: str) -> None:
    let_in(app, headers={"User-Agent": agent})
    assert [device.name for device in services_of(app).devices.all()] == [name]


@pytest.mark.parametrize(("size", "status"), [(4096, 403), (4097, 413)])
def test_before_pairing_a_body_may_have_so_many_bytes(app: Flask, size: int, status: int) -> None:
    body = b'{"code": "' + b"x" * (size - 12) + b'"}'
    assert len(body) == size
    answer = comer(app).post("/api/pair", data=body, headers={**SENT, "Content-Type": "application/json"})
    assert answer.status_code == status
    if status == 413:
        assert answer.json["error"]["key"] == "problem.request"


def test_a_large_body_is_held_once(app: Flask) -> None:
    with app.test_request_context(data=bytes(MAX_UPLOAD)):
        tracemalloc.start()
        try:
            assert len(brought_file()) == MAX_UPLOAD
            assert tracemalloc.get_traced_memory()[1] < 1.3 * MAX_UPLOAD
        finally:
            tracemalloc.stop()


@pytest.mark.parametrize(
    ("to", "leads"), [("film", "/camera/film"), ("elsewhere", "/"), ("//evil.example", "/"), (None, "/"), (3, "/")]
)
def test_a_link_leads_where_it_may(app: Flask, to: object, leads: str) -> None:
    assert let_in(app, body={"to": to}).json == {"to": leads}


@pytest.mark.parametrize("code", ["", "wrong", None, 3, ["a"]])
def test_what_is_no_code_lets_nobody_in_and_too_many_of_them_have_to_wait(app: Flask, code: object) -> None:
    client = comer(app)
    for _ in range(TRIES):
        answer = client.post("/api/pair", json={"code": code}, headers=SENT)
        assert (answer.status_code, answer.json["error"]["key"]) == (403, "problem.code")
        assert "Set-Cookie" not in answer.headers
    answer = client.post("/api/pair", json={"code": services_of(app).pairing.new_code()}, headers=SENT)
    assert (answer.status_code, answer.json["error"]["key"]) == (429, "problem.too-often")
    other = comer(app, "192.168.1.31").post(
        "/api/pair", json={"code": services_of(app).pairing.new_code()}, headers=SENT
    )
    assert other.status_code == 200


def test_who_brings_a_used_code_hears_who_used_it(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    pairing = services_of(app).pairing
    code = pairing.new_code()

    def brings(address: str) -> tuple[int, str | None]:
        answer = comer(app, address).post("/api/pair", json={"code": code}, headers=SENT)
        return answer.status_code, answer.json.get("error", {}).get("key")

    assert brings("192.168.1.30") == (200, None)  # the little browser of a scanner, say
    assert brings("192.168.1.30") == (200, None)
    assert brings("192.168.1.31") == (403, "problem.code-used")
    later = time.monotonic() + CODE_SECONDS
    monkeypatch.setattr(pairing, "_clock", lambda: later)
    assert brings("192.168.1.30") == (403, "problem.code-mine")


@pytest.mark.parametrize(("age", "led"), [(0.0, True), (11.9 * HOUR, True), (12.1 * HOUR, False), (-1 * HOUR, True)])
def test_a_game_is_what_is_played_for_one_evening(
    app: Flask, monkeypatch: pytest.MonkeyPatch, age: float, led: bool
) -> None:
    play = services_of(app).store.start_play("in-the-ruin", "sheet")
    now = time.time() + age
    monkeypatch.setattr("companion.web.access.pairing_page.time", type("", (), {"time": staticmethod(lambda: now)}))
    assert let_in(app).json["to"] == (f"/in-the-ruin/plays/{play}" if led else "/")


def test_a_new_code_is_said_as_link_picture_and_letters(app: Flask) -> None:
    client = comer(app)
    client.post("/api/pair", json={"code": services_of(app).pairing.new_code(Role.HOST)}, headers=SENT)
    new = client.post("/api/phone/code", headers=SENT).json
    assert new["link"].startswith(f"http://{OUR_HOST}/pair#")
    assert new["address"] == f"http://{OUR_HOST}"
    assert new["seconds"] == CODE_SECONDS
    assert looked_at(drawn_svg(new["qr"])) == new["link"]
    other = comer(app)
    assert other.post("/api/pair", json={"code": new["typed"]}, headers=SENT).status_code == 200
    assert other.post("/api/people", json={"name": "Ada", "color": 1}, headers=SENT).status_code == 200


def test_the_pages_of_the_door_are_what_they_are(app: Flask) -> None:
    assert "/pair" not in comer(app).get("/pair", headers=SENT).headers.get("Location", "")
    assert "pair.js" in comer(app).get("/pair", headers=SENT).text
    client = comer(app)
    client.post("/api/pair", json={"code": services_of(app).pairing.new_code()}, headers=SENT)
    assert "phone.js" in client.get("/phone", headers=SENT).text


def as_device(app: Flask, cookie: str) -> Any:
    """A request that carries this cookie."""
    headers = {**SENT, "Cookie": cookie}
    return app.test_request_context("/", headers=headers, environ_base=PHONE)


def test_what_is_entered_belongs_to_the_device_that_asks(app: Flask) -> None:
    cookie = let_in(app).headers["Set-Cookie"].partition(";")[0]
    (device,) = services_of(app).devices.all()
    with as_device(app, cookie) as context:
        assert cookie.startswith(cookie_name(context.request))
        assert asking() == device.id
    with as_device(app, "companion-8137=made-up"):
        assert asking() == HOST


def test_who_listens_stays_until_it_is_shut_out(app: Flask) -> None:
    cookie = let_in(app).headers["Set-Cookie"].partition(";")[0]
    (device,) = services_of(app).devices.all()
    with as_device(app, cookie):
        still = stays()
    with as_device(app, ""):
        stranger = stays()
    assert (still(), stranger()) == (True, False)
    services_of(app).devices.forget(device.id)
    assert (still(), stranger()) == (False, False)


# QR codes are read back


def looked_at(picture: np.ndarray) -> str:
    """What a camera reads."""
    large = cv2.resize(picture, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    return cv2.QRCodeDetector().detectAndDecode(large)[0]


def drawn_svg(text: str) -> np.ndarray:
    """The picture of an SVG: black squares of one module on white."""
    size = int(re.search(r'viewBox="0 0 (\d+) \1"', text)[1])
    assert f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path fill="#000" d="M' in text
    picture = np.full((size, size), 255, np.uint8)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", text):
        picture[int(y), int(x)] = 0
    return picture


def drawn_terminal(text: str) -> np.ndarray:
    """The picture of half blocks in a dark terminal: what is drawn is light."""
    upper, lower = ({"█": 255, " ": 0, one: 255, other: 0} for one, other in ("▀▄", "▄▀"))
    rows = [[[half[sign] for sign in line] for half in (upper, lower)] for line in text.split("\n")]
    return np.array([row for pair in rows for row in pair], np.uint8)


LINKS = ["http://192.168.1.20:8137/pair#" + "a" * 22, "x", "http://10.0.0.2:80/pair#" + "Z9" * 30]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("picture", [lambda t: drawn_svg(qr.svg(t)), lambda t: drawn_terminal(qr.terminal(t))])
def test_a_qr_code_says_its_link_with_four_light_modules_around(link: str, picture: Any) -> None:
    seen = picture(link)
    assert looked_at(seen) == link
    dark = np.argwhere(seen[: seen.shape[1]] == 0)
    assert (dark.min(), dark.max()) == (4, seen.shape[1] - 5)
