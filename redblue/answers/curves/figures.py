"""Curves drawn by Matplotlib, and with characters for a terminal."""

from typing import TYPE_CHECKING

from dags.arguments import checked
from redblue.answers.results import IOCurve
from redblue.show.characters import figure_text
from redblue.show.drawing import draw_alone

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@checked
def curve_figure(curve: IOCurve) -> "Figure":
    """The figure of `curve`: words moved against words of memory, both axes logarithmic.

    One line a scheduler; the best proved bound is the floor, and no play enters the grey below.
    """
    return draw_alone(curve.figure(), curve.title)


@checked
def curve_text(curve: IOCurve, width: int = 66, height: int = 20) -> str:
    """`curve` in lines of characters, both axes logarithmic; "" if there is no point.

    Methods are drawn in the order in which they are listed, later ones over earlier ones.

    Parameters
    ----------
    curve
        The curve.
    width, height
        Characters of the drawing area, without axes and legend.
    """
    return figure_text(curve.figure(), f"I/O (words) of {curve.title}", width, height)
