"""What several test modules stand on: Hypothesis profiles, a folder of their own, and a user with fewer rights.

The profile `default` repeats the same examples in every run; `long` and `exhaustive` explore, by hand.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

import pytest
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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Go to an empty folder whose name no error may show; relative paths are short enough for sockets."""
    folder = tmp_path / "private"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def as_nobody():
    """Return a context in which the rights of the superuser, who may read and write everything, are dropped."""

    @contextmanager
    def dropped():
        was_root = os.geteuid() == 0
        if was_root:
            os.seteuid(65534)
        try:
            yield
        finally:
            if was_root:
                os.seteuid(0)

    return dropped
