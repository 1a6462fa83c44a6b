"""The decorator of all kernels, two bit counts, and a way to watch Numba compile."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from llvmlite import ir
from numba import config, njit, types
from numba.core import event
from numba.extending import intrinsic

# Lazy signatures only: Numba types locked and unlocked arrays apart, and a kernel that would
# write into a locked one fails to compile. The cache keeps compiled code between processes.
# All options are said: those that are not, Numba takes from whichever caller is compiled first.
_compiled = partial(njit, cache=True, nogil=True)
kernel: Any = _compiled(_nrt=True, forceinline=False)
# Kernels that allocate nothing, and call each other millions of times with records of arrays:
# without the counting of references, which takes most of the time of such a call.
lean_kernel: Any = _compiled(_nrt=False, forceinline=False)
# Parts of those with a name, inlined by LLVM, as they are called in the innermost loops.
lean_part: Any = _compiled(_nrt=False, forceinline=True)


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
