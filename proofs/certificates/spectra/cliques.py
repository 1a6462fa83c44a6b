"""Reads the weights of a spectral proof: cliques, each charged to a value of which it is part."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from proofs.certificates.certificate import CertificateError
from proofs.certificates.fields import integer, integers
from proofs.certificates.pieces.piece import Piece

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_VERTICES = 2**14  # in cliques: a dense block of a factor then takes 2 GB at most
MOST_PAIRS = 64  # of a clique's members for each of them, so that cliques are as long as their file
# All integers that the matrix is made of stay below this, so that a double holds them exactly.
LARGEST = 2**52
NumberArray = npt.NDArray[Any]  # integers where they must be exact


@dataclass(frozen=True)
class Cliques:
    """Cliques of equal weights, on values and their readers within a piece.

    Parameters
    ----------
    theta
        2 if stores and loads are counted, 1 if only loads.
    denominator
        All weights are multiples of one over this.
    sizes
        (c,) members of each clique.
    members
        The vertices of all cliques, one clique after the other.
    weights
        (c,) weight of each pair of the clique's members.
    vertices
        (n,) the vertices of the piece that are in some clique, rising: rows of `matrix`.
    diagonal
        (n,) what is added to the Laplacian's diagonal.
    """

    theta: int
    denominator: int
    sizes: Int64Array
    members: Int64Array
    weights: Int64Array
    vertices: Int64Array
    diagonal: Int64Array

    @cached_property
    def matrix(self) -> "csr_array":
        """(n, n) Laplacian of all the weights plus the diagonal, of integers."""
        from scipy.sparse import csr_array, diags_array

        rows, columns, weights = pairs_of(self.sizes, self.members, self.weights)
        n = self.vertices.size
        place = np.searchsorted(self.vertices, rows), np.searchsorted(self.vertices, columns)
        plain = laplacian(*place, weights, n)
        return csr_array(plain + diags_array(self.diagonal, dtype=np.int64))


def laplacian(rows: Int64Array, columns: Int64Array, weights: NumberArray, n: int) -> "csr_array":
    """Return the (n, n) Laplacian of weights on pairs of different vertices.

    Parameters
    ----------
    rows, columns, weights
        (pairs,) the two vertices and the weight of each pair.
    n
        Number of vertices.
    """
    from scipy.sparse import coo_array, csr_array

    ends = np.arange(n), np.arange(n)
    half = coo_array((-weights, (rows, columns)), shape=(n, n)).tocsr()
    off = half + half.T
    return csr_array(off + coo_array((-np.asarray(off.sum(axis=0)).ravel(), ends), shape=(n, n)))


def pairs_of(
    sizes: Int64Array, members: Int64Array, weights: NumberArray
) -> tuple[Int64Array, Int64Array, NumberArray]:
    """Return first vertex, second vertex and weight of every pair in every clique.

    Parameters
    ----------
    sizes, members
        (c,) members of each clique, and all of them one clique after the other.
    weights
        (c,) weight of each pair of a clique's members.
    """
    starts = np.cumsum(sizes) - sizes
    found = []
    for size in np.unique(sizes).tolist():
        chosen = np.flatnonzero(sizes == size)
        first, second = np.triu_indices(size, 1)
        table = members[starts[chosen, None] + np.arange(size)]
        repeated = np.repeat(weights[chosen], first.size)
        found.append((table[:, first].ravel(), table[:, second].ravel(), repeated))
    if not found:
        return (np.zeros(0, np.int64),) * 3
    rows, columns, values = zip(*found, strict=True)
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(values)


def read_cliques(piece: Piece, data: Mapping[str, Any]) -> Cliques:
    """Return the cliques that `data` describes, if every value has the capacity for its own.

    Raises
    ------
    CertificateError
        If a clique leaves its owner and the owner's readers, if the cliques of an owner weigh
        more than its capacity, or if the numbers are too large to compute with exactly.
    """
    theta = integer(data, "theta", least=1)
    if theta > 2:
        raise CertificateError("theta", f"is {theta}, not 1 or 2")
    denominator = integer(data, "denominator", least=2)
    if denominator % 2 or denominator * int(piece.words.sum()) > LARGEST:
        raise CertificateError("denominator", f"{denominator} is odd or too large")
    owners, sizes = integers(data, "owners"), integers(data, "sizes")
    members, weights = integers(data, "members"), integers(data, "weights")
    if not owners.size or not owners.size == sizes.size == weights.size:
        raise CertificateError("owners", "need as many sizes and weights, at least one")
    _check_members(piece, owners, sizes, members)
    _check_weights(piece, owners, sizes, weights, theta, denominator)
    vertices = np.unique(members)
    if vertices.size > MOST_VERTICES:
        raise CertificateError("members", f"are more than {MOST_VERTICES} vertices")
    diagonal = integers(data, "diagonal")
    if diagonal.size != vertices.size:
        raise CertificateError("diagonal", f"has {diagonal.size} entries, not {vertices.size}")
    if np.abs(diagonal.astype(np.float64)).sum() > LARGEST / 2:
        raise CertificateError("diagonal", "is too large to compute with")
    return Cliques(theta, denominator, sizes, members, weights, vertices, diagonal)


def _check_members(
    piece: Piece, owners: Int64Array, sizes: Int64Array, members: Int64Array
) -> None:
    """Raise CertificateError unless all members are different, owners or readers of theirs."""
    if sizes.min() < 2 or sizes.max() > members.size or int(sizes.sum()) != members.size:
        raise CertificateError("sizes", "do not fit the members, at least two a clique")
    if sizes.max() > 2 * MOST_PAIRS:
        raise CertificateError("sizes", f"are more than {2 * MOST_PAIRS}")
    for name, array in (("owners", owners), ("members", members)):
        if array.min() < 0 or array.max() >= piece.size:
            raise CertificateError(name, f"are no vertices from 0 to {piece.size - 1}")
    number = np.repeat(np.arange(sizes.size), sizes)
    if np.unique(number * piece.size + members).size < members.size:
        raise CertificateError("members", "name a vertex twice in one clique")
    owner = owners[number]
    rows = np.repeat(np.arange(piece.size), np.diff(piece.pred_indptr))
    edges = np.sort(piece.pred_indices.astype(np.int64) * piece.size + rows)
    wanted = (owner * piece.size + members)[owner != members]
    place = np.searchsorted(edges, wanted)
    if wanted.size and (place.max() == edges.size or (edges[place] != wanted).any()):
        raise CertificateError("members", "name a vertex that does not read its clique's owner")


def _check_weights(
    piece: Piece,
    owners: Int64Array,
    sizes: Int64Array,
    weights: Int64Array,
    theta: int,
    denominator: int,
) -> None:
    """Raise CertificateError unless the largest cuts of an owner's cliques fit its capacity."""
    capacity = piece.words * np.minimum(theta, piece.price) * (denominator // 2)
    if weights.min() < 1 or weights.max() > LARGEST:
        raise CertificateError("weights", "are not positive, or too large")
    # Sums in doubles: exact up to 2^53, and what exceeds that exceeds every capacity.
    charge = weights.astype(np.float64) * (sizes**2 // 4)
    if (np.bincount(owners, charge, piece.size) > capacity).any():
        raise CertificateError("weights", "of a value's cliques exceed its capacity")
