"""The signature of a C function as its author wrote it: emitted code links with a header."""

import re
from typing import Final, NamedTuple

from dags.programs.nest import Program

COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
PARAMETER: Final = re.compile(
    r"(?P<type>(?:const\s+)?(?:int|long int|long|float|double)(?:\s+const)?)\s+(?P<name>\w+)\s*"
    r"(?P<sides>(?:\[[\w\s+*-]+\]\s*)*)"
)
NAME: Final = re.compile(r"[A-Za-z_]\w*")


class Declared(NamedTuple):
    """A parameter as its author declared it.

    Attributes
    ----------
    name
        Its name.
    text
        The whole declaration: "const float A[M][K]".
    dimensions
        Of an array; 0 for a number.
    """

    name: str
    text: str
    dimensions: int


def declared_parameters(program: Program) -> tuple[Declared, ...]:
    """The parameters of a program's function; none where C of ours cannot have the same.

    Those are arrays behind pointers, sizes without a sign, which differences of indices must not
    be, and extents that are no parameters declared before.
    """
    text = COMMENT.sub(" ", program.source)
    found = re.search(rf"\bvoid\s+{re.escape(program.name)}\s*\(([^()]*)\)\s*\{{", text)
    if found is None or program.parameters is None or program.types is None:
        return ()
    parameters: list[Declared] = []
    for part in found[1].split(","):
        match = PARAMETER.fullmatch(" ".join(part.split()))
        known = {parameter.name for parameter in parameters}
        if match is None or not known.issuperset(NAME.findall(match["sides"])):
            return ()
        kind, sides = match["type"], match["sides"].replace(" ", "")
        declared = Declared(match["name"], f"{kind} {match['name']}{sides}", sides.count("["))
        parameters.append(declared)
    as_read = [(name, program.dimensions.get(name, 0)) for name in program.parameters]
    is_same = [(parameter.name, parameter.dimensions) for parameter in parameters] == as_read
    return tuple(parameters) if is_same else ()
