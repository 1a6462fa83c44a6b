"""Scalars and arrays made inside, with a cell for each iteration: no iteration waits for another.

``s = 0; for k: s += a[i][k] * b[k][j]; c[i][j] = s`` in loops over i and j has one scalar, which
makes all iterations come one after the other. Where each value of it is read in the iteration that
wrote it, `s` may be `s[i][j]`: the values that are read are the same, for all sizes. The array has
no cells in slow memory; buffers hold what a tile needs of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dags.programs.affine import variable
from dags.programs.canonical.mapping import with_cells
from dags.programs.integer_sets import isl, maps
from dags.programs.nest import Assign, If, Loop, Program, Reference, Statement
from redblue.emission.statements import Nest, Step


@dataclass(frozen=True)
class Expanded:
    """A program whose scalars have a cell for each iteration.

    Parameters
    ----------
    program
        The program.
    kept
        Its arrays that have no cells in slow memory.
    parts
        The variables whose cells these are.
    """

    program: Program
    kept: frozenset[str]
    parts: frozenset[str]


@dataclass(frozen=True)
class _Web:
    """Statements that read values of a variable from each other, and the loops they share."""

    array: str
    names: tuple[str, ...]
    depth: int


def expanded(nest: Nest, live: Sequence[str], *, arrays: bool = False) -> Expanded:
    """A program in which no variable is written anew by each iteration of some loops.

    Parameters
    ----------
    nest
        The program as its text has it.
    live
        Arrays whose last values are outputs.
    arrays
        Whether arrays made inside have a part for each iteration, too, and not only scalars.
    """
    program, kept = nest.program, list[str]()
    among = [
        name
        for name in program.written
        if name not in live
        and name not in nest.constants
        and (name in nest.scalars or (arrays and name in program.local))
    ]
    names_taken = {*program.dimensions, *program.sizes, *(program.parameters or ())}
    names_taken |= {loop.variable for step in nest.steps for loop in step.loops}
    names: dict[int, dict[str, tuple[str, int]]] = {}  # of statements, by their numbers
    types = dict(program.types or {})
    for array in among:
        webs = _webs(nest, array)
        for number, web in enumerate(webs):
            is_single = len(webs) == 1 and array not in (program.parameters or ())
            new = array if is_single else f"{array}_{number}"
            if not web.depth or (new in names_taken and not is_single):
                continue
            kept.append(new)
            for name in web.names:
                names.setdefault(nest.of[name].row.number, {})[array] = new, web.depth
            if array in types:
                types[new] = types[array]
    if not kept:
        return Expanded(program, frozenset(), frozenset())
    body = _Rewriting(names).block(program.body, ())
    return Expanded(
        replace(
            program,
            body=body,
            types=None if program.types is None else types,
            local=program.local | {*kept},
        ),
        frozenset(kept),
        frozenset(array for changes in names.values() for array in changes),
    )


class _Rewriting:
    """Gives references of some statements the loops around as further indices.

    Parameters
    ----------
    names
        Of statements, by their numbers in the text, the new names of arrays, and how many loops.
    """

    def __init__(self, names: Mapping[int, Mapping[str, tuple[str, int]]]) -> None:
        self.names, self.count = names, 0

    def block(self, body: tuple[Statement, ...], loops: tuple[str, ...]) -> tuple[Statement, ...]:
        """The statements in some loops."""
        return tuple(self.statement(statement, loops) for statement in body)

    def statement(self, statement: Statement, loops: tuple[str, ...]) -> Statement:
        """A statement in some loops."""
        if isinstance(statement, Loop):
            return replace(statement, body=self.block(statement.body, (*loops, statement.variable)))
        if isinstance(statement, If):
            body, otherwise = (
                self.block(statement.body, loops),
                self.block(statement.otherwise, loops),
            )
            return replace(statement, body=body, otherwise=otherwise)
        if not isinstance(statement, Assign):
            return statement
        names = self.names.get(self.count, {})
        self.count += 1

        def change(cell: Reference) -> Reference:
            if cell.array not in names:
                return cell
            new, depth = names[cell.array]
            return Reference(new, (*map(variable, loops[:depth]), *cell.indices))

        expression = with_cells(statement.expression, change)
        return replace(statement, target=change(statement.target), expression=expression)


def _webs(nest: Nest, array: str) -> list[_Web]:
    """The webs of a variable whose values are all written in the iteration that reads."""
    name = nest.tuple_of(array)
    reads, writes = (_cells(nest, name, writes=writing) for writing in (False, True))
    makers, first = nest.last_writes(reads, writes)
    early = _names(first.domain())
    pairs = [
        (
            relation.get_tuple_name(isl.dim_type.in_),
            relation.get_tuple_name(isl.dim_type.out),
            relation,
        )
        for relation in maps(makers)
    ]
    touching = [
        step.name for step in nest.steps if any(access.array == array for access in step.accesses)
    ]
    webs = [{statement} for statement in touching]
    for writer, reader, _ in pairs:
        joined = [web for web in webs if writer in web or reader in web]
        webs = [*(web for web in webs if web not in joined), set().union(*joined)]
    components = []
    for web in webs:
        inside = [relation for writer, _, relation in pairs if writer in web]
        steps = [nest.of[statement] for statement in touching if statement in web]
        depth = 0 if web & early else _depth(steps, inside)
        components.append(_Web(array, tuple(step.name for step in steps), depth))
    return components


def _cells(nest: Nest, name: str, *, writes: bool) -> Any:
    """Return the relation from instances to the cells of an array that they read or write."""
    accesses = nest.writes if writes else nest.reads
    relations = [
        relation for relation in maps(accesses) if relation.get_tuple_name(isl.dim_type.out) == name
    ]
    return nest.union(isl.UnionMap.from_map(relation) for relation in relations)


def _names(domain: Any) -> set[str]:
    listed = domain.get_set_list()
    return {listed.get_at(place).get_tuple_name() for place in range(listed.n_set())}


def _depth(steps: Sequence[Step], flow: Sequence[Any]) -> int:
    """How many loops have each value read in the iteration that wrote it."""
    shared = 0
    if any(len({loop.variable for loop in step.loops}) < step.depth for step in steps):
        return 0  # a loop hides another one
    for loops in zip(*(step.loops for step in steps), strict=False):
        if any(loop is not loops[0] for loop in loops):
            break
        shared += 1
    for relation in flow:
        for level in range(shared):
            diagonal = relation.equate(isl.dim_type.in_, level, isl.dim_type.out, level)
            if not relation.is_subset(diagonal):
                shared = level
                break
    return shared
