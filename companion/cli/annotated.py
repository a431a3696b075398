"""`--annotate DIR`: write each photo with its reading drawn over it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vision.errors import InputError

if TYPE_CHECKING:
    import numpy as np


def annotated(folder: str | None, photos: Sequence[str], keep: Sequence[Path] = ()) -> Annotated | None:
    """As `Annotated`; None where nobody asked for it."""
    return Annotated(folder, photos, keep) if folder else None


class Annotated:
    """The folder of the drawn photos; it is made where it is not there.

    A drawn photo is called as its photo, `.jpg`; of several by one name the later ones get `_` behind it.

    Args:
        folder: DIR as given.
        photos: the photos' paths as given, in order.
        keep: other files that are read.

    Raises OSError where the folder cannot be made, InputError where a photo or one of the others would be written over.
    """

    def __init__(self, folder: str, photos: Sequence[str], keep: Sequence[Path] = ()) -> None:
        self._files: list[Path] = []
        Path(folder).mkdir(parents=True, exist_ok=True)
        taken: set[Path] = set()
        for photo in photos:
            name = Path(photo).stem
            while (file := Path(folder, f"{name}.jpg")) in taken:
                name += "_"
            taken.add(file)
            self._files.append(file)
        given = {_same(Path(path)) for path in (*map(Path, photos), *keep)} - {None}
        for file in self._files:
            if _same(file) in given:
                raise InputError("argument.annotate", file=file)

    def file(self, number: int) -> Path:
        """Where the drawn photo of this number (from 0) goes."""
        return self._files[number]

    def write(self, number: int, picture: np.ndarray) -> None:
        """The drawn photo, (H, W, 3) BGR, of the photo of this number (from 0). Raises OSError."""
        import cv2  # noqa: PLC0415

        self._files[number].write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())


def _same(path: Path) -> tuple[int, int] | None:
    """Which file this is, whatever its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
