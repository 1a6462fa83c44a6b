"""The user's own loops as a schedule: program order, by LRU and by furthest next use."""

from collections.abc import Sequence
from time import perf_counter
from typing import Final

from dags import Computation
from dags.programs import ProgramError
from dags.programs.members import instance_named
from pebble import Rules
from redblue.answers.results import PROGRAM_ORDER, Row
from redblue.limits.progress import Progress
from schedulers.curves.program_order import MOST_MEMORIES, TooLongError, program_words

# Seconds of an access of a run by LRU, for the run and for each memory, and by both rules. They
# are figures of one machine, so that what is run depends on the question alone.
BY_LRU: Final = (3.0e-8, 0.3e-8)
BY_BOTH: Final = (3.2e-8, 1.2e-8)
IN_PASSING, OF_A_CURVE = 4.0, 60.0  # seconds that a run may take
REPEATING: Final = 10.0  # and one that is longer, unless iterations of its loops repeat
MOST_ACCESSES: Final = 10**12  # even then: loops around the innermost ones are run to be counted


def program_order_rows(
    computation: Computation,
    memories: Sequence[int],
    rules: Rules,
    *,
    seconds: float = IN_PASSING,
    progress: Progress | None = None,
) -> tuple[list[Row], str | None]:
    """The rows of program order, and a sentence on those that are left out.

    Both rules are counted where that is estimated to take as many seconds at most, LRU alone where
    that does, or where iterations of loops repeat.

    Parameters
    ----------
    computation
        A program whose DAG is not built.
    memories, rules
        Words of fast memory, rising, and the rules.
    seconds
        What the run may take.
    progress
        Called with thousandths that are done.
    """
    nest = computation.nest
    if not computation.is_program or computation.is_graph or nest is None or nest.any_order:
        return [], None
    instance, least = instance_named(computation.spec), computation.min_memory()
    sizes = [memory for memory in memories if memory >= least]
    if instance is None or not sizes:
        return [], None
    counts = computation.sizes
    accesses = counts.edges + counts.vertices - counts.inputs
    by_lru, by_both = (first + each * len(sizes) for first, each in (BY_LRU, BY_BOTH))
    with_next_use = accesses * by_both <= seconds and len(sizes) <= MOST_MEMORIES
    is_short = accesses * by_lru <= seconds
    most = MOST_ACCESSES if is_short else int(min(seconds, REPEATING) / by_lru)
    left_out = (
        f"program order of {accesses:,} accesses is left out: iterations of its loops do not repeat"
    )
    if accesses > MOST_ACCESSES:
        return [], left_out
    began = perf_counter()
    try:
        found = program_words(
            instance.program,
            instance.sizes,
            sizes,
            with_next_use=with_next_use,
            most=most,
            progress=None if progress is None else lambda done, of: progress(done, of, 0),
        )
    except (TooLongError, ProgramError):
        return [], left_out
    taken = perf_counter() - began
    rows = [
        Row("upper", method, memory, loads + stores, loads, stores, "counted", taken / len(sizes))
        for method, words in zip(PROGRAM_ORDER, (found.lru, found.furthest), strict=True)
        if words is not None
        for memory, loads, stores in zip(
            sizes, words.loads.tolist(), words.stores.tolist(), strict=True
        )
    ]
    return rows, None
