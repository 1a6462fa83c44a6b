"""A function as it is, but for the arrays that it makes: they hold vertices too."""

from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from dags.tracing.arrays import TracedArray, has_traced
from dags.tracing.creation import array_like, constants, full_with
from dags.tracing.store import Store

MAKERS: Final[tuple[Any, ...]] = (np.zeros, np.ones, np.empty, np.full, np.eye, np.identity)
READERS: Final[tuple[Any, ...]] = (np.array, np.asarray, np.ascontiguousarray, np.asanyarray)


class _Numpy(ModuleType):
    """NumPy with some functions replaced."""

    def __init__(self, replaced: Mapping[str, Callable[..., Any]]) -> None:
        super().__init__("numpy")
        self.__dict__.update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def with_own_arrays(function: Callable[..., Any], store: Store) -> Callable[..., Any]:
    """Return a function whose np.zeros, np.array, ... give traced arrays of a store.

    That holds in it and in the functions of its module, wherever the module names NumPy or one of
    these functions; NumPy itself and other modules are as they were. What is no function of
    Python is returned as it is.
    """
    if not isinstance(function, FunctionType):
        return function
    replaced = {each.__name__: _making(each, store) for each in MAKERS}
    replaced |= {each.__name__: _reading(each, store) for each in READERS}
    replaced["ndarray"] = _array_type(store)
    return _moved(function, _namespace(function.__globals__, replaced))


def _namespace(names: dict[str, Any], replaced: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Return a copy of a module's names that uses the replaced functions."""
    numpy = _Numpy(replaced)
    copied = dict(names)
    for name, value in names.items():
        if value is np:
            copied[name] = numpy
        elif any(value is each for each in (*MAKERS, *READERS)):
            copied[name] = replaced[value.__name__]
        elif isinstance(value, FunctionType) and value.__globals__ is names:
            copied[name] = _moved(value, copied)
    return copied


def _moved(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    """Return a function with other global names."""
    copied = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    copied.__kwdefaults__ = function.__kwdefaults__
    return copied


def _making(function: Callable[..., Any], store: Store) -> Callable[..., Any]:
    def make(*args: Any, **kwargs: Any) -> Any:
        if "like" in kwargs:
            return function(*args, **kwargs)
        if function is np.full and has_traced([args, kwargs]):
            return full_with(store, *args, **kwargs)
        # what np.empty finds in memory is no constant of the code
        return constants(store, (np.zeros if function is np.empty else function)(*args, **kwargs))

    return make


def _array_type(store: Store) -> type:
    """Return what np.ndarray is: called, it gives a traced array; both kinds are of it."""

    class ArrayType(type):
        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            return constants(store, np.zeros(*args, **kwargs))

        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, np.ndarray | TracedArray)

    return ArrayType("ndarray", (), {})


def _reading(function: Callable[..., Any], store: Store) -> Callable[..., Any]:
    def read(value: Any, *args: Any, **kwargs: Any) -> Any:
        if not has_traced(value):
            return function(value, *args, **kwargs)
        return array_like(store, value, *args, **kwargs)

    return read
