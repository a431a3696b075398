"""Settings of all tests."""

import gc
import os

from hypothesis import HealthCheck, settings
from werkzeug.routing import Rule

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


def as_another_processor() -> None:
    """Networks of 8 bits compute in floating point: answers differ by a rounding step, as between processors.

    `COMPANION_TEST_NETWORKS=float python3 run.py test tests/vision` shows whether a test hangs on such a step.
    """
    import onnxruntime  # noqa: PLC0415 - only here

    session = onnxruntime.InferenceSession

    def in_float(path, options=None, **more):
        options.add_session_config_entry("session.disable_quant_qdq", "1")
        return session(path, options, **more)

    onnxruntime.InferenceSession = in_float


if os.environ.get("COMPANION_TEST_NETWORKS") == "float":
    as_another_processor()


def pytest_collection_finish() -> None:
    """What was imported and collected stays: to walk through it takes a tenth of a second each time a table stops."""
    gc.freeze()
