"""Formulas of a page: LaTeX as MathML, which browsers typeset by themselves."""

from latex2mathml.converter import convert
from markupsafe import Markup


def typeset(latex: str) -> Markup:
    """Return a formula as a block of MathML, whose text is that of the formula.

    Examples
    --------
    >>> typeset("R = M^{1/2}").startswith("<math")
    True
    """
    found = convert(latex, display="block")
    # \sim comes as an identifier, without the space on both sides of a relation
    return Markup(found.replace("<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>"))
