"""Plans to visit the sites of a Dirac operator, and their costs by closed form."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Final, Literal, get_args

from dags import InvalidSpecError
from dags.families.common.dirac_numbers import LINK, SPINOR
from dags.families.dirac import Sweep
from pebble import MemoryTooSmallError

Regime = Literal["medium", "A-lockstep", "A-reflected", "B-reflected"]

CUT_LINK: Final = 2 * SPINOR + LINK  # words that a link costs more if its ends are visited apart
SITE: Final = 2 * SPINOR  # words that wait at a site: Psi and Phi
AT_VISIT: Final = SITE + SPINOR + LINK  # words at the site that is visited


@dataclass(frozen=True)
class DiracPlan:
    """A way to visit the sites of a node, and its costs by closed form.

    Parameters
    ----------
    k, n4, wrap, sweep, slab, strip, seam, panel, copies
        As in `dags.dirac`; `params` has them all.
    lockstep
        Whether all nodes visit their sites in the same order; only for a sweep along x4 of tiles
        that are whole along x2. Otherwise every other node along the axes that are swept or cut is
        mirrored, so that facing sites are visited at once; that takes an even number of nodes
        along them.

    Raises
    ------
    InvalidSpecError
        For other plans in lock step: there no facing sites would meet.

    Source
    ------
    G. Bilardi et al., The potential of on-chip multiprocessing for QCD machines, HiPC 2005, theorem
    1: 120 n words locally with 96 k^3 + 432 k^2 + o(k^2), and (120 + 66/s) n + 132 k^2 with 96 k^2
    s + 288 k s + O(1), for 1 <= s <= k. The paper omits the schedules; these need less than its
    memory. The cost of each is derived at `local_io` and `peak`.
    """

    k: int
    n4: int
    wrap: bool
    sweep: Sweep
    slab: int
    strip: int
    seam: bool = False
    lockstep: bool = False
    panel: int | None = None
    copies: bool = False

    def __post_init__(self) -> None:
        if self.lockstep and self.sweep != "x4":
            raise InvalidSpecError(f"nodes in lock step sweep along x4, not {self.sweep}")
        if self.lockstep and self.width < self.k:
            raise InvalidSpecError(f"nodes in lock step are not cut along x2, into {self.panel}")

    @property
    def params(self) -> dict[str, Any]:
        """The arguments of `dags.dirac` whose chains follow this plan."""
        unnamed = {"lockstep"}
        unnamed |= set() if self.width < self.k else {"panel"}
        unnamed |= set() if self.copies else {"copies"}
        return {key: value for key, value in vars(self).items() if key not in unnamed}

    @property
    def width(self) -> int:
        """Sites of a tile along x2."""
        return self.panel or self.k

    @property
    def sites(self) -> int:
        """Number of sites n of the node."""
        return self.k**3 * self.n4

    @property
    def absent(self) -> int:
        """Words of the links that x4 lacks where it is not periodic."""
        return 0 if self.wrap else LINK * self.k**3

    @property
    def copied(self) -> int:
        """Words of the links that a node stores with other nodes: 54 n/k or none."""
        return 3 * LINK * self.k**2 * self.n4 if self.copies else 0

    @property
    def apart(self) -> bool:
        """A lock step in which facing sites along x3 are visited at different times."""
        return self.lockstep and self.slab < self.k

    @property
    def local_io(self) -> int:
        """Words moved between the node's own memories, on channel 0.

        Psi, U and Phi move once: 120 n, and copies of links. A link that is cut is loaded twice,
        and each of its ends once more for the other: 66. Cut are the links between panels, slabs
        and strips and at the seam; in lock step also those between the outer faces along x3 if no
        slab holds both. With copies these are loaded twice anyhow: 48.
        """
        slabs, strips = -(-self.k // self.slab), -(-self.n4 // self.strip)
        along_x4 = strips - 1 + (self.wrap and (self.seam or strips > 1))
        face = self.k**2 * self.n4
        along_x2 = -(-self.k // self.width) - 1
        cut = CUT_LINK * ((along_x2 + slabs - 1) * face + along_x4 * self.k**3)
        met = (CUT_LINK - (LINK if self.copies else 0)) * face if self.apart else 0
        return 120 * self.sites - self.absent + self.copied + cut + met

    @property
    def neighbour_io(self) -> int:
        """Words moved to and from other nodes, on channel 1: 288 n/k."""
        return 12 * SPINOR * self.k**2 * self.n4

    @property
    def peak(self) -> int:
        """Words of fast memory that suffice under sliding rules.

        Psi and Phi wait at the sites of one slice of a tile, and at those of its first slice too if
        the sweep ends where it began. At the site that is visited there are 90 more: Psi, Phi, U
        and the neighbour's Psi. In lock step the node also returns products of a far site: its Psi,
        its U and the product, 114; with copies of links its Psi and the sent value,
        96. Just enough for tiles of two slices or more, and of four where the first one stays.
        """
        sides = {"x1": self.k, "x2": self.width, "x3": self.slab, "x4": self.strip}
        slice_ = sides["x1"] * sides["x2"] * sides["x3"] * sides["x4"] // sides[self.sweep]
        ring = self.wrap and self.sweep == "x4" and self.strip == self.n4 and not self.seam
        far = 2 * SPINOR + (0 if self.copies else LINK) if self.apart else 0
        return SITE * slice_ * (2 if ring else 1) + max(AT_VISIT, SITE + far)


def dirac_plan(
    k: int,
    n4: int,
    *,
    regime: Regime = "medium",
    s: int | None = None,
    wrap: bool = True,
    copies: bool = False,
) -> DiracPlan:
    """The plan of one of the constructions behind theorem 1.

    Parameters
    ----------
    k, n4, wrap, copies
        As in `dags.dirac`.
    regime
        "medium": one sweep along x4. "A-lockstep", "A-reflected": slabs of thickness `s` along
        x3, each swept along x4. "B-reflected": strips of width `s` along x4, swept along x3.
    s
        Thickness or width; None for k. The medium regime has none.

    Raises
    ------
    InvalidSpecError
        If there is no such regime, or `s` is not within the lattice.
    """
    if regime not in get_args(Regime):
        raise InvalidSpecError(f"regime must be one of {get_args(Regime)}, not {regime!r}")
    strips = regime == "B-reflected"
    width = k if s is None or regime == "medium" else s
    if not 1 <= width <= (n4 if strips else k):
        raise InvalidSpecError(f"s must be in 1..{n4 if strips else k}, not {width}")
    if strips:
        return DiracPlan(k, n4, wrap, "x3", k, width, copies=copies)
    lockstep = regime == "A-lockstep"
    return DiracPlan(k, n4, wrap, "x4", width, n4, lockstep=lockstep, copies=copies)


def best_dirac_plan(k: int, n4: int, memory: int, *, wrap: bool = True) -> DiracPlan:
    """The plan with the least local I/O that `memory` words can play, nodes mirrored.

    Parameters
    ----------
    k, n4
        Sites of a node along x1, x2 and x3, and along x4.
    memory
        Words of fast memory.
    wrap
        Along x4 the lattice of the node is periodic.

    Raises
    ------
    MemoryTooSmallError
        If there is none.
    """
    plans = dirac_plans(k, n4, wrap=wrap)
    fitting = [plan for plan in plans if plan.peak <= memory]
    if not fitting:
        raise MemoryTooSmallError(memory, min(plan.peak for plan in plans), "the Dirac operator")
    return fitting[0]


def dirac_plans(k: int, n4: int, *, wrap: bool = True) -> list[DiracPlan]:
    """All plans with mirrored nodes, those with the least local I/O and memory first.

    Tiles are cut along x2 where sites are swept along x1, are no thicker there than along x3, and
    their slices have no fewer sites than those of tiles that are whole along x2.
    """
    plans = [
        DiracPlan(k, n4, wrap, sweep, slab, strip, seam, panel=panel)
        for sweep, slab, strip in product(get_args(Sweep), range(1, k + 1), range(1, n4 + 1))
        for seam in ([False, True] if wrap and strip == n4 else [False])
        for panel in (None, *_panels(k, sweep, slab, strip))
    ]
    return sorted(plans, key=lambda plan: (plan.local_io, plan.peak))


def _panels(k: int, sweep: Sweep, slab: int, strip: int) -> range:
    """The thicknesses along x2 of tiles that are cut there."""
    if sweep != "x1":
        return range(0)
    return range(-(-k // (slab * strip)), min(slab + 1, k))


def theorem_io(k: int, n4: int, memory: int) -> Fraction | None:
    """The local I/O of theorem 1, in words, or None below its least memory.

    Its o(k^2) and O(1) words of memory are left out, in its favour.

    Parameters
    ----------
    k, n4, memory
        As for `best_dirac_plan`.

    Source
    ------
    G. Bilardi et al., The potential of on-chip multiprocessing for QCD machines, HiPC 2005,
    theorem 1.
    """
    n = k**3 * n4
    if memory >= 120 * n:
        return Fraction(0)
    if memory >= 96 * k**3 + 432 * k**2:
        return Fraction(120 * n)
    s = min(memory // (96 * k**2 + 288 * k), k)
    return (120 + Fraction(66, s)) * n + 132 * k**2 if s else None


def theorem_memories(k: int, n4: int) -> list[int]:
    """The memories at which the theorem's I/O falls, rising."""
    small = [(96 * k**2 + 288 * k) * s for s in range(1, k + 1)]
    return sorted({*small, 96 * k**3 + 432 * k**2, 120 * k**3 * n4})
