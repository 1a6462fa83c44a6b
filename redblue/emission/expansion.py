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
    """Return a program in which no variable is written anew by each iteration of some loops.

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
    taken = {*program.dimensions, *program.sizes, *(program.parameters or ())}
    taken |= {loop.variable for step in nest.steps for loop in step.loops}
    names: dict[int, dict[str, tuple[str, int]]] = {}  # of statements, by their numbers
    types = dict(program.types or {})
    for array in among:
        webs = _webs(nest, array)
        for number, web in enumerate(webs):
            alone = len(webs) == 1 and array not in (program.parameters or ())
            new = array if alone else f"{array}_{number}"
            if not web.depth or (new in taken and not alone):
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
        frozenset(array for each in names.values() for array in each),
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
        """Return the statements in some loops."""
        return tuple(self.statement(each, loops) for each in body)

    def statement(self, some: Statement, loops: tuple[str, ...]) -> Statement:
        """Return a statement in some loops."""
        if isinstance(some, Loop):
            return replace(some, body=self.block(some.body, (*loops, some.variable)))
        if isinstance(some, If):
            body, otherwise = self.block(some.body, loops), self.block(some.otherwise, loops)
            return replace(some, body=body, otherwise=otherwise)
        if not isinstance(some, Assign):
            return some
        mine = self.names.get(self.count, {})
        self.count += 1

        def change(cell: Reference) -> Reference:
            if cell.array not in mine:
                return cell
            new, depth = mine[cell.array]
            return Reference(new, (*map(variable, loops[:depth]), *cell.indices))

        expression = with_cells(some.expression, change)
        return replace(some, target=change(some.target), expression=expression)


def _webs(nest: Nest, array: str) -> list[_Web]:
    """Return the webs of a variable whose values are all written in the iteration that reads."""
    name = nest.tuple_of(array)
    reads, writes = (_cells(nest, name, writes=each) for each in (False, True))
    made, first = nest.last_writes(reads, writes)
    early = _names(first.domain())
    pairs = [
        (each.get_tuple_name(isl.dim_type.in_), each.get_tuple_name(isl.dim_type.out), each)
        for each in maps(made)
    ]
    touching = [
        step.name for step in nest.steps if any(one.array == array for one in step.accesses)
    ]
    webs = [{each} for each in touching]
    for one, other, _ in pairs:
        mine = [each for each in webs if one in each or other in each]
        webs = [*(each for each in webs if each not in mine), set().union(*mine)]
    found = []
    for web in webs:
        inside = [each for one, _, each in pairs if one in web]
        steps = [nest.of[each] for each in touching if each in web]
        depth = 0 if web & early else _depth(steps, inside)
        found.append(_Web(array, tuple(each.name for each in steps), depth))
    return found


def _cells(nest: Nest, name: str, *, writes: bool) -> Any:
    """Return the relation from instances to the cells of an array that they read or write."""
    every = nest.writes if writes else nest.reads
    some = [each for each in maps(every) if each.get_tuple_name(isl.dim_type.out) == name]
    return nest.union(isl.UnionMap.from_map(each) for each in some)


def _names(some: Any) -> set[str]:
    listed = some.get_set_list()
    return {listed.get_at(at).get_tuple_name() for at in range(listed.n_set())}


def _depth(steps: Sequence[Step], flow: Sequence[Any]) -> int:
    """Return how many loops have each value read in the iteration that wrote it."""
    shared = 0
    if any(len({loop.variable for loop in each.loops}) < each.depth for each in steps):
        return 0  # a loop hides another one
    for loops in zip(*(each.loops for each in steps), strict=False):
        if any(each is not loops[0] for each in loops):
            break
        shared += 1
    for relation in flow:
        for at in range(shared):
            same = relation.equate(isl.dim_type.in_, at, isl.dim_type.out, at)
            if not relation.is_subset(same):
                shared = at
                break
    return shared
