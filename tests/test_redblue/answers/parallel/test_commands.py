"""Several processors on the command line."""

import json

import pytest

import dags
import redblue.cli.watch
from pebble import Costs, Machine, Schedule, judge_on
from redblue.answers.parallel import solve_parallel, speedups
from redblue.answers.parallel.figures import speedup_figure, utilisation_figure
from tests.command_line import run_redblue


def test_solve_and_verify(tmp_path):
    moves = tmp_path / "moves.npz"
    common = ("fft:n=4", "--memory", 3)
    output = run_redblue("solve", *common, "--processors", 2, "--json", "--out", moves)
    record = json.loads(output.out)
    assert (record["cost"], record["lower_bound"], record["status"]) == (10, 10, "optimal")
    assert len(record["each"]) == record["processors"] == 2
    output = run_redblue("check", "fft:n=4", moves, "--memory", 3, "--json")
    verdict = json.loads(output.out)
    assert (output.code, verdict["legal"], verdict["judge"]) == (0, True, "referee")
    assert verdict["each"] == record["each"]
    assert run_redblue("check", "fft:n=4", moves, "--memory", 2).code == 4
    output = run_redblue("check", "fft:n=4", moves, "--memory", 3, "--processors", 1)
    assert (output.code, "no such processor" in output.out) == (4, True)
    output = run_redblue("solve", *common, "--processors", 1)
    assert output.out.startswith("cost 22 (optimal)")


@pytest.mark.parametrize("command", ["compare", "curve", "solve"])
def test_loading_and_playing_are_under_the_limit(monkeypatch, command):
    monkeypatch.setattr(redblue.cli.watch, "PATIENCE", 0.0)  # with it a fast machine is done
    asked = ("matmul:n=120", "--memory", 100, "--processors", 4, "--time-limit", 0.01)
    output = run_redblue(command, *asked)
    assert output.code == 3
    assert "the time limit of 0.01 s is over while" in output.err


def test_several_numbers_of_processors_are_solved_one_by_one():
    common = ("solve", "fft:n=4", "--memory", 3, "--time-limit", 20)
    ending = run_redblue(*common, "--processors", "1,2", "--json")
    assert ending.code == 0
    record = json.loads(ending.out)["solutions"]
    assert [
        (solution["processors"], solution["cost"], solution["status"]) for solution in record
    ] == [
        (1, 22, "optimal"),
        (2, 10, "optimal"),
    ]
    output = run_redblue(*common, "--processors", "1,2").out
    assert output.index("cost 22 (optimal)") < output.index("cost 10 (optimal)")
    for extra in (("--out", "moves.npz"), ("--certificate", "a.json")):
        refused = run_redblue(*common, "--processors", "1,2", *extra)
        message = f"{extra[0]} is for one number of processors, not several"
        assert (refused.code, refused.sentence) == (2, message)


def test_compare_tells_speed_up_and_words(tmp_path):
    output = run_redblue(
        "curve",
        "--compare",
        "matmul:n=8",
        "--memory",
        40,
        "--processors",
        "1,4",
        "--out",
        tmp_path,
        "--json",
    )
    (result,) = json.loads(output.out)["comparisons"]
    single, four = result["rows"]
    assert single["speedup"] == 1
    assert four["speedup"] > 3.5
    assert four["busiest_bound"] <= four["busiest"] < single["busiest"]
    assert (tmp_path / "processors.csv").read_text().count("\n") == 3
    assert (tmp_path / "processors.svg").exists()
    output = run_redblue("curve", "--compare", "matmul:n=8", "--memory", 40, "--processors", 4)
    assert "blocks 2x2x1" in output.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("solve", "fft:n=8", "--memory", 8, "--processors", "x"),
        ("solve", "fft:n=8", "--memory", 8, "--processors", "0"),
        ("solve", "fft:n=8", "--memory", 8, "--processors", "ring:x"),
        ("solve", "fft:n=8", "--memory", 8, "--processors", "2,"),
        ("solve", "fft:n=8", "--memory", 2, "--processors", "2"),
        ("solve", "fft:n=8", "--memory", 8, "--processors", "2:g=-1"),
        ("curve", "--compare", "fft:n=8", "--processors", "2"),
    ],
)
def test_bad_arguments_are_one_sentence(arguments):
    output = run_redblue(*arguments)
    assert output.code == 2
    assert output.err.count("\n") == 1


@pytest.mark.parametrize(("spec", "words"), [("pyramid:height=3", 1), ("tree:height=3", 3)])
def test_solutions_are_replayed_and_bounded(spec, words):
    dag = dags.load(spec)
    solution = solve_parallel(dag, 4, 2, costs=Costs(g=words))
    count = judge_on(dag, solution.schedule, Machine.parallel(2, 4))
    assert count == solution.count
    assert solution.lower_bound <= solution.cost == count.cost(Costs(g=words))
    assert solution.status == "optimal"  # DAGs of so few vertices are searched


def test_figures_are_drawn():
    dag = dags.load("matmul:n=4")
    result = speedups(dag, [8, 16], [1, 2])
    assert len(speedup_figure(result).axes) == 2
    schedule = solve_parallel(dag, 8, 2, time_limit=5).schedule
    assert isinstance(schedule, Schedule)
    assert len(utilisation_figure(schedule, 2, Costs(), "a product").axes) == 1


def test_processors_on_a_lattice_pass_values_on(tmp_path):
    moves = tmp_path / "moves.npz"
    spec, game = "stencil:shape=6x6,steps=2", ("--memory", 40, "--processors", "mesh:2x2")
    record = json.loads(run_redblue("solve", spec, *game, "--json", "--out", moves).out)
    sides = [(0, 1), (0, 2), (1, 0), (1, 3), (2, 0), (2, 3), (3, 1), (3, 2)]
    assert [(link["from"], link["to"]) for link in record["links"]] == sides
    assert {link["words"] for link in record["links"]} == {3 * 2}
    assert record["network"] == "mesh:2x2"
    assert run_redblue("check", spec, moves, *game).code == 0
    assert run_redblue("check", spec, moves, "--memory", 40).code == 4  # there are no links
    output = run_redblue("solve", "stencil:shape=6,steps=2", *game)
    assert (output.code, "does not spread over mesh:2x2" in output.err) == (2, True)
    output = run_redblue("solve", "fft:n=16", *game)
    assert "on links" in output.out


def test_pages_have_a_row_for_each_processor(tmp_path):
    page = tmp_path / "page.html"
    output = run_redblue(
        "play", "lu:n=5", "--memory", 12, "--processors", 3, "--out", page, "--json"
    )
    text = page.read_text()
    assert json.loads(output.out)["processors"] == 3
    assert text.count("<tr>") == 4
    assert "<svg" in text
    assert "src=" not in text
    assert "<script" not in text


def test_curves_of_several_processors():
    output = run_redblue("curve", "matmul:n=6", "--memory", "8,16", "--processors", "2", "--json")
    (result,) = json.loads(output.out)["comparisons"]
    assert [row["memory"] for row in result["rows"]] == [8, 16]


def test_processes_do_not_share_the_play_of_processors():
    output = run_redblue("solve", "fft:n=4", "--memory", 3, "--processors", 2, "--jobs", 2)
    assert output.code == 2
    assert "--jobs 2" in output.sentence


def test_costs_are_told_in_digits(tmp_path):
    dag = dags.from_edges(3, [(0, 1), (1, 2)], words=[5_242_880] * 3)
    dags.save(dag, tmp_path / "a.json")
    asked = ("solve", tmp_path / "a.json", "--memory", "10485760", "--processors", "1")
    out = run_redblue(*asked, "--no-recognise", "--time-limit", "2").out
    assert out.startswith("cost 10,485,762 (optimal)")
