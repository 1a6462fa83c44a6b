"""Closed forms of loop nests, by the theorems of `window_gains` with windows of one size.

**Three arrays.** With the exponent 1/2 for each of three projections, `hbl` says that A updates
touch 3 (A / c)^(2/3) words or more, where c is 1 but for what follows:

- an array's words count less than 1 each: c^2 = 1 / (p q r) for costs p, q, r;
- rows of a symmetric product come twice from one array, an entry stands for two: c^2 = 2;
- the index u of `convolution` is in one projection alone: c^2 is its range;
- the 6 A permuted updates of `cholesky` touch x places, each two in each of three projections:
  6 A <= (2 x)^(3/2), so that c^2 = 6.

Hence I/O >= 2 K W + K + g with W = [U / ceil(c K^(3/2))] windows of the U updates and the gain g
of `window_gains`, which counts inputs that no update reads as an item, plus outputs that belong to
no item that goes out, minus births. Where each value is computed once:

- `lu`: the n inputs of the first column and all n^2 - n outputs; n(n - 1)/2 quotients and the
  (n - 1)(n - 2)/2 entries of the rows 1, ..., n - 2 of U are born. g = 2n - 1.
- `cholesky`, n >= 3: the 2n - 1 inputs on the diagonal and in the first column, and n(n + 1)/2
  outputs; all n(n - 1)/2 quotients but the last, which no update reads, are born. g = 3n.
- `qr_givens`, two updates for each rotation and column, which hold the same items, so that c^2 = 4:
  the m inputs of the first column and m n outputs; the rotations of all columns but the last and
  what begins a pivot row, (n - 1)(m - 1) together, are born. g = 2m + n - 1.
- `syrk`: the n outputs on the diagonal; chains go out. g = n.
- `triangular_solve`: n inputs on the diagonal, k right sides of the first row and n k outputs; the
  (n - 1) k solutions but for the last row are born. g = n + 2k.
- `attention`: heads of chains and exponentials are born, N^2 each. g = -2 N^2.
- `matmul`, `matvec`, `convolution`: all inputs are items, all outputs go out. g = 0; and computing
  again does not help, for every value has one use (`single_use`).

Where values may be computed again (`dominator_gain`), with g all outputs and the inputs that are
no item: the first entry of `lu` and `qr_givens`, the diagonals of `cholesky` and
`triangular_solve`. There an entry of `lu` is charged 1/3 as an entry and 2/3 as a factor, one of
`qr_givens` 1/3 in a row and 2/3 as a pivot or a rotation, one of a solution 1/2 and 1/2. Scores of
`attention` are chains: N^2 heads are born; values and results come besides. g = 2 N d - N^2.

**Matrix times vector.** A updates touch A entries and 2 sqrt(A) words of the vectors. Windows of
K^2 updates: n m + K W + K.

**Attention with many words** (`certificates.attention`): windows of ceil(K^2 / (4 d^2)) pairs touch
2 K words if K >= 8 d^2 and each value is computed once; ceil(K^2 / d^2) pairs do if K >= 2 d^2.
"""

from collections.abc import Callable
from math import prod

from proofs.closed_forms.form import (
    ClosedForm,
    Params,
    Words,
    compulsory,
    in_cubes,
    in_windows,
)

Number = Callable[[Params], int]


def _cubes(
    updates: Number,
    gain: Number,
    texts: tuple[str, str],
    square: tuple[int, int] | Callable[[Params], tuple[int, int]] = (1, 1),
    *,
    recompute: bool = False,
) -> ClosedForm:
    """Return the form 2 K W + K + g; `texts` say what g and the windows are."""

    def words(p: Params, carry: int) -> int | None:
        cubes = in_cubes(updates(p), square(p) if callable(square) else square, carry)
        return None if cubes is None else cubes + gain(p)

    more, windows = texts
    return ClosedForm(f"2 K W + K{more}, W = [{windows}]", "W >= 1", words, recompute)


def _matvec(p: Params, carry: int) -> int | None:
    """Return n m + K W + K: whole windows leave less than K^2 updates, counted by their entries."""
    entries = p["n"] * p["m"]
    shared = in_windows(entries, carry**2, 2 * carry, carry) if carry > 0 else None
    return None if shared is None else entries + shared


def _many_words(rows: int, recompute: bool) -> Words:
    """Return the form of `attention`, whose A pairs touch min(A, `rows` d sqrt(A)) words."""

    def words(p: Params, carry: int) -> int | None:
        square = (rows * p["width"]) ** 2
        if carry < 1 or 2 * carry < square:
            return None
        found = in_windows(p["tokens"] ** 2, -(-4 * carry**2 // square), 2 * carry, carry)
        return None if found is None else found + (2 * p["tokens"] * p["width"] if recompute else 0)

    return words


def _places(p: Params) -> tuple[int, int]:
    """Return the places of a filter along both sides of an image."""
    rows, columns = ((p[side] - p["kernel"]) // p["stride"] + 1 for side in ("height", "width"))
    return rows, columns


def _links(p: Params) -> int:
    return int(prod(_places(p)) * p["filters"] * p["channels"] * p["kernel"] ** 2)


def _image_and_filters(p: Params) -> int:
    """Return the pixels that some filter sees, the filters, and the results."""
    kernel, stride = p["kernel"], p["stride"]
    seen = (min(kernel, stride) * (places - 1) + kernel for places in _places(p))
    weights = p["filters"] * p["channels"] * kernel**2
    return int(p["channels"] * prod(seen) + weights + p["filters"] * prod(_places(p)))


def _rotated(p: Params) -> int:
    """Return the values that rotations make right of their columns."""
    n, m = int(p["n"]), int(p["m"])
    return n * (n - 1) * (3 * m - n - 1) // 3


def _zero(_: Params) -> int:
    return 0


def _triangle(n: int) -> int:
    return n * (n - 1) // 2


LOOPS: dict[str, tuple[ClosedForm, ...]] = {
    "attention": (
        compulsory("4 N d", lambda p: 4 * p["tokens"] * p["width"]),
        _cubes(
            lambda p: 2 * p["tokens"] ** 2 * p["width"],
            lambda p: -2 * p["tokens"] ** 2,
            (" - 2 N^2", "2 N^2 d / ceil(K^(3/2))"),
        ),
        _cubes(
            lambda p: p["tokens"] ** 2 * p["width"],
            lambda p: 2 * p["tokens"] * p["width"] - p["tokens"] ** 2,
            (" + 2 N d - N^2", "N^2 d / ceil(K^(3/2))"),
            recompute=True,
        ),
        ClosedForm(
            "K W + K, W = [N^2 / ceil(K^2 / (4 d^2))]",
            "K >= 8 d^2, W >= 1",
            _many_words(4, recompute=False),
        ),
        ClosedForm(
            "K W + K + 2 N d, W = [N^2 / ceil(K^2 / d^2)]",
            "K >= 2 d^2, W >= 1",
            _many_words(2, recompute=True),
            recompute=True,
        ),
    ),
    "cholesky": (
        compulsory("n (n + 1)", lambda p: p["n"] * (p["n"] + 1)),
        _cubes(
            lambda p: p["n"] * (p["n"] - 1) * (p["n"] - 2) // 6,
            lambda p: 3 * p["n"],
            (" + 3 n", "n (n - 1)(n - 2) / 6 / ceil(sqrt(2) K^(3/2))"),
            (2, 1),
        ),
        _cubes(
            lambda p: p["n"] * (p["n"] - 1) * (p["n"] - 2) // 6,
            lambda p: p["n"] * (p["n"] + 3) // 2,
            (" + n (n + 3) / 2", "n (n - 1)(n - 2) / 6 / ceil(sqrt(6) K^(3/2))"),
            (6, 1),
            recompute=True,
        ),
    ),
    "convolution": (
        compulsory("pixels seen + weights + results", _image_and_filters),
        _cubes(
            _links,
            _zero,
            ("", "links / ceil(ceil(kernel / stride) K^(3/2))"),
            lambda p: ((-(-p["kernel"] // p["stride"])) ** 2, 1),
            recompute=True,
        ),
    ),
    "lu": (
        compulsory("2 n^2 - n", lambda p: 2 * p["n"] ** 2 - p["n"]),
        _cubes(
            lambda p: p["n"] * (p["n"] - 1) * (2 * p["n"] - 1) // 6,
            lambda p: 2 * p["n"] - 1,
            (" + 2 n - 1", "n (n - 1)(2 n - 1) / 6 / ceil(K^(3/2))"),
        ),
        _cubes(
            lambda p: p["n"] * (p["n"] - 1) * (2 * p["n"] - 1) // 6,
            lambda p: p["n"] ** 2 - p["n"] + 1,
            (" + n^2 - n + 1", "n (n - 1)(2 n - 1) / 6 / ceil(sqrt(27 / 4) K^(3/2))"),
            (27, 4),
            recompute=True,
        ),
    ),
    "matmul": (
        compulsory("m k + k n + m n", lambda p: p["k"] * (p["m"] + p["n"]) + p["m"] * p["n"]),
        _cubes(
            lambda p: p["m"] * p["n"] * p["k"],
            _zero,
            ("", "m n k / ceil(K^(3/2))"),
            recompute=True,
        ),
    ),
    "matvec": (
        compulsory("n m + n + m", lambda p: p["n"] * p["m"] + p["n"] + p["m"]),
        ClosedForm("n m + K W + K, W = [n m / K^2]", "W >= 1", _matvec, recompute=True),
    ),
    "qr_givens": (
        compulsory("2 m n", lambda p: 2 * p["m"] * p["n"]),
        _cubes(
            _rotated,
            lambda p: 2 * p["m"] + p["n"] - 1,
            (" + 2 m + n - 1", "n (n - 1)(3 m - n - 1) / 3 / ceil(2 K^(3/2))"),
            (4, 1),
        ),
        _cubes(
            _rotated,
            lambda p: p["m"] * p["n"] + 1,
            (" + m n + 1", "n (n - 1)(3 m - n - 1) / 3 / ceil(sqrt(27) K^(3/2))"),
            (27, 1),
            recompute=True,
        ),
    ),
    "syrk": (
        compulsory("n k + n (n + 1) / 2", lambda p: p["n"] * p["k"] + _triangle(p["n"]) + p["n"]),
        _cubes(
            lambda p: _triangle(p["n"]) * p["k"],
            lambda p: p["n"],
            (" + n", "n (n - 1) k / 2 / ceil(sqrt(2) K^(3/2))"),
            (2, 1),
            recompute=True,
        ),
    ),
    "triangular_solve": (
        compulsory(
            "n (n + 1) / 2 + 2 n k",
            lambda p: _triangle(p["n"]) + p["n"] + 2 * p["n"] * p["k"],
        ),
        _cubes(
            lambda p: _triangle(p["n"]) * p["k"],
            lambda p: p["n"] + 2 * p["k"],
            (" + n + 2 k", "n (n - 1) k / 2 / ceil(K^(3/2))"),
        ),
        _cubes(
            lambda p: _triangle(p["n"]) * p["k"],
            lambda p: p["n"] * (p["k"] + 1),
            (" + n (k + 1)", "n (n - 1) k / 2 / ceil(2 K^(3/2))"),
            (4, 1),
            recompute=True,
        ),
    ),
}
