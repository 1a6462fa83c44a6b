import json
import signal
from dataclasses import replace

import pytest

from dags import Computation, InvalidSpecError, UnknownNameError, fft, formats, from_edges, load
from pebble import Rules, Schedule, judge
from proofs import NotApplicableError, check, load_bound
from redblue import io_curve
from redblue.sweeps import SweepError, SweepInterrupted, SweepOptions, sweep, worker
from redblue.sweeps.runner import Queue, identified, to_send
from redblue.sweeps.store import Store, key_of, versions
from redblue.sweeps.store.cells import Cell
from redblue.sweeps.task import Task
from schedulers import scheduler_named
from schedulers.methods import METHODS
from tests.command_line import run_redblue
from tests.sweep_cells import GREEDY, cell

PLAIN = from_edges(3, [(0, 2), (1, 2)])
SIZES = (2, 4, 8, 16)
GRID = [
    *(
        Cell("lower", "fft:n=16", name, size)
        for name in ("compulsory", "wavefront")
        for size in SIZES
    ),
    *(
        Cell("upper", "fft:n=16", name, size)
        for name in ("natural+lru", "structured")
        for size in SIZES
    ),
]


def marks(file):
    return len(file.read_text().splitlines()) if file.exists() else 0


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "a.db") as opened:
        yield opened


def timeless(curve):
    return [replace(row, seconds=0.0) for row in curve.rows]


def test_outcomes_come_in_the_order_of_the_cells():
    cells = [cell("sums", size, seed=seed) for size in (3, 1, 2) for seed in (5, 4)]
    results = [outcome.result["io"] for outcome in sweep(cells)]
    assert results == [3005, 3004, 1005, 1004, 2005, 2004]
    assert sweep([]) == []


def test_equal_cells_are_computed_once(tmp_path):
    file = tmp_path / "marks"
    outcomes = sweep([cell("marked", 2, file=str(file))] * 3)
    assert [outcome.result for outcome in outcomes] == [{"io": 4}] * 3
    assert marks(file) == 1


def test_what_is_in_the_store_is_not_computed_again(store, tmp_path):
    file = tmp_path / "marks"
    cells = [cell("marked", size, file=str(file)) for size in range(5)]
    first = sweep(cells[:3], store=store)
    assert sweep(cells, store=store)[:3] == first
    assert marks(file) == 5


def test_rows_of_bounds_and_schedulers():
    for asked, outcome in zip(GRID, sweep(GRID), strict=True):
        assert outcome.status == "done"
        row = outcome.result
        assert (row["method"], row["memory"]) == (asked.method, asked.memory)
        if asked.kind == "upper" and asked.memory > 2:
            schedule = scheduler_named(asked.method)(fft(16), asked.memory)
            assert row["io"] == judge(fft(16), schedule, asked.memory).io
        elif asked.kind == "upper":
            assert (row["status"], row["io"]) == ("infeasible", None)


def test_solving():
    outcome = sweep([Cell("solve", "fft:n=4", memory=4, parameters={"jobs": 1})])[0]
    assert outcome.result["status"] == "optimal"
    assert {row["io"] for row in outcome.result["rows"]} == {11}
    assert "seconds" not in outcome.result["rows"][0]


def test_cells_that_fail_are_outcomes(store):
    cells = [cell("fails", 7), cell("ends"), cell("no_json"), cell("sums", 1)]
    outcomes = sweep(cells, store=store)
    assert [outcome.status for outcome in outcomes] == ["failed", "failed", "failed", "done"]
    assert outcomes[0].error == "RuntimeError: no luck with 7 words"
    assert "JSON does not have this" in outcomes[2].error
    assert [entry.outcome for entry in store.entries(status="done")] == [outcomes[3]]
    assert sweep([Cell("lower", "fft:n=8", "attention", 4)])[0].status == "not-applicable"


def test_limits_of_one_cell():
    cells = [cell("sleeps", time_limit=0.05), cell("greedy", memory_limit=1 << 26)]
    outcomes = sweep(cells, grace=0.05)
    assert [outcome.status for outcome in outcomes] == ["timed-out", "out-of-memory"]
    assert sweep([cell("greedy")])[0].result == GREEDY


def test_failures_stay_until_they_are_tried_again(store, tmp_path):
    cells = [cell("fails", 7)]
    about = next(iter(sweep(cells, store=store)))
    assert sweep(cells, store=store) == [about]
    entry = next(store.entries())
    assert entry.outcome == about
    outcomes = sweep(cells, store=store, retry=True)
    assert [outcome.error for outcome in outcomes] == [about.error]
    assert len(list(store.entries())) == 1


def test_progress_counts_failures():
    texts = []
    cells = [cell("sums"), cell("fails"), cell("fails"), cell("sums", 1)]
    sweep(cells, progress=lambda *numbers: texts.append(numbers))
    assert sorted(texts) == [(1, 4, 0), (3, 4, 2), (4, 4, 2)]


def test_schedules_and_certificates_are_kept(store, tmp_path):
    cells = [cell for cell in GRID if cell.memory == 8]
    without = sweep(cells, store=store)
    kept = sweep(cells, store=store, keep=True)
    assert [outcome.result for outcome in kept] == [outcome.result for outcome in without]
    assert all(outcome.artefact is None for outcome in kept)
    assert all(outcome.artefact is not None for outcome in sweep(cells, keep=True))
    for entry in store.entries():
        artefact = store.artefact(entry.key)
        path = tmp_path / f"kept{artefact.suffix}"
        path.write_bytes(artefact.data)
        io = entry.outcome.result["io"]
        if artefact.suffix == ".npz":
            assert judge(fft(16), Schedule.load(path), 8).io == io
        else:
            bound = load_bound(path, fft(16))
            check(fft(16), 8, bound)
            assert bound.io == io
    assert sweep(cells, store=store, keep=True) == kept


def test_a_key_names_the_dag_by_its_content(store, tmp_path):
    path = tmp_path / "a.hdag"
    formats.save(PLAIN, path)
    sweep([cell("sums", 1, dag=str(path))], store=store)
    sweep([cell("sums", 1, dag="mine")], dags={"mine": load(str(path))}, store=store)
    assert len(list(store.entries())) == 1
    entry = next(store.entries())
    assert entry.configuration["spec"] == str(path)
    assert entry.configuration["versions"] == dict(versions())
    assert entry.key == key_of(entry.configuration)


def test_what_workers_make_themselves(tmp_path):
    path = tmp_path / "a.hdag"
    formats.save(PLAIN, path)
    own_part = {"mine": fft(8), "fft:n=8": fft(8), "fft:n=9": PLAIN}
    arguments = {name: Computation.of(dag) for name, dag in own_part.items()}
    known, kept = identified([*arguments, str(path), "fft:n=16"], arguments)
    assert len(known) == 5
    assert set(kept) == {*arguments, str(path)}
    assert set(to_send(kept)) == {"mine", "fft:n=9", str(path)}


def test_a_queue_keeps_workers_at_what_they_know():
    tasks = [Task(cell("sums", i), "x", str(i), "aabbbcc"[i]) for i in range(7)]
    queue, order = Queue(tasks), {"one": None, "two": None}
    used = []
    while queue:
        for slot in order:
            task = queue.take(order[slot])
            if task is not None:
                order[slot] = task.affinity
                used.append(task.key)
    assert queue.take("a") is None
    assert used == ["0", "2", "1", "3", "5", "4", "6"]


def test_unknown_kinds_and_methods_are_told_before_any_work():
    for kind in ("nothing", "tests.sweep_cells:nothing", "no.such.module:a", ":a"):
        with pytest.raises(UnknownNameError, match="no kind of cell is called"):
            sweep([Cell(kind, "fft:n=8")])
    with pytest.raises(UnknownNameError, match="no scheduler is called 'nothing'"):
        sweep([Cell("upper", "fft:n=8", "nothing", 4)])
    with pytest.raises(InvalidSpecError, match="jobs must be at least 1"):
        sweep([cell("sums")], jobs=0)


def test_ctrl_c_counts_though_a_search_takes_it_for_its_own(store):
    before = signal.getsignal(signal.SIGINT)
    cells = [cell("sums", 1), cell("interrupted"), cell("sums", 2)]
    with pytest.raises(
        SweepInterrupted, match=r"interrupted: 1 of 3 cells are done and in .*a\.db"
    ):
        sweep(cells, store=store)
    assert signal.getsignal(signal.SIGINT) is before
    assert [entry.outcome.result["io"] for entry in store.entries()] == [1000]
    with pytest.raises(SweepInterrupted, match=r"a store \(--store FILE\) would have kept them"):
        sweep(cells)


def test_a_swept_curve_is_the_curve(store):
    direct = io_curve(fft(16), [2, 4, 8, 16], rules=Rules(recompute=True))
    for _ in range(2):
        swept = io_curve(
            fft(16), [2, 4, 8, 16], rules=Rules(recompute=True), sweep=SweepOptions(store)
        )
        assert timeless(swept) == timeless(direct)
        assert swept.dag == direct.dag


def test_a_swept_curve_takes_registered_methods(store):
    def own_part(dag, memory, *, rules, seed=0, time_limit=None):
        raise AssertionError

    for asked in ({"schedulers": [own_part]}, {"bounds": [own_part]}):
        with pytest.raises(InvalidSpecError, match="registered methods, and 'own_part' is none"):
            io_curve(fft(8), [4], sweep=SweepOptions(store), **asked)
    with pytest.raises(NotApplicableError):
        io_curve(fft(8), [4], sweep=SweepOptions(store), bounds=["attention"])


def test_a_curve_shows_what_failed(store, monkeypatch):
    def broken(dag, memory, *, rules, seed=0, time_limit=None):
        raise RuntimeError("no luck")

    monkeypatch.setitem(METHODS, "structured", replace(METHODS["structured"], run=broken))
    asked = ("curve", "fft:n=8", "--memory", "4,8", "--jobs", 1, "--store", store.path)
    ending = run_redblue(*asked, "--json", "--schedulers", "lru,structured")
    assert ending.code == 0
    note = f"note: 2 of the cells failed; why: redblue store {store.path} --rows"
    assert ending.err == f"{note}\n"
    rows = json.loads(ending.out)["rows"]
    failed = [(row["method"], row["io"]) for row in rows if row["status"] == "failed"]
    assert failed == [("structured", None)] * 2
    shown = run_redblue(*asked, "--schedulers", "lru,structured")
    assert shown.code == 0
    assert run_redblue(*asked, "--schedulers", "structured", "--bounds", "compulsory").code == 0
    monkeypatch.undo()
    assert (
        run_redblue(*asked, "--schedulers", "structured", "--store", f"{store.path}:retry").err
        == ""
    )


def test_options_that_take_a_store():
    for option in ("--keep", "--retry"):
        ending = run_redblue("curve", "fft:n=8", "--memory", "4", option)
        assert (ending.code, ending.err.count("\n")) == (2, 2)
        assert f"note: '{option}' is '--store {option[2:]}' now" in ending.err
        assert ending.err.endswith(f"redblue: {option} takes a --store\n")


def test_a_dag_that_is_another_one_here_stops_the_sweep():
    with pytest.raises(SweepError, match="fft:n=8 is another DAG than the one of the sweep"):
        worker.run(Task(cell("sums"), "another"))


def test_a_worker_keeps_few_dags():
    specs = ("fft:n=4", "fft:n=8", "fft:n=16")
    known, _ = identified(specs, {})
    built = {spec: worker.made(Task(cell("sums", dag=spec), known[spec])) for spec in specs}
    for spec in specs[1:]:
        assert worker.made(Task(cell("sums", dag=spec), known[spec])) is built[spec]
    assert worker.made(Task(cell("sums", dag=specs[0]), known[specs[0]])) is not built[specs[0]]
