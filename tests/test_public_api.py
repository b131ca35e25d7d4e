"""The public face: its names, and the manners that every public class has."""

from __future__ import annotations

import ast
import inspect
import pickle
import types
import typing
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import pytest

import toolresult
from toolresult import Answer, ContentPart, Request, Suspend, ToolError, ToolResult, ToolResultError

NAMES = [
    "Answer",
    "AnswerError",
    "ContentPart",
    "ContentPartError",
    "ConversionError",
    "DecodeError",
    "EncodeError",
    "LossError",
    "PendingResultError",
    "Request",
    "Suspend",
    "ToolError",
    "ToolResult",
    "ToolResultError",
    "match_answers",
    "tool_result",
]

VALUES = [
    pytest.param(ToolResult("text", metadata={"k": 1}), id="ToolResult"),
    pytest.param(ContentPart.from_text("text", name="a"), id="ContentPart"),
    pytest.param(Request("question", "Which?", id="a:1"), id="Request"),
    pytest.param(Answer("a:1", True, data=[1]), id="Answer"),
]
VALUE_CLASSES = [ToolResult, ContentPart, Request, Answer]
CLASSES = [getattr(toolresult, name) for name in NAMES if name not in ("match_answers", "tool_result")]

# Frameworks and engines dispatch on these names.
FORBIDDEN = ["to_dict", "dict", "model_dump", "_asdict", "get_secret_value", "__json__"]

each_value = pytest.mark.parametrize("value", VALUES)
each_value_class = pytest.mark.parametrize("cls", VALUE_CLASSES, ids=lambda cls: cls.__name__)
each_class = pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)


def test_all_lists_exactly_the_public_names_in_order():
    assert toolresult.__all__ == NAMES
    assert sorted(NAMES) == NAMES


def test_all_names_exactly_what_the_root_re_exports():
    tree = ast.parse(Path(toolresult.__file__).read_text(encoding="utf-8"))
    imported = [
        (alias.name, alias.asname)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module not in ("__future__", "typing") and node.names[0].asname
        for alias in node.names
    ]
    assert sorted(imported) == [(name, name) for name in toolresult.__all__]


def test_a_star_import_gives_exactly_the_public_names():
    namespace: dict[str, object] = {}
    exec("from toolresult import *", namespace)
    assert sorted(namespace.keys() - {"__builtins__"}) == NAMES


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="typo"):
        toolresult.typo  # noqa: B018 - the access is the test


@pytest.mark.parametrize("module", [toolresult, toolresult.errors], ids=lambda module: module.__name__)
def test_all_of_a_public_module_is_sorted_and_there(module):
    assert module.__all__ == sorted(module.__all__)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    assert module.__doc__


@each_class
def test_a_public_class_has_a_docstring_of_its_own(cls):
    docstring = vars(cls)["__doc__"]
    assert docstring
    assert not docstring.startswith(f"{cls.__name__}(")  # what a dataclass without one is given


@each_class
def test_every_public_member_of_a_class_has_a_docstring(cls):
    members = [name for name, member in vars(cls).items() if is_documented_member(name, member)]
    assert [name for name in members if not inspect.getdoc(getattr(cls, name))] == []


def is_documented_member(name: str, member: object) -> bool:
    return not name.startswith("_") and isinstance(member, (types.FunctionType, classmethod, property))


def test_every_field_of_a_value_has_a_docstring_under_it():
    documented = {
        (node.name, statement.target.id)
        for module in ("_result", "_content", "_suspension")
        for node in ast.parse((Path(toolresult.__file__).parent / f"{module}.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
        for statement, after in zip(node.body, node.body[1:], strict=False)
        if isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
    }
    assert documented == {(cls.__name__, field.name) for cls in VALUE_CLASSES for field in fields(cls)}


@pytest.mark.parametrize(
    ("cls", "hints"),
    [
        pytest.param(
            ToolResult,
            {
                "output": str,
                "is_error": bool,
                "parts": tuple[ContentPart, ...] | None,
                "metadata": Mapping[str, Any] | None,
            },
            id="ToolResult",
        ),
        pytest.param(
            ContentPart,
            {
                "type": str,
                "text": str | None,
                "mime_type": str | None,
                "data": bytes | None,
                "url": str | None,
                "file_id": str | None,
                "name": str | None,
                "metadata": Mapping[str, Any] | None,
                "raw": Mapping[str, Any] | None,
            },
            id="ContentPart",
        ),
        pytest.param(
            Request,
            {
                "kind": str,
                "prompt": str,
                "id": str,
                "url": str | None,
                "data": Mapping[str, Any] | None,
                "expires_at": datetime | None,
            },
            id="Request",
        ),
        pytest.param(
            Answer,
            {
                "id": str,
                "ok": bool,
                "data": Any,
                "reason": Literal["declined", "cancelled", "expired"] | None,
            },
            id="Answer",
        ),
    ],
)
def test_type_hints_of_a_value_are_those_of_its_fields(cls, hints):
    assert typing.get_type_hints(cls) == hints


@each_class
def test_type_hints_of_a_public_class_resolve(cls):
    typing.get_type_hints(cls)


@each_value_class
def test_type_hints_of_a_constructor_resolve(cls):
    hints = typing.get_type_hints(cls.__init__)
    assert list(hints) == [*(field.name for field in fields(cls)), "return"]


@pytest.mark.parametrize(
    ("cls", "name"),
    [(cls, name) for cls in VALUE_CLASSES for name, member in vars(cls).items() if isinstance(member, classmethod)],
    ids=lambda part: part if isinstance(part, str) else part.__name__,
)
def test_type_hints_of_a_class_method_resolve(cls, name):
    hints = typing.get_type_hints(getattr(cls, name))
    if name != "__init_subclass__":
        assert hints["return"] is cls


@each_value_class
def test_a_value_type_is_final_at_run_time(cls):
    with pytest.raises(TypeError, match=cls.__name__):
        type("Derived", (cls,), {})
    assert cls.__final__ is True


@each_value
@pytest.mark.parametrize("name", ["typo", "__dict__", "__class__", "_private"])
def test_an_unknown_attribute_is_neither_set_nor_deleted(value, name):
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, 1)
    with pytest.raises(FrozenInstanceError):
        delattr(value, name)


@each_value
def test_a_known_attribute_is_neither_set_nor_deleted(value):
    before = repr(value)
    members = [name for name in dir(type(value)) if not name.startswith("__")]
    assert {field.name for field in fields(value)} <= set(members)
    for name in members:
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, getattr(value, name))
        with pytest.raises(FrozenInstanceError):
            delattr(value, name)
    assert repr(value) == before


@each_value
def test_a_value_is_slotted(value):
    assert not hasattr(value, "__dict__")
    assert type(value).__slots__ == tuple(field.name for field in fields(value))


@each_class
@pytest.mark.parametrize("name", FORBIDDEN)
def test_no_class_has_a_name_that_frameworks_dispatch_on(cls, name):
    assert not hasattr(cls, name)


def test_a_result_has_no_text():
    assert not hasattr(ToolResult, "text")
    assert not hasattr(ToolResult(), "text")


@pytest.mark.parametrize(
    ("thing", "path"),
    [
        pytest.param(ToolResult, "toolresult._result.ToolResult", id="ToolResult"),
        pytest.param(ContentPart, "toolresult._content.ContentPart", id="ContentPart"),
        pytest.param(Request, "toolresult._suspension.Request", id="Request"),
        pytest.param(Answer, "toolresult._suspension.Answer", id="Answer"),
    ],
)
def test_the_path_of_a_value_class_never_moves(thing, path):
    assert f"{thing.__module__}.{thing.__qualname__}" == path


@each_value
def test_a_pickle_names_the_rebuild_function_that_never_moves(value):
    rebuild, (cls, state) = value.__reduce__()
    assert f"{rebuild.__module__}.{rebuild.__qualname__}" == "toolresult._frozen.rebuild"
    assert cls is type(value)
    assert type(state) is dict
    assert pickle.loads(pickle.dumps(value)) == value


def test_errors_of_the_library_have_one_root_and_those_of_authors_stand_apart():
    outside = {cls for cls in CLASSES if issubclass(cls, BaseException) and not issubclass(cls, ToolResultError)}
    assert outside == {ToolError, Suspend}
    assert issubclass(ToolError, Exception)
    assert not issubclass(Suspend, Exception)
