"""Comparisons: the numbers of the curves, their ratios and means, and what orders cost at least."""

import csv
import json
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import redblue.answers.comparison.compare
from dags import fft, load
from dags.formats import save
from pebble import RULES, min_memory
from redblue.answers.comparison.compare import compare
from redblue.answers.curves.curve import io_curve
from redblue.sweeps import SweepOptions
from redblue.sweeps.store import Store
from schedulers import scheduler_named
from tests.command_line import run_redblue
from tests.oracles import optimum
from tests.strategies import dags

SPECS = ("fft:n=16", "matmul:n=4", "tree:height=4")
METHODS = ["natural+lru", "natural+belady", "depth-first+belady-cost"]


@pytest.fixture(scope="module")
def found():
    return compare(SPECS, [3, 4, 8, 16], schedulers=METHODS, order_loss=True)


def test_plays_are_those_of_the_curves(found):
    for spec in SPECS:
        curve = io_curve(load(spec), [3, 4, 8, 16], schedulers=METHODS, spec=spec)
        rows = {(row.method, row.memory): row.io for row in curve.rows if row.kind == "upper"}
        floor = dict(curve.envelope("lower"))
        plays = [play for play in found.plays if play.spec == spec]
        assert len(plays) == 12
        for play in plays:
            assert play.io == rows[play.method, play.memory]
            assert play.best == rows.get(("best", play.memory))
            assert play.bound == floor[play.memory]
    assert [play.io for play in found.plays if (play.spec, play.memory) == (SPECS[1], 3)] == [
        None
    ] * 3


def test_losses_multiply_to_the_gap(found):
    for play in found.plays:
        if play.io is None:
            assert (play.order, play.over_bound, play.eviction_loss) == (None, None, None)
            continue
        assert play.bound <= play.order <= play.io
        assert play.over_bound == pytest.approx(play.io / play.bound)
        assert play.order_loss * play.eviction_loss == pytest.approx(play.over_bound)


def test_standings_are_geometric_means(found):
    for standing in found.standings:
        plays = [play for play in found.plays if play.method == standing.method and play.io]
        assert standing.played == len(plays) == 11
        for name in ("over_bound", "over_best", "order_loss", "eviction_loss"):
            ratios = [getattr(play, name) for play in plays]
            assert getattr(standing, name) == pytest.approx(prod(ratios) ** (1 / len(ratios)))
        assert standing.first == sum(play.io == play.best for play in plays)
    assert [standing.method for standing in found.standings] == METHODS


@settings(max_examples=15)
@given(dags(max_vertices=7), st.sampled_from(sorted(RULES)), st.integers(0, 2))
def test_no_play_in_the_order_moves_less(dag, name, extra):
    rules = RULES[name]
    memory = min_memory(dag, rules=rules) + extra
    if not memory:
        return
    method = "depth-first+belady"
    curve = io_curve(dag, [memory], schedulers=[method], rules=rules)
    [((_, _), io)] = redblue.answers.comparison.compare.least_by_order(dag, curve, rules, 0).items()
    assert io <= optimum(dag, memory, rules, scheduler_named(method).order(dag).tolist())


def test_large_dags_and_other_schedulers_have_no_order(monkeypatch):
    monkeypatch.setattr(redblue.answers.comparison.compare, "ORDER_EDGES", 10)
    comparison = compare(["fft:n=4", "chain:n=5"], [8], schedulers=["lru"], order_loss=True)
    assert [play.order for play in comparison.plays] == [None, 2]
    plain = compare(["chain:n=5"], [8], schedulers=["structured", "lru"])
    assert [play.order for play in plain.plays] == [None, None]
    assert [standing.order_loss for standing in plain.standings] == [None, None]
    mixed = compare(["chain:n=5"], [8], schedulers=["structured", "lru"], order_loss=True)
    assert [play.order for play in mixed.plays] == [None, 2]


def test_progress_runs_from_one_to_all():
    texts = []
    compare(SPECS, [4, 8], schedulers=["lru"], progress=lambda *state: texts.append(state))
    done, totals, failures = zip(*texts, strict=True)
    assert set(failures) == {0}
    assert list(done) == sorted(set(done))
    assert len(set(totals)) <= len(SPECS)
    assert done[-1] == totals[-1]


def test_a_store_is_filled_and_read(tmp_path):
    options = {"schedulers": METHODS, "bounds": ["compulsory"]}
    with Store(tmp_path / "a.db") as store:
        first = compare(SPECS[:2], [4, 8], sweep=SweepOptions(store), **options)
    seen = []
    with Store(tmp_path / "a.db") as store:
        comparison = compare(
            SPECS[:2],
            [4, 8],
            sweep=SweepOptions(store),
            progress=lambda *done: seen.append(done),
            **options,
        )
    direct = compare(SPECS[:2], [4, 8], **options)
    plays = [
        [(p.spec, p.method, p.memory, p.io) for p in c.plays] for c in (first, comparison, direct)
    ]
    assert plays[0] == plays[1] == plays[2]
    assert seen[-1] == (2, 2, 0)
    assert [row.seconds for curve in first.curves for row in curve.rows] == [
        row.seconds for curve in comparison.curves for row in curve.rows
    ]  # which no second run would repeat


def test_json_of_one_dag_is_that_of_its_curve():
    names = ("--memory", "4,8", "--schedulers", "lru,belady", "--json")
    first = json.loads(run_redblue("curve", "--compare", "fft:n=8", *names).out)
    curve = json.loads(run_redblue("curve", "fft:n=8", *names).out)
    assert first["dag"] == curve["dag"]
    assert first["rules"] == curve["rules"] == "one-shot"
    for row in (*first["rows"], *curve["rows"]):
        del row["seconds"]
    assert first["rows"] == curve["rows"]
    assert len(first["plays"]) == 4
    assert len(first["standings"]) == 2
    two = json.loads(run_redblue("curve", "--compare", "fft:n=8", "matmul:n=3", *names).out)
    assert "rows" not in two
    assert [entry["dag"]["spec"] for entry in two["curves"]] == ["fft:n=8", "matmul:n=3"]


def test_tables_in_the_terminal():
    names = ("--memory", "3,4,16", "--schedulers", "lru,belady-cost", "--order-loss")
    ending = run_redblue("curve", "--compare", "fft:n=16", "matmul:n=3", *names)
    assert ending.code == 0
    assert ending.err == "note: 3 words are too few: schedules need at least 4\n"
    lines = [line.split() for line in ending.out.splitlines()]
    played = compare(
        ["fft:n=16", "matmul:n=3"], [3, 4, 16], schedulers=["lru", "belady-cost"], order_loss=True
    )
    first = [play for play in played.plays if (play.spec, play.memory) == ("fft:n=16", 4)]
    cells = [text for play in first for text in (f"{play.io}", f"{play.over_bound:.2f}")]
    assert ["4", *cells, f"{first[0].bound}"] in lines
    assert ["matmul:n=3", "3", "-", "-"] in [line[:4] for line in lines]
    worst = played.standings[0]
    means = (worst.over_bound, worst.over_best, worst.order_loss, worst.eviction_loss)
    shown = [worst.method, *(f"{mean:.3f}" for mean in means), f"{worst.first}", f"{worst.played}"]
    assert shown in lines


def test_files(tmp_path):
    out = tmp_path / "deep" / "folder"
    arguments = ("fft:n=8", "--memory", "4,8", "--schedulers", "lru,belady", "--out", out)
    ending = run_redblue("curve", "--compare", *arguments, "--json")
    assert ending.code == 0
    tables = ("kernels", "plays", "standings")
    files = ["kernels.html", "compare.json"]
    files += [f"{name}.{suffix}" for name in tables for suffix in ("csv", "tex")]
    files += [f"compare.{suffix}" for suffix in ("pdf", "png", "svg")]
    assert sorted(path.name for path in out.iterdir()) == sorted(files)
    assert sorted(ending.err.splitlines()) == [f"wrote {out / name}" for name in sorted(files)]
    data = json.loads(ending.out)
    assert json.loads((out / "compare.json").read_text()) == data
    with (out / "plays.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [int(line["I/O"]) for line in table] == [play["io"] for play in data["plays"]]
    assert r"\begin{tabular}" in (out / "standings.tex").read_text()
    page = (out / "kernels.html").read_text()
    assert "What each scheduler does" in page
    assert "natural+lru: It computes in program order" in page
    assert "natural+belady: It computes in program order" in page
    before = (out / "plays.csv").read_text()
    (out / "standings.tex").unlink()
    (out / "standings.tex").mkdir()
    assert (
        run_redblue(
            "curve", "--compare", *arguments[:-4], "--schedulers", "fifo", "--out", out
        ).code
        == 2
    )
    assert (out / "plays.csv").read_text() == before


def test_markup_in_a_name_is_no_markup(tmp_path):
    path = tmp_path / "a[bold]b.edges"
    save(fft(4), path)
    assert (
        path.name
        in run_redblue("curve", "--compare", path, "--memory", 4, "--schedulers", "lru").out
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fft:n=4", "fft:n=4", "--memory", "4"], "a comparison takes memory sizes, and DAGs"),
        (["fft:n=4", "matmul:n=3", "--memory", "3"], "matmul:n=3: 3 words of fast memory are too"),
        (["fft:n=4", "--memory", "4", "--schedulers", "none"], "no scheduler is called 'none'"),
        (["fft:n=4", "--memory", "4", "--bounds", "none"], "no bound is called 'none'"),
        (["fft:n=4", "--memory", "x"], "memory must be"),
        (["--memory", "4"], "Missing argument"),
    ],
)
def test_refusals(arguments, sentence):
    ending = run_redblue("curve", "--compare", *arguments)
    assert ending.code == 2
    assert ending.sentence.startswith(sentence)
