"""What lemmas on nests say of their updates, held against the DAG of the text by brute force.

Each lemma has an inequality of its own, below every bound: so many updates touch at least so many
items; what windows of a play touch is made, or comes in; half of a product leaves so many lines
mixed; a play loads so many values of some kinds. Wrong ones hide below compulsory words. A *record*
is what a certificate says of a part: records are drawn, more of them than a search would find.
"""

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import chain, combinations, islice, product
from math import comb

from dags.programs.tied_loops import NotCountedError
from pebble import ONE_SHOT
from proofs import CertificateError
from proofs.bounds.loops.labelled import described, labelled_choices
from proofs.bounds.loops.meshes import meshes_in
from proofs.bounds.loops.nests import gains
from proofs.bounds.loops.window_sizes import tight_exponents
from proofs.core.records import read
from proofs.lemmas.loops.hbl import least_words
from proofs.lemmas.loops.joint_windows import (
    accesses_of_product,
    arrays_of_product,
    images,
    least_touched,
    sides_of,
)
from proofs.lemmas.loops.labelled import counts
from proofs.lemmas.loops.meshes import mesh_words
from proofs.lemmas.loops.nest_updates import in_order, inside, premises, words_in_order
from proofs.lemmas.loops.nests import (
    CUT,
    EVERYWHERE,
    JOINT,
    LABELLED,
    MESH,
    NESTS,
    WAITS,
    WINDOWS,
    inputs_among,
    part_of_sum,
)
from proofs.lemmas.loops.overlapping import items_of_product
from proofs.lemmas.loops.updates import exponents_in
from proofs.lemmas.loops.waiting import Sweeps
from tests.test_proofs.nest_graphs import READ, copies_of, domain, index_of, labelled_points
from tests.test_proofs.partial_nests import judged_in_part, judged_pairs

EVERY = 3000  # sets that are tried one by one
STARTS = 6  # of sets that grow
ORDERS, THRIFTY = 6, 6  # of a nest, and of a part of a bound
PEERS = 3  # of a part that may be added to it
TURNS = 30  # changes of an order that are tried, so that it needs fewer loads


# Sets of updates.


def least_unions(items, sizes, rng):
    """The fewest items that sets of so many updates are seen to touch, by size.

    Parameters
    ----------
    items
        Of each update a set.
    sizes
        Of the sets.
    rng
        Draws.
    """
    updates = sorted(items)
    least = {size: len(frozenset().union(*islice(items.values(), size))) for size in sizes}
    for size in sizes:
        if comb(len(updates), size) <= EVERY:
            some = combinations([items[u] for u in updates], size)
            least[size] = min(len(frozenset().union(*each)) for each in some)
    for _ in range(STARTS):
        left, held = dict(items), set(items[rng.choice(updates)])
        for grown in range(1, max(sizes) + 1):
            best = min(left, key=lambda u: (len(left[u] - held), rng.random()))
            held |= left.pop(best)
            if grown in least:
                least[grown] = min(least[grown], len(held))
    return least


def sizes_up_to(updates, rng):
    return sorted({1, updates, *(rng.randint(1, updates) for _ in range(4))})


def touched_by_sets(graph, name, found, arrays, rng):
    """Hold the least items of sets of updates of one copy (N1, N8, N12); copies share none.

    Returns
    -------
    tuple
        How many sizes of sets were tried, and at how many the lemma is exact.
    """
    copies = copies_of(graph, found)
    assert len(copies) == found.copies
    items = [{v: graph.items(v, arrays) for v in copy} for copy in copies]
    assert all(len(copy) == found.updates for copy in copies)
    every = [frozenset().union(*copy.values()) for copy in items]
    assert sum(map(len, every)) == len(frozenset().union(*every)), "copies share items"
    sizes = sizes_up_to(found.updates, rng)
    some = least_unions(items[rng.randrange(len(items))], sizes, rng)
    product = items_of_product(found, max(sizes))
    tight = 0
    for size in sizes:
        for _ in range(3):
            exponents = drawn_exponents(found.shape, rng, size)
            words = max(least_words(found.shape, size, exponents), product[size])
            assert words <= some[size], (name, arrays, size, exponents)
            tight += words == some[size]
    return 3 * len(sizes), tight


def drawn_exponents(shape, rng, size=None):
    """Exponents: any at all, or those that say most of sets of some size."""
    if size is not None and shape.partial and rng.random() < 0.7:
        ((_, exponents),) = tight_exponents(shape, size, [size])
        return exponents
    grain = rng.choice([2, 2, 3, 4, 6])
    return {each.name: Fraction(rng.randint(0, grain), grain) for each in shape.partial}


# Records.


def whole_arrays(each):
    """Arrays of which every update of an assignment has an item."""
    reads = dict.fromkeys(access.array for access in each.reads if each.is_whole(access))
    reads.pop(each.name, None)
    return [*reads, *([each.name] if each.sums else [])]


def drawn_box(each, rng):
    """A part of the box of an assignment without conditions; () of one that has some."""
    if each.ties or rng.random() < 0.6:
        return ()
    box = []
    for at, (low, high) in enumerate(each.box):
        first = rng.randint(low, high - 1)
        box.append((low, high) if at in each.summed else (first, rng.randint(first + 1, high)))
    return tuple(box)


def drawn_windows(updates, rng):
    """Sizes and counts of windows of so many updates."""
    size, more = divmod(updates, rng.randint(1, min(updates, rng.choice([3, 6, 12]))))
    number = updates // size
    size, more = divmod(updates, number)
    return [(size, count) for size, count in ((size + 1, more), (size, number - more)) if count]


def in_words(exponents):
    return {name: str(value) for name, value in exponents.items()}


def drawn_premises(nest, rng):
    """Yield premises of windows of one assignment, with what a record says of them."""
    for each in nest.assignments:
        for box in {(), drawn_box(each, rng)}:
            with suppress(CertificateError):
                part = inside(each, box) if box else each
                arrays = whole_arrays(part)
                arrays = tuple(rng.sample(arrays, rng.randint(min(1, len(arrays)), len(arrays))))
                if rng.random() < 0.5:
                    arrays = tuple(whole_arrays(part))
                order = tuple(rng.sample(range(len(each.box)), len(each.box)))
                if arrays:
                    found = premises(nest, each.name, arrays, order, box)
                    said = {"assignment": each.name, "arrays": list(arrays), "order": list(order)}
                    yield found, said | ({"box": [list(ends) for ends in box]} if box else {})


def window_records(nest, rng):
    """Yield records of windows of one assignment: apart, in the order of the text, everywhere."""
    for found, said in drawn_premises(nest, rng):
        cut = [
            {
                "size": size,
                "count": count,
                "exponents": in_words(drawn_exponents(found.shape, rng, size)),
            }
            for size, count in drawn_windows(found.updates, rng)
        ]
        yield WINDOWS, {**said, "windows": cut}
        for pair in rng.sample(
            [*combinations(said["arrays"], 2)], min(1, len(said["arrays"]) // 2)
        ):
            for ordered in (pair, pair[::-1]):
                with suppress(CertificateError):
                    shape, _ = in_order(found, tuple(said["order"]), ordered)
                    powers = in_words(drawn_exponents(shape, rng, cut[0]["size"]))
                    own = [{**each, "exponents": powers} for each in cut]
                    yield WINDOWS, {**said, "ordered": list(ordered), "windows": own}
        if found.updates > 1 and "box" not in said:
            for _ in range(3):
                size = rng.randint(2, found.updates)
                powers = in_words(drawn_exponents(found.shape, rng, size))
                yield EVERYWHERE, {**said, "size": size, "exponents": powers}


def joint_records(nest, rng):
    """Yield records of windows of several products."""
    lines, products = images(nest), {}
    for each in nest.assignments:
        with suppress(CertificateError):
            products[each.name] = [lines[array][-1] for array in arrays_of_product(each)]
    for _ in range(2 if len(products) > 1 else 0):
        names = rng.sample([*products], rng.randint(2, len(products)))
        updates = sum(each.size for each in nest.assignments if each.name in names)
        cut = [{"size": s, "count": c} for s, c in drawn_windows(updates, rng)]
        private = [rng.choice(products[name]) for name in names]
        yield JOINT, {"assignments": names, "private": private, "windows": cut}


def sweep_records(nest, rng):
    """Yield records of sweeps: any assignments that read an array, in any order."""
    readers = {}
    for each in nest.assignments:
        for array in whole_arrays(each):
            readers.setdefault(array, []).append(each.name)
    for array, names in readers.items():
        for pair in combinations(names, 2):
            yield WAITS, {"array": array, "sweeps": list(pair)}
        if len(names) > 2:
            for _ in range(3):
                some = sorted(rng.sample(range(len(names)), rng.randint(2, len(names))))
                yield WAITS, {"array": array, "sweeps": [names[at] for at in some]}


def labelled_records(nest, rng):
    """Yield records of windows whose items are told by labels."""
    for choice in islice(labelled_choices(nest), 12):
        with suppress(CertificateError, NotCountedError):
            found = counts(nest, choice)
            cut = [
                {"size": s, "count": c, "exponents": in_words(drawn_exponents(found.shape, rng, s))}
                for s, c in drawn_windows(found.updates, rng)
            ]
            yield LABELLED, {**described(choice), "windows": cut}


def cut_records(nest, rng):
    """Yield records of cuts in the middle of products."""
    for each in nest.assignments:
        with suppress(CertificateError):
            sides_of(each)
            yield CUT, {"assignment": each.name}


RECORDS_OF = (window_records, joint_records, sweep_records, labelled_records, cut_records)


def drawn_parts(nest, memory, rng):
    """Yield parts that a checker accepts at a memory, with their kind and record."""
    found = [(each.kind, each.data) for each in gains(nest, memory, ONE_SHOT)]
    for records in (lambda *_: found, *RECORDS_OF):
        for kind, data in records(nest, rng):
            with suppress(CertificateError):
                record = read(Sweeps if kind == WAITS else NESTS[kind].record, data)
                yield kind, record, part_of_sum(nest, memory, ONE_SHOT, record)


# Plays.


def drawn_orders(graph, rng, count):
    """Yield orders in which the values of a nest may be made: by tiles, deep, or by chance.

    Tiles are of loops in any order, each assignment perhaps a few iterations before another one.
    """
    depth = max(len(point) for _, point in graph.places.values())
    for _ in range(count):
        axes, side = rng.sample(range(depth), depth), rng.choice([1, 1, 1, 2, 3])
        way, shifts = rng.choice(["chance", "tiles", "tiles", "deep", "deep"]), {}
        for each in graph.nest.assignments:
            back = each.item.offset if not each.sums and rng.random() < 0.5 else [0] * depth
            shifts[each.name] = [*back, *[0] * (depth - len(back))]
            if rng.random() < 0.2:
                shifts[each.name][0] += rng.choice([-1, 1])
        tiles = {}
        for v, (name, point) in graph.places.items():
            padded = [*point, *[0] * (depth - len(point))]
            moved = [by + more for by, more in zip(padded, shifts[name], strict=True)]
            tiles[v] = [moved[at] // side for at in axes], [moved[at] for at in axes], v
        if way == "tiles":
            yield made_in_order(graph, lambda v, *_, tiles=tiles: tiles[v])
        elif way == "deep":
            yield made_in_order(graph, lambda v, since, _: (-since, rng.random()))
        else:
            yield made_in_order(graph, lambda *_: rng.random())


def thrifty_order(graph, values, memory, rng):
    """An order that makes next what lacks the fewest of some values, of those used last."""
    recent, turn = [], rng.choice([-1, -1, 1, 0])

    def lacking(v, since, order):
        if order and order[-1] not in recent[-1:]:
            for w in (*(graph.operands[order[-1]] & values), order[-1]):
                if w in recent:
                    recent.remove(w)
                recent.append(w)
        held = {*[w for w in recent if w in values][-memory:]}
        return len((graph.operands[v] & values) - held), turn * since, rng.random()

    return made_in_order(graph, lacking)


def made_in_order(graph, key):
    """The values of a nest, of those that are ready always the one with the least key.

    Parameters
    ----------
    graph
        The nest.
    key
        Of a vertex, of how many were made when it became ready, and of all that are made.
    """
    left = {v: len(graph.operands[v] & graph.places.keys()) for v in graph.places}
    ready, order = {v: 0 for v, number in left.items() if not number}, []
    while ready:
        v = min(ready, key=lambda v: key(v, ready[v], order))
        del ready[v]
        order.append(v)
        for reader in graph.readers[v]:
            left[reader] -= 1
            if not left[reader]:
                ready[reader] = len(order)
    return order


def near(graph, order, rng):
    """Another order, in which one value is made sooner or later."""
    order = list(order)
    v = order.pop(rng.randrange(len(order)))
    places = {w: place for place, w in enumerate(order)}
    low = max((places[w] + 1 for w in graph.operands[v] if w in places), default=0)
    high = min((places[w] for w in graph.readers[v]), default=len(order))
    order.insert(rng.randint(low, high), v)
    return order


def _uses(graph, order, values):
    """The operands of each step among some values, and when each value is next used after it."""
    uses = [graph.operands[v] & values for v in order]
    later, next_use = {}, [None] * len(order)
    for step in range(len(order) - 1, -1, -1):
        v = order[step]
        some = uses[step] | ({v} & values)
        next_use[step] = {w: later.get(w) for w in some}
        later.update(dict.fromkeys(uses[step], step))
    return uses, next_use


def loaded(graph, order, values, memory):
    """The fewest loads of some values in an order; None where operands have no room.

    Only these values take room: at most `room` of them just before an update, its operands among
    them. Between two uses a value stays, or it is loaded again. Where there is no room for all,
    those whose next use is nearest stay, which is best.
    """
    uses, next_use = _uses(graph, order, values)
    kept, loads = {}, 0  # values in fast memory, and when they are used next
    for step, operands in enumerate(uses):
        room = graph.room(order[step], memory)
        if len(operands) > room:
            return None
        loads += len([w for w in operands if w not in kept])
        for w in operands:
            kept.pop(w, None)
        while len(kept) > room - len(operands):
            del kept[max(kept, key=lambda w: (kept[w], w))]
        kept |= {w: after for w, after in next_use[step].items() if after is not None}
    return loads


def stored(graph, order, values, memory):
    """Values that are made, no outputs, and leave before their last use, in a play that avoids it.

    So many are stored; in each of these plays, and the fewest in some.
    """
    counted = values - graph.outputs
    uses, _ = _uses(graph, order, values)
    last = {w: step for step, operands in enumerate(uses) for w in operands}
    alive, left = {}, 0
    for step, operands in enumerate(uses):
        alive = {w: end for w, end in alive.items() if end >= step}
        through = [w for w in alive if w not in operands]
        while len(through) > graph.room(order[step], memory) - len(operands):
            leaves = max(through, key=lambda w: (alive[w], w))
            through.remove(leaves)
            del alive[leaves]
            left += 1
        v = order[step]
        if v in counted and v in last:
            alive[v] = last[v]
    return left


# What a part says, and what plays move.


def judged_part(graph, memory, accepted, orders, rng):
    """Hold a part that a checker accepts against plays, and its windows against what they touch.

    Returns
    -------
    str
        The kind of the part, and "beyond inputs" where it counts more than these.
    """
    kind, record, part = accepted
    values = graph.values(part)
    about = (kind, record, part, memory)
    beyond = part.loads > inputs_among(graph.nest, part.read) or part.stores > 0
    least = None
    if beyond:
        orders = [*orders, *(thrifty_order(graph, values, memory, rng) for _ in range(THRIFTY))]
    for order in orders:
        loads = loaded(graph, order, values, memory)
        if loads is None:
            return f"{kind}: no room"
        for _ in range(TURNS if part.loads > inputs_among(graph.nest, part.read) else 0):
            other = near(graph, order, rng)
            fewer = loaded(graph, other, values, memory)
            if fewer <= loads:
                order, loads = other, fewer
        assert part.loads <= loads, about
        assert part.stores <= stored(graph, order, values, memory), about
        least = loads if least is None else min(least, loads)
        exchange = EXCHANGES.get(kind)
        if exchange is not None:
            claimed, moved = exchange(graph, record, part, order, rng)
            assert claimed <= moved, about
    if kind in SETS:
        SETS[kind](graph, record, rng)
    tight = " exactly" if least == part.loads else ""
    return f"{kind}: beyond inputs{tight}" if beyond else f"{kind}: inputs"


def windows_of(order, members, cut, rng):
    """Windows of an order, each but the first from a member on: their members, and all of it."""
    sizes = [size for size, count in cut for _ in range(count)]
    rng.shuffle(sizes)
    windows, left = [([], set())], sizes[0]
    ends = iter(sizes[1:])
    for v in order:
        if v in members:
            if not left:
                windows.append(([], set()))
                left = next(ends)
            left -= 1
            windows[-1][0].append(v)
        windows[-1][1].add(v)
    assert not left
    assert next(ends, None) is None
    return windows


def coming_in(graph, windows, values, *, all_readers=False):
    """How many of some values windows need from before them, or as inputs."""
    total = 0
    for members, every in windows:
        readers = every if all_readers else members
        read = {w for v in readers for w in graph.operands[v]}
        total += len((read & values) - every)
    return total


def made_items(graph, arrays):
    """How many items of some arrays are made."""
    made = {v for v, (kind, array) in graph.kinds.items() if kind == READ and array in arrays}
    return len(made & graph.places.keys())


def _exchange_of_windows(graph, record, part, order, rng):
    nest, cut = graph.nest, [(each.size, each.count) for each in record.windows]
    box = tuple((ends[0], ends[-1]) for ends in record.box)
    found = premises(nest, record.assignment, record.arrays, record.order, box)
    shape, words = found.shape, least_words
    if record.ordered:
        shape, length = in_order(found, record.order, record.ordered)

        def words(shape, size, exponents):
            return words_in_order(shape, size, exponents, length)

    claimed = sum(
        each.count * words(shape, each.size, exponents_in(shape, each.exponents))
        for each in record.windows
    )
    values, moved = graph.values(part), 0
    for copy in copies_of(graph, found):
        moved += coming_in(graph, windows_of(order, {*copy}, cut, rng), values)
    return found.copies * claimed - made_items(graph, record.arrays), moved


def _exchange_of_products(graph, record, part, order, rng):
    cut = [(each.size, each.count) for each in record.windows]
    members = {v for v, (name, _) in graph.places.items() if name in record.assignments}
    windows = windows_of(order, members, cut, rng)
    claimed = sum(count * least_touched(size) for size, count in cut)
    lines = images(graph.nest)
    each = {n: e for n, e in graph.known.items() if n in record.assignments}
    roots = {lines[array][-1] for one in each.values() for array in arrays_of_product(one)}
    values = graph.values(part)
    moved = coming_in(graph, windows, values, all_readers=True)
    return claimed - made_items(graph, roots), moved


def _exchange_of_labels(graph, record, part, order, rng):
    counted = counts(graph.nest, record)
    cut = [(window.size, window.count) for window in record.windows]
    members = {*labelled_points(graph, record)}
    claimed = sum(
        each.count
        * least_words(counted.shape, each.size, exponents_in(counted.shape, each.exponents))
        for each in record.windows
    )
    moved = coming_in(graph, windows_of(order, members, cut, rng), graph.values(part))
    return claimed - counted.waived, moved


EXCHANGES = {
    WINDOWS: _exchange_of_windows,
    JOINT: _exchange_of_products,
    LABELLED: _exchange_of_labels,
}


def _sets_of_windows(graph, record, rng):
    box = tuple((ends[0], ends[-1]) for ends in getattr(record, "box", ()))
    found = premises(graph.nest, record.assignment, record.arrays, record.order, box)
    touched_by_sets(graph, record.assignment, found, record.arrays, rng)
    if getattr(record, "ordered", ()):
        return
    items = {v: graph.items(v, record.arrays) for copy in copies_of(graph, found) for v in copy}
    sizes = sizes_up_to(len(items), rng)
    least = least_unions(items, sizes, rng)
    for size in sizes:
        exponents = drawn_exponents(found.shape, rng, size)
        if sum(exponents.values()) >= 1:  # of several copies (M3)
            assert least_words(found.shape, size, exponents) <= least[size], (record, size)


def _sets_of_products(graph, record, rng):
    """Hold the items of sets of updates of several products (N9)."""
    lines = images(graph.nest)
    items = {}
    for v, (name, _) in graph.places.items():
        if name in record.assignments:
            own = {graph.sums[v]}
            for array in arrays_of_product(graph.known[name])[:-1]:
                (value,) = (w for w in graph.operands[v] if graph.kinds[w] == (READ, array))
                own.add(root_of(graph, value, lines[array]))
            items[v] = frozenset(own)
    sizes = sizes_up_to(len(items), rng)
    least = least_unions(items, sizes, rng)
    for size in sizes:
        assert least_touched(size) <= least[size], (record, size)


def _sets_of_labels(graph, record, rng):
    """Hold the labels of sets of updates (N1, N4, N19)."""
    counted = counts(graph.nest, record)
    items = {
        v: frozenset(
            (number, *(at[place] for place in role))
            for number, slot in enumerate(record.slots)
            for role in slot.roles
        )
        for v, at in labelled_points(graph, record).items()
    }
    assert len(items) == counted.updates
    sizes = sizes_up_to(len(items), rng)
    least = least_unions(items, sizes, rng)
    for size in sizes:
        for _ in range(3):
            exponents = drawn_exponents(counted.shape, rng, size)
            assert least_words(counted.shape, size, exponents) <= least[size], (record, size)


def root_of(graph, value, line):
    """The item of which a value is an image: the sum, or the value that it is made of."""
    for array in line[1:]:
        some = [w for w in graph.operands[value] if graph.kinds[w] == (READ, array)]
        value = min(some)  # whichever is read, different images are made of different ones
        if len(some) > 1:
            break
    return graph.sums.get(value, value)


def _mixed_lines(graph, record, rng):
    """Hold the lines that half of the updates of a product leave mixed (N10)."""
    each = graph.known[record.assignment]
    arrays = arrays_of_product(each)
    _, (short, middle, _) = sides_of(each)
    apart = [
        at
        for at, (low, high) in enumerate(each.box)
        if high - low > 1
        and all(any(row[at] for row in access.rows) for access in accesses_of_product(each))
    ]
    copies = {}
    for v, (name, point) in graph.places.items():
        if name == each.name:
            copies.setdefault(tuple(point[at] for at in apart), []).append(v)
    updates = rng.choice([*copies.values()])
    items = {v: graph.items(v, arrays) for v in updates}
    half = len(updates) // 2

    def mixed(done):
        some = frozenset().union(*(items[v] for v in done))
        return len(some & frozenset().union(*(items[v] for v in updates if v not in done)))

    if comb(len(updates), half) <= EVERY:
        least = min(mixed({*some}) for some in combinations(updates, half))
    else:
        least = len(updates) ** 2
        for _ in range(STARTS):
            axes = rng.sample(range(len(each.box)), len(each.box))
            ahead = sorted(updates, key=lambda v: [graph.places[v][1][at] for at in axes])
            done = {*ahead[:half]} if rng.random() < 0.7 else {*rng.sample(updates, half)}
            number = mixed(done)
            for _ in range(TURNS):
                other = done ^ {rng.choice([*done]), rng.choice([*{*updates} - done])}
                if (fewer := mixed(other)) <= number:
                    done, number = other, fewer
            least = min(least, number)
    assert short * middle <= least, (record, least)


SETS = {
    WINDOWS: _sets_of_windows,
    EVERYWHERE: _sets_of_windows,
    JOINT: _sets_of_products,
    LABELLED: _sets_of_labels,
    CUT: _mixed_lines,
}


def judged_meshes(graph):
    """Hold the neighbours of accepted stencils and grids (N21); how many there are."""
    number = 0
    for certificate in meshes_in(graph.nest):
        record = read(NESTS[certificate.kind].record, certificate.data)
        try:
            mesh_words(graph.nest, 2 * graph.dag.n, record)
        except CertificateError as error:
            if "no mesh with so many words" not in str(error):
                continue
        number += 1
        members = [graph.known[name] for name in record.members]
        items = [{index_of(each.item, point) for point in domain(each)} for each in members]
        assert all(each == items[0] for each in items)
        near_points = neighbours(record.family, len(members[0].box))
        for place, each in enumerate(members):
            for item in items[0]:
                v = graph.last[each.name, item]
                for step in near_points:
                    before = members[place - 1] if record.family != "grid" else each
                    turn = 0 if record.family == "grid" else -(place == 0)
                    other = (
                        item[0] + turn + step[0],
                        *(a + b for a, b in zip(item[1:], step[1:], strict=True)),
                    )
                    if other in items[0]:
                        assert graph.last[before.name, other] in graph.operands[v], (record, item)
    return number


def neighbours(family, width):
    """Steps to the values that an update of a mesh reads, in the first loop beside its turn."""
    if family == "grid":
        return [tuple(-int(at == axis) for at in range(width)) for axis in range(width)]
    steps = product((-1, 0, 1), repeat=width - 1)
    return [(0, *step) for step in steps if family == "box" or sum(map(abs, step)) < 2]


def judged_nest(graph, rng):
    """Hold every lemma that some record meets against the DAG; a count of what was met."""
    met, nest = Counter(), graph.nest
    least = max(len(operands) for operands in graph.operands)
    for memory in {least + 1, least + rng.randint(1, 6), rng.randint(2, least + 1)}:
        own = graph.in_another_order(rng) if nest.any_order else graph
        orders = [*drawn_orders(own, rng, ORDERS)]
        for accepted in drawn_parts(nest, memory, rng):
            met[judged_part(own, memory, accepted, orders, rng)] += 1
    if not nest.any_order:
        drawn = [*window_records(nest, rng), *labelled_records(nest, rng)]
        met += judged_in_part(graph, drawn, rng)
        records = chain.from_iterable(window_records(nest, rng) for _ in range(PEERS))
        met += judged_pairs(graph, [*drawn, *records])
    met[MESH] += judged_meshes(graph)
    return met
