"""By what every value leaves the process: the methods of the wire form, and the hooks that pydantic asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, cast


class Portable:
    """The base of the four types. It has no fields."""

    __slots__ = ()

    def to_wire(self, *, default: Callable[[Any], object] | None = None, payload: bool = True) -> dict[str, Any]:
        """Write this as plain dicts and lists; see `toolresult.wire.to_wire`.

        Raises:
            EncodeError: something that JSON cannot hold; `path` says where.
        """
        import toolresult.wire

        return toolresult.wire.to_wire(cast("Any", self), default=default, payload=payload)

    def to_json(
        self,
        *,
        default: Callable[[Any], object] | None = None,
        indent: int | str | None = None,
        payload: bool = True,
    ) -> str:
        """Write this as JSON text; see `toolresult.wire.to_json`.

        Raises:
            EncodeError: something that JSON cannot hold; `path` says where.
        """
        import toolresult.wire

        return toolresult.wire.to_json(cast("Any", self), default=default, indent=indent, payload=payload)

    @classmethod
    def from_wire(cls, obj: object, *, max_depth: int = 100, max_digits: int = 4300) -> Self:
        """Read what `to_wire` wrote; see `toolresult.wire.from_wire`.

        Raises:
            DecodeError: malformed input; `path` says where.
        """
        import toolresult.wire

        return cast(
            "Self", toolresult.wire.from_wire(cast("Any", cls), obj, max_depth=max_depth, max_digits=max_digits)
        )

    @classmethod
    def from_json(
        cls, text: str | bytes, *, max_depth: int = 100, max_digits: int = 4300, max_bytes: int | None = None
    ) -> Self:
        """Read what `to_json` wrote; see `toolresult.wire.from_json`.

        Raises:
            DecodeError: malformed input; `path` says where.
        """
        import toolresult.wire

        return cast(
            "Self",
            toolresult.wire.from_json(
                cast("Any", cls), text, max_depth=max_depth, max_digits=max_digits, max_bytes=max_bytes
            ),
        )

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: Any) -> Any:
        """Tell pydantic how a value is read and written where a type says no more than its name."""
        from toolresult._pydantic import core_schema

        return core_schema(cls, handler)

    @property
    def __pydantic_serializer__(self) -> Any:
        """Tell pydantic how a value is written where its type is not declared."""
        from toolresult._pydantic import serializer

        return serializer(cast("Any", type(self)))
