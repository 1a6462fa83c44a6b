"""The decorator of all kernels, two bit counts, and a way to watch Numba compile."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import config, njit, types
from numba.core import event
from numba.extending import intrinsic


def _compiled(*, inner: bool = False, forceinline: bool = False, _nrt: bool = True) -> Any:
    """Return a decorator that compiles, once for all integers that other kernels hand over.

    Lazy signatures only: Numba types locked and unlocked arrays apart, and a kernel that would
    write into a locked one fails to compile. The cache keeps compiled code between processes.
    An `inner` function has no entry for Python, which takes a quarter of its compilation. All
    options are said: those that are not, Numba takes from whichever caller is compiled first.
    """
    compiled = njit(
        cache=True,
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
        of_types = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: of_types(
            [_widened(each) for each in args], {name: _widened(kws[name]) for name in kws}
        )
        if inner:
            vars(dispatcher).update(_insert=lambda *_: None, _compile_for_args=_refuse)
        return dispatcher

    return decorator


def _refuse(*arguments: Any) -> None:
    """Raise TypeError."""
    raise TypeError("an inner kernel, which only kernels can call")


def _widened(kind: Any) -> Any:
    """Return int64 for a signed integer or a constant that one kernel hands to another.

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


if config.DISABLE_JIT:  # so that coverage can look into the kernels

    def highest_bit(word):
        """Return the index of the highest bit that is set in a uint64 other than 0."""
        return int(word).bit_length() - 1

    def count_bits(word):
        """Return how many bits are set in a uint64."""
        return int(word).bit_count()

else:

    @intrinsic
    def highest_bit(typingctx, word):
        """Return the index of the highest bit that is set in a uint64 other than 0."""

        def emit(context, builder, signature, args):
            zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
            return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

        return types.int64(types.uint64), emit

    @intrinsic
    def count_bits(typingctx, word):
        """Return how many bits are set in a uint64."""

        def emit(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), emit
