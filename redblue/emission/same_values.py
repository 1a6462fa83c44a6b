"""Whether two programs compute the same values, one for one, so that code of one is code of both.

That their DAGs are the same (`dags.programs.canonical.renamed`) is not enough: constants and copies
are none of a DAG's vertices, and neither are operators. Here each instance of one program is an
instance of the other with the same expression, each of its operands has the same last write, or is
the same cell as it was given, and the last write of each cell that can be seen is the same.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from dags.programs.affine import Affine, variable
from dags.programs.canonical.renamed import Renaming
from dags.programs.instances import NotReadError
from dags.programs.integer_sets import bounded_isl, isl, maps
from dags.programs.nest import Constant, Expression, Operation, Program, Reference
from redblue.emission.statements import Access, Nest, Step


def same_values(
    one: Program,
    other: Program,
    names: Sequence[Renaming],
    live: Collection[str] | None,
    constants: Collection[str] | None = None,
) -> bool:
    """Return whether two programs without sizes compute the same values in the same cells.

    Parameters
    ----------
    one, other
        The programs.
    names
        What each assignment of the first is in the other one, in the order of its text.
    live
        Arrays whose last values are outputs; so are those that are not made inside.
    constants
        Not asked for: all values count.
    """
    del constants
    try:
        with bounded_isl():
            return _same(Nest(one), Nest(other), names, {*(live or ())})
    except NotReadError:
        return False


def _same(one: Nest, other: Nest, names: Sequence[Renaming], live: set[str]) -> bool:
    renamed, steps = one.map(""), list[tuple[Step, Step, dict[str, Affine]]]()
    for step in one.steps:
        name = names[step.row.number]
        places = {loop.variable: variable(f"c{at}") for at, loop in enumerate(step.loops)}
        row = f"S{name.number}[{','.join(str(each.replaced(places)) for each in name.loops)}]"
        mine = one.map(f"{step.row.name} -> {row}")
        renamed = renamed.union(mine.intersect_domain(isl.UnionSet.from_set(one.domain[step.name])))
        its = other.of[f"S{name.number}"]
        forms = {loop.variable: form for loop, form in zip(its.loops, name.loops, strict=True)}
        steps.append((step, its, forms))
    every = other.map("").domain()
    for each in other.steps:
        every = every.union(isl.UnionSet.from_set(other.domain[each.name]))
    if not renamed.is_injective() or not renamed.range().is_equal(every):
        return False
    hidden = ({*each.program.local} - live for each in (one, other))
    ends = [_last(nest, some) for nest, some in zip((one, other), hidden, strict=True)]
    if not ends[0].apply_domain(renamed).is_equal(ends[1]):
        return False
    for step, its, forms in steps:
        pairs = _pairs(step.assign.expression, its.assign.expression, forms)
        cells = (step.assign.target, its.assign.target)
        if pairs is None or not all(_typed_alike(one, other, *each) for each in (cells, *pairs)):
            return False
        image = isl.UnionSet.from_set(one.domain[step.name]).apply(renamed)
        for mine, theirs in dict.fromkeys(pairs):
            if not _read_alike(_Read(one, step, mine), _Read(other, its, theirs), renamed, image):
                return False
    return True


def _typed_alike(one: Nest, other: Nest, mine: Reference, its: Reference) -> bool:
    """Return whether two cells are of one type: a value that is stored is rounded to it."""
    return (one.program.types or {}).get(mine.array) == (other.program.types or {}).get(its.array)


def _last(nest: Nest, hidden: set[str]) -> Any:
    """Return the relation from the instances that write last values that can be seen to cells."""
    arrays = {nest.tuple_of(array) for array in nest.arrays if array not in hidden}
    some = nest.writes.intersect_domain(nest.last)
    seen = (each for each in maps(some) if each.get_tuple_name(isl.dim_type.out) in arrays)
    cells = nest.union(isl.UnionMap.from_map(each) for each in seen)
    return _by_name(nest, cells)


def _by_name(nest: Nest, cells: Any) -> Any:
    """Return a relation to cells whose arrays are known by their names in both programs."""
    found = nest.map("")
    for each in maps(cells):
        array = nest.arrays[int(each.get_tuple_name(isl.dim_type.out)[1:])]
        found = found.union(
            isl.UnionMap.from_map(each.set_tuple_name(isl.dim_type.out, f"A_{array}"))
        )
    return found


class _Read:
    """A reference that a statement reads, with the writes of its values and the first cells."""

    def __init__(self, nest: Nest, step: Step, cell: Reference) -> None:
        indices = tuple(form.replaced(step.names) for form in cell.indices)
        read = nest.access(step, Access(cell, indices, writes=False))
        self.written, given = nest.last_writes(read)
        self.given = _by_name(nest, given)


def _read_alike(one: _Read, other: _Read, renamed: Any, image: Any) -> bool:
    written = one.written.apply_domain(renamed).apply_range(renamed)
    given = one.given.apply_domain(renamed)
    return bool(
        written.is_equal(other.written.intersect_range(image))
        and given.is_equal(other.given.intersect_domain(image))
    )


def _pairs(
    one: Expression, other: Expression, forms: Mapping[str, Affine]
) -> list[tuple[Reference, Reference]] | None:
    """Return the cells at the same places of two expressions; None if these differ otherwise."""
    found = list(_walked(one, other, forms))
    pairs = [each for each in found if each is not None]
    if len(pairs) < len(found):
        return None
    return pairs


def _walked(
    one: Expression, other: Expression, forms: Mapping[str, Affine]
) -> Iterator[tuple[Reference, Reference] | None]:
    """Yield the cells at the same places of two expressions, and None where these differ."""
    if isinstance(one, Reference) and isinstance(other, Reference):
        yield one, other
    elif isinstance(one, Constant) and isinstance(other, Constant):
        if not _equal(one, other, forms):
            yield None
    elif isinstance(one, Operation) and isinstance(other, Operation):
        heads = ((each.name, each.signs, len(each.operands)) for each in (one, other))
        if len({*heads}) > 1 or (one.meaning is None) != (other.meaning is None):
            yield None
            return
        for mine, its in zip(one.operands, other.operands, strict=True):
            yield from _walked(mine, its, forms)
        if one.meaning is not None and other.meaning is not None:
            yield from _walked(one.meaning, other.meaning, forms)
    else:
        yield None


def _equal(one: Constant, other: Constant, forms: Mapping[str, Affine]) -> bool:
    mine, its = one.value, other.value
    if isinstance(mine, Affine) and isinstance(its, Affine):
        return its.replaced(forms) == mine
    if isinstance(mine, Operation) and isinstance(its, Operation):
        return not list(_walked(mine, its, forms))
    return type(mine) is type(its) and mine == its
