"""Windows of nests under partial computation (N3), held against sets and against plays.

A window completes updates. Some **straddle** its beginning: they were begun before, and are a word
each. What the others touch comes in, or is made. Two things are held, apart from each other:

- *Sets*. Of any updates C that are made inside of a window, and any S that straddle, items of C and
  the words of S are at least x' of all of them. The words of S may be items of C.
- *Plays*. A legal play is replayed move by move. At a cut no more words are red than the checker
  takes off; what is red at cuts, loaded in windows or waived is at least the sum of x'; loads are
  at least those of the part; and no word is counted by two parts that may be added up.
"""

from collections import Counter
from contextlib import suppress
from itertools import chain, combinations

import numpy as np

from pebble import PARTIAL, Move, Schedule, play
from pebble.moves import NONE
from proofs import CertificateError
from proofs.bounds.loops.window_sizes import tight_exponents
from proofs.core.records import read
from proofs.lemmas.loops import nests
from proofs.lemmas.loops.labelled import Labelled, counts
from proofs.lemmas.loops.nest_updates import premises
from proofs.lemmas.loops.nests import LABELLED, NESTS, inputs_among, part_of_sum
from proofs.lemmas.loops.parts import apart
from tests.test_proofs.nest_graphs import READ, copies_of, labelled_points

ALL_SETS = 7  # updates of which every set is tried
BOXES, GROWN = 12, 4  # sets where there are more
TIGHT = 0.3  # of the sets
PLAYS = 3  # of a nest and a memory
EAGER = 6.0  # how much further an aggregation may be from the order of the text than a load
COMPLETE, IN_PART = "complete", "in part"


class Counting:
    """What the windows of a record count.

    Parameters
    ----------
    graph, kind, record
        The nest, and a record with its kind.

    Attributes
    ----------
    shape, groups
        The arrays of updates, and the updates of each copy.
    items
        Of each update what it touches.
    values
        Complete values that are counted.
    windows
        Sizes and numbers.
    """

    def __init__(self, graph, kind, record):
        self.graph, self.record = graph, record
        if kind == LABELLED:
            counted = counts(graph.nest, record)
            self.shape = counted.shape
            points = labelled_points(graph, record)
            self.groups = [[*points]]
            self.items = {v: labels_of(record, point) for v, point in points.items()}
            arrays, summed = counted.read, counted.summed
        else:
            box = tuple((ends[0], ends[-1]) for ends in record.box)
            name = record.assignment
            verified = premises(graph.nest, name, record.arrays, record.order, box)
            self.shape = verified.shape
            self.groups = copies_of(graph, verified)
            self.items = {v: graph.items(v, record.arrays) for group in self.groups for v in group}
            arrays, summed = {*record.arrays} - {name}, {name} & {*record.arrays}
        self.values = {
            v
            for v, (kind, array) in graph.kinds.items()
            if array in (arrays if kind == READ else summed)
        }
        self.windows = [(window.size, window.count) for window in record.windows]

    @property
    def words(self):
        """The words that are counted: a value, and whether it is complete."""
        members = chain.from_iterable(self.groups)
        return {(v, IN_PART) for v in members} | {(v, COMPLETE) for v in self.values}

    def standing(self, inside):
        """Updates that the first updates of items read as these, and that may straddle.

        Parameters
        ----------
        inside
            Updates that are made inside of a window, in the order of the text.
        """
        met, standing = set(), set()
        for v in sorted(inside):
            for item in self.items[v] - met:
                standing |= self._before(v, item) - inside
            met |= self.items[v]
        return standing

    def _before(self, v, item):
        """The update of an item that an update reads as this item: an open sum, or of a chain."""
        record, before = self.record, self.graph.before.get(v)
        if not isinstance(record, Labelled):
            return {before} & self.values if item == self.graph.sums.get(v) else set()
        slot = record.slots[item[0]]
        arrays = {label.array for label in slot.values}
        return {
            w
            for w in self.graph.operands[v] & self.values & self.items.keys()
            if self.graph.places[w][0] in arrays
            and item in self.items[w]
            and (w == before or (len(slot.roles) == 1 and not record.falling))
        }


def labels_of(record, point):
    """The labels of an update in each slot."""
    return frozenset(
        (number, *(point[place] for place in role))
        for number, slot in enumerate(record.slots)
        for role in slot.roles
    )


# Sets.


def sets_in_part(counting, exponents, rng):
    """Hold x' against what sets of updates touch, some of them begun before; how often it is met.

    Parameters
    ----------
    counting
        What is counted.
    exponents
        Of the arrays; those that say most of a set besides.
    rng
        Draws.
    """
    least_touched, shape = nests.words_under(PARTIAL), counting.shape
    group = counting.groups[rng.randrange(len(counting.groups))]
    tight, number = 0, 0
    for inside in drawn_sets(counting, group, rng):
        items = frozenset().union(*(counting.items[v] for v in inside))
        standing, powers = counting.standing(inside), [exponents]
        if shape.partial and rng.random() < TIGHT:
            powers += [best for _, best in tight_exponents(shape, len(group), [len(inside)])]
        beside = len(group) - len(inside)
        for straddling in {len(standing), min(len(standing) + 1, beside), beside}:
            touched = len(items) + max(0, straddling - len(standing))
            claimed = max(least_touched(shape, len(inside) + straddling, power) for power in powers)
            assert claimed <= touched, (type(counting.record).__name__, counting.record)
            tight += claimed == touched and straddling > 0
            number += 1
    return number, tight


def drawn_sets(counting, group, rng):
    """Yield sets of updates: all where there are few, or boxes, and some that touch little."""
    if len(group) <= ALL_SETS:
        for size in range(1, len(group) + 1):
            yield from map(set, combinations(group, size))
        return
    places = counting.graph.places
    for _ in range(BOXES):
        corners = [places[v][1] for v in rng.choices(group, k=2)]
        yield {
            v
            for v in group
            if all(
                min(ends) <= value <= max(ends)
                for value, *ends in zip(places[v][1], *corners, strict=False)
            )
        }
    for _ in range(GROWN):
        inside, touched, left = set(), set(), set(group)
        for _ in range(rng.randint(1, len(group))):
            few = rng.sample(sorted(left), min(len(left), 40))
            v = min(few, key=lambda v: (len(counting.items[v] - touched), rng.random()))
            left.remove(v)
            inside.add(v)
            touched |= counting.items[v]
        yield inside


# Plays.


def drawn_play(graph, memory, rng):
    """A legal play that aggregates operands one by one, and the words that it moves.

    What it aggregates next needs few loads, or is near in the text; what leaves is needed last, or
    drawn.
    """
    dag, moves = graph.dag, []
    near, drawn = rng.choice([0, 0.1, 1, EAGER]), rng.choice([0, 0.3, 1])
    left = {v: set(operands) for v, operands in enumerate(graph.operands) if operands}
    uses = Counter(w for operands in left.values() for w in operands)
    red, blue, begun = set(), {v for v in range(dag.n) if v not in left}, set()
    outputs = graph.outputs

    def needed(v):
        return v in left or uses[v] > 0 or (v in outputs and v not in blue)

    def room(kept):
        if len(red) < memory:
            return
        idle = [v for v in red if v not in kept and not needed(v)]
        choices = idle or sorted(red - kept)
        v = rng.choice(choices) if idle or rng.random() < drawn else max(choices)
        if needed(v) and v not in blue:
            moves.append((Move.STORE, v, NONE))
            blue.add(v)
        moves.append((Move.DELETE, v, NONE))
        red.remove(v)

    def bring(v, kept):
        if v not in red:
            room(kept)
            moves.append((Move.LOAD, v, NONE))
            red.add(v)

    while left:
        ready = [(v, w) for v, operands in left.items() for w in operands if w not in left]

        def price(pair):
            v, w = pair
            loads = (w not in red) + (v in begun and v not in red)
            return loads + near * v / dag.n + drawn * rng.random()

        v, w = min(ready, key=price)
        bring(w, {v, w})
        if v in begun:
            bring(v, {v, w})
        else:
            room({v, w})
            red.add(v)
            begun.add(v)
        moves.append((Move.COMPUTE, v, w))
        blue.discard(v)
        uses[w] -= 1
        left[v].remove(w)
        if not left[v]:
            del left[v]
    return [*moves, *((Move.STORE, v, NONE) for v in sorted(outputs - blue))]


def moves_of(graph, schedule):
    """The moves of a play with every COMPUTE of all operands as one of each."""
    left = [set(operands) for operands in graph.operands]
    operands = schedule.operand
    for place, (code, v) in enumerate(zip(schedule.op, schedule.vertex, strict=True)):
        move, vertex = Move(code), int(v)
        if move is not Move.COMPUTE:
            yield move, vertex, NONE
            continue
        fixed_operand = NONE if operands is None else int(operands[place])
        for w in sorted(left[vertex]) if fixed_operand == NONE else [fixed_operand]:
            left[vertex].remove(w)
            yield move, vertex, w


def words_moved(graph, moves, memory):
    """The words of a play, which the referee's engine accepts."""
    codes, vertices, operands = (np.array(column) for column in zip(*moves, strict=True))
    schedule = Schedule(codes, vertices, operands)
    return play(graph.dag, schedule, memory, rules=PARTIAL).io


def windows_in_part(graph, moves, members, counted, sizes):
    """Yield of each window of a play the words that are red at its cut, and those it loads.

    Parameters
    ----------
    graph, moves
        The nest, and a play that aggregates operands one by one.
    members
        Updates that windows are cut by.
    counted
        Words that count: values, complete or in part.
    sizes
        Members that become complete in each window.
    """
    left = [len(operands) for operands in graph.operands]
    begun, red = set(), set()
    sizes = iter(sizes)
    size, at_cut, loads = next(sizes), set(), []

    def state(v):
        return v, (COMPLETE if not left[v] else IN_PART)

    for move, v, _ in moves:
        if move is Move.LOAD:
            red.add(v)
            if state(v) in counted:
                loads.append(state(v))
        elif move is Move.DELETE:
            red.discard(v)
        elif move is Move.COMPUTE:
            if left[v] == 1 and v in members:
                if not size:
                    yield at_cut, loads
                    size, at_cut, loads = next(sizes), {*map(state, red)} & counted, []
                size -= 1
            red.add(v)
            begun.add(v)
            left[v] -= 1
    assert not size
    assert next(sizes, None) is None
    yield at_cut, loads


def judged_play(graph, moves, memory, kind, record, rng):
    """Hold a record against a play; how its inequalities are met.

    Parameters
    ----------
    graph, moves, memory
        The nest, and a play in a memory.
    kind, record
        What a part says.
    rng
        Draws.
    """
    counting = Counting(graph, kind, record)
    part = part_of_sum(graph.nest, memory, PARTIAL, record)
    all_touched = part_of_sum(graph.nest, 0, PARTIAL, record)  # nothing is red at cuts
    room = nests.held(graph.nest, memory, PARTIAL)
    about = (type(record).__name__, record, memory)
    sizes = [size for size, count in counting.windows for _ in range(count)]
    rng.shuffle(sizes)
    touched = loads = 0
    met, full = Counter(), False
    inputs = {v for v in counting.values if v not in graph.places}
    for group in counting.groups:
        own_values = {w for v in group for w in graph.operands[v] & counting.values}
        counted = {(v, IN_PART) for v in group} | {(v, COMPLETE) for v in own_values}
        inputs -= own_values
        for at_cut, loaded in windows_in_part(graph, moves, {*group}, counted, sizes):
            assert len(at_cut) <= room, about
            full |= len(at_cut) == room
            touched += len(at_cut | {*loaded})
            loads += len(loaded)
    assert all_touched.loads <= touched + len(inputs), about
    assert part.loads <= loads + len(inputs), about
    met["a full cut"] += full
    met["items exactly"] += all_touched.loads == touched + len(inputs)
    met["beyond inputs"] += part.loads > inputs_among(graph.nest, part.read)
    return met


def judged_pairs(graph, drawn):
    """Hold that parts which may be added up count no word twice; a count of the pairs.

    Parameters
    ----------
    graph, drawn
        As for `judged_in_part`.
    """
    parts = [
        (kind, part_of_sum(graph.nest, 2, PARTIAL, record), Counting(graph, kind, record).words)
        for kind, record in records_in_part(graph, drawn)
    ]
    met = Counter()
    for (kind, part, words), (_, peer, peer_words) in combinations(parts, 2):
        with suppress(CertificateError):
            assert len([*apart([part, peer])]) == 2
            met[f"{kind}: pairs in part"] += 1
            assert not words & peer_words, (kind, part, peer)
    return met


def records_in_part(graph, drawn):
    """Records, with their kinds, that say something of partial computation.

    Parameters
    ----------
    graph
        The nest.
    drawn
        Kinds and data of certificates.
    """
    records = []
    for kind, data in drawn:
        with suppress(CertificateError):
            record = read(NESTS[kind].record, data)
            part_of_sum(graph.nest, 2, PARTIAL, record)
            records.append((kind, record))
    return records


def judged_in_part(graph, drawn, rng):
    """Hold what nests say of partial computation against sets and plays; a count of what was met.

    Parameters
    ----------
    graph
        The nest.
    drawn
        Kinds and data of certificates.
    rng
        Draws.
    """
    met, records = Counter(), records_in_part(graph, drawn)
    for kind, record in records:
        counting = Counting(graph, kind, record)
        for window in record.windows:
            number, tight = sets_in_part(
                counting, nests.exponents_in(counting.shape, window.exponents), rng
            )
            met[f"{kind}: sets in part"] += number
            met[f"{kind}: sets in part exactly"] += tight
    memory = rng.choice([2, 3, 4, 6, 9])
    for _ in range(PLAYS if records else 0):
        moves = drawn_play(graph, memory, rng)
        words_moved(graph, moves, memory)
        for kind, record in records:
            for outcome, number in judged_play(graph, moves, memory, kind, record, rng).items():
                met[f"{kind}: in part, {outcome}"] += number
    return met
