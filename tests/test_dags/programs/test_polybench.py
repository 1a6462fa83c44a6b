"""The thirty kernels: C, Python, the naive twin, a run on traced values, and golden data."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import dags
from dags.programs.text import from_python
from dags.programs.text.library import KERNELS, polybench
from tests.test_dags.programs import polybench_python
from tests.test_dags.programs.nest_twin import labelled, twin_of
from tests.test_dags.programs.traced import (
    fingerprint,
    fingerprint_of_values,
    inputs,
    runnable,
)

LEVELS = ("statement", "operation")
SELECTING = ("correlation", "floyd-warshall")  # which branch is taken depends on values


def sizes_of(name, seed):
    rng = np.random.default_rng([seed, len(name)])
    return {size: int(rng.integers(3, 7)) for size in polybench(name).sizes}


def text_of(function):
    return Path(function.__code__.co_filename).read_text()


@cache
def in_python(name):
    function = polybench_python.FUNCTIONS[name]
    return from_python(text_of(function), function.__name__)


def python_dag(name, sizes, level):
    kernel = KERNELS[name]
    return in_python(name).dag(**sizes, level=level, live=kernel.live, constants=kernel.constants)


def test_every_kernel_has_a_python_text():
    assert polybench_python.FUNCTIONS.keys() == KERNELS.keys()


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("level", LEVELS)
def test_c_and_python_are_one_dag(name, level):
    for seed in range(3):
        sizes = sizes_of(name, seed)
        dag, second = polybench(name).dag(**sizes, level=level), python_dag(name, sizes, level)
        assert fingerprint(dag) == fingerprint(second)
        assert dag.outputs.size == second.outputs.size


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("level", LEVELS)
def test_the_naive_twin_has_the_same_operands_outputs_and_labels(name, level):
    program, sizes = polybench(name), sizes_of(name, 7)
    assert labelled(program.dag(**sizes, level=level)) == twin_of(program, sizes, level)


def run_on_traced_values(name, sizes, level):
    """Run the text, selections made calls: no branch depends on values then."""
    program, function = polybench(name), polybench_python.FUNCTIONS[name]
    arguments = {}
    for parameter in program.parameters:
        if parameter in program.extents:
            shape = [form.value(sizes) for form in program.extents[parameter]]
            arguments[parameter] = inputs(parameter, shape)
        else:
            arguments[parameter] = sizes.get(parameter, 0.5)
    runnable(text_of(function), function.__name__, level)(*arguments.values())
    outputs = [value for array in KERNELS[name].live for value in arguments[array].flat]
    return fingerprint_of_values(outputs)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("level", LEVELS)
def test_running_the_python_text_on_traced_values_gives_the_same_dag(name, level):
    for seed in range(2):
        sizes = sizes_of(name, 20 + seed)
        dag = polybench(name).dag(**sizes, level=level)
        assert run_on_traced_values(name, sizes, level) == fingerprint(dag)


@pytest.mark.parametrize("name", [name for name in KERNELS if name not in SELECTING])
def test_the_functions_run_as_they_are(name):
    sizes = sizes_of(name, 30)
    program, function = polybench(name), polybench_python.FUNCTIONS[name]
    arguments = {
        parameter: inputs(parameter, [form.value(sizes) for form in program.extents[parameter]])
        if parameter in program.extents
        else sizes.get(parameter, 0.5)
        for parameter in program.parameters
    }
    function(*arguments.values())
    outputs = [value for array in KERNELS[name].live for value in arguments[array].flat]
    dag = polybench(name).dag(**sizes, level="operation")
    assert fingerprint_of_values(outputs) == fingerprint(dag)


@pytest.mark.parametrize("name", KERNELS)
def test_golden_fingerprints(name, shared):
    golden = json.loads((shared / "golden" / "polybench_dags.json").read_text())["kernels"][name]
    for instance in golden["instances"]:
        for level in LEVELS:
            expected, dag = instance[level], polybench(name).dag(**instance["sizes"], level=level)
            results = {
                "vertices": dag.n,
                "edges": dag.m,
                "inputs": dag.inputs.size,
                "outputs": dag.outputs.size,
                "max_operands": int(dag.indegree.max()),
                "fingerprint": fingerprint(dag)[0],
            }
            assert results == {key: expected[key] for key in results}
            assert (
                fingerprint(python_dag(name, instance["sizes"], level))[0] == results["fingerprint"]
            )


def test_specifications_name_kernels():
    dag = dags.load("polybench/gemm:NI=2,NJ=3,NK=4,level=operation")
    assert dag == polybench("gemm").dag(NI=2, NJ=3, NK=4, level="operation")
