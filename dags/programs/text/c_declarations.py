"""Declarations in C text: arrays with extents, kinds of scalars, and the scopes of names."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from dags.programs.affine import Affine
from dags.programs.nest import ProgramError
from dags.programs.text.scopes import Scopes

REAL: Final = {"float", "double", "DATA_TYPE"}
UNSIGNED: Final = {"unsigned", "size_t"}


@dataclass
class Declarations:
    """The names of a function, or of the text outside of functions.

    Parameters
    ----------
    arrays
        Extents of arrays, as the text has them.
    made
        Arrays that the function makes itself.
    real, unsigned
        Scalars that are no integers, and those that are never negative.
    types
        The words of the type of each name, "double" or "int long".
    """

    arrays: dict[str, list[ast.expr]] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    real: set[str] = field(default_factory=set)
    unsigned: set[str] = field(default_factory=set)
    types: dict[str, str] = field(default_factory=dict)
    _blocks: list[set[str]] = field(default_factory=list)
    _ended: set[str] = field(default_factory=set)

    def of_function(self) -> "Declarations":
        """Return the declarations outside of a function, where it begins."""
        known = dict(self.arrays), set[str](), set(self.real), set(self.unsigned), dict(self.types)
        return Declarations(*known, _blocks=[set()])

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open a block for a while; its names end with it."""
        self._blocks.append(set())
        yield
        self._ended |= self._blocks.pop()

    def add(self, name: str, sides: list[ast.expr], types: set[str], line: int) -> None:
        """Note a name; raise ProgramError if it hides another, or has two kinds."""
        if any(name in block for block in self._blocks):
            raise ProgramError(f"{name} is declared again while it is declared", line)
        again = name in self._ended
        if self._blocks:
            self._blocks[-1].add(name)
        known = self.arrays.get(name, [])
        if again and list(map(ast.unparse, known)) != list(map(ast.unparse, sides)):
            raise ProgramError(f"{name} is declared with other extents than before", line)
        self.arrays.pop(name, None)
        if sides:
            self.arrays[name] = sides
        for kinds, mine in ((REAL, self.real), (UNSIGNED, self.unsigned)):
            if again and (name in mine) != bool(types & kinds):
                raise ProgramError(f"{name} is declared with another type than before", line)
            mine.discard(name)
            if types & kinds and not sides:
                mine.add(name)

    def made_here(self, name: str) -> None:
        """Note that an array is made by the function: nobody gives it."""
        if self._blocks and name in self.arrays:
            self.made.add(name)

    def read(self, name: str, line: int) -> None:
        """Raise ProgramError if a name is that of a block which has ended."""
        if name in self._ended and not any(name in block for block in self._blocks):
            raise ProgramError(f"{name} is used behind the block that declares it", line)

    def extents(self, assigned: frozenset[str]) -> dict[str, tuple[Affine, ...]]:
        """Return the extents that are affine in names that are not `assigned` to."""
        found = {}
        for array, sides in self.arrays.items():
            forms = _forms(sides, assigned)
            if forms is not None:
                found[array] = forms
        return found


def _forms(sides: list[ast.expr], assigned: frozenset[str]) -> tuple[Affine, ...] | None:
    names = {node.id for side in sides for node in ast.walk(side) if isinstance(node, ast.Name)}
    scopes = Scopes(once=frozenset(), counting=frozenset(names))
    forms = [scopes.form(side) for side in sides]
    if names & assigned or None in forms:
        return None
    return tuple(form for form in forms if form is not None)
