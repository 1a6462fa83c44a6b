"""Work in a process of its own, which a limit of time or memory ends for certain."""

import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Generic, TypeVar

T = TypeVar("T")

PAGE = resource.getpagesize()


class Limited(Generic[T]):
    """Values of a generator in a process of its own, until it ends or a limit is reached.

    Parameters
    ----------
    work
        Makes the generator; what it yields is pickled.
    seconds
        The limit of time.
    room
        Bytes that the process may ask for beyond those that it begins with.
    """

    def __init__(self, work: Callable[[], Iterator[T]], seconds: float, room: int) -> None:
        self.work = work
        self.seconds = seconds
        self.room = room
        self.why = ""  # it ended early; empty if it did not

    def __iter__(self) -> Iterator[T]:
        """Yield what the work yields; raise what it raises."""
        end = time.monotonic() + self.seconds
        here, there = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.get_context("fork").Process(
            target=self._run, args=(there,), daemon=True
        )
        child.start()
        there.close()
        try:
            while here.poll(max(end - time.monotonic(), 0.0)):
                kind, value = here.recv()
                if kind == "end":
                    return
                if kind == "error":
                    raise value
                yield value
            self.why = f"after {self.seconds:g} seconds"
        except EOFError:  # it was ended by the system, or by a library that found no memory
            self.why = f"at the limit of {self.room / 2**30:g} GiB of memory"
        finally:
            here.close()
            child.kill()
            child.join()

    def _run(self, out: Connection) -> None:
        """Send what the work yields."""
        limit = _held() + self.room
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what libraries say of memory
        try:
            for value in self.work():
                out.send(("value", value))
            out.send(("end", None))
        except MemoryError:
            os._exit(1)
        except Exception as error:
            out.send(("error", error))
        os._exit(0)


def _held() -> int:
    """Return the bytes of address space that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * PAGE
