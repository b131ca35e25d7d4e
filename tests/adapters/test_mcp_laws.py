"""What comes from MCP goes back as it came, and what goes over MCP comes back as it was."""

from __future__ import annotations

from typing import Any

import mcp_types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters import mcp_strict
from tests.adapters.mcp_values import holdable_parts, holdable_results, junk, vendor_results
from tests.property.strategies import python_values, results_with

from toolresult import ContentPart, ConversionError, DecodeError, EncodeError, ToolResult, _json
from toolresult.adapters import from_mcp, mcp_meta, to_mcp
from toolresult.convert import of

# 20,000 in the profile `long`.
MANY = settings(max_examples=20_000 if settings.default.max_examples >= 1000 else 300)

versions = st.sampled_from(mcp_strict.VERSIONS)


@pytest.mark.parametrize("version", mcp_strict.VERSIONS)
def test_what_a_server_sent_goes_on_unchanged(version):
    @MANY
    @given(vendor_results(version))
    def relayed(sent):
        mcp_strict.vendor_result(sent, version)
        result = from_mcp(sent)
        assert to_mcp(result, version=version) == sent
        as_object = mcp_types.CallToolResult.model_validate(sent, by_name=False)
        assert from_mcp(as_object) == result
        assert of(as_object) == result

    relayed()


@MANY
@given(holdable_results(), versions)
def test_what_goes_over_mcp_comes_back(result, version):
    sent = to_mcp(result, version=version)
    mcp_strict.call_result(sent, version)
    back = from_mcp(sent)
    assert back.content == result.content
    assert back.is_error == result.is_error
    assert mcp_meta(back) == mcp_meta(result)
    if is_data(result):
        assert back.value == _json.plain(result.value)
    assert to_mcp(back, version=version) == sent


def is_data(result: ToolResult) -> bool:
    """Say whether a result is a success whose output is its value, with no media beside."""
    media = [part for part in result.parts or () if part.text is None]
    return result.is_derived and result.mime_type == "application/json" and not result.is_error and not media


@MANY
@given(holdable_results(), versions)
def test_structured_data_says_nothing_that_the_text_does_not(result, version):
    sent = to_mcp(result, version=version)
    if "structuredContent" in sent:
        said = [_json.canonical(_json.parse(result.output))]
        wrapped = sent["structuredContent"].get("result") if version < "2026" else None
        assert said in ([_json.canonical(sent["structuredContent"])], [_json.canonical(wrapped)])
        assert not result.is_error


@given(vendor_results("2026-07-28"), versions)
def test_what_a_server_sent_is_legal_in_every_revision(sent, version):
    # Beside a mark of ours, what is empty is nothing.
    sent = {key: member for key, member in sent.items() if key != "_meta" or member}
    written = to_mcp(from_mcp(sent), version=version)
    mcp_strict.vendor_result(written, version)
    assert to_mcp(from_mcp(written)) == sent


@given(vendor_results("2026-07-28"))
def test_what_was_stored_goes_on_unchanged(sent):
    stored = ToolResult.from_json(from_mcp(sent).to_json())
    assert to_mcp(stored) == sent


@given(vendor_results("2026-07-28"))
def test_the_model_reads_structured_data_once(sent):
    result = from_mcp(sent)
    if "structuredContent" in sent:
        assert result.value == sent["structuredContent"]
        assert len(result.parts or ()) <= len(sent["content"]) + 1


@MANY
@given(junk(), versions)
def test_junk_is_one_typed_error_or_a_result_that_goes_on_legally(sent, version):
    try:
        result = from_mcp(sent)
    except DecodeError as error:
        assert error.path  # noqa: PT017 - which of the two it is, is not known before
        return
    assert ToolResult.from_json(result.to_json()) == result
    written = to_mcp(result, version=version, on_pending="placeholder")
    mcp_strict.vendor_result(without_null(written), version)
    assert to_mcp(from_mcp(written), version=version) == written


def without_null(written: dict[str, Any]) -> dict[str, Any]:
    """Take out what is null directly in a `_meta`, which the package drops."""
    for holder in (written, *written["content"], *(block.get("resource", {}) for block in written["content"])):
        if "_meta" in holder:
            holder["_meta"] = {key: member for key, member in holder["_meta"].items() if member is not None}
    return written


@MANY
@given(results_with(python_values(foreign=True)), versions, st.sampled_from([None, True, False]))
def test_any_result_is_legal_or_named(result, version, structured):
    check_any(result, version, structured)


@MANY
@given(st.data(), versions)
def test_any_metadata_for_mcp_is_legal_or_named(data, version):
    part = data.draw(holdable_parts().filter(lambda part: part.raw is None))
    drawn = data.draw(st.fixed_dictionaries({}, optional={"mcp": junk(), "annotations": junk(), "audience": junk()}))
    fields = {name: getattr(part, name) for name in ("text", "mime_type", "data", "url", "file_id", "name")}
    facts = data.draw(st.fixed_dictionaries({}, optional={"mcp": junk(), "value": junk()}))
    parts = [ContentPart(part.type, **fields, metadata=drawn)]
    result = ToolResult("5", data.draw(st.booleans()), parts=parts, metadata={"toolresult": facts})
    check_any(result, version, data.draw(st.sampled_from([None, True, False])))


def check_any(result: ToolResult, version: str, structured: bool | None) -> None:
    """Write a result that may hold anything: it is legal, or one typed error says what it is about."""
    try:
        written = to_mcp(result, version=version, structured=structured, on_pending="placeholder")
    except (ConversionError, EncodeError) as error:
        assert error.path  # noqa: PT017 - which of the two it is, is not known before
        return
    mcp_strict.vendor_result(without_null(written), version)
    back = from_mcp(written)
    assert back.is_error == result.is_error
    assert to_mcp(back, version=version) == written
