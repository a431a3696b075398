"""Have a file for one program alone."""

import os

FAR = 1 << 30
"""Where the locked byte lies on Windows, which lets nobody read it: behind all that files hold."""


def lock(file: int) -> bool:
    """Whether an open file (its descriptor) is this program's alone now, until it is closed."""
    try:
        if os.name == "nt":
            import msvcrt  # noqa: PLC0415 - each system has its own

            at = os.lseek(file, 0, os.SEEK_CUR)
            os.lseek(file, FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            os.lseek(file, at, os.SEEK_SET)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
