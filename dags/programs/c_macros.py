"""Macros of C, and the replacing of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from dags.programs.c_tokens import Token, integer_of
from dags.programs.errors import ProgramError

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
        What it stands for.
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

        What stands in no parentheses of its own is none: "x*x" for SQUARE(a+b) is "a+b*a+b".
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
