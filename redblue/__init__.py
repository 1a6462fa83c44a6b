"""The functions and types of everyday use: ``import redblue as rb``.

- `load` reads a computation from a specification, a file or a graph of another tool. `trace` makes
  a DAG from a function of NumPy arrays. All other functions take the same sources.
- `curve` computes the I/O for each memory size, an `IOCurve`; `compare` does so for several
  computations, a `Comparison`. `solve` finds the best schedule and a lower bound, a `Solution`.
- `plan` finds the fast memory needed for a given I/O, a `Plan`. `place` gives buffers addresses, a
  `Placing`; `placed_plan` finds a schedule and its addresses together, a `PlacedPlan`.
- `solve_parallel` schedules several processors, and `speedups` compares their numbers.
- `bound` proves a lower bound, and `check` verifies its certificate. `claim` draws a bound of your
  own, without a certificate, beside what is proved. `play` replays a schedule by the engine, and
  `verify` by the referee. `law` finds how I/O depends on memory.
- `emit` makes tiled C code of a loop nest and counts its I/O, an `Emission`.
- `levels` counts the words across each boundary of a memory hierarchy, `Levels`.
- `report` makes the report on a computation, or runs the `EXPERIMENTS`. `curve_figure`,
  `save_figure` and `curve_text` draw.
- `GENERATORS`, `SCHEDULERS`, `BOUNDS`, `MACHINES`, `SOLVERS` and `RULES` list what exists.
- `redblue.sweeps` computes grids of cells on one machine or many, and its `store` saves results.

`__version__` is the version. All other names are loaded when they are first used, so that
``redblue --help`` does not wait for Numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from redblue.version import __version__

if TYPE_CHECKING:
    from dags import CDAG, EXAMPLES, GENERATORS, RedBlueError, from_edges, from_networkx
    from dags.tracing import trace
    from pebble import ONE_SHOT, RULES, IOCount, Rules, Schedule
    from proofs import BOUNDS, Bound, Certificate
    from redblue.answers.comparison.compare import compare
    from redblue.answers.comparison.comparison import Comparison
    from redblue.answers.curves.curve import io_curve
    from redblue.answers.curves.figures import curve_figure, curve_text
    from redblue.answers.hardware import MACHINES
    from redblue.answers.hierarchies.crossing import levels
    from redblue.answers.hierarchies.results import Levels
    from redblue.answers.memories import parse_memories
    from redblue.answers.parallel.comparing import speedups
    from redblue.answers.parallel.solving import solve_parallel
    from redblue.answers.placing.placing import Placing, place
    from redblue.answers.planning.addresses import placed_plan
    from redblue.answers.planning.placed import PlacedPlan
    from redblue.answers.planning.plans import Plan, plan
    from redblue.answers.results import IOCurve, Row
    from redblue.answers.solutions import Solution
    from redblue.answers.sources import load
    from redblue.answers.vocabulary import (
        bound,
        check,
        claim,
        curve,
        law,
        min_memory,
        play,
        report,
        save,
        verify,
    )
    from redblue.emission.emission import Emission, emit
    from redblue.laws.fit import fit_dag
    from redblue.papers.experiments import EXPERIMENTS
    from redblue.racing.solvers import SOLVERS
    from redblue.racing.solving import solve
    from redblue.show.drawing import save_figure
    from schedulers import EVICTIONS, ORDERS, SCHEDULERS

_HOMES = {
    "dags": (
        "CDAG",
        "EXAMPLES",
        "GENERATORS",
        "RedBlueError",
        "from_edges",
        "from_networkx",
    ),
    "dags.tracing": ("trace",),
    "pebble": ("ONE_SHOT", "RULES", "IOCount", "Rules", "Schedule"),
    "proofs": ("BOUNDS", "Bound", "Certificate"),
    "redblue.answers.comparison.compare": ("compare",),
    "redblue.answers.comparison.comparison": ("Comparison",),
    "redblue.answers.curves.curve": ("io_curve",),
    "redblue.answers.curves.figures": ("curve_figure", "curve_text"),
    "redblue.emission.emission": ("Emission", "emit"),
    "redblue.laws.fit": ("fit_dag",),
    "redblue.answers.hardware": ("MACHINES",),
    "redblue.answers.hierarchies.crossing": ("levels",),
    "redblue.answers.hierarchies.results": ("Levels",),
    "redblue.answers.memories": ("parse_memories",),
    "redblue.answers.parallel.comparing": ("speedups",),
    "redblue.answers.parallel.solving": ("solve_parallel",),
    "redblue.answers.placing.placing": ("Placing", "place"),
    "redblue.answers.planning.addresses": ("placed_plan",),
    "redblue.answers.planning.placed": ("PlacedPlan",),
    "redblue.answers.planning.plans": ("Plan", "plan"),
    "redblue.answers.results": ("IOCurve", "Row"),
    "redblue.show.drawing": ("save_figure",),
    "redblue.racing.solvers": ("SOLVERS",),
    "redblue.answers.solutions": ("Solution",),
    "redblue.racing.solving": ("solve",),
    "redblue.answers.sources": ("load",),
    "redblue.answers.vocabulary": (
        "bound",
        "check",
        "claim",
        "curve",
        "law",
        "min_memory",
        "play",
        "report",
        "save",
        "verify",
    ),
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
    "PlacedPlan",
    "Placing",
    "Plan",
    "RedBlueError",
    "Row",
    "Rules",
    "Schedule",
    "Solution",
    "__version__",
    "bound",
    "check",
    "claim",
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
    "place",
    "placed_plan",
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
