"""Finds weights that make the least eigenvalues large."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from proofs.bounds.spectra.spectrum import Exact, Sampled, Spectrum
from proofs.bounds.spectra.spread import FloatArray, Spread, farthest, merged, widest
from proofs.certificates.pieces.piece import Piece

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DENSE = 1000  # vertices up to which all eigenvalues are computed
FEW = 200  # vertices of a piece whose Laplacians are arrays, which sparse ones are slower than
EDGE = 0.1  # width of the soft edge of the spectrum, as a part of the eigenvalue there
LEAST_SHARE = 0.01  # of a capacity, that is worth a clique
TRIED = 4  # steps that tell the pace


@dataclass(frozen=True)
class Weights:
    """Cliques, and what is added to the diagonal of their Laplacian.

    Parameters
    ----------
    spread
        The cliques.
    diagonal
        (p,) what is added.
    value
        About the excess that they prove.
    """

    spread: Spread
    diagonal: FloatArray
    value: float


def best_parts(eigenvalues: FloatArray, n: int, trace: float, saved: float) -> FloatArray:
    """Return (k,) what 1, 2, ... parts prove: sum_i p_i lambda_i - trace - (parts - 1) saved."""
    parts = np.arange(1, eigenvalues.size + 1)
    sums = np.concatenate([[0.0], np.cumsum(eigenvalues)])
    size, larger = n // parts, n % parts
    value: FloatArray = size * sums[parts] + sums[larger] - trace - (parts - 1) * saved
    return value


class Ascent:
    """Maximises sum_i p_i lambda_i(L + D) - trace D over the cliques and D, step by step.

    The sum is concave in both. The eigenvectors y_i of the least eigenvalues, with a soft edge,
    embed the vertices: v is at (sqrt(p_i) y_i(v))_i. Weight gains most on cliques whose
    points are farthest apart, so a part of every owner's capacity moves there (Frank and Wolfe);
    and D rises where the squared distance from 0, whose mean is 1, is larger.

    Parameters
    ----------
    piece
        What is cut.
    capacity
        (p,) what the cliques of each value may weigh.
    saved
        What one more segment costs: theta R.
    seed
        Of the random vectors with which a large matrix is sampled.
    """

    def __init__(self, piece: Piece, capacity: FloatArray, saved: float, seed: int = 0) -> None:
        self._piece, self._capacity, self._saved = piece, capacity, max(saved, 0.5)
        self._spreads = [widest(piece)]
        self._moved: list[float] = []
        self._vertices = np.unique(self._spreads[0].members)
        self._laplacian = self._weighed(self._spreads[0])
        self._diagonal = np.zeros(piece.size)
        self._rng = np.random.default_rng(seed)
        self._best: tuple[float, FloatArray, FloatArray] = (0.0, np.ones(1), self._diagonal)

    def climb(self, steps: int, deadline: float) -> Weights:
        """Return the best weights within so many steps, or until `deadline` on the clock."""
        n, history = self._vertices.size, []
        for step in range(steps):
            spectrum = self._spectrum()
            trace = float(self._diagonal.sum())
            values = best_parts(spectrum.eigenvalues, n, trace, self._saved)
            # Early on the whole, one part, looks best: look where cuts will pay off.
            least = max(2, int(n / (12 * self._saved))) if 2 * step < steps else 2
            least = min(least, values.size)
            last = least - 1 + int(values[least - 1 :].argmax())
            self._improve(float(values.max()))
            history.append(float(values[last]))
            late = step == steps - 1 or time.monotonic() > deadline
            if late or _hopeless(history, steps - 1 - step):
                break
            self._move(step, last, spectrum)
        value, shares, diagonal = self._best
        spread = merged(self._spreads[: shares.size], shares, LEAST_SHARE)
        return Weights(spread, diagonal, value)

    def _spectrum(self) -> Spectrum:
        """Return the least eigenvalues, as many as could be of use."""
        from scipy.sparse import csr_array, diags_array

        n = self._vertices.size
        matrix = self._laplacian[self._vertices][:, self._vertices]
        diagonal = self._diagonal[self._vertices]
        # A cut must gain more than it saves: p lambda > saved; eigenvalues are below 4 words.
        most = int(4 * float(self._capacity.max()) * n / self._saved) + 8
        if isinstance(matrix, np.ndarray):
            return Exact(matrix + np.diag(diagonal), most)
        matrix = csr_array(matrix + diags_array(diagonal))
        if n <= DENSE:
            return Exact(matrix.toarray(), most)
        return Sampled(matrix, most, self._rng)

    def _weighed(self, spread: Spread) -> "csr_array | FloatArray":
        """Return the Laplacian of cliques, as an array where there are few vertices."""
        if self._piece.size <= FEW:
            return spread.dense_laplacian(self._capacity)
        return spread.laplacian(self._capacity)

    def _improve(self, value: float) -> None:
        """Keep the weights if they are the best so far."""
        if value > self._best[0]:
            kept = np.cumprod(1 - np.array([*self._moved, 0.0])[::-1])[::-1]  # by later steps
            shares = np.array([1.0, *self._moved]) * kept
            self._best = (value, shares, self._diagonal.copy())

    def _move(self, step: int, last: int, spectrum: Spectrum) -> None:
        """Move weights and diagonal towards a larger sum of the eigenvalues up to `last`."""
        edge = float(spectrum.eigenvalues[last : last + 2].mean())
        width = EDGE * max(edge, 1e-3) / (1 + step / 10)
        found = spectrum.points(edge, width)
        points = np.zeros((self._piece.size, found.shape[1]))
        points[self._vertices] = found
        cover, part = farthest(self._piece, points), 1 / (step + 2)
        self._laplacian = (1 - part) * self._laplacian + part * self._weighed(cover)
        self._spreads.append(cover)
        self._moved.append(part)
        density = (found**2).sum(axis=1)
        density /= density.mean()
        rise = 0.5 * edge * np.clip(density - 1, -1, 3) / (1 + 0.2 * step)
        self._diagonal[self._vertices] += rise


def _hopeless(history: list[float], left: int) -> bool:
    """Return whether the values, at the pace of the last steps, will not become positive."""
    if len(history) <= TRIED or history[-1] > 0:
        return False
    pace = max(0.0, (history[-1] - history[-TRIED]) / (TRIED - 1))
    return history[-1] + pace * left <= 0
