from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redblue.answers.hardware import InvalidMachineError
from redblue.papers.models import (
    ManyCore,
    Pipeline,
    matmul_convergence,
    matmul_emcr,
    matmul_pipeline,
    memory_ratio,
    most_cores,
)
from redblue.papers.models.many_core import longest_side

PUBLISHED = 5e-6  # the golden values have six significant digits
TERMS = {
    "Tcblk": "tile_product",
    "Tmblk_plus": "tile_transfer",
    "Tcmm": "block_product",
    "Tm2": "two_blocks",
    "Tm1": "one_block",
    "Tcu": "upper_step",
    "Tmu": "triangle_transfer",
    "Tcl": "lower_step",
    "Tml": "triangle_transfer",
    "Tclu": "factor_step",
    "Tmlu": "factor_transfer",
}


def chip(cores, bandwidth=4, block=256, width=1.0):
    return ManyCore(bandwidth, block, cores, width)


def test_step_times_as_published(golden):
    for cores, row in golden["models"]["manycore_terms_M256_B4_W1"].items():
        for name, term in TERMS.items():
            assert getattr(chip(int(cores)), term) == pytest.approx(row[name], rel=PUBLISHED)


def test_most_cores_as_published(golden):
    printed = golden["models"]["manycore_Pmax"]
    assert most_cores(4, 327680) == printed["C64 B=4 C=327680 words"]
    assert most_cores(4, 312500) == printed["decimal MB C=312500 words"]
    itanium = printed["Itanium2 B=.5 C=9MiB/8"]
    assert most_cores(0.5, 9 * 2**20 / 8) == pytest.approx(itanium, rel=PUBLISHED)
    assert ManyCore.of_memory(4, 327680, 64).block == printed["M"]


def test_lu_ratios_as_published(golden):
    key = "manycore_MCR_lu_M256_B4_W1 (q=2,4,16,64,256,1024,4096)"
    for cores, ratios in golden["models"][key].items():
        for q, ratio in zip((2, 4, 16, 64, 256, 1024, 4096), ratios, strict=True):
            assert memory_ratio(chip(int(cores)), q) == pytest.approx(ratio, rel=PUBLISHED)


def test_hiding_as_published(golden):
    table = golden["models"]["manycore_EMCR_mm_M256_B4"]
    for cores, rows in table["P"].items():
        for q, printed, full, ratio, cycles in rows:
            pipeline = matmul_pipeline(chip(int(cores)), q)
            assert pipeline.emcr_printed == pytest.approx(printed, rel=PUBLISHED)
            assert pipeline.emcr == pytest.approx(full, rel=PUBLISHED)
            assert pipeline.mcr == pytest.approx(ratio, rel=PUBLISHED)
            assert pipeline.cycles == pytest.approx(cycles, rel=PUBLISHED)


def test_the_network_as_published(golden):
    printed = golden["models"]["manycore_eq7"]
    assert longest_side(256) == pytest.approx(printed["plus form p_max (M=256,W=1)"], rel=PUBLISHED)
    # "times p" would hold only to p = sqrt(M W), against what the paper says of p = 32
    assert printed["times form p_max"] == sqrt(256)
    assert chip(32**2).hides_tile_transfers


@given(st.integers(2, 2000), st.floats(0.1, 64))
def test_the_longest_side_is_where_transfers_begin_to_show(block, width):
    side = min(longest_side(block, width), block)
    below, above = ((side * factor) ** 2 for factor in (0.999, 1.001))
    if below >= 1:
        assert ManyCore(1, block, below, width).hides_tile_transfers
    if 1 <= above <= block**2:
        assert not ManyCore(1, block, above, width).hides_tile_transfers


@pytest.mark.parametrize(("block", "side", "width"), [(12, 1, 1), (12, 3, 0.5), (240, 8, 4)])
def test_factor_steps_are_the_sums_that_they_stand_for(block, side, width):
    item, tile = ManyCore(4, block, side**2, width), block // side
    small = sum(2 * i**2 + i for i in range(1, tile))
    assert item.factor_step == pytest.approx(side * small + (side - 1) * tile**3)
    assert item.factor_step_critical_path == pytest.approx(side * small + (side - 1) * 3 * tile**3)
    moved = sum(2 * (tile**2 / width + side - i) for i in range(1, side))
    assert item.factor_transfer == pytest.approx(moved)


def by_steps(item, q, kernel):
    """MCR of a factorization, step by step: a factor, its panels, its updates."""
    moving = computing = 0.0
    for i in range(1, q):
        moving += item.one_block + item.factor_transfer
        computing += item.factor_step
        for _ in range(q - i):
            panels = [item.lower_step, item.upper_step] if kernel == "lu" else [item.lower_step]
            moving += len(panels) * item.one_block
            computing += sum(panels)
        for row in range(q - i):
            for _ in range(q - i if kernel == "lu" else row + 1):
                moving += item.two_blocks
                computing += item.block_product
    return moving / computing


@pytest.mark.parametrize("kernel", ["lu", "cholesky"])
@pytest.mark.parametrize("q", [2, 3, 7])
def test_ratios_step_by_step(kernel, q):
    for item in (chip(64), chip(1024), chip(9, bandwidth=0.5, block=30, width=2.0)):
        assert memory_ratio(item, q, kernel) == pytest.approx(by_steps(item, q, kernel))


@pytest.mark.parametrize("kernel", ["matmul", "lu", "cholesky"])
def test_ratios_tend_to_cores_over_most_cores(kernel):
    for cores in (64, 256, 1024, 4096):
        near = memory_ratio(chip(cores), 10**6, kernel)
        assert near == pytest.approx(cores / most_cores(4, 327680), rel=1e-5)


CHIPS = st.builds(
    ManyCore,
    bandwidth=st.floats(0.1, 50),
    block=st.integers(64, 512),
    cores=st.integers(1, 4096),
    width=st.just(1.0),
)


@given(CHIPS, st.integers(1, 9))
def test_the_closed_form_of_the_product_is_its_pipeline(it, q):
    assert matmul_emcr(it, q) == pytest.approx(matmul_pipeline(it, q).emcr, rel=1e-9, abs=1e-12)
    assert memory_ratio(it, q, "matmul") == pytest.approx(matmul_pipeline(it, q).mcr)


@given(CHIPS)
def test_convergence(it):
    nears, large = matmul_convergence(it), 10**6
    assert nears.limit == pytest.approx(max(0.0, it.cores / it.most_cores - 1), abs=1e-12)
    left = matmul_emcr(it, large) - nears.limit
    leading = nears.coefficient / large**nears.order
    assert left == pytest.approx(leading, rel=1e-3, abs=1e-9 * (1 + nears.limit))
    assert 1 / (1 + nears.limit) == pytest.approx(it.efficiency_limit)


def test_rates_of_the_three_cases():
    below, position, above = (matmul_convergence(chip(cores)) for cores in (512, 1024, 2048))
    assert (below.limit, below.order) == (0.0, 3)
    assert (position.limit, position.coefficient, position.order) == (0.0, 0.5, 1)
    assert (above.limit, above.coefficient, above.order) == (1.0, 1.0, 1)


def test_right_looking_lu_keeps_fewer_cores_busy():
    assert most_cores(4, 327680, blocks_per_step=3) == pytest.approx(1024 * 2 / 3)
    assert most_cores(4, 327680, blocks_per_step=4) == 512


def test_five_blocks_fit():
    for memory in (5, 19, 20, 327679, 327680):
        block = ManyCore.of_memory(1, memory, 1).block
        assert 5 * block**2 <= memory < 5 * (block + 1) ** 2


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: most_cores(-4, 100), "bandwidth must be positive and finite, not -4"),
        (lambda: most_cores(4, 0), "memory must be positive"),
        (lambda: ManyCore(4, 16, 1000), "1000 cores cannot share blocks of 16 x 16"),
        (lambda: ManyCore(4, 16, 0), "cores must be positive"),
        (lambda: ManyCore(4, 16, 0.25), "0.25 cores cannot share"),
        (lambda: ManyCore(4, 16, 4, width=0), "width must be positive"),
        (lambda: ManyCore.of_memory(4, 4, 1), "4 words do not hold five blocks"),
        (lambda: memory_ratio(chip(64), 1), "blocks must be a whole number of at least 2"),
        (lambda: matmul_pipeline(chip(64), 0), "at least 1"),
        (lambda: matmul_emcr(chip(64), 1.5), "whole number"),
        (lambda: longest_side(0), "block must be positive"),
    ],
)
def test_nonsense(ask, message):
    with pytest.raises(InvalidMachineError, match=message):
        ask()


def test_one_step_alone():
    item = chip(1024)
    single = matmul_pipeline(item, 1)
    assert isinstance(single, Pipeline)
    assert single.cycles == item.two_blocks + item.block_product + item.one_block
