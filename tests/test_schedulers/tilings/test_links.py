"""First values of sums are links of these: the DAG stays, and plays are what the referee counts."""

from dataclasses import replace

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.families.recognition import recognise_as
from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import judge
from schedulers.tilings.links import linked
from schedulers.tilings.moves import moves
from schedulers.tilings.plan import Counts
from schedulers.tilings.search import best_tilings
from tests.test_dags.importers.nest_layout import laid_out

HEAD = "void f(int n, int m, double b, double A[n][m], double B[m][n], double C[n][n], double x[n])"
LINKS = {
    "a scaled product": "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {"
    " C[i][j] *= b; for (int k = 0; k < m; k++) C[i][j] += A[i][k] * B[k][j]; }",
    "scaled before, by columns": "for (int s = 0; s < n; s++) for (int r = 0; r < n; r++)"
    " C[r][s] = C[r][s] * x[r]; for (int i = 0; i < n; i++) for (int k = 0; k < m; k++)"
    " for (int j = 0; j < n; j++) C[i][j] += A[i][k] * B[k][j];",
    "a vector and a bias": "for (int i = 0; i < n; i++) { double s = 2 * x[i];"
    " for (int k = 0; k < m; k++) s += A[i][k] * B[k][0]; x[i] = s; }",
    "rows from the second on": "for (int i = 1; i < n; i++) for (int j = 0; j < n; j++)"
    " C[i][j] = C[i][j] + x[j]; for (int i = 0; i < n - 1; i++) for (int j = 0; j < n; j++)"
    " for (int k = 0; k < m; k++) C[i + 1][j] += A[i][k] * B[k][j];",
    "a sum that begins with another": "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {"
    " double s = b; for (int k = 0; k < m; k++) s += A[i][k] * B[k][j]; double t = s * x[i];"
    " for (int k = 0; k < m; k++) t += A[j][k] * s; C[i][j] = t; }",
}
OTHERS = {
    "a product that begins with the old value": "for (int i = 0; i < n; i++)"
    " for (int j = 0; j < n; j++) for (int k = 0; k < m; k++) C[i][j] += A[i][k] * B[k][j];",
    "a value that is read again": "for (int i = 0; i < n; i++) { double s = 2 * x[i]; double t = s;"
    " for (int k = 0; k < m; k++) t += A[i][k] * s; x[i] = t; }",
    "a first value of half of the sums": "for (int i = 0; i < n - 1; i++)"
    " for (int j = 0; j < n; j++) C[i][j] *= b; for (int i = 0; i < n; i++)"
    " for (int j = 0; j < n; j++) for (int k = 0; k < m; k++) C[i][j] += A[i][k] * B[k][j];",
    "a sum along a triangle": "for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) {"
    " C[i][j] *= b; for (int k = 0; k < j; k++) C[i][j] += A[i][k] * B[k][j]; }",
}
SIZES = {"n": 5, "m": 4}


def read(body):
    program = from_c(HEAD + " { " + body + " }")
    sizes = {name: SIZES[name] for name in program.sizes}
    return box_nest(program, sizes, as_written=True), instantiate(program, sizes)


def numbered(nest):
    """The nest with assignments named by their places, as those of a text are."""
    names = {
        assignment.name: f"S{position}" for position, assignment in enumerate(nest.assignments)
    }

    def named(access):
        return access and replace(access, array=names.get(access.array, access.array))

    return replace(
        nest,
        assignments=tuple(
            replace(
                assignment,
                name=names[assignment.name],
                reads=tuple(map(named, assignment.reads)),
                item=named(assignment.item),
                outputs=named(assignment.outputs),
            )
            for assignment in nest.assignments
        ),
        distances=tuple(
            replace(far, reader=names[far.reader], source=names[far.source])
            for far in nest.distances
        ),
    )


@pytest.mark.parametrize("name", LINKS)
def test_the_dag_stays_and_plays_are_counted_as_the_referee_counts(name):
    nest, plain = read(LINKS[name])
    joined = linked(nest)
    assert joined is not None
    assert len(joined.assignments) < len(nest.assignments)
    assert joined.updates == nest.updates
    joined = numbered(joined)
    dag = laid_out(joined)
    assert recognise_as(dag, plain, name).recognised.own == ()
    memories = [6, 9, 14, 30, 90]
    tilings = best_tilings(joined, memories)
    assert tilings
    for entry in tilings:
        count = judge(dag, moves(dag, Counts(joined), entry.tiling), entry.moved.words)
        assert count.io == entry.io


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_first_value_stays_apart(name):
    nest, _ = read(OTHERS[name])
    assert linked(nest) is None


def test_a_tile_of_first_values_becomes_the_tile_of_sums():
    program = from_c(HEAD + " { " + LINKS["a scaled product"] + " }")
    joined = linked(box_nest(program, {"n": 200, "m": 200}))
    tilings = best_tilings(joined, [10_110])
    assert min(entry.io for entry in tilings if entry.moved.words <= 10_110) <= 240_001
