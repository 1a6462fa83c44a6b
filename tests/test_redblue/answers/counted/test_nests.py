"""Commands about loop nests at sizes of which no DAG is laid out."""

import json

import pytest

from redblue.answers.counted import counted_curve
from tests.command_line import run_redblue
from tests.nest_texts import CHAIN, PLANES, PRODUCT, SOFTMAX, STAR

pytest.importorskip("islpy", reason="islpy is not installed")


def answer(*arguments):
    ending = run_redblue(*arguments, "--json")
    assert ending.code == 0, ending.err
    return json.loads(ending.out)


def best(answered):
    rows = (row for row in answered["rows"] if row["method"] == "best")
    return {(row["kind"], row["memory"]): row["io"] for row in rows}


@pytest.fixture
def text(tmp_path):
    def written(source, name="nest.c"):
        path = tmp_path / name
        path.write_text(source)
        return str(path)

    return written


def test_a_product_of_10_to_11_updates(text):
    spec = f"{text(PRODUCT)}:M=4096,N=4096,K=4096"
    rows = best(answer("curve", spec, "--memory", "16641,1e6"))
    assert rows["upper", 16641] <= 1_090_519_040  # the best mapping of an enumerated space
    for memory in (16641, 10**6):
        assert 1 <= rows["upper", memory] / rows["lower", memory] < 1.25
    assert answer("curve", "polybench/gemm:NI=4096,NJ=4096,NK=4096", "--memory", "1e6")["rows"]


def test_a_tile_is_told(text):
    rows = answer("curve", f"{text(PRODUCT)}:M=900,N=900,K=900", "--memory", "902")["rows"]
    (printed,) = (row["tiling"] for row in rows if row["method"] == "tiled")
    assert printed.startswith("loops: ")
    assert " by " in printed
    assert "c while k goes on" in printed


def test_a_convolution_a_plan_and_a_certificate(text, tmp_path):
    spec = f"{text(PLANES)}:F=64,P=56,Q=56,C=64,R=3,S=3"
    result = answer("plan", spec, "--io-at-most", "2e6")["answer"]
    assert result["memory_at_least"] <= result["memory"]
    assert result["io"] <= result["io_at_most"] == 2_000_000
    file = str(tmp_path / "c.json")
    assert run_redblue("bound", spec, "--memory", "1000", "--certificate", file).code == 0
    checked = answer("check", spec, file)
    assert checked["valid"]
    assert checked["io"] <= result["io"] * 10
    second = spec.replace("C=64", "C=63")
    ending = run_redblue("check", second, file)
    assert ending.code == 4
    assert "another DAG" in ending.out


def test_several_statements(text):
    best_play = best(answer("curve", f"{text(SOFTMAX)}:N=4096,D=100000", "--memory", "1000,1e6"))
    assert best_play["lower", 10**6] == best_play["upper", 10**6] == 2 * 4096 * 100_001
    assert best_play["upper", 1000] > best_play["lower", 1000]
    chain = best(answer("curve", f"{text(CHAIN)}:M=999,K=999,L=999,N=999", "--memory", "1e4"))
    assert chain["upper", 10**4] >= chain["lower", 10**4]


def test_sums_in_any_order(text):
    spec = f"{text(PLANES)}:F=64,P=16,Q=16,C=64,R=3,S=3"
    fixed = best(answer("curve", spec, "--counted", "--memory", "35"))
    free = best(answer("curve", f"{spec},sums=any", "--memory", "35"))
    assert free["upper", 35] <= fixed["upper", 35]
    assert free["lower", 35] <= fixed["lower", 35]
    ending = run_redblue("dag", f"{spec},sums=any")
    assert ending.code == 2
    assert "order of the text" in ending.err
    assert run_redblue("curve", f"{spec},sums=some", "--memory", "35").code == 2


BY_TURNS = """void f(int n, double x[n], double y[n], double z[n], double h[1]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    h[0] += x[i] * y[j]; h[0] += z[i] * y[j]; } }"""


def test_sums_that_any_order_leaves_as_they_are_are_named(text):
    spec = f"{text(BY_TURNS)}:n=60,sums=any"
    sentence = "sums=any has no effect on h, which statements in one loop change by turns: write"
    for arguments in (["curve", spec, "--memory", "24"], ["plan", spec, "--memory", "24"]):
        ending = run_redblue(*arguments)
        assert ending.code == 0
        assert sentence in ending.out + ending.err
    statement = BY_TURNS.replace("; h[0] += z", " + z")
    assert (
        sentence
        not in run_redblue("curve", f"{text(statement)}:n=60,sums=any", "--memory", "24").err
    )


def test_what_fits_is_laid_out_and_moves_as_much_as_is_counted(text):
    spec = f"{text(STAR)}:T=9,N=12"
    laid = best(answer("curve", spec, "--memory", "40", "--effort", "quick"))
    counted = dict(counted_curve(spec, [40]).envelope("upper"))
    assert laid["lower", 40] <= laid["upper", 40] <= counted[40]


def test_a_triangle_is_counted(text):
    triangle = text(
        "void f(int N, double a[N][N], double b[N]) {"
        " for (int i = 0; i < N; i++) for (int j = 0; j <= i; j++) b[i] += a[i][j]; }"
    )
    curve = counted_curve(f"{triangle}:N=9", [9])
    words = {kind: dict(curve.envelope(kind))[9] for kind in ("lower", "upper")}
    assert words["lower"] == words["upper"] == 9 * 10 // 2 + 2 * 9


def test_a_nest_that_is_no_part_of_a_box_says_so(text):
    holes = text(
        "void f(int N, double a[N][N], double b[N]) {"
        " for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) if (i != j) b[i] += a[i][j]; }"
    )
    ending = run_redblue("curve", f"{holes}:N=9", "--memory", "9", "--counted")
    assert ending.code == 2
    assert "one or another" in ending.err
    assert run_redblue("curve", f"{holes}:N=9", "--memory", "9").code == 0


def test_a_missing_size_is_named(text):
    ending = run_redblue("curve", f"{text(PRODUCT)}:M=4096,N=4096", "--memory", "99")
    assert ending.code == 2
    assert "K" in ending.err


def test_an_einsum_string_and_a_family():
    sizes = {"i": 4096, "j": 4096, "k": 128}
    spec = "ij,jk->ik:" + ",".join(f"{name}={size}" for name, size in sizes.items())
    rows = best(answer("curve", spec, "--memory", "70000"))
    family = best(answer("curve", "matmul:m=4096,k=4096,n=128", "--memory", "70000"))
    assert family["lower", 70_000] >= rows["lower", 70_000]
    assert family["upper", 70_000] <= rows["upper", 70_000] < 1.3 * rows["lower", 70_000]


def test_traced_code_is_no_nest(text):
    source = text("def f(a, b):\n    return a @ b\n", "f.py")
    ending = run_redblue("curve", f"{source}:f:shapes=3x3;3x3,numpy", "--memory", "9")
    assert ending.code == 0, ending.err


def test_where_no_play_by_tiles_is_counted_the_order_of_the_text_is_played():
    ending = run_redblue("curve", "polybench/durbin:N=2000", "--memory", "9", "--counted")
    assert ending.code == 0
    assert "natural" in ending.out
    assert "tiled" not in ending.out


def test_an_answer_does_not_depend_on_what_was_asked_before():
    spec, sizes = "matmul:n=5000", [1000, 30_000]
    single = counted_curve(spec, sizes)
    counted_curve(spec, [700, 900, 20_000])
    curve = counted_curve(spec, sizes)
    assert [row.tiling for row in curve.rows] == [row.tiling for row in single.rows]


@pytest.mark.parametrize("spec", ["matmul:n=4096", "ij,jk->ik:i=4096,j=4096,k=4096"])
def test_levels_without_a_dag(spec):
    result = answer("levels", spec, "--memory", "1K,1M")
    rows = {(row["kind"], row["boundary"]): row for row in result["rows"]}  # the last play's
    for boundary in (1, 2):
        minimum, single = (rows[kind, boundary]["io"] for kind in ("lower", "alone"))
        assert 0 < minimum <= single <= rows["upper", boundary]["io"]
    assert rows["lower", 2]["memory_below"] == 1_001_000
    assert result["words"][1] < result["words"][0] / 4
    curve = best(answer("curve", spec, "--memory", "1000"))
    assert rows["alone", 1]["io"] <= 1.2 * curve["upper", 1000]


def test_levels_of_a_family_with_closed_forms():
    result = answer("levels", "fft:n=2^40", "--memory", "1K,1M")
    assert result["words"][1] < result["words"][0]  # blocks in blocks
    assert result["lower"][1] < result["lower"][0] < result["words"][0]


def test_levels_refuses_what_takes_a_dag_and_too_little_memory():
    for extra in (["--effort", "exact"], ["--memory", "1000,10"], ["--memory", "2,100"]):
        words = extra if "--memory" in extra else [*extra, "--memory", "1K,1M"]
        ending = run_redblue("levels", "matmul:n=4096", *words)
        assert ending.code == 2
        assert ending.out == ""


def test_a_law_at_a_size_says_which_term_rules_where(text):
    printed = answer("law", f"{text(PRODUCT)}:M=2048,N=2048,K=2048", "--memory", "100:1e8:12")[
        "law"
    ]
    first, *_, last = printed["regimes"]
    assert first["by"] == "nest-windows"
    assert first["exponent"] == pytest.approx(-0.5, abs=0.03)
    assert (last["by"], last["exponent"]) == ("compulsory", 0.0)
    assert last["gap"] == 1.0
    ends = [end for entry in printed["regimes"] for end in (entry["first"], entry["last"])]
    assert ends == sorted(ends)
    assert all(entry["gap"] >= 1 for entry in printed["regimes"])


def test_compulsory_words_are_said_to_be_all(text):
    sums = text(
        "void f(int N, int D, double x[N][D], double y[N]) {"
        " for (int i = 0; i < N; i++) { y[i] = 0; for (int j = 0; j < D; j++) y[i] += x[i][j]; } }"
    )
    ending = run_redblue("law", f"{sums}:N=9000,D=9000")
    assert ending.code == 0
    assert (
        "only the 81,009,000 compulsory words are proved; schedules move at most 1 times"
        in ending.out
    )
