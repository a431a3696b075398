"""Record the demo: `python -m training.record_demo` draws it and writes the pictures and the film to companion/demo/.

The program plays what is written there; it draws nothing itself. `--only table` or `--only sheets` writes a part.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path

import cv2
import imageio_ffmpeg
import numpy as np

from training.synth import demo
from training.synth.demo_film import FPS, PIXELS, DrawnGame, demo_profile

FOLDER = Path(__file__).parents[1] / "companion" / "demo"
PLAYERS = 2
JPEG_QUALITY = 88
ENCODER = ("-c:v", "libx264", "-preset", "slow", "-crf", "26", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
"""H.264, which every wheel of opencv-python reads but none writes."""


def record_table() -> None:
    """Write the filmed game and its profile."""
    raw = ("-f", "rawvideo", "-pix_fmt", "bgr24", "-s", "{}x{}".format(*PIXELS), "-r", str(FPS), "-i", "-")
    command = (imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error", *raw, *ENCODER, FOLDER / "table.mp4")
    game = DrawnGame(noise=0)  # noise is what a film's size goes to
    game.start()
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin
        while frame := game.next():
            encoder.stdin.write(frame.image.tobytes())
        encoder.stdin.close()
    _write_json("table.json", demo_profile().to_json())


def record_sheets() -> None:
    """Write the photo of a blank sheet, those of filled ones and the sheet's profile."""
    _write_photo("sheet-blank.jpg", demo.blank_photo())
    for player in range(PLAYERS):
        _write_photo(f"sheet-{player + 1}.jpg", demo.filled_photo(player=player)[0])
    _write_json("sheet.json", demo.profile())


def _write_photo(name: str, image: np.ndarray) -> None:
    cv2.imwrite(str(FOLDER / name), image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])


def _write_json(name: str, value: object) -> None:
    (FOLDER / name).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("table", "sheets"))
    args = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    if args.only != "table":
        record_sheets()
    if args.only != "sheets":
        record_table()
