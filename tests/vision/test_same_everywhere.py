"""What a photo is read as does not hang on the processor."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

READS = (
    "import vision, cv2, numpy; cv2.GaussianBlur(numpy.zeros((8, 8), numpy.uint8), (3, 3), 0); print(cv2.ipp.useIPP())"
)


@pytest.mark.parametrize(
    ("asked", "used"), [({}, "False"), ({"OPENCV_IPP": "sse42"}, "True")], ids=["nobody asked", "a person asked"]
)
def test_opencv_computes_with_its_own_code_alone(asked, used):
    if used == "True" and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("Intel's primitives are for its processors")
    mine = {k: v for k, v in os.environ.items() if not k.startswith("OPENCV_")}
    said = subprocess.run(
        [sys.executable, "-c", READS],
        cwd=Path(__file__).parents[2],
        env={**mine, **asked},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (said.stdout.strip(), said.stderr) == (used, "")
