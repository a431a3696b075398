"""Record the demo: `python -m training.record_demo` draws it and writes the pictures and the film to companion/demo/.

The program plays what is written there; it draws nothing itself. `--only table`, `maps` or `sheets` writes a part.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import imageio_ffmpeg
import numpy as np

from training.synth import demo, demo_maps
from training.synth.demo_film import FPS, PIXELS, DrawnGame, demo_profile

FOLDER = Path(__file__).parents[1] / "companion" / "demo"
PLAYERS = 2
JPEG_QUALITY = 88
ENCODER = ("-c:v", "libx264", "-preset", "slow", "-crf", "26", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
"""H.264, which every wheel of opencv-python reads but none writes."""


def record_table() -> None:
    """Write the filmed game of Twelve Seekers and its profile."""
    game = DrawnGame(noise=0)  # noise is what a film's size goes to
    game.start()

    def images() -> Iterator[np.ndarray]:
        while frame := game.next():
            yield frame.image

    _write_film("table.mp4", images(), PIXELS, FPS)
    _write_json("table.json", demo_profile().to_json())


def record_maps() -> None:
    """Write the filmed game of In the Ruin and its profile."""
    _write_film("maps.mp4", demo_maps.frames(), demo_maps.PIXELS, demo_maps.FPS)
    _write_json("maps.json", demo_maps.profile())


def _write_film(name: str, images: Iterable[np.ndarray], pixels: tuple[int, int], fps: int) -> None:
    raw = ("-f", "rawvideo", "-pix_fmt", "bgr24", "-s", "{}x{}".format(*pixels), "-r", str(fps), "-i", "-")
    command = (imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error", *raw, *ENCODER, FOLDER / name)
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin
        for image in images:
            encoder.stdin.write(image.tobytes())
        encoder.stdin.close()


def record_sheets() -> None:
    """Write the photo of a blank sheet, those of filled ones and the sheet's profile."""
    _write_photo("sheet-blank.jpg", demo.blank_photo())
    for player in range(PLAYERS):
        _write_photo(f"sheet-{player + 1}.jpg", demo.filled_photo(player=player, sheet=demo_maps.at_the_end(player))[0])
    _write_json("sheet.json", demo.profile())


def _write_photo(name: str, image: np.ndarray) -> None:
    cv2.imwrite(str(FOLDER / name), image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])


def _write_json(name: str, value: object) -> None:
    (FOLDER / name).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = {"sheets": record_sheets, "table": record_table, "maps": record_maps}
    parser.add_argument("--only", choices=parts)
    args = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for part, record in parts.items():
        if args.only in (None, part):
            record()
