"""The exception types: what they are, what they carry, and that they survive a pickle."""

from __future__ import annotations

import copy
import pickle

import pytest

from toolresult import (
    AnswerError,
    ContentPart,
    ContentPartError,
    ConversionError,
    DecodeError,
    EncodeError,
    LossError,
    PendingResultError,
    Request,
    Suspend,
    ToolError,
    ToolResult,
    ToolResultError,
)

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)

DATA_ERRORS = [
    ContentPartError("url: has no host"),
    ConversionError("value.rows[3]", "is of type object, which has no JSON form"),
    DecodeError("parts[1].data", "is no base64"),
    EncodeError("metadata.when", "is of type datetime"),
    LossError("parts[0]: an image has no place here"),
    PendingResultError("result: it waits for an answer"),
    AnswerError("expired", "the answer came too late"),
    AnswerError("schema", "is no date", "answer.data.born"),
    ToolResultError("something about data"),
]


class NotFoundError(ToolError):
    pass


def name_of(value: object) -> str:
    return type(value).__name__


@pytest.mark.parametrize(
    ("error", "caught_as"),
    [
        (ToolResultError, {Exception, ToolResultError}),
        (ContentPartError, {Exception, ToolResultError, ValueError}),
        (ConversionError, {Exception, ToolResultError, TypeError}),
        (DecodeError, {Exception, ToolResultError, ValueError}),
        (EncodeError, {Exception, ToolResultError, TypeError}),
        (LossError, {Exception, ToolResultError}),
        (PendingResultError, {Exception, ToolResultError}),
        (AnswerError, {Exception, ToolResultError, ValueError}),
        (ToolError, {Exception}),
        (Suspend, set()),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_every_error_is_the_builtin_that_a_caller_would_catch(error, caught_as):
    handlers = {Exception, ToolResultError, TypeError, ValueError}
    assert {handler for handler in handlers if issubclass(error, handler)} == caught_as
    assert issubclass(error, BaseException)


@pytest.mark.parametrize("error", [ToolError, Suspend])
def test_what_authors_raise_stands_apart_from_errors_about_data(error):
    assert not issubclass(error, ToolResultError)


def test_a_handler_of_ordinary_exceptions_lets_a_suspension_pass():
    request = Request.approval("Delete 3 files?")

    def careless_tool():
        try:
            raise Suspend(request)
        except Exception:  # noqa: BLE001 - the point of the test
            return "went on"

    with pytest.raises(Suspend) as caught:
        careless_tool()
    assert caught.value.request is request


@pytest.mark.parametrize("error", [ConversionError, DecodeError, EncodeError], ids=lambda error: error.__name__)
def test_errors_about_a_place_carry_the_path_and_start_with_it(error):
    raised = error("metadata.hits[3].when", "is of type object")
    assert raised.path == "metadata.hits[3].when"
    assert raised.problem == "is of type object"
    assert str(raised).startswith("metadata.hits[3].when")
    assert "is of type object" in str(raised)


@pytest.mark.parametrize("kind", ["unknown_id", "duplicate", "missing", "expired", "schema", "arguments"])
def test_an_answer_error_carries_its_kind_and_starts_with_it(kind):
    error = AnswerError(kind, "ask again")
    assert error.kind == kind
    assert str(error).startswith(kind)
    assert "ask again" in str(error)


@pytest.mark.parametrize("error", DATA_ERRORS, ids=name_of)
def test_errors_with_equal_contents_are_equal_and_hash_alike(error):
    twin = type(error)(*error.args)
    assert twin == error
    assert hash(twin) == hash(error)
    assert {twin, error} == {error}


@pytest.mark.parametrize("error", DATA_ERRORS, ids=name_of)
def test_errors_with_other_contents_are_unequal(error):
    *first, last = error.args
    assert type(error)(*first, f"{last}!") != error


def test_errors_of_different_types_are_unequal_even_with_equal_contents():
    assert DecodeError("a", "b") != EncodeError("a", "b")
    assert ContentPartError("a") != ToolResultError("a")
    assert ContentPartError("a") != ValueError("a")
    assert AnswerError("expired", "b") != AnswerError("missing", "b")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("error", DATA_ERRORS, ids=name_of)
def test_errors_about_data_survive_a_pickle(error, protocol):
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is type(error)
    assert again == error
    assert str(again) == str(error)
    assert vars(again) == vars(error)


@pytest.mark.parametrize("error", DATA_ERRORS, ids=name_of)
def test_errors_about_data_can_be_copied(error):
    assert copy.copy(error) == error
    assert copy.deepcopy(error) == error


def test_a_tool_error_needs_only_its_message():
    error = ToolError("row limit is 100, you asked for 500")
    assert str(error) == "row limit is 100, you asked for 500"
    assert vars(error) == {
        "message": "row limit is 100, you asked for 500",
        "code": None,
        "retryable": False,
        "parts": (),
        "value": None,
        "result": None,
    }


def full_tool_error() -> ToolError:
    part = ContentPart.from_text("line 3", name="log.txt")
    result = ToolResult.error("disk full", code="io", metadata={"ids": [1, 2]})
    return ToolError("disk full", code="io", retryable=True, parts=[part], value={"free": 0}, result=result)


def test_a_tool_error_carries_what_its_author_gives():
    error = full_tool_error()
    assert vars(error) == {
        "message": "disk full",
        "code": "io",
        "retryable": True,
        "parts": (ContentPart.from_text("line 3", name="log.txt"),),
        "value": {"free": 0},
        "result": ToolResult.error("disk full", code="io", metadata={"ids": [1, 2]}),
    }


def test_a_tool_error_takes_its_parts_from_any_iterable():
    part = ContentPart.from_text("line 3")
    assert ToolError("no", parts=(p for p in [part])).parts == (part,)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_tool_error_survives_a_pickle_with_everything_in_it(protocol):
    error = full_tool_error()
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is ToolError
    assert again.args == error.args
    assert vars(again) == vars(error)


def test_the_notes_of_a_tool_error_survive_a_pickle():
    error = ToolError("disk full")
    error.add_note("while writing page 3")
    assert pickle.loads(pickle.dumps(error)).__notes__ == ["while writing page 3"]


def test_a_subclass_of_a_tool_error_comes_back_from_a_pickle_as_itself():
    again = pickle.loads(pickle.dumps(NotFoundError("no such row", code="missing")))
    assert type(again) is NotFoundError
    assert (again.message, again.code) == ("no such row", "missing")


def test_a_tool_error_can_be_copied():
    error = full_tool_error()
    assert vars(copy.copy(error)) == vars(error)
    assert vars(copy.deepcopy(error)) == vars(error)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_suspension_survives_a_pickle(protocol):
    signal = Suspend(Request.approval("Delete 3 files?", arguments={"count": 3}))
    again = pickle.loads(pickle.dumps(signal, protocol))
    assert type(again) is Suspend
    assert again.request == signal.request
    assert copy.deepcopy(signal).request == signal.request
