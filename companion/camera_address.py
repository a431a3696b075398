"""The address of a camera, as it may be shown and kept."""

from urllib.parse import urlsplit, urlunsplit


def without_password(address: str) -> str:
    """The address as it may be shown and kept: what stands before the @ and after the ? may be a password."""
    parts = urlsplit(address)
    query = "…" if parts.query else ""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=query))
