"""Many photos: the rate beside that of single photos on every core, memory, and what interruptions lose.

    python -m bench.batch [--photos 100] [--interrupt 10] [--side 4032] [--jobs N]

The demo sheet is drawn at `--side` pixels; every photo is another file by one byte. `rate`: photos a second of
`sheet read FOLDER --out`, its start included, in parts of what as many processes read one by one without it,
both by turns in three rounds. `memory`: megabytes of the command and its processes after a tenth of the photos and
after nine tenths. With `--interrupt` the command is killed that often, at random moments (every other time by Ctrl-C).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import cv2

from companion.cli.batch.job import Job, Task, read_photo
from training.synth import demo
from vision.photo import CORES

ROUNDS = 3


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=int, default=100)
    parser.add_argument("--interrupt", type=int, default=0)
    parser.add_argument("--side", type=int, default=4032)
    parser.add_argument("--jobs", type=int, default=CORES)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        photos = _drawn(Path(folder), args.photos, args.side)
        if args.interrupt:
            interrupted(photos, args.interrupt, args.jobs)
        else:
            rates(photos, args.jobs)


def _drawn(folder: Path, count: int, side: int) -> Path:
    photo = demo.filled_photo(seed=0)[0]
    scale = side / max(photo.shape)
    photo = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    data = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    (folder / "photos").mkdir()
    for number in range(count):
        (folder / "photos" / f"{number:05}.jpg").write_bytes(data + number.to_bytes(4, "big"))
    (folder / "sheet.json").write_text(json.dumps(demo.profile()), "utf-8")
    return folder / "photos"


def _command(photos: Path, out: Path, jobs: int) -> subprocess.Popen[bytes]:
    words = ["sheet", "read", str(photos), "--sheet", str(photos.parent / "sheet.json"), "--out", str(out)]
    return subprocess.Popen([sys.executable, "-m", "companion", *words, "--jobs", str(jobs)], stderr=subprocess.DEVNULL)


def rates(photos: Path, jobs: int) -> None:
    """Print the command's rate beside that of as many plain processes, and its memory."""
    count = len(list(photos.iterdir()))
    shares, alone, many = [], [], []
    for turn in range(ROUNDS):
        alone.append(_one_by_one(photos, jobs))
        out = photos.parent / f"{turn}.jsonl"
        start = time.perf_counter()
        run = _command(photos, out, jobs)
        memory = _memory(run, out, count)
        many.append(count / (time.perf_counter() - start))
        shares.append(many[-1] / alone[-1])
    print(f"{count} photos, {jobs} processes: {statistics.median(many):.2f} a second, one by one "
          f"{statistics.median(alone):.2f}; rate {statistics.median(shares):.2f} ×")  # fmt: skip
    print(f"memory after a tenth {memory[0]:.0f} MB, after nine tenths {memory[1]:.0f} MB")


def _one_by_one(photos: Path, jobs: int) -> float:
    """Photos a second that so many processes read, from when all are ready."""
    own = multiprocessing.get_context("spawn")
    barrier = own.Barrier(jobs + 1)
    files = sorted(map(str, photos.iterdir()))
    readers = [own.Process(target=_reads, args=(files[k::jobs], barrier)) for k in range(jobs)]
    for reader in readers:
        reader.start()
    barrier.wait()
    start = time.perf_counter()
    for reader in readers:
        reader.join()
    return len(files) / (time.perf_counter() - start)


def _reads(files: list[str], barrier: multiprocessing.synchronize.Barrier) -> None:
    job = Job("sheet", str(Path(files[0]).parent.parent / "sheet.json"), "en")
    read_photo(job, Task(files[0], files[0]))  # loads weights
    barrier.wait()
    for file in files:
        read_photo(job, Task(file, file))


def _memory(run: subprocess.Popen[bytes], out: Path, count: int) -> tuple[float, float]:
    """Megabytes of the command with its children, after a tenth of the photos and after nine tenths."""
    early = late = 0.0
    while run.poll() is None:
        time.sleep(0.1)
        done = out.read_bytes().count(b"\n") / count if out.exists() else 0.0
        if done >= 0.1 and not early:
            early = _resident(run.pid)
        if done >= 0.9 and not late:
            late = _resident(run.pid)
    return early, late


def _resident(pid: int) -> float:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        every = [pid, *map(int, children.read_text().split())]
        return sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in every) * 4096 / 1e6
    except OSError:
        return 0.0


def interrupted(photos: Path, times: int, jobs: int) -> None:
    """Print how often the command was interrupted, and whether a photo was read twice or missed."""
    rng, out = random.Random(5), photos.parent / "out.jsonl"
    names = sorted(map(str, photos.iterdir()))
    done = 0
    for turn in range(times):
        run = _command(photos, out, jobs)
        goal = done + max(1, round((len(names) - done) / (times - turn + 1) * rng.uniform(0.5, 1.5)))
        while run.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < goal):
            time.sleep(0.01)
        run.send_signal(signal.SIGINT if turn % 2 else signal.SIGKILL)
        run.wait()
        done = out.read_bytes().count(b"\n")
        print(f"interrupted at {done} of {len(names)}", flush=True)
    _command(photos, out, jobs).wait()
    read = Counter(json.loads(line)["photo"] for line in out.read_text("utf-8").splitlines())
    twice = [name for name, n in read.items() if n > 1]
    print(f"{len(names)} photos, {times} interruptions: {len(twice)} twice, {len(set(names) - set(read))} missed")


if __name__ == "__main__":
    main()
