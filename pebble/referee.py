"""The referee: the definition of the game on every machine, in plain Python with sets.

A machine is a graph of memories. A value can be copied along a link to a memory with room for it,
computed in a memory with a processor if all of its operands are there, and deleted where memory has
an end. Inputs begin in memory without end; outputs end there. The moves, of which each but the last
two costs the words of its value:

    LOAD v: v, in the memory behind this one, gets a copy here.
    STORE v: v, which is here, gets a copy in the memory behind.
    RECEIVE v: v, in a neighbour, gets a copy here.
    COMPUTE v: v gets a place here, where all of its operands are.
    DELETE v: the copy of v that is here goes.

The games differ in their machines: a fast and a slow memory (`judge`), a chain of memories, several
processors with memories of their own (`judge_on`). Moves are made in steps. All moves of a step but
deletions are of one kind, made side by side at their memories, at each one after another: nothing
is loaded that is stored in the same step, and nothing is passed on that arrives in it. Under
one-shot rules a value is computed once, wherever.

Under partial rules a computed value is *untouched* until the first of its operands is aggregated,
*partly computed* until the last one is, and then *complete*; inputs are complete.

    COMPUTE v, u: operand u, complete and here, is aggregated into v, which is untouched and gets a
    place, or is here.

Each operand is aggregated once. A value changes by it, so that copies elsewhere are none any more.
COMPUTE v aggregates all operands that are still missing, which are here together: every one-shot
play is a play of this game. Partly computed values are loaded, stored and deleted like others; one
that is deleted without having been stored can never be completed.

The referee shares no code with the engines, which must agree with it move for move.

Source
------
P. A. Papp, A. Sobczyk and A. N. Yzelman, The impact of partial computations on the red-blue pebble
game, SPAA 2025, arXiv 2506.10854v2. Theirs are COMPUTE v, u ("partial compute"), load, save and
delete; a deletion that loses a needed value, which they forbid, ends here in a play that cannot be
finished. COMPUTE v is no more than several of their moves.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise

from dags import CDAG
from pebble.count import ChannelCount, IOCount, MachineCount, MemoryCount, Steps
from pebble.errors import IllegalMoveError, Violation
from pebble.machine import Fault, Machine
from pebble.moves import NONE, Action, Move
from pebble.rules import ONE_SHOT, Rules
from pebble.schedule import Schedule


def judge(dag: CDAG, schedule: Schedule, memory: int, *, rules: Rules = ONE_SHOT) -> IOCount:
    """The cost of `schedule` with `memory` words of fast memory.

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
    table = _played(dag, schedule, Machine.fast(memory), rules)
    words, tags = table.words, [] if dag.channel is None else dag.channel.tolist()
    loads, stores = ([v for v, _, to in table.copies if to == place] for place in (fast, slow))
    return IOCount(
        rules=rules,
        loads=sum(words[v] for v in loads),
        stores=sum(words[v] for v in stores),
        load_moves=len(loads),
        store_moves=len(stores),
        computes=len(table.computed),
        recomputes=table.recomputes,
        peak=table.peaks[fast],
        work=None if dag.work is None else sum(int(dag.work[v]) for v, _ in table.computed),
        channels={
            tag: ChannelCount(
                loads=sum(words[v] for v in loads if tags[v] == tag),
                stores=sum(words[v] for v in stores if tags[v] == tag),
            )
            for tag in sorted(set(tags))
        },
    )


def judge_on(
    dag: CDAG, schedule: Schedule, machine: Machine, *, rules: Rules = ONE_SHOT
) -> MachineCount:
    """The cost of `schedule` on any machine.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves, each at a memory, and perhaps in steps.
    machine
        The machine that it is played on.
    rules
        The rules of the game.

    Raises
    ------
    IllegalMoveError
        At the first move that the rules forbid.
    InvalidScheduleError
        If slow memories are apart and the schedule places no inputs, or elsewhere.
    """
    table = _played(dag, schedule, machine, rules)
    received, sent, computes, work = (Counter[int]() for _ in range(4))
    boundary, links = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for v, source, place in table.copies:
        size = table.words[v]
        if machine.receives(place, source):
            links[source, place] += size
            received[place] += size
            sent[source] += size
        else:
            boundary[source, place] += size
    for v, q in table.computed:
        computes[q] += 1
        work[q] += 0 if dag.work is None else int(dag.work[v])
    return MachineCount(
        rules=rules,
        each=tuple(
            MemoryCount(
                loads=0 if behind is None else boundary[behind, q],
                stores=0 if behind is None else boundary[q, behind],
                received=received[q],
                sent=sent[q],
                computes=computes[q],
                work=None if dag.work is None else work[q],
                peak=table.peaks[q],
            )
            for q, behind in enumerate(machine.behind)
            if machine.rooms[q] is not None
        ),
        links=dict(sorted(links.items())),
        steps=_steps(table.words, schedule),
        recomputes=table.recomputes,
    )


def _steps(words: Sequence[int], schedule: Schedule) -> Steps:
    """The results of each step."""
    rows = []
    for _, together in groupby(schedule.actions(), lambda action: action.step):
        kind, busy = Move.DELETE, Counter[int]()
        for action in together:
            if action.move is not Move.DELETE:
                kind = action.move
                busy[action.at] += 1 if kind is Move.COMPUTE else words[action.vertex]
        rows.append((int(kind), max(busy.values(), default=0), busy.total()))
    return Steps.of(rows)


def _played(dag: CDAG, schedule: Schedule, machine: Machine, rules: Rules) -> "_Table":
    """The state after a legal play; IllegalMoveError at the first illegal move."""
    table = _Table(dag, machine, rules)
    homes = schedule.homes_of_inputs(dag, machine.ends)
    for v, home in zip(dag.inputs.tolist(), homes.tolist(), strict=True):
        table.put(v, home)
    moves = list(schedule.actions())
    for index, (move, after) in enumerate(zip(moves, [*moves[1:], None], strict=False)):
        fault = table.fault(move, after)
        if fault is not None:
            processor = -1 if schedule.step is None else move.at
            raise IllegalMoveError(index, move.move.name, move.vertex, *fault, processor)
        table.make(move, after)
    kept = {v for place in machine.ends for v in table.held[place] if table.complete(v)}
    missing = sorted(set(dag.outputs.tolist()) - kept)
    if missing:
        raise IllegalMoveError(len(moves), "END", missing[0], Violation.OUTPUT_NOT_STORED)
    return table


class _Table:
    """The state of a play: memories of values, and operands that are part of each."""

    def __init__(self, dag: CDAG, machine: Machine, rules: Rules) -> None:
        self.machine, self.rules = machine, rules
        rows = pairwise(dag.pred_indptr.tolist())
        self.preds = [set(dag.pred_indices[a:b].tolist()) for a, b in rows]
        self.words: list[int] = dag.sizes.tolist()
        self.in_place = None if dag.in_place is None else dag.in_place.tolist()
        self.held: list[set[int]] = [set() for _ in machine.rooms]
        self.used, self.peaks = [0] * len(self.held), [0] * len(self.held)
        self.added: list[set[int]] = [set() for _ in self.preds]
        self.copies: list[tuple[int, int, int]] = []
        self.computed: list[tuple[int, int]] = []
        self.step, self.kind = -1, Move.DELETE  # what else is made in this step
        self.fresh: set[tuple[int, int]] = set()  # copies that came in it

    @property
    def recomputes(self) -> int:
        """Computations of values that had been computed before."""
        return len(self.computed) - len({v for v, _ in self.computed})

    def complete(self, v: int) -> bool:
        """Whether a value is an input, or has been computed from all of its operands."""
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

    def fault(self, action: Action, after: Action | None) -> Fault | None:
        """The rule that a move breaks, with a detail; None if it is legal."""
        move, v, place = action.move, action.vertex, action.at
        if action.step != self.step:
            self.step, self.kind, self.fresh = action.step, Move.DELETE, set()
        if not 0 <= v < len(self.preds):
            return Violation.NO_SUCH_VERTEX, ""
        if not self.is_made_at(move, place):
            return self.machine.no_such(place)
        if action.operand != NONE and not self.rules.partial:
            return Violation.NO_SUCH_MOVE, ""
        if Move.DELETE not in (move, self.kind) and move != self.kind:
            return Violation.MIXED_STEP, self.kind.name
        if move is Move.DELETE:
            return None if v in self.held[place] else self.machine.absent(place, received=False)
        if move is not Move.COMPUTE:
            return self.copy_fault(action)
        if not self.preds[v]:
            return Violation.IS_INPUT, ""
        return self.part_fault(action) if self.rules.partial else self.whole_fault(action, after)

    def is_made_at(self, move: Move, place: int) -> bool:
        """Whether such moves are made at a memory: at none without end."""
        rooms, computing = self.machine.rooms, range(self.machine.processors)
        inside = 0 <= place < len(rooms) and rooms[place] is not None
        return inside and (move is not Move.COMPUTE or place in computing)

    def way(self, action: Action) -> tuple[int, int] | None:
        """The memories from which and to which a copy goes; None if no link joins them."""
        target, behind = action.at, self.machine.behind[action.at]
        if action.move is Move.RECEIVE:
            return (action.source, target) if self.machine.receives(target, action.source) else None
        if behind is None:
            return None
        return (behind, target) if action.move is Move.LOAD else (target, behind)

    def copy_fault(self, action: Action) -> Fault | None:
        """The rule that a copy breaks, the first of them where it is several."""
        v, way, received = action.vertex, self.way(action), action.move is Move.RECEIVE
        if way is None:
            memory = received and v in self.held[action.at]
            nowhere = Violation.NO_LINK if received else Violation.NO_PORT
            return self.machine.present(action.at) if memory else (nowhere, "")
        source, place = way
        memory = v in self.held[place]
        source_first = self.machine.numbered or action.move is Move.STORE
        if v not in self.held[source] and (source_first or not memory):
            return self.machine.absent(source, received=received)
        if memory:
            return self.machine.present(place)
        return (Violation.SAME_STEP, "") if (v, source) in self.fresh else self.full(v, place)

    def whole_fault(self, action: Action, after: Action | None) -> Fault | None:
        """The rule that a computation breaks."""
        v, place = action.vertex, action.at
        if v in self.held[place]:
            return self.machine.present(place)
        if self.complete(v) and not self.rules.recompute:
            return Violation.ALREADY_COMPUTED, ""
        missing = self.preds[v] - self.held[place]
        if missing:
            return Violation.MISSING_PREDECESSOR, f"vertex {min(missing)}"
        return self.full(v, place, self.slid(action, after))

    def part_fault(self, action: Action) -> Fault | None:
        """The rule that aggregating one operand breaks, or all that are missing."""
        v, u, held = action.vertex, action.operand, self.held[action.at]
        single, missing = u != NONE, self.preds[v] - self.added[v]
        if single and u not in self.preds[v]:
            return Violation.NOT_AN_OPERAND, f"vertex {u}"
        if not missing and not single:
            return Violation.ALREADY_COMPUTED, ""
        if single and u not in missing:
            return Violation.ALREADY_AGGREGATED, f"vertex {u}"
        for operand in [u] if single else sorted(missing):
            if not self.complete(operand):
                return Violation.ONLY_PARTLY_COMPUTED, f"vertex {operand}"
            if operand not in held:
                return Violation.MISSING_PREDECESSOR, f"vertex {operand}"
        if v in held:
            return None
        return (Violation.PARTIAL_VALUE_GONE, "") if self.added[v] else self.full(v, action.at)

    def full(self, v: int, place: int, slid: int = 0) -> Fault | None:
        """Return that a memory has no room for a value, if so many words leave at once."""
        used, size, room = self.used[place], self.words[v], self.machine.rooms[place]
        if room is None or used + size - slid <= room:
            return None
        return self.machine.full(place, used, size)

    def slid(self, action: Action, after: Action | None) -> int:
        """The words of the operand whose place a value takes; 0 where it finds room."""
        v, place, room = action.vertex, action.at, self.machine.rooms[action.at]
        if not self.rules.sliding or room is None or self.used[place] + self.words[v] <= room:
            return 0
        if after is None or (after.move, after.at) != (Move.DELETE, place):
            return 0
        return self.words[after.vertex] if self.may_replace(v, after.vertex) else 0

    def may_replace(self, v: int, u: int) -> bool:
        """Whether a value may take the place of another under sliding rules."""
        marked = self.in_place is None or (self.in_place[v] and self.words[u] == self.words[v])
        return marked and u in self.preds[v]

    def make(self, action: Action, after: Action | None) -> None:
        """Make a legal move."""
        v, at = action.vertex, action.at
        if action.move is Move.DELETE:
            self.drop(v, at)
            return
        self.kind = action.move
        if action.move is Move.COMPUTE:
            self.compute(action, after)
            return
        way = self.way(action)
        assert way is not None
        source, place = way
        self.put(v, place)
        self.fresh.add((v, place))
        self.copies.append((v, source, place))

    def compute(self, action: Action, after: Action | None) -> None:
        """Make a legal computation; one in parts changes the value, so that copies are none."""
        v, u, at = action.vertex, action.operand, action.at
        if v not in self.held[at]:
            self.put(v, at, self.slid(action, after))
        for place in range(len(self.held)) if self.rules.partial else ():
            if place != at and v in self.held[place]:
                self.drop(v, place)
        self.added[v] |= self.preds[v] if u == NONE else {u}
        if self.complete(v):
            self.computed.append((v, at))
