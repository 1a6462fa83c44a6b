"""Arrays that are made inside a program, filled by loops: ``np.zeros((n, m))``."""

from dataclasses import replace

from dags.programs.affine import Affine, variable
from dags.programs.nest import Assign, Clear, If, Loop, Program, Reference, Statement


def filled(program: Program) -> tuple[Program, tuple[str, ...]]:
    """A program with loops in the place of what makes arrays of known extents.

    A cell that is assigned a constant has no vertex, and no more has one that is made with it.

    Returns
    -------
    tuple
        The program, and the arrays.
    """
    found: list[str] = []
    body = tuple(_filled(each, program, found) for each in program.body)
    return (replace(program, body=body) if found else program), tuple(dict.fromkeys(found))


def _filled(some: Statement, program: Program, found: list[str]) -> Statement:
    if isinstance(some, Loop):
        return replace(some, body=tuple(_filled(each, program, found) for each in some.body))
    if isinstance(some, If):
        body, otherwise = (
            tuple(_filled(each, program, found) for each in branch)
            for branch in (some.body, some.otherwise)
        )
        return replace(some, body=body, otherwise=otherwise)
    sides = program.extents.get(some.array) if isinstance(some, Clear) else None
    if not isinstance(some, Clear) or sides is None:
        return some
    found.append(some.array)
    loops = {each.variable for _, around in program.statements for each in around}
    taken = {*program.sizes, *program.dimensions, *loops}
    places = [f"f{axis}" for axis in range(len(sides))]
    while not taken.isdisjoint(places):
        places = [f"{place}_" for place in places]
    loop: Statement = Assign(
        Reference(some.array, tuple(map(variable, places))), some.value, some.line
    )
    for place, side in zip(reversed(places), reversed(sides), strict=True):
        loop = Loop(place, (Affine(),), (side,), 1, (loop,), some.line)
    return loop
