"""Functions of other packages: named by "module:function", or offered by entry points.

A package that is installed offers a scheduler, a bound or a generator by an entry point in one of
the groups of `GROUPS`.
"""

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from dags.errors import InvalidSpecError, one_line

GROUPS: Final = {
    "scheduler": "redblue.schedulers",
    "bound": "redblue.bounds",
    "generator": "redblue.dags",
}

Function = Callable[..., Any]


def offered(kind: str) -> dict[str, EntryPoint]:
    """Return what packages that are installed offer, by name: "scheduler", "bound", "generator"."""
    return {point.name: point for point in entry_points(group=GROUPS[kind])}


def plugged(kind: str, name: str) -> Function | None:
    """Return the function that "module:function" or an entry point names; None if none does.

    Modules are also looked for in the folder in which the program runs.

    Parameters
    ----------
    kind
        A key of `GROUPS`.
    name
        What a user wrote.

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
    """Return the function of an entry point."""
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


def taken(function: Function, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of `options` that a function takes: a plug-in need not know all of them."""
    parameters = inspect.signature(function).parameters
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return dict(options)
    return {name: value for name, value in options.items() if name in parameters}
