"""Text of a result for its readers: what a model should read, and the text of a refusal."""

from __future__ import annotations

from toolresult._content import ContentPart, is_for_model
from toolresult._frozen import is_frozen_dict
from toolresult._result import NOTHING_FOR_MODEL, ToolResult
from toolresult._suspension import Answer, Request
from toolresult._text import is_blank

__all__ = ["ERROR_MARKER", "for_model"]

ERROR_MARKER = "[tool error] "
"""Stands once before the text of a failed result wherever a shape has no error flag."""

WAITING = "[waiting] This call was not executed. It waits for an answer from a person, who is asked: "
NO_MESSAGE = "the tool failed without a message"
_REFUSALS = {
    "declined": "Not executed: declined by the user.",
    "cancelled": "Not executed: cancelled by the user.",
    "expired": "Not executed: nobody answered in time.",
    None: "Not executed: not approved.",
}


def for_model(result: ToolResult) -> str:
    """Return what a text-only model should read.

    The content as text, summaries for what is not text, the error marker once before an error, and a plain sentence
    with the prompt for a suspension. Never payload, never metadata, never the URL of a request.
    """
    if result.request is not None:
        return waiting(result.request)
    text = "\n\n".join(_text_of(part) for part in result.content)
    if not result.is_error or result.is_placeholder:
        return text
    if is_blank(text):
        text = NO_MESSAGE
    return text if text.startswith(ERROR_MARKER) else ERROR_MARKER + text


def part_for_model(part: ContentPart) -> str:
    """Return a part as its text or its summary, or a placeholder if it is not for the model."""
    return _text_of(part) if is_for_model(part) else NOTHING_FOR_MODEL


def waiting(request: Request) -> str:
    """Say that a call waits, and for what; never the URL, by which a model could approve itself."""
    return WAITING + request.prompt


def reply(answer: Answer) -> str:
    """Say what was answered, without what came with it."""
    return "Approved." if answer.ok else _REFUSALS[answer.reason]


def _text_of(part: ContentPart) -> str:
    return part.summary() if part.text is None else part.text


def refusal(answer: Answer) -> ToolResult:
    """Return the error result of an answer that is not ok, for `Answer.to_result`."""
    if answer.ok:
        raise ValueError("ok: the answer is a yes; run the tool with it instead")
    text = _REFUSALS[answer.reason]
    data: object = answer.data
    comment = data.get("comment") if is_frozen_dict(data) else None
    if isinstance(comment, str) and not is_blank(comment):
        text += f" Comment: {comment}"
    return ToolResult.error(text, code=answer.reason or "declined")
