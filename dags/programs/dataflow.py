"""The DAG of a program for all sizes: which instance reads the value of which.

isl finds the last write before each read, exactly. The work of `dags.programs.instantiate` is done
here for all sizes: a copy hands on its operand; an instance that reads constants alone is a
constant; a read without a write before it is an input, or a constant. Both end after a few rounds,
or nothing is said.

No value is dropped that an output needs, and every other one is: values that nothing reads and
that are no outputs are struck, until there is none. Then, from any value, readers lead on to ever
later ones, and at last to one that nothing reads: an output.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from dags.programs import Program
from dags.programs.instances import Instances, NotReadError, instances
from dags.programs.integer_sets import bounded_isl, isl, parameters
from dags.programs.layout import known_names

ROUNDS: Final = 8
END: Final = "End_"


@dataclass(frozen=True)
class Dataflow:
    """The values of a program for all sizes, as isl's sets and relations.

    Parameters
    ----------
    reads
        From an instance to its reads: instances, and inputs as cells of arrays.
    inputs, outputs
        The inputs that are read; the instances whose values are outputs.
    computed
        All instances that make a value that some output needs.
    arrays
        The tuples of the cells of arrays, in the order of their first reference.
    references
        The relation `reads` reference by reference, in the order of the text: each reads one
        value at most.
    """

    reads: Any
    inputs: Any
    outputs: Any
    computed: Any
    arrays: tuple[str, ...]
    references: tuple[Any, ...]


@bounded_isl()
def dataflow(
    program: Program,
    asked: Any,
    live: Collection[str] | None = None,
    constants: Collection[str] | None = None,
) -> Dataflow:
    """The values of a program for all sizes.

    Parameters
    ----------
    program
        A loop nest.
    asked
        The sizes that are meant: a `islpy.Set` of parameters n0, n1, ... alone.
    live, constants
        As for `dags.programs.instantiate`.

    Raises
    ------
    NotReadError
        If it is not found for all sizes in a few rounds, or isl gives up.
    """
    kept = known_names(program, live, "live", program.live_by_default())
    held = {*known_names(program, constants, "constants", program.constants), *program.local}
    return _Flow(program, asked, held).found(kept)


class _Flow:
    """The relations of one program."""

    def __init__(self, program: Program, asked: Any, held: set[str]) -> None:
        self.rows = instances(program)
        self.asked = asked
        self.sizes = parameters(len(program.sizes))
        self.dims = program.dimensions
        self.held = held
        self.width = max(len(row.time) for row in self.rows)
        # isl's flow errs where loops in steps stand in others, so steps are counted there
        self.steps = instances(program, counted=True)
        self.writes = self.union(
            f"{step.name} -> {step.writes} : {step.where}" for step in self.steps
        )
        self.times = self.union(map(self.timed, self.steps))
        self.named = self.union(
            f"{step.name} -> S{step.number}[{','.join(step.values)}] : {step.where}"
            for step in self.steps
        )
        self.copies = self.set_of(row for row in self.rows if row.moves)

    def union(self, maps: Any) -> Any:
        """The union of relations that are written as isl reads them."""
        return isl.UnionMap(f"{self.sizes} -> {{ {'; '.join(maps)} }}").intersect_params(self.asked)

    def set_of(self, rows: Any) -> Any:
        """The instances of some assignments."""
        sets = "; ".join(f"{row.name} : {row.where}" for row in rows)
        return isl.UnionSet(f"{self.sizes} -> {{ {sets} }}").intersect_params(self.asked)

    def timed(self, row: Instances) -> str:
        """Return when an assignment is run; the end of the program comes last."""
        time = ("0", *row.time, *["0"] * (self.width - len(row.time)))
        return f"{row.name} -> [{','.join(time)}]"

    def found(self, live: tuple[str, ...]) -> Dataflow:
        """The values that live arrays need."""
        kept_relations = [
            self.values(self.union([f"{row.name} -> {cell} : {row.where}"]), self.times)
            for row in self.steps
            for cell in row.reads
        ]
        all_reads = self.union([])
        for relation in kept_relations:
            all_reads = all_reads.union(relation)
        kept_relations = [self.resolved(relation, all_reads) for relation in kept_relations]
        all_reads = self.resolved(all_reads, all_reads)
        reads = self.without_constants(all_reads.subtract_domain(self.copies))
        outputs = self.resolved(self.last(live), all_reads).range().intersect(reads.domain())
        cells = (cell for row in self.rows for cell in (*row.reads, row.writes))
        arrays = tuple(dict.fromkeys(cell.partition("[")[0] for cell in cells))
        return _needed(reads.coalesce(), outputs.coalesce(), arrays, kept_relations)

    def values(self, read: Any, times: Any) -> Any:
        """The relation of readers to operands: the last instance that wrote, or an input.

        Readers and operands have the values of their loops; those of `read` have numbers of steps.
        """
        makers, first = self.last_writes(read, times)
        ends = first.domain().union(makers.domain()).subtract(self.named.domain())
        readers = self.named.union(ends.identity())
        makers = makers.apply_domain(readers).apply_range(self.named)
        first = first.apply_domain(readers)
        for name in self.held:
            cells = ",".join(f"x{i}" for i in range(self.dims.get(name, 0)))
            constant = isl.UnionSet(f"{self.sizes} -> {{ A_{name}[{cells}] }}")
            first = first.subtract_range(constant)
        return makers.union(first)

    def last_writes(self, read: Any, times: Any) -> tuple[Any, Any]:
        """The relation of reads to the last writes before them, and reads without one."""
        access = isl.UnionAccessInfo.from_sink(read).set_must_source(self.writes)
        try:
            flow = access.set_schedule_map(times).compute_flow()
            return flow.get_must_dependence().reverse(), flow.get_must_no_source()
        except isl.Error:  # it fails where the start of a loop with steps is that of an outer one
            read_times = times.intersect_domain(read.domain())
            writes = read.apply_range(self.writes.reverse()).apply_range(times)
            latest = writes.intersect(read_times.apply_range(self.earlier())).lexmax()
            writers = latest.apply_range(times.reverse())  # no two instances have the same time
            return writers, read.subtract_domain(writers.domain())

    def earlier(self) -> Any:
        """The relation from times to all that are earlier."""
        space = isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, 0, 1 + self.width).range()
        return isl.UnionMap.from_map(isl.Map.lex_gt(space))

    def last(self, live: tuple[str, ...]) -> Any:
        """The relation from the end of the program to the values in live arrays."""
        values, times = self.union([]), self.times
        for name in live:
            cells = ",".join(f"x{i}" for i in range(self.dims.get(name, 0)))
            cell = f"A_{name}[{cells}]"
            written = self.writes.range().intersect(isl.UnionSet(f"{self.sizes} -> {{ {cell} }}"))
            ends = self.union([f"{END}{name}[{cells}] -> {cell}"]).intersect_range(written)
            after = ",".join(["1", *["0"] * self.width])
            times = times.union(self.union([f"{END}{name}[{cells}] -> [{after}]"]))
            values = values.union(ends)
        return self.values(values, times)

    def resolved(self, reads: Any, all_reads: Any) -> Any:
        """Reads with copies replaced by their operands."""
        for _ in range(ROUNDS):
            by_copy = reads.intersect_range(self.copies)
            if by_copy.is_empty():
                return reads
            reads = reads.subtract_range(self.copies).union(by_copy.apply_range(all_reads))
        raise NotReadError("values are copied from copy to copy")

    def without_constants(self, reads: Any) -> Any:
        """The relation without reads of values of constants alone."""
        reads = reads.subtract_range(self.constant(reads))
        computed = self.set_of(row for row in self.rows if not row.moves)
        for _ in range(ROUNDS):
            constant = computed.subtract(reads.domain())
            if reads.intersect_range(constant).is_empty():
                return reads
            reads = reads.subtract_range(constant)
        raise NotReadError("constants are computed from constants without an end")

    def constant(self, reads: Any) -> Any:
        """The instances of assignments that read each other's values and constants alone.

        The first of them that is run reads constants alone, and so does each later one.
        """
        candidates = [row for row in self.rows if not row.moves]
        while candidates:
            instances = self.set_of(candidates)
            read = reads.intersect_domain(instances).subtract_range(instances).domain()
            remaining = [row for row in candidates if self.set_of([row]).intersect(read).is_empty()]
            if len(remaining) == len(candidates):
                return instances
            candidates = remaining
        return self.set_of([])


def _needed(reads: Any, outputs: Any, arrays: tuple[str, ...], self_reads: list[Any]) -> Dataflow:
    """The values that outputs need."""
    for _ in range(ROUNDS):
        computed = reads.domain()
        unread = computed.subtract(reads.range()).subtract(outputs)
        if unread.is_empty():
            inputs = reads.range().subtract(computed)
            relations = (relation.intersect(reads).coalesce() for relation in self_reads)
            nonempty = tuple(relation for relation in relations if not relation.is_empty())
            return Dataflow(
                reads, inputs.coalesce(), outputs, computed.coalesce(), arrays, nonempty
            )
        reads = reads.subtract_domain(unread)
    raise NotReadError("values that no output needs are read by others like them")
