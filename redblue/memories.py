"""Memory sizes from text: "64", "8,16,32", "8:512", "8:512:10"."""

from math import log2

from dags import InvalidSpecError

# Sizes an octave in a grid without a count: (up to so many octaves, so many sizes).
DENSITY = ((4, 4), (8, 2))
MOST_WORDS = 2**62  # kernels add such numbers in 64 bits
MOST_SIZES = 10_000
SHAPES = "like 64 or 8,16,32 or 8:512 or 8:512:10"


def parse_memory(text: str) -> int:
    """Return the one memory size, in words, that `text` names.

    Raises
    ------
    InvalidSpecError
        If it names none of at least one word, or several.
    """
    return _words(text, text, "one size like 64")


def parse_memories(text: str) -> tuple[int, ...]:
    """Return the memory sizes, in words, that `text` names, rising.

    ``a:b`` is a geometric grid with both ends: four sizes an octave over up to four octaves, two
    over up to eight, one beyond. ``a:b:count`` has about `count` sizes (fewer where they would
    coincide). Parts may be joined by commas.

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
    """
    sizes: set[int] = set()
    for part in text.split(","):
        first, *rest = part.split(":")
        ends = [_words(number, text) for number in (first, *rest[:1])]
        if len(rest) > 2:
            raise InvalidSpecError(f"memory {part!r} is none of a, a:b, a:b:count")
        counts = [_count(number, text) for number in rest[1:]]
        sizes.update(ends if len(ends) == 1 else _grid(*ends, *counts))
    return tuple(sorted(sizes))


def _words(number: str, text: str, wanted: str = SHAPES) -> int:
    value = _whole(number, text, wanted)
    if value < 1:
        raise InvalidSpecError(f"memory must be at least 1 word, not {value}")
    if value > MOST_WORDS:
        raise InvalidSpecError(f"memory must be at most {MOST_WORDS} words, not {number}")
    return value


def _count(number: str, text: str) -> int:
    value = _whole(number, text)
    if not 2 <= value <= MOST_SIZES:
        raise InvalidSpecError(f"memory a:b:count takes 2 to {MOST_SIZES} sizes, not {number}")
    return value


def _whole(number: str, text: str, wanted: str = SHAPES) -> int:
    try:
        return int(number)
    except ValueError:
        raise InvalidSpecError(f"memory must be {wanted}, not {text!r}") from None


def _grid(first: int, last: int, count: int | None = None) -> list[int]:
    """Return a geometric grid from `first` to `last`."""
    if last < first:
        raise InvalidSpecError(f"memory {first}:{last} ends before it begins")
    if count is None:
        octaves = log2(last / first)
        count = round(octaves * next((each for most, each in DENSITY if octaves <= most), 1)) + 1
    if count == 1 or first == last:
        return sorted({first, last})
    ratio = (last / first) ** (1 / (count - 1))
    return [round(first * ratio**i) for i in range(count - 1)] + [last]
