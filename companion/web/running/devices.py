"""The devices that were let in: what each may do, until the host shuts it out or it was long enough."""

import json
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from companion.cases.store import new_id, write

DAYS = 30
"""For so long a device stays in."""
MOST = 60
"""Devices known at a time, at most: the oldest is shut out for another."""

log = logging.getLogger("companion")


class Role(IntEnum):
    """What a device may do; each may do what those below it may.

    Guests look on. Players enter, correct, photograph. The host names cameras and addresses, starts, stops, deletes,
    lets in and shuts out.
    """

    GUEST = 1
    PLAYER = 2
    HOST = 3


@dataclass(frozen=True)
class Device:
    """A device that was let in."""

    id: str  # what its cookie names
    role: str  # the name of its `Role`, small
    name: str  # what kind of device it says it is
    since: float  # when it was let in, seconds since 1970

    @property
    def may(self) -> Role:
        return Role[self.role.upper()]


class Devices:
    """The devices in a file. Thread-safe. `clock` is in seconds since 1970."""

    def __init__(self, file: Path, clock: Callable[[], float] = time.time) -> None:
        self._file, self._clock = file, clock
        self._lock = threading.Lock()
        self._known = {device.id: device for device in _read(file)}

    def add(self, role: Role, name: str) -> Device:
        """Let a device in; it is on disk when this returns."""
        device = Device(new_id(), role.name.lower(), name, self._clock())
        with self._lock:
            self._keep([*self._known.values(), device][-MOST:])
        return device

    def get(self, device: object) -> Device | None:
        """A device by its id. A clock that was set back shuts nobody out."""
        found = self._known.get(device) if isinstance(device, str) else None
        return found if found is not None and self._clock() - found.since < DAYS * 86400 else None

    def all(self) -> list[Device]:
        """Those that are in, the newest first."""
        return [device for device in reversed(self._known.values()) if self.get(device.id)]

    def forget(self, device: str) -> None:
        """Shut a device out."""
        with self._lock:
            self._keep([one for one in self._known.values() if one.id != device])

    def forget_all_but(self, device: str | None) -> None:
        """Shut all the others out."""
        with self._lock:
            self._keep([one for one in self._known.values() if one.id == device])

    def _keep(self, devices: list[Device]) -> None:
        write(self._file, json.dumps([asdict(device) for device in devices]).encode())
        self._known = {device.id: device for device in devices}


def _read(file: Path) -> list[Device]:
    try:
        devices = [_device(one) for one in json.loads(file.read_bytes())]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError, RecursionError):
        log.exception("%s cannot be read: every device has to be let in anew", file)
        return []
    return devices


def _device(data: dict[str, Any]) -> Device:
    device = Device(str(data["id"]), str(data["role"]), str(data["name"]), float(data["since"]))
    _ = device.may
    return device
