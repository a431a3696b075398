"""Settings of all tests.

No numpy here: `vision` comes first, which keeps its arithmetic on one thread.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule

from run import CHROMIUM_NAMES, CHROMIUM_VARIABLE, NO_CHROMIUM
from vision.network import Network

if TYPE_CHECKING:
    import numpy as np

# Each core has two processes that test: threads of OpenCV that wait for one another cost a fifth of the work there, and
# where all cores are busy most of the time. Programs that tests start have it from here.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

# No test is timed: others run beside it on the same cores.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def compile_addresses_once() -> None:
    """Each of a thousand tests makes an app of its own, and Werkzeug would compile its 120 addresses anew: 60 ms."""
    compiled, kept = Rule._compile_builder, {}

    def once(rule, append_unknown=True):
        key = rule.rule, rule.subdomain, rule.host, repr(rule.defaults), append_unknown
        if key not in kept:
            kept[key] = compiled(rule, append_unknown)
        return kept[key]

    Rule._compile_builder = once


compile_addresses_once()


class CompiledTemplates(BytecodeCache):
    """Templates that were compiled for the app of another test."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}


def name_a_chromium() -> None:
    """Plain pytest finds the Chromium that run.py finds, for tests that start programs of their own too."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found:
        os.environ.setdefault(CHROMIUM_VARIABLE, found)


name_a_chromium()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Where it was said that no browser can be had, what drives one is skipped."""
    drives = "browser" in item.path.parts or item.get_closest_marker("browser")
    if drives and os.environ.get(CHROMIUM_VARIABLE) == NO_CHROMIUM:
        pytest.skip("no Chromium could be had")


MOST_SECONDS = 300.0
"""Seconds after which a test of CI that waits for what never comes fails."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """No test keeps the whole run of CI: one that hangs fails where it waits, and the next one begins.

    Elsewhere nothing is timed: whatever else the computer does may be slow.
    """
    if not os.environ.get("CI") or not hasattr(signal, "setitimer"):
        return (yield)

    def over(_: int, __: FrameType | None) -> None:
        raise AssertionError(f"expected an end of {item.nodeid}, got none in {MOST_SECONDS:.0f} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def as_another_processor() -> None:
    """Networks see inputs off by a ten thousandth, so that 8-bit values round as on another processor.

    `COMPANION_TEST_PROCESSOR=other python3 run.py test tests/vision` shows whether a test hangs on such a step; `plain`
    instead of `other`, whether it does on instructions for 8-bit values.
    """
    import numpy as np  # noqa: PLC0415 - see above

    infer = Network.__call__

    def off(self: Network, *blobs: np.ndarray) -> np.ndarray:
        noise = np.random.default_rng(0)
        return infer(self, *(blob * noise.normal(1, 1e-4, blob.shape).astype(np.float32) for blob in blobs))

    Network.__call__ = off


def as_a_processor_without_8_bit_instructions() -> None:
    """ONNX Runtime's own switch: 8-bit networks are computed in floats, so that VNNI has no part in it."""
    import onnxruntime  # noqa: PLC0415 - large

    made = onnxruntime.InferenceSession

    def plain(path: object, options: onnxruntime.SessionOptions, **how: object) -> onnxruntime.InferenceSession:
        options.add_session_config_entry("session.disable_quant_qdq", "1")
        return made(path, options, **how)

    onnxruntime.InferenceSession = plain


PROCESSORS = {"other": as_another_processor, "plain": as_a_processor_without_8_bit_instructions}
PROCESSORS.get(os.environ.get("COMPANION_TEST_PROCESSOR", ""), lambda: None)()


LONGEST = ("test_browser_ruin.py", "test_browser_live.py", "test_open_set.py", "test_browser_unsent.py")
"""Files that take minutes, the longest first. A file stays with one process: begun early, none is the last alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


_uncollected: list[str] = []
"""Files that could not be read as tests. Where processes test side by side, pytest ends as where a test failed; and
those that failed are run again alone: these are not among them."""


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _uncollected.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _uncollected:
        session.exitstatus = pytest.ExitCode.INTERRUPTED


def pytest_collection_finish() -> None:
    """What was imported and collected stays: to walk through it takes a tenth of a second each time a table stops."""
    gc.freeze()
