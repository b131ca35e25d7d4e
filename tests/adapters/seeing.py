"""Adapters that send images only if asked, asked; and Mistral for turns whose ids are not of its form."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from tests.adapters import strict

from toolresult import adapters
from toolresult.adapters import cohere, mistral

MISTRAL = replace(mistral.LIMITS, call_id="[!-~]+")
COHERE = cohere.LIMITS


def to_mistral(results: Any, **options: Any) -> list[Any]:
    """Write with images in the messages, and any ids."""
    return adapters.to_mistral(results, **{"media": "inline", "limits": MISTRAL, **options})


def to_cohere(results: Any, **options: Any) -> list[Any]:
    """Write with images that follow."""
    return adapters.to_cohere(results, **{"media": "user", **options})


def mistral_messages(messages: list[Any]) -> None:
    """Check all but the form of ids."""
    strict.mistral_messages(
        [
            {**message, "tool_call_id": re.sub(r"[^a-zA-Z0-9]", "", message["tool_call_id"]).ljust(9, "0")}
            if "tool_call_id" in message
            else message
            for message in messages
        ]
    )
