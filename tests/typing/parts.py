"""The exact types of `ContentPart`. Only type-checked, never run."""

# pyright: strict

from __future__ import annotations

from collections.abc import Mapping
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any, assert_type

from toolresult import ContentPart


def constructors() -> None:
    assert_type(ContentPart("text", text="text"), ContentPart)
    assert_type(ContentPart(type="image", data=b"", mime_type="image/png", name="a", metadata={"k": 1}), ContentPart)
    assert_type(ContentPart("file", data=bytearray(), mime_type="application/pdf"), ContentPart)
    assert_type(ContentPart("file", data=memoryview(b""), mime_type="application/pdf"), ContentPart)
    assert_type(ContentPart("file", url="https://example.com/a.pdf"), ContentPart)
    assert_type(ContentPart("file", file_id="file-1"), ContentPart)
    assert_type(ContentPart("hologram", raw={"type": "hologram"}), ContentPart)
    assert_type(ContentPart.from_text("text", mime_type="text/markdown", name="a", metadata={"k": 1}), ContentPart)
    assert_type(ContentPart.json({"rows": [1, None]}, name="a", metadata={"k": 1}), ContentPart)
    assert_type(ContentPart.tsv("a\tb", name="a", metadata={"k": 1}), ContentPart)
    assert_type(
        ContentPart.from_url("s3://bucket/a", type="file", mime_type=None, name="a", metadata={"k": 1}), ContentPart
    )
    assert_type(
        ContentPart.from_file_id("file-1", type="file", provider="x", mime_type=None, name="a", metadata={"k": 1}),
        ContentPart,
    )


def loaders() -> None:
    assert_type(
        ContentPart.image("a.png", mime_type="image/png", name="a", max_bytes=1, root=".", metadata={}), ContentPart
    )
    assert_type(
        ContentPart.audio("a.wav", mime_type="audio/wav", name="a", max_bytes=1, root=".", metadata={}), ContentPart
    )
    assert_type(
        ContentPart.video("a.mp4", mime_type="video/mp4", name="a", max_bytes=1, root=".", metadata={}), ContentPart
    )
    assert_type(
        ContentPart.file("a.pdf", mime_type=None, name=None, max_bytes=None, root=None, metadata=None), ContentPart
    )


def fields(part: ContentPart) -> None:
    assert_type(part.type, str)
    assert_type(part.text, str | None)
    assert_type(part.mime_type, str | None)
    assert_type(part.data, bytes | None)
    assert_type(part.url, str | None)
    assert_type(part.file_id, str | None)
    assert_type(part.name, str | None)
    assert_type(part.metadata, Mapping[str, Any] | None)
    assert_type(part.raw, Mapping[str, Any] | None)


def properties_and_methods(part: ContentPart) -> None:
    assert_type(part.size, int | None)
    assert_type(part.safe_name, str)
    assert_type(part.base64(), str)
    assert_type(part.data_url(), str)
    assert_type(part.sha256(), str)
    assert_type(part.summary(), str)


def manners(part: ContentPart) -> None:
    assert_type(str(part), str)
    assert_type(hash(part), int)
    assert_type(copy(part), ContentPart)
    assert_type(deepcopy(part), ContentPart)
    assert_type(replace(part, name="a"), ContentPart)
    assert_type({part}, set[ContentPart])
