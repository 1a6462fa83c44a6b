"""Description of a program in words, before its sizes are known."""

from dataclasses import dataclass

from dags.programs.affine import Affine
from dags.programs.nest import Loop, Program, references


@dataclass(frozen=True)
class StatementText:
    """One assignment.

    Parameters
    ----------
    name, line
        "S0", "S1", ... in the order of the text, and its line.
    loops
        "i = 0 .. N-1" for each loop around it, the outermost first.
    text
        Its line of the text.
    writes, reads
        Cells, "A[i,j]".
    """

    name: str
    line: int
    loops: tuple[str, ...]
    text: str
    writes: str
    reads: tuple[str, ...]


@dataclass(frozen=True)
class ArrayText:
    """One array or scalar.

    Parameters
    ----------
    name, dimensions
        Its name, and how many indices it has.
    role
        "constant"; "made inside"; "read"; "written"; "read and written".
    live
        Whether its last values are outputs.
    """

    name: str
    dimensions: int
    role: str
    live: bool


def statements_of(program: Program) -> list[StatementText]:
    """A sentence on each assignment of a program."""
    lines = program.source.splitlines()
    found = []
    for number, (assign, loops) in enumerate(program.statements):
        text = lines[assign.line - 1].strip() if assign.line <= len(lines) else ""
        reads = dict.fromkeys(str(reference) for reference in references(assign.expression))
        found.append(
            StatementText(
                name=f"S{number}",
                line=assign.line,
                loops=tuple(loop_text(loop) for loop in loops),
                text=text,
                writes=str(assign.target),
                reads=tuple(reads),
            )
        )
    return found


def arrays_of(program: Program) -> list[ArrayText]:
    """The role of each array and scalar of a program, in the order of the text."""
    read = {
        reference.array
        for assign, _ in program.statements
        for reference in references(assign.expression)
    }
    live = program.live_by_default()
    return [
        ArrayText(name, dimensions, _role(program, name, read), name in live)
        for name, dimensions in program.dimensions.items()
    ]


def loop_text(loop: Loop) -> str:
    r"""Return "i = 0 .. N-1", with the step where it is not 1 or -1.

    Examples
    --------
    >>> from dags.programs.text import from_python
    >>> program = from_python("def f(x, n):\n for i in range(n):\n  x[i] += x[i]")
    >>> loop_text(program.body[0])
    'i = 0 .. n-1'
    """
    first, last = ("max", "min") if loop.step > 0 else ("min", "max")
    inward = -1 if loop.step > 0 else 1
    stop = _joined(last, tuple(form.plus(inward) for form in loop.stop))
    suffix = "" if loop.step == 1 else f" by {loop.step}"
    return f"{loop.variable} = {_joined(first, loop.start)} .. {stop}{suffix}"


def _joined(name: str, forms: tuple[Affine, ...]) -> str:
    inside = ", ".join(map(str, forms))
    return inside if len(forms) == 1 else f"{name}({inside})"


def _role(program: Program, name: str, read: set[str]) -> str:
    if name in program.constants:
        return "constant"
    if name in program.local:
        return "made inside"
    if name not in program.written:
        return "read"
    return "read and written" if name in read else "written"
