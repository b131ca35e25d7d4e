"""Immutability: the deep freeze, the frozen `dict` and `list`, and the decorator that makes a value type.

Freezing does not change what a value is: a frozen mapping is a `dict` that equals its source, a frozen list is a
`list`, and both are written by every JSON encoder. Exactly `dict list tuple set frozenset bytearray memoryview` are
frozen; an object of any other type, subclasses included, is foreign and kept by reference.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import FrozenInstanceError, fields
from datetime import date, datetime, time, timedelta
from functools import partial
from operator import attrgetter
from types import NoneType
from typing import Any, NoReturn, TypeGuard, TypeVar, cast

from toolresult._text import escape, join_path

MAX_DEPTH = 100
"""How many containers may be nested in each other."""

VALUE_TYPES: dict[type, Callable[[Any], tuple[Any, ...]]] = {}
"""The classes that `value_type` has made, with the function that reads their fields.

These are our own values, which are never taken for somebody's data.
"""

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

# What cannot change and holds nothing. The test `type(x) in _ATOMS`, written out where it is used, is what makes
# freezing fast: most leaves never cost a call.
_ATOMS = frozenset({NoneType, bool, int, float, str, bytes, date, datetime, time, timedelta})


def _refuse_change(self: object, *args: object, **kwargs: object) -> NoReturn:  # noqa: ARG001
    kind = "dict" if isinstance(self, dict) else "list"
    raise TypeError(f"this {kind} is frozen; change a copy of it: {kind}(...)")


def _refuse_subclass(cls: type[Any], /, **kwargs: object) -> NoReturn:  # noqa: ARG001
    raise TypeError(f"{cls.__mro__[1].__name__} is final and cannot be subclassed")


_FINAL: classmethod[Any, Any, NoReturn] = classmethod(_refuse_subclass)


class FrozenDict(dict[K, V]):
    """A `dict` that cannot be changed. It pickles as a plain one."""

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> FrozenDict[Any, Any]:
        frozen: FrozenDict[Any, Any] = freeze(dict(*args, **kwargs))
        return frozen

    def __init__(self, *args: object, **kwargs: object) -> None:
        """Do nothing: the content is there since `__new__`, and calling this again must not change it."""

    __setitem__ = __delitem__ = __setattr__ = __delattr__ = __ior__ = _refuse_change
    clear = pop = popitem = setdefault = update = _refuse_change
    __init_subclass__ = _FINAL  # pyright: ignore[reportAssignmentType]

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __copy__(self) -> FrozenDict[K, V]:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> FrozenDict[K, V]:
        copies = [(deepcopy_frozen(k, memo), deepcopy_frozen(v, memo)) for k, v in self.items()]
        if all(k is a and v is b for (a, b), (k, v) in zip(copies, self.items(), strict=True)):
            return memo.setdefault(id(self), self)  # type: ignore[no-any-return]
        # A cycle through a foreign object may have made the copy already, as in `copy._deepcopy_tuple`.
        return memo[id(self)] if id(self) in memo else freeze(dict(copies))  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (), None, None, iter(self.items())


class FrozenList(list[V]):
    """A `list` that cannot be changed. It pickles as a plain one."""

    __slots__ = ()

    def __new__(cls, *args: Any) -> FrozenList[Any]:
        frozen: FrozenList[Any] = freeze(list(*args))
        return frozen

    def __init__(self, *args: object) -> None:
        """Do nothing: the content is there since `__new__`, and calling this again must not change it."""

    __setitem__ = __delitem__ = __setattr__ = __delattr__ = __iadd__ = __imul__ = _refuse_change
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse_change
    __init_subclass__ = _FINAL  # pyright: ignore[reportAssignmentType]

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __copy__(self) -> FrozenList[V]:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> FrozenList[V]:
        copies = [deepcopy_frozen(v, memo) for v in self]
        if all(a is b for a, b in zip(copies, self, strict=True)):
            return memo.setdefault(id(self), self)  # type: ignore[no-any-return]
        return memo[id(self)] if id(self) in memo else freeze(copies)  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (), None, iter(self), None


_type_of: Callable[[object], type] = type  # which says nothing of type parameters to a checker

# Empty containers and their filling, past the public constructors, which would freeze again.
_new_dict: Callable[[], FrozenDict[Any, Any]] = partial(dict.__new__, FrozenDict)
_new_list: Callable[[], FrozenList[Any]] = partial(list.__new__, FrozenList)
_fill_dict: Callable[[FrozenDict[Any, Any], Mapping[Any, Any]], None] = dict[Any, Any].update
_set_item: Callable[[FrozenDict[Any, Any], Any, Any], None] = dict[Any, Any].__setitem__
_fill_list: Callable[[FrozenList[Any], list[Any]], None] = list[Any].extend


class _UnfreezableError(Exception):
    """Internal: a cycle or too deep. The place is looked for afterwards, so that the fast path need not track it."""


class _Memo(dict[int, Any]):
    """What has been frozen already, by the id of its source; `heights` of frozen containers met on the way."""

    __slots__ = ("heights",)

    def __init__(self) -> None:
        self.heights: dict[int, int] = {}


def is_frozen_dict(value: object) -> TypeGuard[FrozenDict[str, Any]]:
    """Narrow what may be any frozen value to a mapping."""
    return type(value) is FrozenDict


_name_of_type = type.__dict__["__name__"].__get__
"""Past a metaclass that has its own idea of a name."""


def type_name(value: object) -> str:
    """Name a type as its user knows it: what was a `dict` before it was frozen is one."""
    return (
        "dict"
        if type(value) is FrozenDict
        else "list"
        if type(value) is FrozenList
        else escape(_name_of_type(type(value)), 60)
    )


def freeze(value: Any, field: str = "value") -> Any:
    """Return a deep-frozen snapshot of `value`, or `value` itself where it is immutable already.

    Raises:
        ValueError: a cycle, or more than `MAX_DEPTH` nested containers; the message starts with the path.
    """
    try:
        return _freeze(value, 1, _Memo())
    except _UnfreezableError:
        pass
    raise ValueError(_name_culprit(value, field))


def freeze_mapping(source: Mapping[str, Any] | None, field: str = "metadata") -> FrozenDict[str, Any] | None:
    """Snapshot a mapping with `str` keys; an empty one becomes `None`."""
    if source is None:
        return None
    kind = _type_of(source)
    if kind is dict:
        for key, value in source.items():
            if type(key) is not str or type(value) not in _ATOMS:
                break
        else:
            # Nothing in it needs freezing, and the snapshot is one copy.
            if not source:
                return None
            flat = _new_dict()
            _fill_dict(flat, source)
            return flat
    if not isinstance(source, Mapping):
        raise TypeError(f"{field}: must be a mapping or None, got {type(source).__name__}")
    if kind is not dict and kind is not FrozenDict:
        source = _read_mapping(source, field)
    if any(type(key) is not str for key in source):
        source = _with_plain_keys(source, field)
    if is_frozen_dict(source):
        return source or None
    frozen: FrozenDict[str, Any] = freeze(source, field)
    return frozen or None


def _read_mapping(source: Mapping[Any, Any], field: str) -> dict[Any, Any]:
    try:
        return dict(source)
    except Exception as error:  # noqa: BLE001 - somebody's method may raise anything
        problem = type(error).__name__
    raise ValueError(f"{field}: the mapping cannot be read: {problem}; pass a dict")


def _with_plain_keys(source: Mapping[Any, Any], field: str) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for key, value in source.items():
        if not isinstance(key, str):
            raise TypeError(f"{field}: keys must be str, got {type(key).__name__}; use str(key)")
        plain[str.__str__(key)] = value
    if len(plain) != len(source):
        raise ValueError(f"{field}: two keys are the same text; rename one")
    return plain


def _freeze(value: Any, depth: int, memo: _Memo) -> Any:
    kind = _type_of(value)
    key = id(value)
    if kind is dict or kind is list:
        frozen = memo.get(key)
        if frozen is not None:
            return _checked(frozen, depth, memo)
        if depth > MAX_DEPTH:
            raise _UnfreezableError
        below = depth + 1
        if kind is dict:
            frozen = _new_dict()
            # One copy at C speed; then only what can change in it is replaced.
            _fill_dict(frozen, value)
            for k, v in frozen.items():
                if type(k) is not str:
                    frozen = _new_dict()
                    _fill_dict(frozen, {_freeze_hashable(k, below): _freeze(v, below, memo) for k, v in value.items()})
                    break
                if type(v) not in _ATOMS:
                    _set_item(frozen, k, _freeze(v, below, memo))
        else:
            frozen = _new_list()
            _fill_list(frozen, [v if type(v) in _ATOMS else _freeze(v, below, memo) for v in value])
        memo[key] = frozen
        return frozen
    freezer = _OTHER_FREEZERS.get(kind)
    if freezer is None:
        return value
    frozen = memo.get(key)
    if frozen is None:
        if depth > MAX_DEPTH and kind in _CONTAINERS:
            raise _UnfreezableError
        frozen = memo[key] = freezer(value, depth + 1, memo)
    return _checked(frozen, depth, memo)


def _freeze_tuple(source: tuple[Any, ...], depth: int, memo: _Memo) -> tuple[Any, ...]:
    frozen = tuple([v if type(v) in _ATOMS else _freeze(v, depth, memo) for v in source])
    return source if all(a is b for a, b in zip(frozen, source, strict=True)) else frozen


def _freeze_set(source: set[Any] | frozenset[Any], depth: int, memo: _Memo) -> frozenset[Any]:  # noqa: ARG001
    return frozenset([v if type(v) in _ATOMS else _freeze_hashable(v, depth) for v in source])


def _freeze_hashable(value: Any, depth: int) -> Any:
    """Freeze a key or a member of a set: only buffers in it can need that.

    What was frozen before is refused there. It hashes, but it is stored as a plain `dict` or `list`, which does not.
    """
    kind = _type_of(value)
    if kind is tuple or kind is frozenset:
        if depth > MAX_DEPTH:
            raise _UnfreezableError
        items = [_freeze_hashable(item, depth + 1) for item in value]
        frozen = cast("Any", kind)(items)
        return value if all(a is b for a, b in zip(items, value, strict=True)) else frozen
    if kind is FrozenDict or kind is FrozenList:
        raise TypeError(f"a frozen {type_name(value)} cannot be a key or a member of a set; use a tuple")
    return bytes(value) if kind is memoryview else value


def _freeze_buffer(source: bytearray | memoryview, depth: int, memo: _Memo) -> bytes:  # noqa: ARG001
    return bytes(source)


def _keep(source: Any, depth: int, memo: _Memo) -> Any:  # noqa: ARG001
    return source


_OTHER_FREEZERS: dict[type, Callable[[Any, int, _Memo], Any]] = {
    tuple: _freeze_tuple,
    set: _freeze_set,
    frozenset: _freeze_set,
    bytearray: _freeze_buffer,
    memoryview: _freeze_buffer,
    FrozenDict: _keep,
    FrozenList: _keep,
}
_CONTAINERS = frozenset({dict, list, tuple, set, frozenset, FrozenDict, FrozenList})


def _checked(frozen: Any, depth: int, memo: _Memo) -> Any:
    """Pass on what is frozen already, if it is not too high for a place at `depth`."""
    if depth + _height(frozen, memo.heights) - 1 > MAX_DEPTH:
        raise _UnfreezableError
    return frozen


def _children(container: Any) -> Iterator[tuple[object, Any]]:
    if isinstance(container, dict):
        return iter(cast("dict[object, Any]", container).items())
    if isinstance(container, (list, tuple)):
        return iter(enumerate(cast("list[Any]", container)))
    return ((item, item) for item in container)


def _height(frozen: Any, heights: dict[int, int]) -> int:
    """Count the levels of containers from `frozen` down, itself included."""
    if type(frozen) not in _CONTAINERS:
        return 0
    known = heights.get(id(frozen))
    if known is None:
        below = (_height(v, heights) for _, v in _children(frozen) if type(v) not in _ATOMS)
        known = heights[id(frozen)] = 1 + max(below, default=0)
    return known


def _name_culprit(value: Any, field: str) -> str:
    """Find what `freeze` stumbled over and say where it is."""
    trail: list[object] = []
    open_ids: set[int] = set()
    deepest: dict[int, int] = {}

    def search(node: Any) -> str | None:
        if type(node) not in _CONTAINERS:
            return None
        if id(node) in open_ids:
            return "it contains itself"
        if len(trail) >= MAX_DEPTH:
            return f"it is nested more than {MAX_DEPTH} levels deep"
        if deepest.get(id(node), -1) >= len(trail):
            return None
        deepest[id(node)] = len(trail)
        open_ids.add(id(node))
        for key, child in _children(node):
            trail.append(key)
            problem = search(child)
            if problem:
                return problem
            trail.pop()
        open_ids.discard(id(node))
        return None

    # The search does not enter keys; what it cannot find is in one of them.
    problem = search(value) or f"a key in it is nested more than {MAX_DEPTH} levels deep"
    return f"{join_path(field, trail)}: {problem}; flatten it"


def slot_setter(cls: type, name: str) -> Callable[[object, object], None]:
    """Return the function that stores a field past the refusal of `__setattr__`.

    Constructors call these on values that they have checked: it is the fastest way to fill a frozen object, and
    nothing else in the library stores a field.
    """
    setter: Callable[[object, object], None] = vars(cls)[name].__set__
    return setter


def rebuild(cls: type[T], state: dict[str, Any]) -> T:
    """Make a value from its fields by name, through its public constructor; unknown names are ignored.

    Pickles name this function, so its path is part of the stored format.
    """
    known = {f.name for f in fields(cls)}  # type: ignore[arg-type]
    return cls(**{name: value for name, value in state.items() if name in known})


def deepcopy_frozen(value: Any, memo: dict[int, Any]) -> Any:
    """Copy what is foreign in a frozen value; `copy.deepcopy` alone would copy dates and sets too."""
    kind = _type_of(value)
    if kind in _ATOMS:
        return value
    if kind is not tuple and kind is not frozenset:
        return deepcopy(value, memo)
    copies = [deepcopy_frozen(item, memo) for item in value]
    copied = cast("Any", kind)(copies)
    return value if all(a is b for a, b in zip(copies, value, strict=True)) else copied


def deepcopy_fields(value: T, memo: dict[int, Any]) -> T:
    """Copy what is foreign below a value; without any, return the value itself."""
    values = {f.name: getattr(value, f.name) for f in fields(type(value))}  # type: ignore[arg-type]
    copies = {name: deepcopy_frozen(v, memo) for name, v in values.items()}
    if all(copies[name] is v for name, v in values.items()):
        return memo.setdefault(id(value), value)  # type: ignore[no-any-return]
    return memo[id(value)] if id(value) in memo else type(value)(**copies)


def _refuse_setattr(self: object, name: str, value: object) -> NoReturn:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delattr(self: object, name: str) -> NoReturn:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _refuse_setstate(self: object, state: object) -> NoReturn:  # noqa: ARG001
    raise FrozenInstanceError("cannot set the state of a value")


def _equal(self: object, other: object) -> bool:
    if self is other:
        return True
    kind = type(self)
    if type(other) is not kind:
        return NotImplemented  # type: ignore[no-any-return] # which only methods may return, says mypy
    values_of = VALUE_TYPES[kind]
    try:
        return bool(values_of(self) == values_of(other))
    except Exception:  # noqa: BLE001 - a foreign value that refuses to compare counts as unequal
        return False


def _hash(self: object) -> int:
    return hash(VALUE_TYPES[type(self)](self))


def _itself(self: T) -> T:
    return self


def _reduce(self: object) -> tuple[object, ...]:
    state = {f.name: getattr(self, f.name) for f in fields(type(self))}  # type: ignore[arg-type]
    return rebuild, (type(self), {name: value for name, value in state.items() if value is not None})


def _sizeof(self: object) -> int:
    owned = sum(sys.getsizeof(v) for v in VALUE_TYPES[type(self)](self) if isinstance(v, (str, bytes)))
    return object.__sizeof__(self) + owned


_MANNERS: dict[str, Callable[..., Any]] = {
    "__setattr__": _refuse_setattr,
    "__delattr__": _refuse_delattr,
    "__setstate__": _refuse_setstate,
    "__eq__": _equal,
    "__hash__": _hash,
    "__copy__": _itself,
    "__reduce__": _reduce,
}
_DEFAULT_MANNERS: dict[str, Callable[..., Any]] = {"__deepcopy__": deepcopy_fields, "__sizeof__": _sizeof}


def value_type(cls: type[T]) -> type[T]:
    """Give a frozen, slotted dataclass the manners of a value.

    Setting or deleting any attribute, known or not, raises `FrozenInstanceError`; subclassing is refused; equality
    never raises; copies are the value itself unless something foreign is inside; pickling goes through `rebuild`.
    """
    VALUE_TYPES[cls] = attrgetter(*(f.name for f in fields(cls)))  # type: ignore[arg-type]
    for name, manner in _MANNERS.items():
        setattr(cls, name, manner)
    for name, manner in _DEFAULT_MANNERS.items():
        if name not in vars(cls):
            setattr(cls, name, manner)
    cls.__init_subclass__ = _FINAL  # type: ignore[assignment, method-assign]
    return cls
