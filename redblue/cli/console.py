"""Output of commands: results to standard output, everything else to standard error."""

import json
import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from redblue.cli.compiling import compilation_announced
from redblue.cli.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.table import Table as RichTable
    from rich.text import Text

    from redblue.limits.progress import Progress
    from redblue.show.answer import Answer
    from redblue.show.model import Table

_notes: list[str] = []  # that wait for the answer
_programs: list[bool] = []  # read the answer, where it is JSON
SHORT = 40  # characters of a cell that is not folded
LONGEST, LONGEST_WORD = 1000, 200  # characters of a sentence that ends a command, and of a word


def emit_json(result: dict[str, Any]) -> None:
    """Print one JSON object to standard output."""
    _tell_notes()
    sys.stdout.write(json.dumps(result, indent=1) + "\n")


def emit_text(text: str) -> None:
    """Print text to standard output; characters that command a terminal are escaped."""
    _tell_notes()
    sys.stdout.write(visible(text) + "\n")


def emit(
    answer: "Answer", *, as_json: bool, besides: dict[str, Any], word_is_byte: bool = False
) -> None:
    """Print an answer: one JSON object, or its sentences and tables with empty lines between.

    Parameters
    ----------
    answer
        The answer.
    as_json
        Whether to print JSON.
    besides
        Keys of JSON besides those of the answer.
    word_is_byte
        Whether sentences and tables speak of bytes.
    """
    if as_json:
        emit_json({**answer.to_dict(), **besides})
        return
    shown = answer.shown()
    if word_is_byte:
        from redblue.show.units import in_bytes

        shown = in_bytes(shown)
    for place, part in enumerate(shown):
        text = part if isinstance(part, str) else part.caption
        if text:
            emit_text("\n" * (place > 0) + text)
        if not isinstance(part, str):
            if text or place:
                emit_text("")
            rich_table = drawn(part)
            cut = all(
                column.no_wrap for column in rich_table.columns
            )  # between columns, not in cells
            emit_table(rich_table, keys=part.keys or int(cut))


def drawn(table: "Table") -> "RichTable":
    """A table as the terminal draws it; short cells of one word stay in one line."""
    from rich.table import Table as RichTable

    from redblue.show.rows import cell_text, heading, numeric

    named = any(map(heading, table.columns))
    rich_table = RichTable(box=None, pad_edge=False, show_header=named)
    texts = [[*map(cell_text, row)] for row in table.rows]
    for place, right in enumerate(numeric(table)):
        short = all(" " not in row[place] and len(row[place]) <= SHORT for row in texts)
        justify: Any = "right" if right else "left"
        name = heading(table.columns[place]).replace("+", "\n+")
        rich_table.add_column(name, justify=justify, overflow="fold", no_wrap=short)
    for y, row in enumerate(texts):
        looks = ("bold" if (y, x) in table.bold else "" for x in range(len(row)))
        rich_table.add_row(*map(styled, row, looks))
    return rich_table


def emit_table(table: "RichTable", *, keys: int = 0) -> None:
    """Print a table to standard output, as wide as it is where that is no terminal.

    Parameters
    ----------
    table
        The table.
    keys
        How many columns are keys of a line. If there are any, a table that is wider than the
        terminal is printed in parts, which all begin with these; otherwise its cells are folded.
    """
    from redblue.cli.terminal import WIDEST, PlainConsole, in_parts

    console = PlainConsole(width=None if sys.stdout.isatty() else WIDEST)
    for place, part in enumerate(in_parts(table, keys, console) if keys else (table,)):
        if place:
            console.print()
        console.print(part)


def styled(text: str, style: str) -> "Text":
    """The text of a cell in a style of rich."""
    from rich.text import Text

    return Text(visible(text), style=style)


def say(message: str) -> None:
    """Print a message to standard error; characters that command a terminal are escaped."""
    sys.stderr.write(visible(message) + "\n")


def say_to_readers(message: str) -> None:
    """Print a message to standard error, unless the answer is for programs."""
    if not _programs:
        say(message)


def for_programs(wanted: bool) -> None:
    """Note whether the answer is JSON."""
    _programs[:] = [True] * wanted


def say_with_answer(message: str) -> None:
    """Print a message to standard error as soon as there is an answer; not where there is none."""
    if message not in _notes:
        _notes.append(message)


def _tell_notes() -> None:
    while _notes:
        say(_notes.pop(0))


def fail(message: str, code: int = 2) -> NoReturn:
    """Print one sentence, on one line, to standard error and end with `code`.

    Words that nobody would read to the end, and messages too long in all, are cut with "...".
    """
    _notes.clear()
    words = (_cut(word, LONGEST_WORD) for word in message.split())
    say(_cut(f"redblue: {' '.join(words)}", LONGEST))
    sys.exit(code)


def _cut(text: str, limit: int) -> str:
    """`text`, without its middle where it has more than `limit` characters."""
    half = (limit - 3) // 2
    return text if len(text) <= limit else f"{text[:half]}...{text[-half:]}"


def abandon_output() -> None:
    """Drop the output that standard output did not take; Python would try it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def status_line() -> "Iterator[Callable[[str], None] | None]":
    """Yield a callback that shows the state of a search; None where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from redblue.cli.terminal import PlainConsole

    console = PlainConsole(stderr=True)
    with console.status("") as status, compilation_announced(console.print):
        yield lambda message: status.update(styled(message, ""))


@contextmanager
def progress_bar(what: str) -> "Iterator[Progress | None]":
    """Yield a progress bar's callback; None where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from redblue.cli.terminal import PlainConsole

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = PlainConsole(stderr=True)
    with (
        Progress(*columns, console=console, transient=True) as bar,
        compilation_announced(console.print),
    ):
        task = bar.add_task(what, total=None, told="")
        first: list[float] = []  # when, and how many were done, as a store had them

        def advance(finished: int, total: int, failed: int) -> None:
            first[:] = first or [time.monotonic(), finished]
            rate = 60 * (finished - first[1]) / max(time.monotonic() - first[0], 1.0)
            speed = f"{rate:,.0f} a minute" + f", [red]{failed:,} failed[/]" * (failed > 0)
            bar.update(task, completed=finished, total=total, told=speed)

        yield advance
