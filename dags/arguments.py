"""The border of public functions: arguments of the types that a signature names, or one sentence.

`checked` reads the annotations of a function, so that whatever is exported asks for the same
things in the same words, and no wrong type gets as far as NumPy, Numba or a solver.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from math import isfinite
from numbers import Real
from operator import index
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType, UnionType
from typing import Any, Final, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np
import numpy.typing as npt

from dags.errors import (
    ArgumentError,
    FileError,
    MissingFileError,
    OutOfMemoryError,
    RedBlueError,
    UnknownNameError,
    shown,
)

P = ParamSpec("P")
R = TypeVar("R")

MOST_SECONDS: Final = 10**9  # thirty years; timers of systems refuse far longer times
MOST_SEED: Final = 2**31 - 1  # OR-Tools has seeds of 32 bits
# Least and largest value of numbers, by the name of the parameter.
LIMITS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "alignment": (1, 2**62),
        "compare": (0, MOST_SECONDS),
        "height": (1, 1000),
        "jobs": (1, 1024),
        "line": (1, 2**31),
        "max_memory": (0, 2**62),
        "max_vertices": (1, 2**31 - 1),
        "processors": (1, 1024),
        "registers": (0, 2**31),
        "seconds": (0, MOST_SECONDS),
        "seed": (0, MOST_SEED),
        "time_limit": (0, MOST_SECONDS),
        "ways": (0, 2**31),
        "width": (1, 1000),
        "word_bytes": (1, 2**31),
    }
)
REFUSED: Final = object()
VARIABLE: Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
ARRAYS: Final = frozenset(get_args(npt.ArrayLike))


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """A function that refuses arguments of types and values that its signature rules out.

    Whole numbers may be NumPy's, or floats without a fraction; a single entry stands for a list of
    one; iterables become tuples, so that they may be read twice. Parameters with annotations that
    are texts are left as they are.

    Raises
    ------
    ArgumentError
        When the function is called with a wrong argument, too many, or too few.
    OutOfMemoryError
        Where it runs out of memory.
    FileError
        Where the machine refuses a file.
    """
    signature = inspect.signature(function)
    names = [name for name, each in signature.parameters.items() if each.kind not in VARIABLE]
    takes_any = len(names) < len(signature.parameters)

    @wraps(function)
    def bordered(*args: P.args, **kwargs: P.kwargs) -> R:
        odd = () if takes_any else [name for name in kwargs if name not in names]
        if odd:
            unknown = UnknownNameError("parameter", odd[0], names)
            raise ArgumentError(f"{function.__name__}: {unknown}")
        try:
            binding = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise ArgumentError(f"{function.__name__}: {error}") from None
        for name, value in binding.arguments.items():
            parameter = signature.parameters[name]
            if parameter.kind not in VARIABLE:
                binding.arguments[name] = argument(name, value, parameter.annotation)
        try:
            return function(*binding.args, **binding.kwargs)
        except MemoryError as error:
            raise OutOfMemoryError("this takes more memory than there is") from error
        except RedBlueError:
            raise
        except OSError as error:
            kind = MissingFileError if isinstance(error, FileNotFoundError) else FileError
            named = (error.errno, error.strerror, error.filename)
            raise kind(*named) if error.filename else kind(str(error)) from error

    return bordered


def argument(name: str, value: Any, wanted: Any) -> Any:
    """An argument as the type that is wanted.

    Parameters
    ----------
    name
        The parameter.
    value
        What a user gave.
    wanted
        Its annotation.

    Raises
    ------
    ArgumentError
        If it is of no such type, or outside of `LIMITS`.

    Examples
    --------
    >>> argument("jobs", 2.0, int), argument("memories", "8", str | int), argument("x", None, None)
    (2, '8', None)
    """
    for kind in _kinds(wanted):
        converted = _as(value, kind)
        if converted is not REFUSED:
            _require_limits(name, converted)
            return converted
    words = dict.fromkeys(_words(kind) for kind in _kinds(wanted))
    raise ArgumentError(f"{name} must be {' or '.join(words)}, not {shown(value)}")


def _kinds(wanted: Any) -> tuple[Any, ...]:
    """The alternatives of an annotation; where a path is one, a text is a path.

    What NumPy makes an array of is looked at where it does.
    """
    if get_origin(wanted) not in (Union, UnionType):
        return (wanted,)
    if ARRAYS.issubset(get_args(wanted)):
        return (Any,)
    kinds = tuple(kind for part in get_args(wanted) for kind in _kinds(part))
    return tuple(kind for kind in kinds if kind is not str or Path not in kinds)


def _as(value: Any, kind: Any) -> Any:
    """A value as one of a kind, or REFUSED."""
    origin, parts = get_origin(kind) or kind, get_args(kind)
    if kind is Any or kind is inspect.Parameter.empty or isinstance(kind, str | TypeVar):
        return value
    if isinstance(kind, type) and kind in SCALARS:
        return SCALARS[kind](value)
    if origin is Literal:
        return value if isinstance(value, str) and value in parts else REFUSED
    if origin is Callable or getattr(origin, "_is_protocol", False):
        return value if callable(value) else REFUSED
    if not isinstance(origin, type):  # an array of NumPy, which is looked at where it is made
        return value
    if issubclass(origin, Mapping):
        return _mapping(value, *parts)
    if issubclass(origin, Iterable) and parts:
        return _entries(value, parts[0])
    return value if isinstance(value, origin) else REFUSED


def _truth(value: Any) -> Any:
    return bool(value) if isinstance(value, bool | np.bool_) else REFUSED


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, str) else REFUSED


def _path(value: Any) -> Any:
    """A path, which no text is that an operating system refuses."""
    is_path = isinstance(value, str | PathLike) and isinstance(fspath(value), str)
    return Path(value) if is_path and str(value) and "\0" not in str(value) else REFUSED


def _whole(value: Any) -> Any:
    """A whole number; floats count where they have no fraction."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return REFUSED
    if isinstance(value, float | np.floating):
        return int(value) if isfinite(value) and value == int(value) else REFUSED
    return index(value) if hasattr(value, "__index__") else REFUSED


def _number(value: Any) -> Any:
    """A finite number."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        return REFUSED
    try:
        number = float(value)
    except OverflowError:
        return REFUSED
    return number if isfinite(number) else REFUSED


def _mapping(value: Any, key: Any = Any, entry: Any = Any) -> Any:
    """A mapping as a dict of keys and values of these kinds."""
    if not isinstance(value, Mapping):
        return REFUSED
    converted = {_as(name, key): _any_of(element, entry) for name, element in value.items()}
    wrong = any(part is REFUSED for pair in converted.items() for part in pair)
    return REFUSED if wrong else converted


def _entries(value: Any, kind: Any) -> Any:
    """The entries of an iterable, or a value alone as one entry, as a tuple."""
    if kind is Any:
        return value if isinstance(value, Iterable) else REFUSED
    alone = _any_of(value, kind)
    if alone is not REFUSED:
        return (alone,)
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return REFUSED
    entries = []
    try:
        for entry in value:
            entries.append(_any_of(entry, kind))
            if entries[-1] is REFUSED:
                return REFUSED
    except TypeError:  # an array of NumPy without dimensions
        return REFUSED
    return tuple(entries)


def _any_of(value: Any, wanted: Any) -> Any:
    """A value as the first of the kinds that takes it, or REFUSED."""
    candidates = (_as(value, kind) for kind in _kinds(wanted))
    return next((candidate for candidate in candidates if candidate is not REFUSED), REFUSED)


def _words(kind: Any) -> str:
    """A kind in words."""
    origin, parts = get_origin(kind) or kind, get_args(kind)
    if isinstance(kind, type) and kind in WORDS:
        return WORDS[kind]
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin is Callable or getattr(origin, "_is_protocol", False):
        return "a function"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        values = " or ".join(map(_words, _kinds(parts[1]))) if parts else ""
        return "a dict" + f" whose values are each {values}" * bool(values)
    if isinstance(origin, type) and issubclass(origin, Iterable) and parts:
        return f"a list of entries that are each {' or '.join(map(_words, _kinds(parts[0])))}"
    name = getattr(origin, "__name__", str(origin))
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"


def _require_limits(name: str, value: Any) -> None:
    """Raise ArgumentError for a number outside of the limits of its parameter."""
    minimum, maximum = LIMITS.get(name, (float("-inf"), float("inf")))
    if isinstance(value, int | float) and not minimum <= value <= maximum:
        ends = f"at least {minimum:g}" if value < minimum else f"at most {maximum:.15g}"
        raise ArgumentError(f"{name} must be {ends}, not {shown(value)}")


SCALARS: Final[Mapping[Any, Callable[[Any], Any]]] = MappingProxyType(
    {
        bool: _truth,
        str: _text,
        Path: _path,
        int: _whole,
        float: _number,
        type(None): lambda value: None if value is None else REFUSED,
    }
)
WORDS: Final[Mapping[Any, str]] = MappingProxyType(
    {
        bool: "true or false",
        str: "a text",
        Path: "the path of a file",
        int: "a whole number",
        float: "a number",
        type(None): "None",
    }
)
