"""C text as tokens."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dags.programs.errors import ProgramError

CONTINUED: Final = "\x00"  # stands for a line that is continued, so that lines can be counted
_TOKEN: Final = re.compile(
    r"""(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<sign>\+\+|--|[-+*/%&|^]=|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||->|[-+*/%<>=!?:;,.(){}\[\]&|^~])
    |(?P<space>[ \t\r\f\v]+)""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A word of C text.

    Parameters
    ----------
    kind
        "number", "name", "sign", "text", or "end" behind the last one.
    text
        What it looks like.
    line
        Its line, from 1.
    """

    kind: str
    text: str
    line: int


def row_tokens(row: str, line: int) -> Iterator[Token]:
    """Yield the tokens of one line, which may be continued.

    Raises
    ------
    ProgramError
        If a character begins no token.
    """
    at = 0
    while at < len(row):
        if row[at] == CONTINUED:
            line += 1
            at += 1
            continue
        found = _TOKEN.match(row, at)
        if found is None:
            raise ProgramError(f"{row[at]!r} begins no word of C", line)
        kind = found.lastgroup or "space"
        if kind != "space":
            yield Token(kind, found.group(), line)
        at = found.end()


def integer_of(text: str) -> int | None:
    """Return the whole number that a word of C is; None if it is none, or has no right digits."""
    plain = text.rstrip("uUlL")
    if len(plain) > 20:
        return None
    if plain[:2] in ("0x", "0X"):
        return int(plain, 16)
    if not plain.isdigit() or (plain[0] == "0" and not set(plain) <= set("01234567")):
        return None
    return int(plain, 8 if plain[0] == "0" else 10)
