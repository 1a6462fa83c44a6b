import numpy as np
import pytest

from dags.importers import ImportedGraphError
from dags.importers.layout import cells_of, grid
from dags.importers.parts import check_tile, intervals, parse_tile, part_counts
from dags.importers.tensor_graph import Along


@pytest.mark.parametrize(
    ("shape", "tile", "whole", "counts"),
    [
        ((8, 6), None, (), [1, 1]),
        ((8, 6), 4, (), [4, 1]),
        ((8, 6), 8, (), [8, 1]),
        ((8, 6), 16, (), [8, 2]),
        ((8, 6), 20, (), [8, 3]),
        ((1, 6), 4, (), [1, 4]),
        ((2, 2), 100, (), [2, 2]),
        ((8, 6), 4, (0,), [1, 4]),
        ((8, 6), (1, 4), (), [1, 4]),
        ((8, 6), (10, 10, 10), (), [8, 6]),
        ((8, 6), (2,), (), [2, 1]),
        ((8, 6), (2, 2), (1,), [2, 1]),
        ((0, 6), 2, (), [1, 2]),
        ((), 5, (), []),
    ],
)
def test_a_tile_cuts_the_first_axes(shape, tile, whole, counts):
    assert part_counts(shape, tile, whole) == counts


@pytest.mark.parametrize(("length", "parts"), [(7, 3), (8, 4), (5, 5), (1, 1), (10, 7)])
def test_parts_are_those_of_numpy(length, parts):
    split = np.array_split(np.arange(length), parts)
    assert intervals(length, parts) == [(entry[0], entry[-1] + 1) for entry in split]


@pytest.mark.parametrize("text", ["", "0", "-1", "a", "2x", "2x0", "1.5", "99999999999"])
def test_what_is_no_tile_is_refused(text):
    with pytest.raises(ImportedGraphError, match="a tile is like 8, or 1x4x4 by axis, not"):
        parse_tile(text)


@pytest.mark.parametrize("tile", [0, True, (), (2, 0), 1.5, ("a",)])
def test_what_is_no_tile_in_python_is_refused(tile):
    with pytest.raises(ImportedGraphError, match="a tile"):
        check_tile(tile)


def test_windows_need_what_the_formula_says():
    rng = np.random.default_rng(0)
    for _ in range(200):
        stride, taps, dilation, offset, group = (int(rng.integers(1, 4)) for _ in range(5))
        low = int(rng.integers(0, 5))
        high, length = low + int(rng.integers(1, 5)), int(rng.integers(1, 20))
        axis = Along(0, stride, taps, dilation, offset - 1, group)
        expected = {
            place
            for i in range(low, high)
            for t in range(taps)
            if 0 <= (place := i // group * stride - (offset - 1) + dilation * t) < length
        }
        assert axis.indices(low, high, length).tolist() == sorted(expected)


def test_cells_repeat_without_copies_and_are_found_again():
    numbers = np.arange(6, dtype=np.int32).reshape(2, 1, 3)
    parts = [intervals(5, 2), intervals(1000, 1), intervals(7, 3)]
    cells = cells_of(numbers, parts)
    assert cells.shape == (5, 1000, 7)
    assert cells.strides[1] == 0
    small, starts = grid(cells)
    assert np.array_equal(small, numbers)
    assert [start.tolist() for start in starts] == [[0, 3], [0], [0, 3, 5]]
