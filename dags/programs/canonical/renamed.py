"""Whether two programs have one DAG: the values of the first are those of the second, renamed.

A step of the canonical form says which instance of the new program each instance of the old one
is. That is not taken on trust: isl finds which value is read where in both (`dataflow`), and the
step is taken only if the relations are the same under the names.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dags.programs.affine import Affine, variable
from dags.programs.dataflow import dataflow
from dags.programs.instances import NotReadError
from dags.programs.integer_sets import bounded_isl, isl
from dags.programs.nest import Program


@dataclass(frozen=True)
class Renaming:
    """What an assignment is called in another program.

    Parameters
    ----------
    number
        Its place in the text of the other program.
    loops
        The variables of the loops there as forms of those here.
    """

    number: int
    loops: tuple[Affine, ...]


@dataclass(frozen=True)
class Changed:
    """A program after a step.

    Parameters
    ----------
    program
        The program.
    names
        What each assignment of the program before is in it.
    shown
        A sentence on what went.
    """

    program: Program
    names: tuple[Renaming, ...]
    shown: str


def same_dag(
    one: Program,
    other: Program,
    names: Sequence[Renaming],
    live: Collection[str] | None,
    constants: Collection[str] | None,
) -> bool:
    """Whether two programs without sizes have one DAG, under some names of instances.

    Parameters
    ----------
    one, other
        The programs.
    names
        What each assignment of the first is in the other one, in the order of its text.
    live, constants
        As for `dags.programs.instantiate`.
    """
    try:
        with bounded_isl():
            return _same(one, other, names, live, constants)
    except NotReadError:
        return False


def _same(
    one: Program,
    other: Program,
    names: Sequence[Renaming],
    live: Collection[str] | None,
    constants: Collection[str] | None,
) -> bool:
    """Return what `same_dag` does, or raise NotReadError where isl gives up."""
    if not other.statements:  # loops that run nothing are left for the reader to say so
        return False
    everywhere = isl.Set("[] -> { : }")
    first = dataflow(one, everywhere, live, constants)
    second = dataflow(other, everywhere, live, constants)
    renamed = isl.UnionMap("{ }")
    for number, ((_, loops), name) in enumerate(zip(one.statements, names, strict=True)):
        places = {loop.variable: variable(f"c{at}") for at, loop in enumerate(loops)}
        old = ",".join(f"c{at}" for at in range(len(loops)))
        new = ",".join(str(form.replaced(places)) for form in name.loops)
        renamed = renamed.union(isl.UnionMap(f"{{ S{number}[{old}] -> S{name.number}[{new}] }}"))
    renamed = renamed.intersect_domain(first.computed)
    if not renamed.is_injective():
        return False
    kept = renamed.union(first.inputs.identity())
    reads = first.reads.apply_domain(renamed).apply_range(kept)
    outputs = first.outputs.apply(renamed)
    return bool(reads.is_equal(second.reads) and outputs.is_equal(second.outputs))
