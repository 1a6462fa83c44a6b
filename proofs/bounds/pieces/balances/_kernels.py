"""Kernels that tell which balances are too high, by orders drawn by their costs."""

import numpy as np

from dags._numba import lean_inner_kernel, lean_kernel
from pebble.small._kernels.bits import NONE, ONE
from proofs.certificates.pieces.balances._kernels import account_of, open_desk

SELDOM = 1e-7  # ideals that are less likely are left out


@lean_kernel
def draw_ways(ways, gains, spread, soft, chances, visits):
    """Fill chances (e,) and visits (s,) float64: how often orders take each edge and ideal.

    An order that takes `spread` more counts 1 / e as much; soft (s,) float64 is room.
    """
    last = ways.starts.size - 1
    soft[last] = 0.0
    for i in range(last - 1, -1, -1):
        lowest = np.inf
        for e in range(ways.starts[i], ways.starts[i + 1]):
            chances[e] = gains[e] / spread + soft[ways.after[e]]
            lowest = min(lowest, chances[e])
        total = 0.0
        for e in range(ways.starts[i], ways.starts[i + 1]):
            chances[e] = np.exp(lowest - chances[e])
            total += chances[e]
        for e in range(ways.starts[i], ways.starts[i + 1]):
            chances[e] /= total
        soft[i] = lowest - np.log(total)
    for i in range(1, last + 1):
        visits[i] = 0.0
    visits[0] = 1.0
    for i in range(last):
        for e in range(ways.starts[i], ways.starts[i + 1]):
            chances[e] *= visits[i]
            visits[ways.after[e]] += chances[e]


@lean_inner_kernel
def leave(board, key, v, away, stored, load, share, rise_away, rise_stored):
    """Count out the state that value v was in before, the cheapest one."""
    departure = load + away[key]
    if min(stored[key], departure) >= board.store[v]:
        return
    if departure <= stored[key]:
        rise_away[key] += share
    else:
        rise_stored[key] += share


@lean_kernel
def blame_balances(
    board, ways, absence, stored, desk, kept, chances, visits, mass, rise_away, rise_stored
):
    """Fill mass, rise_away and rise_stored (accounts,) float64.

    mass: how often each account is used; the others: how often its state is left less how often it
    is entered. kept (e,) as from `weigh_ways`, chances and visits as from `draw_ways`.
    """
    for i in range(ways.starts.size - 1):
        if visits[i] < SELDOM:
            continue
        count = open_desk(board, ways, absence, stored, i, desk)
        for k in range(count):
            mass[ways.keys[ways.offset[i] + k]] += visits[i]
        for e in range(ways.starts[i], ways.starts[i + 1]):
            share = chances[e]
            if share < SELDOM / 10:
                continue
            alive, offset = ways.alive[ways.after[e]], ways.offset[ways.after[e]]
            reads = board.operands[ways.steps[e]]
            for k in range(count):
                v = desk.value[k]
                key = np.int64(ways.keys[ways.offset[i] + k])
                new = account_of(ways.keys, alive, offset, v)
                present = desk.here[k]
                if (reads | kept[e]) >> np.uint64(v) & ONE != NONE:
                    paid = present - stored[new] if new >= 0 else present
                    if paid < 0:
                        leave(
                            board,
                            key,
                            v,
                            absence,
                            stored,
                            board.load[v],
                            share,
                            rise_away,
                            rise_stored,
                        )
                        if new >= 0:
                            rise_stored[new] -= share
                else:
                    leave(
                        board, key, v, absence, stored, np.int64(0), share, rise_away, rise_stored
                    )
                    rise_away[new] -= share
