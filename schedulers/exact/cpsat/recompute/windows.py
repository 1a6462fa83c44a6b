"""A window of a play as a part of its own: what comes before it and behind it stays as it is."""

from dataclasses import dataclass, replace
from itertools import islice

from dags import CDAG
from pebble import Move, Rules, Schedule
from schedulers.exact.cpsat.recompute.part import Part, set_of, whole

Moves = list[tuple[Move, int]]


@dataclass(frozen=True)
class Window:
    """A part of a play.

    Parameters
    ----------
    part
        What is to be played in it. Only what the play has just computed, or computes there, may
        be computed.
    before, behind
        The moves around it.
    cost
        Words that the play moves in it.
    """

    part: Part
    before: Moves
    behind: Moves
    cost: int

    def filled(self, moves: Moves) -> Schedule:
        """Return the play with other moves in the window, and without moves that nothing needs."""
        red, blue = self.part.target, self.part.blue
        for move, v in moves:
            blue |= 1 << v if move is Move.STORE else 0
        behind: Moves = []
        for move, v in self.behind:
            red, blue, is_needed = _after(red, blue, move, v)
            if is_needed:
                behind.append((move, v))
        return Schedule.from_moves([*self.before, *moves, *behind])


def window(
    dag: CDAG, schedule: Schedule, memory: int, rules: Rules, first: int, last: int, around: int
) -> Window:
    """Return the window from computation `first` to before computation `last`, counted from 0.

    It begins and ends at a load or a computation. The values of `around` computations before it may
    be computed again.
    """
    moves = list(schedule)
    begin, end = _place(moves, first), _place(moves, last)
    game = whole(dag, memory, rules)
    red, blue = _state(0, game.blue, moves[:begin])
    red_behind, blue_behind = _state(red, blue, moves[begin:end])
    near = moves[_place(moves, max(first - around, 0)) : end]
    known = {v for move, v in near if move is Move.COMPUTE}
    read, loaded = _wanted(game, moves[end:], red_behind)
    part = replace(
        game,
        operands={v: row for v, row in game.operands.items() if v in known},
        red=red,
        blue=blue,
        target=read,
        stored=blue_behind & ~blue & (loaded | game.stored),
    )
    return Window(part, moves[:begin], moves[end:], part.cost_of(moves[begin:end]))


def _place(moves: Moves, computation: int) -> int:
    """Return where a computation, or the loads before it, begin."""
    if computation == 0:
        return 0
    places = (i for i, (move, _) in enumerate(moves) if move is Move.COMPUTE)
    at = next(islice(places, computation - 1, None), len(moves)) + 1
    while at < len(moves) and moves[at][0] in (Move.STORE, Move.DELETE):
        at += 1
    return min(at, len(moves))


def _after(red: int, blue: int, move: Move, v: int) -> tuple[int, int, bool]:
    """Return what is red and blue after a move, and whether it changes that."""
    bit = 1 << v
    if move is Move.DELETE:
        return red & ~bit, blue, bool(red & bit)
    if move is Move.STORE:
        return red, blue | bit, not blue & bit
    return red | bit, blue, not red & bit


def _state(red: int, blue: int, moves: Moves) -> tuple[int, int]:
    for move, v in moves:
        red, blue, _ = _after(red, blue, move, v)
    return red, blue


def _wanted(game: Part, moves: Moves, red: int) -> tuple[int, int]:
    """Return which of the red values moves use before they are deleted, and what they load."""
    read = loaded = 0
    for move, v in moves:
        if move is Move.COMPUTE:
            read |= red & set_of(game.operands[v])
        elif move is Move.STORE:
            read |= red & 1 << v
        elif move is Move.LOAD:
            loaded |= 1 << v
        else:
            red &= ~(1 << v)
    return read, loaded
