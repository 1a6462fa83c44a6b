"""Windows of hops of the Dirac operator: few sites have few hops between them."""

import random
from collections import Counter
from itertools import combinations, pairwise, product

import pytest

from dags import CDAG, dirac, load, matmul
from dags.families.common.dirac_numbers import DiracNumbers
from pebble import ONE_SHOT, Game, min_memory, play
from pebble.rules import RULES
from proofs import BOUNDS, NotApplicableError, check, compulsory
from proofs.bounds.families.dirac import dirac_words
from proofs.certificates import CertificateError
from proofs.lemmas.families.dirac import DIRAC, hops_and_rest, most_hops
from proofs.lemmas.families.dirac_borders import (
    in_borders,
    in_box_shared,
    in_space_shared,
    inner_hops,
    walls,
    window_words,
)
from proofs.lemmas.isoperimetry.tori import least_inner
from redblue.papers.experiments.dirac_plays import SLIDING, dirac_curve, proved_local_io
from schedulers import structured


def hops_of(dag):
    """Pairs (Phi of a site, Psi of a site): the hops, traced along the chains of Phi."""
    sites = dag.params["k"] ** 3 * dag.params["n4"]
    site, pairs = {}, []
    for v in dag.computed.tolist():
        operands = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
        before = [site[u] for u in operands if u in site]
        if before:
            site[v] = before[0]
            pairs += [(site[v], u) for u in operands if u < sites]
        elif len(operands) == 1 and not dag.channel[v]:
            site[v] = operands[0]  # K Psi begins the chain
    return pairs


@pytest.mark.parametrize(
    ("k", "n4", "wrap"), [(1, 3, True), (2, 3, True), (2, 4, True), (3, 2, False)]
)
def test_few_sites_have_few_hops(k, n4, wrap):
    """Any sets, and those that grow by the vertex with most hops to what is there."""
    dag = dirac(k, n4, wrap)
    ring = n4 if wrap else None
    pairs = hops_of(dag)
    hops, _, printed = hops_and_rest(dag, dag.params)
    assert (hops, printed) == (len(pairs), ring)
    graph = {}
    for x, y in pairs:
        graph.setdefault(("phi", x), set()).add(("psi", y))
        graph.setdefault(("psi", y), set()).add(("phi", x))
    rng = random.Random(k * n4)
    vertices = sorted(graph)
    if len(vertices) <= 6:
        for size in range(len(vertices) + 1):
            for chosen in combinations(vertices, size):
                inside = sum(len(graph[v] & set(chosen)) for v in chosen) // 2
                assert inside <= most_hops(size, ring)
    for _ in range(20):
        chosen, inside = {rng.choice(vertices)}, 0
        while len(chosen) < len(vertices):
            near = set().union(*(graph[v] for v in chosen)) - chosen or set(vertices) - chosen
            best = max(near, key=lambda v: (len(graph[v] & chosen), rng.random()))
            inside += len(graph[best] & chosen)
            chosen.add(best)
            assert inside <= most_hops(len(chosen), ring)
        assert inside == hops


def inner_pairs(k, n4, ring):
    """Pairs of neighbours in a box, and the part in which each is a hop of one end's Phi."""
    sides = (k, k, k, n4)
    for x in product(*map(range, sides)):
        for axis in range(4):
            if x[axis] + 1 < sides[axis] or (ring and axis == 3):
                y = (*x[:axis], (x[axis] + 1) % sides[axis], *x[axis + 1 :])
                yield from ((part, x, y) for part in (0, 1))


def touched(window):
    """Points of each part, and links, that the hops of a window touch."""
    points = {(part, end) for part, x, y in window for end in (x, y)}
    return points, {(x, y) for _, x, y in window}


@pytest.mark.parametrize(
    ("k", "n4", "ring"), [(1, 4, True), (2, 3, False), (3, 4, True), (4, 4, False), (2, 8, True)]
)
def test_windows_touch_what_they_share_again(k, n4, ring):
    """Windows that are balls, boxes, one part alone, or any hops at all."""
    hops = list(inner_pairs(k, n4, ring))
    sides, numbers = (k, k, k, n4), DiracNumbers(k, n4, ring)
    assert len(hops) == inner_hops(numbers, ring=ring)
    rng = random.Random(k)
    centre = [rng.random() * side for side in sides]

    def far(hop):
        middle = [(a + b) / 2 if abs(a - b) < 2 else 0 for a, b in zip(hop[1], hop[2], strict=True)]
        gaps = [abs(a - b) for a, b in zip(middle, centre, strict=True)]
        return sum(gaps[:3]) + (min(gaps[3], n4 - gaps[3]) if ring else gaps[3])

    keys = (
        lambda hop: (sum(hop[1]), hop[0]),
        lambda hop: (hop[0], sum(hop[1])),
        lambda hop: (hop[1][3] // 2, hop[1][2] // 2, hop[1], hop[0]),
        far,
        lambda hop: (hop[0], far(hop)),
        lambda hop: rng.random(),
    )
    minimum = 24 * 2 * numbers.sites + 9 * len(hops)
    in_box = in_box_shared(k, n4, ring=ring)
    for key, count in product(keys, (2, 3, 9, 20)):
        order = sorted(hops, key=key)
        cuts = [i * len(hops) // count for i in range(count + 1)]
        windows = [order[a:b] for a, b in pairwise(cuts) if a < b]
        words = sum(24 * len(points) + 18 * len(links) for points, links in map(touched, windows))
        assert words >= minimum + sum(window_words(len(w), in_box) for w in windows)
        if not ring:
            beyond = sum(window_words(len(w), in_space_shared) for w in windows)
            assert words >= minimum + beyond - 24 * walls(numbers)
        users = Counter(end for window in windows for end in touched(window)[0])
        for part, window in product((0, 1), windows):
            own_part = [hop for hop in window if hop[0] == part]
            assert sum(users[end] > 1 for end in touched(own_part)[0]) >= in_box(2 * len(own_part))


def exactly_shared(hops):
    """beta of any number of hops, not rounded."""
    low, high = 0.0, hops + 2.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if 4 * middle - 4 * middle**0.75 <= hops else (low, middle)
    points, remaining = divmod(low, 1)
    below, above = (float(least_inner(int(points) + step, 4)) for step in (0, 1))
    return below + remaining * (above - below) if hops else 0.0


def test_both_parts_alike_or_alone_share_least():
    for hops in [*range(1, 30), 151]:
        minimum = window_words(hops, in_space_shared)
        results = []
        for number in range(hops + 1):
            pair = exactly_shared(number) + exactly_shared(hops - number)
            results.append(12 * pair + 18 * max(number, hops - number) - 9 * hops)
        assert min(results) > minimum - 1e-6


def test_borders_prove_more_of_large_lattices():
    params = {"k": 10**5, "n4": 10**5, "wrap": True}
    sites = 10**20
    for memory, minimum in ((10**4, 7.0), (10**6, 1.7), (10**8, 0.3)):
        beyond = dirac_words(params, memory, ONE_SHOT) / sites - 120 - 288 / 10**5
        assert minimum < beyond < 181.6 / memory ** (1 / 3)


def test_borders_prove_more_with_the_memory_of_the_theorem():
    """The first argument proves nothing there."""
    numbers, memory = DiracNumbers(8, 16, True), 96 * 8**2 + 288 * 8
    assert 3 * 8192 < in_borders(numbers, 3, memory) < 66 * 8192
    assert dirac_words({"k": 8, "n4": 16, "wrap": True}, memory, SLIDING) > 123 * 8192


def test_few_windows_have_no_borders():
    numbers = DiracNumbers(2, 3, False)
    hops = inner_hops(numbers)
    assert [in_borders(numbers, windows, 0) for windows in (1, hops + 1)] == [0, 0]
    assert window_words(1, in_space_shared) == 21
    assert in_box_shared(10**4, 10**4, ring=True) is None


def test_cubes_have_as_many():
    """4 N - 4 N^(3/4) edges for N points is what a cube has."""
    for side in range(1, 6):
        assert most_hops(side**4, None) == 4 * (side**4 - side**3)
    assert [most_hops(points, None) for points in (1, 2, 3, 4)] == [0, 1, 2, 4]
    steps = [most_hops(points + 1, 5) - most_hops(points, 5) for points in range(1, 500)]
    assert min(steps) >= 0


@pytest.mark.parametrize(("wrap", "copies"), [(True, False), (False, False), (True, True)])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_no_play_moves_less(rules, wrap, copies):
    dag = dirac(2, 4, wrap, copies=copies)
    smallest = min_memory(dag, rules=rules)
    for memory in (smallest, smallest + 30, 400):
        bound = BOUNDS["dirac"](dag, memory, rules=rules)
        check(dag, memory, bound)
        played = play(dag, structured.blocks(dag, memory, rules=rules), memory, rules=rules)
        assert compulsory(dag, memory).io <= bound.io <= played.io
    assert BOUNDS["dirac"](dag, smallest, rules=rules).io > compulsory(dag, smallest).io


def test_any_order_of_hops():
    proved = {
        BOUNDS["dirac"](dirac(3, 4, sweep=sweep, slab=slab), 90).io
        for sweep in ("x1", "x4")
        for slab in (1, 3)
    }
    assert len(proved) == 1


def test_local_words_of_the_best_plays():
    k, n4 = 3, 4
    sites = k**3 * n4
    for point in dirac_curve(k, n4, [66, 128, 400]):
        proved = proved_local_io(k, n4, point.memory)
        assert 120 * sites <= proved <= point.local_io
    assert proved_local_io(k, n4, 66) > 130 * sites


def test_what_is_rejected():
    dag = dirac(2, 3)
    bound = BOUNDS["dirac"](dag, 66, rules=SLIDING)
    data = bound.certificate.data
    assert DIRAC.words(Game.of(dag, 66, SLIDING), data) == bound.io
    for field, value in (
        ("windows", 0),
        ("windows", 10**6),
        ("params", {"k": 2, "n4": 4}),
        ("params", 3),
    ):
        with pytest.raises(CertificateError):
            DIRAC.words(Game.of(dag, 66, SLIDING), {**data, field: value})
    light = CDAG(
        dag.pred_indptr, dag.pred_indices, outputs=dag.outputs, family="dirac", params=dag.params
    )
    for second in (light, matmul(2)):
        with pytest.raises(NotApplicableError):
            BOUNDS["dirac"](second, 90)


def test_the_same_words_without_the_dag():
    for spec in (
        "dirac:k=2,n4=4",
        "dirac:k=3,n4=4",
        "dirac:k=2,n4=3,wrap=false",
        "dirac:k=1,n4=3",
        "dirac:k=2,n4=3,copies=true",
    ):
        dag = load(spec)
        for memory in (90, 150, 800):
            assert dirac_words(dag.params, memory, ONE_SHOT) == BOUNDS["dirac"](dag, memory).io
