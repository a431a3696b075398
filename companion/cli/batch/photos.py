"""Which photos a command line means: files, folders, patterns."""

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.photo_files import PHOTOS, file_bytes
from vision.errors import PhotoError
from vision.pages import PAGED, page_count


def is_folder_or_pattern(given: str) -> bool:
    """Whether an argument stands for several photos; a file may be called like a pattern."""
    return Path(given).is_dir() or (glob.has_magic(given) and not Path(given).exists())


def photos_of(given: Sequence[str], aside: Sequence[Path] = ()) -> list[str]:
    """The photos' paths, each once: of folders and patterns all files that are called like photos, sorted. A file of
    several pages is followed by `#2`, `#3`, … of it.

    Args:
        given: files, folders (what lies directly in them), patterns (`**`: folders at any depth).
        aside: files, and folders with all that is in them, that folders and patterns do not mean.

    A folder or pattern without photos stays as it is: reading it says what is wrong. Raises OSError.
    """
    left_out = [path.resolve() for path in aside]
    found: dict[str, None] = {}
    for one in given:
        if not is_folder_or_pattern(one):
            found |= dict.fromkeys(pages_of(one))
            continue
        several = sorted(str(path) for path in _matching(one) if not any(map(path.resolve().is_relative_to, left_out)))
        found |= dict.fromkeys(page for photo in several or [one] for page in pages_of(photo))
    return list(found)


def pages_of(photo: str) -> list[str]:
    """A photo's path, and those of the further pages of its file; one that cannot be read says so when it is."""
    if Path(photo).suffix.lower() not in PAGED:
        return [photo]
    try:
        count = page_count(file_bytes(photo))
    except (OSError, PhotoError):
        count = 1
    return [photo, *(f"{photo}#{n}" for n in range(2, count + 1))]


def _matching(given: str) -> Iterator[Path]:
    paths = Path(given).iterdir() if Path(given).is_dir() else map(Path, glob.iglob(given, recursive=True))
    return (path for path in paths if path.suffix.lower() in (*PHOTOS, *PAGED) and path.is_file())
