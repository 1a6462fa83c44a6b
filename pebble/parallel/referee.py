"""The referee of several processors: the definition of their game, in plain Python with sets.

It shares no code with the engine, which must agree with it move for move. With one processor it
is the game of `pebble.referee`.

Moves are made in steps. All moves of a step but deletions are of one kind, made side by side by
the processors, each of which makes its own one after another: so nothing is loaded that is stored
in the same step, and nothing is passed on that arrives in it. A value is computed where all of its
operands are; under one-shot rules once, by one processor.
"""

import itertools

from dags import CDAG
from pebble.errors import InvalidScheduleError, Violation
from pebble.parallel.count import ParallelCount, ProcessorCount, Steps
from pebble.parallel.errors import IllegalParallelMoveError, require_whole
from pebble.parallel.machine import Machine
from pebble.parallel.moves import Made, ParallelMove, ParallelSchedule
from pebble.rules import ONE_SHOT, Rules

LOAD, STORE, COMPUTE, DELETE, RECEIVE = ParallelMove


def judge_parallel(
    dag: CDAG, schedule: ParallelSchedule, machine: Machine, *, rules: Rules = ONE_SHOT
) -> ParallelCount:
    """Return what `schedule` costs on `machine`.

    Parameters
    ----------
    dag
        The computation.
    schedule
        Its moves.
    machine
        Processors, their memory and links.
    rules
        The rules of the game.

    Raises
    ------
    IllegalParallelMoveError
        At the first move that the rules forbid.
    InvalidScheduleError
        If the machine has slow memories apart and the schedule places no inputs, or elsewhere.
    InvalidRulesError
        If values are computed in parts.
    """
    require_whole(rules)
    table = _Table(dag, schedule, machine, rules)
    moves = list(schedule)
    for index, made in enumerate(moves):
        following = moves[index + 1] if index + 1 < len(moves) else None
        table.make(index, made, following)
    return table.finish(len(moves))


class _Table:
    """The state of a play."""

    def __init__(
        self, dag: CDAG, schedule: ParallelSchedule, machine: Machine, rules: Rules
    ) -> None:
        self.dag, self.machine, self.rules = dag, machine, rules
        self.all = range(machine.processors)
        ends = dag.pred_indptr.tolist()
        self.preds = [set(dag.pred_indices[a:b].tolist()) for a, b in itertools.pairwise(ends)]
        self.words = [1] * dag.n if dag.words is None else dag.words.tolist()
        self.inputs = set(dag.inputs.tolist())
        self.red: list[set[int]] = [set() for _ in self.all]
        self.fresh: list[set[int]] = [set() for _ in self.all]  # red since this very step
        shared = machine.slow == "shared"
        slow: list[set[int]] = [set() for _ in self.all]
        self.blue = [slow[0]] * len(self.all) if shared else slow  # what each one reaches
        for v in self.inputs:
            self.blue[0 if shared else home_of(schedule, v, dag, machine)].add(v)
        self.done: set[int] = set()
        self.recomputes = 0
        self.tally = [dict.fromkeys(ParallelMove, 0) for _ in self.all]  # words, by move
        self.computes = [0] * len(self.all)
        self.work = [0] * len(self.all)
        self.sent = [0] * len(self.all)
        self.occupied = [0] * len(self.all)
        self.peak = [0] * len(self.all)
        self.links: dict[tuple[int, int], int] = {}
        self.step = -1
        self.kind = DELETE
        self.busy = [0] * len(self.all)  # in this step
        self.steps: list[tuple[int, int, int]] = []

    def make(self, index: int, made: Made, following: Made | None) -> None:
        """Make a move, or raise."""
        if made.step != self.step:
            self.end_step()
            self.step = made.step
        broken, detail, slid = self.broken(made, following)
        if broken is Violation.MEMORY_FULL:
            detail = (
                f"{self.occupied[made.processor]} + {self.words[made.vertex]} words do not fit "
                f"into {self.machine.memory}"
            )
        if broken is not None:
            raise IllegalParallelMoveError(
                index, made.move.name, made.vertex, broken, detail, made.processor
            )
        self.change(made, slid)

    def broken(self, made: Made, following: Made | None) -> tuple[Violation | None, str, int]:
        """Return the rule that a move breaks, or None; a detail; and the words that slide."""
        move, v, q = made.move, made.vertex, made.processor
        if not 0 <= v < self.dag.n:
            return Violation.NO_SUCH_VERTEX, "", 0
        if q not in self.all:
            return Violation.NO_SUCH_PROCESSOR, "", 0
        if DELETE not in (move, self.kind) and move is not self.kind:
            return Violation.MIXED_STEP, self.kind.name, 0
        red = self.red[q]
        if move is DELETE:
            return (None if v in red else Violation.NOT_RED), "", 0
        if move in (LOAD, STORE) and not self.machine.has_port(q):
            return Violation.NO_PORT, "", 0
        if move is STORE:
            if v not in red:
                return Violation.NOT_RED, "", 0
            return (Violation.ALREADY_BLUE if v in self.blue[q] else None), "", 0
        if move is COMPUTE and v in self.inputs:
            return Violation.IS_INPUT, "", 0
        if v in red:
            return Violation.ALREADY_RED, "", 0
        if move is COMPUTE:
            return self.broken_compute(made, following)
        if move is LOAD:
            broken = None if v in self.blue[q] else Violation.NOT_BLUE
        else:
            broken = self.broken_receive(made)
        if broken is None and self.occupied[q] + self.words[v] > self.machine.memory:
            broken = Violation.MEMORY_FULL
        return broken, "", 0

    def broken_receive(self, made: Made) -> Violation | None:
        """Return why a value cannot be received, but for its room."""
        links, v, r = self.machine.links, made.vertex, made.source
        if links is None or r not in links.neighbours[made.processor]:
            return Violation.NO_LINK
        if v not in self.red[r]:
            return Violation.NOT_AT_NEIGHBOUR
        return Violation.SAME_STEP if v in self.fresh[r] else None

    def broken_compute(
        self, made: Made, following: Made | None
    ) -> tuple[Violation | None, str, int]:
        """Return why a value cannot be computed; a detail; and the words that slide."""
        v, q = made.vertex, made.processor
        if v in self.done and not self.rules.recompute:
            return Violation.ALREADY_COMPUTED, "", 0
        missing = self.preds[v] - self.red[q]
        if missing:
            return Violation.MISSING_PREDECESSOR, f"vertex {min(missing)}", 0
        slid = 0
        needed = self.occupied[q] + self.words[v]
        if self.rules.sliding and needed > self.machine.memory and following is not None:
            u = following.vertex
            if (following.move, following.processor) == (DELETE, q) and u in self.preds[v]:
                slid = self.words[u]
        full = needed - slid > self.machine.memory
        return (Violation.MEMORY_FULL if full else None), "", slid

    def change(self, made: Made, slid: int) -> None:
        """Change the state by a legal move, and count it."""
        move, v, q = made.move, made.vertex, made.processor
        size = self.words[v]
        if move is DELETE:
            self.red[q].remove(v)
            self.fresh[q].discard(v)
            self.occupied[q] -= size
            return
        self.kind = move
        self.busy[q] += 1 if move is COMPUTE else size
        self.tally[q][move] += size
        if move is STORE:
            self.blue[q].add(v)
            return
        self.red[q].add(v)
        self.occupied[q] += size
        self.peak[q] = max(self.peak[q], self.occupied[q] - slid)
        if move is RECEIVE:
            self.fresh[q].add(v)
            self.sent[made.source] += size
            link = made.source, q
            self.links[link] = self.links.get(link, 0) + size
        if move is COMPUTE:
            self.recomputes += v in self.done
            self.done.add(v)
            self.computes[q] += 1
            self.work[q] += 0 if self.dag.work is None else int(self.dag.work[v])

    def end_step(self) -> None:
        """Count the step that ends."""
        if self.step >= 0:
            self.steps.append((int(self.kind), max(self.busy), sum(self.busy)))
        self.kind = DELETE
        self.busy = [0] * len(self.all)
        self.fresh = [set() for _ in self.all]

    def finish(self, played: int) -> ParallelCount:
        """Return the totals, or raise if an output is in no slow memory."""
        self.end_step()
        missing = sorted(set(self.dag.outputs.tolist()).difference(*self.blue))
        if missing:
            rule = Violation.OUTPUT_NOT_STORED
            raise IllegalParallelMoveError(played, "END", missing[0], rule)
        return ParallelCount(
            rules=self.rules,
            processors=tuple(map(self.count_of, self.all)),
            links=dict(sorted(self.links.items())),
            steps=Steps.of(self.steps),
            recomputes=self.recomputes,
        )

    def count_of(self, q: int) -> ProcessorCount:
        """Return what a processor did."""
        return ProcessorCount(
            loads=self.tally[q][LOAD],
            stores=self.tally[q][STORE],
            received=self.tally[q][RECEIVE],
            sent=self.sent[q],
            computes=self.computes[q],
            work=None if self.dag.work is None else self.work[q],
            peak=self.peak[q],
        )


def home_of(schedule: ParallelSchedule, vertex: int, dag: CDAG, machine: Machine) -> int:
    """Return the processor in whose slow memory an input begins.

    Parameters
    ----------
    schedule
        It says where inputs begin.
    vertex
        The input.
    dag, machine
        What is played, and on what.

    Raises
    ------
    InvalidScheduleError
        If it does not say, or names no processor of the machine.
    """
    if schedule.home is None or schedule.home.size != dag.n:
        raise InvalidScheduleError("a home is needed for each vertex, as slow memory is not shared")
    home = int(schedule.home[vertex])
    if not 0 <= home < machine.processors:
        raise InvalidScheduleError(f"the home of vertex {vertex} is {home}, which is no processor")
    return home
