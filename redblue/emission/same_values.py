"""Whether two programs compute the same values, one for one, so that code of one is code of both.

That their DAGs are the same (`dags.programs.canonical.renamed`) is not enough: constants and copies
are none of a DAG's vertices, and neither are operators. Here each instance of one program is an
instance of the other with the same expression, each of its operands has the same last write, or is
the same cell as it was given, and the last write of each cell that can be seen is the same. The
lemma is T4 in docs/theory/texts.md.
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
    first: Program,
    second: Program,
    names: Sequence[Renaming],
    live: Collection[str] | None,
    constants: Collection[str] | None = None,
) -> bool:
    """Whether two programs without sizes compute the same values in the same cells.

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
            return _same(Nest(first), Nest(second), names, {*(live or ())})
    except NotReadError:
        return False


def _same(first: Nest, second: Nest, names: Sequence[Renaming], live: set[str]) -> bool:
    renamed, steps = first.map(""), list[tuple[Step, Step, dict[str, Affine]]]()
    for step in first.steps:
        name = names[step.row.number]
        places = {loop.variable: variable(f"c{place}") for place, loop in enumerate(step.loops)}
        row = f"S{name.number}[{','.join(str(form.replaced(places)) for form in name.loops)}]"
        source = first.map(f"{step.row.name} -> {row}")
        renamed = renamed.union(
            source.intersect_domain(isl.UnionSet.from_set(first.domain[step.name]))
        )
        partner = second.of[f"S{name.number}"]
        forms = {loop.variable: form for loop, form in zip(partner.loops, name.loops, strict=True)}
        steps.append((step, partner, forms))
    domain = second.map("").domain()
    for statement in second.steps:
        domain = domain.union(isl.UnionSet.from_set(second.domain[statement.name]))
    if not renamed.is_injective() or not renamed.range().is_equal(domain):
        return False
    hidden = ({*nest.program.local} - live for nest in (first, second))
    ends = [_last(nest, arrays) for nest, arrays in zip((first, second), hidden, strict=True)]
    if not ends[0].apply_domain(renamed).is_equal(ends[1]):
        return False
    for step, partner, forms in steps:
        pairs = _pairs(step.assign.expression, partner.assign.expression, forms)
        cells = (step.assign.target, partner.assign.target)
        if pairs is None or not all(_typed_alike(first, second, *pair) for pair in (cells, *pairs)):
            return False
        image = isl.UnionSet.from_set(first.domain[step.name]).apply(renamed)
        for source, target in dict.fromkeys(pairs):
            if not _read_alike(
                _Read(first, step, source), _Read(second, partner, target), renamed, image
            ):
                return False
    return True


def _typed_alike(first: Nest, second: Nest, cell: Reference, twin: Reference) -> bool:
    """Whether two cells are of one type: a value that is stored is rounded to it."""
    return (first.program.types or {}).get(cell.array) == (second.program.types or {}).get(
        twin.array
    )


def _last(nest: Nest, hidden: set[str]) -> Any:
    """The relation from the instances that write last values that can be seen to cells."""
    arrays = {nest.tuple_of(array) for array in nest.arrays if array not in hidden}
    writes = nest.writes.intersect_domain(nest.last)
    seen = (
        relation for relation in maps(writes) if relation.get_tuple_name(isl.dim_type.out) in arrays
    )
    cells = nest.union(isl.UnionMap.from_map(relation) for relation in seen)
    return _by_name(nest, cells)


def _by_name(nest: Nest, cells: Any) -> Any:
    """A relation to cells whose arrays are known by their names in both programs."""
    named = nest.map("")
    for relation in maps(cells):
        array = nest.arrays[int(relation.get_tuple_name(isl.dim_type.out)[1:])]
        named = named.union(
            isl.UnionMap.from_map(relation.set_tuple_name(isl.dim_type.out, f"A_{array}"))
        )
    return named


class _Read:
    """A reference that a statement reads, with the writes of its values and the first cells."""

    def __init__(self, nest: Nest, step: Step, cell: Reference) -> None:
        indices = tuple(form.replaced(step.names) for form in cell.indices)
        read = nest.access(step, Access(cell, indices, writes=False))
        self.written, first_reads = nest.last_writes(read)
        self.given = _by_name(nest, first_reads)


def _read_alike(first: _Read, second: _Read, renamed: Any, image: Any) -> bool:
    written = first.written.apply_domain(renamed).apply_range(renamed)
    inputs = first.given.apply_domain(renamed)
    return bool(
        written.is_equal(second.written.intersect_range(image))
        and inputs.is_equal(second.given.intersect_domain(image))
    )


def _pairs(
    first: Expression, second: Expression, forms: Mapping[str, Affine]
) -> list[tuple[Reference, Reference]] | None:
    """The cells at the same places of two expressions; None if these differ otherwise."""
    walk = list(_walked(first, second, forms))
    pairs = [pair for pair in walk if pair is not None]
    if len(pairs) < len(walk):
        return None
    return pairs


def _walked(
    first: Expression, second: Expression, forms: Mapping[str, Affine]
) -> Iterator[tuple[Reference, Reference] | None]:
    """Yield the cells at the same places of two expressions, and None where these differ."""
    if isinstance(first, Reference) and isinstance(second, Reference):
        yield first, second
    elif isinstance(first, Constant) and isinstance(second, Constant):
        if not _equal(first, second, forms):
            yield None
    elif isinstance(first, Operation) and isinstance(second, Operation):
        heads = (
            (operation.name, operation.signs, len(operation.operands))
            for operation in (first, second)
        )
        if len({*heads}) > 1 or (first.meaning is None) != (second.meaning is None):
            yield None
            return
        for operand, twin in zip(first.operands, second.operands, strict=True):
            yield from _walked(operand, twin, forms)
        if first.meaning is not None and second.meaning is not None:
            yield from _walked(first.meaning, second.meaning, forms)
    else:
        yield None


def _equal(first: Constant, second: Constant, forms: Mapping[str, Affine]) -> bool:
    value, twin = first.value, second.value
    if isinstance(value, Affine) and isinstance(twin, Affine):
        return twin.replaced(forms) == value
    if isinstance(value, Operation) and isinstance(twin, Operation):
        return not list(_walked(value, twin, forms))
    return type(value) is type(twin) and value == twin
