"""The layers of the package: what each module may import, read from its source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "toolresult"

LAYERS = {
    "errors": 0,
    "_frozen": 0,
    "_json": 0,
    "_foreign": 0,
    "_media": 0,
    "_text": 0,
    "_data_url": 0,
    "_rfc3339": 0,
    "_drawn": 0,
    "_files": 0,
    "_signatures": 0,
    "_pattern": 0,
    "_pattern_syntax": 0,
    "_flat_schema": 0,
    "_formats": 0,
    "_pixels": 0,
    "_source": 1,
    "_portable": 1,
    "_content": 2,
    "_suspension": 2,
    "_result": 3,
    "__init__": 4,
    "convert": 4,
    "_clip": 4,
    "_lift": 4,
    "_raised": 4,
    "_mcp": 4,
    "_mcp_access": 4,
    "_mcp_reading": 4,
    "_decorator": 4,
    "_answers": 4,
    "_answer_data": 4,
    "_rich_schema": 4,
    "_returned": 4,
    "render": 4,
    "wire": 4,
    "_encode": 4,
    "_decode": 4,
    "_redacted": 4,
    "_pydantic": 4,
    "_schema": 4,
    "_wire_types": 4,
    "adapters/__init__": 5,
    "adapters/_capabilities": 5,
    "adapters/_limits": 5,
    "adapters/_mcp_ask": 5,
    "adapters/_mcp_blocks": 5,
    "adapters/_mcp_forms": 5,
    "adapters/_reading": 5,
    "adapters/_structured": 5,
    "adapters/_turn": 5,
    "adapters/anthropic": 5,
    "adapters/bedrock": 5,
    "adapters/cohere": 5,
    "adapters/gemini": 5,
    "adapters/gemini_interactions": 5,
    "adapters/mistral": 5,
    "adapters/ollama": 5,
    "adapters/mcp": 5,
    "adapters/openai_chat": 5,
    "adapters/openai_responses": 5,
    "adapters/_mcp_tool": 6,
    "strategies": 6,
    "_hypothesis": 6,
}
"""The layer of every module, by its path below the package. An adapter is `adapters/<name>`, in layer 5."""

FIRST_WITH_FRAMEWORKS = 4
"""From this layer on a function may import somebody else's package."""
ADAPTERS = 5
"""One adapter knows nothing of another; what they share is in a module with an underscore."""
TOP = 6
"""The one layer that is written for a framework, and imports it."""


class Imports(ast.NodeVisitor):
    """The imports of a module, each with its line, its dotted target and the functions and classes around it."""

    def __init__(self) -> None:
        self.around: list[ast.AST] = []
        self.found: list[tuple[int, str, tuple[ast.AST, ...]]] = []

    def visit_Import(self, node: ast.Import) -> None:
        self.found.extend((node.lineno, alias.name, tuple(self.around)) for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        origin = "." * node.level + (node.module or "")
        self.found.extend((node.lineno, f"{origin}.{alias.name}", tuple(self.around)) for alias in node.names)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for statement in node.orelse:
                self.visit(statement)
        else:
            self.generic_visit(node)

    def visit_scope(self, node: ast.AST) -> None:
        self.around.append(node)
        self.generic_visit(node)
        self.around.pop()

    visit_ClassDef = visit_FunctionDef = visit_AsyncFunctionDef = visit_scope  # noqa: N815 - names of `ast`


def is_in_function(around: tuple[ast.AST, ...]) -> bool:
    return any(isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) for node in around)


def is_in_short_method(around: tuple[ast.AST, ...]) -> bool:
    """Say whether an import stands in a method that does nothing but import and then hand over.

    Before that it may return, where there is nothing to hand over.
    """
    if len(around) != 2 or not isinstance(around[0], ast.ClassDef) or not isinstance(around[1], ast.FunctionDef):
        return False
    method = around[1]
    statements = method.body[1:] if ast.get_docstring(method) is not None else method.body
    if isinstance(statements[0], ast.If) and isinstance(statements[0].body[0], ast.Return):
        statements = statements[1:]
    return len(statements) == 2 and isinstance(statements[1], (ast.Return, ast.Expr))


def violations(module: str, source: str, layers: dict[str, int]) -> Iterator[str]:
    """Name every import in the source of a module that its layer does not allow."""
    layer = layers[module]
    imports = Imports()
    imports.visit(ast.parse(source))
    for line, target, around in imports.found:
        problem = problem_with(module, layer, target, around, layers)
        if problem:
            yield f"{module}.py:{line}: imports {target}: {problem}"


def imported_module(target: str, layers: dict[str, int]) -> str | None:
    """Find the module of ours that a dotted target is, or is in."""
    path = target.partition(".")[2].replace(".", "/")
    return next((known for known in (path, path.rpartition("/")[0]) if known in layers), None)


def problem_with(
    module: str, layer: int, target: str, around: tuple[ast.AST, ...], layers: dict[str, int]
) -> str | None:
    package = target.partition(".")[0]
    if not package:
        return "relative; write the full path"
    if package != "toolresult":
        return problem_with_package(package, layer, around)
    imported = imported_module(target, layers)
    if imported is None:
        return "only modules of the package are imported, never its root"
    theirs = layers[imported]
    if module == "__init__":
        is_allowed = theirs < layer or (theirs == layer and is_in_function(around))
        return None if is_allowed else "the root loads layers 0 to 3, and layer 4 in a function only"
    if theirs == layers["__init__"] and layer < theirs and is_in_short_method(around):
        return None
    if theirs > layer:
        return f"layer {theirs} is above layer {layer}; only a short method of a class may import layer 4"
    if theirs == layer == ADAPTERS and not imported.rpartition("/")[2].startswith("_"):
        return "sideways; adapters share what is in a module with an underscore"
    return None


def problem_with_package(package: str, layer: int, around: tuple[ast.AST, ...]) -> str | None:
    if package in sys.stdlib_module_names or (layer >= FIRST_WITH_FRAMEWORKS and is_in_function(around)):
        return None
    if layer >= FIRST_WITH_FRAMEWORKS and package == "typing_extensions":
        return None
    if layer == TOP and package == "hypothesis":
        return None
    return "not in the standard library"


def modules() -> list[str]:
    return sorted(path.relative_to(SOURCE).with_suffix("").as_posix() for path in SOURCE.rglob("*.py"))


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_what_its_layer_allows(module):
    assert module in LAYERS, f"{module}.py is in no layer: decide which one it is in and add it to the table LAYERS"
    found = list(violations(module, (SOURCE / f"{module}.py").read_text(encoding="utf-8"), LAYERS))
    assert not found, "\n".join(found)


TABLE = {
    "errors": 0,
    "_text": 0,
    "_content": 2,
    "_suspension": 2,
    "_result": 3,
    "__init__": 4,
    "render": 4,
    "wire": 4,
    "_encode": 4,
    "_decode": 4,
    "_redacted": 4,
    "adapters/_turn": 5,
    "adapters/openai": 5,
    "adapters/mcp": 5,
    "strategies": 6,
}

SHORT_METHOD = """
class ToolResult:
    def to_wire(self):
        "Return the wire form."
        from toolresult.wire import to_wire

        return to_wire(self)
"""
SHORT_METHOD_THAT_RETURNS = SHORT_METHOD.replace(
    "        from", "        if self is None:\n            return {}\n        from"
)
LONG_METHOD = """
class ToolResult:
    def to_wire(self):
        from toolresult.wire import to_wire

        wire = to_wire(self)
        return wire
"""
METHOD_ABOVE = SHORT_METHOD.replace("toolresult.wire", "toolresult.strategies")
FUNCTION = """
def to_wire(result):
    from toolresult.wire import to_wire

    return to_wire(result)
"""
LAZY_ROOT = """
if TYPE_CHECKING:
    from toolresult.wire import Stored as Stored
else:
    def __getattr__(name):
        from toolresult import wire

        return getattr(wire, name)
"""


@pytest.mark.parametrize(
    ("module", "source"),
    [
        pytest.param("errors", "import json\nfrom collections.abc import Mapping", id="the standard library"),
        pytest.param("_content", "from toolresult.errors import ContentPartError", id="a lower layer"),
        pytest.param("_content", "from toolresult import _text", id="a lower layer, as a module"),
        pytest.param("_content", "from toolresult._suspension import Request", id="its own layer"),
        pytest.param("errors", "if TYPE_CHECKING:\n    import toolresult\n    import PIL", id="for type checkers"),
        pytest.param("_result", SHORT_METHOD, id="layer 4 in a short method"),
        pytest.param("_result", SHORT_METHOD_THAT_RETURNS, id="the same after a return"),
        pytest.param("__init__", "from toolresult._result import ToolResult as ToolResult", id="layer 3 in the root"),
        pytest.param("__init__", LAZY_ROOT, id="layer 4 in a function of the root"),
        pytest.param("wire", "def dumps():\n    import pydantic", id="a framework in a function of layer 4"),
        pytest.param("adapters/mcp", "from toolresult.adapters._turn import Loss", id="what adapters share"),
        pytest.param("adapters/mcp", "from toolresult.adapters import _turn", id="the same, as a module"),
        pytest.param("strategies", "from hypothesis import strategies", id="hypothesis in layer 6"),
    ],
)
def test_an_import_that_the_layers_allow_passes(module, source):
    assert list(violations(module, source, TABLE)) == []


@pytest.mark.parametrize(
    ("module", "source", "line", "target"),
    [
        pytest.param("errors", "import re\nimport attrs", 2, "attrs", id="somebody else's package"),
        pytest.param("errors", "def f():\n    import attrs", 2, "attrs", id="the same in a function of layer 0"),
        pytest.param("wire", "import pydantic", 1, "pydantic", id="a framework at the top of layer 4"),
        pytest.param("wire", "class A:\n    import pydantic", 2, "pydantic", id="the same in a class body"),
        pytest.param("adapters/mcp", "import hypothesis", 1, "hypothesis", id="hypothesis below layer 6"),
        pytest.param("_content", "import toolresult", 1, "toolresult", id="the root"),
        pytest.param("wire", "from toolresult import ToolResult", 1, "toolresult.ToolResult", id="a name of the root"),
        pytest.param("_content", "from ._text import quote", 1, "._text.quote", id="a relative import"),
        pytest.param("_content", "from toolresult._new import x", 1, "toolresult._new.x", id="an unknown module"),
        pytest.param("_content", "import toolresult._result", 1, "toolresult._result", id="a higher layer"),
        pytest.param("_content", "from toolresult import _result", 1, "toolresult._result", id="the same, by name"),
        pytest.param("_text", "try:\n    import toolresult._result\nfinally: 0", 2, "toolresult._result", id="in try"),
        pytest.param("_text", "if True:\n    import toolresult._result", 2, "toolresult._result", id="under if"),
        pytest.param("_result", LONG_METHOD, 4, "toolresult.wire.to_wire", id="layer 4 in a long method"),
        pytest.param("_result", FUNCTION, 3, "toolresult.wire.to_wire", id="layer 4 in a function"),
        pytest.param("_result", METHOD_ABOVE, 5, "toolresult.strategies.to_wire", id="layer 6 in a short method"),
        pytest.param(
            "__init__", "from toolresult.wire import loads", 1, "toolresult.wire.loads", id="layer 4 in the root"
        ),
        pytest.param("render", "import toolresult.adapters.mcp", 1, "toolresult.adapters.mcp", id="an adapter below"),
        pytest.param(
            "__init__", "def f():\n    import toolresult.adapters.mcp", 2, "toolresult.adapters.mcp", id="layer 5"
        ),
        pytest.param(
            "adapters/mcp", "import toolresult.adapters.openai", 1, "toolresult.adapters.openai", id="sideways"
        ),
    ],
)
def test_an_import_against_the_layers_is_named_with_its_line(module, source, line, target):
    (violation,) = violations(module, source, TABLE)
    assert violation.startswith(f"{module}.py:{line}: imports {target}: ")
