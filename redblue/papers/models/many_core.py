"""Many cores on one chip: the number that a bandwidth and an on-chip memory keep busy.

Dense matrices are cut into M x M blocks that fit on the chip; each step works on some of them
while the next ones are loaded. All times are in cycles, all sizes in words (matrix elements).

The many-core model of the sources below is "A performance model of dense matrix operations on
many-core architectures", Euro-Par 2008.
"""

from dataclasses import dataclass
from math import isqrt, sqrt
from typing import Literal

from scipy.optimize import brentq

from redblue.answers.hardware.validation import InvalidMachineError, require_positive, require_whole

BLOCKS_ON_CHIP = 5  # three in the product, two that are being loaded (4)


def most_cores(bandwidth: float, memory: float, *, blocks_per_step: float = 2) -> float:
    """P_max: with no more cores, large problems do not wait for memory.

    Parameters
    ----------
    bandwidth
        Words per cycle between chip and memory, B.
    memory
        Words of on-chip memory, C.
    blocks_per_step
        Blocks moved for one block product: 2 as the paper has it, for orders in which the result
        stays on the chip. A right-looking LU loads three, and moves four if its stores share the
        bandwidth.

    Source
    ------
    Many-core model (Euro-Par 2008), equation (11), P_max = B sqrt(C / 5); with k blocks a step,
    (10) gives 2 / k of it.

    Examples
    --------
    >>> most_cores(bandwidth=4, memory=327680)
    1024.0
    """
    require_positive(bandwidth=bandwidth, memory=memory, blocks_per_step=blocks_per_step)
    return bandwidth * sqrt(memory / BLOCKS_ON_CHIP) * 2 / blocks_per_step


@dataclass(frozen=True)
class ManyCore:
    """A chip of P cores and the M x M blocks that it works on, with the times of its steps.

    Parameters
    ----------
    bandwidth
        Words per cycle between chip and memory, B.
    block
        Side of a block, M; see `of_memory`.
    cores
        P, in a square of p = sqrt(P) a side. If p is no whole number, or does not divide M, the
        times are those of the same polynomials.
    width
        Words per cycle of the on-chip network, W.

    Raises
    ------
    InvalidMachineError
        If a number is not positive, or there are more cores a side than elements of a block.

    Source
    ------
    Many-core model (Euro-Par 2008), equations (3) to (18). The scanned text lost operators:
    (6), (7), (13), (15) and (17) add the hops p, they do not multiply by them: with "times p",
    (7) would fail for p = 32, M = 256, W = 1, of which the paper says that it is easily verified.

    Examples
    --------
    >>> cyclops = ManyCore.of_memory(bandwidth=4, memory=327680, cores=1024)
    >>> cyclops.block, cyclops.block_product, cyclops.two_blocks
    (256, 32768.0, 32768.0)
    """

    bandwidth: float
    block: float
    cores: float
    width: float = 1.0

    def __post_init__(self) -> None:
        require_positive(
            bandwidth=self.bandwidth, block=self.block, cores=self.cores, width=self.width
        )
        if not 1 <= self.side <= self.block:
            raise InvalidMachineError(
                f"{self.cores:g} cores cannot share blocks of {self.block:g} x {self.block:g}"
            )

    @classmethod
    def of_memory(
        cls, bandwidth: float, memory: float, cores: float, width: float = 1.0
    ) -> "ManyCore":
        """The chip with the largest M for which 5 M^2 <= C, equation (4).

        Parameters
        ----------
        bandwidth
            B, words a cycle from outside.
        memory
            C, words on the chip.
        cores
            P.
        width
            W, words a cycle of a link on the chip.
        """
        require_positive(memory=memory)
        block = isqrt(int(memory) // BLOCKS_ON_CHIP)
        if block == 0:
            raise InvalidMachineError(f"{memory:g} words do not hold five blocks of one word")
        return cls(bandwidth, block, cores, width)

    @property
    def side(self) -> float:
        """Cores a side, p."""
        return sqrt(self.cores)

    @property
    def tile(self) -> float:
        """Side of the tile on which one core works, b = M / p."""
        return self.block / self.side

    @property
    def most_cores(self) -> float:
        """P_max for this M: B M (11)."""
        return self.bandwidth * self.block

    @property
    def efficiency_limit(self) -> float:
        """Share of the cores' speed that large problems reach: min(1, P_max / P)."""
        return min(1.0, self.most_cores / self.cores)

    @property
    def two_blocks(self) -> float:
        """Tm2, loading two blocks: 2 M^2 / B (3)."""
        return 2 * self.one_block

    @property
    def one_block(self) -> float:
        """Tm1, loading or storing one block: M^2 / B."""
        return self.block**2 / self.bandwidth

    @property
    def tile_product(self) -> float:
        """Tc,blk, a core's b x b product: 2 b^3 (5)."""
        return 2 * self.tile**3

    @property
    def tile_transfer(self) -> float:
        """Tm,blk, two tiles to the farthest core: 2 b^2 / W + p (6)."""
        return 2 * self.tile**2 / self.width + self.side

    @property
    def hides_tile_transfers(self) -> bool:
        """True if the on-chip network never keeps a core waiting: Tc,blk >= Tm,blk (7)."""
        return self.tile_product >= self.tile_transfer

    @property
    def block_product(self) -> float:
        """Tc,mm, a step of the product and a Schur step of LU: 2 M^3 / P (8)."""
        return 2 * self.block**3 / self.cores

    @property
    def transfer_share(self) -> float:
        """Tm2 / Tc,mm = P / (B M) = P / P_max, which must not exceed 1 (10)."""
        return self.two_blocks / self.block_product

    @property
    def upper_step(self) -> float:
        """Tc,u, a block times an inverse upper triangle: M^3 / P (12)."""
        return self.block**3 / self.cores

    @property
    def lower_step(self) -> float:
        """Tc,l, an inverse lower triangle times a block: (M^2 - M) M / P (14)."""
        return (self.block**2 - self.block) * self.block / self.cores

    @property
    def triangle_transfer(self) -> float:
        """Tm,u = Tm,l, a triangle to the farthest core: M^2 / (2 W) + p (13), (15)."""
        return self.block**2 / (2 * self.width) + self.side

    @property
    def factor_step(self) -> float:
        """Tc,lu, a block's own factorization: p sum_(i<b) (2 i^2 + i) + (p - 1) b^3 (16)."""
        return self.side * self._tile_factorization + (self.side - 1) * self.tile**3

    @property
    def factor_step_critical_path(self) -> float:
        """The same with both products of an iteration's critical path, 3 b^3 in place of b^3.

        Solve and Schur update follow each other; (16) has only one of them. It does not change
        the limit for large problems.
        """
        return self.side * self._tile_factorization + (self.side - 1) * 3 * self.tile**3

    @property
    def _tile_factorization(self) -> float:
        """The sum of 2 i^2 + i over i = 1, ..., b - 1."""
        b = self.tile
        return (b - 1) * b * (2 * b - 1) / 3 + (b - 1) * b / 2

    @property
    def factor_transfer(self) -> float:
        """Tm,lu, not hidden: the sum of 2 (b^2 / W + p - i) over i < p (17)."""
        return (self.side - 1) * (2 * self.tile**2 / self.width + self.side)


def longest_side(block: float, width: float = 1.0) -> float:
    """The most cores a side for which (7) holds: the network never keeps one waiting.

    Where 2 (M/p)^3 = 2 (M/p)^2 / W + p.

    Parameters
    ----------
    block
        M.
    width
        W, words per cycle.

    Source
    ------
    Many-core model (Euro-Par 2008), equation (7), which the paper checks for p <= 32.

    Examples
    --------
    >>> round(longest_side(256), 4)
    70.2446
    """
    require_positive(block=block, width=width)
    bound = (2 * block**3) ** 0.25  # there the side would end if two tiles came in no time

    def spare(side: float) -> float:
        return float(2 * block**3 - 2 * block**2 * side / width - side**4)

    return float(brentq(spare, 0.0, bound))


Kernel = Literal["matmul", "lu", "cholesky"]


def memory_ratio(chip: ManyCore, blocks: int, kernel: Kernel = "lu") -> float:
    """MCR for q x q blocks: cycles of data transfer per cycle of computation.

    It tends to P / P_max as q grows, for LU not monotonically.

    Parameters
    ----------
    chip
        The chip.
    blocks
        q = N / M, at least 2 for the factorizations, whose last block is not counted.
    kernel
        "lu" is (18). "cholesky", for which the paper states the limit only, has the same steps
        on the lower half of the blocks: one panel a column and (q-i)(q-i+1)/2 updates. "matmul"
        has q^3 steps and q^2 stores, (1) with (3) and (8).

    Source
    ------
    Many-core model (Euro-Par 2008), equation (18) and section 4.2.

    Examples
    --------
    >>> chip = ManyCore(bandwidth=4, block=256, cores=256)
    >>> [round(memory_ratio(chip, blocks), 6) for blocks in (2, 16, 4096)]
    [0.246186, 0.249921, 0.25]
    """
    if kernel == "matmul":
        require_whole(1, blocks=blocks)
        return chip.transfer_share + chip.one_block / chip.block_product / blocks
    require_whole(2, blocks=blocks)
    factors = blocks - 1
    panels, squares = blocks * (blocks - 1) / 2, (blocks - 1) * blocks * (2 * blocks - 1) / 6
    if kernel == "lu":
        sides, updates, panel = 2 * panels, squares, (chip.lower_step + chip.upper_step) / 2
    else:
        sides, updates, panel = panels, (squares + panels) / 2, chip.lower_step
    transfer = chip.one_block + chip.factor_transfer
    moving = factors * transfer + sides * chip.one_block + updates * chip.two_blocks
    computing = factors * chip.factor_step + sides * panel + updates * chip.block_product
    return moving / computing
