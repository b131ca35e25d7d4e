"""The types of the adapters, and what the vendors' clients take. Only type-checked, never run."""

# pyright: strict

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, assert_type

from anthropic import Anthropic
from anthropic.types import MessageParam
from cohere import ChatMessageV2, ClientV2
from google import genai
from google.genai import types
from groq import Groq
from groq.types.chat import ChatCompletionMessageParam as GroqMessage
from mistralai.client import Mistral
from mistralai.client.models import ChatCompletionRequestMessageTypedDict
from ollama import Client as Ollama
from openai import OpenAI
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam, ResponseInputParam
from openrouter import OpenRouter

from toolresult import ContentPart, ToolResult, adapters
from toolresult.adapters import CallResult, Capability, Kind, Limits, Loss
from toolresult.adapters.anthropic import LIMITS


def results(result: ToolResult) -> None:
    adapters.to_anthropic([CallResult("c", result), ("c", result), ("c", result, "name"), ("c", result, None)])
    adapters.to_gemini(iter([CallResult("c", result, name="f")]))
    adapters.to_openai_chat((("c", result),))
    call = CallResult("c", result)
    assert_type(call.name, str | None)
    assert_type(call.result, ToolResult)
    call_id, same, _ = call
    assert_type(call_id, str)
    assert_type(same, ToolResult)


def dicts(turn: list[CallResult], messages: list[dict[str, Any]]) -> None:
    of_anthropic: list[dict[str, Any]] = adapters.to_anthropic(turn)
    of_bedrock: list[dict[str, Any]] = adapters.to_bedrock(turn, taken={"report"}, errors="marker")
    of_chat: list[dict[str, Any]] = adapters.to_openai_chat(turn)
    of_responses: list[dict[str, Any]] = adapters.to_openai_responses(turn)
    of_gemini: list[dict[str, Any]] = adapters.to_gemini(turn)
    of_interactions: list[dict[str, Any]] = adapters.to_gemini_interactions(turn)
    messages += [*of_anthropic, *of_bedrock, *of_chat, *of_responses, *of_gemini, *of_interactions]
    of_mistral: list[dict[str, Any]] = adapters.to_mistral(turn)
    of_cohere: list[dict[str, Any]] = adapters.to_cohere(turn)
    of_ollama: list[dict[str, Any]] = adapters.to_ollama(turn)
    messages += [*of_mistral, *of_cohere, *of_ollama]
    messages.extend(adapters.to_anthropic(turn))


def reading(messages: list[dict[str, Any]], tell: Callable[[Loss], None]) -> None:
    assert_type(adapters.from_anthropic(messages), list[CallResult])
    assert_type(adapters.from_bedrock(messages), list[CallResult])
    assert_type(adapters.from_openai_chat(messages, on_loss=tell), list[CallResult])
    assert_type(adapters.from_openai_responses(messages, on_loss="raise"), list[CallResult])
    assert_type(adapters.from_gemini(messages), list[CallResult])
    assert_type(adapters.from_gemini_interactions(messages), list[CallResult])
    assert_type(adapters.from_mistral(messages), list[CallResult])
    assert_type(adapters.from_cohere(messages), list[CallResult])
    assert_type(adapters.from_ollama(messages), list[CallResult])


def typed_messages(
    anthropic: list[MessageParam],
    chat: list[ChatCompletionMessageParam],
    responses: list[ResponseInputItemParam],
    mistral: list[ChatCompletionRequestMessageTypedDict],
) -> None:
    adapters.from_mistral(mistral)
    adapters.from_anthropic(anthropic)
    adapters.from_openai_chat(chat)
    adapters.from_openai_responses(responses)


def losses(turn: list[CallResult], loss: Loss, told: list[Loss]) -> None:
    adapters.to_anthropic(turn, on_loss=told.append, on_pending="placeholder")
    adapters.to_anthropic(turn, on_loss=print)
    assert_type(loss.part, ContentPart)
    assert_type(loss.fallback, Literal["moved", "text", "relabelled", "raw"])


def limits(turn: list[CallResult]) -> None:
    assert_type(LIMITS["anthropic"], Limits)
    adapters.to_anthropic(turn, limits=Limits(image=Kind(types=frozenset({"image/png"}), chars=9)))


def data() -> None:
    assert_type(adapters.capabilities(), list[Capability])


def anthropic_client(client: Anthropic, turn: list[CallResult]) -> None:
    messages: list[MessageParam] = [{"role": "user", "content": "hi"}]
    messages += adapters.to_anthropic(turn)
    messages = [*messages, *adapters.to_anthropic(turn, platform="bedrock")]
    client.messages.create(model="m", max_tokens=9, messages=messages)
    client.messages.create(model="m", max_tokens=9, messages=adapters.to_anthropic(turn))


def openai_client(client: OpenAI, turn: list[CallResult]) -> None:
    messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": "hi"}]
    messages += adapters.to_openai_chat(turn)
    client.chat.completions.create(model="m", messages=messages)
    client.chat.completions.create(model="m", messages=adapters.to_openai_chat(turn, dialect="azure"))
    items: ResponseInputParam = [{"role": "user", "content": "hi"}]
    items += adapters.to_openai_responses(turn)
    client.responses.create(model="m", input=items)
    client.responses.create(model="m", input=adapters.to_openai_responses(turn))


def google_client(client: genai.Client, turn: list[CallResult]) -> None:
    contents: types.ContentListUnionDict = adapters.to_gemini(turn, platform="vertex")
    client.models.count_tokens(model="m", contents=contents)
    client.chats.create(model="m", history=adapters.to_gemini(turn))
    client.interactions.create(model="m", input=adapters.to_gemini_interactions(turn))


def groq_client(client: Groq, turn: list[CallResult]) -> None:
    messages: list[GroqMessage] = [{"role": "user", "content": "hi"}]
    messages += adapters.to_openai_chat(turn, dialect="groq", media="inline")
    client.chat.completions.create(model="m", messages=messages)


def mistral_client(client: Mistral, turn: list[CallResult]) -> None:
    messages: list[ChatCompletionRequestMessageTypedDict] = [{"role": "user", "content": "hi"}]
    messages += adapters.to_mistral(turn)
    messages = [*messages, *adapters.to_mistral(turn, media="user")]
    client.chat.complete(model="m", messages=messages)
    client.chat.complete(model="m", messages=adapters.to_mistral(turn, media="inline"))


def cohere_client(client: ClientV2, messages: list[ChatMessageV2], turn: list[CallResult]) -> None:
    messages += adapters.to_cohere(turn)
    client.chat(model="m", messages=messages)
    client.chat(model="m", messages=adapters.to_cohere(turn, media="user"))


def ollama_client(client: Ollama, turn: list[CallResult]) -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "hi"}]
    messages += adapters.to_ollama(turn)
    # Its tools are callables of unknown parameters.
    client.chat(model="m", messages=messages)  # pyright: ignore[reportUnknownMemberType]
    client.chat(model="m", messages=adapters.to_ollama(turn, media="user"))  # pyright: ignore[reportUnknownMemberType]


def openrouter_client(client: OpenRouter, turn: list[CallResult]) -> None:
    client.chat.send(model="m", messages=adapters.to_openai_chat(turn, dialect="openrouter"))
