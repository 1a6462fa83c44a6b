"""The play behind a goal that the search found.

The search keeps states up to symmetry and no moves. Between a state and its successor the moves
are found again by trying all that cost what the successor paid, in plain Python, until the result
is the successor up to an automorphism; which one it was tells the real names of the vertices.
"""

from itertools import pairwise

from dags import CDAG
from pebble import Move, Schedule
from schedulers.exact._kernels import GOAL
from schedulers.exact.names import Names, StepNotFoundError
from schedulers.exact.one_shot import _kernels as k
from schedulers.exact.one_shot.steps import State, Step, Steps
from schedulers.exact.problem import Problem
from schedulers.exact.symmetry import Symmetry


def witness(dag: CDAG, problem: Problem, symmetry: Symmetry, store: k.Store) -> Schedule:
    """Return the play that ends in the goal of `store`.

    Raises
    ------
    StepNotFoundError
        If the search is broken.
    """
    steps, names, player = Steps(problem, symmetry), Names(problem, symmetry), _Player(dag)
    path = _path(store)
    at, forced = steps.settled(State(0, 0, problem.fresh))
    renamed = _play(player, names, forced, at, _state(store, path[0]))
    for x, y in pairwise(path):
        if renamed is None:
            break
        state, following, names = _state(store, x), _state(store, y), renamed
        for step in steps.costing(state, int(store.node["spent"][y] - store.node["spent"][x])):
            at, forced = steps.settled(steps.after(state, step))
            renamed = _play(player, names, [step, *forced], at, following)
            if renamed is not None:
                break
    if renamed is None:
        raise StepNotFoundError(f"no step leads to {at}")
    return Schedule.from_moves(player.moves)


def _play(
    player: "_Player", names: Names, steps: list[Step], at: State, kept: State
) -> Names | None:
    """Play the steps that end `at` if that is `kept` up to symmetry; return the names there."""
    renamed = names.following(at, kept)
    if renamed is not None:
        for step in steps:
            player.play(step, names)
    return renamed


def _path(store: k.Store) -> list[int]:
    path = [int(store.at[GOAL])]
    while store.node["parent"][path[-1]] >= 0:
        path.append(int(store.node["parent"][path[-1]]))
    return path[::-1]


def _state(store: k.Store, x: int) -> State:
    node = store.node[x]
    return State(int(store.done[node["record"]]), int(node["red"]), int(node["dirty"]))


class _Player:
    """Turns steps into moves."""

    def __init__(self, dag: CDAG) -> None:
        self.outputs = set(dag.outputs.tolist())
        self.blue = set(dag.inputs.tolist())
        self.red: set[int] = set()
        self.waiting = dag.outdegree.tolist()
        self.words = dag.sizes.tolist()
        self.rows = [
            dag.pred_indices[a:b].tolist()
            for a, b in zip(dag.pred_indptr[:-1], dag.pred_indptr[1:], strict=True)
        ]
        self.moves: list[tuple[Move, int]] = []

    def play(self, step: Step, names: Names) -> None:
        """Play a step, whose vertices have these names; store what will be missed."""
        v = int(names.computed[step.vertex])
        operands = self.rows[v]
        for r in step.out:
            self._leave(int(names.read[r]))
        for u in operands:
            if u not in self.red:
                self._do(Move.LOAD, u)
            self.waiting[u] -= 1
        slid = [int(names.read[step.slid])] if step.slid >= 0 else []
        last = [u for u in operands if not self.waiting[u]]
        # The largest first: it gives its place where the game slides.
        last.sort(key=lambda u: -self.words[u])
        gone = [*slid, *last]
        for u in gone:
            self._save(u)
        self._do(Move.COMPUTE, v)
        for u in gone:
            self._do(Move.DELETE, u)
        if not self.waiting[v]:
            self._leave(v)

    def _leave(self, u: int) -> None:
        self._save(u)
        self._do(Move.DELETE, u)

    def _save(self, u: int) -> None:
        if u not in self.blue and (self.waiting[u] or u in self.outputs):
            self._do(Move.STORE, u)

    def _do(self, move: Move, u: int) -> None:
        self.moves.append((move, u))
        if move is Move.STORE:
            self.blue.add(u)
        elif move is Move.DELETE:
            self.red.discard(u)
        else:
            self.red.add(u)
