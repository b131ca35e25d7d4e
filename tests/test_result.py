"""`ToolResult`: its constructors, its rules, and what can be read off it."""

from __future__ import annotations

import collections
import enum
from pathlib import Path

import pytest

from toolresult import (
    ContentPart,
    ContentPartError,
    ConversionError,
    Request,
    Suspend,
    ToolError,
    ToolResult,
)

DATA = Path(__file__).parent.parent / "examples" / "data"
PNG = (DATA / "fixture.png").read_bytes()
IMAGE = ContentPart("image", data=PNG, mime_type="image/png")
PDF = ContentPart("file", data=b"%PDF-1.7", mime_type="application/pdf")
HELLO = ContentPart.from_text("hello")
WORLD = ContentPart.from_text("world")
REQUEST = Request.approval("Delete 3 files?", arguments={"count": 3}, id="r1")
IMAGE_SUMMARY = "image (image/png, 82 bytes)"
PDF_SUMMARY = "file (application/pdf, 8 bytes)"


class Text(str):
    __slots__ = ()

    def __str__(self):
        return "something else"


def only_for(*audience: str, text: str = "for people") -> ContentPart:
    return ContentPart.from_text(text, metadata={"audience": list(audience)})


def fields_of(result: ToolResult) -> tuple[object, ...]:
    return result.output, result.is_error, result.parts, result.metadata


def nest(levels: int) -> list:
    nested: list = []
    for _ in range(levels - 1):
        nested = [nested]
    return nested


def test_the_empty_result_is_a_success_with_nothing_to_say():
    assert fields_of(ToolResult()) == ("", False, None, None)
    assert ToolResult() == ToolResult.ok() == ToolResult.from_parts([])
    assert ToolResult().is_done is True
    assert ToolResult().content == ()
    assert str(ToolResult()) == ""


def test_ok_is_no_error():
    result = ToolResult.ok("eu-west-1")
    assert result.is_error is False
    assert fields_of(result) == ("eu-west-1", False, None, None)


def test_error_is_one():
    result = ToolResult.error("No such config key: nope")
    assert result.is_error is True
    assert fields_of(result) == ("No such config key: nope", True, None, None)


def test_metadata_reads_back_as_it_was():
    assert ToolResult.ok("x", metadata={"ids": [1, 2]}).metadata == {"ids": [1, 2]}
    assert ToolResult.ok("x", metadata={"ids": [1, 2]}).metadata["ids"] == [1, 2]
    assert ToolResult.error("x", metadata={"ids": [1, 2]}).metadata == {"ids": [1, 2]}


def test_a_result_with_an_image_is_not_pending_and_has_no_metadata():
    for result in (ToolResult.ok("chart", parts=[IMAGE]), ToolResult.image(DATA / "fixture.png")):
        assert result.is_pending is False
        assert result.request is None
        assert result.metadata is None


def test_parts_and_metadata_are_keyword_only():
    with pytest.raises(TypeError):
        ToolResult("x", False, [HELLO])


@pytest.mark.parametrize(
    "output", ["", " \n", "日本語", "a\x00\x1b[31m", "\ud800", "[tool error] x", "data:,x"], ids=ascii
)
def test_output_is_kept_as_given(output):
    assert ToolResult(output).output == output
    assert ToolResult.ok(output).output == output
    assert ToolResult.error(output).output == output


def test_output_of_a_str_subclass_is_stored_as_plain_str():
    for result in (ToolResult(Text("x")), ToolResult.ok(Text("x")), ToolResult.error(Text("x"))):
        assert result.output == "x"
        assert type(result.output) is str


@pytest.mark.parametrize(
    "output", [5, None, b"x", ["x"], {"a": 1}, HELLO, True], ids=lambda value: type(value).__name__
)
@pytest.mark.parametrize("make", [ToolResult, ToolResult.ok, ToolResult.error], ids=["constructor", "ok", "error"])
def test_output_that_is_no_str_is_a_type_error_that_names_the_repair(make, output):
    with pytest.raises(TypeError, match=r"^output:.*ToolResult\.") as caught:
        make(output)
    assert type(output).__name__ in str(caught.value)


@pytest.mark.parametrize("output", [0, None, [], b"", False], ids=repr)
@pytest.mark.parametrize("extra", [{"parts": [HELLO]}, {"value": {"a": 1}}], ids=["parts", "value"])
def test_output_that_is_no_str_is_refused_even_when_it_could_be_replaced(output, extra):
    with pytest.raises(TypeError, match=r"^output:"):
        ToolResult.ok(output, **extra)


@pytest.mark.parametrize("is_error", [1, 0, None, "false", "true", [True]], ids=repr)
def test_is_error_is_a_real_bool(is_error):
    with pytest.raises(TypeError, match=r"^is_error:") as caught:
        ToolResult("x", is_error)
    assert type(is_error).__name__ in str(caught.value)


@pytest.mark.parametrize(
    "parts",
    [[HELLO, IMAGE], (HELLO, IMAGE), iter([HELLO, IMAGE]), {HELLO: 1, IMAGE: 2}, (part for part in (HELLO, IMAGE))],
    ids=["list", "tuple", "iterator", "keys of a dict", "generator"],
)
def test_any_iterable_of_parts_is_kept_as_a_tuple(parts):
    result = ToolResult("x", parts=parts)
    assert result.parts == (HELLO, IMAGE)
    assert type(result.parts) is tuple


@pytest.mark.parametrize("parts", [[], (), iter([]), {}], ids=["list", "tuple", "iterator", "dict"])
def test_no_parts_are_none(parts):
    assert ToolResult("x", parts=parts) == ToolResult("x")


def test_later_changes_of_the_list_do_not_reach_the_parts():
    parts = [HELLO]
    result = ToolResult("x", parts=parts)
    parts.append(IMAGE)
    assert result.parts == (HELLO,)


each_way_to_give_parts = pytest.mark.parametrize(
    "make",
    [lambda parts: ToolResult("x", parts=parts), lambda parts: ToolResult.ok(parts=parts), ToolResult.from_parts],
    ids=["constructor", "ok", "from_parts"],
)


@each_way_to_give_parts
@pytest.mark.parametrize("parts", [HELLO, 5, object()], ids=lambda value: type(value).__name__)
def test_what_is_no_iterable_of_parts_is_refused(make, parts):
    with pytest.raises(TypeError, match=r"^parts:") as caught:
        make(parts)
    assert type(parts).__name__ in str(caught.value)


@each_way_to_give_parts
@pytest.mark.parametrize("parts", ["text", b"bytes"], ids=["str", "bytes"])
def test_text_is_not_taken_for_parts(make, parts):
    with pytest.raises(TypeError, match=r"^parts"):
        make(parts)


@pytest.mark.parametrize("stranger", ["text", None, {"type": "text", "text": "x"}, ToolResult("x"), b"x"], ids=repr)
@each_way_to_give_parts
def test_an_item_that_is_no_part_is_named_by_its_place(make, stranger):
    for parts in ([HELLO, stranger], (HELLO, stranger)):
        with pytest.raises(TypeError, match=r"^parts\[1\]:") as caught:
            make(parts)
        assert type(stranger).__name__ in str(caught.value)


def test_empty_metadata_is_none():
    assert ToolResult("x", metadata={}) == ToolResult("x")
    assert ToolResult.ok("x", metadata={}).metadata is None
    assert ToolResult.error("x", metadata={}).metadata is None


@pytest.mark.parametrize("metadata", [[("a", 1)], "text", 5, [1]], ids=repr)
@pytest.mark.parametrize(
    "make",
    [
        lambda metadata: ToolResult("x", metadata=metadata),
        lambda metadata: ToolResult.ok("x", metadata=metadata),
        lambda metadata: ToolResult.ok("x", value=1, metadata=metadata),
        lambda metadata: ToolResult.error("x", metadata=metadata),
        lambda metadata: ToolResult.error("x", code="c", metadata=metadata),
        lambda metadata: ToolResult.pending(REQUEST, metadata=metadata),
        lambda metadata: ToolResult.json([1], metadata=metadata),
        lambda metadata: ToolResult.tsv([[1]], metadata=metadata),
        lambda metadata: ToolResult.image(PNG, metadata=metadata),
        lambda metadata: ToolResult.from_parts([ContentPart.json(1)], metadata=metadata),
    ],
    ids=["constructor", "ok", "ok value", "error", "error code", "pending", "json", "tsv", "image", "from_parts"],
)
def test_metadata_that_is_no_mapping_is_a_type_error_everywhere(make, metadata):
    with pytest.raises(TypeError, match=r"^metadata:") as caught:
        make(metadata)
    assert type(metadata).__name__ in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("mime_type", 5), ("code", 5), ("retryable", "false"), ("retryable", 1), ("code", b"x")],
    ids=["mime_type", "code", "retryable as text", "retryable as number", "code as bytes"],
)
def test_the_librarys_own_facts_are_checked_for_their_type(name, value):
    with pytest.raises(TypeError, match=rf"^metadata\.toolresult\.{name}:") as caught:
        ToolResult("x", metadata={"toolresult": {name: value}})
    assert type(value).__name__ in str(caught.value)


@pytest.mark.parametrize("facts", [5, "x", [1], None], ids=repr)
def test_the_librarys_own_facts_are_a_mapping(facts):
    with pytest.raises(TypeError, match=r"^metadata\.toolresult:") as caught:
        ToolResult("x", metadata={"toolresult": facts})
    assert type(facts).__name__ in str(caught.value)
    with pytest.raises(TypeError, match=r"^metadata\.toolresult:"):
        ToolResult.error("x", code="c", metadata={"toolresult": facts})


def test_a_malformed_mime_type_among_the_facts_cannot_be_stored():
    with pytest.raises(ValueError, match=r"^metadata\.toolresult\.mime_type:"):
        ToolResult("x", metadata={"toolresult": {"mime_type": "nonsense"}})


def test_unknown_facts_are_kept():
    result = ToolResult("x", metadata={"toolresult": {"clipped": {"by": 3}, "new_in_a_later_version": [1]}})
    assert result.metadata == {"toolresult": {"clipped": {"by": 3}, "new_in_a_later_version": [1]}}


def test_new_facts_join_those_that_are_there():
    result = ToolResult.error("x", code="c", metadata={"a": 1, "toolresult": {"clipped": True}})
    assert result.metadata == {"a": 1, "toolresult": {"clipped": True, "code": "c"}}


def test_error_keeps_its_code_and_whether_it_may_be_tried_again():
    plain, full = ToolResult.error("x"), ToolResult.error("x", code="rate_limit", retryable=True)
    assert (plain.error_code, plain.is_retryable) == (None, False)
    assert (full.error_code, full.is_retryable) == ("rate_limit", True)
    assert ToolResult.error("x", retryable=False) == plain
    assert (ToolResult.ok("x").error_code, ToolResult.ok("x").is_retryable) == (None, False)


@pytest.mark.parametrize("wrong", [{"code": 5}, {"retryable": 1}, {"retryable": "no"}], ids=["code", "number", "text"])
def test_error_checks_its_facts(wrong):
    with pytest.raises(TypeError, match=rf"^(metadata\.toolresult\.)?{next(iter(wrong))}:"):
        ToolResult.error("x", **wrong)


def test_error_takes_parts_metadata_and_a_value():
    result = ToolResult.error("disk full", parts=[HELLO], metadata={"a": 1}, value={"free": 0})
    assert result.output == "disk full"
    assert result.is_error is True
    assert result.parts == (HELLO,)
    assert result.metadata["a"] == 1
    assert result.value == {"free": 0}


def test_pending_is_an_error_with_the_prompt_as_its_text():
    result = ToolResult.pending(REQUEST)
    assert fields_of(result) == ("Delete 3 files?", True, None, {"pending": REQUEST})
    assert result.is_pending is True
    assert result.request is REQUEST
    assert result.error_message is None
    assert result.is_done is False


def test_pending_keeps_other_metadata():
    assert ToolResult.pending(REQUEST, metadata={"a": 1}).metadata == {"a": 1, "pending": REQUEST}


@pytest.mark.parametrize("request_", [{"kind": "approval"}, "Go?", None, True], ids=lambda value: type(value).__name__)
def test_pending_takes_nothing_but_a_request(request_):
    with pytest.raises(TypeError, match=r"^request:") as caught:
        ToolResult.pending(request_)
    assert type(request_).__name__ in str(caught.value)


def test_a_request_in_metadata_makes_any_result_pending():
    result = ToolResult("waiting for Ada", True, metadata={"pending": REQUEST})
    assert result.is_pending is True
    assert result.request is REQUEST
    assert result.error_message is None
    assert ToolResult(REQUEST.prompt, True, metadata={"pending": REQUEST}) == ToolResult.pending(REQUEST)
    assert ToolResult.error("waiting for Ada", metadata={"pending": REQUEST}) == result


@pytest.mark.parametrize(
    "make",
    [
        lambda: ToolResult("x", metadata={"pending": REQUEST}),
        lambda: ToolResult("x", False, metadata={"pending": REQUEST}),
        lambda: ToolResult.ok("x", metadata={"pending": REQUEST}),
        lambda: ToolResult.json([1], metadata={"pending": REQUEST}),
    ],
    ids=["default", "plain", "ok", "json"],
)
def test_a_pending_result_is_never_a_success(make):
    with pytest.raises(ValueError, match=r"^is_error:"):
        make()


@pytest.mark.parametrize(
    "impostor",
    [{"id": "r1", "kind": "approval", "prompt": "Go?"}, None, True, "r1", REQUEST.accept()],
    ids=["mapping", "None", "bool", "text", "answer"],
)
def test_nothing_but_a_request_is_pending(impostor):
    with pytest.raises(TypeError, match=r"^metadata\.pending:") as caught:
        ToolResult("x", True, metadata={"pending": impostor})
    assert type(impostor).__name__ in str(caught.value)


@pytest.mark.parametrize("metadata", [{"nested": {"pending": REQUEST}}, {"Pending": REQUEST}, {"pendings": [REQUEST]}])
def test_a_request_anywhere_else_is_just_metadata(metadata):
    result = ToolResult("x", metadata=metadata)
    assert result.is_pending is False
    assert result.request is None


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ({"b": 1, "a": [None, True]}, '{"b":1,"a":[null,true]}'),
        ([], "[]"),
        ({}, "{}"),
        (False, "false"),
        (0, "0"),
        ("", '""'),
        ("日本", '"日本"'),
        (2**70, "1180591620717411303424"),
    ],
    ids=repr,
)
def test_json_writes_the_value_and_keeps_it(value, output):
    result = ToolResult.json(value)
    assert result.output == output
    assert result.value == value
    assert result.mime_type == "application/json"
    assert result.is_error is False
    assert result.is_derived is True
    assert result.is_done is False
    assert result == ToolResult.ok(value=value)


def test_json_null_has_no_value():
    result = ToolResult.json(None)
    assert (result.output, result.mime_type, result.value) == ("null", "application/json", None)
    assert result.is_derived is False
    assert result == ToolResult.from_parts([ContentPart.json(None)])


def test_json_takes_metadata_and_refuses_what_has_no_json_form():
    assert ToolResult.json([1], metadata={"a": 1}).metadata["a"] == 1
    with pytest.raises(ConversionError) as caught:
        ToolResult.json({"rows": [object()]})
    assert caught.value.path == "value.rows[0]"


@pytest.mark.parametrize(
    ("rows", "output", "value"),
    [
        ([["a", 1], ["b", None]], "a\t1\nb\t", [["a", 1], ["b", None]]),
        ([{"n": 1}, {"m": 2}], "n\tm\n1\t\n\t2", [{"n": 1}, {"m": 2}]),
        ((pair for pair in [("a", "x\ty")]), "a\tx\\ty", [["a", "x\ty"]]),
        ("a\tb\n", "a\tb\n", None),
        ([], "", []),
    ],
    ids=["rows", "mappings", "generator of tuples", "finished text", "no rows"],
)
def test_tsv_writes_the_rows_and_keeps_them(rows, output, value):
    result = ToolResult.tsv(rows)
    assert result.output == output
    assert result.value == value
    assert result.mime_type == "text/tab-separated-values"
    assert result.parts is None


def test_tsv_reads_rows_that_can_be_read_only_once():
    result = ToolResult.tsv(iter(range(n)) for n in (1, 2))
    assert (result.output, result.value) == ("0\n0\t1", [[0], [0, 1]])


@pytest.mark.parametrize(
    ("rows", "path"),
    [
        ([["a"], ["b", object()]], "rows[1][1]"),
        ([["a"], 5], "rows[1]"),
        (["ab"], "rows[0]"),
        ([[1], {"a": 1}], "rows[0]"),
    ],
    ids=["cell", "number", "text", "mixed rows"],
)
def test_tsv_names_the_row_or_cell_that_it_cannot_write(rows, path):
    with pytest.raises(ConversionError) as caught:
        ToolResult.tsv(rows)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("load", "file", "mime_type", "summary"),
    [
        (ToolResult.image, "fixture.png", "image/png", IMAGE_SUMMARY),
        (ToolResult.audio, "chime.wav", "audio/wav", "audio (audio/wav, 4844 bytes)"),
        (ToolResult.file, "report.pdf", "application/pdf", "file (application/pdf, 1665 bytes)"),
    ],
    ids=["image", "audio", "file"],
)
def test_a_loader_gives_a_success_with_one_part_and_its_summary(load, file, mime_type, summary):
    data = (DATA / file).read_bytes()
    part = ContentPart(load.__name__, data=data, mime_type=mime_type, name=file)
    result = load(DATA / file)
    assert fields_of(result) == (summary, False, (part,), None)
    assert (result.mime_type, result.data) == (mime_type, data)


def test_the_video_loader_works_like_the_others():
    result = ToolResult.video(b"frames", mime_type="video/mp4", name="v.mp4", metadata={"a": 1})
    part = ContentPart("video", data=b"frames", mime_type="video/mp4", name="v.mp4")
    assert fields_of(result) == ("video (video/mp4, 6 bytes)", False, (part,), {"a": 1})


@pytest.mark.parametrize("load", [ToolResult.image, ToolResult.audio, ToolResult.video, ToolResult.file])
def test_output_replaces_the_summary_and_options_reach_the_part(load):
    kind = load.__name__
    result = load(b"bytes", output="the thing", mime_type=f"{kind}/x" if kind != "file" else "a/b", name="n.bin")
    assert result.output == "the thing"
    assert (result.parts[0].type, result.parts[0].name, result.parts[0].data) == (kind, "n.bin", b"bytes")


BAD_SOURCES = {
    "missing": {"source": "/home/someone/secret-plans/missing.png"},
    "a directory": {"source": str(DATA)},
    "too large": {"source": str(DATA / "fixture.png"), "max_bytes": 81},
    "mislabelled": {"source": str(DATA / "fixture.png"), "mime_type": "image/jpeg"},
    "malformed label": {"source": PNG, "mime_type": "png"},
    "another family": {"source": str(DATA / "report.pdf")},
    "unknown bytes": {"source": b"\x00\x01"},
    "empty": {"source": b""},
    "refused scheme": {"source": "s3://bucket/key"},
    "malformed data url": {"source": "data:image/png;base64,@@@"},
    "outside of a root": {"source": "../fixture.png", "root": str(DATA)},
    "NUL in the path": {"source": "a\x00.png"},
}


@pytest.mark.parametrize("options", BAD_SOURCES.values(), ids=BAD_SOURCES)
def test_a_bad_source_is_an_error_result_and_raises_nothing(options):
    result = ToolResult.image(**options, metadata={"attempt": 1}, output="never used")
    assert result.is_error is True
    assert result.is_pending is False
    assert result.parts is None
    assert result.metadata["attempt"] == 1
    assert result.error_message
    assert "never used" not in result.output
    assert str(DATA.parent) not in result.output
    assert "secret-plans" not in result.output


@pytest.mark.parametrize("options", BAD_SOURCES.values(), ids=BAD_SOURCES)
def test_the_same_source_makes_the_part_loader_raise(options):
    with pytest.raises(ContentPartError):
        ContentPart.image(**options)


@pytest.mark.parametrize("load", [ToolResult.image, ToolResult.audio, ToolResult.video, ToolResult.file])
def test_the_text_of_a_load_error_names_the_file(load):
    assert "missing.png" in load("/home/someone/secret-plans/missing.png").output
    assert "secret-plans" not in load("/home/someone/secret-plans/missing.png").output


@pytest.mark.parametrize("source", [5, None, object()], ids=lambda value: type(value).__name__)
def test_what_is_no_source_at_all_is_a_mistake_of_the_program(source):
    with pytest.raises(TypeError, match=r"^source:"):
        ToolResult.image(source)


def test_no_parts_collapse_to_done():
    assert ToolResult.from_parts([]) == ToolResult()
    assert ToolResult.from_parts(iter([])).is_done is True
    assert ToolResult.from_parts([], metadata={"a": 1}) == ToolResult.ok(metadata={"a": 1})


@pytest.mark.parametrize("text", ["hello", "", " ", "日本", "[1]"], ids=repr)
def test_a_single_text_collapses_to_that_text(text):
    assert ToolResult.from_parts([ContentPart.from_text(text)]) == ToolResult.ok(text)
    plain = ContentPart.from_text(text, mime_type="text/plain")
    assert ToolResult.from_parts([plain]) == ToolResult.ok(text)


def test_a_single_text_keeps_its_mime_type():
    result = ToolResult.from_parts([ContentPart.from_text("# Hi", mime_type="text/markdown")])
    assert (result.output, result.parts, result.mime_type) == ("# Hi", None, "text/markdown")
    assert result.content == (ContentPart.from_text("# Hi", mime_type="text/markdown"),)


@pytest.mark.parametrize("value", [{"a": [1, None]}, [], False, "x", 1.5], ids=repr)
def test_a_single_json_text_collapses_to_a_json_result(value):
    assert ToolResult.from_parts([ContentPart.json(value)]) == ToolResult.json(value)


@pytest.mark.parametrize(
    "text",
    ["{", "", "NaN", "[1,]", "[" * 150 + "]" * 150, "[" * 100_000 + "]" * 100_000, "9" * 5000],
    ids=["cut", "empty", "NaN", "comma", "deep", "very deep", "many digits"],
)
def test_a_single_text_that_only_claims_to_be_json_keeps_text_and_type(text):
    result = ToolResult.from_parts([ContentPart.from_text(text, mime_type="application/json")])
    assert (result.output, result.parts, result.mime_type, result.value) == (text, None, "application/json", None)


@pytest.mark.parametrize(
    ("parts", "output"),
    [
        ([IMAGE], IMAGE_SUMMARY),
        ([IMAGE, PDF], f"{IMAGE_SUMMARY}\n\n{PDF_SUMMARY}"),
        ([HELLO, WORLD], "hello\n\nworld"),
        ([HELLO, IMAGE, WORLD], "hello\n\nworld"),
        ([ContentPart.from_text("hello", name="a.txt")], "hello"),
        ([ContentPart.from_text("hello", metadata={"a": 1})], "hello"),
        ([ContentPart("image", url="https://host.test/x?sig=1")], "image (host.test/x)"),
    ],
    ids=["image", "two media", "two texts", "texts and image", "named text", "text with metadata", "url"],
)
def test_anything_else_keeps_its_parts_and_says_their_projection(parts, output):
    result = ToolResult.from_parts(parts, metadata={"a": 1})
    assert fields_of(result) == (output, False, tuple(parts), {"a": 1})
    assert result.content == tuple(parts)
    assert ToolResult.ok(parts=parts).output == output


@pytest.mark.parametrize(
    "make", [ToolResult.from_parts, lambda parts: ToolResult.ok(parts=parts)], ids=["from_parts", "ok"]
)
@pytest.mark.parametrize(
    ("parts", "output"),
    [
        ([only_for("user", text="hunter2")], ""),
        ([only_for("user", text="hunter2"), HELLO], "hello"),
        ([only_for("user", text="hunter2"), IMAGE], IMAGE_SUMMARY),
    ],
    ids=["alone", "beside a text", "beside an image"],
)
def test_text_that_is_not_for_the_model_never_becomes_output(make, parts, output):
    result = make(parts)
    assert fields_of(result) == (output, False, tuple(parts), None)
    assert "hunter2" not in str(result)
    assert all("hunter2" not in str(part) for part in result.content)


def test_ok_takes_its_output_from_the_value_and_else_from_the_parts():
    derived = ToolResult.ok(value={"a": [1]})
    assert (derived.output, derived.value, derived.is_derived) == ('{"a":[1]}', {"a": [1]}, True)
    assert ToolResult.ok(parts=[IMAGE]).output == IMAGE_SUMMARY
    both = ToolResult.ok(parts=[IMAGE], value={"a": [1]})
    assert (both.output, both.parts, both.value) == ('{"a":[1]}', (IMAGE,), {"a": [1]})
    assert both.content == (ContentPart.json({"a": [1]}), IMAGE)


def test_ok_with_its_own_words_keeps_them_beside_value_and_parts():
    result = ToolResult.ok("1 row", parts=[IMAGE], value=[["Ada"]], metadata={"a": 1})
    assert (result.output, result.parts, result.value, result.metadata["a"]) == ("1 row", (IMAGE,), [["Ada"]], 1)
    assert result.is_derived is False
    assert result.mime_type == "image/png"


def test_ok_with_a_value_that_has_no_json_form_needs_other_words():
    foreign = object()
    with pytest.raises(ConversionError):
        ToolResult.ok(value=foreign)
    assert ToolResult.ok("a thing", value=foreign).value is foreign
    assert ToolResult.ok(parts=[IMAGE], value=foreign).output == IMAGE_SUMMARY
    assert ToolResult.ok("a thing", value=foreign).is_derived is False


def test_none_is_no_value():
    assert ToolResult.ok("x", value=None) == ToolResult.ok("x")
    assert ToolResult.error("x", value=None) == ToolResult.error("x")
    assert ToolResult.ok(value=None, parts=[]) == ToolResult()


@pytest.mark.parametrize("value", [0, False, "", [], {}], ids=repr)
def test_falsy_values_are_values(value):
    result = ToolResult.ok("x", value=value)
    assert result.value == value
    assert type(result.value) is type(ToolResult.json(value).value)
    assert ToolResult.error("x", value=value).value == value


def test_the_value_is_a_frozen_snapshot():
    source = {"rows": [1]}
    result = ToolResult.ok("x", value=source)
    source["rows"].append(2)
    assert result.value == {"rows": [1]}
    with pytest.raises(TypeError):
        result.value["rows"].append(2)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (ToolResult(), True),
        (ToolResult(metadata={"rows": 3}), True),
        (ToolResult.ok("x"), False),
        (ToolResult.ok(" "), False),
        (ToolResult("", parts=[IMAGE]), False),
        (ToolResult.error(""), False),
        (ToolResult.pending(Request("input", "", id="r1")), False),
    ],
    ids=["empty", "metadata only", "text", "blank", "parts", "error", "pending"],
)
def test_is_done_means_succeeded_with_nothing_to_say(result, expected):
    assert result.is_done is expected


def test_error_message_is_the_output_of_a_failure_only():
    assert ToolResult.error("no such key").error_message == "no such key"
    assert ToolResult.error("").error_message == ""
    assert ToolResult.ok("fine").error_message is None
    assert ToolResult.pending(REQUEST).error_message is None


@pytest.mark.parametrize(
    ("result", "mime_type", "data"),
    [
        (ToolResult.ok("x"), None, None),
        (ToolResult.json([1]), "application/json", None),
        (ToolResult("x", parts=[IMAGE]), "image/png", PNG),
        (ToolResult("x", parts=[HELLO, IMAGE, WORLD]), "image/png", PNG),
        (ToolResult("x", parts=[IMAGE, PDF]), None, None),
        (ToolResult("x", parts=[HELLO]), None, None),
        (
            ToolResult("x", parts=[ContentPart("image", url="https://h.test/x", mime_type="image/gif")]),
            "image/gif",
            None,
        ),
        (ToolResult("x", parts=[ContentPart("image", file_id="f")]), None, None),
    ],
    ids=["text", "json", "image", "image among texts", "two media", "text part", "url", "file id"],
)
def test_mime_type_and_data_are_those_of_the_one_part_that_is_not_text(result, mime_type, data):
    assert (result.mime_type, result.data) == (mime_type, data)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (ToolResult(), ""),
        (ToolResult.ok("x"), "x"),
        (ToolResult.error("x"), "x"),
        (ToolResult.from_parts([HELLO, WORLD]), "hello\n\nworld"),
        (ToolResult("2 texts", parts=[HELLO, WORLD]), "2 texts\n\nhello\n\nworld"),
        (ToolResult("x", parts=[IMAGE]), None),
        (ToolResult("x", parts=[HELLO, IMAGE]), None),
        (ToolResult("x", parts=[ContentPart("hologram", raw={"a": 1})]), None),
    ],
    ids=["empty", "output", "error", "texts", "output and texts", "image", "text and image", "unknown kind"],
)
def test_as_text_is_none_as_soon_as_one_part_is_not_text(result, text):
    assert result.as_text() == text


def test_as_text_leaves_out_what_is_not_for_the_model():
    assert ToolResult("x", parts=[HELLO, only_for("user", text="hunter2")]).as_text() == "x\n\nhello"


def test_raise_for_error_returns_a_success_itself():
    for result in (ToolResult(), ToolResult.ok("x", parts=[IMAGE]), ToolResult.json([1])):
        assert result.raise_for_error() is result


def test_raise_for_error_raises_a_failure_with_everything_it_knows():
    result = ToolResult.error("disk full", parts=[HELLO], value={"free": 0}, code="io", retryable=True)
    with pytest.raises(ToolError) as caught:
        result.raise_for_error()
    assert caught.value.result is result
    assert vars(caught.value) == {
        "message": "disk full",
        "code": "io",
        "retryable": True,
        "parts": (HELLO,),
        "value": {"free": 0},
        "result": result,
    }


def test_raise_for_error_raises_the_request_of_a_suspension():
    with pytest.raises(Suspend) as caught:
        ToolResult.pending(REQUEST).raise_for_error()
    assert caught.value.request is REQUEST


@pytest.mark.parametrize(
    ("result", "content"),
    [
        (ToolResult(), ()),
        (ToolResult.ok(" \n"), ()),
        (ToolResult.ok("x"), (ContentPart.from_text("x"),)),
        (ToolResult.error("x"), (ContentPart.from_text("x"),)),
        (ToolResult.json([1]), (ContentPart.json([1]),)),
        (ToolResult.ok("chart", parts=[IMAGE]), (ContentPart.from_text("chart"), IMAGE)),
        (ToolResult("", parts=[IMAGE]), (IMAGE,)),
        (ToolResult(" \t\n", parts=[IMAGE]), (IMAGE,)),
        (ToolResult(IMAGE_SUMMARY, parts=[IMAGE]), (IMAGE,)),
        (ToolResult("hello\n\nworld", parts=[HELLO, IMAGE, WORLD]), (HELLO, IMAGE, WORLD)),
        (ToolResult("hello", parts=[HELLO, WORLD]), (ContentPart.from_text("hello"), HELLO, WORLD)),
        (ToolResult.error("broken", parts=[IMAGE]), (ContentPart.from_text("broken"), IMAGE)),
        (ToolResult.pending(REQUEST), (ContentPart.from_text("Delete 3 files?"),)),
    ],
    ids=[
        "nothing",
        "blank",
        "output",
        "error",
        "json",
        "output and image",
        "image alone",
        "blank output and image",
        "output that repeats the summary",
        "output that repeats the texts",
        "output that repeats one of two texts",
        "error and image",
        "pending",
    ],
)
def test_content_is_the_parts_after_an_output_that_says_more(result, content):
    assert result.content == content


@pytest.mark.parametrize(
    ("audience", "visible"),
    [
        (["assistant"], True),
        (["user", "assistant"], True),
        (("assistant",), True),
        ({"assistant", "user"}, True),
        ("assistant", True),
        (None, True),
        (["user"], False),
        ([], False),
        ("user", False),
        ("assistants", False),
        (5, False),
    ],
    ids=repr,
)
def test_a_part_is_for_the_model_unless_its_audience_leaves_out_the_assistant(audience, visible):
    part = ContentPart("image", data=PNG, mime_type="image/png", metadata={"audience": audience})
    assert ToolResult("seen", parts=[part]).content == (ContentPart.from_text("seen"), *([part] if visible else []))


def test_the_projection_counts_only_what_the_model_sees():
    hidden = only_for("user", text="hunter2")
    assert ToolResult("hello", parts=[HELLO, hidden]).content == (HELLO,)
    assert ToolResult("hello\n\nhunter2", parts=[HELLO, hidden]).content == (
        ContentPart.from_text("hello\n\nhunter2"),
        HELLO,
    )


@pytest.mark.parametrize("output", ["", " \n"], ids=repr)
@pytest.mark.parametrize("is_error", [False, True], ids=["success", "error"])
def test_a_result_whose_parts_are_all_for_somebody_else_has_a_placeholder(output, is_error):
    result = ToolResult(output, is_error, parts=[only_for("user", text="hunter2")])
    assert [part.type for part in result.content] == ["text"]
    assert result.content[0].text.strip()
    assert len(result.content[0].text) < 80
    assert "hunter2" not in result.content[0].text


def test_content_is_the_same_each_time_and_nothing_of_it_is_stored():
    result = ToolResult.ok("chart", parts=[IMAGE])
    assert result.content == result.content
    assert result.content[1] is result.parts[0]


def test_an_unknown_part_reaches_the_content_as_it_is():
    unknown = ContentPart("hologram", raw={"type": "hologram"})
    assert ToolResult.from_parts([unknown]).content == (unknown,)


def test_a_value_too_deep_for_metadata_is_refused_with_its_path():
    assert ToolResult.ok("x", value=nest(98)).value == nest(98)
    with pytest.raises(ValueError, match=r"value\[0\]"):
        ToolResult.ok("x", value=nest(99))


NASTY = "\x1b]8;;http://x.test\x07\n\u2028\u202e\ud800'\\" * 300
NASTY_RESULTS = {
    "output": ToolResult(NASTY),
    "error": ToolResult.error(NASTY, code=NASTY),
    "long output": ToolResult("x" * 1_000_000),
    "many parts": ToolResult(
        "x", parts=[ContentPart("image", file_id=NASTY, mime_type="a/" + "b" * 250, name=NASTY)] * 500
    ),
    "unknown parts": ToolResult(NASTY, parts=[ContentPart(NASTY, raw={NASTY: NASTY})] * 4, metadata={NASTY: NASTY}),
    "many keys": ToolResult(NASTY, metadata={f"{n}{NASTY}": NASTY for n in range(500)}),
    "pending": ToolResult.pending(Request("k" * 500, NASTY, url="https://h.test/" + "y" * 5000, data={NASTY: NASTY})),
}


@pytest.mark.parametrize("result", NASTY_RESULTS.values(), ids=NASTY_RESULTS)
def test_repr_is_a_short_single_line_of_printable_text(result):
    assert len(repr(result)) < 1000
    assert repr(result).isprintable()


def test_repr_says_first_what_became_of_the_call():
    assert repr(ToolResult.error("x")).startswith("ToolResult(ERROR")
    assert repr(ToolResult.pending(REQUEST)).startswith("ToolResult(PENDING")
    assert "ERROR" not in repr(ToolResult.ok("x"))
    assert "PENDING" not in repr(ToolResult.ok("x"))


def test_repr_shows_no_payload_no_query_and_no_metadata_values():
    result = ToolResult.ok(
        "fine",
        parts=[
            ContentPart("image", data=b"hunter2", mime_type="image/png"),
            ContentPart("image", url="https://u:hunter2@host.test/x?sig=hunter2"),
            ContentPart("hologram", raw={"a": "hunter2"}),
        ],
        metadata={"token": "hunter2", "nested": {"a": ["hunter2"]}},
        value="hunter2",
    )
    pending = ToolResult.pending(Request("authorization", "Log in", url="https://idp.test/?state=hunter2"))
    assert "hunter2" not in repr(result)
    assert "token" in repr(result)
    assert "image (image/png, 7 bytes)" in repr(result)
    assert "hunter2" not in repr(pending)


def test_str_is_what_a_text_only_model_reads():
    assert str(ToolResult.ok("chart", parts=[IMAGE])) == f"chart\n\n{IMAGE_SUMMARY}"
    assert f"{ToolResult.error('no such key')}" == "[tool error] no such key"
    for result in NASTY_RESULTS.values():
        assert str(result) == result.render_for_model()


def test_a_result_is_equal_to_nothing_but_a_result():
    assert ToolResult("x") != "x"
    assert ToolResult() != ""
    assert ToolResult("x") != ContentPart.from_text("x")
    assert ToolResult("x") != ToolResult.error("x")


class SpoiltMapping(collections.UserDict):
    def __getitem__(self, key):
        raise KeyError("secret")


@pytest.mark.parametrize(
    "make",
    [
        lambda spoilt: ToolResult.ok("x", metadata=spoilt),
        lambda spoilt: ToolResult.pending(Request.approval("Go on?"), metadata=spoilt),
        lambda spoilt: ContentPart.from_text("x", metadata=spoilt),
        lambda spoilt: ContentPart.from_file_id("f", type="file", provider="p", metadata=spoilt),
        lambda spoilt: Request.approval("Go on?", arguments=spoilt),
        lambda spoilt: Request("approval", "Go on?", data=spoilt),
    ],
    ids=["result", "pending", "part", "file id", "arguments", "data"],
)
def test_a_mapping_that_cannot_be_read_is_one_typed_error(make):
    with pytest.raises((ValueError, TypeError)) as caught:
        make(SpoiltMapping(a=1))
    assert "secret" not in str(caught.value)


def test_an_error_code_may_be_a_word_of_an_enum_and_is_stored_as_plain_text():
    class Code(enum.StrEnum):
        LIMIT = "limit"

    code = ToolResult.error("x", code=Code.LIMIT).error_code
    assert code == "limit"
    assert type(code) is str


@pytest.mark.parametrize("retryable", [0, 1, "", "yes"])
def test_retryable_must_be_a_bool(retryable):
    with pytest.raises(TypeError, match=r"^metadata\.toolresult\.retryable: "):
        ToolResult.error("x", retryable=retryable)


def test_a_request_in_the_metadata_of_a_suspension_is_not_overwritten_in_silence():
    request = Request.approval("Go on?")
    with pytest.raises(ValueError, match=r"^metadata\.pending: "):
        ToolResult.pending(request, metadata={"pending": request})
