"""Tell other programs of the points: a webhook (POST of JSON), or a topic of an MQTT broker."""

import json
import logging
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

from common.messages import shown
from companion.camera_address import PORTS, may_be_told, without_password
from companion.sources.http_client import FAILURES, ask
from companion.web.api.mqtt import Broker
from companion.web.api.scores import scores
from companion.web.running.live_tables import LiveTables

PATIENCE = 10.0
"""Seconds that a webhook has for its answer, from the first to the last byte of its head."""
TRIES = 3

log = logging.getLogger("companion")
Send = Callable[[bytes], None]


def tell(tables: LiveTables, address: str) -> None:
    """Tell an address of every change from now on, in a thread. Raises OutgoingError."""
    threading.Thread(target=_run, args=(tables, sender(address), address), name="outgoing", daemon=True).start()


def sender(address: str) -> Send:
    """What sends to an address: http, https, mqtt, mqtts. Raises OutgoingError."""
    may_be_told(address)
    return _mqtt(address) if address.partition(":")[0].lower() in PORTS else lambda data: _post(address, data)


def _post(address: str, data: bytes) -> None:
    ask(address, PATIENCE, data, {"Content-Type": "application/json"}).close()


def _mqtt(address: str) -> Send:
    """Publishes to the topic that the address' path names, kept for who comes later."""
    parts = urlsplit(address)
    name, password = (part and unquote(part) for part in (parts.username, parts.password))
    port = parts.port or PORTS[parts.scheme]
    broker = Broker(parts.hostname or "", port, parts.scheme == "mqtts", name, password)
    topic = parts.path.strip("/") or "table-companion"
    return lambda data: broker.publish(topic, data, PATIENCE)


def one_line(error: Exception) -> str:
    """What went wrong, for the log: what another computer sent may have lines and more."""
    return shown(f"{type(error).__name__}: {error}")


def _run(tables: LiveTables, send: Send, address: str) -> None:
    for event in scores(tables, PATIENCE, lambda: True):
        if event is not None:
            _send(send, event, without_password(address))


def _send(send: Send, event: dict[str, Any], to: str) -> None:
    for left in reversed(range(TRIES)):
        try:
            send(json.dumps(event, ensure_ascii=False).encode())
        except FAILURES as error:
            if not left:
                log.warning("%s was not told of the points: %s", to, one_line(error))
        else:
            return
