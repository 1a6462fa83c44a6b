"""A page that shows the work of each of several processors, step by step."""

from html import escape
from io import StringIO
from typing import TYPE_CHECKING

from redblue.answers.parallel.figures import utilisation_figure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from redblue.answers.parallel.solving import ParallelSolution

HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>'
    "body{{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}}"
    "table{{border-collapse:collapse;margin:1rem 0}}td,th{{padding:.2rem .8rem;text-align:right}}"
    "th{{border-bottom:1px solid #888}}svg{{max-width:100%;height:auto}}</style></head><body>"
)


def processors_page(solution: "ParallelSolution", title: str) -> str:
    """The page of a play: rows of processors, their words, and those of links."""
    count, machine = solution.count, solution.machine
    whole = solution.cost or 1
    rows = [
        (
            q, one.loads, one.stores, one.received, one.sent, one.computes, one.peak,
            f"{100 * (solution.costs.g * (one.io + one.received) + one.computes) / whole:.1f} %",
        )
        for q, one in enumerate(count.each)
    ]  # fmt: skip
    headings = ("processor", "loaded", "stored", "received", "sent", "computed", "peak", "busy")
    parts = [
        HEAD.format(title=escape(title)),
        f"<h1>{escape(title)}</h1><p>{machine.processors} processors with {machine.memory:,} words "
        f"each, {escape(solution.method)}: cost {solution.cost:,.15g}, at least "
        f"{solution.lower_bound:,.15g}; {count.io:,} words from and to slow memory, "
        f"{count.messages:,} on links.</p>",
        _svg(solution, title),
        _table(headings, rows),
    ]
    if count.links:
        links = [(a, b, words) for (a, b), words in count.links.items()]
        parts.append(_table(("from", "to", "words"), links))
    return "\n".join([*parts, "</body></html>\n"])


def _svg(solution: "ParallelSolution", title: str) -> str:
    """The drawing of the work of each processor, without the prolog of a file."""
    text = StringIO()
    figure = utilisation_figure(
        solution.schedule, solution.machine.processors, solution.costs, title
    )
    figure.savefig(text, format="svg")
    drawing = text.getvalue()
    return drawing[drawing.index("<svg") :]


def _table(headings: "Iterable[str]", rows: "Iterable[Iterable[object]]") -> str:
    """A table; its texts are escaped."""
    head = "".join(f"<th>{escape(name)}</th>" for name in headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_shown(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _shown(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell)
