"""Placed plans as JSON and CSV for a compiler, and back: what `redblue check` judges.

The moves are the plan: each with the tensor, and with the address where it brings one into fast
memory. All else can be computed from them and from the computation, and is there for readers.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dags import CDAG, FormatError
from dags.errors import one_line, shown
from pebble import MOST_WORDS, RULES, IOCount, Move, Rules, Schedule, judge
from pebble.placement import judge_stays, stays
from proofs import Bound, CertificateError
from proofs.files import bound_in, read_object
from redblue.answers.planning.placed import FORMAT, MOVES

MOST_BYTES: Final = 2**28


@dataclass(frozen=True)
class PlanFile:
    """What a file says: a schedule with addresses, and the game.

    Parameters
    ----------
    spec
        The computation, as the file names it.
    rules, memory
        The game; memory in words.
    unit, alignment
        Addresses count so many a word, and are multiples of the alignment.
    schedule
        The moves.
    offsets
        The address of each move that brings a tensor, in order.
    claimed
        The totals that the file claims.
    bound
        The certificate as an object.
    """

    spec: str
    rules: Rules
    memory: int
    unit: int
    alignment: int
    schedule: Schedule
    offsets: tuple[int, ...]
    claimed: dict[str, Any]
    bound: dict[str, Any]


def is_plan(path: Path) -> bool:
    """Whether a file says that it is a placed plan."""
    try:
        with path.open("rb") as file:
            return FORMAT.encode() in file.read(200)
    except OSError:
        return False


def read_plan(path: Path) -> PlanFile:
    """The plan of a file, which nobody vouches for.

    Raises
    ------
    FormatError
        If the file holds none.
    """
    record = read_object(path, MOST_BYTES, fractions=True)
    if record.get("format") != FORMAT:
        raise FormatError(path, f"is no plan: it has no format {FORMAT!r}")
    rules = record.get("rules")
    if not isinstance(rules, str) or rules not in RULES:
        raise FormatError(path, f"has rules {shown(rules)}, not one of {', '.join(RULES)}")
    moves = record.get("moves")
    if not isinstance(moves, list) or not all(isinstance(move, dict) for move in moves):
        raise FormatError(path, "has no list of moves")
    op, vertex, offsets = [], [], []
    for place, move in enumerate(moves):
        kind = move.get("move")
        if kind not in MOVES:
            raise FormatError(path, f"move {place} is {shown(kind)}, not one of {', '.join(MOVES)}")
        op.append(Move[kind])
        vertex.append(_whole(path, move, "vertex", place, 2**31 - 1))
        if kind in ("LOAD", "COMPUTE"):
            offsets.append(_whole(path, move, "offset", place, MOST_WORDS))
    claimed, bound = record.get("totals"), record.get("bound")
    spec = record.get("spec")
    return PlanFile(
        spec=spec if isinstance(spec, str) else "",
        rules=RULES[rules],
        memory=_whole(path, record, "memory", None, MOST_WORDS, 1),
        unit=_whole(path, record, "word", None, 2**31, 1),
        alignment=_whole(path, record, "alignment", None, MOST_WORDS, 1),
        schedule=Schedule(op, vertex),
        offsets=tuple(offsets),
        claimed=claimed if isinstance(claimed, dict) else {},
        bound=bound if isinstance(bound, dict) else {},
    )


def _whole(
    path: Path, record: dict[str, Any], key: str, place: int | None, most: int, least: int = 0
) -> int:
    """A number of a record."""
    value = record.get(key)
    where = "the plan" if place is None else f"move {place}"
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise FormatError(
            path, f"{where} has {one_line(key)} {shown(value)}, not {least} to {most}"
        )
    return value


def judge_plan(dag: CDAG, plan: PlanFile) -> tuple[IOCount, int]:
    """What a plan moves and the end of its highest tensor, by both referees.

    Raises
    ------
    IllegalMoveError
        If a move is illegal.
    IllegalPlacementError
        If tensors share an address at the same moment, an address is not aligned, or a tensor ends
        above the memory.
    """
    count = judge(dag, plan.schedule, plan.memory, rules=plan.rules)
    spans = stays(dag, plan.schedule, rules=plan.rules)
    capacity, unit = plan.memory * plan.unit, plan.unit
    height = judge_stays(
        dag, spans, plan.offsets, capacity, alignment=plan.alignment, word_bytes=unit
    )
    return count, height


def bound_of(dag: CDAG, plan: PlanFile, path: Path) -> Bound | None:
    """The bound that a plan comes with, to be verified; None where it has none.

    Parameters
    ----------
    dag
        The computation.
    plan
        The plan.
    path
        Its file, for messages.

    Raises
    ------
    CertificateError
        If it is for another computation, memory or rules.
    """
    if not plan.bound:
        return None
    bound = bound_in(plan.bound, dag, path)
    if bound.memory < plan.memory or bound.rules != plan.rules:
        raise CertificateError(
            "memory" if bound.rules == plan.rules else "rules",
            f"the bound is for {bound.memory:,} words and {bound.rules.name}, not for those of "
            "the plan",
        )
    return bound
