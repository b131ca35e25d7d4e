"""Results made from what a tool returned or raised, and results made smaller."""

from __future__ import annotations

from toolresult._clip import clip
from toolresult._decorator import tool_result
from toolresult._lift import lift_data_urls
from toolresult._raised import from_exception
from toolresult._returned import of

__all__ = ["clip", "from_exception", "lift_data_urls", "of", "tool_result"]
