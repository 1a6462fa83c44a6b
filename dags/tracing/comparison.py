"""Values that a trace carried against those that NumPy gives."""

from typing import Any

import numpy as np

from dags.tracing.arrays import TracedArray
from dags.tracing.errors import TraceError

DIGITS = 0.5  # of those that the data type has; sums are in another order than NumPy's


def require_equal(name: str, found: Any, expected: Any) -> None:
    """Raise TraceError unless carried values are NumPy's up to rounding.

    Parameters
    ----------
    name
        What they are.
    found, expected
        What the function returned traced and plain: arrays, numbers, and nested tuples, lists
        and dicts of them.
    """
    if isinstance(expected, dict):
        for key in expected:
            require_equal(f"{name}[{key!r}]", found[key], expected[key])
    elif isinstance(expected, list | tuple):
        for i, (left, right) in enumerate(zip(found, expected, strict=True)):
            require_equal(f"{name}[{i}]", left, right)
    elif isinstance(found, TracedArray):
        _require_close(name, found, np.asarray(expected))


def _require_close(name: str, found: TracedArray, expected: Any) -> None:
    if found.shape != expected.shape or found.dtype != expected.dtype:
        raise TraceError(
            f"the trace gives {name} as {found.dtype} {found.shape}, "
            f"NumPy as {expected.dtype} {expected.shape}"
        )
    if expected.dtype.kind in "biu":
        close = found.values == expected
    else:
        near = float(np.finfo(expected.dtype).eps) ** DIGITS
        scale = np.nanmax(np.abs(expected[np.isfinite(expected)]), initial=0)
        close = np.isclose(found.values, expected, near, near * scale, equal_nan=True)
    if not close.all():
        place = tuple(int(i) for i in np.argwhere(~close)[0])
        raise TraceError(
            f"the trace gives {found.values[place]} for {name}{list(place) or ''}, "
            f"NumPy {expected[place]}"
        )
