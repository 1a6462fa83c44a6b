"""Arguments of a traced function: their names, cells and values."""

import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dags.errors import one_line
from dags.tracing.arrays import TracedArray
from dags.tracing.errors import TraceError
from dags.tracing.store import Store


@dataclass(frozen=True)
class Argument:
    """An argument of a traced function.

    Parameters
    ----------
    name
        Its name.
    given
        A plain value, which is a constant; or the values of an array that is traced.
    shape
        That of an array that is traced; None for a constant.
    """

    name: str
    given: Any
    shape: tuple[int, ...] | None


def read_arguments(
    function: Callable[..., Any],
    arguments_given: Sequence[Any],
    constants: Collection[str],
    seed: int | None,
) -> list[Argument]:
    """The arguments: a shape or an array is traced, anything else is a constant.

    Parameters
    ----------
    function, given
        The function and its arguments. Where a shape is given, values are drawn from 0.5 to 1.5.
    constants
        Names of arguments that are constants though they are arrays.
    seed
        Of the values that are drawn; None for no values.
    """
    names = argument_names(function, len(arguments_given))
    for name in constants:
        if name not in names:
            raise TraceError(
                f"constants: there is no argument {one_line(name, 80)}; there are {_list(names)}"
            )
    rng = None if seed is None else np.random.default_rng(seed)
    return [
        _argument(name, value, name in constants, rng)
        for name, value in zip(names, arguments_given, strict=True)
    ]


def _argument(name: str, value: Any, constant: bool, rng: np.random.Generator | None) -> Argument:
    if isinstance(value, tuple) and all(isinstance(n, int | np.integer) for n in value):
        if constant:
            raise TraceError(f"the constant {name} needs values, not the shape {value}")
        if min(value, default=0) < 0:
            raise TraceError(f"{name} has no shape {value}: a length is negative")
        return Argument(name, None if rng is None else rng.uniform(0.5, 1.5, value), value)
    if isinstance(value, np.ndarray) and not constant:
        if value.dtype.kind not in "biufc":
            raise TraceError(f"{name} holds {value.dtype}, which is not traced")
        return Argument(name, value, value.shape)
    return Argument(name, value, None)


def argument_names(function: Callable[..., Any], count: int) -> list[str]:
    """The names of the first `count` arguments; those of *rest are rest0, rest1, ..."""
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (ValueError, TypeError):
        return [f"x{i}" for i in range(count)]
    names = [
        parameter.name
        for parameter in parameters
        if parameter.kind <= parameter.POSITIONAL_OR_KEYWORD
    ]
    variadic = [
        parameter.name for parameter in parameters if parameter.kind == parameter.VAR_POSITIONAL
    ]
    if count > len(names) and not variadic:
        raise TraceError(f"{count} arguments are given for {len(names)}: {_list(names)}")
    needed = sum(
        parameter.default is parameter.empty
        for parameter in parameters
        if parameter.kind <= parameter.POSITIONAL_OR_KEYWORD
    )
    if count < needed:
        raise TraceError(f"{names[count]} is not given; a shape is given as a tuple: (64, 64)")
    return [*names[:count], *(f"{variadic[0]}{i}" for i in range(count - len(names)))]


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def traced_argument(store: Store, argument: Argument) -> Any:
    """The argument with which the function is traced."""
    if argument.shape is None:  # a function may write into it, and run a second time
        return argument.given.copy() if isinstance(argument.given, np.ndarray) else argument.given
    cells = store.inputs(argument.name, argument.shape)
    dtype = float if argument.given is None else argument.given.dtype
    values = np.zeros(argument.shape, dtype)
    if store.carries:
        values[...] = argument.given
    return TracedArray(store, cells, values)


def plain_argument(argument: Argument) -> Any:
    """The argument with which NumPy is asked for the results."""
    if argument.shape is None:
        return argument.given
    return argument.given.copy() if argument.shape else np.asarray(argument.given)[()]
