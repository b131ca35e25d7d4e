"""Hypothesis profiles: `default` repeats the same examples in every run; `long` and `exhaustive` explore, by hand."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No deadline and no complaint about slow data: how fast the machine is says nothing about a law.
settings.register_profile(
    "default",
    max_examples=100,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long",
    max_examples=1000,
    deadline=None,
    database=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("exhaustive", settings.get_profile("long"), max_examples=100_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
