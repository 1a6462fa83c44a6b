"""One computation, one answer: a text, an einsum string and a family's name ask for the same."""

import json

import pytest

pytest.importorskip("islpy")

import redblue as rb
from dags import Computation, InvalidSpecError, load
from pebble import Schedule, judge
from redblue import bound, check
from redblue.answers.counted.curves import counted_curve
from redblue.emission.emission import emit
from schedulers import COUNTED_PLAYS
from schedulers.counted import laid_out
from tests.command_line import run_redblue
from tests.contract.test_same_answer import without_seconds
from tests.family_texts import TEXTS

LARGE = {"n": 2000, "m": 900, "l": 700}
FEW = {"n": 9, "m": 5, "l": 4}
MEMORIES = [1000, 30_000, 131_072]
EINSUMS = {
    "matmul:m=2000,k=700,n=900": "il,lj->ij:i=2000,l=700,j=900",
    "matvec:n=2000,m=900": "ji,i->j:j=2000,i=900",
}
BETA = "void f(int n, double b, double A[n][n], double B[n][n], double C[n][n]) { int i, j, k;"
SCALED = (
    BETA + " for (i = 0; i < n; i++) for (j = 0; j < n; j++) { C[i][j] *= b;"
    " for (k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j]; } }"
)
PROGRAMS = {
    "gemm with beta": SCALED,
    **{name: TEXTS[name][1] for name in ("lu kij", "solve, right-looking", "product kij")},
}


@pytest.fixture
def spec(tmp_path):
    """The specification of a text at some sizes."""

    def written(text, sizes):
        path = tmp_path / "text.c"
        path.write_text(text)
        head = text.partition(")")[0]
        message = ",".join(
            f"{name}={value}" for name, value in sizes.items() if f"int {name}" in head
        )
        return f"{path}:{message}"

    return written


def formulas(source):
    """The best play and bound of each memory, without a search for tilings."""
    curve = counted_curve(source, MEMORIES, plays=False)
    return curve.envelope("upper"), curve.envelope("lower")


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_has_the_answer_of_its_family_at_real_size(name, spec):
    text = Computation(spec(TEXTS[name][1], LARGE))
    assert text.family == TEXTS[name][0].partition(":")[0]
    assert text.kin is not None
    family = Computation(text.kin.spec)
    assert text.sizes[:4] == family.sizes[:4]
    assert formulas(text) == formulas(family)


@pytest.mark.parametrize(
    "name", ["lu from the last row and column", "product, the first term apart"]
)
def test_a_bound_alone_is_that_of_the_curve(name, spec):
    text = Computation(spec(TEXTS[name][1], LARGE))
    proved = dict(counted_curve(text, [1000], plays=False).envelope("lower"))
    single = bound(text, 1000)
    assert single.io == proved[1000]
    assert check(text, single).io == single.io


@pytest.mark.parametrize("name", [*TEXTS, *PROGRAMS])
def test_operations_are_those_of_the_dag(name, spec):
    """Balance, law and report are by operations, and no door may count others."""
    text = TEXTS[name][1] if name in TEXTS else PROGRAMS[name]
    known = Computation(spec(text, FEW))
    assert known.sizes.work == Computation(dag=known.dag).sizes.work


@pytest.mark.parametrize("family", EINSUMS)
def test_an_einsum_string_has_the_answer_of_its_family(family):
    assert formulas(EINSUMS[family]) == formulas(family)
    assert Computation(EINSUMS[family]).sizes.work == Computation(family).sizes.work


@pytest.mark.parametrize("name", TEXTS)
def test_the_play_of_a_family_is_a_play_of_the_text(name, spec):
    text = Computation(spec(TEXTS[name][1], FEW))
    dag = load(text.spec)
    built = dag.as_generated
    assert built.family == text.family
    for memory in (5, 11, 30):
        row = min(
            (row for row in counted_curve(text, [memory], plays=False).rows if row.kind == "upper"),
            key=lambda row: row.io,
        )
        play = COUNTED_PLAYS[built.family]
        moves = laid_out(built, play.tiles(built, memory))
        renamed = Schedule(moves.op, dag.recognised.vertex[moves.vertex])
        assert judge(dag, renamed, memory).io == row.io


@pytest.mark.slow
@pytest.mark.parametrize(("family", "name"), [("syrk:n=12,k=6", "syrk kij")])
def test_the_code_of_a_family_is_that_of_its_text(family, name, spec):
    text = spec(TEXTS[name][1], {"n": 12, "m": 6})
    code, second = (emit(source, 40, effort=0) for source in (family, text))
    assert code.io == second.io
    best = dict(counted_curve(family, [40]).envelope("upper"))
    assert best[40] <= code.io


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_best_is_above_another_play_nor_below_a_bound(name, spec):
    curve = counted_curve(spec(PROGRAMS[name], {"n": 12, "m": 8, "l": 9}), [20, 60])
    best = dict(curve.envelope("upper"))
    assert {"upper", "lower"} == {row.kind for row in curve.rows if row.method == "best"}
    for row in curve.rows:
        if row.kind == "upper" and row.io is not None:
            assert best[row.memory] <= row.io
        elif row.io is not None:
            assert row.io <= best[row.memory]


def by_command(name, *arguments):
    """The record that a command prints."""
    ending = run_redblue(name, *arguments, "--json")
    assert ending.code == 0, ending.err
    return json.loads(ending.out)


def product_model(path, n):
    """An ONNX model of the product of two square matrices."""
    onnx = pytest.importorskip("onnx")
    ends = [
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [n, n]) for name in "abc"
    ]
    node = onnx.helper.make_node("MatMul", ["a", "b"], ["c"])
    graph = onnx.helper.make_graph([node], "product", ends[:2], ends[2:])
    onnx.save(onnx.helper.make_model(graph), path)
    return str(path)


@pytest.mark.parametrize("kind", ["family", "text", "einsum", "ONNX model"])
@pytest.mark.parametrize(("n", "memory"), [(6, 30), (10_000, 30_000)])
def test_the_command_says_what_the_function_of_its_name_does(n, memory, kind, tmp_path, spec):
    """Of hundreds of points and of a million million, where no DAG is built."""
    sources = {
        "family": lambda: f"matmul:n={n}",
        "text": lambda: spec(TEXTS["product kij"][1], dict.fromkeys("nml", n)),
        "einsum": lambda: f"il,lj->ij:i={n},l={n},j={n}",
        "ONNX model": lambda: product_model(tmp_path / "product.onnx", n),
    }
    source = sources[kind]()
    counted = kind == "ONNX model"  # whose tensors are held whole where a DAG of them is built
    game = (source, "--memory", memory, "--effort", "quick", *["--counted"] * counted)
    shown = by_command("curve", *game)["rows"]
    drawn = rb.curve(source, memory, effort="quick", counted=counted)
    for side in ("upper", "lower"):
        words = [row["io"] for row in shown if (row["kind"], row["method"]) == (side, "best")]
        assert words == [io for _, io in drawn.envelope(side)]
    proved = bound(source, memory, effort="quick", counted=counted).io
    assert max(row["io"] for row in by_command("bound", *game)["rows"]) == proved
    if n == 10_000:
        assert drawn.envelope("upper") == ((memory, 11_800_000_000),)
        assert proved == 11_547_418_389


def test_hierarchies_and_plans_are_those_of_the_functions():
    source, memories = "matmul:n=6", "30,120"
    crossed, record = (
        rb.levels(source, memories),
        by_command("levels", source, "--memory", memories),
    )
    assert (record["words"], record["lower"]) == (list(crossed.best.words), list(crossed.lower))
    planned = rb.plan(source, memory=30, effort="quick").to_dict()
    record = by_command("plan", source, "--memory", 30, "--effort", "quick")
    assert without_seconds(record) == without_seconds(planned)


def test_a_check_is_that_of_the_function(tmp_path):
    """Of schedules as of certificates."""
    source, moves, proof = "fft:n=8", tmp_path / "moves.npz", tmp_path / "proof.json"
    by_command("solve", source, "--memory", 4, "--out", moves, "--effort", "quick")
    judged, record = check(source, moves, 4), by_command("check", source, moves, "--memory", 4)
    assert (judged.io, judged.loads) == (record["io"], record["loads"])
    by_command("bound", source, "--memory", 4, "--bounds", "segments", "--certificate", proof)
    record = by_command("check", source, proof)
    assert (check(source, proof).io, check(source, proof).method) == (
        record["io"],
        record["method"],
    )
    with pytest.raises(InvalidSpecError, match="with a memory"):
        check(source, moves)
