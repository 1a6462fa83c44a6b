"""Placed plans: order, spills and addresses of tensors, as records, tables and a picture."""

import json
from dataclasses import dataclass
from typing import Any, Final

from dags import CDAG
from dags.cdag.tables import csv_text
from dags.errors import one_line
from pebble import (
    IOCount,
    Move,
    Rules,
    Schedule,
)
from pebble.placement import Buffer, Stay, buffers_of, live_load
from proofs import Bound
from proofs.files import bound_text
from redblue.show.model import Column, Table
from redblue.show.printed import Printed

FORMAT: Final = "redblue plan 1"
MOVES: Final = ("LOAD", "STORE", "COMPUTE", "DELETE")
COLUMNS: Final = (
    "tensor", "bytes", "offset", "begin", "end", "enters", "leaves"
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class PlacedPlan(Printed):
    """A schedule whose values have addresses, and a bound on every schedule.

    Parameters
    ----------
    dag
        The computation.
    spec
        Its label.
    rules, memory
        The game; memory in words.
    unit
        Bytes of a word in addresses, sizes and alignment; 1 where these count words.
    in_bytes
        Whether they are in bytes.
    alignment
        Every address is a multiple of this.
    schedule
        The schedule.
    count
        What it moves, by the referee.
    spans, offsets
        The stays of values in fast memory, and the address of each.
    bound
        The bound on every schedule with this memory, with its certificate.
    method
        The method that found the schedule.
    found_for
        Words of memory for which the schedule was found: fewer than `memory` where the best one
        for all of it has no addresses.
    peak_of_order
        Fast memory, in words, with which program order has compulsory I/O alone.
    """

    dag: CDAG
    spec: str
    rules: Rules
    memory: int
    unit: int
    in_bytes: bool
    alignment: int
    schedule: Schedule
    count: IOCount
    spans: tuple[Stay, ...]
    offsets: tuple[int, ...]
    bound: Bound
    method: str
    found_for: int
    peak_of_order: int

    def __repr__(self) -> str:
        return f"<PlacedPlan: {self.count.io} words placed, at least {self.bound.io}>"

    @property
    def ratio(self) -> float:
        """Words that are moved over the bound: 1 is optimal."""
        return self.count.io / self.bound.io if self.bound.io else 1.0

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """The stays as buffers, in units of addresses."""
        return buffers_of(self.dag, self.spans, alignment=self.alignment, word_bytes=self.unit)

    @property
    def height(self) -> int:
        """The end of the highest tensor."""
        return max(
            (offset + b.size for b, offset in zip(self.buffers, self.offsets, strict=True)),
            default=0,
        )

    @property
    def status(self) -> str:
        """Return "optimal" where the plan moves what every schedule has to."""
        return "optimal" if self.count.io == self.bound.io else "feasible"

    def overview(self) -> tuple[Table]:
        """The stays that take the most memory for the longest, with their addresses."""
        stay = sorted(
            zip(self.buffers, self.offsets, strict=True),
            key=lambda row: -row[0].size * (row[0].upper - row[0].lower),
        )
        names = ("tensor", "begin", "end", "size", "offset")
        rows = tuple(
            (one_line(b.name, 40), b.lower, b.upper, b.size, offset) for b, offset in stay[:20]
        )
        return (Table("stays", "", tuple(map(Column, names)), rows),)

    def shown(self) -> tuple[str]:
        """The answer in three sentences."""
        unit = "bytes" if self.in_bytes else "words"
        count = self.count
        less = (
            ""
            if self.found_for == self.memory
            else f"; a schedule for {self.found_for:,} words, because the best one for all "
            "has no addresses"
        )
        proof = (
            f"optimal, proved by {self.bound.method}"
            if self.status == "optimal"
            else f"every schedule moves at least {self.bound.io:,} words, by {self.bound.method}; "
            f"this one moves {self.ratio:.4f} times that"
        )
        return (
            f"placed: {count.io:,} words of I/O ({count.loads:,} loaded, {count.stores:,} stored) "
            f"with {self.memory:,} words of fast memory, by {self.method}{less}\n"
            f"{len(self.spans):,} stays end at address {self.height:,} of "
            f"{self.memory * self.unit:,} {unit}; {live_load(self.buffers):,} are live at once; "
            f"compulsory I/O alone needs {self.peak_of_order * self.unit:,} in the given order\n"
            f"{proof}",
        )

    def to_dict(self) -> dict[str, Any]:
        """The object of `--json`: the plan for a compiler."""
        return plan_record(self)

    def to_csv(self) -> str:
        """A line for each stay of a tensor in fast memory."""
        return plan_csv(self)


def plan_record(plan: PlacedPlan) -> dict[str, Any]:
    """A plan as plain JSON."""
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


def name_of(dag: CDAG, vertex: int) -> str:
    """The name of a tensor: its label, or its number."""
    return str(vertex) if dag.labels is None else str(dag.labels[vertex])


def _moves(plan: PlacedPlan) -> list[dict[str, Any]]:
    """The moves, with an address where a tensor comes into fast memory."""
    address = {stay.begin: offset for stay, offset in zip(plan.spans, plan.offsets, strict=True)}
    rows: list[dict[str, Any]] = []
    for index, (move, v) in enumerate(plan.schedule):
        row: dict[str, Any] = {"move": move.name, "vertex": v, "tensor": name_of(plan.dag, v)}
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


def stay_rows(plan: PlacedPlan) -> list[StayRow]:
    """The stays of all tensors in the order in which they begin.

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


def _tensors(plan: PlacedPlan, rows: list[StayRow]) -> list[dict[str, Any]]:
    """What is known of each tensor that is ever in fast memory."""
    of: dict[int, list[StayRow]] = {}
    for row in rows:
        of.setdefault(row.vertex, []).append(row)
    shows: dict[int, list[str]] = {}
    for name, v in () if plan.dag.demands is None else plan.dag.demands.aliases.items():
        shows.setdefault(v, []).append(name)
    return [
        {
            "tensor": name_of(plan.dag, v),
            "vertex": v,
            "bytes" if plan.in_bytes else "words": own[0].size,
            "birth": own[0].begin,
            "death": own[-1].end,
            "offsets": [row.offset for row in own],
            "stays": [[row.begin, row.end] for row in own],
            "spills": [row.end for row in own if row.leaves == "spill"],
            "reloads": [row.begin for row in own if row.enters == "reload"],
            "recomputations": [row.begin for row in own if row.enters == "recompute"],
            **({"aliases": shows[v]} if v in shows else {}),
        }
        for v, own in sorted(of.items())
    ]


def plan_csv(plan: PlacedPlan) -> str:
    """A plan as CSV for a compiler: a line for each stay of a tensor in fast memory.

    Moments are places in the order of moves.
    """
    names = (*COLUMNS[:1], "bytes" if plan.in_bytes else "words", *COLUMNS[2:])
    rows = (
        (name_of(plan.dag, r.vertex), r.size, r.offset, r.begin, r.end, r.enters, r.leaves)
        for r in stay_rows(plan)
    )
    return csv_text(names, rows)
