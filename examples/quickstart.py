"""What a tool function returns, on real files: a page to read from top to bottom, and to run.

A tool is an ordinary function. It returns one `ToolResult`: text that the model reads, parts such as pictures beside
it, and, for the application only, metadata and a value. Run it with `python examples/quickstart.py`.
"""

from __future__ import annotations

import csv
from pathlib import Path

from toolresult import Answer, AnswerError, ContentPart, ContentPartError, Request, ToolResult

DATA = Path(__file__).parent / "data"


# 1. Success and failure. A failure is a value too: the model reads it and can try something else.

CONFIG = {"region": "eu-west-1", "retries": "3"}


def read_config(key: str) -> ToolResult:
    """Look a key up in the configuration."""
    if key not in CONFIG:
        return ToolResult.error(f"No such config key: {key}", code="unknown_key")
    return ToolResult.ok(CONFIG[key])


# 2. Text for the model, and more for the application: the model never sees `metadata` or `value`.


def search_orders(region: str) -> ToolResult:
    """Find the orders of a region."""
    found = [order for order in load_orders("orders.csv") if order["region"] == region]
    if not found:
        return ToolResult.error(f"No orders in {region}.", code="not_found")
    text = "\n".join(f"{order['order_id']}: {order['total']} {order['currency']}" for order in found)
    return ToolResult.ok(text, value=found, metadata={"source": "orders.csv", "hits": len(found)})


def load_orders(name: str) -> list[dict[str, str]]:
    """Read a CSV file of the data directory. `root=` keeps every path inside it, whatever the model asks for."""
    part = ContentPart.file(name, root=DATA)
    return list(csv.DictReader((part.data or b"").decode().splitlines()))


# 3. A picture. A file that is missing, too large or no picture gives an error result; nothing is raised.


def screenshot(name: str) -> ToolResult:
    """Show a picture of the data directory."""
    return ToolResult.image(name, root=DATA)


def listen(name: str) -> ToolResult:
    """Play a sound of the data directory."""
    return ToolResult.audio(name, root=DATA, output="The recording is attached.")


def report(name: str) -> ToolResult:
    """Hand out a document together with a sentence about it."""
    try:
        document = ContentPart.file(name, root=DATA)
    except ContentPartError as error:
        return ToolResult.error(str(error))
    return ToolResult.ok(f"The report has {document.size} bytes.", parts=[document])


# 4. A table: tab-separated text costs the model fewer tokens than JSON, and `value` keeps the rows.


def order_table(limit: int) -> ToolResult:
    """List the first orders."""
    return ToolResult.tsv(load_orders("orders.csv")[:limit])


# 5. A tool that must ask first. Without an answer it does nothing but return the question. Only the host can pass
#    an answer: the parameter is no part of what the model may fill in.

REFUNDED: list[str] = []


def refund(order_id: str, amount: int, *, answer: Answer | None = None) -> ToolResult:
    """Refund an order, once a person has approved it."""
    if answer is None:
        arguments = {"order_id": order_id, "amount": amount}
        return ToolResult.pending(Request.approval(f"Refund {amount} EUR for {order_id}?", arguments=arguments))
    if not answer:
        return answer.to_result()
    REFUNDED.append(order_id)
    return ToolResult.ok(f"Refunded {amount} EUR for {order_id}.")


def show(title: str, result: ToolResult) -> None:
    """Print what a model would read, and below it what the application reads."""
    print(f"--- {title}")
    for line in str(result).splitlines() or ["(nothing)"]:
        print(f"    model | {line}")
    state = "pending" if result.is_pending else "failed" if result.is_error else "ok"
    seen = [state]
    if result.error_code:
        seen.append(f"code {result.error_code}")
    if result.value is not None:
        seen.append("a value behind the text")
    if result.metadata:
        seen.append(f"metadata {', '.join(result.metadata)}")
    seen.extend(f"{part.name}: {part.mime_type}, {part.size} bytes" for part in result.parts or ())
    print(f"      app | {'; '.join(seen)}\n")


def ask_and_resume(*, approve: bool) -> ToolResult:
    """Play the host: keep the request, get an answer, check it, and only then run the tool again."""
    call = {"order_id": "1007", "amount": 10}
    first = refund("1007", 10)
    show("refund: suspended, nothing has happened yet", first)
    stored = first.request
    if stored is None:
        return first

    # A person answers; in a real host days later, and from another process.
    answer = stored.accept() if approve else stored.decline("The customer kept it.")

    # `check` refuses an answer to another request, a late one, and one for arguments that were not shown.
    try:
        stored.check(answer, arguments={**call, "amount": 10_000})
    except AnswerError as error:
        print(f"    check | refused: {error}\n")
    return refund("1007", 10, answer=stored.check(answer, arguments=call))


def main() -> None:
    """Call every tool once, as a loop would."""
    show("read_config('region')", read_config("region"))
    show("read_config('nope')", read_config("nope"))
    show("search_orders('East')", search_orders("East"))
    show("screenshot('chart.png')", screenshot("chart.png"))
    show("screenshot('missing.png')", screenshot("missing.png"))
    show("screenshot('../quickstart.py')", screenshot("../quickstart.py"))
    show("listen('chime.wav')", listen("chime.wav"))
    show("report('report.pdf')", report("report.pdf"))
    show("order_table(3)", order_table(3))
    show("refund: approved", ask_and_resume(approve=True))
    show("refund: declined", ask_and_resume(approve=False))
    print(f"Refunded for good: {', '.join(REFUNDED)}")


if __name__ == "__main__":
    main()
