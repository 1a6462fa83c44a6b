"""What the literature's schedules move, family by family, to hold ours against.

`PUBLISHED` lists them. A form is *finite* if it holds for every size, with all its terms, and
*leading* if only its first term is known.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, prod

from benchmarks.published import matrices
from dags import CDAG
from schedulers.families import sorting, sweeps, transforms
from schedulers.families.dirac_plans import theorem_io


@dataclass(frozen=True)
class Published:
    """What is known about the traffic of a family.

    Parameters
    ----------
    words
        Words moved by a DAG of the family with a given memory; None where nothing is known. Its
        docstring has the formula and the source.
    finite
        Whether that is the finite form.
    """

    words: Callable[[CDAG, int], float | None]
    finite: bool

    @property
    def formula(self) -> str:
        """The first line of the docstring, without its "Return"."""
        return (self.words.__doc__ or "").splitlines()[0].removeprefix("Return ").rstrip(".")

    @property
    def source(self) -> str:
        """The source that the docstring names, on one line."""
        _, _, text = (self.words.__doc__ or "").partition("------\n")
        return " ".join(text.split()).rstrip(".")


def binomial(dag: CDAG, memory: int) -> float:
    """Return n + 2 and 2 (n - c + 1) for each border c = M - 2, 2 (M - 2), ... of the strips.

    Source
    ------
    H. T. Kung, 1986, section 3.3, for the blocks of a grid.
    """
    n, width = int(dag.params["n"]), memory - 2
    return n + 2 + sum(2 * (n - c + 1) for c in range(width, n + 1, width))


def pyramid(dag: CDAG, memory: int) -> float:
    """Return h + 2 and 2 (h - c) + 1 for each border c = M - 2, 2 (M - 2), ... of the strips.

    Source
    ------
    H. T. Kung, 1986, section 3.3, for the blocks of a grid.
    """
    height, width = int(dag.params["height"]), memory - 2
    return height + 2 + sum(2 * (height - c) + 1 for c in range(width, height + 1, width))


def grid(dag: CDAG, memory: int) -> float:
    """2p (ceil(q/(M - 2)) - 1) + 2 for p x q points, 2 (d - 1) N / M^(1/(d-1)) for d > 2.

    Source
    ------
    H. T. Kung, 1986, section 3.3.
    """
    shape: tuple[int, ...] = dag.params["shape"]
    if len(shape) == 1:
        return 2
    if len(shape) == 2:
        return min(2 * p * (ceil(q / (memory - 2)) - 1) + 2 for p, q in (shape, shape[::-1]))
    return float(2 * (len(shape) - 1) * prod(shape) / memory ** (1 / (len(shape) - 1)))


def stencil(dag: CDAG, memory: int) -> float:
    """Return 4 d N / M^(1/d) for N computed points in d dimensions.

    Source
    ------
    H. T. Kung, 1986, section 3.3; M. E. Wolf and M. S. Lam, PLDI 1991.
    """
    shape, steps = dag.params["shape"], dag.params["steps"]
    return float(4 * len(shape) * prod(shape) * steps / memory ** (1 / len(shape)))


def sweep(dag: CDAG, memory: int) -> float | None:
    """What the best columns of points move: P (2 + 2 (d-1) (2/M)^(1/(d-1))) for a star.

    Source
    ------
    H. T. Kung, 1986, section 3.3, for the blocks.
    """
    shape, box = dag.params["shape"], dag.params["neighbourhood"] == "box"
    if dag.params["periodic"]:
        return None
    axis, sides = sweeps.best_columns(shape, memory, box)[0]
    if sweeps.column_room(sides, box) > memory:
        return None
    return sweeps.predicted_io(shape, axis, sides, box)


def spmv(dag: CDAG, memory: int) -> float | None:
    """A word for each nonzero, and what a sweep with M - 2 words moves.

    Source
    ------
    H. T. Kung, 1986, sections 3.3 and 3.6.
    """
    moved = sweep(dag, memory - 2)
    points = prod(dag.params["shape"])
    return None if moved is None else dag.inputs.size - points + moved


def fft(dag: CDAG, memory: int) -> float:
    """2n ceil(d/e) for d levels in passes of e, with 2^e + 2 <= M.

    Source
    ------
    J.-W. Hong and H. T. Kung, STOC 1981, section 4; J. E. Savage, Models of Computation, 1998.
    """
    return transforms.predicted_io(dag.params["n"], memory, dag.params["radix"])


def prefix_scan(dag: CDAG, memory: int) -> float | None:
    """2n ceil(d/e) with 2^e + 1 <= M for Kogge-Stone; 2n - 1 for the others if d + 2 <= M.

    Source
    ------
    H. T. Kung, 1986, section 3.4, for the passes.
    """
    n: int = dag.params["n"]
    depth = max((n - 1).bit_length(), 1)
    if dag.params["network"] == "kogge-stone":
        return 2 * n * ceil(depth / transforms.widest_pass(memory + 1, depth))
    return 2 * n - 1 if memory >= depth + 2 else None


def bitonic_sort(dag: CDAG, memory: int) -> float:
    """2n words for each longest run of levels on at most e index bits, 2^e + 2 <= M.

    Source
    ------
    J.-W. Hong and H. T. Kung, STOC 1981, section 4, for the blocks.
    """
    n: int = dag.params["n"]
    depth = n.bit_length() - 1
    bits = [bit for stage in range(1, depth + 1) for bit in reversed(range(stage))]
    width = transforms.widest_pass(memory, depth)
    return 2 * n * len(sorting.passes(bits, width))


def odd_even_transposition_sort(dag: CDAG, memory: int) -> float | None:
    """Return n^2 / w + 2n with 2w + 1 <= M, from the 4 words on that hold a comparator.

    Source
    ------
    H. T. Kung, 1986, section 3.3, for the blocks of a grid.
    """
    n: int = dag.params["n"]
    return n * n / ((memory - 1) // 2) + 2 * n if memory >= 4 else None


def merge_sort(dag: CDAG, memory: int) -> float | None:
    """2n ceil(d/e), 2^e + 1 <= M, for powers of two; else 2n words a pass as it is numbered.

    Source
    ------
    H. T. Kung, 1986, section 3.5.
    """
    n, ways, run = (int(dag.params[key]) for key in ("n", "ways", "run"))
    if all(number & (number - 1) == 0 for number in (n, ways, run)):
        depth = n.bit_length() - 1
        return 2 * n * ceil(depth / transforms.widest_pass(memory + 1, depth))
    passes, length = int(run > 1), run
    while length < n:
        passes, length = passes + 1, length * ways
    return 2 * n * passes if max(ways, run) < memory else None


def hypercube(dag: CDAG, memory: int) -> float:
    """Return 2^(d-1) (d - e) + 2^d - 2^e + 2 for subcubes of 2^e, 2^e + d - e <= M.

    Source
    ------
    The subcubes are the blocks of J.-W. Hong and H. T. Kung, STOC 1981; the count is ours.
    """
    d: int = dag.params["d"]
    e = max(e for e in range(d + 1) if 2**e + d - e <= max(memory, d + 1))
    return float(2 ** (d - 1) * (d - e) + 2**d - 2**e + 2)


def tree(dag: CDAG, memory: int) -> float | None:
    """The leaves and the root, from h (arity - 1) + 2 words on; a chain from 2 words on.

    Source
    ------
    R. Sethi and J. D. Ullman, J. ACM 17, 1970.
    """
    if dag.family == "chain":
        return 2
    height, arity = (int(dag.params[key]) for key in ("height", "arity"))
    return arity**height + 1 if memory >= height * (arity - 1) + 2 else None


def dirac(dag: CDAG, memory: int) -> float | None:
    """The I_lc of theorem 1 and 288 n/k words to and from neighbours, sliding.

    Source
    ------
    G. Bilardi et al., The potential of on-chip multiprocessing for QCD machines, HiPC 2005.
    """
    k, n4 = (int(dag.params[key]) for key in ("k", "n4"))
    local = theorem_io(k, n4, memory)
    return None if local is None else max(float(local), 120 * k**3 * n4) + 288 * k**2 * n4


PUBLISHED: dict[str, Published] = {
    "attention": Published(matrices.attention, finite=True),
    "binomial": Published(binomial, finite=True),
    "bitonic_sort": Published(bitonic_sort, finite=True),
    "chain": Published(tree, finite=True),
    "cholesky": Published(matrices.cholesky, finite=False),
    "convolution": Published(matrices.convolution, finite=True),
    "dirac": Published(dirac, finite=True),
    "fft": Published(fft, finite=True),
    "grid": Published(grid, finite=False),
    "hypercube": Published(hypercube, finite=True),
    "lu": Published(matrices.lu, finite=False),
    "matmul": Published(matrices.matmul, finite=True),
    "matvec": Published(matrices.matvec, finite=True),
    "merge_sort": Published(merge_sort, finite=True),
    "odd_even_merge_sort": Published(bitonic_sort, finite=False),
    "odd_even_transposition_sort": Published(odd_even_transposition_sort, finite=True),
    "prefix_scan": Published(prefix_scan, finite=True),
    "pyramid": Published(pyramid, finite=True),
    "qr_givens": Published(matrices.qr_givens, finite=False),
    "spmv": Published(spmv, finite=True),
    "stencil": Published(stencil, finite=False),
    "strassen": Published(matrices.strassen, finite=False),
    "sweep": Published(sweep, finite=True),
    "syrk": Published(matrices.syrk, finite=False),
    "tree": Published(tree, finite=True),
    "triangular_solve": Published(matrices.triangular_solve, finite=False),
}
