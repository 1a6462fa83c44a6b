"""A play that a formula counts is a candidate of `structured` on the DAG."""

import numpy as np
import pytest

from dags import CDAG, load, recognise, renumber
from pebble import ONE_SHOT, PARTIAL, Rules, min_memory, play
from schedulers import COUNTED_PLAYS, structured
from schedulers.families import Structured
from schedulers.families.formula_plays import formula_play

SLIDING = Rules(sliding=True)
SMALL = {
    "bitonic_sort": "n=16",
    "cholesky": "n=9",
    "dirac_steps": "shape=5x6,steps=7",
    "fft": "n=32",
    "grid": "shape=5x6",
    "lu": "n=8",
    "matmul": "n=5",
    "matvec": "n=9,m=7",
    "qr_givens": "n=6",
    "stencil": "shape=8x9,steps=6",
    "syrk": "n=9,k=4",
    "triangular_solve": "n=8,k=3",
}


def turned(dag, **changes):
    """The same DAG, of no known family, with its inputs in the opposite order."""
    order = np.concatenate([dag.inputs[::-1], dag.computed])
    second = renumber(dag, order)
    fields = {"outputs": second.outputs, **changes}
    return recognise(CDAG(second.pred_indptr, second.pred_indices, **fields))


@pytest.mark.parametrize(
    ("spec", "memory"), [("lu:n=100", 1000), ("triangular_solve:n=40,k=9", 138)]
)
def test_a_built_dag_moves_no_more_than_its_formula(spec, memory):
    dag = load(spec)
    best = structured.plan(dag, memory)
    assert best.io <= sum(COUNTED_PLAYS[dag.family].count(dag.params, memory))
    assert play(dag, structured(dag, memory), memory).io == best.io


def test_every_family_with_tiles_has_a_case():
    assert SMALL.keys() == {name for name, counted in COUNTED_PLAYS.items() if counted.tiles}


@pytest.mark.parametrize("family", SMALL)
@pytest.mark.parametrize("rules", [ONE_SHOT, SLIDING, PARTIAL, Rules(recompute=True)])
def test_the_engine_counts_what_the_formula_says(family, rules):
    dag = load(f"{family}:{SMALL[family]}")
    memory = min_memory(dag) + 7
    formula = formula_play(dag, memory, rules)
    if formula is None:
        assert COUNTED_PLAYS[family].count(dag.params, memory) is None
        return
    assert play(dag, formula.play.blocks(), memory, rules=rules).io == formula.words
    assert structured.plan(dag, memory, rules=rules).io <= formula.words


def test_a_formula_is_played_in_the_numbers_of_the_dag():
    generated = load("lu:n=12")
    dag = turned(generated)
    assert dag.recognised is not None
    assert not dag.recognised.own
    plan = Structured({}).plan(dag, 60)
    assert plan.io <= formula_play(generated, 60, ONE_SHOT).words
    assert play(dag, plan.blocks(), 60).io == plan.io


def test_outputs_of_its_own_are_counted():
    generated = load("lu:n=12")
    dag = turned(generated, outputs=None)
    assert dag.recognised.own == ("outputs",)
    plan = structured.plan(dag, 60)
    assert play(dag, plan.blocks(), 60).io == plan.io < structured.plan(generated, 60).io


def test_values_of_other_sizes_have_no_formula():
    dag = load("lu:n=5")
    words = np.where(np.arange(dag.n) == dag.n - 1, 3, 1)
    wide = CDAG(dag.pred_indptr, dag.pred_indices, words=words, family="lu", params={"n": 5})
    assert formula_play(dag, 12, ONE_SHOT) is not None
    assert formula_play(wide, 12, ONE_SHOT) is None
    assert play(wide, structured(wide, 12), 12).io == structured.plan(wide, 12).io
