"""Ways in which MCP results and answers have gone wrong for others, each with its smallest trigger."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime, timedelta

import mcp_types
import pytest
from tests.adapters import mcp_strict

from toolresult import Answer, AnswerError, ContentPart, DecodeError, Request, ToolResult, match_answers
from toolresult.adapters import Loss, answer_from_mcp, from_mcp, mcp_meta, to_anthropic, to_mcp

PNG = b"\x89PNG\r\n\x1a\n"
DATA = b64encode(PNG).decode()


def test_a_data_url_in_a_base64_field_is_stripped():
    # nota/gyazo-mcp-server#129, felixarntz/ai-services#19, openclaw/openclaw#18219, NVIDIA-NeMo/DataDesigner#689
    losses: list[Loss] = []
    for label in ({"mimeType": "image/png"}, {}):
        block = {"type": "image", "data": f"data:image/png;base64,{DATA}", **label}
        result = from_mcp({"content": [block]}, on_loss=losses.append)
        assert result.parts == (ContentPart("image", data=PNG, mime_type="image/png"),)
        assert to_mcp(result)["content"] == [{"type": "image", "data": DATA, "mimeType": "image/png"}]
    assert [loss.fallback for loss in losses] == ["relabelled", "relabelled"]


def test_data_that_is_no_base64_is_refused_at_the_border():
    block = {"type": "image", "data": "not-base64!!!", "mimeType": "image/png"}
    with pytest.raises(DecodeError) as caught:
        from_mcp({"content": [{"type": "text", "text": "see"}, block]})
    assert caught.value.path == "content[1].data"


def test_structured_data_that_is_said_as_text_too_is_read_once():
    # microsoft/agent-framework#7866, NousResearch/hermes-agent#64019, agentscope-ai/QwenPaw#6969
    sent = {
        "content": [{"type": "text", "text": '{"b":2,"a":1}'}],
        "structuredContent": {"a": 1, "b": 2},
        "isError": False,
        "resultType": "complete",
    }
    result = from_mcp(sent)
    assert str(result) == '{"b":2,"a":1}'
    assert to_anthropic([("c", result)])[0]["content"][0]["content"] == '{"b":2,"a":1}'
    assert to_mcp(result) == sent
    alone = from_mcp({"content": [], "structuredContent": {"a": 1, "b": 2}})
    assert str(alone) == '{"a":1,"b":2}'


def test_what_the_host_reads_does_not_depend_on_what_the_model_reads():
    # microsoft/agent-framework#8274, mastra-ai/mastra#22556
    for content in ([], [{"type": "text", "text": '{"a":1}'}], [{"type": "text", "text": "one"}]):
        result = from_mcp({"content": content, "structuredContent": {"a": 1}})
        assert result.value == {"a": 1}
        assert result.metadata["toolresult"]["value"] == {"a": 1}


def test_a_text_in_a_blob_is_read_as_text():
    # danny-avila/LibreChat#15601, anomalyco/opencode#35665, #32869, github/copilot-cli#4916
    blob = b64encode(b"a,b\n1,2\n").decode()
    block = {"type": "resource", "resource": {"uri": "file:///t.csv", "mimeType": "text/csv", "blob": blob}}
    result = from_mcp({"content": [block]})
    assert str(result) == "a,b\n1,2\n"
    assert (result.parts[0].type, result.parts[0].mime_type) == ("text", "text/csv")
    assert to_mcp(result)["content"] == [block]
    block["resource"] = {**block["resource"], "blob": b64encode(b"\xff\xfe").decode()}
    assert from_mcp({"content": [block]}).parts[0].data == b"\xff\xfe"


def test_a_text_is_not_written_as_a_blob():
    # microsoft/agent-framework-go#541
    parts = [
        ContentPart.from_text("a,b", mime_type="text/csv", name="t.csv"),
        ContentPart.from_text("a,b", mime_type="text/csv", metadata={"mcp": {"uri": "file:///t.csv"}}),
        ContentPart("file", data=b"a,b", mime_type="text/csv", name="t.csv"),
    ]
    first, *resources = to_mcp(ToolResult(parts=parts))["content"]
    assert first["text"] == "a,b"
    assert [block["resource"]["text"] for block in resources] == ["a,b", "a,b"]


def test_the_type_of_a_text_is_kept():
    # synthetic-lab/octofriend#29
    block = {"type": "resource", "resource": {"uri": "file:///a.xml", "mimeType": "application/xml", "text": "<a/>"}}
    result = from_mcp({"content": [block]})
    (part,) = result.parts
    assert (part.text, part.mime_type, part.name) == ("<a/>", "application/xml", "file:///a.xml")
    assert "application/xml" in part.summary()
    assert to_mcp(result)["content"] == [block]
    spelled = {"type": "resource", "resource": {"uri": "file:///a.xml", "mimeType": "text/xml", "text": "<a/>"}}
    assert to_mcp(from_mcp({"content": [spelled]}))["content"] == [spelled]


def test_meta_is_kept_at_both_levels_and_no_model_reads_it():
    # pydantic/pydantic-ai#3339, agno-agi/agno#10010
    block = {"type": "text", "text": "x", "_meta": {"inner": "s3cret"}}
    sent = {"content": [block], "_meta": {"outer": "s3cret"}, "isError": False, "resultType": "complete"}
    result = from_mcp(sent)
    assert mcp_meta(result) == {"outer": "s3cret"}
    assert result.parts[0].metadata == {"mcp": {"_meta": {"inner": "s3cret"}}}
    assert "s3cret" not in str(result)
    assert "s3cret" not in str(to_anthropic([("c", result)]))
    assert to_mcp(result) == sent


def test_an_error_stays_an_error_through_a_proxy():
    # MarimerLLC/mcp-aggregator#24, microsoft/agent-framework-go#492, anomalyco/opencode#16988
    sent = {"content": [{"type": "text", "text": "no such row"}], "isError": True, "resultType": "complete"}
    result = from_mcp(sent)
    assert result == ToolResult.error("no such row")
    assert to_mcp(result) == sent


def test_only_the_structured_data_is_held_against_a_schema():
    # anthropics/claude-code#76257
    import jsonschema

    schema = {"type": "object", "properties": {"rows": {"type": "integer"}}, "additionalProperties": False}
    result = from_mcp({"content": [], "structuredContent": {"rows": 2}})
    jsonschema.validate(result.value, schema)
    jsonschema.validate(to_mcp(result)["structuredContent"], schema)


def test_both_spellings_are_read_and_camel_case_is_written():
    # github/github-mcp-server#1952, dapr/dapr-agents#287
    for spelled in ({"is_error": True}, {"isError": True}):
        assert from_mcp({"content": [], **spelled}).is_error
    dumped = mcp_types.CallToolResult(content=[], is_error=True).model_dump()
    assert "is_error" in dumped
    assert from_mcp(dumped).is_error
    assert from_mcp(mcp_types.CallToolResult(content=[], is_error=True)).is_error
    assert to_mcp(from_mcp(dumped), version="2025-11-25") == {"content": [], "isError": True}


FORM = Request.input("Name?", schema={"type": "object", "properties": {"name": {"type": "string"}}}, id="r1")


def test_accepted_declined_and_cancelled_are_three_things():
    # modelcontextprotocol/python-sdk#1056, #1284, #2986, modelcontextprotocol/go-sdk#758, mastra-ai/mastra#6796
    assert answer_from_mcp(FORM, {"action": "accept", "content": None}) == Answer("r1", ok=True)
    assert answer_from_mcp(FORM, {"action": "accept", "content": {}}) == Answer("r1", ok=True, data={})
    assert answer_from_mcp(FORM, {"action": "decline", "content": None}) == Answer("r1", ok=False, reason="declined")
    assert answer_from_mcp(FORM, {"action": "cancel", "content": {"x": 1}}) == Answer(
        "r1", ok=False, reason="cancelled"
    )
    assert answer_from_mcp(FORM, {"action": "reject"}) == Answer("r1", ok=False, reason="declined")
    late = FORM.expire()
    texts = {FORM.decline().to_result().output, FORM.cancel().to_result().output, late.to_result().output}
    texts.add(to_mcp(ToolResult.pending(FORM), on_pending="placeholder")["content"][0]["text"])  # nobody was asked
    assert len(texts) == 4


def test_the_answer_to_one_request_runs_no_other():
    # mastra-ai/mastra#19377
    first, second = Request.approval("A?", id="a"), Request.approval("B?", id="b")
    answer = answer_from_mcp(second, {"action": "accept", "content": {"approved": True}})
    with pytest.raises(AnswerError) as caught:
        first.check(answer)
    assert caught.value.kind == "unknown_id"
    with pytest.raises(AnswerError) as caught:
        match_answers([first], [answer])
    assert caught.value.kind == "unknown_id"


def test_an_approval_is_bound_to_what_was_shown():
    # openai/openai-agents-python#4827, #4896, maziyarpanahi/openmed#2768, Reallyeasy1/Oculith#9
    request = Request.approval("Pay?", arguments={"amount": 10, "to": "x"})
    answer = answer_from_mcp(request, {"action": "accept", "content": {"approved": True}})
    assert request.check(answer, arguments={"to": "x", "amount": 10}) is answer
    for changed in ({"amount": 10_000, "to": "x"}, {"amount": 10.0, "to": "x"}):
        with pytest.raises(AnswerError) as caught:
            request.check(answer, arguments=changed)
        assert caught.value.kind == "arguments"


def test_late_second_and_unknown_answers_are_told_apart():
    # microsoft/agent-framework#4618, margince/margince#1689, huaweicloud/huaweicloud-devkit#727
    until = datetime(2026, 1, 1, tzinfo=UTC)
    request = Request.approval("Go?", id="r1", expires_at=until)
    answer = answer_from_mcp(request, {"action": "accept", "content": {"approved": True}})
    before = until - timedelta(microseconds=1)
    assert match_answers([request], [answer], now=before) == {"r1": answer}
    for used, now, answers, kind in (
        ((), until, [answer], "expired"),
        (("r1",), before, [answer], "duplicate"),
        ((), before, [answer, answer], "duplicate"),
        ((), before, [Answer("r2", ok=True)], "unknown_id"),
    ):
        with pytest.raises(AnswerError) as caught:
            match_answers([request], answers, used, now=now)
        assert caught.value.kind == kind


def test_a_refusal_says_that_nothing_was_executed():
    # cap-js/agents#93, brightwave-inc/tidebreak#1303, Yanyutin753/LambChat#358
    result = FORM.decline("no").to_result()
    assert result.output == "Not executed: declined by the user. Comment: no"
    sent = to_mcp(result)
    mcp_strict.call_result(sent, "2026-07-28")
    assert sent["isError"] is True
    assert answer_from_mcp(FORM, {"action": "decline"}).to_result().output == "Not executed: declined by the user."
