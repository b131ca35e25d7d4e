"""Results made from other things, and results made smaller."""

from __future__ import annotations

from toolresult._clip import clip

__all__ = ["clip"]
