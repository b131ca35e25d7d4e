"""Ways in which conversions of return values have gone wrong for others, each with its smallest trigger."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from uuid import UUID

import numpy as np
import pydantic
import pytest

from toolresult import ContentPart, ConversionError, ToolError, ToolResult, tool_result
from toolresult.convert import clip, from_exception, lift_data_urls

PNG = (Path(__file__).parent.parent / "examples" / "data" / "fixture.png").read_bytes()
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")


class Color(Enum):
    RED = "red"


# quellant/openscad-mcp#2, modelcontextprotocol/python-sdk#2376
def test_a_list_of_texts_and_pictures_keeps_its_order():
    parts = ToolResult.of(["before", IMAGE, "after", IMAGE]).parts
    assert [part.type for part in parts] == ["text", "image", "text", "image"]


# HKUDS/nanobot#666, NousResearch/hermes-agent#78297, lsst-sqre/safir#370
def test_an_exception_without_a_message_says_its_class():
    assert from_exception(TimeoutError()).output == "TimeoutError"
    assert from_exception(KeyError("k"), expose=[KeyError]).output == "KeyError: 'k'"


# vaadin/flow-components#9957, github/copilot-sdk#2203
def test_what_the_author_says_reaches_the_model_and_what_a_library_says_does_not():
    @tool_result
    def rows(limit: int) -> list[int]:
        if limit > 100:
            raise ToolError(f"row limit is 100, you asked for {limit}")
        raise ConnectionError("postgres://user:SECRET@host")

    assert rows(500).output == "row limit is 100, you asked for 500"
    assert rows(5).output == "ConnectionError"


# gleanwork/glean-agent-toolkit#42, crewAIInc/crewAI#6712
def test_a_dict_with_an_error_in_it_is_data_and_an_exception_is_an_error():
    assert not ToolResult.of({"error": "not found"}).is_error
    assert ToolResult.of(ValueError("x")).is_error


# EvoScientist/EvoScientist#11, langchain-ai/deepagents#3665
def test_an_exception_is_a_result_and_cancellation_is_not():
    @tool_result
    def failing() -> None:
        raise OSError("disk")

    @tool_result
    def stopped() -> None:
        raise asyncio.CancelledError

    assert failing().is_error
    with pytest.raises(asyncio.CancelledError):
        stopped()


# github/copilot-sdk#2203, microsoft/agent-framework#2219
def test_times_ids_amounts_members_and_sets_have_a_form_at_any_depth():
    value = {
        "at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        "id": UUID(int=1),
        "amt": Decimal("10.50"),
        "k": Color.RED,
        "s": {3, 1, 2},
    }
    form = {
        "at": "2026-01-02T03:04:05+00:00",
        "id": "00000000-0000-0000-0000-000000000001",
        "amt": "10.50",
        "k": "red",
        "s": [1, 2, 3],
    }
    assert json.loads(ToolResult.of(value).output) == form
    assert json.loads(ToolResult.of([[value]]).output) == [[form]]


# github/copilot-sdk#2225
def test_a_model_is_dumped_as_json():
    class Model(pydantic.BaseModel):
        at: datetime = datetime(2026, 1, 2, tzinfo=UTC)

    assert ToolResult.of(Model()).output == '{"at":"2026-01-02T00:00:00Z"}'


# moj-analytical-services/splink#572, RoseauTechnologies/Roseau_Load_Flow#447
def test_scalars_and_arrays_are_numbers():
    value = {"i": np.int64(1), "f": np.float32(0.5), "b": np.bool_(True), "a": np.array([1.0, np.nan])}
    assert ToolResult.of(value).output == '{"i":1,"f":0.5,"b":true,"a":[1.0,null]}'


# ijl/orjson#175, mwouts/itables#112
def test_a_missing_time_is_null():
    class NaT(datetime):
        def isoformat(self, *_):
            return "NaT"

        def __eq__(self, other):
            return False

        __hash__ = None

    assert ToolResult.of({"at": NaT(2026, 1, 1)}).output == '{"at":null}'


# SlopDotCash/asi#2036, python/cpython#134937
def test_deep_nesting_is_a_typed_error():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ConversionError, match="100 levels"):
        ToolResult.of(deep)
    while deep:
        deep = deep[0]


# cognitedata/cognite-sdk-python#556
def test_a_hook_that_returns_its_argument_is_named():
    with pytest.raises(ConversionError, match=r"object.*same object"):
        ToolResult.of(object(), default=lambda obj: obj)


# wanxingai/LightAgent#107
def test_generators_are_read_and_asynchronous_ones_refused():
    async def stream():
        yield 1

    assert ToolResult.of(n for n in range(3)).output == "[0,1,2]"
    with pytest.raises(ConversionError, match="async for"):
        ToolResult.of(stream())


# PrefectHQ/fastmcp#2115, JudgmentLabs/judgeval#616
def test_an_object_without_a_form_is_no_address():
    class Foo:
        pass

    with pytest.raises(ConversionError) as caught:
        ToolResult.of(Foo())
    assert "0x" not in str(caught.value)


# cameronrye/openzim-mcp#96
def test_json_text_is_not_quoted_again():
    assert ToolResult.of('{"a": 1}').output == '{"a": 1}'
    assert ToolResult.of({"a": 1}).output == '{"a":1}'


# TkTech/py_yyjson#12
def test_keys_are_repaired_as_values_are():
    assert ToolResult.of({"\ud83d": "\ud83d"}).output == '{"\ufffd":"\ufffd"}'
    with pytest.raises(ConversionError):
        ToolResult.of({"\ud83d": 1, chr(0xFFFD): 2})


# confident-ai/deepeval#2230
def test_text_of_any_script_is_as_it_is():
    assert ToolResult.of({"q": "日本語"}).output == '{"q":"日本語"}'


# apify/apify-client-python#87, getsentry/sentry#1979
def test_json_is_strict_json():
    output = ToolResult.of({"m": float("nan"), "p": float("inf"), "n": [float("-inf"), 1.5]}).output
    assert json.loads(output, parse_constant=pytest.fail) == {"m": None, "p": None, "n": [None, 1.5]}
    with pytest.raises(ConversionError) as caught:
        ToolResult.of({"m": float("nan")}, non_finite="refuse")
    assert caught.value.path == "value.m"


# zschumacher/pydapper#479, github/copilot-sdk#2374
@pytest.mark.parametrize("text", ["0.10", "NaN", "1E+3"])
def test_a_decimal_keeps_its_digits(text):
    assert ToolResult.of(Decimal(text)).output == f'"{text}"'


# open-octo/octo-agent#69, gkrost/scaleway-ops-mcp-server#56, babelcloud/gbox#149
def test_what_is_cut_or_lifted_is_said():
    short = clip(ToolResult.of({"rows": ["日" * 10_000]}), max_bytes=100)
    assert len(short.output.encode()) <= 100
    assert "clipped" in short.metadata["toolresult"]
    lifted = lift_data_urls(ToolResult.ok("see data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs="))
    assert lifted.output == "see [image (image/gif, 29 bytes)]"
