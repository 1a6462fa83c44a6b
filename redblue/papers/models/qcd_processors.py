"""Bilardi et al.'s table 2: how many times its own arithmetic a processor's links sustain."""

from dataclasses import dataclass

from redblue.answers.hardware.catalogue import Machine
from redblue.answers.hardware.units import BITS_PER_BYTE
from redblue.answers.hardware.validation import InvalidMachineError, require_positive
from redblue.papers.models.dirac_operator import FACE_WORDS, SITE_FLOPS, SITE_WORDS, medium_memory
from redblue.papers.models.qcd import Regime
from redblue.papers.models.roots import rising_root


@dataclass(frozen=True)
class QCDProcessor:
    """A processor that applies the Dirac operator.

    Flop and bits per cycle, or both per second: only their ratios count.

    Parameters
    ----------
    word_bits
        L_w, bits of a word.
    flops
        F.
    memory
        m, bits on the chip.
    local, neighbours
        b_lc and b_nb, bits to and from its own memory and to and from all its neighbours. If
        `neighbours` is None, both share `local` as is best.

    Source
    ------
    Bilardi et al., HiPC 2005, section 4.2.
    """

    word_bits: float
    flops: float
    memory: float
    local: float
    neighbours: float | None = None

    def __post_init__(self) -> None:
        numbers = {name: value for name, value in vars(self).items() if value is not None}
        require_positive(**numbers)

    def largest_k(
        self, regime: Regime, *, n4: float = 128, halo: bool = False, whole: bool = True
    ) -> float:
        """The largest k with which k x k x k x n4 sites fit the memory in a regime.

        Parameters
        ----------
        regime
            "large" takes 120 k^3 n4 words; "medium" 96 k^3, in which n4 does not count.
        n4
            Sites along the dimension that is not spread over nodes.
        halo
            Whether "medium" takes the 432 k^2 words of theorem 1 too. Table 2 was computed
            without.
        whole
            Whether k is a whole number; if so "medium" has at least 1.
        """
        require_positive(n4=n4)
        words = self.memory / self.word_bits
        if regime == "large":
            k = (words / (SITE_WORDS * n4)) ** (1 / 3)
        else:
            k = _cubic_root(words, halo)
        if not whole:
            return float(k)
        floor = int(k * (1 + 1e-12))  # a cube that fits exactly is not lost to rounding
        return max(floor, 1) if regime == "medium" else floor

    def sustained(self, regime: Regime, k: float) -> float:
        """F* = w / max(I_lc / b_lc, I_nb / b_nb), flop in the unit of time of the links.

        Examples
        --------
        >>> QCDProcessor(64, 192, 4.5 * 2**20, local=102.4, neighbours=256).sustained("large", 1)
        32.333333333333336
        """
        require_positive(k=k)
        fields = SITE_WORDS * self.word_bits if regime == "medium" else 0.0
        faces = FACE_WORDS * self.word_bits / k
        if self.neighbours is None:
            return SITE_FLOPS * self.local / (fields + faces)
        return SITE_FLOPS / max(fields / self.local, faces / self.neighbours)

    def xi(
        self, regime: Regime, *, n4: float = 128, halo: bool = False, whole: bool = True
    ) -> float | None:
        """F* / F with the largest sublattice; None where none fits.

        1 is balance; below, the links sustain but that share of the arithmetic; above, they could
        feed that many times as much.

        Parameters
        ----------
        regime
            "large": all fields on the chip; "medium": each crosses once in each application.
        n4
            Sites along the dimension that is not spread over nodes.
        halo, whole
            As in `largest_k`.

        Examples
        --------
        >>> qcdoc = QCDProcessor(64, 2, 32 * 2**20, local=41.6, neighbours=21.8)
        >>> round(qcdoc.xi("large"), 5), round(qcdoc.xi("medium"), 5)
        (4.13008, 6.305)
        """
        k = self.largest_k(regime, n4=n4, halo=halo, whole=whole)
        return self.sustained(regime, k) / self.flops if k else None


def qcd_processor(
    machine: Machine,
    word_bits: float,
    *,
    rate: str | None = None,
    memory: str | None = None,
    local: str | None = None,
    neighbours: str | None = None,
) -> QCDProcessor:
    """A machine of the catalogue as a processor for QCD, per second.

    Parameters
    ----------
    machine
        A machine with a rate, a memory and links.
    word_bits
        Bits of a word of the computation.
    rate, memory
        Which of its rates and memories; by default the first.
    local, neighbours
        Which of its links; by default those called so, and else the first for both: a bus.

    Raises
    ------
    InvalidMachineError
        If the catalogue does not know enough.
    UnknownNameError
        If there is no such number.

    Examples
    --------
    >>> from redblue.answers.hardware import MACHINES
    >>> round(qcd_processor(MACHINES["Cell"], 32, rate="fp32").xi("medium"), 5)
    0.60625
    """
    if local is None and "local" in machine.bandwidth:
        local = "local"
    if neighbours is None and "neighbours" in machine.bandwidth:
        neighbours = "neighbours"
    if neighbours is None and len(machine.bandwidth) > 1:
        raise InvalidMachineError(
            f"no link of {machine.name} is called 'neighbours': choose one of "
            f"{', '.join(machine.bandwidth)}"
        )

    def bits(section: str, name: str | None) -> float:
        """A number of the machine in bits, or bits per second."""
        return machine.number(section, name).base * BITS_PER_BYTE

    across = None if neighbours is None else bits("bandwidth", neighbours)
    held, local_rate = bits("memory", memory), bits("bandwidth", local)
    return QCDProcessor(word_bits, machine.rate(rate), held, local_rate, across)


TABLE_2 = (
    ("apeNEXT", "fp64", 64),
    ("BlueGeneL", "fp64", 32),
    ("BlueGeneL", "fp64", 64),
    ("Cell", "fp32", 32),
    ("Cell", "fp64", 64),
    ("CSX600", "fp64", 64),
    ("Itanium2", "fp64", 64),
    ("QCDOC", "fp64", 64),
)
"""Columns of table 2: machine, rate, bits of a word. Blue Gene/L has one rate for both words.

For it the paper prints 6.07, 2.28 and 4.77 where its printed bandwidths, which must be rounded,
give 6.0625, 2.2734 and 4.7629. All others agree to the printed digits.
"""


def _cubic_root(words: float, halo: bool) -> float:
    """The k whose medium memory is `words`."""
    return rising_root(lambda k: medium_memory(k, halo=halo) / words - 1)
