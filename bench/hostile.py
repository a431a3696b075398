"""Files that a stranger may send, as large and as odd as they can be: what is answered, how soon, for how much memory.

    python -m bench.hostile [KIND …]

Kinds: decks, palettes, evenings, profiles, bodies. Each goes through the door that people use: the page of a companion
that runs beside this, or a command. *Peak* is the most that the companion, or the process which opens files, has held
since the file came; seconds are this computer's, and the processor's where others work on it. Exit status 1 where
something takes more than 5 s of the processor or 300 MB, or is answered with an error of the program (5xx, traceback).
"""

import argparse
import base64
import http.client
import io
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
MOST_SECONDS, MOST_MB = 5.0, 300.0
HEADERS = {"X-Companion": "1"}
NOISE = np.random.default_rng(0).integers(0, 255, (1990, 1500, 3), np.uint8)


class Answer(NamedTuple):
    """Of a file: what was answered, after how many seconds, by how much processor time, and the most megabytes held."""

    said: str
    good: bool
    seconds: float
    processor: float
    peak: float


def nested(size: int, unit: bytes = b'{"":{}},') -> bytes:
    """JSON of so many bytes that becomes as many things as it can."""
    return b"[" + unit * ((size - 3) // len(unit)) + b"1]"


def archive(files: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """A ZIP of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return out.getvalue()


def npz(named: dict[str, np.ndarray], packed: bool = False) -> bytes:
    """The file of a deck's pictures."""
    out = io.BytesIO()
    (np.savez_compressed if packed else np.savez)(out, **named)  # type: ignore[arg-type]
    return out.getvalue()


def deck(
    n: int, picture: np.ndarray, points: int = 4, families: bool = True, size: tuple[float, float] = (100.0, 133.0)
) -> tuple[bytes, dict[str, np.ndarray]]:
    """A deck of so many cards, all with this picture, and so many points: its JSON text and its pictures."""
    cards = [{"id": str(i), "size_mm": size} for i in range(n)]
    text = json.dumps({"deck": "large", "size_mm": size, "cards": cards, "pictures": "deck.npz"}).encode()
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 60])[1].ravel()
    arrays: dict[str, Any] = {
        **{f"face{i}": data for i in range(n)},
        "faces0": np.arange(n),
        "place0": np.ones((points, 2)), "size0": np.ones(points), "turn0": np.zeros(points),
        "look0": np.zeros((points, 128), np.uint8),
    }  # fmt: skip
    return text, {**arrays, **({"family0": np.tile(np.arange(n), (2, 1))} if families else {})}


def decks() -> Iterator[tuple[str, bytes]]:
    """Decks as large as they may be, each by something else."""
    text, arrays = deck(2, NOISE[:88, :63])
    for what, data in {
        "JSON of as many things as can be": nested(16 << 20),
        "JSON as large as is read": nested((2 << 20) - 1),
        "one key 180,000 times": b"{" + b",".join(b'"%d":1' % i for i in range(180_000)) + b',"179999":1}',
        "blanks": b" " * 60_000_000,
    }.items():
        yield what, archive({"deck.json": data, "deck.npz": npz(arrays)}, zipfile.ZIP_DEFLATED)
    shapes = {
        "600 cards": deck(600, NOISE[:230, :200]),
        "100 alike, families to be found": deck(100, NOISE[:420, :300], families=False, size=(63.0, 88.0)),
        "10 cards of 3 megapixels": deck(10, NOISE),
        "10 of them, families to be found": deck(10, NOISE, families=False),
        "400,000 points": deck(2, NOISE[:88, :63], points=400_000),
    }
    for what, (text, arrays) in shapes.items():
        yield what, archive({"deck.json": text, "deck.npz": npz(arrays)})
    zeros = npz({**arrays, "place0": np.zeros((25_000_000, 2))}, packed=True)
    yield "400 MB of zeros within", archive({"deck.json": text, "deck.npz": zeros})
    yield "32 MB of noise", np.random.default_rng(1).bytes(32 << 20)


def palettes() -> Iterator[tuple[str, bytes]]:
    """Palettes as large as they may be, or with pictures that cost."""
    black = base64.b64encode(cv2.imencode(".png", np.zeros((32, 32, 3), np.uint8))[1].tobytes()).decode()
    lying = base64.b64encode(
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x20\x00\x00\x00\x20\x08\x02\x00\x00\x00"
        + b"\xfc\x18\xed\xa3\xff\xff\xff\xffIDATxxxx"
    ).decode()
    yield "JSON of as many things as can be", nested(16 << 20)
    yield "JSON as large as is read", nested((2 << 20) - 1)
    yield "a color 180,000 times", b'{"tiles":{' + b",".join(b'"%d":1' % i for i in range(180_000)) + b',"179999":1}}'
    yield "pictures that lie about their length", json.dumps({"tiles": {"red": [lying] * 8}}).encode()
    yield (
        "20,000 pictures of a color",
        json.dumps({"tiles": {"red": [black] * (1_900_000 // (len(black) + 4))}}).encode(),
    )
    yield "a picture of 2 MB", json.dumps({"tiles": {"red": ["A" * 2_000_000]}}).encode()


def evenings() -> Iterator[tuple[str, bytes]]:
    """Evenings' files: as many and as large games as fit, games that cost the most to score, and what is none."""
    most = 256 * 1024 - 200

    def file(games: list[dict[str, Any]]) -> bytes:
        return json.dumps(
            {"kind": "table-companion-evening", "version": 1, "day": "2026-11-01", "games": games}
        ).encode()

    for path in sorted((ROOT / "tests/scoring/golden").glob("*.json")):
        states = [case["state"] for case in json.loads(path.read_text("utf-8")) if not case.get("refused")]
        for which, state in (
            ("largest", max(states, key=lambda one: len(json.dumps(one)))),
            ("smallest", min(states, key=lambda one: len(json.dumps(one)))),
        ):
            room = min(200, most // (len(json.dumps(state)) + 80))
            games = [
                {
                    "id": f"{abs(hash((path.stem, which))) % 16**8:08x}{n:08x}",
                    "begun": 1.7e9 + n,
                    "match": None,
                    "state": state,
                }
                for n in range(room)
            ]
            yield f"{room} games of {path.stem}, the {which} of the tests", file(games)
    yield "JSON of as many things as can be", nested(most)
    yield "32 MB", nested(32 << 20)
    yield (
        "a million players",
        file([{"id": "a" * 16, "begun": 1, "state": {"game": "splendor", "players": [{}] * 60_000}}]),
    )


def bodies() -> Iterator[tuple[str, bytes]]:
    """What is scored from the case page: a state, without its length being said."""
    yield "JSON of as many things as can be", nested((64 << 10) - 1)
    yield "32 MB", nested(32 << 20)
    yield "nested without end", b"[" * 60_000


def profiles() -> Iterator[tuple[str, bytes]]:
    """Sheet profiles, as they are taken from the page."""
    letters = {f"L{i}": [1, 1] for i in range(15_000)}
    yield "JSON of as many things as can be", nested(250 << 10)
    yield "15,000 letters", json.dumps({"name": "x", "rows": 2**40, "cols": 7, "letters": letters}).encode()


class Running:
    """A companion beside this program, asked over its socket."""

    def __init__(self, home: Path) -> None:
        command = [sys.executable, "-m", "companion", "serve", "--no-browser", "--port", "0", "--data", str(home)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", said)):
            said += self.process.stdout.readline()
        self.port = int(found[1])

    def ask(self, path: str, data: bytes, chunked: bool = False) -> Answer:
        """Send a file, and say what was answered and what it cost."""
        pids = self._pids()
        for pid in pids:
            Path(f"/proc/{pid}/clear_refs").write_text("5", "ascii")
        used, begun = sum(map(_processor, pids)), time.perf_counter()
        held, over = [0], threading.Event()
        watch = threading.Thread(target=self._watch, args=(held, over))
        watch.start()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            with suppress(BrokenPipeError, ConnectionResetError):  # refused before all was sent: the answer is there
                connection.request("POST", path, iter([data]) if chunked else data, HEADERS, encode_chunked=chunked)
            answer = connection.getresponse()
            status, text = answer.status, answer.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            status, text = 0, str(error)
        finally:
            connection.close()
            over.set()
            watch.join()
        seconds, pids = time.perf_counter() - begun, self._pids()
        line = next((value for key, value in _object(text).items() if key in ("error", "problem", "message")), text)
        peak = max(held) / 1024
        said = f"{status} {str(line)[:70]}"
        return Answer(said, 0 < status < 500, seconds, max(0.0, sum(map(_processor, pids)) - used), peak)

    def _watch(self, held: list[int], over: threading.Event) -> None:
        """Gather the most kilobytes that each process has held, those too which end before the answer."""
        done = False
        while not done:
            done = over.wait(0.02)
            held += [_kilobytes(pid, "VmHWM") for pid in self._pids()]

    def _pids(self) -> list[int]:
        task = Path(f"/proc/{self.process.pid}/task")
        children = " ".join((one / "children").read_text("ascii") for one in task.iterdir())
        return [self.process.pid, *map(int, children.split())]

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait()


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _kilobytes(pid: int, what: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    except OSError:  # it has ended
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(what)), 0)


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / 100  # with the children that are gone


@contextmanager
def running() -> Iterator[Running]:
    """A companion on an empty folder."""
    with tempfile.TemporaryDirectory() as home:
        companion = Running(Path(home))
        try:
            yield companion
        finally:
            companion.close()


def by_page(path: str, files: Iterator[tuple[str, bytes]], chunked: bool = False) -> Iterator[tuple[str, Answer]]:
    """What the page answers to each file, the first after a good one has made everything ready."""
    with running() as companion:
        text, arrays = deck(2, NOISE[:88, :63])
        companion.ask("/api/decks/splendor/import", archive({"deck.json": text, "deck.npz": npz(arrays)}))
        for what, data in files:
            yield what, companion.ask(path, data, chunked)
        after = companion.ask("/api/dispute/score", b'{"game": "splendor", "players": [{"name": "A"}]}')
        yield "and then a game is scored", after._replace(good=after.said.startswith("200"))


def by_command(files: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, Answer]]:
    """What `table read` says of a layout that names each palette."""
    with tempfile.TemporaryDirectory() as folder:
        profile, photo, palette = (Path(folder) / name for name in ("table.json", "photo.jpg", "palette.json"))
        profile.write_text(json.dumps({"name": "t", "game": "twelve-seekers", "palette": palette.name}), "utf-8")
        cv2.imwrite(str(photo), np.full((240, 320, 3), 200, np.uint8))
        for what, data in files:
            palette.write_bytes(data)
            command = [sys.executable, "-c", MEASURED, "table", "read", "--table", str(profile), str(photo)]
            begun = time.perf_counter()
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            *said, cost = done.stderr.strip().splitlines()
            processor, peak = map(float, cost.split())
            good = done.returncode in (0, 2) and not any("Traceback" in line for line in said)
            yield what, Answer(" ".join(said)[:74], good, time.perf_counter() - begun, processor, peak)


MEASURED = """
import os, resource, sys
from companion.cli.main import main
try:
    status = main(sys.argv[1:])
except SystemExit as error:
    status = error.code
own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
peak = next(int(line.split()[1]) for line in open(f"/proc/{os.getpid()}/status") if line.startswith("VmHWM"))
print(own.ru_utime + own.ru_stime, max(peak, children.ru_maxrss) / 1024, file=sys.stderr)
sys.exit(status)
"""
"""A command that says at its end what it cost. Its own `ru_maxrss` would count who started it, too."""
KINDS: dict[str, Callable[[], Iterator[tuple[str, Answer]]]] = {
    "decks": lambda: by_page("/api/decks/splendor/import", decks()),
    "palettes": lambda: by_command(palettes()),
    "evenings": lambda: by_page("/api/evenings/import", evenings()),
    "profiles": lambda: by_page("/api/in-the-ruin/sheets/profile", profiles()),
    "bodies": lambda: by_page("/api/dispute/score", bodies(), chunked=True),
}


def main() -> int:
    """Send each file and print. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", nargs="*", choices=[*KINDS, []])
    failed = False
    for kind in parser.parse_args().kind or KINDS:
        for what, one in KINDS[kind]():
            bad = not one.good or one.processor > MOST_SECONDS or one.peak > MOST_MB
            failed |= bad
            print(
                f"{'!' if bad else ' '} {kind}: {what}: {one.seconds:.1f} s ({one.processor:.1f} s of processor), "
                f"{one.peak:.0f} MB: {one.said}",
                flush=True,
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
