"""How the system names this computer's cameras."""

from pathlib import Path

DEVICES = Path("/sys/class/video4linux")
"""Where Linux tells of them; elsewhere cameras have numbers only."""


def camera_names(devices: Path = DEVICES) -> dict[int, str]:
    """Names by the number that opens a camera, as far as the system tells them."""
    numbers = {path: path.parent.name.removeprefix("video") for path in devices.glob("video*/name")}
    return {int(n): path.read_text("utf-8", "replace").strip() for path, n in numbers.items() if n.isdecimal()}
