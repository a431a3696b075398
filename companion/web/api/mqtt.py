"""Publish a message to an MQTT broker, with an end in time and the address rules of everything that is asked."""

import math
import secrets
import ssl
import time
from dataclasses import dataclass
from typing import Any, Final

from paho.mqtt.client import Client, MQTTv311, error_string
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from companion.sources.http_client import not_inside

AT_LEAST_ONCE: Final = 1


class BrokerError(OSError):
    """The broker refused, or said something that is no MQTT."""


@dataclass(frozen=True)
class Broker:
    """Where a broker is, and as whom it is told."""

    host: str
    port: int
    secure: bool = False
    name: str | None = None
    password: str | None = None

    def publish(self, topic: str, data: bytes, patience: float) -> None:
        """Publish, kept for who comes later. Raises OSError: no line, refused, or not taken in `patience` seconds."""
        until = time.monotonic() + patience
        client = self._client(patience)
        taken: list[int] = []
        client.on_publish = lambda *_: taken.append(1)

        def greeted(_client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
            if reason.is_failure:
                raise BrokerError(f"refused: {reason}")
            client.publish(topic, data, AT_LEAST_ONCE, retain=True)

        client.on_connect = greeted
        try:
            _well(client.connect(self.host, self.port, keepalive=math.ceil(patience)))
            while not taken:
                left = until - time.monotonic()
                if left <= 0:
                    raise TimeoutError("timed out")
                _well(client.loop(left))
        finally:
            client.disconnect()

    def _client(self, patience: float) -> Client:
        name = f"companion-{secrets.token_hex(6)}"
        client = Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTv311, reconnect_on_failure=False)
        client.connect_timeout = patience
        client.on_socket_open = self._opened
        if self.secure:
            client.tls_set_context(ssl.create_default_context())
        if self.name is not None:
            client.username_pw_set(self.name, self.password or "")
        return client

    def _opened(self, _client: Client, _data: Any, line: Any) -> None:
        """Before anything is sent."""
        not_inside(line, self.host)


def _well(code: MQTTErrorCode) -> None:
    if code:
        raise BrokerError(f"no MQTT: {error_string(code)}")
