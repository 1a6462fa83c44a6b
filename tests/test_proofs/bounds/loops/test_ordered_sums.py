"""Windows of sums that go along several loops in the order of the text."""

import random
from dataclasses import replace

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import ONE_SHOT, min_memory
from proofs import CertificateError, check
from proofs.bounds.loops.nests import gains, nest_bound
from proofs.bounds.loops.window_sizes import tight_exponents
from proofs.core.records import Certificate
from proofs.lemmas.loops.nest_updates import in_order, premises, words_in_order
from proofs.lemmas.loops.nests import WINDOWS, compulsory_of
from schedulers.exact import exact
from tests.nest_texts import MTTKRP, PLANES, PRODUCT

ARRAYS, ORDER, PAIR = ("A_x", "A_b", "A_c", "S1"), (0, 1, 2, 3), ("A_x", "A_c")
LARGE = {"I": 256, "R": 32, "J": 256, "L": 256}


@pytest.mark.parametrize(("memory", "least"), [(49, 0.27), (161, 0.14), (305, 0.1)])
def test_words_of_an_update(memory, least):
    nest = box_nest(from_c(MTTKRP), LARGE)
    bound = nest_bound(nest, memory)
    assert bound.certificate.data["ordered"] == [*PAIR]
    check(nest, memory, bound)
    free = nest_bound(box_nest(from_c(MTTKRP), LARGE, any_order=True), memory)
    assert bound.io > 1.2 * free.io
    assert bound.io / nest.updates > least  # 2 / sqrt(M) of plays: 0.29, 0.16, 0.11


def test_no_window_touches_fewer_items():
    rng = random.Random(21)
    for _ in range(60):
        sizes = {name: rng.randint(2, 6) for name in "IRJL"}
        inner, axis = sizes["L"], sizes["J"] * sizes["L"]
        premised = premises(box_nest(from_c(MTTKRP), sizes), "S1", ARRAYS, ORDER)
        shape, length = in_order(premised, ORDER, PAIR)
        assert length == inner
        for _ in range(20):
            window = set()
            first, limit = rng.randrange(axis), rng.randint(1, axis)
            for i in rng.sample(range(sizes["I"]), rng.randint(1, sizes["I"])):
                for r in rng.sample(range(sizes["R"]), rng.randint(1, sizes["R"])):
                    shifted = rng.randrange(sizes["J"]) * inner + first % inner
                    start = rng.choice((first, shifted, rng.randrange(axis)))
                    end = min(axis, start + limit)
                    window |= {
                        (i, r, position // inner, position % inner)
                        for position in range(start, end)
                    }
            touched = {("x", i, j, k) for i, _, j, k in window} | {
                (name, *item)
                for i, r, j, k in window
                for name, item in (("b", (j, r)), ("c", (k, r)), ("y", (i, r)))
            }
            ((_, powers),) = tight_exponents(shape, premised.updates, [len(window)])
            assert words_in_order(shape, len(window), powers, length) <= len(touched)


@pytest.mark.parametrize("sizes", [(2, 2, 2, 3), (2, 2, 3, 2), (1, 3, 3, 3), (3, 1, 3, 3)])
def test_no_part_of_a_bound_is_above_the_optimum(sizes):
    named = dict(zip("IRJL", sizes, strict=True))
    program = from_c(MTTKRP)
    nest, dag = box_nest(program, named), instantiate(program, named)
    for memory in range(min_memory(dag), min_memory(dag) + 3):
        best = exact(dag, memory, max_memory=1 << 28, time_limit=30).lower_bound
        for gain in gains(nest, memory, ONE_SHOT):
            assert gain.words + compulsory_of(nest) <= best, (memory, gain)


def test_forged_certificates():
    nest = box_nest(from_c(MTTKRP), LARGE)
    bound = nest_bound(nest, 161)
    data = dict(bound.certificate.data)
    for pair in (["A_c", "A_x"], ["A_x", "A_b"], ["A_x", "A_x"], ["A_x"], ["A_x", "A_q"]):
        forged = Certificate(WINDOWS, {**data, "ordered": pair})
        with pytest.raises(CertificateError):
            check(nest, 161, replace(bound, certificate=forged))
    free = box_nest(from_c(MTTKRP), LARGE, any_order=True)
    with pytest.raises(CertificateError, match="any order"):
        check(free, 161, replace(bound, io=1))


@pytest.mark.parametrize(
    ("text", "sizes", "arrays"),
    [  # one loop of sums; a filter that depends on all of its loops
        (PRODUCT, {"M": 9, "N": 9, "K": 9}, ("A_a", "A_b", "S1")),
        (PLANES, {"F": 4, "P": 5, "Q": 5, "C": 4, "R": 3, "S": 3}, ("A_x", "A_w", "S1")),
    ],
)
def test_sums_that_tell_nothing(text, sizes, arrays):
    nest = box_nest(from_c(text), sizes)
    order = tuple(range(len(sizes)))
    premised = premises(nest, "S1", arrays, order)
    for pair in ((array, second) for array in arrays for second in arrays):
        with pytest.raises(CertificateError):
            in_order(premised, order, pair)
