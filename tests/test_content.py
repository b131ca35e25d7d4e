"""`ContentPart`: its rules, its constructors, and what can be read off it."""

from __future__ import annotations

import base64
import hashlib
from io import BytesIO
from pathlib import Path

import pytest

from toolresult import ContentPart, ContentPartError, ConversionError

DATA = Path(__file__).parent.parent / "examples" / "data"
PNG = (DATA / "fixture.png").read_bytes()
BINARY_TYPES = ["image", "audio", "video", "file"]
ANY_TYPE = {"image": "image/png", "audio": "audio/wav", "video": "video/mp4", "file": "application/pdf"}
each_binary_type = pytest.mark.parametrize("kind", BINARY_TYPES)


class Text(str):
    __slots__ = ()

    def __str__(self):
        return "something else"


def fields_of(part: ContentPart) -> dict[str, object]:
    names = ("type", "text", "mime_type", "data", "url", "file_id", "name", "metadata", "raw")
    return {name: getattr(part, name) for name in names if getattr(part, name) is not None}


def refusal(error: type[Exception], *args, **kwargs) -> str:
    with pytest.raises(error) as caught:
        ContentPart(*args, **kwargs)
    assert type(caught.value) is error
    return str(caught.value)


def test_a_text_part_has_text_and_nothing_else():
    part = ContentPart("text", text="hi")
    assert fields_of(part) == {"type": "text", "text": "hi"}


@pytest.mark.parametrize("text", ["", " \n ", "日本語", "a\x00b\x1b[31m", "\ud800", '{"a": 1}', "data:text/plain,hi"])
def test_text_is_kept_as_given(text):
    assert ContentPart("text", text=text).text == text
    assert ContentPart.from_text(text, name="n").text == text


def test_a_text_part_may_have_a_mime_type_a_name_and_metadata():
    part = ContentPart("text", text="# Hi", mime_type="text/markdown", name="hi.md", metadata={"audience": ["user"]})
    assert fields_of(part) == {
        "type": "text",
        "text": "# Hi",
        "mime_type": "text/markdown",
        "name": "hi.md",
        "metadata": {"audience": ["user"]},
    }


@each_binary_type
@pytest.mark.parametrize(
    "content",
    [{"data": b"x", "mime_type": "a/b"}, {"url": "https://host.test/x"}, {"file_id": "file-1"}],
    ids=["data", "url", "file_id"],
)
def test_any_other_part_has_exactly_one_content(kind, content):
    assert fields_of(ContentPart(kind, **content)) == {"type": kind, **content}


@each_binary_type
@pytest.mark.parametrize(
    "content",
    [
        {},
        {"mime_type": "image/png"},
        {"data": b"x", "mime_type": "image/png", "url": "https://host.test/x"},
        {"data": b"x", "mime_type": "image/png", "file_id": "file-1"},
        {"url": "https://host.test/x", "file_id": "file-1"},
        {"data": b"x", "mime_type": "image/png", "url": "https://host.test/x", "file_id": "file-1"},
    ],
    ids=["nothing", "only a type", "data and url", "data and file_id", "url and file_id", "all three"],
)
def test_no_content_and_two_contents_are_refused(kind, content):
    message = refusal(ContentPartError, kind, **content)
    assert message.startswith("data:")
    assert kind in message


@each_binary_type
def test_only_a_text_part_has_text(kind):
    assert refusal(ContentPartError, kind, text="x").startswith("text:")
    assert refusal(ContentPartError, kind, text="x", data=b"x", mime_type="image/png").startswith("text:")


@pytest.mark.parametrize(
    "content",
    [{"data": b"x"}, {"data": b"x", "mime_type": "text/plain"}, {"url": "https://host.test/x"}, {"file_id": "file-1"}],
    ids=["data", "typed data", "url", "file_id"],
)
def test_a_text_part_has_no_other_content(content):
    assert refusal(ContentPartError, "text", text="x", **content).startswith("text:")


def test_a_text_part_without_text_is_refused():
    assert refusal(ContentPartError, "text").startswith("text:")
    assert refusal(ContentPartError, "text", mime_type="text/plain").startswith("text:")


@each_binary_type
def test_data_needs_a_mime_type(kind):
    assert refusal(ContentPartError, kind, data=b"x").startswith("mime_type:")


@pytest.mark.parametrize("data", [b"", b"x", PNG], ids=["empty", "unknown", "png"])
def test_the_plain_constructor_does_not_look_at_the_bytes(data):
    assert ContentPart("image", data=data, mime_type="image/webp").mime_type == "image/webp"
    assert ContentPart("audio", data=data, mime_type="application/pdf").mime_type == "application/pdf"


@pytest.mark.parametrize("kind", ["", "Image", "IMAGE", "images", "hologram", "text ", "resource"])
def test_any_other_type_is_refused(kind):
    assert refusal(ContentPartError, kind, data=b"x", mime_type="image/png").startswith("type:")
    assert refusal(ContentPartError, kind, text="x").startswith("type:")
    assert refusal(ContentPartError, kind).startswith("type:")


@pytest.mark.parametrize("label", ["type", "text", "mime_type", "url", "file_id", "name"])
@pytest.mark.parametrize("value", [5, b"hunter2", ["hunter2"], True], ids=lambda value: type(value).__name__)
def test_a_field_of_text_that_is_no_str_is_a_type_error(label, value):
    given = {"type": "image", "data": None, label: value}
    if label in ("mime_type", "name"):
        given |= {"data": b"x", "mime_type": given.get("mime_type", "image/png")}
    message = refusal(TypeError, **given)
    assert message.startswith(f"{label}:")
    assert type(value).__name__ in message
    assert "hunter2" not in message


@pytest.mark.parametrize("value", ["aHVudGVyMg==", 5, [1], object()], ids=lambda value: type(value).__name__)
def test_data_that_is_no_bytes_is_a_type_error(value):
    message = refusal(TypeError, "image", data=value, mime_type="image/png")
    assert message.startswith("data:")
    assert type(value).__name__ in message
    assert "aHVudGVyMg" not in message


@pytest.mark.parametrize(
    "make",
    [bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data)), type("MyBytes", (bytes,), {})],
    ids=["bytes", "bytearray", "memoryview", "writable memoryview", "subclass"],
)
def test_data_of_any_bytes_like_is_kept_as_bytes(make):
    part = ContentPart("image", data=make(b"abc"), mime_type="image/png")
    assert part.data == b"abc"
    assert type(part.data) is bytes


def test_data_is_a_snapshot_and_bytes_are_not_copied():
    buffer = bytearray(b"abc")
    part = ContentPart("image", data=buffer, mime_type="image/png")
    buffer[:] = b"xyz"
    assert part.data == b"abc"
    assert ContentPart("image", data=PNG, mime_type="image/png").data is PNG


def test_every_str_subclass_is_stored_as_plain_text():
    part = ContentPart(Text("file"), url=Text("https://host.test/x"), mime_type=Text("text/plain"), name=Text("n"))
    stored = fields_of(part)
    assert stored == {"type": "file", "url": "https://host.test/x", "mime_type": "text/plain", "name": "n"}
    assert {type(value) for value in stored.values()} == {str}
    assert type(ContentPart(Text("text"), text=Text("hi")).text) is str
    assert type(ContentPart("file", file_id=Text("file-1")).file_id) is str


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("image/PNG", "image/png"),
        (" IMAGE/jpg ", "image/jpeg"),
        ("image/png; q=1", "image/png"),
        ("audio/x-wav", "audio/wav"),
        ("text/csv; header=present", "text/csv; header=present"),
        ("application/vnd.acme+zip", "application/vnd.acme+zip"),
    ],
)
def test_mime_types_are_kept_in_normal_form(given, kept):
    assert ContentPart("file", data=b"x", mime_type=given).mime_type == kept
    assert ContentPart("text", text="x", mime_type=given).mime_type == kept
    assert ContentPart("file", url="https://host.test/x", mime_type=given).mime_type == kept


@pytest.mark.parametrize(
    "mime_type", ["", "png", "image/", "/png", "image/p ng", "image/png/x", "image", "a/b\nc", "é/b"]
)
def test_a_malformed_mime_type_is_refused(mime_type):
    assert refusal(ContentPartError, "image", data=b"x", mime_type=mime_type).startswith("mime_type:")
    assert refusal(ContentPartError, "text", text="x", mime_type=mime_type).startswith("mime_type:")


@each_binary_type
@pytest.mark.parametrize(
    "url",
    [
        "https://host.test/a.png",
        "http://host.test",
        "HTTPS://host.test/?a=b#c",
        "https://host.test:8443/x%20y",
        "https://[::1]/x",
        "s3://bucket/key",
        "gs://bucket/key",
        "file:///etc/hostname",
        "urn:uuid:f81d4fae",
        "mcp+ui://widget/1",
    ],
)
def test_an_absolute_uri_is_kept_as_given(kind, url):
    assert ContentPart(kind, url=url).url == url


@pytest.mark.parametrize(
    "url",
    [
        "data:image/png;base64,aHVudGVyMg==",
        "DATA:,hunter2",
        " data:,hunter2",
        "javascript:alert('hunter2')",
        "JavaScript:alert('hunter2')",
        "\tjavascript:alert('hunter2')",
        "java\nscript:alert('hunter2')",
    ],
)
def test_a_url_that_is_payload_or_code_is_refused(url):
    message = refusal(ContentPartError, "image", url=url)
    assert message.startswith("url:")
    assert "hunter2" not in message
    assert "aHVudGVyMg" not in message


@pytest.mark.parametrize(
    "url",
    [
        "",
        "a.png",
        "/srv/a.png",
        "../a.png",
        "C:\\a.png",
        "//host.test/a.png",
        "host.test/a.png",
        "https:",
        "https://",
        "https:///a.png",
        "https:a.png",
        "https://user@/a.png",
        "https://host.test/a b",
        "https://host.test/a\n",
        " https://host.test/a",
        "https://host.test/\x07",
        "1https://host.test",
        "s3:",
    ],
)
def test_a_url_that_is_no_absolute_uri_is_refused(url):
    assert refusal(ContentPartError, "image", url=url).startswith("url:")


@pytest.mark.parametrize("file_id", ["", " ", "\n\t"])
def test_a_blank_file_id_is_refused(file_id):
    assert refusal(ContentPartError, "file", file_id=file_id).startswith("file_id:")


def test_empty_metadata_becomes_none():
    assert ContentPart("text", text="x", metadata={}) == ContentPart("text", text="x")
    assert ContentPart("image", data=PNG, mime_type="image/png", metadata={}).metadata is None


def test_metadata_is_a_frozen_snapshot():
    source = {"annotations": {"priority": 1, "tags": ["a"]}}
    part = ContentPart("text", text="x", metadata=source)
    source["annotations"]["tags"].append("b")
    assert part.metadata == {"annotations": {"priority": 1, "tags": ["a"]}}
    with pytest.raises(TypeError):
        part.metadata["annotations"]["tags"].append("c")


def test_an_unknown_kind_is_kept_with_its_original():
    block = {"type": "hologram", "frames": [1, 2]}
    part = ContentPart("hologram", raw=block)
    block["frames"].append(3)
    assert fields_of(part) == {"type": "hologram", "raw": {"type": "hologram", "frames": [1, 2]}}
    assert part.size is None


@pytest.mark.parametrize("kind", ["text", *BINARY_TYPES])
def test_the_original_of_a_known_kind_is_not_kept(kind):
    assert refusal(ContentPartError, kind, raw={"type": kind}).startswith("raw:")


@pytest.mark.parametrize(
    "other",
    [
        {"text": "x"},
        {"mime_type": "image/png"},
        {"data": b"x"},
        {"url": "https://host.test/x"},
        {"file_id": "f"},
        {"name": "n"},
        {"metadata": {"a": 1}},
    ],
    ids=lambda other: next(iter(other)),
)
def test_the_original_of_an_unknown_kind_stands_alone(other):
    assert refusal(ContentPartError, "hologram", raw={"type": "hologram"}, **other).startswith("raw:")


def test_an_unknown_kind_without_an_original_is_refused():
    assert refusal(ContentPartError, "hologram", raw={})
    assert refusal(ContentPartError, "hologram", raw=None).startswith("type:")


@pytest.mark.parametrize("make", [ContentPart, ContentPart.from_text], ids=["constructor", "from_text"])
def test_fields_are_keyword_only_after_the_first(make):
    with pytest.raises(TypeError):
        make("text", "hi")


def test_from_text_makes_a_text_part():
    assert ContentPart.from_text("hi") == ContentPart("text", text="hi")
    assert ContentPart.from_text("hi", mime_type="text/markdown", name="n", metadata={"a": 1}) == ContentPart(
        "text", text="hi", mime_type="text/markdown", name="n", metadata={"a": 1}
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [1.5, None, True]}, '{"b":1,"a":[1.5,null,true]}'),
        ([], "[]"),
        (None, "null"),
        ("日本", '"日本"'),
        (False, "false"),
        (float("nan"), "null"),
        (10**30, "1" + "0" * 30),
    ],
    ids=["object", "empty list", "None", "non-ASCII", "False", "NaN", "large integer"],
)
def test_json_makes_a_text_part_of_compact_json(value, text):
    assert ContentPart.json(value) == ContentPart("text", text=text, mime_type="application/json")


def test_json_refuses_what_has_no_json_form_with_its_path():
    with pytest.raises(ConversionError) as caught:
        ContentPart.json({"rows": [1, {"when": object()}]})
    assert caught.value.path == "value.rows[1].when"


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([["a", 1], ["b", None]], "a\t1\nb\t"),
        ([{"name": "a", "n": 1}, {"name": "b", "x": True}], "name\tn\tx\na\t1\t\nb\t\ttrue"),
        (
            [["tab\there", "line\nbreak", "back\\slash", "car\rriage"]],
            "tab\\there\tline\\nbreak\tback\\\\slash\tcar\\rriage",
        ),
        ("a\tb\n1\t2\n", "a\tb\n1\t2\n"),
        ((row for row in [["x"], [[1, 2]]]), "x\n[1,2]"),
        ([], ""),
    ],
    ids=["rows", "mappings", "escapes", "finished text", "generator", "no rows"],
)
def test_tsv_makes_a_text_part_of_rows_or_finished_text(rows, text):
    assert ContentPart.tsv(rows) == ContentPart("text", text=text, mime_type="text/tab-separated-values")


@pytest.mark.parametrize(
    ("rows", "path"),
    [
        ([["a"], ["b", object()]], "rows[1][1]"),
        ([1], "rows[0]"),
        (["ab"], "rows[0]"),
        ([b"ab"], "rows[0]"),
        ([{"a": 1}, [1]], "rows[1]"),
    ],
    ids=["cell", "number", "text", "bytes", "mixed rows"],
)
def test_tsv_names_the_row_or_cell_that_it_cannot_write(rows, path):
    with pytest.raises(ConversionError) as caught:
        ContentPart.tsv(rows)
    assert caught.value.path == path


@pytest.mark.parametrize("kind", ["json", "tsv"])
def test_json_and_tsv_take_a_name_and_metadata(kind):
    part = getattr(ContentPart, kind)([["a"]], name="n", metadata={"a": 1})
    assert (part.name, part.metadata) == ("n", {"a": 1})


@pytest.mark.parametrize(
    "source",
    [DATA / "fixture.png", str(DATA / "fixture.png"), PNG, bytearray(PNG), memoryview(PNG), BytesIO(PNG)],
    ids=["Path", "str path", "bytes", "bytearray", "memoryview", "file object"],
)
def test_a_loader_takes_any_source(source):
    part = ContentPart.image(source)
    assert (part.type, part.data, part.mime_type) == ("image", PNG, "image/png")


def test_a_loaded_file_keeps_its_name_and_no_path():
    assert fields_of(ContentPart.image(DATA / "fixture.png", metadata={"a": 1})) == {
        "type": "image",
        "data": PNG,
        "mime_type": "image/png",
        "name": "fixture.png",
        "metadata": {"a": 1},
    }


@pytest.mark.parametrize(
    ("loader", "file", "mime_type"),
    [
        (ContentPart.image, "chart.png", "image/png"),
        (ContentPart.audio, "chime.wav", "audio/wav"),
        (ContentPart.file, "report.pdf", "application/pdf"),
        (ContentPart.file, "orders.csv", "text/csv"),
        (ContentPart.file, "chart.png", "image/png"),
    ],
    ids=["image", "audio", "pdf", "csv", "image as file"],
)
def test_each_loader_finds_the_type_of_its_files(loader, file, mime_type):
    part = loader(DATA / file)
    assert part == ContentPart(loader.__name__, data=(DATA / file).read_bytes(), mime_type=mime_type, name=file)


def test_video_needs_to_be_told_its_type_when_the_bytes_do_not_say():
    assert fields_of(ContentPart.video(b"frames", mime_type="video/mp4", name="v.mp4")) == {
        "type": "video",
        "data": b"frames",
        "mime_type": "video/mp4",
        "name": "v.mp4",
    }
    with pytest.raises(ContentPartError, match=r"^mime_type:"):
        ContentPart.video(b"frames")


@pytest.mark.parametrize(
    ("loader", "options", "field"),
    [
        (ContentPart.audio, {}, "mime_type"),
        (ContentPart.image, {"mime_type": "image/jpeg"}, "mime_type"),
        (ContentPart.image, {"max_bytes": 81}, "source"),
        (ContentPart.image, {"root": "."}, "source"),
    ],
    ids=["wrong family", "wrong label", "too large", "no path below a root"],
)
def test_a_source_that_a_loader_refuses_is_an_error_about_a_field(loader, options, field):
    with pytest.raises(ContentPartError, match=f"^{field}:"):
        loader(PNG, **options)


def test_exactly_max_bytes_are_allowed():
    assert ContentPart.image(PNG, max_bytes=82).size == 82
    assert ContentPart.image(PNG, max_bytes=None).size == 82


def test_a_loader_points_to_a_web_address_without_fetching_it():
    assert ContentPart.image("https://host.test/a.png?w=1") == ContentPart(
        "image", url="https://host.test/a.png?w=1", mime_type="image/png"
    )


@pytest.mark.parametrize("url", ["s3://bucket/key", "file:///etc/hostname", "ftp://h.test/x", "//h.test/x"])
def test_other_schemes_are_said_on_purpose(url):
    with pytest.raises(ContentPartError, match=r"^source:"):
        ContentPart.image(url)
    if not url.startswith("//"):
        assert ContentPart.from_url(url, type="image") == ContentPart("image", url=url)


def test_from_url_takes_a_type_a_name_and_metadata():
    part = ContentPart.from_url("gs://b/k", type="video", mime_type="video/mp4", name="n", metadata={"a": 1})
    assert fields_of(part) == {
        "type": "video",
        "url": "gs://b/k",
        "mime_type": "video/mp4",
        "name": "n",
        "metadata": {"a": 1},
    }


@pytest.mark.parametrize("url", ["data:,x", "javascript:x", "a.png"])
def test_from_url_refuses_what_is_never_a_url(url):
    with pytest.raises(ContentPartError, match=r"^url:"):
        ContentPart.from_url(url, type="image")


def test_from_file_id_keeps_its_provider_in_metadata():
    assert ContentPart.from_file_id("file-1", type="file") == ContentPart("file", file_id="file-1")
    part = ContentPart.from_file_id(
        "file-1", type="image", provider="openai", mime_type="image/png", name="n", metadata={"a": 1}
    )
    assert fields_of(part) == {
        "type": "image",
        "file_id": "file-1",
        "mime_type": "image/png",
        "name": "n",
        "metadata": {"a": 1, "provider": "openai"},
    }


@pytest.mark.parametrize("make", [ContentPart.from_url, ContentPart.from_file_id], ids=["from_url", "from_file_id"])
def test_a_pointer_is_no_text_part(make):
    with pytest.raises(ContentPartError):
        make("s3://bucket/key", type="text")


@pytest.mark.parametrize(
    ("part", "size"),
    [
        (ContentPart.image(PNG), 82),
        (ContentPart("file", data=b"", mime_type="text/plain"), 0),
        (ContentPart.from_text("abc"), 3),
        (ContentPart.from_text("日本"), 6),
        (ContentPart.from_text(""), 0),
        (ContentPart("image", url="https://host.test/x"), None),
        (ContentPart("image", file_id="f"), None),
        (ContentPart("hologram", raw={"a": 1}), None),
    ],
    ids=["data", "empty data", "ASCII", "non-ASCII", "empty text", "url", "file id", "unknown kind"],
)
def test_size_counts_decoded_bytes(part, size):
    assert part.size == size


def test_size_of_text_with_a_lone_surrogate_does_not_raise():
    assert ContentPart.from_text("\ud800").size == 3


@pytest.mark.parametrize("data", [b"", b"a", b"\xff\xfe\xfd", bytes(range(256)) * 10], ids=len)
def test_base64_is_padded_standard_and_on_one_line(data):
    part = ContentPart("file", data=data, mime_type="application/pdf")
    assert part.base64() == base64.b64encode(data).decode()
    assert part.data_url() == f"data:application/pdf;base64,{base64.b64encode(data).decode()}"


def test_sha256_is_that_of_the_data():
    assert ContentPart.image(PNG).sha256() == hashlib.sha256(PNG).hexdigest()


def test_a_data_url_is_a_uri_also_when_the_type_has_parameters():
    part = ContentPart("file", data=b"hi", mime_type="text/plain; charset=utf-8")
    assert part.data_url() == "data:text/plain;charset=utf-8;base64,aGk="


def test_a_data_url_loads_again():
    part = ContentPart("file", data=b"a,b\n1,2\n", mime_type="text/csv; header=present")
    assert ContentPart.file(part.data_url()) == part


@pytest.mark.parametrize("method", ["base64", "data_url", "sha256"])
@pytest.mark.parametrize(
    "part",
    [
        ContentPart.from_text("hunter2"),
        ContentPart("image", url="https://host.test/x?token=hunter2"),
        ContentPart("image", file_id="hunter2"),
        ContentPart("hologram", raw={"a": "hunter2"}),
    ],
    ids=["text", "url", "file id", "unknown kind"],
)
def test_what_needs_data_says_that_there_is_none(part, method):
    with pytest.raises(ContentPartError, match=r"^data:") as caught:
        getattr(part, method)()
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("résumé 日本.pdf", "résumé 日本.pdf"),
        ("../../etc/passwd", "passwd"),
        ("/home/someone/x.png", "x.png"),
        ("C:\\t\\x.png", "x.png"),
        ("a/b", "b"),
        ("a/b/", "b"),
        ("a\x00b\nc\x1b.txt", "abc.txt"),
        ("a\u202egnp.exe", "agnp.exe"),
        ('a<b>:"|?*.txt', "a_b______.txt"),
        ("CON", "_CON"),
        ("con.txt", "_con.txt"),
        ("NUL.tar.gz", "_NUL.tar.gz"),
        ("LPT1 .txt", "_LPT1 .txt"),
        ("name. . ", "name"),
        ("..x", "..x"),
    ],
)
def test_safe_name_is_one_harmless_path_segment(name, safe):
    assert ContentPart.from_text("x", name=name).safe_name == safe


@pytest.mark.parametrize("name", [None, "", ".", "..", "/", "\\", "...", "\x00\n", " ", "../..", "\u200b"], ids=repr)
@pytest.mark.parametrize(
    ("part", "fallback"),
    [
        ({"type": "image", "data": b"x", "mime_type": "image/png"}, "image.png"),
        ({"type": "image", "data": b"x", "mime_type": "image/jpeg"}, "image.jpg"),
        ({"type": "text", "text": "x"}, "text.txt"),
        ({"type": "text", "text": "x", "mime_type": "text/csv; header=present"}, "text.csv"),
        ({"type": "file", "data": b"x", "mime_type": "application/octet-stream"}, "file"),
        ({"type": "audio", "file_id": "f"}, "audio"),
    ],
    ids=["png", "jpeg", "text", "csv", "unknown type", "no type"],
)
def test_safe_name_without_a_usable_name_is_the_type_with_its_suffix(name, part, fallback):
    assert ContentPart(**part, name=name).safe_name == fallback


def test_safe_name_of_an_unknown_kind_never_takes_its_word_for_a_path():
    assert ContentPart("../../x", raw={"type": "../../x"}).safe_name == "part"


@pytest.mark.parametrize(
    "name",
    [
        "a" * 300 + ".txt",
        "日" * 100 + ".txt",
        "a." + "b" * 300,
        "CON." + "a" * 300 + ".txt",
        "a" * 199 + " b",
        "a" * 195 + " bcd.txt",
        "a" * 199 + "." + "日" * 20,
        "\ud800" * 100,
        "😀" * 100,
    ],
    ids=[
        "ASCII",
        "three bytes each",
        "long suffix",
        "reserved",
        "cut at a space",
        "space",
        "dot",
        "surrogates",
        "emoji",
    ],
)
def test_safe_name_is_bounded_valid_and_ends_in_no_dot_or_space(name):
    safe = ContentPart.from_text("x", name=name).safe_name
    assert 0 < len(safe.encode()) <= 200
    assert safe == safe.rstrip(". ")


def test_a_long_safe_name_keeps_its_suffix():
    assert ContentPart.from_text("x", name="a" * 300 + ".txt").safe_name == "a" * 196 + ".txt"


@pytest.mark.parametrize(
    ("part", "summary"),
    [
        (ContentPart.image(PNG), "image (image/png, 82 bytes)"),
        (ContentPart("file", data=b"x", mime_type="application/pdf"), "file (application/pdf, 1 byte)"),
        (ContentPart("audio", data=b"", mime_type="audio/wav"), "audio (audio/wav, 0 bytes)"),
        (
            ContentPart(
                "image", url="https://user:hunter2@host.test/a/b.png?sig=hunter2#hunter2", mime_type="image/png"
            ),
            "image (image/png, host.test/a/b.png)",
        ),
        (ContentPart("image", url="https://host.test?sig=hunter2"), "image (host.test)"),
        (ContentPart("video", url="s3://bucket/key?versionId=hunter2"), "video (bucket/key)"),
        (ContentPart("file", file_id="file-1"), "file (file-1)"),
        (ContentPart("file", file_id="file-1", mime_type="application/pdf"), "file (application/pdf, file-1)"),
    ],
    ids=["bytes", "one byte", "no bytes", "url", "bare host", "other scheme", "file id", "typed file id"],
)
def test_summary_says_type_and_size_or_place(part, summary):
    assert part.summary() == summary
    assert str(part) == summary


def test_summary_of_text_and_of_unknown_kinds_shows_no_content():
    assert ContentPart.from_text("hunter2").summary().startswith("text (")
    assert "hunter2" not in ContentPart.from_text("hunter2", mime_type="text/markdown").summary()
    assert "text/markdown" in ContentPart.from_text("hunter2", mime_type="text/markdown").summary()
    assert "hunter2" not in ContentPart("hologram", raw={"a": "hunter2"}).summary()
    assert ContentPart("hologram", raw={"a": "hunter2"}).summary().startswith("hologram (")


def test_summary_of_the_fixture_image_reads_like_its_line_in_a_transcript():
    assert ContentPart.image(DATA / "fixture.png").summary() == "image (image/png, 82 bytes)"


NASTY = "\x1b]8;;http://x.test\x07\n\u2028\u202e\ud800" * 200
NASTY_PARTS = {
    "text": ContentPart.from_text(NASTY, mime_type="text/plain", name=NASTY, metadata={NASTY: 1, "b" * 500: 2}),
    "quotes": ContentPart.from_text("\\'\"" * 500, name="'\\" * 500),
    "data": ContentPart("image", data=b"\x1b\n" * 500, mime_type="a/" + "b" * 250, name=NASTY),
    "url": ContentPart("image", url="https://host.test/" + "x" * 5000, name=NASTY),
    "file id": ContentPart("image", file_id=NASTY, mime_type="a/" + "b" * 250, name=NASTY),
    "unknown kind": ContentPart(NASTY, raw={NASTY: NASTY}),
    "metadata": ContentPart("image", data=b"", mime_type="image/png", metadata={f"{n}{NASTY}": n for n in range(500)}),
}


@pytest.mark.parametrize("part", NASTY_PARTS.values(), ids=NASTY_PARTS)
def test_repr_and_summary_are_short_single_lines_of_printable_text(part):
    assert len(repr(part)) < 300
    assert len(part.summary()) < 300
    assert repr(part).isprintable()
    assert part.summary().isprintable()


@pytest.mark.parametrize(
    "part",
    [
        ContentPart("image", data=b"hunter2", mime_type="image/png", name="n", metadata={"key": "hunter2"}),
        ContentPart("image", url="https://u:hunter2@host.test/x?sig=hunter2", metadata={"key": ["hunter2"]}),
        ContentPart("hologram", raw={"key": "hunter2"}),
    ],
    ids=["data", "url", "unknown kind"],
)
def test_repr_shows_no_payload_no_query_and_no_metadata_values(part):
    assert repr(part).startswith("ContentPart(")
    assert "hunter2" not in repr(part)
    assert "aHVudGVyMg" not in repr(part)
    assert part.metadata is None or "key" in repr(part)


def test_repr_names_the_part():
    assert "image (image/png, 82 bytes)" in repr(ContentPart.image(DATA / "fixture.png"))
    assert "fixture.png" in repr(ContentPart.image(DATA / "fixture.png"))


def test_str_is_the_text_or_the_summary():
    assert str(ContentPart.from_text("hi\nthere", metadata={"a": 1})) == "hi\nthere"
    assert str(ContentPart("image", data=PNG, mime_type="image/png", name="n")) == "image (image/png, 82 bytes)"
    assert f"{ContentPart.from_text('hi')}" == "hi"


def test_a_released_buffer_is_an_error_about_the_data():
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(ContentPartError, match=r"^data: .*memoryview"):
        ContentPart("file", data=view, mime_type="text/plain")


def test_data_of_a_subclass_is_read_past_its_methods():
    class Loud(bytes):
        def __bytes__(self):
            raise RuntimeError("secret")

    part = ContentPart("file", data=Loud(b"abc"), mime_type="text/plain")
    assert (type(part.data), part.data) == (bytes, b"abc")
    assert ContentPart.file(Loud(b"abc")).data == b"abc"
