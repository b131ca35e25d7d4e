"""Typed access with paths to what MCP sends: mappings in either spelling, and objects by their attributes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from toolresult import _json
from toolresult._frozen import type_name
from toolresult.errors import ContentPartError, ConversionError, DecodeError

T = TypeVar("T")

_UPPER = re.compile(r"(?=[A-Z])")
_NO_NODES = (str, bytes, bytearray, int, float, list, tuple, set, frozenset, type, type(None))


class Node:
    """A mapping with the keys of the protocol, in camel case or in snake case, or an object with such attributes.

    A member that is null is absent.
    """

    def __init__(self, source: Any, path: str) -> None:
        given = type_name(source)
        if issubclass(type(source), _NO_NODES):  # which an object cannot lie about
            raise DecodeError(path or "obj", f"must be a mapping or an object of the mcp package, got {given}")
        self.source: Any = source
        self.path = path
        self._is_mapping = issubclass(type(source), Mapping)

    def at(self, key: str) -> str:
        """Name the place of a member."""
        return f"{self.path}.{key}" if self.path else key

    def get(self, key: str) -> Any:
        """Read a member in either spelling; `None` if it is absent.

        Raises:
            DecodeError: it is there in both, and they differ.
        """
        other = "meta" if key == "_meta" else _UPPER.sub("_", key).lower()
        # Objects of mcp 2 have attributes in snake case, and those of mcp 1 in camel case.
        found = self._read(other, key)
        if other == key or (found is not None and not self._is_mapping):
            return found
        usual = self._read(key, key) if self._is_mapping or not self._has(other) else None
        if found is not None and usual is not None:
            raise DecodeError(self.at(key), f"is there as {other} too; leave one out")
        return found if usual is None else usual

    def _has(self, name: str) -> bool:
        kind = cast("Any", type(self.source))
        return hasattr(kind, name) or name in getattr(self.source, "__dict__", ())

    def _read(self, name: str, key: str) -> Any:
        try:
            return self.source.get(name) if self._is_mapping else getattr(self.source, name, None)
        except Exception as error:  # noqa: BLE001 - its own methods may raise anything
            problem = f"cannot be read: {type_name(error)}"
        raise DecodeError(self.at(key), problem)

    def word(self, key: str) -> str | None:
        """Read a word that says what something is; anything else than text is none that is known."""
        value = self.get(key)
        return str.__str__(value) if isinstance(value, str) else None

    def optional_text(self, key: str) -> str | None:
        """Read a text that may be absent.

        Raises:
            DecodeError: it is something else.
        """
        value = self.get(key)
        if value is None:
            return None
        if str(type(value).__module__).partition(".")[0] == "pydantic" and hasattr(value, "scheme"):
            return str(value)  # a URL in objects of mcp 1
        if not isinstance(value, str):
            raise DecodeError(self.at(key), f"must be a str, got {type_name(value)}")
        return str.__str__(value)

    def text(self, key: str) -> str:
        """Read a required text.

        Raises:
            DecodeError: it is missing, or something else.
        """
        value = self.optional_text(key)
        if value is None:
            raise DecodeError(self.at(key), "is required")
        return value

    def flag(self, key: str) -> bool:
        """Read a flag; absent is false.

        Raises:
            DecodeError: it is no bool.
        """
        value = self.get(key)
        if value is not None and value is not True and value is not False:
            raise DecodeError(self.at(key), f"must be a bool, got {type_name(value)}")
        return value is True

    def number(self, key: str) -> int | float | None:
        """Read a number that may be absent.

        Raises:
            DecodeError: it is something else.
        """
        value = self.get(key)
        if value is None or type(value) in (int, float):
            return cast("int | float | None", value)
        raise DecodeError(self.at(key), f"must be a number, got {type_name(value)}")

    def items(self, key: str) -> Iterator[tuple[Any, str]]:
        """Go through a list, each item with its path.

        Raises:
            DecodeError: it is something else.
        """
        value = self.get(key)
        if not isinstance(value, (list, tuple)):
            raise DecodeError(self.at(key), f"must be a list, got {type_name(value)}")
        try:
            listed = list(cast("list[Any]", value))
        except Exception as error:  # noqa: BLE001 - its own methods may raise anything
            raise DecodeError(self.at(key), f"cannot be read: {type_name(error)}") from None
        for n, item in enumerate(listed):
            yield item, f"{self.at(key)}[{n}]"

    def texts(self, key: str) -> list[str]:
        """Read a list of texts.

        Raises:
            DecodeError: it is something else.
        """
        texts: list[str] = []
        for item, at in self.items(key):
            if not isinstance(item, str):
                raise DecodeError(at, f"must be a str, got {type_name(item)}")
            texts.append(str.__str__(item))
        return texts

    def node(self, key: str) -> Node:
        """Read a required mapping or object.

        Raises:
            DecodeError: it is missing, or something else.
        """
        value = self.get(key)
        if value is None:
            raise DecodeError(self.at(key), "is required")
        return Node(value, self.at(key))

    def json(self, key: str) -> Any:
        """Read a JSON value, in its JSON form: what is not finite is null.

        Raises:
            DecodeError: it has none.
        """
        value = self.get(key)
        return None if value is None else decoded(self.at(key), _json.plain, value)

    def mapping(self, key: str) -> dict[str, Any] | None:
        """Read a JSON object that may be absent.

        Raises:
            DecodeError: it is something else.
        """
        value = self.json(key)
        if value is None or isinstance(value, dict):
            return cast("dict[str, Any] | None", value)
        raise DecodeError(self.at(key), f"must be a mapping, got {type_name(value)}")

    def meta(self) -> dict[str, Any] | None:
        """Read the `_meta` of something.

        Raises:
            DecodeError: it is no JSON object.
        """
        return self.mapping("_meta")


def decoded(path: str, read: Callable[[object, str], T], value: object) -> T:
    """Read the JSON form of a value; what has none is named by its path.

    Raises:
        DecodeError: it has none.
    """
    try:
        return read(value, path)
    except ConversionError as error:
        raise DecodeError(error.path, error.problem) from None


def built(path: str, make: Callable[..., T], /, *values: Any, **fields: Any) -> T:
    """Call a constructor or parser of ours; its refusal becomes one that names the place.

    Raises:
        DecodeError: it refused.
    """
    try:
        return make(*values, **fields)
    except (ContentPartError, TypeError, ValueError) as error:
        raise DecodeError(path, str(error)) from None
