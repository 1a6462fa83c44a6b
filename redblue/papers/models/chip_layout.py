"""A chip of small processing elements for lattice QCD: the area that control and wires take."""

from dataclasses import dataclass, replace
from math import sqrt

from redblue.answers.hardware.validation import InvalidMachineError, require_positive
from redblue.papers.models.qcd import Die, Regime, best_chip
from redblue.papers.models.roots import rising_root


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
        """Return epsilon: l_v = (1 + epsilon) l with the tree and the row and column busses.

        Parameters
        ----------
        die
            Its side l is that of memory and functional units alone.
        flops
            F; by default as many functional units as l^2 has room for, which cannot be exceeded.
        """
        require_positive(flops=1 if flops is None else flops)
        most = die.side**2 / die.unit_area
        tree = sqrt((most if flops is None else flops) / self.units_per_element) * self.tree_bits
        return self.wire * (tree + die.bandwidth / 2) / die.side

    def usable(self, die: Die, flops: float | None = None) -> float:
        """Return eta = l^2 / (l_h l_v) = 1 / ((1 + epsilon)^2 + (1 + epsilon) l_c / l).

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
        """Return the smallest l from which eta is at least `usable`; the side of `die` is free.

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
            """Return how much more than `usable` a die of this side has."""
            scaled = replace(die, side=side)
            flops = None if regime is None else best_chip(scaled, regime, n4=n4).flops
            return self.usable(scaled, flops) - usable

        return rising_root(excess)
