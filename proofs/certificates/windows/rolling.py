"""Moves by windows of a play that begin at any of its steps, in one-shot plays.

Let a piece have sources, and N counted vertices that are computed in some order. Let a set V of the
latter exchange boundary(V) values, as in `segments`: what V reads outside, and what is needed
outside of V. For a number A, 2 <= A <= N, cut the order before every A-th vertex, in each of the A
possible ways. So there are N + A - 1 windows: N - A + 1 of A vertices, and two each of 1, ...,
A - 1 vertices at both ends; each vertex is in A of them, and there is one cut before each vertex
but the first.

*What is loaded for a vertex saves nothing at the cut before it.* A value is *entered* for a counted
vertex x if x reads it, and it has been red since a load, or since it was computed as a source of
the piece, without being read by a counted vertex. Just before x at most m values are red, l(x) of
which are entered for x. Take a cut before x, and the windows before and after it:

- a value that a window reads outside is entered for some vertex of it, or was red since before the
  cut at its begin, and is not entered for x: at most m - l(x) of these;
- a value of a window that is needed outside is an output, or loaded for a counted vertex later, or
  red at the cut at its end, and not entered for x: it was not loaded at all.

Let e be the sum over sources of the times that they are entered less one (0 if never), of the times
that other values are entered, and of one for each of these that is entered and no output, as it is
stored. So there are e moves beyond the compulsory ones, or more; and with what boundaries count of
sources once, and of outputs, as *waived*, each way to cut says

    sum of boundary(V) - waived <= e + sum over its cuts before x of 2 (m - l(x)).

Summed over all A ways, every x but the first has one cut. For the first one sources are entered,
for the first time; what is entered besides, for other vertices, is at least half of e, for a value
that counts as stored is entered. With c(s) <= boundary(V) for |V| = s,

    (N - A + 1) c(A) + 2 (c(1) + ... + c(A - 1)) - A waived <= A e + 2 m (N - 1) - e,

and e is at least the left side less 2 m (N - 1), divided by A - 1. Where c is a boundary less
prices of the vertices of V, and waived less the sum of all prices, nothing changes.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers, only

LONGEST = 2**13  # vertices of windows that begin anywhere


class Windows(NamedTuple):
    """Windows of a play: sets of fixed sizes that follow each other, or all of one length.

    Attributes
    ----------
    sizes
        Of sets, and how many times each; None if they roll.
    length
        Vertices of windows that begin anywhere; 0 if they do not.
    """

    sizes: list[tuple[int, int]] | None
    length: int

    @property
    def longest(self) -> int:
        """Vertices of the largest window."""
        return max((size for size, _ in self.sizes), default=0) if self.sizes else self.length


def windows_of(data: Mapping[str, Any], vertices: int) -> Windows:
    """Return the windows that a certificate names: "sizes" and "times", or a "length".

    Parameters
    ----------
    data
        Has these fields only.
    vertices
        How many the windows have together.

    Raises
    ------
    CertificateError
        If they do not have so many.
    """
    if "length" in data:
        only(data, ("length",))
        length = integer(data, "length", least=2)
        if length > min(vertices, LONGEST):
            raise CertificateError("length", f"is above {min(vertices, LONGEST)} vertices")
        return Windows(None, length)
    only(data, ("sizes", "times"))
    sizes: list[int] = integers(data, "sizes").tolist()
    times: list[int] = integers(data, "times").tolist()
    if len(sizes) != len(times) or min(sizes, default=0) < 1 or min(times, default=0) < 1:
        raise CertificateError("sizes", "need as many times, all of them at least 1")
    sets = list(zip(sizes, times, strict=True))
    if sum(size * often for size, often in sets) != vertices:
        raise CertificateError("sizes", f"do not sum to {vertices} vertices")
    return Windows(sets, 0)


def moves_beyond(
    windows: Windows,
    least: Callable[[int], int],
    vertices: int,
    saved: int,
    waived: int,
    denominator: int = 1,
) -> int:
    """Return the moves beyond the compulsory ones, 0 or more.

    Parameters
    ----------
    windows
        Of the play.
    least
        The least boundary less prices of a set of so many vertices.
    vertices
        Counted vertices, N.
    saved
        Moves that values that are red at a cut can save, 2 m.
    waived
        What boundaries count together though it is compulsory, less all prices.
    denominator
        `least` and `waived` are in such parts of a move.
    """
    if windows.sizes is None:
        length = windows.length
        parts = sum(int(least(size)) for size in range(1, length))  # tables have int64, which wrap
        total = (vertices - length + 1) * int(least(length)) + 2 * parts
        total -= denominator * saved * (vertices - 1) + length * waived
        return max(0, -(-total // (denominator * (length - 1))))
    total = sum(often * int(least(size)) for size, often in windows.sizes) - waived
    cuts = sum(often for _, often in windows.sizes) - 1
    return max(0, -(-total // denominator) - saved * cuts)
