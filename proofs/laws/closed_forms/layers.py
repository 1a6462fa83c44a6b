"""Closed forms of butterflies, pyramids, grids and lines, by `segments` and `dominators` (C1).

With W windows of A vertices or more, each with a boundary of b values or more (by `isoperimetry`),
segments move compulsory + b W - waived - 2 K (W - 1) words where each value is computed once, and
windows, with b dominating values, compulsory + b W - waived - K (W - 1) in any play. Butterflies
take A = p r^p; pyramids, 2-D grids, binomial trees and 1-D stencils A = 4/3 K^2 / c in the leading
term, c the values more that a layer reads; others go by S3.

The proof is C1 in docs/theory/forms.md.
"""

from collections.abc import Callable, Iterable
from math import prod

from proofs.laws.closed_forms.loops import (
    ClosedForm,
    Words,
    compulsory,
)
from proofs.lemmas.families.butterflies import by_fronts, by_mass
from proofs.lemmas.isoperimetry.butterflies import odd_even_counted
from proofs.lemmas.isoperimetry.mesh_words import (
    Params,
    endless,
    grid_form,
    in_windows,
    less,
    line_of,
    open_line,
    two_sided,
)

SIZE = (
    "b W - 2 K (W - 1) - borders, b = 2 (d + 1) K, W = [V / A], A the least whole number above "
    "b / (2 (d + 1) w) (b / (4 - 2^(1-d)))^(1/d) + 3 b / (8 d)"
)
GRID = f"{SIZE}, d one less than the axes, w = (1 / d!)^(1/d)"
STENCIL = (
    f"{SIZE} (+ b / 8 for stars in 2-D), w = 2 for boxes, ((d + 1) / d!)^(1/d) for stars, "
    "sqrt(2) in 2-D"
)


def _depth(n: int, radix: int) -> int:
    """The logarithm of `n`, a power of `radix`."""
    depth = 0
    while n > 1:
        n, depth = n // radix, depth + 1
    return depth


def _best_cut(
    vertices: int, radix: int, depth: int, carry: int, boundary: Callable[[int], int]
) -> int:
    """The largest sum of boundaries, less the values red at cuts, over all p."""
    cuts = (in_windows(vertices, p * radix**p, boundary(p), carry) for p in range(1, depth + 1))
    return max((words for words in cuts if words is not None), default=0)


def _fft(p: Params, carry: int) -> int | None:
    n, radix = int(p["n"]), int(p["radix"])
    depth = _depth(n, radix)

    def boundary(levels: int) -> int:
        block = int(radix**levels)
        return 2 * block if radix == 2 else block - (-levels * block // (levels + 1))

    return _best_cut(n * depth, radix, depth, 2 * carry, boundary)


def _fft_again(p: Params, carry: int) -> int | None:
    n, radix = int(p["n"]), int(p["radix"])
    depth = _depth(n, radix)
    return n + _best_cut(n * depth, radix, depth, carry, lambda levels: int(radix**levels))


def _bitonic(p: Params, carry: int) -> int | None:
    n = int(p["n"])
    return _stages(n, (n * (stage - 1) for stage in range(2, _depth(n, 2) + 1)), carry)


def _odd_even(p: Params, carry: int) -> int | None:
    n = int(p["n"])
    stages = range(2, _depth(n, 2) + 1)
    return _stages(n, (odd_even_counted(n, stage) for stage in stages), carry)


def _stages(n: int, counted: Iterable[int], carry: int) -> int:
    """The words of stages of a network of n wires with so many counted vertices each."""
    stages = (
        _best_cut(vertices, 2, levels, 2 * carry, lambda depth: int(2 ** (depth + 1)))
        for levels, vertices in enumerate(counted, 1)
    )
    return 2 * n + sum(max(0, words - 2 * n) for words in stages)


def _one_sided(c: int, vertices: int, carry: int) -> int | None:
    """The sum of 2 K dominating values each, less K at each cut."""
    if carry < 1:
        return None
    most = (2 * carry - 1) * (carry - 1) if c == 1 else (carry - 1) ** 2
    return in_windows(vertices, most + 1, 2 * carry, carry)


def _pyramid(p: Params, carry: int) -> int | None:
    height = p["height"]
    return less(two_sided(1, height * (height + 1) // 2, carry), 2 * (height - 1))


def _pyramid_again(p: Params, carry: int) -> int | None:
    height = p["height"]
    return less(_one_sided(1, height * (height + 1) // 2, carry), -1)


def _binomial(p: Params, carry: int) -> int | None:
    return less(two_sided(1, p["n"] * (p["n"] + 3) // 2, carry), 2 * p["n"])


def _ring(p: Params, carry: int) -> int | None:
    side = line_of(p)
    if not side or not p["periodic"] or 4 * carry > 2 * (side - 1):
        return None
    return two_sided(2, side * p["steps"], carry)


def _line_again(p: Params, carry: int) -> int | None:
    side = line_of(p)
    if not side or 2 * carry > side - p["periodic"]:
        return None
    return less(_one_sided(1 + p["periodic"], side * p["steps"], carry), -side)


def _form(formula: str, holds: str, words: Words, *, recompute: bool = False) -> ClosedForm:
    return ClosedForm(formula, holds, words, recompute, "C1")


LAYERS: dict[str, tuple[ClosedForm, ...]] = {
    "binomial": (
        compulsory("n + 2", lambda p: p["n"] + 2),
        _form(
            "2 K W + 2 K - 2 n, W = [n (n + 3) / 2 / ([((4 K - 1)^2 + 3) / 12] + 1)]",
            "W >= 1",
            _binomial,
        ),
    ),
    "bitonic_sort": (
        compulsory("2 n", lambda p: 2 * p["n"]),
        _form(
            "2 n + sum over s < log2(n) of max(0, max over p <= s of "
            "2 K + (2^(p+1) - 2 K) [n s / (p 2^p)] - 2 n)",
            "always",
            _bitonic,
        ),
    ),
    "chain": (compulsory("2", lambda _: 2),),
    "fft": (
        compulsory("2 n", lambda p: 2 * p["n"]),
        _form(
            "max over p of 2 K + (b - 2 K) [n log_r(n) / (p r^p)], "
            "b = 2^(p+1), or r^p + ceil(p r^p / (p + 1)) for r > 2",
            "always",
            _fft,
        ),
        _form(
            "n + max over p of K + (r^p - K) [n log_r(n) / (p r^p)]",
            "always",
            _fft_again,
            recompute=True,
        ),
        ClosedForm(
            "(2 N log2(r) + T (T - 1) e) / H(T), N = n log_r(n), T = K - 1 (K if r > 2), "
            "e = log2(T / (T - 1)), H(T) = log2(T) + (T - 1) e; N + 2 if r = 2, K <= 3",
            "always",
            by_mass,
            theorem="F1",
        ),
        ClosedForm(
            "2 n + sum over disjoint runs of k levels of 2 (n / 2^k) (2^k - K), half for the last",
            "r = 2",
            by_fronts,
            theorem="F1",
        ),
    ),
    "grid": (
        compulsory("2", lambda _: 2),
        _form(
            "p x q points: 2 K W + 2 K - 2 (p + q - 2), "
            f"W = [(p q - 1) / ([((4 K - 1)^2 + 3) / 12] + 1)]; 3-D and 4-D: {GRID}",
            "2-D to 4-D, W >= 1",
            grid_form,
        ),
    ),
    "odd_even_merge_sort": (
        compulsory("2 n", lambda p: 2 * p["n"]),
        _form(
            "2 n + sum over s < log2(n) of max(0, max over p <= s of "
            "2 K + (2^(p+1) - 2 K) [(n (s - 1) + n / 2^s) / (p 2^p)] - 2 n)",
            "always",
            _odd_even,
        ),
    ),
    "pyramid": (
        compulsory("h + 2", lambda p: p["height"] + 2),
        _form(
            "2 K W + 2 K - 2 (h - 1), W = [h (h + 1) / 2 / ([((4 K - 1)^2 + 3) / 12] + 1)]",
            "W >= 1",
            _pyramid,
        ),
        _form(
            "K W + K + 1, W = [h (h + 1) / 2 / ((2 K - 1)(K - 1) + 1)]",
            "W >= 1",
            _pyramid_again,
            recompute=True,
        ),
    ),
    "stencil": (
        compulsory("2 N", lambda p: 2 * prod(p["shape"])),
        _form(
            "2 K W + 2 K, W = [N T / ([((4 K - 1)^2 + 3) / 12] + 1)]",
            "1-D with borders, N >= 2 K, W >= 1",
            open_line,
        ),
        _form(
            "1-D: 2 K W + 2 K - 4 T + 2, W = [N T / ([((4 K - 1)^2 + 36) / 24] + 1)]; "
            f"2-D to 4-D: {STENCIL}",
            "1-D with borders, 2-D to 4-D, W >= 1",
            endless,
        ),
        _form(
            "2 K W + 2 K, W = [N T / ([((4 K - 1)^2 + 36) / 24] + 1)]",
            "1-D periodic, N > 2 K, W >= 1",
            _ring,
        ),
        _form(
            "N + K W + K, W = [N T / ((2 K - 1)(K - 1) + 1)]; (K - 1)^2 + 1 if periodic",
            "1-D, N >= 2 K (more, if periodic), W >= 1",
            _line_again,
            recompute=True,
        ),
    ),
    "tree": (compulsory("leaves + 1", lambda p: p["arity"] ** p["height"] + 1),),
}
