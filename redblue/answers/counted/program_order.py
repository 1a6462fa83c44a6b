"""The user's own loops as a schedule: program order, by LRU and by furthest next use.

Where the DAG of a text is not built for searches, it may still be built to play its own order: that
costs so many seconds a vertex and edge, at each size of memory, or at all sizes in one pass.
"""

from collections.abc import Sequence
from typing import Final

from dags import Computation, InvalidSpecError
from pebble import Rules
from redblue.answers.curves.swept import Grid, swept_rows
from redblue.answers.results import Row
from schedulers import scheduler_named

METHODS: Final = ("natural+lru", "natural+belady")
# Seconds for each vertex and edge of both methods: at a size of memory, and at all in one pass.
# They are figures of one machine, so that what is played depends on the question alone.
A_SIZE, A_RANGE, MOST_SECONDS = 1.6e-6, 1.6e-5, 6.0


def program_order_rows(
    computation: Computation, memories: Sequence[int], rules: Rules
) -> list[Row]:
    """Return the rows of program order; none where it takes long to play, or is no single order.

    Parameters
    ----------
    computation
        A program whose DAG is not built.
    memories, rules
        Words of fast memory, rising, each enough for every vertex; and the rules.
    """
    nest = computation.nest
    if not computation.is_program or computation.is_graph or nest is None or nest.any_order:
        return []
    counts = computation.sizes
    seconds = min(A_SIZE * len(memories), A_RANGE) * (counts.vertices + counts.edges)
    if not memories or seconds > MOST_SECONDS:
        return []
    try:
        computation.require_room()
        dag = computation.dag
    except InvalidSpecError:
        return []
    grid = Grid(dag, computation.spec, memories, rules, 0, None, strict=False)
    players = {name: scheduler_named(name) for name in METHODS}
    rows, _ = swept_rows(grid, players, {}, options=None, jobs=1)
    return [row for row in rows if row.io is not None]
