"""Chains of readers: for each value, those that follow each other in every play."""

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from dags.rows import successor_rows
from proofs.certificates.pieces.stages import Stages

MANY = 400  # readers of a value; of more, evenly many are looked at


def longest_chains(dag: CDAG) -> Stages:
    """Return the stages of all values by longest chains of their readers.

    Raises
    ------
    CertificateError
        If the DAG is too large for stages.
    """
    nothing = np.zeros(0, np.int64)
    above = Stages(dag, nothing, nothing)
    starts, readers = successor_rows(dag.pred_indptr, dag.pred_indices)
    owners, chains = [nothing], [nothing]
    for v in np.flatnonzero(np.diff(starts) > 1).tolist():
        own = readers[starts[v] : starts[v + 1]].astype(np.int64)
        own = own[:: -(-own.size // MANY)]
        chains.append(_longest(above, own))
        owners.append(np.full(chains[-1].size, v))
    return Stages(dag, np.concatenate(owners), np.concatenate(chains))


def _longest(stages: Stages, readers: Int64Array) -> Int64Array:
    """Return a longest chain among some readers, which rise."""
    length = np.ones(readers.size, np.int64)
    before = np.full(readers.size, -1, np.int64)
    for j in range(1, readers.size):
        able = np.flatnonzero(stages.ancestors(int(readers[j]))[readers[:j]])
        if able.size:
            before[j] = able[length[able].argmax()]
            length[j] = length[before[j]] + 1
    chain = [int(length.argmax())]
    while before[chain[-1]] >= 0:
        chain.append(int(before[chain[-1]]))
    return readers[chain[::-1]]
