"""Programs on the command line: the list of those that come along, and what one computes."""

import json

from dags.programs.text.library import KERNELS
from tests.command_line import run_redblue


def test_all_programs_are_listed():
    ending = run_redblue("dags")
    assert ending.code == 0
    assert all(f"polybench/{name}" in ending.out for name in KERNELS)
    listed = json.loads(run_redblue("dags", "--json").out)["programs"]
    assert [entry["name"] for entry in listed] == [f"polybench/{name}" for name in sorted(KERNELS)]
    (lu,) = [entry for entry in listed if entry["name"] == "polybench/lu"]
    assert {"sizes": "N", "results": "A", "constants": ""}.items() <= lu.items()


def test_a_program_is_explained_without_sizes():
    ending = run_redblue("dag", "polybench/cholesky", "--explain")
    assert ending.code == 0
    assert "i = 0 .. N-1, j = 0 .. i-1, k = 0 .. j-1" in ending.out
    assert "A[i][j] -= A[i][k] * A[j][k];" in ending.out
    record = json.loads(run_redblue("dag", "polybench/cholesky", "--explain", "--json").out)[
        "program"
    ]
    assert record["sizes"] == ["N"]
    assert record["statements"][0]["reads"] == ["A[i,j]", "A[i,k]", "A[j,k]"]
    assert record["arrays"] == [
        {"name": "A", "dimensions": 2, "role": "read and written", "live": True}
    ]


def test_sizes_that_a_text_defines_are_told(tmp_path):
    path = tmp_path / "rows.c"
    path.write_text("#define W 8\nfor (i = 0; i < H; i++) for (j = 0; j < W; j++) b[i] += a[i][j];")
    out = run_redblue("dag", path, "--explain").out
    assert f"redblue dag {path}:H=...,W=8\n" in out


def test_temporaries_that_are_one_with_their_readers_are_named(tmp_path):
    path = tmp_path / "named.c"
    path.write_text(
        "void f(int n, double a[n], double b[n], double c[n][n]) { for (int i = 0; i < n; i++)"
        " for (int j = 0; j < n; j++) { double p = a[i] * b[j]; c[i][j] += p; } }"
    )
    out = run_redblue("dag", f"{path}:n=8", "--explain").out
    assert "p may be one with what reads it" in out
    assert "may be one" not in run_redblue("dag", "polybench/gemm:NI=4,NJ=4,NK=4", "--explain").out


def test_what_cannot_be_explained():
    assert "is no program" in run_redblue("dag", "fft:n=8", "--explain").sentence
    traced = run_redblue("dag", "f.py:f:shapes=4,numpy", "--explain")
    assert "whose loops are not read" in traced.sentence


def test_commands_take_programs():
    ending = run_redblue("curve", "polybench/trisolv:N=6", "--memory", "4,8", "--json")
    rows = json.loads(ending.out)["rows"]
    assert {row["method"] for row in rows if row["kind"] == "upper"} >= {"tiled", "best"}
    assert "add N=..." in run_redblue("curve", "polybench/trisolv", "--memory", 4).sentence


def test_a_function_stands_before_its_sizes_with_a_comma_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "void {0}(int M, double a[M]) {{ for (int i = 0; i < M; i++) a[i] = a[i] * 2; }}\n"
    (tmp_path / "kernels.c").write_text(text.format("f") + text.format("g"))
    (tmp_path / "kernels.py").write_text("def f(a, b):\n    return a * b\n")
    for spec, vertices in (
        ("kernels.c:f,M=3", 6),
        ("kernels.c:f:M=3", 6),
        ("kernels.py:f,shapes=4;4,numpy", 12),
        ("kernels.py:f:shapes=4;4,numpy", 12),
    ):
        record = json.loads(run_redblue("dag", spec, "--json").out)
        assert record["dag"]["vertices"] == vertices
    for spec in ("ij,jk->ik:f,i=4,j=4,k=4", "ij,jk->ik:f:i=4,j=4,k=4"):
        refused = run_redblue("dag", spec)
        assert (refused.code, refused.sentence) == (2, "ij,jk->ik is an einsum; 'f' is not read")
