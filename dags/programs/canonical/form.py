"""The canonical form of a program at given sizes, and the steps that lead there."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from dags.programs.canonical.copies import uncopied, unscaled
from dags.programs.canonical.directions import upward
from dags.programs.canonical.filled import filled
from dags.programs.canonical.interchanged import interchanges
from dags.programs.canonical.mapping import Cells, composed
from dags.programs.canonical.mirrors import mirrored
from dags.programs.canonical.planes import Planes, planes
from dags.programs.canonical.renamed import Changed, Renaming, same_dag
from dags.programs.canonical.rows import RowedArray, rows
from dags.programs.canonical.rows import shown as shown_rows
from dags.programs.canonical.slants import straightened
from dags.programs.canonical.steps import counted
from dags.programs.canonical.tiles import untilings
from dags.programs.canonical.unrolled import rollings, runs
from dags.programs.fixed import with_sizes
from dags.programs.integer_sets import isl
from dags.programs.nest import Program, references

Names = Collection[str] | None
Same = Callable[[Program, Program, Sequence[Renaming], Names, Names], bool]


@dataclass(frozen=True)
class Canonical:
    """A program in canonical form.

    Parameters
    ----------
    program
        The program; its sizes are numbers where a step was taken.
    steps
        A sentence on each thing that was taken away from the text.
    live, constants
        The arrays that were asked for, by their names in it.
    cells
        Where the text has the cells of arrays that it has by other names or indices.
    is_other
        Whether its instances have other loops than in the text, or its cells other indices.
    """

    program: Program
    steps: tuple[str, ...]
    live: tuple[str, ...] | None = None
    constants: tuple[str, ...] | None = None
    cells: Mapping[str, Cells] = field(default_factory=dict)
    is_other: bool = False


def canonical(
    program: Program,
    sizes: Mapping[str, int],
    live: Collection[str] | None = None,
    constants: Collection[str] | None = None,
    *,
    same: Same = same_dag,
) -> Canonical:
    """The canonical form of a program at given sizes.

    Parameters
    ----------
    program
        A loop nest.
    sizes
        A value for each of its sizes.
    live, constants
        As for `dags.programs.instantiate`.
    same
        Whether a program computes the same as one before, under names of instances.
    """
    whole, made = filled(with_sizes(program, sizes))
    apart = planes(whole)
    live, constants = apart.names(live), apart.names(constants)
    # Tiles first, since they hide rows; but loops over whole rows may pass for tiles of one loop,
    # and then the rows that stand in the text come first.
    taken = _Taken(same, live, constants)
    plain, flat = taken.then_rows(apart.program)
    split, in_text = rows(apart.program) if _mixed(plain) else (plain, ())
    if in_text:
        other = _Taken(same, live, constants)
        after, more = other.then_rows(split)
        if _mixed(after) < _mixed(plain):
            taken, plain, flat = other, after, more
            taken.steps = [*shown_rows(in_text), *taken.steps]
            flat = (*in_text, *flat)
    steps = [
        *(f"{array} is filled where it is made" for array in made),
        *(
            f"planes of {array} are arrays: {', '.join(parts)}"
            for array, parts in apart.parts.items()
        ),
        *taken.steps,
    ]
    cells = apart.cells
    for matrix in flat:
        cells = composed(cells, {matrix.array: matrix.cells})
    plain, turned, ends = mirrored(plain)
    if turned:
        taken.steps = []
        plain = taken.all_of(plain)
        cells = composed(cells, ends)
        steps += [*turned, *taken.steps]
    stepped = _stepped(plain)
    if stepped is not None:
        apart, inner = stepped
        plain, live, constants = apart.program, apart.names(live), apart.names(constants)
        cells = composed(
            composed(cells, {matrix.array: matrix.cells for matrix in inner}), apart.cells
        )
        steps += [
            f"{array} is read in steps: its parts are {', '.join(parts)}"
            for array, parts in apart.parts.items()
        ]
    is_other = taken.is_other or bool(flat or ends) or stepped is not None
    if not steps:
        return Canonical(program, (), live, constants)
    return Canonical(plain, tuple(steps), live, constants, cells, is_other)


def _mixed(program: Program) -> int:
    """How many indices of cells depend on several loops."""
    cells = (
        cell
        for statement, _ in program.statements
        for cell in (statement.target, *references(statement.expression))
    )
    return sum(len(index.terms) > 1 for cell in cells for index in cell.indices)


def _stepped(program: Program) -> tuple[Planes, tuple[RowedArray, ...]] | None:
    """A program whose arrays lie in planes along loops with steps; None if none does."""
    plain, loops = counted(program)
    if not loops:
        return None
    plain, matrices = rows(plain)
    apart = planes(plain, [matrix.array for matrix in matrices])
    return (apart, matrices) if apart.parts else None


class _Taken:
    """The steps that rename instances.

    Parameters
    ----------
    same
        Whether a program computes the same as one before.
    live, constants
        The arrays that are asked for.
    """

    def __init__(
        self, same: Same, live: Collection[str] | None, constants: Collection[str] | None
    ) -> None:
        self.same, self.live, self.constants = same, live, constants
        self.steps: list[str] = []
        self.is_other = False

    def then_rows(self, program: Program) -> tuple[Program, tuple[RowedArray, ...]]:
        """A program after all such steps, before and behind the rows of flat arrays."""
        plain, flat = rows(self.all_of(program))
        if flat:
            self.steps += shown_rows(flat)
            plain = self.all_of(plain)
        return plain, flat

    def all_of(self, program: Program) -> Program:
        """A program after all such steps, which are noted."""
        while isl is not None and (step := self._first(program)) is not None:
            loops = [tuple(loop.variable for loop in loops) for _, loops in program.statements]
            self.is_other |= any(
                name.number != number or [*map(str, name.loops)] != [*variables]
                for number, (name, variables) in enumerate(zip(step.names, loops, strict=True))
            )
            program = step.program
            self.steps.append(step.shown)
        return program

    def _first(self, program: Program) -> Changed | None:
        """The first step that leaves the values as they are; None if there is none."""
        ways = [rollings, runs, untilings, upward, straightened, interchanges]
        if self.same is same_dag:  # where copies are values of their own they stay
            ways[:0] = [uncopied, unscaled]
        for step in chain.from_iterable(way(program) for way in ways):
            if self.same(program, step.program, step.names, self.live, self.constants):
                return step
        return None
