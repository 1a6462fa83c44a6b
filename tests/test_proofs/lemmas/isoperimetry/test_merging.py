"""Sets of comparators of odd-even merging, against what is claimed of them."""

import numpy as np
import pytest

from dags import load
from proofs.lemmas.isoperimetry import TWO_SIDED
from tests.test_proofs.lemmas.isoperimetry.all_sets import (
    least_by_size,
    readers_in,
    sets_of,
)


def stage_of_merging(n):
    """Readers within the last stage of odd-even merging, and what is counted of it."""
    dag = load(f"odd_even_merge_sort:n={n}")
    (boundaries,) = TWO_SIDED[dag.family](**dag.params)
    counted = boundaries[-1].vertices
    stage = range(dag.n - counted - n, dag.n)
    readers = {u: [v for v in reader if v in stage] for u, reader in readers_in(dag).items()}
    piece = {u: readers[u] for u in stage}
    ends = {u for u in stage if not piece[u]}
    assert len(ends) == n
    return boundaries[-1], piece, list(stage[n:]), ends


def test_no_set_of_comparators_exchanges_less():
    boundary, readers, members, ends = stage_of_merging(8)
    assert (len(members), boundary.waived) == (10, 16)
    sizes, reads, needed = sets_of(readers, members, ends)
    exact = least_by_size(sizes, reads + needed)
    claimed = [boundary.least(size) for size in range(len(members) + 1)]
    assert np.less_equal(claimed, exact).all(), (claimed, exact)


@pytest.mark.parametrize("seed", range(6))
def test_comparators_that_are_connected_exchange_no_less(seed):
    boundary, readers, members, ends = stage_of_merging(32)
    random = np.random.default_rng(seed)
    operands = {v: [u for u, reader in readers.items() if v in reader] for v in members}
    inside = {int(random.choice(members))}
    while len(inside) < len(members):
        near = {w for v in inside for w in readers[v] + operands[v]} - inside
        near = near.intersection(members) or set(members) - inside
        scores = {
            w: sum(u in inside for u in readers[w] + operands[w])
            + sum(any(u in operands[v] for v in inside) for u in operands[w])
            + random.random()
            for w in near
        }
        inside.add(max(scores, key=scores.get))
        reads = {u for v in inside for u in operands[v]} - inside
        needed = [v for v in inside if v in ends or not inside.issuperset(readers[v])]
        assert boundary.least(len(inside)) <= len(reads) + len(needed)
