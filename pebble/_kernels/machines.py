"""The replay kernel of all machines."""

from typing import Any, NamedTuple

from dags._numba import kernel, lean_kernel, lean_part

RED, FRESH = 1, 2  # of a value in a memory; fresh: it was copied there in this very step
LOAD, STORE, COMPUTE, DELETE, RECEIVE = range(5)
NONE = -1  # no operand, no memory behind, no end of a room
ANY = 1  # operand of `Game.slides`
RECOMPUTES, KIND = 0, 1  # places in `State.totals`
SENT, USED, PEAK, COUNTERS = 5, 6, 7, 8  # rows of `State.counters`, after those of the moves

# What a move breaks: codes of `pebble.Violation`, and what machines call by different names.
LEGAL = 0
NO_SUCH_VERTEX, MEMORY_FULL, IS_INPUT, ALREADY_COMPUTED, MISSING_PREDECESSOR = 1, 4, 7, 8, 9
NO_SUCH_MOVE, NOT_AN_OPERAND, ALREADY_AGGREGATED, ONLY_PARTLY_COMPUTED = 11, 12, 13, 14
PARTIAL_VALUE_GONE, MIXED_STEP, NO_PORT, NO_LINK, SAME_STEP = 15, 22, 23, 24, 26
NO_SUCH_MEMORY, PRESENT, ABSENT = 101, 102, 103


class Game(NamedTuple):
    """The computation and the machine that it is played on.

    indptr (n+1,), indices (m,): predecessor CSR; words (n,) int64; room (P,) int64 words of each
    memory, -1 without end; behind (P,) int64 the memory behind each, -1 for none; link_ends (P+1,),
    link_sources (l,): the links into each memory; the first `processors` memories compute; slides
    (n,) or (1,) uint8: `pebble.rules.slides`.
    """

    indptr: Any
    indices: Any
    words: Any
    room: Any
    behind: Any
    link_ends: Any
    link_sources: Any
    processors: Any
    numbered: Any
    recompute: Any
    slides: Any
    partial: Any


class Moves(NamedTuple):
    """The moves (k,), as a schedule has them; (0,) for a column that it does not have."""

    op: Any
    vertex: Any
    place: Any
    step: Any
    source: Any
    operand: Any


class State(NamedTuple):
    """The state of a play.

    held (P, n) uint8; left (n,) int64 operands to be aggregated into each value; added (m,) uint8
    edges that have been, (0,) where values are computed whole; counters (COUNTERS, P) int64: words
    of each kind of move, but computations as such, words sent, those that are there now, and at
    most; links (l,) and busy (P,) int64 words; steps (s, 3) int64: kind, most, total, (0, 3) where
    each move is a step; totals int64.
    """

    held: Any
    left: Any
    added: Any
    counters: Any
    links: Any
    busy: Any
    steps: Any
    totals: Any


@lean_part
def entry(column, i, nothing):
    """Return an entry of a column, which may not be there."""
    return column[i] if column.size else nothing


@lean_part
def link_of(game, q, r):
    """Return the place of the link from memory r to q; -1 if there is none."""
    for e in range(game.link_ends[q], game.link_ends[q + 1]):
        if game.link_sources[e] == r:
            return e
    return NONE


@lean_part
def edge_of(game, v, u):
    """Return the number of the edge from u to v, or -1; rows are rising."""
    low, high = game.indptr[v], game.indptr[v + 1]
    while low < high:
        middle = (low + high) // 2
        if game.indices[middle] < u:
            low = middle + 1
        else:
            high = middle
    return low if low < game.indptr[v + 1] and game.indices[low] == u else NONE


@lean_part
def copy_rule(game, moves, state, i, q):
    """Return (rule, memory): the rule that a copy breaks, room aside, and where it goes."""
    code, v = moves.op[i], moves.vertex[i]
    source, place = game.behind[q], q
    if code == RECEIVE:
        source = entry(moves.source, i, NONE)
        if link_of(game, q, source) < 0:
            return (PRESENT if state.held[q, v] else NO_LINK), q
    elif source < 0:
        return NO_PORT, q
    elif code == STORE:
        source, place = place, source
    goal = state.held[place, v]
    if not state.held[source, v] and (game.numbered or code == STORE or not goal):
        return ABSENT, source
    if goal:
        return PRESENT, place
    return (SAME_STEP if state.held[source, v] & FRESH else LEGAL), place


@lean_part
def whole_rule(game, moves, state, i, q):
    """Return (rule, vertex or memory): the rule that a computation breaks, room aside."""
    v = moves.vertex[i]
    if state.held[q, v]:
        return PRESENT, q
    if state.left[v] == 0 and not game.recompute:
        return ALREADY_COMPUTED, q
    for e in range(game.indptr[v], game.indptr[v + 1]):
        if not state.held[q, game.indices[e]]:
            return MISSING_PREDECESSOR, game.indices[e]
    return LEGAL, q


@lean_part
def part_rule(game, moves, state, i, q):
    """Return (rule, vertex or memory): the rule that aggregating operands breaks, room aside."""
    v, u = moves.vertex[i], entry(moves.operand, i, NONE)
    first, last = game.indptr[v], game.indptr[v + 1]
    begun = state.left[v] < last - first
    if u != NONE:
        edge = edge_of(game, v, u)
        if edge < 0:
            return NOT_AN_OPERAND, u
        if state.added[edge]:
            return ALREADY_AGGREGATED, u
        first, last = edge, edge + 1
    elif not state.left[v]:
        return ALREADY_COMPUTED, q
    for edge in range(first, last):
        w = game.indices[edge]
        if state.added[edge]:
            continue
        if state.left[w]:
            return ONLY_PARTLY_COMPUTED, w
        if not state.held[q, w]:
            return MISSING_PREDECESSOR, w
    return (PARTIAL_VALUE_GONE if begun and not state.held[q, v] else LEGAL), q


@lean_part
def broken(game, moves, state, i):
    """Return (rule, where): the rule that move i breaks, room aside; LEGAL and where it changes."""
    code, v, q = moves.op[i], moves.vertex[i], entry(moves.place, i, 0)
    if v < 0 or v >= game.words.size:
        return NO_SUCH_VERTEX, 0
    if q < 0 or q >= game.room.size or game.room[q] < 0:
        return NO_SUCH_MEMORY, q
    if code == COMPUTE and q >= game.processors:
        return NO_SUCH_MEMORY, q
    if not game.partial and entry(moves.operand, i, NONE) != NONE:
        return NO_SUCH_MOVE, 0
    kind = state.totals[KIND]
    if code != DELETE and kind != DELETE and code != kind:
        return MIXED_STEP, kind
    if code == DELETE:
        return (LEGAL if state.held[q, v] else ABSENT), q
    if code != COMPUTE:
        return copy_rule(game, moves, state, i, q)
    if game.indptr[v] == game.indptr[v + 1]:
        return IS_INPUT, 0
    if game.partial:
        return part_rule(game, moves, state, i, q)
    return whole_rule(game, moves, state, i, q)


@lean_part
def slid_words(game, moves, i, q):
    """Return the words of the operand of move i that is deleted in the next move, or 0."""
    onto = game.slides[moves.vertex[i]] if game.slides.size > 1 else game.slides[0]
    if not onto or moves.op[i] != COMPUTE or i + 1 >= moves.op.size:
        return 0
    if moves.op[i + 1] != DELETE or entry(moves.place, i + 1, 0) != q:
        return 0
    edge = edge_of(game, moves.vertex[i], moves.vertex[i + 1])
    size = game.words[moves.vertex[i + 1]]
    fits = onto == ANY or size == game.words[moves.vertex[i]]
    return size if edge >= 0 and fits else 0


@lean_part
def aggregate(game, moves, state, i, q):
    """Let the value of a legal computation take one operand, or all; copies elsewhere are none."""
    v, u = moves.vertex[i], entry(moves.operand, i, NONE)
    for place in range(game.room.size):
        if place != q and state.held[place, v]:
            state.held[place, v] = 0
            state.counters[USED, place] -= game.words[v]
    if u != NONE:
        state.added[edge_of(game, v, u)] = 1
        state.left[v] -= 1
    else:
        for edge in range(game.indptr[v], game.indptr[v + 1]):
            state.added[edge] = 1
        state.left[v] = 0


@lean_part
def place_value(game, moves, state, i, place):
    """Put the value of move i into a memory with room for it; return MEMORY_FULL if it has none."""
    size = game.words[moves.vertex[i]]
    over, slid = state.counters[USED, place] + size - game.room[place], 0
    if game.room[place] >= 0 and over > 0:
        slid = slid_words(game, moves, i, place)
        if over > slid:
            return MEMORY_FULL
    state.counters[USED, place] += size
    state.counters[PEAK, place] = max(
        state.counters[PEAK, place], state.counters[USED, place] - slid
    )
    state.held[place, moves.vertex[i]] = RED
    return LEGAL


@lean_part
def make(game, moves, state, i, place):
    """Make move i, which breaks no rule but perhaps that of room; return that or LEGAL."""
    code, v, q = moves.op[i], moves.vertex[i], entry(moves.place, i, 0)
    if code == DELETE:
        state.held[q, v] = 0
        state.counters[USED, q] -= game.words[v]
        return LEGAL
    if not state.held[place, v]:
        rule = place_value(game, moves, state, i, place)
        if rule != LEGAL:
            return rule
    if moves.step.size:
        state.totals[KIND] = code
        state.busy[q] += 1 if code == COMPUTE else game.words[v]
        if code != COMPUTE:
            state.held[place, v] |= FRESH
    if code == COMPUTE:
        state.totals[RECOMPUTES] += not game.partial and state.left[v] == 0
        if game.partial:
            aggregate(game, moves, state, i, q)
        else:
            state.left[v] = 0
        state.counters[COMPUTE, q] += state.left[v] == 0
        return LEGAL
    state.counters[code, q] += game.words[v]
    if code == RECEIVE:
        source = moves.source[i]
        state.counters[SENT, source] += game.words[v]
        state.links[link_of(game, q, source)] += game.words[v]
    return LEGAL


@lean_part
def end_step(game, moves, state, first, last, number):
    """Count the step of moves first..last-1 as the step `number`, and begin anew."""
    busiest, total = 0, 0
    for i in range(first, last):
        code, q = moves.op[i], entry(moves.place, i, 0)
        busiest = max(busiest, state.busy[q])
        total += state.busy[q]
        state.busy[q] = 0
        if code != COMPUTE and code != DELETE:
            place = game.behind[q] if code == STORE else q
            state.held[place, moves.vertex[i]] &= RED
    state.steps[number, 0], state.steps[number, 1], state.steps[number, 2] = (
        state.totals[KIND],
        busiest,
        total,
    )
    state.totals[KIND] = DELETE


@lean_kernel
def replay(game, moves, state):
    """Play moves on; return (rule, move, vertex, memory or kind that the rule is about)."""
    first, step = 0, 0
    for i in range(moves.op.size):
        if moves.step.size and i > 0 and moves.step[i] != moves.step[i - 1]:
            end_step(game, moves, state, first, i, step)
            first, step = i, step + 1
        rule, subject = broken(game, moves, state, i)
        if rule == LEGAL:
            rule = make(game, moves, state, i, subject)
        if rule != LEGAL:
            return rule, i, subject
    if moves.step.size:
        end_step(game, moves, state, first, moves.op.size, step)
    return LEGAL, 0, 0


@kernel
def mark_present(op, vertex, place, held, keep):
    """Clear keep (k,) for deletions of values not at their level; held (L, n) begins empty."""
    for i in range(op.size):
        code, v, level = op[i], vertex[i], place[i]
        if code == DELETE:
            keep[i] = held[level, v] == 1
            held[level, v] = 0
        else:
            held[level + 1 if code == STORE else level, v] = 1
