"""The entries of the registries in the sizes and kinds that tests can afford to multiply."""

from dags import GENERATORS
from dags.families import FAMILIES
from proofs import BOUNDS, METHODS, NotApplicableError, check
from schedulers import SCHEDULERS

# Bounds that search for long get a moment where a DAG has so many vertices: what they say must be
# true whenever they stop.
SEARCHING_BOUNDS = {name for name, entry in METHODS.items() if entry.share or entry.again}
BRIEF = 0.04
SHORTLY_SEARCHED = 12

# The schedulers that answer at once: all but the one that searches until it finds no more.
QUICK_SCHEDULERS = {name: player for name, player in SCHEDULERS.items() if name != "search"}

# A small member of each generator's family, where `dags.EXAMPLES` has one of everyday size.
SMALL_EXAMPLES = {name: f"{name}:{FAMILIES[name].small}" for name in GENERATORS}

# Programs, whose DAGs have points of their own.
SMALL_PROGRAMS = {
    "polybench/gemm": "polybench/gemm:NI=2,NJ=2,NK=2",
    "polybench/jacobi-1d": "polybench/jacobi-1d:TSTEPS=2,N=6",
    "polybench/lu": "polybench/lu:N=3",
}


def bounds_on(dag, memory, rules, methods=BOUNDS):
    """What every method that applies proves; each bound has passed its checker."""
    for name, method in methods.items():
        brief = name in SEARCHING_BOUNDS and dag.n > SHORTLY_SEARCHED
        try:
            bound = method(dag, memory, rules=rules, **({"time_limit": BRIEF} if brief else {}))
        except NotApplicableError:
            continue
        assert (bound.method, bound.memory, bound.rules) == (name, memory, rules)
        check(dag, memory, bound)
        yield bound
