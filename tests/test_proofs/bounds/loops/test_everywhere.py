"""Windows that begin at every update: below every play, and more than windows that are apart."""

import random
from dataclasses import replace

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import ONE_SHOT, RULES, min_memory
from proofs import CertificateError, check
from proofs.bounds.loops.nests import gains, nest_bound
from proofs.core.records import Certificate
from proofs.lemmas.loops.nest_updates import premises
from proofs.lemmas.loops.nests import EVERYWHERE
from proofs.lemmas.loops.overlapping import items_of_product, most_kept, most_shared
from schedulers.exact import exact
from tests.nest_texts import MTTKRP, PLANES, PRODUCT, STRIDED, TEXTS, drawn_sizes

LARGE = {"M": 4096, "N": 4096, "K": 4096}
PIXELS = {"F": 64, "P": 16, "Q": 16, "C": 64, "R": 3, "S": 3}


@pytest.mark.parametrize(
    ("program", "sizes", "memory", "least"),
    [  # of two words an update: what is known of plays
        (PRODUCT, LARGE, 4, 0.99),
        (PLANES, PIXELS, 4, 0.99),
        (MTTKRP, {"I": 64, "R": 32, "J": 64, "L": 64}, 5, 0.98),
        (PRODUCT, LARGE, 9, 0.42),  # 0.375 by windows that are apart
    ],
)
def test_words_of_each_update_where_memory_is_small(program, sizes, memory, least):
    nest = box_nest(from_c(program), sizes)
    bound = nest_bound(nest, memory)
    assert bound.certificate.kind == EVERYWHERE
    check(nest, memory, bound)
    assert least * 2 < bound.io / nest.updates < 2


def test_no_bound_is_above_the_optimum():
    rng = random.Random(19)
    seen = 0
    while seen < 25:
        name = rng.choice(("product", "batches", "planes", "dilated", "strided", "mttkrp"))
        sizes, program = drawn_sizes(name, rng, 3), from_c(TEXTS[name][0])
        nest, dag = box_nest(program, sizes), instantiate(program, sizes)
        if dag.n > 24:
            continue
        memory = min_memory(dag) + rng.choice((0, 0, 1, 2))
        bound = nest_bound(nest, memory)
        if "everywhere" not in bound.certificate.kind:
            continue
        seen += 1
        assert bound.io <= exact(dag, memory, time_limit=20).lower_bound, (name, sizes, memory)


def test_pairs_that_any_order_keeps():
    nest = box_nest(from_c(PRODUCT), {"M": 2, "N": 2, "K": 2})
    premised = premises(nest, "S1", ("A_a", "A_b", "S1"), (0, 1, 2))
    points = [(i, j, k) for i in range(2) for j in range(2) for k in range(2)]
    touch = {(i, j, k): ((0, i, k), (1, k, j), (2, i, j)) for i, j, k in points}
    rng = random.Random(2)
    for _ in range(200):
        order, free = rng.sample(points, len(points)), rng.randint(0, 3)
        last: dict[tuple[int, int, int], int] = {}
        pairs = []
        for place, point in enumerate(order):
            pairs += [(place - last[item], last[item]) for item in touch[point] if item in last]
            last |= dict.fromkeys(touch[point], place)
        left, kept = [free] * len(order), 0
        for length, first in sorted(pairs):  # short ones first
            if all(left[first + 1 : first + length]):
                kept += 1
                for between in range(first + 1, first + length):
                    left[between] -= 1
        for size in (2, 3, 5, 8):
            minimum = items_of_product(premised, size)[size]
            inside = min(3 * size - minimum, size * (size - 1) // 2)
            assert kept <= most_kept(3, len(order), free * len(order), size, inside)


def test_items_that_two_updates_share():
    def shared(program, sizes, name, arrays):
        premised = premises(
            box_nest(from_c(program), sizes), name, arrays, tuple(range(len(sizes)))
        )
        return most_shared(premised.counted, premised.loops)

    assert shared(PRODUCT, LARGE, "S1", ("A_a", "A_b", "S1")) == 1
    assert shared(PLANES, PIXELS, "S1", ("A_x", "A_w", "S1")) == 1
    assert shared(STRIDED, {"F": 4, "P": 9, "C": 4, "R": 3}, "S1", ("A_x", "A_w", "S1")) == 1
    of_four = ("A_x", "A_b", "A_c", "S1")
    assert shared(MTTKRP, dict.fromkeys("IRJL", 9), "S1", of_four) == 2


def test_forged_certificates():
    nest = box_nest(from_c(PRODUCT), {"M": 12, "N": 12, "K": 12})
    bound = nest_bound(nest, 4)
    assert bound.certificate.kind == EVERYWHERE
    data = dict(bound.certificate.data)
    changes = [
        {"size": 1},
        {"size": 1025},
        {"size": data["size"] + 40},
        {"arrays": ["A_a", "A_b"]},
        {"arrays": ["A_a", "A_a", "A_b"]},
        {"assignment": "S2"},
        {"order": [0, 1]},
        {"exponents": {}},
        {"windows": []},
    ]
    for change in changes:
        certificate = Certificate(EVERYWHERE, {**data, **change})
        with pytest.raises(CertificateError):
            check(nest, 4, replace(bound, certificate=certificate))
    small = box_nest(from_c(PRODUCT), {"M": 12, "N": 12, "K": 11})
    for second, memory in ((nest, 5), (small, 4)):
        with pytest.raises(CertificateError):
            check(second, memory, replace(bound, memory=memory))
    repeated = box_nest(from_c(PRODUCT), {"M": 12, "N": 12, "K": 12}, any_order=True)
    chosen = next(gain for gain in gains(repeated, 4, ONE_SHOT) if gain.kind == EVERYWHERE)
    free = replace(
        bound, rules=RULES["recompute"], certificate=Certificate(EVERYWHERE, chosen.data)
    )
    with pytest.raises(CertificateError, match="computed again"):
        check(repeated, 4, replace(free, io=1))


def test_sums_in_any_order_have_no_heads_without_a_sum():
    nests = [box_nest(from_c(PRODUCT), {"M": 6, "N": 5, "K": 4}, any_order=way) for way in (1, 0)]
    free, placed = (
        max(gain.words for gain in gains(nest, memory, ONE_SHOT) if gain.kind == EVERYWHERE)
        for nest, memory in zip(nests, (4, 5), strict=True)  # as many words beside an update
    )
    assert free >= placed > 0


def test_layers_are_of_items_whose_indices_are_loops():
    """Of a product whose index mixes loops an item may be of two layers (N12)."""

    def minimum(index):
        text = (
            "void f(double a[9][9], double b[9][9], double c[9][9]) {"
            "for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++)"
            f"c[i][j] += a[{index}][k] * b[k][j]; }}"
        )
        premised = premises(box_nest(from_c(text), {}), "S0", ("A_a", "A_b", "S0"), (2, 1, 0))
        return [*items_of_product(premised, 8)]

    assert minimum("i")[8] == 12
    assert minimum("i + j") == [0] * 9
