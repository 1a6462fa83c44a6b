"""NumPy code by one string, and its origin in files."""

import numpy as np
import pytest

from dags import FormatError, InvalidSpecError, load, save
from dags.spec import build
from dags.tracing import trace

CODE = """
import numpy as np

def attention(q, k, v):
    weights = np.exp(q @ k.T / np.sqrt(q.shape[1]))
    return weights / weights.sum(axis=1, keepdims=True) @ v

def jacobi(steps, a):
    for _ in range(steps):
        a[1:-1] = a[2:] + a[:-2]

def scaled(s, a):
    return s * a

def broken(a):
    return a / (1 // 0)

def plain(a):
    b = np.zeros(3)
    b[0] = a[0]

def leaves(a):
    raise SystemExit("bye")
"""


@pytest.fixture
def code(tmp_path):
    path = tmp_path / "code.py"
    path.write_text(CODE)
    return path


def test_shapes_numbers_and_options(code):
    names = {}
    exec(CODE, names)
    shapes = (4, 3), (4, 3), (4, 2)
    dag = load(f"{code}:attention:shapes=4x3;4x3;4x2,numpy")
    assert dag == trace(names["attention"], *shapes)
    fused = load(f"{code}:attention:shapes=4x3;4x3;4x2,level=statement,values=true,numpy")
    assert fused == trace(names["attention"], *shapes, level="statement")
    trees = load(f"{code}:attention:numpy,tree=true,shapes=4x3;4x3;4x2")
    assert trees == trace(names["attention"], *shapes, tree=True)
    assert load(f"{code}:jacobi:steps=3,shapes=8,numpy") == trace(names["jacobi"], 3, (8,))
    assert load(f"{code}:scaled:shapes=;8,numpy") == trace(names["scaled"], (), (8,))


def test_without_the_option_no_code_is_run(tmp_path):
    path = tmp_path / "code.py"
    path.write_text("raise SystemExit\n")
    with pytest.raises(FormatError, match="SystemExit"):
        load(f"{path}:f:shapes=3,numpy")
    with pytest.raises((FormatError, InvalidSpecError)) as caught:
        load(f"{path}:f:N=3")
    assert "SystemExit" not in str(caught.value)


@pytest.mark.parametrize(
    ("rest", "error", "reason"),
    [
        ("broken:shapes=3,numpy", FormatError, "line 16: ZeroDivisionError: "),
        ("plain:shapes=3,numpy", FormatError, "line 20: a traced array cannot become a plain"),
        ("leaves:shapes=3,numpy", FormatError, "line 23: SystemExit: bye"),
        ("other:shapes=3,numpy", FormatError, "has no function 'other'; it has attention, jacobi"),
        ("attention:shapes=3,numpy", InvalidSpecError, "k is not given"),
        ("attention:shapes=3x3;4x4;3x3,numpy", FormatError, "line 5: ValueError: matmul: shapes"),
        ("attention:shapes=3y;3;3,numpy", InvalidSpecError, "a shape is like 64x16, not '3y'"),
        ("jacobi:steps=x,shapes=8,numpy", InvalidSpecError, "'steps=x' gives no number"),
        ("jacobi:steps=1,steps=2,shapes=8,numpy", InvalidSpecError, "'steps=2' is given twice"),
        ("jacobi:stops=1,shapes=8,numpy", InvalidSpecError, "there is no argument stops; steps, a"),
        ("jacobi:steps=1,shapes=8,numpy,tree=1", InvalidSpecError, "must say true or false"),
        ("jacobi:steps=1,shapes=8,numpy,level=2", FormatError, "level is operation or statement"),
        ("jacobi:8,numpy", InvalidSpecError, "'8' is given twice or is no option"),
    ],
)
def test_bad_input(code, rest, error, reason):
    with pytest.raises(error) as caught:
        load(f"{code}:{rest}")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_do_not_run(tmp_path):
    path = tmp_path / "code.py"
    with pytest.raises(FileNotFoundError):
        load(f"{path}:f:shapes=3,numpy")
    path.write_text("x = 1\ndef f(:\n")
    with pytest.raises(FormatError, match=r"line 2: SyntaxError"):
        build(f"{path}:f:shapes=3,numpy", {})


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_origins_are_kept_in_files(tmp_path, suffix):
    dag = trace(lambda a, b: (a @ b).sum(axis=0) / 2, (3, 4), (4, 2))
    save(dag, tmp_path / f"dag{suffix}")
    back = load(str(tmp_path / f"dag{suffix}"))
    assert back == dag
    assert back.labels == dag.labels
    assert back.labels[0] == "a[0,0]"
    assert back.labels[-1] == "divide0[i0=1]"


def test_many_operations_have_labels():
    def function(a):
        for _ in range(40_000):
            a = a + 1
        return a

    dag = trace(function, ())
    assert dag.origin.made_by.dtype == np.int32
    assert dag.labels[:2] == ("a", "add0")
    assert dag.labels[-1] == "add39999"
    assert dag.origin.statement[-1] == 39_999


def test_labels_of_products_name_both_operations():
    dag = trace(lambda a, b: a @ b, (1, 2), (2, 1))
    assert dag.labels[4:] == (
        "matmul0.0[i0=0,i1=0,i2=0]",
        "matmul0.0[i0=0,i1=0,i2=1]",
        "matmul0.1[i0=0,i1=0,i2=1]",
    )
    assert dag.origin.arrays == (("a", 2), ("b", 2))
    products, sums = dag.origin.operators
    assert products.loops == sums.loops
