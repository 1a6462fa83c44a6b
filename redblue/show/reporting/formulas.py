"""Formulas of a page: LaTeX as MathML, which browsers typeset by themselves."""

from latex2mathml.converter import convert
from markupsafe import Markup


def typeset(latex: str, display: str = "block") -> Markup:
    """Return a formula as MathML, whose text is that of the formula.

    Parameters
    ----------
    latex
        The formula.
    display
        "block", or "inline" within text.

    Examples
    --------
    >>> typeset("R = M^{1/2}").startswith("<math")
    True
    """
    found = convert(latex, display=display)
    # \sim comes as an identifier, without the space on both sides of a relation
    return Markup(found.replace("<mi>&#x0007E;</mi>", "<mo>&#x0223C;</mo>"))
