"""Questions to CP-SAT level by level, about a whole game or a window of a play."""

from functools import partial
from math import gcd

from dags import CDAG
from pebble import Move, Rules, Schedule, play
from schedulers.exact.cpsat.recompute.clauses import symmetries
from schedulers.exact.cpsat.recompute.part import whole
from schedulers.exact.cpsat.recompute.search import Levels
from schedulers.exact.cpsat.recompute.windows import window


def proved_play(
    dag: CDAG,
    best: Schedule,
    memory: int,
    *,
    rules: Rules,
    least: int,
    seed: int,
    time_limit: float | None,
) -> tuple[Schedule, int]:
    """Return an optimal play or else `best`, and a lower bound on the I/O of any play, in words.

    It asks for plays that move `least` words, then for such as move more, up to one word less than
    `best`; the first one that it finds is optimal.

    Parameters
    ----------
    dag, best, memory, rules
        A legal play.
    least
        Lower bound on the I/O of any legal play, in words.
    seed, time_limit
        As for `cp_sat`.
    """
    io = play(dag, best, memory, rules=rules).io
    step = _step(dag)
    turns = partial(symmetries, dag, memory, rules)
    levels = Levels(whole(dag, memory, rules), seed, time_limit, turns)
    most = -(-least // step) * step
    while most < io:
        answer = levels.ask(most)
        if answer.moves is not None:
            return Schedule.from_moves(answer.moves), most
        if not answer.proved:
            return best, most
        most += step
    return best, io


def better_window(
    dag: CDAG,
    schedule: Schedule,
    memory: int,
    *,
    rules: Rules,
    first: int,
    last: int,
    time_limit: float | None,
    seed: int,
) -> Schedule | None:
    """Return a play that moves less in a window, and as little as is found; None without one.

    Parameters
    ----------
    dag, schedule, memory, rules
        A legal play.
    first, last
        The window, as for `improve_window`.
    seed, time_limit
        As for `cp_sat`.
    """
    computations = int((schedule.op == Move.COMPUTE).sum())
    first, last = max(first, 0), min(last, computations)
    if first >= last:
        return None
    piece = window(dag, schedule, memory, rules, first, last, last - first)
    levels = Levels(piece.part, seed, time_limit)
    best = None
    most = piece.cost - _step(dag)
    while most >= piece.part.forced:
        moves = levels.ask(most).moves
        if moves is None:
            break
        best = piece.filled(moves)
        most = piece.part.cost_of(moves) - _step(dag)
    # What the old play stores needlessly behind the window counts for nothing.
    io = play(dag, schedule, memory, rules=rules).io
    return best if best is not None and play(dag, best, memory, rules=rules).io < io else None


def _step(dag: CDAG) -> int:
    """Return a number of words that every play moves a multiple of."""
    return gcd(*dag.sizes.tolist()) if dag.words is not None else 1
