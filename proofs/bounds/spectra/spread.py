"""Weights before they are rounded: cliques with shares of their owners' capacities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from proofs.bounds.spectra import _kernels
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.spectra.cliques import laplacian, pairs_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FloatArray = npt.NDArray[np.float64]
MOST = 24  # members of a clique at most: larger ones make the matrix dense


@dataclass(frozen=True)
class Spread:
    """Cliques, and how much of its owner's capacity each uses.

    Parameters
    ----------
    owners
        (c,) values, each with readers in the piece.
    sizes
        (c,) members of each clique.
    members
        The members of all cliques, one clique after the other, rising in each.
    shares
        (c,) part of the owner's capacity.
    """

    owners: Int64Array
    sizes: Int64Array
    members: Int64Array
    shares: FloatArray

    def laplacian(self, capacity: FloatArray) -> "csr_array":
        """Return the Laplacian of the cliques' weights, for the owners' `capacity` (p,)."""
        return laplacian(*self._pairs(capacity), capacity.size)

    def dense_laplacian(self, capacity: FloatArray) -> FloatArray:
        """Return the same as an array, which for few vertices takes a fraction of the time."""
        rows, columns, weights = self._pairs(capacity)
        n = capacity.size
        half = np.bincount(rows * n + columns, -weights, n * n).reshape(n, n)
        found = (half + half.T).astype(np.float64)
        found[np.diag_indices(n)] -= found.sum(axis=0)
        return found

    def _pairs(self, capacity: FloatArray) -> tuple[Int64Array, Int64Array, FloatArray]:
        weights = self.shares * capacity[self.owners] / (self.sizes**2 // 4)
        return pairs_of(self.sizes, self.members, weights)

    def chosen(self, which: npt.NDArray[np.integer] | npt.NDArray[np.bool_]) -> "Spread":
        """Return the cliques with the numbers `which`, or where `which` is true."""
        numbers = np.arange(self.owners.size)[which]
        sizes = self.sizes[numbers]
        within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        starts = np.cumsum(self.sizes) - self.sizes
        members = self.members[np.repeat(starts[numbers], sizes) + within]
        return Spread(self.owners[numbers], sizes, members, self.shares[numbers])


def widest(piece: Piece) -> Spread:
    """Return, for every value that is read, the clique of it and of all its readers."""
    indptr, indices = piece.successors
    readers = np.minimum(np.diff(indptr), MOST - 1)
    owners = np.flatnonzero(readers)
    sizes = readers[owners] + 1
    within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    place = np.maximum(np.repeat(indptr[owners], sizes) + within - 1, 0)
    members = np.where(within == 0, np.repeat(owners, sizes), indices[place])
    return Spread(owners, sizes, members.astype(np.int64), np.ones(owners.size))


def farthest(piece: Piece, points: FloatArray) -> Spread:
    """Return, for every value that is read, the clique whose `points` (p, d) are farthest apart."""
    indptr, indices = piece.successors
    most = min(MOST, int(np.diff(indptr).max()) + 1)
    sizes = np.zeros(piece.size, np.int64)
    table = np.zeros((piece.size, most), np.int64)
    _kernels.best_cliques(indptr, indices, np.ascontiguousarray(points), sizes, table)
    owners = np.flatnonzero(sizes)
    sizes, table = sizes[owners], table[owners]
    table[np.arange(most) >= sizes[:, None]] = piece.size
    table.sort(axis=1)
    return Spread(owners, sizes, table[table < piece.size], np.ones(owners.size))


def merged(spreads: Sequence[Spread], shares: FloatArray, least: float) -> Spread:
    """Return the sum of spreads times their shares, in which each clique occurs once.

    Cliques with less than `least` of a capacity are left out; the others get what they had.
    """
    together = Spread(
        np.concatenate([spread.owners for spread in spreads]),
        np.concatenate([spread.sizes for spread in spreads]),
        np.concatenate([spread.members for spread in spreads]),
        np.concatenate([s * spread.shares for s, spread in zip(shares, spreads, strict=True)]),
    )
    # Two cliques with one name would do no harm but lose a little weight.
    code = np.random.default_rng(0).integers(1, 2**63, int(together.members.max()) + 1)
    starts = np.cumsum(together.sizes) - together.sizes
    names = np.add.reduceat(code[together.members], starts) + 3 * code[together.owners]
    _, first, number = np.unique(names, return_index=True, return_inverse=True)
    total = np.bincount(number, together.shares).astype(np.float64)
    once = together.chosen(first)
    once = Spread(once.owners, once.sizes, once.members, total)
    kept = once.chosen(total >= least)
    full = np.bincount(kept.owners, kept.shares)[kept.owners]
    return Spread(kept.owners, kept.sizes, kept.members, kept.shares / full)
