"""Columns of a graph's nodes: which of them hold sizes or times, by their names."""

import re
from typing import Final

# A byte, and what names of columns call more of them; K may mean 1,000 or 1,024.
BYTES: Final = {"byte": 1, "bytes": 1, "nbytes": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}
UNCLEAR: Final = {"kb": (1000, 1 << 10), "mb": (10**6, 1 << 20), "gb": (10**9, 1 << 30)}
NAMES: Final = ("size", "sizes", "weight", "memory", "mem", "volume", "numel", "elements")
SIZES: Final = frozenset({*BYTES, *UNCLEAR, *NAMES, "footprint"})
TIMES: Final = frozenset(
    {"time", "times", "us", "ms", "ns", "sec", "secs", "second", "seconds", "duration", "latency"}
    | {"runtime", "cycles", "flop", "flops", "macs"}
)
_LETTERS: Final = re.compile(r"[A-Za-z]+")
_CAPITAL: Final = re.compile(r"[A-Z]i?B|[A-Z]?[a-z]+|[A-Z]+(?![a-z])")  # "KiB", "In", "us", "MB"


def parts_of(name: str) -> frozenset[str]:
    """The words in the name of a column, in lower case: runs of letters, and their parts.

    Examples
    --------
    >>> sorted(parts_of("sizeInBytes")), sorted(parts_of("time_us"))
    (['bytes', 'in', 'size', 'sizeinbytes'], ['time', 'us'])
    """
    runs = _LETTERS.findall(name)
    cut = (part for run in runs for part in _CAPITAL.findall(run))
    return frozenset(part.lower() for part in (*runs, *cut))


def may_hold_sizes(name: str) -> bool:
    """Whether a column is called as columns of sizes are: "size", "out_bytes"."""
    return not parts_of(name).isdisjoint(SIZES)


def may_hold_times(name: str) -> bool:
    """Whether a column is called as columns of times or operations are: "time_us"."""
    return not parts_of(name).isdisjoint(TIMES) and not may_hold_sizes(name)


def unit_of(name: str) -> int | tuple[int, int] | None:
    """The bytes that a column of sizes counts in, by its name.

    None where it does not say; of KB, MB and GB both numbers that they may mean.

    Examples
    --------
    >>> unit_of("size_bytes"), unit_of("mem_KiB"), unit_of("mb"), unit_of("words")
    (1, 1024, (1000000, 1048576), None)
    """
    parts = parts_of(name)
    for units in (BYTES, UNCLEAR):
        for part, unit in units.items():
            if part in parts:
                return unit
    return None
