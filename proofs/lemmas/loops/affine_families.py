"""The families of DAGs whose updates are points of a loop nest: places of vertices in them.

Nothing here needs to be trusted: `window_gains` verifies on the DAG itself all that it uses. Only
the shapes count. Members of families that are programs are named by the points of these (N5).
"""

from collections.abc import Mapping

import numpy as np

from dags.arrays import Int32Array
from proofs.core.records import CertificateError, shown
from proofs.lemmas.loops.hbl import Measure, Shape
from proofs.lemmas.loops.iteration_space import HEAD, LEAVES, IterationSpace, MadeWhenAsked

Params = Mapping[str, int | str]


def number(params: Params, name: str) -> int:
    """The parameter `name`, a whole number from 1 on."""
    value = params.get(name)
    if type(value) is not int or value < 1:
        raise CertificateError("params", f"{name} is {shown(value)}, not a whole number from 1 on")
    return value


def require_vertices(n: int, vertices: int) -> None:
    """Raise CertificateError unless a DAG of `n` vertices can be the one with `vertices`."""
    if n != vertices:
        raise CertificateError("params", f"mean {vertices} vertices, but the DAG has {n}")


def product(n: int, params: Params) -> IterationSpace:
    """The products a(i,k) b(k,j) of `matmul` in any form; entries of C go out."""
    rows, columns, depth = number(params, "m"), number(params, "n"), number(params, "k")
    fused = params.get("form") == "fma"
    if params.get("form") not in ("fma", "multiply-add", "tree"):
        raise CertificateError("params", f"form is {shown(params.get('form'))}")
    inputs, per_entry = depth * (rows + columns), depth if fused else 2 * depth - 1
    require_vertices(n, inputs + rows * columns * per_entry)
    i, j, k = _box(rows, columns, depth)
    place = np.maximum(2 * k - 1, 0) if params["form"] == "multiply-add" else k
    label = np.full(n, -1, np.int32)
    label[inputs:] = np.repeat(np.arange(rows * columns, dtype=np.int32), per_entry)
    return IterationSpace(
        Shape({"i": rows, "j": columns, "k": depth}, arrays(a="ik", b="kj", c="ij")),
        inputs + (i * columns + j) * per_entry + place,
        {"i": i, "j": j, "k": k},
        MadeWhenAsked(
            a=lambda: (i * depth + k,),
            b=lambda: (rows * depth + k * columns + j,),
            c=lambda: (_leaves(i.size),),
        ),
        label,
    )


def matvec(n: int, params: Params) -> IterationSpace:
    """The updates of `matvec`, the product with a matrix of one column."""
    rows, depth = number(params, "n"), number(params, "m")
    return product(n, {"m": rows, "n": 1, "k": depth, "form": "fma"})


def convolution(n: int, params: Params) -> IterationSpace:
    """The updates of `convolution`.

    With row r = a + stride * b of the filter, a < stride, and columns likewise: index c is the
    channel with both a, index u is both b, f the filter, p the place. For each u, a pixel
    determines c and p. A stride beyond the filter's side is as good as that side for a and b.
    """
    names = ("height", "width", "channels", "filters", "kernel", "stride")
    height, width, channels, filters, kernel, stride = (number(params, name) for name in names)
    if kernel > min(height, width):
        raise CertificateError("params", "the filter is larger than the image")
    stride = min(stride, max(height, width))  # beyond that there is one place
    rows, columns = (height - kernel) // stride + 1, (width - kernel) // stride + 1
    terms, pixels = channels * kernel * kernel, channels * height * width
    places, reach = rows * columns, -(-kernel // stride)
    inputs = pixels + filters * terms
    require_vertices(n, inputs + filters * places * terms)
    f, p, t = _box(filters, places, terms)
    channel, r, q = t // kernel**2, t // kernel % kernel, t % kernel
    y, x = stride * (p // columns) + r, stride * (p % columns) + q
    step = min(stride, kernel)
    phase = channel * step**2 + (r % step) * step + q % step
    coordinates = {"f": f, "p": p, "c": phase, "u": r // step * reach + q // step}
    extents = {"f": filters, "p": places, "c": channels * step**2, "u": reach**2}
    label = np.full(n, -1, np.int32)
    label[inputs:] = np.repeat(np.arange(filters * places, dtype=np.int32), terms)
    return IterationSpace(
        Shape(extents, arrays(image="cp", weights="fcu", result="fp")),
        np.arange(inputs, n, dtype=np.int32),
        coordinates,
        MadeWhenAsked(
            image=lambda: ((channel * height + y) * width + x,),
            weights=lambda: (pixels + f * terms + t,),
            result=lambda: (_leaves(f.size),),
        ),
        label,
        by_value=frozenset({"image"}),
        cut="u",
    )


def attention(n: int, params: Params) -> IterationSpace:
    """The products q(i,c) k(j,c) and p(i,j) v(j,c) of `attention`, in one space.

    Index s says which of the two. Columns of the result go out.
    """
    tokens, width = number(params, "tokens"), number(params, "width")
    per_query = 2 * tokens * width + 2 * tokens + width - 1
    side = tokens * width
    require_vertices(n, 3 * side + tokens * per_query)
    i, j, c = _box(tokens, tokens, width)
    query = 3 * side + i * per_query
    score = query + j * width + c
    column = query + side + 2 * tokens - 1 + c * (tokens + 1)
    label = np.full(n, -1, np.int32)
    label[column + j] = i * width + c
    label[column + tokens] = i * width + c
    p = query + side + j
    ic = (i * width + c, _leaves(i.size))
    jc = (side + j * width + c, 2 * side + j * width + c)
    ij = (np.where(c > 0, score - 1, HEAD), p)
    coordinates = {"i": np.tile(i, 2), "j": np.tile(j, 2), "c": np.tile(c, 2)}
    extents = {"s": 2, "i": tokens, "j": tokens, "c": width}
    touched = {"queries": ic, "keys": jc, "scores": ij}
    return IterationSpace(
        Shape(extents, arrays(queries="sic", keys="sjc", scores="sij")),
        np.concatenate((score, column + j)),
        {"s": np.repeat(np.arange(2, dtype=np.int32), i.size), **coordinates},
        {name: (np.concatenate(halves),) for name, halves in touched.items()},
        label,
    )


def attention_scores(n: int, params: Params) -> IterationSpace:
    """The products q(i,c) k(j,c) of `attention` alone: chains, each of one score."""
    products = attention(n, params)
    half = products.updates.size // 2
    extents = {index: products.shape.extents[index] for index in "ijc"}
    return IterationSpace(
        Shape(extents, arrays(queries="ic", keys="jc", scores="ij")),
        products.updates[:half],
        {index: products.at[index][:half] for index in extents},
        {name: (roles[0][:half],) for name, roles in products.touched.items()},
    )


def _box(*extents: int) -> tuple[Int32Array, ...]:
    """The coordinates of all points of a box, the last the fastest."""
    return tuple(side.reshape(-1) for side in np.indices(extents, np.int32))


def _leaves(updates: int) -> Int32Array:
    return np.full(updates, LEAVES, np.int32)


def arrays(**projections: str) -> tuple[Measure, ...]:
    """Measures of arrays of one role each."""
    return tuple(Measure(name, (kept,)) for name, kept in projections.items())
