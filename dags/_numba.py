"""The decorator of all kernels, their cache, two bit counts, and a way to watch Numba compile."""

import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite
import numba
from llvmlite import ir
from numba import config, njit, types
from numba.core import event
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.extending import intrinsic
from numba.misc.appdirs import AppDirs

from dags.compiled import PORTABLE, SHIPPED, digest, read, sources_of, write
from dags.interpreted import Interpreter

# All that compiled code depends on, besides sources, types and the processor.
COMPILER = sys.implementation.cache_tag, numba.__version__, llvmlite.__version__
SETTINGS = "OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE"


class KernelCache(NullCache):
    """Compiled code of a kernel in files: those of this machine's user, and those of the wheel.

    Numba's own cache does not see that a kernel of another file has changed, knows only the
    processor that it compiled on, and loses kernels where two processes write.

    Parameters
    ----------
    function
        The kernel in Python.
    """

    def __init__(self, function: Any) -> None:
        self._name = f"{function.__module__}.{function.__name__}"
        self._sources = sources_of(function.__module__)
        self._unchanged: bool | None = None
        self._place = function.__qualname__, function.__code__.co_firstlineno

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature, None where there is none."""
        if "numba.np.arraymath" not in sys.modules:
            _import_without_blas()
        target_context.refresh()
        args, _ = normalize_signature(sig)
        for path in self.paths(digest(str(args)), target_context.codegen()):
            content = read(path)
            if content is not None:
                code = CompileResult._rebuild(target_context, *pickle.loads(content))
                if code.signature.args == args:
                    return code
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code for a signature."""
        if not (data.lifted or data.library.has_dynamic_globals):
            args, _ = normalize_signature(sig)
            for path in self.paths(digest(str(args)), data.codegen)[:1]:
                write(path, dumps(data._reduce()))

    def has(self, args: tuple[Any, ...], codegen: Any) -> bool:
        """Whether there is a file of compiled code for types of arguments."""
        return any(path.exists() for path in self.paths(digest(str(args)), codegen))

    def is_unchanged(self) -> bool:
        """Whether the sources on disk are those that were imported."""
        if self._unchanged is None:
            current = sources_of.__wrapped__(self._name.rpartition(".")[0])
            self._unchanged = bool(self._sources) and current == self._sources
        return self._unchanged

    def paths(self, types: str, codegen: Any) -> list[Path]:
        """The files that may have compiled code: the user's own, then that of the wheel.

        Parameters
        ----------
        types
            A hash of the types of the arguments.
        codegen
            Numba's, which knows the processor.
        """
        if not self._sources:
            return []
        locations = []
        for folder, target in _places(codegen):
            key = digest(self._sources, self._place, COMPILER, _settings(), target)
            locations.append(folder / f"{self._name}-{key}-{types}")
        return locations


def _settings() -> tuple[str, ...]:
    """The settings of Numba that change its code."""
    return tuple(str(getattr(config, name, None)) for name in SETTINGS)


def _import_without_blas() -> None:
    """Import Numba's modules before its first kernel, but no `scipy.linalg`, which takes 0.2 s.

    It only looks whether there is one; a kernel that multiplies matrices looks again.
    """
    from numba.np import linalg

    looks = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = looks


def own_folder() -> Path:
    """The folder in which the user's compiled code is kept."""
    return Path(config.CACHE_DIR or AppDirs("redblue", appauthor=False).user_cache_dir, "kernels")


@cache
def _places(codegen: Any) -> list[tuple[Path, tuple[str, ...]]]:
    """The folders of compiled code, each with the target of its code."""
    triple, name, features = codegen.magic_tuple()
    places = [(own_folder(), (triple, name, features))]
    needed = set(PORTABLE[1].split(","))
    if config.CPU_NAME is None and needed <= set(features.split(",")):
        places.append((SHIPPED, (triple, *PORTABLE)))
    return places


def _compiled(*, inner: bool = False, forceinline: bool = False, _nrt: bool = True) -> Any:
    """A decorator that compiles, once for all integers that other kernels hand over.

    Lazy signatures only: Numba types locked and unlocked arrays apart, and a kernel that would
    write into a locked one fails to compile. An `inner` function has no entry for Python, which
    takes a quarter of its compilation. All options are said: those that are not, Numba takes from
    whichever caller is compiled first.
    """
    compiled = njit(
        nogil=True,
        no_cfunc_wrapper=True,
        no_cpython_wrapper=inner,
        forceinline=forceinline,
        _nrt=_nrt,
    )

    def decorator(function: Any) -> Any:
        dispatcher = compiled(function)
        if config.DISABLE_JIT:
            return dispatcher
        dispatcher._cache = KernelCache(function)
        of_types = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: of_types(
            [_widened(argument) for argument in args], {name: _widened(kws[name]) for name in kws}
        )
        if inner:
            vars(dispatcher).update(_insert=lambda *_: None, _compile_for_args=_refuse)
        else:
            vars(dispatcher).update(_compile_for_args=FirstCalls(dispatcher, function))
        return dispatcher

    return decorator


class FirstCalls:
    """What Numba calls where a kernel is not in memory for such arguments: the way to run it.

    Parameters
    ----------
    dispatcher
        Numba's, of the kernel.
    function
        The kernel in Python.
    """

    def __init__(self, dispatcher: Any, function: Any) -> None:
        self.dispatcher = dispatcher
        self.compiled = dispatcher._compile_for_args
        self.interpreter = Interpreter(function, PLAIN, dispatcher._cache.is_unchanged)
        self._absent: set[tuple[Any, ...]] = set()  # types of which there is no compiled code

    def __call__(self, *arguments: Any) -> Any:
        """The compiled code, or a function that does as it would."""
        if not self.interpreter.takes(arguments) or self._is_kept(arguments):
            return self.compiled(*arguments)
        return self._run

    def _is_kept(self, arguments: tuple[Any, ...]) -> bool:
        """Whether there is a file of compiled code for the types of arguments."""
        kernel = self.dispatcher
        kinds = tuple(kernel.typeof_pyval(argument) for argument in arguments)
        kernel._types_active_call.clear()
        if kinds in self._absent:
            return False
        kept = kernel._cache.has(kinds, kernel.targetctx.codegen())
        if not kept:
            self._absent.add(kinds)
        return kept

    def _run(self, *arguments: Any) -> Any:
        """What Python makes of a call, or the compiled kernel where Python gives up."""
        finished, returned = self.interpreter.run(arguments)
        return returned if finished else self.compiled(*arguments)(*arguments)


def _refuse(*arguments: Any) -> None:
    """Raise TypeError."""
    raise TypeError("an inner kernel, which only kernels can call")


def _widened(kind: Any) -> Any:
    """Int64 for a signed integer or a constant that one kernel hands to another.

    Numba would compile the other one again for each constant and each size of integer.
    """
    plain = types.unliteral(kind)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


kernel: Any = _compiled()
# Kernels that allocate nothing, and call each other millions of times with records of arrays:
# without the counting of references, which takes most of the time of such a call.
lean_kernel: Any = _compiled(_nrt=False)
# The same two for what only kernels call.
inner_kernel: Any = _compiled(inner=True)
lean_inner_kernel: Any = _compiled(inner=True, _nrt=False)
# Parts of lean kernels with a name, inlined by LLVM, as they are called in the innermost loops.
lean_part: Any = _compiled(inner=True, _nrt=False, forceinline=True)


@contextmanager
def compilations(listener: Any) -> Iterator[None]:
    """Call `listener.on_start` and `on_end` with each compilation that begins or ends."""

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            listener.on_start(event)

        def on_end(self, event: Any) -> None:
            listener.on_end(event)

    with event.install_listener("numba:compile", Listener()):
        yield


def _highest_bit(word):
    """The index of the highest bit that is set in a uint64 other than 0."""
    return int(word).bit_length() - 1


def _count_bits(word):
    """How many bits are set in a uint64."""
    return int(word).bit_count()


PLAIN = {"highest_bit": _highest_bit, "count_bits": _count_bits}
if config.DISABLE_JIT:  # so that coverage can look into the kernels
    highest_bit, count_bits = _highest_bit, _count_bits
else:

    @intrinsic
    def highest_bit(typingctx, word):
        """The index of the highest bit that is set in a uint64 other than 0."""

        def emit(context, builder, signature, args):
            zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.int64(types.uint64), emit

    @intrinsic
    def count_bits(typingctx, word):
        """How many bits are set in a uint64."""

        def emit(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), emit
