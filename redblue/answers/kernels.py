"""Kernels by the dozen: a table of computations, each with its memories, rules and sizes."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from dags import Computation, FormatError, InvalidSpecError, RedBlueError
from dags.errors import one_line
from dags.spec.options import with_options
from pebble import Rules, rules_named
from redblue.answers.memories import is_range
from redblue.answers.sources import Memories, Source, label_of
from redblue.answers.words import memories_of

SUFFIX: Final = ".toml"
COMMON: Final = ("memory", "rules")  # keys of all kernels, or of one
KEYS: Final = ("spec", "name", "sizes", *COMMON)
HEADING: Final = re.compile(r"\s*\[\[\s*kernel\s*\]\]")


@dataclass(frozen=True)
class Kernel:
    """A computation and the games that are asked about.

    Parameters
    ----------
    source
        The computation, as `redblue.load` takes it.
    memories
        Words of fast memory, as `redblue.curve` takes them.
    rules
        The rules of the game; None for those of the others.
    name
        Name in tables; by default the specification.
    place
        Where it stands, "kernels.toml, line 7", for errors; empty where it stands in no file.
    """

    source: Source
    memories: Memories | None = None
    rules: Rules | None = None
    name: str = ""
    place: str = ""

    @property
    def label(self) -> str:
        """Name in tables."""
        return self.name or label_of(self.source)

    @property
    def whole(self) -> bool:
        """True if a range of memory sizes is asked for, and not single ones."""
        return self.memories is None or is_range(self.memories)

    def sizes(self) -> tuple[int, ...] | None:
        """The memory sizes in words; None where none are asked for."""
        return None if self.memories is None else memories_of(self.memories, self.source)

    def raised(self, error: RedBlueError) -> RedBlueError:
        """An error about this kernel, with its place."""
        return InvalidSpecError(f"{self.place}: {error}") if self.place else error


def kernels_in(
    sources: Source | Sequence[Source], memories: Memories | None, rules: Rules
) -> list[Kernel]:
    """The kernels that arguments name; those of a table have a line each.

    Parameters
    ----------
    sources
        Computations, kernels, and paths of tables, or one of these.
    memories, rules
        Of kernels that do not say.

    Raises
    ------
    FormatError
        If a table cannot be read.
    InvalidSpecError
        If there is no kernel, or two have one name.
    """
    given: list[Any] = list(sources) if isinstance(sources, list | tuple) else [sources]
    kernels: list[Kernel] = []
    for source in given:
        if isinstance(source, Kernel):
            kernels.append(source)
        elif is_table(source):
            kernels += read_kernels(source)
        else:
            kernels.append(Kernel(source))
    if not kernels:
        raise InvalidSpecError("a comparison takes memory sizes, and DAGs, each once")
    taken: dict[str, Kernel] = {}
    for kernel in kernels:
        if not kernel.label:
            continue
        other = taken.setdefault(kernel.label, kernel)
        if other is not kernel:
            reason = (
                "a comparison takes memory sizes, and DAGs, each once: two are called "
                f"{one_line(kernel.label)} (in a table, a name tells them apart)"
            )
            raise kernel.raised(InvalidSpecError(reason))
    return [
        replace(
            kernel,
            memories=memories if kernel.memories is None else kernel.memories,
            rules=kernel.rules or rules,
        )
        for kernel in kernels
    ]


def is_table(source: Source) -> bool:
    """Whether a source is the path of a table of kernels."""
    return isinstance(source, str | Path) and Path(source).suffix.lower() == SUFFIX


def read_kernels(path: str | Path) -> list[Kernel]:
    """The kernels of a table: a TOML file with a table ``[[kernel]]`` for each.

    A kernel has a ``spec``, and may have a ``name``, ``memory`` and ``rules``, which may also stand
    above all kernels, and ``sizes``: of a program, ``{N = 1024}``, or a list of such tables, a
    kernel each. Paths are those of the table's folder, where there is such a file.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    FormatError
        If it cannot be read, with the line.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is no text in UTF-8"
        raise FormatError(path, f"cannot be read: {reason}") from None
    try:
        record = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(path, *_fault_of(str(error))) from None
    return [
        kernel
        for section in _KernelTable(path, text.splitlines(), record).sections()
        for kernel in section.kernels()
    ]


def _fault_of(message: str) -> tuple[str, int | None]:
    """A message of the TOML reader without its place, and the line."""
    text, _, place = message.partition(" (at line ")
    line = place.partition(",")[0]
    return f"is no TOML: {text}", int(line) if line.isdecimal() else None


@dataclass(frozen=True)
class _KernelTable:
    """A table of kernels as TOML has it."""

    path: Path
    lines: list[str]
    record: Mapping[str, Any]

    def sections(self) -> "Iterable[_Section]":
        """The kernels' parts, each with the lines in which it stands."""
        entries = self.record.get("kernel")
        heads = [place for place, line in enumerate(self.lines, 1) if HEADING.match(line)]
        above = _Section(self, self.record, 1, (heads or [len(self.lines) + 1])[0])
        above.require(("kernel", *COMMON))
        if not isinstance(entries, list) or not entries:
            raise FormatError(self.path, "has no [[kernel]]: a table of kernels has one for each")
        if len(heads) != len(entries):  # written as an array in a line
            heads = [1] * len(entries)
        ends = [*heads[1:], len(self.lines) + 1]
        common = {key: self.record[key] for key in COMMON if key in self.record}
        for entry, first, end in zip(entries, heads, ends, strict=True):
            if not isinstance(entry, dict):
                raise FormatError(self.path, f"a kernel is a table, not {entry!r}", first)
            yield _Section(self, {**common, **entry}, first, end)


@dataclass(frozen=True)
class _Section:
    """The part of a table that is one kernel, or what stands above all."""

    table: _KernelTable
    record: Mapping[str, Any]
    first: int
    end: int

    def require(self, keys: Sequence[str]) -> None:
        """Raise FormatError for a key that no kernel has."""
        for key in self.record:
            if key not in keys:
                known = ", ".join(name for name in keys if name != "kernel")
                raise self.fault(key, f"unknown; a kernel has {known}")

    def fault(self, key: str, message: str) -> FormatError:
        """An error about the value of a key, with its line."""
        return FormatError(self.table.path, f"{key}: {message}", self.line_of(key))

    def line_of(self, key: str) -> int:
        """The line of a key; the first one of the kernel where it stands elsewhere."""
        start = re.compile(rf"\s*\"?{re.escape(key)}\"?\s*[=.]")
        places = range(self.first, self.end)
        return next((at for at in places if start.match(self.table.lines[at - 1])), self.first)

    def kernels(self) -> Iterable[Kernel]:
        """Yield the kernel, or one for each of its sizes."""
        self.require(KEYS)
        spec, name = self._text("spec"), self._text("name", "")
        if not spec:
            raise FormatError(self.table.path, "a kernel has a spec", self.first)
        folder = self.table.path.parent
        if (folder / spec.partition(":")[0]).is_file():
            spec = str(folder / spec)
        memories, rules = self._memories(), self._text("rules", "")
        try:
            game = rules_named(rules) if rules else None
        except RedBlueError as error:
            raise self.fault("rules", str(error)) from None
        place = f"{one_line(self.table.path)}, line {self.first}"
        for sizes in self._sizes():
            sized = with_options(spec, **sizes)
            told = ",".join(f"{key}={value}" for key, value in sizes.items())
            label = (
                f"{name}:{told}" if name and isinstance(self.record.get("sizes"), list) else name
            )
            yield Kernel(sized, memories, game, label, place)

    def _text(self, key: str, default: str | None = None) -> str:
        value = self.record.get(key, default)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.fault(key, f"expected a text, not {value!r}")
        return value

    def _memories(self) -> Memories | None:
        """The sizes of memory, checked; a size in bytes becomes words where it is used."""
        value = self.record.get("memory")
        if value is None:
            return None
        sizes = value if isinstance(value, list) else [value]
        if not sizes or not all(isinstance(size, int | str) for size in sizes):
            raise self.fault("memory", f'expected words, "32KB", "8:512", or a list, not {value!r}')
        try:
            memories_of(tuple(sizes) if isinstance(value, list) else value)
        except RedBlueError as error:
            raise self.fault("memory", str(error)) from None
        return tuple(sizes) if isinstance(value, list) else value

    def _sizes(self) -> list[dict[str, int]]:
        """The sizes of each kernel that the section stands for."""
        value = self.record.get("sizes", {})
        several = value if isinstance(value, list) else [value]
        whole = all(
            isinstance(sizes, dict) and all(type(size) is int for size in sizes.values())
            for sizes in several
        )
        if not several or not whole:
            raise self.fault("sizes", f"expected a table of whole numbers, not {value!r}")
        return several


def computation_of(kernel: Kernel, reading: Any) -> Computation:
    """The computation of a kernel; an error names the line of its table.

    Parameters
    ----------
    kernel
        The kernel.
    reading
        Makes a computation of a source.
    """
    try:
        found: Computation = reading(kernel.source)
    except RedBlueError as error:
        raise kernel.raised(error) from error
    return found
