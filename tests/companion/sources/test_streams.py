"""Streams by their address, from a server on this computer."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import pytest
from fake_capture import noisy, until

from companion.camera_address import without_password
from companion.sources import LOST, PushSource, SourceError, open_source
from companion.sources.http_client import named_inside
from companion.words.words import words
from vision.errors import PhotoError


def jpeg(number):
    return cv2.imencode(".jpg", cv2.resize(noisy(number), (320, 240)))[1].tobytes()


class Handler(BaseHTTPRequestHandler):
    """Each path is a camera of another kind."""

    def do_GET(self):
        page = self.path.strip("/")
        if page in ("video", "bare", "secret"):
            if page == "secret" and self.headers.get("Authorization") != "Basic bWU6YSBi":
                self.send_error(401)
                return
            self._frames(page != "bare")
        elif page == "shot":
            self._answer("image/jpeg", jpeg(next(self.server.counter)))
        elif page == "page":
            self._answer("text/html", b"<html>hello</html>")
        elif page == "away":
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.end_headers()
        elif page in ("inside", "self"):
            self.send_response(302)
            host = {"inside": "127.0.0.2", "self": "127.0.0.1"}[page]
            self.send_header("Location", f"http://{host}:{self.server.server_port}/shot")
            self.end_headers()
        elif page in ("line", "lines", "jpeg"):
            self._endless(page)
        elif page == "garbage":
            self.wfile.write(b"garbage\r\n\r\n")
        elif page.startswith("dripping"):
            self._dripping(page)
        elif page == "silent":
            self.server.closing.wait(10)
        else:
            self.send_error(404)

    def _answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _endless(self, page):
        self.send_response(200)
        self.send_header("Content-Type", 'multipart/x-mixed-replace; boundary="frame"')
        self.end_headers()
        try:
            if page == "jpeg":
                self.wfile.write(b"--frame\r\n\r\n")
            while True:
                self.wfile.write((b"\n" if page == "lines" else b"x") * 100_000)
        except OSError:
            pass

    def _dripping(self, page):
        """A byte every now and then, without end: each is well within any patience."""
        whole = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"
        begun = {"dripping-frame": whole + b"--frame\r\n\r\n\xff\xd8", "dripping-lines": whole}.get(page, b"")
        try:
            self.wfile.write(begun)
            while not self.server.closing.wait(0.02):
                self.wfile.write({"dripping-frame": b"x", "dripping-lines": b"\n"}.get(page, b"H"))
        except OSError:
            pass

    def _frames(self, lengths):
        self.send_response(200)
        self.send_header("Content-Type", 'multipart/x-mixed-replace; boundary="frame"')
        self.end_headers()
        try:
            while not self.server.closing.wait(0.01):
                data = jpeg(next(self.server.counter))
                length = f"Content-Length: {len(data)}\r\n" if lengths else ""
                self.wfile.write(f"--frame\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + data + b"\r\n")
        except OSError:
            pass

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    made = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
    made.closing = threading.Event()
    made.counter = iter(range(1, 10**6))
    threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.closing.set()
    made.shutdown()
    made.server_close()


@pytest.mark.parametrize("page", ["video", "bare", "shot"])
def test_a_stream_gives_frames(server, page):
    source = open_source(f"{server}/{page}")
    source.start()
    first = source.next(timeout=5)
    assert first.image.shape == (240, 320, 3)
    assert source.next(first.number, timeout=5).number > first.number
    source.close()


def test_a_stream_with_a_password(server):
    address = server.replace("//", "//me:a%20b@") + "/secret"
    source = open_source(address)
    source.start()
    assert source.next(timeout=5) is not None
    assert "a%20b" not in source.name
    source.close()


@pytest.mark.parametrize(
    ("page", "key"),
    [
        ("page", "source.no-stream"),
        ("nothing", "source.refused"),
        ("secret", "source.refused"),
        ("away", "source.refused"),
        ("inside", "source.refused"),
        ("self", "source.refused"),
        ("garbage", "source.refused"),
        ("dripping-head", "source.silent"),
        ("dripping-frame", "source.broken"),
        ("dripping-lines", "source.broken"),
        ("lines", "source.broken"),
        ("line", "source.broken"),
        ("jpeg", "source.broken"),
    ],
)
def test_what_is_no_stream_is_said(server, page, key, monkeypatch):
    if page.startswith("dripping"):
        monkeypatch.setattr("companion.sources.stream.FIRST_OPENING", 0.5)
        monkeypatch.setattr("companion.sources.stream.FRAME", 0.5)
    source = open_source(f"{server}/{page}")
    source.start()
    until(lambda: source.state.kind == LOST)
    assert source.state.key == key
    source.close()


def test_nothing_is_asked_where_a_redirection_leads_and_the_person_is_told(server):
    source = open_source(f"{server}/self")
    source.start()
    until(lambda: source.state.kind == LOST)
    assert f"{server}/shot" in words("en").say(source.state.key, **source.state.values)
    source.close()


def test_a_stream_that_never_answers_is_said(server, monkeypatch):
    monkeypatch.setattr("companion.sources.stream.FIRST_OPENING", 0.2)
    source = open_source(f"{server}/silent")
    source.start()
    until(lambda: source.state.kind == LOST)
    assert source.state.key == "source.silent"
    source.close()


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ("file:///etc/passwd", "source.scheme"),
        ("ftp://example.org/film.mp4", "source.scheme"),
        ("concat:/etc/passwd", "source.missing"),
        ("http://", "source.address"),
        ("http://[", "source.address"),
        ("http://my phone/video", "source.address"),
        ("", "source.unknown"),
        ("camera\n", "source.unknown"),
        ("a\0b", "source.unknown"),
        ("here", "source.unknown"),
        ("no/such/film.mp4", "source.missing"),
        ("9" * 30, "source.unknown"),
    ],
)
def test_what_is_no_source_is_refused_in_words(spec, key):
    with pytest.raises(SourceError) as caught:
        open_source(spec)
    assert caught.value.key == key
    assert "\n" not in str(caught.value)


def test_files_are_not_for_who_asks_from_elsewhere(tmp_path):
    film = tmp_path / "film.mp4"
    film.write_bytes(b"x")
    with pytest.raises(SourceError):
        open_source(str(film), files=False)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://me:secret@10.0.0.2:80/x", "http://10.0.0.2:80/x"),
        ("rtsp://10.0.0.2/live?user=me&pwd=secret", "rtsp://10.0.0.2/live?…"),
    ],
)
def test_passwords_are_not_shown(address, shown):
    assert without_password(address) == shown


@pytest.mark.parametrize(
    ("host", "is_inside"),
    [
        ("localhost", True), ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("169.254.169.254", True),
        ("::ffff:127.0.0.1", True), ("fe80::1", True), ("0.0.0.0", True), ("camera.local", False),
        ("192.168.1.20", False), ("10.0.0.1", False), ("2001:db8::1", False),
    ],
)  # fmt: skip
def test_what_a_person_plainly_names_is_known(host, is_inside):
    assert named_inside(host) == is_inside


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_a_name_that_leads_inside_is_refused(server, monkeypatch, scheme):
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *how, **more: real("127.0.0.1", *how, **more))
    source = open_source(f"{scheme}://rebound.example:{server.rpartition(':')[2]}/shot")
    source.start()
    until(lambda: source.state.kind == LOST)
    assert source.state.key == "source.inside"
    source.close()


def test_a_phone_pushes_its_frames():
    now = [0.0]
    source = PushSource(clock=lambda: now[0])
    assert source.next(timeout=0.01) is None
    assert source.state.key == "source.waiting"
    first = source.put(jpeg(1))
    assert source.next().number == first.number
    now[0] = 1.0
    assert source.put(jpeg(1)).number == 2
    now[0] = 3.0
    assert words("ja").say(source.state.key, **source.state.values).startswith("スマートフォン：2秒間")
    source.put(jpeg(2))
    assert source.state.kind == "running"
    with pytest.raises(PhotoError):
        source.put(b"no picture")
    source.close()
    assert source.put(jpeg(3)) is None
