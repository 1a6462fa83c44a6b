"""Leading terms: published or expected for large problems, and no proofs here.

A `Trend` has no additive terms and no certificate: a curve is compared with it, never a `Bound`.
`TRENDS` lists them by the family of the generator, in the parameters of the DAG.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb, factorial, inf, log2, prod, sqrt
from typing import Any, Literal

from dags import CDAG

Params = Mapping[str, Any]
Words = Callable[[Params, int], float]


@dataclass(frozen=True)
class Trend:
    """The leading term of the words that a family moves.

    Parameters
    ----------
    kind
        "lower": no play does better in the leading term; "upper": some play does as well.
    formula
        For a reader, in the generator's parameters and the memory M.
    words
        The formula: words, for parameters and a memory.
    source
        Who states it; "derived" where it is the limit of a bound or a schedule of this project.
    recompute
        Whether a lower one also holds where values may be computed again.
    """

    kind: Literal["lower", "upper"]
    formula: str
    words: Words
    source: str
    recompute: bool = False

    def of(self, dag: CDAG, memory: int) -> float:
        """Return the words for a DAG that a generator made."""
        return self.words(dag.as_generated.params, memory)


def _convolution(p: Params, memory: int) -> float:
    places = prod((p[side] - p["kernel"]) // p["stride"] + 1 for side in ("height", "width"))
    links = places * p["filters"] * p["channels"] * p["kernel"] ** 2
    return float(2 * links * p["stride"] / (p["kernel"] * sqrt(memory)))


def _solve(p: Params, memory: int) -> float:
    return float(p["n"] ** 2 * max((1 + 1 / memory) / 2, p["k"] / sqrt(memory)))


def _bits(p: Params, memory: int) -> float:
    """Return log2(n) / log2(M)."""
    return log2(p["n"]) / log2(memory) if memory > 1 else inf


def _tiles(memory: int, volume: float, space: int) -> float:
    """Return words a point of space + 1 dimensions, in tiles that are dilated bodies of `volume`.

    The body is K - K, for the hull K of a point and all that it reads; its tiles have the least
    surface, and such words as stated if they can be played one after another.
    """
    return space * float((volume / (2 * memory)) ** (1 / space))


def _stencil(p: Params, memory: int) -> float:
    """K is a cone of height 1 over a cross-polytope or a cube."""
    d = len(p["shape"])
    base = 2**d / factorial(d) if p["neighbourhood"] == "star" else 2**d
    volume = 2 * base * (2 ** (d + 1) - 1) / (d + 1)
    return float(prod(p["shape"]) * p["steps"] * _tiles(memory, volume, d))


def _grid(p: Params, memory: int) -> float:
    """K is a simplex."""
    d = len(p["shape"])
    if d == 1:
        return 2.0
    return float(prod(p["shape"]) * _tiles(memory, comb(2 * d, d) / factorial(d), d - 1))


DERIVED = "derived"
HONG_KUNG = "J.-W. Hong and H. T. Kung, 1981"
SYMMETRIC = "O. Beaumont, L. Eyraud-Dubois, M. Verite and J. Langou, 2022"
SAVAGE = "J. E. Savage, Models of Computation, 1998, theorem 11.5.4"
TILES = "derived, for large tiles"

TRENDS: dict[str, tuple[Trend, ...]] = {
    "attention": (
        Trend(
            "lower",
            "4 N^2 d^2 / M, M >= 8 d^2",
            lambda p, memory: 4 * (p["tokens"] * p["width"]) ** 2 / memory,
            DERIVED,
        ),
        Trend(
            "upper",
            "8 N^2 d^2 / M",
            lambda p, memory: 8 * (p["tokens"] * p["width"]) ** 2 / memory,
            "T. Dao et al., FlashAttention, 2022; constant derived",
        ),
    ),
    "bitonic_sort": tuple(
        Trend(
            kind,
            "n log2(n)^2 / log2(M)",
            lambda p, memory: p["n"] * log2(p["n"]) * _bits(p, memory),
            DERIVED,
        )
        for kind in ("lower", "upper")
    ),
    "cholesky": tuple(
        Trend(
            kind,
            "n^3 / (3 sqrt(2 M))",
            lambda p, memory: p["n"] ** 3 / (3 * sqrt(2 * memory)),
            SYMMETRIC,
        )
        for kind in ("lower", "upper")
    ),
    "convolution": (
        Trend(
            "lower",
            "2 links / sqrt((kernel / stride)^2 M)",
            _convolution,
            "X. Chen, Y. Han and Y. Wang, 2020",
            recompute=True,
        ),
    ),
    "dirac": (
        Trend(
            "lower",
            "(120 + 36 (6 / M)^(1/3) + 288 / k) n",
            lambda p, memory: (
                p["k"] ** 3 * p["n4"] * (120 + 36 * (6 / memory) ** (1 / 3) + 288 / p["k"])
            ),
            DERIVED + ", for n >> M",
            recompute=True,
        ),
    ),
    "fft": (
        Trend(
            "lower",
            "2 n log2(n) / log2(M)",
            lambda p, memory: 2 * p["n"] * _bits(p, memory),
            DERIVED,
        ),
        Trend(
            "lower",
            "n log2(n) / log2(M)",
            lambda p, memory: p["n"] * _bits(p, memory),
            DERIVED + "; half as much: " + HONG_KUNG,
            recompute=True,
        ),
        Trend(
            "upper",
            "2 n log2(n) / log2(M)",
            lambda p, memory: 2 * p["n"] * _bits(p, memory),
            SAVAGE,
        ),
    ),
    "grid": (Trend("lower", "(d - 1) N (C(2d,d) / (2 d! M))^(1/(d-1))", _grid, TILES),),
    "lu": tuple(
        Trend(
            kind,
            "2 n^3 / (3 sqrt(M))",
            lambda p, memory: 2 * p["n"] ** 3 / (3 * sqrt(memory)),
            DERIVED + "; G. Kwasniewski et al., 2021",
        )
        for kind in ("lower", "upper")
    ),
    "matmul": (
        Trend(
            "lower",
            "2 m n k / sqrt(M)",
            lambda p, memory: 2 * p["m"] * p["n"] * p["k"] / sqrt(memory),
            "T. M. Smith, B. Lowery, J. Langou and R. A. van de Geijn, 2017",
            recompute=True,
        ),
        Trend(
            "upper",
            "2 m n k / (sqrt(M + 1) - 1) + m n",
            lambda p, memory: (
                2 * p["m"] * p["n"] * p["k"] / (sqrt(memory + 1) - 1) + p["m"] * p["n"]
            ),
            "G. Kwasniewski et al., 2019",
        ),
    ),
    "matvec": tuple(
        Trend(
            kind,
            "n m (1 + 1/M)",
            lambda p, memory: p["n"] * p["m"] * (1 + 1 / memory),
            DERIVED,
            recompute=True,
        )
        for kind in ("lower", "upper")
    ),
    "qr_givens": (
        Trend(
            "lower",
            "n^2 (m - n/3) / sqrt(M)",
            lambda p, memory: p["n"] ** 2 * (p["m"] - p["n"] / 3) / sqrt(memory),
            DERIVED,
        ),
    ),
    "stencil": (
        Trend("lower", "d N T (V / (2 M))^(1/d)", _stencil, TILES),
        Trend(
            "upper",
            "4 d N T / M^(1/d)",
            lambda p, memory: (
                4
                * len(p["shape"])
                * prod(p["shape"])
                * p["steps"]
                / memory ** (1 / len(p["shape"]))
            ),
            DERIVED,
        ),
    ),
    "syrk": tuple(
        Trend(
            kind,
            "n^2 k / sqrt(2 M)",
            lambda p, memory: p["n"] ** 2 * p["k"] / sqrt(2 * memory),
            SYMMETRIC,
            recompute=True,
        )
        for kind in ("lower", "upper")
    ),
    "triangular_solve": tuple(
        Trend(kind, "n^2 max((1 + 1/M)/2, k / sqrt(M))", _solve, DERIVED)
        for kind in ("lower", "upper")
    ),
}
