"""A table state in an address: its JSON, deflated without header (RFC 1951), in base64url without padding.

The page's module `address.js` writes the same. Reading refuses what would unpack to more than `MOST` bytes.
"""

import binascii
import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from typing import Any, Final

from common.messages import InputError
from companion.cases.state_text import parse
from companion.games import GAMES
from companion.games.shape import fit
from companion.words.text import shown
from scoring.fields import an_object, one_of, required

MOST: Final = 64 * 1024
"""Bytes of a state's JSON at most; the largest real case has a tenth of it."""
CODE: Final = re.compile(r"[A-Za-z0-9_-]+")
RAW: Final = -15


class AddressError(InputError):
    """An address that holds no state."""


def pack(state: Any) -> str:
    """The state as part of an address."""
    packer = zlib.compressobj(9, zlib.DEFLATED, RAW)
    # Half of a character, which a state can hold, is written as an escape again.
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    return urlsafe_b64encode(packer.compress(text) + packer.flush()).decode().rstrip("=")


def unpack(code: str) -> bytes:
    """The text of a state. Raises AddressError."""
    unpacker = zlib.decompressobj(RAW)
    with suppress(zlib.error, binascii.Error):
        if CODE.fullmatch(code):
            text = unpacker.decompress(urlsafe_b64decode(code + "=" * (-len(code) % 4)), MOST)
            if unpacker.eof and not unpacker.unused_data:
                return text
    raise AddressError("dispute.problem.address", got=shown(code))


def read(text: bytes) -> dict[str, Any]:
    """A state that can be laid out on the page, whether or not it scores yet. Raises StateError."""
    state = an_object(parse(text), "")
    game = one_of(required(state, "game", ""), GAMES, "/game")
    fit(state, GAMES[game].shape)
    return dict(state)
