"""``redblue papers split``: the best split of a chip between memory and arithmetic."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from redblue.cli import console
from redblue.cli.computation import loaded
from redblue.cli.machine.arguments import law_named
from redblue.show.answer import Facts
from redblue.show.rows import table

if TYPE_CHECKING:
    from collections.abc import Callable

    from redblue.papers.models.area_split import AreaBudget, Split

    Splitter = Callable[["AreaBudget"], "Split"]
    from collections.abc import Iterator

    from redblue.papers.models import Die


@dataclass(frozen=True)
class Dies:
    """Chips of several sides.

    Parameters
    ----------
    sides
        l, sides of dies in lambda.
    word_bits
        L_w, bits of a word.
    bit_area
        alpha_m, area of a bit of memory in lambda^2.
    unit_area
        alpha_F, area of a functional unit in lambda^2.
    pins
        beta, bits per cycle across one lambda of the perimeter.
    usable
        eta, share of the area for memory and functional units.
    """

    sides: tuple[float, ...] = (25000, 50000, 100000, 200000, 400000, 800000, 1600000)
    word_bits: float = 64
    bit_area: float = 50
    unit_area: float = 1e8
    pins: float = 1 / 3000
    usable: float = 1

    def __iter__(self) -> "Iterator[Die]":
        """Yield the chips."""
        from redblue.papers.models import Die

        fixed = (self.word_bits, self.bit_area, self.unit_area, self.pins, self.usable)
        return (Die(side, *fixed) for side in self.sides)


SHOWN = ("memory", "units", "unit_share", "compute_cycles", "transfer_cycles")


def split(
    dies: Dies,
    law: str | None = None,
    coefficient: float = 1.0,
    dag: str | None = None,
    memory: str | None = None,
) -> Facts:
    """Print the best split of a die between memory and functional units, for any computation.

    The computation is given by law=... or by dag=.... As in Bilardi et al., memory and functional
    units share the area of a die, and words cross its perimeter.

    Parameters
    ----------
    law
        How operations per word grow with memory: "M^1/2", "log M" or "constant"; by default M^1/2.
    coefficient
        Factor of the law.
    dag
        Computation (fft:n=64 or a file) whose schedules give the I/O instead.
    memory
        Fast memory in words for these schedules: a list 8,16,32 or a range 8:512.
    """
    title, splitter = sought(law, coefficient, dag, memory)
    rows = []
    for die in dies:
        split_found = splitter(die.budget)
        rows.append({"side": die.side, **{name: getattr(split_found, name) for name in SHOWN}})
    splits = table(
        "splits", f"{title}; l in lambda, words of {dies.word_bits:g} bits", rows, "l <- side",
        "memory [words] <- memory", "F [op/cycle] <- units", "share of units <- unit_share",
        "w / F <- compute_cycles", "I / b [cycles] <- transfer_cycles",
    )  # fmt: skip
    return Facts({"computation": title, "word_bits": dies.word_bits, "splits": rows}, (splits,))


def sought(
    law: str | None, coefficient: float, dag: str | None, memory: str | None
) -> "tuple[str, Splitter]":
    """The name of the computation, and a function that splits a budget for it.

    Raises
    ------
    InvalidMachineError
        If a law and a DAG are asked for at once.
    """
    from proofs.laws import Law
    from redblue.answers.hardware import InvalidMachineError
    from redblue.papers.models.area_split import law_split

    if dag is not None:
        if law is not None:
            raise InvalidMachineError("a computation is law=... or dag=..., not both")
        return played(dag, memory)
    named = law_named("M^1/2" if law is None else law)
    known = Law(named.kind, named.exponent, coefficient)
    return f"{coefficient:g} {known.name} operations a word", lambda chip: law_split(chip, known)


def played(spec: str, memory: str | None) -> "tuple[str, Splitter]":
    """The DAG's name, and a function that splits a budget by its best schedules' I/O."""
    from pebble import min_memory
    from redblue.answers.balance.balance import work_of
    from redblue.answers.curves.curve import io_curve
    from redblue.answers.memories import parse_memories
    from redblue.papers.models.area_split import best_measured_split

    graph = loaded(spec).dag
    smallest = min_memory(graph)
    sizes = parse_memories(memory or f"{smallest}:{max(smallest, int(graph.sizes.sum()))}")
    with console.progress_bar("playing") as progress:
        curve = io_curve(graph, sizes, bounds=[], spec=spec, progress=progress)
    words, io = zip(*curve.envelope("upper"), strict=True)
    work = work_of(graph)
    return curve.title, lambda chip: best_measured_split(chip, work, words, io)
