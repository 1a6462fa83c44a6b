"""DAGs and results as tables, and as pictures by Matplotlib."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np

from dags.arrays import Int32Array, Int64Array

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MOST_LINES = 40  # of a table in a notebook


class Tabular:
    """Base of results that are tables: whoever has `to_frame` gets the other forms from it."""

    def to_frame(self) -> "pd.DataFrame":
        """The result as a table of pandas."""
        import pandas as pd

        return pd.DataFrame()

    def summary_frame(self) -> "pd.DataFrame":
        """The table that readers are shown, which may be a shorter one."""
        return self.to_frame()

    def to_csv(self) -> str:
        """The table as CSV, with all digits; no text in it is a formula."""
        frame = self.to_frame().rename(columns=harmless)
        texts = frame.select_dtypes(exclude=["number", "bool"])
        return str(frame.assign(**texts.map(harmless)).to_csv(index=False))

    def to_latex(self) -> str:
        r"""The table for readers as a LaTeX tabular; it needs ``\usepackage{booktabs}``."""
        frame = self.summary_frame()
        named = frame.rename(columns=_escaped).map(_cell)
        return str(named.to_latex(index=False, column_format="r" * frame.shape[1]))

    def _repr_html_(self) -> str:
        """The table for readers as notebooks show it, with its short description."""
        from html import escape

        frame = self.summary_frame()
        table = frame.to_html(index=False, border=0, max_rows=MOST_LINES, na_rep="")
        return f"<p><b>{escape(repr(self).strip('<>'))}</b></p>\n{table}"


def text_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]
) -> str:
    """A table as lines of text, its columns aligned.

    Parameters
    ----------
    headings
        (k,) names of columns.
    rows
        Each has (k,) cells.
    right
        (k,) whether a column is aligned at the right.

    Examples
    --------
    >>> print(text_table(["M", "by"], [["4", "lru"], ["16", "fifo"]], [True, False]))
     M  by
     4  lru
    16  fifo
    """
    lines = [list(headings), *map(list, rows)]
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if numbers else cell.ljust(width)
            for cell, width, numbers in zip(line, wide, right, strict=True)
        ).rstrip()
        for line in lines
    )


def _cell(value: object) -> str:
    """A value as LaTeX prints it: whole numbers with commas, others with four digits."""
    if str(value) in ("<NA>", "nan", "None"):
        return ""
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else _escaped(str(value))


def _escaped(text: str) -> str:
    """Text without the characters that LaTeX takes for commands."""
    marks = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    marks |= {mark: f"\\{mark}" for mark in "&%$#_{}"}
    return "".join(marks.get(mark, mark) for mark in text)


FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a formula begins with, as OWASP lists it


def harmless(cell: object) -> object:
    """A cell of a table; a text that begins like a formula, with an apostrophe before it.

    A carriage return, which `csv` does not quote and readers take for a line end, is a blank.

    Examples
    --------
    >>> harmless("=1+2"), harmless("fft:n=8"), harmless(-3)
    ("'=1+2", 'fft:n=8', -3)
    """
    if not isinstance(cell, str):
        return cell
    text = cell.replace("\r", " ")
    return f"'{text}" if cell.startswith(FORMULA) else text


def csv_text(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table as CSV, with all digits; an empty cell is empty, and no text is a formula."""
    sheet = StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(map(harmless, headings))
    writer.writerows(map(harmless, row) for row in rows)
    return sheet.getvalue()


MOST_EDGES = 3000  # of a DAG that is drawn as a graph
INPUT, COMPUTED, EDGE = "#20262e", "#1668b8", "#8c96a3"


def own_axes(ax: "Axes | None", width: float = 7.2, height: float = 4.5) -> "Axes":
    """`ax`, or new axes in a figure of their own where it is None.

    Parameters
    ----------
    ax
        Axes to draw into.
    width, height
        Inches of the new figure.
    """
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained").add_subplot()


def draw_graph(
    pred_indptr: Int64Array, pred_indices: Int32Array, level: Int32Array, ax: "Axes"
) -> None:
    """Draw a DAG level by level, from the inputs at the bottom upwards.

    Parameters
    ----------
    pred_indptr, pred_indices
        Predecessor rows, as a DAG has them.
    level
        (n,) level of each vertex.
    ax
        Axes to draw into.
    """
    n = level.size
    places = np.empty(n)
    for height in range(int(level.max(initial=0)) + 1):
        members = np.flatnonzero(level == height)
        places[members] = (np.arange(members.size) + 0.5) / members.size
    readers = np.repeat(np.arange(n), np.diff(pred_indptr))
    gap = np.full(readers.size, np.nan)  # ends a line
    across = np.column_stack((places[pred_indices], places[readers], gap)).ravel()
    up = np.column_stack((level[pred_indices], level[readers], gap)).ravel()
    ax.plot(across, up, color=EDGE, linewidth=0.6, zorder=1)
    colours = np.where(np.diff(pred_indptr) == 0, INPUT, COMPUTED)
    ax.scatter(places, level, s=max(4.0, 60.0 - n / 8), c=colours.tolist(), zorder=2)
    ax.set_axis_off()


def draw_levels(level: Int32Array, ax: "Axes") -> None:
    """Draw how many vertices each level of a DAG has.

    Parameters
    ----------
    level
        (n,) level of each vertex.
    ax
        Axes to draw into.
    """
    counts = np.bincount(level)
    ax.fill_between(np.arange(counts.size), counts, step="mid", color=COMPUTED, alpha=0.7)
    ax.set_xlabel("level")
    ax.set_ylabel("vertices")
