"""Bilardi et al.: the area of a chip for lattice QCD, split between memory and arithmetic.

Lengths are in units of lambda, the feature size, and areas in lambda^2: results hold for every
lambda. Rates are per cycle, and a functional unit does one operation a cycle.
"""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal

from redblue.answers.hardware.validation import InvalidMachineError, require_positive
from redblue.papers.models.area_split import AreaBudget
from redblue.papers.models.dirac_operator import (
    FACE_WORDS,
    SITE_FLOPS,
    SITE_WORDS,
    large_memory,
    medium_memory,
    sites,
)
from redblue.papers.models.roots import rising_root

Regime = Literal["large", "medium"]
REGIMES: tuple[Regime, Regime] = ("large", "medium")


@dataclass(frozen=True)
class Die:
    """A square chip in some technology; the defaults are the paper's.

    Parameters
    ----------
    side
        l, in lambda: 1e5 is 9 mm at 90 nm.
    word_bits
        L_w, bits of a word.
    bit_area
        alpha_m, lambda^2 of a bit of memory.
    unit_area
        alpha_F, lambda^2 of a functional unit for words of `word_bits`.
    pins
        beta, bits a cycle across one lambda of the perimeter.
    usable
        eta, the share of the area that memory and functional units get.

    Raises
    ------
    InvalidMachineError
        If a number is not positive.

    Source
    ------
    Bilardi et al., HiPC 2005, section 4, technology assumptions.
    """

    side: float
    word_bits: float = 64
    bit_area: float = 50
    unit_area: float = 1e8
    pins: float = 1 / 3000
    usable: float = 1

    def __post_init__(self) -> None:
        require_positive(**vars(self))

    @property
    def area(self) -> float:
        """Eta l^2, lambda^2 for memory and functional units."""
        return self.usable * self.side**2

    @property
    def bandwidth(self) -> float:
        """Return b = 4 beta l, bits a cycle."""
        return 4 * self.pins * self.side

    @property
    def budget(self) -> AreaBudget:
        """The budget that `area_split` splits, for any computation: areas, words a cycle."""
        word_area = self.bit_area * self.word_bits
        return AreaBudget(self.area, word_area, self.unit_area, self.bandwidth / self.word_bits)

    def with_words(self, bits: float, exponent: float = 1) -> "Die":
        """The die for words of `bits`, with unit areas that go with bits^exponent.

        Linear and quadratic growth, 1 and 2, are the paper's extremes.
        """
        require_positive(bits=bits)
        area = self.unit_area * (bits / self.word_bits) ** exponent
        return replace(self, word_bits=bits, unit_area=area)


@dataclass(frozen=True)
class Chip:
    """An optimal split.

    Parameters
    ----------
    k
        A node has k x k x k x n4 sites; a real number.
    sites
        n.
    memory
        m, bits on the chip.
    flops
        F, flop a cycle, which is how many functional units there are.
    unit_share
        Share of the die in functional units, alpha_F F / l^2.
    """

    k: float
    sites: float
    memory: float
    flops: float
    unit_share: float


def sustained_flops(die: Die, regime: Regime, k: float, *, site_flops: float = SITE_FLOPS) -> float:
    """F = w(n) b / I(n, m) in flop a cycle (4): the arithmetic that the pins feed.

    I is L_w (288 n / k) where all fields are on the chip, with 120 n words more where they cross.

    Parameters
    ----------
    die
        Area, pins and technology.
    regime
        "large": all fields on the chip; "medium": each crosses once in each application.
    k
        Sites of the node along each torus axis.
    site_flops
        chi, flop a site.
    """
    require_positive(k=k, site_flops=site_flops)
    exchange = FACE_WORDS / k + (SITE_WORDS if regime == "medium" else 0)
    return site_flops * die.bandwidth / (die.word_bits * exchange)


def memory_bits(die: Die, regime: Regime, k: float, n4: float) -> float:
    """Return m, the bits of memory that the regime takes (theorem 1).

    Parameters
    ----------
    die, regime
        As for `sustained_flops`.
    k, n4
        Sites of the node along each torus axis and along the fourth.
    """
    words = large_memory(k, n4) if regime == "large" else medium_memory(k)
    return die.word_bits * words


def best_chip(die: Die, regime: Regime, *, n4: float = 128, site_flops: float = SITE_FLOPS) -> Chip:
    """The split in which neither arithmetic nor the pins wait and no area is left.

    It solves alpha_F F + alpha_m m = eta l^2 for k: (9) where memory is large, and the cubic after
    it where it is medium. Table 1 prints large memories computed with 2304 flop a site,
    `SITE_FLOPS_UNSCALED`, and medium ones with 2328; its millions of bits are 2^20 bits.

    Parameters
    ----------
    die, regime
        As for `sustained_flops`.
    n4
        Sites along the dimension that is not spread over nodes.
    site_flops
        chi.

    Source
    ------
    Bilardi et al., HiPC 2005, equations (4), (5) and (9), table 1.

    Examples
    --------
    >>> chip = best_chip(Die(1e5), "large")
    >>> round(chip.flops, 4), round(chip.sites, 2), round(chip.unit_share, 6)
    (67.8512, 8372.09, 0.678512)
    """
    require_positive(n4=n4, site_flops=site_flops)

    def beyond(k: float) -> float:
        """Return by which share of the area the demand exceeds it."""
        units = die.unit_area * sustained_flops(die, regime, k, site_flops=site_flops)
        return (units + die.bit_area * memory_bits(die, regime, k, n4)) / die.area - 1

    k = rising_root(beyond)
    flops = sustained_flops(die, regime, k, site_flops=site_flops)
    share = die.unit_area * flops / die.side**2
    return Chip(k, sites(k, n4), memory_bits(die, regime, k, n4), flops, share)


def asymptotic_share(die: Die, regime: Regime, *, n4: float = 128) -> float:
    """The leading term of `unit_share` for large dies, of which memory takes nearly all.

    gamma (eta / (delta n4))^(1/3) l^(-1/3) where memory is large, with gamma l k = alpha_F F and
    delta n4 k^3 = alpha_m m; alpha_F chi 4 beta / (L_w 120) / l where it is medium.

    Parameters
    ----------
    die, regime
        As for `sustained_flops`.
    n4
        Sites along the dimension that is not spread over nodes.

    Source
    ------
    Bilardi et al., HiPC 2005, section 4. The paper prints gamma / (delta n4)^(2/3), which is
    0.1255 in place of 45.97; that k = (l^2 / (delta n4))^(1/3) gives the power 1/3.

    Examples
    --------
    >>> round(asymptotic_share(Die(1e9), "large") * 1e3, 4)
    45.9729
    >>> round(asymptotic_share(Die(1e9), "medium") * 1e9, 1)
    40416.7
    """
    require_positive(n4=n4)
    per_side = die.unit_area * SITE_FLOPS * 4 * die.pins / die.word_bits
    if regime == "medium":
        return per_side / SITE_WORDS / die.side
    gamma, delta = per_side / FACE_WORDS, die.bit_area * die.word_bits * SITE_WORDS
    return float(gamma * (die.usable / (delta * n4 * die.side)) ** (1 / 3))


def regime_crossover(die: Die, *, n4: float = 128) -> float | None:
    """The side from which a large memory is the better one, at F equal in both regimes.

    The side of `die` does not count. None where it is better as soon as a node has one site in
    each of the three dimensions, k = 1.

    Source
    ------
    Bilardi et al., HiPC 2005, section 4 says "for l <= 25000" of medium memories. That is true;
    the crossover is at 40197.5.

    Examples
    --------
    >>> round(regime_crossover(Die(1)), 1)
    40197.5
    """
    require_positive(n4=n4)

    def gain(side: float) -> float:
        """The gain of a large memory over a medium one."""
        scaled = replace(die, side=side)
        large, medium = (best_chip(scaled, regime, n4=n4).flops for regime in REGIMES)
        return large / medium - 1

    one_site = rising_root(lambda side: best_chip(replace(die, side=side), "large", n4=n4).k - 1)
    return rising_root(gain, one_site) if gain(one_site) < 0 else None


@dataclass(frozen=True)
class ChipLayout:
    """A mesh of p x p elements under one controller; the defaults are the paper's.

    Parameters
    ----------
    units_per_element
        Functional units of an element, F / p^2: 8 flop are a complex multiplication and addition.
    tree_bits
        b_t, bits a cycle along an edge of the tree that hands out control words.
    wire
        1 / beta_0, lambda that a connection of one bit a cycle is wide.
    strip
        l_c, lambda: width of the strip of the controller and of the program memory.

    Source
    ------
    Bilardi et al., HiPC 2005, section 4.1. Each element has m / p^2 bits of on-chip memory; the
    paper writes "off-chip".
    """

    units_per_element: float = 8
    tree_bits: float = 128
    wire: float = 5
    strip: float = 1e4

    def __post_init__(self) -> None:
        require_positive(**vars(self))

    def widening(self, die: Die, flops: float | None = None) -> float:
        """Epsilon: l_v = (1 + epsilon) l with the tree and the row and column busses.

        Parameters
        ----------
        die
            Its side l is that of memory and functional units alone.
        flops
            F; by default as many functional units as l^2 has room for, which cannot be exceeded.
        """
        require_positive(flops=1 if flops is None else flops)
        longest = die.side**2 / die.unit_area
        tree = sqrt((longest if flops is None else flops) / self.units_per_element) * self.tree_bits
        return self.wire * (tree + die.bandwidth / 2) / die.side

    def usable(self, die: Die, flops: float | None = None) -> float:
        """Eta = l^2 / (l_h l_v) = 1 / ((1 + epsilon)^2 + (1 + epsilon) l_c / l).

        The paper prints (1 + epsilon^2), and so finds 0.9 for l = 1e5; it is 0.8657.

        Examples
        --------
        >>> round(ChipLayout().usable(Die(1e5)), 6)
        0.865657
        """
        height = 1 + self.widening(die, flops)
        return 1 / (height * (height + self.strip / die.side))

    def least_side(
        self, die: Die, usable: float = 0.9, *, regime: Regime | None = None, n4: float = 128
    ) -> float:
        """The smallest l from which eta is at least `usable`; the side of `die` is free.

        Parameters
        ----------
        die
            The technology.
        usable
            eta.
        regime
            Count the functional units of the best chip in it; by default, as many as l^2 has room
            for.
        n4
            Sites along the dimension that is not spread over nodes.

        Raises
        ------
        InvalidMachineError
            If the busses alone, or the wires where there are most, take more on every die.

        Examples
        --------
        >>> round(ChipLayout().least_side(Die(1)))
        175331
        """
        require_positive(usable=usable)
        busses = 2 * self.wire * die.pins
        tallest = 1 + (self.widening(die) if regime is None else busses)
        if usable * tallest**2 >= 1:
            raise InvalidMachineError(
                f"no side leaves {usable:g} of the area: wires alone leave {tallest**-2:.6g}"
            )

        def excess(side: float) -> float:
            """How much more than `usable` a die of this side has."""
            scaled = replace(die, side=side)
            flops = None if regime is None else best_chip(scaled, regime, n4=n4).flops
            return self.usable(scaled, flops) - usable

        return rising_root(excess)
