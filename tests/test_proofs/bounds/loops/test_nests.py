"""Bounds of nests that are not laid out: below every play, and verified from the text alone."""

import random
from dataclasses import replace

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from pebble import ONE_SHOT, RULES, Machine, compulsory_words, min_memory, play
from proofs import CertificateError, check
from proofs.bounds.loops.nests import bound_of_processors, gains, nest_bound
from proofs.core.records import Certificate
from proofs.lemmas.loops.nest_updates import premises
from proofs.lemmas.loops.nests import compulsory_of, proven
from schedulers import scheduler_named
from schedulers.exact import exact
from schedulers.parallel import parallel_plays
from schedulers.tilings.search import best_tilings
from tests.chain_texts import CHAINS, ROW, K, L, local, loops, product, sized, text
from tests.nest_texts import DILATED, PLANES, PRODUCT, STRIDED, TEXTS, drawn_sizes


@pytest.mark.parametrize("name", TEXTS)
def test_no_bound_is_above_a_play(name):
    rng = random.Random(name)
    program = from_c(TEXTS[name][0])
    for _ in range(5):
        sizes = drawn_sizes(name, rng)
        nest, dag = box_nest(program, sizes), instantiate(program, sizes)
        assert compulsory_of(nest) == compulsory_words(dag)
        smallest = min_memory(dag)
        for memory in {smallest, smallest + rng.randint(1, 4), smallest + rng.randint(5, 30)}:
            bound = nest_bound(nest, memory)
            check(nest, memory, bound)
            played = [
                best_tiling.io
                for best_tiling in best_tilings(nest, [memory])
                if best_tiling.moved.words <= memory
            ]
            for order in ("natural", "depth-first"):
                schedule = scheduler_named(f"{order}+belady-cost")(dag, memory)
                played.append(play(dag, schedule, memory).io)
            if dag.n <= 24:
                best = exact(dag, memory, max_memory=1 << 26, time_limit=5)
                played.append(best.lower_bound if best.status == "optimal" else min(played))
            assert bound.io <= min(played), (sizes, memory)


def test_published_product():
    nest = box_nest(from_c(PRODUCT), {"M": 4096, "N": 4096, "K": 4096})
    bound = nest_bound(nest, 10_000)
    leading = 2 * 4096**3 / 10_000**0.5
    assert 0.99 * leading < bound.io < 1.01 * leading


@pytest.mark.parametrize(
    ("text", "sizes", "reuse"),
    [  # rho of a convolution: ceil(R / s') a side, s' the stride without what dilation shares
        (PLANES, {"F": 8, "P": 16, "Q": 16, "C": 8, "R": 3, "S": 3}, 9),
        (STRIDED, {"F": 8, "P": 64, "C": 8, "R": 5}, 2),
        (DILATED, {"P": 64, "Q": 64, "R": 3, "S": 3}, 9),
    ],
)
def test_reuse_of_a_convolution(text, sizes, reuse):
    nest = box_nest(from_c(text), sizes)
    (only,) = nest.assignments
    by_length = sorted(range(len(only.box)), key=lambda position: only.box[position])
    premised = premises(nest, only.name, ("A_x", "A_w", only.name), tuple(by_length))
    half = {measure.name: 0.5 for measure in premised.shape.measures}
    slack = 1.0
    for index, extent in premised.shape.extents.items():
        kept = sum(
            half[measure.name]
            for measure in premised.shape.measures
            if index in measure.projections[0]
        )
        slack *= extent ** max(0.0, 1 - kept)
    assert slack == pytest.approx(reuse**0.5)


def test_batches_are_apart():
    text, sizes = TEXTS["batches"][0], {"B": 3, "M": 16, "N": 16, "K": 16}
    first = nest_bound(box_nest(from_c(text), {**sizes, "B": 1}), 20)
    three = nest_bound(box_nest(from_c(text), sizes), 20)
    assert three.io == 3 * first.io


def test_memory_without_end():
    nest = box_nest(from_c(PRODUCT), {"M": 8, "N": 8, "K": 8})
    for memory in (10**4, 2**62, 4 * 10**18):
        assert nest_bound(nest, memory).io == compulsory_of(nest) == 192


@pytest.mark.parametrize("rules", ["recompute", "recompute-sliding"])
def test_values_that_are_computed_again(rules):
    # an operand that is made may be made again; open sums are known by the pebble that is read
    product = box_nest(from_c(PRODUCT), {"M": 8, "N": 8, "K": 8})
    once = nest_bound(product, 10, rules=replace(RULES[rules], recompute=False))
    repeated = nest_bound(product, 10, rules=RULES[rules])
    assert repeated.io == once.io > compulsory_of(product)
    check(product, 10, repeated)
    chain = box_nest(from_c(TEXTS["chain"][0]), dict.fromkeys("MKLN", 8))
    bound = nest_bound(chain, 20)
    assert bound.certificate.kind == "nest-joint-windows"
    with pytest.raises(CertificateError, match="computed again"):
        check(chain, 20, replace(bound, rules=RULES[rules]))
    check(chain, 20, nest_bound(chain, 20, rules=RULES[rules]))


def test_forged_certificates():
    nest = box_nest(from_c(PRODUCT), {"M": 12, "N": 12, "K": 12})
    bound = nest_bound(nest, 40)
    check(nest, 40, bound)
    data = dict(bound.certificate.data)
    forged = [
        replace(bound, io=bound.io + 1),
        *(
            replace(bound, certificate=Certificate(bound.certificate.kind, {**data, **change}))
            for change in (
                {"assignment": "S0"},
                {"arrays": ["A_a", "A_a"]},
                {"arrays": ["A_a", "A_b", "A_c"]},
                {"order": [0, 1]},
                {"order": [0, 0, 1]},
                {"windows": [{**data["windows"][0], "size": 1}]},
                {"windows": [{**entry, "exponents": {}} for entry in data["windows"]]},
                {"more": 1},
            )
        ),
        replace(bound, certificate=Certificate("affine", data)),
    ]
    for certificate in forged:
        with pytest.raises(CertificateError):
            check(nest, 40, certificate)
    second = box_nest(from_c(PRODUCT), {"M": 12, "N": 12, "K": 11})
    with pytest.raises(CertificateError):
        check(second, 40, bound)


def test_rules_of_the_bound_are_one_shot():
    nest = box_nest(from_c(PRODUCT), {"M": 12, "N": 12, "K": 12})
    assert nest_bound(nest, 10).rules == ONE_SHOT


@pytest.mark.parametrize(("memory", "words"), [(70, 14_933), (138, 10_347), (274, 7_187)])
def test_joint_windows_of_a_chain(memory, words):
    # worked out by hand for two products of 32 x 32 matrices; 9,216 words are played at M = 274
    nest = box_nest(from_c(TEXTS["chain"][0]), dict.fromkeys("MKLN", 32))
    bound = nest_bound(nest, memory)
    check(nest, memory, bound)
    assert bound.certificate.kind == "nest-joint-windows"
    assert bound.io == pytest.approx(words, abs=40)


def test_forged_joint_windows():
    nest = box_nest(from_c(TEXTS["chain"][0]), dict.fromkeys("MKLN", 8))
    bound = nest_bound(nest, 20)
    data = dict(bound.certificate.data)
    for change in (
        {"assignments": data["assignments"][:1], "private": data["private"][:1]},
        {"assignments": data["assignments"][:1] * 2},
        {"private": ["S1", *data["private"][1:]]},
        {"private": ["A_A", "A_A"]},
        {"windows": [{"size": 1, "count": 1}]},
        {"windows": []},
        {"assignments": ["S1", ["S3"]]},
    ):
        with pytest.raises(CertificateError):
            check(
                nest,
                20,
                replace(bound, certificate=Certificate("nest-joint-windows", {**data, **change})),
            )


def down_sets(sides):
    """All down-sets of a box, as heights over its first two sides."""
    rows, columns, limit = sides
    results = [()]
    for place in range(rows * columns):
        row, column = divmod(place, columns)
        results = [
            (*heights, height)
            for heights in results
            for height in range(
                1
                + min(
                    heights[place - columns] if row else limit,
                    heights[place - 1] if column else limit,
                )
            )
        ]
    return results


def mixed_lines(heights, sides):
    rows, columns, limit = sides
    shape = [heights[row * columns : (row + 1) * columns] for row in range(rows)]
    mixed = sum(0 < height < limit for height in heights)
    for level in range(limit):
        for row in shape:
            mixed += 0 < sum(height > level for height in row) < columns
        for column in zip(*shape, strict=True):
            mixed += 0 < sum(height > level for height in column) < rows
    return mixed


@pytest.mark.parametrize(
    "sides", [(1, 2, 5), (2, 2, 2), (2, 2, 4), (2, 3, 3), (3, 3, 3), (2, 4, 4)]
)
def test_lines_mixed_at_a_cut(sides):
    volume = sides[0] * sides[1] * sides[2]
    for turned in {sides, sides[::-1], (sides[1], sides[2], sides[0])}:
        minimum = min(
            mixed_lines(heights, turned)
            for heights in down_sets(turned)
            if volume <= 4 * sum(heights) <= 3 * volume
        )
        assert minimum >= sorted(sides)[0] * sorted(sides)[1]


def test_no_set_of_updates_has_fewer_mixed_lines_than_down_sets():
    sides = (2, 2, 3)
    points = [(i, j, k) for i in range(2) for j in range(2) for k in range(3)]
    for mask in range(1 << len(points)):
        done = {point for position, point in enumerate(points) if mask >> position & 1}
        if not len(points) <= 4 * len(done) <= 3 * len(points):
            continue
        mixed = 0
        for axis in range(3):
            lines = {}
            for point in points:
                key = (*point[:axis], *point[axis + 1 :])
                lines.setdefault(key, []).append(point in done)
            mixed += sum(any(line) and not all(line) for line in lines.values())
        assert mixed >= 4
    assert len(points) == sides[0] * sides[1] * sides[2]


def test_a_cut_proves_most_where_an_operand_nearly_fits():
    nest = box_nest(from_c(PRODUCT), {"M": 4096, "N": 4096, "K": 4096})
    bound = nest_bound(nest, 16_000_000)
    check(nest, 16_000_000, bound)
    assert bound.certificate.kind == "nest-cut"
    assert bound.io == 3 * 4096**2 + 4096**2 - 15_999_999


def test_a_cut_of_what_is_no_product():
    nest = box_nest(from_c(STRIDED), {"F": 3, "P": 4, "C": 2, "R": 4})  # windows overlap
    bound = replace(nest_bound(nest, 9), certificate=Certificate("nest-cut", {"assignment": "S1"}))
    with pytest.raises(CertificateError, match=r"several loops|one array"):
        check(nest, 9, bound)
    with pytest.raises(CertificateError, match="none of this nest"):
        check(nest, 9, replace(bound, certificate=Certificate("nest-cut", {"assignment": "S7"})))


@pytest.mark.parametrize(
    ("memory", "optimum"), [(4, 32), (5, 24), (6, 21), (7, 18), (8, 16)]
)  # by the exact search; two products of 2 x 2 move 12 words each with 8, so plain sums say 24
def test_two_products_of_which_one_reads_what_the_other_makes(memory, optimum):
    nest = box_nest(from_c(TEXTS["chain"][0]), dict.fromkeys("MKLN", 2))
    assert nest_bound(nest, memory).io <= optimum
    dag = instantiate(from_c(TEXTS["chain"][0]), dict.fromkeys("MKLN", 2))
    assert exact(dag, memory, max_memory=1 << 26, time_limit=20).io == optimum


def two_sums():
    """Two products that share no array, added up."""
    body = local("T", "M", "L") + local("U", "M", "L")
    for built, left, right in (("T", "A", "B"), ("U", "C", "D")):
        body += product(built, ROW, L, K, f"{left}[i][k]", f"{right}[k][l]")
    body += f"  {loops(ROW, L)} E[i][l] = T[i][l] + U[i][l];\n"
    arrays = {"A": "MK", "B": "KL", "C": "MK", "D": "KL", "E": "ML"}
    return box_nest(from_c(text(arrays, body)), sized("M=16,K=64,L=16"))


def test_parts_add_up():
    nest = two_sums()
    bound = nest_bound(nest, 12)
    check(nest, 12, bound)
    assert bound.certificate.kind == "nest-sum"
    best = max(gain.words for gain in gains(nest, 12, ONE_SHOT))
    assert bound.io == compulsory_of(nest) + 2 * best


def test_an_image_is_made_once():
    nest = box_nest(from_c(CHAINS["block"][0]), sized("M=64,K=64,L=64,N=64"))
    chain = box_nest(from_c(CHAINS["two products"][0]), sized("M=64,K=64,L=64,N=64"))
    bound, plain = nest_bound(nest, 40), nest_bound(chain, 40)
    check(nest, 40, bound)
    assert bound.certificate.kind == plain.certificate.kind == "nest-joint-windows"
    assert bound.io == plain.io + 64  # the bias


def test_forged_sums():
    nest = two_sums()
    bound = nest_bound(nest, 12)
    data = bound.certificate.data
    field, parts = next(iter(data.items()))
    cuts = [{"assignment": assignment.name} for assignment in nest.assignments]
    for forged in (
        {**data, field: [*parts, parts[0]]},
        {**data, field: []},
        {**data, "more": []},
        {**data, field: [*parts, {}]},
        {**data, "cuts": cuts},
        {"waits": [{"array": "A_A", "sweeps": ["S1", "S3"]}]},
        {},
    ):
        forged = replace(bound, certificate=Certificate("nest-sum", forged))
        with pytest.raises(CertificateError):
            check(nest, 12, forged)


def test_an_array_that_two_parts_read_counts_once():
    nest = box_nest(from_c(CHAINS["gated block"][0]), sized("M=64,K=64,L=64,N=64"))
    cuts = [{"assignment": assignment.name} for assignment in nest.assignments if assignment.sums]
    pair = Certificate("nest-sum", {"cuts": cuts})
    with pytest.raises(CertificateError, match="A_X twice"):
        proven(nest, 100, ONE_SHOT, pair)
    last = Certificate("nest-sum", {"cuts": cuts[1:]})
    face = 64 * 64
    assert proven(nest, 100, ONE_SHOT, last) == compulsory_of(nest) + 2 * (face - 99)


@pytest.mark.parametrize("name", ["product", "batches", "planes", "strided", "chain", "mttkrp"])
@pytest.mark.parametrize("processors", [2, 3])
def test_no_bound_of_processors_is_above_a_play(name, processors):
    rng, program = random.Random(name), from_c(TEXTS[name][0])
    names, limit, by_windows = TEXTS[name][1], 4 if len(TEXTS[name][1]) > 5 else 7, 0
    for _ in range(4):
        sizes = {size: rng.randint(limit // 2, limit) for size in names}
        nest, dag = box_nest(program, sizes), instantiate(program, sizes)
        memory = min_memory(dag) + rng.randint(0, 2)
        bound = bound_of_processors(nest, memory, processors)
        check(nest, bound.memory, bound)
        assert nest_bound(nest, memory * processors).io <= bound.io <= nest_bound(nest, memory).io
        for parallel_play in parallel_plays(dag, Machine.parallel(processors, memory)):
            assert bound.io <= parallel_play.count.io, (name, sizes, memory, parallel_play.name)
        by_windows += bound.method == "nest-processors"
    assert by_windows


def test_several_processors_move_what_their_windows_begin_with():
    nest = box_nest(from_c(PRODUCT), {"M": 4096, "N": 4096, "K": 4096})
    bound = bound_of_processors(nest, 10_000, 64)
    assert bound.method == "nest-processors"
    assert nest_bound(nest, 640_000).io * 6 < bound.io  # sqrt(64) but for what moves once
    assert bound.io <= nest_bound(nest, 10_000).io
    data = dict(bound.certificate.data)
    forged = [
        {"processors": 0},
        {"processors": True},
        {"size": 0},
        {"size": 2**70},
        {"order": [0, 1]},
        {"arrays": ["A_a", "A_a", "S2"]},
        {"assignment": "S9"},
        {"exponents": dict.fromkeys(data["exponents"], "1")},
        {"exponents": dict.fromkeys(data["exponents"], "0")},
    ]
    for change in forged:
        certificate = Certificate("nest-processors", {**data, **change})
        with pytest.raises(CertificateError):
            check(nest, 10_000, replace(bound, certificate=certificate))
    for second in ({"M": 4095}, {"K": 4097}):
        wrong = box_nest(from_c(PRODUCT), {"M": 4096, "N": 4096, "K": 4096} | second)
        with pytest.raises(CertificateError):
            check(wrong, 10_000, bound)
    with pytest.raises(CertificateError):  # more processors prove less
        check(
            nest,
            10_000,
            replace(
                bound, certificate=Certificate("nest-processors", {**data, "processors": 10**7})
            ),
        )
