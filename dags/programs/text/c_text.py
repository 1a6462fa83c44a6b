"""Loop nests from C text, which is read and never run.

The text goes through its preprocessor (`c_source`), the function that is asked for is cut out
(`c_pieces`) and parsed (pycparser), and its tree is written as one of Python, which `syntax`
reads. Of a file without a name that is asked for the first ``#pragma scop`` counts, or its only
function, or statements outside of functions. ``_PB_N`` is the size N, as in PolyBench.
"""

import ast
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pycparser import c_ast

from dags.programs.layout import LoopNest
from dags.programs.nest import ProgramError
from dags.programs.text.c_declarations import UNSIGNED, Declarations, type_words
from dags.programs.text.c_expressions import Expressions, Range, call_of, line_of, placed
from dags.programs.text.c_pieces import LOOSE, FunctionPiece, Parser, Pieces, pieces_of
from dags.programs.text.c_source import Source, Token, source_of
from dags.programs.text.scopes import Scopes
from dags.programs.text.syntax import program_of, with_numbers

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
    "&=": ast.BitAnd,
    "|=": ast.BitOr,
    "^=": ast.BitXor,
    "<<=": ast.LShift,
    ">>=": ast.RShift,
}
SILENT: Final = re.compile(
    r"^(?:f?printf|puts|putchar|fflush|.*assert|free|exit|srand|perror|abort|.*unused.*"
    r"|_?_?builtin_\w+|_mm_free|__assume\w*|.*(?:timer|clock|barrier|prefetch|time_start"
    r"|time_stop|time_end|synchronize|syncthreads|log_\w+).*)$",
    re.IGNORECASE,
)  # calls that change no array
FILLS: Final = ("memset", "memcpy", "memmove")
MAKERS: Final = {"malloc", "calloc", "alloca", "aligned_alloc", "_mm_malloc", "xmalloc", "realloc"}
CLOCKS: Final = re.compile(r"^.*(?:wtime|clock|seconds|time|timer|tick|rdtsc)\w*$", re.IGNORECASE)
REFUSED: Final[Mapping[type[c_ast.Node], str]] = {
    c_ast.While: "a 'while' loop is not read, since how often it runs depends on data: write "
    "for (i = start; i < stop; i++)",
    c_ast.DoWhile: "a 'do' loop is not read, since how often it runs depends on data: write "
    "for (i = start; i < stop; i++)",
    c_ast.Goto: "'goto' is not read: write loops and conditions",
    c_ast.Switch: "'switch' is not read: write conditions on loop variables and sizes",
    c_ast.Break: "'break' is not read, since how often its loop runs depends on data: write the "
    "loop to its end",
}


def from_c(
    text: str, name: str | None = None, *, sizes: Mapping[str, int] | None = None
) -> LoopNest:
    """Return the loop nest in C text.

    Parameters
    ----------
    text
        C: of a file one function, the first ``#pragma scop``, or all of it.
    name
        Which function of the text; may be left out where there is none, or one only.
    sizes
        Values of sizes, for text that is affine only with numbers: ``A[i*n + j]``.

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
    source = source_of(text)
    chosen = _Chosen(source, name, sizes or {})
    given = {**chosen.constants, **(sizes or {})}
    return with_numbers(lambda fixed: chosen.program(text, fixed), given)


def is_one_function(text: str) -> bool:
    """Return whether C text is a single function, all of which a compiler sees as it is read here.

    Numbers may have names, and headers of C's library come in; nothing is conditional.
    """
    directives = DIRECTIVE.findall(text)
    if len(directives) != text.count("#") or not text.isascii() or UNREAD.search(text):
        return False
    pieces = pieces_of(source_of(text).tokens)
    return len(pieces.functions) == 1 and not pieces.statements and not pieces.declarations


class _Chosen:
    """The function of a text that is asked for.

    Parameters
    ----------
    source
        The text after its preprocessor.
    name
        Which function; None for the only one, or statements outside of functions.
    said
        Numbers that the user gives.
    """

    def __init__(self, source: Source, name: str | None, numbers: Mapping[str, int]) -> None:
        self.source, self.said = source, numbers
        loose = name is None and source.scop is not None
        self.pieces = Pieces() if loose else pieces_of(source.tokens)
        self.parser = Parser(self.pieces.types)
        self.is_loose = loose or not (self.pieces.functions or name)
        if self.is_loose:
            words = source.scop if loose and source.scop is not None else source.tokens
            self.pieces.types |= pieces_of(words).types
            self.parser = Parser(self.pieces.types)
            self.piece = _wrapped(words)
        else:
            self.piece = self._named(name)
        self._check_conditions()
        self.tree = self._tree()
        used = {word.text for word in self.piece.tokens}
        self.around = [] if self.is_loose else self.parser.declared(self.pieces, used)
        self.constants = {key.removeprefix("_PB_"): value for key, value in source.sizes.items()}

    def _named(self, name: str | None) -> FunctionPiece:
        functions = self.pieces.functions
        known = ", ".join(dict.fromkeys(each.name for each in functions)) or "none"
        if self.pieces.statements:
            raise ProgramError(
                "a statement stands outside of the functions", self.pieces.statements[0]
            )
        some = [each for each in functions if name in (None, each.name)]
        if not some:
            raise ProgramError(f"no function is called {name!r}; there are: {known}")
        if name is None and len(some) > 1:
            some = [each for each in some if _has_loops(each)] or some
        if len({each.name for each in some}) > 1:
            raise ProgramError(f"which function is meant? There are: {known}")
        if len(some) > 1:
            lines = " and ".join(str(each.tokens[0].line) for each in some[:2])
            raise ProgramError(f"{some[0].name} is there twice, in lines {lines}")
        return some[0]

    def _check_conditions(self) -> None:
        """Raise ProgramError if an ``#if`` in the function asks for a name nobody defines."""
        words = self.piece.tokens
        for line, name in self.source.unknown:
            if words and words[0].line <= line <= words[-1].line:
                raise ProgramError(
                    f"whether the lines behind an #if count is not known: write #define {name}",
                    line,
                )

    def _tree(self) -> c_ast.FuncDef:
        found = [
            each
            for each in self.parser.parsed(self.piece.tokens)
            if isinstance(each, c_ast.FuncDef)
        ]
        if len(found) != 1:
            raise ProgramError("the text is no function that is read", self.piece.tokens[0].line)
        return found[0]

    def program(self, text: str, fixed: Mapping[str, int]) -> LoopNest:
        """Return the loop nest, with the values of some sizes put in."""
        reader = _Reader(self)
        reader.read.given, reader.read.said = fixed, self.said
        function = reader.function(self.tree, self.piece.name, is_loose=self.is_loose)
        declared = reader.declared
        assigned = frozenset(
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
        sizes = self.constants | reader.constants
        known = {**self.said, **fixed}
        asked = {name: value for name, value in known.items() if name in reader.read.tested}
        numbers = {name: value for name, value in fixed.items() if name not in asked}
        scopes = Scopes(counting=frozenset(), fixed={**reader.constants, **numbers})
        kinds = {name: kind for name, kind in declared.types.items() if name not in sizes}
        nest = program_of(
            function,
            text,
            has_parameters=not self.is_loose,
            sizes={key: value for key, value in sizes.items() if key not in reader.constants},
            fixed={**reader.constants, **numbers},
            present=asked,
            values=frozenset(declared.real),
            extents=declared.extents(assigned, scopes),
            made=frozenset(declared.made),
            results=tuple(reader.results),
            types=kinds,
        )
        scalars = (name for name in nest.written if not nest.dimensions[name])
        kept = (name for name in scalars if name in declared.outside)
        return replace(nest, returned=tuple(dict.fromkeys((*nest.returned, *kept))))


def _has_loops(piece: FunctionPiece) -> bool:
    """Return whether a function is a nest as far as its words show."""
    words = {word.text for word in piece.tokens}
    return "for" in words and piece.name != "main"


def _wrapped(words: tuple[Token, ...]) -> FunctionPiece:
    """Return statements outside of functions as a function."""
    first, last = (words[0].line, words[-1].line) if words else (1, 1)
    head = [Token("name", text, first) for text in ("void", LOOSE, "(", "void", ")", "{")]
    return FunctionPiece(LOOSE, (*head, *words, Token("sign", "}", last)))


class _Reader:
    """Turns statements of C into those of Python."""

    def __init__(self, chosen: _Chosen) -> None:
        self.declared = Declarations()
        self.read = Expressions(self.declared, chosen.source.functions, chosen.parser)
        self.constants: dict[str, int] = {}
        self.results: list[str] = []
        self.moved: Counter[str] = Counter()
        self.filled = 0
        self.function_name = ""
        for node in chosen.around:
            self._outside(node)

    def _outside(self, node: c_ast.Node) -> None:
        """Note a declaration that stands outside of the function."""
        if isinstance(node, c_ast.Typedef):
            self.declared.typedefs[node.name] = type_words(node, self.declared.typedefs)
        kind = getattr(node, "type", None)
        inner = getattr(kind, "type", None)
        some = kind if isinstance(kind, c_ast.Enum) else inner
        if isinstance(some, c_ast.Enum):
            self._enumerated(some)
        if not isinstance(node, c_ast.Decl) or isinstance(kind, c_ast.FuncDecl | c_ast.Enum):
            return
        if node.name is None:
            return
        scopes = Scopes(counting=frozenset(), fixed=self.constants)
        if "const" in node.quals and isinstance(kind, c_ast.TypeDecl) and node.init is not None:
            form = scopes.form(self.read.value(node.init))
            if form is not None and not form.terms:
                self.constants[node.name] = form.constant
                return
        name = self._declared(node)
        self.declared.outside.add(name)

    def _enumerated(self, node: c_ast.Enum) -> None:
        """Note the constants of an enumeration."""
        value = -1
        for each in node.values.enumerators if node.values is not None else ():
            form = None
            if each.value is not None:
                scopes = Scopes(counting=frozenset(), fixed=self.constants)
                form = scopes.form(self.read.value(each.value))
            value = value + 1 if form is None else form.constant
            self.constants[each.name] = value

    def function(self, tree: c_ast.FuncDef, name: str, *, is_loose: bool) -> ast.FunctionDef:
        """Return a function of Python with the statements of one of C."""
        self.function_name = name
        line = line_of(tree.decl)
        parameters = tree.decl.type.args.params if tree.decl.type.args is not None else []
        names: list[str] = []
        self.moved = _pointer_changes(tree.body)
        self.read.counts = _counted_arrays(tree.body)
        with self.declared.block():
            names += [
                self._declared(each)
                for each in parameters
                if isinstance(each, c_ast.Decl) and each.name is not None
            ]
            body = self.statements(tree.body.block_items or [], makes=not is_loose)
        arguments = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(each) for each in names],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        )
        body = body or [placed(ast.Pass(), line)]
        return placed(ast.FunctionDef(name, arguments, body, []), line)

    def _declared(self, node: c_ast.Decl, *, makes: bool = False) -> str:
        """Note a declared name with its extents, and return it."""
        sides: list[ast.expr] = []
        kind = node.type
        is_pointer = False
        while isinstance(kind, c_ast.ArrayDecl | c_ast.PtrDecl):
            if isinstance(kind, c_ast.ArrayDecl) and kind.dim is not None:
                sides.append(self.read.value(kind.dim))
            elif sides or isinstance(kind.type, c_ast.ArrayDecl):
                sides.append(placed(ast.Constant(None), line_of(node)))
            is_pointer |= isinstance(kind, c_ast.PtrDecl)
            kind = kind.type
        if not sides and isinstance(node.type, c_ast.ArrayDecl):
            sides.append(placed(ast.Constant(None), line_of(node)))
        words = type_words(node, self.declared.typedefs)
        if is_pointer and not sides:
            sides = [placed(ast.Constant(None), line_of(node))]
        name = self.declared.add(node.name.removeprefix("_PB_"), words, sides)
        if makes and isinstance(node.type, c_ast.ArrayDecl):
            self.declared.made.add(name)
        return name

    def statements(self, items: list[c_ast.Node], *, makes: bool = True) -> list[ast.stmt]:
        """Return the statements of a block."""
        found: list[ast.stmt] = []
        for each in items:
            found += self.statement(each, makes=makes)
        return found

    def block(self, node: c_ast.Node | None) -> list[ast.stmt]:
        """Return the statements in braces, or one."""
        if node is None:
            return []
        self.read.deeper(node)
        with self.declared.block():
            if isinstance(node, c_ast.Compound):
                found = self.statements(node.block_items or [])
            else:
                found = self.statement(node)
        self.read.depth -= 1
        return found

    def statement(self, node: c_ast.Node, *, makes: bool = True) -> list[ast.stmt]:
        """Return the statements that one of C is."""
        line = line_of(node)
        if isinstance(node, c_ast.Decl):
            return self._declaration(node, makes=makes)
        if isinstance(node, c_ast.DeclList):
            return [each for one in node.decls for each in self._declaration(one, makes=makes)]
        if isinstance(node, c_ast.Compound):
            return self.block(node)
        if isinstance(node, c_ast.Label):
            return self.statement(node.stmt)
        if isinstance(node, c_ast.For):
            with self.declared.block():
                return [self._loop(node)]
        if isinstance(node, c_ast.If):
            test = self.read.condition(node.cond)
            body = self.block(node.iftrue) or [placed(ast.Pass(), line)]
            return [placed(ast.If(test, body, self.block(node.iffalse)), line)]
        if isinstance(node, c_ast.Return):
            return self._result(node)
        if isinstance(node, c_ast.Continue):
            return [placed(ast.Continue(), line)]
        if type(node) in REFUSED:
            raise ProgramError(REFUSED[type(node)], line)
        if isinstance(node, c_ast.Assignment):
            return self._assignment(node)
        if isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--"):
            return self._stepped(node)
        if isinstance(node, c_ast.ExprList):
            return self.statements(node.exprs)
        if isinstance(node, c_ast.FuncCall):
            return self._called(node)
        if isinstance(node, c_ast.Cast | c_ast.ID | c_ast.Constant):
            return []
        if isinstance(
            node, c_ast.EmptyStatement | c_ast.Pragma | c_ast.Typedef | c_ast.StaticAssert
        ):
            return []
        raise ProgramError("a statement is no loop, no condition and no assignment", line)

    def _called(self, node: c_ast.FuncCall) -> list[ast.stmt]:
        """Return nothing for a call that changes no array; refuse another."""
        name = node.name.name if isinstance(node.name, c_ast.ID) else "a function"
        line = line_of(node)
        if SILENT.match(name):
            return []
        if name in FILLS and node.args is not None and len(node.args.exprs) == 3:
            return self._filled_by(name, node.args.exprs, line)
        called = placed(ast.Name(name, ast.Load()), line)  # refused where it is run
        return [placed(ast.Expr(placed(ast.Call(called, [], []), line)), line)]

    def _filled_by(self, name: str, arguments: list[c_ast.Node], line: int) -> list[ast.stmt]:
        """Return the loop over cells that ``memset`` or ``memcpy`` is."""
        target, source, size = arguments
        if name == "memset" and getattr(source, "value", "0") != "0":
            raise ProgramError("memset is read where it writes 0: write its loop", line)
        where = self.read.pointer(target)
        width = self.declared.width_of(where.array)
        count = self.read.value(size)
        if width is None or where.lead or len(self.declared.arrays.get(where.array, [0])) > 1:
            raise ProgramError(
                f"{name} is read where it fills a flat array whose type is known: write its loop",
                line,
            )
        bytes_of_cell = placed(ast.Constant(width), line)
        count = placed(ast.BinOp(count, ast.Div(), bytes_of_cell), line)
        self.filled += 1
        place = f"cell_{self.filled}"
        index = [placed(ast.Name(place, ast.Load()), line)]
        value: ast.expr = placed(ast.Constant(0), line)
        if name != "memset":
            value = self.read.at(self.read.pointer(source), index, line)
        cell = self.read.at(where, index, line)
        assert isinstance(cell, ast.Subscript)
        cell.ctx = ast.Store()
        body: list[ast.stmt] = [placed(ast.Assign([cell], value), line)]
        counter = placed(ast.Name(place, ast.Store()), line)
        loop = placed(ast.For(counter, call_of("range", [count], line), body, []), line)
        loop.type_comment = "up"
        return [loop]

    def _declaration(self, node: c_ast.Node, *, makes: bool) -> list[ast.stmt]:
        """Read a declaration; its values are assignments."""
        line = line_of(node)
        if not isinstance(node, c_ast.Decl) or node.name is None:
            kind = getattr(node, "type", None)
            if isinstance(kind, c_ast.Enum):
                self._enumerated(kind)
            return []
        if isinstance(node.type, c_ast.FuncDecl):
            return []
        if isinstance(node.type, c_ast.PtrDecl):
            return self._pointer(node)
        value = None if node.init is None else node.init
        if isinstance(value, c_ast.InitList):
            return self._filled(node, value)
        expression = None if value is None else self._read(value)
        name = self._declared(node, makes=makes)
        if expression is None:
            return []
        target = placed(ast.Name(name, ast.Store()), line)
        return [placed(ast.Assign([target], expression), line)]

    def _read(self, node: c_ast.Node) -> ast.expr:
        """Return a value; what a clock says is a constant."""
        called = node.name if isinstance(node, c_ast.FuncCall) else None
        if isinstance(called, c_ast.ID) and CLOCKS.match(called.name):
            return placed(ast.Constant(0.0), line_of(node))
        return self.read.value(node)

    def _filled(self, node: c_ast.Decl, value: c_ast.InitList) -> list[ast.stmt]:
        """Return an array that is declared with its values, which are constants."""
        for each in _leaves(value):
            self.read.value(each)
            if not isinstance(each, c_ast.Constant | c_ast.UnaryOp):
                raise ProgramError(
                    "an array is declared with values that are computed: assign its cells",
                    line_of(node),
                )
        self._declared(node, makes=True)
        return []

    def _pointer(self, node: c_ast.Decl) -> list[ast.stmt]:
        """Read the declaration of a pointer: an array of its own, or a place in another one."""
        name = self._declared(node)
        if node.init is None:
            self.declared.made.add(name)
            return []
        return self._points(name, node.init, node)

    def _points(self, name: str, value: c_ast.Node, node: c_ast.Node) -> list[ast.stmt]:
        """Note where a pointer points to from here on."""
        inner = value
        while isinstance(inner, c_ast.Cast):
            inner = inner.expr
        called = inner.name if isinstance(inner, c_ast.FuncCall) else None
        if isinstance(called, c_ast.ID) and called.name in MAKERS:
            self.declared.made.add(name)
            return []
        if self.moved[name] > 1:
            raise ProgramError(
                f"{name} is a pointer that is set more than once: write cells as A[i*n + j]",
                line_of(node),
            )
        found = self.read.pointer(value)
        if found.array == name:
            raise ProgramError(
                f"{name} is a pointer that moves: write cells as A[i*n + j]", line_of(node)
            )
        self.read.pointers[name] = found
        self.declared.arrays.pop(name, None)
        self.declared.made.discard(name)
        return []

    def _assignment(self, node: c_ast.Assignment) -> list[ast.stmt]:
        """Return an assignment, with or without an operator."""
        line = line_of(node)
        target = node.lvalue
        if isinstance(target, c_ast.ID):
            name = self.declared.known(target.name, line)
            is_pointer = name in self.moved and (
                name in self.read.pointers or self._declares_pointer(name)
            )
            if is_pointer and node.op == "=":
                return self._points(name, node.rvalue, node)
            if is_pointer:
                raise ProgramError(
                    f"{name} is a pointer that moves: write cells as A[i*n + j]", line
                )
        if node.op != "=":
            if node.op not in UPDATES:
                raise ProgramError(f"{node.op} is no assignment that is read", line)
            value = self.read.value(node.rvalue)
            cell = self._cell(target)
            return [placed(ast.AugAssign(cell, UPDATES[node.op](), value), line)]
        targets = [target]
        value_node = node.rvalue
        while isinstance(value_node, c_ast.Assignment) and value_node.op == "=":
            targets.append(value_node.lvalue)
            value_node = value_node.rvalue
        value = self._read(value_node)
        cells: list[ast.expr] = [self._cell(each) for each in targets]
        return [placed(ast.Assign(cells, value), line)]

    def _declares_pointer(self, name: str) -> bool:
        sides = self.declared.arrays.get(name, [])
        return len(sides) == 1 and isinstance(sides[0], ast.Constant) and sides[0].value is None

    def _cell(self, node: c_ast.Node) -> ast.Name | ast.Subscript:
        """Return a cell that is assigned to."""
        if not isinstance(node, c_ast.ID | c_ast.ArrayRef | c_ast.StructRef | c_ast.UnaryOp):
            raise ProgramError("an assignment goes to no cell of an array", line_of(node))
        cell = self.read.cell(node)
        if not isinstance(cell, ast.Name | ast.Subscript):
            raise ProgramError("an assignment goes to no cell of an array", line_of(node))
        cell.ctx = ast.Store()
        return cell

    def _stepped(self, node: c_ast.UnaryOp) -> list[ast.stmt]:
        line = line_of(node)
        if isinstance(node.expr, c_ast.ID) and (
            self.declared.known(node.expr.name, line) in self.read.pointers
        ):
            raise ProgramError(
                f"{node.expr.name} is a pointer that moves: write cells as A[i*n + j]", line
            )
        op = ast.Add() if "+" in node.op else ast.Sub()
        one = placed(ast.Constant(1), line)
        return [placed(ast.AugAssign(self._cell(node.expr), op, one), line)]

    def _result(self, node: c_ast.Return) -> list[ast.stmt]:
        """Return the result of a function: one that is computed gets a name."""
        line = line_of(node)
        if node.expr is None or isinstance(node.expr, c_ast.Constant):
            return [placed(ast.Return(None), line)]
        value = self.read.value(node.expr)
        if isinstance(value, ast.Name):
            return [placed(ast.Return(value), line)]
        name = f"{self.function_name}_result"
        target = placed(ast.Name(name, ast.Store()), line)
        given = placed(ast.Return(placed(ast.Name(name, ast.Load()), line)), line)
        return [placed(ast.Assign([target], value), line), given]

    def _loop(self, node: c_ast.For) -> ast.For:
        """Return ``for (i = start; i < stop; i += step)`` as a loop over a range."""
        line = line_of(node)
        found = self._counted(node)
        name = placed(ast.Name(found.variable, ast.Store()), line)
        start = found.start or placed(ast.Name(found.variable, ast.Load()), line)
        stop = found.stops[0]
        if len(found.stops) > 1:
            stop = call_of("max" if found.down else "min", found.stops, line)
        step = found.step or placed(ast.Constant(1), line)
        if found.down and not isinstance(step, ast.Constant):
            step = placed(ast.UnaryOp(ast.USub(), step), line)
        elif found.down and isinstance(step, ast.Constant):
            step = placed(ast.Constant(-step.value), line)  # type: ignore[operator]  # a number
        iterator = call_of("range", [start, stop, step], line)
        body = self.block(node.stmt) or [placed(ast.Pass(), line)]
        loop = placed(ast.For(name, iterator, body, []), line)
        loop.type_comment = "down" if found.down else "up"
        return loop

    def _counted(self, node: c_ast.For) -> Range:
        """Return the variable, start, stops and step of a loop."""
        line = line_of(node)
        found, words = self._begun(node)
        name = found.variable
        if node.next is None and isinstance(node.cond, c_ast.UnaryOp) and node.cond.op == "p--":
            one = placed(ast.Constant(1), line)
            assert found.start is not None
            found.start = placed(ast.BinOp(found.start, ast.Sub(), one), line)
            found.stops, found.down = [placed(ast.Constant(-1), line)], True
            return found
        if node.cond is None:
            raise ProgramError("a loop without an end is not read: write i < stop", line)
        found.step, sign = self._step(name, node)
        tests = _conjuncts(self.read.value(node.cond))
        downs = {way for test in tests for way in [_way(name, test)] if way is not None}
        found.down = downs.pop() if len(downs) == 1 and sign is None else sign == -1
        if sign is None and isinstance(node.next, c_ast.Assignment) and node.next.op == "-=":
            found.down = True
        found.stops = [_stop(name, test, found, line) for test in tests]
        unsigned = bool(words & UNSIGNED) or name in self.declared.unsigned
        if found.down and unsigned and any(_may_be_equal(test) for test in tests):
            raise ProgramError(f"{name} is unsigned: where it counts down, write >", line)
        return found

    def _begun(self, node: c_ast.For) -> tuple[Range, frozenset[str]]:
        """Return the variable of a loop and its start, and the words of its type."""
        line = line_of(node)
        init = node.init
        if isinstance(init, c_ast.ExprList) and len(init.exprs) == 1:
            init = init.exprs[0]
        if isinstance(init, c_ast.DeclList) and len(init.decls) == 1 and init.decls[0].init:
            (decl,) = init.decls
            start = self.read.value(decl.init)
            words = type_words(decl, self.declared.typedefs)
            return Range(self._declared(decl), start), words
        if isinstance(init, c_ast.Assignment) and isinstance(init.lvalue, c_ast.ID):
            start = self.read.value(init.rvalue)
            if init.op == "=":
                return Range(self.declared.known(init.lvalue.name, line), start), frozenset()
        if init is None:
            changed = node.next.expr if isinstance(node.next, c_ast.UnaryOp) else None
            if isinstance(node.next, c_ast.Assignment):
                changed = node.next.lvalue
            if isinstance(changed, c_ast.ID):
                return Range(self.declared.known(changed.name, line), None), frozenset()
        raise ProgramError(
            "a loop counts by one variable: write for (i = start; i < stop; i++)", line
        )

    def _step(self, name: str, node: c_ast.For) -> tuple[ast.expr | None, int | None]:
        """Return the step of a loop and its sign; None where the sign is not known yet."""
        line = line_of(node)
        change = node.next
        if isinstance(change, c_ast.ExprList) and len(change.exprs) == 1:
            change = change.exprs[0]
        value: ast.expr | None = None
        by = 1
        if isinstance(change, c_ast.UnaryOp) and change.op in ("++", "--", "p++", "p--"):
            target, by = change.expr, 1 if "+" in change.op else -1
            if isinstance(target, c_ast.ID) and self.declared.known(target.name, line) == name:
                return placed(ast.Constant(1), line), by
        elif isinstance(change, c_ast.Assignment) and isinstance(change.lvalue, c_ast.ID):
            is_mine = self.declared.known(change.lvalue.name, line) == name
            if is_mine and change.op in ("+=", "-="):
                value, by = self.read.value(change.rvalue), 1 if change.op == "+=" else -1
            elif is_mine and change.op == "=" and isinstance(change.rvalue, c_ast.BinaryOp):
                left, right, op = change.rvalue.left, change.rvalue.right, change.rvalue.op
                if op == "+" and isinstance(right, c_ast.ID) and right.name == name:
                    left, right = right, left
                if op in "+-" and isinstance(left, c_ast.ID) and left.name == name:
                    value, by = self.read.value(right), 1 if op == "+" else -1
        if value is None:
            raise ProgramError(f"the loop over {name} does not end with '{name} += step'", line)
        form = Scopes(counting=frozenset(), fixed=self.constants).form(value)
        if form is None or form.terms:
            return value, None
        if form.constant == 0:
            raise ProgramError("step 0 never ends", line)
        sign = by if form.constant > 0 else -by
        return placed(ast.Constant(abs(form.constant)), line), sign


def _leaves(node: c_ast.Node) -> list[c_ast.Node]:
    if isinstance(node, c_ast.InitList):
        return [leaf for each in node.exprs for leaf in _leaves(each)]
    return [node.expr if isinstance(node, c_ast.NamedInitializer) else node]


def _pointer_changes(body: c_ast.Node) -> Counter[str]:
    """Return how often each name is assigned to as a whole."""
    found: Counter[str] = Counter()
    waiting: list[c_ast.Node] = [body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID):
            found[node.lvalue.name] += 1
        waiting += [child for _, child in node.children()]
    return found


def _counted_arrays(body: c_ast.Node) -> set[str]:
    """Return arrays of which cells with numbers end loops, as ``grid[0]``, and none is assigned."""
    ends: set[str] = set()
    assigned: set[str] = set()
    waiting: list[tuple[c_ast.Node, bool]] = [(body, False)]
    while waiting:
        node, in_end = waiting.pop()
        if isinstance(node, c_ast.Assignment | c_ast.UnaryOp) and getattr(node, "op", "") != "-":
            target = node.lvalue if isinstance(node, c_ast.Assignment) else node.expr
            while isinstance(target, c_ast.ArrayRef):
                target = target.name
            assigned |= {target.name} if isinstance(target, c_ast.ID) else set()
        is_cell = isinstance(node, c_ast.ArrayRef) and isinstance(node.name, c_ast.ID)
        if in_end and is_cell and isinstance(node.subscript, c_ast.Constant):
            ends.add(node.name.name)
        for field, child in node.children():
            ends_here = isinstance(node, c_ast.For) and field in ("init", "cond")
            waiting.append((child, in_end or ends_here))
    return ends - assigned


COMPARISONS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.NotEq)


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in _conjuncts(value)]
    return [test]


def _sides(name: str, test: ast.expr) -> tuple[ast.cmpop, ast.expr, bool] | None:
    """Return the sign of a comparison, the other side, and whether the name is on the right."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], COMPARISONS):
        return None
    left, right = test.left, test.comparators[0]
    for side, bound, is_right in ((left, right, False), (right, left, True)):
        more = _added(side, name)
        if more is not None:
            for by in more:
                bound = placed(ast.BinOp(bound, ast.Sub(), by), test.lineno)
            return test.ops[0], bound, is_right
    return None


def _added(node: ast.expr, name: str) -> list[ast.expr] | None:
    """Return what is added to a name, in ``k + 3 < n``; None if it is no such sum."""
    if _is_name(node, name):
        return []
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    for term, rest in ((node.left, node.right), (node.right, node.left)):
        more = _added(term, name)
        if more is not None and name not in {
            part.id for part in ast.walk(rest) if isinstance(part, ast.Name)
        }:
            return [*more, rest]
    return None


def _way(name: str, test: ast.expr) -> bool | None:
    """Return whether a loop runs down, as far as its test says."""
    found = _sides(name, test)
    if found is None or isinstance(found[0], ast.NotEq):
        return None
    return isinstance(found[0], ast.Gt | ast.GtE) != found[2]


def _stop(name: str, test: ast.expr, loop: Range, line: int) -> ast.expr:
    """Return the first value with which the loop does not run any more."""
    found = _sides(name, test)
    if found is not None:
        op, other, _ = found
        by_one = isinstance(loop.step, ast.Constant) and loop.step.value == 1
        if isinstance(op, ast.NotEq) and by_one:
            return other
        if not isinstance(op, ast.NotEq) and _way(name, test) == loop.down:
            if isinstance(op, ast.Lt | ast.Gt):
                return other
            beyond = ast.Sub() if loop.down else ast.Add()
            return placed(ast.BinOp(other, beyond, placed(ast.Constant(1), line)), line)
    sign = ">" if loop.down else "<"
    raise ProgramError(f"the loop over {name} does not run while '{name} {sign} stop'", line)


def _may_be_equal(test: ast.expr) -> bool:
    """Return whether a loop also runs where its variable is equal to a stop: 0 >= 0 for ever."""
    return isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.GtE | ast.LtE)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
