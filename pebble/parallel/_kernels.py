"""The replay kernel of several processors."""

from typing import Any, NamedTuple

from dags._numba import lean_kernel, lean_part

RED, FRESH = 1, 2  # of a value in a fast memory; fresh: it came over a link in this very step
DONE, INPUT = 1, 2  # of a vertex

LOAD, STORE, COMPUTE, DELETE, RECEIVE = range(5)
SENT, OCCUPIED, PEAK, COUNTERS = 5, 6, 7, 8  # places in a processor's counters, after the moves

# Codes of `pebble.errors.Violation`.
LEGAL = 0
NO_SUCH_VERTEX, ALREADY_RED, NOT_BLUE, MEMORY_FULL, NOT_RED, ALREADY_BLUE = range(1, 7)
IS_INPUT, ALREADY_COMPUTED, MISSING_PREDECESSOR = range(7, 10)
NO_SUCH_PROCESSOR, MIXED_STEP, NO_PORT, NO_LINK, NOT_AT_NEIGHBOUR, SAME_STEP = range(21, 27)


class Game(NamedTuple):
    """The computation and the machine that it is played on.

    indptr (n+1,), indices (m,): predecessor CSR; words (n,) int64; link_ends (p+1,), link_sources
    (l,): the links into each processor; port (p,): whether it reaches slow memory.
    """

    indptr: Any
    indices: Any
    words: Any
    link_ends: Any
    link_sources: Any
    port: Any
    memory: Any
    recompute: Any
    sliding: Any


class Moves(NamedTuple):
    """The moves (k,), as a schedule has them; source (k,) or (0,) where nothing is received."""

    op: Any
    vertex: Any
    processor: Any
    step: Any
    source: Any


class State(NamedTuple):
    """The state of a play.

    red (p, n) and blue (p or 1, n) uint8; flags (n,) uint8; counters (p, COUNTERS), busy (p,)
    int64; links (l,) int64; steps (s, 3) int64: kind, most, total.
    """

    red: Any
    blue: Any
    flags: Any
    counters: Any
    busy: Any
    links: Any
    steps: Any


@lean_part
def missing(game, state, v, q):
    """Return the first predecessor of v that processor q does not have; -1 if it has all."""
    for e in range(game.indptr[v], game.indptr[v + 1]):
        if not state.red[q, game.indices[e]] & RED:
            return game.indices[e]
    return -1


@lean_part
def link_of(game, q, r):
    """Return the place of the link from processor r to q; -1 if there is none."""
    for e in range(game.link_ends[q], game.link_ends[q + 1]):
        if game.link_sources[e] == r:
            return e
    return -1


@lean_part
def slid_words(game, moves, i, v, q):
    """Return the words of the operand of v that processor q deletes in the next move, or 0."""
    if not game.sliding or i + 1 >= moves.op.size:
        return 0
    if moves.op[i + 1] != DELETE or moves.processor[i + 1] != q:
        return 0
    u = moves.vertex[i + 1]
    for e in range(game.indptr[v], game.indptr[v + 1]):
        if game.indices[e] == u:
            return game.words[u]
    return 0


@lean_part
def broken(game, moves, state, i, kind):
    """Return the rule that move i breaks, LEGAL if none, but for room in fast memory."""
    code, v, q = moves.op[i], moves.vertex[i], moves.processor[i]
    if v < 0 or v >= game.words.size:
        return NO_SUCH_VERTEX
    if q < 0 or q >= game.port.size:
        return NO_SUCH_PROCESSOR
    if code != DELETE and kind != DELETE and code != kind:
        return MIXED_STEP
    is_red = state.red[q, v] & RED != 0
    if code == DELETE:
        return LEGAL if is_red else NOT_RED
    if code <= STORE and not game.port[q]:
        return NO_PORT
    is_blue = code <= STORE and state.blue[q % state.blue.shape[0], v] != 0
    if code == STORE:
        if not is_red:
            return NOT_RED
        return ALREADY_BLUE if is_blue else LEGAL
    if code == COMPUTE and state.flags[v] & INPUT:
        return IS_INPUT
    if is_red:
        return ALREADY_RED
    if code == LOAD:
        return LEGAL if is_blue else NOT_BLUE
    if code == COMPUTE:
        return ALREADY_COMPUTED if state.flags[v] & DONE and not game.recompute else LEGAL
    r = moves.source[i]
    if link_of(game, q, r) < 0:
        return NO_LINK
    if not state.red[r, v] & RED:
        return NOT_AT_NEIGHBOUR
    return SAME_STEP if state.red[r, v] & FRESH else LEGAL


@lean_part
def end_step(moves, state, first, last, at, kind):
    """Count the step of moves first..last-1 as the step `at`, and begin anew."""
    most, total = 0, 0
    for i in range(first, last):
        q = moves.processor[i]
        most = max(most, state.busy[q])
        total += state.busy[q]
        state.busy[q] = 0
        if moves.op[i] == RECEIVE:
            state.red[q, moves.vertex[i]] &= RED
    state.steps[at, 0], state.steps[at, 1], state.steps[at, 2] = kind, most, total


@lean_part
def change(game, moves, state, i, slid):
    """Change the state by the legal move i, and count it; return whether it recomputes."""
    code, v, q = moves.op[i], moves.vertex[i], moves.processor[i]
    size = game.words[v]
    counters = state.counters
    if code == DELETE:
        state.red[q, v] = 0
        counters[q, OCCUPIED] -= size
        return 0
    state.busy[q] += 1 if code == COMPUTE else size
    counters[q, code] += 1 if code == COMPUTE else size
    if code == STORE:
        state.blue[q % state.blue.shape[0], v] = 1
        return 0
    counters[q, OCCUPIED] += size
    counters[q, PEAK] = max(counters[q, PEAK], counters[q, OCCUPIED] - slid)
    state.red[q, v] = RED
    if code == RECEIVE:
        r = moves.source[i]
        state.red[q, v] = RED | FRESH
        counters[r, SENT] += size
        state.links[link_of(game, q, r)] += size
    again = 0
    if code == COMPUTE:
        again = state.flags[v] & DONE
        state.flags[v] |= DONE
    return again


@lean_kernel
def replay(game, moves, state):
    """Play all moves; return (violation, move, detail, recomputes).

    The detail is the predecessor that is missing, the kind of the step that is mixed, or what
    the processor holds where its memory is full.
    """
    kind, first, at, recomputes = DELETE, 0, 0, 0
    for i in range(moves.op.size):
        if i > 0 and moves.step[i] != moves.step[i - 1]:
            end_step(moves, state, first, i, at, kind)
            kind, first, at = DELETE, i, at + 1
        code, v, q = moves.op[i], moves.vertex[i], moves.processor[i]
        rule = broken(game, moves, state, i, kind)
        if rule != LEGAL:
            return rule, i, kind, recomputes
        slid = 0
        if code == COMPUTE:
            absent = missing(game, state, v, q)
            if absent >= 0:
                return MISSING_PREDECESSOR, i, absent, recomputes
        if code != DELETE and code != STORE:
            over = state.counters[q, OCCUPIED] + game.words[v] - game.memory
            if over > 0 and code == COMPUTE:
                slid = slid_words(game, moves, i, v, q)
            if over > slid:
                return MEMORY_FULL, i, state.counters[q, OCCUPIED], recomputes
        if code != DELETE:
            kind = code
        recomputes += change(game, moves, state, i, slid)
    if moves.op.size:
        end_step(moves, state, first, moves.op.size, at, kind)
    return LEGAL, 0, 0, recomputes
