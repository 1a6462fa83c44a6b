"""Tiles of laws: their shapes, and plays by them that come near the law."""

from fractions import Fraction

import pytest

from dags import load
from dags.programs.text.library import polybench
from proofs.laws.programs import law
from proofs.laws.tiles import tile_of_distances, tiles_of_shape
from proofs.lemmas.loops.hbl import Measure, Shape
from schedulers.eviction import belady_clean
from schedulers.orders.access_order import accesses
from schedulers.tilings.points import TIME, PointTiling, coordinates, tiled_order

HALF = Fraction(1, 2)


def shape(*kept, indices="abc"):
    measures = tuple(Measure(f"array {n}", (entry,)) for n, entry in enumerate(kept))
    return Shape(dict.fromkeys(indices, 100), measures)


def test_the_result_of_a_product_stays():
    tile, *_ = tiles_of_shape(shape("ac", "cb", "ab"), {"array 2"})
    assert (tile.along, dict(tile.sides)) == ("c", {"a": HALF, "b": HALF})
    assert (tile.power, tile.coefficient) == (HALF, pytest.approx(2))
    assert tile.text() == "b x b in (a, b), along c, where b^2 + 2 b < M"
    in_and_along = r"\ \text{in}\ (a,\ b),\ \text{along}\ c,\ b^{2} + 2\,b < S"
    assert tile.to_latex("S") == r"b \times b" + in_and_along
    assert tile.at(24) == {"a": 3, "b": 3}
    assert tile.at(25) == {"a": 4, "b": 4}  # 16 + 4 + 4 words, and the one that is computed
    assert tile.at(1) == {"a": 1, "b": 1}


def test_what_a_slice_writes_is_moved_twice():
    tile, *_ = tiles_of_shape(shape("ac", "cb", "ab"), {"array 0"})
    assert tile.along == "b"


def test_two_arrays_that_stay_share_the_memory():
    tile, *_ = tiles_of_shape(shape("ac", "cb", "ab", "ab"), {"array 2"})
    assert (tile.along, tile.staying, tile.power) == ("c", 2, HALF)
    assert tile.coefficient == pytest.approx(2 * 2**0.5)
    assert tile.text("S") == "b x b in (a, b), along c, where 2 b^2 + 2 b < S"


def test_a_side_of_one():
    tile, *_ = tiles_of_shape(shape("abd", "dc", "abc", indices="abcd"), {"array 2"})
    assert tile.along == "d"
    assert sorted(tile.sides.values()) == [0, HALF, HALF]
    assert tile.text().count("1 x b") == 1


def test_a_side_of_one_word_beside_others():
    tile, *_ = tiles_of_shape(shape("a", "b", indices="ab"))
    assert tile.text().endswith("where b + 1 < M")


@pytest.mark.parametrize(
    ("distances", "steps", "leaning", "coefficient"),
    [
        ([(-1, -1), (-1, 0), (-1, 1)], 2, {"b": {"a": 2}}, 4),
        ([(-1, 0), (0, -1)], 1, {}, 2),
        ([(-1, 0, 0), (-1, 1, 1), (0, -1, 1), (0, 0, -1)], 1,
         {"b": {"a": 1}, "c": {"a": 2, "b": 1}}, 6),
    ],
)  # fmt: skip
def test_tiles_lean_over_until_nothing_is_read_from_beyond(distances, steps, leaning, coefficient):
    tile = tile_of_distances(distances, steps=steps)
    assert tile.leaning == leaning
    assert tile.coefficient == coefficient
    for name, axis in zip("bc", range(1, len(distances[0])), strict=False):
        lean = tile.leaning.get(name, {})
        factor = [lean.get("a", 0) / steps, lean.get("b", 0)]
        for distance in distances:
            assert (
                distance[axis] + sum(x * y for x, y in zip(factor, distance[:axis], strict=False))
                <= 0
            )


# Least sizes at which small terms are small; the factor over what tiles move in the leading term.
@pytest.mark.parametrize(
    ("name", "sizes", "memory", "factor"),
    [
        ("gemm", {"NI": 20, "NJ": 20, "NK": 30}, 35, 1.2),
        ("syrk", {"M": 24, "N": 26}, 35, 1.25),
        ("jacobi-2d", {"TSTEPS": 8, "N": 22}, 38, 1.35),
    ],
)
def test_a_play_by_the_tiles_is_near_the_law(name, sizes, memory, factor):
    result = law(polybench(name))
    tile = result.tile
    axis = TIME if tile.leaning else tile.along
    leaning = tile.leaning.items()
    skews = tuple((index, TIME, factor[tile.along] // 2) for index, factor in leaning)  # of sweeps
    dag = load(f"polybench/{name}:" + ",".join(f"{key}={value}" for key, value in sizes.items()))
    tiling = PointTiling((*tile.at(memory).items(), (axis, 1)), skews)
    order = tiled_order(dag, coordinates(dag.origin), tiling)
    moved = belady_clean(accesses(dag, order), memory).io - result.compulsory(sizes)
    term = result.trend().words(sizes, memory)
    assert moved <= factor * result.tiled_ratio * term
    assert result.tiled_ratio <= 3
