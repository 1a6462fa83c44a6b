"""Commands on members of families that no memory holds."""

import json

import pytest

from dags import Computation, RedBlueError
from pebble import ONE_SHOT
from proofs.laws.problems import comparison_sort_words
from redblue.answers.counted.curves import closed_curve, counted_curve
from redblue.answers.counted.laws import counted_law
from redblue.answers.counted.plans import counted_plan
from tests.command_line import run_redblue

HUGE = "matmul:n=100000"


def answer(*arguments):
    """The JSON that a command prints; it says that no DAG is built."""
    ending = run_redblue(*arguments, "--json")
    assert ending.code == 0
    assert "vertices is not built" in ending.err
    return json.loads(ending.out)


def test_a_curve_of_10_to_15_vertices():
    result = answer("curve", HUGE, "--memory", "100:1e8")
    assert result["dag"]["vertices"] == 10**15 + 2 * 10**10
    uppers = {row["memory"]: row for row in result["rows"] if row["method"] == "counted"}
    assert uppers[100]["io"] == uppers[100]["loads"] + uppers[100]["stores"] == 215920000000000
    assert {row["status"] for row in uppers.values()} == {"counted"}
    lowers = [row["io"] for row in result["rows"] if row["method"] == "closed-forms"]
    assert len(lowers) == len(uppers)


def test_a_bound_and_a_plan():
    result = answer("bound", HUGE, "--memory", "50MB")
    assert [row["io"] for row in result["rows"]][:2] == [800006121999, 800006372247]
    plan = answer("plan", HUGE, "--memory", "50MB")["answer"]
    assert (plan["io"], plan["at_least"]) == (819764000000, 800006372247)
    plan = answer("plan", HUGE, "--io-at-most", "3e12")["answer"]
    assert plan["memory_at_least"] <= plan["memory"] <= 1.02 * plan["memory_at_least"]
    assert plan["io"] <= 3 * 10**12


def test_no_memory_is_enough():
    ending = run_redblue("plan", HUGE, "--io-at-most", "1e9")
    assert ending.code == 3
    assert "moves 30,000,000,000 words with any memory" in ending.err


def test_a_law_from_both_sides():
    law = answer("law", "matmul:n=10000000")["law"]
    assert law["name"].startswith("M^0.50")
    assert law["verdict"] == "agrees"
    sides = law["sides"]
    assert (sides["first"], sides["last"]) == (100, 10**8)
    assert abs(sides["played"] - 0.5) < 0.01
    assert abs(sides["proved"] - 0.5) < 0.01
    assert sides["gap"] < 1.1


def without_seconds(answer):
    """An answer as `--json` has it, without what clocks say."""
    if isinstance(answer, dict):
        return {key: without_seconds(answer[key]) for key in answer if "seconds" not in key}
    return [without_seconds(part) for part in answer] if isinstance(answer, list) else answer


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("curve", ("lu:n=12", "--memory", "20", "--effort", "quick")),
        ("bound", ("stencil:shape=8x8,steps=8", "--memory", "9", "--effort", "quick")),
        ("law", ("matmul:n=6", "--memory", "8,16,32")),
        ("plan", ("fft:n=16", "--memory", "6", "--effort", "quick")),
        ("levels", ("lu:n=8", "--memory", "8,30")),
    ],
)
def test_small_members_are_played_and_proved_whatever_is_asked(command, options):
    endings = [run_redblue(command, *options, *flags, "--json") for flags in ((), ("--counted",))]
    assert [ending.code for ending in endings] == [0, 0]
    plain, counted = (without_seconds(json.loads(ending.out)) for ending in endings)
    assert counted == plain


def test_the_dirac_operator_by_formulas():
    spec = "dirac:k=8,n4=16"
    curve = run_redblue("curve", spec, "--counted", "--memory", "100,1000,20000")
    assert curve.code == 0
    assert "theorem 1" in curve.out
    bound = run_redblue("bound", spec, "--counted", "--memory", "20000").out
    assert bound.split()[-1] == "1.009"
    bound = run_redblue("bound", spec, "--counted", "--memory", "40000").out
    assert bound.split()[-1] == "1"


def test_options_that_take_a_dag():
    ending = run_redblue("curve", HUGE, "--memory", "100", "--schedulers", "lru")
    assert ending.code == 2
    assert ending.sentence.startswith("matmul:n=100000: a DAG has at most")
    assert ending.sentence.endswith("and --schedulers would need the DAG")


def test_too_little_memory():
    ending = run_redblue("curve", HUGE, "--memory", "3")
    assert ending.code == 2
    assert ending.sentence == (
        "3 words of fast memory are too few: computing vertex of matmul takes 4"
    )


def test_a_dag_is_still_refused():
    ending = run_redblue("dag", HUGE)
    assert ending.code == 2
    assert ending.sentence.startswith("matmul: a DAG has at most 2147483647 vertices")


@pytest.mark.parametrize("command", ["curve", "bound", "plan", "law"])
def test_a_family_of_which_nothing_is_counted(command):
    ending = run_redblue(command, "tree:height=20", "--counted", "--memory", "9")
    assert ending.code == 2
    assert ending.sentence.startswith("no family with formulas is called 'tree'; known: bitonic_s")


def test_a_comparison(tmp_path):
    result = answer(
        "curve", "--compare", HUGE, "lu:n=100000", "--memory", "1e4,1e6", "--out", tmp_path
    )
    assert [curve["dag"]["spec"] for curve in result["curves"]] == [HUGE, "lu:n=100000"]
    mixed = run_redblue("curve", "--compare", HUGE, "fft:n=8", "--memory", "1e4", "--json")
    huge, small = json.loads(mixed.out)["curves"]
    assert {row["status"] for row in huge["rows"] if row["kind"] == "upper"} == {"counted"}
    assert any(row["status"] == "optimal" for row in small["rows"])


def test_a_solution_is_refused_in_a_sentence():
    ending = run_redblue("solve", HUGE, "--memory", "1e6")
    assert ending.code == 2
    assert (
        "a counted schedule moves 2,019,968,200,000 words and 2,000,002,996,039" in ending.sentence
    )


def test_a_machine():
    machine = ("--machine", "compute=1e12,bandwidth=1e10")
    ending = run_redblue("machine", "balance", "--dag", HUGE, *machine, "--memory", "1e3:1e7")
    assert ending.code == 0
    assert "words on; by the law M^(1/2)" in ending.out
    assert "played" not in ending.out
    law = run_redblue("machine", "balance", "--dag", HUGE, *machine, "--law", "log M", "--json")
    assert json.loads(law.out)["balance"]["law"] == "log M"


def test_the_law_of_the_dirac_operator():
    record = json.loads(run_redblue("law", "dirac:k=8,n4=16", "--json").out)
    law = record["law"]
    assert law["published"] == "120 + 66/s"
    by_memory = {point["memory"]: point for point in law["points"]}
    assert by_memory[9406]["s"] == 1
    assert by_memory[9406]["published"] == pytest.approx(186 + 132 * 64 / 8192)
    for point in law["points"]:
        if point["counted"] and point["published"]:
            assert 120 <= point["proved"] <= point["counted"] <= point["published"]
    assert record["references"][0]["name"] == "theorem 1"
    output = run_redblue("law", "dirac:k=8,n4=16", "--memory", "9500").out
    assert "120 + 66/s words a site" in output
    assert "not seen" in output


def test_the_curve_of_a_dirac_operator_shows_the_theorem(tmp_path):
    spec = "dirac:k=2,n4=4"
    ending = run_redblue(
        "curve", spec, "--memory", "200,1400", "--schedulers", "structured", "--out", tmp_path
    )
    assert ending.code == 0
    assert "theorem 1" in ending.out
    data = json.loads((tmp_path / "curve.json").read_text())
    assert data["references"] == [{"name": "theorem 1", "points": [[1400, 11088]]}]


@pytest.mark.parametrize(
    ("spec", "memory"),
    [("dirac:k=2,n4=4", 300), ("qr_givens:n=9", 5), ("matmul:n=4,form=multiply-add", 9)],
)
def test_plans_where_the_least_memory_has_no_counted_play(spec, memory):
    plan = counted_plan(Computation(spec), memory=memory).to_dict()
    assert plan["answer"]["memory"] == memory
    assert plan["answer"]["at_least"] <= plan["answer"]["io"]
    assert plan["end"]["io"] == plan["points"][-1]["cost"] <= plan["answer"]["io"]


@pytest.mark.parametrize(
    "spec", ["stencil:shape=9x9,steps=4,periodic=true", "matmul:n=5,form=tree"]
)
def test_where_no_play_is_counted(spec):
    computation = Computation(spec)
    assert {row.kind for row in counted_curve(computation, [12, 50]).rows} == {"lower"}
    assert counted_law(computation).found.law is None
    with pytest.raises(RedBlueError) as caught:
        counted_plan(computation)
    assert str(caught.value) == f"no schedule of {spec} has a closed form"


def test_what_any_comparison_sort_moves_stands_beside_a_network():
    output = run_redblue("law", "bitonic_sort:n=2^40", "--memory", "1e2:1e6:5").out
    assert "The problem, not this DAG: any comparison sort moves" in output
    curve = json.loads(
        run_redblue("curve", "bitonic_sort:n=2^40", "--memory", "1000", "--json").out
    )
    (known,) = curve["references"]
    assert known == {
        "name": "any comparison sort",
        "points": [[1000, comparison_sort_words(2**40, 1000)]],
    }
    assert all(known["points"][0][1] < row["io"] for row in curve["rows"])
    merging = run_redblue(
        "curve", "merge_sort:n=64", "--memory", "9,33", "--schedulers", "structured"
    )
    assert "any comparison sort" in merging.out


def test_a_large_curve_is_counted_where_that_is_as_good():
    """It took minutes to lay out and play what formulas say in a second."""
    large = "fft:n=1048576"
    ending = run_redblue("curve", large, "--memory", "4000,125000", "--effort", "quick")
    assert ending.code == 0
    assert "vertices is not built" in ending.err
    assert "they move at most 1.135 times what is proved" in ending.err


def is_good(spec, memory, effort, **used):
    """Whether closed formulas answer alone."""
    return closed_curve(Computation(spec), (memory,), ONE_SHOT, effort, taken=used) is not None


def test_closed_formulas_answer_alone_where_they_are_good():
    large = "fft:n=1048576"
    assert is_good(large, 4000, "normal")
    assert not is_good(large, 125_000, "normal")  # schedules move less
    assert not is_good(large, 4000, "quick", schedulers=["lru"])
    assert not is_good("fft:n=1024", 64, "quick")  # which takes no time
    assert not is_good(large, 8, "quick")  # of which little is proved
