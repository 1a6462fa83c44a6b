"""The entries of the registries in the sizes and kinds that tests can afford to multiply."""

from proofs import BOUNDS, NotApplicableError, check
from schedulers import SCHEDULERS

# Bounds that search for long get a moment where a DAG has so many vertices: what they say must be
# true whenever they stop.
SEARCHING_BOUNDS = ("decomposition", "dominators", "exact-pieces", "ideals", "reuse")
BRIEF = 0.04
SHORTLY_SEARCHED = 12

# The schedulers that answer at once: all but the one that searches until it finds no more.
QUICK_SCHEDULERS = {name: player for name, player in SCHEDULERS.items() if name != "search"}

# A small member of each generator's family, where `dags.EXAMPLES` has one of everyday size.
SMALL_EXAMPLES = {
    "attention": "attention:tokens=2,width=1",
    "binomial": "binomial:n=4",
    "bitonic_sort": "bitonic_sort:n=4",
    "chain": "chain:n=5",
    "cholesky": "cholesky:n=3",
    "conjugate_gradient": "conjugate_gradient:shape=2,steps=1",
    "convolution": "convolution:height=3,width=3,channels=1,filters=1",
    "diamond": "diamond:n=3",
    "dirac": "dirac:k=1,n4=2,wrap=false",
    "dirac_steps": "dirac_steps:shape=3,steps=2",
    "fft": "fft:n=4",
    "grid": "grid:shape=3x4",
    "hypercube": "hypercube:d=3",
    "lu": "lu:n=3",
    "matmul": "matmul:m=2,n=2,k=2",
    "matvec": "matvec:n=2",
    "merge_sort": "merge_sort:n=4,ways=2",
    "odd_even_merge_sort": "odd_even_merge_sort:n=4",
    "odd_even_transposition_sort": "odd_even_transposition_sort:n=4",
    "prefix_scan": "prefix_scan:n=6",
    "pyramid": "pyramid:height=4",
    "qr_givens": "qr_givens:n=2",
    "random_layered": "random_layered:n=14,seed=1",
    "random_spmv": "random_spmv:n=3,density=0.5,seed=1",
    "random_tree": "random_tree:n=12,max_words=3",
    "spmv": "spmv:shape=2",
    "stencil": "stencil:shape=4,steps=2",
    "strassen": "strassen:n=2",
    "sweep": "sweep:shape=3x3",
    "syrk": "syrk:n=3,k=2",
    "tree": "tree:height=3",
    "triangular_solve": "triangular_solve:n=2,k=2",
}

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
