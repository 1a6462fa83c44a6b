"""The finite-size bias of exponents: how they move when a member is made smaller."""

import re

import numpy as np

from redblue.experiments.recoveries import Recovery, counted_corridor
from redblue.sandwich import local_exponents

SIDE = re.compile(r"(?<=[=x])(?:2\^(\d+)|(\d+))")  # of a specification with plain numbers


def halved(spec: str) -> str:
    """Return the member with half the points along every side, or half the levels of 2^d points.

    Examples
    --------
    >>> halved("stencil:shape=100x100,steps=50"), halved("fft:n=2^20")
    ('stencil:shape=50x50,steps=25', 'fft:n=2^10')
    """

    def half(found: re.Match[str]) -> str:
        depth, side = found.groups()
        return f"2^{int(depth) // 2}" if depth else str(int(side) // 2)

    return SIDE.sub(half, spec)


def finite_size_bias(one: Recovery) -> tuple[float, float] | None:
    """Return the most that a local exponent, as played and as proved, moves in the halved member.

    An exponent that nears its limit as the inverse of the sides has as far to go as it came. None
    for a member that is played, whose memories are chosen for its size.
    """
    if one.how != "counted":
        return None
    small, _ = counted_corridor(one.computation, halved(one.spec))
    there, here = local_exponents(small), one.finding.exponents
    common = np.isin(here.starts, there.starts)
    again = np.isin(there.starts, here.starts)
    if not common.any():
        return None
    played, proved = (
        float(np.abs(ours[common] - theirs[again]).max())
        for ours, theirs in zip(here.sides, there.sides, strict=True)
    )
    return played, proved
