"""Photo to points: stage by stage, beside a full decode of the same photo.

    python -m bench.sheet [PHOTO.jpg --sheet PROFILE.json] [--rounds 15]

Without a photo the demo sheet is drawn, enlarged to 12 megapixels and saved as a JPEG. Everything runs in one
process, decode, pipeline and page by turns, so that the ratios hold whatever else the machine does; then nine photos
in one call; where a profile is given, `sheet read` from its start; and the frames of a film of two sheets. The page's
time is that from a POST of the photo to its answer: the photo is kept by then, and the answer is what the page shows.
Also shown: the process's peak memory after the first reading.
"""

import argparse
import itertools
import json
import os
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

# isort: split
import cv2
import numpy as np

from companion.cases.sheet import read_marks, sheet_player, sheet_state
from companion.cli.common import own_language
from companion.demo import MAPS_FILM
from companion.reading.pipeline import see_sheet, see_sheets
from companion.web import create_app
from companion.words.words import words
from scoring import score_state
from training.synth import demo
from vision.errors import PhotoError
from vision.sheet.profile import SheetProfile
from vision.sheet.tracker import SheetTracker

DECODE = "full decode (beside)"
PIPELINE = "photo to points"
PAGE = "photo to points, page"
NINE = 9


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photo", nargs="?", type=Path)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    data = args.photo.read_bytes() if args.photo else _twelve_megapixels()
    profile = SheetProfile.load(args.sheet) if args.sheet else SheetProfile.from_json(demo.profile())
    try:
        see_sheet(data, profile)
    except PhotoError as error:
        sys.exit(f"bench.sheet: {words(own_language()).say('file.of', file=args.photo, why=error)}")
    times(data, profile, args.rounds)
    several(data, profile, args.rounds)
    if args.sheet:
        cold(data, args.sheet)
    live(args.rounds)


def _twelve_megapixels() -> bytes:
    photo = cv2.resize(demo.filled_photo(seed=0)[0], (4032, 3024), interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def times(data: bytes, profile: SheetProfile, rounds: int) -> None:
    """Print each stage's median, the ratio of the whole to a full decode, and that of the page to the pipeline."""
    stages: dict[str, list[float]] = defaultdict(list)
    buffer = np.frombuffer(data, np.uint8)
    see_sheet(data, profile)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    folder = Path(tempfile.mkdtemp())
    try:
        post = _page(folder, data, profile)
        for turn in range(rounds + 2):
            seconds: dict[str, float] = {}
            start = time.perf_counter()
            height, width = np.asarray(cv2.imdecode(buffer, cv2.IMREAD_COLOR)).shape[:2]
            seconds[DECODE] = time.perf_counter() - start
            start = time.perf_counter()
            reading = see_sheet(data, profile).reading
            read = time.perf_counter()
            score_state(sheet_state(profile.letters, [sheet_player("A", read_marks(reading), ticks=reading.ticks)]))
            done = time.perf_counter()
            seconds |= {**reading.seconds, "score": done - read, PIPELINE: done - start}
            start = time.perf_counter()
            post()
            seconds[PAGE] = time.perf_counter() - start
            if turn < 2:
                continue  # the first rounds load weights and fill caches
            for stage, one in seconds.items():
                stages[stage].append(one)
    finally:
        shutil.rmtree(folder)
    print(f"{width} × {height}, {len(data) / 1e6:.2f} MB, {rounds} rounds, medians")
    middle = {stage: statistics.median(one) for stage, one in stages.items()}
    for stage, one in middle.items():
        print(f"  {stage:22} {1000 * one:7.1f} ms   {one / middle[DECODE]:5.2f} × full decode")
    print(f"  the page takes {middle[PAGE] / middle[PIPELINE]:.2f} × the pipeline")
    print(f"  peak memory of the first reading: {peak:.0f} MB")


def several(data: bytes, profile: SheetProfile, rounds: int) -> None:
    """Print what each of nine photos in one call takes, beside one alone."""
    ratios = []
    for _ in range(max(1, rounds // 5)):
        start = time.perf_counter()
        see_sheet(data, profile)
        alone = time.perf_counter() - start
        see_sheets([lambda: data] * NINE, profile)
        ratios.append((time.perf_counter() - start - alone) / NINE / alone)
    print(f"  nine photos in one call: {statistics.median(ratios):.2f} × one alone, each")


def cold(data: bytes, profile: Path) -> None:
    """Print what `sheet read` takes from its start, with one photo and with nine: the least of five of the processor's
    time, and the most of the memory."""
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "photo.jpg"
        photo.write_bytes(data)
        for count in (1, NINE):
            taken = [_started([str(photo)] * count, profile) for _ in range(5)]
            seconds, peak = min(one for one, _ in taken), max(most for _, most in taken)
            print(f"  sheet read, cold, photos: {count}: {seconds:.2f} s of processor time, {peak:.0f} MB at most")


def _started(photos: list[str], profile: Path) -> tuple[float, float]:
    """Seconds of processor time, and megabytes at most."""
    words = [sys.executable, "-m", "companion", "sheet", "read", *photos, "--sheet", str(profile), "--json"]
    out = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    _, _, used = os.wait4(os.posix_spawn(words[0], words, os.environ, file_actions=out), 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def live(rounds: int) -> None:
    """Print what a frame takes while two sheets are followed, the demo's film at 1920 × 1080, beside one default
    detection of markers on it."""
    tracker, detector = SheetTracker(SheetProfile.from_json(demo.profile()), ["A", "B"]), cv2.aruco.ArucoDetector()
    film, each, beside = cv2.VideoCapture(str(MAPS_FILM)), [], []
    rate, number = film.get(cv2.CAP_PROP_FPS), 0
    while film.grab():
        number += 1
        image = cv2.resize(film.retrieve()[1], (1920, 1080))
        start = time.perf_counter()
        tracker.take(image, number / rate)
        each.append(time.perf_counter() - start)
        if number % rounds == 0:
            start = time.perf_counter()
            detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
            beside.append(time.perf_counter() - start)
    markers = statistics.median(beside)
    shares = [f"{what} {1000 * one:.1f} ms, {one / markers:.2f} ×" for what, one in
              (("median", statistics.median(each)), ("mean", statistics.mean(each)))]  # fmt: skip
    print(f"  a live frame with two sheets, {number} frames: {'; '.join(shares)} a marker detection")


def _page(folder: Path, data: bytes, profile: SheetProfile) -> Callable[[], Any]:
    """A page with a play of this sheet, into which a call sends another photo of the same player's sheet.

    Each carries a comment of its own: the page would know the very same file again.
    """
    numbers = itertools.count()

    def another() -> bytes:
        return data[:2] + b"\xff\xfe\x00\x06" + next(numbers).to_bytes(4) + data[2:]

    client = create_app(folder).test_client()
    sent = {"X-Companion": "1"}
    name = "bench"
    (folder / "sheets" / f"{name}.json").write_text(json.dumps(profile.to_json()), "utf-8")
    for picture in filter(None, (profile.blank, profile.page)):
        if profile.folder:
            shutil.copyfile(profile.folder / picture, folder / "sheets" / picture)
    play = client.post("/api/in-the-ruin/plays", json={"sheet": name}, headers=sent).get_json()["play"]
    address = f"/api/in-the-ruin/plays/{play}/photos"
    first = client.post(address, data=data, headers=sent)
    if first.status_code != 200:
        sys.exit(f"bench.sheet: the page does not take the photo: {first.get_data(as_text=True)}")
    player = first.get_json()["player"]
    return lambda: client.post(f"{address}?player={player}", data=another(), headers=sent).get_data()


if __name__ == "__main__":
    main()
