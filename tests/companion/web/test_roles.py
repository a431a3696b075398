"""Who may what: guests look on, players enter, the host starts, stops, deletes, lets in and shuts out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fake_eyes import FakeEyes
from fake_table import FakeTable
from flask import Flask
from flask.testing import FlaskClient
from test_access_control import HOSTS, OUR_HOST, routes

from companion.web import create_app
from companion.web.access.roles import check
from companion.web.running.devices import DAYS, MOST, Devices, Role
from companion.web.running.network import Reach
from companion.web.running.pairing import CODE_SECONDS, Pairing
from companion.web.services import services_of

SENT = {"Host": OUR_HOST, "X-Companion": "1"}
PHONE = {"REMOTE_ADDR": "192.168.1.30"}


@pytest.fixture
def app(tmp_path: Path, eyes: FakeEyes) -> Flask:
    """Open to the network."""
    app = create_app(tmp_path / "data", hosts=HOSTS, lan=True, eyes=eyes, table_eyes=FakeTable())
    services_of(app).network.reach = Reach(HOSTS, True, OUR_HOST)
    return app


def device(app: Flask, role: Role, base: dict[str, str] = PHONE) -> FlaskClient:
    """A device that came in by a link for this role."""
    client = app.test_client()
    client.environ_base.update(base)
    answer = client.post("/api/pair", json={"code": services_of(app).pairing.new_code(role)}, headers=SENT)
    assert answer.status_code == 200
    return client


def key(answer: Any) -> str | None:
    return answer.json["error"]["key"] if answer.status_code == 403 else None


GUESTS = """
GET / · GET /offline · GET /print · GET /print/pages.pdf · GET /print/table.json · GET /overlay · GET /phone · GET /pair
GET /public/<path:name> · GET /static/<path:name> · GET /games/<slug>/editor.js · GET /photos/<name>.jpg
GET /words/<language>/<version>/<topics>.js
POST /api/pair · POST /api/language
POST /api/dispute/score · POST /api/dispute/read · POST /api/dispute/<game>/link · GET /dispute/<game>
GET /set-up/<game> · GET /guide/ · GET /guide/<name> · GET /guide/pictures/<of>/<name>
GET /evenings/ · GET /evenings/all.json · GET /evenings/all.csv
GET /evenings/<day>.json · GET /evenings/games/<game_id>
GET /api/evenings/best · GET /api/evenings/games/<game_id> · GET /api/evenings/games/<game_id>/events
GET /in-the-ruin/ · GET /in-the-ruin/plays/<play_id> · GET /in-the-ruin/plays/<play_id>/case
GET /in-the-ruin/plays/<play_id>/<player>/<stage>.zip · GET /in-the-ruin/plays/<play_id>/game.jsonl
GET /in-the-ruin/plays/<play_id>/frame.jpg · GET /in-the-ruin/plays/<play_id>/picture.mjpg
GET /in-the-ruin/sheets/<name>-letters.jpg · GET /in-the-ruin/sheets/<name>.json
GET /api/in-the-ruin/plays/<play_id> · GET /api/in-the-ruin/plays/<play_id>/events
GET /live/ · GET /live/<table> · GET /live/<table>/case · GET /live/<table>/frame.jpg · GET /live/<table>/picture.mjpg
GET /live/<table>/game.jsonl · GET /live/<table>/misread.zip · GET /live/profiles/<name>.json
GET /api/live/<table> · GET /api/live/<table>/areas · GET /api/live/<table>/events
GET /api/live/<table>/rows/<int:number>
GET /camera/<name>.json · GET /camera/phone · GET /camera/table-companion.crt
GET /decks/<slug>/<name>.zip · GET /decks/drafts/<draft_id>/<int:n>.jpg
GET /api/v1/ · GET /api/v1/openapi.json · GET /api/v1/events · GET /api/v1/now
GET /api/v1/plays · GET /api/v1/plays/<play_id> · GET /api/v1/tables · GET /api/v1/tables/<table>
"""
PLAYERS = """
GET /camera/ · POST /api/camera · POST /api/camera/<name>/picture · POST /api/camera/<name>/save
POST /api/camera/<name>/undo · GET /camera/film · POST /api/live/push
GET /decks/ · POST /api/decks/photo · POST /api/decks/drafts/<draft_id> · POST /api/decks/drafts/<draft_id>/save
POST /api/dispute/<game>/saved · POST /api/evenings/games/<game_id> · POST /api/people
POST /api/in-the-ruin/plays · POST /api/in-the-ruin/plays/<play_id>/case
POST /api/in-the-ruin/plays/<play_id>/corners · POST /api/in-the-ruin/plays/<play_id>/edits
POST /api/in-the-ruin/plays/<play_id>/photos · POST /api/in-the-ruin/plays/<play_id>/aim
GET /in-the-ruin/plays/<play_id>/hold · POST /api/in-the-ruin/sheets/profile
GET /in-the-ruin/sheets/new · POST /api/in-the-ruin/sheets/photo · POST /api/in-the-ruin/sheets/<name>/draft
GET /in-the-ruin/sheets/drafts/<draft_id> · POST /api/in-the-ruin/sheets/drafts/<draft_id>
POST /api/in-the-ruin/sheets/drafts/<draft_id>/photo · POST /api/in-the-ruin/sheets/drafts/<draft_id>/save
POST /api/in-the-ruin/sheets/drafts/<draft_id>/try
POST /api/live/<table>/entries · POST /api/live/<table>/pieces · POST /api/live/<table>/move
POST /api/live/<table>/undo · POST /api/live/<table>/redo · POST /api/live/<table>/case
POST /api/live/<table>/photos · POST /api/live/<table>/open · POST /api/live/<table>/colors/look
"""
HOST = """
POST /api/phone/network · POST /api/phone/code · GET /api/phone/devices · DELETE /api/phone/devices/<device>
POST /api/phone/forget · POST /api/camera/phone/code
POST /api/live/start · POST /live/camera/<int:number>.jpg · POST /api/live/profiles · POST /api/live/<table>/again
POST /api/live/<table>/stop · POST /api/live/<table>/new-game · POST /api/live/<table>/zones
POST /api/live/<table>/seats
GET /live/<table>/colors · POST /api/live/<table>/colors/save · DELETE /api/live/<table>
POST /api/in-the-ruin/demo-camera · POST /api/in-the-ruin/plays/<play_id>/camera
DELETE /api/in-the-ruin/plays/<play_id>/camera · DELETE /api/in-the-ruin/plays/<play_id>
DELETE /api/in-the-ruin/sheets/<name> · POST /api/decks/<slug>/import · DELETE /api/decks/<slug>/<name>
DELETE /api/cameras/<name> · DELETE /api/people
POST /api/evenings/import · POST /api/evenings/plays · DELETE /api/evenings/plays
DELETE /api/evenings/games/<game_id> · DELETE /api/evenings/<day>
"""
"""Who may what, written by hand, beside what each route says of itself."""
LEAST = {
    one.strip(): role
    for role, table in ((Role.GUEST, GUESTS), (Role.PLAYER, PLAYERS), (Role.HOST, HOST))
    for line in table.strip().splitlines()
    for one in line.split("·")
}


@pytest.mark.parametrize("role", Role)
def test_every_route_asks_for_its_role(app: Flask, role: Role) -> None:
    client, tried = device(app, role), set()
    for method, address, rule in routes(app):
        if method in ("OPTIONS", "HEAD"):
            continue
        least = LEAST[f"{method} {rule.rule}"]
        tried.add(f"{method} {rule.rule}")
        if rule.endpoint == "pairing.exchange" or "/events" in rule.rule:
            continue  # the one asks for a code, the others never end
        answer = client.open(address, method=method, headers=SENT, json=None if method == "GET" else {}, buffered=False)
        wanted = "problem.host-only" if least == Role.HOST else "problem.guest"
        if rule.rule.startswith("/api/"):
            assert key(answer) == (wanted if role < least else None), (method, rule.rule)
        else:
            assert (answer.status_code == 403) == (role < least), (method, rule.rule)
        answer.close()
    assert tried == LEAST.keys()


def test_a_page_with_a_view_that_says_no_role_does_not_start(app: Flask) -> None:
    check(app)
    app.view_functions["somebody.forgot"] = lambda: "open to all"
    with pytest.raises(ValueError, match=r"somebody\.forgot"):
        check(app)


@pytest.mark.parametrize("role", Role)
def test_a_code_lets_in_who_it_was_made_for_and_nobody_more(app: Flask, role: Role) -> None:
    host = device(app, Role.HOST)
    made = host.post("/api/phone/code", json={"role": role.name.lower()}, headers=SENT).json
    comer = app.test_client()
    comer.environ_base.update(PHONE)
    assert comer.post("/api/pair", json={"code": made["link"].partition("#")[2]}, headers=SENT).status_code == 200
    players = comer.post("/api/people", json={"name": "Ada", "color": 1}, headers=SENT).status_code
    hosts = comer.get("/api/phone/devices", headers=SENT).status_code
    assert (players, hosts) == {
        Role.GUEST: (403, 403), Role.PLAYER: (200, 403), Role.HOST: (200, 200)
    }[role]  # fmt: skip


@pytest.mark.parametrize("role", ["king", "", None, 3, ["host"]])
def test_a_code_for_a_role_that_is_none_is_not_made(app: Flask, role: object) -> None:
    assert device(app, Role.HOST).post("/api/phone/code", json={"role": role}, headers=SENT).status_code == 400


def test_no_code_is_made_while_the_page_is_closed(tmp_path: Path, eyes: FakeEyes) -> None:
    closed = create_app(tmp_path / "closed", eyes=eyes)
    answer = closed.test_client().post("/api/phone/code", headers={"X-Companion": "1"})
    assert (answer.status_code, answer.json["error"]["key"]) == (409, "problem.not-lan")


@pytest.mark.parametrize("page", ["/in-the-ruin/sheets/new", "/decks/", "/camera/", "/camera/film"])
def test_a_page_for_doing_things_is_none_for_guests(app: Flask, page: str) -> None:
    answers = [device(app, role).get(page, headers=SENT).status_code for role in (Role.GUEST, Role.PLAYER)]
    assert answers == [403, 200]


def test_who_sits_at_this_computer_is_the_host_whatever_link_brought_the_browser_in(app: Flask) -> None:
    here = device(app, Role.PLAYER, {"REMOTE_ADDR": "127.0.0.1"})
    assert here.post("/api/phone/code", headers=SENT).status_code == 200
    assert device(app, Role.PLAYER).post("/api/phone/code", headers=SENT).status_code == 403


def test_devices_are_listed_and_shut_out_one_by_one(app: Flask) -> None:
    host, phone, other = device(app, Role.HOST), device(app, Role.PLAYER), device(app, Role.GUEST)
    listed = host.get("/api/phone/devices", headers=SENT).json["devices"]
    assert [(row["role"], row["mine"]) for row in listed] == [("Guest", False), ("Player", False), ("Host", True)]
    assert host.delete(f"/api/phone/devices/{listed[1]['id']}", headers=SENT).status_code == 200
    assert [one.get("/", headers=SENT).status_code for one in (host, phone, other)] == [200, 403, 200]
    assert host.post("/api/phone/forget", headers=SENT).status_code == 200
    assert [one.get("/", headers=SENT).status_code for one in (host, phone, other)] == [200, 403, 403]


def test_the_page_learns_that_its_code_was_used(app: Flask) -> None:
    host = device(app, Role.HOST)
    made = host.post("/api/phone/code", json={"role": "guest"}, headers=SENT).json
    address = f"/api/phone/devices?code={made['code']}"
    assert host.get(address, headers=SENT).json["out"]
    guest = app.test_client()
    guest.environ_base.update(PHONE)
    assert guest.post("/api/pair", json={"code": made["link"].partition("#")[2]}, headers=SENT).status_code == 200
    assert not host.get(address, headers=SENT).json["out"]
    assert key(guest.post("/api/live/start", json={"source": "demo"}, headers=SENT)) == "problem.host-only"


def test_a_cookie_that_was_overheard_on_the_plain_page_opens_no_secure_one(app: Flask) -> None:
    phone = device(app, Role.PLAYER)
    assert phone.get("/", headers=SENT).status_code == 200
    assert phone.get("/", headers=SENT, base_url=f"https://{OUR_HOST}").status_code == 403


def test_a_phone_lands_on_what_is_played(app: Flask) -> None:
    def lands() -> str:
        code = services_of(app).pairing.new_code()
        to: str = app.test_client().post("/api/pair", json={"code": code}, headers=SENT).json["to"]
        return to

    assert lands() == "/"
    play = services_of(app).store.start_play("in-the-ruin", "sheet")
    assert lands() == f"/in-the-ruin/plays/{play}"
    host = device(app, Role.HOST)
    table = host.post("/api/live/start", json={"source": "demo"}, headers=SENT).json["table"]
    try:
        assert lands() == f"/live/{table}"
        assert f'href="/live/{table}"' in host.get("/", headers=SENT).get_data(as_text=True)
    finally:
        services_of(app).tables.stop()


@pytest.mark.parametrize("page", ["/live/?demo", "/in-the-ruin/sheets/new?demo"])
@pytest.mark.parametrize(("site", "begins"), [("same-origin", True), ("none", False), (None, False)])
def test_only_a_page_of_ours_begins_the_demo(app: Flask, page: str, site: str | None, begins: bool) -> None:
    headers = {**SENT, **({"Sec-Fetch-Site": site} if site else {})}
    text = device(app, Role.HOST).get(page, headers=headers).get_data(as_text=True)
    assert ("data-now" in text or '"demo":true' in text) == begins


def test_what_comes_before_pairing_is_small(app: Flask) -> None:
    client = app.test_client()
    assert client.post("/api/pair", data=b"x" * 5000, headers=SENT).status_code == 413
    assert client.get("/pair", data=b"x" * 5000, headers=SENT).status_code == 413  # which reads none of it
    chunked = client.post("/api/pair", headers={**SENT, "Transfer-Encoding": "chunked"}, data=b"{}")
    assert chunked.status_code == 413


class Clock:
    now = 1e9

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("days", "known"), [(0, True), (DAYS - 0.1, True), (DAYS, False), (-1, True), (-9000, True)])
def test_a_device_stays_its_time_and_a_clock_set_back_shuts_nobody_out(
    tmp_path: Path, days: float, known: bool
) -> None:
    clock = Clock()
    device = Devices(tmp_path / "devices.json", clock).add(Role.PLAYER, "iPhone")
    clock.now += days * 86400
    again = Devices(tmp_path / "devices.json", clock)
    assert (again.get(device.id) == device) == known
    assert again.all() == [device] * known


def test_the_oldest_device_makes_room(tmp_path: Path) -> None:
    devices = Devices(tmp_path / "devices.json")
    ids = [devices.add(Role.GUEST, "?").id for _ in range(MOST + 1)]
    assert devices.get(ids[0]) is None
    assert len(devices.all()) == MOST


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"id": "a", "role": "king", "name": "", "since": 1}]', "[" * 99999])
def test_a_broken_list_of_devices_lets_nobody_in_and_takes_new_ones(tmp_path: Path, text: str) -> None:
    (tmp_path / "devices.json").write_text(text)
    devices = Devices(tmp_path / "devices.json")
    assert devices.all() == []
    assert devices.get(devices.add(Role.HOST, "?").id) is not None


def test_the_terminals_link_has_no_end_and_is_for_this_computer_alone() -> None:
    clock = Clock()
    pairing, told = Pairing(clock), []
    pairing.home_used = lambda: told.append(1)
    code = pairing.new_code(Role.HOST, home=True)
    clock.now += 100 * CODE_SECONDS
    assert pairing.take(code) is None
    assert pairing.take(code, here=True) == Role.HOST
    assert told == [1]
    assert pairing.take(code, here=True) is None
