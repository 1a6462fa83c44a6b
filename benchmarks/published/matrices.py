"""What the literature's schedules move: products, factorizations, attention, convolution."""

from math import ceil, sqrt

from dags import CDAG
from schedulers.families import attention as attentions
from schedulers.families import convolutions
from schedulers.families import matmul as products


def matmul(dag: CDAG, memory: int) -> float:
    """Mn + k (m ceil(n/b) + n ceil(m/a)) for the best a x b block with ab + a + 2 <= M.

    Source
    ------
    G. Kwasniewski et al., Red-blue pebbling revisited (COSMA), SC 2019, section 4.
    """
    m, n, k = (int(dag.params[key]) for key in ("m", "n", "k"))
    room = memory - (2 if dag.params["form"] == "fma" else 3)
    a, b = products.block_shapes(m, n, k, room)[0]
    return products.predicted_io(m, n, k, a, b)


def matvec(dag: CDAG, memory: int) -> float:
    """Nm + m ceil(n/r) + n with r = M - 3 sums in fast memory.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.6.
    """
    n, m = (int(dag.params[key]) for key in ("n", "m"))
    return n * m + m * ceil(n / max(memory - 3, 1)) + n


def triangular_solve(dag: CDAG, memory: int) -> float:
    """Return n^2/2 + n^2/(2 (M - 3)) + 2n for one right-hand side, n^2 k / sqrt(M) for many.

    Source
    ------
    H. T. Kung, 1986, section 3.6; G. Kwasniewski et al., SC 2021, for many.
    """
    n, k = (int(dag.params[key]) for key in ("n", "k"))
    if k == 1:
        return n * (n + 1) / 2 + n * n / (2 * max(memory - 3, 1)) + 2 * n
    return n * n * k / sqrt(memory)


def lu(dag: CDAG, memory: int) -> float:
    """Return 2 n^3 / (3 sqrt(M)).

    Source
    ------
    G. Kwasniewski et al., On the parallel I/O optimality of linear algebra kernels, SC 2021.
    """
    n: int = dag.params["n"]
    return 2 * n**3 / (3 * sqrt(memory))


def cholesky(dag: CDAG, memory: int) -> float:
    """Return n^3 / (3 sqrt(2) sqrt(M)).

    Source
    ------
    O. Beaumont et al., I/O-optimal algorithms for symmetric linear algebra kernels, SPAA 2022.
    """
    n: int = dag.params["n"]
    return n**3 / (3 * sqrt(2 * memory))


def syrk(dag: CDAG, memory: int) -> float:
    """Return n^2 k / (sqrt(2) sqrt(M)).

    Source
    ------
    O. Beaumont et al., I/O-optimal algorithms for symmetric linear algebra kernels, SPAA 2022.
    """
    n, k = (int(dag.params[key]) for key in ("n", "k"))
    return n * n * k / sqrt(2 * memory)


def qr_givens(dag: CDAG, memory: int) -> float:
    """Return sqrt(2) n^2 (m - n/3) / sqrt(M): the law is published, the constant is ours.

    Source
    ------
    H. T. Kung, 1986, section 3.2, triangularization.
    """
    n, m = (int(dag.params[key]) for key in ("n", "m"))
    return sqrt(2) * n * n * (m - n / 3) / sqrt(memory)


def strassen(dag: CDAG, memory: int) -> float:
    """Q(n) = 7 Q(n/2) + 18 * 3 (n/2)^2, and Q(s) = 3 s^2 where 3 s^2 <= M.

    Where the recursion ends before that, a classical product: 2 s^3 / sqrt(M).

    Source
    ------
    G. Ballard, J. Demmel, O. Holtz, O. Schwartz, J. ACM 59, 2012, section 1.4.
    """
    side, products_here, words = int(dag.params["n"]), 1, 0
    for _ in range(dag.params["levels"]):
        if 3 * side * side <= memory:
            break
        side //= 2
        words += products_here * 54 * side * side
        products_here *= 7
    within = max(3 * side * side, 2 * side**3 / sqrt(memory))
    return words + products_here * within


def attention(dag: CDAG, memory: int) -> float:
    """The less of 2Nd + 2Nd ceil(N/b), b (2d + 2) + 2 <= M, and of two stored products.

    Source
    ------
    T. Dao et al., FlashAttention, NeurIPS 2022, algorithm 1; B. Saha and C. Ye, ICML 2024.
    """
    keys, width = (int(dag.params[key]) for key in ("tokens", "width"))
    a, b = products.block_shapes(keys, keys, width, memory - 2)[0]
    c, d = products.block_shapes(keys, width + 1, keys, memory - 2)[0]
    stored = products.predicted_io(keys, keys, width, a, b)
    stored += products.predicted_io(keys, width + 1, keys, c, d) + keys * ceil((width + 1) / d)
    rows = attentions.resident_rows(keys, width, memory)
    return min(stored, 2 * keys * width * (1 + ceil(keys / rows))) if rows else stored


def convolution(dag: CDAG, memory: int) -> float:
    """What the best f x y x x block of results moves, weights and pixels passing by.

    Source
    ------
    X. Chen et al., Communication lower bound in convolution accelerators, HPCA 2020.
    """
    return convolutions.block_io(dag, convolutions.best_blocks(dag, memory)[0])
