"""Amazon Bedrock's Converse API: `toolResult` blocks of one user message.

The shape is that of `ToolResultBlock` in botocore's model of `bedrock-runtime`. Data are raw bytes, since boto3 encodes
them itself; it takes base64 text too, and encodes it once more.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, cast

from toolresult._content import ContentPart
from toolresult._frozen import type_name
from toolresult._media import DOCX, XLSX, by_suffix, is_textual
from toolresult._result import ToolResult
from toolresult._text import repair
from toolresult.adapters._capabilities import Table
from toolresult.adapters._limits import DATA, Kind, Limits, Piece, clean, encoded_size
from toolresult.adapters._reading import (
    Found,
    Reading,
    bytes_of,
    is_list,
    items_of,
    mapping_at,
    mappings_at,
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
    label,
    lay_out,
    plain_items,
)
from toolresult.errors import DecodeError

__all__ = ["CAPABILITIES", "LIMITS", "from_bedrock", "to_bedrock"]

Media = Literal["inline", "user", "text"]
Errors = Literal["status", "marker"]
_MEDIA = {"inline": True, "user": False, "text": False}
_ERRORS = {"status": True, "marker": False}

# botocore: ImageFormat, VideoFormat, DocumentFormat.
_FORMATS: Mapping[str, Mapping[str, str]] = {
    "image": {"image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif", "image/webp": "webp"},
    "video": {
        "video/matroska": "mkv",
        "video/quicktime": "mov",
        "video/mp4": "mp4",
        "video/webm": "webm",
        "video/x-flv": "flv",
        "video/mpeg": "mpeg",
        "video/x-ms-wmv": "wmv",
        "video/3gpp": "three_gp",
    },
    "file": {
        "application/pdf": "pdf",
        "text/csv": "csv",
        "application/msword": "doc",
        DOCX: "docx",
        "application/vnd.ms-excel": "xls",
        XLSX: "xlsx",
        "text/html": "html",
        "text/plain": "txt",
        "text/markdown": "md",
    },
}
_MIME_TYPES = {word: mime_type for words in _FORMATS.values() for mime_type, word in words.items()} | {
    "mpg": "video/mpeg"
}
_KINDS = {"image": "image", "document": "file", "video": "video"}
_BLOCKS = {kind: block for block, kind in _KINDS.items()}

# botocore: S3Uri, with the key of an object.
_S3 = r"s3://[a-z0-9][.\-a-z0-9]{1,61}[a-z0-9]/.+"


def _kind(kind: str, size: int, count: int | None = None, side: int | None = None) -> Kind:
    return Kind(types=frozenset(_FORMATS[kind]), chars=(size + 2) // 3 * 4, count=count, side=side)


LIMITS: Final = Limits(
    # botocore: ToolUseId. Dots and colons were refused by older versions (earendil-works/pi#781).
    call_id="[a-zA-Z0-9_.:-]{1,64}",
    # botocore, Message: 20 images, each of 3.75 MB and 8000 pixels a side; 5 documents, each of 4.5 MB. That they count
    # in a result too is unconfirmed.
    image=_kind("image", 3_750_000, 20, 8000),
    file=_kind("file", 4_500_000, 5),
    # botocore, VideoSource: less than 25 MB once encoded.
    video=_kind("video", 18_749_997),
    # Unconfirmed; what a video alone may have.
    total_bytes=25_000_000,
    # botocore, S3Location: the web is not fetched, and there are no ids of files.
    url=_S3,
    url_chars=1024,
    file_id=rf"(?!.{{1025}})(?!.*[\x00-\x20\x7f\ud800-\udfff]){_S3}",
    owners=frozenset({"bedrock", "aws"}),
)
"""What the API takes."""

CAPABILITIES: Final[Table] = {
    "bedrock": {
        "image": ("inline", "described", "inline"),
        "video": ("inline", "described", "inline"),
        "pdf": ("inline", "described", "inline"),
        "text file": ("inline", "described", "inline"),
    }
}

_NAME = 200
# Marks on letters are sorted when they are taken off, which takes the square of their number.
_LONG_NAME = 1000
_UNNAMED = "document"
# botocore, DocumentBlock: alphanumerics, single white space, hyphens, parentheses, square brackets. Non-ASCII letters
# were refused (vercel/ai#20365).
_ILLEGAL = re.compile(r"[^a-zA-Z0-9()\[\]-]+")


def to_bedrock(
    results: Iterable[CallResult | tuple[str, ToolResult] | tuple[str, ToolResult, str | None]],
    *,
    on_loss: OnLoss = None,
    on_pending: OnPending = "raise",
    media: Media = "inline",
    errors: Errors = "status",
    taken: Iterable[str] = (),
    limits: Limits | None = None,
) -> list[Any]:
    """Write the results of one turn as one user message; no results give no message.

    `media` is `"inline"`, `"user"` for models that see no media in a result, which then follow after all results in the
    same message, or `"text"` to send texts only. `errors` is `"status"` (Claude and Nova) or `"marker"` for models that
    have no `status`. `taken` are the names of the documents that the conversation holds already: each must differ.

    Raises:
        LossError: a part was lost and `on_loss` is `"raise"`.
        PendingResultError: a result is pending and `on_pending` is `"raise"`.
        TypeError, ValueError: `results` or an option that cannot be.
    """
    is_inline, has_status = chosen(_MEDIA, media, "media"), chosen(_ERRORS, errors, "errors")
    if isinstance(taken, tuple) and not taken and limits is None:
        plain = plain_items(results, on_loss, on_pending, {}, "toolUseId", "content")
        if plain and not any(call[1].metadata for call in results):
            for item in plain:
                item["content"] = [{"text": item["content"]}]
            return [{"role": "user", "content": [{"toolResult": item} for item in plain]}]
    names = _Names(taken)
    limits = chosen_limits(limits, LIMITS, has_media=media != "text")

    def place(piece: Piece, is_error: bool) -> tuple[Literal["inline", "moved"], dict[str, Any]] | str:  # noqa: FBT001
        word = _FORMATS.get(piece.kind, {}).get(piece.mime_type or "")
        if word is None:
            return "its type is not known"
        if piece.part.data is not None and is_textual(piece.mime_type or ""):
            return "its text cannot be read"
        # That an error takes texts only is the rule of the models behind it; unconfirmed here.
        return "inline" if is_inline and not (is_error and has_status) else "moved", _block(piece, word)

    texts: dict[int, Piece] = {}

    def document(piece: Piece) -> dict[str, Any]:
        block = _text_document(piece)
        texts[id(block)] = piece
        return block

    laid = lay_out(results, limits, on_loss, on_pending, place, document if is_inline else None)
    if not laid:
        return []
    _fit(laid, texts, limits)
    names.give(block["document"] for block in _media_of(laid) if "document" in block)
    content: list[Any] = [_result(one, has_status=has_status) for one in laid]
    # Roles alternate, so what follows stands in the same message. A document needs a text beside it.
    for one in laid:
        for introduction, block in one.moved:
            content += [{"text": introduction}, block]
    return [{"role": "user", "content": content}]


def from_bedrock(items: Iterable[Mapping[str, Any]], *, on_loss: OnLoss = None) -> list[CallResult]:
    """Read the results in messages; other messages and blocks are passed over. Data may be bytes, or base64 text.

    A result without `status` is an error if its text begins with the error marker.

    Raises:
        DecodeError: a malformed result; `path` says where.
        LossError: something was lost and `on_loss` is `"raise"`.
    """
    reading = Reading(on_loss, has_flag=False)
    for path, message in items_of(items):
        content: object = message.get("content")
        role = word_at(message, "role")
        if role == "assistant":
            reading.end_turn()
        if role != "user" or not is_list(content, f"{path}.content"):
            continue
        for at, block in mappings_in(content, f"{path}.content"):
            if block.get("toolResult") is not None:
                _read(reading, mapping_at(block["toolResult"], f"{at}.toolResult"), f"{at}.toolResult")
        reading.follow(content, f"{path}.content", _part, _is_media)
    return reading.results()


def _is_media(block: dict[str, Any]) -> bool:
    return any(block.get(kind) is not None for kind in _KINDS)


def _block(piece: Piece, word: str) -> dict[str, Any]:
    part = piece.part
    source = {"bytes": part.data} if part.data is not None else {"s3Location": {"uri": part.url or part.file_id}}
    name = {"name": _legal_name(piece, word)} if piece.kind == "file" else {}
    return {_BLOCKS[piece.kind]: {"format": word, **name, "source": source}}


def _text_document(piece: Piece) -> dict[str, Any]:
    word = _FORMATS["file"].get(piece.mime_type or "", "txt")
    data = (piece.text or "").encode()
    return {"document": {"format": word, "name": _legal_name(piece, word), "source": {"bytes": data}}}


def _legal_name(piece: Piece, word: str) -> str:
    """Bring a name into the alphabet, without the suffix that says no more than the format."""
    name = piece.part.name or ""
    stem, dot, suffix = name.rpartition(".")
    if dot and word in (suffix.lower(), _FORMATS["file"].get(by_suffix(f"a.{suffix}") or "")):
        name = stem
    decomposed = unicodedata.normalize("NFKD", name[:_LONG_NAME])
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    name = _ILLEGAL.sub(" ", bare).strip()[:_NAME].strip()
    return name if any(c.isalnum() for c in name) else _UNNAMED


class _Names:
    """The names of the documents of a conversation, which differ in more than case."""

    def __init__(self, taken: Iterable[object]) -> None:
        if not isinstance(cast("object", taken), Iterable) or isinstance(taken, (str, bytes)):
            raise TypeError(f"taken: must be an iterable of names, got {type_name(taken)}; use a list")
        self._taken: set[str] = set()
        for n, name in enumerate(taken):
            if not isinstance(name, str):
                raise TypeError(f"taken[{n}]: must be a str, got {type_name(name)}; pass the names of documents")
            self._taken.add(name.lower())

    def give(self, documents: Iterable[dict[str, Any]]) -> None:
        """Number the names that are taken."""
        for document in documents:
            name, n = document["name"], 1
            while name.lower() in self._taken:
                n += 1
                ending = f" ({n})"
                name = document["name"][: _NAME - len(ending)].rstrip() + ending
            self._taken.add(name.lower())
            document["name"] = name


def _media_of(laid: list[Laid]) -> Iterator[dict[str, Any]]:
    for one in laid:
        yield from (block for block in one.slot if not isinstance(block, str))
        yield from (block for _, block in one.moved)


def _fit(laid: list[Laid], texts: dict[int, Piece], limits: Limits) -> None:
    """Make texts of those text files for which there is no room as documents, which are larger and may be few."""
    if not texts:
        return
    kind = limits.file
    blocks = [block for block in _media_of(laid) if id(block) not in texts]
    count = sum("document" in block for block in blocks)
    size = sum(map(_size, blocks)) + sum(len(s.encode()) for one in laid for s in one.slot if isinstance(s, str))
    size += sum(len((piece.text or "").encode()) for piece in texts.values())
    for one in laid:
        for n, block in enumerate(one.slot):
            piece = texts.get(id(block))
            if piece is None or isinstance(block, str):
                continue
            document = block["document"]
            encoded = _size(block)
            more = encoded - len(document["source"]["bytes"])
            if (
                DATA in kind.sources
                and (kind.types is None or _MIME_TYPES[document["format"]] in kind.types)
                and (kind.chars is None or encoded <= kind.chars)
                and (kind.count is None or count < kind.count)
                and (limits.total_bytes is None or size + more <= limits.total_bytes)
            ):
                count += 1
                size += more
            else:
                one.slot[n] = f"[{label(piece)}]\n{piece.text}"


def _size(block: dict[str, Any]) -> int:
    (inner,) = block.values()
    source = inner["source"]
    return encoded_size(source["bytes"]) if "bytes" in source else len(source["s3Location"]["uri"])


def _result(one: Laid, *, has_status: bool) -> dict[str, Any]:
    text = one.text(has_flag=has_status)
    # A list or a bare value is refused, though the model of the service takes it (sigoden/aichat#1542).
    data = None if text is None or one.is_error or text != clean(one.result.output) else structured(one.result)
    if data and isinstance(data, dict):
        content: list[Any] = [{"json": data}]
    elif text is not None:
        content = [{"text": text}]
    else:
        slot = one.slot if has_status else one.marked()
        content = [{"text": piece} if isinstance(piece, str) else piece for piece in slot]
        # Beside a document there must be a text, in a message at least (BerriAI/litellm#36499).
        if any("document" in block for block in content) and not any("text" in block for block in content):
            content = [{"text": ATTACHED}, *content]
    block: dict[str, Any] = {"toolUseId": one.call_id, "content": content}
    if one.is_error and has_status:
        block["status"] = "error"
    return {"toolResult": block}


def _read(reading: Reading, block: dict[str, Any], at: str) -> None:
    found = reading.add(text_at(block, "toolUseId", at), None, f"{at}.toolUseId")
    status = optional_text_at(block, "status", at)
    if status not in (None, "success", "error"):
        raise DecodeError(f"{at}.status", "must be 'success' or 'error'")
    found.is_error = status == "error"
    found.has_flag = status is not None
    content = block.get("content")
    if content is not None:
        found.read(content, f"{at}.content", _part)
    if len(found.parts) > 1 and found.parts[0].text == ATTACHED:
        del found.parts[0]


def _part(found: Found, block: dict[str, Any], at: str) -> ContentPart:
    _check_union(block, ("text", "json", *_KINDS), at)
    if block.get("text") is not None:
        return found.text(text_at(block, "text", at))
    if block.get("json") is not None:
        return found.json(block["json"], f"{at}.json")
    kind = next((kind for kind in _KINDS if block.get(kind) is not None), None)
    if kind is None:
        return found.unknown(block, at)
    at = f"{at}.{kind}"
    inner = mapping_at(block[kind], at)
    source = mapping_at(inner.get("source"), f"{at}.source")
    _check_union(source, ("bytes", "s3Location", "text", "content"), f"{at}.source")
    word = optional_text_at(inner, "format", at)
    claim = (
        None if word is None else _MIME_TYPES.get(word.lower(), f"{_KINDS[kind].replace('file', 'application')}/{word}")
    )
    name = optional_text_at(inner, "name", at)
    label_path = f"{at}.format"
    if source.get("s3Location") is not None:
        location = mapping_at(source["s3Location"], f"{at}.source.s3Location")
        uri = text_at(location, "uri", f"{at}.source.s3Location")
        return found.url(_KINDS[kind], uri, claim, f"{at}.source.s3Location.uri", name, label_path=label_path)
    data = bytes_of(source.get("bytes"))
    if data is not None:
        return found.data(data, claim, f"{at}.source.bytes", name, label_path=label_path)
    if source.get("bytes") is not None or not source:
        text = text_at(source, "bytes", f"{at}.source")
        return found.base64(text, claim, f"{at}.source.bytes", name, label_path=label_path)
    said = _text_of(source, f"{at}.source")
    if said is None:
        return found.unknown(block, at)
    return found.data(repair(said).encode(), claim or "text/plain", f"{at}.source.text", name, label_path=label_path)


def _check_union(members: dict[str, Any], keys: tuple[str, ...], at: str) -> None:
    """Refuse what the client refuses too: two members of what may have one."""
    if sum(members.get(key) is not None for key in keys) > 1:
        raise DecodeError(at, f"must have one of {', '.join(keys)}, not several")


def _text_of(source: dict[str, Any], at: str) -> str | None:
    if source.get("content") is None:
        return optional_text_at(source, "text", at)
    texts = [text_at(block, "text", path) for path, block in mappings_at(source["content"], f"{at}.content")]
    return "\n\n".join(texts)
