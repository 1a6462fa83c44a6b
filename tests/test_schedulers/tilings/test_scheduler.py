"""Plays of programs by tiles: trees of loops by formulas, and tilings of points by trials."""

import pickle

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags import Computation, load
from dags.formats import save
from dags.programs.members import nest_in
from pebble import RULES, judge, min_memory
from schedulers import COUNTED_PLAYS, SCHEDULERS
from schedulers.tilings.scheduler import tiled_orders, tiling_of
from schedulers.tilings.search import best_tilings

CHAIN = """
void chain(int N, double A[N][N], double B[N][N], double C[N][N], double D[N][N]) {
  double T[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      T[i][j] = 0;
      for (int k = 0; k < N; k++) T[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      D[i][j] = 0;
      for (int k = 0; k < N; k++) D[i][j] += T[i][k] * C[k][j];
    }
}
"""


@pytest.fixture
def chain(tmp_path):
    (tmp_path / "chain.c").write_text(CHAIN)
    return f"{tmp_path}/chain.c:N=8"


@pytest.mark.parametrize("memory", [23, 60])
def test_chains_move_no_more_than_the_best_tree_of_loops(chain, memory):
    dag = load(chain)
    built = SCHEDULERS["tiled"](dag, memory)
    counted = [
        best_tiling
        for best_tiling in best_tilings(nest_in(dag), [memory])
        if best_tiling.moved.words <= memory
    ]
    assert judge(dag, built, memory).io <= min(entry.io for entry in counted)


def test_what_is_made_between_two_products_is_never_stored(chain):
    """Two products one after the other move T twice, whatever their tiles."""
    dag, memory = load(chain), 101
    built = SCHEDULERS["tiled"](dag, memory)
    between = [v for v in range(dag.n) if dag.origin.statement[v] == 1]
    stored = {v for move, v in built if move.name == "STORE"}
    assert not stored.intersection(between)


def test_trees_of_loops_are_told_in_words(chain):
    dag = load(chain)
    shown = [tiling_of(dag, order).text for order in tiled_orders(dag, 60)]
    assert any("stays:" in text for text in shown)


@pytest.mark.parametrize("level", ["statement", "operation"])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_trees_are_legal_whatever_a_vertex_is(chain, level, rules):
    dag = load(f"{chain.replace('N=8', 'N=4')},level={level}")
    memory = min_memory(dag, rules=rules) + 4
    judge(dag, SCHEDULERS["tiled"](dag, memory, rules=rules), memory, rules=rules)


def test_a_dag_has_the_boxes_of_its_program_where_they_are_known(chain, tmp_path):
    dag = load(chain)
    assert nest_in(dag).updates == dag.computed.size
    assert nest_in(pickle.loads(pickle.dumps(dag))).assignments == nest_in(dag).assignments
    save(dag, tmp_path / "chain.npz")
    assert nest_in(load(str(tmp_path / "chain.npz"))) is None
    assert nest_in(load("fft:n=4")) is None


def test_live_arrays_are_those_of_the_dag(chain):
    dag = load(f"{chain.replace('N=8', 'N=4')},live=T")
    assert [assignment.target for assignment in nest_in(dag).assignments] == ["T"]


def test_a_product_has_square_blocks_before_anything_is_searched():
    known = Computation("matmul:n=100000")
    for memory in (10**4, 10**5, 10**6):
        tilings = best_tilings(known.nest, [memory], seconds=0.0)
        played = sum(COUNTED_PLAYS["matmul"].count(known.params, memory))
        assert min(entry.io for entry in tilings if entry.moved.words <= memory) <= 1.02 * played
