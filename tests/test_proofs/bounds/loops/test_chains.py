"""Chains where values are computed again: windows of marked computations, in random plays."""

import copy
import random
from math import ceil

import pytest

from dags import load
from pebble import RULES, Budget, Move, Schedule, min_memory, play
from proofs import Certificate, CertificateError, affine, check, compulsory
from proofs.bounds.loops.space_search import verified_spaces
from proofs.certificates import proven_io
from proofs.lemmas.loops.program_space import program_space
from schedulers import scheduler_named
from tests.naive import rows
from tests.test_proofs.bounds.loops.test_operations import paths
from tests.test_proofs.touched import touched_words

AGAIN = RULES["recompute"]
KERNELS = {
    "2mm": "NI=2,NJ=3,NK=3,NL=2",
    "covariance": "M=4,N=3",
    "correlation": "M=4,N=3",
    "atax": "M=4,N=4",
}


class Player:
    """Plays at random: what has left fast memory is loaded or computed again."""

    def __init__(self, dag, memory, rng):
        self.rows, self.memory, self.rng = rows(dag), memory, rng
        self.red, self.blue, self.moves = set(), set(dag.inputs.tolist()), []

    def fetch(self, v, pinned):
        """Bring v into fast memory beside what is pinned there."""
        if v in self.red:
            return
        if v in self.blue and (not self.rows[v] or self.rng.random() < 0.5):
            self.make_room(pinned)
            self.move(Move.LOAD, v)
            return
        current = set()
        for u in self.rng.sample(self.rows[v], len(self.rows[v])):
            self.fetch(u, pinned | current)
            current.add(u)
        self.make_room(pinned | current)
        self.move(Move.COMPUTE, v)

    def make_room(self, pinned):
        while len(self.red) >= self.memory:
            v = self.rng.choice(sorted(self.red - pinned))
            if v not in self.blue and self.rng.random() < 0.7:
                self.move(Move.STORE, v)
            self.moves.append((Move.DELETE, v))
            self.red.remove(v)

    def move(self, move, v):
        self.moves.append((move, v))
        (self.blue if move is Move.STORE else self.red).add(v)


def random_play(dag, memory, rng):
    """The moves of a play that computes some values more than once, and its words."""
    player = Player(dag, memory, rng)
    for v in dag.computed.tolist():
        player.fetch(v, set())
        if v in dag.outputs and v not in player.blue:
            player.move(Move.STORE, v)
    schedule = Schedule.from_moves(player.moves)
    return player.moves, play(dag, schedule, memory, rules=AGAIN)


def marked(dag, space, moves):
    """The updates in the order of their marked computations."""
    reader = {
        int(v): int(u)
        for roles in space.touched.values()
        for values in roles
        for v, u in zip(values, space.updates, strict=True)
        if v in space.updates
    }
    times = {}
    for time, (move, v) in enumerate(moves):
        if move is Move.COMPUTE:
            times.setdefault(v, []).append(time)
    position = {}
    for u in sorted(space.updates.tolist(), reverse=True):
        if u not in reader:
            position[u] = times[u][0]
        else:
            position[u] = stems_from(moves, u, position[reader[u]])
    return sorted(position, key=position.__getitem__)


def stems_from(moves, v, time):
    """The computation from which the pebble on v stems that is there at a time."""
    red = blue = None
    for current, (move, w) in enumerate(moves[:time]):
        if w != v:
            continue
        if move is Move.COMPUTE:
            red = current
        elif move is Move.LOAD:
            red = blue
        elif move is Move.STORE:
            blue = red
        else:
            red = None
    return red


@pytest.mark.parametrize("name", KERNELS)
def test_windows_of_plays_touch_no_more_than_is_moved(name):
    dag = load(f"polybench/{name}:{KERNELS[name]}")
    rng = random.Random(f"chains {name}")
    spaces = [
        verified_space
        for verified_space in verified_spaces(dag, AGAIN, Budget())
        if verified_space.argument == "chains"
    ]
    assert spaces
    recomputed = 0
    for _ in range(3):
        memory = 4 * min_memory(dag) + rng.randint(0, 4)
        moves, count = random_play(dag, memory, rng)
        recomputed += count.recomputes
        for result in spaces[:3]:
            space = program_space(dag, result.space)
            number = {int(v): u for u, v in enumerate(space.updates)}
            order = [number[v] for v in marked(dag, space, moves)]
            for size in (2, 1 + len(order) // 3, len(order)):
                windows = [
                    order[position : position + size] for position in range(0, len(order), size)
                ]
                words = sum(ceil(touched_words(space, window)) for window in windows)
                assert words - (memory - 1) * (len(windows) - 1) + result.gain <= count.io
    assert recomputed


def test_covariance_moves_as_much_where_values_are_computed_again():
    """Rows that were centred have the labels of inputs, sums are chains."""
    dag = load("polybench/covariance:M=8,N=8")
    bound = affine(dag, 6, rules=AGAIN)
    check(dag, 6, bound)
    assert bound.certificate.data["argument"] == "chains"
    assert compulsory(dag, 6).io < bound.io == affine(dag, 6).io


def test_every_field_that_is_changed_is_refused_or_proves_no_more_than_holds():
    dag = load("polybench/covariance:M=6,N=6")
    bound = affine(dag, 6, rules=AGAIN)
    best = play(dag, scheduler_named("depth-first+belady")(dag, 6), 6).io
    tried = refused = 0
    for place in ("statements", "labels", "arrays", "order"):
        for path in paths(bound.certificate.data["space"][place], ()):
            for value in (0, -1, "ab", True):
                data = copy.deepcopy(bound.certificate.data)
                entry = data["space"][place]
                for step in path[:-1]:
                    entry = entry[step]
                if entry[path[-1]] is not value and entry[path[-1]] != value:
                    entry[path[-1]] = value
                    tried += 1
                    try:
                        assert proven_io(dag, 6, AGAIN, Certificate("affine", data)) <= best
                    except CertificateError:
                        refused += 1
    assert refused > tried / 2 > 50
