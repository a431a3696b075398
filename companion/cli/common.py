"""What commands share: exit statuses, complaints, the language of who sits there."""

from __future__ import annotations

import os
import sys

from companion.words.catalog import LANGUAGES
from companion.words.text import one_line

BAD_INPUT, UNREAD = 2, 1
"""Exit statuses: something that was given makes no sense; a photo or film could not be read."""


def complain(text: str, status: int) -> int:
    """One line on standard error; returns the exit status."""
    print(f"companion: {one_line(text)}", file=sys.stderr, flush=True)
    return status


def own_language() -> str:
    """The language of the person's environment, if it is one of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if wanted := os.environ.get(name, "")[:2]:
            return wanted if wanted in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]
