"""Claims of emitted code, tested: bits, words, and its play before the referee."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np

from dags import RedBlueError
from dags.programs.integer_sets import bounded_isl
from pebble import IllegalMoveError
from redblue.emission.emission import Emission, claimed
from redblue.emission.original import Original, whole_function
from redblue.emission.ranges import Ranges
from redblue.emission.runs import Ran, Runs
from redblue.emission.source import Interface, assembled, text_lines
from redblue.emission.statements import OPERATIONS
from redblue.emission.traces import PROLOGUE, Traced, refereed

DRAWN, TRIES, LARGEST = 5, 1000, 13
MOST: Final = 300_000  # instances of statements whose play is judged
TRACED: Final = ("-Wno-unused-function",)


PLAIN: Final = "#define LOAD(x) (x)\n#define STORE(x, v) ((void)((x) = (v)))"


@dataclass(frozen=True)
class Row:
    """A run at some sizes.

    Parameters
    ----------
    sizes
        The sizes.
    bits
        Whether all outputs are those of the original, bit for bit.
    claimed, counted, judged
        Loads and stores by formula, by counters in the code, and by the referee; None of a play
        that is not judged, and of a cache.
    misses
        Of a fully associative cache of LRU that has the words of fast memory, with such a cache.
    same_values
        Whether each statement reads the values that it reads in the original; None if unknown.
    as_it_is
        Whether the original is the text as it was given, and not the program printed anew.
    """

    sizes: Mapping[str, int]
    bits: bool
    claimed: tuple[int, int] | None = None
    counted: tuple[int, int] | None = None
    judged: tuple[int, int] | None = None
    same_values: bool | None = None
    misses: int | None = None
    problem: str = ""
    as_it_is: bool = False

    @property
    def holds(self) -> bool:
        """True where nothing differs."""
        agree = self.claimed == self.counted and self.judged in (None, self.claimed)
        return self.bits and agree and self.same_values is not False and not self.problem

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        return {**vars(self), "sizes": dict(self.sizes), "holds": self.holds}


@bounded_isl(OPERATIONS)
def check(emission: Emission, *, seed: int = 0) -> list[Row]:
    """Runs of emitted code and of the original, at the given sizes and five drawn ones.

    No index leaves its array at these: what such a text does is told by no one.

    Parameters
    ----------
    emission
        The code.
    seed
        Of the sizes that are drawn.

    Raises
    ------
    NoCompilerError
        If there is no C compiler.
    RunError
        If the code does not compile, or fails.
    """
    face, random = emission.interface, np.random.default_rng(seed)
    runs = Runs(face)
    original, order = f"{face.program.source}\n", whole_function(face)
    if not (order and runs.compiles(original, order)):
        original, order = text_of(face), ()
    all_sizes: list[Mapping[str, int]] = [emission.sizes] if emission.sizes else [{}]
    if emission.sizes:
        drawn = (
            {name: int(random.integers(1, LARGEST)) for name in emission.sizes}
            for _ in range(TRIES)
        )
        inside = (sizes for sizes in drawn if face.nest.left(sizes) is None)
        all_sizes += islice(inside, DRAWN)
    rows = []
    tells = '  printf("%ld %ld\\n", loads, stores);'
    with (
        runs.binary(emission.source, flags=["-DCOUNT"], prints=tells) as ours,
        runs.binary(original, flags=["-w"], order=order) as theirs,
    ):
        for sizes in all_sizes:
            own_run, text = ours(sizes), theirs(sizes)
            bits = own_run.outputs == text.outputs
            is_text = (
                bool(face.form.only) and sizes != emission.sizes
            )  # loops are those of the text
            if emission.policy == "cache" or is_text:
                rows.append(Row(sizes, bits, as_it_is=bool(order)))
                continue
            loads, stores = map(int, own_run.rest.split())
            values = {} if face.form.only else sizes
            words = claimed(emission.plan, face, values), (loads, stores)
            rows.append(Row(sizes, bits, *words, as_it_is=bool(order)))
    return _judged(emission, runs, rows)


def _is_text(emission: Emission, sizes: Mapping[str, int]) -> bool:
    """Whether the code takes the loops of the text at some sizes."""
    return bool(emission.interface.form.only) and sizes != emission.sizes


def text_of(face: Interface) -> str:
    """The program as its text has it, printed anew."""
    return assembled(face, ["as the text has it"], [], Original(face).lines(), counters=PLAIN)


def _judged(emission: Emission, runs: Runs, rows: list[Row]) -> list[Row]:
    """Rows with the referee's counts, where plays are not too long."""
    face, plan = emission.interface, emission.plan
    body = text_lines(emission.nodes, traced=True)
    traced = assembled(face, ["traced"], emission_declarations(emission), body, counters=PROLOGUE)
    text = assembled(face, ["traced"], [], Original(face).lines(traced=True), counters=PROLOGUE)
    ends = "\n".join(
        f'  for (long i_ = 0; i_ < n_{parameter.name}; i_++) printf("%p\\n", (void '
        f"*)&{parameter.name}_[i_]);"
        for parameter in face.parameters
        if parameter.extents is not None and parameter.of in face.live
    )
    depths = {access.row.number: access.depth for access in plan.nest.of.values()}
    judged_rows = []
    with (
        runs.binary(traced, flags=TRACED, prints=ends) as ours,
        runs.binary(text, flags=TRACED, prints=ends) as theirs,
    ):
        for row in rows:
            if _is_text(emission, row.sizes):
                judged_rows.append(row)
                continue
            ranges = Ranges(plan.nest, {} if face.form.only else row.sizes)
            if sum(map(ranges.instances, plan.nest.steps)) > MOST:
                judged_rows.append(row)
                continue
            runs_ = ours(row.sizes), theirs(row.sizes)
            if emission.policy == "cache":
                judged_rows.append(_with_misses(row, *runs_, depths, emission.memory))
            else:
                judged_rows.append(_with_play(row, *runs_, depths, plan.words))
    return judged_rows


def _with_play(row: Row, ours: Ran, theirs: Ran, depths: Mapping[int, int], words: int) -> Row:
    trace = Traced().take(ours.events.splitlines(), depths)
    original = Traced().take(theirs.events.splitlines(), depths)
    is_same = trace.reads() == original.reads()
    outputs = [int(number, 16) for number in ours.rest.split()]
    try:
        judged = refereed(trace, outputs, words)
    except (IllegalMoveError, RedBlueError) as error:
        return replace(row, same_values=is_same, problem=str(error))
    return replace(row, judged=(judged.loads - 1, judged.stores), same_values=is_same)


def _with_misses(row: Row, ours: Ran, theirs: Ran, depths: Mapping[int, int], words: int) -> Row:
    events = ours.events.splitlines()
    trace = Traced().take(events, depths)
    is_same = trace.reads() == Traced().take(theirs.events.splitlines(), depths).reads()
    return replace(row, same_values=is_same, misses=missed(events, depths, words))


def missed(events: Iterable[str], depths: Mapping[int, int], words: int) -> int:
    """The misses of a fully associative cache of LRU, with lines of a word."""
    kept: OrderedDict[str, None] = OrderedDict()
    count = 0
    for event in events:
        kind, *fields = event.split()
        cells = fields[1 + depths[int(fields[0])] :] if kind == "d" else fields[1:]
        for cell in cells:
            count += cell not in kept
            kept[cell] = None
            kept.move_to_end(cell)
            if len(kept) > words:
                kept.popitem(last=False)
    return count


def emission_declarations(emission: Emission) -> list[str]:
    """The lines that declare buffers."""
    lines = emission.source.splitlines()
    return [line for line in lines if "; /* of " in line]
