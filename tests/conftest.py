"""What several test modules stand on: a folder of their own, and a user with fewer rights."""

from __future__ import annotations

import os
from contextlib import contextmanager

import pytest


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
