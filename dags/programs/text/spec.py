"""Programs by one string: "cholesky.c:N=24", "solver.py:kernel:N=24", "ij,jk->ik:i=4,j=4,k=4"."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from dags.cdag.value import CDAG
from dags.errors import FormatError, InvalidSpecError
from dags.formats.text import read_text
from dags.programs.canonical import Canonical, canonical, merged
from dags.programs.einsum import from_einsum, is_einsum
from dags.programs.fixed import with_sizes
from dags.programs.layout import instantiate, values_of
from dags.programs.nest import Program, ProgramError
from dags.programs.text.c_pieces import LOOSE
from dags.programs.text.c_text import from_c
from dags.programs.text.library import polybench
from dags.programs.text.python_text import from_python
from dags.spec.options import file_spec

C_SUFFIXES: Final = (".c", ".h", ".cc", ".cpp", ".cxx", ".cu", ".hpp", ".cuh")
READERS: Final = {".py": from_python, **dict.fromkeys(C_SUFFIXES, from_c)}
PREFIX: Final = "polybench/"
SUMS: Final = ("text", "any")  # orders of sums
LISTS: Final = ("live", "constants")  # options that name arrays: A+B


@dataclass(frozen=True)
class ProgramSpec:
    """A program, and the options of its DAG in a specification.

    Parameters
    ----------
    place
        The file, or the name in the library.
    program
        The loop nest.
    sizes
        Values of its sizes.
    options
        Arguments of `instantiate`: level, live, constants.
    """

    place: str
    program: Program
    sizes: dict[str, int] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def leaves_sizes(self) -> bool:
        """True where none of its sizes is given, or not all that a DAG needs."""
        known = {*self.sizes, *(self.program.defaults if self.sizes else ())}
        return not {*self.program.sizes} <= known

    def canonical(self) -> Canonical:
        """The canonical form of the program at its sizes, and the steps that lead there.

        Raises
        ------
        FormatError
            If a size is missing or unknown.
        """
        try:
            values = values_of(self.program, self.sizes)
            some = (self.options.get(name) for name in LISTS)
            return canonical(self.program, values, *some)
        except ProgramError as error:
            raise FormatError(self.place, error.message, error.line) from None

    def steps(self) -> tuple[str, ...]:
        """A sentence on each thing that is taken away from the text, at its sizes."""
        form = self.canonical()
        values = values_of(self.program, self.sizes)
        numbers = {name: values[name] for name in form.program.sizes}
        merging = merged(with_sizes(form.program, numbers), form.live, form.constants)
        if merging is None:
            return form.steps
        names = " and ".join(dict.fromkeys(merging.names))
        return (*form.steps, f"{names} may be one with what reads it: a nest beside this one")

    def dag(self) -> CDAG:
        """The DAG.

        Raises
        ------
        FormatError
            If the program has no DAG at these sizes; the line is named.
        """
        options = dict(self.options)
        if options.pop("sums", "text") == "any":
            raise InvalidSpecError(
                f"{self.place}: a DAG has its sums in the order of the text; with sums=any plays "
                "are counted without one"
            )
        try:
            return instantiate(self.program, self.sizes, **options)
        except ProgramError as error:
            raise FormatError(self.place, error.message, error.line) from None


def takes(spec: str) -> bool:
    """Whether a specification names a program."""
    place = spec.partition(":")[0]
    return is_einsum(place) or spec.startswith(PREFIX) or Path(place).suffix.lower() in READERS


def dag(spec: str) -> CDAG:
    """The DAG that a specification names; raises as `program_spec` and `ProgramSpec.dag`."""
    return program_spec(spec).dag()


def program_spec(spec: str) -> ProgramSpec:
    """The program that `spec` names, with its sizes and options.

    Raises
    ------
    InvalidSpecError
        If a part of it is no function, size or option.
    FormatError
        If the text is no loop nest; the line is named.
    UnknownNameError
        If the library has no such kernel.
    OSError
        If there is no such file.
    """
    spec = file_spec(spec).spec
    place, _, tail = spec.partition(":")
    function, _, parameters = tail.rpartition(":") if ":" in tail else _lone(tail)
    sizes, options = _parameters(spec, parameters)
    try:
        if is_einsum(place):
            if function:
                raise InvalidSpecError(f"{place} is an einsum; {function[:40]!r} is not read")
            return ProgramSpec(place, from_einsum(place), sizes, options)
        if place.startswith(PREFIX):
            if function:
                raise InvalidSpecError(f"{place} is one function; {function!r} is not read")
            return ProgramSpec(place, polybench(place.removeprefix(PREFIX)), sizes, options)
        if "\0" in place:
            raise InvalidSpecError("a NUL character is in the name of the file")
        path = Path(place)
        program = READERS[path.suffix.lower()](read_text(path), function or None, sizes=sizes)
        if program.name == LOOSE:
            program = replace(program, name=path.stem)
    except ProgramError as error:
        raise FormatError(place, error.message, error.line) from None
    return ProgramSpec(place, program, sizes, options)


def _lone(text: str) -> tuple[str, str, str]:
    """Function and parameters of "kernel", "N=24" or "kernel,N=24"."""
    first, comma, tail = text.partition(",")
    return ("", "", text) if "=" in first or not first else (first, comma, tail)


def _parameters(spec: str, text: str) -> tuple[dict[str, int], dict[str, Any]]:
    """Sizes and options of "N=24,live=A+B,level=operation"."""
    sizes: dict[str, int] = {}
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise InvalidSpecError(f"{spec}: {part!r} is no size, like N=24, and no option")
        if key in sizes or key in options:
            raise InvalidSpecError(f"{spec}: {key} is given twice")
        if key == "level":
            options[key] = value
        elif key == "sums":
            if value not in SUMS:
                raise InvalidSpecError(f"{spec}: sums is {' or '.join(SUMS)}, not {value[:40]!r}")
            options[key] = value
        elif key in LISTS:
            options[key] = tuple(filter(None, value.split("+")))
        else:
            sizes[key] = _size(spec, key, value)
    return sizes, options


def _size(spec: str, key: str, value: str) -> int:
    if not value.removeprefix("-").isdecimal() or len(value) > 18:
        raise InvalidSpecError(f"{spec}: {key} must be a whole number, not {value[:40]!r}")
    return int(value)
