"""Fourier transforms by several processors: binary exchange, and one transposition."""

from collections.abc import Iterator

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.families import FAMILIES
from schedulers.parallel.assignment import Assignment, numbered


def butterfly_parts(dag: CDAG, processors: int, memory: int) -> Iterator[Assignment]:
    """Yield the assignments of a butterfly: by exchange, and with a transposition.

    *Exchange*: a processor has n/p values that follow each other, all through. The last log p
    levels mix them with those of other processors. *Transposition*: after half of the levels it
    has every p-th value instead. If p <= sqrt(n), no level mixes then, and all but n/p^2 of its
    values come from others, once.

    Parameters
    ----------
    dag
        A butterfly.
    processors
        Number of them; the parts are even where it is a power of the radix.
    memory
        Words of fast memory of each.

    Source
    ------
    A. Gupta and V. Kumar, The scalability of FFT on parallel computers, IEEE Trans. Parallel
    Distrib. Syst. 1993.
    """
    n, radix = dag.params["n"], dag.params["radix"]
    level, i = np.divmod(np.arange(dag.n), n)
    block = i * processors // n
    depth = dag.n // n - 1
    owners = {"exchange": block}
    if processors > 1:
        local = next(d for d in range(depth + 1) if radix**d * processors >= n)
        half = min(max(depth - depth // 2, 1), max(local, 1))
        owners["transposition"] = np.where(level <= half, block, i % processors)
    for name, owner in owners.items():
        yield numbered(name, owner, family_order(dag, memory))


def family_order(dag: CDAG, memory: int) -> Int32Array:
    """Return the first order that is known for the family of a DAG."""
    return next(FAMILIES[dag.family or ""](dag, memory))
