"""Tables of experiments as text: for the page, as CSV and as LaTeX."""

from collections.abc import Iterable, Mapping

from dags.cdag.tables import csv_text
from redblue.reporting.charts import exact
from redblue.show.model import Cell, Claim, Column, Table

LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "^": r"\textasciicircum{}",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "%": r"\%",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)
CLAIM_HEADINGS = (
    "experiment",
    "kind",
    "verdict",
    "statement",
    "source",
    "expected",
    "measured",
    "tolerance",
    "note",
)


def cell_text(cell: Cell) -> str:
    """Return a cell for readers: whole numbers with commas, others with six digits.

    Examples
    --------
    >>> cell_text(65536), cell_text(1 / 3), cell_text(None), cell_text("a")
    ('65,536', '0.333333', '', 'a')
    """
    if cell is None or isinstance(cell, str):
        return cell or ""
    return f"{cell:,}" if isinstance(cell, int) else exact(cell)


def heading(column: Column) -> str:
    """Return the heading of a column as text."""
    return f"{column.name} [{column.unit}]" if column.unit else column.name


def numeric(table: Table) -> tuple[bool, ...]:
    """Return for each column whether it holds numbers alone, which are right-aligned."""
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.columns)
    return tuple(not any(isinstance(cell, str) for cell in column) for column in columns)


def table_csv(table: Table) -> str:
    """Return `table` as CSV."""
    return csv_text(map(heading, table.columns), table.rows)


def claims_csv(claims: Iterable[tuple[str, Claim]]) -> str:
    """Return claims, each with the name of its experiment, as CSV."""
    rows = [
        (
            name,
            one.kind,
            one.verdict,
            one.statement,
            one.source,
            one.expected,
            one.measured,
            one.tolerance,
            one.note,
        )
        for name, one in claims
    ]
    return csv_text(CLAIM_HEADINGS, rows)


def latex(text: str) -> str:
    r"""Return `text` so that LaTeX prints it as it is.

    Examples
    --------
    >>> print(latex("50% of C_io"))
    50\% of C\_io
    """
    return " ".join(text.split()).translate(LATEX)


def table_latex(table: Table, label: str) -> str:
    r"""Return `table` as a LaTeX table; it needs ``\usepackage{booktabs}``."""
    sides = "".join("r" if right else "l" for right in numeric(table))
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{latex(table.caption)}}}",
        rf"  \label{{tab:{label}}}",
        rf"  \begin{{tabular}}{{{sides}}}",
        r"    \toprule",
        _latex_row(map(heading, table.columns), {}),
        r"    \midrule",
        *(_latex_row(row, table.formulas) for row in table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Iterable[Cell], formulas: Mapping[str, str]) -> str:
    """Return a line of a tabular; braces keep a first cell in brackets from being an option."""
    texts = map(cell_text, cells)
    written = (f"${formulas[text]}$" if text in formulas else latex(text) for text in texts)
    return "    " + " & ".join(f"{{{cell}}}" for cell in written) + r" \\"
