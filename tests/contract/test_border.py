"""The border of ``import redblue``: all functions take the same things, and refuse others alike."""

import inspect
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import redblue as rb
from dags.arguments import LIMITS, argument
from dags.errors import ArgumentError
from pebble import Schedule
from redblue.laws.regimes import law_of_program
from redblue.show.reporting import Report

FFT = "fft:n=4"
QUICK = {"schedulers": ["lru"], "bounds": ["compulsory"]}
FUNCTIONS = [name for name in rb.__all__ if inspect.isfunction(getattr(rb, name))]


@pytest.fixture(scope="module")
def calls():
    """Arguments with which each public function answers at once."""
    dag = rb.load(FFT).dag
    curve = rb.io_curve(dag, [4], **QUICK)
    structured = rb.SCHEDULERS["structured"](dag, 4)
    return {
        "bound": ((FFT, 4), {"bounds": "compulsory"}),
        "check": ((FFT, rb.bound(FFT, 4, bounds="compulsory")), {}),
        "claim": (({4: 1}, "of my own"), {}),
        "compare": (([FFT], [4]), QUICK),
        "curve": ((FFT, [4]), QUICK),
        "curve_figure": ((curve,), {}),
        "curve_text": ((curve,), {}),
        "emit": (("matvec:m=1,n=2", 8), {"time_limit": 0, "compare": 0}),
        "fit_dag": (("fft:n=64", [6, 10]), {}),
        "from_edges": ((3, [(0, 1), (1, 2)]), {}),
        "from_networkx": ((nx.DiGraph([(0, 1)]),), {}),
        "io_curve": ((FFT, [4]), QUICK),
        "law": (("fft:n=64", [6, 10]), {}),
        "levels": ((FFT, [4, 6]), {}),
        "load": ((FFT,), {}),
        "min_memory": ((FFT,), {}),
        "parse_memories": (("4",), {}),
        "place": (([(0, 1, 1)], 4), {}),
        "placed_plan": ((FFT, 4), {"time_limit": 1}),
        "plan": ((FFT,), {"effort": "quick"}),
        "play": ((FFT, "structured", 4), {}),
        "report": ((FFT, [4]), {"effort": "quick"}),
        "save": ((FFT, "a.json"), {}),
        "save_figure": ((rb.curve_figure(curve), "figure"), {}),
        "solve": ((FFT, 4), {"time_limit": 0}),
        "solve_parallel": ((FFT, 4, 2), {"time_limit": 0}),
        "speedups": ((FFT, [4], [2]), {"time_limit": 0}),
        "trace": ((lambda a: a + a, np.ones(2)), {}),
        "verify": ((FFT, structured, 4), {}),
    }


NOTHING = [None, [], {}, (), ""]
WRONG = [
    *NOTHING, True, "nonsense", "\0", "a" * 5000, b"x", "-1", "nan",
    -1, 0, 1.5, -2.5, float("nan"), float("inf"), 10**30, 2**63,
    [None], ["x"], [-1], [4.5], [10**30], {"a": 1}, {"n": -1}, object(), 1j, np.array([1.5]),
    Schedule([], []), Path("none/of.them"), nx.Graph(),
]  # fmt: skip
NEARLY = {  # of the right type, and wrong
    "tiles": [{"i": -1}, {"i": 0}, {"i": 2**70}, {"q": 1}, {1: 1}, {"i": "1"}],
    "sizes": [{"i": -1}, {"i": 2**70}],
    "fix": [{"i": -1}, {"i": 2**70}, {"q": 1}],
    "spec": ["matvec:m=2^40,n=2^40", "polybench/mvt:N=2^62", "polybench/mvt", "fft:n=4"],
}
ALL_PAPERS = {("report", "experiments"): ([], ())}  # which are right, and take minutes


FILES = ["absent.c", "absent.c:N=4", "absent.py:f", "absent.json", "absent.onnx", "absent.csv", "."]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("function", ["bound", "curve", "emit", "load", "plan", "solve"])
def test_files_that_cannot_be_read(name, function, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = [] if function == "load" else [8]
    with pytest.raises(rb.RedBlueError, match=re.escape(name.partition(":")[0])):
        getattr(rb, function)(name, *asked)


def test_a_missing_file_is_an_error_of_python_too():
    with pytest.raises(FileNotFoundError, match=r"^absent\.c: No such file or directory$"):
        rb.load("absent.c:N=4")


def put(call, function, name, value):
    """A call with another value of one parameter."""
    positional, named = call
    place = list(inspect.signature(function).parameters).index(name)
    if place < len(positional):
        return (*positional[:place], value, *positional[place + 1 :]), named
    return positional, {**named, name: value}


def test_every_function_has_a_call(calls):
    assert sorted(calls) == sorted(FUNCTIONS)
    assert len(FUNCTIONS) == 29


@pytest.mark.parametrize("name", FUNCTIONS)
def test_whatever_a_parameter_is_given_the_error_is_one_of_ours(calls, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = getattr(rb, name)
    function(*calls[name][0], **calls[name][1])
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        left_out = ALL_PAPERS.get((name, parameter.name), ())
        for value in (*WRONG, *NEARLY.get(parameter.name, ())):
            if isinstance(value, list | tuple) and value in left_out:
                continue
            positional, named = put(calls[name], function, parameter.name, value)
            try:
                function(*positional, **named)
            except rb.RedBlueError as error:
                message = str(error)
                assert 0 < len(message) < 2_000, (parameter.name, value)
                assert "\n" not in message, (parameter.name, value)


SAME = [  # the parameter, and values that are the same thing
    (("source", "specs", "dag", "experiments"), [FFT, Path(FFT), rb.load(FFT)]),
    (("memory",), [6, "6", "48B", 6.0, np.int64(6)]),
    (("memories",), [[6], (6,), 6, "6", "48B", ["48B"], np.array([6]), range(6, 7)]),
    (("rules",), [rb.RULES["recompute"], "recompute"]),
    (("seed", "jobs"), [1, 1.0, np.int32(1)]),
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_functions_take_the_same_things(calls, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = getattr(rb, name)
    for names, values in SAME:
        for parameter in set(names) & set(inspect.signature(function).parameters):
            if (name, parameter) == ("verify", "rules"):  # the play is one-shot, and stays legal
                values = [rb.ONE_SHOT, "one-shot"]
            built = []
            for value in values:
                positional, named = put(calls[name], function, parameter, value)
                built.append(told(function(*positional, **named)))
            assert all(entry == built[0] for entry in built), (name, parameter)


def told(answer):
    """What an answer says, without times and the name of what was asked about."""
    record = answer.to_dict() if hasattr(answer, "to_dict") else repr(answer)
    if isinstance(answer, Report):
        record = [table.rows for part in answer.experiments for table in part.tables]
    if isinstance(answer, tuple):
        record = [told(part) for part in answer]
    return without_times(record)


def test_sizes_of_memory_are_iterated_once():
    assert rb.curve(FFT, (size for size in (6, 4, 6)), **QUICK).memories == (4, 6)


def without_times(record):
    if isinstance(record, dict):
        kept = {key: value for key, value in record.items() if key not in ("seconds", "spec")}
        return {key: without_times(value) for key, value in kept.items()}
    return (
        [without_times(entry) for entry in record] if isinstance(record, list | tuple) else record
    )


@pytest.mark.parametrize("function", [rb.curve, rb.solve, rb.law, rb.emit])
def test_calls_that_no_signature_has_are_errors_of_ours(function):
    with pytest.raises(ArgumentError, match="missing a required argument"):
        function()
    with pytest.raises(TypeError):
        function(FFT, 4, 5, 6)


def test_an_unknown_keyword_is_compared_with_the_known_ones():
    with pytest.raises(
        ArgumentError, match=r"solve: no parameter is called 'memori'; did you mean"
    ):
        rb.solve(FFT, memori=4)


@pytest.mark.parametrize("name", LIMITS)
def test_numbers_have_limits(name):
    minimum, limit = LIMITS[name]
    with pytest.raises(ArgumentError, match=f"{name} must be at least {minimum:g}, not"):
        argument(name, minimum - 1, float)
    if limit < float("inf"):
        with pytest.raises(ArgumentError, match=f"{name} must be at most"):
            argument(name, limit + 1, int)


def test_the_law_of_a_program_has_the_border_too():
    for seconds in ("x", -1, None, []):
        with pytest.raises(ArgumentError, match="seconds must be"):
            rb.law("polybench/gemm", seconds=seconds)
    assert inspect.unwrap(law_of_program) is not law_of_program


PLAIN = (int, str, tuple, list, rb.CDAG, type(None))  # which need no table


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_print_as_a_table_and_a_sentence(calls, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = getattr(rb, name)(*calls[name][0], **calls[name][1])
    answers = answer if name == "fit_dag" else [answer]
    for result in answers:
        if isinstance(result, PLAIN) or name in ("claim", "curve_figure", "load"):
            continue
        assert "\n" not in repr(result)
        assert len(repr(result)) < 300
        table, _, sentence = str(result).partition("\n\n")
        assert len(table.splitlines()) >= 2, table
        assert len(sentence.split()) >= 5, sentence
        assert len(str(result)) < 2_000
        assert not re.search(r"[A-Z]\w+\(\w+=", str(result)), "a dataclass shows"


def test_a_law_of_all_sizes_prints_its_terms():
    law = rb.law("polybench/gemm", seconds=4)
    assert repr(law).startswith("<RegimeLaw: ")
    assert "compulsory, at any memory" in str(law)
    assert "Polynomial(" not in str(law)
