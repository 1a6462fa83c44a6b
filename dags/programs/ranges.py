"""Ranges of loop variables and forms, so that the kernels' integers hold what they compute."""

from collections.abc import Mapping, Sequence
from typing import Final

from dags.programs.affine import Affine
from dags.programs.errors import ProgramError
from dags.programs.nest import Assign, Condition, If, Loop, Program, Statement, references

FURTHEST: Final = 2**31 - 1  # points are 32-bit integers
LARGEST: Final = 2**61  # of forms, in 64 bits, with a step added
Range = tuple[int, int]


def require_ranges(program: Program, sizes: Mapping[str, int]) -> None:
    """Raise ProgramError if a loop variable or an affine form may become too large.

    Ranges are those of intervals, which are never too small.

    Parameters
    ----------
    program, sizes
        The program, and values of its sizes.
    """
    _body(program.body, {name: (value, value) for name, value in sizes.items()})


def _body(body: Sequence[Statement], ranges: Mapping[str, Range]) -> None:
    for statement in body:
        if isinstance(statement, Assign):
            for reference in (*references(statement.expression), statement.target):
                _all(reference.indices, ranges, statement.line)
        elif isinstance(statement, If):
            _conditions([each for case in statement.cases for each in case], ranges, statement.line)
            _body(statement.body, ranges)
            _body(statement.otherwise, ranges)
        elif isinstance(statement, Loop):
            _loop(statement, ranges)


def _loop(loop: Loop, ranges: Mapping[str, Range]) -> None:
    """Check the bounds of a loop, and its body where it may run."""
    start = _joined(_all(loop.start, ranges, loop.line), largest=loop.step > 0)
    stop = _joined(_all(loop.stop, ranges, loop.line), largest=loop.step < 0)
    low, high = (start[0], stop[1] - 1) if loop.step > 0 else (stop[0] + 1, start[1])
    if low > high:
        return
    if max(-low, high, abs(loop.step)) > FURTHEST:
        raise ProgramError(f"{loop.variable} may leave -{FURTHEST}..{FURTHEST}", loop.line)
    _body(loop.body, {**ranges, loop.variable: (low, high)})


def _conditions(found: Sequence[Condition], ranges: Mapping[str, Range], line: int) -> None:
    _all([each.form for each in found], ranges, line)


def _all(forms: Sequence[Affine], ranges: Mapping[str, Range], line: int) -> list[Range]:
    return [_range(form, ranges, line) for form in forms]


def _range(form: Affine, ranges: Mapping[str, Range], line: int) -> Range:
    low = high = form.constant
    for name, factor in form.terms:
        ends = [factor * end for end in ranges[name]]
        low += min(ends)
        high += max(ends)
    if max(-low, high) > LARGEST:
        raise ProgramError(f"{str(form)[:60]} is too large to compute with", line)
    return low, high


def _joined(ranges: Sequence[Range], *, largest: bool) -> Range:
    """Return the range of the largest, or of the smallest, of some numbers."""
    join = max if largest else min
    lows, highs = zip(*ranges, strict=True)
    return join(lows), join(highs)
