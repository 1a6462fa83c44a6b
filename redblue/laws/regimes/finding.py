"""The law of a program for all sizes, within seconds and memory."""

import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from dags.programs.fixed import with_sizes
from dags.programs.nest import Program
from proofs.base import NotApplicableError
from proofs.programs import terms
from redblue.laws.regimes.holding import held_against_plays
from redblue.laws.regimes.laws import RegimeLaw, ruling

if TYPE_CHECKING:
    from proofs.program_law import ProgramLaw

SECONDS: Final = 8.0
ROOM: Final = 2 * 2**30  # bytes


def law_of_program(
    program: Program,
    sizes: Mapping[str, int] | None = None,
    *,
    seconds: float = SECONDS,
    **options: Any,
) -> RegimeLaw:
    """Return the law of a program, with what was found of it in some seconds.

    Parameters
    ----------
    program
        A loop nest.
    sizes
        Values of some of its sizes; the law is for all values of the others.
    seconds
        After which the law is what is known by then.
    options
        Arguments of `dags.programs.instantiate` other than sizes: live, constants, level.

    Raises
    ------
    NotApplicableError
        If there is no polynomial for the compulsory words of all sizes, or not in this time.

    Examples
    --------
    >>> from dags.programs.library import polybench
    >>> found = law_of_program(polybench("gemm"), seconds=60)
    >>> [term.below.text for term in found.terms]
    ['(2 NI NJ NK / (NI NJ + NI NK + NJ NK))^2']
    """
    fixed = with_sizes(program, sizes or {})
    limited = Limited(lambda: _found(fixed, options), seconds, ROOM)
    found: list[RegimeLaw] = [*limited]
    if not found:
        raise NotApplicableError(
            f"the compulsory words of {program.name} were not found: the search ended {limited.why}"
        )
    return replace(found[-1], unfinished=limited.why)


def _found(program: Program, options: Mapping[str, Any]) -> Iterator[RegimeLaw]:
    """Yield what is known of the law, more and more of it."""
    law = None
    for law in laws_found(program, **options):
        yield law
    assert law is not None
    yield from held_against_plays(law, program, options)


def laws_found(program: Program, **options: Any) -> Iterator[RegimeLaw]:
    """Yield the law as far as terms are found, the compulsory words first; nothing is played.

    Parameters
    ----------
    program, options
        As for `law_of_program`.
    """
    live = options.get("live")
    outputs = tuple(live) if live is not None else program.live_by_default()
    found: list[ProgramLaw] = []
    law = None
    for one in terms(program, **options):
        if law is None:
            law = RegimeLaw(one, outputs=outputs, chosen=live is not None)
        elif one.tile is None and one.room is None:
            law = replace(law, unattained=law.unattained + 1)
        else:
            found.append(one)
            law = replace(law, terms=ruling(found))
        yield law


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
