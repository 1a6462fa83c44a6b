"""Memory sizes from text: "64", "8,16,32", "8:512", "8:512:10", "64KB", "2MiB"."""

import re
from collections.abc import Iterable
from decimal import Decimal
from math import log2

from dags import InvalidSpecError
from dags.arguments import argument, checked
from dags.errors import shown
from pebble import MOST_WORDS

# Sizes an octave in a grid without a count: (up to so many octaves, so many sizes).
DENSITY = ((4, 4), (8, 2))
MOST_SIZES = 10_000
SHAPES = "like 64 or 8,16,32 or 8:512 or 8:512:10"
WORD_BYTES = 8  # a number in double precision

PREFIXES = {"": 1} | {
    prefix + binary: base**power
    for power, prefix in enumerate("kmgt", 1)
    for binary, base in (("", 1000), ("i", 1024))
}
# An exponent of more digits would be a number that takes minutes to write down.
NUMBER = re.compile(r"(\d{1,20}(?:\.\d{1,20})?(?:e\+?\d{1,2})?)\s*([kmgt]i?)?(b)?", re.IGNORECASE)


def parse_memory(text: str, word_bytes: int = WORD_BYTES) -> int:
    """The one memory size, in words, that `text` names.

    Units are those of `parse_memories`.

    Raises
    ------
    InvalidSpecError
        If it names none of at least one word, or several.
    """
    require_word_bytes(word_bytes)
    return _words(text, text, word_bytes, "one size like 64")


@checked
def parse_memories(text: str, word_bytes: int = WORD_BYTES) -> tuple[int, ...]:
    """The memory sizes, in words, that `text` names, rising.

    ``a:b`` is a geometric grid with both ends: four sizes an octave over up to four octaves, two
    over up to eight, one beyond. ``a:b:count`` has about `count` sizes (fewer where they would
    coincide). Parts may be joined by commas. A size is a number of words (``64``, ``1e6``,
    ``32K``), or with a B at its end of bytes (``64KB``, ``2MiB``): K, M, G, T are powers of 1000
    and Ki, Mi, Gi, Ti powers of 1024. Of bytes, as many whole words as fit are taken.

    Parameters
    ----------
    text
        The sizes.
    word_bytes
        Bytes of a word.

    Raises
    ------
    InvalidSpecError
        If it names no sizes of at least one word.

    Examples
    --------
    >>> parse_memories("8:64:4")
    (8, 16, 32, 64)
    >>> parse_memories("5,16:32")
    (5, 16, 19, 23, 27, 32)
    >>> parse_memories("1e3,64KB,2MiB", word_bytes=4)
    (1000, 16000, 524288)
    """
    require_word_bytes(word_bytes)
    sizes: set[int] = set()
    for part in text.split(","):
        first, *rest = part.split(":")
        ends = [_words(number, text, word_bytes) for number in (first, *rest[:1])]
        if len(rest) > 2:
            raise InvalidSpecError(f"memory {part!r} is none of a, a:b, a:b:count")
        counts = [_count(number, text) for number in rest[1:]]
        sizes.update(ends if len(ends) == 1 else grid(*ends, *counts))
    return tuple(sorted(sizes))


def memory_size(memory: int | str, word_bytes: int = WORD_BYTES) -> int:
    """Return one memory size: words, or a text that names them, as `parse_memory` takes it.

    Raises
    ------
    InvalidSpecError
        If it is less than a word, more than engines count, or a text that names none.
    """
    if isinstance(memory, str):
        return parse_memory(memory, word_bytes)
    words: int = argument("memory", memory, int)
    return _counted(words, shown(words))


def memory_sizes(
    memories: str | int | Iterable[int | str], word_bytes: int = WORD_BYTES
) -> tuple[int, ...]:
    """Memory sizes, rising, each once: numbers or texts of `memory_size`, or one text.

    Raises
    ------
    InvalidSpecError
        As of `memory_size`, and if there is no size.
    """
    if isinstance(memories, str):
        return parse_memories(memories, word_bytes)
    entries = memories if isinstance(memories, Iterable) else (memories,)
    sizes = tuple(sorted({memory_size(entry, word_bytes) for entry in entries}))
    if not sizes:
        raise InvalidSpecError("memories hold at least one size, not none")
    return sizes


def is_range(memories: object) -> bool:
    """Whether memory sizes are a text with a range ``a:b``, all of whose sizes count."""
    return isinstance(memories, str) and any(part.count(":") == 1 for part in memories.split(","))


def require_word_bytes(word_bytes: int) -> None:
    """Raise InvalidSpecError for a word of no bytes."""
    if word_bytes < 1:
        raise InvalidSpecError(f"a word has at least 1 byte, not {word_bytes}")


def _words(number: str, text: str, word_bytes: int, wanted: str = SHAPES) -> int:
    value = _size(number, text, word_bytes, wanted)
    plain = number.strip().lstrip("+-").isdigit()
    return _counted(value, f"{value}" if plain and value < 1 else number.strip())


def _counted(words: int, name: str) -> int:
    """Words of a memory, which has at least one and not more than engines count."""
    if words < 1:
        raise InvalidSpecError(f"memory must be at least 1 word, not {name}")
    if words > MOST_WORDS:
        raise InvalidSpecError(f"memory must be at most {MOST_WORDS} words, not {name}")
    return words


def _size(number: str, text: str, word_bytes: int, wanted: str) -> int:
    """The words that a number with or without a unit stands for."""
    found = NUMBER.fullmatch(number.strip())
    if found is None or not (found[2] or found[3] or "e" in number.lower()):
        return _whole(number, text, wanted)
    value = Decimal(found[1]) * PREFIXES[(found[2] or "").lower()]
    if found[3]:
        return int(value) // word_bytes
    if value != int(value):
        raise InvalidSpecError(f"memory must be a whole number of words, not {number.strip()}")
    return int(value)


def _count(number: str, text: str) -> int:
    value = _whole(number, text)
    if not 2 <= value <= MOST_SIZES:
        raise InvalidSpecError(f"memory a:b:count takes 2 to {MOST_SIZES} sizes, not {number}")
    return value


def _whole(number: str, text: str, wanted: str = SHAPES) -> int:
    try:
        return int(number)
    except ValueError:
        raise InvalidSpecError(f"memory must be {wanted}, not {shown(text)}") from None


def grid(first: int, last: int, count: int | None = None) -> list[int]:
    """A geometric grid of memory sizes with both ends.

    Parameters
    ----------
    first, last
        Words of fast memory.
    count
        Number of sizes, fewer where they would coincide; None for fewer an octave the more
        octaves there are.

    Raises
    ------
    InvalidSpecError
        If the last size is smaller than the first.
    """
    if last < first:
        raise InvalidSpecError(f"memory {first}:{last} ends before it begins")
    if count is None:
        octaves = log2(last / first)
        count = round(octaves * next((each for most, each in DENSITY if octaves <= most), 1)) + 1
    if count == 1 or first == last:
        return sorted({first, last})
    ratio = (last / first) ** (1 / (count - 1))
    return [round(first * ratio**i) for i in range(count - 1)] + [last]
