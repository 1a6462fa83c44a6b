"""Laws held against corridors: made-up ones, and those of small DAGs."""

from fractions import Fraction

import numpy as np
import pytest

from dags import load
from proofs.laws import Law, published_law
from redblue.laws.fit import fit_dag
from redblue.laws.sandwich import (
    Candidate,
    Demands,
    candidate,
    corridor_of,
    enclosed,
    finding_sentences,
    held_against,
    local_exponents,
    rivals,
)

SIZES = np.logspace(1.5, 5, 29)
ROOT, LOG = Candidate(Fraction(1, 2)), Candidate(power=Fraction(1))


def corridor(law, share=0.5, sizes=SIZES):
    """Words of a computation that follows a law, and a share of them proved."""
    words = [1e12 / (m ** float(law.exponent) * np.log2(m) ** float(law.power)) for m in sizes]
    return corridor_of(zip(sizes, words, share * np.array(words), strict=True))


@pytest.mark.parametrize(
    "law", [Candidate(), LOG, *(Candidate(Fraction(1, d)) for d in range(1, 6))]
)
def test_a_law_is_recovered_and_its_rivals_are_not(law):
    exact = corridor(law)
    assert held_against(exact, law).status == "recovered"
    for rival in rivals(law):
        assert held_against(exact, rival).status in ("differs", "undecided")


def test_each_demand_is_needed():
    def lacking(built):
        return held_against(built, ROOT).lacking

    assert "of memory, of 10^2" in lacking(corridor(ROOT, sizes=np.logspace(2, 3.9, 20)))[0]
    assert "ratio reaches 10.00" in lacking(corridor(ROOT, share=0.1))[0]
    drifting = lacking(corridor_of((m, m**-0.5, m**-0.55 / 2) for m in SIZES))
    assert any("changes by 1.12 a decade" in text for text in drifting)
    (missing,) = held_against(corridor(ROOT), ROOT, Demands(margin=0.3)).lacking
    assert missing.startswith("(log M)^") or missing.startswith("M^(")


def test_proofs_count_as_much_as_plays():
    """Played words that follow the law are not enough where the proved ones fall faster."""
    built = corridor_of((m, m**-0.33, m**-0.6) for m in SIZES)
    assert held_against(built, Candidate(Fraction(1, 3))).status != "recovered"


def test_stairs_of_passes_are_read_over_decades():
    levels = 400
    passes = corridor_of((m, np.ceil(levels / np.log2(m)), levels / np.log2(m)) for m in SIZES)
    assert held_against(passes, LOG).status == "recovered"
    assert held_against(passes, Candidate(Fraction(1, 4))).status != "consistent"


def test_less_than_a_decade_decides_nothing():
    short = held_against(corridor(ROOT, sizes=np.array([10.0, 20, 40])), ROOT)
    assert (short.status, short.rival) == ("undecided", None)
    (sentence,) = finding_sentences(short)
    assert sentence.endswith("they span a factor 10^0.6 of memory, of 10^2.")
    assert held_against(corridor_of([]), ROOT).status == "undecided"


def test_local_exponents_are_read_over_ten_times_the_memory():
    built = corridor_of([(10, 800, 80), (100, 80, 40), (1000, 40, 4)])
    result = local_exponents(built)
    assert result.starts == pytest.approx([10, 100])
    assert result.upper == pytest.approx([1, np.log10(2)])
    assert result.lower == pytest.approx([np.log10(2), 1])


def test_a_corridor_is_monotone_and_sound():
    built = corridor_of([(40, 50, 20), (10, 100, 60), (20, 120, 40)])
    assert list(120 * built.upper) == [100, 100, 50]
    with pytest.raises(ValueError, match="a schedule with 8 words moves less than is proved"):
        corridor_of([(8, 5, 6)])


def test_laws_of_the_literature_are_candidates():
    published = published_law(load("matmul:n=4"))
    for law in (published, Law("power", 1 / 3), Law("logarithmic"), Law("constant")):
        assert candidate(law).name == law.name


@pytest.mark.parametrize("spec", ["matmul:n=48", "lu:n=32"])
def test_plays_of_a_small_dag_are_no_recovery(spec):
    dag = load(spec)
    result, curve = fit_dag(dag)
    built, full = enclosed(dag, result, curve)
    assert {int(m) for m in built.memories} <= set(full.memories)
    finding = held_against(built, candidate(published_law(dag)))
    assert finding.status in ("consistent", "undecided")
    assert finding.largest_ratio < 2
