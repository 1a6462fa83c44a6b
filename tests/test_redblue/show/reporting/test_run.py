"""Experiments that fail or die do not take the others with them."""

import json
from dataclasses import replace

import numpy as np

from redblue.papers.experiments import Bench, run_experiments
from redblue.show import rows
from redblue.show.model import Axis, Experiment, Figure, Series
from redblue.show.reporting.as_data import from_data, to_data
from tests import fake_experiments as fakes


def run(*names, bench=None, jobs=1):
    functions = {name: getattr(fakes, name) for name in names}
    return {run.name: run for run in run_experiments(functions, bench or Bench(), jobs=jobs)}


def test_data_and_back():
    experiment = fakes.good(Bench())
    data = json.loads(json.dumps(to_data(experiment), allow_nan=False))
    assert from_data(data) == experiment


def test_data_has_plain_numbers():
    table = rows.table("t", "", [(np.int64(3), float("nan"), np.float64(0.5))], "a", "b", "c")
    series = Series("s", (1.0, float("inf"), 3.0), (1.0, 2.0, float("nan")), notes=("a", "b", "c"))
    figure = Figure("f", "", Axis("x"), Axis("y"), (series,))
    experiment = Experiment("e", "E", "a\x00\nb\n\nc", tables=(table,), figures=(figure,))
    result = from_data(json.loads(json.dumps(to_data(experiment), allow_nan=False)))
    assert result.tables[0].rows == ((3, None, 0.5),)
    assert result.figures[0].series[0] == replace(series, x=(1.0,), y=(1.0,), notes=("a",))
    assert result.summary == "a\ufffd b\n\nc"


def test_the_others_go_on():
    result = run("failing", "good", "refuting", "illegal")
    assert list(result) == ["failing", "good", "refuting", "illegal"]
    assert result["failing"].problem == "ValueError: 4 words are too few <b>"
    assert result["illegal"].problem.startswith("IllegalMoveError: ")
    assert result["good"].experiment == fakes.good(Bench())
    assert [run.sound for run in result.values()] == [False, True, False, False]
    assert result["refuting"].refuted == 1


def test_processes_do_the_same():
    result = run("dying", "good", "failing", "refuting", jobs=2)
    assert set(result) == {"dying", "good", "failing", "refuting"}
    assert result["failing"].problem == "ValueError: 4 words are too few <b>"
    assert result["refuting"].refuted == 1
    assert result["dying"].problem == "its process ended with exit code 7"
    assert result["good"].experiment == fakes.good(Bench())


def test_a_single_experiment_has_all_threads():
    (result,) = run_experiments({"a": threads}, Bench(), jobs=2)
    assert result.experiment.summary == "2"


def threads(bench):
    return Experiment("a", "A", str(bench.jobs))


def test_what_is_known_is_not_computed_again(tmp_path):
    calls = []

    def counted(bench):
        calls.append(bench.seed)
        part = bench.remembered({"part": 1}, lambda: calls.append("part") or [1])
        return Experiment("a", "A", str(part))

    def broken(bench):
        calls.append("broken")
        raise ValueError("no")

    bench = Bench(store=tmp_path / "runs.db")
    functions = {"a": counted, "b": broken}
    first = list(run_experiments(functions, bench))
    second = list(run_experiments(functions, bench))
    assert first[0] == second[0]
    assert calls == [0, "part", "broken", "broken"]  # what failed is tried again
    list(run_experiments({"a": counted}, replace(bench, seed=1)))
    assert calls[4:] == [1]
    list(run_experiments({"a": counted}, replace(bench, quick=True)))
    assert calls[5:] == [0]
