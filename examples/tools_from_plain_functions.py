"""Ordinary functions made into tools with the decorator and no other change."""

import asyncio
import csv
import io
import sqlite3
from contextlib import closing
from typing import Any

import matplotlib as mpl

from toolresult import ToolResult, tool_result

mpl.use("agg")

SALES = [("Jan", 10), ("Feb", 14), ("Mar", 9)]


@tool_result
def query(sql: str) -> list[dict[str, object]]:
    """Run a query on the sales database."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.row_factory = sqlite3.Row
        database.execute("CREATE TABLE sales (month TEXT, amount INTEGER)")
        database.executemany("INSERT INTO sales VALUES (?, ?)", SALES)
        return [dict(row) for row in database.execute(sql)]


@tool_result
def summarise(text: str) -> dict[str, object]:
    """Sum up the numbers of a CSV text, column by column."""
    rows = list(csv.DictReader(io.StringIO(text)))
    numbers = {name: [float(row[name]) for row in rows] for name in rows[0] if rows[0][name].isdigit()}
    return {name: {"min": min(column), "max": max(column)} for name, column in numbers.items()}


@tool_result
def plot(title: str) -> object:
    """Plot the sales."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3, 2))
    axes: Any = figure.subplots()
    axes.bar([month for month, _ in SALES], [amount for _, amount in SALES])
    axes.set_title(title)
    return ["The sales of three months:", figure]


@tool_result(expose=[sqlite3.OperationalError])
def broken(table: str) -> object:
    """Fail, and say why."""
    with closing(sqlite3.connect(":memory:")) as database:
        return database.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608


@tool_result
async def fetch(key: str) -> tuple[str, int]:
    """Fetch a value from somewhere slow."""
    await asyncio.sleep(0)
    return key, len(key)


def main() -> None:
    """Call each tool and print what a model would read."""
    results: list[ToolResult] = [
        query("SELECT month, amount FROM sales WHERE amount > 9"),
        summarise("month,amount\nJan,10\nFeb,14\n"),
        plot("Sales"),
        broken("orders"),
        asyncio.run(fetch("status")),
    ]
    for result in results:
        print(result)
        print("---")


if __name__ == "__main__":
    main()
