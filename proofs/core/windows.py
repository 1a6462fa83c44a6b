"""The one sum of all window proofs: exchanges of windows of a play, less values red at cuts.

A lemma has the least exchange of a set of so many counted vertices (`Count`) and the saving of a
value that is red at a cut (`Sum`). Cut a play into windows of fixed sizes: each word that windows
exchange is moved, but for those that are red at the cuts between them. Windows of one length that
begin anywhere prove more where they are short: theorem W3 in docs/theory/windows.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, NamedTuple, TypeVar

from proofs.core.records import CertificateError, Integers, Within, read

FAR: Final = 2**40  # no set is larger of which something is said
LONGEST: Final = 2**13  # vertices of windows that begin anywhere
R = TypeVar("R")


@dataclass(frozen=True)
class Count:
    """Least that sets of a given number of counted vertices of a piece exchange with the rest.

    Parameters
    ----------
    vertices
        How many vertices of the piece are counted: some or all of those that are computed.
    least
        The least parts of a move that a set of so many counted vertices exchanges; of its size, and
        of the choice of its window, if it does.
    waived
        Parts that disjoint sets count at most, all of them together, though moving them is
        compulsory, or though they do not exist: the piece is thought of as a part of a larger one
        without borders.
    copies
        How many disjoint pieces there are like this one.
    reach
        The largest size for which `least` can be asked.
    parts
        Of a move.
    """

    vertices: int
    least: Callable[..., int]
    waived: int = 0
    copies: int = 1
    reach: int = FAR
    parts: int = 1


class Window(NamedTuple):
    """Windows of one size: how many there are, and their choice of a lemma (exponents)."""

    size: int
    times: int
    choice: tuple[Any, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Cuts:
    """Cuts of a play, as certificates have them: windows of fixed sizes, or of one length.

    Parameters
    ----------
    sizes, times
        Vertices of windows, and how many there are of each size.
    length
        Of windows that begin anywhere.
    """

    sizes: Integers | None = None
    times: Integers | None = None
    length: Annotated[int, Within(2)] | None = None

    def __post_init__(self) -> None:
        named = self.sizes is not None, self.times is not None
        if self.length is None and not all(named):
            raise CertificateError("times" if named[0] else "sizes", "is missing")
        if self.length is not None and any(named):
            raise CertificateError("sizes" if named[0] else "times", "does not belong here")
        if self.sizes is not None and len(self.sizes) != len(self.times or ()):
            raise CertificateError("sizes", "are not as many as times")

    @property
    def windows(self) -> tuple[Window, ...]:
        """Windows of fixed sizes; none where they begin anywhere."""
        return tuple(map(Window, self.sizes or (), self.times or ()))

    @property
    def longest(self) -> int:
        """Vertices of the largest window."""
        return self.length or max(self.sizes or (0,))


def require_cuts(cuts: Sequence[Window] | Cuts, vertices: int) -> None:
    """Raise CertificateError unless windows hold so many vertices together."""
    if isinstance(cuts, Cuts):
        if cuts.length is not None:
            if cuts.length > min(vertices, LONGEST):
                raise CertificateError("length", f"is above {min(vertices, LONGEST)} vertices")
            return
        cuts = cuts.windows
    if min((min(cut.size, cut.times) for cut in cuts), default=0) < 1:
        raise CertificateError("windows", "are not all of one vertex or more, once or more")
    if sum(cut.size * cut.times for cut in cuts) != vertices:
        raise CertificateError("windows", f"do not hold the {vertices} that are counted")


def moves_of(count: Count, cuts: Sequence[Window] | Cuts, saved: int) -> int:
    """The moves that windows prove on one copy of a piece: less than 0 where they do not.

    Parameters
    ----------
    count
        Exchanges of sets.
    cuts
        The windows, of all counted vertices.
    saved
        Moves that are saved at a cut at most.

    Raises
    ------
    CertificateError
        If they are no windows of these vertices, or nothing is known of them.
    """
    require_cuts(cuts, count.vertices)
    if isinstance(cuts, Cuts):
        if cuts.length is not None:
            return _moves_anywhere(count, cuts.length, saved)
        cuts = cuts.windows
    if max(cut.size for cut in cuts) > count.reach:
        raise CertificateError("sizes", f"nothing is known of sets above {count.reach}")
    total = sum(cut.times * int(count.least(cut.size, *cut.choice)) for cut in cuts)
    return -((count.waived - total) // count.parts) - saved * (sum(e.times for e in cuts) - 1)


def _moves_anywhere(count: Count, length: int, saved: int) -> int:
    """The moves that windows of one length prove, in each way to cut; see W3."""
    if length > count.reach:
        raise CertificateError("sizes", f"nothing is known of sets above {count.reach}")
    shorter = sum(int(count.least(size)) for size in range(1, length))  # tables have int64
    total = (count.vertices - length + 1) * int(count.least(length)) + 2 * shorter
    total -= count.parts * saved * (count.vertices - 1) + length * count.waived
    return -(-total // (count.parts * (length - 1)))


@dataclass(frozen=True)
class Sum:
    """Counts with their windows, as a lemma makes them of a record, and their sum in words.

    Parameters
    ----------
    pieces
        Counts of disjoint sets, each with its windows.
    saved
        Moves that are saved at a cut at most.
    besides
        Words that no window counts.
    word
        Words of a move.
    anywhere
        Whether windows may begin anywhere.
    floor
        Whether windows of a piece that prove less than nothing count as nothing.
    """

    pieces: Sequence[tuple[Count, Sequence[Window] | Cuts]]
    saved: int
    besides: int = 0
    word: int = 1
    anywhere: bool = False
    floor: bool = True

    @property
    def words(self) -> int:
        """The words that are proved.

        Raises
        ------
        CertificateError
            If windows are none of their pieces.
        """
        return self.besides + self.word * sum(self._moves(*piece) for piece in self.pieces)

    def _moves(self, count: Count, cuts: Sequence[Window] | Cuts) -> int:
        if isinstance(cuts, Cuts) and cuts.length is not None and not self.anywhere:
            raise CertificateError("length", "is of windows that begin anywhere: not proved here")
        moves = moves_of(count, cuts, self.saved)
        return count.copies * (max(0, moves) if self.floor else moves)


@dataclass(frozen=True)
class Lemma(Generic[R]):
    """A theorem, with the record in which certificates say how it is used.

    Parameters
    ----------
    record
        The dataclass of a certificate's data.
    says
        The sum of windows, or the words themselves, of the game, of a DAG or of a loop nest, and
        the record.
    theorems
        Numbers in docs/theory of the theorems behind the verdict, by the record.
    """

    record: type[R]
    says: Callable[[Any, R], Sum | int]
    theorems: Callable[[R], tuple[str, ...]]

    def words(self, game: Any, data: Any) -> int:
        """The words that a certificate's data proves.

        Raises
        ------
        CertificateError
            If it proves nothing.
        """
        proof = self.says(game, read(self.record, data))
        return proof.words if isinstance(proof, Sum) else proof
