import json
from dataclasses import replace
from functools import partial
from io import StringIO

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dags as dag_package
from dags import EXAMPLES, InvalidSpecError, UnknownNameError, fft, load, matmul, tree
from pebble import MemoryTooSmallError, Rules, Schedule, judge, min_memory
from proofs import Bound, Certificate, CertificateError
from redblue import IOCurve, Row, io_curve
from redblue.answers.envelope import with_best
from redblue.racing.proving import DEFAULT_BOUNDS
from schedulers import (
    EVICTIONS,
    GENERIC_SCHEDULERS,
    ORDERS,
    SCHEDULERS,
    OrderAndEviction,
    scheduler_named,
)
from tests.registries import QUICK_SCHEDULERS
from tests.strategies import dags


def cheapest(curve, kind="upper"):
    return dict(curve.envelope(kind))


def timeless(curve):
    return [replace(row, seconds=0.0) for row in curve.rows]


def own_words(dag, memory, *, rules):
    return Bound("ours", memory, 16, rules, Certificate("compulsory", {}))


BOUNDED = (
    "compulsory",
    "butterflies",
    "dominators",
    "segments",
)  # the quick bounds that know transforms


@pytest.fixture(scope="module")
def fft_curve():
    return io_curve(fft(16), [2, 3, 4, 8, 32, 64], spec="fft:n=16")


def test_a_row_for_every_method_and_memory(fft_curve):
    chosen = (*GENERIC_SCHEDULERS, "structured")
    asked = {("upper", name) for name in chosen} | {("lower", name) for name in BOUNDED}
    rows = {(row.kind, row.method, row.memory) for row in fft_curve.rows if row.method != "best"}
    assert rows == {(*method, memory) for method in asked for memory in (2, 3, 4, 8, 32, 64)}
    assert len(fft_curve.rows) == len(rows) + 5 + 6  # nothing is best where nothing is feasible
    assert fft_curve.methods("upper") == chosen
    assert fft_curve.methods("lower") == BOUNDED
    assert fft_curve.memories == (2, 3, 4, 8, 32, 64)


def test_io_is_what_the_referee_counts(fft_curve):
    for row in fft_curve.rows:
        if row.kind == "upper" and row.method != "best" and row.io is not None:
            schedule = scheduler_named(row.method)(fft(16), row.memory)
            count = judge(fft(16), schedule, row.memory)
            assert (row.io, row.loads, row.stores) == (count.io, count.loads, count.stores)
            assert row.seconds > 0


def test_sizes_that_are_too_small_are_infeasible(fft_curve):
    for row in fft_curve.rows:
        assert (row.status == "infeasible") == (row.kind == "upper" and row.memory == 2)
        if row.status == "infeasible":
            assert (row.io, row.loads, row.stores) == (None, None, None)


def test_optimal_is_what_a_bound_meets(fft_curve):
    proved = dict(fft_curve.envelope("lower"))
    for row in fft_curve.rows:
        if row.kind == "upper" and row.io is not None:
            assert (row.status == "optimal") == (row.io == proved[row.memory])
        elif row.kind == "lower":
            assert (row.status, row.loads, row.stores) == ("bound", None, None)


def test_the_dag_is_described(fft_curve):
    assert fft_curve.dag == {
        "spec": "fft:n=16",
        "vertices": 80,
        "edges": 128,
        "inputs": 16,
        "outputs": 16,
        "min_memory": 3,
    }


@pytest.mark.parametrize("spec", EXAMPLES.values())
def test_a_generated_dag_describes_itself(spec):
    memory = max(100, min_memory(load(spec)))
    curve = io_curve(load(spec), [memory], schedulers=[], bounds=["compulsory"])
    assert dag_package.load(curve.dag["spec"]) == load(spec)


@given(st.data())
@settings(max_examples=60)
def test_envelopes(data):
    dag = data.draw(dags(max_vertices=12))
    minimum = max(min_memory(dag), 1)
    sizes = [minimum, *data.draw(st.lists(st.integers(1, minimum + 8)))]
    schedulers = data.draw(
        st.lists(st.sampled_from(sorted(QUICK_SCHEDULERS)), min_size=1, unique=True)
    )
    curve = io_curve(dag, sizes, schedulers=schedulers)
    assert curve.memories == tuple(sorted(set(sizes)))
    assert {row.memory for row in curve.rows if row.status == "infeasible"} == {
        memory for memory in sizes if memory < minimum
    }
    upper, lower = curve.envelope("upper"), curve.envelope("lower")
    for envelope in (upper, lower):
        assert [io for _, io in envelope] == sorted((io for _, io in envelope), reverse=True)
    tried = [point for name in schedulers for point in curve.points("upper", name)]
    assert upper == tuple(
        (memory, min(io for size, io in tried if size <= memory))
        for memory in curve.memories
        if memory >= minimum
    )
    assert all(io <= cheapest(curve)[memory] for memory, io in lower if memory >= minimum)


def test_a_bound_that_holds_for_more_memory_holds_for_less():
    rows = [
        Row("lower", "b", memory, io, None, None, "bound", 1.0)
        for memory, io in ((4, 1), (8, 40), (16, 1))
    ]
    floor = Row("lower", "compulsory", 16, 16, None, None, "bound", 0.0)
    best = [row for row in with_best([*rows, floor], [4, 8, 16]) if row.method == "best"]
    assert [(row.memory, row.io) for row in best] == [(4, 40), (8, 40), (16, 16)]


def test_a_bound_of_ones_own_is_checked():
    def forged(dag, memory, *, rules):
        return Bound("forged", memory, 40, rules, Certificate("compulsory", {}))

    with pytest.raises(CertificateError, match="is 40, but the certificate proves 16"):
        io_curve(fft(8), [4], schedulers=[], bounds=[forged])


def test_a_schedule_for_less_memory_is_one_for_more():
    rows = [
        Row("upper", "a", memory, io, io, 0, "feasible", 1.0)
        for memory, io in ((4, 20), (8, 30), (16, 10))
    ]
    floor = Row("lower", "b", 8, 20, None, None, "bound", 0.0)
    best = {(row.kind, row.memory): row for row in with_best([*rows, floor], [4, 8, 16])[4:]}
    assert [best["upper", memory].io for memory in (4, 8, 16)] == [20, 20, 10]
    assert [best["upper", memory].status for memory in (4, 8, 16)] == [
        "optimal",
        "optimal",
        "feasible",
    ]
    assert set(best) == {(kind, m) for kind in ("upper", "lower") for m in (4, 8, 16)} - {
        ("lower", 16)
    }


def test_callables():
    def patient(dag, memory, *, rules, seed, time_limit=None):
        return scheduler_named("depth-first+belady")(dag, memory, rules=rules, seed=seed)

    curve = io_curve(fft(8), [4, 8], schedulers=[patient, "fifo"], bounds=[own_words])
    assert curve.methods("upper") == ("patient", "natural+fifo")
    assert curve.methods("lower") == ("own_words",)
    named = io_curve(fft(8), [4, 8], schedulers=["depth-first+belady"])
    assert curve.points("upper", "patient") == named.points("upper", "depth-first+belady")


def test_an_order_and_an_eviction_of_ones_own():
    def backwards(dag):
        return ORDERS["depth-first"](dag)

    own_part = OrderAndEviction(backwards, EVICTIONS["lru"])
    listed = OrderAndEviction(ORDERS["depth-first"], EVICTIONS["lru"])
    curve = io_curve(fft(8), [4], schedulers=[own_part, listed])
    assert curve.methods("upper") == ("backwards+lru", "depth-first+lru")
    assert curve.points("upper", "backwards+lru") == curve.points("upper", "depth-first+lru")


def test_one_method_named_twice_is_one():
    twice = io_curve(
        fft(8),
        [8, 4, 8],
        schedulers=["lru", "natural+lru", SCHEDULERS["natural+lru"]],
        bounds=["compulsory", "compulsory", own_words, own_words],
    )
    once = io_curve(fft(8), [4, 8], schedulers=["lru"], bounds=["compulsory", own_words])
    assert timeless(twice) == timeless(once)


@pytest.mark.parametrize("name", ["compulsory", "best"])
def test_two_methods_of_one_name_are_refused(name):
    def second(dag, memory, *, rules):
        return Bound(name, memory, 0, rules, Certificate("compulsory", {}))

    second.__name__ = name
    with pytest.raises(InvalidSpecError, match=f"the name '{name}' of a bound is taken"):
        io_curve(fft(8), [4], bounds=["compulsory", second])


def test_a_schedule_that_is_illegal_is_no_result():
    def lazy(dag, memory, *, rules, seed):
        return Schedule([], [])

    with pytest.raises(dag_package.RedBlueError, match="step 0, END"):
        io_curve(fft(8), [4], schedulers=[lazy])


def test_a_scheduler_may_slide_where_the_rules_say_so():
    def slide(dag, memory, *, rules, seed):
        return Schedule.from_moves([(0, 0), (0, 1), (2, 2), (3, 0), (1, 2)])

    curve = io_curve(tree(1), [2], schedulers=[slide, "lru"], rules=Rules(sliding=True))
    assert curve.points("upper", "slide") == ((2, 3),)
    assert curve.points("upper", "natural+lru") == ()
    assert curve.envelope("upper") == ((2, 3),)
    with pytest.raises(MemoryTooSmallError):
        io_curve(tree(1), [2], schedulers=[slide])


@pytest.mark.parametrize("schedulers", [["lru", "fifo"], sorted(QUICK_SCHEDULERS)])
def test_threads_change_only_the_time(schedulers):
    first, two = (
        io_curve(matmul(4), [4, 8, 16], schedulers=schedulers, jobs=jobs) for jobs in (1, 2)
    )
    assert timeless(first) == timeless(two)


def test_progress_is_told_of_every_cell():
    texts = []
    io_curve(
        fft(8),
        [2, 4, 8],
        schedulers=["lru", "natural+lru", "least-live+fifo"],
        progress=lambda *cells: texts.append(cells),
    )
    cells = 3 * (2 + len(DEFAULT_BOUNDS))  # of three names for two schedulers, at three sizes
    assert texts == [(done, cells, 0) for done in range(1, cells + 1)]


def test_round_trips():
    curve = replace(io_curve(fft(8), [2, 4, 8], spec="fft:n=8"), effort=None)
    data = json.loads(json.dumps(curve.to_dict()))
    assert IOCurve(data["dag"], Rules(), tuple(Row(**row) for row in data["rows"])) == curve
    frame = curve.to_frame()
    assert len(frame) == len(curve.rows)
    assert {str(frame[name].dtype) for name in ("io", "loads", "stores")} == {"Int64"}
    text = frame.to_csv(index=False)
    repeated = pd.read_csv(StringIO(text), dtype=dict(zip(frame, frame.dtypes, strict=True)))
    pd.testing.assert_frame_equal(repeated, frame)


def test_the_title_of_a_file_is_its_name():
    curve = io_curve(fft(8), [4], spec="../folder/a.hdag", rules=Rules(recompute=True))
    assert curve.title == "a.hdag, recompute"
    assert io_curve(tree(3), [4]).title == "tree:height=3,arity=2, one-shot"


def test_all_sizes_too_small():
    with pytest.raises(MemoryTooSmallError, match=r"^3 words .* takes 4$") as caught:
        io_curve(matmul(2), [2, 3])
    assert (caught.value.memory, caught.value.minimum) == (3, 4)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"memories": []}, "at least one size, not none"),
        ({"memories": [0, 4]}, "at least 1 word, not 0"),
        ({"jobs": 0}, "at least 1, not 0"),
        ({"schedulers": [], "bounds": []}, "a scheduler or bound"),
    ],
)
def test_nothing_to_do(asked, message):
    with pytest.raises(InvalidSpecError, match=message):
        io_curve(fft(8), **{"memories": [4], **asked})


@pytest.mark.parametrize("kind", ["scheduler", "bound"])
def test_unknown_names(kind):
    with pytest.raises(UnknownNameError, match=f"no {kind} is called 'nothing'; known: "):
        io_curve(fft(8), [4], **{f"{kind}s": ["nothing"]})


def test_a_partial_function_is_a_scheduler():
    def play(dag, memory, order, *, rules, seed):
        return scheduler_named(f"{order}+lru")(dag, memory)

    curve = io_curve(fft(8), [4], schedulers=[partial(play, order="natural")])
    assert curve.envelope("upper") == io_curve(fft(8), [4], schedulers=["lru"]).envelope("upper")


def test_structured_is_shown_where_the_family_is_known():
    plain = dag_package.from_edges(3, [(0, 2), (1, 2)])
    assert io_curve(plain, [3]).methods("upper") == GENERIC_SCHEDULERS


def test_rules_reach_structured_plays():
    dag = dag_package.dirac(2, 4)
    sliding = Rules(sliding=True)
    curve = io_curve(dag, [65, 66, 89, 90], schedulers=["structured", "lru"], rules=sliding)
    assert [size for size, _ in curve.points("upper", "structured")] == [66, 89, 90]
    assert [size for size, _ in curve.points("upper", "natural+lru")] == [90]
    placed = io_curve(dag, [90], schedulers=["structured"])
    assert dict(curve.points("upper", "structured"))[90] < placed.envelope("upper")[0][1]
