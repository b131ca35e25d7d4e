"""Google Gemini's `generateContent`: `functionResponse` parts of one content.

The shape is that of `google.genai.types.FunctionResponse`, in the camel case of the REST interface.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from toolresult._content import ContentPart
from toolresult._result import ToolResult
from toolresult.adapters._capabilities import Outcome, Table
from toolresult.adapters._limits import Kind, Limits, Piece, clean
from toolresult.adapters._reading import (
    Found,
    Reading,
    bytes_of,
    is_list,
    items_of,
    mapping_at,
    mappings_in,
    optional_text_at,
    text_at,
    word_at,
)
from toolresult.adapters._structured import structured
from toolresult.adapters._turn import (
    ATTACHED,
    CallResult,
    Laid,
    OnLoss,
    OnPending,
    chosen,
    chosen_limits,
    lay_out,
    named_items,
    plain_items,
)

__all__ = ["CAPABILITIES", "LIMITS", "from_gemini", "to_gemini"]

Platform = Literal["gemini", "vertex"]
Media = Literal["inline", "user", "text"]

_MEDIA_WORDS: Mapping[str, Media] = {"inline": "inline", "user": "user", "text": "text"}

# The names that the interface documents for types that the registry, or this library, calls otherwise.
_THEIRS = {
    "audio/mpeg": "audio/mp3",
    "video/quicktime": "video/mov",
    "video/x-msvideo": "video/avi",
    "video/x-ms-wmv": "video/wmv",
}
_NAMES = {theirs: ours for ours, theirs in _THEIRS.items()}

_FILES_API = r"https://generativelanguage\.googleapis\.com/.+"
_BUCKET = "gs://.+"
_NESTED = frozenset({"image/png", "image/jpeg", "image/webp", "application/pdf"})


def _limits(uri: str) -> Limits:
    return Limits(
        # Ids may be missing, and are the provider's own.
        call_id="[!-~]*",
        # google.genai.types.FunctionDeclaration; "Name cannot be empty", says the API (langflow-ai/langflow#9437).
        name="[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}",
        needs_name=True,
        # Docs, Image, Audio, Video and Document understanding.
        image=Kind(types=frozenset({"image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"})),
        audio=Kind(types=frozenset({"audio/wav", "audio/mpeg", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"})),
        video=Kind(
            types=frozenset(
                {
                    "video/mp4",
                    "video/mpeg",
                    "video/quicktime",
                    "video/x-msvideo",
                    "video/x-flv",
                    "video/webm",
                    "video/x-ms-wmv",
                    "video/3gpp",
                }
            )
        ),
        file=Kind(types=frozenset({"application/pdf"})),
        # The list that Google's docs give for Gemini 3; video (google-gemini/gemini-cli#16995) and audio
        # (googleapis/java-genai#884) were refused there.
        nested=_NESTED,
        # Unconfirmed for a result; 20 MB is what the docs gave for a whole request.
        total_bytes=20_000_000,
        # URLs of the open web are not fetched (vercel/ai#12777); a bare `files/name` is refused by the SDK.
        url=uri,
        file_id=uri.replace(".+", "[!-~]+"),
        owners=frozenset({"gemini", "google"}),
    )


LIMITS: Final[Mapping[str, Limits]] = {"gemini": _limits(_FILES_API), "vertex": _limits(f"{_BUCKET}|{_FILES_API}")}
"""What each platform takes."""

_MEDIA: Mapping[str, tuple[Outcome, Outcome, Outcome]] = {
    "image": ("inline", "described", "moved"),
    "audio": ("moved", "described", "moved"),
    "video": ("moved", "described", "moved"),
    "pdf": ("inline", "described", "moved"),
}
CAPABILITIES: Final[Table] = {"gemini": _MEDIA, "vertex": _MEDIA}


def to_gemini(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    *,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
    platform: Platform = "gemini",
    media: Media = "inline",
    limits: Limits | None = None,
) -> list[Any]:
    """Write the results of one turn as one content, and one more with their media, if some cannot stand in a result.

    Each result needs the name of its tool. `media` is `"inline"` (Gemini 3 and newer), `"user"` for Gemini 2, which
    refuses media in a result, or `"text"` to send texts only. Vertex AI gets no ids, which it refuses.

    Raises:
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: a result is pending and `on_pending` is `"raise"`.
        TypeError, ValueError: `results` or an option that cannot be, a result without name among them.
    """
    usual, media = chosen(LIMITS, platform, "platform"), chosen(_MEDIA_WORDS, media, "media")
    plain = named_items(plain_items(results, on_loss, on_pending, {}, "id", "output"), results)
    if plain and limits is None and usual is LIMITS["gemini"] and not any(c[1].metadata for c in results):
        for item in plain:
            item["response"] = {"output": item.pop("output")}
        return [{"role": "user", "parts": [{"functionResponse": item} for item in plain]}]
    limits = chosen_limits(limits, usual, has_media=media != "text")
    nested = limits.nested if media == "inline" else frozenset[str]()
    has_ids = usual is LIMITS["gemini"]

    def place(piece: Piece, is_error: bool) -> tuple[Literal["inline", "moved"], dict[str, Any]] | str:  # noqa: ARG001, FBT001
        if piece.part.data is None and piece.mime_type is None:
            return "its type is not known"
        is_nested = piece.part.data is not None and (nested is None or piece.mime_type in nested)
        return "inline" if is_nested else "moved", _block(piece)

    def reference(n: int, call: CallResult) -> str:
        return call.call_id if has_ids and call.call_id else f"{call.name} #{n + 1}"

    laid = lay_out(results, limits, on_loss, on_pending, place, reference=reference)
    if not laid:
        return []
    # As many responses as calls, in one content, and nothing else beside them (google-gemini/gemini-cli#3814).
    contents: list[Any] = [{"role": "user", "parts": [_response(one, has_id=has_ids) for one in laid]}]
    follows: list[Any] = []
    for one in laid:
        for introduction, block in one.moved:
            follows += [{"text": introduction}, block]
    return [*contents, {"role": "user", "parts": follows}] if follows else contents


def from_gemini(items: Iterable[Mapping[str, Any]], *, on_loss: OnLoss = None) -> list[CallResult]:
    """Read the results in contents, in camel case or snake case; other contents and parts are passed over.

    A part that stands among the contents, as the client takes it, is read too.

    A result without id gets the id `""`.

    Raises:
        DecodeError: a malformed result; `path` says where.
        LossError: something was lost and `on_loss` is `"raise"`.
    """
    reading = Reading(on_loss, has_flag=True)
    for path, content in items_of(items, takes_texts=True):
        parts: object = content.get("parts")
        alone = _either(content, "functionResponse", "function_response")
        if parts is None and alone[1] is not None:
            _read(reading, mapping_at(alone[1], f"{path}.{alone[0]}"), f"{path}.{alone[0]}", 1)
            continue
        if word_at(content, "role") == "model":
            reading.end_turn()
            continue
        if not is_list(parts, f"{path}.parts"):
            continue
        n_calls = 0
        for at, part in mappings_in(parts, f"{path}.parts"):
            key, response = _either(part, "functionResponse", "function_response")
            if response is not None:
                n_calls += 1
                _read(reading, mapping_at(response, f"{at}.{key}"), f"{at}.{key}", n_calls)
        reading.follow(parts, f"{path}.parts", _part, lambda part: part.get("text") is None)
    return reading.results()


def _block(piece: Piece) -> dict[str, Any]:
    mime_type = _THEIRS.get(piece.mime_type or "", piece.mime_type)
    if piece.part.data is not None:
        return {"inlineData": {"mimeType": mime_type, "data": piece.part.base64()}}
    return {"fileData": {"fileUri": piece.part.url or piece.part.file_id, "mimeType": mime_type}}


def _response(one: Laid, *, has_id: bool) -> dict[str, Any]:
    blocks = [piece for piece in one.slot if not isinstance(piece, str)]
    texts = one._replace(slot=[piece for piece in one.slot if isinstance(piece, str)])
    text: object = ATTACHED if blocks and not texts.slot and not one.is_error else texts.text(has_flag=True)
    data = None if one.is_error or text != clean(one.result.output) else structured(one.result)
    response: dict[str, Any] = {"name": one.name}
    if has_id and one.call_id:
        response["id"] = one.call_id
    # One of two keys, whatever the tool returned: a mapping of its own with a key `error` would read as a failure.
    response["response"] = {"error": text} if one.is_error else {"output": text if data is None else data}
    if blocks:
        response["parts"] = blocks
    return {"functionResponse": response}


def _either(members: Mapping[str, Any], camel: str, snake: str) -> tuple[str, Any]:
    """Look a member up by either of its names; the name comes with it, for the paths of errors."""
    key = snake if members.get(camel) is None and members.get(snake) is not None else camel
    return key, members.get(key)


def _read(reading: Reading, response: dict[str, Any], at: str, n: int) -> None:
    name = text_at(response, "name", at)
    found = reading.add(optional_text_at(response, "id", at) or "", name, f"{at}.id", f"{name} #{n}")
    said: object = response.get("response")
    members = {} if said is None else mapping_at(said, f"{at}.response")
    has_parts = response.get("parts") is not None
    # The key `error` holds "details (if any)", says the type.
    found.is_error = bool(members.get("error"))
    keys = ("output", "result", "error") if found.is_error else ("output", "result")
    if members.keys() <= {"output", "result", "error"} and any(members.get(key) is not None for key in keys):
        for key in keys:
            value = members.get(key)
            if isinstance(value, str) and not (has_parts and value == ATTACHED):
                found.parts.append(found.text(str.__str__(value)))
            elif value is not None and not isinstance(value, str):
                found.parts.append(found.json(value, f"{at}.response.{key}"))
    elif members:
        # "If neither is there, the whole response is the output"; nothing of another mapping is dropped either.
        found.parts.append(found.json(members, f"{at}.response"))
    if has_parts:
        found.read(response["parts"], f"{at}.parts", _part)


def _part(found: Found, part: dict[str, Any], at: str) -> ContentPart:
    for camel, snake in (("inlineData", "inline_data"), ("fileData", "file_data")):
        key, value = _either(part, camel, snake)
        if value is None:
            continue
        at = f"{at}.{key}"
        inner = mapping_at(value, at)
        label, _ = _either(inner, "mimeType", "mime_type")
        claim = optional_text_at(inner, label, at)
        claim = None if claim is None else _NAMES.get(claim, claim)
        name = optional_text_at(inner, _either(inner, "displayName", "display_name")[0], at)
        if camel == "fileData":
            uri, _ = _either(inner, "fileUri", "file_uri")
            return found.uri(text_at(inner, uri, at), claim, "gemini", f"{at}.{uri}", name)
        data = bytes_of(inner.get("data"))
        if data is not None:
            return found.data(data, claim, f"{at}.data", name, label_path=f"{at}.{label}")
        return found.base64(text_at(inner, "data", at), claim, f"{at}.data", name, label_path=f"{at}.{label}")
    return found.unknown(part, at)
