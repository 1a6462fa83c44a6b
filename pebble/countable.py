"""The words that a play moves, known to be so few that 64 bits count them.

The engines of all games add words in int64: of each kind of move, of each level, processor and
link, and step by step in a trace. Every such sum is one over some of the moves that move words; so
where those of all such moves together are at most 2^62, none wraps, nor does the sum of any two.
What is in a fast memory needs no such look: it is at most the words of all values
(`pebble.rules.useful_memory`), 2^62 by `dags.cdag.border`. A play with more words than that is
refused, in one sentence; the referees count it in plain Python.
"""

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import MAX_TOTAL, exact_sum
from pebble.errors import InvalidScheduleError
from pebble.moves import Move


def require_countable(
    dag: CDAG, op: npt.NDArray[np.uint8], vertex: npt.NDArray[np.int32], before: int = 0
) -> None:
    """Raise InvalidScheduleError if legal moves move more words than can be counted.

    Parameters
    ----------
    dag
        The computation.
    op, vertex
        (k,) the moves: all but computations and deletions move the words of their vertex.
    before
        Words that were moved before them.
    """
    if dag.words is None or before + op.size * int(dag.words.max()) <= MAX_TOTAL:
        return
    moved = (op != Move.COMPUTE) & (op != Move.DELETE)
    if before + exact_sum(dag.words[vertex[moved]]) > MAX_TOTAL:
        raise InvalidScheduleError(
            f"the schedule moves more than {MAX_TOTAL} words, more than the engine counts"
        )
