"""I/O curves of members that are not laid out."""

import time
from collections.abc import Iterable
from typing import Any

from dags import InvalidSpecError, Member, UnknownNameError, member
from dags.programs.members import NestMember, nest_of
from pebble import ONE_SHOT, MemoryTooSmallError, Rules
from proofs.bounds.families.butterflies import butterfly_words
from proofs.bounds.families.dirac import dirac_words
from proofs.bounds.loops.nests import nest_bound
from proofs.laws.closed_forms import FORMS, largest_form
from redblue.answers.counted.nests import best_play, look_for_plays
from redblue.answers.envelope import with_best
from redblue.answers.plays import infeasible
from redblue.answers.references import references
from redblue.answers.results import IOCurve, Row
from redblue.answers.words import memories_of
from schedulers import COUNTED_PLAYS
from schedulers.tilings.words import tiling_text

PLAY, BOUND = "counted", "closed-forms"  # methods, as the rows call them
TILES = "tiled"  # of programs


def counted_curve(
    source: str | Member,
    memories: str | Iterable[int],
    *,
    rules: Rules = ONE_SHOT,
    plays: bool = True,
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
    plays
        Whether plays by tiles are looked for.

    Raises
    ------
    MemoryTooSmallError
        If no size is enough for any play.

    Examples
    --------
    >>> curve = counted_curve("matmul:n=100000", [10**4, 10**6])
    >>> curve.envelope("upper")
    ((10000, 20130000000000), (1000000, 2019928600000))
    >>> curve.envelope("lower")
    ((10000, 20001980701172), (1000000, 2000002996039))
    """
    known = member(source) if isinstance(source, str) else source
    sizes = memories_of(memories, known.spec)
    require_formulas(known, rules)
    least = known.min_memory(sliding=rules.sliding)
    if not sizes or sizes[-1] < least:
        raise MemoryTooSmallError(sizes[-1] if sizes else 0, least, f"of {known.family}")
    if plays:
        look_for_plays(known, sizes)
    rows = [row for size in sizes for row in _rows(known, size, least, rules)]
    published = references(known.family, known.params, sizes)
    return IOCurve(described(known, rules), rules, with_best(rows, sizes), references=published)


def require_formulas(known: Member, rules: Rules) -> None:
    """Raise RedBlueError for a family, or under rules, of which no formula is known."""
    if known.family not in COUNTED_PLAYS and nest_of(known) is None:
        raise UnknownNameError("family with formulas", known.family, COUNTED_PLAYS)
    if rules.partial:
        raise InvalidSpecError("no formulas are known for partial computation: lay the DAG out")


def described(known: Member, rules: Rules = ONE_SHOT) -> dict[str, Any]:
    """Return the sizes of a member, as `redblue.answers.results.describe` has those of a DAG."""
    counts, apart = known.sizes, getattr(known, "apart", ())
    return {
        "spec": known.spec,
        "vertices": counts.vertices,
        "edges": counts.edges,
        "inputs": counts.inputs,
        "outputs": counts.outputs,
        "min_memory": known.min_memory(sliding=rules.sliding),
        **({"apart": list(apart)} if apart else {}),
    }


def counted_row(known: Member, memory: int, rules: Rules = ONE_SHOT) -> Row | None:
    """Return the row of the counted play that moves fewest words; None where none is known.

    Parameters
    ----------
    known
        The member.
    memory, rules
        Words of fast memory, and the rules.
    """
    rows = counted_rows(known, memory, rules)
    return min(rows, key=lambda row: row.io or 0, default=None)


def counted_rows(known: Member, memory: int, rules: Rules = ONE_SHOT) -> list[Row]:
    """Return the rows of the family's counted play, and of the best one by tiles of a nest.

    Parameters
    ----------
    known
        The member; plays of its nest were looked for (`redblue.answers.counted.nests`).
    memory, rules
        Words of fast memory, and the rules.
    """
    began, rows = time.perf_counter(), []
    is_family = not isinstance(known, NestMember)  # a program may have the name of one
    play, moved = COUNTED_PLAYS.get(known.family) if is_family else None, None
    if play is not None:
        room = memory + (play.slides if rules.sliding else 0)
        moved = play.count(known.params, room) if room >= known.min_memory() else None
    if moved is not None:
        seconds = time.perf_counter() - began
        rows.append(Row("upper", PLAY, memory, sum(moved), *moved, "counted", seconds))
    nest = nest_of(known)
    best = None if nest is None else best_play(nest, memory)
    if nest is not None and best is not None:
        words, told = (best.moved.loads, best.moved.stores), tiling_text(nest, best.tiling)
        seconds = time.perf_counter() - began
        rows.append(Row("upper", TILES, memory, best.io, *words, "counted", seconds, told))
    return rows


def bound_row(known: Member, memory: int, rules: Rules) -> Row | None:
    """Return the row of the largest bound; None where there is none.

    Parameters
    ----------
    known, memory, rules
        As for `counted_row`.
    """
    rows = bound_rows(known, memory, rules)
    return max(rows, key=lambda row: row.io or 0, default=None)


def bound_rows(known: Member, memory: int, rules: Rules) -> list[Row]:
    """Return the rows of the largest closed form, and of windows of the updates of a nest.

    Parameters
    ----------
    known, memory, rules
        As for `counted_row`.
    """
    began, rows, words = time.perf_counter(), [], None
    is_family = not isinstance(known, NestMember)
    if is_family and known.family == "dirac":
        words = dirac_words(known.params, memory, rules)
    elif is_family and known.family in FORMS:
        words = largest_form(known.family, known.params, memory, rules)
        if known.family == "fft" and not rules.recompute:
            words = max(words, butterfly_words(known.params, memory, rules)[0])
    if words is not None:
        seconds = time.perf_counter() - began
        rows.append(Row("lower", BOUND, memory, words, None, None, "bound", seconds))
    if (nest := nest_of(known)) is not None:
        bound = nest_bound(nest, memory, rules=rules)
        seconds = time.perf_counter() - began
        rows.append(Row("lower", bound.method, memory, bound.io, None, None, "bound", seconds))
    return rows


def _rows(known: Member, memory: int, least: int, rules: Rules) -> list[Row]:
    if memory < least:
        return [infeasible(PLAY, memory)]
    return [*counted_rows(known, memory, rules), *bound_rows(known, memory, rules)]
