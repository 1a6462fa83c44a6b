"""The catalogue of named machines, `catalogue.toml`: each number with its unit and its source."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from dags import UnknownNameError
from redblue.answers.hardware.balance import ProcessingElement
from redblue.answers.hardware.units import Dimension, dimension, in_base_units
from redblue.answers.hardware.validation import InvalidMachineError, require_positive

SECTIONS: dict[str, Dimension] = {
    "compute": "flop/s",
    "bandwidth": "byte/s",
    "memory": "byte",
    "balance": "flop/word",
}


@dataclass(frozen=True)
class Source:
    """The publication that states a number: title and year."""

    title: str
    date: str


@dataclass(frozen=True)
class Number:
    """A number of a machine.

    Parameters
    ----------
    value, unit
        As the source prints it.
    base
        The same in flop/s, byte/s, byte, hertz or flop/word.
    source
        Where it stands.
    fed_by
        Of a memory: the bandwidth over which its words come, where that is published.
    parts
        Of a memory: of how many equal ones, each a processor's own, it is the sum.
    """

    value: float
    unit: str
    base: float
    source: Source
    fed_by: str | None = None
    parts: int = 1


@dataclass(frozen=True, repr=False)
class Machine:
    """A named machine.

    Parameters
    ----------
    name, title
        How the catalogue and how people call it.
    word_bytes
        Bytes of the word in which its source counts.
    clock
        Cycles per second, where the source counts in cycles.
    compute, bandwidth, memory
        Its rates by number format, its links, its memories. The first of each is the default.
    balance
        C / IO where the source prints that alone.

    Examples
    --------
    >>> from redblue.answers.hardware import MACHINES
    >>> MACHINES["Warp"].element()
    ProcessingElement(compute=10000000.0, bandwidth=20000000.0, memory=65536.0)
    """

    name: str
    title: str
    word_bytes: float
    clock: Number | None = None
    compute: Mapping[str, Number] = field(default_factory=dict)
    bandwidth: Mapping[str, Number] = field(default_factory=dict)
    memory: Mapping[str, Number] = field(default_factory=dict)
    balance: Mapping[str, Number] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Machine {self.name}: {self.title}>"

    def number(self, section: str, name: str | None = None) -> Number:
        """The number called `name` in "compute", "bandwidth", ..., by default the first.

        Raises
        ------
        InvalidMachineError
            If the catalogue has none.
        UnknownNameError
            If it has others.
        """
        numbers: Mapping[str, Number] = getattr(self, section)
        if not numbers:
            raise InvalidMachineError(f"the catalogue has no {section} of {self.name}")
        if name is None:
            return next(iter(numbers.values()))
        if name not in numbers:
            raise UnknownNameError(f"{section} of {self.name}", name, numbers)
        return numbers[name]

    def rate(self, name: str | None = None) -> float:
        """Flop per second; from the printed balance where there is nothing else."""
        if name is None and not self.compute and self.balance:
            words = self.number("bandwidth").base / self.word_bytes
            return self.number("balance").base * words
        return self.number("compute", name).base

    def element(
        self,
        word_bytes: float | None = None,
        *,
        rate: str | None = None,
        memory: str | None = None,
        link: str | None = None,
    ) -> ProcessingElement:
        """The machine as Kung's processing element.

        Parameters
        ----------
        word_bytes
            Bytes of a word of the computation; by default of the machine's word.
        rate, memory, link
            Which of its rates, memories and bandwidths; by default the first rate and memory, and
            the bandwidth that feeds that memory.

        Raises
        ------
        InvalidMachineError
            If the catalogue does not know enough.
        UnknownNameError
            If there is no such number.
        """
        word = self.word_bytes if word_bytes is None else word_bytes
        require_positive(word_bytes=word)
        level = self.number("memory", memory)
        if link is None and level.fed_by is None:
            raise InvalidMachineError(
                f"no published bandwidth feeds this memory of {self.name}: "
                f"choose one of {', '.join(self.bandwidth)}"
            )
        feed = self.number("bandwidth", link if link is not None else level.fed_by)
        return ProcessingElement(self.rate(rate), feed.base / word, level.base / word)

    def flops_per_word(self) -> float:
        """C / IO in flop per word of the machine, also where only that is published."""
        if not self.compute and not self.bandwidth:
            return self.number("balance").base
        return self.element().balance


def read_catalogue(text: str | None = None) -> dict[str, Machine]:
    """The machines of `catalogue.toml`, or of a text like it, by name.

    Raises
    ------
    InvalidMachineError
        If a number is not positive, has no source or a unit of another dimension.
    """
    ours = files("redblue.answers.hardware").joinpath("catalogue.toml")
    tables = tomllib.loads(ours.read_text(encoding="utf-8") if text is None else text)
    sources = {key: Source(**entry) for key, entry in tables.pop("sources").items()}
    return {name: machine_of(name, table, sources) for name, table in tables.items()}


def machine_of(name: str, table: dict[str, Any], sources: Mapping[str, Source]) -> Machine:
    """The machine that a table of the catalogue describes.

    Parameters
    ----------
    name, table
        Its name, and its numbers.
    sources
        Publications by the keys that numbers name.

    Raises
    ------
    InvalidMachineError
        If a number is not positive, or has a unit of another dimension.
    """
    word_bytes = float(table["word_bytes"])
    clock = table.get("clock")
    ticks = None if clock is None else _number(name, clock, "hertz", sources)
    units = {"clock": ticks.base if ticks else 0.0, "word_bytes": word_bytes}
    sections = {
        section: {
            key: _number(f"{section} of {name}", entry, wanted, sources, **units)
            for key, entry in table.get(section, {}).items()
        }
        for section, wanted in SECTIONS.items()
    }
    return Machine(name, table["title"], word_bytes, ticks, **sections)


def _number(
    what: str,
    entry: dict[str, Any],
    wanted: Dimension,
    sources: Mapping[str, Source],
    **units: float,
) -> Number:
    """A number of the catalogue, checked."""
    value, unit = entry["value"], entry["unit"]
    require_positive(**{what: value})
    if dimension(unit) != wanted or entry["of"] not in sources:
        raise InvalidMachineError(f"{what} in {unit}, of {entry['of']}: expected {wanted}")
    base = in_base_units(value, unit, **units)
    return Number(
        value, unit, base, sources[entry["of"]], entry.get("fed_by"), entry.get("parts", 1)
    )
