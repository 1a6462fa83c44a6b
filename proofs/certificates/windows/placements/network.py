"""The network whose least cut bounds what a window loads in any placement.

Of each vertex v three things can be true. o: it is an input or before the window. p: there is a
path to it from an input on which no vertex before it is loaded or red when the window begins; and
q: neither is v itself on some such path. So a value that is loaded or red has p and not q, and

    before the window:  o            in the window:  not o, not p, not q
    after it:           not o, p, q  (let it count as within reach; nothing else is said of it)

In every placement with the values D that are loaded or red these hold, along each edge (u, v):

- o of v implies o of u; q of u implies p of v: a path goes on. If v is in the window, so are its
  operands or before it, and none has q; if v is before it, this is how p is meant; if v is after
  it, it has p anyhow.
- q of v implies p of v; an input has o and p.

Let c(v) be the cost of v in D, and gain >= 0, shift any number. A cut puts the true things on the
side of the source; arcs without limit forbid what is above; and cutting

    p -> q with c(v), p -> end and o -> p with gain, o -> end with shift (start -> o with -shift)

costs c(D) + gain (counted vertices that are not in the window) + shift (counted ones before it),
for shift < 0 with -shift (counted ones not before it) in place of the last. What is decided only
takes cuts away: before the window: o; not before it: not o, and p implies q, for such a value is
not in D; not after it: p implies o; after it: p.
"""

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from proofs.flows import arcs_between, new_work
from proofs.flows._kernels import SINK, SOURCE

KINDS = 8  # arcs of each vertex, before those of the edges


def arcs(dag: CDAG) -> tuple[Int64Array, Int64Array]:
    """Return where the arcs begin and end: for each vertex `KINDS` in a row, then two an edge.

    Nodes 3 v, 3 v + 1, 3 v + 2 are p, q and o of the vertex v; then come source and sink.
    """
    v = np.arange(dag.n)
    p, q, o = 3 * v, 3 * v + 1, 3 * v + 2
    source, sink = np.full((2, dag.n), [[3 * dag.n], [3 * dag.n + 1]])
    pairs = [(p, q), (q, p), (o, p), (p, sink), (source, o), (o, sink), (p, o), (source, p)]
    own = np.array(pairs).transpose(2, 0, 1).reshape(-1, 2)
    heads = np.repeat(v, dag.indegree)
    tails = dag.pred_indices.astype(np.int64)
    paths = np.column_stack((3 * tails + 1, 3 * heads))
    closure = np.column_stack((3 * heads + 2, 3 * tails + 2))
    every = np.concatenate((own, paths, closure))
    return every[:, 0], every[:, 1]


class PlacementNetwork:
    """The arcs of the network, with room for a flow.

    `arcs`, `place`, `room`, `side` and `work` are what the kernels take.
    """

    def __init__(self, dag: CDAG) -> None:
        nodes = 3 * dag.n + 2
        self.arcs, self.place = arcs_between(*arcs(dag), nodes)
        self.room = np.zeros(self.arcs.heads.size, np.int64)
        self.side = np.zeros(nodes, np.int8)
        self.side[-2:] = SOURCE, SINK
        self.work = new_work(nodes)
