"""C source as tokens: comments and continued lines gone, directives followed, macros replaced."""

import re
from typing import Final

from dags.programs.c_directives import Directives
from dags.programs.c_macros import Macro, expanded
from dags.programs.c_tokens import CONTINUED, Token, row_tokens
from dags.programs.errors import ProgramError

_COMMENT: Final = re.compile(
    r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(/\*.*?\*/|//[^\n]*)""", re.DOTALL
)
_SCOP: Final = re.compile(
    r"^\s*#\s*pragma\s+scop\b[^\n]*\n(.*?)^\s*#\s*pragma\s+endscop\b", re.M | re.S
)


def tokens_of(text: str) -> tuple[list[Token], dict[str, Macro]]:
    """Return the tokens of the first ``#pragma scop``, or of the whole text, and all its macros.

    Raises
    ------
    ProgramError
        If a character begins no token, macros lead to each other without end, or it is not known
        which lines count.
    """
    if CONTINUED in text:
        raise ProgramError("a NUL character begins no word of C")
    plain = text.replace("\r\n", "\n").replace("\\\n", CONTINUED)
    plain = _COMMENT.sub(_blank, plain)
    scop = _SCOP.search(plain.replace(CONTINUED, " "))
    begin, end = scop.span(1) if scop else (0, len(plain))
    directives = Directives()
    raw: list[Token] = []
    line = at = 0
    for row in plain.split("\n"):
        line += 1
        if row.lstrip().startswith("#"):
            directives.row(row.replace(CONTINUED, " "), line)
        elif begin <= at < end and directives.counts is not False:
            found = list(row_tokens(row, line))
            if found and directives.counts is None:
                raise ProgramError("whether the lines behind an #if count is not known", line)
            raw += found
        line += row.count(CONTINUED)
        at += len(row) + 1
    directives.end(line)
    return expanded(raw, directives.macros), directives.macros


def _blank(found: re.Match[str]) -> str:
    """Return a comment as spaces, its lines kept; a text in quotes as it is."""
    return found[0] if found[1] is None else re.sub(rf"[^\n{CONTINUED}]", " ", found[0])
