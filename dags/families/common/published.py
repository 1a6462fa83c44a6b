"""Published facts of families for large sizes: laws of their I/O, and leading terms.

A `Law` tells how the operations per word of I/O grow with the fast memory. A `Trend` has no
additive terms and no certificate: a curve is compared with it, never a bound.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log2
from typing import Any, Literal

from dags.cdag.value import CDAG
from dags.errors import RedBlueError

Kind = Literal["power", "logarithmic", "constant"]
Params = Mapping[str, Any]
Words = Callable[[Params, int], float]
DERIVED = "derived"  # the limit of a bound or of a schedule of this project
TILES = "derived, for large tiles"
SYMMETRIC = "O. Beaumont, L. Eyraud-Dubois, M. Verite and J. Langou, 2022"


class InvalidLawError(RedBlueError, ValueError):
    """A law or a question to it that makes no sense."""


@dataclass(frozen=True)
class Law:
    """Law of the operations that a computation does for each word that it moves.

    With M words of fast memory the ratio is c M^p, c log2(M) or c.

    Parameters
    ----------
    kind
        "power", "logarithmic" or "constant".
    exponent
        p of a power law, positive; 0 for the others.
    coefficient
        c, in operations per word.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.

    Examples
    --------
    >>> Law("power", 0.5).rebalance(2, memory=1024)
    4096.0
    >>> Law("logarithmic").rebalance(2, memory=1024)
    1048576.0
    >>> Law("constant").rebalance(2, memory=1024)
    inf
    """

    kind: Kind
    exponent: float = 0.0
    coefficient: float = 1.0

    def __post_init__(self) -> None:
        if (self.kind == "power") != (0 < self.exponent < inf):
            raise InvalidLawError(f"a {self.kind} law with exponent {self.exponent}")
        if not 0 < self.coefficient < inf:
            raise InvalidLawError(f"the coefficient must be positive, not {self.coefficient}")

    @property
    def name(self) -> str:
        """The law in writing: "M^(1/2)", "log M", "constant"."""
        if self.kind == "constant":
            return "constant"
        if self.kind == "logarithmic":
            return "log M"
        if self.exponent == 1:
            return "M"
        if self.exponent == log2(7) / 2 - 1:
            return "M^(log2(7)/2 - 1)"
        near = Fraction(self.exponent).limit_denominator(8)
        exact = abs(near - Fraction(self.exponent)) < Fraction(1, 10**9)
        return f"M^({near})" if exact else f"M^{self.exponent:.3f}"

    def ratio(self, memory: float) -> float:
        """Operations per word of I/O with `memory` words of fast memory."""
        _require_positive("memory", memory)
        if self.kind == "power":
            return float(self.coefficient * memory**self.exponent)
        return self.coefficient * (log2(memory) if self.kind == "logarithmic" else 1.0)

    def rebalance(self, alpha: float, memory: float) -> float:
        """The memory that balances again after C / IO grew by the factor `alpha`.

        alpha^(1/p) M for a power law, M^alpha for a logarithmic one, infinity for a constant:
        no memory helps a computation that is bound by I/O.

        Raises
        ------
        InvalidLawError
            If `alpha` or `memory` is not positive.
        """
        _require_positive("alpha", alpha)
        _require_positive("memory", memory)
        try:
            if self.kind == "power":
                return float(memory * alpha ** (1 / self.exponent))
            if self.kind == "logarithmic":
                return float(memory**alpha)
        except OverflowError:
            return inf
        return float(memory) if alpha <= 1 else inf


def _require_positive(name: str, value: float) -> None:
    if not 0 < value < inf:
        raise InvalidLawError(f"{name} must be positive and finite, not {value}")


SQUARE_ROOT = Law("power", 0.5)
LOGARITHM = Law("logarithmic")
CONSTANT = Law("constant")


def by_dimension(axes: Callable[[Params], int]) -> Callable[[Params], Law]:
    """The function of parameters to the law M^(1/d), d = `axes` of them."""
    return lambda params: Law("power", 1 / axes(params)) if axes(params) else CONSTANT


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
        """The words for a DAG that a generator made."""
        return self.words(dag.as_generated.params, memory)


def both(formula: str, words: Words, source: str, recompute: bool = False) -> tuple[Trend, Trend]:
    """The trends of a family of which some play moves no more than every play has to."""
    lower = Trend("lower", formula, words, source, recompute)
    return lower, Trend("upper", formula, words, source, recompute)


def bits(p: Params, memory: int) -> float:
    """Return log2(n) / log2(M)."""
    return log2(p["n"]) / log2(memory) if memory > 1 else inf


def tiles(memory: int, volume: float, space: int) -> float:
    """Words a point of space + 1 dimensions, in tiles that are dilated bodies of `volume`.

    The body is K - K, for the hull K of a point and all that it reads; its tiles have the least
    surface, and such words as stated if they can be played one after another.
    """
    return space * float((volume / (2 * memory)) ** (1 / space))
