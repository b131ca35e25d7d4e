"""The wire form as typed dicts, for programs that read or write it without our classes."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict


class WirePart(TypedDict):
    """A part: `text` of a text part; exactly one of `data`, `url` and `fileId` of any other."""

    type: Literal["text", "image", "audio", "video", "file"]
    text: NotRequired[str]
    mimeType: NotRequired[str]
    data: NotRequired[str]
    """Base64: the standard alphabet, padded, on one line."""
    url: NotRequired[str]
    fileId: NotRequired[str]
    name: NotRequired[str]
    metadata: NotRequired[dict[str, Any]]


class WireResult(TypedDict):
    """A result. `metadata["pending"]`, if there is one, is a `WireRequest`."""

    output: str
    isError: bool
    parts: NotRequired[list[WirePart | dict[str, Any]]]
    """A block of an unknown type is any object."""
    metadata: NotRequired[dict[str, Any]]


class WireRequest(TypedDict):
    """A request."""

    id: str
    kind: str
    prompt: str
    url: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    expiresAt: NotRequired[str]
    """RFC 3339 in UTC, for example `2026-01-02T03:04:05Z`."""


class WireAnswer(TypedDict):
    """An answer; `reason` only beside `ok` false."""

    id: str
    ok: bool
    data: NotRequired[Any]
    reason: NotRequired[Literal["declined", "cancelled", "expired"]]
