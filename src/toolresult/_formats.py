"""The formats of texts that MCP knows, each held against its standard."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from toolresult import _rfc3339
from toolresult._text import url_problem

_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*(?:#[^#]*)?")
_FRAGMENT = re.compile(r"(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def is_email(text: str) -> bool:
    """Say whether a text is a mailbox as in RFC 5321, section 4.1.2, without quotes, comments and address literals."""
    local, _, domain = text.rpartition("@")
    if len(text) > 254 or len(local) > 64 or not _LOCAL.fullmatch(local):
        return False
    return all(_LABEL.fullmatch(label) for label in domain.split("."))


def is_uri(text: str) -> bool:
    """Say whether a text is an absolute URI as in RFC 3986, with a host if its scheme is http or https."""
    _, _, fragment = text.partition("#")
    return bool(_URI.fullmatch(text) and _FRAGMENT.fullmatch(fragment)) and url_problem(text) is None


def is_date(text: str) -> bool:
    """Say whether a text is a full date as in RFC 3339, section 5.6."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return _DATE.fullmatch(text) is not None


def is_date_time(text: str) -> bool:
    """Say whether a text is a time as in RFC 3339 that a `datetime` can hold."""
    try:
        _rfc3339.from_text(text)
    except ValueError:
        return False
    return True


FORMATS: dict[str, Callable[[str], bool]] = {
    "email": is_email,
    "uri": is_uri,
    "date": is_date,
    "date-time": is_date_time,
}
"""The formats of MCP. Any other is a hint for whoever draws the form."""
