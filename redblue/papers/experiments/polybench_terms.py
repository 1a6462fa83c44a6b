"""Published lower bounds of the PolyBench kernels: leading terms of two tools, and their faults.

Source
------
- IOLB: A. Olivry, J. Langou, L.-N. Pouchet, P. Sadayappan and F. Rastello, Automated derivation of
  parametric data movement lower bounds for affine programs, PLDI 2020. Loads alone, one vertex an
  executed statement, no value computed twice. The terms are those that SOAP's authors quote.
- SOAP: G. Kwasniewski et al., Pebbles, graphs, and a pinch of combinatorics: towards tight I/O
  lower bounds for statically analyzable programs, SPAA 2021, and the results beside its code.
- O. Beaumont, L. Eyraud-Dubois, M. Verite and J. Langou, I/O-optimal algorithms for symmetric
  linear algebra kernels, SPAA 2022: what syrk and Cholesky factorization move, and no less.
- H. Al Daas et al., Communication lower bounds and algorithms for symmetric matrix computations,
  arXiv 2409.11304: the same for syr2k and symm.
"""

import re
from typing import Final, Literal, NamedTuple

Standing = Literal["holds", "false", "disputed", "unproved"]
NAMES = re.compile(r"(?<![A-Za-z\\{])([A-Z]{2,})(?![A-Za-z])")
ROOT = re.compile(r"sqrt\(([^()]*)\)")
POWER = re.compile(r"\^\(([^()]*)\)|\^(\d+)")
FACTORS = re.compile(r"(\d)\\,(?=\d)")
BETWEEN = re.compile(r"(?<=[\w})]) (?=[\w({\\])")


class Term(NamedTuple):
    """A leading term that is published, and what is known of it.

    "false": more than what is known to be attained; "disputed": sources differ, and what is
    attained is not known to us; "unproved": more than what is proved here, not refuted.
    """

    text: str  # S words of fast memory, T for the steps
    factor: float  # coefficient where all sizes are n
    standing: Standing = "holds"


class Published(NamedTuple):
    """Published terms of a kernel; None where there is none."""

    degree: int  # of the leading term in the sizes
    power: str  # of S
    iolb: Term
    soap: Term | None
    tight: float | None = None  # coefficient that is attained where all sizes are n
    remark: str = ""  # what a reader must know before comparing


HALF: Final = 2**-0.5
ROWS: Final = "takes two rows of one array for two arrays"
SWEEPS: Final = "two sweeps a step: half as much a sweep"


def _both(text: str, factor: float) -> tuple[Term, Term]:
    """Return a term that both tools have."""
    return Term(text, factor), Term(text, factor)


PUBLISHED: Final[dict[str, Published]] = {
    "2mm": Published(3, "-1/2", *_both("2 NI NJ (NK + NL) / sqrt(S)", 4.0), 4.0),
    "3mm": Published(3, "-1/2", *_both("2 NJ (NI NK + NI NL + NL NM) / sqrt(S)", 6.0), 6.0,
        "IOLB's sizes are printed otherwise; at equal sizes all agree"),
    "adi": Published(3, "0", Term("N^2 T", 1.0), None, None,
        "SOAP leaves it out; p is made of constants alone"),
    "atax": Published(2, "0", *_both("M N", 1.0)),
    "bicg": Published(2, "0", *_both("M N", 1.0)),
    "cholesky": Published(3, "-1/2", Term("N^3 / (6 sqrt(S))", 1 / 6),
        Term("N^3 / (3 sqrt(S))", 1 / 3, "false"), HALF / 3,
        f"N^3 / (3 sqrt(2) sqrt(S)) is attained (Beaumont et al.): SOAP {ROWS}"),
    "correlation": Published(3, "-1/2", Term("M^2 N / (2 sqrt(S))", 0.5),
        Term("M^2 N / sqrt(S)", 1.0, "false"), HALF, f"as syrk: SOAP {ROWS}"),
    "covariance": Published(3, "-1/2", Term("M^2 N / (2 sqrt(S))", 0.5),
        Term("M^2 N / sqrt(S)", 1.0, "false"), HALF, f"as syrk: SOAP {ROWS}"),
    "deriche": Published(2, "0", Term("H W", 1.0), Term("3 H W", 3.0, "unproved"), None,
        "2 H W words are compulsory: the image is read, the result written"),
    "doitgen": Published(4, "-1/2", *_both("2 NP^2 NQ NR / sqrt(S)", 2.0), 2.0),
    "durbin": Published(2, "0", Term("N^2 / 2", 0.5), Term("3 N^2 / 2", 1.5, "unproved"), None,
        "for S far below N"),
    "fdtd-2d": Published(3, "-1/2", Term("NX NY T / (2 sqrt(2) sqrt(S))", 2**-1.5),
        Term("2 sqrt(3) NX NY T / sqrt(S)", 2 * 3**0.5, "unproved")),
    "floyd-warshall": Published(3, "-1/2", Term("N^3 / sqrt(S)", 1.0), Term("2 N^3 / sqrt(S)", 2.0),
        None, "the larger one is proved here, for plays that compute each value once"),
    "gemm": Published(3, "-1/2", *_both("2 NI NJ NK / sqrt(S)", 2.0), 2.0),
    "gemver": Published(2, "0", *_both("N^2", 1.0)),
    "gesummv": Published(2, "0", *_both("2 N^2", 2.0)),
    "gramschmidt": Published(3, "-1/2", *_both("M N^2 / sqrt(S)", 1.0), None,
        "where S is far below M, bounds for QR by whole columns are larger by more than a factor "
        "(L. Eyraud-Dubois et al., arXiv 2404.16443)"),
    "heat-3d": Published(4, "-1/3", Term("9 3^(1/3) N^3 T / (16 S^(1/3))", 9 * 3 ** (1 / 3) / 16),
        Term("6 N^3 T / S^(1/3)", 6.0), None, SWEEPS),
    "jacobi-1d": Published(2, "-1", Term("N T / (4 S)", 0.25), Term("2 N T / S", 2.0), None,
        SWEEPS),
    "jacobi-2d": Published(3, "-1/2", Term("2 N^2 T / (3 sqrt(3) sqrt(S))", 2 / (3 * 3**0.5)),
        Term("4 N^2 T / sqrt(S)", 4.0), None, SWEEPS),
    "lu": Published(3, "-1/2", *_both("2 N^3 / (3 sqrt(S))", 2 / 3), 2 / 3),
    "ludcmp": Published(3, "-1/2", *_both("2 N^3 / (3 sqrt(S))", 2 / 3), 2 / 3),
    "mvt": Published(2, "0", *_both("N^2", 1.0)),
    "nussinov": Published(3, "-1/2", Term("N^3 / (6 sqrt(S))", 1 / 6),
        Term("N^3 / (3 sqrt(S))", 1 / 3, "unproved")),
    "seidel-2d": Published(3, "-1/2", Term("2 N^2 T / (3 sqrt(3) sqrt(S))", 2 / (3 * 3**0.5)),
        Term("4 N^2 T / sqrt(S)", 4.0)),
    "symm": Published(3, "-1/2", Term("2 M^2 N / sqrt(S)", 2.0, "disputed"),
        Term("sqrt(2) M^2 N / sqrt(S)", 2**0.5), None,
        "SOAP's code has sqrt(2), with 2 in a remark: both updates of a pair share an entry of A"),
    "syr2k": Published(3, "-1/2", Term("M N^2 / sqrt(S)", 1.0),
        Term("2 M N^2 / sqrt(S)", 2.0, "false"), 2**0.5,
        "sqrt(2) M N^2 / sqrt(S) is attained (Al Daas et al., known to us by the abstract)"),
    "syrk": Published(3, "-1/2", Term("M N^2 / (2 sqrt(S))", 0.5),
        Term("M N^2 / sqrt(S)", 1.0, "false"), HALF,
        f"M N^2 / (sqrt(2) sqrt(S)) is attained (Beaumont et al.): SOAP {ROWS}"),
    "trisolv": Published(2, "0", *_both("N^2 / 2", 0.5)),
    "trmm": Published(3, "-1/2", *_both("M^2 N / sqrt(S)", 1.0), 1.0),
}  # fmt: skip


def latex_of(term: str) -> str:
    r"""Return a term such as "2 N^3 / (3 sqrt(S))" as LaTeX.

    Examples
    --------
    >>> print(latex_of("2 N^3 / (3 sqrt(S))"))
    \frac{2\,N^{3}}{3\,\sqrt{S}}
    >>> print(latex_of("9 3^(1/3) N^3 T / (16 S^(1/3))"))
    \frac{9 \cdot 3^{1/3}\,N^{3}\,T}{16\,S^{1/3}}
    """
    above, line, below = term.partition(" / ")
    if below.startswith("(") and below.endswith(")"):
        below = below[1:-1]
    return rf"\frac{{{_product(above)}}}{{{_product(below)}}}" if line else _product(above)


def _product(text: str) -> str:
    """Return factors with what stands between them."""
    text = ROOT.sub(r"\\sqrt{\1}", text)
    text = POWER.sub(lambda found: f"^{{{found[1] or found[2]}}}", text)
    text = FACTORS.sub(r"\1 \\cdot ", BETWEEN.sub(r"\\,", text))
    return NAMES.sub(r"\\mathrm{\1}", text)
