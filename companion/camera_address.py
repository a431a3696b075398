"""The address of a camera, or of what is told of the points: whether it is one, and how it may be shown and kept."""

from urllib.parse import urlsplit, urlunsplit

from common.messages import InputError


def without_password(address: str) -> str:
    """The address as it may be shown and kept: what stands before the @ and after the ? may be a password."""
    parts = urlsplit(address)
    query = "…" if parts.query else ""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=query))


PORTS = {"mqtt": 1883, "mqtts": 8883}
"""Of brokers, where an address names none."""


class OutgoingError(InputError):
    """An address that nothing can be told to."""


def may_be_told(address: str) -> None:
    """Raises OutgoingError for an address that is neither a webhook's (http, https) nor a topic's (mqtt, mqtts)."""
    if not names_a_host(address) or address.partition(":")[0].lower() not in ("http", "https", *PORTS):
        raise OutgoingError("serve.outgoing", got=address)


def names_a_host(address: str) -> bool:
    """Whether an address names a host, and a port that there is; one with a space in it asks for nothing."""
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and parts.port != 0 and not any(map(str.isspace, address))
    except ValueError:
        return False
