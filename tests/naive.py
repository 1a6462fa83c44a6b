"""Naive twins: what the kernels compute, in plain Python on lists and dictionaries."""

from itertools import pairwise

from pebble import Move, Schedule

LOAD, STORE, COMPUTE, DELETE, _ = Move


def rows(dag):
    """The operands of every vertex."""
    bounds = dag.pred_indptr.tolist()
    return [dag.pred_indices[a:b].tolist() for a, b in pairwise(bounds)]


def rows_as_touched(dag, order):
    """The operands of every vertex in the order in which `order` first touches them."""
    number, sorted_rows = {}, rows(dag)
    for v in order:
        for u in [*sorted_rows[v], v]:
            number.setdefault(u, len(number))
        sorted_rows[v].sort(key=number.__getitem__)
    return sorted_rows


def play_order(dag, order, memory, policy):
    """The schedule that computes in `order` and evicts by a policy of this module."""
    return Player(dag, list(order), memory, policy).play()


class Player:
    def __init__(self, dag, order, memory, policy):
        self.words = dag.sizes.tolist()
        self.preds = rows_as_touched(dag, order)
        self.order, self.memory, self.policy = order, memory, policy
        self.outputs = set(dag.outputs.tolist())
        self.blue = set(dag.inputs.tolist())
        self.uses = {v: [] for v in range(dag.n)}  # (step, place in the step)
        for step, v in enumerate(order):
            for place, u in enumerate(self.preds[v]):
                self.uses[u].append((step, place))
        self.red, self.touched, self.came = set(), {}, {}
        self.clock = 0
        self.moves = []

    def play(self):
        for step, v in enumerate(self.order):
            self.step = step
            self.begun = self.clock
            if self.policy in (lru, fifo):
                self.operands_one_by_one(v)
            else:
                self.operands_together(v)
            self.moves.append((COMPUTE, v))
            self.enter(v)
            for u in [*self.preds[v], v]:
                if not self.later(u):
                    if u in self.outputs and u not in self.blue:
                        self.moves.append((STORE, u))
                        self.blue.add(u)
                    self.moves.append((DELETE, u))
                    self.red.remove(u)
        return Schedule.from_moves(self.moves)

    def operands_one_by_one(self, v):
        """Touch operand after operand; the moves of a step are its evictions, then its loads."""
        loads = []
        for u in self.preds[v]:
            if u not in self.red:
                self.make_room(self.words[u])
                loads.append((LOAD, u))
                self.enter(u)
            self.touched[u] = self.clock
            self.clock += 1
        self.make_room(self.words[v])
        self.moves += loads

    def operands_together(self, v):
        """Evict what does not fit beside the operands and the result, then load."""
        current = {*self.preds[v], v}
        need = sum(self.words[u] for u in current)
        while sum(self.words[u] for u in self.red - current) + need > self.memory:
            self.evict(self.policy(self, self.red - current))
        for u in self.preds[v]:
            if u not in self.red:
                self.moves.append((LOAD, u))
                self.red.add(u)

    def make_room(self, words):
        while sum(self.words[u] for u in self.red) + words > self.memory:
            self.evict(self.policy(self, self.red))

    def evict(self, u):
        if u not in self.blue:
            self.moves.append((STORE, u))
            self.blue.add(u)
        self.moves.append((DELETE, u))
        self.red.remove(u)

    def enter(self, u):
        self.red.add(u)
        self.touched[u] = self.came[u] = self.clock
        self.clock += 1

    def later(self, u):
        return [use for use in self.uses[u] if use[0] > self.step]

    def next_use(self, u):
        return self.later(u)[0]

    def settled(self, u):
        return u in self.blue or u in self.outputs


def lru(player, candidates):
    return min(candidates, key=lambda u: player.touched[u])


def fifo(player, candidates):
    free = [u for u in candidates if player.touched[u] < player.begun]
    return min(free, key=lambda u: player.came[u])


def belady(player, candidates):
    return max(candidates, key=player.next_use)


def belady_clean(player, candidates):
    return _by_cost(player, candidates, price=1)


def belady_cost(player, candidates):
    return _by_cost(player, candidates, price=2)


def _by_cost(player, candidates, price):
    free = [u for u in candidates if player.settled(u)]
    owed = [u for u in candidates if not player.settled(u)]
    if not free or not owed:
        return max(free or owed, key=player.next_use)
    clean, dirty = (max(group, key=player.next_use) for group in (free, owed))
    near, far = (player.next_use(u)[0] - player.step for u in (clean, dirty))
    return dirty if far > price * near else clean


def depth_first(dag):
    """The post-order in which the operand that needs most room beyond its own is first."""
    preds, words = rows(dag), dag.sizes.tolist()
    need = []
    for v in range(dag.n):
        held = limit = 0
        for u in sorted(preds[v], key=lambda u: words[u] - need[u]):
            limit = max(limit, held + need[u])
            held += words[u]
        need.append(max(limit, held + words[v]))
    order = []

    def visit(v):
        if preds[v] and v not in order:
            for u in sorted(preds[v], key=lambda u: words[u] - need[u]):
                visit(u)
            order.append(v)

    read = {u for row in preds for u in row}
    for v in range(dag.n):
        if v not in read:
            visit(v)
    return order


def breadth_first(dag):
    """The order in which vertices become ready."""
    preds = rows(dag)
    done = [v for v in range(dag.n) if not preds[v]]
    seen = set(done)
    for v in done:
        for w in range(dag.n):
            if v in preds[w] and w not in seen and set(preds[w]) <= set(done[: done.index(v) + 1]):
                seen.add(w)
                done.append(w)
    return [v for v in done if preds[v]]


def least_live(dag):
    """The greedy order by growth of the live words; of equals, the newest.

    A vertex is as new as the last time at which it became ready or cheaper.
    """
    preds, words = rows(dag), dag.sizes.tolist()
    left = {v: {w for w in range(dag.n) if v in preds[w]} for v in range(dag.n)}
    waiting = {v: {u for u in preds[v] if preds[u]} for v in range(dag.n) if preds[v]}
    renewed = {v: v for v in waiting if not waiting[v]}
    clock = dag.n
    order = []

    def growth(v):
        return (words[v] if left[v] or v in originally_read else 0) - sum(
            words[u] for u in preds[v] if left[u] == {v}
        )

    originally_read = {u for row in preds for u in row}
    while renewed:
        v = min(renewed, key=lambda w: (growth(w), -renewed[w]))
        del renewed[v], waiting[v]
        order.append(v)
        for u in preds[v]:
            left[u].discard(v)
            if len(left[u]) == 1:
                (w,) = left[u]
                if w in renewed:
                    clock += 1
                    renewed[w] = clock
        for w in sorted(waiting):
            if v in waiting[w]:
                waiting[w].discard(v)
                if not waiting[w]:
                    clock += 1
                    renewed[w] = clock
    return order
