"""Layers of neural networks: attention and convolution."""

from math import isqrt, prod

import numpy as np

from dags.arrays import Int32Array, Int64Array, lock
from dags.cdag.border import require_at_least, require_room
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.families.common.family import Arguments, Facts, Family, Nest, Sizes
from dags.families.common.inverse import divisors, divisors_of, exactly
from dags.families.common.published import DERIVED, Params, Trend
from dags.families.common.row_writer import FMA, NONE, RowWriter, fma_chains


def attention(tokens: int, width: int) -> CDAG:
    """Return softmax(QK^T) V, one head of attention, for N = `tokens` and d = `width`.

    For each query: its N scores, each a chain along d; their exponentials p; the sum of these, a
    chain along the keys; and for each of d columns the chain along the keys that adds p(j) v(j,c),
    and its division by the sum. The exponentials are not scaled by the row's maximum: that is a
    matter of rounding, not of dependences.

    Notes
    -----
    Numbering: q(i,c) is i*d + c, k(j,c) is N*d + j*d + c, v(j,c) is 2*N*d + j*d + c; then query
    after query, R = 2*N*d + 2*N + d - 1 vertices each. Within a query, link c of score j is
    j*d + c; the exponential of score j is N*d + j; the sum up to key j >= 1 is N*d + N + j - 1;
    in column c, link j is N*d + 2*N - 1 + c (N+1) + j and the division is j = N. A link of a chain
    of products is two operations; an exponential, an addition and a division one.

    Source
    ------
    B. Saha and C. Ye, The I/O complexity of attention, or how optimal is FlashAttention?, ICML
    2024: N^2 d^2 / M words up to constants if M >= d^2, N^2 d / sqrt(M) below; T. Dao et al.,
    FlashAttention, NeurIPS 2022, section 2.2.

    Examples
    --------
    >>> attention(3, 2)
    <attention(tokens=3, width=2): 75 vertices, 126 edges>
    """
    params, size = attention_sizes(tokens, width)
    rows = RowWriter(size.inputs, size.vertices, size.edges)
    q, k, v = np.arange(size.inputs, dtype=np.int32).reshape(3, tokens, width)
    for query in range(tokens):
        _attend(rows, q[query], k, v)
    work = np.zeros(size.vertices, np.int64)
    work[size.inputs :] = np.tile(_query_work(tokens, width), tokens)
    indptr, indices = rows.finish()
    return CDAG(indptr, indices, work=lock(work), family="attention", params=params)


def attention_sizes(tokens: int, width: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, tokens=tokens, width=width)
    inputs, links = 3 * tokens * width, 2 * tokens * width
    terms = 2 * tokens + width - 1
    sizes = Sizes(
        inputs + tokens * (links + terms),
        tokens * (3 * links + terms - 1),
        inputs,
        tokens * width,
        tokens * (FMA * links + terms),
        2 if tokens == width == 1 else 3,
    )
    return {"tokens": tokens, "width": width}, sizes


def convolution(
    height: int, width: int, channels: int = 1, filters: int = 1, kernel: int = 3, stride: int = 1
) -> CDAG:
    """The direct convolution of an image with square filters, without padding.

    Each entry of the result sums kernel^2 * channels products, a chain along channels, then rows,
    then columns of the filter.

    Parameters
    ----------
    height, width
        Sides of the image.
    channels
        Of the image, and of every filter.
    filters
        Number of filters, the channels of the result.
    kernel
        Side of the filters.
    stride
        Steps of a filter across the image, along both axes.

    Notes
    -----
    The result has rows P = (height - kernel) // stride + 1 and columns Q likewise; T = channels
    * kernel^2. Numbering: image(c,y,x) is (c*height + y) width + x, and with I = channels *
    height * width of them weight(f,c,y,x) is I + f*T + (c*kernel + y) kernel + x; then, filter
    after filter, row by row: link t of result(f,y,x) is I + filters*T + ((f*P + y) Q + x) T + t.
    Pixels that no filter reaches are isolated. A link is two operations.

    Source
    ------
    J. Demmel and G. Dinh, Communication-optimal convolutional neural nets, 2018, section 1.

    Examples
    --------
    >>> dag = convolution(4, 4)
    >>> dag.n, dag.m
    (61, 104)
    """
    params, size = convolution_sizes(height, width, channels, filters, kernel, stride)
    require_room(size.vertices, size.edges)
    pixels = channels * height * width
    image = np.arange(pixels, dtype=np.int32).reshape(channels, height, width)
    weights = np.arange(pixels, size.inputs, dtype=np.int32).reshape(filters, 1, -1)
    indptr, indices = fma_chains(size.inputs, _windows(image, kernel, stride), weights)
    return CDAG(indptr, indices, work=FMA, family="convolution", params=params)


def convolution_sizes(
    height: int, width: int, channels: int, filters: int, kernel: int, stride: int
) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, height=height, width=width, channels=channels, filters=filters)
    require_at_least(1, kernel=kernel, stride=stride)
    if kernel > min(height, width):
        raise InvalidSpecError(f"kernel must be at most {min(height, width)}, not {kernel}")
    terms, places, seen = channels * kernel * kernel, 1, channels
    for side in (height, width):
        positions = (side - kernel) // stride + 1
        places *= positions
        seen *= (positions - 1) * min(stride, kernel) + kernel
    weights, results = filters * terms, filters * places
    inputs, computed = channels * height * width + weights, results * terms
    params = {"height": height, "width": width, "channels": channels, "filters": filters}
    sizes = Sizes(
        inputs + computed,
        3 * computed - results,
        inputs,
        results,
        FMA * computed,
        min(3, 1 + terms),
        compulsory=seen + weights + results,
    )
    return {**params, "kernel": kernel, "stride": stride}, sizes


def _kernel_sides(facts: Facts, arguments: Arguments) -> list[int]:
    """Sides of filters, falling, of chains as long as the DAG is deep."""
    terms = facts.depth if facts.computed == facts.depth * facts.sinks else 0
    return [side for side in range(isqrt(terms), 0, -1) if terms % side**2 == 0]


def _heights(facts: Facts, arguments: Arguments) -> list[int]:
    """Heights of images with as many pixels as are no weights."""
    pixels = exactly(facts.inputs - arguments["filters"] * facts.depth, arguments["channels"])
    return [height for count in pixels for height in divisors(count)]


def _strides(facts: Facts, arguments: Arguments) -> list[int]:
    """The one stride that gives a filter so many places."""
    rows, columns = (arguments[side] - arguments["kernel"] for side in ("height", "width"))
    places = facts.sinks // arguments["filters"]
    for stride in range(1, max(rows, columns) + 2) if min(rows, columns) >= 0 else ():
        if (rows // stride + 1) * (columns // stride + 1) <= places:
            return [stride]
    return []


def _attend(rows: RowWriter, query: Int32Array, k: Int32Array, v: Int32Array) -> None:
    """Write the rows of one query, given the numbers (d,) of its row of Q and (N, d) of K, V."""
    keys, width = k.shape
    scores = rows.upcoming(keys, width)
    rows.add(query, k, _links(scores))
    p = rows.upcoming(keys)
    rows.add(scores[:, -1])
    sums = rows.upcoming(keys - 1)
    before = np.concatenate((p[:1], sums))
    rows.add(np.minimum(before[:-1], p[1:]), np.maximum(before[:-1], p[1:]))
    total, absent = np.full((width, 1), before[-1]), np.full(1, NONE, np.int32)
    columns = rows.upcoming(width, keys + 1)
    rows.add(np.hstack((v.T, total)), np.concatenate((p, absent)), _links(columns))


def _links(chains: Int32Array) -> Int32Array:
    """The link before each link of (..., k) chains, NONE before the first."""
    before = chains - 1
    before[..., 0] = NONE
    return before


def _query_work(keys: int, width: int) -> Int64Array:
    """The operations of the vertices of one query, in order."""
    column = np.full(keys + 1, FMA, np.int64)
    column[keys] = 1
    return np.concatenate(
        (
            np.full(keys * width, FMA, np.int64),
            np.ones(2 * keys - 1, np.int64),
            np.tile(column, width),
        )
    )


def _windows(image: Int32Array, kernel: int, stride: int) -> Int32Array:
    """Entries under a filter at each place, (places, terms), of a (channels, h, w) image."""
    channels = image.shape[0]
    views = np.lib.stride_tricks.sliding_window_view(image, (kernel, kernel), axis=(1, 2))
    placed = views[:, ::stride, ::stride].transpose(1, 2, 0, 3, 4)
    return placed.reshape(-1, channels * kernel * kernel)


# The text of an attention, each assignment a statement.
ATTENTION = """void attention(int N, int D,
    double q[N][D], double k[N][D], double v[N][D], double o[N][D]) {
  double s[N][N]; double p[N][N]; double z[N]; double a[N][D];
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) {
    s[i][j] = 0;
    for (int d = 0; d < D; d++) s[i][j] += q[i][d] * k[j][d]; }
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) p[i][j] = exp(s[i][j]);
  for (int i = 0; i < N; i++) {
    z[i] = p[i][0];
    for (int j = 1; j < N; j++) z[i] += p[i][j]; }
  for (int i = 0; i < N; i++) for (int d = 0; d < D; d++) {
    a[i][d] = 0;
    for (int j = 0; j < N; j++) a[i][d] += p[i][j] * v[j][d]; }
  for (int i = 0; i < N; i++) for (int d = 0; d < D; d++) o[i][d] = a[i][d] / z[i]; }"""


def _convolved_words(p: Params, memory: int) -> float:
    places = prod((p[side] - p["kernel"]) // p["stride"] + 1 for side in ("height", "width"))
    links = places * p["filters"] * p["channels"] * p["kernel"] ** 2
    return float(2 * links * p["stride"] / (p["kernel"] * memory**0.5))


CONVOLUTION_FROM = {  # each from those before it
    "kernel": _kernel_sides,
    "filters": divisors_of("sinks"),
    "channels": lambda facts, arguments: (facts.depth // arguments["kernel"] ** 2,),
    "height": _heights,
    "width": lambda facts, arguments: (
        (facts.inputs - arguments["filters"] * facts.depth)
        // arguments["channels"]
        // arguments["height"],
    ),
    "stride": _strides,
}
FAMILIES = {
    "attention": Family(
        attention,
        "tokens=16,width=4",
        "tokens=2,width=1",
        attention_sizes,
        {"tokens": divisors_of("inputs")},
        nest=Nest(ATTENTION, {"N": "tokens", "D": "width"}),
        trends=(
            Trend(
                "lower",
                "4 N^2 d^2 / M, M >= 8 d^2",
                lambda p, memory: 4 * (p["tokens"] * p["width"]) ** 2 / memory,
                DERIVED,
            ),
            Trend(
                "upper",
                "8 N^2 d^2 / M",
                lambda p, memory: 8 * (p["tokens"] * p["width"]) ** 2 / memory,
                "T. Dao et al., FlashAttention, 2022; constant derived",
            ),
        ),
    ),
    "convolution": Family(
        convolution,
        "height=12,width=12,channels=2,filters=2",
        "height=3,width=3,channels=1,filters=1",
        convolution_sizes,
        CONVOLUTION_FROM,
        trends=(
            Trend(
                "lower",
                "2 links / sqrt((kernel / stride)^2 M)",
                _convolved_words,
                "X. Chen, Y. Han and Y. Wang, 2020",
                recompute=True,
            ),
        ),
    ),
}
