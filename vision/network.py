"""A trained network on OpenCV's own engines: its weights read once, one caller at a time."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

import cv2
import numpy as np

WEIGHTS = Path(__file__).parent / "weights"


class Network:
    """An ONNX file, read when it is first asked.

    OpenCV 5 has two engines; which is quicker differs from network to network, and the answers are the same.
    """

    def __init__(self, name: str, inputs: tuple[str, ...] = ("",), classic: bool = False) -> None:
        """A network that is not read yet.

        Args:
            name: the file's name in `weights`, without its ending.
            inputs: what its inputs are called, where it has several.
            classic: read it with OpenCV's older engine.
        """
        self.inputs = inputs
        self.path = WEIGHTS / f"{name}.onnx"
        self._engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None) if classic else None
        self._net: cv2.dnn.Net | None = None
        self._lock = Lock()

    def __call__(self, *blobs: np.ndarray) -> np.ndarray:
        """The network's answer to its inputs, all float32. May be called from any thread."""
        with self._lock:
            if self._net is None:
                engine = [] if self._engine is None else [self._engine]
                self._net = cv2.dnn.readNetFromONNX(str(self.path), *engine)
            for blob, called in zip(blobs, self.inputs, strict=True):
                self._net.setInput(blob, called)
            return self._net.forward().copy()
