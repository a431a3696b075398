"""Values that are computed once and handed to everybody who asks for them."""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """The values used last, `most` of them, by key. Thread-safe: who asks while another computes waits for that."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._values: dict[Key, Future[Value]] = {}

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key, made where nobody has asked for it lately. What `make` raises is raised, and not kept."""
        with self._lock:
            found = self._values.pop(key, None)
            value: Future[Value] = Future() if found is None else found
            self._values[key] = value
            if len(self._values) > self._most:
                del self._values[next(iter(self._values))]
        if found is None:
            try:
                value.set_result(make())
            except BaseException as error:
                with self._lock:
                    self._values.pop(key, None)
                value.set_exception(error)
        return value.result()
