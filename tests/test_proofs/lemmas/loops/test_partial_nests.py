"""Windows of nests under partial computation (N3) against exhaustive search in small games."""

import random
from functools import cache

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs.text import from_c
from pebble import PARTIAL, compulsory_words
from proofs.bounds.loops.nests import nest_bound
from proofs.certificates import Certificate, proven_io
from proofs.lemmas.loops import nests
from proofs.lemmas.loops.hbl import least_words
from proofs.lemmas.loops.nests import WINDOWS
from schedulers.exact import exact
from tests.test_proofs.nest_graphs import NestGraph, nest_and_dag
from tests.test_proofs.nest_inequalities import labelled_records, window_records
from tests.test_proofs.partial_nests import judged_play, moves_of, records_in_part

PAIRS = "y[i] = 0; for (int j = 0; j < J; j++) y[i] += q[j];"
BODIES = "y[i] = 0; for (int j = 0; j < J; j++) y[i] += p[i] * q[j];"
OUTER = "for (int j = 0; j < J; j++) z[i][j] = p[i] * q[j];"
WIDE = "y[i] = g(a[0], b[0], c[0], d[0], q[i]);"
CHAIN = "for (int j = 1; j < J; j++) z[i][j] = g(z[i][j - 1], q[j]);"
GRID = "if (i > 0) for (int j = 1; j < J; j++) z[i][j] = g(z[i][j - 1], z[i - 1][j]);"
SMALL = [  # a text, its sizes, memories
    (PAIRS, (3, 3), (2, 3, 4)),
    (PAIRS, (4, 4), (3, 4, 5)),
    (BODIES, (3, 3), (3, 4, 5)),
    (OUTER, (3, 3), (2, 3, 4, 5)),
    (OUTER, (4, 4), (4, 5)),
    (WIDE, (3, 1), (2, 3)),
    (CHAIN, (3, 4), (2, 3, 4)),
    (GRID, (4, 4), (2, 3)),
]


@cache
def graph_of(body, sizes):
    """The nest of a loop over i, with its DAG."""
    arrays = ", ".join(f"double {name}[9]" for name in "abcdpqy") + ", double z[9][9]"
    text = f"void f(int I, int J, {arrays}) {{ for (int i = 0; i < I; i++) {{ {body} }} }}"
    return NestGraph(*nest_and_dag(from_c(text), dict(zip("IJ", sizes, strict=True))))


@pytest.mark.parametrize(("body", "sizes", "memories"), SMALL)
def test_best_plays_of_small_games_meet_what_nests_say(body, sizes, memories):
    graph = graph_of(body, sizes)
    rng = random.Random(body)
    drawn = [*window_records(graph.nest, rng), *labelled_records(graph.nest, rng)]
    records, met = records_in_part(graph, drawn), 0
    for memory in memories:
        best = exact(graph.dag, memory, rules=PARTIAL, time_limit=20)
        assert best.status == "optimal"
        bound = nest_bound(graph.nest, memory, rules=PARTIAL)
        assert proven_io(graph.nest, memory, PARTIAL, bound.certificate) == bound.io <= best.io
        moves = [*moves_of(graph, best.schedule)]
        for kind, record in records:
            met += judged_play(graph, moves, memory, kind, record, rng)["a full cut"]
    assert records
    assert met > 0


@pytest.mark.parametrize(("body", "sizes"), [(PAIRS, (6, 5)), (OUTER, (6, 5)), (OUTER, (5, 6))])
def test_what_nests_prove_beyond_compulsory_words_is_no_more_than_searches_prove(body, sizes):
    """Searches end before the optimum here, but after the words that nests prove."""
    graph = graph_of(body, sizes)
    bound = nest_bound(graph.nest, 2, rules=PARTIAL)
    search = exact(graph.dag, 2, rules=PARTIAL, max_memory=1 << 26)
    assert compulsory_words(graph.dag) < bound.io <= search.lower_bound


def test_some_bounds_are_optimal():
    graph = graph_of(PAIRS, (4, 4))
    assert nest_bound(graph.nest, 5, rules=PARTIAL).io == exact(graph.dag, 5, rules=PARTIAL).io


def test_items_of_one_shot_windows_would_prove_more_than_the_optimum(monkeypatch):
    """Two updates that are computed side by side read four values once, not twice."""
    graph, memory = graph_of(WIDE, (2, 1)), 3
    arrays = ["A_a", "A_b", "A_c", "A_d"]
    windows = [{"size": 1, "count": 2, "exponents": dict.fromkeys(arrays, "1")}]
    data = {"assignment": "S0", "arrays": arrays, "order": [0], "windows": windows}
    certificate = Certificate(WINDOWS, data)
    best = exact(graph.dag, memory, rules=PARTIAL)
    assert best.status == "optimal"
    assert proven_io(graph.nest, memory, PARTIAL, certificate) <= best.io
    monkeypatch.setattr(nests, "words_under", lambda _: least_words)
    assert proven_io(graph.nest, memory, PARTIAL, certificate) > best.io
