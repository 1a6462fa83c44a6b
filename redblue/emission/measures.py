"""Misses of emitted code and of the original, as Valgrind counts them."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dags.errors import RedBlueError
from redblue.emission.checks import text_of
from redblue.emission.emission import Emission
from redblue.emission.runs import Runs

LINE: Final = 64  # bytes
MISSES: Final = re.compile(r"(D1|LLd)\s+misses:\s+([\d,]+)")
FLAGS: Final = ("-g", "-fno-inline", "-Wno-unused-function")


class NoValgrindError(RedBlueError, RuntimeError):
    """Valgrind is not at hand."""


@dataclass(frozen=True)
class Misses:
    """Misses of data in one cache with lines of 64 bytes.

    Parameters
    ----------
    cache
        The cache, in words.
    original, emitted
        Misses of the text as it is, and of the code.
    """

    cache: str
    original: int
    emitted: int

    @property
    def ratio(self) -> float | None:
        """Misses of the text for each of the code; None if the code has none."""
        return round(self.original / self.emitted, 2) if self.emitted else None


def measure(emission: Emission) -> list[Misses]:
    """Return misses at the given sizes: of M words anywhere, of 32 KB in 8 ways, and of 1 MB.

    Parameters
    ----------
    emission
        The code.

    Raises
    ------
    NoValgrindError
        If there is no Valgrind.
    """
    if shutil.which("valgrind") is None:
        raise NoValgrindError("valgrind is not installed, which counts misses")
    lines = max(emission.memory * 8 // LINE, 1)
    first = [f"{lines * LINE},{lines},{LINE}", f"32768,8,{LINE}"]
    text = text_of(emission.interface)
    some = [_misses(emission, source, first) for source in (text, emission.source)]
    names = [f"{lines * 8:,} words, fully associative", "32 KB, 8 ways", "1 MB, 16 ways"]
    return [Misses(*each) for each in zip(names, *some, strict=True)]


def _misses(emission: Emission, source: str, first: list[str]) -> list[int]:
    """Return the misses of a source in each of the caches."""
    found: dict[str, int] = {}
    for cache in first:
        told = valgrind(emission, source, cache)
        found[cache] = told["D1"]
    return [*found.values(), told["LLd"]]


def valgrind(
    emission: Emission,
    source: str,
    cache: str,
    *,
    flags: Sequence[str] = (),
    by: str | None = None,
) -> Mapping[str, int]:
    """Return the misses of data in the function of a source, by the name of the cache.

    Parameters
    ----------
    emission
        Code with the same function, and sizes.
    source
        The file.
    cache
        Bytes, ways and bytes of a line of the first cache.
    flags, by
        Of the compiler, and which one; None for the one at hand.
    """
    command = [
        "valgrind",
        "--tool=callgrind",
        "--cache-sim=yes",
        f"--toggle-collect={emission.interface.function}",
        f"--D1={cache}",
        f"--LL={1 << 20},16,{LINE}",
        "--callgrind-out-file=/dev/null",
    ]
    runs = Runs(emission.interface)
    with runs.binary(source, flags=(*FLAGS, *flags), under=command, by=by) as run:
        told = run(emission.sizes).told
    return {name: int(value.replace(",", "")) for name, value in MISSES.findall(told)}
