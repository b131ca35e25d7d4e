"""The published strategies: valid values only, every corner, small when shrunk, and known to Hypothesis."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from toolresult import Answer, ContentPart, Request, ToolResult, _hypothesis, strategies

SEARCH = settings(
    max_examples=5_000, database=None, deadline=None, derandomize=True, phases=[Phase.generate, Phase.shrink]
)
# How fast the machine is says nothing about a strategy; every other complaint of Hypothesis is one of its users too.
QUICK = settings(
    max_examples=100, database=None, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


def example_of(strategy, condition):
    return find(strategy, condition, settings=SEARCH)


def fields_of(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}


def walk(value: Any) -> Iterator[Any]:
    """Everything below a value: fields of ours, keys and members."""
    yield value
    if type(value) in (ToolResult, ContentPart, Request, Answer):
        below = list(fields_of(value).values())
    elif isinstance(value, dict):
        below = [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        below = list(value)
    else:
        below = []
    for each in below:
        yield from walk(each)


def has_surrogates(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


@pytest.mark.parametrize(
    ("strategy", "cls"),
    [
        (strategies.tool_results(), ToolResult),
        (strategies.tool_results(metadata="python", raw=True, surrogates=True), ToolResult),
        (strategies.tool_results(metadata=None, value=False, parts=st.nothing()), ToolResult),
        (strategies.content_parts(), ContentPart),
        (strategies.content_parts(raw=True, metadata="python", surrogates=True), ContentPart),
        (strategies.requests(), Request),
        (strategies.answers(), Answer),
    ],
    ids=["results", "wild results", "plain results", "parts", "wild parts", "requests", "answers"],
)
def test_every_value_is_valid_and_is_itself_when_built_again(strategy, cls):
    @QUICK
    @given(strategy)
    def check(value):
        assert type(value) is cls
        assert cls(**fields_of(value)) == value

    check()


@pytest.mark.parametrize(
    "strategy",
    [
        strategies.tool_results(),
        strategies.content_parts(),
        strategies.requests(),
        strategies.answers(),
        strategies.json_values(),
    ],
    ids=["results", "parts", "requests", "answers", "JSON values"],
)
def test_without_switches_values_hold_json_types_and_valid_unicode_only(strategy):
    ours = {"ToolResult", "ContentPart", "Request", "Answer"}
    json_types = {"NoneType", "bool", "int", "float", "str", "dict", "list", "FrozenDict", "FrozenList"}

    @QUICK
    @given(strategy)
    def check(value):
        for each in walk(value):
            if type(each) in (ToolResult, Request, ContentPart):
                continue
            assert type(each).__name__ in ours | json_types | {"tuple", "bytes", "datetime"}
            assert not (isinstance(each, str) and has_surrogates(each))
            assert each == each  # noqa: PLR0124 - NaN is not
        held = value.data if isinstance(value, (Request, Answer)) else getattr(value, "metadata", None)
        free = {name: each for name, each in held.items() if name != "pending"} if isinstance(held, dict) else held
        assert {type(each).__name__ for each in walk(free)} <= json_types

    check()


@pytest.mark.parametrize(
    ("condition"),
    [
        lambda r: r.is_pending and r.request.data,
        lambda r: r.is_error and not r.is_pending and r.error_code and r.is_retryable,
        lambda r: r.output == "" and r.is_done,
        lambda r: r.value == 0 and r.is_derived,
        lambda r: r.mime_type == "text/tab-separated-values" and r.parts is None,
        lambda r: r.parts and len(r.parts) == 2 and len(r.content) == 3,
        lambda r: r.parts and len(r.content) == 1 and r.content[0] not in r.parts,
        lambda r: any(p.url for p in r.parts or ()),
        lambda r: any(p.file_id for p in r.parts or ()),
        lambda r: any(p.type == "video" and p.data for p in r.parts or ()),
        lambda r: r.metadata and any(type(v).__name__ == "FrozenList" for v in r.metadata.values()),
        lambda r: not r.output.isprintable(),
        lambda r: r.error_message and r.parts,
        lambda r: r.error_message and r.value is not None,
        lambda r: r.is_error and r.output.startswith("[tool error] "),
        lambda r: r.error_message == "",
        lambda r: r.parts and r.output.isspace() and not r.is_error,
        lambda r: r.value is not None and r.output and not r.is_derived and r.mime_type is None,
        lambda r: r.is_pending and len(r.metadata) > 1,
        lambda r: r.is_pending and r.request.url,
        lambda r: r.parts and 0 < sum(part in r.content for part in r.parts) < len(r.parts),
    ],
    ids=[
        "a question with data",
        "an error with a code",
        "nothing to say",
        "a falsy value",
        "a table",
        "text and two parts",
        "nothing for the model",
        "a URL",
        "a file id",
        "data",
        "nested metadata",
        "control characters",
        "an error with parts",
        "an error with a value",
        "an error that is marked already",
        "an error without a word",
        "blank output with parts",
        "a value behind other text",
        "a question with metadata",
        "a question with a URL",
        "parts for the model beside others",
    ],
)
def test_results_reach_every_corner(condition):
    assert condition(example_of(strategies.tool_results(), condition))


@pytest.mark.parametrize(
    "condition",
    [
        lambda p: p.type == "text" and p.mime_type is None and p.text == "",
        lambda p: p.type == "text" and p.mime_type == "application/json",
        lambda p: p.data == b"",
        lambda p: p.type == "file" and p.mime_type == "application/octet-stream",
        lambda p: p.url and p.mime_type is None,
        lambda p: p.url and "?" in p.url,
        lambda p: p.url and not p.url.startswith("http"),
        lambda p: p.file_id and p.metadata and "provider" in p.metadata,
        lambda p: p.name and p.name.startswith("../"),
        lambda p: p.name == "",
        lambda p: p.name and p.safe_name != p.name,
        lambda p: p.metadata and p.metadata.get("audience") == ["user"],
        lambda p: p.metadata and p.metadata.get("audience") == [],
    ],
    ids=[
        "empty text",
        "JSON text",
        "no bytes",
        "unknown bytes",
        "a URL of unknown type",
        "a query",
        "a bucket",
        "an owned file id",
        "a name that leads away",
        "an empty name",
        "an unsafe name",
        "for the user",
        "for nobody",
    ],
)
def test_parts_reach_every_corner(condition):
    assert condition(example_of(strategies.content_parts(), condition))


@pytest.mark.parametrize("source", ["data", "url", "file_id"])
@pytest.mark.parametrize("kind", ["image", "audio", "video", "file"])
def test_every_type_comes_from_every_source(kind, source):
    found = example_of(strategies.content_parts(), lambda p: p.type == kind and getattr(p, source) is not None)
    assert (found.type, found.metadata, found.name) == (kind, None, None)


@pytest.mark.parametrize("kind", [tuple, bytes, frozenset, datetime], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("strategy", [strategies.tool_results, strategies.content_parts])
def test_metadata_holds_other_types_only_when_asked_to(strategy, kind):
    def condition(value):
        return any(type(each) is kind for each in walk(value.metadata))

    assert condition(example_of(strategy(metadata="python"), condition))


@pytest.mark.parametrize(
    "condition",
    [
        lambda q: q.data and q.data.get("arguments") == {},
        lambda q: q.data and q.data.get("arguments"),
        lambda q: q.data and "schema" in q.data,
        lambda q: q.data and q.data.get("options"),
        lambda q: q.data is None and q.url is None and q.expires_at is None,
        lambda q: q.is_expired(datetime(2020, 1, 1, tzinfo=UTC)),
        lambda q: q.expires_at and not q.is_expired(datetime(2100, 1, 1, tzinfo=UTC)),
        lambda q: q.kind not in ("approval", "authorization", "input", "question"),
        lambda q: not q.prompt,
        lambda q: len(q.id) > 20,
    ],
    ids=[
        "no arguments",
        "arguments",
        "a schema",
        "options",
        "nothing but a prompt",
        "long expired",
        "not yet expired",
        "another kind",
        "no prompt",
        "a long id",
    ],
)
def test_requests_reach_every_corner(condition):
    assert condition(example_of(strategies.requests(), condition))


@pytest.mark.parametrize(
    "condition",
    [
        lambda a: a.ok and type(a.data) is bool and not a.data,
        lambda a: a.ok and a.data == "",
        lambda a: a.ok and a.data == [],
        lambda a: a.reason == "declined" and a.data,
        lambda a: a.reason == "cancelled",
        lambda a: a.reason == "expired",
        lambda a: not a.ok and a.reason is None,
    ],
    ids=["False", "empty text", "empty list", "declined with a comment", "cancelled", "expired", "no reason"],
)
def test_answers_reach_every_corner(condition):
    assert condition(example_of(strategies.answers(), condition))


@pytest.mark.parametrize(
    "condition",
    [
        lambda v: v is None,
        lambda v: v is False,
        lambda v: type(v) is int and abs(v) > 2**64,
        lambda v: type(v) is float and v % 1,
        lambda v: type(v) is str and not v.isprintable(),
        lambda v: v == {},
        lambda v: type(v) is dict and "" in v,
        lambda v: type(v) is list and any(type(w) is dict and [] in w.values() for w in v),
    ],
    ids=["null", "false", "a big integer", "a fraction", "control characters", "no keys", "an empty key", "nesting"],
)
def test_json_values_reach_every_corner(condition):
    assert condition(example_of(strategies.json_values(), condition))


@pytest.mark.parametrize("state", ["ok", "error", "pending"])
def test_the_state_of_results_can_be_chosen(state):
    @QUICK
    @given(strategies.tool_results(states=[state]))
    def check(result):
        assert (result.is_error, result.is_pending) == (state != "ok", state == "pending")

    check()


def test_types_and_sources_of_parts_can_be_chosen():
    @QUICK
    @given(strategies.content_parts(types=["audio"], sources=["url"], metadata=None))
    def check(part):
        assert (part.type, part.data, part.file_id, part.metadata) == ("audio", None, None, None)
        assert part.url

    check()


def test_results_can_be_without_parts_values_and_metadata():
    @QUICK
    @given(strategies.tool_results(states=["ok"], parts=st.nothing(), value=False, metadata=None))
    def check(result):
        assert result == ToolResult(result.output)

    check()


def test_the_parts_of_results_can_be_chosen():
    chosen = [ContentPart.image(b"\x89PNG\r\n\x1a\n"), ContentPart.from_file_id("file-1", type="file")]

    @QUICK
    @given(strategies.tool_results(parts=st.sampled_from(chosen)))
    def check(result):
        assert set(result.parts or ()) <= set(chosen)

    check()


def test_a_result_without_a_value_has_none_whatever_its_parts():
    @QUICK
    @given(strategies.tool_results(value=False, parts=st.just(ContentPart.json([1]))))
    def check(result):
        assert result.value is None

    check()


def test_parts_are_no_larger_than_asked_for():
    @QUICK
    @given(strategies.content_parts(max_size=4, surrogates=True))
    def check(part):
        assert len(part.data or b"") <= 4
        assert len(part.text or "") <= 4

    check()


def test_surrogates_are_drawn_only_when_asked_for():
    results = strategies.tool_results(surrogates=True)
    assert has_surrogates(example_of(results, lambda result: has_surrogates(result.output)).output)
    parts = strategies.content_parts(surrogates=True)
    assert has_surrogates(example_of(parts, lambda part: has_surrogates(part.text or "")).text)


def test_an_unknown_kind_is_drawn_only_when_asked_for():
    assert example_of(strategies.content_parts(raw=True), lambda part: part.raw).raw == {"": None}

    @QUICK
    @given(strategies.content_parts())
    def check(part):
        assert part.raw is None

    check()


@pytest.mark.parametrize("bound", [True, False])
def test_requests_can_bind_arguments_or_not(bound):
    @QUICK
    @given(strategies.requests(bound=bound, expires=bound))
    def check(request):
        assert ("arguments" in (request.data or {})) is bound
        assert (request.expires_at is not None) is bound

    check()


@pytest.mark.parametrize("ok", [True, False])
def test_answers_can_be_to_one_request_and_one_way(ok):
    request = Request.approval("Go on?")

    @QUICK
    @given(strategies.answers(to=request, ok=ok))
    def check(answer):
        assert request.check(answer) is answer
        assert answer.ok is ok

    check()


def test_json_values_may_hold_lone_surrogates_only_when_asked_to():
    found = example_of(strategies.json_values(surrogates=True), lambda v: isinstance(v, str) and "\udcff" in v)
    assert found == "\udcff"


@pytest.mark.parametrize(
    "make",
    [
        lambda: strategies.content_parts(types=["hologram"]),
        lambda: strategies.content_parts(sources=["path"]),
        lambda: strategies.content_parts(metadata="Json"),
        lambda: strategies.tool_results(states=["done"]),
        lambda: strategies.tool_results(metadata="Json"),
        lambda: strategies.tool_results(states="ok"),
    ],
    ids=["type", "source", "metadata of a part", "state", "metadata of a result", "text for a collection"],
)
def test_a_switch_with_an_unknown_word_is_a_value_error(make):
    with pytest.raises(ValueError, match="unknown"):
        make()


EMPTY = ContentPart.from_text("")
ASKED = Request("approval", "", id="0")


@pytest.mark.parametrize(
    ("strategy", "condition", "smallest"),
    [
        (strategies.tool_results(), lambda _: True, ToolResult.ok()),
        (strategies.tool_results(), lambda r: r.is_error, ToolResult.error("")),
        (strategies.tool_results(), lambda r: r.is_pending, ToolResult.pending(ASKED)),
        (strategies.tool_results(), lambda r: len(r.parts or ()) == 2, ToolResult(parts=[EMPTY, EMPTY])),
        (strategies.tool_results(), lambda r: "pending" not in (r.metadata or {"pending": 0}), ToolResult.json(None)),
        (strategies.content_parts(), lambda _: True, EMPTY),
        (
            strategies.content_parts(),
            lambda p: p.type == "image",
            ContentPart("image", data=b"", mime_type="image/png"),
        ),
        (strategies.content_parts(types=["file"]), lambda p: p.url, ContentPart("file", url="https://0.test")),
        (strategies.content_parts(types=["file"]), lambda p: p.file_id, ContentPart("file", file_id="0")),
        (strategies.requests(), lambda _: True, ASKED),
        (strategies.requests(bound=True), lambda _: True, Request.approval("", arguments={}, id="0")),
        (
            strategies.requests(expires=True),
            lambda _: True,
            Request("approval", "", id="0", expires_at=datetime(2000, 1, 1, tzinfo=UTC)),
        ),
        (strategies.answers(ok=True), lambda _: True, ASKED.accept()),
        (strategies.answers(), lambda a: not a.ok, ASKED.decline()),
        (strategies.json_values(), lambda _: True, None),
        (strategies.json_values(), lambda v: type(v) is list and len(v) > 1, [None, None]),
        (strategies.json_values(), lambda v: type(v) is dict and v, {"": None}),
    ],
    ids=[
        "a result",
        "an error",
        "a question",
        "a result with parts",
        "a result with metadata",
        "a part",
        "an image",
        "a URL",
        "a file id",
        "a request",
        "a request that binds",
        "a request that expires",
        "a yes",
        "a no",
        "a JSON value",
        "a list",
        "an object",
    ],
)
def test_values_shrink_to_the_smallest(strategy, condition, smallest):
    assert example_of(strategy, condition) == smallest


@pytest.mark.parametrize(
    "strategy",
    [
        strategies.tool_results(metadata="python", raw=True, surrogates=True),
        strategies.content_parts(metadata="python", raw=True, surrogates=True),
        strategies.requests(),
        strategies.answers(),
        strategies.json_values(),
    ],
    ids=["results", "parts", "requests", "answers", "JSON values"],
)
def test_a_strategy_is_shown_in_a_few_lines(strategy):
    """Hypothesis prints the strategy when drawing fails, and warns of one that takes over 30,000 characters."""
    example_of(strategy, lambda _: True)
    assert len(repr(strategy)) < 2_000


@pytest.mark.parametrize("cls", [ToolResult, ContentPart, Request, Answer])
def test_the_hook_registers_a_strategy_for_each_type(cls):
    _hypothesis.register()
    assert type(example_of(st.from_type(cls), lambda _: True)) is cls


@dataclass
class Step:
    call_id: str
    result: ToolResult
    question: Request | None = None


@pytest.mark.parametrize(
    ("annotation", "classes"),
    [
        (list[ToolResult], (ToolResult,)),
        (dict[str, Answer], (Answer,)),
        (ToolResult | None, (ToolResult, type(None))),
        (tuple[ContentPart, Request], (ContentPart, Request)),
        (Step, (ToolResult, Request, type(None))),
    ],
    ids=["a list", "a mapping", "an option", "a pair", "a dataclass"],
)
def test_the_types_can_stand_inside_others(annotation, classes):
    @QUICK
    @given(st.from_type(annotation))
    def check(value):
        if isinstance(value, Step):
            members = [value.result, value.question]
        elif isinstance(value, dict):
            members = list(value.values())
        else:
            members = list(value) if isinstance(value, (list, tuple)) else [value]
        assert {type(member) for member in members} <= set(classes)

    check()


def test_a_registered_strategy_is_the_published_one_and_not_what_hypothesis_would_guess():
    assert example_of(st.from_type(ToolResult), lambda result: result.is_pending) == ToolResult.pending(ASKED)
    assert example_of(st.from_type(ContentPart), lambda part: part.file_id).file_id == "0"


def test_a_project_that_imports_no_strategies_gets_them_by_annotation():
    script = """
        from hypothesis import find, given, settings, strategies as st
        from toolresult import ToolResult
        seen = set()
        @settings(max_examples=200, database=None)
        @given(...)
        def check(result: ToolResult):
            seen.add((result.is_error, result.is_pending, result.parts is None))
        check()
        print(len(seen))
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) >= 5


def test_a_hook_that_fails_breaks_no_import_of_hypothesis(monkeypatch):
    monkeypatch.setitem(sys.modules, "toolresult._result", None)
    _hypothesis.register()


def test_without_hypothesis_the_error_says_what_to_install():
    script = """
        import sys
        sys.modules["hypothesis"] = None
        try:
            import toolresult.strategies
        except ModuleNotFoundError as error:
            print(error.name, "pip install hypothesis" in str(error))
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "HYPOTHESIS_NO_PLUGINS": "1"},
    )
    assert run.stdout.split() == ["hypothesis", "True"]


def test_a_broken_hypothesis_keeps_its_own_error():
    script = """
        import sys, importlib.abc
        class Broken(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path=None, target=None):
                if name == "hypothesis":
                    raise ModuleNotFoundError("no sortedcontainers", name="sortedcontainers")
        sys.meta_path.insert(0, Broken())
        try:
            import toolresult.strategies
        except ModuleNotFoundError as error:
            print(error.name)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.split() == ["sortedcontainers"]
