"""Nobody comes in who should not: hostile hosts and origins at every route, no cookie at every route."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_eyes import FakeEyes
from flask import Flask
from werkzeug.routing import Rule

from companion.web import create_app
from companion.web.access.access_control import OPEN
from companion.web.services import services_of

OUR_HOST = "192.168.1.20:8137"
HOSTS = frozenset({"127.0.0.1", "localhost", "192.168.1.20"})
EVIL_HOSTS = (
    "127.0.0.1:99999999",
    "evil.example", "evil.example:8137",
    "127.0.0.1.evil.example", "localhost.evil.example:8137", "192.168.1.20.nip.io:8137",
   
    "192.168.1.21:8137", "0.0.0.0:8137", "[::1]:8137", "169.254.169.254", "127.1", "2130706433", "a:b:c", "[", "",
)  # fmt: skip
EVIL_ORIGINS = (
    "http://evil.example", "https://192.168.1.20:8137", "http://192.168.1.20", "http://192.168.1.20:8138",
    "http://192.168.1.20:8137.evil.example", "http://127.0.0.1:8137", "null", "file://", "",
)  # fmt: skip


@pytest.fixture
def app(tmp_path: Path, eyes: FakeEyes) -> Flask:
    """Open to the network."""
    return create_app(tmp_path / "data", hosts=HOSTS, lan=True, eyes=eyes)


def routes(app: Flask) -> list[tuple[str, str, Rule]]:
    """Every method at every route, with something filled in for its parts."""
    fill = {"name": "base.css", "play_id": "0" * 16, "draft_id": "0" * 16}
    found = []
    with app.test_request_context(base_url="http://localhost"):
        for rule in app.url_map.iter_rules():
            address = app.url_map.bind("localhost").build(
                rule.endpoint, {k: (rule.defaults or fill).get(k, fill.get(k, "0")) for k in rule.arguments}
            )
            found += [(method, address, rule) for method in sorted(rule.methods or ())]
    return found


def pair(app: Flask, client: object) -> None:
    code = services_of(app).pairing.new_code()
    answer = client.post(
        "/api/pair", json={"code": code}, headers={"X-Companion": "1", "Host": OUR_HOST, "Origin": f"http://{OUR_HOST}"}
    )
    assert answer.status_code == 200


def test_there_are_routes_to_try(app: Flask) -> None:
    assert len({rule.endpoint for _, _, rule in routes(app)}) >= 15


@pytest.mark.parametrize("host", EVIL_HOSTS)
def test_a_foreign_host_is_refused_everywhere_even_with_the_cookie(app: Flask, host: str) -> None:
    client = app.test_client()
    pair(app, client)
    for method, address, rule in routes(app):
        answer = client.open(address, method=method, headers={"Host": host, "X-Companion": "1"})
        assert answer.status_code == 400, (method, rule.rule)


@pytest.mark.parametrize("origin", EVIL_ORIGINS)
def test_a_foreign_origin_is_refused_everywhere_even_with_the_cookie(app: Flask, origin: str) -> None:
    client = app.test_client()
    pair(app, client)
    for method, address, rule in routes(app):
        answer = client.open(address, method=method, headers={"Host": OUR_HOST, "Origin": origin, "X-Companion": "1"})
        assert answer.status_code == 403, (method, rule.rule)


def test_without_the_cookie_only_the_pairing_page_answers(app: Flask) -> None:
    client = app.test_client()
    for method, address, rule in routes(app):
        answer = client.open(address, method=method, headers={"Host": OUR_HOST, "X-Companion": "1"}, json={})
        if rule.endpoint in OPEN:
            assert answer.status_code in (200, 403), (method, rule.rule)
            assert answer.status_code == 200 or answer.json["error"]["key"] == "problem.code"
        else:
            assert answer.status_code == 403, (method, rule.rule)


def test_an_unknown_address_needs_the_cookie_too(app: Flask) -> None:
    assert app.test_client().get("/no/such/page", headers={"Host": OUR_HOST}).status_code == 403


def test_with_the_cookie_the_pages_answer(app: Flask) -> None:
    client = app.test_client()
    pair(app, client)
    for address in ("/", "/in-the-ruin/", "/phone", "/static/js/page.js"):
        assert client.get(address, headers={"Host": OUR_HOST}).status_code == 200


def test_what_changes_something_needs_the_header_of_our_pages(app: Flask) -> None:
    client = app.test_client()
    pair(app, client)
    for method, address, rule in routes(app):
        if method in ("POST", "DELETE", "PUT", "PATCH"):
            answer = client.open(address, method=method, headers={"Host": OUR_HOST, "Origin": f"http://{OUR_HOST}"})
            assert answer.status_code == 403, (method, rule.rule)


def test_another_site_may_link_to_a_page_and_no_more(app: Flask) -> None:
    client = app.test_client()
    pair(app, client)
    link = {"Host": OUR_HOST, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    embedded = {"Host": OUR_HOST, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert client.get("/", headers=link).status_code == 200
    assert client.get("/", headers=embedded).status_code == 403


def test_cookie_is_out_of_reach_for_scripts_and_other_sites(app: Flask) -> None:
    client = app.test_client()
    code = services_of(app).pairing.new_code()
    answer = client.post("/api/pair", json={"code": code}, headers={"X-Companion": "1", "Host": OUR_HOST})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert cookie.startswith("companion-8137=")


@pytest.mark.parametrize("value", ["", "x", "1", "eyJ.made.up", "a" * 4000])
def test_a_made_up_cookie_is_none(app: Flask, value: str) -> None:
    client = app.test_client()
    client.set_cookie("companion-8137", value, domain="192.168.1.20")
    assert client.get("/", headers={"Host": OUR_HOST}).status_code == 403


def test_shutting_phones_out_shuts_them_out_and_keeps_who_asked(app: Flask) -> None:
    phone, host = app.test_client(), app.test_client()
    pair(app, phone)
    pair(app, host)
    headers = {"Host": OUR_HOST, "X-Companion": "1"}
    assert host.post("/api/phone/forget", headers=headers).status_code == 200
    assert phone.get("/", headers=headers).status_code == 403
    assert host.get("/", headers=headers).status_code == 200


def test_every_answer_carries_the_careful_headers(app: Flask) -> None:
    client = app.test_client()
    pair(app, client)
    for address in ("/", "/nope", "/pair", "/public/worker.js", "/static/js/nope.js", "/api/v1/openapi.json"):
        headers = client.get(address, headers={"Host": OUR_HOST}).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; ")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Permissions-Policy"] == "geolocation=(), microphone=(), camera=(self)"


def test_a_pages_styles_and_modules_are_its_own_and_nothing_else(app: Flask) -> None:
    client = app.test_client()
    pair(app, client)
    for address, kind in (("/static/js/page.js", "text/javascript"), ("/static/css/play.css", "text/css")):
        headers = client.get(address, headers={"Host": OUR_HOST}).headers
        assert headers["Content-Type"].startswith(kind)
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_no_page_has_inline_scripts_or_styles_or_foreign_addresses(app: Flask) -> None:
    client = app.test_client()
    pair(app, client)
    for address in ("/", "/in-the-ruin/", "/in-the-ruin/sheets/new", "/phone", "/pair"):
        text = client.get(address, headers={"Host": OUR_HOST}).get_data(as_text=True)
        assert " style=" not in text
        assert "<style" not in text
        assert "onclick" not in text
        assert "https://" not in text
        assert text.count("<script") == text.count("<script type=") + text.count("<script src=")
