"""Loops cut at the steps in which others read: a convolution and the pooling behind it.

Pooling reads four rows of a convolution for each row that it makes. Where the loop over rows of the
convolution is cut into one over fours of rows and one over the rows of a four, the first and the
loop of the pooling go on together, and both may share tiles. The DAG is the same: instances are
renamed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from dags.programs.box_nests import Access, Assignment, BoxNest, Distance
from dags.programs.tied_loops import Box, Row, Tie
from schedulers.tilings.parts import in_turn

Cuts = dict[int, int]  # by the place of a loop its step


def at_strides(nest: BoxNest) -> BoxNest | None:
    """A nest whose loops are cut at the steps in which others read.

    Parameters
    ----------
    nest
        The nest.

    Returns
    -------
    BoxNest or None
        A nest of the same DAG up to the names of instances; None where nothing is cut, or where
        assignments read themselves other than in sums.
    """
    sums = {assignment.name for assignment in nest.assignments if assignment.sums}
    if not in_turn(nest) or any(far.source == far.reader not in sums for far in nest.distances):
        return None
    cuts = _cuts(nest)
    if not any(cuts.values()):
        return None
    assignments = tuple(_cut(assignment, cuts[assignment.name]) for assignment in nest.assignments)
    distances = tuple(
        _distances(nest, cuts, {assignment.name: assignment for assignment in assignments})
    )
    return replace(nest, assignments=assignments, distances=distances, merged=None)


def _cuts(nest: BoxNest) -> dict[str, Cuts]:
    """The loops that are cut: those read in steps, and those that go on with these."""
    makers = {assignment.name: assignment for assignment in nest.assignments}
    cuts: dict[str, Cuts] = {name: {} for name in makers}
    links: list[tuple[tuple[str, int], tuple[str, int]]] = []
    for reader in nest.assignments:
        for access in reader.reads:
            maker = makers.get(access.array)
            if maker is None:
                continue
            for place, row in enumerate(access.rows):
                loop = _loop_of(maker, place)
                used = [at for at, by in enumerate(row) if by]
                steps = [row[at] for at in used if row[at] > 1]
                if loop is None:
                    continue
                if len(steps) == 1 and _is_long(maker, loop, steps[0]):
                    cuts[maker.name].setdefault(loop, steps[0])
                if len(used) == 1 and row[used[0]] == 1 and not access.offset[place]:
                    links.append(((reader.name, used[0]), (maker.name, loop)))
    changed = True
    while changed:
        changed = False
        for pair in links:
            for (name, at), (neighbour, there) in (pair, pair[::-1]):
                step = cuts[name].get(at)
                is_new = step is not None and there not in cuts[neighbour]
                if step is not None and is_new and _is_long(makers[neighbour], there, step):
                    cuts[neighbour][there] = step
                    changed = True
    return cuts


def _loop_of(maker: Assignment, place: int) -> int | None:
    """The loop whose value an index of the items is; None if it is no single one."""
    row = maker.item.rows[place]
    if maker.item.offset[place] or sum(map(abs, row)) != 1 or 1 not in row:
        return None
    return row.index(1)


def _is_long(assignment: Assignment, loop: int, step: int) -> bool:
    """Whether a loop from 0 on has several parts of so many values."""
    low, high = assignment.box[loop]
    return low == 0 and high > step


def _cut(assignment: Assignment, cuts: Cuts) -> Assignment:
    """An assignment with some loops cut in two."""
    if not cuts:
        return assignment
    loops: list[str] = []
    for at, name in enumerate(assignment.loops):
        loops += [f"{name}_{cuts[at]}", name] if at in cuts else [name]
    return replace(
        assignment,
        loops=tuple(loops),
        box=_box(assignment.box, cuts),
        reads=tuple(_access(access, cuts) for access in assignment.reads),
        item=_access(assignment.item, cuts),
        numbers=None,
        ties=_ties(assignment.box, assignment.ties, cuts),
        text_loops=tuple((_row(row, cuts), constant) for row, constant in assignment.text_loops),
        chain=None if assignment.chain is None else _access(assignment.chain, cuts),
    )


def _row(row: Row, cuts: Cuts) -> Row:
    """Coefficients of loops as those of the parts of loops."""
    parts: list[int] = []
    for at, by in enumerate(row):
        parts += [by * cuts[at], by] if at in cuts else [by]
    return tuple(parts)


def _box(box: Box, cuts: Cuts) -> Box:
    """The least box of parts of loops with all of a box."""
    ends: list[tuple[int, int]] = []
    for at, (low, high) in enumerate(box):
        step = cuts.get(at)
        ends += [(low, high)] if step is None else [(low // step, -(-high // step)), (0, step)]
    return tuple(ends)


def _access(access: Access, cuts: Cuts) -> Access:
    """An access by the parts of loops."""
    rows = tuple(_row(row, cuts) for row in access.rows)
    ties = _ties(access.box, access.ties, cuts)
    return Access(access.array, rows, access.offset, _box(access.box, cuts), ties)


def _ties(box: Box, ties: Sequence[Tie], cuts: Cuts) -> tuple[Tie, ...]:
    """Conditions by the parts of loops, with those of ends inside of a part."""
    conditions = [Tie(_row(tie.row, cuts), tie.constant) for tie in ties]
    for at, step in cuts.items():
        low, high = box[at]
        unit = _row(tuple(int(at == loop) for loop in range(len(box))), cuts)
        if low % step:
            conditions.append(Tie(unit, -low))
        if high % step:
            conditions.append(Tie(tuple(-by for by in unit), high - 1))
    return tuple(conditions)


def _distances(
    nest: BoxNest, cuts: dict[str, Cuts], cut: dict[str, Assignment]
) -> Iterator[Distance]:
    """Yield how far assignments read back by the parts of loops."""
    makers = {assignment.name: assignment for assignment in nest.assignments}
    for far in nest.distances:
        if not (cuts[far.reader] or cuts[far.source]):
            yield far
        elif far.reader == far.source:
            yield _own(far, cut[far.reader], cuts[far.reader])
    for name, reader in cut.items():
        for access in reader.reads:
            maker = makers.get(access.array)
            if maker is not None and (cuts[name] or cuts[maker.name]):
                yield _of_read(reader, access, maker, cuts[maker.name])


def _own(far: Distance, cut: Assignment, cuts: Cuts) -> Distance:
    """How far a sum reads back to itself."""
    whole = _places(len(cut.box) - len(cuts), cuts)
    pairs = {}
    for (row, (at, step)), (column, (there, _)) in product(enumerate(whole), repeat=2):
        least, most = far.pairs[at, there]
        is_same_part = at == there and step == whole[column][1]
        if step == whole[column][1] == 0:
            pairs[row, column] = least, most
        elif is_same_part and step > 0:
            pairs[row, column] = -((step - 1 - least) // step), (most + step - 1) // step
        elif is_same_part and least == most == 0:
            pairs[row, column] = 0, 0
        else:
            pairs[row, column] = _apart(cut.box[row], cut.box[column])
    return Distance(far.reader, far.source, pairs)


def _places(count: int, cuts: Cuts) -> list[tuple[int, int]]:
    """Return of each part of a loop that loop, and 0, the step, or -1 for what is left by it."""
    places: list[tuple[int, int]] = []
    for at in range(count):
        places += [(at, cuts[at]), (at, -1)] if at in cuts else [(at, 0)]
    return places


def _of_read(reader: Assignment, access: Access, maker: Assignment, cuts: Cuts) -> Distance:
    """How far an access reads back.

    Parameters
    ----------
    reader, access
        The reader, and its access, by parts of loops.
    maker, cuts
        The maker with its own loops, and those of them that are cut.
    """
    forms = {
        loop: (access.rows[place], access.offset[place])
        for place in range(len(access.rows))
        if (loop := _loop_of(maker, place)) is not None
    }
    box, pairs = _box(maker.box, cuts), {}
    for part, (loop, step) in enumerate(_places(len(maker.box), cuts)):
        for coordinate in range(len(access.box)):
            unit = tuple(int(at == coordinate) for at in range(len(access.box)))
            if loop in forms and step >= 0:
                row, constant = forms[loop]
                pairs[coordinate, part] = _less(unit, row, constant, max(step, 1), access.box)
            elif loop not in forms and maker.sums and not maker.ties:  # the last alone is read
                low, high = access.box[coordinate]
                last = box[part][1] - 1
                pairs[coordinate, part] = low - last, high - 1 - last
            else:
                pairs[coordinate, part] = _apart(access.box[coordinate], box[part])
    return Distance(reader.name, maker.name, pairs)


def _less(unit: Sequence[int], row: Row, constant: int, step: int, box: Box) -> tuple[int, int]:
    """The ends of a loop less the part of a value by a step."""
    whole = [by // step if by % step == 0 else 0 for by in row]
    rest = [by if by % step else 0 for by in row]
    low, high = _ends(rest, box)
    least, most = _ends(
        [coefficient - steps for coefficient, steps in zip(unit, whole, strict=True)], box
    )
    return least - (high + constant) // step, most - (low + constant) // step


def _ends(row: Sequence[int], box: Box) -> tuple[int, int]:
    """The least and the largest value of a combination of loops."""
    ends = [sorted((by * low, by * (high - 1))) for by, (low, high) in zip(row, box, strict=True)]
    return sum(low for low, _ in ends), sum(high for _, high in ends)


def _apart(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    """The ends of differences of two loops of which nothing more is known."""
    return first[0] - second[1] + 1, first[1] - 1 - second[0]
