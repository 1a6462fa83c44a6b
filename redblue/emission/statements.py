"""A program as statements of isl, for all sizes: instances, cells, and dependences."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from dags.programs.affine import Affine, variable
from dags.programs.canonical.filled import filled
from dags.programs.fixed import with_sizes
from dags.programs.instances import Instances, instances
from dags.programs.integer_sets import isl, parameters
from dags.programs.nest import (
    Assign,
    Clear,
    Constant,
    Loop,
    Program,
    Reference,
    references,
)
from redblue.emission.expressions import EmissionError

OPERATIONS: Final = 1_000_000_000  # of isl for one code, minutes


@dataclass(frozen=True)
class Access:
    """A reference of a statement.

    Parameters
    ----------
    reference
        As the program has it.
    indices
        Its indices, as forms of loops c0, c1, ... and sizes n0, n1, ....
    writes
        Whether it is the target.
    """

    reference: Reference
    indices: tuple[Affine, ...]
    writes: bool

    @property
    def array(self) -> str:
        """The array."""
        return self.reference.array


@dataclass(frozen=True)
class Step:
    """An assignment with its loops.

    Parameters
    ----------
    row
        As isl reads it.
    assign, loops
        As the program has it.
    names
        The names of its loop variables and the sizes.
    """

    row: Instances
    assign: Assign
    loops: tuple[Loop, ...]
    names: Mapping[str, Affine]

    @property
    def name(self) -> str:
        """The tuple of its instances, S0."""
        return f"S{self.row.number}"

    @property
    def depth(self) -> int:
        """The loops around it."""
        return self.row.depth

    @cached_property
    def accesses(self) -> tuple[Access, ...]:
        """Each cell that it reads once, and its target last."""
        expression = self.assign.expression
        read = dict.fromkeys(() if isinstance(expression, Constant) else references(expression))
        cells = [*((reference, False) for reference in read), (self.assign.target, True)]
        return tuple(
            Access(
                reference, tuple(form.replaced(self.names) for form in reference.indices), writes
            )
            for reference, writes in cells
        )


class Nest:
    """The statements of a program and their dependences.

    Parameters
    ----------
    program
        The loop nest.
    fixed
        Sizes that are numbers in it.
    kept
        Its arrays that have no cells in slow memory.
    stored
        Its arrays whose cells are those of others, which are no scalars without indices.

    Raises
    ------
    UnknownNameError
        If it has no such size.
    """

    def __init__(
        self,
        program: Program,
        fixed: Mapping[str, int] | None = None,
        kept: Collection[str] = (),
        *,
        stored: Collection[str] = (),
    ) -> None:
        self.general = Nest(program) if fixed else None  # the same with no size fixed
        self.kept = frozenset(kept)
        self.fixed = dict(fixed or {})
        program = with_sizes(program, self.fixed)
        self.program = _with_loops_for_clears(program)
        self.head = parameters(len(program.sizes))
        sizes = {name: variable(f"n{number}") for number, name in enumerate(program.sizes)}
        pairs = zip(instances(self.program), self.program.statements, strict=True)
        self.steps = tuple(
            Step(
                row,
                assign,
                loops,
                sizes
                | {loop.variable: variable(f"c{number}") for number, loop in enumerate(loops)},
            )
            for row, (assign, loops) in pairs
        )
        self.of = {step.name: step for step in self.steps}
        positive = (
            " and ".join(f"n{number} >= 1" for number in range(len(program.sizes))) or "0 = 0"
        )
        self.context = isl.Set(f"{self.head} -> {{ : {positive} }}")
        self.domain = {
            step.name: isl.Set(f"{self.head} -> {{ {step.row.name} : {step.row.where} }}")
            .intersect_params(self.context)
            .coalesce()
            for step in self.steps
        }
        self.steps = tuple(step for step in self.steps if not self.domain[step.name].is_empty())
        self.arrays = tuple(program.dimensions)
        self.scalars = frozenset(
            name for name, dims in program.dimensions.items() if not dims and name not in stored
        )
        self.constants = self._constants()

    def at(self, sizes: Mapping[str, int]) -> Any:
        """The set of just these sizes."""
        pairs = (f"n{number} = {sizes[name]}" for number, name in enumerate(self.program.sizes))
        return isl.Set(f"{self.head} -> {{ : {' and '.join(pairs) or '0 = 0'} }}")

    def left(self, sizes: Mapping[str, int]) -> str | None:
        """An array that an index leaves at some sizes; None if there is none."""
        cells = self._outside.intersect_params(self.at(sizes))
        if cells.is_empty():
            return None
        return self.arrays[int(cells.get_set_list().get_at(0).get_tuple_name()[1:])]

    @cached_property
    def _outside(self) -> Any:
        """The cells that lie outside of the declared extents of their arrays."""
        sizes = {name: variable(f"n{number}") for number, name in enumerate(self.program.sizes)}
        allowed = self.map("").domain()
        for array, dims in self.program.dimensions.items():
            names = [f"i{axis}" for axis in range(dims)]
            sides = self.program.extents.get(array, ())
            tests = [f"0 <= {name}" for name in names]
            tests += [f"i{axis} < {side.replaced(sizes)}" for axis, side in enumerate(sides)]
            box = f"{self.tuple_of(array)}[{','.join(names)}] : {' and '.join(tests) or '0 = 0'}"
            allowed = allowed.union(isl.UnionSet(f"{self.head} -> {{ {box} }}"))
        return self.reads.union(self.writes).range().subtract(allowed).coalesce()

    def map(self, text: str) -> Any:
        """A relation of isl."""
        return isl.UnionMap(f"{self.head} -> {{ {text} }}")

    def access(self, step: Step, access: Access) -> Any:
        """Return from instances to the cells of one reference."""
        cell = f"{self.tuple_of(access.array)}[{','.join(map(str, access.indices))}]"
        cells = self.map(f"{step.row.name} -> {cell}")
        return cells.intersect_domain(isl.UnionSet.from_set(self.domain[step.name]))

    def tuple_of(self, array: str) -> str:
        """The name of an array's cells, which has nothing of the text."""
        return f"A{self.arrays.index(array)}"

    def union(self, parts: Any) -> Any:
        """The union of some relations."""
        total = self.map("")
        for part in parts:
            total = total.union(part)
        return total

    def _constants(self) -> frozenset[str]:
        """The scalars that hold values of constants alone."""
        constants = {name for name in self.scalars if name in self.program.constants}
        written = [name for name in self.program.written if name in self.scalars]
        constants |= set(written)
        while True:
            wrong = {
                step.assign.target.array
                for step in self.steps
                for access in step.accesses
                if not access.writes and access.array not in constants
            } & constants
            if not wrong:
                return frozenset(constants)
            constants -= wrong

    @cached_property
    def text_time(self) -> Any:
        """The schedule of the text."""
        width = max(len(step.row.time) for step in self.steps)
        return self.timed({step.name: step.row.time for step in self.steps}, width)

    def timed(self, times: Mapping[str, tuple[str, ...]], width: int) -> Any:
        """The schedule in which each statement is run at some coordinates."""
        return self.union(
            self.map(
                f"{self.of[name].row.name} -> [{','.join((*time, *['0'] * (width - len(time))))}]"
            ).intersect_domain(isl.UnionSet.from_set(self.domain[name]))
            for name, time in times.items()
        )

    @cached_property
    def reads(self) -> Any:
        """From instances to the cells that they read."""
        return self._all(writes=False)

    @cached_property
    def writes(self) -> Any:
        """From instances to the cell that each writes."""
        return self._all(writes=True)

    def _all(self, *, writes: bool) -> Any:
        return self.union(
            self.access(step, access)
            for step in self.steps
            for access in step.accesses
            if access.writes == writes
        )

    @cached_property
    def _steps(self) -> tuple[Any, Any]:
        """The relation of instances by numbers of steps to instances, and the schedule of those.

        isl's flow errs where loops in steps stand in others, so steps are counted there.
        """
        rows = [row for row in instances(self.program, counted=True) if f"S{row.number}" in self.of]
        width = max(len(row.time) for row in rows)
        named = self.union(
            self.map(f"{row.name} -> S{row.number}[{','.join(row.values)}] : {row.where}")
            for row in rows
        )
        times = self.union(
            self.map(f"{row.name} -> [{','.join((*row.time, *['0'] * (width - len(row.time))))}]")
            for row in rows
        )
        named = named.intersect_params(self.context)
        return named, times.intersect_domain(named.domain())

    def last_writes(self, reads: Any, writes: Any = None) -> tuple[Any, Any]:
        """The relation of writes to the reads of their values, and reads of first cells.

        Parameters
        ----------
        reads, writes
            From instances to cells; None for all that the program writes.
        """
        named, times = self._steps
        writes = self.writes if writes is None else writes
        access = isl.UnionAccessInfo.from_sink(named.apply_range(reads).coalesce())
        access = access.set_must_source(named.apply_range(writes).coalesce())
        flow = access.set_schedule_map(times).compute_flow()
        dependences = flow.get_must_dependence().apply_domain(named).apply_range(named)
        return dependences.coalesce(), flow.get_must_no_source().apply_domain(named).coalesce()

    @cached_property
    def flow(self) -> Any:
        """From a write to the reads of its value."""
        return self.last_writes(self.reads)[0]

    @cached_property
    def first_read(self) -> frozenset[str]:
        """The arrays of which some cells are read before they are written."""
        first = self.last_writes(self.reads)[1]
        listed = first.range().get_set_list()
        names = (listed.get_at(position).get_tuple_name() for position in range(listed.n_set()))
        return frozenset(self.arrays[int(name[1:])] for name in names)

    @cached_property
    def last(self) -> Any:
        """The instances that write the last value of a cell."""
        rewrites = self.writes.apply_range(self.writes.reverse())
        later = rewrites.intersect(self.text_time.lex_lt_union_map(self.text_time))
        return self.writes.domain().subtract(later.domain())

    @cached_property
    def dependences(self) -> Any:
        """From instances to later ones that must stay later: by a cell that either writes."""
        accesses = self.reads.union(self.writes)
        by_cell = self.writes.apply_range(accesses.reverse())
        by_cell = by_cell.union(self.reads.apply_range(self.writes.reverse()))
        return by_cell.intersect(self.text_time.lex_lt_union_map(self.text_time)).coalesce()

    @cached_property
    def near(self) -> Any:
        """From instances to later ones that touch a cell that they touch."""
        accesses = self.reads.union(self.writes)
        later = self.text_time.lex_lt_union_map(self.text_time)
        return accesses.apply_range(accesses.reverse()).intersect(later).coalesce()

    def is_legal(self, time: Any) -> bool:
        """Whether a schedule of some statements keeps their dependences, at all sizes."""
        domain = time.domain()
        asked = self.dependences.intersect_domain(domain).intersect_range(domain)
        return bool(asked.is_subset(time.lex_lt_union_map(time)))


def _with_loops_for_clears(program: Program) -> Program:
    """The program with loops that fill arrays in the place of their assignments."""
    changed, _ = filled(program)
    left = [statement for statement in changed.body if isinstance(statement, Clear)]
    if left:
        raise EmissionError(
            f"line {left[0].line}: {left[0].array[:40]!a} is made without extents: write them, as "
            "in np.zeros(n)"
        )
    return changed
