"""Assignments into traced arrays, their constants, and comparisons of carried values."""

import numpy as np
import pytest

from dags.tracing import TraceError, trace, tracer


def fill(a):
    np.fill_diagonal(a, a[0, 1] * 2)
    a[a > 1.4] = 0.0
    np.copyto(a[0], a[1])
    a[2, 1:] = a[1, :-1] - 1
    a.T[0] = np.sqrt(a[:, 1])
    b = a.copy()
    b += a
    s = a[0, 0]
    t = s
    s += b[1, 1]
    a[1, 1] = s * t
    a[[0, 2], 1] *= 3
    b.fill(2.0)


def test_assignments():
    trace(fill, (4, 4), values=True)


def test_constants_stay_constants():
    def function(a):
        b = np.zeros_like(a)
        b[1] = 3
        assert b[1] > 2
        assert np.array_equal(np.asarray(b * 2), [0, 6, 0])
        assert range(np.zeros_like(a, dtype=int)[0] + 2) == range(2)
        return (b + 1)[b[1] > 2 and slice(None)] + a[1:2]

    dag = trace(function, (3,), values=True)
    assert dag.labels == ("a[1]", "add2[i0=0]", "add2[i0=1]", "add2[i0=2]")


def test_values_that_differ_are_told():
    calls = []

    def function(a):
        calls.append(a)
        return a * len(calls)

    with pytest.raises(TraceError, match=r"the trace gives .* for the result\[0\], NumPy "):
        trace(function, (2,), values=True)


def test_types_that_differ_are_told():
    traced = trace_of(lambda a: a * 2)
    with pytest.raises(TraceError, match=r"gives x as float64 \(2,\), NumPy as float32 \(2,\)"):
        tracer.require_equal("x", traced, np.zeros(2, np.float32))


def trace_of(function):
    kept = []
    trace(lambda a: kept.append(function(a)) or kept[0], (2,))
    return kept[0]
