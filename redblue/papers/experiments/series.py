"""Series of a figure from an I/O curve: schedules and lower bounds."""

from redblue.answers.results import IOCurve, Kind, Row
from redblue.show.model import Series


def played(curve: IOCurve, method: str = "best", label: str = "") -> Series:
    """Return I/O against memory of one scheduler, by default the best of all."""
    return _series(
        curve, "upper", method, label or ("best schedule" if method == "best" else method)
    )


def proved(curve: IOCurve, method: str = "best", label: str = "") -> Series:
    """Return the lower bound on I/O against memory by one method, by default the best."""
    return _series(curve, "lower", method, label or ("best bound" if method == "best" else method))


def stepped(
    memories: list[int], words: list[float], end: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return x and y of a step curve that falls at each of `memories` and ends at `end`."""
    x = [float(edge) for edge in memories for _ in range(2)][1:]
    y = [float(word) for word in words for _ in range(2)]
    return (*x, float(end)), tuple(y)


def _series(curve: IOCurve, kind: Kind, method: str, label: str) -> Series:
    rows = [row for row in curve.rows if row.kind == kind and row.method == method]
    rows = sorted((row for row in rows if row.io is not None), key=lambda row: row.memory)
    return Series(
        label,
        tuple(float(row.memory) for row in rows),
        tuple(float(row.io or 0) for row in rows),
        kind,
        tuple(_note(curve, row) for row in rows),
    )


def _note(curve: IOCurve, row: Row) -> str:
    """Return the method and the exact counts of a row, as text."""
    method = winner(curve, row) if row.method == "best" else row.method
    if row.kind == "lower":
        return f"{method}: at least {row.io:,} words with {row.memory:,}"
    return (
        f"{method}: {row.io:,} words with {row.memory:,}, "
        f"{row.loads:,} loaded and {row.stores:,} stored"
    )


def winner(curve: IOCurve, best: Row) -> str:
    """Return the method behind a row of method "best": "search" where none alone does as much."""
    others = (row for row in curve.rows if (row.kind, row.io) == (best.kind, best.io))
    near = sorted(others, key=lambda row: abs(row.memory - best.memory))
    return next((row.method for row in near if row.method != "best"), "search")
