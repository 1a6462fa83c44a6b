"""Moreira's three-dimensional meshes: the conditions for equivalent processing elements.

P x P x P elements update a grid of N x N x N points; each holds n^3 points, n = N / P. Times are
in seconds, sizes in bytes.
"""

from dataclasses import dataclass, replace

from scipy.optimize import brentq

from proofs.laws import Law
from redblue.answers.hardware.validation import (
    InvalidMachineError,
    require_no_less,
    require_positive,
)

CUBE_ROOT = Law("power", 1 / 3)


@dataclass(frozen=True)
class MeshElement:
    """One processing element of a mesh.

    Parameters
    ----------
    rate
        Floating-point operations per second, R.
    bandwidth
        Bytes per second along one link, B.
    memory
        Bytes of its memory, M.
    latency
        Seconds until a message begins, L.

    Raises
    ------
    InvalidMachineError
        If a number is not positive; the latency may be 0.

    Source
    ------
    J. E. Moreira, Conditions for scalability of mesh-connected massively parallel processors,
    section 3.
    """

    rate: float
    bandwidth: float
    memory: float
    latency: float = 0.0

    def __post_init__(self) -> None:
        require_positive(rate=self.rate, bandwidth=self.bandwidth, memory=self.memory)
        require_no_less(0, latency=self.latency)


@dataclass(frozen=True)
class GridProblem:
    """One time step of a simulation on N x N x N points.

    Parameters
    ----------
    points
        N, points along each axis.
    bytes_per_point
        k.
    flops_per_point
        f.
    depth
        d, how many points away the values come from that an update needs.

    Raises
    ------
    InvalidMachineError
        If a number is not positive.

    Source
    ------
    J. E. Moreira, section 2.
    """

    points: float
    bytes_per_point: float
    flops_per_point: float
    depth: float = 1

    def __post_init__(self) -> None:
        require_positive(**vars(self))

    def local_points(self, side: float) -> float:
        """Return n = N / P, points along each axis in one of P^3 elements.

        Raises
        ------
        InvalidMachineError
            If they are fewer than `depth`: (3) is for data that come from direct neighbours.
        """
        require_no_less(1, side=side)
        local = self.points / side
        if local < self.depth:
            raise InvalidMachineError(
                f"{self.points:g} points over {side:g} elements are {local:g} each, "
                f"fewer than the depth {self.depth:g}"
            )
        return local


@dataclass(frozen=True)
class Mesh:
    """A problem on a mesh of elements, of which P = `side` stand along each axis.

    Examples
    --------
    >>> element = MeshElement(rate=1e10, bandwidth=1e9, memory=2**30, latency=5e-6)
    >>> problem = GridProblem(points=1024, bytes_per_point=8, flops_per_point=100)
    >>> round(Mesh(problem, element, side=64).step_time() * 1e6, 3)
    48.008
    """

    problem: GridProblem
    element: MeshElement
    side: float

    def fits(self) -> bool:
        """Whether each element's memory holds its part, M >= k n^3 (1)."""
        held = self.problem.bytes_per_point * self.problem.local_points(self.side) ** 3
        return self.element.memory >= held * (1 - 1e-12)

    def communication_time(self) -> float:
        """T_comm = L + d k n^2 / B in seconds (3)."""
        plane = self.problem.bytes_per_point * self.problem.local_points(self.side) ** 2
        return self.element.latency + self.problem.depth * plane / self.element.bandwidth

    def calculation_time(self) -> float:
        """T_calc = f n^3 / R in seconds (4)."""
        points = self.problem.local_points(self.side) ** 3
        return self.problem.flops_per_point * points / self.element.rate

    def step_time(self, *, overlap: bool = False) -> float:
        """Seconds of a step: T_comm + T_calc (5), or with `overlap` their maximum (6)."""
        parts = self.communication_time(), self.calculation_time()
        return max(parts) if overlap else sum(parts)

    def speedup(self, *, overlap: bool = False) -> float:
        """S = T(1) / T(P), with T(1) = f N^3 / R (7), (8).

        As printed: (5) has communication for P = 1 too, which (7) has not, so that S(1) < 1.
        """
        single = replace(self, side=1).calculation_time()
        return single / self.step_time(overlap=overlap)

    def efficiency(self, *, overlap: bool = False) -> float:
        """E = S / P^3 (9), as `speedup`."""
        return self.speedup(overlap=overlap) / self.side**3


def largest_grid(element: MeshElement, side: float, bytes_per_point: float) -> float:
    """The largest N that fits, (M / k)^(1/3) P (2).

    Parameters
    ----------
    element
        One element of the mesh.
    side
        P, elements along each axis.
    bytes_per_point
        k.

    Examples
    --------
    >>> element = MeshElement(rate=1e10, bandwidth=1e9, memory=2**30)
    >>> round(largest_grid(element, side=8, bytes_per_point=8), 6)
    4096.0
    """
    require_positive(bytes_per_point=bytes_per_point)
    require_no_less(1, side=side)
    return float(side * (element.memory / bytes_per_point) ** (1 / 3))


def overlap_crossover(problem: GridProblem, element: MeshElement) -> float:
    """Return n*: with more points a side in each element, calculation hides communication.

    Where L + d k n^2 / B = f n^3 / R, which does not ask for N.

    Examples
    --------
    >>> element = MeshElement(rate=1e10, bandwidth=1e9, memory=2**30, latency=5e-6)
    >>> problem = GridProblem(points=1024, bytes_per_point=8, flops_per_point=100)
    >>> round(overlap_crossover(problem, element), 5)
    8.21283
    """
    growing = problem.flops_per_point / element.rate
    silent = problem.depth * problem.bytes_per_point / element.bandwidth / growing
    scale = (element.latency / growing) ** (1 / 3)
    if scale == 0:
        return silent

    def waiting(beyond: float) -> float:
        """The share of the latency left by silent + beyond * scale points."""
        return float(1 - (silent / scale + beyond) ** 2 * beyond)

    return float(silent + scale * brentq(waiting, 0.0, 1.01))


def submesh(element: MeshElement, q: float) -> MeshElement:
    """The one element that does as much as a q x q x q submesh: (10) to (13).

    Meshes of either perform alike for every N, (14) to (20). A q below 1 gives the smaller
    elements of the paper's figure 2: bytes per flop grow by a = 1 / q (21), memory and rate
    shrink by a^3.
    """
    require_positive(q=q)
    return MeshElement(
        element.rate * q**3, element.bandwidth * q**2, element.memory * q**3, element.latency
    )


def quality(element: MeshElement, law: Law = CUBE_ROOT, *, word_bytes: float = 1) -> float:
    """Phi = (B / R) times the law's ratio at M: by default Phi_3 = (B / R) M^(1/3) (22).

    Elements of one Phi and one M / R build equivalent meshes (23). Phi_d has the law M^(1/d),
    Phi_LINPACK sqrt(M), Phi_FFT log2 M: the paper proposes them, and they are Kung's laws. For if R
    grows by alpha and M as `law.rebalance` says, Phi stays; and with B and M in words, and the
    coefficient of the computation, Phi >= 1 says that Kung's element does not wait.

    Parameters
    ----------
    element
        The element.
    law
        Operations per word.
    word_bytes
        Bytes of the unit of B and M; 1 as printed.

    Source
    ------
    J. E. Moreira, equation (22) and section 5; H. T. Kung, 1986, equation (1).

    Examples
    --------
    >>> round(quality(MeshElement(rate=1e10, bandwidth=1e9, memory=2**30)), 6)
    102.4
    """
    require_positive(word_bytes=word_bytes)
    bandwidth, memory = element.bandwidth / word_bytes, element.memory / word_bytes
    return float(bandwidth / element.rate * law.ratio(memory))


def full_memory_efficiency(problem: GridProblem, element: MeshElement) -> float:
    """E of a mesh whose memory is full, with L = 0: 1 / (1 + d k^(4/3) / (f Phi_3)).

    It depends on the element by Phi_3 alone; derived from (3), (4) and (22) with n^3 = M / k.
    """
    moved = problem.depth * problem.bytes_per_point ** (4 / 3)
    return float(1 / (1 + moved / (problem.flops_per_point * quality(element))))
