"""C source after its preprocessor (pcpp): comments gone, directives followed, macros replaced.

Two kinds of macros stay names. A whole number, ``#define N 64``, is a size with a default; and a
macro that computes one value from its parameters, ``#define MIN(a, b) ((a) < (b) ? (a) : (b))``,
is an operation. What the text does not define is undefined, as for a compiler without options;
headers are not looked for.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import pcpp

from dags.programs.nest import ProgramError

_TOKEN: Final = re.compile(
    r"""(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<sign><<=|>>=|\.\.\.|\+\+|--|[-+*/%&|^]=|<<|>>|<=|>=|==|!=|&&|\|\||->|::|[-+*/%<>=!?:;,.(){}\[\]&|^~\#])
    |(?P<space>[ \t\r\f\v]+)""",
    re.VERBOSE,
)
MOST_TOKENS: Final = 200_000  # of one text, macros replaced
MOST_REPLACED: Final = 100_000  # words that macros are replaced by, one within another
CHANGES: Final = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"}


@dataclass(frozen=True)
class Token:
    """A word of C text.

    Parameters
    ----------
    kind
        "number", "name", "sign" or "text".
    text
        Its spelling.
    line
        Its line, from 1.
    """

    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class FunctionMacro:
    """A macro that computes one value from its parameters.

    Parameters
    ----------
    parameters
        Their names.
    body
        Its replacement.
    is_closed
        Whether each parameter in it is in parentheses.
    """

    parameters: tuple[str, ...]
    body: str
    is_closed: bool


@dataclass(frozen=True)
class Source:
    """C text after its preprocessor.

    Parameters
    ----------
    tokens
        Its words, ``#pragma`` left out.
    scop
        The words of the first ``#pragma scop``; None if there is none.
    sizes
        Macros that are whole numbers.
    functions
        Macros that compute one value.
    unknown
        Lines with a condition on a name that the text does not define, and the name.
    """

    tokens: tuple[Token, ...]
    scop: tuple[Token, ...] | None
    sizes: dict[str, int]
    functions: dict[str, FunctionMacro]
    unknown: tuple[tuple[int, str], ...]


def source_of(text: str) -> Source:
    """A text after its preprocessor.

    Raises
    ------
    ProgramError
        If a character begins no word of C, or macros have no end.
    """
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ProgramError("a NUL character begins no word of C", line)
    changing: set[str] = set()
    while True:
        reader = _Preprocessor(changing)
        plain = reader.result(text)
        wrong = reader.changed | {
            name
            for name, macro in reader.functions.items()
            if not reader.macros.keys().isdisjoint(_called(_words(macro)))
        }
        if not wrong - changing:
            break
        changing |= wrong
    tokens, scop = _tokens(plain)
    functions = {
        name: FunctionMacro(
            tuple(macro.arglist),
            reader.expanded(macro),
            _stands_between(_words(macro), macro.arglist, CLOSED),
        )
        for name, macro in reader.functions.items()
    }
    return Source(tokens, scop, dict(reader.sizes), functions, tuple(reader.unknown))


@dataclass
class _Region:
    """The words inside of a ``#pragma scop``."""

    words: list[Token] = field(default_factory=list)
    is_open: bool = False
    is_over: bool = False


def _tokens(plain: str) -> tuple[tuple[Token, ...], tuple[Token, ...] | None]:
    """All words, and those of the first scop."""
    tokens: list[Token] = []
    scop = _Region()
    for line, row in enumerate(plain.split("\n"), 1):
        if row.lstrip().startswith("#"):
            words = row.replace("#", " ").split()
            if words[:2] == ["pragma", "scop"] and not scop.is_over:
                scop.is_open = True
            elif words[:2] == ["pragma", "endscop"] and scop.is_open:
                scop.is_open, scop.is_over = False, True
            continue
        row_words = list(row_tokens(row, line))
        tokens += row_words
        if scop.is_open:
            scop.words += row_words
        if len(tokens) > MOST_TOKENS:
            raise ProgramError(f"the text has more than {MOST_TOKENS} words", line)
    return tuple(tokens), tuple(scop.words) if scop.is_over else None


def row_tokens(row: str, line: int) -> Iterator[Token]:
    """Yield the words of one line.

    Raises
    ------
    ProgramError
        If a character begins no word.
    """
    place = 0
    while place < len(row):
        match = _TOKEN.match(row, place)
        if match is None:
            raise ProgramError(f"{row[place]!r} begins no word of C", line)
        kind = match.lastgroup or "space"
        if kind != "space":
            yield Token(kind, match.group(), line)
        place = match.end()


def integer_of(text: str) -> int | None:
    """The whole number that a word of C is; None if it is none, or has no right digits."""
    plain = text.rstrip("uUlL")
    if len(plain) > 20:
        return None
    if plain[:2] in ("0x", "0X"):
        return int(plain, 16)
    if not plain.isdigit() or (plain[0] == "0" and not set(plain) <= set("01234567")):
        return None
    return int(plain, 8 if plain[0] == "0" else 10)


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no types
    """The preprocessor, with two kinds of macros that stay names.

    Parameters
    ----------
    changing
        Macros that are defined more than once, which are replaced where they stand.
    """

    def __init__(self, changing: set[str]) -> None:
        super().__init__()
        self.macros.clear()
        self.expand_filemacro = False
        self.line_directive = None
        self.changing = changing
        self.changed: set[str] = set()
        self.sizes: dict[str, int] = {}
        self.functions: dict[str, Any] = {}
        self.unknown: list[tuple[int, str]] = []
        self.line = self.replaced = 0

    def result(self, text: str) -> str:
        """The text with its lines where they were."""
        try:
            self.parse(text.replace("\r\n", "\n"))
            rows: list[list[str]] = [[]]
            while (token := self.token()) is not None:
                while len(rows) < token.lineno:
                    rows.append([])
                rows[-1].append(token.value.replace("\n", " "))
        except RecursionError:
            raise ProgramError("macros are nested too deeply") from None
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            if isinstance(error, ProgramError):
                raise
            raise ProgramError("a directive of the preprocessor is not read", self.line) from None
        return "\n".join("".join(row) for row in rows)

    def expanded(self, macro: Any) -> str:
        """The replacement of a macro with the macros in it replaced."""
        tokens = self.expand_macros([_copied(token) for token in macro.value])
        return "".join(token.value for token in tokens)

    def define(self, tokens: Any) -> None:
        """Define a macro."""
        super().define(tokens)
        if isinstance(tokens, str):
            return
        name = tokens[0].value
        macro = self.macros.pop(name)
        value = _whole_number(macro)
        kept = self.sizes.get(name), self._meaning(self.functions.get(name))
        if kept != (None, None) and kept != (value, self._meaning(macro)):
            self.changed.add(name)
        self._forget(name)
        if name not in self.changing and value is not None:
            self.sizes[name] = value
        elif name not in self.changing and _is_function(macro):
            self.functions[name] = macro
        else:
            self.macros[name] = macro

    def undef(self, tokens: Any) -> None:
        """Undefine a macro."""
        name = tokens[0].value if tokens else ""
        if name in self.sizes or name in self.functions:
            self.changed.add(name)
            self._forget(name)
        super().undef(tokens)

    def _forget(self, name: str) -> None:
        self.sizes.pop(name, None)
        self.functions.pop(name, None)

    def _meaning(self, macro: Any) -> Any:
        """Parameters and words of a macro with parameters."""
        if macro is None or macro.arglist is None:
            return None
        return tuple(macro.arglist), tuple(token.value for token in macro.value)

    def expand_macros(self, tokens: Any, expanding_from: Any = ()) -> Any:
        """Tokens with macros replaced, as many as are allowed."""
        expanded = super().expand_macros(tokens, list(expanding_from))
        self.replaced += len(expanded) if expanding_from else 0
        if self.replaced > MOST_REPLACED:
            line = expanded[0].lineno if expanded else self.line
            raise ProgramError(f"macros stand for more than {MOST_REPLACED} words", line)
        return expanded

    def include(self, tokens: Any, original_line: Any) -> Iterator[Any]:
        """Pass over a header."""
        return iter(())

    def on_error(self, file: str, line: int, msg: str) -> None:
        """Refuse text that a preprocessor refuses."""
        if "passed to evaluator: '" in msg:
            test = msg.rpartition("passed to evaluator: '")[2].removesuffix("')").strip()
            raise ProgramError(f"the condition {test[:60]!r} of an #if has no value", line)
        raise ProgramError(f"the preprocessor says: {msg[:1].lower()}{msg[1:150].strip()}", line)

    def on_directive_handle(self, directive: Any, *arguments: Any) -> bool:
        """Take note of the line."""
        self.line = directive.lineno
        return bool(super().on_directive_handle(directive, *arguments))

    def on_directive_unknown(self, directive: Any, *arguments: Any) -> bool | None:
        """Keep ``#pragma``; others, ``#error`` among them, are not there."""
        return None if directive.value == "pragma" else True

    def on_unknown_macro_in_defined_expr(self, tok: Any) -> bool:
        """Whether a name is one of the macros that stay."""
        return tok.value in self.sizes or tok.value in self.functions

    def on_unknown_macro_in_expr(self, ident: str) -> int:
        """The value of a size; 0, as in C, of a name that is not defined."""
        if ident not in self.sizes:
            self.unknown.append((self.line, ident))
        return self.sizes.get(ident, 0)


def _copied(token: Any) -> Any:
    clone = type(token)()
    clone.__dict__.update({**token.__dict__, "expanded_from": []})
    return clone


def _words(macro: Any) -> list[Token]:
    """The words of a replacement; none if a character begins no word."""
    try:
        return list(row_tokens("".join(token.value for token in macro.value), 1))
    except ProgramError:
        return []


def _whole_number(macro: Any) -> int | None:
    """The whole number that a macro is."""
    words = [] if macro.arglist is not None else _words(macro)
    return integer_of(words[0].text) if len(words) == 1 and words[0].kind == "number" else None


CLOSED: Final = {"(", ")", ","}
WEAK: Final = {*CLOSED, "?", ":", "<", ">", "<=", ">=", "==", "!="}  # weaker than arithmetic


def _is_function(macro: Any) -> bool:
    """Whether a macro computes one value, from all of its parameters and nothing else.

    It is one parenthesis or a call from its beginning to its end, and no operator of arithmetic
    stands beside a parameter: then it means with values what it means with text.
    """
    words = _words(macro) if macro.arglist and not macro.variadic else []
    if not words:
        return False
    called = _called(words)
    names = {word.text for word in words if word.kind == "name"} - called
    signs = {word.text for word in words if word.kind == "sign"}
    if names != set(macro.arglist) or signs & {"[", ";", "{", "#", *CHANGES} or called & names:
        return False
    return _is_closed(words) and _stands_between(words, names, WEAK)


def _called(words: Sequence[Token]) -> set[str]:
    """The names before an open parenthesis."""
    return {a.text for a, b in pairwise(words) if a.kind == "name" and b.text == "("}


def _stands_between(words: Sequence[Token], names: Iterable[str], signs: set[str]) -> bool:
    """Whether some names stand between some signs wherever they stand."""
    return all(
        before.text in signs and after.text in signs
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
        if word.text in names
    )


def _is_closed(words: Sequence[Token]) -> bool:
    """Whether a text is one parenthesis, or a call, from its beginning to its end."""
    start = 1 if words[0].kind == "name" else 0
    depth = 0
    for place, word in enumerate(words[start:], start):
        depth += (word.text == "(") - (word.text == ")")
        if word.text == "," and depth <= 1 and not start:
            return False
        if depth == 0 and place < len(words) - 1:
            return False
    return words[-1].text == ")" and depth == 0
