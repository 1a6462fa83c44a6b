"""Published statements on the I/O of families, in words against memory."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from schedulers.families.dirac_plans import DiracPlan, theorem_io

THEOREM = "theorem 1"


@dataclass(frozen=True)
class Reference:
    """Published I/O, to be shown beside schedules and bounds.

    Parameters
    ----------
    name
        The statement.
    points
        (memory, words) by rising memory.
    """

    name: str
    points: tuple[tuple[int, int], ...]


def references(
    family: str | None, params: Mapping[str, Any], memories: Iterable[int]
) -> tuple[Reference, ...]:
    """Return the published statements on a family that name words; most have none.

    For the Dirac operator that is theorem 1 of Bilardi et al., 2005: (120 + 66/s) n + 132 k^2
    words to and from the node's own memory with 96 k^2 s + 288 k s words of it, and 288 n / k to
    and from its neighbours. What it says of an operator that is applied again and again, that no
    word moves if all fit, is left out.

    Parameters
    ----------
    family, params
        A generator's name, and all of its parameters.
    memories
        Words of fast memory.
    """
    if family != "dirac":
        return ()
    between = neighbour_words(params)
    promised = ((memory, local_theorem(params, memory)) for memory in memories)
    points = tuple((memory, floor(words) + between) for memory, words in promised if words)
    return (Reference(THEOREM, points),) if points else ()


def local_theorem(params: Mapping[str, Any], memory: int) -> Fraction | None:
    """Return the words to and from a node's own memory by theorem 1; None where it says nothing.

    Parameters
    ----------
    params
        Parameters of the Dirac operator.
    memory
        Words of fast memory.
    """
    return theorem_io(params["k"], params["n4"], memory)


def neighbour_words(params: Mapping[str, Any]) -> int:
    """Return the words to and from the neighbours of a node of a Dirac operator: 288 n / k."""
    k, n4 = params["k"], params["n4"]
    return DiracPlan(k, n4, params["wrap"], "x4", k, n4).neighbour_io
