"""Results as tables: in notebooks, in LaTeX, as CSV."""

from typing import TYPE_CHECKING

from dags.csv_cells import harmless

if TYPE_CHECKING:
    import pandas as pd

MOST_LINES = 40  # of a table in a notebook


class Tabular:
    """Base of results that are tables: whoever has `to_frame` gets the other forms from it."""

    def to_frame(self) -> "pd.DataFrame":
        """Return the result as a table of pandas."""
        import pandas as pd

        return pd.DataFrame()

    def summary_frame(self) -> "pd.DataFrame":
        """Return the table that readers are shown, which may be a shorter one."""
        return self.to_frame()

    def to_csv(self) -> str:
        """Return the table as CSV, with all digits; no text in it is a formula."""
        frame = self.to_frame().rename(columns=harmless)
        texts = frame.select_dtypes(exclude=["number", "bool"])
        return str(frame.assign(**texts.map(harmless)).to_csv(index=False))

    def to_latex(self) -> str:
        r"""Return the table for readers as a LaTeX tabular; it needs ``\usepackage{booktabs}``."""
        frame = self.summary_frame()
        named = frame.rename(columns=_escaped).map(_cell)
        return str(named.to_latex(index=False, column_format="r" * frame.shape[1]))

    def _repr_html_(self) -> str:
        """Return the table for readers as notebooks show it, with its short description."""
        from html import escape

        frame = self.summary_frame()
        table = frame.to_html(index=False, border=0, max_rows=MOST_LINES, na_rep="")
        return f"<p><b>{escape(repr(self).strip('<>'))}</b></p>\n{table}"


def _cell(value: object) -> str:
    """Return a value as LaTeX prints it: whole numbers with commas, others with four digits."""
    if str(value) in ("<NA>", "nan", "None"):
        return ""
    if isinstance(value, float):
        return f"{value:,.4g}"
    return f"{value:,}" if isinstance(value, int) else _escaped(str(value))


def _escaped(text: str) -> str:
    """Return text without the characters that LaTeX takes for commands."""
    marks = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    marks |= {mark: f"\\{mark}" for mark in "&%$#_{}"}
    return "".join(marks.get(mark, mark) for mark in text)
