"""I/O curves of members that are not laid out."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dags import Computation, InvalidSpecError, UnknownNameError
from pebble import ONE_SHOT, MemoryTooSmallError, Rules
from proofs import Bound
from proofs.bounds.families.closed_forms import form_bound, form_bound_of_nest
from proofs.bounds.loops.nests import nest_bound
from redblue.answers.building import LARGEST_MEMBER, closed_notes, is_closed
from redblue.answers.counted.nests import EACH, best_play, look_for_plays
from redblue.answers.counted.program_order import IN_PASSING, OF_A_CURVE, program_order_rows
from redblue.answers.envelope import with_best
from redblue.answers.plays import infeasible
from redblue.answers.references import references
from redblue.answers.results import BEST, IOCurve, Row
from redblue.answers.words import memories_of
from redblue.limits.progress import Progress
from schedulers import COUNTED_PLAYS
from schedulers.tilings.words import shown_tiling

PLAY = "counted"  # methods, as the rows call them
TILES = "tiled"  # of programs
# The DAG of a large member is not built where its closed formula moves at most so many times what
# is proved: minutes of search gain little, and less is asked of a quick one.
AS_GOOD, QUICK = 1.05, 1.25
RANGE = "100:1e8"  # words, where no sizes are asked for


def counted_curve(
    source: str | Computation,
    memories: str | Iterable[int] | None = None,
    *,
    rules: Rules = ONE_SHOT,
    plays: bool = True,
    seconds: float | None = None,
    in_order: float = IN_PASSING,
    progress: Progress | None = None,
) -> IOCurve:
    """The I/O curve of a member of a family from formulas alone: no DAG is made.

    Upper rows are exact counts of a play by tiles that is legal under all rules, of status
    "counted", and program order where it is played in seconds; lower rows are the best closed
    forms, those of `butterflies` among them. A play for less memory counts for more.

    Parameters
    ----------
    source
        The member, or its specification.
    memories
        Words of fast memory, as numbers or as a text like "1e2:1e8"; by default sizes of `RANGE`.
    rules
        The rules of the game.
    plays
        Whether schedules are looked for.
    seconds
        Of work of that search, for all sizes; None for as long as each named size takes alone.
    in_order
        Seconds that running the program in the order of its text may take by estimate.
    progress
        Called with thousandths of that run.

    Raises
    ------
    MemoryTooSmallError
        If no size is enough for any play.

    Examples
    --------
    >>> curve = counted_curve("matmul:n=100000", [10**4, 10**6])
    >>> curve.envelope("upper")
    ((10000, 20130000000000), (1000000, 2019968200000))
    >>> curve.envelope("lower")
    ((10000, 20001980701172), (1000000, 2000002996039))
    """
    known = Computation.of(source)
    require_formulas(known, rules)
    least = known.min_memory(sliding=rules.sliding)
    sizes = memories_of(RANGE if memories is None else memories, known.spec)
    if memories is None:
        sizes = tuple(size for size in sizes if size >= least) or (least,)
        seconds = EACH * len(sizes) if seconds is None else seconds
    if not sizes or sizes[-1] < least:
        raise MemoryTooSmallError(sizes[-1] if sizes else 0, least, f"of {known.name}")
    if plays:
        look_for_plays(known, sizes, seconds=seconds)
    rows = [row for size in sizes for row in _rows(known, size, least, rules)]
    notes = [*closed_notes(known)]
    if plays:
        how: dict[str, Any] = {"seconds": in_order, "progress": progress}
        in_text, left_out = program_order_rows(known, sizes, rules, **how)
        rows += in_text
        notes += [left_out] if left_out else []
    published = references(known.family, known.params, sizes)
    if plays and not any(row.kind == "upper" and row.io is not None for row in rows):
        notes.append("no order of its loops is known to be legal here, so no schedule is counted")
    best = with_best(rows, sizes)
    is_text = known.is_program and not known.is_graph
    return IOCurve(
        described(known, rules), rules, best, references=published, notes=(*notes,), is_text=is_text
    )


def closed_curve(
    computation: Computation,
    memories: Sequence[int] | None,
    rules: Rules,
    effort: str = "quick",
    *,
    counted: bool = False,
    taken: Mapping[str, object],
    progress: Progress | None = None,
) -> IOCurve | None:
    """The curve by closed formulas where they answer alone; None where the DAG is built.

    Of a large member of a family that is where its schedule is nearly as good as what is proved.

    Parameters
    ----------
    computation
        The computation.
    memories, rules
        Words of fast memory, None where no sizes are asked for, and the rules.
    effort
        How hard to search.
    counted
        Whether no DAG is to be built if it is large.
    taken
        Arguments that need the DAG, by name; None for those that were not given.
    progress
        As for `counted_curve`.

    Raises
    ------
    InvalidSpecError
        As `redblue.answers.building.is_closed`.
    """
    if is_closed(computation, counted=counted, **taken):
        how: dict[str, Any] = {"in_order": OF_A_CURVE, "progress": progress}
        return counted_curve(computation, memories, rules=rules, **how)
    if memories is None or rules.partial or computation.is_given or any(taken.values()):
        return None
    if computation.member is None or computation.family not in COUNTED_PLAYS:
        return None
    counts = computation.sizes
    if counts.vertices + counts.edges <= LARGEST_MEMBER or memories[0] < computation.min_memory():
        return None
    found = counted_curve(computation, memories, rules=rules)
    proved, played = (dict(found.envelope(kind)) for kind in ("lower", "upper"))
    if not all(played.get(size, 0) and proved.get(size) for size in memories):
        return None
    most = max(played[size] / proved[size] for size in memories)
    if most > (QUICK if effort == "quick" else AS_GOOD):
        return None
    note = (
        f"they move at most {most:.3f} times what is proved, and answer at once; "
        "--schedulers NAMES builds the DAG"
    )
    return replace(found, notes=(*found.notes, note))


def require_formulas(known: Computation, rules: Rules) -> None:
    """Raise RedBlueError for a family, or under rules, of which no formula is known."""
    if known.family not in COUNTED_PLAYS and known.nest is None:
        raise UnknownNameError("family with formulas", known.name, COUNTED_PLAYS)
    if rules.partial:
        raise InvalidSpecError("no formulas are known for partial computation: lay the DAG out")


def described(known: Computation, rules: Rules = ONE_SHOT) -> dict[str, Any]:
    """The sizes of a member, as `redblue.answers.results.describe` has those of a DAG."""
    counts, apart = known.sizes, known.apart
    return {
        "spec": known.spec,
        "vertices": counts.vertices,
        "edges": counts.edges,
        "inputs": counts.inputs,
        "outputs": counts.outputs,
        "min_memory": known.min_memory(sliding=rules.sliding),
        **({"apart": list(apart)} if apart else {}),
    }


def counted_row(known: Computation, memory: int, rules: Rules = ONE_SHOT) -> Row | None:
    """The row of the counted play that moves fewest words; None where none is known.

    Parameters
    ----------
    known
        The member.
    memory, rules
        Words of fast memory, and the rules.
    """
    rows = counted_rows(known, memory, rules)
    return min(rows, key=lambda row: row.io or 0, default=None)


def counted_rows(known: Computation, memory: int, rules: Rules = ONE_SHOT) -> list[Row]:
    """The rows of the family's counted play, and of the best one by tiles of a nest.

    Parameters
    ----------
    known
        The member; plays of its nest were looked for (`redblue.answers.counted.nests`).
    memory, rules
        Words of fast memory, and the rules.
    """
    began, rows = time.perf_counter(), []
    play, moved = COUNTED_PLAYS.get(known.family or ""), None
    if play is not None:
        room = memory + (play.slides if rules.sliding else 0)
        moved = play.count(known.params, room) if room >= known.min_memory() else None
    if moved is not None:
        seconds = time.perf_counter() - began
        rows.append(Row("upper", PLAY, memory, sum(moved), *moved, "counted", seconds))
    best = best_play(known, memory)
    if best is not None:
        nest, found = best
        words, tiling = (found.moved.loads, found.moved.stores), shown_tiling(nest, found.tiling)
        seconds = time.perf_counter() - began
        rows.append(Row("upper", TILES, memory, found.io, *words, "counted", seconds, tiling))
    return rows


def closed_bound(computation: Computation, memory: int, rules: Rules = ONE_SHOT) -> Bound:
    """The largest bound on a computation whose DAG is not built, with its certificate.

    It is what a curve proves with this memory.

    Parameters
    ----------
    computation
        The computation.
    memory, rules
        Words of fast memory, and the rules.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    RedBlueError
        If no formula is known.
    """
    require_formulas(computation, rules)
    least = computation.min_memory(sliding=rules.sliding)
    if memory < least:
        raise MemoryTooSmallError(memory, least, f"of {computation.name}")
    return max(closed_bounds(computation, memory, rules), key=lambda bound: bound.io)


def known_sentence(computation: Computation, memory: int, rules: Rules = ONE_SHOT) -> str:
    """What is known of a computation whose DAG is too large for a schedule of moves.

    Parameters
    ----------
    computation
        The computation.
    memory, rules
        Words of fast memory, and the rules.
    """
    rows = counted_curve(computation, [memory], rules=rules).rows
    best = {row.kind: row.io for row in rows if row.method == BEST}
    played = f"a counted schedule moves {best['upper']:,} words" if "upper" in best else ""
    proved = f"{best['lower']:,} are proved to be needed" if "lower" in best else ""
    what = " and ".join(part for part in (played, proved) if part)
    return (
        f"{computation.spec} has {computation.sizes.vertices:,} vertices, and no list of moves is "
        f"made of so many; with M = {memory:,} {what} (redblue plan, curve, bound and law answer "
        "by closed formulas)"
    )


def bound_row(known: Computation, memory: int, rules: Rules) -> Row | None:
    """The row of the largest bound; None where there is none.

    Parameters
    ----------
    known, memory, rules
        As for `counted_row`.
    """
    rows = bound_rows(known, memory, rules)
    return max(rows, key=lambda row: row.io or 0, default=None)


def bound_rows(known: Computation, memory: int, rules: Rules) -> list[Row]:
    """The rows of the largest closed form, and of windows of the updates of a nest.

    Parameters
    ----------
    known, memory, rules
        As for `counted_row`.
    """
    began, rows = time.perf_counter(), []
    for bound in closed_bounds(known, memory, rules):
        seconds = time.perf_counter() - began
        rows.append(Row("lower", bound.method, memory, bound.io, None, None, "bound", seconds))
    return rows


def closed_bounds(known: Computation, memory: int, rules: Rules) -> Iterator[Bound]:
    """Yield the bound by the family's largest closed form, and that by windows of a nest.

    Parameters
    ----------
    known, memory, rules
        As for `counted_row`.
    """
    form = None
    if not known.is_program and known.member is not None:
        form = form_bound(known.member, memory, rules)
    elif known.nest is not None and known.kin is not None:
        form = form_bound_of_nest(known.nest, memory, rules)
    if form is not None:
        yield form
    if known.nest is not None:
        yield nest_bound(known.nest, memory, rules=rules)


def _rows(known: Computation, memory: int, least: int, rules: Rules) -> list[Row]:
    if memory < least:
        return [infeasible(PLAY, memory)]
    return [*counted_rows(known, memory, rules), *bound_rows(known, memory, rules)]
