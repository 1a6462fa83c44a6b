"""The optimum of tiny games of partial computation, by exhaustive search of elementary moves."""

from heapq import heappop, heappush


def partial_optimum(dag, memory):
    """Return the fewest words that any legal play moves, or None; Dijkstra in plain Python.

    A state is (operands aggregated into each value, red values, blue values); all moves of the
    rules are tried, but the deletion of a value that is nowhere else and still needed.
    """
    rows = [
        frozenset(dag.pred_indices[a:b].tolist())
        for a, b in zip(dag.pred_indptr, dag.pred_indptr[1:], strict=False)
    ]
    words, outputs = dag.sizes.tolist(), set(dag.outputs.tolist())
    start = (
        tuple(frozenset() for _ in rows),
        frozenset(),
        frozenset(v for v, row in enumerate(rows) if not row),
    )
    best, queue, count = {start: 0}, [(0, 0, start)], 0
    while queue:
        cost, _, state = heappop(queue)
        if cost > best[state]:
            continue
        added, _, blue = state
        if all(v in blue and added[v] == rows[v] for v in outputs):
            return cost
        for price, after in _moves(rows, words, outputs, memory, *state):
            if cost + price < best.get(after, cost + price + 1):
                best[after] = cost + price
                count += 1
                heappush(queue, (cost + price, count, after))
    return None


def _moves(rows, words, outputs, memory, added, red, blue):
    room = memory - sum(words[v] for v in red)
    unread = {u for v, row in enumerate(rows) for u in row - added[v]}
    for v, row in enumerate(rows):
        if v in red:
            needed = v in unread or added[v] != row or v in outputs
            if v in blue or not needed:
                yield 0, (added, red - {v}, blue)
            if v not in blue:
                yield words[v], (added, red, blue | {v})
        elif v in blue and words[v] <= room and (v in unread or added[v] != row):
            yield words[v], (added, red | {v}, blue)
        if v not in red and (added[v] or words[v] > room):
            continue
        for u in row - added[v]:
            if u in red and added[u] == rows[u]:
                more = (*added[:v], added[v] | {u}, *added[v + 1 :])
                yield 0, (more, red | {v}, blue - {v})
