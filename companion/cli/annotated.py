"""`--annotate DIR`: where each photo goes with its reading drawn over it."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from common.messages import InputError
from common.whole_file import write_whole
from companion.cli.common import which_file


def drawn_files(folder: str | None, photos: Sequence[str], keep: Sequence[Path] = ()) -> Sequence[Path | None]:
    """The file of each drawn photo; None for each where nobody asked for them. The folder is made.

    A drawn photo is called as its photo, `.jpg`; of several by one name the later ones get `_` behind it.

    Args:
        folder: DIR as given.
        photos: the photos' paths as given, in order.
        keep: other files that are read.

    Raises OSError where the folder cannot be made, InputError where a photo or one of the others would be written over.
    """
    if not folder:
        return [None] * len(photos)
    Path(folder).mkdir(parents=True, exist_ok=True)
    files: dict[Path, None] = {}
    for photo in photos:
        name = Path(photo).stem
        while (file := Path(folder, f"{name}.jpg")) in files:
            name += "_"
        files[file] = None
    given = {which_file(path) for path in (*map(Path, photos), *keep)}
    if (over := next((file for file in files if file.exists() and which_file(file) in given), None)) is not None:
        raise InputError("argument.annotate", file=over)
    return list(files)


def save_picture(file: Path, picture: np.ndarray) -> None:
    """Write a picture, (H, W, 3) BGR, of the kind that the file's name says. Raises OSError."""
    write_whole(file, cv2.imencode(file.suffix, picture)[1].tobytes())
