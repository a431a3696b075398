"""The address of a camera, or of what is told of the points: whether it is one, and how it may be shown and kept."""

from urllib.parse import urlsplit, urlunsplit


def without_password(address: str) -> str:
    """The address as it may be shown and kept: what stands before the @ and after the ? may be a password."""
    parts = urlsplit(address)
    query = "…" if parts.query else ""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=query))


def names_a_host(address: str) -> bool:
    """Whether an address names a host, and a port that there is; one with a space in it asks for nothing."""
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and parts.port != 0 and not any(map(str.isspace, address))
    except ValueError:
        return False
