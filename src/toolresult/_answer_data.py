"""The data of an answer against the schema of its request."""

from __future__ import annotations

from typing import Any, cast

from toolresult._flat_schema import FlatSchema, MisfitError, RicherError
from toolresult._json import NO_STACK, RefusedError, Rules, plain_tree
from toolresult._pattern import Steps
from toolresult._suspension import Answer
from toolresult._text import join_path
from toolresult.errors import AnswerError

_MAX_SCHEMA = 20_000
_MAX_DATA = 100_000
_STEPS = 1_000_000
"""About a second of work, whatever a schema and the data ask for."""
_SCHEMA, _DATA = "request.data.schema", "answer.data"


def checked(answer: Answer, schema: object) -> Answer:
    """Return an answer whose data fit, with the defaults of a flat schema filled in.

    Raises:
        AnswerError: `kind` is `schema`.
    """
    tree: Any = _tree(schema, _SCHEMA, _MAX_SCHEMA)
    data: Any = _tree(answer.data, _DATA, _MAX_DATA)
    try:
        fitting = _fitting(tree, data)
    except MisfitError as misfit:
        path = join_path(_SCHEMA if misfit.in_schema else _DATA, reversed(misfit.trail))
        problem = misfit.problem
    except RecursionError:
        path, problem = _SCHEMA, NO_STACK
    else:
        return answer if fitting is data else Answer(answer.id, ok=True, data=fitting)
    raise AnswerError("schema", problem, path)


def _tree(value: object, field: str, room: int) -> Any:
    rules = Rules("refuse", room=room)
    try:
        return plain_tree(value, rules)
    except RefusedError as refused:
        path, problem = refused.path(field), refused.problem
        if cast("int", rules.room) < 0:
            problem = f"holds more than {room} values; ask for less at once"
    except RecursionError:
        path, problem = field, NO_STACK
    raise AnswerError("schema", problem, path)


def _fitting(tree: dict[str, Any], data: Any) -> Any:
    """Return the data that the tool gets, which are the same object where nothing is added."""
    steps = Steps(_STEPS)
    try:
        schema = FlatSchema(tree, steps)
    except RicherError as richer:
        from toolresult._rich_schema import check_rich

        if data is None and tree.get("type") == "object":
            data = {}
        check_rich(tree, data, steps, richer.trail)
        return data
    if data is None and schema.is_form:
        data = {}
    schema.check(data, steps)
    if not isinstance(data, dict):
        return data
    given = cast("dict[str, object]", data)
    missing = schema.defaults(given, steps)
    return {**given, **missing} if missing else given
