"""Experiments: curves, figures, and the command line.

`io_curve` computes an `IOCurve`; `curve_figure` and `save_figure` draw it; `parse_memories` reads
memory sizes from text; `fit_dag` tells the law. `redblue.sweeps` computes grids of cells on one
machine or many, and `redblue.store` keeps what came of them. The names are loaded when they are
first used, so that ``redblue --help`` does not wait for Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redblue.curves.curve import io_curve
    from redblue.curves.figures import curve_figure, save_figure
    from redblue.curves.terminal import curve_text
    from redblue.fit import fit_dag
    from redblue.memories import parse_memories
    from redblue.results import IOCurve, Row
    from redblue.solvers import SOLVERS

_HOMES = {
    "SOLVERS": "redblue.solvers",
    "IOCurve": "redblue.results",
    "Row": "redblue.results",
    "curve_figure": "redblue.curves.figures",
    "curve_text": "redblue.curves.terminal",
    "fit_dag": "redblue.fit",
    "io_curve": "redblue.curves.curve",
    "parse_memories": "redblue.memories",
    "save_figure": "redblue.curves.figures",
}

__all__ = [
    "SOLVERS",
    "IOCurve",
    "Row",
    "curve_figure",
    "curve_text",
    "fit_dag",
    "io_curve",
    "parse_memories",
    "save_figure",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'redblue' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
