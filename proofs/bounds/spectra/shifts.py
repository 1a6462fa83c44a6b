"""Chooses where to count eigenvalues, so that the counts say almost as much as the eigenvalues."""

import numpy as np

from dags.arrays import Int64Array
from proofs.bounds.spectra.spread import FloatArray


def best_starts(eigenvalues: FloatArray, most: int) -> Int64Array:
    """Return at most `most` places in the rising `eigenvalues`, the first of which is 0.

    Taking every eigenvalue for as little as the one at the last place before it loses the least
    that so many places can: dynamic programming over the ends of groups.

    Examples
    --------
    >>> best_starts(np.array([0.0, 1.0, 1.1, 5.0, 5.0, 5.2]), 3).tolist()
    [0, 1, 3]
    """
    k = eigenvalues.size
    sums = np.concatenate([[0.0], np.cumsum(eigenvalues)])
    begin, end = np.arange(k)[:, None], np.arange(1, k + 1)
    loss = sums[end] - sums[begin] - (end - begin) * eigenvalues[:, None]
    loss[end <= begin] = np.inf
    least, choices = loss[0], []
    for _ in range(most - 1):
        total = np.concatenate([[np.inf], least[:-1]])[:, None] + loss
        choice = total.argmin(axis=0)
        better = total[choice, end - 1] < least
        if not better[-1]:
            break
        choices.append(np.where(better, choice, 0))
        least = np.where(better, total[choice, end - 1], least)
    return _traced(choices, k)


def _traced(choices: list[Int64Array], k: int) -> Int64Array:
    """Return the places to which the choices lead back, the last group first; 0 is no choice."""
    places, end = {0}, k
    for choice in reversed(choices):
        if end and choice[end - 1] > 0:
            end = int(choice[end - 1])
            places.add(end)
    return np.array(sorted(places))
