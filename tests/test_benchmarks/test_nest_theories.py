"""What windows of nests prove without a DAG, beside what they prove by its points."""

from benchmarks.nest_theories import COMPUTATIONS, RULESETS, TIMES, Proved, Row, rows, table
from dags import Computation, load
from dags.programs.text.library import KERNELS
from pebble import compulsory_words


def test_games_are_all_of_polybench_and_members_that_have_a_nest():
    names = [entry.removeprefix("polybench/").partition(":")[0] for entry in COMPUTATIONS]
    assert {*KERNELS} <= {*names}
    assert all(Computation(entry).nest is not None for entry in COMPUTATIONS if "/" not in entry)


def test_both_theories_prove_the_compulsory_words_at_least():
    (spec,) = (entry for entry in COMPUTATIONS if entry.startswith("matvec"))
    results = [*rows((spec,))]
    assert len(results) == len(TIMES) * len(RULESETS)
    for row in results:
        assert min(row.points.words, row.nest.words) >= compulsory_words(load(spec))
    assert table(results).count("won by the nest") == 3


def test_the_one_that_proves_more_wins():
    smaller, extra = Proved(1, "affine", 0.0), Proved(2, "nest-windows", 0.0)
    assert Row("", "", 1, smaller, extra).verdict == "nest"
    assert Row("", "", 1, extra, smaller).verdict == "points"
    assert Row("", "", 1, smaller, smaller).verdict == "even"
