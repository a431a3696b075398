"""Detect and classify what photographs show: map sheets, tiles, cards.

Pictures are BGR uint8 arrays (H, W, 3); what is found is a frozen value that knows
where in the photo it was seen and how sure the reading is. Nothing here knows a game's
rules, a language or the web.

What OpenCV and NumPy read from the environment when they are first imported is set here, before any
module of this package can import them.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

MAX_PIXELS = 60_000_000
"""Largest photo that is decoded, in pixels: 48-megapixel phones fit, picture bombs do not."""

OPENCV_SILENT = "FATAL"
"""The level of OpenCV's log: what is wrong is said in words."""

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MAX_PIXELS))
# NumPy's OpenBLAS shares even a small product of matrices among threads, which then wait busily for the next one and
# keep OpenCV's threads from the cores: readings took up to half as long again.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Intel's primitives in OpenCV round otherwise on each kind of processor: the same photo gave other letters and other
# doubts on another computer, for no measurable time. OpenCV's own code does not; it would say that they are off.
os.environ.setdefault("OPENCV_IPP", "disabled")
os.environ.setdefault("OPENCV_LOG_LEVEL", OPENCV_SILENT)


@contextmanager
def timed(stage: str, seconds: dict[str, float]) -> Iterator[None]:
    """Keep how many seconds a stage takes, under its name."""
    start = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - start
