"""What a tool raised becomes a result."""

from __future__ import annotations

import pytest

from toolresult import ContentPart, Request, Suspend, ToolError, ToolResult
from toolresult._raised import from_exception

PART = ContentPart.from_text("row 500", name="a")
REQUEST = Request.approval("Go?")


class MuteError(Exception):
    def __str__(self):
        raise RuntimeError("SECRET")


class QuotaError(ToolError):
    pass


class TokenError(ValueError):
    """Prints more than its parent's author knows."""


# vaadin/flow-components#9957, github/copilot-sdk#2203
def test_what_the_author_says_is_relayed_word_for_word():
    error = ToolError("row limit is 100, you asked for 500", code="limit", retryable=True, parts=[PART], value={"n": 5})
    assert from_exception(error) == ToolResult.error(
        "row limit is 100, you asked for 500", code="limit", retryable=True, parts=[PART], value={"n": 5}
    )
    assert from_exception(QuotaError("no quota")) == ToolResult.error("no quota")
    assert from_exception(QuotaError(" ")).output == "QuotaError"


def test_an_error_that_carries_its_result_is_that_result():
    failed = ToolResult.error("x", metadata={"host": 1})
    with pytest.raises(ToolError) as caught:
        failed.raise_for_error()
    assert from_exception(caught.value) is failed


# HKUDS/nanobot#666, NousResearch/hermes-agent#78297
@pytest.mark.parametrize(
    ("error", "masked", "exposed"),
    [
        (ValueError("SECRET"), "ValueError", "ValueError: SECRET"),
        (TimeoutError(), "TimeoutError", "TimeoutError"),
        (OSError(" \n"), "OSError", "OSError"),
        (KeyError("k"), "KeyError", "KeyError: 'k'"),
        (MuteError(), "MuteError", "MuteError"),
        (TokenError("SECRET"), "TokenError", "TokenError"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_other_shows_its_class_and_its_message_only_if_asked(error, masked, exposed):
    assert from_exception(error) == ToolResult.error(masked)
    kinds = {ValueError, TimeoutError, OSError, KeyError, MuteError}
    assert from_exception(error, expose=kinds) == ToolResult.error(exposed)


def test_a_suspension_is_a_pending_result_also_alone_in_a_group():
    for error in (Suspend(REQUEST), BaseExceptionGroup("g", [BaseExceptionGroup("h", [Suspend(REQUEST)])])):
        assert from_exception(error) == ToolResult.pending(REQUEST)


def test_a_group_counts_as_its_one_leaf_or_names_them_all():
    assert from_exception(ExceptionGroup("g", [ToolError("no", code="c")])) == ToolResult.error("no", code="c")
    group = ExceptionGroup("SECRET", [ValueError("SECRET"), ExceptionGroup("h", [ToolError("no rows"), KeyError("k")])])
    assert from_exception(group, expose=[KeyError]).output == "ValueError\nno rows\nKeyError: 'k'"


def test_what_is_no_exception_is_refused():
    with pytest.raises(TypeError, match=r"^error: must be an exception"):
        from_exception(5)


class SecretiveError(ToolError):
    @property
    def code(self):
        raise RuntimeError("SECRET")

    @code.setter
    def code(self, value):
        pass


class HollowGroup(ExceptionGroup):
    exceptions = None


def test_hostile_exceptions_are_error_results():
    assert from_exception(SecretiveError("no")) == ToolResult.error("no")
    assert from_exception(HollowGroup("g", [ValueError()])) == ToolResult.error("HollowGroup")
    assert from_exception(ToolError("x", value=ToolResult)) == ToolResult.error("x", value=ToolResult)
    circle = []
    circle.append(circle)
    assert from_exception(ToolError("x", value=circle, code="c")) == ToolResult.error("x", code="c")


def test_shared_and_large_groups_end():
    shared = ExceptionGroup("g", [ValueError()])
    for _ in range(60):
        shared = ExceptionGroup("g", [shared, shared])
    assert from_exception(shared) == ToolResult.error("ValueError")
    many = from_exception(ExceptionGroup("g", [ValueError()] * 150)).output.splitlines()
    assert (len(many), many[-1]) == (101, "and 50 more")


def test_an_address_in_a_message_is_left_out():
    assert from_exception(ValueError(object()), expose=[ValueError]).output == "ValueError: <object object>"
