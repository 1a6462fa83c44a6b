"""Programs in NumPy's style: values equal to NumPy's, or one sentence."""

import pytest

from dags.tracing import TraceError, trace
from tests.test_dags.tracing import (
    grid_programs,
    matrix_programs,
    other_programs,
    own_array_programs,
)

TRACED = {
    **matrix_programs.PROGRAMS,
    **grid_programs.PROGRAMS,
    **other_programs.PROGRAMS,
    **own_array_programs.PROGRAMS,
}
CONSTANT = {**grid_programs.CONSTANT, **matrix_programs.CONSTANT}
REFUSED = {**grid_programs.REFUSED, **other_programs.REFUSED}


@pytest.mark.parametrize("level", ["operation", "statement"])
@pytest.mark.parametrize("name", sorted(TRACED))
def test_values_are_those_of_numpy(name, level):
    constants = CONSTANT.get(name, ())
    dag = trace(*TRACED[name], level=level, values=True, constants=constants)
    assert dag == trace(*TRACED[name], level=level, constants=constants)
    assert len(set(dag.labels)) == dag.n


@pytest.mark.parametrize("name", sorted(TRACED))
def test_trees_give_the_same_values(name):
    constants = CONSTANT.get(name, ())
    trace(*TRACED[name], tree=True, values=True, constants=constants)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refusals_are_one_sentence_with_a_line(name):
    arguments, reason = REFUSED[name]
    options = {"own_arrays": False} if "plain NumPy array" in reason else {}
    with pytest.raises(TraceError, match=r"^line \d+: ") as caught:
        trace(*arguments, **options)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_most_programs_are_traced():
    assert len(TRACED) >= 45
