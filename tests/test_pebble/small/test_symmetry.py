"""Swaps of vertices that look alike, and the images of states under them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import fft, grid, load, matmul, pyramid, tree
from pebble import ONE_SHOT, RULES, min_memory
from pebble.small._kernels.states import lowered
from pebble.small.game import members, small_game, whole_dag
from pebble.small.symmetry import Exchanges, Relations, as_bits, swaps, twins
from tests.strategies import dags


def turned(numbers, image):
    return sum(1 << int(image[i]) for i in members(int(numbers)))


def closure(images):
    """All products of permutations, as a set of tuples."""
    equal = tuple(range(images.shape[1]))
    result, waiting = {equal}, [equal]
    while waiting:
        image = waiting.pop()
        for turn in images.tolist():
            second = tuple(turn[v] for v in image)
            if second not in result:
                result.add(second)
                waiting.append(second)
    return result


@given(st.data())
@settings(max_examples=100)
def test_swaps_are_symmetries(data):
    dag = data.draw(dags(max_vertices=12))
    rules = data.draw(st.sampled_from(list(RULES.values())))
    game = small_game(whole_dag(dag), min_memory(dag, rules=rules), rules)
    for steps, values in zip(*swaps(game, game.own), strict=True):
        assert sorted(steps) == list(range(game.steps.size))
        assert (steps[steps] == np.arange(steps.size)).all()
        assert (game.sizes[values] == game.sizes).all()
        assert (game.own[steps] == game.own).all()
        assert turned(game.inputs, values) == game.inputs
        assert turned(game.outputs, values) == game.outputs
        assert turned(game.costly, values) == game.costly
        for step, second in enumerate(steps):
            assert turned(game.operands[step], values) == game.operands[second]
            built = game.result[step]
            assert game.result[second] == (values[built] if built >= 0 else -1)


@given(st.data())
@settings(max_examples=100)
def test_states_are_lowered_as_in_plain_python(data):
    dag = data.draw(dags(max_vertices=14))
    game = small_game(whole_dag(dag), min_memory(dag), ONE_SHOT)
    result = swaps(game, game.own)
    steps, values = (st.integers(0, (1 << x.size) - 1) for x in (game.steps, game.values))
    state = data.draw(steps), data.draw(values), data.draw(values)
    image, path = Exchanges(*result).lowered(state)
    assert tuple(map(int, lowered(as_bits(*result), *map(np.uint64, state)))) == image
    assert image <= state
    for swap in path:
        state = Exchanges(*result).image(swap, state)
    assert image == state


@pytest.mark.parametrize(
    ("dag", "count"),
    [
        (pyramid(4), 2),  # the mirror
        (grid((4, 4)), 2),  # the diagonal
        (tree(3), 128),
        (matmul(2, k=1), 8),  # rows, columns, and the transpose
        (matmul(3, k=1), 72),
    ],
    ids=str,
)
def test_swaps_generate_known_groups(dag, count):
    game = small_game(whole_dag(dag), 100, ONE_SHOT)
    assert len(closure(swaps(game, game.own)[1])) == count


@pytest.mark.parametrize("spec", ["fft:n=8", "sweep:shape=4x4,periodic=true", "hypercube:d=3"])
def test_all_inputs_that_look_alike_are_taken_to_each_other(spec):
    game = small_game(whole_dag(load(spec)), 100, ONE_SHOT)
    inputs = members(game.inputs)
    orbit = {inputs[0]}
    _, values = swaps(game, game.own)
    while any(int(row[r]) not in orbit for row in values for r in list(orbit)):
        orbit |= {int(row[r]) for row in values for r in list(orbit)}
    assert orbit == set(inputs)


def test_the_identity_is_a_symmetry():
    game = small_game(whole_dag(fft(8)), 4, ONE_SHOT)
    relations = Relations(game, game.own)
    assert relations.is_symmetry(list(range(32)))
    assert not relations.is_symmetry(list(reversed(range(32))))


@given(st.data())
@settings(max_examples=60)
def test_twins_can_be_exchanged_alone(data):
    dag = data.draw(dags(max_vertices=12))
    game = small_game(whole_dag(dag), 100, ONE_SHOT)
    relations = Relations(game, game.own)
    for step, twin in enumerate(twins(game).tolist()):
        if twin >= 0:
            image = list(range(len(relations.step)))
            image[step], image[twin] = twin, step
            assert twin < step
            assert relations.is_symmetry(image)
