"""Arrays that a traced function makes itself."""

import numpy as np
import pytest
from numpy import zeros

from dags.tracing import TraceError, trace
from tests.test_dags.tracing.other_programs import maxpool2d, reals


def differences(a):
    b = np.zeros(len(a))
    b[1:] = a[1:] - a[:-1]
    return b


def helped(a, *, scale=2.0):
    c = zeros((2, a.size), a.dtype)
    c[0], c[1] = differences(a), np.full(a.size, a[0])
    return c * scale


def listed(a):
    total = np.array([a[0] + a[1], 0.0])
    total[1] = np.asarray(a)[2] * 2
    return total + np.array([1.0, 2.0]) + np.eye(2)[0]


def pooled(x):
    kept = np.empty(x.shape[1:3], dtype=np.float64)
    for i in range(int(np.ones(1, dtype=int)[0]) * x.shape[1]):
        kept[i] = maxpool2d(x)[0, 0, 0, 0]
    return kept


def shaped(a):
    b = np.ndarray(a.shape, a.dtype)
    b[:] = 1.0 if isinstance(a, np.ndarray) and isinstance(b, np.ndarray) else a
    return a * b


def liked(a):
    b = np.zeros(2, like=a)
    b[:] = a[:2] + np.full(2, 1.5) + np.full(2, 3.0, like=a)
    return b


@pytest.mark.parametrize("function", [differences, helped, listed, liked, shaped])
def test_values(function):
    trace(function, (5,), values=True, own_arrays=True)


@pytest.mark.parametrize("function", [differences, helped, listed, liked, shaped])
def test_they_are_used_where_code_is_refused_without(function):
    assert trace(function, (5,), values=True) == trace(function, (5,), own_arrays=True)


def filled(a, kept):
    kept[0] += 1
    b = np.zeros(len(a))
    b[:] = a * kept[0]
    return b


def test_constants_are_as_they_were_in_the_second_run():
    kept = np.zeros(1)
    dag = trace(filled, (3,), kept, constants=["kept"])
    assert dag == trace(lambda a: a * 1.0, (3,))
    assert kept[0] == 0


def test_a_later_refusal_is_told():
    def sorted_copy(a):
        b = np.zeros(3)
        b[:] = a
        return np.sort(b)

    with pytest.raises(TraceError, match=r"^line \d+: numpy\.sort is not traced"):
        trace(sorted_copy, (3,))


def test_other_modules():
    trace(pooled, reals(1, 4, 4, 1), values=True, own_arrays=True)


def test_numpy_and_the_function_are_as_they_were():
    trace(differences, (5,), own_arrays=True)
    assert isinstance(np.zeros(3), np.ndarray)
    assert differences.__globals__["np"] is np
    with pytest.raises(TraceError, match="or pass own_arrays=True"):
        trace(differences, (5,), own_arrays=False)


def test_functions_of_numpy_are_no_functions_of_python():
    assert trace(np.matmul, (2, 2), (2, 2), own_arrays=True).n == 20
