"""The exact types of tools and conversions. Only type-checked, never run."""

# pyright: strict

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, assert_type

from toolresult import Answer, ToolResult, tool_result
from toolresult.convert import clip, from_exception, lift_data_urls, of

T = TypeVar("T")


@tool_result
def plain(x: int, *, y: str = "") -> list[int]:
    return [x, len(y)]


@tool_result(max_chars=100, expose=[ValueError])
def with_options(x: int, answer: Answer | None = None) -> object:
    return x, answer


@tool_result
async def later(x: int) -> str:
    return str(x)


@tool_result(sees_declines=True)
async def later_with_options(x: int) -> dict[str, int]:
    return {"x": x}


@tool_result
def generic(x: T) -> list[T]:
    return [x]


class Store:
    @tool_result
    def method(self, n: int) -> str:
        return "x" * n

    @classmethod
    @tool_result
    def of_class(cls) -> str:
        return cls.__name__

    @staticmethod
    @tool_result
    def static(x: int) -> int:
        return x


async def calls(store: Store) -> None:
    assert_type(plain(1, y="a"), ToolResult)
    assert_type(with_options(1, answer=None), ToolResult)
    assert_type(await later(1), ToolResult)
    assert_type(await later_with_options(x=1), ToolResult)
    assert_type(generic("a"), ToolResult)
    assert_type(store.method(1), ToolResult)
    assert_type(Store.of_class(), ToolResult)
    assert_type(Store.static(1), ToolResult)
    waits: Callable[[int], Coroutine[Any, Any, ToolResult]] = later
    assert_type(await waits(1), ToolResult)
    fits: Callable[[int], ToolResult] = plain
    assert_type(fits(1), ToolResult)


def conversions(obj: object, result: ToolResult) -> None:
    assert_type(ToolResult.of(obj), ToolResult)
    assert_type(of(obj, indent=2, non_finite="text", default=str, expose=[KeyError]), ToolResult)
    assert_type(from_exception(ValueError()), ToolResult)
    assert_type(clip(result, 10), ToolResult)
    assert_type(clip(result, max_bytes=10), ToolResult)
    assert_type(lift_data_urls(result), ToolResult)
