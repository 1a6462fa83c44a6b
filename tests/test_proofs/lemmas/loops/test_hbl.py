"""What updates touch, counted in plain Python, is never less than the inequality says."""

from fractions import Fraction
from math import ceil, prod

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dags import cholesky
from pebble import ONE_SHOT, Budget
from proofs.bounds.loops.space_search import named_dag, verified_spaces
from proofs.lemmas.loops.hbl import Measure, Shape, least_words
from proofs.lemmas.loops.program_space import program_space
from tests.test_proofs.touched import FOUND, touched_words

SPACES = [(argument, space) for argument, _, space in FOUND]


@st.composite
def windows(draw):
    """A space with its argument, and some updates: any, or those in a box, which touch little."""
    argument, space = draw(st.sampled_from(SPACES))
    count = space.updates.size
    if draw(st.booleans()):
        return argument, space, sorted(draw(st.sets(st.integers(0, count - 1), min_size=1)))
    inside = np.ones(count, np.bool_)
    for index, extent in space.shape.extents.items():
        low, high = sorted(draw(st.tuples(*[st.integers(0, extent - 1)] * 2)))
        inside &= (space.at[index] >= low) & (space.at[index] <= high)
    return argument, space, np.flatnonzero(inside).tolist()


@given(windows(), st.data())
@settings(max_examples=600)
def test_updates_touch_no_less(window, data):
    argument, space, chosen = window
    if not chosen:
        return
    units = st.integers(0, 12) | st.sampled_from([6, 6, 6, 12])
    exponents = {measure.name: Fraction(data.draw(units), 12) for measure in space.shape.partial}
    minimum = least_words(space.shape, len(chosen), exponents)
    words = touched_words(space, chosen)
    assert minimum <= ceil(words)  # a fraction of a word is a word
    if argument == "dominators":
        labels = {
            int(space.label[values[u]])
            for roles in space.touched.values()
            for values in roles
            for u in chosen
        }
        assert words <= len(labels)


def test_a_row_pair_is_no_pair_of_arrays():
    """Two arrays of their own for rows i and j would have a block touch more than it does.

    That is how 3 V^(2/3), and n^3 / (3 sqrt(M)) for Cholesky, have been derived.
    """
    dag = cholesky(40)
    named = named_dag(dag).dag
    spaces = [
        program_space(named, held.space) for held in verified_spaces(named, ONE_SHOT, Budget())
    ]
    space = next(known for known in spaces if known.shape.symmetric == "ab")
    # rows a > b of the matrix, from its second on, and the steps c
    block = np.flatnonzero((space.at["b"] >= 19) & (space.at["c"] < 20)).tolist()
    assert len(block) == 20 * 190
    words = touched_words(space, block)
    assert words == 20 * 20 + 190 < 3 * len(block) ** (2 / 3)
    rows, entries, columns = (measure.name for measure in space.shape.measures)
    powers = {rows: Fraction(1, 2), entries: Fraction(1, 2), columns: Fraction(0)}
    assert 0.9 * words < least_words(space.shape, len(block), powers)


def test_boxes_are_met_exactly():
    """A cube of a product touches three squares; a column of pairs of rows nearly what it must."""
    half = {"a": Fraction(1, 2), "b": Fraction(1, 2), "c": Fraction(1, 2)}
    cube = Shape({"i": 99, "j": 99, "k": 99}, tuple(map(_measure, ("aik", "bkj", "cij"))))
    for side in range(1, 12):
        assert least_words(cube, side**3, half) == 3 * side**2
        assert least_words(cube, side**3 + 1, half) > 3 * side**2


def _measure(text):
    return Measure(text[0], (text[1:],))


@given(
    st.integers(1, 10**7),
    st.tuples(*[st.integers(0, 24)] * 3),
    st.tuples(*[st.integers(1, 500)] * 3),
    st.integers(0, 2),
)
def test_least_words_is_the_smallest_integer_above_the_mean(size, units, ranges, symmetric):
    """Against the formula in floating point, where that is not next to an integer."""
    extents = dict(zip("ijk", ranges, strict=True))
    measures = (
        Measure("rows", ("ik", "jk"), factor=2),
        Measure("entries", ("ij",), cost=Fraction(2, 3), factor=3),
        Measure("steps", ("k",), cost=Fraction(1, 2)),
    )
    shape = Shape(extents, measures, "ijk"[:symmetric])
    if any(shape.is_whole(measure) for measure in measures) or not any(units):
        return
    s, r, t = (unit / 24 for unit in units)
    slack = {"i": 1 - s - r, "j": 1 - s - r, "k": 1 - 2 * s - t}
    sigma = 2 * s + r + t
    inner = shape.copies * size / prod(extents[i] ** max(0, slack[i]) for i in "ijk")
    for power, cost, factor in ((2 * s, 1, 2), (r, 2 / 3, 3), (t, 1 / 2, 1)):
        inner *= (cost / (power * factor)) ** power if power else 1
    words = sigma * inner ** (1 / sigma)
    exponents = dict(zip(("rows", "entries", "steps"), units, strict=True))
    exact = least_words(shape, size, {name: Fraction(u, 24) for name, u in exponents.items()})
    assert exact - 1 - 1e-9 * words <= words <= exact + 1e-9 * words
