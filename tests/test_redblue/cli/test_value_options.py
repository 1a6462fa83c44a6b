"""Options in the value of another option, and arguments NAME=VALUE."""

import pytest

from benchmarks.command_line import LONGEST, commands, options, sentences
from redblue.cli import command
from tests.command_line import run_redblue

CURVE = ("curve", "fft:n=8", "--memory", 4, "--schedulers", "lru", "--bounds", "compulsory")
MOST = 160  # visible options


def test_few_options_are_shown_and_each_sentence_is_short():
    built = dict(commands(command()))
    assert sum(len(options(command)) for command in built.values()) <= MOST
    long = [
        text
        for command in built.values()
        for text in sentences(command)
        if len(text.split()) > LONGEST
    ]
    assert long == []


@pytest.mark.parametrize(
    ("now", "before"),
    [
        (("--rules", "recompute:price=2"), ("--rules", "recompute", "--price-of-work", 2)),
        (("--processors", "2:g=3"), ("--processors", 2, "--g", 3)),
    ],
)
def test_an_option_before_says_in_a_line_how_it_is_written_now(now, before):
    new, old = run_redblue(*CURVE, *now), run_redblue(*CURVE, *before)
    assert (new.code, new.err) == (0, "")
    assert (old.code, old.out) == (0, new.out)
    assert old.err.count("\n") == 1
    assert old.err.startswith(f"note: '{before[-2]}' is '{now[0]} {now[1]}' now")


def test_models_take_parameters_as_generators_do():
    new = run_redblue("papers", "mesh", "sides=1,2", "points=64")
    old = run_redblue("papers", "mesh", "--sides", "1,2", "--points", 64)
    assert (new.code, new.err, old.out) == (0, "", new.out)
    assert old.err == (
        "note: '--points --sides' is 'points=64 sides=1,2' now; the old name will go\n"
    )
    shown = " ".join(run_redblue("papers", "mesh", "--help").out.replace("│", " ").split())
    assert "points=1024: N, grid points along each axis." in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*CURVE, "--rules", "recompute:prise=2"), "has no parameter 'prise'; it has: price"),
        ((*CURVE, "--rules", "recompute:price=two"), "--rules: price cannot be 'two'"),
        ((*CURVE, "--rules", "recompute:price=1,price=2"), "--rules: price is given twice"),
        (("papers", "mesh", "sides"), "sides has no value; write sides=VALUE"),
        (("papers", "mesh", "point=3"), "has no parameter 'point'; it has: machine, rate"),
        (("papers", "dirac", "wrap=maybe"), "wrap cannot be 'maybe'"),
    ],
)
def test_bad_values_are_one_sentence(arguments, sentence):
    ending = run_redblue(*arguments)
    assert ending.code == 2
    assert sentence in ending.sentence


def test_a_colon_in_a_name_is_no_option(tmp_path):
    store = tmp_path / "a:b.db"
    assert run_redblue(*CURVE, "--store", f"{store}:keep").code == 0
    assert store.exists()


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (("report", "fft:n=4", "--memory", 4, "--quick"), "'--quick' is '--effort quick' now"),
        (
            ("emit", "matvec:m=2,n=2", "--memory", 6, "--compare", 0, "--tiles", "i=1"),
            "'--compare' is '--effort 0' now",
        ),
    ],
)
def test_options_of_the_release_before_say_their_new_names(before, now, tmp_path):
    ending = run_redblue(*before, "--out", tmp_path / "out")
    assert ending.code == 0
    assert f"note: {now}; the old name will go\n" in ending.err


def test_a_time_limit_ends_the_whole_command_of_code():
    ending = run_redblue("emit", "lu:n=100", "--memory", 400, "--time-limit", 0.01)
    assert (ending.code, ending.out) == (3, "")
    assert "the time limit of 0.01 s is over while searching for tiles" in ending.err


def test_every_effort_has_the_same_names():
    built = dict(commands(command()))
    known = "quick, normal, high"
    for path in [path for path in built if any("--effort" in o.opts for o in options(built[path]))]:
        arguments = () if path == "redblue papers gap" else ("fft:n=4", "--memory", 4)
        if path == "redblue report":
            arguments = ("fft:n=4",)
        ending = run_redblue(*path.split()[1:], *arguments, "--effort", "hardly")
        assert (ending.code, known in ending.err) == (2, True), (path, ending.err)
