"""Ways without I/O: computing values from others in fast memory alone.

A search over what is red and what is yet to be computed. Of the ways that there are,
it looks at those on which, without loss,

- no value is computed, or kept, from which nothing that is still wanted can be computed;
- a value leaves at once if it is not wanted, and otherwise only where a result lacks the room;
- a result that is not read any more is computed as soon as it fits, and leaves;
- all that is still wanted could be computed from what is red, were there room.

The set to begin with may be too large for the memory: then some of it leaves first.
"""

import numpy as np

from schedulers.exact.cpsat.recompute import _kernels as k
from schedulers.exact.cpsat.recompute.part import Part, bits, set_of

MOST_VALUES = 64
MOST_STATES = 1 << 20
FEW_STATES = 1 << 14
SOME_STATES = 1 << 17
SHORT = 8  # steps: too few to look for a shorter way

# Steps: a vertex that is computed, or None, and what is red behind that and what leaves then.
Way = list[tuple[int | None, int]]


class UndecidedError(Exception):
    """The search for a way took too many states, or has too many values."""


def free_way(
    part: Part,
    red: int,
    target: int,
    computed: int,
    *,
    most_states: int = MOST_STATES,
) -> Way | None:
    """Return a way: what is computed, and what is red then; or None if there is none.

    Parameters
    ----------
    part
        The game.
    red
        What is red at the beginning.
    target
        What is to be red at the end, among other values.
    computed
        What is to be computed on the way; none of it is red at the beginning.
    most_states
        How many states to look at, at the most.

    Raises
    ------
    UndecidedError
        If that is not enough.
    """
    if not computed and not target & ~red:
        return []
    names = _relevant(part, red, target | computed)
    if names is None:
        return None
    if len(names) > MOST_VALUES:
        raise UndecidedError
    place = {v: i for i, v in enumerate(names)}
    game = _game(part, names, place, target)
    inside = np.uint64(set_of(place[v] for v in bits(red) if v in place))
    todo = np.uint64(set_of(place[v] for v in bits(computed)))
    states = FEW_STATES
    while True:
        store = _states(states)
        status, at = k.search(game, store, inside, todo, False)
        if status == k.EXHAUSTED:
            return None
        if status == k.FOUND:
            way = _path(store, at, names)
            return way if len(way) <= SHORT else _short(game, names, inside, todo) or way
        states *= 8
        if states > most_states:
            raise UndecidedError


def _short(game: k.Game, names: list[int], inside: np.uint64, todo: np.uint64) -> Way | None:
    """Return a shortest way, if it is found with few states."""
    store = _states(SOME_STATES)
    status, at = k.search(game, store, inside, todo, True)
    return _path(store, at, names) if status == k.FOUND else None


def _relevant(part: Part, red: int, wanted: int) -> list[int] | None:
    """Return what can be red on the way and leads to what is wanted; None if that is out of reach.

    Operands come before results.
    """
    reached = red
    for v, row in part.operands.items():
        if all(reached >> u & 1 for u in row):
            reached |= 1 << v
    if wanted & ~reached:
        return None
    for v in reversed(part.operands):
        if wanted >> v & 1:
            wanted |= set_of(part.operands[v])
    return list(bits(wanted & reached))


def _game(part: Part, names: list[int], place: dict[int, int], target: int) -> k.Game:
    operands = np.zeros(len(names), np.uint64)
    for i, v in enumerate(names):
        row = part.operands.get(v, ())
        if all(u in place for u in row):
            operands[i] = set_of(place[u] for u in row)
    words = np.array([part.words[v] for v in names], np.int64)
    ends = np.uint64(set_of(place[v] for v in bits(target)))
    return k.Game(operands, words, ends, part.memory, part.sliding)


def _states(count: int) -> k.States:
    return k.States(
        red=np.empty(count, np.uint64),
        todo=np.empty(count, np.uint64),
        parent=np.empty(count, np.int32),
        made=np.empty(count, np.int32),
        slot=np.full(2 * count, -1, np.int32),
        stack=np.empty(count, np.int32),
    )


def _path(store: k.States, at: int, names: list[int]) -> Way:
    """Return the way to a state."""
    way: Way = []
    while at >= 0:
        made = int(store.made[at])
        red = set_of(names[i] for i in bits(int(store.red[at])))
        way.append((names[made] if made >= 0 else None, red))
        at = int(store.parent[at])
    return way[::-1]
