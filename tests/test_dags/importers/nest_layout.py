"""The DAG of a nest, instance by instance: what its plays are counted on."""

from itertools import product
from operator import mul

import numpy as np

from dags import CDAG
from dags.cdag.origin import Operator, Origin


def text_point(assignment, point):
    """The loops of the text at a point of the loops of the nest."""
    return tuple(extra + sum(map(mul, row, point)) for row, extra in assignment.text_loops)


def laid_out(nest):
    """The DAG of all instances in the order of the text, inputs first."""
    values, cells, rows, made_by, points = {}, {}, [], [], []
    arrays = sorted(
        {a.array for assignment in nest.assignments for a in assignment.reads} - names_of(nest)
    )
    for number, array in enumerate(arrays):
        chosen = (
            a for assignment in nest.assignments for a in assignment.reads if a.array == array
        )
        for item in sorted({item for access in chosen for item in items_of(access)}):
            cells[array, item] = len(rows)
            rows.append(())
            made_by.append(-1 - number)
            points.append(item)
    for number, assignment in enumerate(nest.assignments):
        for point in product(*(range(*ends) for ends in assignment.box)):
            operands = set()
            for access in assignment.reads:
                if inside(point, access.box):
                    place = access.array, item_of(access, point)
                    operands.add(cells[place] if place in cells else values[place])
            own_part = assignment.name, item_of(assignment.item, point)
            if assignment.sums and own_part in values:
                operands.add(values[own_part])
            values[own_part] = len(rows)
            rows.append(tuple(sorted(operands)))
            made_by.append(number)
            points.append(text_point(assignment, point))
    outputs = [
        values[assignment.name, item]
        for assignment in nest.assignments
        if assignment.outputs is not None
        for item in sorted(set(items_of(assignment.outputs)))
    ]
    width = max(map(len, points))
    origin = Origin(
        nest.name,
        nest.digest,
        {},
        tuple(
            Operator(
                number,
                None,
                assignment.loops,
                tuple(100 * number + position for position in range(len(assignment.box))),
            )
            for number, assignment in enumerate(nest.assignments)
        ),
        tuple((array.removeprefix("A_"), width) for array in arrays),
        np.array(made_by, np.int16),
        np.array([(*point, *[0] * (width - len(point))) for point in points], np.int32),
    )
    indptr = np.cumsum([0, *map(len, rows)])
    indices = np.array([v for row in rows for v in row], np.int32)
    return CDAG(indptr, indices, outputs=outputs, origin=origin)


def names_of(nest):
    return {assignment.name for assignment in nest.assignments}


def inside(point, box):
    return all(low <= value < high for value, (low, high) in zip(point, box, strict=True))


def item_of(access, point):
    return tuple(
        factor + sum(a * b for a, b in zip(row, point, strict=True))
        for row, factor in zip(access.rows, access.offset, strict=True)
    )


def items_of(access):
    return (item_of(access, point) for point in product(*(range(*ends) for ends in access.box)))
