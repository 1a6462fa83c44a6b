"""A message on the terminal when Numba compiles for more than a second."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from redblue.progress import Message

SECONDS = 1.0  # of compilation that pass unannounced
SENTENCE = "Numba compiles on first use, for some seconds; later runs find what it compiled"


@contextmanager
def compilation_announced(say: "Message") -> Iterator[None]:
    """Call `say` once, as soon as Numba has compiled for a second in the block."""
    from numba.core import event

    with event.install_listener("numba:compile", _listener(say)):
        yield


def _listener(say: "Message") -> Any:
    """Return a listener to Numba's events, whose class is there when Numba is."""
    from numba.core.event import Event, Listener

    class Stopwatch(Listener):
        """Adds up the time of compilations; one that is part of another is not counted twice."""

        def __init__(self) -> None:
            self.depth, self.began, self.seconds = 0, 0.0, 0.0
            self.announced = False

        def on_start(self, event: Event) -> None:
            if not self.depth:
                self.began = time.monotonic()
            self.depth += 1

        def on_end(self, event: Event) -> None:
            self.depth -= 1
            running = time.monotonic() - self.began
            if not self.depth:
                self.seconds += running
                running = 0.0
            if self.seconds + running > SECONDS and not self.announced:
                self.announced = True
                say(SENTENCE)

    return Stopwatch()
