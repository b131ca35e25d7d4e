"""What the `toolnexus` package writes we read, and the other way round: recorded, and live where it is installed."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from toolresult import Answer, ContentPart, DecodeError, Request, ToolResult
from toolresult.wire import from_json, from_wire, to_wire

HERE = Path(__file__).parent
RECORDING = json.loads((HERE / "golden" / "toolnexus.json").read_text(encoding="utf-8"))
WRITTEN = {(kind, name): wire for name, kind, wire in RECORDING["written"]}
KINDS = {kind.__name__: kind for kind in (ContentPart, Request, Answer, ToolResult)}

TIME = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PNG = b"\x89PNG\r\n\x1a\n"
PDF = b"%PDF-1.7"
JPEG = b"\xff\xd8\xff"
NAMED_IMAGE = ContentPart("image", data=PNG, mime_type="image/png", name="é.png")

PARTS = {
    "text": ContentPart("text", text="hello"),
    "text empty": ContentPart("text", text=""),
    "text in other scripts": ContentPart("text", text="é 中 😀\n\u2028"),
    "text with a type, which is not written": ContentPart("text", text="# x"),
    "image": ContentPart("image", data=PNG, mime_type="image/png"),
    "image with a name": NAMED_IMAGE,
    "image of a data url": ContentPart("image", data=b"GIF89a", mime_type="image/gif"),
    "image of a url": ContentPart("image", url="https://h.test/shot.png?sig=1", mime_type="image/png"),
    "image of a type with another name": ContentPart("image", data=JPEG, mime_type="image/jpeg"),
    "image of a type in capitals": ContentPart("image", data=JPEG, mime_type="image/jpeg"),
    "image without bytes": ContentPart("image", data=b"", mime_type="image/png"),
    "audio": ContentPart("audio", data=b"ID3", mime_type="audio/mpeg", name="a.mp3"),
    "audio of a type with another name": ContentPart("audio", data=b"RIFF", mime_type="audio/wav"),
    "audio of a url": ContentPart("audio", url="http://h.test/a.wav", mime_type="audio/wav"),
    "file": ContentPart("file", data=PDF, mime_type="application/pdf", name="report.pdf"),
    "file that is open": ContentPart("file", data=PDF, mime_type="application/pdf", name="report.pdf"),
    "file of a type with a parameter": ContentPart(
        "file", data=b"a,b\n", mime_type="text/csv; charset=utf-8", name="a.csv"
    ),
    "file of every byte": ContentPart("file", data=bytes(range(256)), mime_type="application/octet-stream"),
    "file of a url": ContentPart("file", url="https://h.test/r.pdf", mime_type="application/pdf", name="r.pdf"),
    "unknown type": ContentPart(
        "hologram", raw={"type": "hologram", "mimeType": "model/gltf", "url": "https://h.test/h"}
    ),
}
REQUESTS = {
    "least": Request("input", "Name?", id="pnd-19b1-1"),
    "everything": Request(
        "approval",
        "Refund é?",
        id="r:1",
        url="https://h.test/a?b=1",
        data={"n": [1, 1.5, None, {"x": True}]},
        expires_at=TIME,
    ),
    "authorization": Request("authorization", "Log in", id="r2", url="https://h.test/login"),
    "open kind": Request("x-mine", "", id="r3", data={"schema": {"type": "object"}}),
    "empty data": Request("input", "p", id="r4"),
    "time with an offset": Request("approval", "p", id="r5", expires_at=TIME.replace(microsecond=120_000)),
    "time with zero milliseconds": Request("approval", "p", id="r6", expires_at=TIME),
}
ANSWERS = {
    "accepted": Answer("r1", ok=True),
    "accepted with data": Answer("r1", ok=True, data={"name": "é", "deep": [None, {"x": 0.5}]}),
    "accepted with empty data": Answer("r1", ok=True, data={}),
    "accepted with an output": Answer("r1", ok=True, data={"output": "42"}),
    "declined": Answer("r1", ok=False, reason="declined"),
    "cancelled": Answer("r1", ok=False, reason="cancelled"),
    "expired": Answer("r1", ok=False, reason="expired"),
    "declined with data": Answer("r1", ok=False, data={"comment": "no"}, reason="declined"),
    "not ok without a reason": Answer("r1", ok=False),
}
ASKED = Request("approval", "Refund?", id="r1", data={"arguments": {"n": 10}}, expires_at=TIME)
RESULTS = {
    "success": ToolResult("é"),
    "failure": ToolResult("no", is_error=True, metadata={"code": 404, "at": [1, None]}),
    "parts": ToolResult("see", parts=[ContentPart("text", text="hello"), NAMED_IMAGE]),
    "empty": ToolResult(),
    "pending": ToolResult("Refund?", is_error=True, metadata={"pending": ASKED}),
    "login": ToolResult("Log in\nhttps://h.test/login", is_error=True, metadata={"pending": REQUESTS["authorization"]}),
}
READ = {
    (kind, name): value
    for kind, group in (("ContentPart", PARTS), ("Request", REQUESTS), ("Answer", ANSWERS), ("ToolResult", RESULTS))
    for name, value in group.items()
}

# What toolnexus lets pass and we refuse, with the place that the error names.
REFUSED = {
    ("ContentPart", "bad base64"): "data",
    ("ContentPart", "no type beside data"): "mimeType",
    ("ContentPart", "data and url"): "data",
    ("ContentPart", "neither data nor url"): "data",
    ("Request", "time without an offset"): "expiresAt",
    ("Request", "id with a space"): "id",
    ("Request", "url of a file"): "url",
    ("Request", "schema that is a text"): "data.schema",
    ("Answer", "reason beside ok"): "reason",
    ("Answer", "unknown reason"): "reason",
}

# What we write in another way than it was written, in full. Anything else is written as it was.
PENDING_WIRE = {"id": "r1", "kind": "approval", "prompt": "Refund?", "data": {"arguments": {"n": 10}}}
LOGIN_WIRE = {"id": "r2", "kind": "authorization", "prompt": "Log in", "url": "https://h.test/login"}
PARTS_WIRE = [
    {"type": "text", "text": "hello"},
    {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo=", "name": "é.png"},
]
WRITTEN_ANEW = {
    ("ContentPart", "image of a type with another name"): {"type": "image", "mimeType": "image/jpeg", "data": "/9j/"},
    ("ContentPart", "image of a type in capitals"): {"type": "image", "mimeType": "image/jpeg", "data": "/9j/"},
    ("ContentPart", "audio of a type with another name"): {
        "type": "audio",
        "mimeType": "audio/wav",
        "data": "UklGRg==",
    },
    ("Request", "empty data"): {"id": "r4", "kind": "input", "prompt": "p"},
    ("Request", "time with an offset"): {
        "id": "r5",
        "kind": "approval",
        "prompt": "p",
        "expiresAt": "2026-01-02T03:04:05.120000Z",
    },
    ("Request", "time with zero milliseconds"): {
        "id": "r6",
        "kind": "approval",
        "prompt": "p",
        "expiresAt": "2026-01-02T03:04:05Z",
    },
    # The dataclass spells it is_error; toolnexus has no dict form of a result.
    ("ToolResult", "success"): {"output": "é", "isError": False},
    ("ToolResult", "failure"): {"output": "no", "isError": True, "metadata": {"code": 404, "at": [1, None]}},
    ("ToolResult", "parts"): {"output": "see", "isError": False, "parts": PARTS_WIRE},
    ("ToolResult", "empty"): {"output": "", "isError": False},
    ("ToolResult", "pending"): {
        "output": "Refund?",
        "isError": True,
        "metadata": {"pending": {**PENDING_WIRE, "expiresAt": "2026-01-02T03:04:05Z"}},
    },
    ("ToolResult", "login"): {
        "output": "Log in\nhttps://h.test/login",
        "isError": True,
        "metadata": {"pending": LOGIN_WIRE},
    },
}

# The fields that toolnexus reads otherwise from what we write than from what it wrote.
OTHERWISE = {
    ("ContentPart", "image of a type with another name"): {
        "mimeType": "image/jpeg",
        "described": "image (image/jpeg, 3 bytes)",
    },
    ("ContentPart", "image of a type in capitals"): {
        "mimeType": "image/jpeg",
        "described": "image (image/jpeg, 3 bytes)",
    },
    ("ContentPart", "audio of a type with another name"): {
        "mimeType": "audio/wav",
        "described": "audio (audio/wav, 4 bytes)",
    },
    ("Request", "empty data"): {"data": None},
    ("Request", "time with an offset"): {"expiresAt": "2026-01-02T03:04:05.120000Z"},
    ("Request", "time with zero milliseconds"): {"expiresAt": "2026-01-02T03:04:05Z"},
    ("ToolResult", "empty"): {"metadata": None, "parts": None},
    ("ToolResult", "pending"): {"metadata": {"pending": {**PENDING_WIRE, "expiresAt": "2026-01-02T03:04:05Z"}}},
    ("ToolResult", "login"): {"metadata": {"pending": LOGIN_WIRE}},
}


def part_fields(kind, *, accepted=True, described, **fields):
    nothing = {"text": None, "mimeType": None, "data": None, "url": None, "name": None}
    return {"type": kind, **nothing, **fields, "accepted": accepted, "described": described}


# Our values, and what toolnexus reads from what we write. It does not know metadata, file ids and video.
OURS = {
    "text with everything": (
        ContentPart("text", text="# x", mime_type="text/markdown", name="n.md", metadata={"audience": ["user"]}),
        part_fields(
            "text", text="# x", mimeType="text/markdown", name="n.md", described="text (text/markdown, 0 bytes)"
        ),
    ),
    "image": (
        ContentPart("image", data=PNG, mime_type="image/png", name="é.png", metadata={"alt": "A"}),
        part_fields(
            "image", mimeType="image/png", data="iVBORw0KGgo=", name="é.png", described="image (image/png, 8 bytes)"
        ),
    ),
    "image without bytes": (
        ContentPart("image", data=b"", mime_type="image/png"),
        part_fields("image", mimeType="image/png", data="", accepted=False, described="image (image/png, 0 bytes)"),
    ),
    "url": (
        ContentPart.from_url("https://h.test/x.png", type="image", mime_type="image/png"),
        part_fields("image", mimeType="image/png", url="https://h.test/x.png", described="image (image/png, 0 bytes)"),
    ),
    "url without a type": (
        ContentPart.from_url("https://h.test/x", type="image"),
        part_fields("image", url="https://h.test/x", accepted=False, described="image (None, 0 bytes)"),
    ),
    "file id": (
        ContentPart.from_file_id("file_1", type="file", provider="p", mime_type="text/csv"),
        part_fields("file", mimeType="text/csv", accepted=False, described="file (text/csv, 0 bytes)"),
    ),
    "video": (
        ContentPart("video", data=b"abc", mime_type="video/mp4"),
        part_fields("video", mimeType="video/mp4", data="YWJj", accepted=False, described="video (video/mp4, 3 bytes)"),
    ),
    "unknown type": (
        ContentPart("hologram", raw={"type": "hologram", "depth": 3, "name": "h"}),
        part_fields("hologram", name="h", accepted=False, described="hologram (None, 0 bytes)"),
    ),
    "request": (
        Request.approval("Refund é?", id="call_1:0", arguments={"n": 10}, expires_at=TIME),
        {
            "id": "call_1:0",
            "kind": "approval",
            "prompt": "Refund é?",
            "url": None,
            "data": {"arguments": {"n": 10}},
            "expiresAt": "2026-01-02T03:04:05Z",
        },
    ),
    "request with a url": (
        REQUESTS["authorization"],
        {**LOGIN_WIRE, "data": None, "expiresAt": None},
    ),
    "answer": (
        ASKED.decline("too much"),
        {"id": "r1", "ok": False, "data": {"comment": "too much"}, "reason": "declined"},
    ),
    "answer whose data is no object": (
        ASKED.accept([0, None]),
        {"id": "r1", "ok": True, "data": [0, None], "reason": None},
    ),
    "result": (ToolResult("x"), {"output": "x", "is_error": False, "metadata": None, "parts": None}),
    "result with everything": (
        ToolResult.error("no", code="gone", value=[1], parts=[PARTS["text"], NAMED_IMAGE]),
        {
            "output": "no",
            "is_error": True,
            "metadata": {"toolresult": {"code": "gone", "value": [1]}},
            "parts": PARTS_WIRE,
        },
    ),
    "pending result": (
        ToolResult.pending(ASKED),
        {
            "output": "Refund?",
            "is_error": True,
            "metadata": {"pending": {**PENDING_WIRE, "expiresAt": "2026-01-02T03:04:05Z"}},
            "parts": None,
        },
    ),
}


def named(keys):
    return [pytest.param(*key, id=f"{key[0]}: {key[1]}") for key in keys]


def test_every_recorded_value_is_expected_to_be_read_or_refused():
    assert READ.keys() | REFUSED.keys() == WRITTEN.keys()
    assert not READ.keys() & REFUSED.keys()


@pytest.mark.parametrize(("kind", "name"), named(READ))
def test_what_toolnexus_writes_is_read(kind, name):
    wire = WRITTEN[kind, name]
    assert from_wire(KINDS[kind], wire) == READ[kind, name]
    assert from_json(KINDS[kind], json.dumps(wire)) == READ[kind, name]


@pytest.mark.parametrize(("kind", "name"), named(READ))
def test_what_toolnexus_wrote_is_written_again_as_it_was_but_for_a_few_spellings(kind, name):
    assert to_wire(READ[kind, name]) == WRITTEN_ANEW.get((kind, name), WRITTEN[kind, name])


@pytest.mark.parametrize(("kind", "name"), named(REFUSED))
def test_what_toolnexus_does_not_check_is_refused_where_it_is_wrong(kind, name):
    with pytest.raises(DecodeError) as caught:
        from_wire(KINDS[kind], WRITTEN[kind, name])
    assert caught.value.path == REFUSED[kind, name]


@pytest.fixture(scope="module")
def toolnexus():
    """Run the script next to this file in the interpreter that has toolnexus."""
    python = os.environ.get("TOOLNEXUS_PYTHON")
    if not python:
        pytest.skip(f"TOOLNEXUS_PYTHON does not name an interpreter with toolnexus {RECORDING['toolnexus']}")

    def run(mode, values=None):
        command = [python, "-I", str(HERE / "oracle_toolnexus.py"), mode]
        done = subprocess.run(command, input=json.dumps(values), stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    return run


def test_toolnexus_writes_what_was_recorded(toolnexus):
    assert toolnexus("write") == RECORDING


def test_toolnexus_reads_from_us_what_it_wrote_but_for_a_few_spellings(toolnexus):
    before = toolnexus("read", [[kind, WRITTEN[kind, name]] for kind, name in READ])
    after = toolnexus("read", [[kind, to_wire(READ[kind, name])] for kind, name in READ])
    expected = {key: {**fields, **OTHERWISE.get(key, {})} for key, fields in zip(READ, before, strict=True)}
    assert dict(zip(READ, after, strict=True)) == expected


def test_toolnexus_reads_the_fields_of_our_values(toolnexus):
    given = [[type(value).__name__, to_wire(value)] for value, _ in OURS.values()]
    found = dict(zip(OURS, toolnexus("read", given), strict=True))
    assert found == {name: fields for name, (_, fields) in OURS.items()}


@pytest.mark.parametrize("name", ["image", "image without bytes", "video"])
def test_a_part_with_data_is_summed_up_in_the_words_of_toolnexus(name):
    part, fields = OURS[name]
    assert part.summary() == fields["described"]
