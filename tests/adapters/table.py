"""Every adapter with its variants, its strict check, and what its shape keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.adapters import strict

from toolresult import adapters
from toolresult.adapters import (
    CallResult,
    Limits,
    anthropic,
    bedrock,
    cohere,
    gemini,
    gemini_interactions,
    mistral,
    ollama,
    openai_chat,
    openai_responses,
)


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
    id_length: int | None = None
    """The one length of ids that is taken."""

    @property
    def id(self) -> str:
        """How tests name it."""
        return f"{self.name}-{self.check.__name__}"

    def renamed(self, turn: list[CallResult]) -> list[CallResult]:
        """The same turn, with ids that are long enough."""
        length = self.id_length or 0
        return [call._replace(call_id=call.call_id.ljust(length, "0")) for call in turn]


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
        "openai_chat",
        adapters.to_openai_chat,
        adapters.from_openai_chat,
        strict.ollama_chat,
        lambda dialect="openai", **_: openai_chat.LIMITS[dialect],
        ({"dialect": "ollama"}, {"dialect": "ollama", "media": "text"}),
    ),
    Adapter(
        "mistral",
        adapters.to_mistral,
        adapters.from_mistral,
        strict.mistral_messages,
        lambda **_: mistral.LIMITS,
        ({}, {"media": "inline"}, {"media": "user"}),
        keeps_name=True,
        id_length=9,
    ),
    Adapter(
        "cohere",
        adapters.to_cohere,
        adapters.from_cohere,
        strict.cohere_messages,
        lambda **_: cohere.LIMITS,
        ({}, {"media": "user"}),
    ),
    Adapter(
        "ollama",
        adapters.to_ollama,
        adapters.from_ollama,
        strict.ollama_messages,
        lambda **_: ollama.LIMITS,
        ({}, {"media": "user"}, {"media": "text"}),
        keeps_order=False,
        keeps_name=True,
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
