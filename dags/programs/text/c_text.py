"""Loop nests from C text, which is read and never run.

C is translated to a syntax tree of Python, which `syntax` reads. Of a file the first ``#pragma
scop`` counts, or the whole text, which may be functions. ``_PB_N`` is the size N, as in PolyBench.
"""

import ast
import re
from typing import Final

from dags.programs.layout import LoopNest
from dags.programs.nest import ProgramError
from dags.programs.text.c_declarations import REAL, UNSIGNED, Declarations
from dags.programs.text.c_expressions import (
    QUALIFIERS,
    TYPES,
    ExpressionParser,
    counted_range,
    placed,
)
from dags.programs.text.c_source import Macro, Token, integer_of, tokens_of
from dags.programs.text.syntax import program_of

LOOSE: Final = "program"  # the name of statements outside functions
DIRECTIVE: Final = re.compile(
    r"^#(?:include <(?:math|stdio|stdlib|string)\.h>"
    r"|define [A-Za-z]\w* +(?:[-\d.eE]+|double|float))$",
    re.MULTILINE,
)
UNREAD: Final = re.compile(
    r"\\|\?\?|[%:]:|<:|%>|<%|:>|\""
)  # spellings that readers and compilers part on
UPDATES: Final[dict[str, type[ast.operator]]] = {
    "+=": ast.Add,
    "-=": ast.Sub,
    "*=": ast.Mult,
    "/=": ast.Div,
    "%=": ast.Mod,
}


def from_c(text: str, name: str | None = None) -> LoopNest:
    """Return the loop nest in C text.

    Parameters
    ----------
    text
        C: of a file the first ``#pragma scop``, or all of it.
    name
        Which function of the text; may be left out where there is none, or one only.

    Raises
    ------
    ProgramError
        If it is no loop nest with affine bounds, conditions and indices; the line is named.

    Examples
    --------
    >>> program = from_c("for (i = 0; i < n; i++) x[i] += A[i] * b[i];")
    >>> program.sizes, program.live_by_default()
    (('n',), ('x',))
    """
    tokens, macros = tokens_of(text)
    parser = _Parser(tokens, macros)
    parser.file()
    function, declared = _chosen(parser, name)
    assigned = frozenset(
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    return program_of(
        function,
        text,
        has_parameters=bool(parser.functions),
        sizes=_defaults(macros),
        values=frozenset(declared.real),
        extents=declared.extents(assigned),
        made=frozenset(declared.made),
        types=dict(declared.types),
    )


def is_one_function(text: str) -> bool:
    """Return whether C text is a single function, all of which a compiler sees as it is read here.

    Numbers may have names, and headers of C's library come in; nothing is conditional.
    """
    directives = DIRECTIVE.findall(text)
    if len(directives) != text.count("#") or not text.isascii() or UNREAD.search(text):
        return False
    parser = _Parser(*tokens_of(text))
    parser.file()
    return len(parser.functions) == 1 and not parser.loose


def _chosen(parser: "_Parser", name: str | None) -> tuple[ast.FunctionDef, Declarations]:
    """Return the function that is meant; statements outside functions are one without a name."""
    functions = parser.functions
    known = ", ".join(functions) or "none"
    if name is not None and name not in functions:
        raise ProgramError(f"no function is called {name!r}; there are: {known}")
    if name is not None:
        return functions[name]
    if not functions:
        return _function(LOOSE, [], parser.loose, 1), parser.declared
    if len(functions) > 1:
        raise ProgramError(f"which function is meant? There are: {known}")
    return next(iter(functions.values()))


def _function(name: str, names: list[str], body: list[ast.stmt], line: int) -> ast.FunctionDef:
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(each) for each in names],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    return placed(ast.FunctionDef(name, arguments, body, []), line)


def _defaults(macros: dict[str, Macro]) -> dict[str, int]:
    """Return the sizes that ``#define`` gives."""
    found = {}
    for name, macro in macros.items():
        value = integer_of(macro.body[0].text) if macro.is_size else None
        if value is not None:
            found[name.removeprefix("_PB_")] = value
    return found


class _Parser(ExpressionParser):
    """Reads statements.

    `functions` has those of the text and their declarations; `loose` is the text outside, and
    `declared` the declarations there, or in the function that is being read.
    """

    def __init__(self, tokens: list[Token], macros: dict[str, Macro]) -> None:
        super().__init__(tokens, macros)
        self.declared = Declarations()
        self.functions: dict[str, tuple[ast.FunctionDef, Declarations]] = {}
        self.loose: list[ast.stmt] = []

    def file(self) -> None:
        """Read the whole text: its functions, and the statements outside of them."""
        while self.here.kind != "end":
            if self._begins_function():
                self._function()
            else:
                line = self.here.line
                self.loose += self.statement()
                if self.functions and not all(_is_plain(each) for each in self.loose):
                    raise ProgramError("a statement stands outside of the functions", line)

    def reads(self, token: Token) -> None:
        """Raise ProgramError if the block that declares a name has ended."""
        self.declared.read(token.text, token.line)

    def _begins_function(self) -> bool:
        """Return whether types, a name and an open parenthesis come next."""
        at = self.at
        while self.tokens[at].text in TYPES or self.tokens[at].text == "*":
            at += 1
        following = self.tokens[at : at + 2]
        return (
            at > self.at
            and [t.kind for t in following] == ["name", "sign"]
            and following[1].text == "("
        )

    def _function(self) -> None:
        """Read a function; one that is only announced is passed over."""
        self._types()
        name = self.take()
        outside, self.declared = self.declared, self.declared.of_function()
        self.expect("(")
        names: list[str] = []
        while not self.skip(")"):
            names += self._parameter()
            if self.here.text != ")":
                self.expect(",")
        if not self.skip(";"):
            if self.here.text != "{":
                self.fail(f"'{{' is missing before {self.here.text[:40]!r}")
            if name.text in self.functions or not all(map(_is_plain, self.loose)):
                raise ProgramError(f"{name.text} is not the only text that is meant", name.line)
            function = _function(name.text, names, self.block(), name.line)
            self.functions[name.text] = function, self.declared
        self.declared = outside

    def _types(self) -> set[str]:
        """Go past the words of a type and return them."""
        found: set[str] = set()
        while self.here.text in TYPES or self.here.text == "*":
            found.add(self.take().text)
        return found

    def _parameter(self) -> list[str]:
        """Read one parameter: its name, none for ``void``."""
        types = self._types()
        if "struct" in types:
            self.fail("structures are not read")
        if self.here.text == ")":
            return []
        if "*" in types and self.here.text not in ("[", ")", ","):
            return [self._declarator(types, is_array=True)]
        return [self._declarator(types)]

    def _declarator(self, types: set[str], *, is_array: bool = False) -> str:
        """Read a declared name with its extents, which are noted."""
        token = self.take()
        if token.kind != "name":
            raise ProgramError(f"{token.text[:40]!r} is no name to declare", token.line)
        sides: list[ast.expr] = []
        while self.skip("["):
            while self.here.text in TYPES:
                self.take()
            sides.append(
                placed(ast.Constant(None), token.line)
                if self.here.text == "]"
                else self.expression()
            )
            self.expect("]")
        kinds = types - REAL if is_array else types
        self.declared.add(token.text, sides, kinds, token.line)
        self.declared.types[token.text] = " ".join(sorted(types - {*QUALIFIERS, "*"}))
        return token.text

    def block(self) -> list[ast.stmt]:
        """Read statements in braces, or one."""
        self.deeper()
        found: list[ast.stmt] = []
        with self.declared.block():
            if self.skip("{"):
                while not self.skip("}"):
                    if self.here.kind == "end":
                        self.fail("'}' is missing")
                    found += self.statement()
            else:
                found = self.statement()
        self.depth -= 1
        return found or [placed(ast.Pass(), self.here.line)]

    def statement(self) -> list[ast.stmt]:
        """Read one statement."""
        token = self.here
        if self.skip(";"):
            return []
        if token.text == "{":
            return self.block()
        if token.text in TYPES:
            return self._declaration()
        if self.skip("for"):
            return [self._loop(token.line)]
        if self.skip("if"):
            return [self._condition(token.line)]
        if self.skip("return"):
            value = None if self.here.text == ";" else self.expression()
            self.expect(";")
            return [placed(ast.Return(value), token.line)]
        if token.text in ("while", "do", "goto", "switch", "break", "continue", "typedef"):
            self.fail(f"{token.text!r} is not read: how often it runs is not affine")
        return self._assignment()

    def _declaration(self) -> list[ast.stmt]:
        """Read a declaration; its values are assignments."""
        types = self._types()
        if types & {"struct", "*"}:
            self.fail("pointers and structures are not read: write cells as A[i][j]")
        found: list[ast.stmt] = []
        while True:
            if self.here.text == "*":
                self.fail("pointers are not read: write cells as A[i][j]")
            line = self.here.line
            name = placed(ast.Name(self._declarator(types), ast.Store()), line)
            self.declared.made_here(name.id)
            if self.skip("="):
                found.append(placed(ast.Assign([name], self.expression()), line))
            if not self.skip(","):
                break
        self.expect(";")
        return found

    def _assignment(self) -> list[ast.stmt]:
        line = self.here.line
        first = self._update(line)
        self.expect(";")
        return [first]

    def _update(self, line: int) -> ast.stmt:
        """Read an assignment, with or without an operator; ``i++`` is one."""
        if self.here.text in ("++", "--"):
            sign = self.take().text
            return self._stepped(self.postfix_target(), sign, line)
        target = self.postfix_target()
        sign = self.take().text
        if sign == "=":
            value = self.expression()
            targets: list[ast.expr] = [target]
            while self.skip("="):
                if not isinstance(value, ast.Name | ast.Subscript):
                    raise ProgramError(f"{ast.unparse(value)!r} is no cell of an array", line)
                value.ctx = ast.Store()
                targets.append(value)
                value = self.expression()
            return placed(ast.Assign(targets, value), line)
        if sign in UPDATES:
            return placed(ast.AugAssign(target, UPDATES[sign](), self.expression()), line)
        if sign in ("++", "--"):
            return self._stepped(target, sign, line)
        raise ProgramError(f"{sign[:40]!r} is no assignment", line)

    def _stepped(self, target: ast.Name | ast.Subscript, sign: str, line: int) -> ast.stmt:
        op = ast.Add() if sign == "++" else ast.Sub()
        return placed(ast.AugAssign(target, op, placed(ast.Constant(1), line)), line)

    def postfix_target(self) -> ast.Name | ast.Subscript:
        """Read a cell that is assigned to."""
        line = self.here.line
        if self.here.text == "*":
            self.fail("pointers are not read: write cells as A[i][j]")
        token = self.take()
        if token.kind != "name":
            raise ProgramError(f"{token.text[:40]!r} begins no statement", token.line)
        name = token.text.removeprefix("_PB_")
        node: ast.Name | ast.Subscript = placed(ast.Name(name, ast.Store()), line)
        while self.skip("["):
            index = self.expression()
            self.expect("]")
            node = placed(ast.Subscript(node, index, ast.Store()), line)
        return node

    def _condition(self, line: int) -> ast.If:
        self.expect("(")
        test = self.expression()
        self.expect(")")
        body = self.block()
        otherwise = self.block() if self.skip("else") else []
        return placed(ast.If(test, body, otherwise), line)

    def _loop(self, line: int) -> ast.For:
        """Read ``for (i = start; i < stop; i += step)`` as a loop over a range."""
        self.expect("(")
        types = self._types()
        first = self._update(line)
        self.expect(";")
        test = self.expression()
        self.expect(";")
        last = self._update(line)
        self.expect(")")
        if not isinstance(first, ast.Assign) or not isinstance(first.targets[0], ast.Name):
            raise ProgramError("a loop begins with 'i = start'", line)
        name = first.targets[0]
        unsigned = bool(types & UNSIGNED) or name.id in self.declared.unsigned
        iterator = counted_range(name.id, first.value, test, last, unsigned, line)
        return placed(ast.For(name, iterator, self.block(), []), line)


def _is_plain(statement: ast.stmt) -> bool:
    """Return whether a statement outside of functions gives a scalar a number."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return False
    return not any(isinstance(node, ast.Name) for node in ast.walk(statement.value))
