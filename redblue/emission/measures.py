"""Misses of emitted code and of the original, as Valgrind counts them."""

import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from dags import InvalidSpecError
from dags.errors import RedBlueError, shown
from dags.programs.element_types import element_word
from redblue.answers.memories import parse_memory
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

    @property
    def sentence(self) -> str:
        """Whether the code is better than the text in this cache, or worse, in a sentence."""
        if self.emitted == self.original:
            return f"{self.cache}: the code misses as often as the text"
        worse = self.emitted > self.original
        fewer, larger = sorted((self.emitted, self.original))
        times = f"{larger / fewer:.2f} times as often" if fewer else "and the other not at all"
        kinds = ("the code", "the text") if worse else ("the text", "the code")
        counts = f"{kinds[0]} misses {larger:,} times, {kinds[1]} {fewer:,}"
        verdict = "the code is WORSE here, keep the text" if worse else "the code is better here"
        return f"{self.cache}: {counts} ({times}): {verdict}"


class Cache(NamedTuple):
    """A cache of data with lines of 64 bytes.

    Attributes
    ----------
    bytes, ways
        Its size, and lines of a set.
    """

    bytes: int
    ways: int

    @property
    def name(self) -> str:
        """Its size and ways, as users say them."""
        unit, prefix = next(
            (unit, prefix)
            for unit, prefix in ((1 << 20, "MiB"), (1 << 10, "KiB"), (1, "bytes"))
            if self.bytes % unit == 0
        )
        return f"{self.bytes // unit} {prefix}, {self.ways} ways"


def caches_of(text: str) -> list[Cache]:
    """The caches that a text names: "48KiB:12,2MiB:16", a size and its ways each.

    Raises
    ------
    InvalidSpecError
        If it names none that Valgrind takes: sets are a power of two.
    """
    caches = []
    for part in text.split(","):
        size, colon, ways = part.partition(":")
        if not colon or not ways.strip().isdecimal() or not 1 <= len(ways.strip()) <= 6:
            raise InvalidSpecError(
                f"a cache is a size and its ways like 48KiB:12, not {shown(part)}"
            )
        cache = Cache(parse_memory(size, 1), int(ways))
        sets, remainder = divmod(cache.bytes, LINE * max(cache.ways, 1))
        if cache.ways < 1 or remainder or not sets or sets & (sets - 1):
            raise InvalidSpecError(
                f"{cache.bytes:,} bytes in {cache.ways} ways of lines of {LINE} bytes are no power "
                "of two of sets, which Valgrind asks for"
            )
        caches.append(cache)
    return caches


USUAL: Final = (Cache(32 << 10, 8), Cache(1 << 20, 16))


def measure(emission: Emission, caches: Sequence[Cache] = USUAL) -> list[Misses]:
    """Misses at the given sizes, of M words anywhere and of some caches.

    Parameters
    ----------
    emission
        The code.
    caches
        The caches beside that of M words.

    Raises
    ------
    NoValgrindError
        If there is no Valgrind.
    """
    if shutil.which("valgrind") is None:
        raise NoValgrindError("valgrind is not installed, which counts misses")
    known = element_word(emission.interface.program)
    word = 8 if known is None else known.size
    lines = max(emission.memory * word // LINE, 1)
    asked = [Cache(lines * LINE, lines), *caches]
    first = [f"{cache.bytes},{cache.ways},{LINE}" for cache in asked]
    text = text_of(emission.interface)
    measured = [_misses(emission, source, first) for source in (text, emission.source)]
    names = [
        f"{lines * LINE // word:,} words, fully associative",
        *(cache.name for cache in caches),
    ]
    return [Misses(*counts) for counts in zip(names, *measured, strict=True)]


def _misses(emission: Emission, source: str, first: list[str]) -> list[int]:
    """The misses of a source in each of the caches."""
    return [valgrind(emission, source, cache)["D1"] for cache in first]


def valgrind(
    emission: Emission,
    source: str,
    cache: str,
    *,
    flags: Sequence[str] = (),
    compiler: str | None = None,
) -> Mapping[str, int]:
    """The misses of data in the function of a source, by the name of the cache.

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
    with runs.binary(source, flags=(*FLAGS, *flags), under=command, compiler_name=compiler) as run:
        output = run(emission.sizes).told
    return {name: int(value.replace(",", "")) for name, value in MISSES.findall(output)}
