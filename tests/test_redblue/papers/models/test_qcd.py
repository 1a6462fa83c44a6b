"""Bilardi et al.'s chips: both tables, layout, word length, and the equations that they solve."""

from math import floor, log10

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from redblue.answers.hardware import MACHINES, InvalidMachineError
from redblue.papers.models import Die, QCDProcessor, best_chip, qcd_processor
from redblue.papers.models.dirac_operator import (
    SITE_FLOPS,
    SITE_FLOPS_UNSCALED,
    local_words,
    neighbour_words,
)
from redblue.papers.models.qcd import (
    REGIMES,
    ChipLayout,
    asymptotic_share,
    regime_crossover,
    sustained_flops,
)
from redblue.papers.models.qcd_processors import TABLE_2

PUBLISHED = 1e-5  # the golden values have six significant digits
PAPERS_NAME = {"BlueGeneL": "BG/L", "Itanium2": "ITANIUM2"}

DIES = st.builds(
    Die,
    side=st.floats(1e4, 1e7),
    word_bits=st.sampled_from([16, 32, 64, 128]),
    bit_area=st.floats(5, 500),
    unit_area=st.floats(1e6, 1e9),
    pins=st.floats(1e-5, 1e-2),
    usable=st.floats(0.3, 1),
)
N4 = st.integers(8, 256)


def cells(chip):
    return [chip.k, chip.sites, chip.memory / 2**20, chip.flops, chip.unit_share]


def test_table_1_with_either_number_of_flop(golden):
    for side, *row in golden["bilardi_table1_both_chi"]["rows"]:
        die = Die(side)
        results = [
            *cells(best_chip(die, "large", site_flops=SITE_FLOPS)),
            *cells(best_chip(die, "large", site_flops=SITE_FLOPS_UNSCALED)),
            *cells(best_chip(die, "medium")),
        ]
        assert results == pytest.approx(row, rel=PUBLISHED)


def last_digit(printed, digits):
    """What one unit in the last of some significant digits is worth."""
    return 10.0 ** (floor(log10(printed)) - digits + 1)


def agrees(chip, printed):
    """As printed: to one unit of the last digit, since the paper rounds here and truncates there.

    Or to 0.06% in m and F, which the largest dies of the first half miss for no known reason.
    """
    n, memory, flops, _ = printed
    units = [last_digit(n, 3), 0.1 if memory < 10 else 1, 1, 0.01]
    slack = [0, 6e-4 * memory, 6e-4 * flops, 0]
    return all(
        abs(ours - theirs) <= max(unit, extra) * (1 + 1e-9)
        for ours, theirs, unit, extra in zip(cells(chip)[1:], printed, units, slack, strict=True)
    )


def test_table_1_as_printed(golden):
    rows = golden["bilardi"]["bilardi_table1"]["published"]
    for side, bandwidth, *printed in rows:
        die = Die(side)
        assert round(die.bandwidth) == bandwidth
        assert agrees(best_chip(die, "large", site_flops=SITE_FLOPS_UNSCALED), printed[:4])
        assert agrees(best_chip(die, "medium"), printed[4:])
    with_2328 = [agrees(best_chip(Die(row[0]), "large"), row[2:6]) for row in rows]
    assert not all(with_2328)  # what the text says is not how the first half was computed


@given(DIES, N4, st.sampled_from(REGIMES))
def test_chips_solve_their_equations(die, n4, regime):
    chip = best_chip(die, regime, n4=n4)
    n = chip.k**3 * n4
    own_part = 0 if regime == "large" else 120 * n
    exchange = die.word_bits * (own_part + 288 * n / chip.k)
    assert 2328 * n / chip.flops == pytest.approx(exchange / (4 * die.pins * die.side))  # (4)
    words = 120 * n if regime == "large" else 96 * chip.k**3 + 432 * chip.k**2
    used = die.unit_area * chip.flops + die.bit_area * die.word_bits * words
    assert used == pytest.approx(die.usable * die.side**2)  # (5)
    assert (chip.sites, chip.memory) == pytest.approx((n, die.word_bits * words))
    assert chip.unit_share == pytest.approx(die.unit_area * chip.flops / die.side**2)


def test_coefficients_of_equation_9():
    assert sustained_flops(Die(1e5), "large", 3) == pytest.approx(97 / 576000 * 1e5 * 3)
    medium = 97 / (576 + 240 * 3) * 1e-3 * 1e5 * 3
    assert sustained_flops(Die(1e5), "medium", 3) == pytest.approx(medium)


def test_asymptotic_shares(golden):
    printed = golden["bilardi"]["bilardi_asym"]
    large = asymptotic_share(Die(1e9), "large") * 1e3
    assert large == pytest.approx(printed["LM_coeff_correct gamma/(delta N4)^(1/3)"], rel=PUBLISHED)
    gamma, delta = printed["gamma"], printed["delta"]
    assert large == pytest.approx(gamma / (delta * 128) ** (1 / 3), rel=PUBLISHED)
    medium = asymptotic_share(Die(1e9), "medium") * 1e9
    assert medium == pytest.approx(printed["MM_coeff 97e4/24"], rel=PUBLISHED)


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("die", [Die(1), Die(1, 32, 20, 3e7, 1e-3, 0.8)])
def test_shares_near_their_asymptote(die, regime):
    ratios = []
    for side in (1e9, 1e11, 1e13):
        large = Die(side, die.word_bits, die.bit_area, die.unit_area, die.pins, die.usable)
        ratios.append(best_chip(large, regime).unit_share / asymptotic_share(large, regime))
    assert ratios == sorted(ratios)
    assert ratios[-1] == pytest.approx(1, rel=5e-3)


def test_the_crossover(golden):
    side = regime_crossover(Die(1))
    assert side == pytest.approx(golden["bilardi"]["bilardi_crossover_ell"], rel=PUBLISHED)


@given(DIES, N4)
def test_regimes_cross_there(die, n4):
    crossover = regime_crossover(die, n4=n4)
    assume(crossover is not None)
    for factor, better in ((0.99, "medium"), (1.01, "large")):
        scaled = Die(
            factor * crossover, die.word_bits, die.bit_area, die.unit_area, die.pins, die.usable
        )
        flops = {regime: best_chip(scaled, regime, n4=n4).flops for regime in REGIMES}
        assert max(flops, key=flops.get) == better


def test_no_crossover_where_n4_is_small():
    """With one slice to sweep, all fields are hardly more than the medium memory."""
    assert regime_crossover(Die(1), n4=1) is None
    assert best_chip(Die(1e5), "large", n4=1).flops > best_chip(Die(1e5), "medium", n4=1).flops


def test_word_length(golden):
    for side, *printed in golden["bilardi"]["bilardi_wordlength_F_ratio"]["rows"]:
        die = Die(side)
        results = [
            best_chip(die.with_words(32, power), regime).flops / best_chip(die, regime).flops
            for regime in REGIMES
            for power in (1, 2)
        ]
        assert results == pytest.approx(printed, rel=PUBLISHED)


def test_layout(golden):
    printed = golden["bilardi"]["bilardi_chip_eta"]
    layout = ChipLayout()
    key = "ell:[eta_correct(F=l^2/aF), eta_correct(F=table), eta_printed_form(1+eps^2)]"
    for side, (full, chosen, misprinted) in printed[key].items():
        die = Die(float(side))
        epsilon = layout.widening(die)
        assert epsilon == pytest.approx(printed["eps"], rel=PUBLISHED)
        assert layout.usable(die) == pytest.approx(full, rel=PUBLISHED)
        of_chip = layout.usable(die, best_chip(die, "large").flops)
        assert of_chip == pytest.approx(chosen, rel=PUBLISHED)
        wrong = 1 / (1 + epsilon**2 + (1 + epsilon) * layout.strip / die.side)
        assert wrong == pytest.approx(misprinted, rel=PUBLISHED)
    minimum, chosen = (layout.least_side(Die(1), regime=regime) for regime in (None, "large"))
    assert minimum == pytest.approx(printed["ell_min_for_0.9_correct"], rel=PUBLISHED)
    assert chosen == pytest.approx(printed["ell_min_for_0.9_tableF"], rel=PUBLISHED)


@given(DIES)
def test_layout_is_a_rectangle(die):
    layout = ChipLayout(4, 64, 3, 2e4)
    flops = best_chip(die, "large").flops
    height = die.side + 3 * ((flops / 4) ** 0.5 * 64 + die.bandwidth / 2)
    eta = die.side**2 / (height * (height + 2e4))
    assert layout.usable(die, flops) == pytest.approx(eta)
    if layout.widening(die) < 0.01:
        side = layout.least_side(die, 0.95)
        assert layout.usable(Die(side, 64, 50, die.unit_area, die.pins)) == pytest.approx(0.95)


def processors():
    for name, rate, bits in TABLE_2:
        key = f"{PAPERS_NAME.get(name, name)}/{bits}"
        yield pytest.param(qcd_processor(MACHINES[name], bits, rate=rate), key, id=key)


@pytest.mark.parametrize(("processor", "key"), list(processors()))
def test_table_2(golden, processor, key):
    printed = golden["bilardi"]["bilardi_table2"][key]
    assert processor.largest_k("large") == printed["k_LM"]
    halo = {"halo": True, "whole": False}
    results = {
        "k_LM_real": processor.largest_k("large", whole=False),
        "k_MM_432_real": processor.largest_k("medium", **halo),
        "k_MM_96_real": processor.largest_k("medium", whole=False),
        "xi_LM": processor.xi("large"),
        "xi_LM_realk": processor.xi("large", whole=False),
        "xi_MM_432floor": processor.xi("medium", halo=True),
        "xi_MM_96floor": processor.xi("medium"),
        "xi_MM_realk": processor.xi("medium", **halo),
    }
    expected = {name: printed[name] for name in results}
    assert results == {
        name: None if value is None else pytest.approx(value, rel=PUBLISHED)
        for name, value in expected.items()
    }
    for regime, name in (("large", "pub_LM"), ("medium", "pub_MM")):
        theirs, ours = printed[name], processor.xi(regime)
        # 6.07 and the like of Blue Gene/L need more digits of its bandwidths than are printed
        slack = 0.01 if key.startswith("BG/L") else 0.005
        assert (ours is None) == (theirs is None)
        assert theirs is None or abs(ours - theirs) <= slack * (1 + 1e-6)


def test_a_shared_bus_is_split_where_both_sides_wait_alike():
    bus = QCDProcessor(64, 4, 72 * 2**20, local=32)
    for k in (1, 5, 23):
        splits = [
            QCDProcessor(64, 4, 72 * 2**20, 32 * x / 1000, 32 - 32 * x / 1000)
            for x in range(1, 1000)
        ]
        best = max(split.sustained("medium", k) for split in splits)
        assert best <= bus.sustained("medium", k) * (1 + 1e-12)
        assert best == pytest.approx(bus.sustained("medium", k), rel=1e-2)
        assert bus.sustained("large", k) == pytest.approx(SITE_FLOPS * k * 32 / 288 / 64)


@given(st.integers(2, 40), st.sampled_from([16, 32, 64]), st.integers(4, 200))
def test_a_sublattice_that_just_fits_is_held(k, bits, n4):
    for regime, words in (("large", 120 * k**3 * n4), ("medium", 96 * k**3)):
        exact = QCDProcessor(bits, 1, words * bits, 1, 1)
        smaller = QCDProcessor(bits, 1, (words - 1) * bits, 1, 1)
        assert exact.largest_k(regime, n4=n4) == k
        assert smaller.largest_k(regime, n4=n4) == k - 1
    tight = QCDProcessor(bits, 1, (96 * k**3 + 432 * k**2) * bits, 1, 1)
    assert tight.largest_k("medium", halo=True) == k


def test_sustained_rates_by_the_theorem():
    processor = QCDProcessor(32, 10, 1e9, local=64, neighbours=192)
    k, n4 = 6, 128
    local = local_words(k, n4, 96 * k**3 + 432 * k**2) * 32 / 64
    faces = neighbour_words(k, n4) * 32 / 192
    cycles = max(local, faces)
    assert processor.sustained("medium", k) == pytest.approx(2328 * k**3 * n4 / cycles)
    assert processor.sustained("large", k) == pytest.approx(2328 * k**3 * n4 / faces)


def test_any_machine_of_the_catalogue():
    chosen = qcd_processor(MACHINES["H100"], 32, local="hbm", neighbours="nvlink")
    assert chosen.xi("medium") < 1
    itanium = qcd_processor(MACHINES["Itanium2"], 64)
    assert itanium.neighbours is None
    with pytest.raises(InvalidMachineError, match="no link of H100 is called 'neighbours'"):
        qcd_processor(MACHINES["H100"], 32)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: Die(0), "side must be positive and finite, not 0"),
        (lambda: Die(1e5, word_bits=-64), "word bits must be positive"),
        (lambda: Die(1e5, usable=0), "usable must be positive"),
        (lambda: Die(1e5).with_words(0), "bits must be positive"),
        (lambda: best_chip(Die(1e5), "large", n4=0), "n4 must be positive"),
        (lambda: best_chip(Die(1e5), "large", site_flops=-1), "site flops must be positive"),
        (lambda: best_chip(Die(1e200), "large"), "leave no solution"),
        (lambda: sustained_flops(Die(1e5), "large", 0), "k must be positive"),
        (lambda: regime_crossover(Die(1), n4=-1), "n4 must be positive"),
        (lambda: ChipLayout(wire=0), "wire must be positive"),
        (lambda: ChipLayout(strip=-1), "strip must be positive"),
        (lambda: ChipLayout().usable(Die(1e5), 0), "flops must be positive"),
        (lambda: ChipLayout().least_side(Die(1), 0.96), "wires alone leave 0.95"),
        (lambda: QCDProcessor(64, 1, 1, -1, 1), "local must be positive"),
        (lambda: QCDProcessor(64, 1, 1, 1, 0), "neighbours must be positive"),
        (lambda: QCDProcessor(64, 1, 1, 1).sustained("large", 0), "k must be positive"),
    ],
)
def test_nonsense(ask, message):
    with pytest.raises(InvalidMachineError, match=message):
        ask()
