"""A message on the terminal when Numba compiles for more than a second."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from redblue.limits.compilation import CompilationTime

if TYPE_CHECKING:
    from redblue.limits.progress import Message

SECONDS = 1.0  # of compilation that pass unannounced
SENTENCE = (
    "Numba compiles kernels on first use, for some seconds; later runs reuse them, and "
    "'redblue compile' compiles all of them now"
)


@contextmanager
def compilation_announced(say: "Message") -> Iterator[None]:
    """Call `say` once, as soon as Numba has compiled for a second in the block."""
    from dags._numba import compilations

    with compilations(_Announcer(say)):
        yield


class _Announcer(CompilationTime):
    """Says once that Numba compiles."""

    def __init__(self, say: "Message") -> None:
        super().__init__(_now)
        self._say = say
        self._announced = False

    def on_end(self, event: object) -> None:
        """Note that a compilation ends."""
        super().on_end(event)
        if self.seconds > SECONDS and not self._announced:
            self._announced = True
            self._say(SENTENCE)


def _now() -> float:
    return time.monotonic()
