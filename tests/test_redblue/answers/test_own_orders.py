"""Orders of users: read from files, played with evictions, and with the best one."""

import json

import pytest

from dags import FormatError, InvalidDAGError, fft, from_edges, load, save
from pebble import judge
from redblue import io_curve, solve
from redblue.answers.own_orders import order_file, players_in, solver_in
from schedulers import accesses, scheduler_named
from schedulers.exact import optimal_eviction
from tests.command_line import run_redblue

NAMES = ["x0", "x1", "s", "y", "z"]


@pytest.fixture
def named():
    """Two inputs, their sum, and two values from it."""
    return from_edges(5, [(0, 2), (1, 2), (2, 3), (0, 3), (2, 4), (3, 4)], labels=NAMES)


@pytest.mark.parametrize(
    "text",
    ["s\ny\nz\n", "# mine\nx0\ns\n\ny\nx1\nz", '["s", "y", "z"]', "2\n3\n4\n", "[2, 3, 4]"],
)
def test_labels_and_numbers_are_read(named, tmp_path, text):
    path = tmp_path / "mine.txt"
    path.write_text(text)
    order = order_file(path, named)
    assert order.computed.tolist() == [2, 3, 4]
    assert order.__name__ == "mine"


def test_labels_that_are_numbers_go_before_numbers(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("1\n0\n")
    turned = from_edges(3, [(2, 1), (1, 0)])
    assert turned.labels == (2, 1, 0)
    assert order_file(path, turned).computed.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("s\nyy\nz", "no vertex is called 'yy'"),
        ("s\nzz1\n", "no vertex is called 'zz1'"),
        ("2\n3\n9", "no vertex is called 2"),
        ("[1, [2]]", "no list of names"),
        ("[1, ", "is no JSON"),
    ],
)
def test_other_names_are_one_sentence(named, tmp_path, text, message):
    path = tmp_path / "mine.txt"
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        order_file(path, named)
    with pytest.raises(FormatError, match="cannot be read"):
        order_file(tmp_path / "none.txt", named)


def test_accesses_take_names(named):
    assert accesses(named, ["s", "y", "z"]).name.tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(InvalidDAGError, match="no vertex is called 't'"):
        accesses(named, ["s", "t", "z"])
    with pytest.raises(InvalidDAGError, match=r"no vertex is called 'X1'; did you mean 'x1'\?"):
        accesses(named, ["s", "X1", "z"])


def test_an_order_is_played_with_its_best_eviction(tmp_path):
    dag = fft(16)
    order = scheduler_named("breadth-first+lru").order(dag)
    path = tmp_path / "breadth.json"
    path.write_text(json.dumps(order.tolist()))
    arguments = order_file(path, dag)
    solution = solve(dag, 6, method=solver_in(arguments), time_limit=2)
    minimum = optimal_eviction(dag, order, 6).io
    assert judge(dag, solution.schedule, 6).io == solution.count.io == minimum
    assert solution.method == "breadth with best eviction"
    curve = io_curve(dag, [6], schedulers=players_in(arguments), bounds=["compulsory"])
    assert curve.methods("upper") == ("breadth+lru", "breadth+belady", "breadth+belady-cost")
    assert min(io for _, io in curve.envelope("upper")) >= minimum


def test_commands_write_and_read_labels(named, tmp_path):
    graph, play, order = tmp_path / "g.dot", tmp_path / "play.jsonl", tmp_path / "mine.txt"
    save(named, graph)
    order.write_text("s\ny\nz\n")
    assert load(str(graph)).labels == tuple(NAMES)
    ending = run_redblue("solve", graph, "--memory", 3, "--order", order, "--out", play)
    assert "by mine with best eviction" in ending.out
    assert '["LOAD", "x0"]' in play.read_text()
    assert "legal" in run_redblue("check", graph, play, "--memory", 3).out
    play.write_text('["LOAD", "q"]\n')
    ending = run_redblue("check", graph, play, "--memory", 3)
    assert (ending.code, "line 1: no vertex is called 'q'" in ending.err) == (2, True)


def test_the_page_of_a_play_is_html(named, tmp_path):
    graph, order = tmp_path / "g.dot", tmp_path / "mine.txt"
    save(named, graph)
    order.write_text("s\ny\nz\n")
    ending = run_redblue("play", graph, "--memory", 3, "--out", tmp_path / "p.pdf")
    assert ending.code == 2
    assert "cannot be a .pdf: the page is HTML; call it p.html" in ending.err
    out = tmp_path / "p.html"
    ending = run_redblue("play", graph, "--memory", 3, "--out", out, "--scheduler", order)
    assert "mine with best eviction" in ending.out
    assert out.exists()
