"""Leading terms on one line as LaTeX: products of sizes, roots and powers over another."""

import re

NAMES = re.compile(r"(?<![A-Za-z\\{])([A-Z]{2,})(?![A-Za-z])")
ROOT = re.compile(r"sqrt\(([^()]*)\)")
POWER = re.compile(r"\^\(([^()]*)\)|\^(\d+)")
FACTORS = re.compile(r"(\d)\\,(?=\d)")
BETWEEN = re.compile(r"(?<=[\w})]) (?=[\w({\\])")


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
