"""What is not traced is refused in one sentence that names it."""

import math

import numpy as np
import pytest

from dags.tracing import TraceError, trace


def assign_cell(a):
    b = np.zeros(3)
    b[0] = a[0]


def assign_slice(a):
    b = np.zeros(3)
    b[:] = a


def add_in_place(a):
    b = np.zeros(3)
    b += a


PLAIN = r"cannot become a plain NumPy array.*np\.zeros_like\(traced\)"
FUNCTIONS = {
    "eig": (np.linalg.svd, r"numpy\.linalg\.svd is not traced; traced are: cholesky, det"),
    "interp": (lambda a: np.interp(a, a, a), r"numpy\.interp is not traced; traced are: all, an"),
    "sort": (np.sort, r"numpy\.sort is not traced: what it does depends on values"),
    "argmax": (np.argmax, r"numpy\.argmax is not traced: what it does depends on values"),
    "sort in place": (lambda a: a.sort(), "sort is not traced: what it does depends on values"),
    "if": (lambda a: a if a[0, 0] > 0 else -a, "asked for by if"),
    "max": (lambda a: max(a[0, 0], a[0, 1]), "asked for by if"),
    "in": (lambda a: 3 in a, "asked for by `in`"),
    "a cell": (assign_cell, PLAIN),
    "a slice": (assign_slice, PLAIN),
    "in place": (add_in_place, PLAIN),
    "np.array": (lambda a: np.array([a[0], a[1]]), PLAIN),
    "math": (lambda a: math.sqrt(a[0, 0]), PLAIN),
    "int": (lambda a: int(a[0, 0]), r"int\(\) of a traced value"),
    "complex": (lambda a: complex(a[0, 0]), r"complex\(\) of a traced value"),
    "range": (lambda a: range(a[0, 0]), "whole number .* of a traced value"),
    "out": (lambda a: np.add(a, a, out=np.zeros((3, 3))), PLAIN),
    "a condition": (lambda a: a[a > 1], r"traced value \(a condition\).*constants="),
    "indices": (lambda a: a[a.astype(int)], r"traced value \(integers\)"),
    "masked arrays": (lambda a: a.__setitem__(a > 1, a[0]), "has the shape of a and the value is"),
    "at": (lambda a: np.add.at(a, [0], 1), r"numpy\.add\.at is not traced; of ufuncs, calls"),
    "reduceat": (lambda a: np.add.reduceat(a, [0]), r"numpy\.add\.reduceat is not traced"),
    "where": (lambda a: np.where(a > 1), "shape is data"),
    "where in a call": (lambda a: np.add(a, a, where=a > 1), "with where= is traced with out="),
    "where in a sum": (lambda a: np.sum(a, where=a > 1), "reduce with where= is not traced"),
    "where in a mean": (
        lambda a: np.mean(a, where=a > 1),
        r"numpy\.mean is not traced so: it got an unexpected keyword argument 'where'",
    ),
    "an attribute": (lambda a: a.tobytes(), r"attribute \.tobytes is not traced"),
    "einsum": (lambda a: np.einsum(a, [0, 1]), "its indices in a string"),
    "pad": (lambda a: np.pad(a, 1, mode="mean"), "not in mode 'mean'"),
    "stacked matrices": (lambda a: np.linalg.inv(a[None]), r"one square matrix, not for shape"),
    "norm": (lambda a: np.linalg.norm(a, 2), r"norm is not traced for ord=2"),
    "fft": (lambda a: np.fft.fft(a, norm="ortho"), "norm='backward'"),
    "nothing": (lambda a: a.T, "nothing is computed from traced arguments"),
    "numbers": (lambda a: 3, "nothing is computed from traced arguments"),
    "two": (lambda a, b: a @ b, r"b is not given; a shape is given as a tuple"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function, reason = FUNCTIONS[name]
    options = {"own_arrays": False} if reason is PLAIN else {}
    with pytest.raises(TraceError, match=reason) as caught:
        trace(function, (3, 3), **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", [name for name, (_, reason) in FUNCTIONS.items() if reason is PLAIN and name != "out"]
)
def test_what_stays_refused_with_own_arrays_keeps_its_sentence(name):
    with pytest.raises(TraceError, match=PLAIN):
        trace(FUNCTIONS[name][0], (3, 3))


def test_the_line_is_that_of_the_function():
    with pytest.raises(TraceError) as caught:
        trace(assign_cell, (3,))
    assert caught.value.line == assign_cell.__code__.co_firstlineno + 2


def test_the_users_own_errors_are_his():
    with pytest.raises(ZeroDivisionError):
        trace(lambda a: a / (1 // 0), (3,))
    with pytest.raises(ValueError, match=r"could not be broadcast|shape mismatch"):
        trace(lambda a: a + np.ones(2), (3,))
    with pytest.raises(IndexError):
        trace(lambda a: a[7], (3,))
    with pytest.raises(TypeError, match="not cast to int64 in place"):
        trace(lambda a: a.__iadd__(0.5), np.arange(3))
    with pytest.raises(TypeError, match="unsupported operand"):
        trace(lambda a: a + object(), (3,))


def test_too_much_is_refused_before_it_is_laid_out():
    for function in (
        lambda a: a + a[:, None],
        lambda a: np.outer(a, a),
        lambda a: a[:, None] @ a[None],
    ):
        with pytest.raises(TraceError, match="the trace has more than 2147483647 vertices"):
            trace(function, (10**5,))


def test_other_traces_are_refused():
    kept = []
    trace(lambda a: kept.append(a) or a * 2, (3,))
    with pytest.raises(TraceError, match="another trace"):
        trace(lambda a: a + kept[0], (3,))


@pytest.mark.parametrize(
    ("arguments", "options", "reason"),
    [
        (((3,),), {"level": "vertex"}, "level is operation or statement, not 'vertex'"),
        (((3,),), {"constants": ["b"]}, "there is no argument b; there are a"),
        (((3,),), {"constants": ["a"]}, "the constant a needs values, not the shape"),
        (((-3,),), {}, r"a has no shape \(-3,\)"),
        (((3,), (3,)), {}, "2 arguments are given for 1: a"),
        ((np.array(["x"]),), {}, "a holds <U1, which is not traced"),
        (((300, 300),), {"max_vertices": 1000}, "the trace has more than 1000 vertices"),
        (((10**6, 10**6),), {}, "the trace has more than 2147483647 vertices"),
        (((10**6, 1),), {"max_vertices": 10**7}, "the trace has more than 10000000 vertices"),
    ],
)
def test_arguments(arguments, options, reason):
    with pytest.raises(TraceError, match=reason):
        trace(lambda a: a @ a.T + a.T - a, *arguments, **options)
