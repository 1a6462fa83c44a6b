"""Arrays that a traced function makes: constants until they are assigned to, then vertices too."""

from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from dags.tracing._kernels import CONSTANT
from dags.tracing.arrays import TracedArray, as_traced, has_traced
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
    these functions; NumPy itself and other modules are as they were. Anything but a function of
    Python is returned as it is.
    """
    if not isinstance(function, FunctionType):
        return function
    replaced = {maker.__name__: _making(maker, store) for maker in MAKERS}
    replaced |= {reader.__name__: _reading(reader, store) for reader in READERS}
    replaced["ndarray"] = _array_type(store)
    return _moved(function, _namespace(function.__globals__, replaced))


def _namespace(names: dict[str, Any], replaced: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """A copy of a module's names that uses the replaced functions."""
    numpy = _Numpy(replaced)
    copied = dict(names)
    for name, value in names.items():
        if value is np:
            copied[name] = numpy
        elif any(value is known for known in (*MAKERS, *READERS)):
            copied[name] = replaced[value.__name__]
        elif isinstance(value, FunctionType) and value.__globals__ is names:
            copied[name] = _moved(value, copied)
    return copied


def _moved(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    """A function with other global names."""
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
    """A stand-in for np.ndarray: called, it gives a traced array; both kinds are of it."""

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


def constants(store: Store, values: Any) -> TracedArray:
    """A traced array of constants."""
    owned = np.array(values, order="C")
    return TracedArray(store, np.full(owned.shape, CONSTANT, np.int32), owned)


def like(fill: Any) -> Callable[..., TracedArray]:
    """The handler of zeros_like, ones_like or empty_like, which holds zeros."""

    def handle(
        store: Store,
        prototype: Any,
        dtype: Any = None,
        order: Any = "K",
        subok: bool = True,
        shape: Any = None,
        **kwargs: Any,
    ) -> TracedArray:
        lengths = prototype.shape if shape is None else shape
        return constants(store, np.full(lengths, fill, dtype or prototype.dtype))

    return handle


def full_like(
    store: Store,
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: bool = True,
    shape: Any = None,
    **kwargs: Any,
) -> Any:
    """Return numpy.full_like; the value may be traced."""
    kind = dtype or (a.dtype if isinstance(a, TracedArray | np.ndarray) else np.asarray(a).dtype)
    result = constants(store, np.zeros(np.shape(a) if shape is None else shape, kind))
    result[...] = fill_value
    return result


def made_like(function: Callable[..., Any]) -> Callable[..., TracedArray]:
    """The handler of np.zeros(..., like=traced) and its kind."""

    def handle(store: Store, *args: Any, **kwargs: Any) -> TracedArray:
        kwargs.pop("like", None)
        return constants(store, function(*args, **kwargs))

    return handle


def array_like(store: Store, value: Any, dtype: Any = None, **kwargs: Any) -> TracedArray:
    """Return np.array(..., like=traced) of numbers, arrays and traced arrays in lists."""
    traced = as_traced(store, value)
    kind = traced.dtype if dtype is None else dtype
    return TracedArray(store, traced.cells.copy(), traced.values.astype(kind, order="C"))


def full_with(store: Store, shape: Any, fill_value: Any, dtype: Any = None, **kw: Any) -> Any:
    """Return np.full(..., like=traced)."""
    value = as_traced(store, fill_value)
    return full_like(store, value, value, dtype, shape=shape)
