"""Members of families that are not laid out: what their DAGs would be, from formulas alone."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar, NamedTuple

from dags.dirac_numbers import FACES, DiracNumbers
from dags.errors import InvalidSpecError, UnknownNameError
from dags.lattice_qcd import ADD, LINK, PRODUCT, SCALE, SPINOR, dirac_params
from dags.lattice_steps import links_of
from dags.limits import require_at_least
from dags.neighbourhoods import radius_one, require_shape
from dags.spec import Generator, parse_parameters
from dags.transforms import depth_of

Params = Mapping[str, Any]
MOST_BITS = 1000  # of the counts of a member: floats, and texts of numbers, end not far above


class Sizes(NamedTuple):
    """Counts of a DAG.

    Attributes
    ----------
    vertices, edges, inputs, outputs
        How many there are.
    work
        Operations of all computations.
    operands, result
        Words of the operands, and of the result, of the vertex that needs most memory.
    compulsory
        Words of inputs that are read, and of outputs; None where they are as many as these.
    """

    vertices: int
    edges: int
    inputs: int
    outputs: int
    work: int
    operands: int
    result: int = 1
    compulsory: int | None = None


@dataclass(frozen=True)
class Member:
    """A member of a family, known by its parameters: no DAG is made of it.

    Parameters
    ----------
    spec
        Its specification, "lu:n=100000".
    family, params
        The generator, and all parameters as `CDAG.params` would have them.
    sizes
        Counts of the DAG, exact however large they are.
    """

    spec: str
    family: str
    params: Params
    sizes: Sizes

    bounds_are: ClassVar[str] = "closed forms"

    @property
    def compulsory(self) -> int:
        """Compulsory I/O in words: inputs that are read, and outputs."""
        counts = self.sizes
        words = counts.compulsory
        return counts.inputs + counts.outputs if words is None else words

    def min_memory(self, *, sliding: bool = False) -> int:
        """Return the smallest fast memory, in words, in which every vertex can be computed."""
        needed = self.sizes
        return max(needed.operands, needed.result) + (0 if sliding else needed.result)


def member_of(spec: str, generators: Mapping[str, Generator]) -> Member:
    """Return the member of a family that `spec` names.

    Parameters
    ----------
    spec
        A generator's name with parameters.
    generators
        Generators by name.

    Raises
    ------
    UnknownNameError
        If no family with formulas is called so.
    InvalidSpecError
        If the parameters do not fit it.
    """
    name, _, text = spec.partition(":")
    if name not in SIZES or name not in generators:
        raise UnknownNameError("family with formulas", name, SIZES)
    generator = generators[name]
    given = parse_parameters(name, generator, text)
    defaults = {key: each.default for key, each in inspect.signature(generator).parameters.items()}
    try:
        params, sizes = SIZES[name](**(defaults | given))
    except InvalidSpecError as error:
        raise InvalidSpecError(f"{name}: {error}") from error
    if max(sizes.vertices, sizes.edges, sizes.work).bit_length() > MOST_BITS:
        raise InvalidSpecError(
            f"{name}: numbers of up to 2^{MOST_BITS} are shown, and its are larger"
        )
    return Member(spec, name, params, sizes)


def _matmul(n: int, m: int | None, k: int | None, form: str) -> tuple[Params, Sizes]:
    m, k = n if m is None else m, n if k is None else k
    require_at_least(1, n=n, m=m, k=k)
    if form not in ("fma", "multiply-add", "tree"):
        raise InvalidSpecError(f"form must be 'fma', 'multiply-add' or 'tree', not {form!r}")
    inputs, entries = m * k + k * n, m * n
    each, edges, operands = (k, 3 * k - 1, 3) if form == "fma" else (2 * k - 1, 4 * k - 2, 2)
    work = entries * each * (2 if form == "fma" else 1)
    sizes = Sizes(
        inputs + entries * each, entries * edges, inputs, entries, work, min(operands, 1 + k)
    )
    return {"n": n, "m": m, "k": k, "form": form}, sizes


def _matvec(n: int, m: int | None) -> tuple[Params, Sizes]:
    m = n if m is None else m
    require_at_least(1, n=n, m=m)
    inputs = n * m + m
    widest = min(3, 1 + m)
    return {"n": n, "m": m}, Sizes(inputs + n * m, n * (3 * m - 1), inputs, n, 2 * n * m, widest)


def _triangular_solve(n: int, k: int) -> tuple[Params, Sizes]:
    require_at_least(1, n=n, k=k)
    triangle = n * (n + 1) // 2
    inputs, edges = triangle + n * k, k * n * (3 * n + 1) // 2
    sizes = Sizes(inputs + k * triangle, edges, inputs, n * k, k * n * n, min(3, 1 + n))
    return {"n": n, "k": k}, sizes


def _syrk(n: int, k: int) -> tuple[Params, Sizes]:
    require_at_least(1, n=n, k=k)
    half = n * (n + 1) // 2
    edges = n * (n - 1) // 2 * (3 * k - 1) + n * (2 * k - 1)
    operands = min(2, n) + (k > 1)
    return {"n": n, "k": k}, Sizes(n * k + half * k, edges, n * k, half, 2 * half * k, operands)


def _lu(n: int) -> tuple[Params, Sizes]:
    require_at_least(2, n=n)
    divisions, updates = n * (n - 1) // 2, n * (n - 1) * (2 * n - 1) // 6
    edges = n * (n - 1) * (2 * n + 1) // 2
    vertices = n * n + divisions + updates
    return {"n": n}, Sizes(vertices, edges, n * n, n * n - n, divisions + 2 * updates, 3)


def _cholesky(n: int) -> tuple[Params, Sizes]:
    require_at_least(1, n=n)
    half, updates = n * (n + 1) // 2, n * (n - 1) * (n + 1) // 6
    sizes = Sizes(2 * half + updates, n * half, half, half, half + 2 * updates, min(n, 3))
    return {"n": n}, sizes


def _qr_givens(n: int, m: int | None) -> tuple[Params, Sizes]:
    require_at_least(1, n=n)
    m = n if m is None else m
    require_at_least(max(n, 2), m=m)
    rotations, computed = n * m - n * (n + 1) // 2, n * (n + 1) * (3 * m - n - 2) // 3
    edges = 3 * computed - n * (2 * m - n - 1) // 2
    work = 6 * rotations + 3 * (computed - rotations)
    return {"n": n, "m": m}, Sizes(m * n + computed, edges, m * n, m * n, work, 3)


def _fft(n: int, radix: int) -> tuple[Params, Sizes]:
    require_at_least(2, radix=radix)
    require_at_least(radix, n=n)
    depth = depth_of(n, radix)
    edges, work = radix * depth * n, (radix - 1) * depth * n
    return {"n": n, "radix": radix}, Sizes((depth + 1) * n, edges, n, n, work, radix)


def _bitonic_sort(n: int) -> tuple[Params, Sizes]:
    require_at_least(2, n=n)
    depth = depth_of(n, 2)
    computed = n * depth * (depth + 1) // 2
    return {"n": n}, Sizes(n + computed, 2 * computed, n, n, computed, 2)


def _grid(shape: tuple[int, ...]) -> tuple[Params, Sizes]:
    require_shape(shape)
    points = prod(shape)
    if points == 1:
        raise InvalidSpecError("there is nothing to compute on 1 point")
    edges = sum(points - points // side for side in shape)
    wide = sum(side > 1 for side in shape)
    return {"shape": shape}, Sizes(points, edges, 1, 1, points - 1, wide)


def _stencil(
    shape: tuple[int, ...], steps: int, neighbourhood: str, periodic: bool
) -> tuple[Params, Sizes]:
    require_shape(shape)
    require_at_least(1, steps=steps)
    if neighbourhood not in ("star", "box"):
        raise InvalidSpecError(f"neighbourhood must be 'star' or 'box', not {neighbourhood!r}")
    if periodic and min(shape) < 3:
        raise InvalidSpecError(f"a periodic side must be at least 3, not {min(shape)}")
    points, ends = prod(shape), 0 if periodic else 2
    if neighbourhood == "box":
        read, widest = prod(3 * side - ends for side in shape), prod(min(3, side) for side in shape)
    else:
        read = points + sum((2 * side - ends) * (points // side) for side in shape)
        widest = 1 + sum(min(2, side - 1) for side in shape)
    params = {
        "shape": shape,
        "steps": steps,
        "neighbourhood": neighbourhood,
        "periodic": periodic,
    }
    sizes = Sizes((steps + 1) * points, read * steps, points, points, steps * points, widest)
    return params, sizes


def _dirac(
    k: int,
    n4: int,
    wrap: bool,
    sweep: str,
    slab: int | None,
    strip: int | None,
    seam: bool,
    panel: int | None,
    copies: bool,
) -> tuple[Params, Sizes]:
    params = dirac_params(k, n4, wrap, sweep, slab, strip, seam, panel, copies)
    numbers = DiracNumbers(k, n4, wrap, copies)
    n, face = numbers.sites, numbers.face
    hops = 8 * n - 2 * numbers.outer - FACES * face  # the others only add what comes in
    work = SCALE * n + (PRODUCT + ADD) * (hops + FACES * face)
    sizes = Sizes(
        numbers.vertices,
        numbers.edges,
        numbers.inputs,
        n + 2 * FACES * face,
        work,
        2 * SPINOR + LINK,
        SPINOR,
        2 * SPINOR * n + LINK * (numbers.halo - n) + 4 * FACES * SPINOR * face,
    )
    return params, sizes


def _dirac_steps(shape: tuple[int, ...], steps: int, periodic: bool) -> tuple[Params, Sizes]:
    radius_one(shape, "star", periodic)
    require_at_least(1, steps=steps)
    points, links = prod(shape), links_of(shape, periodic)
    most = sum(2 if periodic else min(2, side - 1) for side in shape)
    sizes = Sizes(
        links + (steps + 1) * points,
        (points + 4 * links) * steps,
        links + points,
        points,
        (SCALE * points + 2 * (PRODUCT + ADD) * links) * steps,
        SPINOR + (SPINOR + LINK) * most,
        SPINOR,
        2 * SPINOR * points + LINK * links,
    )
    return {"shape": shape, "steps": steps, "periodic": periodic}, sizes


SIZES: dict[str, Callable[..., tuple[Params, Sizes]]] = {
    "bitonic_sort": _bitonic_sort,
    "cholesky": _cholesky,
    "dirac": _dirac,
    "dirac_steps": _dirac_steps,
    "fft": _fft,
    "grid": _grid,
    "lu": _lu,
    "matmul": _matmul,
    "matvec": _matvec,
    "qr_givens": _qr_givens,
    "stencil": _stencil,
    "syrk": _syrk,
    "triangular_solve": _triangular_solve,
}
