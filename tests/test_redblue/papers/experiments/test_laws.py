"""Experiments about Kung's laws: claims from made-up curves, formulas, and small plays."""

from dataclasses import replace
from fractions import Fraction
from math import log2

import numpy as np
import pytest

from benchmarks.published import PUBLISHED
from dags import load
from pebble import ONE_SHOT
from redblue.answers.balance.balance import work_of
from redblue.answers.counted.finite_sizes import halved
from redblue.answers.envelope import with_best
from redblue.answers.results import IOCurve, Row, describe
from redblue.laws.sandwich import Candidate, corridor_of, held_against, seen_law
from redblue.papers.experiments import EXPERIMENTS, Bench, recoveries
from redblue.papers.experiments.array_claims import array_claims
from redblue.papers.experiments.factorizations import leading_ratio, square_claim, square_share
from redblue.papers.experiments.fft import all_memories, by_passes, passes_claim, slope_claim
from redblue.papers.experiments.grids import Grid, relaxation
from redblue.papers.experiments.law_claims import (
    constant_claim,
    gap_claim,
    law_claim,
    memory_claims,
    squared_claim,
)
from redblue.papers.experiments.laws import (
    all_counted,
    counts_claim,
    counts_table,
    grown,
    least_claim,
    rebalancing_claim,
)
from redblue.papers.experiments.matmul import block_claim, block_plays, by_blocks, ceiling_claim
from redblue.papers.experiments.recoveries import (
    COMPUTATIONS,
    LawClaim,
    Recovery,
    counted_corridor,
    finite_size_bias,
    recovery,
    recovery_figure,
    recovery_table,
)
from redblue.papers.experiments.sorting import (
    large_claim,
    ratio_by_passes,
    refusal_claim,
    trap_claim,
)
from redblue.papers.experiments.studies import (
    Study,
    curve_table,
    io_figure,
    law_table,
    ratio_figure,
    study,
)

SIZES = [10, 18, 34, 66, 130, 258]
MINE = ("matmul", "factorizations", "grids", "fft", "sorting", "memory-bound", "laws")


def made_up(spec, ratio, memories=SIZES, share=0.5, work=10**9):
    """A study whose operations per word are `ratio` of the memory without two words."""
    dag = load(spec)
    rows = [
        row
        for m in memories
        for io in [round(work / ratio(m - 2))]
        for row in (
            Row("upper", "made-up", m, io, io, 0, "feasible", 0.0),
            Row("lower", "guessed", m, round(share * io), None, None, "bound", 0.0),
        )
    ]
    return Study(spec, dag, IOCurve(describe(dag, spec), ONE_SHOT, with_best(rows, memories)))


def root(m):
    return m**0.5


def made_recovery(exponent, law=0.5, sizes=SIZES, share=0.5):
    """A computation whose words follow an exponent, held against the power `law`."""
    rows = [(m, m**-exponent, share * m**-exponent) for m in sizes]
    finding = held_against(corridor_of(rows), Candidate(Fraction(law)))
    computation = LawClaim("It", "matmul:n=100", "matmul:n=4")
    return Recovery(computation, "made up", "counted", finding, 1.0, seen_law([]))


LONG = [10**e for e in range(2, 7)]


@pytest.mark.parametrize(
    ("exponent", "sizes", "verdict"),
    [
        (0.5, LONG, "recovered"),
        (0.5, SIZES, "consistent"),
        (0.56, LONG, "undecided"),
        (1 / 3, LONG, "refuted"),
        (0.5, SIZES[:2], "undecided"),
    ],
)
def test_laws_are_judged_by_the_definition(exponent, sizes, verdict):
    """0.55 was "confirmed" as a square root, over one decade, by plays alone."""
    claim = law_claim(made_recovery(exponent, sizes=sizes), "nobody")
    assert claim.verdict == verdict
    assert ("lacking" in claim.note) == (verdict != "recovered")


@pytest.mark.parametrize("law", [Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(1)])
def test_memory_grows_as_the_law_says(law):
    (claim,) = memory_claims([made_recovery(float(law), law, LONG)], "nobody")
    wanted = f"{4 ** (1 / law):.0f} times"
    assert claim.statement == f"It: 4 times the arithmetic needs {wanted} the memory"
    assert claim.verdict == ("confirmed" if law > Fraction(1, 5) else "undecided")
    assert memory_claims([made_recovery(float(law), law, SIZES)], "nobody") == ()


def test_a_memory_that_is_not_needed_is_refuted():
    bent = made_recovery(0.5, sizes=LONG)
    short = replace(bent.finding.corridor, upper=bent.finding.corridor.upper ** (0.5 / 0.7))
    (claim,) = memory_claims([replace(bent, finding=replace(bent.finding, corridor=short))], "")
    assert claim.verdict == "refuted"


# Stencils are counted for seconds each: `benchmarks/laws_table.py` has them.
COUNTED = [
    computation
    for computation in COMPUTATIONS
    if computation.counted and "stencil" not in computation.large
]


@pytest.mark.parametrize("computation", COUNTED, ids=lambda first: first.large)
def test_computations_that_are_counted_are_recovered(computation, monkeypatch):
    """Plays of generic orders are left out here: they take the time."""
    monkeypatch.setattr(recoveries, "_blind", lambda bench, computation: seen_law([]))
    result = recovery(Bench(quick=True), computation)
    assert (result.how, result.finding.status) == ("counted", "recovered"), result.finding.lacking
    played, ceiling = result.ratios
    assert (played <= ceiling * (1 + 1e-9)).all()
    assert recovery_table([result]).rows[0][-2] == "recovered"
    figure = recovery_figure([result], "name", "caption")
    assert figure.gap == (figure.series[1].label, figure.series[0].label)


def test_gaps_are_judged_at_every_memory():
    played = made_up("qr_givens:n=6", root, share=0.4)
    assert played.gaps == pytest.approx(dict.fromkeys(SIZES, 2.5), rel=1e-5)
    assert gap_claim(played, "It", "", 2.6).verdict == "proved"
    assert gap_claim(played, "It", "", 2.4).verdict == "undecided"


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [(0.9, "refuted"), (1.0, "confirmed"), (1.1, "confirmed"), (1.3, "undecided")],
)
def test_leading_terms(ratio, verdict):
    assert constant_claim("It", "n", "", ratio, "").verdict == verdict


def test_squares_of_the_memory():
    assert squared_claim("It", "", (8, 2100), (64, 1000), 2, "").verdict == "confirmed"
    assert squared_claim("It", "", (8, 2300), (64, 1000), 2, "").verdict == "refuted"


def test_figures_and_tables_say_what_was_counted():
    played = study(Bench(), "matmul:n=16", [14, 22, 44, 74], bounds=("projections",))
    io, floor = dict(played.curve.envelope("upper")), dict(played.curve.envelope("lower"))
    assert all(1 <= gap < 2 for gap in played.gaps.values())
    figure = io_figure(played, "name", "caption", "formula", lambda memory: 2.0 * memory)
    upper, lower, theorem, *_ = figure.series
    assert figure.gap == (upper.label, lower.label)
    assert dict(zip(upper.x, upper.y, strict=True)) == io
    assert dict(zip(lower.x, lower.y, strict=True)) == floor
    assert theorem.y == tuple(2.0 * memory for memory in io)
    ratios = ratio_figure([("It", played)], "name", "caption")
    assert ratios.series[0].y == pytest.approx(
        [played.points.work / words for words in io.values()]
    )
    assert ratios.series[-1].role == "lower"
    rows = curve_table(played, "name", "caption").rows
    assert [row[:2] for row in rows] == list(io.items())
    assert [row[2] + row[3] for row in rows] == list(io.values())
    assert [row[4] for row in rows] == list(floor.values())
    assert law_table([("It", played)], "name", "caption").rows[0][:2] == ("It", "matmul:n=16")


def test_bounds_are_asked_at_every_size():
    played = relaxation(Bench(), Grid("stencil:shape=8x8,steps=8", (12, 24)))
    for method in ("segments", "dominators"):
        assert {memory for memory, _ in played.curve.points("lower", method)} == {12, 24}


def test_blocks_move_what_kung_counts():
    blocks = block_plays(Bench(), 12)
    assert list(blocks) == [2, 3, 4, 6]
    assert all(placed == slid == by_blocks(12, b) for b, (_, placed, slid) in blocks.items())
    assert block_claim(12, blocks).verdict == "confirmed"
    memory, placed, slid = blocks[3]
    wrong = {**blocks, 3: (memory, placed + 1, slid)}
    assert block_claim(12, wrong).verdict == "refuted"


def test_the_ceiling_of_a_product_is_read_from_the_bound():
    spec = "matmul:n=24"
    work = work_of(load(spec))
    loose = made_up(spec, root, share=0.5, work=work)
    assert ceiling_claim(loose).verdict == "refuted"  # it allows nearly 2 sqrt(M)
    assert ceiling_claim(made_up(spec, root, share=1.0, work=work)).verdict == "proved"


def test_leading_constants_are_extrapolated():
    assert 0.97 < leading_ratio(Bench(), "lu", 24) < 1.5
    square = square_share(Bench(quick=True))
    assert square_claim(square).verdict == "confirmed"
    assert square_claim((*square[:2], 1.01)).verdict == "refuted"


@pytest.mark.parametrize("levels", [3, 6, 9])
def test_passes_over_a_butterfly(levels):
    dag = load(f"fft:n={2**levels}")
    for memory in all_memories(levels):
        if memory >= 4:
            assert by_passes(levels, memory) == PUBLISHED["fft"].words(dag, memory)


@pytest.mark.parametrize("stages", [4, 6])
def test_passes_over_a_network(stages):
    dag = load(f"bitonic_sort:n={2**stages}")
    for width in range(1, stages + 1):
        words = PUBLISHED["bitonic_sort"].words(dag, 2**width + 2)
        assert ratio_by_passes(stages, width) == pytest.approx(dag.computed.size / words)


def test_a_small_network_looks_like_a_power_and_is_not_taken_for_one():
    small = study(Bench(), "bitonic_sort:n=256", [2**e + 2 for e in range(1, 8)])
    for claim in (trap_claim(small), refusal_claim(small), large_claim()):
        assert claim.verdict == "confirmed"
    honest = made_up("bitonic_sort:n=256", log2)
    assert trap_claim(honest).verdict == "refuted"
    assert refusal_claim(made_up("qr_givens:n=6", root)).verdict == "refuted"


def test_passes_that_divide_the_levels_of_a_butterfly():
    divided = study(Bench(), "fft:n=4096")
    assert slope_claim(divided).verdict == passes_claim(divided, 12).verdict == "confirmed"
    assert passes_claim(divided, 13).verdict == "refuted"
    assert slope_claim(made_up("fft:n=64", lambda m: 0.6 * log2(m))).verdict == "refuted"


def test_rebalancing_by_the_laws_of_the_paper():
    claims = [rebalancing_claim(), least_claim()]
    assert {claim.verdict for claim in claims} == {"recomputed", "corrected"}
    assert {claim.kind for claim in claims} == {"formulas"}
    assert [claim.verdict for claim in claims].count("corrected") == 1
    assert grown(None) is None


def test_counts_are_those_of_the_engine(tmp_path):
    result = all_counted(Bench(quick=True, store=tmp_path / "counts.db"))
    assert counts_claim(result).verdict == "confirmed"
    assert all_counted(Bench(quick=True, store=tmp_path / "counts.db")) == result
    assert [row[3] for row in counts_table(result).rows] == [sum(row["engine"]) for row in result]
    wrong = {**result[0], "formula": [1, 2]}
    assert counts_claim([wrong, *result[1:]]).verdict == "refuted"


def test_arrays_are_played():
    claims = array_claims(Bench(quick=True))
    assert {claim.verdict for claim in claims} == {"confirmed", "corrected"}
    assert {claim.kind for claim in claims} == {"plays"}
    (corrected,) = [claim.statement for claim in claims if claim.verdict == "corrected"]
    assert "4p - 4" in corrected


@pytest.mark.parametrize("name", ["matmul", "memory-bound"])
def test_experiments(name):
    experiment = EXPERIMENTS[name](Bench(quick=True))
    assert experiment.name == name
    verdicts = {claim.verdict for claim in experiment.claims}
    assert {"recovered", "confirmed", "proved"} <= verdicts
    assert verdicts <= {"recovered", "confirmed", "proved", "recomputed"}
    assert any(figure.gap for figure in experiment.figures)
    names = [item.name for item in (*experiment.tables, *experiment.figures)]
    assert len(set(names)) == len(names)
    for figure in experiment.figures:
        labels = [series.label for series in figure.series]
        assert len(set(labels)) == len(labels)
        assert set(figure.gap or ()) <= set(labels)
        assert all(np.isfinite(series.y).all() for series in figure.series)


def test_all_are_registered():
    assert set(MINE) <= set(EXPERIMENTS)


def test_the_finite_size_bias_is_what_half_the_sides_change():
    square = replace(COMPUTATIONS[0], large="matmul:n=2000000", memories="1e3:1e6:7")
    corridor, density = counted_corridor(square, square.large)
    finding = held_against(corridor, Candidate(Fraction(1, 2)))
    played, proved = finite_size_bias(
        Recovery(square, square.large, "counted", finding, density, seen_law([]))
    )
    half, _ = counted_corridor(square, "matmul:n=1000000")
    present = held_against(half, Candidate(Fraction(1, 2)))
    assert played == pytest.approx(
        np.abs(finding.exponents.upper - present.exponents.upper).max(), abs=1e-12
    )
    assert 0 <= proved < 0.001 < 0.01
    assert halved("dirac:k=6,n4=8,wrap=false") == "dirac:k=3,n4=4,wrap=false"
    assert finite_size_bias(replace(made_recovery(0.5), how="played")) is None
