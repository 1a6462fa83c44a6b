"""Values that wait in each iteration of a program's outer loops, whatever the memory."""

import numpy as np

from dags import CDAG
from pebble import ONE_SHOT, Budget, Game
from proofs.bounds.pieces.slices import MOST_PIECE, Ranges, prices, ranges_of, slots_of_loops
from proofs.certificates import CertificateError
from proofs.certificates.pieces.wavefronts import WAVEFRONT

DEPTHS = (1, 2)  # loops whose iterations are slots
LENGTHS = (1, 2)  # slots of a range


def waiting(dag: CDAG, depth: int, length: int) -> tuple[int, int]:
    """Return the words that wait in all ranges of iterations together, and their prices' sum.

    With M words of fast memory a play that computes each value once moves at least the first less
    M times the second beyond the compulsory words. The flow that shows the wavefront of a range
    uses words of values; without its paths through a value it is less by what they carry there. So
    words that several ranges use, and no value has, are subtracted.

    Parameters
    ----------
    dag
        A DAG with an origin.
    depth
        Loops whose iterations are slots.
    length
        Iterations of a range; ranges overlap.

    Raises
    ------
    CertificateError
        If ranges are too large to be searched.
    """
    assert dag.origin is not None
    search = Ranges(Game.of(dag, 0), Budget())
    used, budget = np.zeros(dag.n, np.int64), prices(dag)
    words = cost = 0
    for vertices in ranges_of(slots_of_loops(dag, dag.origin, depth), (length,)):
        if vertices.size > MOST_PIECE:
            raise CertificateError("vertices", f"of a range are more than {MOST_PIECE}")
        piece = search.cutter.cut(vertices)
        scores = search.scores(piece)
        if not scores:
            continue
        score, price, data = max(scores, key=lambda one: (one[1], one[0]))
        words, cost = words + score, cost + price
        used[vertices] += WAVEFRONT.shown(piece, 0, ONE_SHOT, data)[1]
    return words - int(np.maximum(used - budget, 0).sum()), cost
