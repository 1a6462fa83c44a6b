"""The bytes of a word: those of a computation's own values, where these say anything."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OF_BYTES = re.compile(r"\d\s*([kmgt]?)(i?)b\b", re.IGNORECASE)
WORD_BYTES = 8  # as `redblue.answers.memories` has it, which imports Numba
PREFIXES = "KMGT"


@dataclass(frozen=True)
class Word:
    """The bytes of a word of a computation.

    Parameters
    ----------
    size
        Bytes; None where the computation does not say.
    why
        Where they come from, after a comma: "as float has".
    """

    size: int | None = None
    why: str = "by default (word=N at the end of SPEC)"

    @property
    def bytes(self) -> int:
        """Bytes of a word: 8 where the computation does not say."""
        return WORD_BYTES if self.size is None else self.size


def word_of(source: Any, attribute: str | None = None) -> Word:
    """The word of a computation.

    As its specification says (``word=4``), or the column of its sizes by its name, or the types of
    a text; of a graph of another tool that of the elements that it has most of.

    Parameters
    ----------
    source
        A computation, as `redblue.load` takes it.
    attribute
        Attribute of a file's nodes that holds their sizes, as "graph.json:words=size_bytes" has it.

    Raises
    ------
    InvalidSpecError
        If the column counts in KB, MB or GB, of which nobody knows the bytes.
    RedBlueError
        If the computation cannot be read.
    """
    from dags import Computation, RedBlueError
    from dags.cdag.value import CDAG
    from dags.programs.nest import Program
    from dags.spec import leaves

    if isinstance(source, Computation):
        source = source.spec or source.dag
    if isinstance(source, str | Path):
        return _word_of_spec(str(source), attribute)
    if isinstance(source, Program):
        return _word_of_program(source)
    if isinstance(source, CDAG):
        return Word(source.word_bytes, "as its values have") if source.word_bytes else Word()
    try:
        size: int | None = leaves.reader("graphs").graph_of(source).word
    except RedBlueError:
        size = None
    return _column_word(attribute) or (Word() if size is None else Word(size, "as its values have"))


def _word_of_spec(spec: str, attribute: str | None) -> Word:
    from dags import GENERATORS
    from dags.spec import leaves
    from dags.spec.options import file_spec

    said = file_spec(spec)
    if said.word is not None:
        return Word(said.word, f"as word={said.word} says")
    if spec.partition(":")[0] in GENERATORS:
        return Word()
    if (named := _column_word(attribute or said.words)) is not None:
        return named
    kind = leaves.kind_of(said.spec)
    if kind == "graphs":
        size = leaves.reader("graphs").import_spec(spec).word_bytes
        return Word() if size is None else Word(size, "as its values have")
    if kind == "programs":
        return _word_of_program(leaves.reader("programs").program_spec(spec).program)
    return Word()


def _column_word(column: str | None) -> Word | None:
    """The word of a column of sizes; None where its name does not say."""
    from dags import InvalidSpecError
    from dags.cdag.columns import unit_of
    from dags.errors import one_line

    unit = None if column is None else unit_of(column)
    if unit is None:
        return None
    name = one_line(column, 40)
    if isinstance(unit, tuple):
        raise InvalidSpecError(
            f"words={name}: its unit has {unit[0]:,} or {unit[1]:,} bytes; say word={unit[0]} or "
            f"word={unit[1]}"
        )
    return Word(unit, f"as words={name} counts")


def _word_of_program(program: Any) -> Word:
    from dags.programs.element_types import element_word

    found = element_word(program)
    if found is None:
        return Word()
    if len({size for _, size in found.types}) == 1:
        return Word(found.size, f"as {found.types[0][0]} has")
    kinds = ", ".join(f"{name} {size}" for name, size in found.types)
    return Word(found.size, f"the smallest element ({kinds}): each element counts as one word")


def own_word(source: Any, attribute: str | None = None) -> int | None:
    """The bytes of a word of a computation, as `word_of`; None where it does not say."""
    return word_of(source, attribute).size


def words_of(memory: int | str, *sources: Any) -> int:
    """A memory size in words; one that is given in bytes has the computation's words.

    Parameters
    ----------
    memory
        Words, or a text that names one size: "64", "64KB".
    sources
        The computations, all of one word where the size is in bytes.

    Raises
    ------
    InvalidSpecError
        If it is less than a word, more than engines count, or a text that names none.
    """
    from redblue.answers.memories import memory_size

    return memory_size(memory, _bytes_in(memory, sources))


def memories_of(memories: str | int | Iterable[int | str], *sources: Any) -> tuple[int, ...]:
    """Memory sizes in words, rising, each once, as `words_of`.

    Parameters
    ----------
    memories
        Sizes, one of them, or a text that names them: "8:512".
    sources
        The computations, all of one word where sizes are in bytes.

    Raises
    ------
    InvalidSpecError
        As of `words_of`, and if there is no size.
    """
    from redblue.answers.memories import memory_sizes

    given = tuple(memories) if not isinstance(memories, str | int) else memories
    return memory_sizes(given, _bytes_in(given, sources))


def _bytes_in(memory: object, sources: Sequence[Any]) -> int:
    return one_word(sources).bytes if is_in_bytes(memory) else WORD_BYTES


def is_in_bytes(memory: object) -> bool:
    """Whether a memory, or one of a tuple of them, is a text with a size in bytes."""
    texts = memory if isinstance(memory, tuple) else (memory,)
    return any(isinstance(text, str) and OF_BYTES.search(text) is not None for text in texts)


def one_word(sources: Sequence[Any]) -> Word:
    """The word of all of some computations.

    Raises
    ------
    InvalidSpecError
        If they have words of several sizes.
    """
    from dags import InvalidSpecError

    words = [word_of(source) for source in sources] or [Word()]
    sizes = dict.fromkeys(word.bytes for word in words)
    if len(sizes) > 1:
        several = " and ".join(map(str, sizes))
        raise InvalidSpecError(f"words of {several} bytes: say word=N at the end of each SPEC")
    return words[0]


def word_sentence(word: Word, *texts: str) -> str:
    """Which word and which units were taken for sizes in bytes, in a sentence.

    Parameters
    ----------
    word
        The word.
    texts
        Sizes as they were given.
    """
    found = [(unit[1].upper(), bool(unit[2])) for text in texts for unit in OF_BYTES.finditer(text)]
    powers = ([one for one, is_binary in found if not is_binary], 1000)
    binary = ([one for one, is_binary in found if is_binary], 1024)
    units = [_units(*each) for each in (powers, binary)]
    told = "".join(f"; {unit}" for unit in units if unit)
    return f"a word is {word.bytes} byte{'s' * (word.bytes != 1)}, {word.why}{told}"


def _units(prefixes: Sequence[str], base: int) -> str:
    """The bytes of the units with some prefixes: of one as a number, else by the powers."""
    known = [prefix for prefix in PREFIXES if prefix in prefixes]
    if not known:
        return ""
    binary, power, several = base == 1024, PREFIXES.index(known[0]) + 1, len(known) > 1
    names = ", ".join(f"{prefix}{'iB' if binary else 'B'}" for prefix in known)
    said = f"{names} are powers of {base:,}" if several else f"{names} is {base**power:,} bytes"
    if binary:
        return said
    others = ", ".join(f"{prefix}iB" for prefix in known)
    powers = f"powers of {1024:,}" if several else f"{1024**power:,}"
    return f"{said} (sizes of caches are mostly in {others}, {powers})"
