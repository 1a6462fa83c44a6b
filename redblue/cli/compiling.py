"""The time that Numba takes to compile, and a message on the terminal where it is long."""

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

    with compilations(_Announcer(say)):
        yield


class CompilationTime:
    """Adds up the time of compilations; one that is part of another is not counted twice."""

    def __init__(self) -> None:
        self._depth, self._began, self._seconds = 0, 0.0, 0.0

    @property
    def seconds(self) -> float:
        """Seconds of all compilations so far, with the one that is running."""
        return self._seconds + (time.monotonic() - self._began if self._depth else 0.0)

    def on_start(self, _event: object) -> None:
        """Note that a compilation begins."""
        if not self._depth:
            self._began = time.monotonic()
        self._depth += 1

    def on_end(self, _event: object) -> None:
        """Note that a compilation ends."""
        if self._depth == 1:
            self._seconds += time.monotonic() - self._began
        self._depth -= 1


class _Announcer(CompilationTime):
    """Says once that Numba compiles."""

    def __init__(self, say: "Message") -> None:
        super().__init__()
        self._say = say
        self._announced = False

    def on_end(self, event: object) -> None:
        """Note that a compilation ends."""
        super().on_end(event)
        if self.seconds > SECONDS and not self._announced:
            self._announced = True
            self._say(SENTENCE)
