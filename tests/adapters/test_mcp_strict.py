"""The checks of MCP let what is right pass, and refuse each thing that is wrong."""

from __future__ import annotations

from typing import Any

import pydantic
import pytest
from tests.adapters import mcp_strict

DATA = "iVBORw0KGgo="
TEXT = {"type": "text", "text": "x"}
EVERYTHING: dict[str, Any] = {
    "content": [
        {
            **TEXT,
            "annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-12"},
            "_meta": {"a": 1},
        },
        {"type": "image", "data": DATA, "mimeType": "image/png"},
        {"type": "audio", "data": DATA, "mimeType": "audio/wav"},
        {
            "type": "resource_link",
            "uri": "https://h.test/a",
            "name": "a",
            "size": 3,
            "icons": [{"src": "https://h.test"}],
        },
        {
            "type": "resource",
            "resource": {"uri": "file:///a", "mimeType": "text/csv", "text": "a,b", "_meta": {"b": 2}},
        },
        {"type": "resource", "resource": {"uri": "file:///a", "blob": DATA}},
    ],
    "structuredContent": {"a": None},
    "isError": False,
    "_meta": {"com.example/a": [None]},
}


def result(version: str, **members: Any) -> dict[str, Any]:
    end = {"resultType": "complete"} if version == "2026-07-28" else {}
    return {**EVERYTHING, **end, **members}


def with_block(block: Any, version: str) -> dict[str, Any]:
    return result(version, content=[block])


each_version = pytest.mark.parametrize("version", mcp_strict.VERSIONS)


def test_these_are_the_revisions_with_structured_data():
    assert mcp_strict.VERSIONS == ("2025-06-18", "2025-11-25", "2026-07-28")


@each_version
def test_what_is_right_passes(version):
    mcp_strict.call_result(result(version), version)
    mcp_strict.vendor_result(result(version), version)
    mcp_strict.call_result(result(version, content=[], isError=True), version)


BAD_RESULTS = {
    "content missing": {"content": None},
    "content is a text": {"content": "x"},
    "isError is null": {"isError": None},
    "isError is a text": {"isError": "no way"},
    "an unknown key": {"is_error": True},
    "not a number": {"structuredContent": {"a": float("nan")}},
    "no JSON": {"structuredContent": {"a": (1,)}},
    "a lone surrogate": {"structuredContent": {"a": "\ud800"}},
    "null in _meta": {"_meta": {"a": None, "b": 1}, "structuredContent": None},
}
BAD_BLOCKS = {
    "no type": {"text": "x"},
    "video": {"type": "video", "data": DATA, "mimeType": "video/mp4"},
    "an image by URL": {"type": "image", "url": "https://h.test/a.png"},
    "an image without type": {"type": "image", "data": DATA},
    "a resource with neither": {"type": "resource", "resource": {"uri": "file:///a"}},
    "a link without name": {"type": "resource_link", "uri": "https://h.test/a"},
    "priority 2": {**TEXT, "annotations": {"priority": 2}},
    "audience system": {**TEXT, "annotations": {"audience": ["system"]}},
    "snake case": {"type": "image", "data": DATA, "mime_type": "image/png"},
    "an unknown key": {**TEXT, "cache": True},
    "no base64": {"type": "image", "data": "!!!", "mimeType": "image/png"},
    "base64 in another alphabet": {"type": "image", "data": "-_-_", "mimeType": "image/png"},
    "a data URL": {"type": "image", "data": f"data:image/png;base64,{DATA}", "mimeType": "image/png"},
    "no MIME type": {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "csv", "text": "x"}},
    "a picture that is none": {"type": "image", "data": DATA, "mimeType": "audio/wav"},
    "a relative link": {"type": "resource_link", "uri": "a.pdf", "name": "a"},
}


@each_version
@pytest.mark.parametrize("bad", BAD_RESULTS.values(), ids=BAD_RESULTS)
def test_a_wrong_result_is_refused(bad, version):
    with pytest.raises((AssertionError, TypeError, ValueError)):
        mcp_strict.call_result(result(version, **bad), version)


@each_version
@pytest.mark.parametrize("bad", BAD_BLOCKS.values(), ids=BAD_BLOCKS)
def test_a_wrong_block_is_refused(bad, version):
    with pytest.raises((AssertionError, ValueError)):
        mcp_strict.call_result(with_block(bad, version), version)


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_older_revisions_have_objects_only(version):
    with pytest.raises(pydantic.ValidationError):
        mcp_strict.call_result(result(version, structuredContent=[1]), version)
    with pytest.raises(AssertionError):
        mcp_strict.call_result(result(version, resultType="complete"), version)


def test_the_newest_revision_says_what_sort_of_result_it_is():
    with pytest.raises(pydantic.ValidationError):
        mcp_strict.call_result(EVERYTHING, "2026-07-28")


FORM = {"mode": "form", "message": "?", "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
LINK = {"mode": "url", "message": "?", "url": "https://h.test"}


def asking(**members: Any) -> dict[str, Any]:
    request = {"method": "elicitation/create", "params": FORM}
    return {"resultType": "input_required", "inputRequests": {"k": request}, "requestState": "s", **members}


def test_a_result_that_asks_passes():
    mcp_strict.input_required(asking())
    mcp_strict.input_required(asking(inputRequests={"k": {"method": "elicitation/create", "params": LINK}}))
    mcp_strict.input_required({"resultType": "input_required", "requestState": "s"})


@pytest.mark.parametrize(
    "bad",
    [
        {"inputRequests": None, "requestState": None},
        {"inputRequests": {"k": {"method": "elicitation/create", "params": {"mode": "form", "message": "?"}}}},
        {"inputRequests": {"k": {"method": "tools/call", "params": FORM}}},
        {"requestState": 1},
        {"isError": True},
        {"content": []},
        {"inputRequests": {"k": {"method": "elicitation/create", "params": {**FORM, "kind": "approval"}}}},
    ],
    ids=str,
)
def test_a_result_that_asks_wrongly_is_refused(bad):
    with pytest.raises((AssertionError, ValueError)):
        mcp_strict.input_required(asking(**bad))


def test_an_elicitation_passes():
    mcp_strict.elicitation(FORM)
    mcp_strict.elicitation({**LINK, "elicitationId": "e"})
    mcp_strict.elicitation({key: FORM[key] for key in ("message", "requestedSchema")}, "2025-06-18")


@pytest.mark.parametrize(
    "bad",
    [
        LINK,
        {**FORM, "kind": "approval"},
        {**FORM, "message": None},
        {**FORM, "requestedSchema": {"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}},
        {**FORM, "requestedSchema": {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}}},
        {**FORM, "requestedSchema": {"type": "array"}},
    ],
    ids=str,
)
def test_a_wrong_elicitation_is_refused(bad):
    with pytest.raises((AssertionError, ValueError)):
        mcp_strict.elicitation(bad)


def test_what_a_client_answers_is_checked():
    mcp_strict.elicit_result({"action": "accept", "content": {"a": [""], "b": None}})
    for bad in ({"action": "reject"}, {"action": "accept", "content": {"a": {"b": 1}}}, {}):
        with pytest.raises(pydantic.ValidationError):
            mcp_strict.elicit_result(bad)
