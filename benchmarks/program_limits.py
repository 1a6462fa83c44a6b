"""CPU seconds of the bounds of programs: searches at 10^4 vertices, checks at 10^6.

    python benchmarks/program_limits.py

The goals are 10 seconds for a search and 2 for a check; both count seconds of this process. DAGs
are laid out before the clock starts, and kernels are compiled on small ones.
"""

import sys
import time
from dataclasses import replace

from dags import CDAG, load
from proofs import BOUNDS, Bound, check

SMALL = {
    "affine": ("lu:N=6", "lu:N=31", "cholesky:N=38", "gemm:NI=20,NJ=20,NK=20",
               "symm:M=20,N=20", "covariance:M=28,N=24", "lu:N=22,level=operation"),
    "uniform": ("jacobi-2d:TSTEPS=2,N=6", "jacobi-2d:TSTEPS=10,N=24", "seidel-2d:TSTEPS=20,N=24",
                "heat-3d:TSTEPS=5,N=12"),
}  # fmt: skip
LARGE = {
    "affine": ("gemm:NI=98,NJ=98,NK=98", "lu:N=144"),
    "uniform": ("seidel-2d:TSTEPS=100,N=102",),
}
MEMORY = 32


def measured(method: str, dag: CDAG) -> tuple[Bound, float, float]:
    """The bound, and the seconds of its search and of its check."""
    began = time.process_time()
    bound: Bound = BOUNDS[method](dag, MEMORY)
    searched = time.process_time()
    assert dag.origin is not None  # what is known of a DAG is known of it with this origin
    fresh = CDAG(dag.pred_indptr, dag.pred_indices, outputs=dag.outputs, origin=replace(dag.origin))
    begin = time.process_time()
    check(fresh, MEMORY, bound)
    return bound, searched - began, time.process_time() - begin


def main() -> None:
    """Print a line for each program."""
    for method, specs in SMALL.items():
        measured(method, load(f"polybench/{specs[0]}"))
    print("| program | bound | vertices | search, s | check, s |\n|---|---|---|---|---|")
    for cases in (SMALL, LARGE):
        for method, specs in cases.items():
            for spec in specs[1 if cases is SMALL else 0 :]:
                dag = load(f"polybench/{spec}")
                _, search, checked = measured(method, dag)
                row = (spec, method, f"{dag.n:,}", f"{search:.2f}", f"{checked:.2f}")
                print("|", " | ".join(row), "|")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
