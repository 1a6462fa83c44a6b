"""The front door: curves, solving, experiments, figures, and the command line.

- `io_curve` computes an `IOCurve`, `compare` a `Comparison`; `solve` finds the best schedule of a
  DAG and a bound on every other, a `Solution`; `fit_dag` returns the law that a DAG follows.
- `trace` runs a function of NumPy arrays and returns its DAG.
- `curve_figure`, `save_figure` and `curve_text` draw; `parse_memories` reads memory sizes.
- `EXPERIMENTS` lists the experiments of the report, `SOLVERS` the searches of `solve`.
- `redblue.sweeps` computes grids of cells on one machine or many, and `redblue.store` keeps their
  outcomes.

The names are loaded when they are first used, so that ``redblue --help`` does not wait for Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dags.tracing import trace
    from redblue.comparison.compare import compare
    from redblue.comparison.comparison import Comparison
    from redblue.curves.curve import io_curve
    from redblue.curves.figures import curve_figure, save_figure
    from redblue.curves.terminal import curve_text
    from redblue.experiments import EXPERIMENTS
    from redblue.fit import fit_dag
    from redblue.memories import parse_memories
    from redblue.results import IOCurve, Row
    from redblue.solution import Solution
    from redblue.solvers import SOLVERS
    from redblue.solving import solve

_HOMES = {
    "EXPERIMENTS": "redblue.experiments",
    "SOLVERS": "redblue.solvers",
    "Comparison": "redblue.comparison.comparison",
    "IOCurve": "redblue.results",
    "Row": "redblue.results",
    "Solution": "redblue.solution",
    "compare": "redblue.comparison.compare",
    "curve_figure": "redblue.curves.figures",
    "curve_text": "redblue.curves.terminal",
    "fit_dag": "redblue.fit",
    "io_curve": "redblue.curves.curve",
    "parse_memories": "redblue.memories",
    "save_figure": "redblue.curves.figures",
    "solve": "redblue.solving",
    "trace": "dags.tracing",
}

__all__ = [
    "EXPERIMENTS",
    "SOLVERS",
    "Comparison",
    "IOCurve",
    "Row",
    "Solution",
    "compare",
    "curve_figure",
    "curve_text",
    "fit_dag",
    "io_curve",
    "parse_memories",
    "save_figure",
    "solve",
    "trace",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'redblue' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
