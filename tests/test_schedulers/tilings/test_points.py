"""Tiled orders: legal whatever the tiles, equal to a naive twin, and better where tiles are."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import CDAG, load
from pebble import RULES, Budget, judge, min_memory, play
from schedulers import SCHEDULERS, accesses
from schedulers.tilings.points import PHASE, TIME, PointTiling, coordinates, diagonals, tiled_order
from schedulers.tilings.scheduler import tiled_orders
from schedulers.tilings.trials import TilingSearch

loaded = cache(load)
SPECS = (
    "polybench/gemm:NI=4,NJ=3,NK=5",
    "polybench/cholesky:N=6",
    "polybench/jacobi-1d:N=9,TSTEPS=4",
    "polybench/seidel-2d:N=5,TSTEPS=3",
    "polybench/correlation:M=4,N=3",
    "polybench/deriche:W=4,H=3",
)


def naive_order(dag, levels):
    """Vertices by the places of their tiles, no vertex before the last tile of its operands."""
    place = coordinates(dag.origin).of
    keys = []
    for v in range(dag.n):
        own_part = tuple(int(place[name][v]) // size for name, size in levels)
        operands = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
        keys.append(max([own_part, *(keys[u] for u in operands)]))
    return sorted(dag.computed.tolist(), key=lambda v: (keys[v], v))


@st.composite
def tilings(draw, where):
    """Tilings of any kind, sensible or not."""
    levels = st.lists(st.tuples(st.sampled_from(sorted(where.of)), st.integers(1, 4)), max_size=4)
    names = st.sampled_from(sorted(where.of))
    skews = st.dictionaries(st.tuples(names, names), st.integers(-2, 2))
    return PointTiling(
        tuple(draw(levels)),
        tuple(sorted((*pair, factor) for pair, factor in draw(skews).items())),
    )


@pytest.mark.parametrize("spec", SPECS)
@given(data=st.data())
@settings(max_examples=30)
def test_every_tiling_is_a_legal_order(spec, data):
    dag = loaded(spec)
    place = coordinates(dag.origin)
    order = tiled_order(dag, place, data.draw(tilings(place)))
    accesses(dag, order)  # raises unless it is a permutation with operands before results


@pytest.mark.parametrize("spec", SPECS)
@given(data=st.data())
@settings(max_examples=20)
def test_the_order_is_its_naive_twin(spec, data):
    dag = loaded(spec)
    place = coordinates(dag.origin)
    chosen = st.tuples(st.sampled_from(sorted(place.of)), st.integers(1, 4))
    levels = tuple(data.draw(st.lists(chosen, max_size=3)))
    assert tiled_order(dag, place, PointTiling(levels)).tolist() == naive_order(dag, levels)


def test_coordinates_of_two_sweeps_a_step():
    dag = load("polybench/jacobi-1d:N=6,TSTEPS=2")
    place = coordinates(dag.origin)
    statement = dag.origin.statement[dag.computed]
    steps = np.array([dag.origin.point(v)[0] for v in dag.computed.tolist()])
    assert place.of[TIME][dag.computed].tolist() == (2 * steps + statement).tolist()
    assert set(place.of[PHASE].tolist()) == {0}
    assert place.outermost == {"t"}


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
@pytest.mark.parametrize("spec", SPECS)
def test_tiled_plays_are_legal_and_the_same_every_time(spec, rules, monkeypatch):
    monkeypatch.setattr("schedulers.tilings.trials.MOST_TRIALS", 100)
    dag = load(spec)
    memory = min_memory(dag, rules=rules) + 2
    first, second = (SCHEDULERS["tiled"](dag, memory, rules=rules, seed=3) for _ in range(2))
    assert first == second
    assert judge(dag, first, memory, rules=rules) == play(dag, first, memory, rules=rules)


def test_a_dag_without_a_program_is_played_in_a_generic_order():
    dag = load("fft:n=16")
    count = play(dag, SCHEDULERS["tiled"](dag, 6), 6)
    names = ("natural", "depth-first", "breadth-first", "least-live")
    best = min(play(dag, SCHEDULERS[f"{name}+belady-cost"](dag, 6), 6).io for name in names)
    assert count.io <= best


# A block of b x b entries of C stays, and one step of k is done for all of it: 3 words an entry.
def test_products_are_tiled_as_they_should_be():
    dag = load("polybench/gemm:NI=12,NJ=12,NK=12")
    blocks = 12**3 * 2 // 3 + 2 * 12**2  # b = 3 with 16 words: 2 n^3 / b for A and B, C in and out
    assert play(dag, SCHEDULERS["tiled"](dag, 16), 16).io <= blocks


@pytest.mark.parametrize("rules", RULES.values(), ids=lambda rules: rules.name)
def test_loops_that_run_once_have_one_order(rules, tmp_path):
    path = tmp_path / "once.c"
    path.write_text("for (i = 0; i < 1; i++) B[i] = A[i] + A[i+1];\n")
    dag = load(str(path))
    memory = min_memory(dag, rules=rules) + 1
    schedule = SCHEDULERS["tiled"](dag, memory, rules=rules)
    assert judge(dag, schedule, memory, rules=rules).io == 3


def test_time_limits_end_the_search():
    dag = load("polybench/lu:N=12")
    place = coordinates(dag.origin)
    search = TilingSearch(dag, place, 8, Budget(0.0))
    assert search.best(1) == [PointTiling()]
    assert len(list(tiled_orders(dag, 8, budget=Budget(0.0)))) == 1


@given(data=st.data())
@settings(max_examples=10)
def test_words_are_counted_as_far_as_is_asked(data):
    """In whichever order it is asked; tilings of one order share what is known."""
    dag = loaded("polybench/gemm:NI=3,NJ=2,NK=3")
    place = coordinates(dag.origin)
    search, plain = (TilingSearch(dag, place, 6) for _ in range(2))
    for _ in range(6):
        tiling, limit = data.draw(tilings(place)), data.draw(st.integers(0, 120))
        words, result = plain.measure(tiling), search.measure(tiling, limit)
        assert result == words if words <= limit else result > limit


def test_plain_dags_have_no_tiles():
    assert isinstance(load("fft:n=8"), CDAG)
    assert not list(tiled_orders(load("fft:n=8"), 4))


def test_diamonds_of_a_stencil_move_less_than_sweeps():
    dag = load("polybench/jacobi-1d:N=100,TSTEPS=40")
    place = coordinates(dag.origin)
    search = TilingSearch(dag, place, 40)
    rising, falling = diagonals("i")
    assert 3 * search.measure(PointTiling(((rising, 32), (falling, 32)))) < search.measure(
        PointTiling()
    )


def test_tiles_lean_over_in_space():
    dag = load("polybench/gemm:NI=4,NJ=5,NK=1")
    place = coordinates(dag.origin)
    order = tiled_order(dag, place, PointTiling((("j", 1),), (("j", "i", 1),)))
    diagonal = (place.of["i"] + place.of["j"])[order]
    assert (np.diff(diagonal) >= 0).all()
    assert np.unique(diagonal).size == 8
