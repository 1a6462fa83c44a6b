"""Loop nests that come with the package: the thirty kernels of PolyBench, in texts of our own.

Each is a function in a file of C beside this one. `KERNELS` says the result of each, which arrays
are its result, and which of its scalars are constants.

Source
------
L.-N. Pouchet et al., PolyBench/C 4.2: names, loops and sizes are those of its kernels.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from dags.errors import UnknownNameError
from dags.programs.layout import LoopNest
from dags.programs.text.c_text import from_c


@dataclass(frozen=True)
class Kernel:
    """A loop nest of the library.

    Parameters
    ----------
    about
        Its result.
    live
        Arrays that are its result.
    constants
        Scalars that are constants.
    """

    about: str
    live: tuple[str, ...]
    constants: tuple[str, ...] = ()


KERNELS: dict[str, Kernel] = {
    "2mm": Kernel("D := alpha A B C + beta D", ("D",), ("alpha", "beta")),
    "3mm": Kernel("G := (A B) (C D)", ("G",)),
    "adi": Kernel("alternating direction implicit solver in two dimensions", ("u",)),
    "atax": Kernel("y := A' (A x)", ("y",)),
    "bicg": Kernel("q := A p and s := A' r", ("s", "q")),
    "cholesky": Kernel("Cholesky factor of A", ("A",)),
    "correlation": Kernel(
        "correlation matrix of the columns of data", ("corr",), ("float_n", "eps")
    ),
    "covariance": Kernel("covariance matrix of columns", ("cov",), ("float_n",)),
    "deriche": Kernel("recursive edge filter of an image", ("imgOut",), ("alpha",)),
    "doitgen": Kernel("product of a three-dimensional array and a matrix", ("A",)),
    "durbin": Kernel("Levinson-Durbin recursion for a Toeplitz system", ("y",)),
    "fdtd-2d": Kernel("finite differences in the time domain, two dimensions", ("ex", "ey", "hz")),
    "floyd-warshall": Kernel("shortest paths between all pairs", ("path",)),
    "gemm": Kernel("C := alpha A B + beta C", ("C",), ("alpha", "beta")),
    "gemver": Kernel("rank-two update and two matrix-vector products", ("w",), ("alpha", "beta")),
    "gesummv": Kernel("y := alpha A x + beta B x", ("y",), ("alpha", "beta")),
    "gramschmidt": Kernel("QR by modified Gram-Schmidt", ("R", "Q")),
    "heat-3d": Kernel("heat equation in three dimensions, two sweeps a step", ("A",)),
    "jacobi-1d": Kernel("three-point Jacobi, two sweeps a step", ("A",)),
    "jacobi-2d": Kernel("five-point Jacobi, two sweeps a step", ("A",)),
    "lu": Kernel("LU factors of A, without pivots", ("A",)),
    "ludcmp": Kernel("LU factors of A, and the solution of A x = b", ("x",)),
    "mvt": Kernel("x1 += A y1 and x2 += A' y2", ("x1", "x2")),
    "nussinov": Kernel("secondary structure of RNA by dynamic programming", ("table",)),
    "seidel-2d": Kernel("nine-point Gauss-Seidel in place", ("A",)),
    "symm": Kernel("C := alpha A B + beta C, A symmetric", ("C",), ("alpha", "beta")),
    "syr2k": Kernel("C := alpha (A B' + B A') + beta C, lower half", ("C",), ("alpha", "beta")),
    "syrk": Kernel("C := alpha A A' + beta C, lower half", ("C",), ("alpha", "beta")),
    "trisolv": Kernel("solution of L x = b", ("x",)),
    "trmm": Kernel("B := alpha A' B, A unit lower triangular", ("B",), ("alpha",)),
}


@lru_cache
def polybench(name: str) -> LoopNest:
    """The kernel called `name`.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    if name not in KERNELS:
        raise UnknownNameError("PolyBench kernel", name, KERNELS)
    kernel = KERNELS[name]
    return replace(from_c(text_of(name)), name=name, live=kernel.live, constants=kernel.constants)


def text_of(name: str) -> str:
    """The text of a kernel."""
    return files(__name__).joinpath(f"{name}.c").read_text(encoding="utf-8")
