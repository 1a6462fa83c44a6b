"""Loop nests from C text, which is read and never run.

The text goes through its preprocessor (`c_source`), the function that is asked for is cut out
(`c_pieces`) and parsed (pycparser), and its tree is written as one of Python, which `syntax`
reads. Of a file without a name that is asked for the first ``#pragma scop`` counts, or its only
function, or statements outside of functions. ``_PB_N`` is the size N, as in PolyBench.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy, deepcopy
from dataclasses import replace
from typing import Final

from pycparser import c_ast

from dags.programs.layout import LoopNest
from dags.programs.nest import ProgramError
from dags.programs.text.c_calls import (
    MOST_CALLS,
    Callees,
    free_names,
    parameters_of,
    settled,
    takes_place,
)
from dags.programs.text.c_declarations import UNSIGNED, Declarations, type_words
from dags.programs.text.c_expressions import (
    Expressions,
    Pointer,
    line_of,
)
from dags.programs.text.c_pieces import LOOSE, FunctionPiece, Parser, Pieces, pieces_of
from dags.programs.text.c_pointers import (
    STEPS,
    Changes,
    changes_of,
    exchanged,
    is_block,
    is_swap,
    nodes_of,
)
from dags.programs.text.c_source import Source, Token, source_of
from dags.programs.text.counted_loops import (
    Range,
    conjuncts,
    counted,
    loop_of,
    may_be_equal,
    stop,
    way,
)
from dags.programs.text.scopes import Scopes, SizesNeededError, stored_names
from dags.programs.text.syntax import program_of, with_numbers, without_early_ends
from dags.programs.text.tables import Values, rows_of
from dags.programs.text.trees import Call, Fill, While, call_of, is_name, placed

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
    r"^(?:f?printf|puts|putchar|fflush|.*assert|free\w*|exit|srand|perror|abort|.*unused.*"
    r"|_?_?builtin_\w+|_mm_free|__assume\w*|.*prefetch\w*)$",
    re.IGNORECASE,
)  # calls that change no array
QUIET: Final = re.compile(
    r"^.*(?:timer|clock|barrier|time_start|time_stop|time_end|synchronize|syncthreads|log_\w+"
    r"|error|warn|fatal|die$|print).*$",
    re.IGNORECASE,
)  # calls that change none, as far as their names tell, if none is handed to them
FILLS: Final = ("memset", "memcpy", "memmove")
ONE_COUNTER: Final = "a loop counts by one variable: write for (i = start; i < stop; i++)"
FACTORS: Final = ("*", "/", "<<", ">>")
MOST_WAYS: Final = 32  # through the conditions of a function of numbers
MOST_STATES: Final = 4  # of pointers that change places in a loop
MAKERS: Final = re.compile(r"^(?:\w*alloca?|\w*calloc\w*|\w*malloc\w*|[dfi]?vector|[dfi]?matrix)$")
CLOCKS: Final = re.compile(r"^.*(?:wtime|clock|seconds|time|timer|tick|rdtsc)\w*$", re.IGNORECASE)
UNCOUNTED: Final = (
    "a '{}' loop is not read, since how often it runs depends on data: write "
    "for (i = start; i < stop; i++)"
)
REFUSED: Final[Mapping[type[c_ast.Node], str]] = {
    c_ast.Goto: "'goto' is not read: write loops and conditions",
    c_ast.Switch: "'switch' is not read: write conditions on loop variables and sizes",
}


def from_c(
    text: str, name: str | None = None, *, sizes: Mapping[str, int] | None = None
) -> LoopNest:
    """The loop nest in C text.

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
    numbers = {**chosen.constants, **(sizes or {})}
    return with_numbers(lambda fixed: chosen.program(text, fixed), numbers)


def is_one_function(text: str) -> bool:
    """Whether C text is a single function, all of which a compiler sees as it is read here.

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
        self.callees = Callees(self.pieces, self.parser, self.piece, source.unknown)
        self.tree = self.callees.parsed(self.piece)
        used = self.callees.words
        self.around = [] if self.is_loose else self.parser.declared(self.pieces, used)
        self.constants = {key.removeprefix("_PB_"): value for key, value in source.sizes.items()}

    def _named(self, name: str | None) -> FunctionPiece:
        functions = self.pieces.functions
        known = ", ".join(dict.fromkeys(function.name for function in functions)) or "none"
        if self.pieces.statements:
            raise ProgramError(
                "a statement stands outside of the functions", self.pieces.statements[0]
            )
        candidates = [function for function in functions if name in (None, function.name)]
        if not candidates:
            raise ProgramError(f"no function is called {name!r}; there are: {known}")
        if name is None and len(candidates) > 1:
            candidates = [function for function in candidates if _has_loops(function)] or candidates
        if len({function.name for function in candidates}) > 1:
            raise ProgramError(f"which function is meant? There are: {known}")
        if len(candidates) > 1:
            lines = " and ".join(str(function.tokens[0].line) for function in candidates[:2])
            raise ProgramError(f"{candidates[0].name} is there twice, in lines {lines}")
        return candidates[0]

    def program(self, text: str, fixed: Mapping[str, int]) -> LoopNest:
        """The loop nest, with the values of some sizes put in."""
        reader = _CReader(self)
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
            counted=frozenset(reader.places),
            tables=declared.tables,
        )
        scalars = (name for name in nest.written if not nest.dimensions[name])
        kept = (name for name in scalars if name in declared.outside)
        return replace(nest, returned=tuple(dict.fromkeys((*nest.returned, *kept))))


def _has_loops(piece: FunctionPiece) -> bool:
    """Whether a function is a nest as far as its words show."""
    words = {word.text for word in piece.tokens}
    return not words.isdisjoint(("for", "while")) and piece.name != "main"


def _wrapped(words: tuple[Token, ...]) -> FunctionPiece:
    """Statements outside of functions as a function."""
    first, last = (words[0].line, words[-1].line) if words else (1, 1)
    head = [Token("name", text, first) for text in ("void", LOOSE, "(", "void", ")", "{")]
    return FunctionPiece(LOOSE, (*head, *words, Token("sign", "}", last)))


class _CReader:
    """Turns statements of C into those of Python."""

    def __init__(self, chosen: _Chosen) -> None:
        self.declared = Declarations()
        self.callees = chosen.callees
        self.read = Expressions(
            self.declared,
            chosen.source.functions,
            chosen.parser,
            self._inlined,
            self._assignment,
        )
        self.constants: dict[str, int] = {}
        self.sizes = chosen.constants
        self.results: list[str] = []
        self.changes = Changes()
        self.places: set[str] = set()  # offsets of pointers, which are whole numbers
        self.waiting: set[str] = set()  # pointers that point nowhere yet
        self.exchanging: set[str] = set()  # pointers that change places in the loops around
        self.calling: list[str] = []  # functions that are read inside of this one
        self.result_name = ""  # of the innermost of them
        self.results_made: set[str] = set()
        self.filled = 0
        self.looping = 0  # loops around
        self.earlier: list[ast.stmt] = []  # statements of the block before the one that is read
        self.function_name = ""
        for node in chosen.around:
            self._outside(node)

    def _outside(self, node: c_ast.Node) -> None:
        """Note a declaration that stands outside of the function."""
        if isinstance(node, c_ast.Typedef):
            self.declared.typedefs[node.name] = type_words(node, self.declared.typedefs)
        kind = getattr(node, "type", None)
        inner = getattr(kind, "type", None)
        enum = kind if isinstance(kind, c_ast.Enum) else inner
        if isinstance(enum, c_ast.Enum):
            self._enumerated(enum)
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
        if "const" in node.quals and isinstance(node.init, c_ast.InitList):
            with suppress(ProgramError):
                values = self._values(node.init)
                if values is not None and all(map(self._is_constant, _flat(values))):
                    self.declared.made.add(name)
                    self.declared.tabulate(name, values, self.numbers)

    def _enumerated(self, node: c_ast.Enum) -> None:
        """Note the constants of an enumeration."""
        value = -1
        for enumerator in node.values.enumerators if node.values is not None else ():
            form = None
            if enumerator.value is not None:
                scopes = Scopes(counting=frozenset(), fixed=self.constants)
                form = scopes.form(self.read.value(enumerator.value))
            value = value + 1 if form is None else form.constant
            self.constants[enumerator.name] = value

    def function(self, tree: c_ast.FuncDef, name: str, *, is_loose: bool) -> ast.FunctionDef:
        """A function of Python with the statements of one of C."""
        self.function_name = name
        line = line_of(tree.decl)
        parameters = tree.decl.type.args.params if tree.decl.type.args is not None else []
        names: list[str] = []
        self.changes = changes_of(tree.body)
        self.read.counts = _counted_arrays(tree.body)
        body: list[ast.stmt] = []
        with self.declared.block():
            for parameter in parameters:
                if isinstance(parameter, c_ast.Decl) and parameter.name is not None:
                    names.append(self._declared(parameter))
                    body += self._walking(parameter, names[-1])
                    body += self._counting(parameter, names[-1])
            items = tree.body.block_items or []
            body = self.statements(items, makes=not is_loose, before=body)
        arguments = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(name) for name in names],
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
        values = node.init.exprs if isinstance(node.init, c_ast.InitList) else []
        is_flat = isinstance(node.type, c_ast.ArrayDecl) and node.type.dim is None
        if is_flat and values and len(sides) == 1 and not _is_placed(values):
            sides = [placed(ast.Constant(len(values)), line_of(node))]
        if is_pointer and not sides:
            sides = [placed(ast.Constant(None), line_of(node))]
        name = self.declared.add(node.name.removeprefix("_PB_"), words, sides)
        if makes and isinstance(node.type, c_ast.ArrayDecl):
            self.declared.made.add(name)
        return name

    def statements(
        self, items: list[c_ast.Node], *, makes: bool = True, before: Sequence[ast.stmt] = ()
    ) -> list[ast.stmt]:
        """The statements of a block, behind those that come `before` it."""
        nodes = [*before]
        kept = self.earlier
        for item in items:
            self.earlier = nodes
            nodes += self.statement(item, makes=makes)
        self.earlier = kept
        return nodes

    def block(self, node: c_ast.Node | None) -> list[ast.stmt]:
        """The statements in braces, or one."""
        if node is None:
            return []
        self.read.deeper(node)
        with self.declared.block():
            if isinstance(node, c_ast.Compound):
                statements = self.statements(node.block_items or [])
            else:
                statements = self.statement(node)
        self.read.depth -= 1
        return statements

    def statement(self, node: c_ast.Node, *, makes: bool = True) -> list[ast.stmt]:
        """The statements that one of C is, with those of the calls in it."""
        with self.read.hoisting(node) as (before, after):
            statements = self._statement(node, makes=makes)
        return [*before, *statements, *after]

    def _statement(self, node: c_ast.Node, *, makes: bool) -> list[ast.stmt]:
        line = line_of(node)
        if isinstance(node, c_ast.Decl):
            return self._declaration(node, makes=makes)
        if isinstance(node, c_ast.DeclList):
            return [
                statement
                for decl in node.decls
                for statement in self._declaration(decl, makes=makes)
            ]
        if isinstance(node, c_ast.Compound):
            return self.block(node)
        if isinstance(node, c_ast.Label):
            return self.statement(node.stmt)
        if isinstance(node, c_ast.For):
            with self.declared.block():
                return self._loops(node)
        if is_block(node):
            return self.block(node.stmt)
        if isinstance(node, c_ast.While | c_ast.DoWhile):
            kind = "do" if isinstance(node, c_ast.DoWhile) else "while"
            return self._while(node, UNCOUNTED.format(kind))
        if isinstance(node, c_ast.If):
            test = self.read.condition(node.cond)
            kept, self.exchanging = self.exchanging, set()
            body = self.block(node.iftrue) or [placed(ast.Pass(), line)]
            otherwise = self.block(node.iffalse)
            self.exchanging = kept
            return [placed(ast.If(test, body, otherwise), line)]
        if isinstance(node, c_ast.Return):
            return self._result(node)
        if isinstance(node, c_ast.Continue):
            return [placed(ast.Continue(), line)]
        if isinstance(node, c_ast.Break):
            return [placed(ast.Break(), line)]
        if type(node) in REFUSED:
            raise ProgramError(REFUSED[type(node)], line)
        if isinstance(node, c_ast.Assignment):
            return self._assignment(node)
        if isinstance(node, c_ast.UnaryOp) and node.op in STEPS:
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
        if is_swap(node):
            return self._swapped(node)
        if self.callees.tree(name) is not None:
            self._inlined(node, is_statement=True)
            return []
        if QUIET.match(name) and not self._takes_places(node):
            return []
        if name in FILLS and node.args is not None and len(node.args.exprs) == 3:
            return self._filled_by(name, node.args.exprs, line)
        called = placed(ast.Name(name, ast.Load()), line)  # refused where it is run
        return [placed(ast.Expr(placed(ast.Call(called, [], []), line)), line)]

    def _takes_places(self, node: c_ast.FuncCall) -> bool:
        """Whether a call is handed an array or an address."""
        for part in nodes_of(node.args) if node.args is not None else ():
            if isinstance(part, c_ast.ID) and part.name not in self.read.said:
                name = self.declared.known(part.name, line_of(part))
                if name in self.declared.arrays or name in self.read.pointers:
                    return True
        return False

    def _is_inside(self, tree: c_ast.FuncDef) -> bool:
        """Whether a function is no operation of numbers: it reads or changes memory."""
        if any(takes_place(tree, parameter) for parameter in parameters_of(tree)):
            return True
        return not (self.declared.outside - self.declared.made).isdisjoint(free_names(tree))

    def _inlined(self, node: c_ast.FuncCall, *, is_statement: bool = False) -> ast.expr | None:
        """The value of a call of a function of the file, whose statements come before.

        None where it is an operation of numbers, which has a name of its own.

        Parameters
        ----------
        node
            The call.
        is_statement
            Whether it is a statement of its own.
        """
        name, line = node.name.name, line_of(node)
        tree = self.callees.tree(name)
        if tree is None or name in self.read.macros:
            return None
        parameters = parameters_of(tree)
        arguments = [] if node.args is None else node.args.exprs
        is_inside = self._is_inside(tree)
        if not is_inside and is_statement:
            return None
        if len(parameters) != len(arguments):
            raise ProgramError(
                f"{name} takes {len(parameters)} arguments, not {len(arguments)}", line
            )
        if name in (self.function_name, *self.calling) or len(self.calling) >= MOST_CALLS:
            raise ProgramError(f"{name} calls itself: recursion is not read", line)
        if not is_inside:
            with self.read.hoisting(self.read.statement) as (before, after):
                try:
                    call = self._operation(tree, name, parameters, arguments, line)
                except SizesNeededError:
                    raise
                except ProgramError:
                    call = None
            return None if before or after else call
        bound = [
            self._bound(argument) if takes_place(tree, parameter) else self.read.value(argument)
            for parameter, argument in zip(parameters, arguments, strict=True)
        ]
        result = f"{name}_result"
        while result in self.callees.words or result in self.results_made:
            result += "_"
        self.results_made.add(result)
        with self._inside(name, tree, result):
            body: list[ast.stmt] = []
            for parameter, place in zip(parameters, bound, strict=True):
                body += self._handed(parameter, place, line)
            body += self.statements(tree.body.block_items or [])
        self.read.before += settled(body, name)
        return placed(ast.Name(result, ast.Load()), line)

    def _operation(
        self,
        tree: c_ast.FuncDef,
        name: str,
        parameters: list[c_ast.Decl],
        arguments: list[c_ast.Node],
        line: int,
    ) -> ast.expr | None:
        """The call of a function of numbers: the value that it returns is its meaning.

        None where it does more than choose and compute.

        Parameters
        ----------
        tree, name
            The function.
        parameters, arguments
            What it takes, and what is handed to it.
        line
            Of the call.
        """
        values = [self.read.value(argument) for argument in arguments]
        call = Call(placed(ast.Name(name, ast.Load()), line), values, [])
        with self._inside(name, tree, ""):
            for parameter, value in zip(parameters, values, strict=True):
                self.read.replaced[self._declared(parameter)] = value
            meaning = self._returned(tree.body.block_items or [])
        if meaning is None:
            return None
        call.meaning = meaning
        return placed(call, line)

    def _returned(self, items: Sequence[c_ast.Node], ways: int = MOST_WAYS) -> ast.expr | None:
        """The value that the statements of a function of numbers return, as selections.

        None where they do more than choose and compute.

        Parameters
        ----------
        items
            The statements.
        ways
            How many ways through them there may be.
        """
        for place, item in enumerate(items):
            if isinstance(item, c_ast.Return):
                return None if item.expr is None else self.read.value(item.expr)
            if isinstance(item, c_ast.If):
                return self._either(item, items[place + 1 :], ways // 2)
            if isinstance(item, c_ast.Decl) and isinstance(item.type, c_ast.TypeDecl):
                value = None if item.init is None else self.read.value(item.init)
                name = self._declared(item)
            elif isinstance(item, c_ast.Assignment) and isinstance(item.lvalue, c_ast.ID):
                name = self.declared.known(item.lvalue.name, line_of(item))
                value = self.read.value(item.rvalue)
                if item.op in UPDATES:
                    before = self.read.value(item.lvalue)
                    value = placed(ast.BinOp(before, UPDATES[item.op](), value), line_of(item))
            else:
                return None
            if value is not None:
                self.read.replaced[name] = value
        return None

    def _either(
        self, node: c_ast.If, following: Sequence[c_ast.Node], ways: int
    ) -> ast.expr | None:
        """The value that a function returns by a condition, and by what comes behind it.

        Parameters
        ----------
        node, following
            The condition, and the statements behind it.
        ways
            How many ways there may be through either branch.
        """
        test = self.read.condition(node.cond)
        values: list[ast.expr] = []
        for branch in (node.iftrue, node.iffalse):
            block = branch.block_items or [] if isinstance(branch, c_ast.Compound) else [branch]
            items = [item for item in block if item is not None]
            before = dict(self.read.replaced)
            with self.declared.block():
                value = self._returned([*items, *following], ways) if ways else None
            self.read.replaced = before
            if value is None:
                return None
            values.append(value)
        return placed(ast.IfExp(test, *values), line_of(node))

    def _bound(self, argument: c_ast.Node) -> Pointer | bool:
        """The place that is handed to a function; False for none."""
        inner = argument
        while isinstance(inner, c_ast.Cast):
            inner = inner.expr
        is_name = isinstance(inner, c_ast.ID)
        if (is_name and inner.name == "NULL") or getattr(inner, "value", None) == "0":
            return False
        return self.read.pointer(argument)

    def _handed(
        self, parameter: c_ast.Decl, value: Pointer | bool | ast.expr, line: int
    ) -> list[ast.stmt]:
        """Let a parameter of a function that is called stand for what is handed to it."""
        name = self._declared(parameter)
        self.read.pointers.pop(name, None)
        self.read.replaced.pop(name, None)
        self.read.there.pop(name, None)
        if isinstance(value, bool):
            self.read.there[name] = value
            return []
        if isinstance(value, Pointer):
            asked = self.read.there.get(value.array, value.array)
            is_bare = value.offset is None and not value.lead and not value.is_scalar
            self.read.there[name] = asked if is_bare else True
            self.declared.arrays.pop(name, None)
            offsets = [] if value.offset is None else ast.walk(value.offset)
            varies = any(isinstance(offset, ast.Name) for offset in offsets)
            if varies or self.changes.moves(parameter.name, is_set=True):
                return self._at_place(name, value, line)
            self.read.pointers[name] = value
            return []
        is_plain = isinstance(value, ast.Constant) or (
            isinstance(value, ast.Name) and value.id not in self.declared.outside
        )
        if is_plain and not self.changes.has(parameter.name):
            self.read.replaced[name] = value
            return []
        return [placed(ast.Assign([placed(ast.Name(name, ast.Store()), line)], value), line)]

    @contextmanager
    def _inside(self, name: str, tree: c_ast.FuncDef, result: str) -> Iterator[None]:
        """Read a function that is called, with names of its own."""
        kept = self.changes, self.exchanging, self.result_name
        self.changes, self.exchanging, self.result_name = changes_of(tree.body), set(), result
        self.calling.append(name)
        try:
            with self.declared.called():
                yield
        except ProgramError as error:
            if type(error) is not ProgramError:
                raise
            raise ProgramError(f"in {name}, which is called: {error.message}", error.line) from None
        finally:
            self.calling.pop()
            self.changes, self.exchanging, self.result_name = kept

    def _filled_by(self, name: str, arguments: list[c_ast.Node], line: int) -> list[ast.stmt]:
        """The loop over cells that ``memset`` or ``memcpy`` is."""
        target, source, size = arguments
        if name == "memset" and getattr(source, "value", "0") != "0":
            raise ProgramError("memset is read where it writes 0: write its loop", line)
        pointer = self.read.pointer(target)
        width = self.declared.width_of(pointer.array)
        rows = self.declared.extents_of(pointer.array, 0)
        measured = getattr(size, "expr", None) if getattr(size, "op", "") == "sizeof" else None
        is_same = isinstance(target, c_ast.ID) and getattr(measured, "name", "") == target.name
        if name == "memset" and is_same and rows and len(rows) > 1 and not pointer.offset:
            return self._blanked(pointer, rows, line)
        count = self.read.value(size)
        if width is None or pointer.lead or len(self.declared.arrays.get(pointer.array, [0])) > 1:
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
        cell = self.read.at(pointer, index, line)
        assert isinstance(cell, ast.Subscript)
        cell.ctx = ast.Store()
        body: list[ast.stmt] = [placed(ast.Assign([cell], value), line)]
        counter = placed(ast.Name(place, ast.Store()), line)
        loop = placed(ast.For(counter, call_of("range", [count], line), body, []), line)
        loop.type_comment = "up"
        return [loop]

    def _blanked(self, pointer: Pointer, sides: list[ast.expr], line: int) -> list[ast.stmt]:
        """The loops that make all cells of an array 0."""
        self.filled += 1
        names = [f"cell_{self.filled}_{axis}" for axis in range(len(sides))]
        indices = [placed(ast.Name(name, ast.Load()), line) for name in names]
        cell = self.read.at(pointer, indices, line)
        assert isinstance(cell, ast.Subscript)
        cell.ctx = ast.Store()
        statement: ast.stmt = placed(ast.Assign([cell], placed(ast.Constant(0), line)), line)
        for name, side in reversed([*zip(names, sides, strict=True)]):
            counter = placed(ast.Name(name, ast.Store()), line)
            call = call_of("range", [side], line)
            statement = placed(ast.For(counter, call, [statement], []), line)
            statement.type_comment = "up"
        return [statement]

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
        """A value; what a clock says is a constant."""
        called = node.name if isinstance(node, c_ast.FuncCall) else None
        is_clock = isinstance(called, c_ast.ID) and CLOCKS.match(called.name)
        if is_clock and (node.args is None or not self._reads(node.args)):
            return placed(ast.Constant(0.0), line_of(node))
        return self.read.value(node)

    def _reads(self, arguments: c_ast.Node) -> bool:
        """Whether arguments are anything else than numbers and addresses."""
        return any(
            not isinstance(expr, c_ast.Constant)
            and not (isinstance(expr, c_ast.UnaryOp) and expr.op == "&")
            and not (isinstance(expr, c_ast.ID) and expr.name == "NULL")
            for expr in arguments.exprs
        )

    def _filled(self, node: c_ast.Decl, value: c_ast.InitList) -> list[ast.stmt]:
        """An array that is declared with its values: constants, or assignments to its cells."""
        line = line_of(node)
        values = self._values(value)
        name = self._declared(node, makes=True)
        if not isinstance(node.type, c_ast.ArrayDecl):
            raise ProgramError(
                f"{node.name} is no array and is declared with values in braces: assign its fields",
                line,
            )
        if values is None:
            return []
        sides = self.declared.arrays.get(name, [])
        is_constant = all(map(self._is_constant, _flat(values)))
        if is_constant:
            self.declared.tabulate(name, values, self.numbers)
            if not self.looping or "static" in node.storage:
                return []
        forms = [Scopes(counting=frozenset(), fixed=self.numbers).form(side) for side in sides]
        rows = rows_of(
            values,
            [None if form is None or form.terms else form.constant for form in forms],
        )
        if rows is None or not sides:
            raise ProgramError(
                "an array is declared with values that are computed: assign its cells", line
            )
        base = placed(ast.Name(name, ast.Load()), line)
        blank = _blank(name, sides, line)
        kind = Fill if is_constant else ast.Assign
        return [*blank, *_assignments(base, rows, kind, is_blank=bool(blank), line=line)]

    @property
    def numbers(self) -> dict[str, int]:
        """The names that the text defines as whole numbers."""
        return {**self.sizes, **self.constants}

    def _values(self, node: c_ast.InitList) -> list[Values] | None:
        """The values in braces; None where some say which cells they are for."""
        values: list[Values] = []
        for part in node.exprs:
            if isinstance(part, c_ast.NamedInitializer):
                return None
            inner = (
                self._values(part) if isinstance(part, c_ast.InitList) else self.read.value(part)
            )
            if inner is None:
                return None
            values.append(inner)
        return values

    def _is_constant(self, value: ast.expr) -> bool:
        """Whether a value reads nothing but numbers that the text defines."""
        parts = [*ast.walk(value)]
        called = {id(part.func) for part in parts if isinstance(part, Call)}
        return not any(
            isinstance(part, ast.Subscript)
            or (isinstance(part, ast.Call) and not isinstance(part, Call))
            or (
                isinstance(part, ast.Name)
                and id(part) not in called
                and part.id not in self.numbers
            )
            for part in parts
        )

    def _pointer(self, node: c_ast.Decl) -> list[ast.stmt]:
        """Read the declaration of a pointer: an array of its own, or a place in another one."""
        name = self._declared(node)
        if node.init is not None:
            return self._points(name, node.name, node.init, is_first=True)
        self.declared.made.add(name)
        if node.name in self.changes.assigned:
            self.waiting.add(name)
        return []

    def _counting(self, node: c_ast.Decl, name: str) -> list[ast.stmt]:
        """The beginning of a parameter that loops count: a number of its own.

        The size that the user gives keeps its name.
        """
        is_whole = isinstance(node.type, c_ast.TypeDecl) and name not in self.declared.real
        if not is_whole or node.name not in self.changes.counted:
            return []
        line = line_of(node)
        target = placed(ast.Name(self._declared(node), ast.Store()), line)
        return [placed(ast.Assign([target], placed(ast.Name(name, ast.Load()), line)), line)]

    def _walking(self, node: c_ast.Decl, name: str) -> list[ast.stmt]:
        """The beginning of a parameter that is a pointer and moves."""
        is_pointer = isinstance(node.type, c_ast.PtrDecl | c_ast.ArrayDecl)
        if not is_pointer or not self.changes.moves(node.name, is_set=True):
            return []
        if node.name in self.changes.exchanged:
            return []
        return self._at_place(name, Pointer(name), line_of(node))

    def _at_place(self, name: str, place: Pointer, line: int) -> list[ast.stmt]:
        """Let a pointer point to a place whose offset is a whole number with a name."""
        offset = place.offset or placed(ast.Constant(0), line)
        counter = f"{name}_at"
        while counter in self.callees.words:
            counter += "_"
        self.places.add(counter)
        index = placed(ast.Name(counter, ast.Load()), line)
        self.read.pointers[name] = replace(place, offset=index)
        target = placed(ast.Name(counter, ast.Store()), line)
        return [placed(ast.Assign([target], offset), line)]

    def _points(
        self, name: str, spelling: str, value: c_ast.Node, *, is_first: bool
    ) -> list[ast.stmt]:
        """Note where a pointer points to from here on.

        Parameters
        ----------
        name, spelling
            The pointer, as it is known here and in the text.
        value
            Where it points to.
        is_first
            Whether it is declared here.
        """
        line = line_of(value)
        inner = value
        while isinstance(inner, c_ast.Cast):
            inner = inner.expr
        called = inner.name if isinstance(inner, c_ast.FuncCall) else None
        is_set = name not in self.waiting
        is_first = is_first or not is_set
        if isinstance(called, c_ast.ID) and MAKERS.match(called.name):
            self.declared.made.add(name)
            self.waiting.discard(name)
            moves = is_first and self.changes.moves(spelling, is_set=True)
            return self._at_place(name, Pointer(name), line) if moves else []
        pointer = self.read.pointer(value)
        known = None if is_first else self.read.pointers.get(name, Pointer(name))
        self.waiting.discard(name)
        if known is not None and not self._is_same(known, pointer) and name not in self.exchanging:
            raise ProgramError(
                f"{spelling} points into {known.array} and into {pointer.array}: write cells as "
                "A[i*n + j]",
                line,
            )
        self.declared.arrays.pop(name, None) if name != pointer.array else None
        self.declared.made.discard(name)
        moves = self.changes.moves(spelling, is_set=is_set)
        names = [] if pointer.offset is None else ast.walk(pointer.offset)
        varies = any(isinstance(name, ast.Name) for name in names)
        exchanges = name in self.exchanging or (
            spelling in self.changes.exchanged and spelling not in self.changes.stepped
        )
        if varies or (moves and not exchanges):
            return self._at_place(name, pointer, line)
        self.read.pointers[name] = pointer
        return []

    @staticmethod
    def _is_same(left: Pointer, right: Pointer) -> bool:
        """Whether two places are in one row of one array."""
        rows = [
            [*map(ast.unparse, pointer.lead), *map(ast.unparse, pointer.sides or ())]
            for pointer in (left, right)
        ]
        return left.array == right.array and rows[0] == rows[1]

    def _swapped(self, node: c_ast.FuncCall) -> list[ast.stmt]:
        """Read ``swap(a, b)`` of two pointers."""
        line = line_of(node)
        first, second = (self.declared.known(expr.name, line) for expr in node.args.exprs)
        if not {first, second} <= self.exchanging:
            raise ProgramError(
                "swap is read of two pointers in the body of a loop: write cells as A[t % 2][i]",
                line,
            )
        places = self.read.pointers
        places[first], places[second] = (
            places.get(second, Pointer(second)),
            places.get(first, Pointer(first)),
        )
        return []

    def _assignment(self, node: c_ast.Assignment) -> list[ast.stmt]:
        """An assignment, with or without an operator."""
        line = line_of(node)
        target = node.lvalue
        if isinstance(target, c_ast.ID):
            name = self.declared.known(target.name, line)
            if self._is_pointer(name) and node.op == "=":
                return self._points(name, target.name, node.rvalue, is_first=False)
            if self._is_pointer(name):
                return self._moved(name, node.op, node.rvalue, line)
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
        cells: list[ast.expr] = [self._cell(target) for target in targets]
        return [placed(ast.Assign(cells, value), line)]

    def _is_pointer(self, name: str) -> bool:
        """Whether a name is a pointer, not an array with extents."""
        sides = self.declared.arrays.get(name, [])
        is_open = bool(sides) and isinstance(sides[0], ast.Constant) and sides[0].value is None
        return name in self.read.pointers or is_open

    def _moved(self, name: str, op: str, distance: c_ast.Node | None, line: int) -> list[ast.stmt]:
        """The step of a pointer that moves: its offset is a whole number that changes."""
        place = self.read.pointers.get(name)
        counter = None if place is None else place.offset
        if op not in ("+=", "-=") or place is None or not isinstance(counter, ast.Name):
            raise ProgramError(f"{name} is a pointer that moves: write cells as A[i*n + j]", line)
        step = placed(ast.Constant(1), line) if distance is None else self.read.value(distance)
        for side in place.sides or ():
            step = placed(ast.BinOp(step, ast.Mult(), side), line)
        target = placed(ast.Name(counter.id, ast.Store()), line)
        return [placed(ast.AugAssign(target, UPDATES[op](), step), line)]

    def _cell(self, node: c_ast.Node) -> ast.Name | ast.Subscript:
        """A cell that is assigned to."""
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            cell = self.read.value(node)
        elif isinstance(node, c_ast.ID | c_ast.ArrayRef | c_ast.StructRef | c_ast.UnaryOp):
            cell = copy(self.read.cell(node))
        else:
            raise ProgramError("an assignment goes to no cell of an array", line_of(node))
        if not isinstance(cell, ast.Name | ast.Subscript):
            raise ProgramError("an assignment goes to no cell of an array", line_of(node))
        cell.ctx = ast.Store()
        return cell

    def _stepped(self, node: c_ast.UnaryOp) -> list[ast.stmt]:
        """``i++`` of a number or a pointer."""
        line = line_of(node)
        op = "+=" if "+" in node.op else "-="
        if isinstance(node.expr, c_ast.ID):
            name = self.declared.known(node.expr.name, line)
            if self._is_pointer(name):
                return self._moved(name, op, None, line)
        step = placed(ast.Constant(1), line)
        return [placed(ast.AugAssign(self._cell(node.expr), UPDATES[op](), step), line)]

    def _result(self, node: c_ast.Return) -> list[ast.stmt]:
        """The result of a function: one that is computed gets a name."""
        line = line_of(node)
        if self.calling and node.expr is not None:
            target = placed(ast.Name(self.result_name, ast.Store()), line)
            value = self.read.value(node.expr)
            assign = placed(ast.Assign([target], value), line)
            return [assign, placed(ast.Return(None), line)]
        if node.expr is None or isinstance(node.expr, c_ast.Constant):
            return [placed(ast.Return(None), line)]
        if isinstance(node.expr, c_ast.ID):
            name = self.declared.known(node.expr.name, line)
            if name in self.declared.arrays:
                return [placed(ast.Return(placed(ast.Name(name, ast.Load()), line)), line)]
        value = self.read.value(node.expr)
        if isinstance(value, ast.Name):
            return [placed(ast.Return(value), line)]
        name = f"{self.function_name}_result"
        target = placed(ast.Name(name, ast.Store()), line)
        returned = placed(ast.Return(placed(ast.Name(name, ast.Load()), line)), line)
        return [placed(ast.Assign([target], value), line), returned]

    def _loops(self, node: c_ast.For) -> list[ast.stmt]:
        """A loop, and what its head begins beside its own variable."""
        refusal = _refusal(node)
        if refusal:
            begins = [node.init]
            if isinstance(node.init, c_ast.ExprList):
                begins = node.init.exprs
            ends = [*node.next.exprs] if isinstance(node.next, c_ast.ExprList) else [node.next]
            first = [
                statement
                for begin in begins
                if begin is not None
                for statement in self.statement(begin, makes=False)
            ]
            self.earlier = [*self.earlier, *first]
            return [*first, *self._while(node, refusal, [end for end in ends if end is not None])]
        node, before = self._with_one_counter(node)
        line = line_of(node)
        head = self._counted(node)
        if self.read.after:
            raise ProgramError("++ in a loop's head is read of its own variable", line)
        bodies, states = self._bodies(node.stmt, line)
        return [*before, self._turning(head, bodies, states, line)]

    def _while(
        self,
        node: c_ast.While | c_ast.DoWhile | c_ast.For,
        refusal: str,
        ends: Sequence[c_ast.Node] = (),
    ) -> list[ast.stmt]:
        """A loop whose body counts what its test reads.

        What the test counts behind its value is counted in front of the body, and once more behind
        the loop; what it counts before its value, in front of the loop and behind the body. A body
        that comes before the test is a loop where the test holds at first, and else runs once. A
        loop that counts by no step runs as its test says.

        Parameters
        ----------
        node
            The loop.
        refusal
            Why it is not read if it neither counts nor ends by what is known.
        ends
            What is done behind its body each time.
        """
        line, is_do = line_of(node), isinstance(node, c_ast.DoWhile)
        earlier = self.earlier
        with self.read.hoisting(node.cond) as (before, after):
            test = self.read.condition(node.cond)
        bodies, states = self._bodies(node.stmt, line)
        steps = [statement for end in ends for statement in self.statement(end)]
        turns = [
            [*after, *without_early_ends(body, ast.Continue), *steps, *before] for body in bodies
        ]
        first = deepcopy(turns[0][len(after) :] if is_do else before)
        loops = [loop for loop in (counted(test, turn) for turn in turns) if loop is not None]
        is_unread = is_do and (after or len(bodies) > 1)
        if len(loops) < len(turns) or is_unread or (before and after):
            if states:
                raise ProgramError(refusal, line)
            loop = placed(While(test, turns[0], []), line)
            called = f"in {self.calling[-1]}, which is called: " if self.calling else ""
            loop.refusal = called + refusal
            return [*first, loop, *deepcopy(after)]
        for head, _ in loops:
            is_unsigned = head.variable in self.declared.unsigned
            if head.down and is_unsigned and may_be_equal(test):
                raise ProgramError(
                    f"{head.variable} is unsigned: where it counts down, write >", line
                )
            head.start = _assigned(head.variable, [*earlier, *before]) if states else None
        statement: ast.stmt = self._turning(loops[0][0], [body for _, body in loops], states, line)
        if is_do:
            return [placed(ast.If(test, [statement], first), line)]
        return [*first, statement, *deepcopy(after)]

    def _bodies(
        self, body: c_ast.Node, line: int
    ) -> tuple[list[list[ast.stmt]], list[dict[str, Pointer]]]:
        """The bodies of a loop, which come by turns, and where pointers point before each.

        There are several where pointers change places at the end of an iteration.
        """
        places = self.read.pointers
        names = {
            name
            for name in (self.declared.known(side, line) for side in exchanged(body))
            if self._is_pointer(name)
        }
        exchanging = names - self.waiting
        if not exchanging:
            return [self._body(body, set())], []
        states = [{name: places.get(name, Pointer(name)) for name in exchanging}]
        bodies: list[list[ast.stmt]] = []
        while not bodies or states[-1] != states[0]:
            if len(bodies) == MOST_STATES:
                raise ProgramError(
                    "pointers change places in more ways than are read: write cells as A[t % 2][i]",
                    line,
                )
            bodies.append(self._body(body, names))
            states.append({name: places[name] for name in exchanging})
        return bodies, states

    def _turning(
        self,
        head: Range,
        bodies: list[list[ast.stmt]],
        states: list[dict[str, Pointer]],
        line: int,
    ) -> ast.For:
        """A loop whose bodies come by turns.

        Parameters
        ----------
        head, bodies
            Its values, and its bodies.
        states
            Where pointers point before each body, and behind the last; none if none moves.
        line
            Of the loop.
        """
        if not states:
            return loop_of(head, bodies[0], line)
        count = self._count(head, line)
        self.read.pointers.update(states[count % len(bodies)])
        return loop_of(head, self._by_turns(head, bodies, line), line)

    def _body(self, node: c_ast.Node, exchanging: set[str]) -> list[ast.stmt]:
        kept, self.exchanging = self.exchanging, exchanging
        self.looping += 1
        body = self.block(node)
        self.looping -= 1
        self.exchanging = kept
        return body

    def _count(self, head: Range, line: int) -> int:
        """How often a loop runs whose pointers change places."""
        fixed = {**self.constants, **self.read.given}
        names = {
            node.id
            for end in (head.start, *head.stops)
            if end is not None
            for node in ast.walk(end)
            if isinstance(node, ast.Name)
        }
        scopes = Scopes(counting=frozenset(names), fixed=fixed)
        start = None if head.start is None else scopes.form(head.start)
        stops = [scopes.form(stop) for stop in head.stops]
        forms = [form for form in (start, *stops) if form is not None]
        is_step = isinstance(head.step, ast.Constant)
        if len(forms) <= len(stops) or not is_step:
            raise ProgramError(
                "how often pointers change places is not known: write cells as A[t % 2][i]", line
            )
        sizes = {name for form in forms for name in form.names}
        if sizes:
            raise SizesNeededError(sizes, "a loop in which pointers change places", line)
        first, ends = forms[0].constant, [form.constant for form in forms[1:]]
        step = int(head.step.value)  # type: ignore[union-attr]  # looked at above
        if head.down:
            return len(range(first, max(ends), -step))
        return len(range(first, min(ends), step))

    def _by_turns(self, head: Range, bodies: list[list[ast.stmt]], line: int) -> list[ast.stmt]:
        """The bodies of a loop's iterations, which come by turns."""
        if len(bodies) == 1:
            return bodies[0]
        assert head.start is not None
        assert isinstance(head.step, ast.Constant)
        step = int(head.step.value)  # type: ignore[arg-type]  # a whole number
        index = placed(ast.Name(head.variable, ast.Load()), line)
        sides = (head.start, index) if head.down else (index, head.start)
        far = placed(ast.BinOp(sides[0], ast.Sub(), sides[1]), line)
        period = placed(ast.Constant(step * len(bodies)), line)
        remainder = placed(ast.BinOp(far, ast.Mod(), period), line)
        nodes = bodies[-1]
        for turn in reversed(range(len(bodies) - 1)):
            place = placed(ast.Constant(step * turn), line)
            test = placed(ast.Compare(remainder, [ast.Eq()], [place]), line)
            nodes = [placed(ast.If(test, bodies[turn] or [placed(ast.Pass(), line)], nodes), line)]
        return nodes

    def _with_one_counter(self, node: c_ast.For) -> tuple[c_ast.For, list[ast.stmt]]:
        """A loop whose head has one variable, and what comes before it.

        ``for (s = 0, i = 0, j = n; i < n; i++, j--)`` begins s and j before it, and counts j at
        the end of its body.
        """
        init, steps = node.init, node.next
        begins = init.exprs if isinstance(init, c_ast.ExprList) else []
        begins = init.decls if isinstance(init, c_ast.DeclList) else begins
        ends = steps.exprs if isinstance(steps, c_ast.ExprList) else [steps]
        if len(begins) < 2 and len(ends) < 2:
            return node, []
        line = line_of(node)
        tested = {node.name for node in nodes_of(node.cond) if isinstance(node, c_ast.ID)}
        counters = [end for end in ends if _changed_name(end) in tested]
        if len(counters) != 1:
            raise ProgramError(ONE_COUNTER, line)
        (counter,) = counters
        name = _changed_name(counter)
        first = [
            begin
            for begin in begins
            if (begin.name if isinstance(begin, c_ast.Decl) else _changed_name(begin)) == name
        ]
        further = [begin for begin in begins if begin not in first]
        before = [
            statement for begin in further for statement in self.statement(begin, makes=False)
        ]
        head: c_ast.Node | None = init if len(begins) < 2 else None
        if first:
            is_decl = isinstance(first[0], c_ast.Decl)
            head = c_ast.DeclList(first, node.coord) if is_decl else first[0]
        more = [end for end in ends if end is not counter]
        if more and any(isinstance(node, c_ast.Continue) for node in nodes_of(node.stmt)):
            raise ProgramError(
                "a loop with 'continue' counts by one variable: write the others in its body", line
            )
        body = c_ast.Compound([node.stmt, *more], node.stmt.coord) if more else node.stmt
        return c_ast.For(head, node.cond, counter, body, node.coord), before

    def _counted(self, node: c_ast.For) -> Range:
        """The variable, start, stops and step of a loop."""
        line = line_of(node)
        begin, words = self._begun(node)
        name = begin.variable
        if node.next is None and isinstance(node.cond, c_ast.UnaryOp) and node.cond.op == "p--":
            unit = placed(ast.Constant(1), line)
            assert begin.start is not None
            begin.start = placed(ast.BinOp(begin.start, ast.Sub(), unit), line)
            begin.stops, begin.down = [placed(ast.Constant(-1), line)], True
            return begin
        if node.cond is None:
            raise ProgramError("a loop without an end is not read: write i < stop", line)
        begin.step, sign = self._step(name, node)
        tests = conjuncts(self.read.value(node.cond))
        downs = {down for down in (way(name, test) for test in tests) if down is not None}
        begin.down = downs.pop() if len(downs) == 1 and sign is None else sign == -1
        if sign is None and isinstance(node.next, c_ast.Assignment) and node.next.op == "-=":
            begin.down = True
        shown = self._spelled(name)
        begin.stops = [stop(name, test, begin, line, shown=shown) for test in tests]
        unsigned = bool(words & UNSIGNED) or name in self.declared.unsigned
        if begin.down and unsigned and any(may_be_equal(test) for test in tests):
            raise ProgramError(f"{name} is unsigned: where it counts down, write >", line)
        return begin

    def _begun(self, node: c_ast.For) -> tuple[Range, frozenset[str]]:
        """The variable of a loop and its start, and the words of its type."""
        line = line_of(node)
        init = node.init
        if isinstance(init, c_ast.ExprList) and len(init.exprs) == 1:
            init = init.exprs[0]
        if isinstance(init, c_ast.DeclList) and len(init.decls) == 1 and init.decls[0].init:
            (decl,) = init.decls
            if isinstance(decl.type, c_ast.PtrDecl):
                alias = self._declared(decl)
                return self._walked(alias, decl.name, decl.init, is_first=True), frozenset()
            start = self.read.value(decl.init)
            words = type_words(decl, self.declared.typedefs)
            return Range(self._declared(decl), start), words
        if isinstance(init, c_ast.Assignment) and isinstance(init.lvalue, c_ast.ID):
            name, spelling = self.declared.known(init.lvalue.name, line), init.lvalue.name
            if init.op == "=" and self._is_pointer(name):
                return self._walked(name, spelling, init.rvalue, is_first=False), frozenset()
            if init.op == "=":
                return Range(name, self.read.value(init.rvalue)), frozenset()
        if init is None:
            changed = node.next.expr if isinstance(node.next, c_ast.UnaryOp) else None
            if isinstance(node.next, c_ast.Assignment):
                changed = node.next.lvalue
            if isinstance(changed, c_ast.ID):
                return Range(self.declared.known(changed.name, line), None), frozenset()
        raise ProgramError(
            "a loop counts by one variable: write for (i = start; i < stop; i++)", line
        )

    def _walked(self, name: str, spelling: str, value: c_ast.Node, *, is_first: bool) -> Range:
        """The range of a loop that counts by a pointer: that of its offset.

        Parameters
        ----------
        name, spelling
            The pointer, as it is known here and in the text.
        value
            Where it points to at the beginning.
        is_first
            Whether it is declared here.
        """
        begun = self._points(name, spelling, value, is_first=is_first)
        place = self.read.pointers.get(name)
        counter = None if place is None else place.offset
        begins = begun[0] if begun else None
        if not isinstance(counter, ast.Name) or not isinstance(begins, ast.Assign):
            raise ProgramError(
                "a loop counts by one variable: write for (i = start; i < stop; i++)",
                line_of(value),
            )
        return Range(counter.id, begins.value)

    def _counter(self, node: c_ast.ID) -> str:
        """The whole number that a name is, or that is the offset of a pointer."""
        name = self.declared.known(node.name, line_of(node))
        place = self.read.pointers.get(name)
        offset = None if place is None else place.offset
        return offset.id if isinstance(offset, ast.Name) else name

    def _spelled(self, counter: str) -> str:
        """The name that a loop's variable has in the text: that of a pointer for its offset."""
        pointers = (
            name
            for name, place in self.read.pointers.items()
            if isinstance(place.offset, ast.Name) and place.offset.id == counter
        )
        return next(pointers, counter)

    def _step(self, name: str, node: c_ast.For) -> tuple[ast.expr | None, int | None]:
        """The step of a loop and its sign; None where the sign is not known yet."""
        line = line_of(node)
        change = node.next
        if isinstance(change, c_ast.ExprList) and len(change.exprs) == 1:
            change = change.exprs[0]
        value: ast.expr | None = None
        step = 1
        if isinstance(change, c_ast.UnaryOp) and change.op in ("++", "--", "p++", "p--"):
            target, step = change.expr, 1 if "+" in change.op else -1
            if isinstance(target, c_ast.ID) and self._counter(target) == name:
                return placed(ast.Constant(1), line), step
        elif isinstance(change, c_ast.Assignment) and isinstance(change.lvalue, c_ast.ID):
            is_mine = self._counter(change.lvalue) == name
            if is_mine and change.op in ("+=", "-="):
                value, step = self.read.value(change.rvalue), 1 if change.op == "+=" else -1
            elif is_mine and change.op == "=" and isinstance(change.rvalue, c_ast.BinaryOp):
                left, right, op = change.rvalue.left, change.rvalue.right, change.rvalue.op
                if op == "+" and isinstance(right, c_ast.ID) and right.name == name:
                    left, right = right, left
                if op in "+-" and isinstance(left, c_ast.ID) and left.name == name:
                    value, step = self.read.value(right), 1 if op == "+" else -1
        if value is None:
            shown = self._spelled(name)
            raise ProgramError(f"the loop over {shown} does not end with '{shown} += step'", line)
        form = Scopes(counting=frozenset(), fixed=self.constants).form(value)
        if form is None or form.terms:
            return value, None
        if form.constant == 0:
            raise ProgramError("step 0 never ends", line)
        sign = step if form.constant > 0 else -step
        return placed(ast.Constant(abs(form.constant)), line), sign


def _refusal(node: c_ast.For) -> str:
    """Why a loop is not read that counts by no step; nothing of one that does."""
    if node.cond is None:
        return ""
    if node.next is None:
        is_down = isinstance(node.cond, c_ast.UnaryOp) and node.cond.op == "p--"
        return "" if is_down else UNCOUNTED.format("for")
    if isinstance(node.next, c_ast.ExprList):
        tested = {part.name for part in nodes_of(node.cond) if isinstance(part, c_ast.ID)}
        counters = [end for end in node.next.exprs if _changed_name(end) in tested]
        return ONE_COUNTER if len(counters) > 1 else ""
    name, change = _changed_name(node.next), node.next
    if not name or not isinstance(change, c_ast.Assignment):
        return ""
    op = change.op[:-1]
    if not op and isinstance(change.rvalue, c_ast.BinaryOp):
        op = change.rvalue.op
    return f"the loop over {name} does not end with '{name} += step'" if op in FACTORS else ""


def _changed_name(node: c_ast.Node | None) -> str:
    """The name that a statement in a loop's head changes."""
    target = node.lvalue if isinstance(node, c_ast.Assignment) else None
    if isinstance(node, c_ast.UnaryOp) and node.op in STEPS:
        target = node.expr
    return target.name if isinstance(target, c_ast.ID) else ""


def _assigned(name: str, statements: list[ast.stmt]) -> ast.expr | None:
    """What statements that come one after the other leave in a name; None if not known."""
    for statement in reversed(statements):
        if isinstance(statement, ast.Assign) and any(
            is_name(target, name) for target in statement.targets
        ):
            return statement.value
        if name in stored_names([statement]):
            return None
    return None


def _is_placed(values: Sequence[c_ast.Node]) -> bool:
    """Whether some values in braces say which cells they are for, or are rows."""
    return any(isinstance(value, c_ast.NamedInitializer | c_ast.InitList) for value in values)


def _flat(values: Values) -> list[ast.expr]:
    """The values in rows, one after the other."""
    if not isinstance(values, Sequence):
        return [values]
    return [leaf for value in values for leaf in _flat(value)]


def _blank(name: str, sides: list[ast.expr], line: int) -> list[ast.stmt]:
    """The zeros that an array has before its values are put in, where its extents are known."""
    if any(isinstance(side, ast.Constant) and side.value is None for side in sides):
        return []
    module = placed(ast.Name("np", ast.Load()), line)
    maker = placed(ast.Attribute(module, "zeros", ast.Load()), line)
    shape = placed(ast.Tuple([*sides], ast.Load()), line)
    zeros = placed(ast.Call(maker, [shape], []), line)
    return [placed(Fill([placed(ast.Name(name, ast.Store()), line)], zeros), line)]


def _assignments(
    cell: ast.expr, values: Values, kind: type[ast.Assign], *, is_blank: bool, line: int
) -> list[ast.stmt]:
    """The assignments of values to the cells of an array, row by row.

    Parameters
    ----------
    cell, values
        The array, or a row of it, and what it is declared with.
    kind
        Of the assignments.
    is_blank
        Whether the array has zeros before.
    line
        Of the declaration.
    """
    if not isinstance(values, Sequence):
        assert isinstance(cell, ast.Subscript)
        cell.ctx = ast.Store()
        is_zero = isinstance(values, ast.Constant) and not values.value
        return [] if is_blank and is_zero else [placed(kind([cell], values), line)]
    statements: list[ast.stmt] = []
    for place, value in enumerate(values):
        index = placed(ast.Constant(place), line)
        inner = placed(ast.Subscript(deepcopy(cell), index, ast.Load()), line)
        statements += _assignments(inner, value, kind, is_blank=is_blank, line=line)
    return statements


def _counted_arrays(body: c_ast.Node) -> set[str]:
    """Arrays of which cells with numbers end loops, as ``grid[0]``, and none is assigned."""
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
