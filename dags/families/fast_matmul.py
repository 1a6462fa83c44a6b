"""Fast matrix multiplication."""

from math import isqrt, log2

import numpy as np

from dags.arrays import Int32Array, lock
from dags.cdag.border import require_at_least, require_room
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.families.common.family import Family, Sizes
from dags.families.common.published import Law, Params

# The seven products: quadrants 11, 12, 21, 22 (0..3) of A and of B that are added up.
LEFT = ((0, 3), (2, 3), (0,), (3,), (0, 1), (2, 0), (1, 3))
RIGHT = ((0, 3), (0,), (1, 3), (2, 0), (3,), (0, 1), (2, 3))
# The quadrants of C: products (0..6) that are added up, in order.
RESULT = ((0, 3, 4, 6), (2, 4), (1, 3), (0, 2, 1, 5))
SUMS_BEFORE = sum(len(terms) - 1 for terms in LEFT + RIGHT)
SUMS = SUMS_BEFORE + sum(len(terms) - 1 for terms in RESULT)


def strassen(n: int, levels: int | None = None) -> CDAG:
    """Strassen's product of two n x n matrices: 7 half-size products and 18 additions.

    With A11, ... the quadrants,

    - M1 = (A11 + A22)(B11 + B22), M2 = (A21 + A22) B11, M3 = A11 (B12 - B22),
      M4 = A22 (B21 - B11), M5 = (A11 + A12) B22, M6 = (A21 - A11)(B11 + B12),
      M7 = (A12 - A22)(B21 + B22);
    - C11 = M1 + M4 - M5 + M7, C12 = M3 + M5, C21 = M2 + M4, C22 = M1 + M3 - M2 + M6.

    Parameters
    ----------
    n
        Rows and columns.
    levels
        Depth of the recursion, 2^levels a divisor of n; as deep as n can be halved where not
        given. Below it matrices are multiplied as `matmul` does in "multiply-add" form.

    Notes
    -----
    Numbering: a(i,j) is i*n + j, b(i,j) is n^2 + i*n + j. A product of two s x s matrices takes
    T(s) = 7 T(s/2) + 18 (s/2)^2 consecutive vertices: for each of M1..M7 the sum of quadrants
    of A, if it has one, row by row, that of B, and the half-size product; then C11, C12, C21 and
    C22, each row by row, an entry as a chain of additions from left to right. At the bottom, a
    product of b x b matrices is T(b) = b^2 (2b - 1) vertices, entry after entry. Each is of two
    operands and one operation.

    Source
    ------
    V. Strassen, Gaussian elimination is not optimal, Numer. Math. 13, 1969, section 2, fact 1:
    m^3 7^k multiplications and (5 + m) m^2 7^k - 6 (m 2^k)^2 additions for matrices of m 2^k.

    Examples
    --------
    >>> strassen(2)
    <strassen(n=2, levels=1): 33 vertices, 50 edges>
    >>> strassen(6).params["levels"]
    1
    """
    params, size = strassen_sizes(n, levels)
    require_room(size.vertices, size.edges)
    inputs, levels = size.inputs, int(params["levels"])
    indices = np.empty(size.edges, np.int32)
    numbers = np.arange(inputs, dtype=np.int32).reshape(2, 1, n, n)
    first = np.array([inputs], np.int32)
    _multiply(_Pairs(indices, inputs), numbers[0], numbers[1], first, levels)
    indptr = np.zeros(size.vertices + 1, np.int64)
    indptr[inputs:] = 2 * np.arange(size.computed + 1)
    return CDAG(lock(indptr), lock(indices), work=1, family="strassen", params=params)


def strassen_sizes(n: int, levels: int | None) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, n=n)
    halvings = (n & -n).bit_length() - 1
    levels = halvings if levels is None else levels
    require_at_least(0, levels=levels)
    if levels > halvings:
        raise InvalidSpecError(
            f"levels must be at most {halvings}, the times that n can be halved, not {levels}"
        )
    bottom, inputs = n >> levels, 2 * n * n
    computed = bottom**2 * ((2 * bottom + 5) * 7**levels - 6 * 4**levels)
    sizes = Sizes(inputs + computed, 2 * computed, inputs, n * n, computed, 2)
    return {"n": n, "levels": levels}, sizes


class _Pairs:
    """The operands of a DAG in which every computed vertex has two."""

    def __init__(self, indices: Int32Array, inputs: int) -> None:
        self.rows = indices.reshape(-1, 2)
        self.inputs = inputs

    def put(self, vertices: Int32Array, u: Int32Array, w: Int32Array) -> None:
        """Let each of `vertices` be computed from the values at its place in u and w."""
        self.rows[vertices - self.inputs, 0] = np.minimum(u, w)
        self.rows[vertices - self.inputs, 1] = np.maximum(u, w)


def _multiply(
    pairs: _Pairs, a: Int32Array, b: Int32Array, first: Int32Array, levels: int
) -> Int32Array:
    """Write `p` products at once, and return the numbers of their results, (p, s, s).

    a and b are (p, s, s) numbers of the factors, first (p,) of each product's first vertex.
    """
    if levels == 0:
        return _multiply_classically(pairs, a, b, first)
    half = a.shape[1] // 2
    size = _size(half, levels - 1)
    factors: tuple[list[Int32Array], list[Int32Array]] = ([], [])
    starts = []
    cursor = first
    for of_both in zip(LEFT, RIGHT, strict=True):
        for matrix, quadrants, matrix_factors in zip((a, b), of_both, factors, strict=True):
            matrix_factors.append(_add_up(pairs, cursor, [_quadrant(matrix, q) for q in quadrants]))
            cursor = cursor + (len(quadrants) - 1) * half**2
        starts.append(cursor)
        cursor = cursor + size
    left, right = (np.concatenate(pair) for pair in factors)
    products = _multiply(pairs, left, right, np.concatenate(starts), levels - 1)
    products = products.reshape(7, -1, half, half)
    result = np.empty_like(a)
    for quadrant, terms in enumerate(RESULT):
        _quadrant(result, quadrant)[:] = _add_up(pairs, cursor, [products[t] for t in terms])
        cursor = cursor + (len(terms) - 1) * half**2
    return result


def _size(side: int, levels: int) -> int:
    """How many vertices a product of two side x side matrices takes."""
    if levels == 0:
        return side**2 * (2 * side - 1)
    return 7 * _size(side // 2, levels - 1) + SUMS * (side // 2) ** 2


def _quadrant(matrices: Int32Array, quadrant: int) -> Int32Array:
    """A view of one quadrant of each of (p, s, s) matrices."""
    half = matrices.shape[1] // 2
    i, j = divmod(quadrant, 2)
    return matrices[:, i * half : (i + 1) * half, j * half : (j + 1) * half]


def _add_up(pairs: _Pairs, first: Int32Array, terms: list[Int32Array]) -> Int32Array:
    """Write the sums of (p, s, s) terms, entry by entry from `first` on; return their numbers."""
    total, side, additions = terms[0], terms[0].shape[1], len(terms) - 1
    entry = first[:, None, None] + additions * _row_major(side)
    for number, term in enumerate(terms[1:]):
        pairs.put(entry + number, total, term)
        total = entry + number
    return total


def _multiply_classically(
    pairs: _Pairs, a: Int32Array, b: Int32Array, first: Int32Array
) -> Int32Array:
    """Write `p` products as `matmul` in multiply-add form; return their results, (p, s, s)."""
    side = a.shape[1]
    entry = first[:, None, None] + (2 * side - 1) * _row_major(side)
    total: Int32Array = entry
    for k in range(side):
        product = entry + max(2 * k - 1, 0)
        pairs.put(product, a[:, :, k, None], b[:, None, k, :])
        if k:
            pairs.put(product + 1, total, product)
            total = product + 1
    return total


def _row_major(side: int) -> Int32Array:
    return np.arange(side**2, dtype=np.int32).reshape(side, side)


def _law(params: Params) -> Law | None:
    """The law of a product by quadrants down to single entries; None for larger ones.

    n^w / M^(w/2 - 1) words are moved, w = log2(7): G. Ballard, J. Demmel, O. Holtz and O. Schwartz,
    Graph expansion and communication costs of fast matrix multiplication, 2012, theorem 1.1; by
    quadrants until three of them fit, as many are enough.
    """
    is_whole = params["n"] >> params["levels"] == 1
    return Law("power", log2(7) / 2 - 1) if is_whole and params["n"] > 1 else None


STRASSEN_FROM = {
    "n": lambda facts, arguments: (isqrt(facts.inputs // 2),),
    "levels": lambda facts, arguments: range(arguments["n"].bit_length() - 1, -1, -1),
}
FAMILIES = {"strassen": Family(strassen, "n=8", "n=2", strassen_sizes, STRASSEN_FROM, law=_law)}
