"""Each lemma on nests where each change of loops is made: its own inequality, by brute force.

A row of the table is a change that a nest goes through before lemmas read it, in a text where they
meet it, and the lemmas whose checkers accept something there. What they accept is held against the
DAG of the text: sets of updates, windows of orders, lines that half of a product leaves mixed, and
loads that orders need.
"""

import random

import numpy as np
import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.importers import from_onnx
from dags.importers.nests import graph_nest
from dags.programs.text import from_c
from proofs.lemmas.loops import joint_windows, nest_updates, nests, overlapping, waiting
from proofs.lemmas.loops.hbl import least_words
from proofs.lemmas.loops.nests import CUT, EVERYWHERE, JOINT, LABELLED, MESH, WAITS, WINDOWS
from tests.campaigns import nest_lemmas
from tests.nest_texts import CONVOLUTION, SWEEPS
from tests.test_dags.importers.nest_layout import laid_out
from tests.test_proofs.nest_graphs import NestGraph, nest_and_dag
from tests.test_proofs.nest_inequalities import judged_nest

ALONE = {WINDOWS, EVERYWHERE}
LABELS = {*ALONE, LABELLED}
PRODUCTS = {*LABELS, CUT}


def text(names, body):
    """A C function of arrays, each a letter and its number of indices."""
    arguments = zip(names[::2], names[1::2], strict=True)
    arrays = ", ".join(f"double {name}{'[20]' * int(rank)}" for name, rank in arguments)
    return f"void f({arrays}) {{ {body} }}"


def loops(names, *ends):
    """Heads of loops, each with its first value and the end, or with the end alone."""
    heads = ""
    for name, end in zip(names, ends, strict=True):
        low, high = end if isinstance(end, tuple) else (0, end)
        heads += f"for (int {name} = {low}; {name} < {high}; {name}++) "
    return heads


PRODUCT = "c[i][j] += a[i][k] * b[k][j]; "
MOVED = {
    "a product of what was made rows before": (
        PRODUCTS,
        text(
            "a2b2c2x2",
            f"{loops('ik', 5, 3)} a[i][k] = g(x[i][k]);"
            f"{loops('ijk', 3, 3, 3)} c[i][j] += a[i + 2][k] * b[k][j];",
        ),
    ),
    "products with an image between": (
        {*PRODUCTS, JOINT},
        text(
            "a2b2c2d2e2w2",
            f"{loops('ijk', 3, 3, 2)} {PRODUCT}"
            f"{loops('ij', (1, 3), 3)} d[i - 1][j] = g(c[i][j]);"
            f"{loops('ijk', 2, 2, 3)} e[i][j] += d[i][k] * w[k][j];",
        ),
    ),
    "sweeps": (
        {*ALONE, WAITS},
        text(
            "x2m1r1y2",
            f"{loops('i', 4)} {{ m[i] = 0; {loops('j', 5)} m[i] += x[i][j]; }}"
            f"{loops('i', 3)} r[i] = g(m[i + 1]);"
            f"{loops('ij', 3, 5)} y[i][j] = x[i + 1][j] * r[i];",
        ),
    ),
    "a stencil in turns": ({*LABELS, MESH}, SWEEPS),
}
GATHERED = {
    "planes": (
        LABELS,
        text("x2w2y2", f"{loops('fijc', 2, 3, 3, 2)} y[f][i + j] += x[c][i] * w[f][c];"),
    ),
    "in steps": (
        LABELS,
        text("x1w2y2", f"{loops('fij', 2, 4, 3)} y[f][2 * i + 3 * j] += x[i] * w[f][j];"),
    ),
}
SLANTED = {
    "diagonals": (
        LABELS,
        text(
            "s2x2",
            f"{loops('d', (1, 5))} for (int i = 0; i < 5 - d; i++)"
            "for (int k = i; k < i + d; k++) s[i][i + d] += s[i][k] * x[k + 1][i + d];",
        ),
    ),
}
TURNED = {
    "down, and in steps": (
        PRODUCTS,
        text(
            "a2b2c2d2",
            f"for (int i = 2; i >= 0; i--) {loops('j', 3)} for (int k = 2; k >= 0; k--) {PRODUCT}"
            f"for (int i = 0; i < 3; i += 2) {loops('jk', 2, 3)} d[i][j] += c[i][k] * b[j][k];",
        ),
    ),
}
BOXED = {
    "a read at an edge alone": (
        PRODUCTS,
        text("a2b2c2z2", f"{loops('ij', 3, 3)} {{ c[i][j] = z[i][j]; {loops('k', 3)} {PRODUCT} }}"),
    ),
    "an index that mixes loops": (LABELS, CONVOLUTION),
}
TIED = {
    "a triangle": (
        LABELS,
        text("a2b2c2", f"{loops('ij', 4, 3)} for (int k = 0; k <= i; k++) {PRODUCT}"),
    ),
    "products of triangles": (
        {*LABELS, JOINT},
        text(
            "a2b2c2d2w2",
            f"{loops('ij', 3, 3)} if (j <= i) {loops('k', 2)} {PRODUCT}"
            f"{loops('ij', 3, 2)} for (int k = 0; k <= i; k++) d[i][j] += c[i][k] * w[k][j];",
        ),
    ),
    "an edge": (
        LABELS,
        text(
            "x2w3y2",
            f"{loops('fpcr', 2, 4, 2, 3)} if (p + r > 0 && p + r < 5)"
            "y[f][p] += x[c][p + r] * w[f][c][r];",
        ),
    ),
    "sweeps": (
        ALONE,
        text(
            "x2m1y2",
            f"{loops('i', 6)} {{ m[i] = 0; for (int j = 0; j <= i; j++) m[i] += x[i][j]; }}"
            f"{loops('i', 6)} for (int j = 0; j <= i; j++) y[i][j] = x[i][j] * m[i];",
        ),
    ),
}
PIECES = {
    "values that are made in parts": (
        LABELS,
        text(
            "a2b2c2x2",
            f"{loops('ik', 2, 3)} a[i][k] = g(x[i][k]);"
            f"{loops('ik', (2, 4), 3)} a[i][k] = h(x[i][k]);"
            f"{loops('ijk', 4, 3, 3)} {PRODUCT}",
        ),
    ),
}
CARRIED = {
    "sums of the step before": (
        LABELS,
        text("w2h2", f"{loops('tij', 3, 3, 3)} h[t + 1][i] += w[i][j] * h[t][j];"),
    ),
    "a grid": (
        {WINDOWS, LABELLED, MESH},
        text("h2", f"{loops('ij', (1, 5), (1, 5))} h[i][j] = g(h[i - 1][j], h[i][j - 1]);"),
    ),
    "an elimination": (
        LABELS,
        text(
            "a2",
            f"{loops('k', 4)} for (int i = k + 1; i < 4; i++) {{ a[i][k] = a[i][k] / a[k][k];"
            "for (int j = k + 1; j < 4; j++) a[i][j] = a[i][j] - a[i][k] * a[k][j]; }",
        ),
    ),
}
MADE = """void f(int N, int C, double x[N][C], double y[N][C]) {
  double t[N][C], s[N];
  for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) t[n][c] = exp(x[n][c]);
  for (int n = 0; n < N; n++) {
    s[n] = 0;
    for (int c = 0; c < C; c++) s[n] += t[n][c]; }
  for (int n = 0; n < N; n++) for (int c = 0; c < C; c++) y[n][c] = t[n][c] / s[n]; }"""
SIZES = {CONVOLUTION: {"F": 2, "P": 3, "C": 2, "R": 2}, SWEEPS: {"T": 3, "N": 5}}
CHANGES = {
    "moved": (MOVED, lambda entry: any(entry.item.offset)),
    "gathered": (GATHERED, lambda entry: entry.numbers is None),
    "slanted": (SLANTED, lambda entry: any("+" in name or "-" in name for name in entry.loops)),
    "turned": (
        TURNED,
        lambda entry: any(min(row) < 0 or max(row) > 1 for row, _ in entry.text_loops),
    ),
    "boxed": (BOXED, lambda entry: not entry.ties),
    "tied": (TIED, lambda entry: bool(entry.ties)),
    "pieces": (PIECES, lambda entry: not all(map(entry.is_whole, entry.reads))),
    "carried": (CARRIED, lambda entry: any(read.array == entry.name for read in entry.reads)),
}
ROWS = [(change, name) for change, (chosen, _) in CHANGES.items() for name in chosen]


@pytest.mark.parametrize(("change", "name"), ROWS)
def test_lemmas_hold_where_loops_are_changed(change, name):
    chosen, is_changed = CHANGES[change]
    kinds, written = chosen[name]
    program, sizes = from_c(written), SIZES.get(written, {})
    nest, dag = nest_and_dag(program, sizes, as_written=True)
    assert any(map(is_changed, nest.assignments))
    graph = NestGraph(nest, dag)
    met = judged_nest(graph, random.Random(f"{change} {name}"))
    assert {kind.partition(":")[0] for kind, number in met.items() if number} == kinds


@pytest.mark.parametrize("any_order", [False, True])
def test_values_that_are_made_and_wait_are_stored(any_order):
    """Sweeps over what is made, which is no output; sums in the order of the text, and in any."""
    program, sizes = from_c(MADE), {"N": 2, "C": 6}
    graph = NestGraph(*nest_and_dag(program, sizes, any_order=any_order))
    met = judged_nest(graph, random.Random("made"))
    assert met[f"{WAITS}: beyond inputs"] + met[f"{WAITS}: beyond inputs exactly"] > 0


def graphs():
    """Models by the change that their operators go through, with the lemmas that meet it."""
    from tests.test_dags.importers.onnx_samples import draw, model_of, node

    rows = {name: np.array([position]) for name, position in [("low", 1), ("high", 4), ("axis", 1)]}
    return {
        "made at once with its only reader": (
            PRODUCTS,
            model_of(
                [
                    node("MatMul", "x w", "product"),
                    node("Add", "product bias", "sum"),
                    node("Relu", "sum", "y"),
                ],
                {"x": [3, 3]},
                ["y"],
                draw(w=(3, 3), bias=3),
            ),
        ),
        "made in slices": (
            {*PRODUCTS, JOINT},
            model_of(
                [
                    node("MatMul", "x w", "both"),
                    node("Split", "both", "a b", axis=1),
                    node("Transpose", "b", "turned", perm=[1, 0]),
                    node("MatMul", "a turned", "y"),
                ],
                {"x": [3, 3]},
                ["y"],
                draw(w=(3, 4)),
            ),
        ),
        "an axis in parts": (
            PRODUCTS,
            model_of(
                [
                    node("MatMul", "x w", "t"),
                    node("Reshape", "t shape", "heads"),
                    node("Transpose", "heads", "turned", perm=[1, 0, 2]),
                    node("MatMul", "turned u", "y"),
                ],
                {"x": [3, 2]},
                ["y"],
                {**draw(w=(2, 4), u=(2, 2, 2)), "shape": np.array([3, 2, 2])},
            ),
        ),
        "beyond an edge": (
            LABELS,
            model_of(
                [node("Conv", "x w", "t", pads=[1, 1]), node("Relu", "t", "y")],
                {"x": [1, 2, 4]},
                ["y"],
                draw(w=(2, 2, 3)),
            ),
        ),
        "moved": (
            {*ALONE, WAITS},
            model_of(
                [
                    node("ReduceSum", "x axis", "m", keepdims=1),
                    node("Slice", "m low high", "others"),
                    node("Sigmoid", "others", "r"),
                    node("Slice", "x low high", "some"),
                    node("Mul", "some r", "y"),
                    node("Sigmoid", "m", "z"),
                ],
                {"x": [4, 5]},
                ["y", "z"],
                rows,
            ),
        ),
    }


@pytest.mark.parametrize(
    "name",
    [
        "made at once with its only reader",
        "made in slices",
        "an axis in parts",
        "beyond an edge",
        "moved",
    ],
)
def test_lemmas_hold_of_graphs(name):
    pytest.importorskip("onnx", reason="onnx is not installed")
    kinds, model = graphs()[name]
    nest = graph_nest(from_onnx(model))
    met = judged_nest(NestGraph(nest, laid_out(nest)), random.Random(name))
    assert {kind.partition(":")[0] for kind, number in met.items() if number} == kinds


def test_lemmas_hold_of_drawn_nests():
    outcomes = nest_lemmas.run(cases=32, seed=23)
    assert not outcomes.failures, outcomes.table()
    assert {"moved, more", "moved, inputs"} <= {outcome for _, outcome in outcomes.counts}


def of_items(access, _):
    """Loops of a maker, wrongly: the indices of its values, though its loops were moved."""
    return list(zip(access.rows, access.offset, strict=True))


OTHERS = text(
    "x2m1r1y2",
    f"{loops('i', 4)} {{ m[i] = 0; {loops('j', 5)} m[i] += x[i][j]; }}"
    f"{loops('i', 3)} r[i] = g(m[i + 1]);"
    f"{loops('ij', 3, 5)} y[i][j] = x[i][j] * r[i];",
)
PAIRS = text("p1q1y1", f"{loops('ij', 4, 4)} y[i] += p[i] * q[j];")
PLAIN = text("a2b2c2", f"{loops('ijk', 3, 3, 3)} {PRODUCT}")
ROWS_BELOW = text("a2c1", f"{loops('ij', 4, 3)} c[i] += a[i][j] * a[i + 1][j];")


def of_rows_alone(entry, place):
    """Whether items go along a loop alone, wherever they begin."""
    low, high = entry.box[place]
    return high - low > 1 and all(
        any(row[place] and sum(map(bool, row)) == 1 for row in access.rows)
        for access in (*entry.reads, entry.item)
    )


PLANTED = {  # where, what is put there, given what was there, and a text
    "items for loops that are moved": (waiting, "_loops_of_maker", lambda _: of_items, OTHERS),
    "a block too few": (waiting, "_blocks", lambda old: lambda *item: max(1, old(*item) - 1), MADE),
    "a line too many": (
        joint_windows,
        "sides_of",
        lambda old: lambda entry: (old(entry)[0], tuple(factor + 1 for factor in old(entry)[1])),
        PLAIN,
    ),
    "an item that is born in no window": (
        nests,
        "items_among",
        lambda old: lambda *item: old(*item) - 1,
        PLAIN,
    ),
    "arrays in which two updates have no item together": (
        overlapping,
        "most_shared",
        lambda old: lambda *item: max(0, old(*item) - 1),
        PLAIN,
    ),
    "no room where a sum begins": (
        nests,
        "pairs_away",
        lambda old: lambda *item, heads: old(*item, heads=False),
        PLAIN,
    ),
    "x in the place of x'": (nests, "words_under", lambda _: lambda _: least_words, PAIRS),
    "a word too many in windows of partial computation": (
        nests,
        "words_under",
        lambda old: lambda rules: lambda *item: old(rules)(*item) + rules.partial,
        PAIRS,
    ),
    "a cut at which updates take no room": (
        nests,
        "held",
        lambda old: lambda nest, memory, rules: old(nest, memory, rules) - rules.partial,
        PAIRS,
    ),
    "updates that two parts count in part": (nests, "begun", lambda _: lambda *_: set(), PLAIN),
    "copies that share items": (nest_updates, "_splits", lambda _: of_rows_alone, ROWS_BELOW),
}


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_in_a_lemma_is_found(name, monkeypatch):
    module, function, wrong, written = PLANTED[name]
    monkeypatch.setattr(module, function, wrong(getattr(module, function)))
    program = from_c(written)
    sizes = {MADE: {"N": 3, "C": 5}}.get(written, {})
    graph = NestGraph(*nest_and_dag(program, sizes))

    def judged():
        for seed in range(20):
            judged_nest(graph, random.Random(seed))

    with pytest.raises(AssertionError, match=r"nest-|Cut|Chosen|Labelled|copies"):
        judged()
