"""The levels of a machine in the catalogue."""

from dataclasses import dataclass

from redblue.answers.hardware import MACHINES, InvalidMachineError, machine_named


@dataclass(frozen=True)
class MachineLevels:
    """The memories of a machine as levels, the smallest first.

    Parameters
    ----------
    machine
        Its name in the catalogue.
    names
        (L,) of all levels; the last one has room for everything.
    memories
        (L - 1,) words of each level but the last.
    rates
        (L - 1,) words a second across each boundary; None where no bandwidth is published.
    sources
        (L - 1,) where each size stands.
    """

    machine: str
    names: tuple[str, ...]
    memories: tuple[int, ...]
    rates: tuple[float | None, ...]
    sources: tuple[str, ...]


def levels_of(machine: str, word_bytes: float) -> MachineLevels:
    """Return the memories of a machine as levels.

    Sizes are those of the whole machine: of caches that each core has, the sum. The largest memory
    is the level that has room for everything.

    Parameters
    ----------
    machine
        A name in `MACHINES`.
    word_bytes
        Bytes of a word of the computation.

    Raises
    ------
    UnknownNameError
        If there is no such machine.
    InvalidMachineError
        If the catalogue has fewer than two memories of it.
    """
    known = machine_named(machine)
    if len(known.memory) < 2:
        able = ", ".join(name for name, one in MACHINES.items() if len(one.memory) > 1)
        raise InvalidMachineError(
            f"the catalogue has {len(known.memory)} memories of {machine}, and a hierarchy takes "
            f"two: {able} have as many"
        )
    sizes = sorted(known.memory.items(), key=lambda item: item[1].base)
    below = sizes[:-1]
    feeds = [number.fed_by for _, number in below]
    return MachineLevels(
        machine,
        tuple(name for name, _ in sizes),
        tuple(int(number.base // word_bytes) for _, number in below),
        tuple(None if one is None else known.bandwidth[one].base / word_bytes for one in feeds),
        tuple(f"{number.source.title} ({number.source.date})" for _, number in below),
    )
