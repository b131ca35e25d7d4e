"""Feed mutated wire texts to the decoders: only a `DecodeError` may come out, and what is read must be written again.

    python tests/fuzz_wire.py --count 1000000 [--seed N]

The input number n of a seed is always the same: `--seed N --first n --count 1` replays it.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from time import process_time
from typing import Any

from toolresult import Answer, ContentPart, DecodeError, Request, ToolResult
from toolresult.wire import canonical, digest, dumps, from_json, from_wire, loads, to_json, to_wire

SECONDS = 1.0  # that one input may take, of the processor's time
SHOWN = 3  # failures of one kind that are kept

KINDS = {kind.__name__: kind for kind in (ToolResult, ContentPart, Request, Answer)}
STRUCTURE = "structure"  # what `dumps` writes and `loads` reads
READERS = (*KINDS, STRUCTURE)

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 60700, tzinfo=UTC)
PARTS = (
    ContentPart.from_text("plain"),
    ContentPart.from_text("# é 中 😀", mime_type="text/markdown", name="n.md", metadata={"audience": ["user"], "k": 1}),
    ContentPart.json({"a": [1, 1.0, None], "b": {"c": True}}),
    ContentPart("image", data=b"\x89PNG\r\n\x1a\n", mime_type="image/png", name="a.png", metadata={"alt": "A"}),
    ContentPart("audio", data=b"", mime_type="audio/wav"),
    ContentPart("file", data=b"ab", mime_type="application/pdf", name="../é.pdf"),
    ContentPart.from_url("https://u:p@h.test/x.mp4?sig=1#f", type="video", mime_type="video/mp4"),
    ContentPart.from_url("s3://bucket/key", type="file"),
    ContentPart.from_file_id("file_1", type="file", provider="openai", mime_type="text/csv"),
    ContentPart("hologram", raw={"type": "hologram", "depth": [3, {"x": 1e10}]}),
    ContentPart("hologram", raw={"type": "other", "raw": {"type": "hologram"}}),
)
REQUESTS = (
    Request("question", "Which?", id="r1", data={"options": ["a", "b"]}),
    Request.approval("Refund 10?", id="call_1:0", arguments={"n": 10, "deep": {"m": [1.5, "é"]}}, expires_at=MOMENT),
    Request.authorization("https://h.test/login?state=1", "Log in", id="r2"),
    Request.input("Name?", id="r3", schema={"type": "object", "properties": {"name": {"type": "string"}}}),
)
ANSWERS = (
    REQUESTS[0].accept([0, False, {"deep": ["x", -1e-9]}]),
    REQUESTS[1].accept(),
    REQUESTS[1].decline("too much"),
    REQUESTS[2].expire(),
    REQUESTS[3].accept({"name": "N"}),
)
RESULTS = (
    ToolResult(),
    ToolResult("two\nlines, é 中 😀 \u2028"),
    ToolResult.error("no", code="not_found", retryable=True, value={"left": 3}),
    ToolResult.json({"b": [1, 2.0, None], "a": {"é": "x"}}),
    ToolResult.json([]),
    ToolResult.ok("2 rows", value=[1, {"x": 10**20}], metadata={"ms": 12, "hits": [{"when": "now"}, []]}),
    ToolResult.tsv([{"a": 1, "b": None}, {"a": "x\ty"}]),
    ToolResult.ok(parts=PARTS),
    ToolResult("seen", parts=PARTS[3:5], metadata={"é": {}, "isError": False, "parts": [{"type": "text"}]}),
    ToolResult("like", metadata={"output": "x", "metadata": {"pending": {"id": "r", "kind": "k", "prompt": "p"}}}),
    *(ToolResult.pending(request, metadata={"trace": "t"}) for request in REQUESTS),
)
STRUCTURES = (
    {"history": [RESULTS[5], REQUESTS[1]], "answer": ANSWERS[2], "mine": {"$toolresult": 1}},
    [RESULTS[7], {"part": PARTS[9], "n": [None, 1, 1.0, "é"]}],
    {"$toolresult": ["dict", {"$toolresult": ANSWERS[0]}], "x": {"$toolresult": ["ToolResult", {}]}},
    [[[RESULTS[10]]], "text", {"": {}}],
)
VALID = tuple(
    (type(value).__name__, to_json(value)) for group in (PARTS, REQUESTS, ANSWERS, RESULTS) for value in group
) + tuple((STRUCTURE, dumps(structure)) for structure in STRUCTURES)

KEYS = (
    *sorted({key for _, text in VALID for key in re.findall(r'"(\w+)":', text)}),
    *("is_error", "mime_type", "file_id", "expires_at", "reason", "$toolresult", "__class__", "é", "", " "),
)
BROKEN_KEYS = ("\ud800", "\udfff", "\ufffd", "a\ud800", "a\ufffd", "\ud83d\udc00")
ODD_TEXTS = {
    "output": (
        "1",
        " [1]",
        "1e400",
        "NaN",
        "9" * 4301,
        '{"a":1,"a":2}',
        '"\\ud800"',
        "[" * 101 + "]" * 101,
        "[" * 5000,
    ),
    "mimeType": ("image/png", "IMAGE/JPG", "text/csv; a=b; c", "a/b; c=d", "image", "a/b\n", "/", "a/" + "b" * 300),
    "data": ("YQ==", "YR==", "YQ=", "YQ===", "Y Q==", "YQ==\n", "YQ", "=", "%%", "YQ==YQ==", "_-==", "é"),
    "url": ("data:,x", "javascript:x", "https://h.test", "http://", "s3:", "//h.test", "https://h.test/a b"),
    "id": ("x" * 128, "x" * 129, "a b", "", "é", "a\n"),
    "type": ("image", "file", "video", "text", "hologram", "x", ""),
    "expiresAt": (
        *("2026-01-02T03:04:05Z", "2026-01-02t03:04:05.1234567z", "2026-02-30T00:00:00Z", "2026-01-02T24:00:00Z"),
        *("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-00:01", "2026-01-02", "2026-W01-1", "2026-01-02T03:04:60Z"),
        *("2026-01-02T03:04:05", "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05-00:60", "0000-01-01T00:00:00Z"),
    ),
    "reason": ("declined", "cancelled", "expired", "bored", "Declined"),
    "kind": ("approval", "\x1b", "", "a b"),
}
SCALARS = (
    *(None, True, False, 0, 1, -1, 10, 1.0, -0.0, 1.5e300, 5e-324, float("nan"), float("inf"), -(10**4300)),
    *(10**640, 10**4299, 10**4300, 10**6000, "", " ", "x", "false", "null", "é", "\ud800", "\udc00\ud800"),
    *("\ud83d\ude00", "\x00", "dict", "ToolResult", "Answer"),
    *(text for texts in ODD_TEXTS.values() for text in texts),
)
NOT_JSON = (
    *(b"x", (), (1,), frozenset(), object(), 1j, {1: 2}, {None: []}, range(2), DecodeError("a", "b"), str, REQUESTS[0]),
)
TOKENS = (
    *'{}[],:"\\0-.e+ \n\t\x00\x7f\ufeff\u2028é😀\ud800\udfff',
    *('{"":', '"a":', ',"a":1', "[[", "]]", "{}", "[]", '""', "null", "true", "false", "NaN", "Infinity", "-Infinity"),
    *("1e400", "-1e400", "1e-400", "1E5", "01", "-0", "0x1", "1_0", "١", "1.", ".1", "'x'", "//", "/**/", "undefined"),
    *("\\ud800", "\\udc00\\ud800", "\\ud83d\\ude00", "\\uD83D", "\\u0000", "\\u", "\\x41", "\\/", "\\b", "=", "=="),
    *("9" * 640, "9" * 4300, "9" * 4301, "-" + "9" * 4300, "9" * 20000, "0." + "1" * 5000, "1e" + "9" * 5000),
)
NESTINGS = (2, 50, 97, 98, 99, 100, 101, 102, 300, 2000)
PLACE = re.compile(r'[{}\[\],:"]')
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
MEMBER = re.compile(r'"([^"\\]+)":')
SURROGATE = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")

Slot = tuple[Any, Any]


def slots_of(tree: Any) -> list[Slot]:
    """List every place of a tree whose value can be set."""
    found: list[Slot] = []
    rest = [tree]
    while rest:
        node = rest.pop()
        keys = list(node) if type(node) is dict else range(len(node))
        for key in keys:
            found.append((node, key))
            if type(node[key]) in (dict, list):
                rest.append(node[key])
    return found


def nested(rng: Random, inner: Any) -> Any:
    """Put a value deep into arrays or objects."""
    in_objects = rng.random() < 0.5
    for _ in range(rng.choice(NESTINGS)):
        inner = {"a": inner} if in_objects else [inner]
    return inner


def odd(rng: Random, donors: list[Slot]) -> Any:
    """Draw a value that probably does not fit."""
    draw = rng.random()
    if draw < 0.6:
        return rng.choice(SCALARS)
    if draw < 0.8:
        node, key = rng.choice(donors)
        return node[key]
    if draw < 0.9:
        return rng.choice(([], {}, [None], [[]], {"": None}, [{}], {"type": "x"}, {"type": "x", "raw": {}}))
    return nested(rng, rng.choice((1, "x", {}, None)))


def edit_tree(rng: Random, holder: list[Any]) -> None:
    """Change one place of the tree that `holder` holds."""
    slots = slots_of(holder)
    donors = slots_of([json.loads(rng.choice(VALID)[1])])
    node, key = rng.choice(slots)
    what = rng.randrange(9)
    if what <= 2:
        node[key] = rng.choice(ODD_TEXTS[key]) if key in ODD_TEXTS and rng.random() < 0.5 else odd(rng, donors)
    elif what == 3:
        objects = [tree for tree in (n[k] for n, k in slots) if type(tree) is dict]
        if objects:
            chosen = rng.choice(objects)
            for new in rng.sample(BROKEN_KEYS, 2) if rng.random() < 0.1 else rng.choices(KEYS):
                chosen[new] = odd(rng, donors)
    elif what == 4 and type(node) is dict:
        value = node.pop(key)
        if rng.random() < 0.6:
            other = rng.choice(donors)[1]
            node[rng.choice((rng.choice(KEYS), other if type(other) is str else key.upper(), snake(key)))] = value
    elif what == 5:
        other_node, other_key = rng.choice(slots)
        # A swap with something further up would make a cycle, of which no JSON text tells.
        if type(node[key]) not in (dict, list) and type(other_node[other_key]) not in (dict, list):
            node[key], other_node[other_key] = other_node[other_key], node[key]
    elif what == 6:
        wrappers: tuple[Callable[[Any], Any], ...] = (
            lambda inner: [inner],
            lambda inner: {rng.choice(KEYS): inner},
            lambda inner: {"$toolresult": [rng.choice((*KINDS, "dict", "x")), inner]},
            lambda inner: nested(rng, inner),
            lambda inner: {"type": "x", "raw": inner},
        )
        node[key] = rng.choice(wrappers)(node[key])
    elif what == 7 and type(node[key]) is list:
        node[key] *= rng.choice((0, 2, 3))
    else:
        node[key] = None


def snake(key: str) -> str:
    """Spell a key as the aliases do."""
    return re.sub("[A-Z]", lambda match: "_" + match[0].lower(), key)


def edit_text(rng: Random, text: str) -> str:
    """Change one place of a text, at a random character or at one that JSON gives a meaning."""
    places = [match.start() for match in PLACE.finditer(text)] if rng.random() < 0.6 else []
    here = rng.choice(places) if places else rng.randrange(len(text) + 1)
    there = min(len(text), here + rng.choice((1, 1, 2, 5, 20, 100)))
    what = rng.randrange(10)
    if what == 0:
        return text[:here] if rng.random() < 0.7 else text[here:]
    if what == 1:
        return text[:here] + text[there:]
    if what == 2:
        return text[:there] + text[here:there] * rng.choice((1, 1, 2, 50)) + text[there:]
    if what == 3:
        second = rng.randrange(there, len(text) + 1)
        end = min(len(text), second + there - here)
        return text[:here] + text[second:end] + text[there:second] + text[here:there] + text[end:]
    if what <= 5:
        after = here + (rng.random() < 0.5)
        return text[:after] + rng.choice(TOKENS) + text[rng.choice((after, there)) :]
    if what == 6:
        numbers = list(NUMBER.finditer(text))
        if numbers:
            number = rng.choice(numbers)
            return text[: number.start()] + rng.choice(TOKENS) + text[number.end() :]
    if what == 7:
        members = list(MEMBER.finditer(text))
        if members:
            twice, before = rng.choice(members), rng.choice(members)
            value = rng.choice(("1", "null", "true", "false", '""', "{}", "[]"))
            return f'{text[: before.start()]}"{twice[1]}":{value},{text[before.start() :]}'
    if what == 8:
        opening, closing = rng.choice((("[", "]"), ('{"a":', "}"), ("[", ""), ("", "]")))
        depth = rng.choice((*NESTINGS, 2000, 100_000 if rng.random() < 0.05 else 900))
        return text[:here] + opening * depth + text[here:there] + closing * depth + text[there:]
    return text[:here] + chr(rng.choice((rng.randrange(0x80), rng.randrange(0x110000)))) + text[there:]


def flipped(rng: Random, data: bytes) -> bytes:
    """Flip up to three bits."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 3) if data else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def mutated(seed: int, number: int) -> tuple[str, Any]:
    """Make one input: the name of what reads it, and text, bytes, or a tree in a list."""
    rng = Random(seed << 40 | number)
    name, text = rng.choice(VALID)
    reader = rng.choice(READERS) if rng.random() < 0.1 else name
    level = rng.random()
    if level < 0.6:
        holder = [json.loads(text)]
        for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
            edit_tree(rng, holder)
        if reader != STRUCTURE and rng.random() < 0.3:
            if rng.random() < 0.2:
                node, key = rng.choice(slots_of(holder))
                node[key] = rng.choice(NOT_JSON)
            return reader, holder
        try:
            text = json.dumps(holder[0], ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, None, 1)))
        except (ValueError, RecursionError):  # more digits, or deeper, than this encoder writes
            return reader, holder if reader != STRUCTURE else text
    if level > 0.5:
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            text = edit_text(rng, text)
    draw = rng.random()
    if draw < 0.5:
        return reader, text
    if draw < 0.53:
        return reader, text.encode(rng.choice(("utf-8-sig", "utf-16", "utf-16-le", "utf-32")), "surrogatepass")
    data = text.encode("utf-8", "surrogatepass")
    return reader, flipped(rng, data) if rng.random() < 0.4 else data


def read(reader: str, given: Any) -> Any:
    """Read an input the way that its type asks for."""
    if reader == STRUCTURE:
        return loads(given)
    kind: Any = KINDS[reader]
    return from_wire(kind, given[0]) if type(given) is list else from_json(kind, given)


def check_value(reader: str, given: Any, value: Any) -> None:
    """Refuse a value that was read and does not keep the laws of the wire form."""
    if reader == STRUCTURE:
        text = dumps(value)
        again = loads(text)
        if dumps(again) != text:
            raise AssertionError("dumps(loads(dumps(x))) != dumps(x)")
    else:
        kind: Any = KINDS[reader]
        if type(value) is not kind:
            raise AssertionError(f"{type(value).__name__} was read")
        text = to_json(value)
        again = from_json(kind, text)
        if to_json(again) != text:
            raise AssertionError("to_json(from_json(to_json(x))) != to_json(x)")
        if json.loads(text) != to_wire(value):
            raise AssertionError("to_json and to_wire do not say the same")
        if type(given) is not list and from_wire(kind, json.loads(given)) != value:
            raise AssertionError("from_json and from_wire do not read the same")
        use(value)
    text.encode()
    if again != value and not has_surrogates(given):
        raise AssertionError("from_json(to_json(x)) != x")


def has_surrogates(given: Any) -> bool:
    """Say whether something of an input may have been repaired when it was written."""
    texts = (
        [text for slot in slots_of(given) for text in (slot[1], slot[0][slot[1]])] if type(given) is list else [given]
    )
    return any(
        SURROGATE.search(text if type(text) is str else repr(text)) for text in texts if type(text) in (str, bytes)
    )


def use(value: Any) -> None:
    """Do with a value what anybody may do with any value."""
    repr(value)
    digest(value)
    canonical(value)
    to_json(value, payload=False)
    if type(value) is ToolResult:
        _ = value.value, value.is_derived, value.error_message, value.error_code, value.is_retryable, value.content
        _ = value.is_pending, value.is_done, value.mime_type, value.data, value.as_text(), value.render_for_model()
    elif type(value) is ContentPart:
        _ = value.size, value.safe_name, value.summary()


def shown(given: Any) -> str:
    """Write an input as text."""
    try:
        return given if type(given) is str else repr(given)
    except (ValueError, RecursionError):
        return "a tree that is too deep, or holds numbers too long, to be shown"


@dataclass
class Report:
    """What came of a run."""

    read: int = 0
    refused: int = 0
    failed: int = 0
    slowest: float = 0.0
    slowest_number: int = 0
    failures: dict[str, list[str]] = field(default_factory=dict)
    """By kind, the first of each."""


def described(seed: int, number: int, problem: str, reader: str, given: Any) -> str:
    """Write down a failure and how to see it again, in printable ASCII."""
    text = shown(given)
    text = ascii(text if len(text) < 700 else f"{text[:400]} … {text[-200:]}")
    return f"--seed {seed} --first {number} --count 1\n    {problem[:300]!a}\n    {reader} from {text}"


def outcome(reader: str, given: Any, report: Report) -> str | None:
    """Feed one input, count it, and say what is wrong, if anything."""
    try:
        value = read(reader, given)
    except DecodeError as error:
        report.refused += 1
        return None if error.path and error.problem else f"an error without a place: {error}"
    except Exception as error:  # noqa: BLE001 - the search is for what else may come
        return f"{type(error).__name__} while reading: {error}"
    report.read += 1
    try:
        check_value(reader, given, value)
    except Exception as error:  # noqa: BLE001 - as above, a DecodeError included
        return f"{type(error).__name__} after reading: {error}"
    return None


def run(seed: int, count: int, first: int = 0, progress: Callable[[int, Report], None] | None = None) -> Report:
    """Feed `count` inputs to the decoders, from number `first` on."""
    report = Report()
    for number in range(first, first + count):
        reader, given = mutated(seed, number)
        started = process_time()
        problem = outcome(reader, given, report)
        seconds = process_time() - started
        if seconds > report.slowest:
            report.slowest, report.slowest_number = seconds, number
        if problem is None and seconds > SECONDS:
            problem = f"took {seconds:.1f} s"
        if problem is not None:
            report.failed += 1
            examples = report.failures.setdefault(problem.rpartition(": ")[2], [])
            if len(examples) < SHOWN:
                examples.append(described(seed, number, problem, reader, given))
        if progress is not None:
            progress(number, report)
    return report


def say(line: str) -> None:
    """Write a line at once, since a run takes minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Run as a command; the exit code is 1 if an input fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100_000, help="inputs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other inputs (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first input (default: %(default)s)")
    options = parser.parse_args()
    say(f"seed {options.seed}, {options.count} inputs from number {options.first}, Python {platform.python_version()}")

    def progress(number: int, report: Report) -> None:
        if (number + 1) % 100_000 == 0:
            say(f"{number + 1}: {report.read} read, {report.refused} refused, {report.failed} failed")

    started = process_time()
    report = run(options.seed, options.count, options.first, progress)
    for kind, examples in report.failures.items():
        say("\n".join([ascii(kind), *examples]))
    rate = options.count / (process_time() - started)
    say(
        f"{options.count} inputs: {report.refused} refused, {report.read} read, {report.failed} failed; "
        f"slowest {report.slowest * 1000:.1f} ms (number {report.slowest_number}); {rate:.0f} inputs/s"
    )
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
