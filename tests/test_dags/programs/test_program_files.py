"""Programs by specification: files and kernels, their refusals with file and line."""

import pickle

import numpy as np
import pytest

import dags
from dags import FormatError, InvalidSpecError, RedBlueError, UnknownNameError, renumber
from dags.programs.text import from_c

GOOD = "void f(int n, double x[n]) { for (int i = 0; i < n; i++) x[i] *= 2; }\n"


def test_files_are_read_by_their_suffix(tmp_path):
    (tmp_path / "k.c").write_text(GOOD + GOOD.replace(" f(", " g("))
    (tmp_path / "k.py").write_text("import os\nos.abort()\ndef f(x, n):\n x[0] *= n + x[n]\n")
    assert dags.load(f"{tmp_path}/k.c:g:n=3").outputs.size == 3
    assert dags.load(f"{tmp_path}/k.py:n=3").n == 3
    assert dags.load(f"{tmp_path}/k.py:f:n=3,level=operation").n == 4


FILES = [
    ("k.c", b"\n\nx[i*j] *= 2;", "", "k.c, line 3: i * j is affine only where i and j are numbers"),
    ("k.c", b"\r\n\r\nx[i*j] *= 2;", "", "line 3: i * j is affine only where i and j"),
    ("k.c", GOOD.encode(), "", "n has no value; add n=..."),
    ("k.c", GOOD.encode(), "g", "no function is called 'g'; there are: f"),
    ("k.c", GOOD.encode(), "n=0", "nothing is computed for x"),
    ("k.c", GOOD.encode(), "n=3,level=word", "level is statement or operation"),
    ("k.c", GOOD.encode(), "n=999999999", "999999999 cells|GiB to build"),
    ("k.c", b"x = \xff;", "", "is not UTF-8"),
    ("k.c", b"\0\0\0", "", "NUL"),
    ("k.c", b"", "", "assigns to no cell"),
    ("k.py", b"def f(x:\n pass", "", "is no Python"),
    ("k.py", b"def f(x):\n x[0] = y[x[0]]\n", "", "line 2: index x[0] is not affine"),
    ("k.py", b"x = 3\n", "", "which function is meant? There are: none"),
    ("k.py", b"\0", "", "is no Python"),
]


@pytest.mark.parametrize(("name", "content", "rest", "message"), FILES)
def test_files_that_are_no_nests_are_refused_in_one_sentence(
    tmp_path, name, content, rest, message
):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError) as caught:
        dags.load(f"{tmp_path / name}:{rest}")
    assert any(part in str(caught.value) for part in message.split("|"))
    assert "\n" not in str(caught.value)


SPECS = [
    ("polybench/gemm:NI=x", InvalidSpecError, "NI must be a whole number, not 'x'"),
    ("polybench/gemm:NI=3,NI=4", InvalidSpecError, "NI is given twice"),
    ("polybench/gemm:NI", InvalidSpecError, "is one function"),
    ("polybench/gemm:f:NI=3", InvalidSpecError, "is one function"),
    ("polybench/gem:NI=3", UnknownNameError, "gem"),
    ("polybench/gemm:NI=3,NJ=3", FormatError, "NK has no value"),
    ("polybench/gemm:NI=3,NJ=3,NK=3,live=Z", FormatError, "has no Z"),
    ("polybench/lu:N=100000", FormatError, "the arrays have 10000000000 cells"),
    ("polybench/lu:N=999999999999999999", FormatError, "i may leave"),
]


@pytest.mark.parametrize(("spec", "error", "message"), SPECS)
def test_specifications_are_refused(spec, error, message):
    with pytest.raises(error) as caught:
        dags.load(spec)
    assert message in str(caught.value)


def test_a_file_that_is_not_there_is_an_os_error_or_a_refusal():
    for spec in ("nowhere.c:N=3", "\0.c:N=3"):
        with pytest.raises((OSError, RedBlueError)):
            dags.load(spec)


def test_too_many_vertices_are_refused_without_the_help_of_declared_arrays():
    text = """
    for (i = 0; i < N; i++)
      for (j = i; j < N; j++)
        for (k = 0; k < i; k++)
          s += x[i][k] * y[k][j];
    """
    with pytest.raises(ValueError, match="runs more than 2147483647 assignments"):
        from_c(text).dag(N=100_000)


def test_renumbering_keeps_the_labels_of_a_program():
    dag = dags.load("polybench/trisolv:N=3")
    order = np.r_[dag.inputs[::-1], dag.computed]
    for second in (renumber(dag, order), pickle.loads(pickle.dumps(renumber(dag, order)))):
        assert list(second.labels) == [dag.labels[v] for v in order]
