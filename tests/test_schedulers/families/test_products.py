"""Orders of matrix products: by halves, with sums by trees, and Strassen's."""

from itertools import product

import numpy as np
import pytest

from dags import matmul, strassen
from pebble import play
from schedulers import EVICTIONS, ORDERS, accesses
from schedulers.families import FAMILIES, recursive_order, structured
from schedulers.families.matmul import block_shapes, predicted_io, tree_shapes

FORMS = ["fma", "multiply-add", "tree"]


def moved(dag, order, memory):
    return min(
        EVICTIONS[name](accesses(dag, order), memory).io for name in ("belady-clean", "belady-cost")
    )


def best_generic(dag, memory):
    return min(moved(dag, order(dag), memory) for order in ORDERS.values())


def require_legal(dag, order):
    assert np.array_equal(np.sort(order), dag.computed)
    place = np.full(dag.n, -1)
    place[order] = np.arange(order.size)
    reader = np.repeat(np.arange(dag.n), np.diff(dag.pred_indptr))
    assert np.all(place[dag.pred_indices] < place[reader])


def halved(corner, sides):
    """Yield single products in the cache-oblivious order, by the plain recursion."""
    if max(sides) == 1:
        yield corner
        return
    axis = sides.index(max(sides))
    half = sides[axis] // 2
    for start, side in ((0, half), (half, sides[axis] - half)):
        position = [c + start * (a == axis) for a, c in enumerate(corner)]
        yield from halved(position, [side if a == axis else s for a, s in enumerate(sides)])


@pytest.mark.parametrize("sizes", [(1, 1, 1), (4, 4, 4), (5, 3, 7), (1, 6, 2)])
def test_the_largest_side_is_halved(sizes):
    m, n, k = sizes
    order = recursive_order(matmul(n, m=m, k=k)) - (m * k + k * n)
    assert order.tolist() == [(i * n + j) * k + t for i, j, t in halved([0, 0, 0], list(sizes))]


@pytest.mark.parametrize(("form", "k"), list(product(FORMS, [1, 2, 3, 9, 16])))
def test_halves_make_a_legal_order(form, k):
    for m, n in ((1, 1), (5, 3), (4, 8)):
        dag = matmul(n, m=m, k=k, form=form)
        require_legal(dag, recursive_order(dag))


@pytest.mark.parametrize(("n", "side"), [(16, 1), (16, 4), (32, 2), (32, 8)])
def test_halves_move_at_most_what_subproducts_that_fit_do(n, side):
    dag, memory = matmul(n), max(3 * side**2 + 1, 4)
    by_halves = moved(dag, recursive_order(dag), memory)
    assert by_halves <= 4 * n**3 // side
    assert play(dag, structured(dag, memory), memory).io < by_halves


@pytest.mark.parametrize("memory", [24, 50, 100])
@pytest.mark.parametrize("size", [(16, 16, 16), (12, 7, 9), (48, 12, 32)])
def test_sums_by_trees_are_played_better_than_in_generic_orders(size, memory):
    n, m, k = size
    dag = matmul(n, m=m, k=k, form="tree")
    io = play(dag, structured(dag, memory), memory).io
    assert io <= moved(dag, recursive_order(dag), memory)
    assert io < 0.9 * best_generic(dag, memory)


@pytest.mark.parametrize("memory", [12, 24, 50, 100])
def test_blocks_of_trees_move_about_what_their_shape_says(memory):
    n = 32
    a, b, q = tree_shapes(n, n, n, memory)[0]
    order = next(FAMILIES["matmul"](matmul(n, form="tree"), memory))
    io = moved(matmul(n, form="tree"), order, memory)
    assert predicted_io(n, n, n, a, b) <= io * 1.01
    assert io <= 1.05 * (predicted_io(n, n, n, a, b) + 2 * n * n * (n // q - 1))


@pytest.mark.parametrize("memory", [3, 4, 7, 20])
@pytest.mark.parametrize("form", FORMS)
def test_outer_products_keep_one_factor(form, memory):
    n, m = 17, 23
    dag = matmul(n, m=m, k=1, form=form)
    published = m * n + m + n * -(-m // (memory - 2))
    assert play(dag, structured(dag, memory), memory).io <= published


def recursion_io(n, levels, memory):
    """The words that the recursion moves if nothing stays from one product to the next.

    That is an upper bound for the order if no sum of sums needs more room than a product, which
    may happen with less than five words.

    A product of s x s matrices with bottoms of b x b needs 4 s^2 - b^2 + 3 words to load its
    factors and store its result once, 3 s^2: beside the factors there are at most 6 (s/2)^2
    entries of sums and results, and so on down to b^2 + 3. One that does not fit makes seven of
    half the side, which load and store their matrices; for each of the ten factors that are
    sums, an entry is loaded and stored once more, (s/2)^2 each; and adding the results up takes
    8 loads and 3 stores more, as four of their stores make up for those of C. A bottom that does
    not fit is a product by blocks.
    """
    bottom = n >> levels
    if 4 * n * n - bottom**2 + 3 <= memory:
        return 3 * n * n
    if levels == 0:
        a, b = block_shapes(n, n, n, memory - 3)[0]
        return predicted_io(n, n, n, a, b)
    return 7 * recursion_io(n // 2, levels - 1, memory) + (2 * 10 + 11) * (n // 2) ** 2


@pytest.mark.parametrize(("n", "levels"), [(8, 3), (16, 4), (32, 5), (24, 3), (20, 1), (32, 2)])
@pytest.mark.parametrize("memory", [5, 8, 16, 18, 40, 66, 67, 130, 258, 259])
def test_strassen_moves_at_most_what_the_recursion_does(n, levels, memory):
    dag = strassen(n, levels)
    (order,) = FAMILIES["strassen"](dag, memory)
    require_legal(dag, order)
    assert moved(dag, order, memory) <= recursion_io(n, levels, memory)


@pytest.mark.parametrize("memory", [16, 40, 100])
@pytest.mark.parametrize(("n", "levels"), [(16, 4), (32, 5), (24, 3), (32, 1)])
def test_strassen_beats_every_generic_order(n, levels, memory):
    dag = strassen(n, levels)
    io = play(dag, structured(dag, memory), memory).io
    assert io < 0.9 * best_generic(dag, memory)


def test_strassen_loads_and_stores_matrices_once_where_they_fit():
    for n in (1, 2, 4, 8):
        assert play(strassen(n), structured(strassen(n), 4 * n * n + 2), 4 * n * n + 2).io == (
            3 * n * n
        )
