"""Temporaries: ``p = a * b; C += p`` is the update ``C += a * b``, made in two vertices.

The value of p is read once, by the update, and is no output. The program without it has another
DAG, a contraction of this one: p is one with its reader. What that says of plays and bounds is T3
in docs/theory.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dags.programs.canonical.mapping import with_cells
from dags.programs.canonical.paths import blocks
from dags.programs.dataflow import dataflow
from dags.programs.instances import NotReadError
from dags.programs.integer_sets import bounded_isl, isl, listed, maps
from dags.programs.nest import (
    Assign,
    If,
    Loop,
    Operation,
    Program,
    Reference,
    Statement,
    references,
)

Names = Collection[str] | None


@dataclass(frozen=True)
class Operands:
    """What a temporary reads whose value comes to one update, over others or at once.

    Parameters
    ----------
    update
        The number of the update in the program without temporaries.
    joined
        The arrays of inputs, and assignments, as isl names them, whose values the temporary reads,
        and neither the update nor another of its temporaries.
    """

    update: int
    joined: frozenset[str]


@dataclass(frozen=True)
class Merged:
    """A program in which temporaries are one with their readers.

    Parameters
    ----------
    program
        The program.
    counts
        Of each update, by its number, how many temporaries are one with it.
    operands
        What temporaries read that read no other one.
    names
        What the temporaries are called.
    """

    program: Program
    counts: Mapping[int, int]
    operands: tuple[Operands, ...]
    names: tuple[str, ...]


def merged(program: Program, live: Names, constants: Names) -> Merged | None:
    """A program without its temporaries; None if it has none.

    Parameters
    ----------
    program
        A loop nest whose sizes are numbers.
    live, constants
        As for `dags.programs.instantiate`.
    """
    merging = Merged(program, {}, (), ())
    while (step := _taken(merging, live, constants)) is not None:
        merging = step
    return merging if merging.names else None


def _taken(merging: Merged, live: Names, constants: Names) -> Merged | None:
    program = merging.program
    for changed, gone, reader in _candidates(program):
        try:
            with bounded_isl():
                read = _contracted(program, changed, gone, reader, live, constants)
        except NotReadError:
            continue
        if read is not None:
            return _without_one(merging, changed, gone, reader, read)
    return None


def _without_one(
    merging: Merged, changed: Program, gone: int, reader: int, read: Mapping[str, frozenset[str]]
) -> Merged:
    """A program with one temporary less.

    Parameters
    ----------
    merging
        The program before.
    changed
        The program without the temporary.
    gone, reader
        The numbers of the temporary and of its reader before.
    read
        Arrays and assignments that both read, by their names before.
    """
    own, others = read[f"S{gone}"], read[f"S{reader}"] | {f"S{reader}"}
    operands = []
    for known in merging.operands:
        joined = known.joined
        if known.update == gone:  # its value comes to the reader now
            joined -= others
        elif known.update == reader:
            joined -= own
        update = reader if known.update == gone else known.update
        operands.append(Operands(update, joined))
    if gone not in merging.counts:
        operands.append(Operands(reader, own - others))
    counts = {**merging.counts}
    counts[reader] = counts.get(reader, 0) + counts.pop(gone, 0) + 1
    return Merged(
        changed,
        {_number(update, gone): count for update, count in counts.items()},
        tuple(
            Operands(
                _number(known.update, gone),
                frozenset(_named(source, gone) for source in known.joined),
            )
            for known in operands
        ),
        (*merging.names, merging.program.statements[gone][0].target.array),
    )


def _number(number: int, gone: int) -> int:
    """The number of an assignment in the program without the one that goes."""
    return number - (gone < number)


def _candidates(program: Program) -> Iterator[tuple[Program, int, int]]:
    """Yield programs without one assignment, its number, and that of its reader."""
    numbers = {id(assign): number for number, (assign, _) in enumerate(program.statements)}
    for _, block in blocks(program.body, ()):
        for place, one in enumerate(block):
            if not isinstance(one, Assign) or not isinstance(one.expression, Operation):
                continue
            for other in block[place + 1 :]:
                if not isinstance(other, Assign) or not isinstance(other.expression, Operation):
                    continue
                if one.target not in {*references(other.expression)} or one.target in {
                    *references(one.expression)
                }:
                    continue
                joined = replace(other, expression=_inlined(other.expression, one))
                body = _without(program.body, one, other, joined)
                yield replace(program, body=body), numbers[id(one)], numbers[id(other)]
                break


def _inlined(expression: Operation, temporary: Assign) -> Any:
    """An expression with that of a temporary in its place."""
    found = with_cells(expression, lambda cell: cell)
    return _replaced(found, temporary.target, temporary.expression)


def _replaced(some: Any, cell: Reference, by: Any) -> Any:
    if some == cell:
        return by
    if not isinstance(some, Operation):
        return some
    operands = tuple(_replaced(each, cell, by) for each in some.operands)
    return replace(some, operands=operands, meaning=None)


def _without(
    body: tuple[Statement, ...], gone: Assign, old: Assign, new: Assign
) -> tuple[Statement, ...]:
    """A body without an assignment, and with another one in the place of its reader."""
    found: list[Statement] = []
    for statement in body:
        if statement is gone:
            continue
        if statement is old:
            found.append(new)
        elif isinstance(statement, Loop):
            found.append(replace(statement, body=_without(statement.body, gone, old, new)))
        elif isinstance(statement, If):
            inner = _without(statement.body, gone, old, new)
            otherwise = _without(statement.otherwise, gone, old, new)
            found.append(replace(statement, body=inner, otherwise=otherwise))
        else:
            found.append(statement)
    return tuple(found)


def _contracted(
    program: Program, contracted: Program, gone: int, reader: int, live: Names, constants: Names
) -> dict[str, frozenset[str]] | None:
    """The arrays and assignments that a temporary and its reader read; None if it stays.

    Each of its values is no output and is read once, by the reader, which reads one of them; with
    both in one the reads are those of the other program, and the outputs are.
    """
    everywhere = isl.Set("[] -> { : }")
    first = dataflow(program, everywhere, live, constants)
    second = dataflow(contracted, everywhere, live, constants)
    computed = {domain.get_tuple_name(): domain for domain in listed(first.computed)}
    gone_name, reader_name = f"S{gone}", f"S{reader}"
    if gone_name not in computed or reader_name not in computed:
        return None
    temporary = isl.UnionSet.from_set(computed[gone_name])
    taken = first.reads.intersect_range(temporary)
    if not taken.is_injective() or not taken.is_single_valued():
        return None
    whole = isl.UnionSet.from_set(computed[reader_name])
    if not taken.domain().is_equal(whole) or not first.outputs.is_disjoint(temporary):
        return None
    kept = first.reads.subtract_domain(temporary)
    inner = taken.apply_range(first.reads)
    reads = kept.subtract_range(temporary).union(inner)
    renamed = first.inputs.identity()
    for number, (_, loops) in enumerate(program.statements):
        if number != gone:
            places = ",".join(f"c{loop}" for loop in range(len(loops)))
            new = number - (gone < number)
            renamed = renamed.union(isl.UnionMap(f"{{ S{number}[{places}] -> S{new}[{places}] }}"))
    same = reads.apply_domain(renamed).apply_range(renamed).is_equal(second.reads)
    if not same or not first.outputs.apply(renamed).is_equal(second.outputs):
        return None
    sources = [
        (relation.get_tuple_name(isl.dim_type.in_), relation.get_tuple_name(isl.dim_type.out))
        for relation in maps(first.reads)
    ]
    return {
        name: frozenset(source for assignment, source in sources if assignment == name)
        for name in (gone_name, reader_name)
    }


def _named(source: str, gone: int) -> str:
    """The name of an array, or of an assignment in the program without the one that goes."""
    if not re.fullmatch(r"S\d+", source):
        return source
    return f"S{_number(int(source[1:]), gone)}"
