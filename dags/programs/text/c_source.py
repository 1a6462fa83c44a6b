"""C source as tokens: comments and continued lines gone, directives followed, macros replaced.

Conditions on the text's own definitions are decided (``#ifdef``, ``#if 0``, ``#if defined(N)``);
lines behind any other condition are refused where they matter.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from dags.programs.nest import ProgramError

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
        Its spelling.
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


MOST_TOKENS: Final = 200_000  # of one text, macros replaced
DEEPEST: Final = 50  # macros within macros
CHANGES: Final = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"}


@dataclass(frozen=True)
class Macro:
    """A macro, as ``#define`` defines it.

    Parameters
    ----------
    parameters
        Their names; None if it has none.
    body
        Its replacement.
    refused
        Why it must not be used; empty if it may.
    """

    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]
    refused: str = ""

    @property
    def is_size(self) -> bool:
        """True for a whole number: it stays a name, a size with a default."""
        if self.parameters is not None or len(self.body) != 1 or self.refused:
            return False
        return self.body[0].kind == "number" and integer_of(self.body[0].text) is not None

    @property
    def meaning(self) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        """Parameters and words, wherever they stand."""
        return self.parameters, tuple(part.text for part in self.body)

    @property
    def called(self) -> set[str]:
        """Names before an open parenthesis."""
        return {a.text for a, b in pairwise(self.body) if a.kind == "name" and b.text == "("}

    @property
    def looks_like_function(self) -> bool:
        """True if it computes one value, from all of its parameters and nothing else.

        An argument has no parentheses of its own: "x*x" for SQUARE(a+b) is "a+b*a+b".
        """
        names = {part.text for part in self.body if part.kind == "name"} - self.called
        signs = {part.text for part in self.body if part.kind == "sign"}
        if not self.parameters or names != set(self.parameters) or not signs - {"(", ")"}:
            return False
        return not signs & {"[", ";", "{", *CHANGES} and _is_closed(self.body)


def _is_closed(body: Sequence[Token]) -> bool:
    """Return whether a text is one parenthesis, or a call, from its beginning to its end."""
    start = 1 if body[0].kind == "name" else 0
    depth = 0
    for place, part in enumerate(body[start:], start):
        depth += (part.text == "(") - (part.text == ")")
        if part.text == "," and depth <= 1 and not start:
            return False
        if depth == 0 and place < len(body) - 1:
            return False
    return body[-1].text == ")" and depth == 0


def functions_of(macros: Mapping[str, Macro]) -> frozenset[str]:
    """Return the names of macros that are functions; those that they call must be, too."""
    found = {name for name, macro in macros.items() if macro.looks_like_function}
    while True:
        wrong = {name for name in found if (macros[name].called & macros.keys()) - found}
        if not wrong:
            return frozenset(found)
        found -= wrong


def expanded(
    raw: Sequence[Token], macros: Mapping[str, Macro], *, functions: bool = False
) -> list[Token]:
    """Return the tokens with macros replaced, those that are functions only if it is said.

    Raises
    ------
    ProgramError
        If there are too many, macros are nested too deeply, or one must not be used.
    """
    kept = frozenset() if functions else functions_of(macros)
    wanted = {n: macro for n, macro in macros.items() if not macro.is_size and n not in kept}
    return list(_Expander(wanted).replaced(raw, ()))


@dataclass
class _Expander:
    """Replaces macros, a limited number of times."""

    macros: Mapping[str, Macro]
    left: int = MOST_TOKENS

    def count(self, token: Token) -> None:
        self.left -= 1
        if self.left < 0:
            raise ProgramError(f"the text has more than {MOST_TOKENS} words", token.line)

    def replaced(self, tokens: Sequence[Token], open_: tuple[str, ...]) -> Iterator[Token]:
        """Yield `tokens` with macros replaced, but for those that are `open_`: C's own rule."""
        at = 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            self.count(token)
            macro = self.macros.get(token.text) if token.kind == "name" else None
            if macro is None or token.text in open_:
                yield token
                continue
            if macro.refused or len(open_) >= DEEPEST:
                why = macro.refused or f"macros are nested more than {DEEPEST} deep"
                raise ProgramError(why, token.line)
            given: dict[str, list[Token]] = {}
            if macro.parameters is not None:
                if at == len(tokens) or tokens[at].text != "(":
                    yield token
                    continue
                given, at = self.arguments(macro, tokens, at, open_)
            body: list[Token] = []
            for part in macro.body:
                body += given.get(part.text, [Token(part.kind, part.text, token.line)])
            yield from self.replaced(body, (*open_, token.text))

    def arguments(
        self, macro: Macro, tokens: Sequence[Token], at: int, open_: tuple[str, ...]
    ) -> tuple[dict[str, list[Token]], int]:
        """Return the arguments that open at `at`, macros in them replaced, and the place behind."""
        name, names = tokens[at - 1], macro.parameters or ()
        parts, at = _arguments(tokens, at)
        if len(parts) != len(names):
            raise ProgramError(
                f"{name.text} takes {len(names)} arguments, not {len(parts)}", name.line
            )
        pairs = zip(names, parts, strict=True)
        return {each: list(self.replaced(part, open_)) for each, part in pairs}, at


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


_DIRECTIVE: Final = re.compile(r"\s*#\s*(\w*)\s*(.*?)\s*$", re.DOTALL)
_DEFINE: Final = re.compile(r"([A-Za-z_]\w*)(\(([^)]*)\))?(.*)", re.DOTALL)
_DEFINED: Final = re.compile(r"(!?)\s*defined\s*(?:\(\s*(\w+)\s*\)|(\w+))")


@dataclass
class Directives:
    """The state of the preprocessor.

    Parameters
    ----------
    macros
        The definitions.
    """

    macros: dict[str, Macro] = field(default_factory=dict)
    _counts: list[bool | None] = field(default_factory=list)  # of each open condition
    _before: list[bool | None] = field(default_factory=list)  # whether a branch before did

    @property
    def counts(self) -> bool | None:
        """True if lines here are compiled, False if not; None if that is not known."""
        if False in self._counts:
            return False
        return None if None in self._counts else True

    def row(self, row: str, line: int) -> None:
        """Follow one line that begins with ``#``."""
        found = _DIRECTIVE.match(row)
        word, rest = found.groups() if found else ("", "")
        if word in ("if", "ifdef", "ifndef"):
            self._open(self._decided(word, rest))
        elif word in ("elif", "else", "endif"):
            if not self._counts:
                raise ProgramError(f"#{word} has no #if before it", line)
            self._next(word, rest)
        elif word == "define" and self.counts is not False:
            self._define(rest, line)
        elif word == "undef" and self.counts is not False and rest in self.macros:
            self._refuse(rest, f"{rest} is defined only in a part of the text")

    def end(self, line: int) -> None:
        """Raise ProgramError if a condition is open at the end of the text."""
        if self._counts:
            raise ProgramError("an #if is not closed by #endif", line)

    def _open(self, holds: bool | None) -> None:
        self._counts.append(holds)
        self._before.append(holds)

    def _next(self, word: str, rest: str) -> None:
        """Close the innermost branch, and open the next one unless it was the last."""
        self._counts.pop()
        before = self._before.pop()
        if word == "endif":
            return
        holds = True if word == "else" else self._decided("if", rest)
        if before is not False:
            holds = False if before or holds is False else None
        self._counts.append(holds)
        self._before.append(True if before or holds else _either(before, holds))

    def _decided(self, word: str, rest: str) -> bool | None:
        """Return whether a condition holds; None if that is not known."""
        if word != "if":
            return (rest in self.macros) == (word == "ifdef")
        found = _DEFINED.fullmatch(rest)
        if found:
            return ((found[2] or found[3]) in self.macros) != bool(found[1])
        return bool(int(rest)) if rest.isdecimal() and len(rest) < 10 else None

    def _define(self, rest: str, line: int) -> None:
        found = _DEFINE.match(rest)
        if found is None:
            return
        name, has_parameters, inside, body = found.groups()
        names = tuple(part.strip() for part in (inside or "").split(",") if part.strip())
        try:
            tokens = tuple(row_tokens(body, line))
        except ProgramError:
            tokens = ()
            self._refuse(name, f"what {name} is defined as in line {line} is not read")
            return
        macro = Macro(names if has_parameters else None, tokens)
        known = self.macros.get(name)
        if any(not each.isidentifier() for each in names):
            self._refuse(name, f"what {name} is defined as in line {line} is not read")
        elif self.counts is None:
            self._refuse(name, f"whether line {line} defines {name} is not known")
        elif known is not None and known.meaning != macro.meaning:
            self._refuse(name, f"{name} is defined twice")
        else:
            self.macros[name] = macro

    def _refuse(self, name: str, reason: str) -> None:
        self.macros[name] = Macro(None, (Token("name", name, 0),), reason)


def _either(one: bool | None, other: bool | None) -> bool | None:
    return None if one is None or other is None else one or other
