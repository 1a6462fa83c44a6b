"""The roofline of a machine, with the rates of a computation under it at each memory size."""

from collections.abc import Iterator
from math import isfinite
from typing import TYPE_CHECKING

from redblue.answers.balance.balance import Balance, BalancePoint

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

APART = 1.3  # ratios of points whose labels do not touch


def roofline_figure(balance: Balance, title: str) -> "Figure":
    """Two panels: operations per word against memory, and the roofline that they meet.

    Left, the ratio that was played and the largest that is not ruled out; it balances the machine
    where it crosses the line C / IO. Right, the same ratios under the roof: words come no faster
    than the slope, operations are done no faster than the level.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.4, 4.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_ratios(left, balance)
    _draw_roof(right, balance)
    figure.suptitle(title, fontsize=11)
    return figure


def _draw_ratios(axes: "Axes", balance: Balance) -> None:
    memories = [point.memory for point in balance.points]
    proved = [point for point in balance.points if isfinite(point.most_ratio)]
    at, most = [p.memory for p in proved], [p.most_ratio for p in proved]
    low, high = _ends(balance)
    axes.fill_between(at, most, [max(high, ratio) for ratio in most], color="0.9", linewidth=0)
    axes.plot(at, most, "k--", linewidth=1.2, label="proved: at most")
    ratios = [point.ratio for point in balance.points]
    axes.plot(memories, ratios, "C0o-", markersize=4, linewidth=1.4, label="best schedule")
    axes.axhline(balance.element.balance, color="C3", linewidth=1.4, label="C / IO")
    _dress(axes, "fast memory M (words)", "operations per word of I/O")
    axes.set_xscale("log", base=2)
    axes.set_ylim(low, high)
    _count_in_words(axes)
    axes.legend(frameon=False, fontsize=9, loc="lower right")


def _draw_roof(axes: "Axes", balance: Balance) -> None:
    element = balance.element
    low, high = _ends(balance)
    roof = (low, element.balance, high)
    rates = [min(element.compute, element.bandwidth * ratio) for ratio in roof]
    axes.plot(roof, rates, "C3-", linewidth=1.4, label="roof")
    ratios = [point.ratio for point in balance.points]
    reached = [point.rate for point in balance.points]
    axes.plot(ratios, reached, "C0o", markersize=4, label="best schedule, with M words")
    for point in _labelled(balance.points):
        axes.annotate(
            f"{point.memory:,}",
            (point.ratio, point.rate),
            textcoords="offset points",
            xytext=(5, -11),
            fontsize=8,
        )
    _dress(axes, "operations per word of I/O", "operations per second")
    axes.legend(frameon=False, fontsize=9)


def _ends(balance: Balance) -> tuple[float, float]:
    """The ratios between which everything is drawn."""
    ratios = [balance.element.balance]
    ratios += [ratio for p in balance.points for ratio in (p.ratio, p.most_ratio)]
    shown = [ratio for ratio in ratios if isfinite(ratio)]
    return min(shown) / 1.6, max(shown) * 1.6


def _labelled(points: tuple[BalancePoint, ...]) -> Iterator[BalancePoint]:
    """Yield points that are far enough from each other to be labelled."""
    last = 0.0
    for point in points:
        if point.ratio > last * APART:
            last = point.ratio
            yield point


def _dress(axes: "Axes", across: str, up: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(True, which="major", color="0.88", linewidth=0.6)


def _count_in_words(axes: "Axes") -> None:
    """Write memory sizes in full, and ratios as 1, 2, 5, 10."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
