"""A processing element from the command line: a machine of the catalogue, or numbers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from redblue.cli.value_options import Within

if TYPE_CHECKING:
    from redblue.answers.hardware import ProcessingElement


def whole(word: float) -> int:
    """The bytes of a word that memory in bytes is divided by: at least one."""
    return max(int(word), 1)


@dataclass(frozen=True)
class Sought:
    """Machine that options describe; None for each option that is not given.

    Parameters
    ----------
    machine
        Machine of the catalogue ('redblue machine list'). Options follow a colon:
        H100:rate=fp64,level=L2,link=hbm,word=4. They choose its rate, its fast memory, the link
        that feeds it, and the bytes of a word. compute=1e12,bandwidth=2e9 gives the numbers
        themselves, in flop/s and byte/s.
    compute
        Arithmetic rate in flop/s.
    bandwidth
        Bandwidth in byte/s.
    rate
        Name of the rate of the machine.
    level
        Name of the fast memory.
    link
        Name of the link that feeds the fast memory.
    word_bytes
        Bytes of a word.
    """

    machine: str | None = None
    compute: Annotated[float | None, Within("machine", "compute")] = None
    bandwidth: Annotated[float | None, Within("machine", "bandwidth")] = None
    rate: Annotated[str | None, Within("machine", "rate")] = None
    level: Annotated[str | None, Within("machine", "level")] = None
    link: Annotated[str | None, Within("machine", "link")] = None
    word_bytes: Annotated[float | None, Within("machine", "word")] = None

    def element(self, memory: float | None) -> "ProcessingElement":
        """The processing element.

        Parameters
        ----------
        memory
            Words of a machine that is given by numbers.

        Raises
        ------
        InvalidMachineError
            If the options describe none.
        """
        from redblue.answers.hardware import InvalidMachineError, ProcessingElement, machine_named

        if self.machine is None:
            if self.compute is None or self.bandwidth is None or memory is None:
                raise InvalidMachineError(
                    "name a machine (--machine H100), or its numbers "
                    "(--machine compute=1e12,bandwidth=2e9)"
                )
            return ProcessingElement(self.compute, self.bandwidth / self.word, memory)
        known = machine_named(self.machine).element(
            self.word, rate=self.rate, memory=self.level, link=self.link
        )
        compute = known.compute if self.compute is None else self.compute
        bandwidth = known.bandwidth if self.bandwidth is None else self.bandwidth / self.word
        return ProcessingElement(compute, bandwidth, known.memory)

    @property
    def word(self) -> float:
        """Bytes of a word."""
        from redblue.answers.hardware import machine_named
        from redblue.answers.hardware.validation import require_positive

        default = 8.0 if self.machine is None else machine_named(self.machine).word_bytes
        chosen = default if self.word_bytes is None else self.word_bytes
        require_positive(word_bytes=chosen)
        return chosen

    @property
    def used(self) -> dict[str, str | None]:
        """Names of the rate, the memory and the link in use; None for a number that is given."""
        from redblue.answers.hardware import machine_named

        if self.machine is None:
            return {"rate": None, "memory": None, "link": None}
        known = machine_named(self.machine)
        level = self.level or next(iter(known.memory), None)
        fed_by = None if level is None else known.number("memory", level).fed_by
        rate = self.rate or next(iter(known.compute), None)
        return {
            "rate": rate if self.compute is None else None,
            "memory": level,
            "link": (self.link or fed_by) if self.bandwidth is None else None,
        }

    def sentence(self, element: "ProcessingElement") -> str:
        """The rate and the link in use, with their numbers and the bytes of a word."""
        names = {key: "" if name is None else f" ({name})" for key, name in self.used.items()}
        moved = element.bandwidth * self.word
        return (
            f"Its rate{names['rate']} is {element.compute:.4g} flop/s; its link{names['link']} to "
            f"the memory{names['memory']} brings {moved:.4g} byte/s: {element.bandwidth:.4g} words "
            f"of {self.word:g} bytes."
        )

    @property
    def title(self) -> str:
        """Label in tables and figures."""
        from redblue.answers.hardware import machine_named

        if self.machine is None:
            return "the given machine"
        known = machine_named(self.machine)
        chosen = [name for name in (self.rate, self.level, self.link) if name is not None]
        if self.compute is not None or self.bandwidth is not None:
            chosen.append("changed")
        return f"{known.name} ({', '.join(chosen)})" if chosen else known.name
