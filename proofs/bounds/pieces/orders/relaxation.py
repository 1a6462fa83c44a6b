"""The linear program of which `proofs.certificates.pieces.orders` checks dual solutions."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dags.arrays import Int64Array
from dags.work import charge, seconds_of
from pebble import Budget, Rules
from pebble.budget import running_clock
from proofs.bounds.pieces.packing import Inequality
from proofs.bounds.quick_programs import FloatArray, Solution
from proofs.certificates.pieces.piece import Piece, Stages, ranges
from proofs.certificates.pieces.wavefronts import relatives, taken_words

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

GOLDEN = (5**0.5 - 1) / 2  # multiples of it are spread evenly, modulo 1
# How near the primal and the dual have to come, relatively: rounding loses as much.
GAP = 3e-4
# How much a step of the primal counts beside one of the dual at first: costs are few.
WEIGHT = 0.5
# All rows are looked at in such a share of the work; then those with such a price, over moments.
EARLY, USED = 0.5, 0.3
ENTRY = seconds_of("entry")  # of work that a step takes for each number in the rows
MOST_STEPS = 2**31 - 1  # as the solver counts them
NOTHING = Solution(np.zeros(0), np.zeros(0))  # all variables and prices are 0


@dataclass(frozen=True)
class Moment:
    """The rows of the program that are about one vertex x.

    Parameters
    ----------
    x
        The vertex.
    edges, flows
        (f,) edges on which values may wait, and the first row of those in which they do.
    closures, returns
        (g,) edges between free vertices, and the first row of those by which sets are closed.
    room
        The row of the memory.
    values, stored
        (v,) values that may wait, none an operand, and the first row in which they are stored.
    stages, loaded
        (k,) stages of values in which x may be computed, and the first row of their loads.
    tied, counted
        (t,) those of the values with several stages, and the first row that counts readers.
    """

    x: int
    edges: Int64Array
    flows: int
    closures: Int64Array
    returns: int
    room: int
    values: Int64Array
    stored: int
    stages: Int64Array
    loaded: int
    tied: Int64Array
    counted: int


class MomentProgram(NamedTuple):
    """A linear program: variables from 0 to `limits` of least cost, with rows within limits.

    Its rows are about so many moments.
    """

    costs: FloatArray
    matrix: "csr_matrix"
    least: FloatArray
    most: FloatArray
    limits: FloatArray
    moments: int


class Relaxation:
    """The least excess of a fractional order: precedences, waiting values, loads.

    `moments` are those that are in it, `complete` whether those are all; `given` is the first row
    of given inequalities.

    Variables, all from 0: the loads of each stage; the stores of each value; for each pair of
    vertices whether one is before the other, for each input whether it is loaded; and around each
    vertex for each value how much of it is kept, how much is away, how much of that in each stage,
    and which stage it is.

    Parameters
    ----------
    whole
        All of a DAG.
    stages
        The stages of its values.
    memory, rules
        The game.
    given
        Other bounds, in half words of loads in each stage, and of stores of each value.
    entries
        How many numbers in the rows are enough: no more moments are entered then. First are those
        that leave least room, in which most is proved; equal ones are spread evenly.
    """

    def __init__(
        self,
        whole: Piece,
        stages: Stages,
        memory: int,
        rules: Rules,
        inequalities: Sequence[Inequality] = (),
        entries: float = math.inf,
    ) -> None:
        self._whole, self._stages = whole, stages
        nothing = np.zeros(whole.size, np.int64)  # goes through values
        self._room = memory - taken_words(whole, rules, 1, nothing)
        self._tails = whole.pred_indices.astype(np.int64)
        self._heads = np.repeat(np.arange(whole.size), np.diff(whole.pred_indptr))
        nobody = np.zeros(0, np.int64)
        self._rows, self._columns, self._exact = [nobody], [nobody], [nobody]
        self._entries, self._limits = [np.zeros(0)], [np.zeros(0)]
        self._height, self._width = 0, stages.count + whole.size
        self._most = [np.full(self._width, np.inf)]
        self._costs = np.concatenate((whole.words[stages.values], whole.words))
        self._before = np.full((whole.size, whole.size), -1, np.int64)
        self.given = self._given(inequalities)
        self.moments = list(self._moments(entries))

    def _given(self, inequalities: Sequence[Inequality]) -> int:
        """Enter the other bounds, and return the first row."""
        rows = self._add(len(inequalities))
        for row, entry in zip(rows, inequalities, strict=True):
            self._put(np.full(entry.words.size, row), entry.vertices, entry.words / 2)
        self._constant(rows, -np.array([entry.least for entry in inequalities], np.float64))
        return _first(rows)

    def _by_need(self) -> list[int]:
        """The computed vertices: first those that leave least room, else spread evenly."""
        piece = self._whole
        able = np.flatnonzero(~piece.is_input & (np.diff(piece.pred_indptr) > 0))
        spread = able * GOLDEN % 1
        order = np.lexsort((spread, self._room[able]))
        return [int(x) for x in able[order]]

    def _moments(self, entries: float) -> Iterator[Moment]:
        """Enter and yield moments while which something may not fit, until there are `entries`."""
        piece = self._whole
        used = 0
        self.complete = False
        for x in self._by_need():
            above, below = relatives(piece, x)
            if int(piece.words[~below].sum()) <= self._room[x]:
                continue
            first = len(self._entries)
            self._kin, self._free = above, ~(above | below)
            self._number_pairs(x)
            yield self._moment(x)
            used += sum(entry.size for entry in self._entries[first:])
            if used > entries:
                return
        self.complete = True

    def _number_pairs(self, x: int) -> None:
        """Give each pair of x and a free vertex its variable, an old one if both have moments."""
        known = self._free & (self._before[:, x] >= 0)
        new = self._free & ~known
        self._before[x, known] = self._before[known, x]
        self._before[x, new] = self._new(int(new.sum()), 1.0)
        self._turned = known

    def _new(self, count: int, limit: float) -> Int64Array:
        """The numbers of new variables, each at most `limit`."""
        self._width += count
        self._most.append(np.full(count, limit))
        return np.arange(self._width - count, self._width)

    def _add(self, count: int) -> Int64Array:
        """The numbers of new rows, which are at least 0."""
        self._height += count
        self._limits.append(np.zeros(count))
        return np.arange(self._height - count, self._height)

    def _put(
        self, rows: Int64Array, columns: Int64Array, entry: float | Int64Array | FloatArray
    ) -> None:
        """Enter numbers in rows and columns."""
        self._rows.append(rows)
        self._columns.append(columns)
        self._entries.append(np.broadcast_to(np.float64(entry), rows.shape))

    def _put_before(self, x: int, rows: Int64Array, vertices: Int64Array, sign: float) -> None:
        """Enter in rows, `sign` times, whether vertices are before x."""
        known, free, turned = self._kin[vertices], self._free[vertices], self._turned[vertices]
        self._put(rows[free], self._before[x, vertices[free]], np.where(turned, -sign, sign)[free])
        self._constant(rows, np.where(known | turned, sign, 0.0))

    def _constant(self, rows: Int64Array, constant: FloatArray) -> None:
        """Add constants to rows that were added last."""
        limits = self._limits[-1]
        first = self._height - limits.size
        np.subtract.at(limits, rows - first, constant)

    def _moment(self, x: int) -> Moment:
        """Enter the rows about x."""
        piece, stages = self._whole, self._stages
        kin, free = self._kin, self._free
        tails, heads = self._tails, self._heads
        operand = np.zeros(piece.size, np.bool_)
        operand[tails[piece.pred_indptr[x] : piece.pred_indptr[x + 1]]] = True
        waits = (kin | free)[tails] & ~operand[tails] & ~kin[heads]
        edges = np.flatnonzero(waits)
        closures = np.flatnonzero(free[tails] & free[heads])
        values, place = np.unique(tails[edges], return_inverse=True)
        kept, absence = self._new(values.size, np.inf), self._new(values.size, np.inf)
        flows = self._add(edges.size)
        self._put(flows, kept[place], 1)
        self._put(flows, absence[place], 1)
        self._put_before(x, flows, heads[edges], 1.0)
        self._put_before(x, flows, tails[edges], -1.0)
        returns = self._add(closures.size)
        self._put_before(x, returns, tails[closures], 1.0)
        self._put_before(x, returns, heads[closures], -1.0)
        room = self._add(1)
        self._put(np.full(values.size, room[0]), kept, -piece.words[values])
        self._constant(room, np.array([float(self._room[x])]))
        costly = piece.price[values] == 2
        stored = self._add(values.size)
        self._put(stored[costly], stages.count + values[costly], 1)
        self._put(stored[costly], absence[costly], -1)
        waiting = edges, _first(flows), closures, _first(returns), _first(room)
        return Moment(x, *waiting, values, _first(stored), *self._in_stages(x, absence, values))

    def _in_stages(
        self, x: int, absence: Int64Array, values: Int64Array
    ) -> tuple[Int64Array, int, Int64Array, int]:
        """Enter the loads in each stage; return the last four fields of the moment."""
        stages = self._stages
        first, last = (row[values] for row in stages.span(np.array([x])))
        counts = last - first + 1
        rows = ranges(first, last)
        owner = np.repeat(np.arange(values.size), counts)
        several = counts[owner] > 1
        part = absence[owner]
        part[several] = self._new(int(several.sum()), np.inf)
        loaded = self._add(rows.size)
        self._put(loaded, rows, 1)
        self._put(loaded, part, -1)
        tied = np.flatnonzero(counts > 1)
        slot = np.searchsorted(tied, owner[several])
        total = self._add(tied.size)
        self._put(total[slot], part[several], 1)
        self._put(total, absence[tied], -1)
        number = (rows - stages.first[values[owner]])[several]
        counted = self._tie(x, part[several], slot, number, values[tied])
        return rows, _first(loaded), values[tied], counted

    def _tie(
        self, x: int, part: Int64Array, slot: Int64Array, number: Int64Array, tied: Int64Array
    ) -> int:
        """Enter that the stage of values is how many of their readers are before x.

        Parameters
        ----------
        x
            The vertex.
        part, slot, number
            For each stage, how much is away in it, the place of its value in `tied`, its number.
        tied
            Values with several stages.
        """
        stage = self._new(part.size, 1.0)
        within = self._add(part.size)
        self._put(within, stage, 1)
        self._put(within, part, -1)
        once = self._add(tied.size)
        self._put(once[slot], stage, 1)
        self._constant(once, np.full(tied.size, -1.0))
        counted = self._add(tied.size)
        self._put(counted[slot], stage, number)
        first, last = self._stages.first[tied] - tied, self._stages.last[tied] - tied
        readers = self._stages.readers[ranges(first, last - 1)]
        self._put_before(x, np.repeat(counted, last - first), readers, -1.0)
        self._exact += [once, counted]
        return _first(counted)

    def program(self) -> MomentProgram:
        """The program as it is solved."""
        from scipy.sparse import csr_matrix  # not before it is needed: it takes long to import

        places = np.concatenate(self._rows), np.concatenate(self._columns)
        shape = self._height, self._width
        lower = np.concatenate(self._limits)
        upper = np.full(lower.size, np.inf)
        exact = np.concatenate(self._exact)
        upper[exact] = lower[exact]
        costs = np.zeros(self._width)
        costs[: self._costs.size] = self._costs
        matrix = csr_matrix((np.concatenate(self._entries), places), shape=shape)
        limits = np.concatenate(self._most)
        return MomentProgram(costs, matrix, lower, upper, limits, len(self.moments))


def _first(rows: Int64Array) -> int:
    """The first of some rows, which follow each other; any if there are none."""
    return int(rows[0]) if rows.size else 0


def solved_nearly(program: MomentProgram, seconds: float, start: Solution = NOTHING) -> Solution:
    """A solution with prices, nearly the best ones after enough time.

    Most rows never have a price to speak of: after some steps they are left out, so that further
    ones take a third of the time. Any prices of rows prove something.

    Parameters
    ----------
    program
        The program.
    seconds
        When to stop, about.
    start
        Of a program with the first of its rows and variables; it begins there.
    """
    budget = Budget(seconds)
    solution = stepped(program, EARLY * seconds, start)
    rows = np.flatnonzero(np.abs(solution.prices) > USED / max(program.moments, 1))
    if not rows.size:
        return solution
    columns = np.unique(program.matrix[rows].indices)
    part = MomentProgram(
        program.costs[columns],
        program.matrix[rows][:, columns],
        program.least[rows],
        program.most[rows],
        program.limits[columns],
        program.moments,
    )
    begin = Solution(solution.x[columns], solution.prices[rows])
    further = stepped(part, budget.left, begin)
    x, prices = solution.x.copy(), np.zeros(solution.prices.size)
    x[columns], prices[rows] = further
    return Solution(x, prices)


def stepped(program: MomentProgram, seconds: float, start: Solution = NOTHING) -> Solution:
    """The solution after as many steps as there is work for.

    Parameters
    ----------
    program, seconds, start
        As for `solved_nearly`.
    """
    from ortools.pdlp import solvers_pb2  # not before it is needed: it takes long to import
    from ortools.pdlp.python import pdlp

    rows, columns = program.matrix.shape
    x = np.pad(start.x, (0, columns - start.x.size))
    prices = np.pad(start.prices, (0, rows - start.prices.size))
    step = seconds_of("entry", max(program.matrix.nnz, 1))
    steps = int(min(seconds / step, MOST_STEPS))
    if steps < 1:  # a single step from a good start is worse than the start
        return Solution(x, prices)
    model: Any = pdlp.QuadraticProgram()
    model.resize_and_initialize(columns, rows)
    model.objective_vector = program.costs
    model.constraint_matrix = program.matrix.tocsc()
    model.constraint_lower_bounds = program.least
    model.constraint_upper_bounds = program.most
    model.variable_lower_bounds = np.zeros(columns)
    model.variable_upper_bounds = program.limits
    options: Any = solvers_pb2.PrimalDualHybridGradientParams()
    options.termination_criteria.iteration_limit = steps
    if (clock := running_clock()) is not None:
        options.termination_criteria.time_sec_limit = clock.left
    nearly = options.termination_criteria.simple_optimality_criteria
    nearly.eps_optimal_relative = nearly.eps_optimal_absolute = GAP
    # Restarts by distance are cheaper to decide: about twice as many steps in the same time.
    options.restart_strategy = options.ADAPTIVE_DISTANCE_BASED
    options.initial_primal_weight = WEIGHT
    begin: Any = pdlp.PrimalAndDualSolution()
    begin.primal_solution, begin.dual_solution = x, prices
    result = pdlp.primal_dual_hybrid_gradient(model, options, begin)
    charge("program")
    charge("entry", result.solve_log.iteration_count * program.matrix.nnz)
    return Solution(np.asarray(result.primal_solution), np.asarray(result.dual_solution))
