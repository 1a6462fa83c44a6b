"""The finite-size bias of exponents: how they move when a member is made smaller."""

import re

import numpy as np

from dags import Computation, RedBlueError
from pebble import ONE_SHOT, Rules
from redblue.answers.counted.curves import counted_curve
from redblue.laws.sandwich import Corridor, Locals, corridor_of_curve, local_exponents

SIDE = re.compile(r"(?<=[=x])(?<!radix=)(?:(\d+)\^(\d+)|(\d+))")  # of a specification with numbers


def halved(spec: str) -> str:
    """The member with half the points along every side, or half the levels of 2^d points.

    Examples
    --------
    >>> halved("stencil:shape=100x100,steps=50"), halved("fft:n=2^20")
    ('stencil:shape=50x50,steps=25', 'fft:n=2^10')
    """

    def half(found: re.Match[str]) -> str:
        base, depth, side = found.groups()
        return f"{base}^{int(depth) // 2}" if depth else str(int(side) // 2)

    return SIDE.sub(half, spec)


def bias(here: Locals, there: Locals) -> tuple[float, float] | None:
    """The most that a local exponent, as played and as proved, differs between two members.

    An exponent that nears its limit as the inverse of the sides has as far to go as it came from
    the halved member. None without a decade of memory that both have.
    """
    common = np.isin(here.starts, there.starts)
    again = np.isin(there.starts, here.starts)
    if not common.any():
        return None
    played, proved = (
        float(np.abs(ours[common] - theirs[again]).max())
        for ours, theirs in zip(here.sides, there.sides, strict=True)
    )
    return played, proved


def halving_bias(
    known: Computation, corridor: Corridor, *, rules: Rules = ONE_SHOT
) -> tuple[float, float] | None:
    """The finite-size bias of a member's exponents; None where half of it has no corridor.

    Parameters
    ----------
    known
        The member.
    corridor
        That of its curve.
    rules
        The rules of the game.
    """
    memories = corridor.memories.astype(int).tolist()
    try:
        curve = counted_curve(halved(known.spec), memories, rules=rules)
    except RedBlueError:  # nothing is left of it, or no size is enough
        return None
    smaller = corridor_of_curve(curve, corridor.overhead)
    return bias(local_exponents(corridor), local_exponents(smaller))
