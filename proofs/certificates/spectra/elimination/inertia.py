"""Proves how many eigenvalues of a symmetric integer matrix lie below a number.

Eliminate A = matrix - shift in floating point, without pivots: A is nearly F = L D L', L unit
lower triangular, D diagonal. By Sylvester's law F has as many negative eigenvalues as D has
negative entries. Each entry of F differs from that of A by at most g (|L| |D| |L'|), entry by
entry, with g = (n + 4) u / (1 - (n + 4) u) and u = 2^-53, in whatever order its terms were added up
(Higham, lemma 8.4 and theorem 9.3: at most n products and a division; one rounding more where an
entry of L is multiplied by one of D first). So the spectral norm of F - A, which is symmetric, is
at most the largest row sum of g |L| |D| |L'|. That sum is computed in floating point as well, from
numbers none of which is negative, and raised by a part in a million for it. By Weyl's inequality
the matrix has no more eigenvalues below shift - norm than F has negative ones.

Of the matrix product, which is a library's, only this is assumed: each of its entries is a sum of
products of entries, in some order, every operation rounded to nearest. All numbers stay below
2^400 in size, so that what underflow loses is far less than the part in a million of 2^-53.

Source
------
N. J. Higham, Accuracy and stability of numerical algorithms, 2nd edition, SIAM 2002. J. W. H. Liu,
The multifrontal method for sparse matrix solution, SIAM Review 1992.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from proofs.certificates.spectra.elimination import _kernels
from proofs.certificates.spectra.elimination.dense_blocks import DenseBlocks, permuted, plan

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FloatArray = npt.NDArray[np.float64]
PANEL = 64  # columns whose elimination is worth a matrix product
ROUNDING = 2.0**-53
LARGEST = 2.0**400


@dataclass(frozen=True)
class Count:
    """At most `below` eigenvalues of the matrix are less than the shift minus `error`.

    Parameters
    ----------
    below
        Negative entries of D.
    error
        No less than the spectral norm of F - A; infinite where the elimination broke down.
    """

    below: int
    error: float


class Inertia:
    """The signs of the eigenvalues of a symmetric matrix of integers, at any shift.

    Two are equal if their matrices are: pieces that look alike are counted once.
    """

    def __init__(self, matrix: "csr_array") -> None:
        self._matrix = matrix

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inertia) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def count(self, shift: int) -> Count:
        """Return how many eigenvalues are less than `shift`, about, and how wrong that can be."""
        return _count(self, shift)

    def eliminate(self, shift: int) -> Count:
        """Return the same without a look at what is known."""
        return _Elimination(self._permuted, self._blocks, shift).run()

    @cached_property
    def _digest(self) -> bytes:
        state = hashlib.sha256()
        for array in (self._matrix.indptr, self._matrix.indices, self._matrix.data):
            state.update(f"{array.size}{array.dtype}".encode())
            state.update(array.tobytes())
        return state.digest()

    @cached_property
    def _blocks(self) -> DenseBlocks:
        return plan(self._matrix)

    @cached_property
    def _permuted(self) -> "csr_array":
        return permuted(self._matrix, self._blocks.order)


@lru_cache(maxsize=128)
def _count(inertia: Inertia, shift: int) -> Count:
    return inertia.eliminate(shift)


class _Elimination:
    """One elimination, block by block; of L only the blocks at work are kept."""

    def __init__(self, matrix: "csr_array", blocks: DenseBlocks, shift: int) -> None:
        self._indptr = matrix.indptr.astype(np.int64)
        self._indices = matrix.indices.astype(np.int64)
        self._values = matrix.data.astype(np.float64)
        self._blocks, self._shift = blocks, float(shift)
        self._place = np.zeros(matrix.shape[0], np.int64)
        self._sums = np.zeros(matrix.shape[0])  # row sums of |L| |D| |L'|
        self._left: dict[int, list[tuple[npt.NDArray[np.int64], FloatArray]]] = {}

    def run(self) -> Count:
        """Return what the elimination finds."""
        blocks, below = self._blocks, 0
        steps = zip(pairwise(blocks.starts.tolist()), pairwise(blocks.ptr.tolist()), strict=True)
        for number, ((first, last), (begin, end)) in enumerate(steps):
            border = blocks.rows[begin:end]
            block = self._assembled(number, first, last, border)
            pivots = eliminated(block, last - first)
            if pivots is None:
                return Count(0, np.inf)
            below += int((pivots < 0).sum())
            self._add_sums(block, pivots, np.concatenate([np.arange(first, last), border]))
            if border.size:
                update = block[last - first :, last - first :].copy()
                self._left.setdefault(int(blocks.above[number]), []).append((border, update))
        terms = (self._place.size + 4) * ROUNDING
        error = float(self._sums.max()) * terms / (1 - terms) * (1 + 1e-6)
        return Count(below, error if np.isfinite(error) else np.inf)

    def _assembled(
        self, number: int, first: int, last: int, border: npt.NDArray[np.int64]
    ) -> FloatArray:
        """Return the block: the matrix's own entries and what the blocks below left over."""
        size = last - first + border.size
        block = np.zeros((size, size))
        _kernels.assemble(
            self._indptr,
            self._indices,
            self._values,
            self._shift,
            first,
            last,
            border,
            self._place,
            block,
        )
        for rows, update in self._left.pop(number, ()):
            _kernels.extend_add(update, rows, self._place, block)
        return block

    def _add_sums(self, block: FloatArray, pivots: FloatArray, rows: npt.NDArray[np.int64]) -> None:
        """Add the part of the row sums of |L| |D| |L'| that these columns of L contribute."""
        columns = np.abs(block[:, : pivots.size])
        self._sums[rows] += columns @ (np.abs(pivots) * columns.sum(axis=0))


def eliminated(block: FloatArray, width: int) -> FloatArray | None:
    """Return D of the first `width` columns, which become those of L; update what is behind them.

    Only the lower triangle of `block` is read. None if the elimination breaks down.
    """
    pivots = np.empty(width)
    for start in range(0, width, PANEL):
        end = min(start + PANEL, width)
        if start:
            scaled = block[start:end, :start] * pivots[:start]
            block[start:, start:end] -= block[start:, :start] @ scaled.T
        panel = block[start:, start:end].copy()
        if _kernels.eliminate_panel(panel, pivots[start:end]) or not _tame(panel):
            return None
        block[start:, start:end] = panel
    _update(block, pivots)
    return pivots


def _update(block: FloatArray, pivots: FloatArray) -> None:
    """Subtract L D L' from the lower triangle of what is behind the eliminated columns."""
    width, step = pivots.size, 8 * PANEL
    scaled = block[width:, :width] * pivots
    for start in range(width, block.shape[0], step):
        end = min(start + step, block.shape[0])
        rows = scaled[start - width : end - width]
        block[start:, start:end] -= block[start:, :width] @ rows.T


def _tame(panel: FloatArray) -> bool:
    """Return whether all entries are numbers of a size with which rounding is all that is lost."""
    return bool(np.abs(panel).max() < LARGEST)
