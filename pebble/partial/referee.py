"""The referee of partial computation: its definition, in plain Python with sets.

A computed value is *untouched* until the first of its operands is aggregated, *partly computed*
until the last one is, and then *complete*; inputs are complete. To the moves of the game comes

    COMPUTE v, u: operand u, complete and in fast memory, is aggregated into v, which is untouched
    and gets a place, or is in fast memory.

Each operand is aggregated once. A value changes by it, so that a copy in slow memory is no longer
one. COMPUTE v aggregates all operands that are still missing, which are in fast memory together:
every one-shot play is a play of this game. Partly computed values are loaded, stored and deleted
like others; one that is deleted without having been stored can never be completed.

Source
------
P. A. Papp, A. Sobczyk and A. N. Yzelman, The impact of partial computations on the red-blue pebble
game, SPAA 2025, arXiv 2506.10854v2. Theirs are COMPUTE v, u ("partial compute"), load, save and
delete; a deletion that loses what is needed, which they forbid, ends here in a play that cannot be
finished. COMPUTE v is no more than several of their moves.
"""

from itertools import pairwise

from dags import CDAG
from pebble.count import ChannelCount, IOCount
from pebble.errors import IllegalMoveError, Violation
from pebble.rules import PARTIAL
from pebble.schedule import NO_OPERAND, Move, Schedule


class _Table:
    """The state of a play: what is where, and what has been aggregated into each value."""

    def __init__(self, dag: CDAG, memory: int) -> None:
        self.memory = memory
        rows = pairwise(dag.pred_indptr.tolist())
        self.preds = [set(dag.pred_indices[a:b].tolist()) for a, b in rows]
        self.words = [1] * dag.n if dag.words is None else dag.words.tolist()
        self.red: set[int] = set()
        self.blue = set(dag.inputs.tolist())
        self.added: list[set[int]] = [set() for _ in range(dag.n)]
        self.occupied = self.peak = self.completed = 0

    def complete(self, v: int) -> bool:
        return self.added[v] == self.preds[v]

    def broken(self, move: Move, v: int, u: int) -> tuple[Violation, str] | None:
        """Return the rule that a move breaks, with a detail; None if it is legal."""
        if not 0 <= v < len(self.preds):
            return Violation.NO_SUCH_VERTEX, ""
        if move is Move.LOAD:
            if v in self.red:
                return Violation.ALREADY_RED, ""
            return (Violation.NOT_BLUE, "") if v not in self.blue else self.full(v)
        if move in (Move.STORE, Move.DELETE):
            if v not in self.red:
                return Violation.NOT_RED, ""
            stored = move is Move.STORE and v in self.blue
            return (Violation.ALREADY_BLUE, "") if stored else None
        if not self.preds[v]:
            return Violation.IS_INPUT, ""
        single = u != NO_OPERAND
        if single and u not in self.preds[v]:
            return Violation.NOT_AN_OPERAND, f"vertex {u}"
        missing = self.preds[v] - self.added[v]
        if not missing and not single:
            return Violation.ALREADY_COMPUTED, ""
        if single and u not in missing:
            return Violation.ALREADY_AGGREGATED, f"vertex {u}"
        for operand in [u] if single else sorted(missing):
            if not self.complete(operand):
                return Violation.ONLY_PARTLY_COMPUTED, f"vertex {operand}"
            if operand not in self.red:
                return Violation.MISSING_PREDECESSOR, f"vertex {operand}"
        if v in self.red:
            return None
        return (Violation.PARTIAL_VALUE_GONE, "") if self.added[v] else self.full(v)

    def full(self, v: int) -> tuple[Violation, str] | None:
        if self.occupied + self.words[v] <= self.memory:
            return None
        detail = f"{self.occupied} + {self.words[v]} words do not fit into {self.memory}"
        return Violation.MEMORY_FULL, detail

    def do(self, move: Move, v: int, u: int) -> None:
        """Make a legal move."""
        if move is Move.STORE:
            self.blue.add(v)
        elif move is Move.DELETE:
            self.red.remove(v)
            self.occupied -= self.words[v]
        else:
            self.occupied += 0 if v in self.red else self.words[v]
            self.peak = max(self.peak, self.occupied)
            self.red.add(v)
        if move is Move.COMPUTE:
            self.added[v] |= self.preds[v] if u == NO_OPERAND else {u}
            self.blue.discard(v)
            self.completed += self.complete(v)


def judge_partial(dag: CDAG, schedule: Schedule, memory: int) -> IOCount:
    """Return what `schedule` costs with `memory` words, under the rules of partial computation.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves.
    memory
        Words of fast memory.

    Raises
    ------
    IllegalMoveError
        At the first move that the rules forbid.
    """
    table = _Table(dag, memory)
    moved: dict[Move, list[int]] = {move: [] for move in Move}
    for step, ((move, v), u) in enumerate(zip(schedule, schedule.operands.tolist(), strict=True)):
        broken = table.broken(move, v, u)
        if broken is not None:
            raise IllegalMoveError(step, move.name, v, *broken)
        table.do(move, v, u)
        moved[move].append(v)
    ends = {v for v in table.blue if table.complete(v)}
    missing = sorted(set(dag.outputs.tolist()) - ends)
    if missing:
        raise IllegalMoveError(len(schedule), "END", missing[0], Violation.OUTPUT_NOT_STORED)
    words, made = table.words, [v for v in dag.computed.tolist() if table.complete(v)]
    tags = [] if dag.channel is None else dag.channel.tolist()
    loads, stores = moved[Move.LOAD], moved[Move.STORE]
    return IOCount(
        rules=PARTIAL,
        loads=sum(words[v] for v in loads),
        stores=sum(words[v] for v in stores),
        load_moves=len(loads),
        store_moves=len(stores),
        computes=table.completed,
        recomputes=0,
        peak=table.peak,
        work=None if dag.work is None else sum(int(dag.work[v]) for v in made),
        channels={
            tag: ChannelCount(
                loads=sum(words[v] for v in loads if tags[v] == tag),
                stores=sum(words[v] for v in stores if tags[v] == tag),
            )
            for tag in sorted(set(tags))
        },
    )
