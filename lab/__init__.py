"""Experiments: curves, figures, and the command line.

`io_curve` computes an `IOCurve`; `curve_figure` and `save_figure` draw it; `parse_memories`
reads memory sizes from text; `fit_dag` tells the law. `lab.sweep` computes grids of cells on one
machine or many, and `lab.store` keeps what came of them. The names are loaded when they are first
used, so that ``redblue --help`` does not wait for Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab.curve import io_curve
    from lab.figures import curve_figure, save_figure
    from lab.fit import fit_dag
    from lab.memories import parse_memories
    from lab.results import IOCurve, Row
    from lab.terminal import curve_text

_HOMES = {
    "IOCurve": "lab.results",
    "Row": "lab.results",
    "curve_figure": "lab.figures",
    "curve_text": "lab.terminal",
    "fit_dag": "lab.fit",
    "io_curve": "lab.curve",
    "parse_memories": "lab.memories",
    "save_figure": "lab.figures",
}

__all__ = [
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
        raise AttributeError(f"module 'lab' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
