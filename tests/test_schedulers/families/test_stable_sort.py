"""Places in the order of numbers, held against NumPy's own sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedulers.families.tiles import in_turn, in_turn_by

FAR = 2**62
numbers = st.integers(-3, 3) | st.integers(-FAR, FAR)


@given(st.lists(st.tuples(numbers, st.integers(-2, 2), st.booleans()), max_size=12))
def test_places_are_those_of_numpy(rows):
    keys = [np.array([row[i] for row in rows], dtype) for i, dtype in enumerate((int, "i4", bool))]
    assert in_turn(keys[0]).tolist() == np.argsort(keys[0], kind="stable").tolist()
    assert in_turn_by(keys).tolist() == np.lexsort(keys[::-1]).tolist()


@pytest.mark.parametrize("most", [2**40, 2**62 - 1])
def test_numbers_with_and_without_room_for_places(most):
    key = np.random.default_rng(0).integers(-most, most, 3000) // 7 * 7
    assert np.array_equal(in_turn(key), np.argsort(key, kind="stable"))
    keys = key // 2**20, key % 5, key % 2 == 0
    assert np.array_equal(in_turn_by(keys), np.lexsort(keys[::-1]))
