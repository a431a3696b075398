"""Which photos a command line means: files, folders, patterns."""

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.sources.files import PHOTOS


def is_folder_or_pattern(given: str) -> bool:
    """Whether an argument stands for several photos; a file may be called like a pattern."""
    return Path(given).is_dir() or (glob.has_magic(given) and not Path(given).exists())


def photos_of(given: Sequence[str], aside: Sequence[Path] = ()) -> list[str]:
    """The photos' paths, each once: of folders and patterns all files that are called like photos, sorted.

    Args:
        given: files, folders (what lies directly in them), patterns (`**`: folders at any depth).
        aside: files, and folders with all that is in them, that folders and patterns do not mean.

    A folder or pattern without photos stays as it is: reading it says what is wrong. Raises OSError.
    """
    left_out = [path.resolve() for path in aside]
    found: dict[str, None] = {}
    for one in given:
        if not is_folder_or_pattern(one):
            found[one] = None
            continue
        several = sorted(str(path) for path in _matching(one) if not any(map(path.resolve().is_relative_to, left_out)))
        found |= dict.fromkeys(several or [one])
    return list(found)


def _matching(given: str) -> Iterator[Path]:
    paths = Path(given).iterdir() if Path(given).is_dir() else map(Path, glob.iglob(given, recursive=True))
    return (path for path in paths if path.suffix.lower() in PHOTOS and path.is_file())
