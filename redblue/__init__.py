"""The front door: ``import redblue as rb`` has the everyday vocabulary.

- `load` makes a DAG of a specification, a file or a graph of another tool, `trace` one of a
  function of NumPy arrays. All other functions take what `load` takes.
- `curve` computes an `IOCurve`, `compare` a `Comparison`; `solve` finds the best schedule and a
  bound on every other, a `Solution`; `plan` says how much memory is needed for how much I/O.
- `solve_parallel` plays on several processors, and `speedups` compares numbers of them.
- `bound` proves a lower bound and `check` verifies its certificate; `play` replays a schedule, and
  `verify` has the referee judge it; `law` finds the law that a DAG follows.
- `emit` makes C of a loop nest, tiled, with the words that this code moves: an `Emission`.
- `levels` counts the words across each boundary of a hierarchy of memories.
- `report` makes the lower-bound report of a DAG, or runs the `EXPERIMENTS`; `curve_figure`,
  `save_figure` and `curve_text` draw.
- `GENERATORS`, `SCHEDULERS`, `BOUNDS`, `MACHINES`, `SOLVERS` and `RULES` list what there is.
- `redblue.sweeps` computes grids of cells on one machine or many, and `redblue.store` keeps their
  outcomes.

`__version__` is the version. All other names are loaded when they are first used, so that
``redblue --help`` does not wait for Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from redblue.version import __version__

if TYPE_CHECKING:
    from dags import CDAG, EXAMPLES, GENERATORS, RedBlueError, from_edges, from_networkx, save
    from dags.tracing import trace
    from pebble import ONE_SHOT, RULES, IOCount, Rules, Schedule, min_memory
    from proofs import BOUNDS, Bound, Certificate
    from redblue.comparison.compare import compare
    from redblue.comparison.comparison import Comparison
    from redblue.curves.curve import io_curve
    from redblue.curves.figures import curve_figure, curve_text
    from redblue.emission.emission import Emission, emit
    from redblue.fit import fit_dag
    from redblue.hardware import MACHINES
    from redblue.hierarchies.crossing import levels
    from redblue.hierarchies.results import Levels
    from redblue.memories import parse_memories
    from redblue.papers.experiments import EXPERIMENTS
    from redblue.parallel.comparing import speedups
    from redblue.parallel.solving import solve_parallel
    from redblue.planning.plans import Plan, plan
    from redblue.results import IOCurve, Row
    from redblue.show.drawing import save_figure
    from redblue.solutions import Solution
    from redblue.solvers import SOLVERS
    from redblue.solving import solve
    from redblue.sources import load
    from redblue.vocabulary import bound, check, curve, law, play, report, verify
    from schedulers import EVICTIONS, ORDERS, SCHEDULERS

_HOMES = {
    "dags": (
        "CDAG",
        "EXAMPLES",
        "GENERATORS",
        "RedBlueError",
        "from_edges",
        "from_networkx",
        "save",
    ),
    "dags.tracing": ("trace",),
    "pebble": ("ONE_SHOT", "RULES", "IOCount", "Rules", "Schedule", "min_memory"),
    "proofs": ("BOUNDS", "Bound", "Certificate"),
    "redblue.comparison.compare": ("compare",),
    "redblue.comparison.comparison": ("Comparison",),
    "redblue.curves.curve": ("io_curve",),
    "redblue.curves.figures": ("curve_figure", "curve_text"),
    "redblue.emission.emission": ("Emission", "emit"),
    "redblue.fit": ("fit_dag",),
    "redblue.hardware": ("MACHINES",),
    "redblue.hierarchies.crossing": ("levels",),
    "redblue.hierarchies.results": ("Levels",),
    "redblue.memories": ("parse_memories",),
    "redblue.parallel.comparing": ("speedups",),
    "redblue.parallel.solving": ("solve_parallel",),
    "redblue.planning.plans": ("Plan", "plan"),
    "redblue.results": ("IOCurve", "Row"),
    "redblue.show.drawing": ("save_figure",),
    "redblue.solvers": ("SOLVERS",),
    "redblue.solutions": ("Solution",),
    "redblue.solving": ("solve",),
    "redblue.sources": ("load",),
    "redblue.vocabulary": ("bound", "check", "curve", "law", "play", "report", "verify"),
    "schedulers": ("EVICTIONS", "ORDERS", "SCHEDULERS"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BOUNDS",
    "CDAG",
    "EVICTIONS",
    "EXAMPLES",
    "EXPERIMENTS",
    "GENERATORS",
    "MACHINES",
    "ONE_SHOT",
    "ORDERS",
    "RULES",
    "SCHEDULERS",
    "SOLVERS",
    "Bound",
    "Certificate",
    "Comparison",
    "Emission",
    "IOCount",
    "IOCurve",
    "Levels",
    "Plan",
    "RedBlueError",
    "Row",
    "Rules",
    "Schedule",
    "Solution",
    "__version__",
    "bound",
    "check",
    "compare",
    "curve",
    "curve_figure",
    "curve_text",
    "emit",
    "fit_dag",
    "from_edges",
    "from_networkx",
    "io_curve",
    "law",
    "levels",
    "load",
    "min_memory",
    "parse_memories",
    "plan",
    "play",
    "report",
    "save",
    "save_figure",
    "solve",
    "solve_parallel",
    "speedups",
    "trace",
    "verify",
]


def __getattr__(name: str) -> object:
    if name == "EXPERIMENTS":
        return import_module("redblue.leaves").experiments()
    if name not in _HOME_OF:
        raise AttributeError(f"module 'redblue' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
