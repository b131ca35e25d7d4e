"""The published strategies: valid values only, every corner, small when shrunk, and known to Hypothesis."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from toolresult import Answer, ContentPart, Request, ToolResult, _hypothesis, strategies

SEARCH = settings(max_examples=5_000, database=None, deadline=None, phases=[Phase.generate, Phase.shrink])
QUICK = settings(max_examples=100, database=None, deadline=None, suppress_health_check=list(HealthCheck))


def example_of(strategy, condition):
    return find(strategy, condition, settings=SEARCH)


@pytest.mark.parametrize(
    ("strategy", "cls"),
    [
        (strategies.tool_results(), ToolResult),
        (strategies.tool_results(metadata="python", raw=True, surrogates=True), ToolResult),
        (strategies.tool_results(metadata=None, value=False, parts=st.nothing()), ToolResult),
        (strategies.content_parts(raw=True, metadata="python", surrogates=True), ContentPart),
        (strategies.requests(), Request),
        (strategies.answers(), Answer),
    ],
    ids=["results", "wild results", "plain results", "parts", "requests", "answers"],
)
def test_every_value_is_valid_and_is_itself_when_built_again(strategy, cls):
    @QUICK
    @given(strategy)
    def check(value):
        assert type(value) is cls
        fields = {name: getattr(value, name) for name in cls.__dataclass_fields__}
        assert cls(**fields) == value

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
    ],
)
def test_results_reach_every_corner(condition):
    assert condition(example_of(strategies.tool_results(), condition))


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


def test_an_unknown_kind_is_drawn_only_when_asked_for():
    assert example_of(strategies.content_parts(raw=True), lambda part: part.raw).raw


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
        lambda: strategies.tool_results(states=["done"]),
    ],
    ids=["type", "source", "state"],
)
def test_a_switch_with_an_unknown_word_is_a_value_error(make):
    with pytest.raises(ValueError, match="unknown"):
        make()


def test_the_smallest_values_are_small():
    assert example_of(strategies.content_parts(), lambda _: True) == ContentPart.from_text("")
    assert example_of(strategies.tool_results(), lambda r: r.is_error) == ToolResult.error("")
    assert example_of(strategies.answers(), lambda a: a.ok).data is None


@pytest.mark.parametrize("cls", [ToolResult, ContentPart, Request, Answer])
def test_the_hook_registers_a_strategy_for_each_type(cls):
    _hypothesis.register()
    assert type(example_of(st.from_type(cls), lambda _: True)) is cls


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
