"""Small operations on text: bounded and escaped for people, repaired for machines; file names, paths and URLs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

_RESERVED_NAMES = frozenset(
    ["CON", "CONIN$", "CONOUT$", "PRN", "AUX", "NUL", *(port + n for port in ("COM", "LPT") for n in "0123456789¹²³")]
)
_FORBIDDEN_IN_NAMES = frozenset('<>:"|?*')
_NAME_BYTES = 200
_SUFFIX_BYTES = 20


def is_blank(text: str) -> bool:
    """Say whether there is nothing to read: providers refuse white space as they refuse empty text."""
    return not text or text.isspace()


def escape(text: str, limit: int) -> str:
    """Write `text` on one line of printable characters, at most `limit` of them."""
    shown = text[: limit + 1]
    if not shown.isprintable():
        shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in shown)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def quote(text: str, limit: int) -> str:
    """Write `text` as a quoted literal on one line, at most `limit` characters between the quotes."""
    literal = text[: limit + 1].replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escape(literal, limit)}'"


def key_list(mapping: Mapping[Any, object]) -> str:
    """Name the keys of a mapping, never its values, in at most about 130 characters."""
    keys = (key if isinstance(key, str) else type(key).__name__ for key in mapping)
    shown = [escape(key, 24) for key, _ in zip(keys, range(4), strict=False)]
    more = len(mapping) - len(shown)
    return "{" + ", ".join([*shown, f"+{more} more"] if more > 0 else shown) + "}"


def join_path(field: str, trail: Iterable[object]) -> str:
    """Name a place in nested data: `metadata.hits[3].when`. Long paths lose their middle."""
    path = field
    for key in map(_exact, trail):
        if type(key) is str:
            path += f".{key}" if key.isidentifier() and len(key) <= 40 else f"[{quote(key, 40)}]"
        elif type(key) in (int, bool):
            path += f"[{key}]" if -(10**9) < cast("int", key) < 10**9 else "[int]"
        else:
            path += f"[{type(key).__name__}]"
    return path if len(path) <= 160 else f"{path[:100]}…{path[-50:]}"


def _exact(key: object) -> object:
    """Read a key of a subclass as the text or number that it is, past methods of its own."""
    if issubclass(type(key), str):
        return str.__str__(cast("str", key))
    return int.__int__(cast("int", key)) if issubclass(type(key), int) and type(key) is not bool else key


def repair(text: str) -> str:
    """Make `text` valid Unicode: a surrogate pair becomes its character, a lone surrogate becomes U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def last_segment(path: str) -> str:
    """Cut a path, of whatever system, to what follows its last separator."""
    return path.rstrip("/\\").replace("\\", "/").rpartition("/")[2]


def place_of(url: str) -> str:
    """Name the place of a URL without what may be secret in it: no scheme, user, query or fragment."""
    scheme, _, rest = url.partition(":")
    rest = rest.partition("#")[0].partition("?")[0]
    if not rest.startswith("//") or rest.startswith("///"):
        # Nobody says where a user and a password are in a scheme that is written otherwise.
        user, _, place = rest.rpartition("@")
        place = place if ":" in user or "/" in user else rest
        return place.removeprefix("//") if rest.startswith("///") else f"{scheme}:{place}"
    host, slash, path = rest[2:].partition("/")
    host = host.rpartition("@")[2]
    name, _, port = host.rpartition(":")
    if name and not port.isdigit() and not host.endswith("]"):
        host = host.partition(":")[0]  # a password that a "?" or "#" cut short
    return host + slash + path


def scheme_of(text: str) -> str | None:
    """Return the lower-case scheme if `text` is written as a URL (RFC 3986, section 3.1), else `None`.

    A single letter is a Windows drive. Two slashes or backslashes in front name a host, and have the scheme "".
    """
    if text.startswith(("//", "\\\\")):
        return ""
    scheme, colon, _ = text.lstrip(" \t\r\n").partition(":")
    if not colon or len(scheme) < 2 or not scheme.isascii() or not scheme[0].isalpha():
        return None
    return scheme.lower() if scheme.replace("+", "").replace("-", "").replace(".", "").isalnum() else None


def url_problem(url: str) -> str | None:
    """Say what is wrong with an absolute URI, if anything."""
    scheme = scheme_of(url)
    if not scheme or url[: len(scheme)].lower() != scheme:
        return "must be an absolute URI with a scheme, for example https://host/path"
    if " " in url or not url.isprintable():
        return "has white space or control characters in it; percent-encode them"
    rest = url[len(scheme) + 1 :]
    if scheme in ("http", "https") and not (rest.startswith("//") and place_of(url).partition("/")[0]):
        return "has no host; it must read like https://host/path"
    return None if rest else "has nothing after its scheme"


def safe_name(name: str | None, fallback: str) -> str:
    """Make a file name that is one path segment on every system, at most 200 bytes of UTF-8."""
    kept = repair(last_segment(name or ""))
    kept = "".join("_" if c in _FORBIDDEN_IN_NAMES else c for c in kept if c.isprintable())
    kept = kept.lstrip(" ").rstrip(". ")
    kept = _off_the_devices(kept)
    stem, dot, suffix = kept.rpartition(".")
    if not stem or len(suffix.encode()) > _SUFFIX_BYTES:
        stem, dot, suffix = kept, "", ""
    room = _NAME_BYTES - len((dot + suffix).encode())
    if len(stem.encode()) > room:
        stem = stem.encode()[:room].decode("utf-8", "ignore").rstrip(" ")
    kept = (stem + dot + suffix).rstrip(". ")
    return _off_the_devices(kept) or fallback  # a cut can leave a device's name bare


def _off_the_devices(name: str) -> str:
    return f"_{name}" if name.partition(".")[0].rstrip(" ").upper() in _RESERVED_NAMES else name
