"""What the `toolnexus` package writes and reads. Runs where that package is, and ours need not be.

    python tests/oracle_toolnexus.py write          prints what it writes: JSON of [name, kind, wire]
    python tests/oracle_toolnexus.py read < pairs   takes JSON of [kind, wire] and prints what it reads from each

It has a dict form of parts only; the others are dataclasses whose fields are the wire form.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, fields
from importlib.metadata import version
from io import BytesIO
from typing import Any

from toolnexus import content
from toolnexus.content import ContentPart, from_dict, to_dict
from toolnexus.types import Answer, Request, ToolResult, answer_declined, answer_output, auth_required, pending

PNG = b"\x89PNG\r\n\x1a\n"
TIME = "2026-01-02T03:04:05Z"


class NamedBytes(BytesIO):
    """An open file."""

    name = "dir/report.pdf"


PARTS: dict[str, Any] = {
    "text": content.text("hello"),
    "text empty": content.text(""),
    "text in other scripts": content.text("é 中 😀\n\u2028"),
    "text with a type, which is not written": content.part(
        type="text", text="# x", mimeType="text/markdown", name="n.md"
    ),
    "image": content.image(PNG, mime_type="image/png"),
    "image with a name": content.image(PNG, mime_type="image/png", name="é.png"),
    "image of a data url": content.image("data:image/gif;base64,R0lGODlh"),
    "image of a url": content.image("https://h.test/shot.png?sig=1", mime_type="image/png"),
    "image of a type with another name": content.image(b"\xff\xd8\xff", mime_type="image/jpg"),
    "image of a type in capitals": content.image(b"\xff\xd8\xff", mime_type="IMAGE/JPEG"),
    "image without bytes": content.image(b"", mime_type="image/png"),
    "audio": content.audio(b"ID3", mime_type="audio/mpeg", name="a.mp3"),
    "audio of a type with another name": content.audio(b"RIFF", mime_type="audio/x-wav"),
    "audio of a url": content.audio("http://h.test/a.wav"),
    "file": content.file(b"%PDF-1.7", mime_type="application/pdf", name="report.pdf"),
    "file that is open": content.file(NamedBytes(b"%PDF-1.7")),
    "file of a type with a parameter": content.file(b"a,b\n", mime_type="text/csv; charset=utf-8", name="a.csv"),
    "file of every byte": content.file(bytes(range(256)), mime_type="application/octet-stream"),
    "file of a url": content.part(type="file", mimeType="application/pdf", url="https://h.test/r.pdf", name="r.pdf"),
    "unknown type": ContentPart(type="hologram", mimeType="model/gltf", url="https://h.test/h"),
    "bad base64": content.image("data:image/png;base64,YR=="),
    "no type beside data": ContentPart(type="image", data="YQ=="),
    "data and url": ContentPart(type="image", mimeType="image/png", data="YQ==", url="https://h.test/x.png"),
    "neither data nor url": ContentPart(type="image", mimeType="image/png"),
}
REQUESTS = {
    "least": Request(id="pnd-19b1-1", kind="input", prompt="Name?"),
    "everything": Request(
        "r:1", "approval", "Refund é?", "https://h.test/a?b=1", {"n": [1, 1.5, None, {"x": True}]}, TIME
    ),
    "authorization": Request(id="r2", kind="authorization", prompt="Log in", url="https://h.test/login"),
    "open kind": Request(id="r3", kind="x-mine", prompt="", data={"schema": {"type": "object"}}),
    "empty data": Request(id="r4", kind="input", prompt="p", data={}),
    "time with an offset": Request(id="r5", kind="approval", prompt="p", expiresAt="2026-01-02T05:04:05.120+02:00"),
    "time with zero milliseconds": Request(id="r6", kind="approval", prompt="p", expiresAt="2026-01-02T03:04:05.000Z"),
    "time without an offset": Request(id="r7", kind="approval", prompt="p", expiresAt="2026-01-02T03:04:05"),
    "id with a space": Request(id="r 8", kind="approval", prompt="p"),
    "url of a file": Request(id="r9", kind="approval", prompt="p", url="file:///x"),
    "schema that is a text": Request(id="r10", kind="input", prompt="p", data={"schema": "name"}),
}
ANSWERS = {
    "accepted": Answer(id="r1", ok=True),
    "accepted with data": Answer(id="r1", ok=True, data={"name": "é", "deep": [None, {"x": 0.5}]}),
    "accepted with empty data": Answer(id="r1", ok=True, data={}),
    "accepted with an output": answer_output("r1", "42"),
    "declined": answer_declined("r1"),
    "cancelled": answer_declined("r1", "cancelled"),
    "expired": answer_declined("r1", "expired"),
    "declined with data": Answer(id="r1", ok=False, data={"comment": "no"}, reason="declined"),
    "not ok without a reason": Answer(id="r1", ok=False),
    "reason beside ok": Answer(id="r1", ok=True, reason="declined"),
    "unknown reason": Answer(id="r1", ok=False, reason="bored"),
}
RESULTS = {
    "success": ToolResult("é", is_error=False),
    "failure": ToolResult("no", is_error=True, metadata={"code": 404, "at": [1, None]}),
    "parts": ToolResult("see", is_error=False, parts=[to_dict(PARTS["text"]), to_dict(PARTS["image with a name"])]),
    "empty": ToolResult("", is_error=False, metadata={}, parts=[]),
    "pending": pending(kind="approval", prompt="Refund?", id="r1", data={"arguments": {"n": 10}}, expiresAt=TIME),
    "login": auth_required("https://h.test/login", "Log in"),
}
RESULTS["login"].metadata["pending"].id = "r2"  # the id that it drew has the time in it


def form_of(value: Any) -> dict[str, Any]:
    """Write one value: a part by its own function, any other as its fields that are not None."""
    if isinstance(value, ContentPart):
        return to_dict(value)
    return {name: member for name, member in asdict(value).items() if member is not None}


def written() -> list[list[Any]]:
    """List what toolnexus writes."""
    groups = {"ContentPart": PARTS, "Request": REQUESTS, "Answer": ANSWERS, "ToolResult": RESULTS}
    return [[name, kind, form_of(value)] for kind, group in groups.items() for name, value in group.items()]


def read(kind: str, wire: dict[str, Any]) -> dict[str, Any]:
    """Give the fields of what toolnexus reads; of a part, also whether it accepts and how it describes it."""
    if kind == "ContentPart":
        part = from_dict(wire)
        fields_of_part = {field.name: getattr(part, field.name) for field in fields(part)}
        return {**fields_of_part, "accepted": is_accepted(part), "described": content.describe_part(part)}
    if kind == "ToolResult":
        return asdict(
            ToolResult(**{"is_error" if name == "isError" else name: member for name, member in wire.items()})
        )
    # A key that it does not know would be a TypeError.
    return asdict({"Request": Request, "Answer": Answer}[kind](**wire))


def is_accepted(part: ContentPart) -> bool:
    """Say whether toolnexus lets such a part into a conversation."""
    try:
        content.validate(part)
    except content.ContentPartError:
        return False
    return True


def main(mode: str) -> None:
    """Write or read, as JSON on the standard output."""
    if mode == "write":
        answer: Any = {"toolnexus": version("toolnexus"), "written": written()}
    else:
        answer = [read(kind, wire) for kind, wire in json.load(sys.stdin)]
    json.dump(answer, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
