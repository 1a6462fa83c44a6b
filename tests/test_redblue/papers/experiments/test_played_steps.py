"""Steps of products and factorizations on blocks, and blocks on a chip, played."""

import numpy as np
import pytest

from redblue.papers.experiments.many_core import (
    extrapolated,
    factor_cycles,
    most_cores_claim,
    played_pipeline,
    product_claims,
    ratio_claim,
    transfer_steps,
)
from redblue.papers.experiments.mesh import ELEMENT, PROBLEM, Step, bundled, played_step
from redblue.papers.experiments.played_steps import PlayedSteps, lu_steps, product_steps
from redblue.papers.models import ManyCore, matmul_emcr


@pytest.mark.parametrize(("block", "blocks"), [(2, 2), (3, 4), (5, 1)])
def test_a_product_loads_two_blocks_a_step_and_stores_each_result_once(block, blocks):
    steps = product_steps(block, blocks)
    assert set(steps.loads) == {2 * block**2}
    assert set(steps.work) == {2 * block**3}
    assert steps.stores.sum() == (block * blocks) ** 2
    assert steps.peak == (5 if blocks > 1 else 3) * block**2 + 1


@pytest.mark.parametrize("block", [1, 2, 3])
@pytest.mark.parametrize("blocks", [2, 3, 5])
def test_orders_of_a_factorization_compute_all_and_store_what_they_made(block, blocks):
    n = block * blocks
    left, right = (lu_steps(block, blocks, order) for order in ("left-looking", "right-looking"))
    assert left.work.sum() == right.work.sum() == sum(2 * k * k + k for k in range(1, n))
    assert left.stores.sum() == n * (n - 1)
    assert set(right.loads[right.updates]) == {3 * block**2}
    assert set(right.stores[right.updates]) == {block**2}
    assert left.loads.sum() < right.loads.sum()


def test_a_played_pipeline_waits_as_the_closed_form_says():
    steps = product_steps(3, 3)
    for cores in (1, 3, 9):
        played = played_pipeline(steps, 1, cores).emcr
        assert played == pytest.approx(matmul_emcr(ManyCore(1, 3, cores), 3))


@pytest.mark.parametrize(("side", "tile"), [(1, 3), (2, 2), (3, 4)])
def test_tiles_are_factored_along_the_critical_path(side, tile):
    chip = ManyCore(1, block=side * tile, cores=side**2)
    assert factor_cycles(side, tile) == pytest.approx(chip.factor_step_critical_path)


def test_a_relay_passes_words_on_as_they_come():
    assert transfer_steps(8, 3) == 8 + 3 - 1
    assert transfer_steps(8, 3, at_once=True) == 8 * 3
    assert transfer_steps(5, 1) == transfer_steps(5, 1, at_once=True) == 5


def test_words_that_leave_a_submesh():
    assert bundled(2, 6, 2) == Step(8 * 8, 4 * 4)
    assert bundled(1, 3, 1) == played_step(3, 3) == Step(1, 1)
    assert played_step(4, 1) == Step(64, 0)
    assert Step(10, 0).seconds(PROBLEM, ELEMENT, overlap=False) == 10 * 100 / 1e10


def test_other_counts_are_refuted():
    count = np.full(8, 99)
    second = PlayedSteps(loads=count, stores=count, work=count, updates=count > 0, peak=12)
    assert most_cores_claim({(4, 2): second}).verdict == "refuted"
    assert {claim.verdict for claim in product_claims({(4, 2): second})} == {"refuted"}
    assert ratio_claim({2: second, 4: second}).verdict == "refuted"


def test_a_line_in_one_over_q():
    assert extrapolated({2: 3.5, 4: 3.25, 8: 3.125}) == 3
