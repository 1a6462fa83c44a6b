"""Dataflow for all sizes, held edge by edge against the DAGs of some."""

import random

import pytest

isl = pytest.importorskip("islpy", reason="the extra 'affine' is not installed")

from dags.programs import ProgramError, instantiate  # noqa: E402
from dags.programs.dataflow import dataflow  # noqa: E402
from dags.programs.instances import NotReadError  # noqa: E402
from dags.programs.integer_sets import bounded_isl, sizes_from  # noqa: E402
from dags.programs.text import from_c, from_python  # noqa: E402
from dags.programs.text.library import polybench  # noqa: E402
from tests.test_proofs.small_nests import small_nest_text  # noqa: E402


def tuples(chosen):
    """The points of a union of sets: names and coordinates."""
    result, listed = set(), chosen.get_set_list()
    for place in range(listed.n_set()):
        entry = listed.get_at(place)
        for coordinate in coordinates(entry):
            result.add((entry.get_tuple_name(), coordinate))
    return result


def pairs(chosen):
    """The pairs of a union of relations."""
    result, listed = set(), chosen.get_map_list()
    for place in range(listed.n_map()):
        entry = listed.get_at(place)
        first, second = (
            entry.get_tuple_name(kind) for kind in (isl.dim_type.in_, isl.dim_type.out)
        )
        width = entry.dim(isl.dim_type.in_)
        result |= {
            ((first, coordinate[:width]), (second, coordinate[width:]))
            for coordinate in coordinates(entry.wrap())
        }
    return result


def coordinates(chosen):
    results = []
    depth = chosen.dim(isl.dim_type.set)

    def add(point):
        values = (point.get_coordinate_val(isl.dim_type.set, i) for i in range(depth))
        results.append(tuple(value.to_python() for value in values))

    chosen.foreach_point(add)
    return results


def names(dag):
    """The tuples of the vertices of a DAG."""
    origin = dag.origin
    built = origin.made_by.tolist()
    known = [f"S{entry}" if entry >= 0 else f"A_{origin.arrays[-1 - entry][0]}" for entry in built]
    return [(name, origin.point(v)) for v, name in enumerate(known)]


def require_equal(program, sizes, **options):
    dag = instantiate(program, sizes, **options)
    place = sizes_from([sizes[name] for name in program.sizes])
    for number, name in enumerate(program.sizes):
        place = place.intersect(isl.Set(f"[n{number}] -> {{ : n{number} = {sizes[name]} }}"))
    result = dataflow(program, place, **options)
    label = names(dag)
    edges = {
        (label[v], label[u])
        for v in range(dag.n)
        for u in dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
    }
    assert pairs(result.reads) == edges
    assert tuples(result.outputs) == {label[v] for v in dag.outputs.tolist()}
    assert tuples(result.inputs) == {label[v] for v in dag.used_inputs.tolist()}


@pytest.mark.parametrize("name", ["2mm", "adi", "correlation", "deriche", "lu", "nussinov"])
def test_kernels(name):
    program = polybench(name)
    require_equal(program, {size: 4 + place for place, size in enumerate(program.sizes)})


TEXT = """
for (int i = 0; i < N; i++) {
  c = 2.0;
  T[i] = c * 3.0;
  x = A[i];
  for (int j = N - 1; j > i; j--)
    if (j != i + 2 && (j >= 3 || i == 0)) x = x * B[j] + T[j] + x;
    else { D[i][j] = B[j] + A[i]; y = D[i][j]; E[j] = y; }
  A[i] = x;
}
for (int k = 1; k < N; k++) E[k] += E[k - 1] * A[k];
"""

BY_TWOS = """for (j = 0; j < 3; j++) for (i = 6; i >= 0; i -= 2) for (k = i; k < 9; k++)
  T0[j] += A3[k][j];"""


@pytest.mark.parametrize("live", [["A"], ["E"], ["A", "E"]])
def test_copies_constants_conditions_and_loops_downwards(live):
    program = from_c(TEXT)
    for size in (4, 6):
        require_equal(program, {"N": size}, live=live, constants=["T"])


def test_drawn_nests():
    done = 0
    for seed in range(16):
        text = small_nest_text(random.Random(f"flow {seed}"))
        try:
            instantiate(from_c(text), {})
            require_equal(from_c(text), {})
        except (ProgramError, NotReadError):
            continue
        done += 1
    assert done > 5


@pytest.mark.parametrize("step", ["i = 1; i < N; i += 3", "i = N; i > 0; i -= 2"])
def test_steps(step):
    program = from_c(f"for (int {step}) for (int j = i; j > 0; j--) A[i] += A[i - 1] * B[j];")
    require_equal(program, {"N": 8})


@pytest.mark.parametrize(
    ("selected", "called"),
    [
        ("(i > 1 ? i - 2 : 0); j < N", "fmax(i - 2, 0); j < N"),
        ("(0 >= i - 1 ? 0 : i - 1); j < N", "fmax(0, i - 1); j < N"),
        ("0; j <= (i < N - 1 ? i + 1 : N - 1)", "0; j < fmin(i + 2, N)"),
    ],
)
def test_bounds_that_are_selected(selected, called):
    text = "for (int i = 0; i < N; i++) for (int j = {}; j++) A[i] += B[j];"
    first, second = (
        instantiate(from_c(text.format(chosen)), {"N": 6}) for chosen in (selected, called)
    )
    assert first.pred_indices.tolist() == second.pred_indices.tolist()
    assert first.n == second.n


def test_a_selection_that_is_no_maximum_is_no_bound():
    with pytest.raises(ProgramError, match="is not affine"):
        from_c(
            "for (int i = 0; i < N; i++) for (int j = i > 2 ? i - 1 : 0; j < N; j++) A[i] += B[j];"
        )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("for (int i = max(0, N - 9); i < N; i += 2) A[i] = A[i + 1] * B[i];", "steps of 2"),
    ],
)
def test_what_is_not_read(text, reason):
    with pytest.raises(NotReadError, match=reason):
        dataflow(from_c(text), sizes_from([3]))


def test_names_that_isl_does_not_read():
    text = "def f(N, Ä):\n    for i in range(N):\n        Ä[i] = Ä[i] + Ä[i - 1]\n"
    with pytest.raises(NotReadError, match="Ä has letters beyond ASCII"):
        dataflow(from_python(text), sizes_from([3]))


def test_last_writes_are_found_where_isl_fails(monkeypatch):
    """By the latest of the earlier times, where the function of isl that finds them fails."""
    texts = [BY_TWOS, TEXT, *(small_nest_text(random.Random(f"last {seed}")) for seed in range(12))]
    done = 0
    for text in texts:
        program = from_c(text)
        place = sizes_from([5] * len(program.sizes))
        with monkeypatch.context() as failing:
            failing.setattr(isl.UnionAccessInfo, "compute_flow", fail)
            try:
                require_equal(program, dict.fromkeys(program.sizes, 5))
                own_values = dataflow(program, place)
            except (ProgramError, NotReadError):
                continue
        if text is not BY_TWOS:
            own_part = dataflow(program, place)
            assert own_part.reads.is_equal(own_values.reads)
            assert own_part.outputs.is_equal(own_values.outputs)
            done += 1
    assert done > 5
    require_equal(from_c(BY_TWOS), {})


def fail(_access):
    raise isl.Error("call to compute_flow failed: no reason in /isl.c:1")


@pytest.mark.parametrize("operations", [1, 100, 2_000, 20_000])
def test_errors_of_isl_are_ours(operations):
    program, place = polybench("lu"), sizes_from([6])
    with pytest.raises(NotReadError, match="this takes more operations"), bounded_isl(operations):
        dataflow(program, place)
    dataflow(program, place)  # nothing is left of it


def many_times(count):
    for _ in range(count):
        with bounded_isl():
            isl.Set("{ [i, j] : 0 <= i < j < 9 }").lexmin()


def test_work_within_work_is_counted_once():
    with pytest.raises(NotReadError, match="more operations than it may do"), bounded_isl(1000):
        many_times(1000)
    assert isl.DEFAULT_CONTEXT.get_max_operations() == 0


STEPPED = {
    "tiles of a sum within others": "for (i = 0; i < 2; i++) for (j = 0; j < 3; j++)"
    " for (t = 0; t < 6; t += 2) for (k = t; k < t + 2; k++) c[i] += a[i][k] * b[j][k];",
    "tiles that run down": "for (i = 0; i < 2; i++) for (j = 0; j < 3; j++)"
    " for (t = 4; t >= 0; t -= 2) for (k = t + 1; k >= t; k--) c[i] += a[i][k] * b[j][k];",
    "steps from an outer loop on": "for (i = 0; i < 4; i++) for (k = i; k < 7; k += 3)"
    " for (j = 0; j < 2; j++) c[j] += a[i][k];",
}


@pytest.mark.parametrize("name", STEPPED)
def test_loops_in_steps_are_run_as_they_are(name):
    require_equal(from_c(STEPPED[name]), {})
