"""The report of the PolyBench kernels, on a few of them at small sizes."""

import re
from math import sqrt

import pytest

from dags.programs.text.library import KERNELS, polybench
from proofs.laws.programs import law
from redblue.answers.sources import load
from redblue.papers.experiments import EXPERIMENTS, Bench, chosen_experiments
from redblue.papers.experiments.polybench import (
    _factor_claim,
    _false_claim,
    _power_claim,
    _sound_claim,
)
from redblue.papers.experiments.polybench_kernels import (
    FULL,
    MATRICES,
    PUBLISHED,
    QUICK,
    STENCILS,
    case,
)
from redblue.papers.experiments.polybench_tables import (
    curves,
    fault_table,
    finite_table,
    law_table,
    mean_table,
    passages,
    tile_table,
)
from redblue.show.reporting.multiples import draw_multiples, multiples_entry

QUICKLY = Bench(quick=True)
LETTERS = ["H", "W", "M", "N", "T", "S", "NX", "NY", "NI", "NJ", "NK", "NL", "NM", "NP", "NQ", "NR"]


@pytest.fixture(scope="module")
def found():
    return [case(QUICKLY, "cholesky", "N=7"), case(QUICKLY, "jacobi-1d", "TSTEPS=5,N=12")]


def terms():
    return [
        (kernel, term)
        for kernel, row in PUBLISHED.items()
        for term in (row.iolb, row.soap)
        if term is not None
    ]


@pytest.mark.parametrize(("kernel", "term"), terms(), ids=lambda first: str(first)[:20])
def test_a_published_term_says_the_same_as_a_text_and_as_a_number(kernel, term):
    product = re.sub(r"(?<=[\w)]) (?=[\w(])", "*", term.text).replace("^", "**")
    names = dict.fromkeys(LETTERS, 1) | {"sqrt": sqrt}
    assert eval(product, names) == pytest.approx(term.factor)
    twice = eval(product, names | {name: 2 for name in LETTERS if name != "S"})
    assert twice == pytest.approx(term.factor * 2 ** PUBLISHED[kernel].degree)
    wide = eval(product, names | {"S": 4})
    power = eval(PUBLISHED[kernel].power, {})
    assert wide == pytest.approx(term.factor * 4**power)


def test_every_kernel_has_sizes_and_published_terms():
    assert set(PUBLISHED) == set(FULL) == set(QUICK) == set(KERNELS)
    assert set(MATRICES) | set(STENCILS) <= set(KERNELS)
    assert "polybench" in EXPERIMENTS
    assert "polybench" not in chosen_experiments([])
    assert list(chosen_experiments(["polybench"])) == ["polybench"]
    for name, row in PUBLISHED.items():
        if row.soap is not None and row.soap.standing == "false":
            assert row.tight < row.soap.factor, name


def test_no_law_is_above_what_is_attained():
    for name in ("cholesky", "lu"):
        result = law(polybench(name))
        assert result.leading == pytest.approx(PUBLISHED[name].tight)


def test_a_case_holds_plays_above_checked_bounds(found):
    for kernel in found:
        assert kernel.agrees
        assert kernel.factor >= kernel.published.iolb.factor
        assert kernel.dag["vertices"] == load(kernel.spec).sizes.vertices
        assert [row.memory for row in kernel.rows] == sorted(row.memory for row in kernel.rows)
        assert all(row.played >= row.proved >= kernel.compulsory for row in kernel.rows)
        assert [row.proved for row in kernel.rows] == sorted(
            (row.proved for row in kernel.rows), reverse=True
        )


def test_what_is_known_is_computed_once(found, tmp_path):
    bench = Bench(quick=True, store=tmp_path / "runs.db")
    first = case(bench, "trisolv", "N=5")
    repeated = Bench(quick=True, store=tmp_path / "runs.db")
    assert case(repeated, "trisolv", "N=5") == first


def test_tables_claims_and_curves(found):
    laws = law_table(found)
    assert laws.rows[0][:2] == ("cholesky", "sqrt(2) N^3 / (6 sqrt(S))")
    assert laws.rows[0][-2:] == ("1.41", "0.707")
    assert laws.formulas["N^3 / (3 sqrt(S)) (false)"] == (
        r"\frac{N^{3}}{3\,\sqrt{S}}\ \text{(false)}"
    )
    assert all(row[1] in laws.formulas for row in laws.rows)
    tiles = tile_table(found)
    assert tiles.rows[0][5:] == ("b x b in (i, j), along k, where b^2 + 2 b < S", 1.41)
    assert tiles.rows[1][4] is None
    assert tiles.rows[1][5] in tiles.formulas
    assert [row[:4] for row in fault_table(found).rows] == [
        ("cholesky", "SOAP", "N^3 / (3 sqrt(S))", "false")
    ]
    assert all(row[5] <= row[7] for row in finite_table(found).rows)
    assert [row[0] for row in mean_table(found).rows] == ["matrices", "stencils", "all"]
    claims = [_sound_claim(found), _power_claim(found), _factor_claim(found)]
    assert [claim.verdict for claim in claims] == ["confirmed"] * 3
    assert _false_claim(found[0]).verdict == "corrected"
    text = passages(found)[0].text
    assert r"\frac{\sqrt{2}\,N^{3}}{6\,\sqrt{S}}" in text
    assert "for (int" in "\n".join(passages(found)[0].code)


def test_small_figures_have_one_scale(found):
    several = curves(found)
    entry = multiples_entry(several, 3)
    assert [panel["title"] for panel in entry["panels"]] == ["cholesky", "jacobi-1d"]
    for panel in entry["panels"]:
        assert panel["svg"].count('class="gap"') == 1
        assert panel["svg"].count("stroke: var(--") == 2
        numbers = [float(x) for x in re.findall(r"-?\d+\.\d", panel["svg"])]
        assert all(-1 <= number <= 201 for number in numbers)
    assert len(draw_multiples(several).axes) == 2
