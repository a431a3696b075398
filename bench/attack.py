"""The evening's bad luck and bad guests, at full size: power cuts, broken uploads, many listeners.

    python -m bench.attack [--kills 200] [--uploads 10000] [--listeners 100]

`kills`: a game is played and its process killed at random moments; what was acknowledged must be there. `uploads`:
photos broken at random are sent; nothing may answer with 5xx, and memory must stay. `listeners`: a table is followed by
so many while ten tap; shown is how much longer a tap takes than with one device, and what the picture's rate keeps.
Tests run the first two at a size for everyday.
"""

import argparse
import http.client
import json
import multiprocessing
import random
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.cases.journal import Journal
from companion.cases.store import Store
from companion.web import create_app
from companion.web.server import PageServer
from companion.web.services import services_of
from vision.decoder import OUTSIDE

PLAYED = """
import sys
from pathlib import Path
from companion.cases import store as kept
from companion.cases.journal import Journal
kept.MAX_PICTURES = 10**9  # a full folder would end the game before it is killed
store = kept.Store(Path(sys.argv[1]))
journal = Journal(store, sys.argv[2])
for n in range(int(sys.argv[3]), 10**9):
    photo = store.save_photo(b"photo %d" % n)
    store.add_edit(sys.argv[2], {"kind": "entries", "entries": {"n": n, "photo": photo}})
    number = journal.settled(float(n), b"state %d" % n, {"A": n}, {"n": n})
    print(n, photo, number, flush=True)
"""
LONGEST = 0.6
"""Seconds after which a game is killed, at most."""
BETWEEN = 0.5
"""Seconds between two taps of one person, on average."""
PICTURE = b"Content-Type: image/jpeg"
"""Stands at the head of each part of the moving picture."""
HEADERS = {"X-Companion": "1", "Content-Type": "application/json"}


def killed(times: int) -> tuple[int, list[str]]:
    """Play and be killed so many times. Returns how many entries were acknowledged, and what of them is missing."""
    chance = random.Random(0)
    acknowledged: list[list[str]] = []
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        play = Journal.begin(Store(folder), "evening", {"source": "0"}).table
        for _ in range(times):
            command = [sys.executable, "-c", PLAYED, home, play, str(len(acknowledged))]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            first = process.stdout.readline()
            time.sleep(chance.uniform(0, LONGEST))
            process.kill()
            lines = [first, *process.stdout.read().splitlines(keepends=True)]
            process.wait()
            acknowledged += [line.split() for line in lines if line.endswith("\n")]
        store = Store(folder)
        entries = {(str(e["entries"]["n"]), e["entries"]["photo"]) for e in store.edits(play) if e["kind"] == "entries"}
        rows = {str(row.number): row.totals for row in Journal(store, play).rows()}
        missing = []
        for n, photo, number in acknowledged:
            there = (n, photo) in entries and rows.get(number, {"A": int(n)}) == {"A": int(n)}
            file = store.photos / f"{photo}.jpg"
            if not there or not file.is_file() or file.read_bytes() != f"photo {n}".encode():
                missing.append(n)
    return len(acknowledged), missing


def broken_uploads(count: int) -> tuple[dict[int, int], float]:
    """Send so many broken photos. Returns how often each status came, and by how many MB memory grew meanwhile."""
    chance = random.Random(0)
    picture = cv2.GaussianBlur(np.random.default_rng(0).integers(0, 256, (240, 320, 3), np.uint8), (0, 0), 2)
    whole = [cv2.imencode(kind, picture)[1].tobytes() for kind in (".jpg", ".png", ".webp")]
    statuses: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as home:
        client = create_app(Path(home)).test_client()
        game = client.post("/api/camera", json={}, headers=HEADERS).get_json()["id"]
        grown = 0.0
        for n in range(count):
            data = mutated(whole[n % len(whole)], chance)
            status = client.post(f"/api/camera/{game}/picture", data=data, headers={"X-Companion": "1"}).status_code
            statuses[status] = statuses.get(status, 0) + 1
            if n == min(20, count - 1):
                grown = -memory()
        grown += memory()
    return statuses, grown


def mutated(data: bytes, chance: random.Random) -> bytes:
    """A file with some bytes changed, left out, doubled, or its end gone."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(out))
        kind = chance.randrange(4)
        if kind == 0:
            out[at] = chance.randrange(256)
        elif kind == 1:
            out[at : at + 4] = chance.randbytes(4)
        elif kind == 2:
            del out[at : at + chance.randint(1, 64)]
        else:
            out[at:at] = out[at : at + chance.randint(1, 64)]
    return bytes(out[: chance.randrange(20, len(out))]) if chance.random() < 0.2 else bytes(out)


def memory() -> float:
    """Megabytes that this process and the one that decodes photos hold."""
    pids = ["self", *([OUTSIDE.process.pid] if OUTSIDE.process else [])]
    return sum(_held(pid, "VmRSS") for pid in pids)


def _held(pid: object, what: str) -> float:
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) / 1024


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """A page over real sockets: where it listens."""
    with tempfile.TemporaryDirectory() as home:
        app = create_app(Path(home))
        listener = socket.create_server(("127.0.0.1", 0))
        server = PageServer(app, listener)
        server.start()
        yield listener.getsockname()
        services_of(app).tables.stop()
        server.close()


def ask(place: tuple[str, int], method: str, address: str, body: Any = None) -> Any:
    """What the page answers, as JSON."""
    connection = http.client.HTTPConnection(*place, timeout=60)
    connection.request(method, address, None if body is None else json.dumps(body), HEADERS)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def _listen(place: tuple[str, int], table: str, listeners: int, seconds: float, seen: Connection) -> None:
    """So many listeners, who take what comes; one more looks at the moving picture. Sends how many came a second."""
    waiting = selectors.DefaultSelector()

    def phone(address: str) -> socket.socket:
        line = socket.create_connection(place)
        line.sendall(f"GET {address} HTTP/1.1\r\nHost: {place[0]}:{place[1]}\r\n\r\n".encode())
        waiting.register(line, selectors.EVENT_READ)
        return line

    watching = phone(f"/live/{table}/picture.mjpg")
    for _ in range(listeners):
        phone(f"/api/live/{table}/events")
    pictures, end_of_last = 0, b""
    start = time.monotonic()
    while time.monotonic() < start + seconds:
        for key, _ in waiting.select(0.2):
            came = key.fileobj.recv(1 << 18)  # type: ignore[union-attr]
            if not came:
                waiting.unregister(key.fileobj)
            elif key.fileobj is watching:
                came = end_of_last + came
                pictures += came.count(PICTURE)
                end_of_last = came[1 - len(PICTURE) :]
    seen.send(pictures / seconds)


def taps(listeners: int, tapping: int, seconds: float) -> tuple[list[float], float]:
    """Seconds that taps take while so many listen to a followed table and so many tap, and pictures a second of it."""
    took: list[float] = []
    with served() as place:
        table = ask(place, "POST", "/api/live/start", {"source": "demo"})["table"]
        while not ask(place, "GET", f"/api/live/{table}")["table"]["settled"]:
            time.sleep(0.2)
        spawn = multiprocessing.get_context("spawn")  # phones have processors of their own
        here, there = spawn.Pipe()
        phones = spawn.Process(target=_listen, args=(place, table, listeners, seconds, there))
        phones.start()
        end = time.monotonic() + seconds

        def tap(name: int) -> None:
            chance = random.Random(name)
            while time.monotonic() < end:
                time.sleep(chance.uniform(0, 2 * BETWEEN))  # people do not tap in step
                start = time.perf_counter()
                ask(place, "POST", f"/api/live/{table}/entries", {"players": {"A": {"chips": chance.randint(-99, 99)}}})
                took.append(time.perf_counter() - start)

        threads = [threading.Thread(target=tap, args=(n,)) for n in range(tapping)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rate = here.recv()
        phones.join()
    return took, rate


def main() -> None:
    """Run all at full size and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--uploads", type=int, default=10_000)
    parser.add_argument("--listeners", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args()
    if args.kills:
        acknowledged, missing = killed(args.kills)
        print(f"{args.kills} times killed: {acknowledged} entries acknowledged, {len(missing)} missing")
    if args.uploads:
        statuses, grown = broken_uploads(args.uploads)
        print(f"{args.uploads} broken uploads: {dict(sorted(statuses.items()))}, memory {grown:+.0f} MB")
    if args.listeners:
        found = []
        for listeners, tapping in ((1, 1), (args.listeners, 10)):
            took, rate = taps(listeners, tapping, args.seconds)
            middle, slow = (1000 * sorted(took)[int(len(took) * part)] for part in (0.5, 0.99))
            found.append((slow, rate))
            print(
                f"{listeners} listen, {tapping} tap: {middle:.0f} ms, p99 {slow:.0f} ms ({len(took)} taps), "
                f"{rate:.1f} pictures a second"
            )
        (slow_alone, rate_alone), (slow, rate) = found
        print(f"p99 {slow / slow_alone:.2f} ×, pictures {rate / rate_alone:.2f} ×")


if __name__ == "__main__":
    main()
