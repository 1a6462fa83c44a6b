"""DAGs in which computing a value again never helps.

Let every computed vertex have one reader, or none if it is an output. Then any play under rules
that allow to compute again contains a legal one-shot play of no more I/O, with the same memory
and sliding or not as before; so that what holds for one-shot plays holds there too.

Proof. Trace the pebbles backwards from the store of each output: a red pebble comes from a
computation or a load, a blue one of a computed vertex from a store of a red one; at a
computation, the pebbles of the operands are traced on. By induction from the outputs backwards,
each vertex is traced to one computation: its one reader has one traced computation, which reads
one pebble of it. Strike all moves of pebbles that are not traced. Those that are left are legal,
for all that they need is traced, and they form a one-shot play: fewer pebbles take less room, and
if a computed pebble took the place of an operand, that was a traced pebble with no further use.
"""

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from dags.cdag.rows import reader_counts


def uses(dag: CDAG) -> Int64Array:
    """Return (n,) the readers of each vertex, one more if it is an output."""
    count: Int64Array = reader_counts(dag.pred_indices, dag.n)
    count[dag.outputs] += 1
    return count


def is_single_use(dag: CDAG) -> bool:
    """Return whether every computed vertex has one reader, or none if it is an output."""
    return bool(np.all(uses(dag)[dag.computed] == 1))
