"""Bytes of the elements of a program's arrays, by the types that its text declares."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from dags.programs.nest import Program

# Bytes by the words of a type, the first that is there; as compilers for 64 bits have them.
BYTES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "double": 8,
        "float": 4,
        **dict.fromkeys(("_Float16", "__fp16", "__half", "half", "__bf16", "__nv_bfloat16"), 2),
        **dict.fromkeys(("char", "bool", "_Bool", "int8_t", "uint8_t"), 1),
        **dict.fromkeys(("short", "int16_t", "uint16_t"), 2),
        **dict.fromkeys(("long", "size_t", "int64_t", "uint64_t", "ptrdiff_t"), 8),
        **dict.fromkeys(("int", "unsigned", "signed", "int32_t", "uint32_t"), 4),
        "DATA_TYPE": 8,  # double, unless PolyBench is told otherwise
    }
)
COMPLEX: Final = frozenset({"complex", "_Complex"})


class ElementWord(NamedTuple):
    """The bytes of a word of a program, and the types of its arrays by their bytes.

    Attributes
    ----------
    size
        Bytes of the smallest element of its arrays: a word.
    types
        Bytes of an element of each type of its arrays, the smallest first.
    """

    size: int
    types: tuple[tuple[str, int], ...]


def bytes_of(type_: str) -> int | None:
    """The bytes of a value of a type; None where its name does not say.

    Examples
    --------
    >>> bytes_of("float"), bytes_of("int long"), bytes_of("double long"), bytes_of("real_t")
    (4, 8, 16, None)
    """
    words = type_.split()
    size = next((count for word, count in BYTES.items() if word in words), None)
    if size is None:
        return None
    long_double = "double" in words and "long" in words
    return size * (2 if long_double else 1) * (2 if not COMPLEX.isdisjoint(words) else 1)


def element_word(program: Program) -> ElementWord | None:
    """The word of a program whose text declares types; None where it does not.

    Where its arrays have elements of several sizes, a word is the smallest of them, and each
    element counts as one: what must be moved in words then is no more than what must be moved.
    """
    declared = program.types or {}
    sizes: dict[str, int] = {}
    for name, dimensions in program.dimensions.items():
        size = bytes_of(declared.get(name, "")) if dimensions else None
        if size is not None and name not in program.constants:
            sizes[declared[name]] = size
    types = tuple(sorted(sizes.items(), key=lambda pair: pair[::-1]))
    return ElementWord(types[0][1], types) if types else None
