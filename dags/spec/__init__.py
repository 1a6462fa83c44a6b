"""DAG specifications: one string that names any DAG, "matmul:n=16", a path, or a plug-in.

A package that is installed offers a scheduler, a bound, a generator, a machine or a command by an
entry point in one of the groups of `GROUPS`; any function is named by "module:function".
"""

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

from dags import formats
from dags.cdag.value import CDAG
from dags.errors import (
    InvalidSpecError,
    RedBlueError,
    UnknownNameError,
    did_you_mean,
    one_line,
    shown,
)
from dags.families.recognition import recognise as recognised
from dags.families.recognition import recognise_as
from dags.spec import leaves, matrices
from dags.spec.options import KNOWN, WORD, FileSpec, file_spec

Generator = Callable[..., CDAG]
MOST_EXPONENT = 4  # digits of the base and of the exponent of a power


def build(
    spec: str,
    generators: Mapping[str, Generator],
    *,
    words: str | None = None,
    work: str | None = None,
    recognise: bool = True,
    family: str | None = None,
) -> CDAG:
    """The DAG that `spec` names: of one of `generators`, a program, another tool, or a file.

    Parameters
    ----------
    spec
        A generator's name with parameters, a program with sizes, or the path of a file.
    generators
        Generators by name.
    words
        Name of the node attribute of a file that holds sizes, if that is not ``words``.
    work
        Name of the one that holds operations or times, if that is not ``work``.
    recognise
        Whether the family of a DAG that no generator made is looked for.
    family
        The member that the DAG is said to be up to the numbering, "fft:n=64", which is verified.

    Raises
    ------
    UnknownNameError
        If it is neither a known generator nor a file.
    InvalidSpecError
        If the parameters do not fit the generator, the DAG has nothing to compute, or it is not
        of the family.
    FormatError, InvalidDAGError
        If the file does not follow its format or holds no DAG.
    """
    name, _, text = spec.partition(":")
    plain = name in generators or leaves.is_of("NumPy code", spec)
    file = file_spec(spec)
    if plain:
        file = FileSpec(spec, word=file.word)
    words, work, family = words or file.words, work or file.work, family or file.family
    recognise, path = recognise and file.recognise, Path(file.spec)
    if matrices.takes(spec):
        dag = matrices.dag(spec)
    elif name in generators:
        dag = _generate(name, generators[name], text)
    elif (kind := leaves.kind_of(spec)) is not None:
        dag = leaves.reader(kind).dag(spec)
        words = None if kind == "graphs" and words == file.words else words
        recognise = recognise and dag.words is None  # no family has tensors of many sizes
    elif _is_folder(path):
        unknown = UnknownNameError("file format", path.name, formats.FORMATS)
        raise InvalidSpecError(f"{unknown}; {one_line(spec)} is a folder, and a DAG is in a file")
    elif path.suffix.lower() in formats.FORMATS or _exists(path):
        dag = formats.read(path, words=words, work=work)
        words = work = None
    elif Path(name).suffix.lower() in formats.FORMATS:
        tail = file.spec.removeprefix(f"{name}:").partition(",")[0]
        raise InvalidSpecError(
            f"{one_line(spec)}: a file takes {', '.join(KNOWN)}, not {shown(tail)}"
        )
    else:
        dag = _generate(name, _offered(name, generators), text)
    if dag.m == 0:
        raise InvalidSpecError(
            f"{one_line(spec)}: there is nothing to compute, "
            f"for none of its {dag.n} vertices has an operand"
        )
    if words is not None or work is not None:
        raise InvalidSpecError(f"{one_line(spec)} is no file whose nodes have attributes")
    dag = dag.with_word_bytes(file.word) if file.word is not None else dag
    if family is not None:
        return recognise_as(dag, build(family, generators, recognise=False), family)
    return recognised(dag) if recognise else dag


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # longer than the name of a file can be, or with a NUL in it
        return False


def _is_folder(path: Path) -> bool:
    """Whether `path` is a folder that is not called like a file of a known format."""
    return path.suffix.lower() not in formats.FORMATS and _exists(path) and path.is_dir()


def _offered(name: str, generators: Mapping[str, Generator]) -> Generator:
    """Return the generator of another package; raise UnknownNameError if none is called so."""
    point = offered("generator")
    if name not in point:
        known = dict.fromkeys([*generators, *matrices.COMPUTATIONS, *point])
        raise UnknownNameError("generator or file", name, known)
    function = plugged("generator", name)
    assert function is not None  # it is offered
    return function


def _generate(name: str, generator: Generator, text: str) -> CDAG:
    arguments = parse_parameters(name, generator, text)
    try:
        dag = generator(**arguments)
    except RedBlueError as error:
        raise InvalidSpecError(f"{name}: {error}") from error
    if not isinstance(dag, CDAG):
        raise InvalidSpecError(f"{name} made {shown(dag)}, which is no CDAG")
    return dag


def parse_parameters(name: str, generator: Generator, text: str) -> dict[str, Any]:
    """The arguments that "n=8,shape=4x4" gives to `generator`, converted by its types.

    Parameters
    ----------
    name
        Name of the generator in messages.
    generator
        The function; its annotations say which types are wanted.
    text
        Parameters, "name=value" joined by commas.
    """
    hints = get_type_hints(generator)
    parameters = inspect.signature(generator).parameters
    usage = f"{name} takes {describe_parameters(generator)}"
    arguments: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if key == WORD and key not in parameters:
            continue  # bytes of a word, of any specification
        if not equals or key not in parameters:
            hint = did_you_mean(key, parameters)
            raise InvalidSpecError(f"{shown(part)} is no parameter{hint or ';'} {usage}")
        if key in arguments:
            raise InvalidSpecError(f"{key} is given twice; {usage}")
        arguments[key] = _convert(name, key, value, hints.get(key, str))
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in arguments:
            raise InvalidSpecError(f"{key} is missing; {usage}")
    return arguments


def describe_parameters(generator: Generator) -> str:
    """Return "n, m=None, ...": the parameters of `generator` with their defaults."""
    return ", ".join(
        key if parameter.default is parameter.empty else f"{key}={parameter.default}"
        for key, parameter in inspect.signature(generator).parameters.items()
    )


def _convert(name: str, key: str, value: str, hint: Any) -> Any:
    """`value` as the type `hint`."""
    kinds = {type_ for type_ in (get_args(hint) or (hint,)) if isinstance(type_, type)}
    try:
        if hint == tuple[int, ...]:
            return tuple(_whole(side) for side in value.split("x"))
        if bool in kinds:
            return {"true": True, "1": True, "false": False, "0": False}[value.lower()]
        if float in kinds:
            return float(value)
        if int in kinds:
            return _whole(value)
    except (ValueError, KeyError):
        wanted = "a number" if float in kinds else "a whole number"
        wanted = "true or false" if bool in kinds else wanted
        wanted = "like 64x64" if hint == tuple[int, ...] else wanted
        raise InvalidSpecError(f"{name}: {key} must be {wanted}, not {shown(value)}") from None
    return value


def _whole(value: str) -> int:
    """A whole number, which may be written as a power: 2^40."""
    base, power, exponent = value.partition("^")
    if not power:
        return int(value)
    if len(exponent) > MOST_EXPONENT or len(base) > MOST_EXPONENT:
        raise ValueError(value)  # a number that takes minutes to write down
    return int(base) ** int(exponent) if int(exponent) >= 0 else int(value)


GROUPS: Final = {
    "scheduler": "redblue.schedulers",
    "bound": "redblue.bounds",
    "generator": "redblue.dags",
    "machine": "redblue.machines",
    "command": "redblue.commands",
}

Function = Callable[..., Any]


def offered(kind: str) -> dict[str, EntryPoint]:
    """The entry points of installed packages, by name; kinds are the keys of `GROUPS`."""
    return {point.name: point for point in entry_points(group=GROUPS[kind])}


def plugged(kind: str, name: str) -> Function | None:
    """The function that "module:function" or an entry point names; None if none does.

    Modules are also looked for in the folder in which the program runs.

    Parameters
    ----------
    kind
        A key of `GROUPS`.
    name
        The user's text.

    Raises
    ------
    InvalidSpecError
        If the module cannot be imported, or has no such function.
    """
    point = offered(kind).get(name)
    if point is not None:
        return _imported(kind, name, point)
    module, colon, function = name.partition(":")
    names = (*module.split("."), *function.split("."))
    if not colon or not all(part.isidentifier() for part in names):
        return None
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return _imported(kind, name, EntryPoint(name, name, GROUPS[kind]))


def _imported(kind: str, name: str, point: EntryPoint) -> Function:
    """The function of an entry point."""
    try:
        import_module(point.module)
    except Exception as error:  # whatever a stranger's module does when it is imported
        problem = f"{type(error).__name__}: {one_line(error)}"
        raise InvalidSpecError(f"{name}: {point.module} cannot be imported: {problem}") from error
    try:
        function = point.load()
    except AttributeError:
        raise InvalidSpecError(f"{name}: {point.module} has no {point.attr}") from None
    if not callable(function):
        raise InvalidSpecError(f"{name}: {point.attr} is no function, and so no {kind}")
    return function  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Plugged:
    """A function of another package that is called as one of ours is.

    Parameters
    ----------
    name
        Its name for users.
    function
        Called with the given arguments, and those of the options that it has.
    kind
        The type of its result.
    options
        Those of ours, with their defaults.
    """

    name: str
    function: Function
    kind: type
    options: tuple[tuple[str, Any], ...] = ()

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """The result of the function.

        Raises
        ------
        InvalidSpecError
            If that is something else.
        """
        value = self.returned(*arguments, **options)
        if not isinstance(value, self.kind):
            description = f"{self.name} returned {shown(value)}"
            raise InvalidSpecError(f"{description}, which is no {self.kind.__name__}")
        return value

    def returned(self, *arguments: Any, **options: Any) -> Any:
        """Whatever the function returns."""
        return self.function(*arguments, **taken(self.function, {**dict(self.options), **options}))


def called(function: object) -> str:
    """The name of a function in results."""
    return str(getattr(function, "__name__", type(function).__name__))


def taken(function: Function, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of `options` that a function takes: a plug-in need not know all of them."""
    try:
        parameters = inspect.signature(function).parameters
    except ValueError:  # of a function that is written in C
        return dict(options)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return dict(options)
    return {name: value for name, value in options.items() if name in parameters}
