"""Plays of several loops move no more than the best of each by itself; those of models less."""

import random
from itertools import pairwise

import pytest

from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from schedulers.tilings.budgets import seconds_for
from schedulers.tilings.parts import part_of
from schedulers.tilings.search import best_tilings

SIDE = 24
EFFORT = 0.15  # of the usual work, too little for all that could be tried
LOOPS = {
    "product": "for (i = 0; i < N; i++) for (j = 0; j < N; j++) for (k = 0; k < N; k++)"
    " {x}[i][j] += {y}[i][k] * {z}[k][j];",
    "turned": "for (i = 0; i < N; i++) for (j = 0; j < N; j++) {x}[i][j] = {y}[j][i] + {z}[i][j];",
    "filter": "for (i = 0; i < N - 2; i++) for (j = 0; j < N - 2; j++)"
    " {x}[i][j] = {y}[i][j] + {y}[i + 2][j] * {z}[i][j + 2];",
    "sweep": "for (i = 1; i < N; i++) for (j = 1; j < N; j++)"
    " {x}[i][j] = {x}[i - 1][j] + {x}[i][j - 1] + {y}[i][j];",
    "elimination": "for (k = 0; k < N; k++) for (i = k + 1; i < N; i++) {{"
    " {x}[i][k] /= {x}[k][k]; for (j = k + 1; j < N; j++) {x}[i][j] -= {x}[i][k] * {x}[k][j]; }}",
}


def drawn(seed):
    """The nest of some loops one after the other, each reading what others made."""
    rng = random.Random(seed)
    arrays = "ABCDE"
    body = "".join(
        LOOPS[rng.choice([*LOOPS])].format(**dict(zip("xyz", rng.sample(arrays, 3), strict=True)))
        for _ in range(rng.choice((2, 2, 3)))
    )
    parameters = ", ".join(f"double {array}[N][N]" for array in arrays)
    text = f"void f(int N, {parameters}) {{ int i, j, k; {body} }}"
    return box_nest(from_c(text), {"N": SIDE})


def least(nest, memory):
    """The fewest words of plays with so much memory."""
    plays = best_tilings(nest, [memory], seconds=EFFORT * seconds_for(nest))
    return min(play.io for play in plays if play.moved.words <= memory)


@pytest.mark.parametrize("seed", range(8))
def test_loops_move_no_more_than_each_by_itself(seed):
    nest = drawn(seed)
    loops = {}
    for assignment in nest.assignments:
        loops.setdefault(assignment.numbers[0], []).append(assignment.name)
    memory = random.Random(seed).choice((16, 60, 250))
    alone = sum(least(part_of(nest, names), memory) for names in loops.values())
    assert least(nest, memory) <= alone


# A true model takes 4 to 15 CPU seconds, for its groups compete for the work.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "memory", "limit"),
    [
        ("transformer_block", 30_000, 155_000_000),
        ("transformer_block", 2_000_000, 16_600_000),
        ("residual_block", 30_000, 1_404_416),
    ],
)
def test_groups_that_save_most_are_searched_first_and_those_that_wait_at_least_once(
    model, memory, limit
):
    models = pytest.importorskip("benchmarks.fused_models")  # which needs the package onnx
    plays = best_tilings(models.nest_of(getattr(models, model)()), [memory])
    assert min(play.io for play in plays if play.moved.words <= memory) <= limit


def test_arrays_that_stay_are_listed_in_the_order_of_the_nest():
    """An order of a set differs from process to process, and so did the loops that are printed."""
    body = "".join(
        "for (i = 0; i < N; i++) for (j = 0; j < N; j++)"
        f" {made}[i][j] = {read}[N - 1 - j][i] + {read}[i][j];"
        for read, made in pairwise("ABCDEF")
    )
    arrays = ", ".join(f"double {array}[N][N]" for array in "ABCDEF")
    nest = box_nest(from_c(f"void f(int N, {arrays}) {{ int i, j; {body} }}"), {"N": 20})
    play = best_tilings(nest, [900], seconds=0.5)[-1]
    stay = [array for array, by in play.tiling.depths.items() if set(by.values()) == {0}]
    assert stay == ["S0", "S1", "S2", "S3"]
