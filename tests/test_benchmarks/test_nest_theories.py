"""What windows of nests prove without a DAG, beside what they prove by its points."""

from benchmarks.nest_theories import COMPUTATIONS, Proved, Row, rows, table
from dags import Computation, load
from dags.programs.text.library import KERNELS
from pebble import compulsory_words


def test_games_are_all_of_polybench_and_members_that_have_a_nest():
    names = [each.removeprefix("polybench/").partition(":")[0] for each in COMPUTATIONS]
    assert {*KERNELS} <= {*names}
    assert all(Computation(each).nest is not None for each in COMPUTATIONS if "/" not in each)


def test_both_theories_prove_the_compulsory_words_at_least():
    (spec,) = (each for each in COMPUTATIONS if each.startswith("matvec"))
    found = [*rows((spec,))]
    assert len(found) == 6
    for row in found:
        assert min(row.points.words, row.nest.words) >= compulsory_words(load(spec))
    assert table(found).count("won by the nest") == 3


def test_the_one_that_proves_more_wins():
    less, more = Proved(1, "affine", 0.0), Proved(2, "nest-windows", 0.0)
    assert Row("", "", 1, less, more).verdict == "nest"
    assert Row("", "", 1, more, less).verdict == "points"
    assert Row("", "", 1, less, less).verdict == "even"
