"""Results as ``print`` shows them: a table and a sentence, as commands do."""

from collections.abc import Iterable, Mapping

from dags.cdag.tables import text_table
from redblue.show.answer import Part
from redblue.show.model import Table
from redblue.show.rows import cell_text, heading, numeric
from redblue.show.units import in_bytes


class Printed:
    """Base of results whose ``str`` is their tables and sentences, and ``repr`` one line."""

    def shown(self) -> Iterable[Part]:
        """Sentences and tables, in their order."""
        return ()

    def overview(self) -> Iterable[Table]:
        """The tables of a result whose command prints none."""
        return ()

    def __str__(self) -> str:
        parts = list(self.shown())
        if not any(isinstance(part, Table) for part in parts):
            parts = [*self.overview(), *parts]
        if not any(isinstance(part, str) for part in parts):
            parts.append(repr(self).strip("<>"))
        return self._text_of(parts)

    def _text_of(self, parts: Iterable[Part]) -> str:
        """Sentences and tables as text; of bytes, where a word of the DAG is one."""
        known = getattr(self, "dag", None)
        if isinstance(known, Mapping):
            word = known.get("word_bytes")
        else:
            word = getattr(known, "word_bytes", None)
        if word == 1:
            parts = in_bytes(parts)
        return "\n\n".join(part if isinstance(part, str) else lines_of(part) for part in parts)


def lines_of(table: Table) -> str:
    """A table as lines of text, under its caption."""
    cells = [[cell_text(cell) for cell in row] for row in table.rows]
    lines = text_table([heading(column) for column in table.columns], cells, numeric(table))
    return f"{table.caption}\n{lines}" if table.caption else lines
