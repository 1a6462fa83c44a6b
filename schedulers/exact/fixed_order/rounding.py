"""From gaps that are away in part to gaps that are away."""

import numpy as np

from dags.arrays import Int64Array
from schedulers.exact.fixed_order.linear_program import FloatArray
from schedulers.exact.fixed_order.use_gaps import BoolArray, Gaps

SURELY = 1e-6  # a gap that is away by less than this in the relaxation is not


def rounded(problem: Gaps, away: FloatArray) -> BoolArray:
    """Return gaps that are away if they are so in part, without those that then need not.

    They are tried one by one, those that are away least first; of values that must be stored,
    as many as possible should stay in all their gaps, and so values are tried whole before.
    """
    gone = away > SURELY
    slack = _slack(problem, gone)
    # Somebody's turn to be slid onto is not given up: what that does is not in the slack.
    movable = gone.copy()
    movable[problem.slide_gap] = False
    for gaps in _of_dirty_values(problem, away, gone):
        if movable[gaps].all() and _fits(problem, slack, gaps):
            gone[gaps] = movable[gaps] = False
    parts = np.flatnonzero(movable)
    for g in parts[np.argsort(away[parts], kind="stable")]:
        if _fits(problem, slack, np.array([g])):
            gone[g] = False
    return gone


def _slack(problem: Gaps, gone: BoolArray) -> Int64Array:
    """Return (R,) the words more than needed that are away at each row."""
    room = problem.room(gone)
    slid = np.zeros(room.size, np.int64)
    np.maximum.at(slid, problem.slide_row, np.where(gone[problem.slide_gap], problem.slide_room, 0))
    slack: Int64Array = np.minimum(room - problem.lack, room + slid - problem.slide_lack)
    return slack


def _of_dirty_values(problem: Gaps, away: FloatArray, gone: BoolArray) -> list[Int64Array]:
    """Return for each value that would be stored its gaps; those that are away least first."""
    mine = np.flatnonzero(gone & problem.dirty)
    mine = mine[np.argsort(problem.value[mine], kind="stable")]
    cuts = np.flatnonzero(np.diff(problem.value[mine])) + 1
    members = [part for part in np.split(mine, cuts) if part.size]
    return sorted(members, key=lambda part: float(away[part].sum()))


def _fits(problem: Gaps, slack: Int64Array, gaps: Int64Array) -> bool:
    """Take these gaps' room off the slack if there is enough of it; return whether there was."""
    spans = [
        (slice(int(problem.first[g]), int(problem.last[g])), int(problem.words[g])) for g in gaps
    ]
    if any(slack[span].min(initial=words) < words for span, words in spans):
        return False
    for span, words in spans:  # the gaps of one value are one behind the other
        slack[span] -= words
    return True
