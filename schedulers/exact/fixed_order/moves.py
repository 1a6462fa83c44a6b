"""From an order, and the gaps in which values are away, to the moves of a schedule."""

from itertools import pairwise

from pebble import Move, Schedule
from schedulers.access_order import Accesses


def moves_of(layout: Accesses, away: set[int]) -> Schedule:
    """Return the play that computes in an order.

    A value leaves at once where its gap is spent away, and comes back where it is used again. Of
    the operands that leave, the largest goes first: where the rules let it, the result slides.

    Parameters
    ----------
    layout
        The order, as accesses.
    away
        Accesses behind which the value leaves, beside last ones.
    """
    name, words = layout.name.tolist(), layout.words.tolist()
    touched = layout.touched.tolist()
    owed = [bool(out) for out in layout.is_output]
    blue = [bool(known) for known in layout.is_input]
    red = [False] * layout.values
    moves: list[tuple[Move, int]] = []

    def store(x: int, last: bool) -> None:
        """Store x, which leaves, if it will be missed."""
        if not blue[x] and (owed[x] or not last):
            moves.append((Move.STORE, name[x]))
            blue[x] = True

    for a, b in pairwise(layout.start.tolist()):
        row = [(at, touched[at]) for at in range(a, b)]
        entries = [(at, x if x >= 0 else ~x, x < 0) for at, x in row]
        leaving = [(x, last) for at, x, last in entries[:-1] if last or at in away]
        leaving.sort(key=lambda entry: -words[entry[0]])
        for _, x, _ in entries[:-1]:
            if not red[x]:
                moves.append((Move.LOAD, name[x]))
                red[x] = True
        for x, last in leaving:
            store(x, last)
        at, result, last = entries[-1]
        moves.append((Move.COMPUTE, name[result]))
        red[result] = True
        for x, _ in leaving:
            moves.append((Move.DELETE, name[x]))
            red[x] = False
        if last or at in away:
            store(result, last)
            moves.append((Move.DELETE, name[result]))
            red[result] = False
    return Schedule.from_moves(moves)
