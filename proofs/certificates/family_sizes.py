"""Sizes of the DAGs that generators make, by formulas, before anything is built.

A certificate may claim that a dozen vertices are a butterfly of 2^24 points. Comparing the number
of vertices first keeps the work of a checker in proportion to the DAG that it was given: whatever
passes here has as many vertices as that DAG, and so it takes no longer to build.
"""

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from dags.families.dirac_numbers import DiracNumbers
from dags.families.lattice_steps import links_of

Formula = Callable[[Mapping[str, Any]], int]
MOST_SIDES = 4  # of a grid


def may_have_size(family: str, params: Mapping[str, Any], vertices: int) -> bool:
    """Return whether the generator `family` may make a DAG of so many vertices.

    Parameters
    ----------
    family
        A key of `VERTICES`.
    params
        All parameters of the generator, each of the type that it takes.
    vertices
        The number of vertices of the DAG that is compared.
    """
    numbers = [value for name, value in params.items() if name != "stride" and type(value) is int]
    sides = params.get("shape", ())
    # No parameter but a stride exceeds the number of vertices: so all that follows is small.
    if any(not 1 <= number <= vertices for number in (*numbers, *sides)):
        return False
    exponent = params.get("height", 0) if params.get("arity", 1) > 1 else params.get("d", 0)
    if exponent > vertices.bit_length() or len(sides) > MOST_SIDES or params.get("radix", 2) < 2:
        return False
    return VERTICES[family](params) == vertices


def _attention(p: Mapping[str, Any]) -> int:
    tokens, width = int(p["tokens"]), int(p["width"])
    return tokens * (4 * width + 2 * tokens * width + 2 * tokens - 1)


def _bitonic_sort(p: Mapping[str, Any]) -> int:
    depth = int(p["n"]).bit_length() - 1
    return int(p["n"]) * (1 + depth * (depth + 1) // 2)


def _odd_even_merge_sort(p: Mapping[str, Any]) -> int:
    n = int(p["n"])
    depth = n.bit_length() - 1
    return n + n * (depth * depth - depth + 4) // 2 - 2


def _convolution(p: Mapping[str, Any]) -> int:
    channels, filters, kernel, stride = (
        int(p[name]) for name in ("channels", "filters", "kernel", "stride")
    )
    if stride < 1 or kernel > min(p["height"], p["width"]):
        return 0
    rows, columns = ((p[side] - kernel) // stride + 1 for side in ("height", "width"))
    terms = channels * kernel**2
    return int(channels * p["height"] * p["width"] + filters * terms * (1 + rows * columns))


def _dirac(p: Mapping[str, Any]) -> int:
    return int(DiracNumbers(p["k"], p["n4"], p["wrap"], p["copies"]).vertices)


def _dirac_steps(p: Mapping[str, Any]) -> int:
    points = int(prod(p["shape"]))
    return links_of(p["shape"], p["periodic"]) + points * (int(p["steps"]) + 1)


def _fft(p: Mapping[str, Any]) -> int:
    points, depth = int(p["n"]), 0
    while p["radix"] ** (depth + 1) <= points:
        depth += 1
    return points * (1 + depth)


def _matmul(p: Mapping[str, Any]) -> int:
    n = int(p["n"])
    m, k = (int(p[name] or n) for name in ("m", "k"))
    return k * (m + n) + m * n * (k if p["form"] == "fma" else 2 * k - 1)


def _matvec(p: Mapping[str, Any]) -> int:
    n = int(p["n"])
    return 2 * n * int(p["m"] or n) + int(p["m"] or n)


def _prefix_scan(p: Mapping[str, Any]) -> int:
    n = int(p["n"])
    depth = (n - 1).bit_length()
    if p["network"] == "brent-kung":
        return 3 * n - n.bit_count() - n.bit_length()
    if p["network"] == "sklansky":  # at each level, the positions with its bit
        periods = (divmod(n, 2 << level) for level in range(depth))
        return n + sum(
            (whole << level) + max(left - (1 << level), 0)
            for level, (whole, left) in enumerate(periods)
        )
    return n + n * depth - (1 << depth) + 1


def _qr_givens(p: Mapping[str, Any]) -> int:
    columns = int(p["n"])
    rows = int(p["m"] or columns)
    steps = range(min(columns, rows - 1))
    return rows * columns + 2 * sum((rows - 1 - j) * (columns - j) for j in steps)


def _tree(p: Mapping[str, Any]) -> int:
    height, arity = int(p["height"]), int(p["arity"])
    return sum(arity**level for level in range(height + 1)) if arity > 1 else height + 1


VERTICES: dict[str, Formula] = {
    "attention": _attention,
    "binomial": lambda p: (p["n"] + 1) * (p["n"] + 2) // 2,
    "bitonic_sort": _bitonic_sort,
    "chain": lambda p: int(p["n"]),
    "cholesky": lambda p: p["n"] * (p["n"] + 1) * (p["n"] + 5) // 6,
    "convolution": _convolution,
    "dirac": _dirac,
    "dirac_steps": _dirac_steps,
    "fft": _fft,
    "grid": lambda p: int(prod(p["shape"])),
    "hypercube": lambda p: int(2 ** p["d"]),
    "lu": lambda p: p["n"] ** 2 + (p["n"] ** 3 - p["n"]) // 3,
    "matmul": _matmul,
    "matvec": _matvec,
    "odd_even_merge_sort": _odd_even_merge_sort,
    "prefix_scan": _prefix_scan,
    "pyramid": lambda p: (p["height"] + 1) * (p["height"] + 2) // 2,
    "qr_givens": _qr_givens,
    "stencil": lambda p: int(prod(p["shape"])) * (p["steps"] + 1),
    "sweep": lambda p: 2 * int(prod(p["shape"])),
    "syrk": lambda p: p["n"] * p["k"] + p["n"] * (p["n"] + 1) // 2 * p["k"],
    "tree": _tree,
    "triangular_solve": lambda p: p["n"] * (p["n"] + 1) // 2 * (1 + p["k"]) + p["n"] * p["k"],
}
