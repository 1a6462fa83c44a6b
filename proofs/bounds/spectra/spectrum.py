"""The lower end of a spectrum, exactly or by sampling: where it ends, and what lives there."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from proofs.bounds.spectra.spread import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

ORDER = 160  # of the polynomials in the matrix
SAMPLES = 32  # random vectors that make the points, and more for small matrices:
ENTRIES = 100_000  # of random vectors, from which things are clear
FEW = 6  # of so many eigenvalues one: fewer are found alone, more sooner with all others


class Spectrum(Protocol):
    """The least eigenvalues of a symmetric matrix, and an embedding of its rows.

    Parameters
    ----------
    eigenvalues
        (k,) the least, rising.
    """

    eigenvalues: FloatArray

    def points(self, edge: float, width: float) -> FloatArray:
        """Return (n, d) points X with X X' = f(matrix), f a step from 1 down to 0 at `edge`."""


class Exact:
    """All eigenvalues that are of use, with their eigenvectors: for small matrices."""

    def __init__(self, matrix: FloatArray, most: int) -> None:
        from scipy.linalg import eigh

        n = matrix.shape[0]
        used = min(n, most)
        few = used * FEW <= n
        some = {"subset_by_index": [0, used - 1]} if few else {"driver": "evd"}
        values, vectors = eigh(matrix, **some)
        self.eigenvalues: FloatArray = values[:used]
        self._vectors: FloatArray = vectors[:, :used]

    def points(self, edge: float, width: float) -> FloatArray:
        """Return the eigenvectors, scaled by the roots of how far they are below the edge."""
        occupied = _step(self.eigenvalues, edge, width)
        used = int((occupied > 1e-6 * occupied[0]).sum())
        found: FloatArray = self._vectors[:, :used] * np.sqrt(occupied[:used])
        return found


class Sampled:
    """Estimates of the eigenvalues and of the points, from polynomials of the matrix.

    Chebyshev polynomials of the matrix, applied to random vectors, give the moments of the density
    of eigenvalues, and sqrt(f)(matrix) for any f that is smooth: its products with random
    vectors are points whose inner products are on average those of f(matrix).

    Source
    ------
    A. Weisse et al., The kernel polynomial method, Rev. Mod. Phys. 2006.
    """

    def __init__(self, matrix: "csr_array", most: int, rng: np.random.Generator) -> None:
        reach = np.asarray(abs(matrix).sum(axis=1)).ravel()
        on = matrix.diagonal()
        low, high = float((on - (reach - abs(on))).min()), float((on + (reach - abs(on))).max())
        self._centre, self._half = (high + low) / 2, max((high - low) / 2 * 1.001, 1e-9)
        n = matrix.shape[0]
        self._scaled = (matrix * (1 / self._half)).astype(np.float32).tocsr()
        self._shift = np.float32(self._centre / self._half)
        self._rng = rng
        self.eigenvalues = self._estimated(n, min(n, most))

    def points(self, edge: float, width: float) -> FloatArray:
        """Return random vectors times the root of the step function of the matrix."""
        from scipy.fft import dct

        nodes = np.cos(np.pi * (np.arange(ORDER) + 0.5) / ORDER)
        values = np.sqrt(_step(self._centre + self._half * nodes, edge, width))
        series = dct(values, type=2) / ORDER
        series[0] /= 2
        n = self._scaled.shape[0]
        samples = max(SAMPLES, min(4 * SAMPLES, ENTRIES // n))
        total = np.zeros((n, samples), np.float32)
        for factor, term in zip(series.tolist(), self._chebyshev(samples), strict=True):
            total += np.float32(factor) * term
        found: FloatArray = (total / np.sqrt(samples)).astype(np.float64)
        return found

    def _chebyshev(self, samples: int) -> Iterator[npt.NDArray[np.float32]]:
        """Yield T_0(A) R, T_1(A) R, ... for the scaled matrix A and random signs R."""
        signs = self._rng.integers(0, 2, (self._scaled.shape[0], samples), np.int8)
        before = (2 * signs - 1).astype(np.float32)
        yield before
        term = self._scaled @ before - self._shift * before
        yield term
        for _ in range(ORDER - 2):
            before, term = term, 2 * (self._scaled @ term - self._shift * term) - before
            yield term

    def _estimated(self, n: int, most: int) -> FloatArray:
        """Return the `most` least eigenvalues as the moments of their density say."""
        samples = min(4 * SAMPLES, 4 + 2 * ENTRIES // n)
        terms = self._chebyshev(samples)
        start = next(terms)
        products = [np.vdot(start, start), *(np.vdot(start, term) for term in terms)]
        damped = np.array(products, np.float64) / samples * _jackson(ORDER)
        # The integral of the density from -1 to cos(angle), term by term.
        angles = np.linspace(np.pi, 0, 8 * ORDER + 1)
        orders = np.arange(1, ORDER)
        waves = np.sin(np.outer(angles, orders)) / orders
        below = (damped[0] * (np.pi - angles) - 2 * waves @ damped[1:]) / np.pi
        below = np.maximum.accumulate(np.clip(below, 0, n))
        values = self._centre + self._half * np.cos(angles)
        found: FloatArray = np.interp(np.arange(most) + 0.5, below, values)
        return found


def _step(values: FloatArray, edge: float, width: float) -> FloatArray:
    """Return about 1 for values below the edge, and about 0 above it."""
    from scipy.special import expit

    found: FloatArray = expit((edge - values) / width)
    return found


def _jackson(order: int) -> FloatArray:
    """Return the factors that keep a cut-off Chebyshev series from ringing."""
    k, last = np.arange(order), order + 1
    angle = np.pi / last
    found: FloatArray = ((last - k) * np.cos(k * angle) + np.sin(k * angle) / np.tan(angle)) / last
    return found
