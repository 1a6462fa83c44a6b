"""Placed plans as JSON and CSV for a compiler, and back: what `redblue check` judges.

The moves are the plan: each with the tensor, and with the address where it brings one into fast
memory. All else can be computed from them and from the computation, and is there for readers.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dags import CDAG, FormatError
from dags.cdag.tables import csv_text
from dags.errors import one_line, shown
from pebble import MOST_WORDS, RULES, IOCount, Move, Rules, Schedule, judge
from pebble.placement import buffers_of, judge_placement, stays
from proofs import Bound, CertificateError
from proofs.files import bound_in, bound_text, read_object

if TYPE_CHECKING:
    from redblue.answers.planning.addresses import PlacedPlan

FORMAT: Final = "redblue plan 1"
MOST_BYTES: Final = 2**28
MOVES: Final = ("LOAD", "STORE", "COMPUTE", "DELETE")
COLUMNS: Final = (
    "tensor", "bytes", "offset", "begin", "end", "enters", "leaves"
)  # fmt: skip


def plan_record(plan: "PlacedPlan") -> dict[str, Any]:
    """Return a plan as plain JSON."""
    rows, count = stay_rows(plan), plan.count
    tensors = _tensors(plan, rows)
    spilled = sum(len(tensor["spills"]) for tensor in tensors)
    return {
        "format": FORMAT,
        "spec": plan.spec,
        "vertices": plan.dag.n,
        "rules": plan.rules.name,
        "memory": plan.memory,
        "unit": "bytes" if plan.in_bytes else "words",
        "word": plan.unit,
        "alignment": plan.alignment,
        "status": plan.status,
        "ratio": plan.ratio,
        "method": plan.method,
        "found_for": plan.found_for,
        "totals": {
            "io": count.io,
            "loads": count.loads,
            "stores": count.stores,
            "spills": spilled,
            "reloads": sum(len(tensor["reloads"]) for tensor in tensors),
            "recomputations": count.recomputes,
            "work": count.work,
        },
        "peak": count.peak * plan.unit,
        "height": plan.height,
        "peak_of_order": plan.peak_of_order * plan.unit,
        "moves": _moves(plan),
        "tensors": tensors,
        "bound": json.loads(bound_text(plan.bound, plan.dag)),
    }


def _name(dag: CDAG, vertex: int) -> str:
    """Return the name of a tensor: its label, or its number."""
    return str(vertex) if dag.labels is None else str(dag.labels[vertex])


def _moves(plan: "PlacedPlan") -> list[dict[str, Any]]:
    """Return the moves, with an address where a tensor comes into fast memory."""
    address = {stay.begin: at for stay, at in zip(plan.spans, plan.offsets, strict=True)}
    rows: list[dict[str, Any]] = []
    for index, (move, v) in enumerate(plan.schedule):
        row: dict[str, Any] = {"move": move.name, "vertex": v, "tensor": _name(plan.dag, v)}
        if index in address:
            row["offset"] = address[index]
        rows.append(row)
    return rows


@dataclass(frozen=True)
class StayRow:
    """A stay of a tensor: how it comes into fast memory, and how it leaves."""

    vertex: int
    size: int
    offset: int
    begin: int
    end: int
    enters: str
    leaves: str


def stay_rows(plan: "PlacedPlan") -> list[StayRow]:
    """Return the stays of all tensors in the order in which they begin.

    A tensor enters by "load", "compute", "reload" (it was in fast memory before) or "recompute". It
    leaves by "spill" (it comes back by a reload), "drop" (it comes back by being computed again),
    or "end".
    """
    moves = list(plan.schedule)
    sizes = plan.dag.sizes.tolist()
    later: dict[int, str] = {}
    leaves: list[str] = []
    for stay in reversed(plan.spans):
        leaves.append({"LOAD": "spill", "COMPUTE": "drop"}.get(later.get(stay.vertex, ""), "end"))
        later[stay.vertex] = moves[stay.begin][0].name
    seen: set[int] = set()
    rows = []
    for stay, offset, leaving in zip(plan.spans, plan.offsets, reversed(leaves), strict=True):
        enters = {Move.LOAD: "load", Move.COMPUTE: "compute"}[moves[stay.begin][0]]
        rows.append(
            StayRow(
                stay.vertex,
                sizes[stay.vertex] * plan.unit,
                offset,
                stay.begin,
                stay.end,
                f"re{enters}" if stay.vertex in seen else enters,
                leaving,
            )
        )
        seen.add(stay.vertex)
    return rows


def _tensors(plan: "PlacedPlan", rows: list[StayRow]) -> list[dict[str, Any]]:
    """Return what is known of each tensor that is ever in fast memory."""
    of: dict[int, list[StayRow]] = {}
    for row in rows:
        of.setdefault(row.vertex, []).append(row)
    return [
        {
            "tensor": _name(plan.dag, v),
            "vertex": v,
            "bytes" if plan.in_bytes else "words": own[0].size,
            "birth": own[0].begin,
            "death": own[-1].end,
            "offsets": [row.offset for row in own],
            "stays": [[row.begin, row.end] for row in own],
            "spills": [row.end for row in own if row.leaves == "spill"],
            "reloads": [row.begin for row in own if row.enters == "reload"],
            "recomputations": [row.begin for row in own if row.enters == "recompute"],
        }
        for v, own in sorted(of.items())
    ]


def plan_csv(plan: "PlacedPlan") -> str:
    """Return a plan as CSV for a compiler: a line for each stay of a tensor in fast memory.

    Moments are places in the order of moves.
    """
    names = (*COLUMNS[:1], "bytes" if plan.in_bytes else "words", *COLUMNS[2:])
    rows = (
        (_name(plan.dag, r.vertex), r.size, r.offset, r.begin, r.end, r.enters, r.leaves)
        for r in stay_rows(plan)
    )
    return csv_text(names, rows)


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
    """Return whether a file says that it is a placed plan."""
    try:
        with path.open("rb") as file:
            return FORMAT.encode() in file.read(200)
    except OSError:
        return False


def read_plan(path: Path) -> PlanFile:
    """Return the plan of a file, which nobody vouches for.

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
    """Return a number of a record."""
    value = record.get(key)
    where = "the plan" if place is None else f"move {place}"
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise FormatError(
            path, f"{where} has {one_line(key)} {shown(value)}, not {least} to {most}"
        )
    return value


def judge_plan(dag: CDAG, plan: PlanFile) -> tuple[IOCount, int]:
    """Return what a plan moves and the end of its highest tensor, by both referees.

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
    buffers = buffers_of(dag, spans, alignment=plan.alignment, word_bytes=plan.unit)
    height = judge_placement(buffers, plan.offsets, plan.memory * plan.unit)
    return count, height


def bound_of(dag: CDAG, plan: PlanFile, path: Path) -> Bound | None:
    """Return the bound that a plan comes with, to be verified; None where it has none.

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
