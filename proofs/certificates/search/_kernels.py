"""The search of all states that cost less than a limit, in compiled code."""

from typing import NamedTuple

import numpy as np

from dags._numba import count_bits, kernel

# What `search` returns.
RUNNING, FOUND, EXHAUSTED, FULL = range(4)
# Places of `Store.at`: how many nodes, what those looked at cost, what the cheapest left out must.
NODES, LEVEL, BEYOND = range(3)
LEFT_OUT = -1  # in `Store.spent`: the state was found again, with less spent

ONE = np.uint64(1)
NONE = np.uint64(0)
BYTE = np.uint64(255)


class Board(NamedTuple):
    """A game as arrays; sets are uint64.

    operands, before, result, own (c,); readers, sizes (r,) as in `Game`; costly, full: the values
    of price 2, all steps. words (8, 256): words of the values in each byte of a set; unit: all
    sizes are 1. Swap i exchanges, for j from turns[0, i] to turns[0, i + 1], the steps in
    low_steps[j] with those shift_steps[j] above them; turns[1], low_values and shift_values say
    the same of values. fronts, scores (2, k): sets of steps with what entering one of them takes
    at prices 1 and 2, the largest first, 0 behind the last one.
    """

    operands: np.ndarray
    before: np.ndarray
    result: np.ndarray
    own: np.ndarray
    readers: np.ndarray
    sizes: np.ndarray
    costly: np.uint64
    full: np.uint64
    words: np.ndarray
    turns: np.ndarray
    low_steps: np.ndarray
    shift_steps: np.ndarray
    low_values: np.ndarray
    shift_values: np.ndarray
    fronts: np.ndarray
    scores: np.ndarray
    memory: int
    unit: bool
    sliding: bool


class Store(NamedTuple):
    """What the search remembers.

    Nodes: done, red, dirty (N,) uint64; spent, queued (N,) int32. table (T,) int32 open addressing
    of nodes by their states; bucket (B,) int32 first node of each cost; at (3,) int64 counters.
    """

    done: np.ndarray
    red: np.ndarray
    dirty: np.ndarray
    spent: np.ndarray
    queued: np.ndarray
    table: np.ndarray
    bucket: np.ndarray
    at: np.ndarray


@kernel
def lowest_bit(x):
    """Return the index of the lowest bit of a uint64 other than 0."""
    return count_bits((x & (~x + ONE)) - ONE)


@kernel
def weigh(g, x):
    """Return the words of a set of values."""
    if g.unit:
        return count_bits(x)
    total = 0
    b = 0
    while x:
        total += g.words[b, x & BYTE]
        x >>= np.uint64(8)
        b += 1
    return total


@kernel
def image(turns, low, shift, swap, x):
    """Return the image of a set under a swap."""
    for j in range(turns[swap], turns[swap + 1]):
        y = (x ^ x >> shift[j]) & low[j]
        x ^= y | y << shift[j]
    return x


@kernel
def dying_operands(g, v, done):
    """Return the operands of v that nobody but v and `done` reads."""
    after = done | ONE << np.uint64(v)
    dying = NONE
    x = g.operands[v]
    while x:
        bit = x & (~x + ONE)
        x ^= bit
        if not g.readers[lowest_bit(bit)] & ~after:
            dying |= bit
    return dying


@kernel
def largest(g, x):
    """Return the most words of one value in a set, 0 if it is empty."""
    most = 0
    while x:
        most = max(most, g.sizes[lowest_bit(x)])
        x &= x - ONE
    return most


@kernel
def live_values(g, done):
    """Return the values that have been in fast memory and still have a reader."""
    live = NONE
    for r in range(g.readers.size):
        if g.readers[r] & done and g.readers[r] & ~done:
            live |= ONE << np.uint64(r)
    x = done
    while x:
        r = g.result[lowest_bit(x)]
        x &= x - ONE
        if r >= 0 and g.readers[r] & ~done:
            live |= ONE << np.uint64(r)
    return live


@kernel
def settled(g, done, red, dirty, live):
    """Return the state after all steps that come at once (`exhaustive`, item 5)."""
    changed = True
    while changed:
        changed = False
        left = g.full & ~done
        while left:
            v = lowest_bit(left)
            left &= left - ONE
            if g.before[v] & ~done:
                continue
            operands = g.operands[v]
            dying = dying_operands(g, v, done)
            if operands & ~red & ~dying:
                continue
            here = weigh(g, red | operands)
            own = g.own[v]
            room = largest(g, dying) if g.sliding else 0
            if here > g.memory or here + own - room > g.memory:
                continue
            made, due = NONE, 0
            if g.result[v] >= 0:
                made = ONE << np.uint64(g.result[v])
                due = own + own * ((made & g.costly) != NONE)
            x = dying & red
            while x and due > 0:
                bit = x & (~x + ONE)
                x ^= bit
                size = g.sizes[lowest_bit(bit)]
                if size >= own:
                    due -= size + size * ((dirty & bit) != NONE)
            if due > 0:
                continue
            red = (red | operands) & ~dying | made
            dirty = dirty & ~dying | (made & g.costly)
            live = (live | operands) & ~dying | made
            done |= ONE << np.uint64(v)
            changed = True
    return done, red, dirty, live


@kernel
def still_due(g, done, red, dirty, live):
    """Return words that will be paid from here on, at least (`exhaustive`, item 6)."""
    absent = live & ~red
    again = red & g.costly & ~dirty
    least = 0
    for price in range(1, 3):
        paid = weigh(g, absent)
        if price == 2:
            paid += weigh(g, absent & g.costly | again)
        for k in range(g.scores.shape[1]):
            if g.scores[price - 1, k] - paid <= least:
                break
            if not g.fronts[price - 1, k] & done:
                least = g.scores[price - 1, k] - paid
                break
    return least


@kernel
def turned(g, done, red, dirty):
    """Return an image of the state that no swap makes smaller."""
    swaps = g.turns.shape[1] - 1
    swap = unchanged = 0
    while unchanged < swaps:
        unchanged += 1
        done1 = image(g.turns[0], g.low_steps, g.shift_steps, swap, done)
        if done1 <= done:
            red1 = image(g.turns[1], g.low_values, g.shift_values, swap, red)
            if done1 < done or red1 <= red:
                dirty1 = image(g.turns[1], g.low_values, g.shift_values, swap, dirty)
                if done1 < done or red1 < red or dirty1 < dirty:
                    done, red, dirty = done1, red1, dirty1
                    unchanged = 0
        swap += 1
        if swap == swaps:
            swap = 0
    return done, red, dirty


@kernel
def slot_of(s, done, red, dirty):
    """Return the place of a state in the table, or the free one for it."""
    most = s.table.size - 1
    x = done * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ x >> np.uint64(29) ^ red) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(32) ^ dirty) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(29)
    i = np.int64(x & np.uint64(most))
    while s.table[i] >= 0:
        y = s.table[i]
        if s.done[y] == done and s.red[y] == red and s.dirty[y] == dirty:
            break
        i = (i + 1) & most
    return i


@kernel
def fill_table(s):
    """Enter all nodes into an empty table: of two with the same state, the later one."""
    for x in range(s.at[NODES]):
        s.table[slot_of(s, s.done[x], s.red[x], s.dirty[x])] = x


@kernel
def enter(s, g, limit, done, red, dirty, live, spent):
    """Keep a state unless it is known or must cost `limit`; return whether there was room."""
    if s.at[NODES] == s.red.size:
        return False
    done, red, dirty, live = settled(g, done, red, dirty, live)
    total = spent + still_due(g, done, red, dirty, live)
    if total >= limit:
        s.at[BEYOND] = min(s.at[BEYOND], total)
        return True
    done, red, dirty = turned(g, done, red, dirty)
    i = slot_of(s, done, red, dirty)
    x = s.table[i]
    if x >= 0:
        if s.spent[x] <= spent:
            return True
        s.spent[x] = LEFT_OUT
    x = s.at[NODES]
    s.at[NODES] += 1
    s.table[i] = x
    s.done[x] = done
    s.red[x] = red
    s.dirty[x] = dirty
    s.spent[x] = spent
    s.queued[x] = s.bucket[spent]
    s.bucket[spent] = x
    return True


@kernel
def begin(s, g, limit):
    """Enter the state before the first step."""
    enter(s, g, limit, NONE, NONE, NONE, NONE, 0)


@kernel
def throw_out(s, g, limit, done, red, dirty, live, spent, keep, need, away, chosen):
    """Enter the states in which values outside `keep` have left, `need` words and none too many.

    away, chosen (65,): room to work in. Return whether there was room.
    """
    count = 0
    rest = 0
    x = red & ~keep
    while x:
        away[count] = lowest_bit(x)
        rest += g.sizes[away[count]]
        x &= x - ONE
        count += 1
    out, depth, k = NONE, 0, 0
    while True:
        if need > 0 and k < count and rest >= need:
            r = away[k]
            bit = ONE << np.uint64(r)
            chosen[depth] = k
            depth += 1
            need -= g.sizes[r]
            rest -= g.sizes[r]
            spent += g.sizes[r] + g.sizes[r] * ((dirty & bit) != NONE)
            out |= bit
            k += 1
            if spent < limit:
                continue
            s.at[BEYOND] = min(s.at[BEYOND], spent)
        elif need <= 0:
            minimal = True
            for j in range(depth):
                minimal &= need + g.sizes[away[chosen[j]]] > 0
            if minimal and not enter(s, g, limit, done, red & ~out, dirty & ~out, live, spent):
                return False
        # Leave out those from k on that were not chosen, and the last that was.
        if depth == 0:
            return True
        depth -= 1
        while k > chosen[depth] + 1:
            k -= 1
            rest += g.sizes[away[k]]
        k = chosen[depth]
        r = away[k]
        bit = ONE << np.uint64(r)
        need += g.sizes[r]
        spent -= g.sizes[r] + g.sizes[r] * ((dirty & bit) != NONE)
        out ^= bit
        k += 1


@kernel
def follow(s, g, limit, x, away, chosen):
    """Enter all states one step after node x; return whether there was room."""
    spent, red, done = s.spent[x], s.red[x], s.done[x]
    live = live_values(g, done)
    left = g.full & ~done
    while left:
        v = lowest_bit(left)
        left &= left - ONE
        if g.before[v] & ~done:
            continue
        operands = g.operands[v]
        dying = dying_operands(g, v, done)
        dirty = s.dirty[x] | operands & ~red & ~live & g.costly
        after = done | ONE << np.uint64(v)
        made = NONE
        if g.result[v] >= 0:
            made = ONE << np.uint64(g.result[v])
        here = weigh(g, red | operands)
        need = here + g.own[v]
        if g.sliding:
            need = max(here, need - largest(g, dying))
        if not throw_out(
            s, g, limit, after, (red | operands) & ~dying | made,
            dirty & ~dying | (made & g.costly), (live | operands) & ~dying | made,
            spent, operands | made, need - g.memory, away, chosen,
        ):  # fmt: skip
            return False
        replaced = operands & ~dying if g.sliding else NONE
        while replaced:
            bit = replaced & (~replaced + ONE)
            replaced ^= bit
            size = g.sizes[lowest_bit(bit)]
            paid = spent + size + size * ((dirty & bit) != NONE)
            if paid >= limit:
                s.at[BEYOND] = min(s.at[BEYOND], paid)
                continue
            gone = dying | bit
            if not throw_out(
                s, g, limit, after, (red | operands) & ~gone | made,
                dirty & ~gone | (made & g.costly), (live | operands) & ~dying | made,
                paid, operands | made, max(here, here + g.own[v] - size) - g.memory, away, chosen,
            ):  # fmt: skip
                return False
    return True


@kernel
def search(s, g, limit, steps):
    """Go on for some steps: FOUND a play below `limit`, EXHAUSTED all states, FULL or RUNNING."""
    away = np.empty(65, np.int64)
    chosen = np.empty(65, np.int64)
    for _ in range(steps):
        while s.bucket[s.at[LEVEL]] < 0:
            s.at[LEVEL] += 1
            if s.at[LEVEL] >= limit:
                return EXHAUSTED
        x = s.bucket[s.at[LEVEL]]
        s.bucket[s.at[LEVEL]] = s.queued[x]
        if s.spent[x] == LEFT_OUT:
            continue
        if s.done[x] == g.full:
            return FOUND
        if not follow(s, g, limit, x, away, chosen):
            s.queued[x] = s.bucket[s.at[LEVEL]]
            s.bucket[s.at[LEVEL]] = x
            return FULL
    return RUNNING


@kernel
def greatest_flow(operands, readers, result, maker, capacity, front, forced):
    """Return the greatest flow from the values `forced` to the steps `front`, both sets.

    operands, result (c,) and readers, capacity (r,) as in `Game`; maker (r,) the step that makes a
    value, -1 if none does. A value is two nodes, in (2 r) and out (2 r + 1); what leaves "out" goes
    to the "in" of values that readers make, or ends in the front; what is at "in" may go to the
    "in" of the maker's operands. Shortest paths are filled one after the other.
    """
    count = readers.size
    end = 2 * count
    through = np.zeros(count, np.int64)
    forth = np.zeros((count, count), np.int64)
    back = np.zeros((count, count), np.int64)
    came = np.empty(end + 1, np.int64)
    queue = np.empty(end + 1, np.int64)
    value = 0
    while True:
        came[:] = -1
        head = tail = 0
        for r in range(count):
            if forced >> np.uint64(r) & ONE:
                came[2 * r] = 2 * r
                queue[tail] = 2 * r
                tail += 1
        while head < tail and came[end] < 0:
            node = queue[head]
            head += 1
            r = node >> 1
            if node & 1:
                if through[r] > 0 and came[node - 1] < 0:
                    came[node - 1] = node
                    queue[tail] = node - 1
                    tail += 1
                if readers[r] & front:
                    came[end] = node
                x = readers[r] & ~front
                while x:
                    m = result[lowest_bit(x)]
                    x &= x - ONE
                    if m >= 0 and came[2 * m] < 0:
                        came[2 * m] = node
                        queue[tail] = 2 * m
                        tail += 1
                continue
            if through[r] < capacity[r] and came[node + 1] < 0:
                came[node + 1] = node
                queue[tail] = node + 1
                tail += 1
            x = operands[maker[r]] if maker[r] >= 0 else NONE
            while x:
                u = lowest_bit(x)
                x &= x - ONE
                if came[2 * u] < 0:
                    came[2 * u] = node
                    queue[tail] = 2 * u
                    tail += 1
                if forth[u, r] > 0 and came[2 * u + 1] < 0:
                    came[2 * u + 1] = node
                    queue[tail] = 2 * u + 1
                    tail += 1
            x = readers[r]
            while x:
                m = result[lowest_bit(x)]
                x &= x - ONE
                if m >= 0 and back[m, r] > 0 and came[2 * m] < 0:
                    came[2 * m] = node
                    queue[tail] = 2 * m
                    tail += 1
        if came[end] < 0:
            return value
        amount = np.int64(2**62)
        for send in range(2):  # first how much, then send it
            node = end
            while came[node] != node:
                last = came[node]
                r, u = node >> 1, last >> 1
                if node != end and r == u:
                    if node & 1:
                        amount = min(amount, capacity[r] - through[r])
                        through[r] += amount * send
                    else:
                        amount = min(amount, through[r])
                        through[r] -= amount * send
                elif node != end:
                    if last & 1:
                        forth[u, r] += amount * send
                    elif node & 1:
                        amount = min(amount, forth[r, u])
                        forth[r, u] -= amount * send
                    elif maker[u] >= 0 and operands[maker[u]] >> np.uint64(r) & ONE:
                        back[u, r] += amount * send
                    else:
                        amount = min(amount, back[r, u])
                        back[r, u] -= amount * send
                node = last
        value += amount
