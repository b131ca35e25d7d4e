"""Results made from other things, and results made smaller."""

from __future__ import annotations

from toolresult._clip import clip
from toolresult._lift import lift_data_urls

__all__ = ["clip", "lift_data_urls"]
