"""The referee: the definition of the game on every machine, in plain Python with sets.

A machine is a graph of memories. A value can be copied along a link to a memory with room for it,
computed in a memory with a unit if all of its operands are there, and deleted where memory has an
end. Inputs begin in memory without end; outputs end there. The games differ in their machines:
a fast and a slow memory (`judge`), a chain of memories (`pebble.levels`), several processors with
memories of their own (`pebble.parallel`). Rules that compute in parts are told in `pebble.partial`.

It shares no code with the engines, which must agree with it move for move.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from dags import CDAG
from pebble.count import ChannelCount, IOCount
from pebble.errors import IllegalMoveError, Violation
from pebble.machine import Action, Machine, Played
from pebble.rules import ONE_SHOT, Rules
from pebble.schedule import NO_OPERAND, Schedule

Fault = tuple[Violation, str] | None


def judge(dag: CDAG, schedule: Schedule, memory: int, *, rules: Rules = ONE_SHOT) -> IOCount:
    """Return what `schedule` costs with `memory` words of fast memory.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves.
    memory
        Words of fast memory.
    rules
        The rules of the game.

    Raises
    ------
    IllegalMoveError
        At the first move that the rules forbid.
    """
    fast, slow = 0, 1
    rows = enumerate(zip(schedule, schedule.operands.tolist(), strict=True))
    moves = [Action(move.name, v, fast, step, slow, u) for step, ((move, v), u) in rows]
    played = judge_moves(dag, Machine.fast(memory), moves, rules=rules)
    words, tags = dag.sizes.tolist(), [] if dag.channel is None else dag.channel.tolist()
    loads, stores = ([v for v, _, to in played.copies if to == place] for place in (fast, slow))
    return IOCount(
        rules=rules,
        loads=sum(words[v] for v in loads),
        stores=sum(words[v] for v in stores),
        load_moves=len(loads),
        store_moves=len(stores),
        computes=len(played.computed),
        recomputes=played.recomputes,
        peak=played.peaks[fast],
        work=None if dag.work is None else sum(int(dag.work[v]) for v, _ in played.computed),
        channels={
            tag: ChannelCount(
                loads=sum(words[v] for v in loads if tags[v] == tag),
                stores=sum(words[v] for v in stores if tags[v] == tag),
            )
            for tag in sorted(set(tags))
        },
    )


def judge_moves(
    dag: CDAG,
    machine: Machine,
    moves: Sequence[Action],
    *,
    rules: Rules = ONE_SHOT,
    begins: Mapping[int, int] | None = None,
) -> Played:
    """Return what moves on any machine do.

    Parameters
    ----------
    dag
        The computation.
    machine
        What it is played on.
    moves
        The play.
    rules
        The rules of the game.
    begins
        The memory in which each input begins; None for the machine's first end.

    Raises
    ------
    IllegalMoveError
        At the first move that the rules forbid.
    """
    table = _Table(dag, machine, rules)
    for v in dag.inputs.tolist():
        table.put(v, machine.ends[0] if begins is None else begins[v])
    for index, (move, after) in enumerate(zip(moves, [*moves[1:], None], strict=False)):
        fault = table.fault(move, after)
        if fault is not None:
            raise IllegalMoveError(index, move.name, move.vertex, *fault)
        table.make(move, after)
    kept = {v for place in machine.ends for v in table.held[place] if table.complete(v)}
    missing = sorted(set(dag.outputs.tolist()) - kept)
    if missing:
        raise IllegalMoveError(len(moves), "END", missing[0], Violation.OUTPUT_NOT_STORED)
    return Played(table.copies, table.computed, table.peaks)


class _Table:
    """The state of a play: what is where, and which operands are part of each value."""

    def __init__(self, dag: CDAG, machine: Machine, rules: Rules) -> None:
        self.machine, self.rules = machine, rules
        rows = pairwise(dag.pred_indptr.tolist())
        self.preds = [set(dag.pred_indices[a:b].tolist()) for a, b in rows]
        self.words: list[int] = dag.sizes.tolist()
        self.held: list[set[int]] = [set() for _ in machine.rooms]
        self.used, self.peaks = [0] * len(self.held), [0] * len(self.held)
        self.added: list[set[int]] = [set() for _ in self.preds]
        self.copies: list[tuple[int, int, int]] = []
        self.computed: list[tuple[int, int]] = []
        self.step, self.kind = -1, "DELETE"  # what else is made in this step
        self.fresh: set[tuple[int, int]] = set()  # copies that came in it

    def complete(self, v: int) -> bool:
        """Return whether a value is an input, or has been computed from all of its operands."""
        return self.added[v] == self.preds[v]

    def put(self, v: int, place: int, slid: int = 0) -> None:
        """Place a value, where so many words leave at once."""
        self.held[place].add(v)
        self.used[place] += self.words[v]
        self.peaks[place] = max(self.peaks[place], self.used[place] - slid)

    def drop(self, v: int, place: int) -> None:
        """Delete a value."""
        self.held[place].remove(v)
        self.used[place] -= self.words[v]

    def fault(self, move: Action, after: Action | None) -> Fault:
        """Return the rule that a move breaks, with a detail; None if it is legal."""
        name, v, at = move.name, move.vertex, move.at
        if move.step != self.step:
            self.step, self.kind, self.fresh = move.step, "DELETE", set()
        if not 0 <= v < len(self.preds):
            return Violation.NO_SUCH_VERTEX, ""
        if not self.is_made_at(name, at):
            return self.told(Violation.NO_SUCH_LEVEL, Violation.NO_SUCH_PROCESSOR, at)
        if move.operand != NO_OPERAND and not self.rules.partial:
            return Violation.NO_SUCH_MOVE, ""
        if "DELETE" not in (name, self.kind) and name != self.kind:
            return Violation.MIXED_STEP, self.kind
        if name == "DELETE":
            return None if v in self.held[at] else self.absent(move, at)
        if name != "COMPUTE":
            return self.copy_fault(move)
        if not self.preds[v]:
            return Violation.IS_INPUT, ""
        return self.part_fault(move) if self.rules.partial else self.whole_fault(move, after)

    def is_made_at(self, name: str, at: int) -> bool:
        """Return whether moves of this name are made at a memory: at none without end."""
        rooms, units = self.machine.rooms, self.machine.units
        return 0 <= at < len(rooms) and rooms[at] is not None and (name != "COMPUTE" or at in units)

    def copy_fault(self, move: Action) -> Fault:
        """Return the rule that a copy breaks, by what is looked at first where it is several."""
        v, (source, place) = move.vertex, move.way
        there = v in self.held[place]
        if (source, place) not in self.machine.links:
            if move.name != "RECEIVE":
                return Violation.NO_PORT, ""
            return self.present(place) if there else (Violation.NO_LINK, "")
        source_first = self.machine.numbered or move.name == "STORE"
        if v not in self.held[source] and (source_first or not there):
            return self.absent(move, source)
        if there:
            return self.present(place)
        return (Violation.SAME_STEP, "") if (v, source) in self.fresh else self.full(v, place)

    def whole_fault(self, move: Action, after: Action | None) -> Fault:
        """Return the rule that a computation breaks."""
        v, at = move.vertex, move.at
        if v in self.held[at]:
            return self.present(at)
        if self.complete(v) and not self.rules.recompute:
            return Violation.ALREADY_COMPUTED, ""
        missing = self.preds[v] - self.held[at]
        if missing:
            return Violation.MISSING_PREDECESSOR, f"vertex {min(missing)}"
        return self.full(v, at, self.slid(move, after))

    def part_fault(self, move: Action) -> Fault:
        """Return the rule that aggregating one operand breaks, or all that are missing."""
        v, u, here = move.vertex, move.operand, self.held[move.at]
        single, missing = u != NO_OPERAND, self.preds[v] - self.added[v]
        if single and u not in self.preds[v]:
            return Violation.NOT_AN_OPERAND, f"vertex {u}"
        if not missing and not single:
            return Violation.ALREADY_COMPUTED, ""
        if single and u not in missing:
            return Violation.ALREADY_AGGREGATED, f"vertex {u}"
        for operand in [u] if single else sorted(missing):
            if not self.complete(operand):
                return Violation.ONLY_PARTLY_COMPUTED, f"vertex {operand}"
            if operand not in here:
                return Violation.MISSING_PREDECESSOR, f"vertex {operand}"
        if v in here:
            return None
        return (Violation.PARTIAL_VALUE_GONE, "") if self.added[v] else self.full(v, move.at)

    def full(self, v: int, place: int, slid: int = 0) -> Fault:
        """Return that a memory has no room for a value, if so many words leave at once."""
        used, size, room = self.used[place], self.words[v], self.machine.rooms[place]
        if room is None or used + size - slid <= room:
            return None
        where = f" of level {place + 1}" if self.machine.numbered else ""
        return Violation.MEMORY_FULL, f"{used} + {size} words do not fit into {room}{where}"

    def slid(self, move: Action, after: Action | None) -> int:
        """Return the words of the operand whose place a value takes; 0 where it finds room."""
        v, at, room = move.vertex, move.at, self.machine.rooms[move.at]
        if not self.rules.sliding or room is None or self.used[at] + self.words[v] <= room:
            return 0
        if after is None or (after.name, after.at) != ("DELETE", at):
            return 0
        return self.words[after.vertex] if after.vertex in self.preds[v] else 0

    def present(self, place: int) -> Fault:
        """Return that a value is in a memory already."""
        slow = self.machine.rooms[place] is None
        return self.told(
            Violation.ALREADY_AT_LEVEL,
            Violation.ALREADY_BLUE if slow else Violation.ALREADY_RED,
            place,
        )

    def absent(self, move: Action, place: int) -> Fault:
        """Return that a value is not in the memory from which it is taken."""
        slow = self.machine.rooms[place] is None
        rule = Violation.NOT_BLUE if slow else Violation.NOT_RED
        if move.name == "RECEIVE":
            rule = Violation.NOT_AT_NEIGHBOUR
        return self.told(Violation.NOT_AT_LEVEL, rule, place)

    def told(self, of_level: Violation, rule: Violation, place: int) -> Fault:
        """Return a rule as it is called on this machine."""
        return (of_level, f"level {place + 1}") if self.machine.numbered else (rule, "")

    def make(self, move: Action, after: Action | None) -> None:
        """Make a legal move."""
        v, at = move.vertex, move.at
        if move.name == "DELETE":
            self.drop(v, at)
            return
        self.kind = move.name
        if move.name == "COMPUTE":
            self.compute(move, after)
            return
        source, place = move.way
        self.put(v, place)
        self.fresh.add((v, place))
        self.copies.append((v, source, place))

    def compute(self, move: Action, after: Action | None) -> None:
        """Make a legal computation; one in parts changes the value, so that copies are none."""
        v, u, at = move.vertex, move.operand, move.at
        if v not in self.held[at]:
            self.put(v, at, self.slid(move, after))
        for place in range(len(self.held)) if self.rules.partial else ():
            if place != at and v in self.held[place]:
                self.drop(v, place)
        self.added[v] |= self.preds[v] if u == NO_OPERAND else {u}
        if self.complete(v):
            self.computed.append((v, at))
