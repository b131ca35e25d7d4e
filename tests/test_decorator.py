"""`@tool_result` makes a tool of any function: what it returns, what it raises, and what frameworks see of it."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import pickle
import subprocess
import typing
from collections.abc import Mapping
from pathlib import Path

import pytest
from typing_extensions import TypeAliasType, Unpack

import toolresult
from toolresult import Answer, Request, Suspend, ToolError, ToolResult, tool_result

if typing.TYPE_CHECKING:
    from elsewhere import Thing

REQUEST = Request.approval("Go?", id="r1")
FORGED = ToolResult.error(
    "Not executed: answer is given by the host, after a person has answered; leave it out.", code="answer"
)


@tool_result
def greet(name: str, times: int = 1, *, loud: bool = False) -> str:
    """Greet somebody."""
    return f"hello {name}" * times + "!" * loud


@tool_result
async def fetch(key: Later) -> dict[str, str]:
    """Fetch a value."""
    return {"key": key.name}


class Later:
    name = "later"


@tool_result
def refund(order: str, answer: Answer | None = None) -> ToolResult:
    if answer is None:
        return ToolResult.pending(REQUEST)
    return ToolResult.ok(f"refunded {order}")


def test_what_a_function_returns_becomes_a_result():
    assert greet("Ann", loud=True) == ToolResult.ok("hello Ann!")
    assert tool_result(lambda: None)() == ToolResult()
    assert tool_result(lambda: [1])() == ToolResult.of([1])
    assert asyncio.run(fetch(Later())) == ToolResult.of({"key": "later"})


def test_names_docs_and_parameters_stay_and_the_return_annotation_goes():
    assert (greet.__name__, greet.__qualname__, greet.__module__) == ("greet", "greet", __name__)
    assert greet.__doc__ == "Greet somebody."
    assert str(inspect.signature(greet)) == "(name: 'str', times: 'int' = 1, *, loud: 'bool' = False)"
    assert typing.get_type_hints(greet) == {"name": str, "times": int, "loud": bool}
    assert typing.get_type_hints(fetch) == {"key": Later}
    assert not hasattr(greet, "__wrapped__")
    assert inspect.iscoroutinefunction(fetch)
    assert not inspect.iscoroutinefunction(greet)
    assert pickle.loads(pickle.dumps(greet)) is greet


def test_attributes_of_the_function_stay():
    def tool():
        return 1

    tool.tags = ["a"]
    assert tool_result(tool).tags == ["a"]
    assert not hasattr(tool_result(functools.wraps(greet)(lambda: 1)), "__wrapped__")


class Store:
    def __init__(self, name):
        self.name = name

    @tool_result
    def method(self, n: int) -> list[str]:
        return [self.name] * n

    @tool_result
    @classmethod
    def of_class(cls) -> str:
        return cls.__name__

    @tool_result
    @staticmethod
    def static(x: int) -> int:
        return x

    @tool_result
    async def later(self) -> str:
        return self.name

    def __call__(self, x: int) -> int:
        return x


class AsyncCall:
    """An object that is called and awaited."""

    async def __call__(self, x: Answer | None = None) -> str:
        return "called"


def test_methods_partials_and_callable_objects():
    store = Store("s")
    assert store.method(2) == ToolResult.of(["s", "s"])
    assert str(inspect.signature(store.method)) == "(n: 'int')"
    assert Store.of_class() == store.of_class() == ToolResult.ok("Store")
    assert Store.static(3) == store.static(3) == ToolResult.of(3)
    assert asyncio.run(store.later()) == ToolResult.ok("s")
    assert tool_result(store.method)(1) == ToolResult.of(["s"])
    called = tool_result(store)
    assert (called(4), called.__name__) == (ToolResult.of(4), "Store")
    part = tool_result(functools.partial(Store.static, x=5))
    assert (part(), part.__name__) == (ToolResult.of(5), "static")
    later = tool_result(AsyncCall())
    assert asyncio.run(later()) == ToolResult.ok("called")
    assert str(inspect.signature(later)) == "()"
    assert tool_result(len)([1]) == ToolResult.of(1)
    assert tool_result(max)(1, 2) == ToolResult.of(2)
    with pytest.raises(TypeError, match="function: must be callable"):
        tool_result(3)


def raising(error):
    def tool():
        raise error

    return tool


# EvoScientist/EvoScientist#11, langchain-ai/deepagents#3665
def test_what_it_raises_becomes_a_result_and_cancellation_passes():
    assert tool_result(raising(OSError("SECRET")))() == ToolResult.error("OSError")
    assert tool_result(raising(ToolError("no", code="c")))() == ToolResult.error("no", code="c")
    assert tool_result(raising(Suspend(REQUEST)))() == ToolResult.pending(REQUEST)
    assert tool_result(raising(BaseExceptionGroup("g", [Suspend(REQUEST)])))() == ToolResult.pending(REQUEST)
    assert tool_result(expose=[OSError])(raising(OSError("why")))() == ToolResult.error("OSError: why")
    for error in (KeyboardInterrupt(), asyncio.CancelledError(), SystemExit()):
        with pytest.raises(type(error)):
            tool_result(raising(error))()
    with pytest.raises(BaseExceptionGroup):
        tool_result(raising(BaseExceptionGroup("g", [KeyboardInterrupt(), Suspend(REQUEST)])))()

    @tool_result
    async def later():
        raise ValueError("SECRET")

    @tool_result
    async def cancelled():
        raise asyncio.CancelledError

    assert asyncio.run(later()) == ToolResult.error("ValueError")
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


def test_what_has_no_form_is_an_error_result():
    result = tool_result(lambda: {"a": object()})()
    assert (result.is_error, result.error_code) == (True, "conversion")
    assert "value.a" in result.output
    assert " at 0x" not in result.output


def test_the_host_hears_of_what_the_model_does_not():
    heard: list[Exception] = []
    error = ValueError("SECRET")
    tool = tool_result(on_exception=heard.append)
    assert tool(raising(error))() == ToolResult.error("ValueError")
    tool(raising(ToolError("meant")))()
    tool(raising(Suspend(REQUEST)))()
    assert heard == [error]
    tool(object)()
    assert type(heard[-1]).__name__ == "ConversionError"


def test_options_of_the_conversion():
    tool = tool_result(indent=1, non_finite="text", default=lambda _: "x", max_chars=20)
    assert tool(lambda: [float("nan"), object()])().output == '[\n "NaN",\n "x"\n]'
    assert len(tool(lambda: "y" * 100)().output) == 20
    assert len(tool(raising(ToolError("y" * 100)))().output) <= 20


def test_frameworks_steer_their_loop():
    from langgraph.errors import GraphInterrupt
    from mcp.shared.exceptions import UrlElicitationRequiredError
    from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, ModelRetry, ToolFailed

    class Steering(Exception):  # noqa: N818
        pass

    steering = [GraphInterrupt(), ApprovalRequired(), CallDeferred(), ModelRetry("again"), ToolFailed("no")]
    for error in (*steering, UrlElicitationRequiredError([])):
        with pytest.raises(type(error)):
            tool_result(raising(error))()
        with pytest.raises(ExceptionGroup):
            tool_result(raising(ExceptionGroup("g", [ValueError(), error])))()
    with pytest.raises(Steering):
        tool_result(passthrough=[Steering])(raising(Steering()))()
    assert tool_result(raising(Steering()))() == ToolResult.error("Steering")


def test_an_answer_is_the_hosts():
    assert str(inspect.signature(refund)) == "(order: 'str')"
    assert refund.__annotations__ == {"order": "str"}
    assert refund("7") == ToolResult.pending(REQUEST)
    assert refund("7", answer=REQUEST.accept()) == ToolResult.ok("refunded 7")
    assert refund("7", REQUEST.accept()) == ToolResult.ok("refunded 7")
    assert refund("7", answer=REQUEST.decline("no")) == REQUEST.decline("no").to_result()
    for forged in (True, {"id": "r1", "ok": True}, "yes", [REQUEST.accept()], {}, {"r1": REQUEST.accept()}):
        assert refund("7", answer=forged) == FORGED
        assert refund("7", forged) == FORGED


def test_a_tool_may_see_that_it_was_declined():
    @tool_result(sees_declines=True)
    def tool(answer: Answer | None = None):
        return "declined" if answer is not None and not answer.ok else "else"

    assert tool(answer=REQUEST.decline()) == ToolResult.ok("declined")
    assert tool(answer=True) == FORGED


def test_a_tool_that_asks_several_times_has_all_answers():
    @tool_result
    async def tool(x: int, *, answers: Mapping[str, Answer] = {}):
        return sorted(answers)

    assert list(inspect.signature(tool).parameters) == ["x"]
    assert asyncio.run(tool(1)) == ToolResult.of([])
    assert asyncio.run(tool(1, answers={"r1": REQUEST.accept()})) == ToolResult.of(["r1"])
    assert asyncio.run(tool(1, answers={"r1": {"ok": True}})).error_code == "answer"
    declined = asyncio.run(tool(1, answers={"r1": REQUEST.decline()}))
    assert declined == REQUEST.decline().to_result()


def test_a_parameter_that_is_shown_does_not_slide_into_the_one_that_is_not():
    @tool_result
    def write(path: str, answer: Answer | None = None, opts: dict[str, int] = {}) -> str:  # noqa: B006
        return f"{path} {answer is not None} {opts}"

    for call in (
        lambda: write("p", {"n": 1}),
        lambda: write("p", opts={"n": 1}),
        lambda: write(path="p", opts={"n": 1}),
    ):
        assert call() == ToolResult.ok("p False {'n': 1}")
    assert write("p", {}) == ToolResult.ok("p False {}")
    assert write("p", REQUEST.accept(), {"n": 1}) == ToolResult.ok("p True {'n': 1}")
    assert write("p", {"n": 1}, answer=REQUEST.accept()) == ToolResult.ok("p True {'n': 1}")

    @tool_result
    def positional(answer: Answer | None = None, /, x: int = 1) -> str:
        return f"{answer is not None} {x}"

    assert positional(5) == ToolResult.ok("False 5")
    assert positional(REQUEST.accept(), 5) == ToolResult.ok("True 5")


def test_answers_are_keyed_by_their_ids_and_handed_over_as_a_copy():
    seen: list[object] = []

    @tool_result
    def tool(answers: Mapping[str, Answer] | None = None) -> None:
        seen.append(answers)

    given = {"r1": REQUEST.accept()}
    assert tool(answers=given) == ToolResult()
    assert seen[0] == given
    assert seen[0] is not given
    assert tool(answers={"r2": REQUEST.accept()}).error_code == "answer"
    assert tool(answers=REQUEST.accept()).error_code == "answer"

    class Lying(dict):
        def values(self):
            return []

        def items(self):
            return []

    assert tool(answers=Lying(r1=True)).error_code == "answer"
    assert len(seen) == 1


Alias = Answer
Maybe = typing.NewType("Maybe", Answer)
Bound = typing.TypeVar("Bound", bound=Answer)
Several = typing.TypeVar("Several", str, Answer)
Lazy = TypeAliasType("Lazy", "Answer | None")
Broken = TypeAliasType("Broken", "Thing | None")
Item = typing.TypeVar("Item")
By = TypeAliasType("By", dict[str, Item], type_params=(Item,))


class Unready:
    """An alias of what is there for type checkers only."""

    @property
    def __value__(self):
        raise NameError("Thing")


class Endless:
    """An alias of itself."""

    @property
    def __value__(self):
        return self


def annotated(annotation):
    def tool(answer=None):
        return "RAN"

    tool.__annotations__ = {"answer": annotation}
    return tool_result(tool)


@pytest.mark.parametrize(
    "annotation",
    [
        Answer,
        typing.Optional["Answer"],
        typing.Union["Answer", None],
        typing.Annotated["Answer | None", "doc"],
        typing.Annotated[Answer, "doc"],
        typing.Mapping[str, "Answer"],
        dict[str, "Answer"],
        "Alias | None",
        "Nowhere | None",
        "typing.Optional['Answer']",
        Maybe,
        "Maybe | None",
        Bound,
        Several,
        Lazy,
        "Lazy",
        Broken,
        Unready(),
        By[Answer],
        list[Answer],
    ],
    ids=lambda annotation: str(annotation).partition(" at 0x")[0],
)
def test_every_way_to_name_an_answer_is_found(annotation):
    tool = annotated(annotation)
    assert str(inspect.signature(tool)) == "()"
    for forged in ({"id": "r1", "ok": True}, True, {}):
        outcome = tool(answer=forged)
        assert outcome.error_code == "answer" or (outcome.output == "RAN" and forged == {})


@pytest.mark.parametrize(
    "annotation",
    [
        typing.Annotated[str, "The Answer to send"],
        typing.Literal["Answer", "exit(3)"],
        "typing.Literal['Answer']",
        "typing.Annotated[str, 'boom()']",
        str,
        None,
        Endless(),
    ],
    ids=lambda annotation: str(annotation).partition(" at 0x")[0],
)
def test_what_only_mentions_an_answer_is_none(annotation):
    tool = annotated(annotation)
    assert list(inspect.signature(tool).parameters) == ["answer"]
    assert tool(answer="hi") == ToolResult.ok("RAN")


class Options(typing.TypedDict, total=False):
    answer: Answer | None


def test_any_number_of_answers_is_refused():
    def by_name(**answers: Answer):
        return answers

    def by_place(*answers: Answer):
        return answers

    def unpacked(**kwargs: Unpack[Options]):
        return kwargs

    for function, name in ((by_name, "answers"), (by_place, "answers"), (unpacked, "kwargs")):
        with pytest.raises(TypeError, match=f"^{name}: cannot take any number"):
            tool_result(function)


def test_names_where_a_tool_is_defined_are_known():
    Reply = Answer | None  # noqa: N806

    @tool_result
    def local(reply: Reply = None):
        return "RAN"

    @tool_result(max_chars=100)
    def with_options(reply: Reply = None):
        return "RAN"

    class Tools:
        from toolresult import Answer as Ans

        @tool_result
        def method(self, reply: Ans | None = None):
            return "RAN"

    for tool in (local, with_options, Tools().method):
        assert tool(reply={"ok": True}).error_code == "answer"


def test_no_answers_are_none():
    @tool_result
    def tool(answers: dict[str, Answer] | None = None):
        return REQUEST if answers is None else "RAN"

    assert tool(answers={}) == tool() == ToolResult.pending(REQUEST)


def test_a_preset_answer_counts():
    no = REQUEST.decline()

    def tool(answer: Answer | None = no):
        return f"RAN {answer.ok}"

    assert tool_result(tool)() == no.to_result()
    assert tool_result(functools.partial(tool, answer=REQUEST.accept()))() == ToolResult.ok("RAN True")
    assert tool_result(sees_declines=True)(tool)() == ToolResult.ok("RAN False")


def test_a_wrapper_around_an_asynchronous_function_is_asynchronous():
    async def later(x: int):
        return x

    @functools.wraps(later)
    def passing(*args, **kwargs):
        return later(*args, **kwargs)

    @functools.wraps(later)
    def running(*args, **kwargs):
        return 5

    assert asyncio.run(tool_result(passing)(3)) == ToolResult.of(3)
    assert asyncio.run(tool_result(running)(3)) == ToolResult.of(5)


def test_steering_passes_from_wherever_the_value_is_read():
    from langgraph.errors import GraphInterrupt

    interrupt = GraphInterrupt()

    class Row(dict):
        def items(self):
            raise interrupt

    def default(_):
        raise interrupt

    for tool in (tool_result(lambda: [Row(a=1)]), tool_result(default=default)(object)):
        with pytest.raises(GraphInterrupt):
            tool()
    broken = tool_result(lambda: [type("Row", (dict,), {"items": lambda self: 1 / 0})(a=1)])()
    assert broken.error_code == "conversion"


def test_a_parameter_behind_a_wrapper_is_found():
    def shown(x: int = 1):
        return x

    @functools.wraps(shown)
    def hidden(x: int = 1, answer: Answer | None = None):
        return f"RAN {answer}"

    cached = functools.lru_cache(refund_plainly)
    assert tool_result(hidden)(answer={"ok": True}).error_code == "answer"
    assert tool_result(cached)("7", answer=True).error_code == "answer"


def refund_plainly(order: str, answer: Answer | None = None) -> str:
    return "RAN"


def test_a_local_alias_is_found_by_the_usual_name():
    from toolresult import Answer as Local

    def tool(x: int, answer: Local | None = None):
        return "RAN"

    assert tool_result(tool)(1, answer={"ok": True}).error_code == "answer"


def test_what_a_tool_closes_over_may_be_bound_later():
    def tool(x: int = 1):
        return later + x

    wrapped = tool_result(tool)
    later = 5
    assert wrapped(2) == ToolResult.of(7)


def test_wrong_arguments_are_named():
    assert greet() == ToolResult.error("Wrong arguments: missing a required argument: 'name'.", code="arguments")
    assert greet("a", typo=1).output == "Wrong arguments: got an unexpected keyword argument 'typo'."
    assert refund(oops=1).error_code == "arguments"
    assert tool_result(raising(TypeError("SECRET")))() == ToolResult.error("TypeError")


def test_what_a_returned_generator_raises_counts_as_raised():
    from langgraph.errors import GraphInterrupt

    heard: list[Exception] = []

    def rows(error):
        yield 1
        raise error

    tool = tool_result(expose=[ValueError], on_exception=heard.append, passthrough=[KeyError])
    assert tool(rows)(ValueError("shown")) == ToolResult.error("ValueError: shown")
    assert tool(rows)(OSError("SECRET")) == ToolResult.error("OSError")
    assert tool(rows)(ToolError("no", code="c")) == ToolResult.error("no", code="c")
    assert [type(error) for error in heard] == [ValueError, OSError]
    for error in (KeyError("k"), GraphInterrupt()):
        with pytest.raises(type(error)):
            tool(rows)(error)
    assert tool(lambda: {"a": rows(Suspend(REQUEST))})() == ToolResult.pending(REQUEST)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"expose": ValueError}, TypeError),
        ({"expose": [ValueError("x")]}, TypeError),
        ({"passthrough": int}, TypeError),
        ({"passthrough": [int]}, TypeError),
        ({"on_exception": 5}, TypeError),
        ({"on_exception": asyncio.sleep}, TypeError),
        ({"passthrough": None}, TypeError),
        ({"default": 5}, TypeError),
        ({"max_chars": -1}, ValueError),
        ({"max_chars": "5"}, ValueError),
        ({"non_finite": "bogus"}, ValueError),
        ({"indent": "--"}, ValueError),
        ({"indent": 10**10}, ValueError),
    ],
    ids=str,
)
def test_options_are_looked_at_when_they_are_given(options, error):
    with pytest.raises(error, match=f"^{next(iter(options))}: "):
        tool_result(**options)


def test_exposed_classes_are_read_once():
    tool = tool_result(expose=iter([ValueError]))(raising(ValueError("why")))
    assert tool() == tool() == ToolResult.error("ValueError: why")


def test_max_chars_holds_for_a_refusal_too():
    @tool_result(max_chars=50)
    def tool(answer: Answer | None = None):
        return "x"

    assert len(tool(answer=REQUEST.decline("c" * 5000)).output) <= 50
    assert len(str(tool(wrong="c"))) <= 50


class Shifty(Exception):  # noqa: N818
    """Says that it is of another class."""

    @property
    def __class__(self):
        return ToolError


class MuteError(ToolError):
    def __init__(self):
        pass


class MuteSuspend(Suspend):
    def __init__(self):
        pass


@pytest.mark.parametrize(
    ("error", "output"),
    [
        (Shifty("SECRET"), "Shifty"),
        (MuteError(), "MuteError"),
        (ToolError(123), "123"),
        (ToolError(ValueError("x")), "x"),
        (ToolError("x", code=5, retryable=1), "x"),
        (ToolError("x", parts=["a"]), "x"),
        (ToolError("x", result=ToolResult.ok("fine")), "x"),
        (MuteSuspend(), "MuteSuspend"),
        (Suspend("x"), "Suspend"),
        (ExceptionGroup("g", [ToolError(123)]), "123"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_mistakes_in_what_is_raised_are_error_results(error, output):
    result = tool_result(raising(error))()
    assert (result.is_error, result.is_pending, result.output) == (True, False, output)


def test_names_of_the_author_do_not_reach_the_wrapper():
    names: dict[str, object] = {"BaseException": int, "__builtins__": {}}
    exec("def tool(): return 1 / 0", names)
    assert tool_result(names["tool"])() == ToolResult.error("ZeroDivisionError")


class Unfriendly:
    def __getattr__(self, name):
        raise RuntimeError("SECRET")

    def __call__(self, x: int = 1):
        return x


def test_any_callable_can_be_a_tool():
    assert tool_result(Unfriendly())(2) == ToolResult.of(2)
    assert tool_result(dict.get)({"a": 1}, "a") == ToolResult.of(1)
    assert tool_result(functools.partialmethod(Unfriendly.__call__).func)(Unfriendly(), 3) == ToolResult.of(3)
    twice = tool_result(refund)
    assert twice("7", answer={"ok": True}).error_code == "answer"
    assert twice("7", answer=REQUEST.accept()) == ToolResult.ok("refunded 7")


def test_a_parameter_is_found_by_its_annotation():
    def unresolvable(x: Thing | Answer | None = None, y: Thing | None = None):
        return x

    def qualified(reply: toolresult.Answer | None = None, *args: int, **kwargs: int):
        return reply

    def wrapped(reply: typing.Annotated[Answer | None, "doc"] = None):
        return reply

    assert list(inspect.signature(tool_result(unresolvable)).parameters) == ["y"]
    assert list(inspect.signature(tool_result(qualified)).parameters) == ["args", "kwargs"]
    assert list(inspect.signature(tool_result(wrapped)).parameters) == []

    def required(answer: Answer):
        return answer

    def two(a: Answer | None = None, b: Answer | None = None):
        return a, b

    for function, name in ((required, "answer"), (two, "b")):
        with pytest.raises(TypeError, match=f"^{name}: "):
            tool_result(function)


def test_the_root_hands_it_out():
    assert toolresult.tool_result is tool_result


STRANDS = """
from strands.interrupt import Interrupt, InterruptException
from toolresult import tool_result

interrupt = InterruptException(Interrupt(id="i", name="n"))

@tool_result
def tool():
    raise interrupt

try:
    tool()
except InterruptException as error:
    assert error is interrupt
    print("passed")
"""


def test_strands_steers_its_loop():
    python = os.environ.get("STRANDS_PYTHON")
    if not python:
        pytest.skip("STRANDS_PYTHON does not name an interpreter with strands-agents")
    environment = {**os.environ, "PYTHONPATH": str(Path(toolresult.__file__).parent.parent)}
    done = subprocess.run([python, "-c", STRANDS], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "passed\n", done.stderr
