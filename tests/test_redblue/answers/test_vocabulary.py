import json
import subprocess
import sys
import threading
import time
from dataclasses import replace

import networkx as nx
import pytest

import redblue as rb
from dags import InvalidSpecError, fft
from pebble import IllegalMoveError
from proofs import CertificateError
from redblue.answers import checking
from redblue.answers.counted.curves import closed_bound
from tests.command_line import run_redblue

WORDS = ("load", "curve", "io_curve", "compare", "solve", "bound", "check", "plan", "law")
WORDS += (
    "claim",
    "report",
    "play",
    "verify",
    "trace",
    "IOCurve",
    "Solution",
    "Comparison",
    "Bound",
)
WORDS += ("CDAG", "Schedule", "Rules", "IOCount", "Plan", "GENERATORS", "SCHEDULERS", "BOUNDS")
WORDS += ("ORDERS", "EVICTIONS", "SOLVERS", "EXPERIMENTS", "MACHINES", "RULES", "EXAMPLES")


def test_one_import_has_the_vocabulary():
    assert set(WORDS) <= set(rb.__all__) <= set(dir(rb))
    for name in WORDS:
        assert not isinstance(getattr(rb, name), type(rb)), name


def test_the_import_itself_loads_nothing_heavy():
    code = "import sys, redblue; print(*({'numba', 'numpy', 'ortools'} & set(sys.modules)))"
    ending = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ending.stdout == "\n"


def test_games_and_bounds_load_no_package_before_they_need_it():
    """Commands would begin half a second later."""
    code = (
        "import sys, redblue.racing.solving, redblue.answers.curves.curve, redblue.sweeps.runner\n"
        "late = {'scipy.optimize', 'scipy.sparse', 'ortools', 'networkx', 'matplotlib', 'pandas'}\n"
        "print(*(late & set(sys.modules)))"
    )
    ending = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ending.stdout == "\n"


def test_everything_that_is_a_dag_is_taken(tmp_path):
    path = tmp_path / "a.npz"
    rb.save(fft(8), path)
    graph = nx.DiGraph([("a", "c"), ("b", "c")])
    for source in (fft(8), "fft:n=8", path, str(path)):
        assert rb.load(source).dag == fft(8)
    assert rb.load(graph).sizes.vertices == 3
    assert rb.curve(graph).memories == (3,)
    comparison = rb.compare([graph, fft(8), path], [4], schedulers=["lru"])
    assert [play.spec for play in comparison.plays] == [
        "DAG of 3 vertices",
        "fft:n=8,radix=2",
        str(path),
    ]
    assert rb.compare(fft(8), [4], schedulers=["lru"]).plays[0].io == comparison.plays[1].io
    with pytest.raises(InvalidSpecError, match="two DAGs of a comparison are called 'fft:n=8"):
        rb.compare([fft(8), fft(8)], [4], schedulers=["lru"])
    with pytest.raises(rb.RedBlueError, match="int is no graph that is read: a DAG, "):
        rb.load(7)


def test_a_bound_is_checked(tmp_path):
    bound = rb.bound("fft:n=8", "32B", bounds=["segments"])
    assert (bound.memory, bound.method) == (4, "segments")
    assert rb.check("fft:n=8", bound) is bound
    path = tmp_path / "a.json"
    run_redblue("bound", "fft:n=8", "--memory", 4, "--bounds", "segments", "--certificate", path)
    assert rb.check("fft:n=8", path).io == bound.io
    with pytest.raises(InvalidSpecError, match="at least 1 word, not 0"):
        rb.bound("fft:n=8", 0)


def test_a_check_ends_at_its_time_limit(monkeypatch):
    bound = rb.bound("fft:n=8", 4, bounds=["segments"])
    assert rb.check("fft:n=8", bound, time_limit=60) is bound
    with pytest.raises(CertificateError):
        rb.check("fft:n=8", replace(bound, io=bound.io + 1), time_limit=60)
    ended = threading.Event()

    def endless(*_):
        try:
            while True:
                time.sleep(0.01)
        finally:
            ended.set()

    monkeypatch.setattr(checking, "check", endless)
    began = time.monotonic()
    with pytest.raises(rb.RedBlueError, match=r"takes longer than 0\.2 s"):
        rb.check("fft:n=8", bound, time_limit=0.2)
    assert ended.wait(2)
    assert time.monotonic() - began < 2.2


def test_plays_and_verdicts(tmp_path):
    page = tmp_path / "a.html"
    solution = rb.solve("fft:n=8", 4, time_limit=5)
    count = rb.play("fft:n=8", solution.schedule, 4, out=page)
    assert count == rb.verify("fft:n=8", solution.schedule, 4) == solution.count
    assert "<html" in page.read_text()
    path = tmp_path / "a.npz"
    solution.schedule.save(path)
    assert rb.verify("fft:n=8", path, "4", rules="recompute").io == 31
    with pytest.raises(IllegalMoveError):
        rb.verify("fft:n=8", path, 3)


def test_reports_and_laws():
    law = rb.law("matmul:n=16", "8:128", schedulers=["structured"])
    assert law.points.memories.size > 1
    with pytest.raises(rb.RedBlueError, match="no experiment is called 'nothing'"):
        rb.report("nothing")


def test_completion_is_on(monkeypatch):
    listing = subprocess.run(
        [sys.executable, "-m", "redblue"],
        env={"_REDBLUE_COMPLETE": "complete_bash", "COMP_WORDS": "redblue pl", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert listing.stdout.split() == ["plan", "place", "play"]


def test_memory_may_be_left_out_and_has_units():
    left_out = json.loads(run_redblue("bound", "fft:n=8", "--bounds", "segments", "--json").out)
    sizes = sorted({row["memory"] for row in left_out["rows"]})
    assert (sizes[0], sizes[-1]) == (3, 10)
    asked = ("--memory", "32B,0.064KB", "--word-bytes", 4, "--schedulers", "lru", "--json")
    curve = json.loads(run_redblue("curve", "fft:n=8", *asked).out)
    assert sorted({row["memory"] for row in curve["rows"]}) == [8, 16]
    compared = json.loads(
        run_redblue(
            "curve", "--compare", "fft:n=8", "tree:height=3", "--schedulers", "lru", "--json"
        ).out
    )
    ends = [sorted({row["memory"] for row in curve["rows"]})[0] for curve in compared["curves"]]
    assert ends == [3, 3]


def test_a_report_is_of_computations_of_any_size(tmp_path):
    """At 10^15 points and at 10, on one page, by the one decision that all functions ask for."""
    page = tmp_path / "page.html"
    report_ = rb.report(["matmul:n=100000", "fft:n=4"], [1000], effort="quick", out=page)
    assert [run.name for run in report_.runs] == ["matmul:n=100000", "fft:n=4"]
    large, small = (run.experiment for run in report_.runs)
    row = next(row for row in large.tables[-1].rows if row[0] == 1000)
    single = rb.curve("matmul:n=100000", 1000)
    assert row[1:3] == tuple(dict(single.envelope(kind))[1000] for kind in ("upper", "lower"))
    assert small.tables[0].rows[0][1] == 8
    assert "matmul:n=100000" in page.read_text()
    asked = ("fft:n=4", "matmul:n=100000", "--memory", "1000", "--effort", "quick")
    ending = run_redblue("report", *asked, "--out", page)
    assert ending.code == 0
    assert "matmul:n=100000" in ending.out


def test_a_closed_form_has_a_certificate(tmp_path):
    spec, file = "stencil:shape=40,steps=30", tmp_path / "bound.json"
    bound = closed_bound(rb.load(spec), 12)
    assert rb.check(spec, bound).io == bound.io
    spec = "stencil:shape=40000,steps=30"
    asked = (spec, "--memory", "12", "--counted", "--certificate", file)
    assert run_redblue("bound", *asked).code == 0
    assert "C1 (docs/theory)" in run_redblue("check", spec, file, "--cite").out
    with pytest.raises(rb.RedBlueError, match="no member"):
        rb.check("il,lj->ij:i=3,l=3,j=3", bound)


def test_claims_of_ones_own_are_drawn_and_prove_nothing():
    table = rb.claim({4: 20, 6: 1_000}, "table 2")
    curve = rb.curve("fft:n=8", [4, 6], schedulers=["structured"], bounds=["reuse", table])
    assert curve.points("claim", "table 2") == ((4, 20), (6, 1_000))
    assert max(io for _, io in curve.envelope("lower")) < 60
    assert f"a schedule moves {dict(curve.envelope('upper'))[6]:,}" in "".join(
        part for part in curve.shown() if isinstance(part, str)
    )
    with pytest.raises(InvalidSpecError, match=r"claimed for M = 4, 6, not for 5"):
        rb.curve("fft:n=8", [5], bounds=[table])
    with pytest.raises(InvalidSpecError, match=r"without a certificate"):
        rb.bound("fft:n=8", 4, bounds=[table])
