"""I/O curves of members that are not laid out."""

import time
from collections.abc import Iterable
from typing import Any

from dags import InvalidSpecError, Member, member
from dags.programs.members import NestMember
from pebble import ONE_SHOT, MemoryTooSmallError, Rules
from proofs.bounds.families.butterflies import butterfly_words
from proofs.bounds.families.dirac import dirac_words
from proofs.bounds.loops.nests import nest_bound
from proofs.closed_forms import FORMS, largest_form
from redblue.counted.nests import best_play, look_for_plays
from redblue.envelope import with_best
from redblue.memories import memory_sizes
from redblue.plays import infeasible
from redblue.references import references
from redblue.results import IOCurve, Row
from schedulers import COUNTED_PLAYS
from schedulers.tilings.words import tiling_text

PLAY, BOUND = "counted", "closed-forms"  # methods, as the rows call them
TILES = "tiled"  # of programs


def counted_curve(
    source: str | Member, memories: str | Iterable[int], *, rules: Rules = ONE_SHOT
) -> IOCurve:
    """Return the I/O curve of a member of a family from formulas alone: no DAG is made.

    Upper rows are exact counts of a play by tiles that is legal under all rules, of status
    "counted"; lower rows are the best closed forms, those of `butterflies` among
    them. A play for less memory counts for more.

    Parameters
    ----------
    source
        The member, or its specification.
    memories
        Words of fast memory, as numbers or as a text like "1e2:1e8".
    rules
        The rules of the game.

    Raises
    ------
    MemoryTooSmallError
        If no size is enough for any play.

    Examples
    --------
    >>> curve = counted_curve("matmul:n=100000", [10**4, 10**6])
    >>> curve.envelope("upper")
    ((10000, 20130000000000), (1000000, 2020000000000))
    >>> curve.envelope("lower")
    ((10000, 20000980151955), (1000000, 2000000999997))
    """
    known = member(source) if isinstance(source, str) else source
    sizes = memory_sizes(memories)
    require_formulas(rules)
    least = known.min_memory(sliding=rules.sliding)
    if not sizes or sizes[-1] < least:
        raise MemoryTooSmallError(sizes[-1] if sizes else 0, least, f"of {known.family}")
    if isinstance(known, NestMember):
        look_for_plays(known, sizes)
    rows = [row for size in sizes for row in _rows(known, size, least, rules)]
    published = references(known.family, known.params, sizes)
    return IOCurve(described(known, rules), rules, with_best(rows, sizes), references=published)


def require_formulas(rules: Rules) -> None:
    """Raise InvalidSpecError under rules for which no formula is proved."""
    if rules.partial:
        raise InvalidSpecError("no formulas are known for partial computation: lay the DAG out")


def described(known: Member, rules: Rules = ONE_SHOT) -> dict[str, Any]:
    """Return the sizes of a member, as `redblue.results.describe` has those of a DAG."""
    counts = known.sizes
    return {
        "spec": known.spec,
        "vertices": counts.vertices,
        "edges": counts.edges,
        "inputs": counts.inputs,
        "outputs": counts.outputs,
        "min_memory": known.min_memory(sliding=rules.sliding),
    }


def counted_row(known: Member, memory: int, rules: Rules = ONE_SHOT) -> Row | None:
    """Return the row of the family's counted play; None where it is not known.

    Parameters
    ----------
    known
        The member.
    memory, rules
        Words of fast memory, and the rules.
    """
    began = time.perf_counter()
    if isinstance(known, NestMember):
        best = best_play(known, memory)
        if best is None:
            return None
        words = best.io, best.moved.loads, best.moved.stores
        told = tiling_text(known.nest, best.tiling)
        return Row("upper", TILES, memory, *words, "counted", time.perf_counter() - began, told)
    play = COUNTED_PLAYS.get(known.family)
    if play is None:
        return None
    room = memory + (play.slides if rules.sliding else 0)
    moved = play.count(known.params, room) if room >= known.min_memory() else None
    if moved is None:
        return None
    seconds = time.perf_counter() - began
    return Row("upper", PLAY, memory, sum(moved), *moved, "counted", seconds)


def bound_row(known: Member, memory: int, rules: Rules) -> Row | None:
    """Return the row of the largest closed form; None where the family has none.

    Parameters
    ----------
    known
        The member.
    memory, rules
        Words of fast memory, and the rules.
    """
    began = time.perf_counter()
    if isinstance(known, NestMember):
        bound = nest_bound(known.nest, memory, rules=rules)
        seconds = time.perf_counter() - began
        return Row("lower", bound.method, memory, bound.io, None, None, "bound", seconds)
    if known.family == "dirac":
        words = dirac_words(known.params, memory, rules)
    elif known.family in FORMS:
        words = largest_form(known.family, known.params, memory, rules)
        if known.family == "fft" and not rules.recompute:
            words = max(words, butterfly_words(known.params, memory, rules)[0])
    else:
        return None
    seconds = time.perf_counter() - began
    return Row("lower", BOUND, memory, words, None, None, "bound", seconds)


def _rows(known: Member, memory: int, least: int, rules: Rules) -> list[Row]:
    if memory < least:
        return [infeasible(PLAY, memory)]
    found = (counted_row(known, memory, rules), bound_row(known, memory, rules))
    return [row for row in found if row is not None]
