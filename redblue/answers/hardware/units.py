"""Units: every number of the catalogue is written in one of these and read in its base unit.

A unit is a prefix and a base: "GB/s", "Mbit", "Kiword", "Tflop/s". Decimal prefixes are powers of
1000, those with an i powers of 1024. A rate per cycle needs the clock, words need their length.
"""

from collections.abc import Callable
from typing import Literal

from redblue.answers.hardware.validation import InvalidMachineError

Dimension = Literal["flop/s", "byte/s", "byte", "hertz", "flop/word"]

BITS_PER_BYTE = 8
DECIMAL = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
PREFIXES = {**DECIMAL, **BINARY}

# base: what it measures, and how many of the base unit it is at (clock, bytes of a word)
BASES: dict[str, tuple[Dimension, Callable[[float, float], float]]] = {
    "flop/s": ("flop/s", lambda clock, word: 1.0),
    "flop/cycle": ("flop/s", lambda clock, word: clock),
    "B/s": ("byte/s", lambda clock, word: 1.0),
    "word/s": ("byte/s", lambda clock, word: word),
    "bit/cycle": ("byte/s", lambda clock, word: clock / BITS_PER_BYTE),
    "B": ("byte", lambda clock, word: 1.0),
    "bit": ("byte", lambda clock, word: 1 / BITS_PER_BYTE),
    "word": ("byte", lambda clock, word: word),
    "Hz": ("hertz", lambda clock, word: 1.0),
    "flop/word": ("flop/word", lambda clock, word: 1.0),
}


def dimension(unit: str) -> Dimension:
    """The dimension of `unit`: "flop/s", "byte/s", "byte", "hertz" or "flop/word"."""
    return BASES[_split(unit)[1]][0]


def in_base_units(value: float, unit: str, *, clock: float = 0.0, word_bytes: float = 0.0) -> float:
    """`value` in flop/s, byte/s, byte, hertz or flop/word, as `dimension` says.

    Parameters
    ----------
    value, unit
        The number as its source prints it.
    clock
        Cycles per second.
    word_bytes
        Bytes of a word.

    Raises
    ------
    InvalidMachineError
        If the unit is unknown, or says "cycle" or "word" and that is not given.

    Examples
    --------
    >>> in_base_units(16, "GB/s")
    16000000000.0
    >>> in_base_units(4, "flop/cycle", clock=1.6e9)
    6400000000.0
    >>> in_base_units(64, "Kiword", word_bytes=4)
    262144.0
    """
    prefix, base = _split(unit)
    if base.endswith("/cycle") and clock <= 0:
        raise InvalidMachineError(f"{value} {unit} needs a clock")
    if base in ("word", "word/s") and word_bytes <= 0:
        raise InvalidMachineError(f"{value} {unit} needs the length of a word")
    return float(value * PREFIXES[prefix] * BASES[base][1](clock, word_bytes))


def words_per_cycle(bandwidth: float, clock: float, word_bytes: float = 8) -> float:
    """`bandwidth` (bytes per second) in words per cycle of `clock` (hertz).

    Parameters
    ----------
    bandwidth
        Bytes a second.
    clock
        Hertz.
    word_bytes
        Bytes of a word.

    Examples
    --------
    >>> words_per_cycle(16e9, clock=0.5e9)
    4.0
    """
    return bandwidth / word_bytes / clock


def _split(unit: str) -> tuple[str, str]:
    """The prefix and the base of `unit`."""
    for base in BASES:
        prefix = unit.removesuffix(base)
        if unit.endswith(base) and prefix in PREFIXES:
            return prefix, base
    raise InvalidMachineError(f"no unit is called {unit!r}; bases are {', '.join(BASES)}")
