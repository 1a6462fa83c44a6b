"""A message on the terminal when Numba compiles for more than a second."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redblue.progress import Message

SECONDS = 1.0  # of compilation that pass unannounced
SENTENCE = "Numba compiles on first use, for some seconds; later runs find what it compiled"


@contextmanager
def compilation_announced(say: "Message") -> Iterator[None]:
    """Call `say` once, as soon as Numba has compiled for a second in the block."""
    from dags._numba import compilations

    with compilations(_Stopwatch(say)):
        yield


class _Stopwatch:
    """Adds up the time of compilations; one that is part of another is not counted twice."""

    def __init__(self, say: "Message") -> None:
        self._say = say
        self._depth, self._began, self._seconds = 0, 0.0, 0.0
        self._announced = False

    def on_start(self, _event: object) -> None:
        """Note that a compilation begins."""
        if not self._depth:
            self._began = time.monotonic()
        self._depth += 1

    def on_end(self, _event: object) -> None:
        """Note that a compilation ends."""
        self._depth -= 1
        running = time.monotonic() - self._began
        if not self._depth:
            self._seconds += running
            running = 0.0
        if self._seconds + running > SECONDS and not self._announced:
            self._announced = True
            self._say(SENTENCE)
