"""Tables of experiments as text: for the page, as CSV and as LaTeX."""

from collections.abc import Iterable, Mapping

from dags.cdag.tables import csv_text
from redblue.show.model import Cell, Claim, Table
from redblue.show.rows import cell_text, heading, numeric

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


def table_csv(table: Table) -> str:
    """`table` as CSV."""
    return csv_text(map(heading, table.columns), table.rows)


def claims_csv(claims: Iterable[tuple[str, Claim]]) -> str:
    """Claims, each with the name of its experiment, as CSV."""
    rows = [
        (
            name,
            claim.kind,
            claim.verdict,
            claim.statement,
            claim.source,
            claim.expected,
            claim.measured,
            claim.tolerance,
            claim.note,
        )
        for name, claim in claims
    ]
    return csv_text(CLAIM_HEADINGS, rows)


def latex(text: str) -> str:
    r"""`text` so that LaTeX prints it as it is.

    Examples
    --------
    >>> print(latex("50% of C_io"))
    50\% of C\_io
    """
    return " ".join(text.split()).translate(LATEX)


def table_latex(table: Table, label: str) -> str:
    r"""`table` as a LaTeX table; it needs ``\usepackage{booktabs}``."""
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
    """A line of a tabular; braces keep a first cell in brackets from being an option."""
    texts = map(cell_text, cells)
    written = (f"${formulas[text]}$" if text in formulas else latex(text) for text in texts)
    return "    " + " & ".join(f"{{{cell}}}" for cell in written) + r" \\"
