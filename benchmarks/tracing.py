"""Seconds and bytes that traces take, beside one NumPy pass over as many bytes.

python benchmarks/tracing.py [--large]
"""

import argparse
from time import process_time

import numpy as np

from dags import CDAG
from dags.tracing import trace


def heat(steps, a):
    for _ in range(steps):
        a[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[2:, 1:-1] + a[:-2, 1:-1] + a[1:-1, 2:] + a[1:-1, :-2]
        )


def cholesky_by_rows(a):
    for i in range(len(a)):
        for j in range(i):
            a[i, j] = (a[i, j] - a[i, :j] @ a[j, :j]) / a[j, j]
        a[i, i] = np.sqrt(a[i, i] - a[i, :i] @ a[i, :i])


CASES = {
    "matmul 64": (np.matmul, (64, 64), (64, 64)),
    "matmul 128": (np.matmul, (128, 128), (128, 128)),
    "fft 65536": (np.fft.fft, (2**16,)),
    "solve 128": (np.linalg.solve, (128, 128), (128,)),
    "heat 500 x 500, 10 steps": (heat, 10, (500, 500)),
    "cholesky 60, by rows": (cholesky_by_rows, (60, 60)),
}
LARGE = {"matmul 256": (np.matmul, (256, 256), (256, 256))}


def seconds_of_a_pass(size: int) -> float:
    """Seconds in which NumPy copies so many bytes."""
    source = np.ones(size, np.uint8)
    target = np.empty_like(source)
    np.copyto(target, source)
    start = process_time()
    np.copyto(target, source)
    return process_time() - start


def held(dag: CDAG) -> int:
    """Bytes of a DAG and its origin."""
    arrays = dag.pred_indptr, dag.pred_indices, dag.origin.made_by, dag.origin.points
    return sum(array.nbytes for array in arrays)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="the product of 256 x 256 too")
    cases = {**CASES, **(LARGE if parser.parse_args().large else {})}
    trace(np.matmul, (2, 2), (2, 2))  # compiles
    trace(np.sqrt, (2,))
    print("| code | vertices | CPU s | passes | bytes a vertex |\n|---|---:|---:|---:|---:|")
    for name, (function, *arguments) in cases.items():
        start = process_time()
        dag = trace(function, *arguments)
        used = process_time() - start
        size = held(dag)
        passes = used / max(seconds_of_a_pass(size), 1e-6)
        print(f"| {name} | {dag.n} | {used:.3f} | {passes:.0f} | {size / dag.n:.1f} |")
        del dag


if __name__ == "__main__":
    main()
