"""The law of a program for all sizes, held against plays and bounds, within seconds and memory."""

import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import ceil, floor
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from dags import CDAG
from dags.arguments import checked
from dags.programs.fixed import with_sizes
from dags.programs.instances import NotReadError
from dags.programs.layout import instantiate, nothing_computed
from dags.programs.nest import Program, ProgramError
from pebble import compulsory_words, min_memory, play
from proofs import BOUNDS, best_bound
from proofs.base import NotApplicableError
from proofs.laws.nest_terms import kernel_sizes, nest_reader
from proofs.laws.programs import terms
from redblue.laws.regimes.counted import with_nest_terms
from redblue.laws.regimes.laws import Held, RegimeLaw, Term, ruling, sizes_text
from schedulers import scheduler_named

if TYPE_CHECKING:
    from proofs.laws.program_law import ProgramLaw

SECONDS: Final = 8.0
ROOM: Final = 2 * 2**30  # bytes
WAITED: Final = 4


@checked
def law_of_program(
    program: Program,
    sizes: Mapping[str, int] | None = None,
    *,
    seconds: float = SECONDS,
    clock: float | None = None,
    **options: Any,
) -> RegimeLaw:
    """The law of a program, with the evidence of some seconds.

    Parameters
    ----------
    program
        A loop nest.
    sizes
        Values of some of its sizes; the law is for all values of the others.
    seconds
        Of the processor, after which the law is as known by then.
    clock
        Seconds of the clock, likewise; by default four times as many.
    options
        Arguments of `dags.programs.instantiate` other than sizes: live, constants, level; and
        `sums`, "any" where they may be taken in any order.

    Raises
    ------
    NotApplicableError
        If there is no polynomial for the compulsory words of all sizes, or not in this time.
    ProgramError
        If it computes nothing.

    Examples
    --------
    >>> from dags.programs.text.library import polybench
    >>> found = law_of_program(polybench("gemm"), seconds=60)
    >>> [term.below.text for term in found.terms]
    ['(2 NI NJ NK / (NI NJ + NI NK + NJ NK))^2']
    """
    fixed = with_sizes(program, sizes or {})
    limited = Limited(lambda: _found(fixed, options), seconds, ROOM, clock)
    laws: list[RegimeLaw] = [*limited]
    if not laws:
        raise NotApplicableError(
            f"the compulsory words of {program.name} were not found: the search ended {limited.why}"
        )
    names: dict[str, Any] = {"program": program.name, "sizes": dict(sizes or {})}
    return replace(laws[-1], unfinished=limited.why, **names)


def _found(program: Program, options: Mapping[str, Any]) -> Iterator[RegimeLaw]:
    """Yield the law as it is known, more and more of it."""
    settings = dict(options)
    any_order = settings.pop("sums", "") == "any"
    of_nest = {**settings, "any_order": any_order}
    reader = None if "level" in settings else nest_reader(program, of_nest)
    mixed = reader is not None and bool(kernel_sizes(reader))
    law = None
    for law in laws_found(program, compulsory_only=any_order or mixed, **settings):
        yield law
    assert law is not None
    if "level" not in settings:
        with suppress(NotReadError):  # no nest of boxes, or not counted
            law = with_nest_terms(law, program, of_nest, reader)
        yield law
    if not (any_order or law.held):
        yield from held_against_plays(law, program, settings)


def laws_found(program: Program, **options: Any) -> Iterator[RegimeLaw]:
    """Yield the law as far as terms are found, the compulsory words first; nothing is played.

    Parameters
    ----------
    program, options
        As for `law_of_program`.
    """
    live = options.get("live")
    outputs = tuple(live) if live is not None else program.live_by_default()
    laws: list[ProgramLaw] = []
    law = None
    for term in terms(program, **options):
        if law is None:
            if not term.compulsory.terms:
                raise ProgramError(nothing_computed(program, outputs))
            law = RegimeLaw(term, outputs=outputs, chosen=live is not None)
        elif term.tile is None and term.room is None:
            law = replace(law, unattained=law.unattained + 1)
        else:
            laws.append(term)
            law = replace(law, terms=ruling(laws))
        yield law


T = TypeVar("T")

PAGE = resource.getpagesize()


class Limited(Generic[T]):
    """Values of a generator in a process of its own, until it ends or a limit is reached.

    Parameters
    ----------
    work
        Makes the generator; its items are pickled.
    seconds
        The limit of time, of the processor, so that a busy machine finds no less.
    room
        Bytes that the process may ask for beyond those that it begins with.
    clock
        Seconds of the clock, likewise; None for `WAITED` times as many.
    """

    def __init__(
        self,
        work: Callable[[], Iterator[T]],
        seconds: float,
        room: int,
        clock: float | None = None,
    ) -> None:
        self.work = work
        self.seconds = seconds
        self.room = room
        self.clock = WAITED * seconds if clock is None else clock
        self.why = ""  # it ended early; empty if it did not

    def __iter__(self) -> Iterator[T]:
        """Yield the items of the work; raise its errors."""
        end = time.monotonic() + self.clock
        receiver, sender = multiprocessing.Pipe(duplex=False)
        child = multiprocessing.get_context("fork").Process(
            target=self._run, args=(sender,), daemon=True
        )
        child.start()
        sender.close()
        try:
            while receiver.poll(max(end - time.monotonic(), 0.0)):
                kind, value = receiver.recv()
                if kind == "end":
                    return
                if kind == "error":
                    raise value
                yield value
            self.why = f"after {self.seconds:g} seconds"
        except EOFError:  # it was ended by the system, or by a library that found no memory
            child.join()
            late = child.exitcode == -signal.SIGPROF
            room = f"at the limit of {self.room / 2**30:g} GiB of memory"
            self.why = f"after {self.seconds:g} seconds" if late else room
        finally:
            receiver.close()
            child.kill()
            child.join()

    def _run(self, out: Connection) -> None:
        """Send the items of the work."""
        limit = _held() + self.room
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        signal.setitimer(signal.ITIMER_PROF, self.seconds)  # of the processor: it ends the process
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
    """The bytes of address space that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * PAGE


BASES: Final = (64, 48, 36, 27, 20, 15, 11, 8, 6, 5, 4, 3)  # of the sizes that are tried
LONGER: Final = 4  # times as large as the others one size is, in turn
MOST_VERTICES: Final = 2500
PLAYERS: Final = ("natural+belady", "depth-first+belady-cost", "tiled")
PROVERS: Final = ("affine", "uniform", "slices")
SECONDS_EACH: Final = 0.4  # for each play, and for all bounds


def held_against_plays(
    law: RegimeLaw, program: Program, options: Mapping[str, Any]
) -> Iterator[RegimeLaw]:
    """Yield the law with its evidence, after each play; without terms that one contradicts.

    Parameters
    ----------
    law
        The law as it was found.
    program, options
        As for `proofs.laws.programs.terms`.
    """
    for sizes in _some_sizes(program):
        dag = _largest(program, sizes, options)
        if dag is None:
            continue
        at = {name: dag.origin.sizes[name] for name in program.sizes} if dag.origin else {}
        for memory in _memories(dag, law.terms, at):
            words, term = law.at(at, memory)
            proved, played = _proved(dag, memory), _played(dag, memory)
            seen = Held(at, memory, ceil(words - 1e-9), term, proved, played)
            law = _without_contradicted(replace(law, held=(*law.held, seen)), seen)
            yield law


def _without_contradicted(law: RegimeLaw, seen: Held) -> RegimeLaw:
    """The law without the terms that are above a play."""
    false = [term for term in law.terms if floor(term.words(seen.sizes, seen.memory)) > seen.played]
    if not false:
        return law
    subject = f"{sizes_text(seen.sizes)}, {law.letter}={seen.memory}"
    reasons = tuple(
        f"{term.law.leading_term(law.letter)}: a schedule moves {seen.played:,} words at {subject}"
        for term in false
    )
    kept = tuple(term for term in law.terms if term not in false)
    # What the law told before is not what it tells now.
    cleared = tuple(replace(point, told=0, term=None) for point in law.held)
    law = replace(law, terms=kept, withdrawn=(*law.withdrawn, *reasons))
    held = []
    for point in cleared:
        words, number = law.at(point.sizes, point.memory)
        held.append(replace(point, told=ceil(words - 1e-9), term=number))
    return replace(law, held=tuple(held))


def _some_sizes(program: Program) -> Iterator[Mapping[str, int]]:
    """Yield proportions of the sizes: all alike, and each in turn longer than the others."""
    alike = dict.fromkeys(program.sizes, 1)
    yield alike
    if len(program.sizes) > 1:
        for name in program.sizes:
            yield {**alike, name: LONGER}


def _largest(program: Program, parts: Mapping[str, int], options: Mapping[str, Any]) -> CDAG | None:
    """The largest DAG of such proportions that is small, or None."""
    for base in BASES:
        sizes = {name: base * part for name, part in parts.items()}
        try:
            return instantiate(program, sizes, **options, max_vertices=MOST_VERTICES)
        except ProgramError:
            continue
    return None


def _memories(dag: CDAG, terms: Sequence[Term], sizes: Mapping[str, int]) -> list[int]:
    """The least memory and a few above it, where terms rule and where none does."""
    smallest = min_memory(dag)
    far = 1.2 * max([3.0 * smallest, *(end for term in terms if (end := term.ends(sizes)) < dag.n)])
    return sorted({smallest + 1, round((smallest * far) ** 0.5), round(far)})


def _played(dag: CDAG, memory: int) -> int:
    """The words of the best of a few plays."""
    best = None
    for name in PLAYERS:
        schedule = scheduler_named(name)(dag, memory, time_limit=SECONDS_EACH)
        io = play(dag, schedule, memory).io
        best = io if best is None else min(best, io)
    assert best is not None
    return best


def _proved(dag: CDAG, memory: int) -> int:
    """The words that the best of a few bounds proves."""
    try:
        methods = [BOUNDS[name] for name in PROVERS]
        return best_bound(methods, dag, memory, time_limit=SECONDS_EACH).io
    except NotApplicableError:
        return compulsory_words(dag)
