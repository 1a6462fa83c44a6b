"""Kernels as plain Python, for calls that are over before Numba would have compiled them.

A kernel that is compiled for such arguments, in memory or in a file, is called as it is. Any other
is run by Python, with a tick for each round of its loops and each call of another kernel, until its
calls have taken as long as Numba takes to compile it: `TICKS` for each function of it. Then it is
compiled. So small games need no compilation at all, and no command takes more than about twice as
long as by the better of both.

What Python does is what the compiled kernel does (`tests/campaigns/interpreted.py` compares them).
Where that is not certain the kernel is compiled: arrays that may be written are copied before, and
put back where Python raises anything at all, an overflow of NumPy's integers among it, where too
many ticks are taken, and at an interrupt. A kernel that takes logarithms or exponentials is always
compiled: NumPy's differ from those of compiled code in the last bit.
"""

import ast
import inspect
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import numpy as np

TICKS: Final = 30_000  # about 0.15 s, which Numba takes for a function
CELLS: Final = 1 << 18  # of the arrays of a call: copies of more take too long
ROUNDED: Final = frozenset({"exp", "expm1", "log", "log1p", "log2", "log10", "power", "random"})
TICK: Final = "_tick_"  # name of the function that counts, in no kernel


class OutOfTicksError(Exception):
    """A kernel has run for as long as it takes to compile."""


class _Ticks(threading.local):
    """Ticks that are left to the call of a thread, and whether Python runs none on any."""

    left = 0
    off = False

    def __call__(self) -> None:
        """Count a tick.

        Raises
        ------
        OutOfTicksError
            If none is left.
        """
        self.left -= 1
        if self.left < 0:
            raise OutOfTicksError


_ticks = _Ticks()


@contextmanager
def compiled_at_once() -> Iterator[None]:
    """Have kernels compiled at their first call in the block, on all threads."""
    before, _Ticks.off = _Ticks.off, True
    try:
        yield
    finally:
        _Ticks.off = before


class Interpreter:
    """Runs the first calls of a kernel.

    Parameters
    ----------
    function
        The kernel in Python.
    plain
        Functions in Python for those of Numba's own, by name.
    unchanged
        Whether the source of the kernel is still what was imported.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        plain: Mapping[str, Callable[..., Any]],
        unchanged: Callable[[], bool],
    ) -> None:
        self.function, self._plain, self._unchanged = function, plain, unchanged
        self.left: int | None = None  # ticks of further calls; None before the first

    def takes(self, arguments: tuple[Any, ...]) -> bool:
        """Whether a call may be run by Python."""
        if self.left == 0 or _ticks.off or sys.gettrace() is not None:
            return False
        if self.left is None:
            kernels = _reached(self.function)
            is_exact = all(ROUNDED.isdisjoint(kernel.__code__.co_names) for kernel in kernels)
            self.left = TICKS * len(kernels) if is_exact else 0
            if not is_exact:
                return False
        return sum(array.size for array in arrays_in(arguments)) <= CELLS and self._unchanged()

    def run(self, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
        """Whether Python ran a call to its end, and what it returned.

        Arrays are as before where it did not.

        Parameters
        ----------
        arguments
            Of the call.
        """
        before = [(array, array.copy()) for array in arrays_in(arguments) if array.flags.writeable]
        _ticks.left, finished = self.left or 0, False
        try:
            with np.errstate(all="raise"):
                returned = _twins(self.function.__module__, self._plain)[self.function.__name__](
                    *arguments
                )
            finished = True
        except Exception:  # whatever it is: the compiled kernel has the last word
            _ticks.left = 0
            return False, None
        finally:
            self.left = max(_ticks.left, 0)
            if not finished:
                for array, content in before:
                    array[...] = content
        return True, _unboxed(returned)


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """Yield the arrays in arguments, those in records among them."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays_in(part)


def _unboxed(value: Any) -> Any:
    """What a kernel returns as compiled code hands it to Python: plain numbers."""
    if isinstance(value, np.generic) and value.dtype.names is None:
        return value.item()
    if isinstance(value, tuple):
        parts = [_unboxed(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def _reached(function: Callable[..., Any]) -> set[Callable[..., Any]]:
    """A kernel in Python and those that it calls, and so on: what is compiled with it."""
    known: set[Callable[..., Any]] = set()
    todo: list[Any] = [function]
    while todo:
        kernel = todo.pop()
        if kernel not in known:
            known.add(kernel)
            called = (kernel.__globals__.get(name) for name in kernel.__code__.co_names)
            todo += [part.py_func for part in called if hasattr(part, "py_func")]
    return known


class _Ticking(ast.NodeTransformer):
    """Makes functions and rounds of loops count ticks, and takes decorators away."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function that counts its calls."""
        self.generic_visit(node)
        node.decorator_list = []
        node.body.insert(0, _tick())
        return node

    def _loop(self, node: ast.For | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, _tick())
        return node

    visit_For = visit_While = _loop  # noqa: N815


def _tick() -> ast.stmt:
    """The statement that counts a tick."""
    return ast.Expr(ast.Call(ast.Name(TICK, ast.Load()), [], []))


@cache
def _tree(name: str) -> ast.Module:
    """The functions of a module of kernels, which count ticks."""
    tree = ast.parse(inspect.getsource(sys.modules[name]))
    functions: list[ast.stmt] = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    made: ast.Module = _Ticking().visit(ast.Module(functions, []))
    return ast.fix_missing_locations(made)


_made: dict[str, dict[str, Any]] = {}


def _twins(name: str, plain: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """The names of a module of kernels, with kernels in Python in the place of compiled.

    Parameters
    ----------
    name
        Of the module.
    plain
        As for `Interpreter`.
    """
    if name in _made:
        return _made[name]
    module = sys.modules[name]
    names = {**vars(module), TICK: _ticks}
    for key, value in vars(module).items():
        function = getattr(value, "py_func", None)
        if function is not None and function.__module__ != name:
            names[key] = _twins(function.__module__, plain)[function.__name__]
        elif key in plain:
            names[key] = plain[key]
    exec(compile(_tree(name), module.__file__ or name, "exec"), names)
    _made[name] = names
    return names
