"""Inference with a trained network on ONNX Runtime: weights are loaded once, one thread a call, one store of memory."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import onnxruntime

WEIGHTS = Path(__file__).parent / "weights"


class Network:
    """An ONNX file, loaded at its first inference. The largest are quantized to 8 bits (`training/quantize.py`)."""

    def __init__(self, name: str) -> None:
        """A network that is not loaded yet; `name` is the file's in `weights`, without its suffix."""
        self.path = WEIGHTS / f"{name}.onnx"
        self._session: onnxruntime.InferenceSession | None = None
        self._inputs: list[str] = []
        self._lock = Lock()

    def __call__(self, *blobs: np.ndarray) -> np.ndarray:
        """Run inference on the inputs, float32 in the file's order, and return the first output. Thread-safe."""
        with self._lock:
            if self._session is None:
                self._session = _session(self.path)
                self._inputs = [one.name for one in self._session.get_inputs()]
        output: np.ndarray = self._session.run(None, dict(zip(self._inputs, blobs, strict=True)))[0]
        return output


def softmax(logits: np.ndarray) -> np.ndarray:
    """Logits of exclusive classes, (…, k), as probabilities that sum to 1."""
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def sigmoid(logits: np.ndarray) -> np.ndarray:
    """Log odds as probabilities, each by itself."""
    return np.asarray(1 / (1 + np.exp(-logits)))


def _session(path: Path) -> onnxruntime.InferenceSession:
    import onnxruntime  # noqa: PLC0415 - large, and much of the program reads no picture

    options = onnxruntime.SessionOptions()
    # Only the caller's thread: no spinning worker takes a core from the other stages.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # What one network has done with serves the next; shapes differ from photo to photo, and each would keep a plan.
    _share_memory()
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.enable_mem_pattern = False
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


@cache
def _share_memory() -> None:
    """One store for all networks, which grows by what is asked for: each by itself would keep its own, doubled."""
    import onnxruntime as ort  # noqa: PLC0415

    where = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
    grows = ort.OrtArenaCfg({"arena_extend_strategy": 1})
    ort.create_and_register_allocator(where, grows)
