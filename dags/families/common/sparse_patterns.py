"""Patterns of sparse matrices: the places of their nonzeros."""

from dataclasses import dataclass
from math import prod
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dags.arrays import Int64Array
from dags.cdag.border import require_at_least, require_room
from dags.errors import InvalidSpecError
from dags.families.common.neighbourhoods import Neighbourhood, neighbours, radius_one


class SparseRows(Protocol):
    """A matrix in compressed sparse rows, such as SciPy's ``csr_array``."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""

    @property
    def indptr(self) -> npt.ArrayLike:
        """(rows + 1,) row pointers."""

    @property
    def indices(self) -> npt.ArrayLike:
        """(nonzeros,) columns, row after row."""


@dataclass(frozen=True)
class Pattern:
    """The nonzeros of a matrix, row after row.

    Parameters
    ----------
    indptr
        (rows + 1,) row pointers.
    indices
        (nonzeros,) columns.
    columns
        Number of columns.
    """

    indptr: Int64Array
    indices: Int64Array
    columns: int

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.indptr.size - 1

    @property
    def nonzeros(self) -> int:
        """Number of nonzeros."""
        return self.indices.size

    @property
    def filled_rows(self) -> int:
        """Number of rows that have a nonzero."""
        return int(np.count_nonzero(np.diff(self.indptr)))


def pattern_of(matrix: SparseRows) -> Pattern:
    """The pattern of `matrix`.

    Raises
    ------
    InvalidSpecError
        If its arrays describe no pattern.
    """
    indptr = np.asarray(matrix.indptr, np.int64)
    indices = np.asarray(matrix.indices, np.int64)
    rows, columns = matrix.shape
    if indptr.shape != (rows + 1,) or indices.ndim != 1:
        raise InvalidSpecError(f"a matrix of {rows} rows has {rows + 1} row pointers")
    if indptr[0] != 0 or indptr[-1] != indices.size or (np.diff(indptr) < 0).any():
        raise InvalidSpecError(f"row pointers must rise from 0 to {indices.size}, the nonzeros")
    if indices.size and not 0 <= indices.min() <= indices.max() < columns:
        raise InvalidSpecError(f"columns must be in 0..{columns - 1}")
    return Pattern(indptr, indices, columns)


def laplacian(shape: tuple[int, ...], neighbourhood: Neighbourhood, periodic: bool) -> Pattern:
    """The pattern of the discrete Laplacian: a row a grid point, row-major.

    A point has a nonzero for itself and for each neighbour; raises as `radius_one`.

    Parameters
    ----------
    shape
        Sides of the grid, in points.
    neighbourhood
        "star" or "box".
    periodic
        Whether sides wrap around.
    """
    degrees, columns = neighbours(shape, radius_one(shape, neighbourhood, periodic), periodic)
    return Pattern(np.concatenate(([0], np.cumsum(degrees))), columns, prod(shape))


def random_square(n: int, density: float, seed: int) -> Pattern:
    """The pattern of an n x n matrix with all of its diagonal and, by chance, more.

    Each entry off the diagonal is nonzero with the probability `density`, independently.

    Parameters
    ----------
    n
        Rows and columns.
    density
        Probability of each entry off the diagonal.
    seed
        Seed of the generator of random numbers.

    Raises
    ------
    InvalidSpecError
        If `density` is no probability, or so much cannot be held.
    """
    require_at_least(1, n=n)
    require_at_least(0, seed=seed)
    if not 0 <= density <= 1:
        raise InvalidSpecError(f"density must be in 0..1, not {density}")
    require_room(n, n)  # before n * n is too large for a float
    require_room(n, n + int(density * n * n))
    drawn = _bernoulli(n * n, density, np.random.default_rng(seed))
    cells = np.union1d(drawn, np.arange(n, dtype=np.int64) * (n + 1))
    indptr = np.searchsorted(cells, np.arange(n + 1, dtype=np.int64) * n)
    return Pattern(indptr.astype(np.int64), cells % n, n)


def _bernoulli(cells: int, density: float, rng: np.random.Generator) -> Int64Array:
    """The cells of 0..cells-1 that independent draws of `density` hit, rising."""
    hit = [np.empty(0, np.int64)]
    last = -1
    while density > 0 and last < cells:
        size = int((cells - last) * density) + 1
        gaps = np.minimum(rng.geometric(density, size), cells + 1)  # so that sums cannot overflow
        hit.append(last + np.cumsum(gaps))
        last = int(hit[-1][-1])
    found = np.concatenate(hit)
    return found[found < cells]
