"""Several processors: random plays, legal and broken, and the optimum of tiny games; no engine."""

import random
from heapq import heappop, heappush
from itertools import pairwise, product

from pebble import Action, Links, Machine, Move, Schedule

LOAD, STORE, COMPUTE, DELETE, RECEIVE = Move


def rows_of(dag):
    return [set(dag.pred_indices[a:b].tolist()) for a, b in pairwise(dag.pred_indptr)]


def random_machine(rng, memory):
    """A machine of one to six processors, of any kind."""
    kind = rng.choice(["shared", "shared", "linked", "own", "ports"])
    if kind == "shared":
        return Machine.parallel(rng.randint(1, 4), memory)
    links = Links(rng.choice([(1,), (2,), (3,), (2, 2), (2, 3)]), wrapped=rng.random() < 0.5)
    if kind == "own":
        return Machine.parallel(links.processors, memory, links, "own")
    ports = (0, links.processors - 1) if kind == "ports" else None
    return Machine.parallel(links.processors, memory, links, ports=ports)


class RandomPlayer:
    """Plays legally on any machine, and not well: values reach a processor by whatever way."""

    def __init__(self, rng, dag, machine, rules):
        self.rng, self.dag, self.machine, self.rules = rng, dag, machine, rules
        self.preds = rows_of(dag)
        self.words = dag.sizes.tolist()
        self.red = [set() for _ in range(machine.processors)]
        own_part = len(machine.ends) > 1
        self.home = [rng.randrange(machine.processors) for _ in range(dag.n)] if own_part else None
        slow = [set() for _ in self.red]
        self.blue = slow if own_part else [slow[0]] * len(slow)
        for v in dag.inputs.tolist():
            self.blue[self.home[v] if own_part else 0].add(v)
        self.moves, self.step, self.kind, self.gained = [], 0, None, set()

    def do(self, move, v, q, source=-1):
        fresh = move is RECEIVE and (source, v) in self.gained
        if move is not DELETE:
            if move is not self.kind or fresh or self.rng.random() < 0.3:
                self.step, self.kind, self.gained = self.step + 1, move, set()
            self.gained.add((q, v))
        self.moves.append(Action(move, v, q, self.step, source))
        if move is STORE:
            self.blue[q].add(v)
        elif move is DELETE:
            self.red[q].remove(v)
        else:
            self.red[q].add(v)

    def play(self):
        computed = self.dag.computed.tolist()
        for v in computed:
            q = self.rng.randrange(self.machine.processors)
            row = sorted(self.preds[v])
            for u in row:
                self.fetch(u, q, row)
            self.make_room(q, self.words[v], row)
            self.do(COMPUTE, v, q)
            self.save(v, q)
            if self.rng.random() < 0.5:
                self.do(DELETE, v, q)
        return Schedule.from_actions(self.moves, self.home)

    def has_port(self, q):
        return self.machine.behind[q] is not None

    def save(self, v, q):
        """Store a value, or pass it on to where it can be stored."""
        if self.has_port(q):
            if v not in self.blue[q]:
                self.do(STORE, v, q)
            return
        path = self.path(q, self.has_port)
        self.pass_on(v, path, [])
        self.do(STORE, v, path[-1])

    def fetch(self, v, q, keep):
        if v in self.red[q]:
            return
        if self.has_port(q) and v in self.blue[q] and self.rng.random() < 0.7:
            self.make_room(q, self.words[v], keep)
            self.do(LOAD, v, q)
            return
        if self.machine.links is None:
            self.make_room(q, self.words[v], keep)
            self.do(LOAD, v, q)
            return

        def has(r):
            return v in self.red[r] or (self.has_port(r) and v in self.blue[r])

        path = self.path(q, has)[::-1]
        if v not in self.red[path[0]]:
            self.make_room(path[0], self.words[v], keep if path[0] == q else [])
            self.do(LOAD, v, path[0])
        self.pass_on(v, path, keep)

    def pass_on(self, v, path, keep):
        for r, s in pairwise(path):
            if v not in self.red[s]:
                self.make_room(s, self.words[v], keep if s == path[-1] else [])
                self.do(RECEIVE, v, s, r)

    def path(self, q, goal):
        """The shortest way from q to a processor with `goal`."""
        before, queue = {q: None}, [q]
        for r in queue:
            if goal(r):
                way = [r]
                while before[way[-1]] is not None:
                    way.append(before[way[-1]])
                return way[::-1]
            for s in self.machine.links.neighbours[r] if self.machine.links else ():
                if s not in before:
                    before[s] = r
                    queue.append(s)
        raise AssertionError("nowhere")

    def make_room(self, q, words, keep):
        while sum(self.words[u] for u in self.red[q]) + words > self.machine.memory:
            u = self.rng.choice(sorted(self.red[q] - set(keep)))
            self.do(DELETE, u, q)


def broken(rng, schedule, dag, machine):
    """A schedule with one to three of its moves changed; some are still legal."""
    moves = list(schedule.actions())
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(moves) + 1)
        change = rng.choice(["drop", "field", "field", "double", "swap", "cut", "merge"])
        if not moves[place:]:
            continue
        built = moves[place]
        if change == "drop":
            del moves[place]
        elif change == "double":
            moves.insert(place, built)
        elif change == "cut":
            del moves[place:]
        elif change == "swap" and place:
            second = moves[place - 1]
            moves[place - 1] = built._replace(step=second.step)
            moves[place] = second._replace(step=built.step)
        elif change == "merge" and place:
            shift = built.step - moves[place - 1].step
            moves[place:] = [move._replace(step=move.step - shift) for move in moves[place:]]
        elif change == "field":
            moves[place] = built._replace(
                **rng.choice(
                    [
                        {"move": rng.choice(list(Move))},
                        {"vertex": rng.randint(-1, dag.n)},
                        {"at": rng.randint(-1, machine.processors)},
                        {"source": rng.randint(-1, machine.processors)},
                    ]
                )
            )
    return Schedule.from_actions(moves, schedule.home)


def cheapest(dag, processors, memory, *, recompute=False, g=1):
    """The least cost of a play with shared slow memory, values of one word: elementary moves only.

    The shortest path over (fast memories, slow memory, computed), one deletion or one step at a
    time, in which each processor makes a move of the step's kind or none.
    """
    preds = rows_of(dag)
    computed = dag.computed.tolist()
    outputs = frozenset(dag.outputs.tolist())
    start = ((frozenset(),) * processors, frozenset(dag.inputs.tolist()), frozenset())
    best, queue, tick = {start: 0}, [(0, 0, start)], 0
    while queue:
        cost, _, state = heappop(queue)
        if cost > best[state]:
            continue
        reds, blue, done = state
        if outputs <= blue:
            return cost
        steps = []
        for q, red in enumerate(reds):
            steps += [(0, _with(reds, {q: red - {u}}), blue, done) for u in red]
        loads = [[None, *(blue - red)] if len(red) < memory else [None] for red in reds]
        for chosen in product(*loads):
            steps.append((g, _gained(reds, chosen), blue, done))
        for chosen in product(*([None, *(red - blue)] for red in reds)):
            steps.append((g, reds, blue | _some(chosen), done))
        able = [
            [None, *(v for v in computed if v not in red and v not in done and preds[v] <= red)]
            if len(red) < memory
            else [None]
            for red in reds
        ]
        for chosen in product(*able):
            if recompute or len(_some(chosen)) == sum(v is not None for v in chosen):
                after = done if recompute else done | _some(chosen)
                steps.append((1, _gained(reds, chosen), blue, after))
        for price, after, slow, built in steps:
            following = (tuple(sorted(after, key=sorted)), slow, built)
            if cost + price < best.get(following, cost + price + 1):
                best[following] = cost + price
                tick += 1
                heappush(queue, (cost + price, tick, following))
    return None


def _some(chosen):
    return frozenset(v for v in chosen if v is not None)


def _with(reds, changed):
    return tuple(changed.get(q, red) for q, red in enumerate(reds))


def _gained(reds, chosen):
    return tuple(red if v is None else red | {v} for red, v in zip(reds, chosen, strict=True))


def tiny_dag(rng, limit=6):
    """A DAG of a few vertices without sizes."""
    import numpy as np

    from dags import CDAG

    n = rng.randint(2, limit)
    rows = [sorted(rng.sample(range(v), min(v, rng.choice([0, 1, 1, 2, 2, 3])))) for v in range(n)]
    rows[-1] = rows[-1] or [rng.randrange(n - 1)]
    named = [v for v in range(n) if rows[v] and rng.random() < 0.2]
    return CDAG(
        np.cumsum([0, *map(len, rows)]),
        np.array([u for row in rows for u in row], np.int32),
        outputs=named,
    )


def seeded(*parts):
    """A random generator of a seed made of parts."""
    return random.Random(" ".join(map(str, parts)))
