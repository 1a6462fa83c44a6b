"""Loops that nothing depends on are surveyed at their ends alone, and come to the same counts."""

import numpy as np
import pytest

from dags.programs import ProgramError
from dags.programs import survey as surveys
from dags.programs.loop_table import loop_table
from dags.programs.text import from_c
from tests.campaigns.programs import sizes_of
from tests.campaigns.random_nests import random_nest

MOST = 10**4
LARGE = """void f(int N, double A[N][N][N][N]) {
  for (int i = N - 1; i >= 0; i -= 2) for (int j = 0; j < i; j++) for (int k = 0; k < N; k++) {
    if (k > 2) A[i][j][k][0] = 1;
    for (int l = 3; l < N; l++) A[i][j][k][l] += A[j][i][k][l - 3]; } }"""


def counts(text, sizes, limit):
    program = from_c(text)
    table = loop_table(program, sizes, "statement")
    try:
        counts = surveys.survey(program, table, sizes, limit)
    except ProgramError as error:
        return str(error)
    return [counts.runs.tolist(), counts.dims.tolist(), counts.extents.tolist()]


def one_by_one(monkeypatch, text, sizes, limit=MOST):
    with monkeypatch.context() as patch:
        patch.setattr(surveys, "_even_loops", lambda table: np.zeros(len(table.code), np.bool_))
        return counts(text, sizes, limit)


@pytest.mark.parametrize("seed", range(40))
def test_counts_and_extents_are_those_of_a_run(monkeypatch, seed):
    text = random_nest(np.random.default_rng([7, seed])).in_c
    try:
        sizes = sizes_of(from_c(text))
    except ProgramError:
        return
    assert counts(text, sizes, MOST) == one_by_one(monkeypatch, text, sizes)


def test_a_loop_whose_variable_bounds_another_is_run(monkeypatch):
    sizes = {"N": 7}
    assert counts(LARGE, sizes, MOST) == one_by_one(monkeypatch, LARGE, sizes)
    assert counts(LARGE, sizes, 100) == one_by_one(monkeypatch, LARGE, sizes, 100)


def test_rounds_that_64_bits_do_not_count_are_too_many():
    text = "void f(int N, double *s) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++)"
    text += " for (int k = 0; k < N; k++) for (int l = 0; l < N; l++) s[0] += 1; }"
    assert f"more than {2**62 - 1} " in counts(text, {"N": 10**9}, 2**62 - 1)
