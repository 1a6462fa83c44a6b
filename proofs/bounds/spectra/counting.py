"""Counts eigenvalues where the counts prove most."""

import time

import numpy as np

from proofs.bounds.spectra.ascent import best_parts
from proofs.bounds.spectra.shifts import best_starts
from proofs.bounds.spectra.spectrum import Exact, Sampled
from proofs.bounds.spectra.spread import FloatArray
from proofs.certificates.spectra.cliques import Cliques
from proofs.certificates.spectra.elimination import Inertia
from proofs.certificates.spectra.spectral import eigenvalues_at_least

SLACK = 2**-15  # how inexact an elimination may be
ATTEMPTS = 3  # to find a shift where it is not
MOST_SHIFTS = 40
DENSE = 2500  # vertices up to which all eigenvalues are computed, if there is time:
SECONDS = 30.0  # that this may take for so many
RESOLUTION = 1000  # eigenvalues that stand for all in the choice of shifts


class Counting:
    """Counts of the eigenvalues of a matrix, and what they prove.

    Parameters
    ----------
    cliques
        They make the matrix.
    saved
        What one more part costs: theta R, in words.
    seed
        Of the random vectors with which a large matrix is sampled.
    """

    def __init__(self, cliques: Cliques, saved: int, seed: int) -> None:
        self._cliques, self._saved, self._seed = cliques, saved * cliques.denominator, seed
        self._inertia = Inertia(cliques.matrix)
        self.slack = max(1, round(cliques.denominator * SLACK))
        self._lowest = int(min(0, cliques.diagonal.min()))
        self.counts: dict[int, int] = {}  # of the eigenvalues below each shift

    def run(self, deadline: float) -> int:
        """Count, and return the number of parts for which the counts prove most.

        The first count tells how long one takes, and so how many can be made.
        """
        n = self._cliques.vertices.size
        exact = n <= DENSE and deadline - time.monotonic() > SECONDS * (n / DENSE) ** 3
        targets = self._expected(exact)
        last = targets[self._parts(targets) - 1]
        seconds = self._measured(float(last))
        most = int(min(MOST_SHIFTS, max(1, (deadline - time.monotonic()) / seconds)))
        if not exact:
            most = -(-most // 2)  # the other half are for where the estimates are wrong
        below = targets[targets <= last]
        if below.size > RESOLUTION:
            below = below[np.linspace(0, below.size - 1, RESOLUTION).astype(np.int64)]
        for place in best_starts(below, most)[::-1].tolist():  # the most important first
            self._count(float(below[place]), deadline)
        while not exact and len(self.counts) < MOST_SHIFTS and time.monotonic() < deadline:
            if not self._refine(deadline):
                break
        parts = self._parts(self._proven(targets.size))
        self._forget(parts)
        return parts

    def _measured(self, eigenvalue: float) -> float:
        """Return the seconds that a count takes, and adjust the slack to the usual error."""
        started = time.monotonic()
        error = self._inertia.count(int(eigenvalue)).error
        if 16 * error <= self._cliques.denominator:
            self.slack = max(self.slack, int(16 * error))
        return max(time.monotonic() - started, 1e-9)

    def _forget(self, parts: int) -> None:
        """Drop the counts that say nothing about the least `parts` eigenvalues."""
        largest = {count: shift for shift, count in sorted(self.counts.items())}
        self.counts = {shift: count for count, shift in largest.items() if count < parts}

    def _refine(self, deadline: float) -> bool:
        """Count where what is not known weighs most, and tell whether there is such a place.

        Between two shifts lie as many eigenvalues as the counts differ, anywhere.
        """
        shifts = np.array([self._lowest, *sorted(self.counts)])
        counts = np.array([0, *(self.counts[shift] for shift in shifts[1:].tolist())])
        unknown = np.diff(counts) * np.diff(shifts)
        most = int(unknown.argmax())
        if np.diff(shifts)[most] <= 16 * self.slack:
            return False
        known = len(self.counts)
        self._count(float((shifts[most] + shifts[most + 1]) // 2), deadline)
        return len(self.counts) > known

    def _expected(self, exact: bool) -> FloatArray:
        """Return the least eigenvalues, about, as many as may be of use."""
        matrix, n = self._cliques.matrix.astype(np.float64), self._cliques.vertices.size
        most = min(n, int(n * 4 * matrix.diagonal().mean() / self._saved) + 8)
        if exact:
            return Exact(matrix.toarray(), most).eigenvalues
        return Sampled(matrix, most, np.random.default_rng(self._seed)).eigenvalues

    def _parts(self, eigenvalues: FloatArray) -> int:
        """Return the best number of parts if these are the eigenvalues."""
        n, trace = self._cliques.vertices.size, float(self._cliques.diagonal.sum())
        return int(best_parts(eigenvalues, n, trace, float(self._saved)).argmax()) + 1

    def _count(self, eigenvalue: float, deadline: float) -> None:
        """Count the eigenvalues below a shift that is just below `eigenvalue`.

        So far below that rounding, which may differ from machine to machine, does not decide on
        which side of it this one is; farther where the elimination is inexact by chance.
        """
        for attempt in range(2, 2 + ATTEMPTS):
            if time.monotonic() > deadline:
                return
            shift = int(np.floor(eigenvalue)) - (attempt + 1) * self.slack
            found = self._inertia.count(shift + self.slack)
            if 4 * found.error <= self.slack:
                self.counts[shift] = found.below
                return

    def _proven(self, k: int) -> FloatArray:
        """Return (k,) lower bounds of the least eigenvalues."""
        shifts = np.array(sorted(self.counts), np.int64)
        counts = np.array([self.counts[shift] for shift in shifts.tolist()], np.int64)
        return eigenvalues_at_least(k, self._lowest, shifts, counts).astype(np.float64)
