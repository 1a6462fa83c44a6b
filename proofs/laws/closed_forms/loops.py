"""Closed forms of loop nests, by the theorems of `window_gains` with windows of one size (C2).

With the exponent 1/2 for each of three projections A updates touch 3 (A / c)^(2/3) words or more, c
by costs, symmetries and ranges, so that I/O >= 2 K W + K + g with W = [U / ceil(c K^(3/2))] windows
of the U updates and the gain g of `window_gains`, which is counted for each family. A matrix times
a vector has windows of K^2 updates, attention with many words of K^2 / (4 d^2) pairs.

The proof is C2 in docs/theory/forms.md.

**Windows of one size.** Cut a play into windows of A updates each, the last with the rest besides.
If a window of A updates or more touches at least t words, and each window but the first finds at
most K of them in fast memory, then W = floor(U / A) >= 1 windows of U updates move t W - K (W - 1)
words or more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt, prod

from dags.families.common.dirac_numbers import LINK, SPINOR
from dags.families.dirac_steps import links_of
from proofs.lemmas.families.dirac import spinor_words
from proofs.lemmas.isoperimetry.mesh_words import Params, in_windows

Words = Callable[[Params, int], int | None]  # for parameters and K; None out of its range
Number = Callable[[Params], int]


@dataclass(frozen=True)
class ClosedForm:
    """A lower bound on the I/O of a family, in words, as a formula in its parameters.

    Parameters
    ----------
    formula
        For a reader, in the generator's parameters; K is the words that can be red just before a
        word is computed: M - 1, or M where results slide onto operands. [x] is x rounded down.
    holds
        For which parameters and K, in words; "always" for all.
    words
        The formula, exact: words for parameters and K, or None where it does not hold.
    recompute
        Whether it holds too where values may be computed again.
    theorem
        The number of its proof in docs/theory.
    """

    formula: str
    holds: str
    words: Words
    recompute: bool = False
    theorem: str = "C2"


def compulsory(formula: str, words: Callable[[Params], int]) -> ClosedForm:
    """The form that counts inputs that are read, and outputs."""
    return ClosedForm(
        formula, "always", lambda p, _: words(p), recompute=True, theorem="compulsory"
    )


def in_cubes(updates: int, square: tuple[int, int], carry: int) -> int | None:
    """Return 2 K W + K, if A updates touch 3 (A / c)^(2/3) words or more; `square` is c^2.

    It is a numerator and a denominator. Windows of c K^(3/2) updates, rounded up, touch 3 K words.

    Parameters
    ----------
    updates
        How many there are.
    square
        c^2, as a numerator and a denominator.
    carry
        Words that each window but the first may find in fast memory.
    """
    if carry < 1:
        return None
    numerator, denominator = square
    least = -(-numerator * carry**3 // denominator)
    return in_windows(updates, isqrt(least - 1) + 1, 3 * carry, carry)


def _cubes(
    updates: Number,
    gain: Number,
    texts: tuple[str, str],
    square: tuple[int, int] | Callable[[Params], tuple[int, int]] = (1, 1),
    *,
    recompute: bool = False,
) -> ClosedForm:
    """The form 2 K W + K + g; `texts` name g and the windows."""

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
    """The form of `attention`, whose A pairs touch min(A, `rows` d sqrt(A)) words."""

    def words(p: Params, carry: int) -> int | None:
        square = (rows * p["width"]) ** 2
        if carry < 1 or 2 * carry < square:
            return None
        found = in_windows(p["tokens"] ** 2, -(-4 * carry**2 // square), 2 * carry, carry)
        return None if found is None else found + (2 * p["tokens"] * p["width"] if recompute else 0)

    return words


def _places(p: Params) -> tuple[int, int]:
    """The places of a filter along both sides of an image."""
    rows, columns = ((p[side] - p["kernel"]) // p["stride"] + 1 for side in ("height", "width"))
    return rows, columns


def _links(p: Params) -> int:
    return int(prod(_places(p)) * p["filters"] * p["channels"] * p["kernel"] ** 2)


def _image_and_filters(p: Params) -> int:
    """The pixels that some filter sees, the filters, and the results."""
    kernel, stride = p["kernel"], p["stride"]
    seen = (min(kernel, stride) * (places - 1) + kernel for places in _places(p))
    weights = p["filters"] * p["channels"] * kernel**2
    return int(p["channels"] * prod(seen) + weights + p["filters"] * prod(_places(p)))


def _rotated(p: Params) -> int:
    """The values that rotations make right of their columns."""
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


def _compulsory(p: Params) -> int:
    return 2 * SPINOR * prod(p["shape"]) + LINK * links_of(p["shape"], p["periodic"])


LATTICES: dict[str, tuple[ClosedForm, ...]] = {
    "dirac_steps": (
        compulsory("48 N + 18 L", _compulsory),
        ClosedForm(
            "X W - 2 K (W - 1) - borders, X = 2 m K, m = d + 1, W = [N T / A], A the least whole "
            "number above X / (48 m w) (X / (m (l + 48 j)))^(1/d) + X / (64 d), "
            "w = ((d + 1) / d!)^(1/d), j = (4 - 2^(1-d)) / (2 m), "
            "l = 18 (sum over axes of 1 - 1 / side)",
            "2-D to 4-D, W >= 1",
            spinor_words,
            theorem="F4",
        ),
    ),
}
