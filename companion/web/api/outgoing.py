"""Tell other programs of the points: a webhook (POST of JSON), or a topic of an MQTT broker."""

import json
import logging
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

from common.messages import shown
from companion.camera_address import PORTS, OutgoingError, may_be_told, without_password
from companion.sources.http_client import FAILURES, ask
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
    try:
        from paho.mqtt.client import Client  # noqa: PLC0415 - an extra of its own
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415
    except ImportError:
        raise OutgoingError("serve.no-mqtt", got=without_password(address)) from None
    parts = urlsplit(address)
    client = Client(CallbackAPIVersion.VERSION2)
    if parts.username is not None:
        client.username_pw_set(unquote(parts.username), unquote(parts.password or ""))
    if parts.scheme == "mqtts":
        client.tls_set()
    client.connect_async(parts.hostname or "", parts.port or PORTS[parts.scheme])
    client.loop_start()
    topic = parts.path.strip("/") or "table-companion"

    def publish(data: bytes) -> None:
        client.publish(topic, data, qos=1, retain=True)

    return publish


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
