"""Return freed memory to the system: pictures are large, and many threads allocate them.

The GNU C library keeps for each thread a heap of its own, and in it what was freed; a companion that has followed
three tables would hold a gigabyte. Elsewhere nothing of this is needed, and nothing is done.
"""

import ctypes
import gc
import sys
from functools import cache

HEAPS = 4
"""Heaps that all threads of a companion share."""
ARENA_MAX = -8
"""The parameter's number: `M_ARENA_MAX` in malloc.h, see mallopt(3)."""


def share_heaps(heaps: int = HEAPS) -> None:
    """Let threads share few heaps from now on. To be called before they are started."""
    libc = _libc()
    if libc is not None:
        libc.mallopt(ARENA_MAX, heaps)


def give_back() -> None:
    """Give back what is free. Takes some tens of milliseconds."""
    gc.collect()
    libc = _libc()
    if libc is not None:
        libc.malloc_trim(0)


@cache
def _libc() -> ctypes.CDLL | None:
    """The C library, where it is one that can do this."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        libc = ctypes.CDLL(None)
    except OSError:
        return None
    return libc if hasattr(libc, "malloc_trim") and hasattr(libc, "mallopt") else None
