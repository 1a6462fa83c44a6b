"""Answers on values whose sizes are in bytes: they speak of bytes, not of words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from redblue.show.answer import Part
from redblue.show.model import Table

# Not in names of files, nor in options such as "words=size_bytes".
_WORD: Final = re.compile(r"(?<![\w./:=-])([Ww])ord(s?)\b(?![=/:\w-]|\.\w)")


def in_bytes(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield sentences and tables with bytes for words: of values of which a word is a byte."""
    for part in parts:
        yield bytes_for_words(part) if isinstance(part, str) else _table_in_bytes(part)


def bytes_for_words(text: str) -> str:
    """A sentence on words that are bytes.

    Examples
    --------
    >>> bytes_for_words("a.json:words=size moves 3 words; 1 word stays")
    'a.json:words=size moves 3 bytes; 1 byte stays'
    """
    return _WORD.sub(lambda match: f"{'b' if match[1] == 'w' else 'B'}yte{match[2]}", text)


def _table_in_bytes(table: Table) -> Table:
    columns = (
        replace(column, name=bytes_for_words(column.name), unit=bytes_for_words(column.unit))
        for column in table.columns
    )
    rows = (tuple("bytes" if cell == "words" else cell for cell in row) for row in table.rows)
    return replace(
        table,
        caption=bytes_for_words(table.caption),
        columns=tuple(columns),
        rows=tuple(rows),
    )
