"""Many cores that share a memory on their chip and the words that come to it, played."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dags import CDAG
from pebble import Move, Schedule, play
from schedulers import structured

Words = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Timeline:
    """A play cut into windows, in each of which as many words come in as half the memory holds.

    Parameters
    ----------
    words
        (w,) words that are moved in each window.
    computes
        (w,) computations that are made in each.
    """

    words: Words
    computes: Words

    def time(self, cores: int, bandwidth: float) -> float:
        """Return the cycles if each window's words are moved while the one before is computed.

        Parameters
        ----------
        cores
            Cores, each of which makes a computation a cycle.
        bandwidth
            Words a cycle.
        """
        moving = np.append(self.words / bandwidth, 0)
        computing = np.append(0, np.ceil(self.computes / cores))
        return float(np.maximum(moving, computing).sum())

    def most_cores(self, bandwidth: float) -> float:
        """Return the cores beyond which words, not computations, take the time."""
        return float(self.computes.sum() / self.words.sum() * bandwidth)


def timeline(dag: CDAG, memory: int) -> Timeline:
    """Return the windows of a structured play in half the memory: the other half is being filled.

    Parameters
    ----------
    dag
        The computation.
    memory
        Words on the chip.
    """
    half = memory // 2
    schedule = structured(dag, half)
    play(dag, schedule, half)
    return _windows(dag, schedule, half)


def _windows(dag: CDAG, schedule: Schedule, size: int) -> Timeline:
    """Return the windows of a play, each of `size` words moved."""
    moved = (schedule.op == Move.LOAD) | (schedule.op == Move.STORE)
    words = np.where(moved, dag.sizes[schedule.vertex], 0)
    window = np.maximum(np.cumsum(words) - 1, 0) // size
    count = int(window[-1]) + 1
    by_words = np.bincount(window, weights=words, minlength=count)
    by_computes = np.bincount(window[schedule.op == Move.COMPUTE], minlength=count)
    return Timeline(by_words.astype(np.int64), by_computes.astype(np.int64))
