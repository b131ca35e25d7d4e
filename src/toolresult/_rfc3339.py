"""Times as text: RFC 3339, section 5.6, read the same on every version of Python and written in UTC with a `Z`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_SHAPE = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)


def to_text(moment: datetime) -> str:
    """Write a time that is in UTC, with six decimals of the second where they are not zero."""
    return moment.replace(tzinfo=None).isoformat() + "Z"


def from_text(text: str) -> datetime:
    """Read a time; digits below the microsecond are cut.

    Raises:
        ValueError: not RFC 3339: a week date, a bare date, a missing or short offset, hour 24; or a leap second, or a
            time that no `datetime` holds.
    """
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ValueError("must be a time as in RFC 3339, for example 2026-01-02T03:04:05Z")
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    if offset >= timedelta(hours=24) or int(minutes or 0) > 59:
        raise ValueError("has an offset that does not exist")
    micro = int((fraction or "")[:6].ljust(6, "0"))
    try:
        moment = datetime(int(year), int(month), int(day), int(hour), int(minute), int(second), micro, tzinfo=UTC)
        return moment + offset if sign == "-" else moment - offset
    except (ValueError, OverflowError):
        pass
    raise ValueError("is a time that does not exist, or that no datetime can hold")
