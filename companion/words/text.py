"""Texts that came from outside, as a message shows them: shortened, in one line."""

import json

LONGEST = 60
"""Characters of a value that a message shows."""


def shown(value: object) -> str:
    """A value of a state as it was written, shortened."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        text = "[…]" if isinstance(value, list) else "{…}"
    return shortened(text)


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, its end cut off where it is long."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def one_line(text: str) -> str:
    """The text without anything that would break the line or steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
