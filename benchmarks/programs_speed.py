"""Seconds and bytes that DAGs of loop nests take, beside one NumPy pass over as many bytes.

python benchmarks/programs_speed.py

The best of three runs after one that compiles; a pass copies as many bytes as the DAG holds.
"""

from time import process_time

import numpy as np

from dags import CDAG
from dags.programs.text.library import polybench

CASES = {
    "gemm 64 x 64 x 64": ("gemm", {"NI": 64, "NJ": 64, "NK": 64}),
    "gemm 215 x 215 x 215": ("gemm", {"NI": 215, "NJ": 215, "NK": 215}),
    "jacobi-2d 316 x 316, 50 steps": ("jacobi-2d", {"N": 316, "TSTEPS": 50}),
    "cholesky 390": ("cholesky", {"N": 390}),
    "floyd-warshall 215": ("floyd-warshall", {"N": 215}),
}
RUNS = 3


def seconds_of_a_pass(size: int) -> float:
    """Least seconds in which NumPy copies so many bytes."""
    source = np.ones(size, np.uint8)
    target = np.empty_like(source)
    used = []
    for _ in range(RUNS):
        start = process_time()
        np.copyto(target, source)
        used.append(process_time() - start)
    return min(used)


def measured(name: str, sizes: dict[str, int]) -> tuple[CDAG, float]:
    """Lay a nest out; return its DAG and the least seconds."""
    program = polybench(name)
    used = []
    for _ in range(RUNS):
        start = process_time()
        dag = program.dag(**sizes)
        used.append(process_time() - start)
    return dag, min(used)


def main() -> None:
    for name, sizes in CASES.values():
        polybench(name).dag(**dict.fromkeys(sizes, 4))  # compiles
    print("| nest | vertices | CPU s | passes | bytes a vertex | and of points |")
    print("|---|---:|---:|---:|---:|---:|")
    for title, (name, sizes) in CASES.items():
        dag, seconds = measured(name, sizes)
        held = dag.pred_indptr.nbytes + dag.pred_indices.nbytes + dag.origin.made_by.nbytes
        points = dag.origin.points.nbytes
        passes = seconds / max(seconds_of_a_pass(held + points), 1e-6)
        print(
            f"| {title} | {dag.n:,} | {seconds:.3f} | {passes:.0f} "
            f"| {held / dag.n:.1f} | {points / dag.n:.1f} |"
        )
        del dag


if __name__ == "__main__":
    main()
