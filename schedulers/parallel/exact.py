"""The cheapest play of a tiny game by several processors, by best-first search.

A step costs `g` if its moves are loads or stores and `compute` if they are computations, whatever
number of processors move, one value each. The search keeps to plays of one form, up to the symmetry
of processors and of the DAG, and to states from which the words still due lead to less than the
cost of some known play; E7 in docs/theory/search.md says why no cheaper play is left out.

Source
------
T. Boehnlein, P. A. Papp and A. N. Yzelman, Red-blue pebbling with multiple processors: time,
communication and memory trade-offs, SIROCCO 2025 (arXiv 2409.03898).
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from dags import CDAG, InvalidSpecError
from dags.arrays import Int64Array, lock
from pebble import (
    ONE_SHOT,
    Action,
    Budget,
    InvalidRulesError,
    Machine,
    Move,
    Rules,
    Schedule,
    require_memory,
)
from pebble.small._kernels.states import GOAL, Store
from pebble.small.game import BITS, TooLargeError, members, small_game, whole_dag
from pebble.small.plays import path_to_goal
from pebble.small.search import MOST_LEVELS, Search
from pebble.small.symmetry import as_bits, swaps
from schedulers.base import Status
from schedulers.parallel._kernels import states as k
from schedulers.parallel._kernels.exact import begin, settled
from schedulers.parallel._kernels.exact import search as go_on

MOST_PROCESSORS = 16
PATH = 1 << 10  # symmetries on the way to one state
STEPS = 20  # states opened between two looks at the clock
HASTY_MEMORY = 15 * 10**6  # bytes
HASTE = 3
DELETE = Move.DELETE


@dataclass(frozen=True)
class ParallelSearchResult:
    """Result of a search for the cheapest play by several processors.

    Parameters
    ----------
    method
        Name of the search.
    schedule
        The best schedule found, or None.
    cost
        Its cost, the sum over all steps; None without a schedule.
    lower_bound
        Lower bound that was proved on the cost of any legal play.
    status
        "optimal": `cost` equals `lower_bound`; "feasible": a schedule that may not be the cheapest;
        "unknown": no schedule was found in time.
    seconds
        Duration of the search.
    states
        States that were kept.
    """

    method: str
    schedule: Schedule | None
    cost: int | None
    lower_bound: int
    status: Status
    seconds: float
    states: int


def exact_parallel(
    dag: CDAG,
    machine: Machine,
    *,
    rules: Rules = ONE_SHOT,
    g: int = 1,
    compute: int = 1,
    time_limit: float | None = None,
    max_memory: int = Budget.bytes,
) -> ParallelSearchResult:
    """The cheapest play, if it is found in time.

    Parameters
    ----------
    dag
        The computation: at most 64 vertices, of one word each.
    machine
        Processors that meet in one slow memory.
    rules
        The rules of the game; results do not slide.
    g, compute
        Cost of a step of loads or stores, and of one of computations.
    time_limit
        Seconds.
    max_memory
        Bytes that the states may take, roughly.

    Raises
    ------
    TooLargeError
        If the DAG or the machine is more than the search can hold.
    InvalidSpecError
        If the machine or the rules are of another kind, or a price is negative.
    MemoryTooSmallError
        If some vertex cannot be computed with so little memory.
    """
    budget = Budget(time_limit, max_memory)
    _require(dag, machine, rules, g, compute)
    images = _images(dag, machine.memory, rules)
    search = _ParallelSearch(dag, images)
    for played in (ONE_SHOT, rules) if rules.recompute else (rules,):
        board = _board(dag, machine, played, (g, g, compute), images)
        share = budget if played == rules else budget.share(1 / 2)
        search.run(board, HASTE, replace(share, bytes=min(max_memory, HASTY_MEMORY)))
        search.run(board, 1, share)
    cost, bound = search.cost, search.bound
    status: Status = "unknown" if cost is None else "optimal" if bound >= cost else "feasible"
    return ParallelSearchResult(
        "exact", search.schedule, cost, bound, status, budget.used, search.states
    )


class _ParallelSearch:
    """Searches of one game after the other, each for plays that are cheaper than the best so far.

    A search in haste multiplies the words still due, and proves nothing. Of a game in which values
    may be computed again, the plays that compute them once are legal plays.
    """

    def __init__(self, dag: CDAG, images: Int64Array) -> None:
        self.dag = dag
        self.images = images
        self.cost: int | None = None
        self.schedule: Schedule | None = None
        self.bound = 0
        self.states = 0

    def run(self, board: k.ParallelBoard, haste: int, budget: Budget) -> None:
        """Search until a play is found, or there is none, no time or no memory.

        Parameters
        ----------
        board
            The game.
        haste
            The factor of the words still due; 1 for a search that proves.
        budget
            Of the search; its bytes are those of the states.
        """
        limit = MOST_LEVELS if self.cost is None else self.cost
        ready = board._replace(limit=limit, haste=haste)
        p, everything = board.red.size, (1 << BITS) - 1
        sets = p + k.MADE + -(-p // k.LANES)
        search = Search(
            lambda: ready,
            begin,
            go_on,
            keyed=(everything, everything),
            steps=STEPS,
            unit="machine state",
            sets=sets,
        )
        outcome = search.below(limit, budget=budget)
        self.states += outcome.states
        if haste == 1:
            self.bound = outcome.excess
        if outcome.found:
            self.cost = int(outcome.store.node["spent"][outcome.store.at[GOAL]])
            self.schedule = _schedule(self.dag, outcome.store, board, self.images)


def _require(dag: CDAG, machine: Machine, rules: Rules, g: int, compute: int) -> None:
    """Raise for a game that the search does not play."""
    require_whole(rules)
    if dag.n > BITS:
        raise TooLargeError(f"{dag.n} vertices are more than the {BITS} that can be searched")
    if machine.processors > MOST_PROCESSORS:
        raise TooLargeError(
            f"{machine.processors} processors are more than the {MOST_PROCESSORS} that can be "
            "searched"
        )
    if dag.words is not None and (dag.words != 1).any():
        raise InvalidSpecError("plays by several processors are searched for values of one word")
    shared = set(machine.behind[: machine.processors]) == {machine.processors}
    if machine.links is not None or not shared:
        raise InvalidSpecError("plays are searched for processors that share all of slow memory")
    if rules.sliding:
        raise InvalidSpecError("plays by several processors are searched where results are placed")
    if g < 0 or compute < 0:
        raise InvalidSpecError(f"costs must be at least 0, not {g} and {compute}")
    require_memory(dag, machine.memory, rules=rules)


def require_whole(rules: Rules) -> None:
    """Raise InvalidRulesError for rules under which values are computed in parts."""
    if rules.partial:
        raise InvalidRulesError("several processors do not compute values in parts")


def _mask(vertices: Any) -> np.uint64:
    return np.uint64(sum(1 << int(v) for v in vertices))


def _images(dag: CDAG, memory: int, rules: Rules) -> Int64Array:
    """(g, n) the images of all vertices under symmetries of the DAG."""
    game = small_game(whole_dag(dag), memory, rules)
    of_steps, of_values = swaps(game, np.zeros(game.steps.size, np.int64))
    images = np.tile(np.arange(dag.n), (len(of_steps), 1))
    images[:, game.values] = game.values[of_values]
    images[:, game.steps] = game.steps[of_steps]
    return images


def _board(
    dag: CDAG, machine: Machine, rules: Rules, price: tuple[int, ...], images: Int64Array
) -> k.ParallelBoard:
    """The game as the kernels read it, with room to work in."""
    n, p = dag.n, machine.processors
    rows = [dag.pred_indices[a:b] for a, b in pairwise(dag.pred_indptr)]
    height = np.ones(n, np.int64)
    for v in reversed(range(n)):
        height[rows[v]] = np.maximum(height[rows[v]], height[v] + 1)
    choices = 1 + n * min(machine.memory, n)
    symmetries = as_bits(images, images)
    return k.ParallelBoard(
        operands=lock(np.array([_mask(row) for row in rows], np.uint64)),
        above=lock(np.array([_mask(np.flatnonzero(height > i)) for i in range(n)], np.uint64)),
        inputs=_mask(dag.inputs),
        outputs=_mask(dag.outputs),
        computed=_mask(dag.computed),
        memory=machine.memory,
        recompute=rules.recompute,
        price=lock(np.array(price, np.int64)),
        starts=lock(symmetries.starts[:, 0].copy()),
        exchanges=symmetries.steps,
        choice_red=np.empty((p, choices), np.uint64),
        choice_vertex=np.empty((p, choices), np.int64),
        choices=np.zeros(p, np.int64),
        turn=np.zeros(p, np.int64),
        red=np.zeros(p, np.uint64),
        image=np.zeros(p, np.uint64),
        path=np.zeros(PATH, np.int64),
        limit=MOST_LEVELS,
        haste=1,
    )


def _schedule(dag: CDAG, store: Store, board: k.ParallelBoard, images: Int64Array) -> Schedule:
    """The play that ends in the goal of a search.

    A node's numbers are images of the real ones: each step is made with the vertices and by the
    processors that stand behind those of its parent, and then they take the places that the
    symmetries give them.
    """
    p = board.red.size
    real, actors = np.arange(dag.n), list(range(p))
    moves: list[Action] = []
    for step, (before, after) in enumerate(pairwise(path_to_goal(store))):
        held, blue = [int(red) for red in store.sets[before, :p]], store.node["third"][before]
        kind, moved, departures = _step(store.sets[after, p:].tolist(), p)
        for q, v in enumerate(moved):
            if departures[q] >= 0:
                moves.append(Action(DELETE, int(real[departures[q]]), actors[q], step))
                held[q] ^= 1 << departures[q]
            if v >= 0:
                moves.append(Action(kind, int(real[v]), actors[q], step))
                held[q] |= 1 << v
        board.red[:] = held
        chosen = _mask({v for v in moved if v >= 0})
        keep = int(settled(board, int(kind), blue, store.node["done"][before], chosen))
        for q, red in enumerate(held):
            moves += [Action(DELETE, int(real[u]), actors[q], step) for u in members(red & ~keep)]
        places = [red & keep for red in held]
        for swap in board.path[1 : 1 + board.path[0]]:
            real[images[swap]] = real.copy()
            places = [int(_mask(images[swap][u] for u in members(red))) for red in places]
        actors = [actors[q] for q in sorted(range(len(actors)), key=places.__getitem__)]
    return Schedule.from_actions(moves)


def _step(sets: list[int], processors: int) -> tuple[Move, list[int], list[int]]:
    """The kind of a step, the vertex of each processor in it, and departures for it."""
    kind = Move((sets[k.FREE] >> k.KINDS).bit_length() - 1)
    lanes = [sets[k.MADE + q // k.LANES] >> k.LANE * (q % k.LANES) for q in range(processors)]
    byte = (1 << k.BYTE) - 1
    moved, departures = ([(lane >> offset & byte) - 1 for lane in lanes] for offset in (0, k.BYTE))
    return kind, moved, departures
