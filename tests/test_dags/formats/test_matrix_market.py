import numpy as np
import pytest
import scipy.io
import scipy.sparse

from dags import FormatError, InvalidDAGError, from_edges, load, spmv_of
from dags.formats import read, save
from tests.command_line import run_redblue

BANNER = "%%MatrixMarket matrix coordinate"


def written(tmp_path, text):
    path = tmp_path / "a.mtx"
    path.write_text(text)
    return path


def read_text(tmp_path, text):
    return read(written(tmp_path, text))


def solve_of(tmp_path, text):
    return load(f"sptrsv:matrix={written(tmp_path, text)}")


def test_entries_are_edges_from_column_to_row(tmp_path):
    text = f"{BANNER} real general\n% c\n3 3 5\n1 1 2.0\n2 1 -1e-3\n3 2 0\n3 3 1.\n3 1 .5\n"
    assert solve_of(tmp_path, text) == from_edges(3, [(0, 1), (1, 2), (0, 2)])
    text = f"{BANNER} pattern general\n3 3 3\n2 1\n3 2\n3 1\n"
    assert read_text(tmp_path, text) == from_edges(3, [(0, 1), (1, 2), (0, 2)])


@pytest.mark.parametrize("symmetry", ["symmetric", "skew-symmetric", "hermitian"])
def test_a_symmetric_matrix_is_solved_by_its_lower_triangle(tmp_path, symmetry):
    text = f"{BANNER} complex {symmetry}\n3 3 3\n2 1 1 0\n2 3 1 1\n1 1 1 0\n"
    assert solve_of(tmp_path, text) == from_edges(3, [(0, 1), (1, 2)])


def test_an_upper_triangle_is_renumbered(tmp_path):
    dag = read_text(tmp_path, f"{BANNER} pattern general\n2 2 1\n1 2\n")
    assert dag.labels == (1, 0)


@pytest.mark.parametrize("field", ["pattern", "integer", "real", "complex"])
@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_files_of_scipy_are_read(tmp_path, field, symmetry):
    rng = np.random.default_rng(0)
    dense = np.tril(rng.integers(0, 3, (12, 12)))
    stored = dense + np.tril(dense, -1).T if symmetry == "symmetric" else dense
    path = tmp_path / "a.mtx"
    scipy.io.mmwrite(path, scipy.sparse.coo_array(stored), field=field, symmetry=symmetry)
    row, column = np.nonzero(np.tril(dense, -1))
    assert load(f"sptrsv:matrix={path}") == from_edges(12, np.column_stack((column, row)))
    assert load(f"spmv:matrix={path}") == spmv_of(scipy.sparse.csr_array(stored))
    message = "symmetric" if symmetry == "symmetric" else "triangular"
    with pytest.raises(
        FormatError, match=f"holds a {message} matrix, and which computation is meant"
    ):
        read(path)


def test_products_have_any_number_of_columns(tmp_path):
    text = f"{BANNER} real general\n2 3 4\n1 1 1\n2 3 1\n1 3 1\n1 3 2\n"
    path = written(tmp_path, text)
    wide = scipy.sparse.csr_array(([1, 1, 1], [0, 2, 2], [0, 2, 3]), shape=(2, 3))
    assert load(f"spmv:matrix={path},word=4") == spmv_of(wide)
    with pytest.raises(FormatError, match="a 2 x 3 matrix; a triangular solve takes a square one"):
        load(f"sptrsv:matrix={path}")


def test_a_laplacian_in_a_file_is_recognised(tmp_path):
    path = tmp_path / "laplacian.mtx"
    line = scipy.sparse.diags_array([1.0, 2.0, 1.0], offsets=[-1, 0, 1], shape=(6, 6))
    scipy.io.mmwrite(path, line, symmetry="symmetric")
    assert load(f"spmv:matrix={path}").recognised.spec == "spmv:shape=6"


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "real symmetric\n2 2 2\n1 1 1\n2 1 1\n",
            "holds a symmetric matrix, and which computation is meant? spmv:matrix={0} is the "
            "product with it and a vector, all of it; sptrsv:matrix={0} the triangular solve with "
            "its lower triangle",
        ),
        (
            "real general\n2 2 2\n1 1 1\n2 1 1\n",
            "holds a triangular matrix, and which computation is meant? spmv:matrix={0} is the "
            "product with it and a vector; sptrsv:matrix={0} the triangular solve with it",
        ),
        (
            "real general\n2 2 3\n1 1 1\n2 1 1\n1 2 1\n",
            "holds a matrix that is no triangle, and so no DAG: spmv:matrix={0} is the product "
            "with it and a vector",
        ),
        (
            "pattern general\n2 2 2\n2 1\n1 2\n",
            "holds a matrix that is no triangle, and so no DAG: spmv:matrix={0} is the product "
            "with it and a vector",
        ),
    ],
)
def test_a_matrix_asks_which_computation_is_meant(tmp_path, monkeypatch, body, sentence):
    monkeypatch.chdir(tmp_path)
    path = written(tmp_path, f"{BANNER} {body}").name
    for command in (("dag",), ("bound", "--memory", "9")):
        ending = run_redblue(command[0], path, *command[1:])
        assert (ending.code, ending.sentence) == (2, f"{path}: {sentence.format(path)}")
    assert run_redblue("dag", f"spmv:matrix={path}").code == 0


def test_other_options_of_a_matrix_are_refused(tmp_path):
    path = written(tmp_path, f"{BANNER} pattern general\n2 2 1\n2 1\n")
    for extra in (f"{path},shape=4", f"{path},matrix={path}"):
        ending = run_redblue("dag", f"spmv:matrix={extra}")
        assert ending.code == 2
        assert ending.sentence.endswith("is no matrix; spmv:matrix=FILE.mtx")
    missing = run_redblue("dag", "sptrsv:matrix=nothing.mtx")
    assert (missing.code, missing.sentence[:12]) == (2, "nothing.mtx:")


def test_scipy_reads_what_is_written(tmp_path):
    dag = from_edges(4, [(0, 1), (1, 2), (0, 2)])
    save(dag, tmp_path / "a.mtx")
    matrix = scipy.io.mmread(tmp_path / "a.mtx", spmatrix=False).toarray()
    assert np.argwhere(matrix).tolist() == [[1, 0], [2, 0], [2, 1]]
    assert matrix.shape == (4, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: must begin with '%%MatrixMarket matrix coordinate"),
        ("3 3 1\n2 1\n", "line 1: must begin"),
        (
            "%%MatrixMarket matrix array real general\n2 2\n",
            "'coordinate'.* is needed, not 'array'",
        ),
        (f"{BANNER} boolean general\n", "no such kind of matrix: boolean general"),
        (f"{BANNER} real general\n", "no header line 'rows columns entries'"),
        (f"{BANNER} real general\n2 2\n", "line 2: the header must be"),
        (f"{BANNER} real symmetric\n2 3 0\n", "line 2: a 2 x 3 matrix; a symmetric one is square"),
        (f"{BANNER} pattern general\n2 2 2\n2 1\n", "ends early: the header promises 2 entries"),
        (f"{BANNER} pattern general\n2 2 1\n2 1\n2 1\n", "line 4: is left over"),
        (f"{BANNER} pattern general\n2 2 1\n2 1 1.0\n", "line 3: a matrix line with 3 fields"),
        (f"{BANNER} real general\n2 2 1\n2 1\n", "line 3: a matrix line with 2 fields, not 3"),
        (f"{BANNER} real general\n2 2 1\n2 1 x\n", "line 3: a matrix line holds 'x', no number"),
        (f"{BANNER} real general\n2 2 1\n2.5 1 1\n", "line 3: a matrix line holds '2.5'"),
        (f"{BANNER} pattern general\n2 2 1\n3 1\n", r"line 3: row 3 is not in 1\.\.2"),
        (f"{BANNER} pattern general\n2 2 1\n1 0\n", r"line 3: column 0 is not in 1\.\.2"),
        (f"{BANNER} real general\n{10**15} {10**15} 0\n", "line 2: a DAG has at most"),
    ],
)
def test_malformed_files_are_refused(tmp_path, text, message):
    with pytest.raises(FormatError, match=message):
        read_text(tmp_path, text)


def test_a_matrix_that_is_not_triangular_is_refused(tmp_path):
    with pytest.raises(FormatError, match="triangular in no order of its rows"):
        solve_of(tmp_path, f"{BANNER} pattern general\n2 2 2\n1 2\n2 1\n")


def test_an_empty_matrix_is_refused(tmp_path):
    with pytest.raises(InvalidDAGError, match="not 0"):
        read_text(tmp_path, f"{BANNER} pattern general\n0 0 0\n")
