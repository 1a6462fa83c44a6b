"""C text as tokens: comments and line continuations gone, macros replaced."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from dags.programs.errors import ProgramError

MOST_TOKENS: Final = 200_000  # of one text, macros replaced
DEEPEST: Final = 50  # macros within macros

_TOKEN: Final = re.compile(
    r"""(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<sign>\+\+|--|[-+*/%&|^]=|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||->|[-+*/%<>=!?:;,.(){}\[\]&|^~])
    |(?P<space>[ \t\r\f\v]+)""",
    re.VERBOSE,
)
_COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_SCOP: Final = re.compile(
    r"^\s*#\s*pragma\s+scop\b[^\n]*\n(.*?)^\s*#\s*pragma\s+endscop\b", re.M | re.S
)
_DEFINE: Final = re.compile(r"\s*#\s*define\s+([A-Za-z_]\w*)(\(([^)]*)\))?(.*)")


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


@dataclass(frozen=True)
class Macro:
    """What ``#define`` says.

    Parameters
    ----------
    parameters
        Their names; None if it has none.
    body
        What it stands for.
    """

    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]

    @property
    def is_number(self) -> bool:
        """Whether it is a number: it stays a name, a size with a default."""
        return self.parameters is None and [part.kind for part in self.body] == ["number"]

    @property
    def is_function(self) -> bool:
        """Whether it computes something from its arguments alone, as a function would."""
        if self.parameters is None:
            return False
        names = [part.text for part in self.body if part.kind == "name"]
        inside = all(name in self.parameters or name in self.called for name in names)
        signs = {part.text for part in self.body if part.kind == "sign"} - {"(", ")"}
        return inside and bool(signs or self.called) and not signs & {"[", "=", ";", "{"}

    @property
    def called(self) -> set[str]:
        """Names before an open parenthesis."""
        return {a.text for a, b in pairwise(self.body) if a.kind == "name" and b.text == "("}


def tokens_of(text: str) -> tuple[list[Token], dict[str, Macro]]:
    """Return the tokens of the first ``#pragma scop``, or of the whole text, and all its macros.

    Raises
    ------
    ProgramError
        If a character begins no token, or macros lead to each other without end.
    """
    plain = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    plain = re.sub(r"\\\n", lambda _: "\x00", plain)  # a continued line, to be counted later
    scop = _SCOP.search(plain.replace("\x00", " "))
    begin, end = scop.span(1) if scop else (0, len(plain))
    macros: dict[str, Macro] = {}
    raw: list[Token] = []
    line = at = 0
    for row in plain.split("\n"):
        line += 1
        if row.lstrip().startswith("#"):
            _define(row.replace("\x00", " "), line, macros)
        elif begin <= at < end:
            raw += _row_tokens(row, line)
        line += row.count("\x00")
        at += len(row) + 1
    return list(expanded(raw, macros)), macros


def _define(row: str, line: int, macros: dict[str, Macro]) -> None:
    """Note what a ``#define`` says; other lines of the preprocessor are passed over."""
    found = _DEFINE.match(row)
    if found is None:
        return
    name, has_parameters, parameters, body = found.groups()
    try:
        tokens = tuple(_row_tokens(body, line))
    except ProgramError:  # a macro that no loop nest would use
        return
    names = tuple(part.strip() for part in (parameters or "").split(",") if part.strip())
    macros[name] = Macro(names if has_parameters else None, tokens)


def _row_tokens(row: str, line: int) -> Iterator[Token]:
    """Yield the tokens of one line, which may be continued."""
    at = 0
    while at < len(row):
        if row[at] == "\x00":
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


def expanded(
    raw: Sequence[Token], macros: Mapping[str, Macro], *, functions: bool = False
) -> Iterator[Token]:
    """Yield the tokens with macros replaced, those that are functions only if it is said.

    Raises
    ------
    ProgramError
        If there are too many, or macros are nested too deeply.
    """
    wanted = {
        name: macro
        for name, macro in macros.items()
        if not macro.is_number and (functions or not macro.is_function)
    }
    for count, token in enumerate(_replaced(raw, wanted, ())):
        if count == MOST_TOKENS:
            raise ProgramError(f"the text has more than {MOST_TOKENS} words", token.line)
        yield token


def _replaced(
    tokens: Sequence[Token], macros: Mapping[str, Macro], open_: tuple[str, ...]
) -> Iterator[Token]:
    """Yield `tokens` with macros replaced, but for those that are `open_`: C's own rule."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        macro = macros.get(token.text) if token.kind == "name" else None
        if macro is None or token.text in open_:
            yield token
            continue
        if len(open_) >= DEEPEST:
            raise ProgramError(f"macros are nested more than {DEEPEST} deep", token.line)
        arguments: dict[str, Sequence[Token]] = {}
        if macro.parameters is not None:
            if at == len(tokens) or tokens[at].text != "(":
                yield token
                continue
            given, at = _arguments(tokens, at)
            if len(given) != len(macro.parameters):
                raise ProgramError(
                    f"{token.text} takes {len(macro.parameters)} arguments, not {len(given)}",
                    token.line,
                )
            arguments = dict(zip(macro.parameters, given, strict=True))
        body: list[Token] = []
        for part in macro.body:
            body += arguments.get(part.text, (Token(part.kind, part.text, token.line),))
        yield from _replaced(body, macros, (*open_, token.text))


def _arguments(tokens: Sequence[Token], at: int) -> tuple[list[list[Token]], int]:
    """Return the arguments in the parentheses that open at `at`, and the place behind them."""
    given: list[list[Token]] = [[]]
    depth = 0
    for place in range(at, len(tokens)):
        text = tokens[place].text
        if text in "([{":
            depth += 1
        elif text in ")]}":
            depth -= 1
        if depth == 0:
            return (given if given != [[]] else []), place + 1
        if text == "," and depth == 1:
            given.append([])
        elif place > at:
            given[-1].append(tokens[place])
    raise ProgramError("a parenthesis is not closed", tokens[at].line)
