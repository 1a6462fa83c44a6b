"""Readers that tell the stages of values apart: all, or those that follow each other always."""

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array
from dags.cdag.rows import successor_rows
from dags.work import charge
from pebble import Budget
from proofs.certificates.pieces.piece import Stages

MANY = 400  # readers of a value; of more, evenly many are looked at


def one_stage(dag: CDAG) -> Stages:
    """Return one stage for each value, by no readers.

    Parameters
    ----------
    dag
        The DAG.

    Raises
    ------
    CertificateError
        If the DAG is too large for stages.
    """
    nothing = np.zeros(0, np.int64)
    return Stages(dag, nothing, nothing)


def all_readers(dag: CDAG) -> Stages:
    """The stages of all values by all of their readers.

    Parameters
    ----------
    dag
        The DAG.

    Raises
    ------
    CertificateError
        If the DAG is too large for stages.
    """
    starts, readers = successor_rows(dag.pred_indptr, dag.pred_indices)
    readers_of_each = np.diff(starts)
    owners = np.repeat(np.arange(dag.n), readers_of_each)
    place = np.arange(owners.size) - starts[owners]
    sampled = (readers_of_each[owners] > 1) & (place % -(-readers_of_each[owners] // MANY) == 0)
    return Stages(dag, owners[sampled], readers[sampled].astype(np.int64))


def longest_chains(dag: CDAG, budget: Budget) -> Stages:
    """The stages of all values by longest chains of their readers.

    Parameters
    ----------
    dag
        The DAG.
    budget
        Of the search: values that are left have one stage.

    Raises
    ------
    CertificateError
        If the DAG is too large for stages.
    """
    above = one_stage(dag)
    starts, readers = successor_rows(dag.pred_indptr, dag.pred_indices)
    owners, chains = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for v in np.flatnonzero(np.diff(starts) > 1).tolist():
        if budget.over:
            break
        own_readers = readers[starts[v] : starts[v + 1]].astype(np.int64)
        own_readers = own_readers[:: -(-own_readers.size // MANY)]
        chains.append(_longest(above, own_readers))
        charge("chain", own_readers.size**2)
        owners.append(np.full(chains[-1].size, v))
    return Stages(dag, np.concatenate(owners), np.concatenate(chains))


def _longest(stages: Stages, readers: Int64Array) -> Int64Array:
    """A longest chain among some readers, which rise."""
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
