"""Laws: how the operations per word of I/O grow with the fast memory."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log2
from typing import Any, Literal

from dags import CDAG, RedBlueError

Kind = Literal["power", "logarithmic", "constant"]


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
        """Return operations per word of I/O with `memory` words of fast memory."""
        _require_positive("memory", memory)
        if self.kind == "power":
            return float(self.coefficient * memory**self.exponent)
        return self.coefficient * (log2(memory) if self.kind == "logarithmic" else 1.0)

    def rebalance(self, alpha: float, memory: float) -> float:
        """Return the memory that balances again after C / IO grew by the factor `alpha`.

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


def _by_dimension(axes: Callable[[Mapping[str, Any]], int]) -> Callable[[Mapping[str, Any]], Law]:
    """Return the function of parameters to the law M^(1/d), d = `axes` of them."""

    def law(params: Mapping[str, Any]) -> Law:
        dimensions = axes(params)
        return Law("power", 1 / dimensions) if dimensions else CONSTANT

    return law


def _solve(params: Mapping[str, Any]) -> Law | None:
    """Return the law of a triangular solve: with many right-hand sides, that of a product."""
    if params["k"] == 1:
        return CONSTANT
    return SQUARE_ROOT if params["k"] >= params["n"] else None


def _strassen(params: Mapping[str, Any]) -> Law | None:
    """Return the law of a product by quadrants down to single entries; None for larger ones.

    n^w / M^(w/2 - 1) words are moved, w = log2(7): G. Ballard, J. Demmel, O. Holtz and O. Schwartz,
    Graph expansion and communication costs of fast matrix multiplication, 2012, theorem 1.1; by
    quadrants until three of them fit, as many are enough.
    """
    whole = params["n"] >> params["levels"] == 1
    return Law("power", log2(7) / 2 - 1) if whole and params["n"] > 1 else None


PUBLISHED_LAWS: dict[str, Law | Callable[[Mapping[str, Any]], Law | None]] = {
    "bitonic_sort": LOGARITHM,
    "cholesky": SQUARE_ROOT,
    "dirac_steps": _by_dimension(lambda params: len(params["shape"])),
    "fft": LOGARITHM,
    "grid": _by_dimension(lambda params: len(params["shape"]) - 1),
    "lu": SQUARE_ROOT,
    "matmul": SQUARE_ROOT,
    "matvec": CONSTANT,
    "merge_sort": LOGARITHM,
    "odd_even_merge_sort": LOGARITHM,
    "odd_even_transposition_sort": Law("power", 1.0),
    "pyramid": Law("power", 1.0),
    "qr_givens": SQUARE_ROOT,
    "spmv": CONSTANT,
    "stencil": _by_dimension(lambda params: len(params["shape"])),
    "strassen": _strassen,
    "sweep": CONSTANT,
    "syrk": SQUARE_ROOT,
    "triangular_solve": _solve,
}


def published_law(dag: CDAG) -> Law | None:
    """Return the law that the literature states for the family of `dag`, for large sizes.

    None where it states none or the DAG has no family, and for a triangular solve with a few
    right-hand sides, which is neither large in that nor alone.

    Source
    ------
    Kung, 1986, sections 3.1 to 3.6; the others follow from these DAGs in the same way:
    transposition sort is a grid of two dimensions, a sparse product reads each entry once, the
    steps of the Dirac operator are those of a relaxation.

    Examples
    --------
    >>> from dags import stencil
    >>> published_law(stencil((8, 8), 4)).name
    'M^(1/2)'
    """
    known = dag.as_generated
    return law_of(known.family or "", known.params)


def law_of(family: str, params: Mapping[str, Any]) -> Law | None:
    """Return the published law of a family's members, as `published_law` does.

    Parameters
    ----------
    family, params
        A generator's name, and all of its parameters.
    """
    law = PUBLISHED_LAWS.get(family)
    return law(params) if callable(law) else law
