"""Buffers as CSV, as MiniMalloc has them: ``id,lower,upper,size[,offset]``, and an alignment.

An offset in the file is the only address at which its buffer may be; an empty cell leaves it free.
Lines that begin with # are comments.
"""

import csv
from collections.abc import Sequence
from pathlib import Path

from dags import FormatError
from dags.cdag.files import require_path
from dags.cdag.tables import csv_text
from dags.errors import one_line, shown
from pebble.placement import Buffer, InvalidBufferError

NEEDED = ("id", "lower", "upper", "size")
OPTIONAL = ("alignment", "offset")
MOST_DIGITS = 30  # of a number: Python takes long for thousands


def read_buffers(path: Path) -> tuple[Buffer, ...]:
    """The buffers of a file.

    Raises
    ------
    FormatError
        If a column is missing, a cell is no whole number, or a buffer is none.
    """
    require_path(path)
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            rows = csv.reader((line if line[:1] != "#" else "\n" for line in lines), strict=True)
            header = next((row for row in rows if row), [])
            names = [cell.strip().lower() for cell in header]
            missing = [name for name in NEEDED if name not in names]
            if missing:
                raise FormatError(
                    path, f"has no column {missing[0]}: {','.join(NEEDED)} are needed"
                )
            return tuple(
                _buffer(path, dict(zip(names, row, strict=False)), rows.line_num)
                for row in rows
                if any(cell.strip() for cell in row)
            )
    except OSError as error:
        raise FormatError(path, f"cannot be read: {error.strerror or error}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise FormatError(path, f"is no CSV: {one_line(error)}") from error


def _buffer(path: Path, cells: dict[str, str], line: int) -> Buffer:
    """The buffer of a line."""
    lower, upper, size = (_number(path, cells, name, line) for name in NEEDED[1:])
    texts = {name: cells.get(name, "").strip() for name in OPTIONAL}
    alignment, offset = (
        _number(path, texts, name, line) if texts[name] else None for name in OPTIONAL
    )
    try:
        return Buffer(
            cells["id"].strip(), lower, upper, size, 1 if alignment is None else alignment, offset
        )
    except InvalidBufferError as error:
        raise FormatError(path, str(error), line) from error


def _number(path: Path, cells: dict[str, str], name: str, line: int) -> int:
    """A cell as a whole number."""
    text = cells.get(name, "").strip()
    if len(text) > MOST_DIGITS or not text.removeprefix("-").isascii():
        raise FormatError(path, f"{name} is no whole number: {shown(text)}", line)
    if not text.removeprefix("-").isdigit():
        raise FormatError(path, f"{name} is no whole number: {shown(text)}", line)
    return int(text)


def buffers_csv(buffers: Sequence[Buffer], offsets: Sequence[int] | None) -> str:
    """Buffers and their addresses as CSV, which `read_buffers` reads.

    Parameters
    ----------
    buffers
        The buffers.
    offsets
        The address of each, or None for those that are fixed alone.
    """
    aligned = any(buffer.alignment > 1 for buffer in buffers)
    names = [*NEEDED, *(["alignment"] if aligned else []), "offset"]
    addresses = [b.offset for b in buffers] if offsets is None else offsets
    return csv_text(
        names,
        (
            (
                b.name,
                b.lower,
                b.upper,
                b.size,
                *([b.alignment] if aligned else []),
                "" if address is None else address,
            )
            for b, address in zip(buffers, addresses, strict=True)
        ),
    )
