"""Conjugate gradients: as few passes over the vectors as the two sums of a step allow."""

from collections.abc import Iterator

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from dags.families.sparse_patterns import laplacian
from schedulers.families.tiles import sorted_by

Block = tuple[int, Int64Array, Int64Array, bool]  # phase, turn in it, row, whether it is of A p


def orders(dag: CDAG, memory: int) -> Iterator[Int32Array]:
    """Yield orders of conjugate gradients in two passes a step, and in three for less memory.

    No entry of r can be updated before the sum p q is complete, and none of p before r r is.
    Between these a step is made row by row: r loses alpha q, and r r grows; then p is made anew,
    A p follows as soon as all the entries of p that a row reads are there, and p q grows. x waits
    to the end, and then sums up all p row by row. For a matrix of z nonzeros and n rows a step
    moves at most 8n + z words: it loads q and r and stores r, loads r and p and stores p and q,
    and loads p once more for x. That takes the two planes of the grid that A p reads, and a few
    words. With less it is better to make all of p before A p, and so it is made anyway where the
    grid wraps around, which is one load of p more; with so much memory that all vectors of a step
    fit, it is better to update x in each step.

    Source
    ------
    A. T. Chronopoulos and C. W. Gear, s-step iterative methods for symmetric linear systems, 1989,
    for passes between the sums; the count is ours.
    """
    del memory  # the orders are the same for every size
    shape, steps, neighbourhood, periodic = (
        dag.params[key] for key in ("shape", "steps", "neighbourhood", "periodic")
    )
    pattern = laplacian(shape, neighbourhood, periodic)
    degree = np.diff(pattern.indptr)
    reach = np.maximum.accumulate(np.maximum.reduceat(pattern.indices, pattern.indptr[:-1]))
    for at_once, x_waits in ((True, True), (False, True), (True, False)):
        turn = reach if at_once else np.arange(pattern.rows)
        blocks = list(_blocks(degree, turn, steps, at_once, x_waits))
        sizes = [row.size for _, _, row, _ in blocks]
        phase = np.repeat([phase for phase, *_ in blocks], sizes)
        product = np.repeat([product for *_, product in blocks], sizes)
        turns, rows = (np.concatenate([block[i] for block in blocks]) for i in (1, 2))
        yield sorted_by(dag.computed, phase, turns, product, rows)


def _blocks(
    degree: Int64Array, turn: Int64Array, steps: int, at_once: bool, x_waits: bool
) -> Iterator[Block]:
    """Yield the blocks of vertices in their numbering; A p for row i comes at its `turn`.

    Of step s, p is made in phase 3s - 1, or 3s if A p follows `at_once`; A p in phase 3s, r in
    phase 3s + 1; and x with the p of the next step, or in the last phase if it waits.
    """
    entries = np.arange(degree.size)
    dot = np.repeat(entries, 2)[1:]
    pairs = np.repeat(entries, 2)
    product = np.repeat(entries, 2 * degree - 1)
    scalar = np.array([-1])
    yield 3, dot, dot, True  # r r for r = b
    for step in range(1, steps + 1):
        now, then, following = 3 * step, 3 * step + 1, 3 * step + (3 if at_once else 2)
        x = entries if step == 1 else pairs
        yield now, turn[product], product, True
        yield now, turn[dot], dot, True  # p q
        yield then, scalar, scalar, False  # alpha
        yield 3 * steps + 1 if x_waits or step == steps else following, x, x, False
        if step < steps:
            yield then, pairs, pairs, False  # r
            yield then, dot, dot, False  # r r
            yield following, scalar, scalar, False  # beta
            yield following, pairs, pairs, False  # p
