"""Nests as graphs: the DAG of the text, and as which array's a value is read, or whose open sum.

The reads, sums and outputs of a nest, whose loops were moved, gathered or turned, are held against
the DAG that the text itself has. What is counted afterwards is counted on that DAG.
"""

from copy import copy
from itertools import product
from operator import mul

from dags.programs import instantiate
from dags.programs.box_reader import box_nest
from dags.programs.canonical import canonical
from dags.programs.layout import values_of

READ, SUMMED = "read", "summed"  # kinds of values: read as an array's, or by the next sum alone


def nest_and_dag(program, sizes, *, live=None, any_order=False, as_written=False):
    """The nest of a program, and the DAG of its points: of the text, or of its canonical form.

    The canonical form of a text is another one with the same DAG (tests/test_dags/programs).
    """
    nest = box_nest(program, sizes, live=live, any_order=any_order, as_written=as_written)
    dag = instantiate(program, sizes, live=live)
    if as_written:
        return nest, dag
    form = canonical(program, values_of(program, sizes), live)
    own_part = {name: value for name, value in nest.sizes.items() if name in form.program.sizes}
    second = instantiate(form.program, own_part, live=form.live, constants=form.constants)
    assert (second.n, second.m, second.outputs.size) == (dag.n, dag.m, dag.outputs.size)
    return nest, second


def times(row, point):
    return sum(map(mul, row, point))


def domain(assignment):
    """The points at which an assignment is run."""
    return [
        point
        for point in product(*(range(*ends) for ends in assignment.box))
        if all(times(tie.row, point) + tie.constant >= 0 for tie in assignment.ties)
    ]


def index_of(access, point):
    pairs = zip(access.rows, access.offset, strict=True)
    return tuple(times(row, point) + extra for row, extra in pairs)


def has(access, point):
    ends = zip(point, access.box, strict=True)
    return all(low <= value < high for value, (low, high) in ends) and all(
        times(tie.row, point) + tie.constant >= 0 for tie in access.ties
    )


def _readers(operands):
    results = [[] for _ in operands]
    for v, operand in enumerate(operands):
        for w in operand:
            results[w].append(v)
    return results


class NestGraph:
    """The instances of a nest as vertices of the DAG of its text.

    Attributes
    ----------
    vertices
        By assignment and point.
    places
        The assignment and the point of each vertex that is computed.
    operands
        The vertices that each vertex reads.
    readers
        The vertices that read each vertex.
    kinds
        Of each vertex the kind of its value and an array.
    sums, before, last
        Of each vertex of an assignment that sums up, its item, and the vertex whose sum it adds to;
        the last vertex of each item.
    outputs
        Vertices.
    """

    def __init__(self, nest, dag):
        self.nest, self.dag = nest, dag
        self.known = {assignment.name: assignment for assignment in nest.assignments}
        self.operands = [
            set(dag.pred_indices[first:last].tolist())
            for first, last in zip(dag.pred_indptr[:-1], dag.pred_indptr[1:], strict=True)
        ]
        self.readers, self.outputs = _readers(self.operands), set(dag.outputs.tolist())
        by_text = {
            (f"S{dag.origin.statement[v]}", dag.origin.point(v)): v for v in dag.computed.tolist()
        }
        self.vertices = {
            (assignment.name, point): by_text[assignment.name, self._text_point(assignment, point)]
            for assignment in nest.assignments
            for point in domain(assignment)
        }
        self.places = {v: place for place, v in self.vertices.items()}
        assert len(self.places) == len(self.vertices) == len(by_text)
        self._make_kinds()
        self._check_reads()

    def _text_point(self, entry, point):
        """The loops of the text; a DAG that was laid out from a nest has points of that many."""
        return tuple(times(row, point) + extra for row, extra in entry.text_loops)

    def _make_kinds(self):
        self.kinds = {}
        self.sums, self.last, before = {}, {}, {}
        for (name, point), v in sorted(self.vertices.items(), key=lambda pair: pair[1]):
            entry = self.known[name]
            item = name, index_of(entry.item, point)
            self.kinds[v] = READ, name
            if entry.sums:
                self.sums[v] = item
                if item in self.last:
                    before[v] = self.last[item]
                    self.kinds[self.last[item]] = SUMMED, name
            else:
                assert item not in self.last
            self.last[item] = v
        self.before = before

    def _check_reads(self):
        """Hold what accesses say against the text, and who reads sums that are open.

        Inputs may lie in a nest as they do not in the text, in rows or planes: they are those that
        the same updates read.
        """
        read = {v: {w} if (w := self.before.get(v)) is not None else set() for v in self.places}
        readers = {}
        for (name, point), v in self.vertices.items():
            for access in self.known[name].reads:
                if has(access, point):
                    item = access.array, index_of(access, point)
                    if access.array in self.known:
                        read[v].add(self.last[item])
                    else:
                        readers.setdefault(item, set()).add(v)
        for v, operands in read.items():
            assert operands == self.operands[v] & self.places.keys(), self.places[v]
        inputs = [v for v in range(self.dag.n) if v not in self.places]
        by_readers = sorted((sorted(self.readers[v]), v) for v in inputs)
        items = sorted((sorted(reader), item) for item, reader in readers.items())
        for (own_part, v), (chosen, (array, _)) in zip(by_readers, items, strict=True):
            assert own_part == chosen, (array, own_part, chosen)
            self.kinds[v] = READ, array
        for v, operands in enumerate(self.operands):
            assert all(self.kinds[w][0] == READ or self.before[v] == w for w in operands)
        outputs = {
            self.last[assignment.name, index_of(assignment.outputs, point)]
            for assignment in self.nest.assignments
            if assignment.outputs is not None
            for point in product(*(range(*ends) for ends in assignment.outputs.box))
            if has(assignment.outputs, point)
        }
        assert outputs == self.outputs

    def in_another_order(self, rng):
        """The graph of the same nest with the terms of each sum in an order that is drawn."""
        changed = copy(self)
        chains = {}
        for v, item in self.sums.items():
            chains.setdefault(item, []).append(v)
        changed.before, changed.last, changed.kinds = {}, dict(self.last), dict(self.kinds)
        for item, chain in chains.items():
            rng.shuffle(chain)
            changed.before |= dict(zip(chain[1:], chain, strict=False))
            changed.last[item] = chain[-1]
            changed.kinds |= dict.fromkeys(chain, (SUMMED, item[0])) | {chain[-1]: (READ, item[0])}
        moved = {v: changed.last[item] for item, v in self.last.items()}
        changed.operands = [
            {moved.get(w, w) for w in operands if self.before.get(v) != w}
            | ({changed.before[v]} if v in changed.before else set())
            for v, operands in enumerate(self.operands)
        ]
        changed.outputs = {moved.get(v, v) for v in self.outputs}
        changed.readers = _readers(changed.operands)
        return changed

    def room(self, v, memory):
        """The words that can be red just before an update: its result is placed, or slides."""
        return memory if self.nest.any_order and v in self.before else memory - 1

    def values(self, part):
        """The vertices of the kinds that a part counts."""
        return {
            v
            for v, (kind, array) in self.kinds.items()
            if array in (part.read if kind == READ else part.summed)
        }

    def items(self, v, arrays):
        """The items of some arrays that an update touches: values that it reads, and its sum."""
        read = {w for w in self.operands[v] if self.kinds[w] in {(READ, a) for a in arrays}}
        name, _ = self.places[v]
        return frozenset({*read, *([self.sums[v]] if name in arrays and v in self.sums else [])})


def copies_of(graph, verified):
    """The updates of each copy, by the loops that split the nest."""
    assignment = verified.assignment
    apart = [
        loop
        for loop, (low, high) in enumerate(assignment.box)
        if high - low > 1 and loop not in verified.loops
    ]
    copies = {}
    for v, (name, point) in graph.places.items():
        if name == assignment.name and all(
            low <= value < high for value, (low, high) in zip(point, assignment.box, strict=True)
        ):
            copies.setdefault(tuple(point[loop] for loop in apart), []).append(v)
    return list(copies.values())


def labelled_points(graph, record):
    """The points of the updates that count, by vertex."""
    points = {}
    for member in record.members:
        for v, (name, point) in graph.places.items():
            place = [point[loop] for loop in member.loops] if name == member.assignment else None
            if place and (
                not record.falling or place[record.falling[0]] > place[record.falling[1]]
            ):
                points[v] = place
    return points
