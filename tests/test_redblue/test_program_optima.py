"""Proved optima of PolyBench kernels at tiny sizes, from the golden data beside the project."""

import json

import pytest

from dags.programs.text.library import polybench
from redblue.racing.solving import solve

# Kernels with a case of at most 24 vertices; the others take longer.
SMALL = [
    "cholesky",
    "deriche",
    "doitgen",
    "durbin",
    "floyd-warshall",
    "gemm",
    "gramschmidt",
    "jacobi-1d",
    "lu",
    "mvt",
    "symm",
    "syr2k",
    "trisolv",
    "trmm",
]


@pytest.mark.parametrize("kernel", SMALL)
def test_the_smallest_golden_optimum_is_found_and_proved(kernel, shared):
    cases = json.loads((shared / "golden" / "polybench_optima.json").read_text())["cases"]
    own_values = [case for case in cases if case["kernel"] == kernel]
    case = min(own_values, key=lambda case: case["vertices"])
    dag = polybench(kernel).dag(**case["sizes"])
    assert dag.n == case["vertices"]
    solution = solve(dag, case["memory"], time_limit=60)
    assert solution.status == "optimal"
    assert solution.count.io == case["optimum"]
