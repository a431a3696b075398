"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# No test is timed: others run beside it on the same cores.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
