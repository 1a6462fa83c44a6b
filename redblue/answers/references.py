"""Published statements on the I/O of families, and of the problems that they solve, in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from proofs.laws.problems import comparison_sort_words
from schedulers.families.dirac_plans import DiracPlan, theorem_io

THEOREM, PROBLEM = "theorem 1", "any comparison sort"
TWO_KEYS = 2  # words, with which keys can be compared
SORTING = ("bitonic_sort", "odd_even_merge_sort", "odd_even_transposition_sort", "merge_sort")


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
    """The published statements on a family that name words; most have none.

    For the Dirac operator that is theorem 1 of Bilardi et al., 2005: (120 + 66/s) n + 132 k^2 words
    to and from the node's own memory with 96 k^2 s + 288 k s words of it, and 288 n / k to and from
    its neighbours. Its part on an operator that is applied again and again, that no word moves if
    all fit, is left out. For sorting it is the words of any algorithm that compares keys, by
    Aggarwal and Vitter (`proofs.laws.problems`): a bound on the problem, not on the DAG.

    Parameters
    ----------
    family, params
        A generator's name, and all of its parameters.
    memories
        Words of fast memory.
    """
    if family in SORTING:
        enough = (memory for memory in memories if memory >= TWO_KEYS)
        points = tuple((memory, comparison_sort_words(params["n"], memory)) for memory in enough)
        return (Reference(PROBLEM, points),) if points else ()
    if family != "dirac":
        return ()
    between = neighbour_words(params)
    promised = ((memory, local_theorem(params, memory)) for memory in memories)
    points = tuple((memory, floor(words) + between) for memory, words in promised if words)
    return (Reference(THEOREM, points),) if points else ()


def problem_sentences(
    references: Iterable[Reference], played: Iterable[tuple[int, int]]
) -> list[str]:
    """The literature on the problem that a DAG solves, beside plays of the DAG, a line each.

    Parameters
    ----------
    references
        Some of which are about problems.
    played
        (memory, words) of plays.
    """
    moved = dict(played)
    lines = []
    for one in references:
        both = [(memory, words, moved[memory]) for memory, words in one.points if memory in moved]
        if one.name != PROBLEM or not both:
            continue
        ratios = [io / words for _, words, io in both]
        memory, words, io = both[-1]
        lines.append(
            f"The problem, not this DAG: any comparison sort moves {words:,} words or more with "
            f"M = {memory:,} (Aggarwal and Vitter, 1988), and this schedule {io:,}; the ratio is "
            f"{min(ratios):.3g} to {max(ratios):.3g}."
        )
    return lines


def local_theorem(params: Mapping[str, Any], memory: int) -> Fraction | None:
    """The words to and from a node's own memory by theorem 1; None where it says nothing.

    Parameters
    ----------
    params
        Parameters of the Dirac operator.
    memory
        Words of fast memory.
    """
    return theorem_io(params["k"], params["n4"], memory)


def neighbour_words(params: Mapping[str, Any]) -> int:
    """The words to and from the neighbours of a node of a Dirac operator: 288 n / k."""
    k, n4 = params["k"], params["n4"]
    return DiracPlan(k, n4, params["wrap"], "x4", k, n4).neighbour_io
