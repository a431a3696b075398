"""A trained network on ONNX Runtime: its weights read once, one thread each."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import onnxruntime

WEIGHTS = Path(__file__).parent / "weights"


class Network:
    """An ONNX file, read when it is first asked. `training/quantize.py` made the largest small whole numbers."""

    def __init__(self, name: str) -> None:
        """A network that is not read yet; `name` is the file's in `weights`, without its ending."""
        self.path = WEIGHTS / f"{name}.onnx"
        self._session: onnxruntime.InferenceSession | None = None
        self._inputs: list[str] = []
        self._lock = Lock()

    def __call__(self, *blobs: np.ndarray) -> np.ndarray:
        """The network's answer to its inputs, float32 in the file's order. Any threads may call at the same time."""
        with self._lock:
            if self._session is None:
                self._session = _session(self.path)
                self._inputs = [one.name for one in self._session.get_inputs()]
        answer: np.ndarray = self._session.run(None, dict(zip(self._inputs, blobs, strict=True)))[0]
        return answer


def shares(odds: np.ndarray) -> np.ndarray:
    """Log odds of kinds that exclude each other, (…, k), as probabilities: they add up to 1."""
    e = np.exp(odds - odds.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def chances(odds: np.ndarray) -> np.ndarray:
    """Log odds, each by itself, as probabilities."""
    return np.asarray(1 / (1 + np.exp(-odds)))


def _session(path: Path) -> onnxruntime.InferenceSession:
    import onnxruntime  # noqa: PLC0415 - large, and much of the program reads no picture

    options = onnxruntime.SessionOptions()
    # The caller's thread alone: none waits busily, and what runs beside keeps its core.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
