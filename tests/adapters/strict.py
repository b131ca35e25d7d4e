"""What the vendors' own types say of what an adapter wrote, in a form that lets nothing pass, and what no type says.

Each function returns None, or raises `pydantic.ValidationError` or `AssertionError`.
"""

from __future__ import annotations

import base64
import json
import re
import types
import typing
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NotRequired, Required, Union, get_args, get_origin

import botocore.session
import ollama
from anthropic.types import MessageParam
from botocore.validate import ParamValidator
from cohere.types import ToolChatMessageV2, UserChatMessageV2
from google.genai.interactions import FunctionResultStep, UserInputStep
from google.genai.types import Content
from groq.types import chat as groq_types
from mistralai.client.models import AssistantMessageTypedDict, ToolMessageTypedDict, UserMessageTypedDict
from openai.types import chat as openai_types
from openai.types.responses import EasyInputMessageParam, ResponseCustomToolCallOutputParam
from openai.types.responses.response_input_item_param import FunctionCallOutput, Message
from openrouter.components import ChatToolMessage, ChatUserMessage
from pydantic import BaseModel, ConfigDict, TypeAdapter
from typing_extensions import TypeAliasType, TypedDict, get_type_hints, is_typeddict

Json = dict[str, Any]

FORBIDDING = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=True)
DATA_URL = re.compile(r"data:([-\w.+]+/[-\w.+]+);base64,(.*)", re.DOTALL)
ANTHROPIC_ID = re.compile(r"[a-zA-Z0-9_-]+")
MISTRAL_ID = re.compile(r"[a-zA-Z0-9]{9}")
MISTRAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MISTRAL_MESSAGES = {"tool": ToolMessageTypedDict, "assistant": AssistantMessageTypedDict, "user": UserMessageTypedDict}
BESIDE_TOOL_RESULTS = {"text", "image", "document", "search_result", "container_upload"}
BEDROCK = botocore.session.get_session().get_service_model("bedrock-runtime")
DOCUMENT_NAME = re.compile(r"(?! )(?!.*  )[a-zA-Z0-9 ()\[\]-]{1,200}(?<! )")


def anthropic_messages(messages: list[Json]) -> None:
    """Check user messages of the Messages API that answer the calls of one turn."""
    _check_list(messages)
    for message in messages:
        _validate(MessageParam, message)
        assert message["role"] == "user", "results come in user messages"
        _check_filled(message["content"], "content")
        assert isinstance(message["content"], list), "a message of results is a list of blocks"
    for number, message in enumerate(messages):
        kinds = [block["type"] for block in message["content"]]
        results = [kind for kind in kinds if kind == "tool_result"]
        assert not (number and results), "results in more than one message"
        assert {*kinds[len(results) :]} <= BESIDE_TOOL_RESULTS, f"after {len(results)} results: {kinds}"
        _check_anthropic_blocks(message["content"])
    ids = [block["tool_use_id"] for message in messages for block in message["content"] if "tool_use_id" in block]
    assert len({*ids}) == len(ids), f"two results for one call: {ids}"


def openai_chat(messages: list[Json]) -> None:
    """Check tool and user messages of Chat Completions."""
    _check_chat(messages, openai_types)
    for part in _parts_of(messages, "user"):
        if part["type"] == "file" and "file_data" in part["file"]:
            _check_data_url(part["file"]["file_data"])


def groq_messages(messages: list[Json]) -> None:
    """Check tool and user messages of Groq, whose tool messages may hold images and JSON documents."""
    _check_chat(messages, groq_types)


def openrouter_messages(messages: list[Json]) -> None:
    """Check tool and user messages of OpenRouter, whose tool messages may hold all media."""
    _check_list(messages)
    for message in messages:
        _validate_model(ChatToolMessage if message.get("role") == "tool" else ChatUserMessage, message)
    _check_chat_rules(messages)


def openai_responses(items: list[Json]) -> None:
    """Check function call outputs and user messages of the Responses API."""
    _check_list(items)
    for item in items:
        if item.get("type") == "function_call_output":
            _validate(FunctionCallOutput, item)
            _check_call_id(item)
            _check_responses_content(item["output"])
        else:
            _validate(EasyInputMessageParam | Message, item)
            assert item["role"] == "user", f"a message of {item['role']}"
            _check_responses_content(item["content"])
    _check_order(items, [item.get("type") == "function_call_output" for item in items])


def openai_custom_tool(item: Json) -> None:
    """Check the output of a custom tool of the Responses API."""
    _check_json(item)
    _validate(ResponseCustomToolCallOutputParam, item)
    _check_call_id(item)
    _check_responses_content(item["output"])


def gemini_contents(contents: list[Json]) -> None:
    """Check contents of generateContent in the spelling of its REST API."""
    _check_list(contents)
    for content in contents:
        model = _quietly(Content.model_validate, content)
        dump = model.model_dump(mode="json", by_alias=True, exclude_unset=True)
        assert dump == _url_safe(content), f"the client reads {dump}"
        assert content.get("role") == "user", "results come from the user"
        _check_filled(content.get("parts"), "parts")
    for number, content in enumerate(contents):
        for part in content["parts"]:
            if number == 0:
                assert [*part] == ["functionResponse"], f"beside answers: {[*part]}"
                _check_function_response(part["functionResponse"] or {})
            else:
                _check_gemini_part(part, {"text", "inlineData", "fileData"})


def gemini_interactions(items: list[Json]) -> None:
    """Check function results and user steps in the input of an interaction."""
    _check_list(items)
    for item in items:
        if item.get("type") == "function_result":
            _validate_model(FunctionResultStep, item)
            _check_filled(item["call_id"], "call_id")
            blocks = item["result"]
        else:
            _validate_model(UserInputStep, item)
            blocks = item.get("content")
        _check_filled(blocks, "blocks")
        for block in blocks if isinstance(blocks, list) else []:
            _check_interactions_block(block)
    _check_order(items, [item["type"] == "function_result" for item in items])


def mistral_messages(messages: list[Json]) -> None:
    """Check the messages of Mistral that answer the calls of one turn, and what may follow them."""
    _check_list(messages)
    roles = [message.get("role") for message in messages]
    follows = roles[roles.count("tool") :]
    assert follows in ([], ["assistant", "user"]), f"roles: {roles}"
    for message in messages:
        _validate(MISTRAL_MESSAGES[message["role"]], message)
        _check_filled(message.get("content"), "content")
        _check_filled("" if message.get("tool_calls") else "no calls", "tool_calls")
    for message in messages[: len(messages) - len(follows)]:
        assert MISTRAL_ID.fullmatch(message.get("tool_call_id") or ""), f"call id {message.get('tool_call_id')!r}"
        name = message.get("name")
        assert name is None or MISTRAL_NAME.fullmatch(name), f"name {name!r}"
    _check_ids(messages)
    for part in _parts_of(messages, "tool", "assistant", "user"):
        assert part["type"] in {"text", "image_url"}, f"a chunk of {part['type']}"
        value = part[part["type"]]
        if part["type"] == "text":
            _check_filled(value, "text")
        else:
            _check_url(value if isinstance(value, str) else value["url"], "image/")


def cohere_messages(messages: list[Json]) -> None:
    """Check tool and user messages of Cohere, the keys of which its models do not check."""
    _check_list(messages)
    for message in messages:
        _validate_model(ToolChatMessageV2 if message.get("role") == "tool" else UserChatMessageV2, message)
        assert {*message} <= {"role", "tool_call_id", "content"}, f"keys: {[*message]}"
        _check_filled(message["content"], "content")
    _check_order(messages, [message["role"] == "tool" for message in messages])
    _check_ids(messages)
    for part in _parts_of(messages, "tool", "user"):
        assert {*part} == {"type", part["type"]}, f"keys: {[*part]}"
        value = part[part["type"]]
        match part["type"]:
            case "text":
                _check_filled(value, "text")
            case "document":
                _check_filled(value["data"], "data")
                _check_filled(value.get("id", "made by the API"), "id")
            case "image_url":
                assert value.get("detail", "auto") in {"auto", "low", "high"}, f"detail {value['detail']!r}"
                _check_url(value["url"], "image/")


def ollama_messages(messages: list[Json]) -> None:
    """Check messages of Ollama; what the client does not know, or takes for a path, it says nothing of."""
    _check_list(messages)
    for message in messages:
        known = {key: value for key, value in message.items() if key != "tool_call_id"}
        images = known.get("images")
        if "images" in known:
            _check_filled(images, "images")
            for image in images:
                _check_base64(image)
            known["images"] = [ollama.Image(value=image) for image in images]
        model = ollama.Message.model_validate(known, strict=True)
        dump = model.model_dump(mode="json", exclude_unset=True)
        assert dump == {**known, "images": images} if images else dump == known, f"the client reads {dump}"
        assert message["role"] in {"tool", "user"}, f"role {message['role']!r}"
        assert {*message} <= {"role", "content", "images"} | (
            {"tool_name", "tool_call_id"} if message["role"] == "tool" else set()
        ), f"keys: {[*message]}"
        _check_filled(message.get("content"), "content")
        assert isinstance(message.get("tool_call_id", "none"), str), f"tool_call_id: {message['tool_call_id']!r}"
        _check_filled(message.get("tool_name", "none"), "tool_name")
    _check_order(messages, [message["role"] == "tool" for message in messages])
    _check_ids(messages)


def ollama_chat(messages: list[Json]) -> None:
    """Check messages for the OpenAI endpoint of Ollama: texts of tools, and images in data URLs."""
    openai_chat(messages)
    for message in messages:
        assert message["role"] != "tool" or isinstance(message["content"], str), "a list in an answer"
    for part in _parts_of(messages, "user"):
        assert part["type"] in {"text", "image_url"}, f"a part of {part['type']}"
        if part["type"] == "image_url":
            assert re.match("data:image/(jpeg|png|webp);", part["image_url"]["url"]), "no picture that is taken"


def _check_ids(messages: list[Json]) -> None:
    ids = [message["tool_call_id"] for message in messages if "tool_call_id" in message]
    for id in ids:
        _check_filled(id, "tool_call_id")
    assert len({*ids}) == len(ids), f"two results for one call: {ids}"


def bedrock_messages(messages: list[Json]) -> None:
    """Check user messages of Converse that answer the calls of one turn.

    The validator of the client skips half of its model, and the model says little of data and nothing of names.
    """
    _check_list(encoded(messages))
    for message in messages:
        report = ParamValidator().validate(message, BEDROCK.shape_for("Message"))
        assert not report.has_errors(), report.generate_report()
        _check_shape(message, BEDROCK.shape_for("Message"), "message")
        assert message["role"] == "user", "results come in user messages"
        _check_filled(message["content"], "content")
    assert len(messages) <= 1, "results in more than one message, or roles that do not alternate"
    blocks = [block for message in messages for block in message["content"]]
    _check_order(blocks, ["toolResult" in block for block in blocks])
    results = [block["toolResult"] for block in blocks if "toolResult" in block]
    ids = [result["toolUseId"] for result in results]
    assert len({*ids}) == len(ids), f"two results for one call: {ids}"
    for result in results:
        _check_filled(result["content"], "content")
        _check_bedrock_blocks(result["content"], {"text", "json", "image", "document", "video", "searchResult"})
        if result.get("status") == "error":
            assert {*map(_key, result["content"])} <= {"text", "json"}, "media in an error"
        assert "type" not in result, "only tools of the server have a type"
    after = blocks[len(results) :]
    _check_bedrock_blocks(after, {"text", "image", "document", "video"})
    _check_bedrock_media([*after, *(block for result in results for block in result["content"])])


def encoded(value: Any) -> Any:
    """Return the same with base64 text for bytes, as the client of Bedrock writes them."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, list):
        return [encoded(item) for item in value]
    return {key: encoded(item) for key, item in value.items()} if isinstance(value, dict) else value


def decoded(value: Any) -> Any:
    """Return the same with bytes for each base64 text that is called so."""
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: base64.b64decode(item) if key == "bytes" else decoded(item) for key, item in value.items()}


def _check_anthropic_blocks(blocks: list[Json]) -> None:
    for block in blocks:
        if block["type"] == "tool_result":
            assert ANTHROPIC_ID.fullmatch(block["tool_use_id"]), f"call id {block['tool_use_id']!r}"
            content = block.get("content")
            if "content" in block or block.get("is_error"):
                _check_filled(content, "content")
            if block.get("is_error") and isinstance(content, list):
                assert {inner["type"] for inner in content} == {"text"}, "media in an error"
            _check_anthropic_blocks([] if isinstance(content, str | None) else content)
        elif block["type"] == "text":
            _check_filled(block["text"], "text")
        elif block["type"] == "search_result":
            _check_filled(block["content"], "content")
            _check_anthropic_blocks(block["content"])
        elif block["type"] in {"image", "document"}:
            _check_anthropic_source(block["source"])


def _check_anthropic_source(source: Json) -> None:
    if source["type"] == "base64":
        _check_base64(source["data"])
    elif source["type"] == "url":
        _check_web_url(source["url"])
    elif source["type"] == "content":
        _check_filled(source["content"], "content")
        _check_anthropic_blocks([] if isinstance(source["content"], str) else source["content"])
    else:
        _check_filled(source.get("data", source.get("file_id")), "source")


def _check_chat(messages: list[Json], module: types.ModuleType) -> None:
    _check_list(messages)
    for message in messages:
        kind = "Tool" if message.get("role") == "tool" else "User"
        _validate(getattr(module, f"ChatCompletion{kind}MessageParam"), message)
    _check_chat_rules(messages)


def _check_chat_rules(messages: list[Json]) -> None:
    _check_order(messages, [message["role"] == "tool" for message in messages])
    for message in messages:
        _check_filled(message["content"], "content")
        _check_filled(message.get("tool_call_id", "a user's"), "tool_call_id")
    for part in _parts_of(messages, "tool", "user"):
        value = part[part["type"]]
        match part["type"]:
            case "text":
                _check_filled(value, "text")
            case "image_url":
                _check_url(value["url"], "image/")
            case "video_url" | "input_video":
                _check_url(value["url"], "video/")
            case "input_audio":
                _check_base64(value["data"])
            case "file":
                _check_one_of(value, "file_data", "file_id")
                if "file_data" in value:
                    _check_url(value["file_data"])


def _parts_of(messages: list[Json], *roles: str) -> Iterator[Json]:
    for message in messages:
        if message["role"] in roles and isinstance(message["content"], list):
            yield from message["content"]


def _check_call_id(item: Json) -> None:
    assert 1 <= len(item.get("call_id") or "") <= 64, f"call id {item.get('call_id')!r}"


def _check_responses_content(content: str | list[Json]) -> None:
    _check_filled(content, "content")
    for part in [] if isinstance(content, str) else content:
        match part["type"]:
            case "input_text":
                _check_filled(part["text"], "text")
            case "input_image":
                _check_one_of(part, "image_url", "file_id")
                if "image_url" in part:
                    _check_url(part["image_url"], "image/")
            case "input_file":
                source = _check_one_of(part, "file_data", "file_url", "file_id")
                if source == "file_data":
                    _check_data_url(part["file_data"])
                elif source == "file_url":
                    _check_web_url(part["file_url"])


def _check_function_response(response: Json) -> None:
    _check_filled(response.get("name"), "name")
    assert isinstance(response.get("response"), dict), "the response is no object"
    assert response["response"], "the response is empty"
    for part in response.get("parts") or []:
        _check_gemini_part(part, {"inlineData", "fileData"})


def _check_gemini_part(part: Json, kinds: set[str]) -> None:
    (kind,) = _exactly_one({*part} & kinds, f"of {sorted(kinds)} in {[*part]}")
    assert {*part} - {kind} <= {"mediaResolution", "videoMetadata", "documentMetadata"}, f"beside {kind}: {[*part]}"
    _check_filled(part[kind], kind)
    if kind != "text":
        _check_filled(part[kind].get("mimeType"), "mimeType")
    if kind == "inlineData":
        _check_base64(part[kind].get("data"))
    if kind == "fileData":
        _check_filled(part[kind].get("fileUri"), "fileUri")


def _check_interactions_block(block: Json) -> None:
    if block["type"] == "text":
        _check_filled(block["text"], "text")
    elif block["type"] != "function" and _check_one_of(block, "data", "uri") == "data":
        _check_filled(block.get("mime_type"), "mime_type")
        _check_base64(block["data"])


def _check_shape(value: Any, shape: Any, path: str) -> None:
    """Check what the validator of botocore passes over: enumerations, patterns, and sizes at either end."""
    low, high, pattern = (shape.metadata.get(word) for word in ("min", "max", "pattern"))
    match shape.type_name:
        case "structure" if not shape.is_document_type:
            for name, member in value.items():
                _check_shape(member, shape.members[name], f"{path}.{name}")
        case "list":
            for number, item in enumerate(value):
                _check_shape(item, shape.member, f"{path}[{number}]")
        case "string":
            assert not shape.enum or value in shape.enum, f"{path}: {value!r} is not one of {shape.enum}"
            assert pattern is None or re.fullmatch(pattern, value), f"{path}: {value!r} is not {pattern}"
        case "blob":
            assert type(value) is bytes, f"{path}: {type(value).__name__} would be encoded as it is"
    if low is not None or high is not None:
        assert (low or 0) <= len(value) <= (high or len(value)), f"{path}: {len(value)} is not {low} to {high}"


def _check_bedrock_blocks(blocks: list[Json], kinds: set[str]) -> None:
    assert {*map(_key, blocks)} <= kinds, f"of {sorted(kinds)} in {[*map(_key, blocks)]}"
    for block in blocks:
        if "text" in block:
            _check_filled(block["text"], "text")
        if "json" in block:
            assert isinstance(block["json"], dict), f"{type(block['json']).__name__} for json"
            _check_filled(block["json"], "json")
        if "searchResult" in block:
            _check_filled(block["searchResult"]["content"], "content")
    if any("document" in block for block in blocks):
        assert any("text" in block for block in blocks), "a document without a text beside it"


def _check_bedrock_media(blocks: list[Json]) -> None:
    media = [(kind, block[kind]) for block in blocks for kind in ("image", "document", "video") if kind in block]
    for kind, most in (("image", 20), ("document", 5)):
        assert sum(kind == known for known, _ in media) <= most, f"more than {most} of {kind}"
    sizes = {"image": 3_750_000, "document": 4_500_000, "video": 25_000_000 // 4 * 3 - 1}
    for kind, block in media:
        assert len(block["source"].get("bytes", b"")) <= sizes[kind], f"{kind}: too large"
        assert kind != "document" or "format" in block, "a document without format"
    names = [block["name"] for kind, block in media if kind == "document"]
    assert [name for name in names if not DOCUMENT_NAME.fullmatch(name)] == []
    assert len({name.lower() for name in names}) == len(names), f"one name for two documents: {names}"


def _key(block: Json) -> str:
    (key,) = block
    return key


def _check_order(items: Sequence[Json], answers: list[bool]) -> None:
    assert answers == sorted(answers, reverse=True), f"something before or between the answers: {items}"


def _check_filled(value: str | list[Any] | Json | None, slot: str) -> None:
    assert value.strip() if isinstance(value, str) else value, f"{slot}: {value!r}"


def _check_one_of(value: Json, *keys: str) -> str:
    (key,) = _exactly_one([key for key in keys if key in value], f"of {keys} in {[*value]}")
    _check_filled(value[key], key)
    return key


def _exactly_one(found: Iterable[str], text: str) -> list[str]:
    found = [*found]
    assert len(found) == 1, f"{len(found)} {text}"
    return found


def _check_url(url: str, type_of_data: str = "") -> None:
    if url.startswith("data:"):
        _check_data_url(url, type_of_data)
    else:
        _check_web_url(url)


def _check_data_url(url: str, type_of_data: str = "") -> None:
    match = DATA_URL.fullmatch(url)
    assert match, f"no data URL: {url[:60]!r}"
    assert match[1].startswith(type_of_data), f"{match[1]} is not {type_of_data}"
    _check_base64(match[2])


def _check_web_url(url: str) -> None:
    assert re.match(r"https?://[^/\s]", url), f"no URL of the web: {url[:60]!r}"


def _check_base64(text: str | None) -> None:
    assert text, "no bytes"
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise AssertionError(f"{error}: {text[:60]!r}") from error
    assert base64.b64encode(data).decode() == text, f"another spelling of base64: {text[:60]!r}"


def _check_list(items: list[Json]) -> None:
    assert isinstance(items, list), f"no list: {items!r}"
    assert all(isinstance(item, dict) for item in items), f"not only dicts: {items!r}"
    _check_json(items)


def _check_json(value: Any) -> None:
    """Refuse what JSON has no word for, what it would change, and text that no provider takes."""
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise AssertionError(f"not JSON: {error}") from error
    assert json.loads(text) == value, "JSON changes it"
    assert "\\u0000" not in text.replace("\\\\", ""), "NUL in a text"


def _validate(annotation: Any, value: Any) -> None:
    _adapter(annotation).validate_python(value)


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(strict(annotation))


@cache
def strict(annotation: Any) -> Any:
    """Return the type with typed dicts that forbid other keys and convert nothing, and lists for iterables.

    Pydantic checks the items of an `Iterable` when someone takes them, so never.
    """
    arguments = get_args(annotation)
    match get_origin(annotation):
        case None if isinstance(annotation, TypeAliasType):
            return strict(annotation.__value__)
        case None if is_typeddict(annotation):
            return _strict_dict(annotation)
        case typing.Annotated:
            return strict(arguments[0])
        case typing.Union | types.UnionType:
            return Union[tuple(strict(argument) for argument in arguments)]  # noqa: UP007 - its members are computed
        case origin if isinstance(origin, type) and issubclass(origin, Mapping):
            return dict[arguments[0], strict(arguments[1])]
        case origin if isinstance(origin, type) and issubclass(origin, Iterable):
            return list[strict(arguments[0])]
    return annotation


def _strict_dict(annotation: Any) -> Any:
    fields = {}
    for name, hint in get_type_hints(annotation, include_extras=True).items():
        needed: Any = Required if annotation.__total__ else NotRequired
        while get_origin(hint) in {Required, NotRequired, Annotated}:
            needed = get_origin(hint) if get_origin(hint) is not Annotated else needed
            hint = get_args(hint)[0]  # noqa: PLW2901 - one wrapping less
        fields[name] = needed[strict(hint)]
    made = TypedDict(annotation.__name__, fields)
    made.__pydantic_config__ = FORBIDDING
    return made


def _validate_model(model: type[BaseModel], value: Json) -> None:
    """Refuse what the model keeps without knowing it, and what it would send in another form."""
    validated = _quietly(model.model_validate, value)
    for inner in _models(validated):
        assert not inner.model_extra, f"{type(inner).__name__} does not know {inner.model_extra}"
        assert not type(inner).__name__.startswith("Unknown"), f"unknown: {inner}"
    dump = validated.model_dump(mode="json", by_alias=True, exclude_unset=True)
    assert dump == value, f"the client reads {dump}"


def _models(value: Any) -> Iterator[BaseModel]:
    if isinstance(value, BaseModel):
        yield value
        value = vars(value)
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for item in value:
            yield from _models(item)


def _quietly(validate: Any, value: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return validate(value)
        except Warning as warning:
            raise AssertionError(str(warning)) from warning


def _url_safe(value: Any) -> Any:
    """Spell the bytes of the contents as google-genai writes them."""
    if isinstance(value, list):
        return [_url_safe(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {**item, "data": item["data"].translate(str.maketrans("+/", "-_"))}
        if key == "inlineData" and item and item.get("data")
        else item
        if key == "response"
        else _url_safe(item)
        for key, item in value.items()
    }
