"""The hook that Hypothesis calls when it is imported, so that `st.from_type` knows our types.

It stands alone because every user of Hypothesis runs it: it must do little, and it must not fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def register() -> None:
    """Register a strategy for each value type; the strategies themselves are imported when first used."""
    try:
        from hypothesis.strategies import register_type_strategy

        from toolresult._content import ContentPart
        from toolresult._result import ToolResult
        from toolresult._suspension import Answer, Request

        register_type_strategy(ToolResult, _on_first_use("tool_results"))
        register_type_strategy(ContentPart, _on_first_use("content_parts"))
        register_type_strategy(Request, _on_first_use("requests"))
        register_type_strategy(Answer, _on_first_use("answers"))
    except Exception:  # noqa: BLE001, S110 - an error here would break `import hypothesis` for everybody
        pass


def _on_first_use(name: str) -> Callable[[Any], Any]:
    def make(_: Any) -> Any:
        from toolresult import strategies

        return getattr(strategies, name)()

    return make
