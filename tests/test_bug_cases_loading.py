"""Ways in which loading has gone wrong for others, each with its smallest trigger."""

from __future__ import annotations

import copy
import mimetypes
import os
import pickle
import socket
from base64 import b64encode
from pathlib import Path

import pytest

from toolresult import ContentPart, ContentPartError, ToolResult

PNG = b"\x89PNG\r\n\x1a\n"
PNG_BASE64 = "iVBORw0KGgo="
JPEG = bytes.fromhex("ff d8 ff e0 00 10 4a 46 49 46")


def image_of(data, mime_type, name=None):
    return ContentPart("image", data=data, mime_type=mime_type, name=name)


# Nayjest/ai-microcore#74, HKUDS/nanobot#4952
def test_a_file_name_that_is_no_text_is_shown_as_valid_unicode(folder):
    path = os.fsdecode(b"caf\xe9.txt")
    Path(path).write_bytes(b"x")
    for source in (path, Path(path), folder / path):
        part = ContentPart.file(source)
        assert (part.data, part.name, part.safe_name) == (b"x", "caf\ufffd.txt", "caf\ufffd.txt")
        for shown in (part.name, repr(part), str(part), str(ToolResult.file(source))):
            assert shown.encode().decode() == shown


# Nayjest/ai-microcore#74, HKUDS/nanobot#4952
def test_an_error_about_a_file_name_that_is_no_text_is_valid_unicode(folder):
    result = ToolResult.file(os.fsdecode(b"caf\xe9.txt"))
    assert result.is_error
    assert "caf\ufffd.txt" in result.output
    assert result.output.encode().decode() == result.output


# Mercor-Intelligence/archipelago#209, gemini-cli-extensions/nanobanana#68, mysociety/fixmystreet#5967
@pytest.mark.parametrize(
    ("name", "data", "mime_type"),
    [
        ("shot.png", JPEG, "image/jpeg"),
        ("shot.jpg", PNG, "image/png"),
        ("shot.txt", PNG, "image/png"),
        ("shot", PNG, "image/png"),
        ("shot.png", b"GIF89a", "image/gif"),
        ("shot.png", b"RIFF\x04\x00\x00\x00WEBP", "image/webp"),
    ],
)
def test_the_bytes_win_over_a_suffix_that_lies(folder, name, data, mime_type):
    Path(name).write_bytes(data)
    assert ContentPart.image(name) == image_of(data, mime_type, name)
    assert ContentPart.file(name) == ContentPart("file", data=data, mime_type=mime_type, name=name)


# ashbuilds/payload-ai#176, MTESSDev/FRW#87
def test_a_claim_that_the_bytes_contradict_is_refused_and_names_both():
    with pytest.raises(ContentPartError, match=r"^mime_type:") as caught:
        ContentPart.image(JPEG, mime_type="image/png")
    assert "image/png" in str(caught.value)
    assert "image/jpeg" in str(caught.value)
    assert ToolResult.image(JPEG, mime_type="image/png").is_error


# ashbuilds/payload-ai#176, MTESSDev/FRW#87
def test_a_claim_that_the_bytes_leave_open_wins():
    assert ContentPart.image(b"?", mime_type="image/jpeg") == image_of(b"?", "image/jpeg")


# asbjornenge/imgurify#2, nodeca/probe-image-size#2, image-size/image-size#78
@pytest.mark.parametrize(
    ("given", "kept", "data"),
    [
        ("image/jpg", "image/jpeg", JPEG),
        ("IMAGE/JPEG", "image/jpeg", JPEG),
        ("image/pjpeg", "image/jpeg", JPEG),
        (" image/png; q=1 ", "image/png", PNG),
    ],
)
def test_an_alias_of_a_media_type_is_the_type(given, kept, data):
    assert ContentPart("image", data=data, mime_type=given) == image_of(data, kept)
    assert ContentPart.image(data, mime_type=given) == image_of(data, kept)
    assert ContentPart.image(f"data:{given};base64,{b64encode(data).decode()}") == image_of(data, kept)


# pydantic/pydantic-ai#8388
@pytest.mark.parametrize("make", [ContentPart.image, lambda url: ContentPart.from_url(url, type="image")])
def test_a_url_of_unknown_type_is_stored_and_shown_without_a_look_at_the_network(monkeypatch, make):
    monkeypatch.setattr(socket, "socket", None)
    monkeypatch.setattr(socket, "getaddrinfo", None)
    part = make("https://h.test/get?id=1")
    assert (part.url, part.mime_type, part.data, part.size) == ("https://h.test/get?id=1", None, None, None)
    assert part.summary() == str(part) == "image (h.test/get)"
    assert "h.test/get" in repr(part)
    assert part.safe_name == "image"
    for again in (pickle.loads(pickle.dumps(part)), copy.deepcopy(part), copy.copy(part)):
        assert again == part
    assert hash(part) == hash(make("https://h.test/get?id=1"))


# openfoodfacts/open-prices#98, C0untFloyd/roop-unleashed#244
@pytest.mark.parametrize(
    ("suffix", "mime_type"),
    [
        ("webp", "image/webp"),
        ("heic", "image/heic"),
        ("avif", "image/avif"),
        ("m4a", "audio/mp4"),
        ("wav", "audio/wav"),
        ("md", "text/markdown"),
        ("yaml", "application/yaml"),
        ("ts", "application/octet-stream"),
        ("jfif", "image/jpeg"),
        ("js", "text/javascript"),
    ],
)
def test_the_table_of_the_platform_is_never_asked(folder, monkeypatch, suffix, mime_type):
    for name in ("guess_type", "guess_extension", "init", "types_map"):
        monkeypatch.setattr(mimetypes, name, None)
    Path(f"x.{suffix}").write_bytes(b"no magic")
    assert ContentPart.file(f"x.{suffix}").mime_type == mime_type


# webpy/webpy.github.com#64, Joomla-Bible-Study/Proclaim#2146
@pytest.mark.parametrize(
    ("name", "mime_type"),
    [
        ("A.JPG", "image/jpeg"),
        ("a.JpEg", "image/jpeg"),
        ("a.jfif", "image/jpeg"),
        ("a.jpe", "image/jpeg"),
        ("a.tar.gz", "application/gzip"),
        (".png", "application/octet-stream"),
        ("png", "application/octet-stream"),
    ],
)
def test_a_suffix_counts_in_any_case_and_a_dot_file_has_none(folder, name, mime_type):
    Path(name).write_bytes(b"no magic")
    assert ContentPart.file(name) == ContentPart("file", data=b"no magic", mime_type=mime_type, name=name)


# vllm-project/vllm#48973
@pytest.mark.parametrize(
    ("url", "data", "mime_type"),
    [
        (f"data:image/png;charset=utf-8;name=a%3Bb.png;BASE64,{PNG_BASE64}", PNG, "image/png"),
        ("data:base64,abc", b"abc", "text/plain"),
        ("data:,hi", b"hi", "text/plain"),
        ("data:;base64,aGk=", b"hi", "text/plain"),
    ],
)
def test_the_base64_marker_is_the_last_token_of_a_data_url(url, data, mime_type):
    assert ContentPart.file(url) == ContentPart("file", data=data, mime_type=mime_type)


# flyingsaucerproject/flyingsaucer#457, whatwg/fetch#579
def test_a_data_url_without_base64_is_percent_decoded():
    url = "data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E"
    assert ContentPart.image(url) == image_of(b'<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml")
    assert ContentPart.file("data:,1+1").data == b"1+1"


# Intervention/image#983, react/react-native#36512, i-am-bee/beeai-framework#1508, validatorjs/validator.js#1424
def test_wrapped_base64_is_read_and_written_on_one_line():
    data = PNG + bytes(range(256))
    text = b64encode(data).decode()
    wrapped = "".join(f"{text[at : at + 76]}\r\n" for at in range(0, len(text), 76))
    part = ContentPart.image(f"data:image/png;base64,{wrapped} ")
    assert part == image_of(data, "image/png")
    assert part.base64() == text
    assert part.data_url() == f"data:image/png;base64,{text}"


# anthropics/anthropic-sdk-typescript#603
def test_bytes_are_raw_and_text_is_never_taken_for_base64():
    assert ContentPart.file(b"iVBORw0KGgo=").data == b"iVBORw0KGgo="
    with pytest.raises(ContentPartError, match=r"^mime_type:"):
        ContentPart.image(b"iVBORw0KGgo=")
    with pytest.raises(TypeError, match=r"^data:"):
        ContentPart("image", data=PNG_BASE64, mime_type="image/png")
    with pytest.raises(ContentPartError, match=r"^source:"):
        ContentPart.image(PNG_BASE64)
    assert ContentPart.image(f"data:;base64,{PNG_BASE64}", mime_type="image/png").data == PNG


# nesquena/hermes-webui#3398, kaeawc/auto-mobile#5908, spoj/tg-bot2#50
@pytest.mark.parametrize(
    ("link", "target", "path"),
    [
        ("a", "/etc/hostname", "a"),
        ("a", "../secret", "a"),
        ("a", "..", "a/secret"),
        ("sub/a", "../../secret", "sub/a"),
        ("sub/a", "../..", "sub/a/secret"),
    ],
    ids=["absolute", "relative", "parent", "in a folder", "two up"],
)
def test_no_link_leads_out_of_the_root(folder, link, target, path):
    (folder.parent / "secret").write_bytes(b"SECRET")
    (folder / "sub").mkdir()
    (folder / link).symlink_to(target)
    for source in (path, folder / path):
        with pytest.raises(ContentPartError, match=r"^source:") as caught:
            ContentPart.file(source, root=folder)
        assert "private" not in str(caught.value)


# nesquena/hermes-webui#3398, kaeawc/auto-mobile#5908, spoj/tg-bot2#50
def test_a_link_that_stays_in_the_root_works_and_without_a_root_every_link_does(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "f").write_bytes(b"inside")
    (folder / "a").symlink_to("sub/f")
    (folder / "out").symlink_to("../beside")
    (folder.parent / "beside").write_bytes(b"beside")
    assert ContentPart.file("a", root=folder).data == b"inside"
    assert ContentPart.file("out").data == b"beside"


# zhayujie/CowAgent#2872, QwenLM/Qwen-Agent#871, infiniflow/ragflow#15171
def test_an_http_url_is_kept_and_never_fetched(monkeypatch):
    monkeypatch.setattr(socket, "socket", None)
    monkeypatch.setattr(socket, "getaddrinfo", None)
    part = ContentPart.image("http://169.254.169.254/x")
    assert part == ContentPart("image", url="http://169.254.169.254/x")


# ag-ui-protocol/ag-ui#2432, FoundationAgents/MetaGPT#1934
@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "FILE:/etc/passwd",
        "ftp://h/x",
        "javascript:alert(1)",
        "//h.test/x",
        "s3://bucket/key",
    ],
)
@pytest.mark.parametrize("load", [ContentPart.image, ContentPart.audio, ContentPart.video, ContentPart.file])
def test_no_other_scheme_is_loaded_nor_read_as_a_path(url, load):
    with pytest.raises(ContentPartError, match=r"^source:"):
        load(url)


# ag-ui-protocol/ag-ui#2432, FoundationAgents/MetaGPT#1934
def test_the_scheme_of_a_provider_is_said_on_purpose():
    part = ContentPart.from_url("gs://bucket/x.png", type="image")
    assert part == ContentPart("image", url="gs://bucket/x.png")
    for url in ("javascript:alert(1)", "data:,x", "//h.test/x", "/etc/passwd"):
        with pytest.raises(ContentPartError, match=r"^url:"):
            ContentPart.from_url(url, type="image")


# awslabs/mcp#3604, chrischall/ofw-mcp#115, impecablemee/gtm-mcp#1, NousResearch/hermes-agent#64061
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("../../etc/x", "x"),
        ("C:\\t\\x.png", "x.png"),
        ("a/b", "b"),
        ("..", "image.png"),
        ("a\x00b", "ab"),
        ("a\nb", "ab"),
        ("CON", "_CON"),
    ],
    ids=ascii,
)
def test_a_name_with_a_way_out_is_kept_for_people_and_saved_in_the_directory(folder, name, written):
    part = image_of(PNG, "image/png", name)
    assert part.name == name
    assert part.safe_name == written
    assert part.save(folder) == f"{folder}/{written}"
    assert [path.name for path in folder.iterdir()] == [written]
    assert [path.name for path in folder.parent.iterdir()] == ["private"]


# NorthlandPositronics/Cogtrix#1424, resend/resend-mcp#113
def test_the_model_sees_the_base_name_of_a_file_and_no_directory(folder):
    (folder / "x.png").write_bytes(PNG)
    result = ToolResult.image(folder / "x.png")
    assert [part.name for part in result.parts] == ["x.png"]
    for shown in (str(result), result.output, repr(result), repr(result.parts[0])):
        assert "private" not in shown


# NorthlandPositronics/Cogtrix#1424, resend/resend-mcp#113
@pytest.mark.parametrize("name", ["missing.png", "missing/x.png", "f/x.png", ""])
@pytest.mark.parametrize("root", [None, "."], ids=["no root", "root"])
def test_the_model_learns_no_directory_from_a_file_that_cannot_be_loaded(folder, name, root):
    (folder / "f").write_bytes(b"x")
    result = ToolResult.image(folder / name, root=root)
    assert result.is_error
    for shown in (str(result), result.output, repr(result)):
        assert "private/" not in shown
        assert "missing/" not in shown
        assert folder.parent.name not in shown


# microsoft/vscode-copilot-chat#1907
def test_sizes_of_several_results_add_up_to_one_budget():
    results = [ToolResult.file(bytes(2_000_000), name=f"{n}.bin") for n in range(3)]
    sizes = [sum(part.size or 0 for part in result.content) for result in results]
    assert sizes == [2_000_000] * 3
    assert sum(sizes[:2]) <= 5_000_000 < sum(sizes)
