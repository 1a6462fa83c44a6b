"""Words that a program moves in the order of its text, counted without its DAG."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array, lock
from dags.programs._kernels import CONSTANT, UNREAD
from dags.programs.layout import cell_forms, known_names, require_ranges, values_of
from dags.programs.loop_table import LoopTable, Op, loop_table
from dags.programs.nest import Program
from dags.programs.survey import Survey, kernel_tables, survey
from pebble import MemoryTooSmallError
from schedulers.curves._kernels import program_stream as k
from schedulers.curves.periods import (
    Shift,
    advanced,
    enters_range,
    marks_in_front,
    marks_repeat,
    shift_of,
    state_of,
    steps_of,
)
from schedulers.curves.turned_code import Item, turned

FIRST_PLACES: Final = 1 << 16  # of the log
FIRST_BYTES, MOST_BYTES = 1 << 12, 1 << 22  # of flags that are noted at once
MOST_CELLS: Final = 1 << 26  # of all arrays: 16 bytes each, and as much to compare iterations
MOST_MEMORIES: Final = 30  # bits of the column MISSED
MOST_RUNS: Final = 1 << 48  # of assignments
BACKWARDS, ALL = 200, 1000  # thousandths of all work
LEAST_ACCESSES: Final = 1 << 18  # of an iteration that may be compared with the next one
CELLS_AN_ACCESS: Final = 8  # to compare two iterations looks at all cells
FEWEST: Final = 6  # iterations of a loop of which some may not be run
Flags = npt.NDArray[np.uint8]
Trace: TypeAlias = "list[Flags] | LoopTrace"


@dataclass(frozen=True)
class LoopTrace:
    """What the iterations of a loop noted.

    Parameters
    ----------
    same
        The last of the first iterations, all of which note the same.
    traces
        What that one and those behind it noted, statement by statement.
    """

    same: int
    traces: list[list["Trace"]]

    def of(self, t: int) -> list["Trace"]:
        """What iteration t noted."""
        return self.traces[max(t - self.same, 0)]


@dataclass(frozen=True)
class Words:
    """Words moved at some sizes of memory.

    Parameters
    ----------
    loads, stores
        (k,) words, the stores of outputs among them.
    """

    loads: Int64Array
    stores: Int64Array


@dataclass(frozen=True)
class ProgramWords:
    """What a program moves in the order of its text.

    Parameters
    ----------
    memories
        (k,) words of fast memory, rising.
    lru, furthest
        Where the least recently used value leaves, and where that leaves whose next use is
        furthest; None where the latter is not counted.
    computed, edges
        How many values are computed, and how many operands they read.
    """

    memories: tuple[int, ...]
    lru: Words
    furthest: Words | None
    computed: int
    edges: int


class TooLongError(Exception):
    """A run that takes more work than it may."""


def program_words(
    program: Program,
    sizes: Mapping[str, int],
    memories: Sequence[int],
    *,
    live: Collection[str] | None = None,
    constants: Collection[str] | None = None,
    with_next_use: bool = True,
    most: int = MOST_RUNS,
    progress: Callable[[int, int], None] | None = None,
) -> ProgramWords:
    """The words that a program moves in the order of its text, by LRU and furthest next use.

    They are those of `natural+lru` and `natural+belady` on its DAG, which is not built: the loops
    are run, backwards to know who reads a value last, and forwards. Where an iteration of a loop
    leaves behind it what the one before it left, a step further in each array, all that follow
    move as much (`schedulers.curves.periods`), and are not run.

    Parameters
    ----------
    program
        The loop nest.
    sizes
        A value for each of its sizes.
    memories
        (k,) words of fast memory, rising, enough for each assignment and its operands.
    live, constants
        As for `dags.programs.layout.instantiate`.
    with_next_use
        Whether furthest next use is counted: the states of its memories repeat late.
    most
        Accesses that may be run in either direction.
    progress
        Called with what is done, and with all that is to be done, in thousandths.

    Raises
    ------
    MemoryTooSmallError
        If an assignment and its operands do not fit into the first of the memories.
    TooLongError
        If more accesses would have to be run, or arrays have more than `MOST_CELLS`.
    ProgramError
        As `instantiate`.
    """
    values = values_of(program, sizes)
    outputs = known_names(program, live, "live", program.live_by_default())
    constant = known_names(program, constants, "constants", program.constants)
    require_ranges(program, values)
    table = loop_table(program, values, "statement")
    counts = survey(program, table, values, MOST_RUNS)
    if counts.extents.prod(axis=1).sum() > MOST_CELLS:
        raise TooLongError
    held = frozenset(constant) | program.local
    run = _Run(table, counts, memories, held, outputs, with_next_use=with_next_use)
    run.most, run.progress = most, progress
    if not run.steps and int(run.nodes.sum()) > most:
        raise TooLongError
    return run.words()


class _Run:
    """A run of a program in both directions.

    Parameters
    ----------
    table, found
        The program, and its counts.
    memories
        Words of fast memory, rising.
    held, outputs
        Arrays of constants, and those whose last values are outputs.
    with_next_use
        As for `program_words`.
    """

    def __init__(
        self,
        table: LoopTable,
        counts: Survey,
        memories: Sequence[int],
        held: frozenset[str],
        outputs: Sequence[str],
        *,
        with_next_use: bool,
    ) -> None:
        self.table = kernel_tables(table)
        code, self.items = turned(self.table.code)
        self.turned = self.table._replace(code=code)
        self.first, _, self.cells = cell_forms(table, counts)
        degrees = np.diff(table.operand_indptr)
        self.widest = int(degrees.max(initial=0))
        self.variables = np.zeros(table.depth, np.int64)
        self.marks = np.zeros(self.first[-1], np.uint8)
        self.back = np.zeros(k.STATE, np.int64)
        self.steps: dict[Item, Int64Array | None] = {}
        self.most = MOST_RUNS
        self.progress: Callable[[int, int], None] | None = None
        self.nodes = counts.runs * (degrees + 1)  # accesses
        self.noted, self.accesses = 0, 0
        self.bytes = int((counts.runs * ((degrees + k.OPERANDS + 7) >> 3)).sum())
        self.find_loops(self.items, np.zeros((2, table.depth), np.int64), 1)
        copies = bool(table.node_is_copy.any())
        self.board = _board(self, memories, has_copies=copies, with_next_use=with_next_use)
        for name, start, end in zip(table.arrays, self.first, self.first[1:], strict=False):
            if name in outputs:
                self.marks[start:end] = k.OUTPUT
            if name in held:
                cells = self.board.values[:, k.LAST] if not self.has_copies else self.board.holder
                cells[start:end] = CONSTANT

    @property
    def has_copies(self) -> bool:
        """Whether several cells may hold one value."""
        return self.board.holder.size > 0

    def note(self, rows: tuple[int, int]) -> list[Flags]:
        """Run rows of the turned code, and return what they note, in the order of the text."""
        chunks: list[Flags] = []
        self.back[k.PC], size = rows[0], FIRST_BYTES
        limit = (self.widest + k.OPERANDS + 7) >> 3
        while True:
            flags = np.empty(size + limit, np.uint8)
            self.back[k.BYTE] = flags.size
            k.backwards(
                self.turned, self.first, self.cells, self.marks, self.variables, flags,
                self.back, rows[1], limit,
            )  # fmt: skip
            chunks.append(flags[self.back[k.BYTE] :])
            self.noted += chunks[-1].size
            self.report(BACKWARDS * self.noted // self.bytes)
            if self.back[k.PC] == rows[1]:
                return chunks[::-1]
            size = min(4 * size, MOST_BYTES)

    def play(self, rows: tuple[int, int], chunks: Sequence[Flags]) -> None:
        """Run rows of the code with what was noted of them."""
        state = self.board.state
        state[k.PC] = rows[0]
        for flags in chunks:
            state[k.BYTE] = 0
            self.board = self.board._replace(flags=flags)
            while True:
                before = state[k.STEPS] + state[k.EDGES]
                k.forwards(self.table, self.first, self.cells, self.variables, self.board, rows[1])
                done = int(state[k.STEPS] + state[k.EDGES])
                self.accesses += done - int(before)
                self.report(BACKWARDS + (ALL - BACKWARDS) * done // int(self.nodes.sum()))
                if state[k.WIDEST] > self.board.memories[0]:
                    raise MemoryTooSmallError(
                        int(self.board.memories[0]), int(state[k.WIDEST]), "an assignment"
                    )
                if state[k.PC] == rows[1] or state[k.BYTE] == flags.size:
                    break
                self.make_room()

    def report(self, done: int) -> None:
        """Report what is done, in thousandths; raise TooLongError where that took too much."""
        if max(self.noted, self.accesses) > self.most:
            raise TooLongError
        if self.progress is not None:
            self.progress(min(done, ALL), ALL)

    def make_room(self) -> None:
        """Make room in the log; take twice as much where a quarter of it is still needed."""
        b = self.board
        k.compact(b, np.empty(b.log.size + 1, np.int32), np.zeros(b.memories.size, np.int64))
        if 4 * (b.state[k.FILLED] + self.widest + 2) > b.log.size:
            wide = [b.next_mark, b.gap, b.before]
            wide = [np.concatenate((column, np.empty_like(column)), axis=1) for column in wide]
            log = np.concatenate((b.log, np.empty_like(b.log)))
            self.board = b._replace(
                log=log, **dict(zip(("next_mark", "gap", "before"), wide, strict=True))
            )

    def find_loops(self, items: Sequence[Item], ranges: Int64Array, iterations: int) -> bool:
        """Find the loops that are run iteration by iteration; return whether there are any.

        Parameters
        ----------
        items
            Statements.
        ranges
            (2, depth) values of the loops around.
        iterations
            How often they are run at most.
        """
        any_is = False
        for item in (item for item in items if item.op is Op.LOOP):
            row, end = item.rows
            low, high = ranges.copy()
            if not enters_range(self.table, row, low, high):
                continue
            depth = self.table.code[row, 1]
            times = iterations * int(high[depth] - low[depth] + 1)
            code = self.table.code[row:end]
            accesses = int(self.nodes[code[code[:, 0] == Op.NODE, 1]].sum())
            steps = None
            if self.is_worth_it(accesses // times) and times >= FEWEST * iterations:
                steps = steps_of(self.table, self.cells, self.first.size - 1, item.rows)
            inside = self.find_loops(item.body, np.stack((low, high)), times)
            if steps is not None or inside:
                self.steps[item] = steps
                any_is = True
        return any_is

    def is_worth_it(self, accesses: int) -> bool:
        """Whether iterations of a given number of accesses are worth to be compared."""
        return accesses >= max(LEAST_ACCESSES, int(self.first[-1]) // CELLS_AN_ACCESS)

    def begin(self, item: Item) -> tuple[int, int, Shift | None]:
        """The first value of a loop, the number of its iterations, and how they shift."""
        row = item.rows[0]
        depth, step = self.table.code[row, 1], int(self.table.code[row, 6])
        low, high = self.variables.copy(), self.variables.copy()
        if not enters_range(self.table, row, low, high):
            return 0, 0, None
        start, count = int(low[depth] if step > 0 else high[depth]), int(high[depth] - low[depth])
        count, shift = count // abs(step) + 1, None
        self.variables[depth] = start
        steps = None if self.has_copies else self.steps[item]
        if steps is not None and count >= FEWEST:
            tables = self.table, self.cells, self.first, item.rows, steps, self.variables
            shift = shift_of(*tables, count)
        return start, count, shift

    def note_block(self, items: Sequence[Item]) -> list[Trace]:
        """Run statements backwards; return what they note, in the order of the text."""
        traces: list[Trace] = []
        for item in reversed(items):
            driven = item in self.steps
            traces.append(self.note_loop(item) if driven else self.note(item.backward))
        return traces[::-1]

    def note_loop(self, item: Item) -> LoopTrace:
        """Run a loop backwards, until iterations repeat."""
        start, count, shift = self.begin(item)
        row = self.table.code[item.rows[0]]
        traces: list[list[Trace]] = []
        for t in range(count - 1, -1, -1):
            self.variables[row[1]] = start + t * row[6]
            before = None
            if shift is not None and t > 0 and is_compared(count - 1 - t):
                before = self.marks.copy()
            traces.append(self.note_block(item.body))
            if shift and before is not None and marks_repeat(shift, before, self.marks, t):
                self.marks = marks_in_front(shift, self.marks, t)
                return LoopTrace(t, traces[::-1])
        return LoopTrace(0, traces[::-1])

    def play_block(self, items: Sequence[Item], traces: Sequence[Trace]) -> None:
        """Run statements with what they noted."""
        for item, trace in zip(items, traces, strict=True):
            if isinstance(trace, LoopTrace):
                self.play_loop(item, trace)
            else:
                self.play(item.rows, trace)

    def play_loop(self, item: Item, trace: LoopTrace) -> None:
        """Run a loop, but for iterations that repeat."""
        start, count, shift = self.begin(item)
        row = self.table.code[item.rows[0]]
        t = 0
        while t < count:
            self.variables[row[1]] = start + t * row[6]
            further = trace.same - t
            before = None
            if shift is not None and further > 0 and is_compared(t):
                before = state_of(self.board, copied=True)
            self.play_block(item.body, trace.of(t))
            if shift and before and advanced(self.board, shift, before, t, count, further):
                t += further
            t += 1

    def words(self) -> ProgramWords:
        """Run the program, and return its words."""
        self.play_block(self.items, self.note_block(self.items))
        counts, state = self.board.counts, self.board.state
        outputs = state[k.OUTPUTS]
        lru = Words(lock(counts[k.LRU_LOADS].copy()), lock(counts[k.LRU_STORES] + outputs))
        furthest = None
        if self.board.gap.shape[0]:
            furthest = Words(lock(counts[k.LOADS].copy()), lock(counts[k.STORES] + outputs))
        memories = tuple(self.board.memories.tolist())
        return ProgramWords(memories, lru, furthest, int(state[k.STEPS]), int(state[k.EDGES]))


def is_compared(iteration: int) -> bool:
    """Whether an iteration is compared with the next one: a few, and ever fewer."""
    return iteration < 4 or iteration & (iteration - 1) == 0


def _board(
    run: _Run, memories: Sequence[int], *, has_copies: bool, with_next_use: bool
) -> k.StreamBoard:
    """The state before a program is run."""
    count, cells = len(memories), int(run.first[-1])
    places = FIRST_PLACES
    while places < 4 * (run.widest + 2):
        places *= 2
    spare = np.arange(cells + 1 if has_copies else 0, dtype=np.int32)
    values = np.zeros((max(cells, spare.size), k.COLUMNS), np.int32)
    values[:, k.LAST] = UNREAD
    state = np.zeros(k.STATE, np.int64)
    state[k.FREE] = spare.size
    marks = np.zeros((3, count if with_next_use else 0, places + 1), np.int32)
    return k.StreamBoard(
        memories=np.array(memories, np.int64),
        counts=np.zeros((k.COUNTS, count), np.int64),
        newest=np.repeat(np.array([[-1], [0]], np.int64), count, axis=1),
        values=values,
        holder=np.full(cells if has_copies else 0, UNREAD, np.int32),
        holds=np.zeros(spare.size, np.int32),
        spare=spare,
        log=np.empty(places, np.int32),
        next_mark=marks[0],
        gap=marks[1].copy(),
        before=marks[2].copy(),
        operands=np.zeros((run.widest + 1, 3), np.int64),
        flags=np.zeros(0, np.uint8),
        state=state,
    )
