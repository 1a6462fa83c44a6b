"""Proved optima of PolyBench kernels at tiny sizes, from the golden data beside the project."""

import json

import pytest

from dags.programs.library import polybench
from pebble import ONE_SHOT
from redblue.solving import solve

SMALL = 24  # vertices; the others take longer, and were solved once
CASES = 29


@pytest.mark.parametrize("number", range(CASES))
def test_a_golden_optimum_is_found_and_proved(number, shared):
    cases = json.loads((shared / "golden" / "polybench_optima.json").read_text())["cases"]
    assert len(cases) == CASES
    case = cases[number]
    if case["vertices"] > SMALL:
        pytest.skip(f"{case['vertices']} vertices take longer")
    dag = polybench(case["kernel"]).dag(**case["sizes"])
    assert dag.n == case["vertices"]
    solution = solve(dag, case["memory"], rules=ONE_SHOT, time_limit=30)
    assert solution.status == "optimal"
    assert solution.count.io == case["optimum"]
