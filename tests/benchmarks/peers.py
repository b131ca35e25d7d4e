"""One turn in the hands of others: the same results in their types, and their own conversion to a provider's shape."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Coroutine, Sequence
from typing import Any

from langchain_core.messages import ToolMessage, convert_to_openai_messages
from mcp.types import CallToolResult, ImageContent, TextContent
from pydantic_ai.messages import BinaryContent, ModelMessage, ModelRequest, ToolReturnPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

Turn = Sequence[tuple[str, str, bytes | None]]
"""Id of the call, text, and perhaps a PNG image."""

MODEL = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(api_key="none"))


def langchain_turn(turn: Turn) -> list[ToolMessage]:
    """langchain-core takes images encoded, so the encoding is part of its conversion."""
    return [ToolMessage(text, tool_call_id=call_id) for call_id, text, _ in turn]


def langchain_with_image(call_id: str, text: str, image: bytes) -> object:
    block = {"type": "image", "base64": b64encode(image).decode(), "mime_type": "image/png"}
    return convert_to_openai_messages([ToolMessage([{"type": "text", "text": text}, block], tool_call_id=call_id)])


def pydantic_ai_turn(turn: Turn) -> list[ModelMessage]:
    return [ModelRequest([ToolReturnPart("tool", content_of(text, image), call_id) for call_id, text, image in turn])]


def content_of(text: str, image: bytes | None) -> object:
    return text if image is None else [text, BinaryContent(image, media_type="image/png")]


def pydantic_ai_messages(turn: list[ModelMessage]) -> object:
    return finished(MODEL._map_messages(turn, ModelRequestParameters()))


def finished(coroutine: Coroutine[Any, Any, object]) -> object:
    """Run a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("it waits")


def mcp_turn(turn: Turn) -> list[CallToolResult]:
    return [CallToolResult(content=[TextContent(type="text", text=text)]) for _, text, _ in turn]


def mcp_dicts(turn: list[CallToolResult]) -> object:
    return [result.model_dump(mode="json", by_alias=True, exclude_none=True) for result in turn]


def mcp_with_image(text: str, image: bytes) -> object:
    data = b64encode(image).decode()
    picture = ImageContent(type="image", data=data, mimeType="image/png")
    return mcp_dicts([CallToolResult(content=[TextContent(type="text", text=text), picture])])
