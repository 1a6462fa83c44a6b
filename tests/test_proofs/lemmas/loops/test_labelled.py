"""Windows whose items are told by labels: counted in drawn orders, and forged ones refused."""

import heapq
import random
from collections import defaultdict
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest

pytest.importorskip("islpy", reason="islpy is not installed")

from dags.errors import RedBlueError
from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.text import from_c
from dags.programs.text.library import polybench
from dags.programs.tied_loops import NotCountedError
from pebble import ONE_SHOT, RULES, compulsory_words, min_memory, play
from proofs import CertificateError, check
from proofs.bounds.loops import labelled as finder
from proofs.bounds.loops.labelled import described, labelled_choices
from proofs.bounds.loops.nests import nest_bound
from proofs.bounds.loops.projections import affine
from proofs.bounds.loops.window_sizes import tight_exponents
from proofs.core import records
from proofs.core.records import Certificate
from proofs.lemmas.loops.hbl import least_words
from proofs.lemmas.loops.labelled import Labelled, counts
from proofs.lemmas.loops.nests import compulsory_of, proven
from schedulers import scheduler_named
from tests.campaigns import forgeries
from tests.nest_texts import PRODUCT
from tests.test_proofs.small_nests import small_nest_text

SMALL = {
    "lu": {"N": 6},
    "ludcmp": {"N": 5},
    "cholesky": {"N": 6},
    "gramschmidt": {"M": 4, "N": 4},
    "syr2k": {"M": 3, "N": 5},
    "covariance": {"M": 4, "N": 4},
    "floyd-warshall": {"N": 5},
    "trmm": {"M": 5, "N": 3},
    "symm": {"M": 4, "N": 3},
    "adi": {"TSTEPS": 2, "N": 5},
}


TEXTS = {  # as people write them; sizes of small members, and words at M = 4096 about
    "elimination": (
        """for (int k = 0; k < N; k++) {
          for (int i = k+1; i < N; i++) A[i][k] /= A[k][k];
          for (int i = k+1; i < N; i++)
            for (int j = k+1; j < N; j++)
              A[i][j] -= A[i][k] * A[k][j]; }""",
        6,
        lambda n: 2 / 3 * n**3 / 64,
    ),
    "solution": (
        """for (int j = 0; j < N; j++)
          for (int i = j+1; i < N; i++)
            for (int k = j; k < i; k++)
              X[i][j] -= L[i][k] * X[k][j];""",
        6,
        lambda n: 1 / 3 * n**3 / 64,
    ),
    "rows, then columns": (  # the loop over rows below begins one later, and has the other name
        """for (int i = 0; i < N; i++) {
          for (int j = i; j < N; j++)
            for (int k = 0; k < i; k++) a[i][j] -= a[i][k] * a[k][j];
          for (int j = i+1; j < N; j++) {
            for (int k = 0; k < i; k++) a[j][i] -= a[j][k] * a[k][i];
            a[j][i] /= a[i][i]; } }""",
        6,
        lambda n: 2 / 3 * n**3 / 64,
    ),
    "bodies": (
        """for (int i = 0; i < N; i++)
          for (int j = 0; j < N; j++)
            F[i] += g(x[i] - x[j], y[i] - y[j]);""",
        7,
        lambda n: 2 * n**2 / 4096,
    ),
}


def own(name):
    text, small, words = TEXTS[name]
    return from_c(text), small, words


def points(part):
    for point in product(*(range(low, high) for low, high in part.box)):
        if all(dot(tie.row, point) + tie.constant >= 0 for tie in part.ties):
            yield point


def dot(row, point):
    return sum(by * at for by, at in zip(row, point, strict=True))


def index(access, point):
    pairs = zip(access.rows, access.offset, strict=True)
    return tuple(dot(row, point) + more for row, more in pairs)


def operands(nest):
    """What each update reads: inputs by array and index, values by assignment and point."""
    made, found = {}, {}
    for each in nest.assignments:
        for point in sorted(points(each)):
            item = each.name, index(each.item, point)
            found[each.name, point] = [made[item]] if each.sums and item in made else []
            made[item] = each.name, point
    for each in nest.assignments:
        for read in each.reads:
            for point in points(read):
                value = read.array, index(read, point)
                found[each.name, point].append(made.get(value, value))
    return found


def drawn_order(found, rng):
    """A topological order: by chance, or by tiles in an order of the loops."""
    depth = max(len(point) for _, point in found)
    axes, side = rng.sample(range(depth), depth), rng.choice([1, 1, 2, 3])
    chance = rng.random() < 0.3

    def key(vertex):
        point = [*vertex[1], *[0] * (depth - len(vertex[1]))]
        tile = [point[at] // side for at in axes]
        return [rng.random()] if chance else [*tile, *(point[at] for at in axes)]

    need = {vertex: {one for one in read if one in found} for vertex, read in found.items()}
    readers = defaultdict(list)
    for vertex, some in need.items():
        for one in some:
            readers[one].append(vertex)
    left = {vertex: len(some) for vertex, some in need.items()}
    ready = [(key(vertex), vertex) for vertex, count in left.items() if not count]
    heapq.heapify(ready)
    while ready:
        _, vertex = heapq.heappop(ready)
        yield vertex
        for reader in readers[vertex]:
            left[reader] -= 1
            if not left[reader]:
                heapq.heappush(ready, (key(reader), reader))


def exchanged(nest, choice, counted, found, rng):
    """Items that windows of a drawn order touch, and values of counted arrays that come in."""
    known = {each.name: each for each in nest.assignments}
    at = {
        (member.assignment, point): [
            point[loop] + more
            for loop, more in zip(
                member.loops, member.shifts or (0,) * len(member.loops), strict=True
            )
        ]
        for member in choice.members
        for point in points(known[member.assignment])
    }
    if choice.falling:
        first, second = choice.falling
        at = {vertex: point for vertex, point in at.items() if point[first] > point[second]}
    assert counted.updates == len(at) == len({*map(tuple, at.values())})
    size, windows = rng.choice([1, 2, 3, 5, 8, 13, 30]), [[]]
    for vertex in drawn_order(found, rng):
        if vertex in at and len([one for one in windows[-1] if one in at]) == size:
            windows.append([])
        windows[-1].append(vertex)
    items = values = 0
    for window in windows:
        mine = [vertex for vertex in window if vertex in at]
        items += len(
            {
                (number, *(at[vertex][one] for one in role))
                for vertex in mine
                for number, slot in enumerate(choice.slots)
                for role in slot.roles
            }
        )
        read = {
            (vertex[0], value) for vertex in mine for value in found[vertex] if value not in window
        }
        values += len(
            {
                value
                for reader, value in read
                if value[0] in counted.read or (reader == value[0] and reader in counted.summed)
            }
        )
    return items, values


def checked(nest, rng, times):
    """How many drawn plays have windows that touch more than is waived."""
    found, beyond = operands(nest), 0
    for choice in labelled_choices(nest):
        try:
            counted = counts(nest, choice)
        except CertificateError:
            continue
        for _ in range(times):
            items, values = exchanged(nest, choice, counted, found, rng)
            assert items - counted.waived <= values, choice
            beyond += items > counted.waived
    return beyond


@pytest.mark.parametrize("name", SMALL)
def test_windows_touch_no_more_than_comes_in(name):
    rng = random.Random(name)
    assert checked(box_nest(polybench(name), SMALL[name]), rng, 8)


@pytest.mark.parametrize("name", TEXTS)
def test_windows_of_own_texts(name):
    program, small, words = own(name)
    assert checked(box_nest(program, {"N": small}), random.Random(name), 8)
    nest = box_nest(program, {"N": 20000})
    bound = nest_bound(nest, 4096)
    check(nest, 4096, bound)
    assert 0.9 < bound.io / words(20000) < 1.15


def test_reads_that_no_formula_counts_leave_other_bounds(monkeypatch):
    def uncounted(*_):
        raise NotCountedError("no formula counts that")

    nest = box_nest(polybench("lu"), {"N": 60})
    known = [*labelled_choices(nest)]
    monkeypatch.setattr(finder, "points", uncounted)
    assert {each.members for each in labelled_choices(nest)} == {each.members for each in known}
    assert nest_bound(nest, 8).io >= compulsory_words(instantiate(polybench("lu"), {"N": 60}))


@pytest.mark.parametrize("part", range(4))
def test_windows_of_drawn_nests_touch_no_more_than_comes_in(part):
    beyond = 0
    for case in range(40):
        rng = random.Random(f"{part} {case}")
        try:
            nest = box_nest(from_c(small_nest_text(rng)), {})
            beyond += checked(nest, rng, 2) if 0 < nest.updates < 150 else 0
        except RedBlueError:
            continue
    assert beyond > 20


@pytest.mark.parametrize("part", range(3))
def test_no_forged_slots_touch_more_than_comes_in(part):
    # what no bound shows, for compulsory words hide it: the inequality of the lemma itself
    one = {"windows": [{"size": 1, "count": 1, "exponents": {}}]}
    accepted = beyond = case = 0
    while accepted < 150:
        rng = random.Random(f"forged {part} {case}")
        case += 1
        game = forgeries.drawn(rng, forgeries.LABELLED)
        if game is None or game.nest.any_order or game.nest.updates > 160:
            continue
        data = [{**described(each), **one} for each in labelled_choices(game.nest)]
        for known in rng.sample(data, min(len(data), 2)):
            best, found = known, operands(game.nest)
            for _ in range(20):
                forged = deepcopy(best)
                forgeries.change(rng, forgeries.LABELLED, forged, game)
                with suppress(RedBlueError):
                    record = records.read(Labelled, forged)
                    counted, best = counts(game.nest, record), forged
                    items, values = exchanged(game.nest, record, counted, found, rng)
                    assert items - counted.waived <= values, (game.name, forged)
                    accepted, beyond = accepted + 1, beyond + (items > counted.waived)
    assert beyond > 30


MIRRORED = {
    "syrk": {"M": 2, "N": 4},
    "syr2k": {"M": 2, "N": 4},
    "cholesky": {"N": 5},
    "covariance": {"M": 4, "N": 2},
}


def mirrored_labels(nest, choice):
    """Of each update that counts its labels, all slots together."""
    known = {assignment.name: assignment for assignment in nest.assignments}
    first, second = choice.falling
    for member in choice.members:
        for point in points(known[member.assignment]):
            at = [point[loop] for loop in member.loops]
            if at[first] > at[second]:
                yield frozenset(
                    (number, *(at[place] for place in role))
                    for number, slot in enumerate(choice.slots)
                    for role in slot.roles
                )


@pytest.mark.parametrize("name", MIRRORED)
def test_sets_of_mirrored_updates_have_as_many_labels(name):
    # all sets of some sizes: two rows of a column are different (N4)
    nest, rng = box_nest(polybench(name), MIRRORED[name]), random.Random(name)
    exact = columns = 0
    for choice in labelled_choices(nest):
        try:
            counted = counts(nest, choice) if choice.falling else None
        except CertificateError:
            continue
        if counted is None:
            continue
        columns += any("columns" in measure.name for measure in counted.shape.partial)
        labels = [*mirrored_labels(nest, choice)]
        for size in range(1, min(6, len(labels) + 1)):
            sets = [*combinations(labels, size)]
            least = min(len(frozenset().union(*labels_of_each)) for labels_of_each in sets[:60000])
            ((_, best),) = tight_exponents(counted.shape, counted.updates, [size])
            names = [measure.name for measure in counted.shape.partial]
            draws = [{name: Fraction(rng.randint(0, 4), 4) for name in names} for _ in range(20)]
            for exponents in (best, *draws):
                words = least_words(counted.shape, size, exponents)
                assert words <= least, (choice, size, exponents)
                exact += words == least
    assert columns
    assert exact


def test_inputs_of_counted_arrays_that_no_update_reads_are_loaded_besides():
    # the first column of a factorization is divided and in no window
    nest = box_nest(polybench("lu"), {"N": 14})
    bound = nest_bound(nest, 8)
    (part,) = bound.certificate.data["slots"][:1]
    assert part["roles"]
    assert bound.io == affine(instantiate(polybench("lu"), {"N": 14}), 8).io


@pytest.mark.parametrize("name", ["syrk", "syr2k"])
def test_sums_that_begin_with_a_value_that_is_made_are_counted_under_recomputation(name):
    program, sizes = polybench(name), {"M": 10, "N": 12}
    nest, rules = box_nest(program, sizes), RULES["recompute"]
    bound = nest_bound(nest, 12, rules=rules)
    check(nest, 12, bound)
    assert bound.certificate.kind == "nest-labelled-windows"
    assert bound.io == affine(instantiate(program, sizes), 12, rules=rules).io
    assert bound.io > compulsory_of(nest)


def test_older_certificates_of_mirrored_updates_are_read_without_columns():
    nest = box_nest(polybench("syrk"), {"M": 12, "N": 14})
    bound = nest_bound(nest, 8)
    data = deepcopy(bound.certificate.data)
    for window in data["windows"]:
        window["exponents"] = {
            slot: power for slot, power in window["exponents"].items() if "columns" not in slot
        }
    assert data != bound.certificate.data
    older = proven(nest, 8, ONE_SHOT, replace(bound.certificate, data=data))
    assert compulsory_of(nest) < older < bound.io


LEADING = {  # words at n = 2000 and M = 4096, over n^3 / sqrt(M)
    "lu": 2 / 3,
    "cholesky": 2**0.5 / 6,
    "floyd-warshall": 2,
}


@pytest.mark.parametrize("name", LEADING)
def test_the_leading_term(name):
    nest = box_nest(polybench(name), {"N": 2000})
    bound = nest_bound(nest, 4096)
    check(nest, 4096, bound)
    assert 0.8 < bound.io / (LEADING[name] * 2000**3 / 64) < 1.02


@pytest.mark.parametrize("name", SMALL)
def test_no_bound_is_above_a_play(name):
    program, sizes = polybench(name), SMALL[name]
    nest, dag = box_nest(program, sizes), instantiate(program, sizes)
    least = min_memory(dag)
    for memory in (least, least + 2, 2 * least):
        bound = nest_bound(nest, memory)
        schedule = scheduler_named("natural+belady-cost")(dag, memory)
        assert compulsory_words(dag) <= bound.io <= play(dag, schedule, memory).io


def test_forged_labels():
    nest = box_nest(polybench("lu"), {"N": 60})
    bound = nest_bound(nest, 8)
    data = bound.certificate.data
    assert bound.certificate.kind == "nest-labelled-windows"
    check(nest, 8, bound)
    first, *others = data["slots"]
    forged = [
        {**data, "members": data["members"][:1]},
        {**data, "members": [data["members"][0]] * 2},
        {**data, "members": [{**each, "loops": [0, 2, 1]} for each in data["members"]]},
        {**data, "slots": [{**first, "roles": [[0, 1]]}, *others]},
        {**data, "slots": [{**first, "roles": [[0, 1, 2]]}, *others]},
        {**data, "slots": [first, *data["slots"]]},
        {**data, "slots": others},
        {**data, "falling": [0, 1]},
        {**data, "slots": [{**first, "values": []}, *others]},
        {**data, "windows": [{**data["windows"][0], "count": 1 + data["windows"][0]["count"]}]},
    ]
    for one in forged:
        certificate = replace(bound.certificate, data=one)
        with pytest.raises(CertificateError):
            check(nest, 8, replace(bound, certificate=certificate))
    for other in (box_nest(polybench("lu"), {"N": 59}), box_nest(polybench("cholesky"), {"N": 60})):
        with pytest.raises(CertificateError):
            check(other, 8, bound)


def counted_sums(parts, count):
    """Slots that count the open sums of a product by some parts of their labels, doubled."""
    slots = [
        {
            "roles": [[*role]],
            "values": [{"array": "S1", "places": [*role], "shifts": [0] * len(role)}],
        }
        for role in parts
    ] * count
    exponents = {str(at): "1" for at in range(len(slots))}
    return {
        "members": [{"assignment": "S1", "loops": [0, 1, 2]}],
        "slots": slots,
        "windows": [{"size": 1, "count": 32, "exponents": exponents}],
    }


@pytest.mark.parametrize("parts", [[(0, 1)], [(0,)], [(0,), (1,)], [(0, 1), (0,), (1,)]])
@pytest.mark.parametrize("any_order", [False, True])
def test_open_sums_in_several_slots_count_once(parts, any_order):
    # sixteen slots that counted the same sums proved 359 words once; 68 are optimal
    nest = box_nest(from_c(PRODUCT), {"M": 2, "N": 2, "K": 8}, any_order=any_order)
    for count in range(1, 1 + 16 // len(parts)):
        forged = Certificate("nest-labelled-windows", counted_sums(parts, count))
        assert proven(nest, 4, ONE_SHOT, forged) == compulsory_of(nest) == 36
