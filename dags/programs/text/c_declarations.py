"""Declarations in C text: arrays with extents, kinds of scalars, and the scopes of names."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from pycparser import c_ast

from dags.programs.affine import Affine
from dags.programs.element_types import bytes_of
from dags.programs.nest import ProgramError
from dags.programs.text.scopes import Scopes
from dags.programs.text.tables import Entry, Values, entries_of, rows_of

REAL: Final = {"float", "double", "DATA_TYPE", "__fp16", "_Float16", "half", "__half", "__bf16"}
UNSIGNED: Final = {"unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "uint"}
POINTER: Final = 8  # bytes of one
DECLARATORS: Final = (
    *(c_ast.Decl, c_ast.Typename, c_ast.Typedef),
    *(c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.TypeDecl, c_ast.FuncDecl),
)


def type_words(node: c_ast.Node, typedefs: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The words of a type, those that the text defines replaced."""
    inner = node
    while isinstance(inner, DECLARATORS):
        inner = inner.type
    if not isinstance(inner, c_ast.IdentifierType):
        return frozenset({"struct"})
    words = frozenset(inner.names)
    for word in words:
        if word in typedefs:
            words = words - {word} | typedefs[word]
    return words


def _is_within(table: Entry, lowest: int, limit: int) -> bool:
    """Whether all numbers of a table are at least the lowest and below a limit."""
    if isinstance(table, int):
        return lowest <= table < limit
    return all(_is_within(entry, lowest, limit) for entry in table)


@dataclass
class Declarations:
    """The names of a function, or of the text outside of functions.

    Parameters
    ----------
    arrays
        Extents of arrays, as the text has them.
    made
        Arrays that the function makes itself, and constants outside of it.
    tables
        Whole numbers in arrays that are declared with them.
    outside
        Names that are declared outside of the function.
    real, unsigned
        Scalars that are no integers, and those that are never negative.
    types
        The words of the type of each name, "double" or "int long".
    typedefs
        The words of the types that the text defines.
    """

    arrays: dict[str, list[ast.expr]] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    tables: dict[str, Entry] = field(default_factory=dict)
    outside: set[str] = field(default_factory=set)
    real: set[str] = field(default_factory=set)
    unsigned: set[str] = field(default_factory=set)
    types: dict[str, str] = field(default_factory=dict)
    typedefs: dict[str, frozenset[str]] = field(default_factory=dict)
    _blocks: list[dict[str, str]] = field(default_factory=list)
    _kinds: dict[str, tuple[frozenset[str], tuple[str, ...]]] = field(default_factory=dict)
    _first: int = 0  # of the blocks whose names are seen

    @contextmanager
    def called(self) -> Iterator[None]:
        """Open the block of a function that is called: it sees no names of its caller."""
        first, self._first = self._first, len(self._blocks)
        with self.block():
            yield
        self._first = first

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open a block for a while; its names end with it."""
        self._blocks.append({})
        yield
        self._blocks.pop()

    def known(self, name: str, line: int) -> str:
        """The name by which a name of the text is known here.

        Raises
        ------
        ProgramError
            If it is that of a block which has ended.
        """
        for block in reversed(self._blocks[self._first :]):
            if name in block:
                return block[name]
        if name in self._kinds and name not in self.outside and not self._first:
            raise ProgramError(f"{name} is used behind the block that declares it", line)
        return name

    def add(self, name: str, words: frozenset[str], sides: list[ast.expr]) -> str:
        """Note a name, and return the one by which it is known here.

        Blocks may have names of their own that are spelled alike: one that is declared while
        another is, or outside of the function, or as something else, gets a number behind it.
        """
        kind = words, tuple(map(ast.unparse, sides))
        alias, number = name, 1
        while alias in self._kinds and (
            self._kinds[alias] != kind
            or any(alias in block.values() for block in self._blocks)
            or (bool(self._blocks) and alias in self.outside)
        ):
            number += 1
            alias = f"{name}_{number}"
        self._kinds[alias] = kind
        if self._blocks:
            self._blocks[-1][name] = alias
        if sides:
            self.arrays[alias] = sides
        for kinds, names in ((REAL, self.real), (UNSIGNED, self.unsigned)):
            if words & kinds and not sides:
                names.add(alias)
        self.types[alias] = " ".join(sorted(words))
        return alias

    def tabulate(self, name: str, values: Sequence[Values], numbers: Mapping[str, int]) -> None:
        """Note the whole numbers that an array is declared with; nothing of other values.

        Parameters
        ----------
        name, values
            The array, and its values as they are written.
        numbers
            Values of names.
        """
        words = {*self.types[name].split()}
        width = bytes_of(self.types[name])
        if words & REAL or width is None:
            return
        scopes = Scopes(counting=frozenset(), fixed=numbers)
        forms = [scopes.form(side) for side in self.arrays.get(name, [])]
        sides = [None if form is None or form.terms else form.constant for form in forms]
        rows = rows_of(values, sides)
        try:
            table = None if rows is None else entries_of(rows, numbers, sides)
        except ValueError:
            return
        lowest = 0 if words & (UNSIGNED | {"char", "bool", "_Bool"}) else -(2 ** (8 * width - 1))
        if table is not None and _is_within(table, lowest, 2 ** (8 * width - 1)):
            self.tables[name] = table

    def size_of(self, kind: c_ast.Typename) -> int:
        """The bytes of a type; raises ProgramError where they are not known."""
        if isinstance(kind.type, c_ast.PtrDecl):
            return POINTER
        size = bytes_of(" ".join(type_words(kind, self.typedefs)))
        if size is None or isinstance(kind.type, c_ast.ArrayDecl):
            raise ProgramError("the size of a type is not known", getattr(kind.coord, "line", 1))
        return size

    def extents_of(self, name: str, depth: int) -> list[ast.expr] | None:
        """The extents of a cell, a row or an array; None of a pointer.

        Parameters
        ----------
        name, depth
            The array, and how many indices are behind it.
        """
        sides = self.arrays.get(name, [])
        is_array = name in self.made or name in self.outside
        is_open = any(
            isinstance(side, ast.Constant) and side.value is None for side in sides[depth:]
        )
        return None if is_open or (sides and not depth and not is_array) else sides[depth:]

    def width_of(self, name: str) -> int | None:
        """The bytes of a cell of an array; None where its type is not known."""
        return bytes_of(self.types.get(name, ""))

    def extents(self, assigned: frozenset[str], scopes: Scopes) -> dict[str, tuple[Affine, ...]]:
        """The extents that are affine in names that are not `assigned` to."""
        extents = {}
        for array, sides in self.arrays.items():
            names = {n.id for side in sides for n in ast.walk(side) if isinstance(n, ast.Name)}
            forms = [scopes.size_form(side) for side in sides]
            if not names & assigned and None not in forms:
                extents[array] = tuple(form for form in forms if form is not None)
        return extents
