"""Every adapter with its variants, its strict check, and what its shape keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.adapters import strict

from toolresult import adapters
from toolresult.adapters import Limits, anthropic, bedrock, gemini, gemini_interactions, openai_chat, openai_responses


@dataclass(frozen=True)
class Adapter:
    """One provider. `variants` are options; the first is the default."""

    name: str
    to: Callable[..., list[Any]]
    back: Callable[..., list[adapters.CallResult]]
    check: Callable[[list[Any]], None]
    limits: Callable[..., Limits]
    variants: tuple[dict[str, Any], ...] = ({},)
    has_flag: bool = False
    keeps_order: bool = True
    keeps_name: bool = False

    @property
    def id(self) -> str:
        """How tests name it."""
        return f"{self.name}-{self.check.__name__}"


ADAPTERS = [
    Adapter(
        "anthropic",
        adapters.to_anthropic,
        adapters.from_anthropic,
        strict.anthropic_messages,
        lambda platform="anthropic", **_: anthropic.LIMITS[platform],
        ({}, {"platform": "bedrock"}, {"platform": "vertex"}),
        has_flag=True,
    ),
    Adapter(
        "openai_chat",
        adapters.to_openai_chat,
        adapters.from_openai_chat,
        strict.openai_chat,
        lambda dialect="openai", **_: openai_chat.LIMITS[dialect],
        (
            {},
            {"dialect": "azure"},
            {"dialect": "xai"},
            {"dialect": "groq"},
            {"dialect": "deepseek"},
            {"dialect": "deepseek", "media": "user"},
            {"dialect": "text"},
            {"media": "text"},
        ),
    ),
    Adapter(
        "openai_chat",
        adapters.to_openai_chat,
        adapters.from_openai_chat,
        strict.groq_messages,
        lambda dialect="openai", **_: openai_chat.LIMITS[dialect],
        ({"dialect": "groq"}, {"dialect": "groq", "media": "inline"}),
    ),
    Adapter(
        "openai_chat",
        adapters.to_openai_chat,
        adapters.from_openai_chat,
        strict.openrouter_messages,
        lambda dialect="openai", **_: openai_chat.LIMITS[dialect],
        ({"dialect": "openrouter"}, {"dialect": "openrouter", "media": "inline"}),
    ),
    Adapter(
        "openai_responses",
        adapters.to_openai_responses,
        adapters.from_openai_responses,
        strict.openai_responses,
        lambda dialect="openai", **_: openai_responses.LIMITS[dialect],
        ({}, {"dialect": "azure"}, {"media": "user"}, {"media": "text"}),
    ),
    Adapter(
        "bedrock",
        adapters.to_bedrock,
        adapters.from_bedrock,
        strict.bedrock_messages,
        lambda **_: bedrock.LIMITS,
        (
            {},
            {"media": "user"},
            {"media": "text"},
            {"errors": "marker"},
            {"media": "user", "errors": "marker", "taken": ["Chart", "document"]},
        ),
    ),
    Adapter(
        "gemini",
        adapters.to_gemini,
        adapters.from_gemini,
        strict.gemini_contents,
        lambda platform="gemini", **_: gemini.LIMITS[platform],
        ({}, {"platform": "vertex"}, {"media": "user"}, {"media": "text"}),
        has_flag=True,
        keeps_order=False,
        keeps_name=True,
    ),
    Adapter(
        "gemini_interactions",
        adapters.to_gemini_interactions,
        adapters.from_gemini_interactions,
        strict.gemini_interactions,
        lambda **_: gemini_interactions.LIMITS,
        ({}, {"media": "user"}, {"media": "text"}),
        has_flag=True,
        keeps_name=True,
    ),
]
