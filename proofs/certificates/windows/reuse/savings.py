"""Checks what values can save by staying in fast memory from one step to another.

Number the N steps of a one-shot play, the computations, by their order. A step *touches* its
operands and its result. Of a value u that steps touch, take them in the order of play: each two in
a row are a *pair* of u, of *length* l, the difference of their numbers. P(u) is how many pairs u
has. Between the steps of a pair u stays in fast memory, then the pair is *kept*; or it leaves and
is loaded before the second. So u is loaded for each pair that is not kept, if an input once more
before all of them, which is compulsory; and if it is *costly*, no input and no output, and some
pair is not kept, it is stored. With w words of u,

    excess(u) >= w (P - kept) + w [costly and kept < P] >= T - kept T / P,    T = w (P + [costly]).

So the kept pairs are worth at most T / P each, and all that is asked is how much they can be worth
together.

*Long pairs take room.* A pair of length l that is kept lies in fast memory beside the operands and
the result of the l - 1 steps between, none of which touches u. Step x leaves K(x) words beside them
(`pieces.wavefronts`), so w (l - 1), summed over all kept pairs, is at most S = sum of K(x).

*Short pairs lie in short windows.* Take a number A of steps, and all N + A - 1 windows of up to A
consecutive steps. Each step is in A of them, and a pair of length l < A in A - l. Give values
weights W(u) >= 0. A window V saves F(V), the sum over the values touched of W(u) times the number
of its steps that touch u less one; this bounds the weight of the pairs in it. Let each step have a
charge s(x) >= 0 such that

    F(C) <= sum of s(x) over C

for every set C of 2 to A steps that is connected by values touched in common, and spans no more
than A steps: C with all steps that are after one of C and before another one. The connected parts
of a window are such sets, for what is between two steps of a window is in it. So, F being the sum
of F over connected parts, sum of F(V) over all windows <= A times the sum of s(x).

*Peeling.* Sets need not all be visited to know that F(C) <= s(C), what they pay. Let F(C) > s(C)
for a C of k <= A steps. For a step x of a set C let F(x, C) = F(C) - F(C without x): the weights of
the values of x that other steps of C touch, too. Over all x they sum to at most 2 F(C): a value
that t > 1 steps touch is in t of them, and t - 1 times in F(C). With b(j) = (j - 1) / (A - 1), let
C_k be C, and let C_(j-1) be C_j without the x of least F(x, C_j) - b(j-1) s(x), of several the
lowest. What is least is no more than the average, and b(j-1) (j - 1) = b(j) (j - 2), so that

    F(C_(j-1)) - b(j-1) s(C_(j-1)) >= (1 - 2 / j) (F(C_j) - b(j) s(C_j)).

As F(C) > s(C) >= b(k) s(C), all of C_k, ..., C_2 have F(C_j) > b(j) s(C_j). So build sets from
single steps on, one step at a time, and go on only with those that save more than b(j) times what
they pay, and lose first the step that came last: each is met once, and among them is every C that
saves more than it pays. No C_j spans more steps than C. Where charges leave something over, few
sets of several steps are met, whatever A is.

*Together.* For a price g >= 0 of a word in a step, a kept pair of length l is worth at most

    (A - l) W(u) + g w (l - 1) + rest(u)    (the first term 0 from l = A on),

where rest(u) = max(0, T / P - (A - 1) min(W(u), g w)): this is linear in l between 1 and A, and
beyond A it grows. Summed over all kept pairs: A sum of s + g S + sum of P rest. Hence

    excess >= sum over u of min(T, P (A - 1) min(W(u), g w)) - A sum over x of s(x) - g S.

The best W(u) is the least with which the minimum is as large as it can be.

*Twins as one step.* Let all values have w words, and nothing slide. Twins are two vertices x, y
with the same two operands a, b, which nobody else reads, as in a comparator or a butterfly. Take a
play, and twins of which x is computed at t, and y at t' later.
The play can be changed so that no other computation is between them. a and b serve nobody but y
after t: what is stored of them between t and t' is stored before they first leave.

- Let w words be free at some moment from t on, before a or b leaves and before the next
  computation; there is one if another computation comes before a or b leaves, as it needs room.
  Compute y then, drop a and b. If a or b stayed until t', y lies in its place. If both left, both
  were loaded: instead of that, store y, drop it, and load it at the end.
- Else memory is full until a or b leaves, nothing else is computed before, and w words are
  missing for y at that moment. If both leave before t', compute y all the same, store and drop it
  at once, load it at the end instead of them: the twins are *spilled*. If one of them stays, y lies
  in its place, and the load of the other one is saved: the twins are *paid*.

No change moves more; w words less where twins are paid. Only while the y of spilled and paid twins
is computed the play has w words too many; before x of other twins is computed, room is as it was,
so that all twins can be changed in turn. The order of everything else is kept. Now the steps are
all other computations and, for twins, that of y: it touches the operands, x and y. For x that
counts as touched though x may have left by then: if so, its pair that begins there is not kept, and
it is loaded before the next one. While y is computed there are the operands, y, x if its pair is
kept, and others. If k of the pairs that begin with x and with y there are kept, w (2 + k) and the
others have at most M words, of paid twins M + w (of spilled ones too, but y is not kept). So with
K = M - 2 w for twins, where a pair that begins with its value's creation by twins takes w l,

    sum over kept pairs of w (l - 1), or w l, <= S + w for each paid twins,

and if g <= 1, g w of it are paid for. A pair that takes w l has g w more instead of g w (l - 1) in
its worth, so that its minimum with T / P is that of (A - 1) min(W, g w) + g w. What is after, and
what is before twins is after, or before, both: whoever reads x is computed after y.

*In some order.* A window computes the steps of C in some order, in which no step comes before one
that it depends on, and at each of them the values of the pairs that are kept across it have at most
K(x) words, w k of what twins create themselves among them. So F(C) may be the largest weight of
pairs, each of two steps of C in a row that touch a value, that some order of C can keep so; steps
of the window that are not in C take room besides. What paid twins keep with w more than that takes
w c of F(C) off, A w c in all windows: g + A c <= 1 is what they pay. Hence with c = (1 - g) / A, in
whole numbers rounded down, a set may also keep w more across twins where it loses w c. The checker
looks at the orders of those sets alone that save more than they pay otherwise.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble import Rules, compulsory_words, min_memory
from proofs.certificates.windows.reuse._kernels.orders import new_orders
from proofs.certificates.windows.reuse._kernels.peels import peeled
from proofs.certificates.windows.reuse._kernels.visits import least_slacks
from proofs.certificates.windows.reuse.sharing import Sharing
from proofs.core.certificate import CertificateError
from proofs.core.fields import integer, integers, only

MOST_SETS = 100_000_000  # of one step less than a window
LONGEST = 16  # steps of a window,
LONGEST_PEELED = 64  # and of one whose sets are peeled
MOST_PEELED = 2**32  # sets that are peeled, times all steps
LIMIT = 2**50  # of numbers that are added, times the denominator
FAR = 2**62
FLAGS = "twins", "ordered", "peeled"


class Savings:
    """Worth of pairs, at a length of windows and a price of room.

    Parameters
    ----------
    sharing
        The game.
    length
        Steps of a window.
    denominator, price
        All numbers are in such parts of a word; the price of a word for a step.
    ordered
        Whether sets save only what they can keep in some order.
    """

    def __init__(
        self,
        sharing: Sharing,
        length: int,
        denominator: int,
        price: int,
        *,
        ordered: bool = False,
    ) -> None:
        if sharing.is_twin.any() and price > denominator:
            raise CertificateError(
                "price", f"is above {denominator}, a word, where twins are one step"
            )
        self.sharing, self.length, self.price = sharing, length, price
        self.denominator = denominator
        pairs, words = sharing.pairs, sharing.words
        most = denominator * sum(words.tolist()) * int(sharing.touching.max(initial=0) + 1)
        if (
            max(most, price * int(words.max(initial=0)) * length, price * abs(sharing.slots))
            > LIMIT
        ):
            raise CertificateError("denominator", "is too large to be checked")
        most = max((denominator - price) // length, 0) * int(words.max(initial=0))
        self.more = most if ordered else -1
        self.total = denominator * words * (pairs + sharing.costly)
        self.beside = np.where(sharing.is_twin & (pairs > 0), price * words, 0)
        once = np.where(pairs == 1, np.maximum(self.total - self.beside, 0), self.total)
        each = -(-once // np.maximum(pairs * (length - 1), 1))
        self.weight = lock(np.where(pairs > 0, np.minimum(each, price * words), 0))

    def words(self, charge: Int64Array) -> int:
        """Return the excess that charges (N,) prove, rounded up, if no set has a negative slack."""
        pairs, inside = self.sharing.pairs, (self.length - 1) * self.weight
        one = self.total // np.maximum(pairs, 1)
        able = np.minimum(self.total, pairs * inside)
        twin = np.minimum(self.total - one, (pairs - 1) * inside)
        twin = twin + np.minimum(one, inside + self.beside)
        able = np.where(self.beside > 0, twin, able)
        spent = self.length * sum(charge.tolist()) + self.price * self.sharing.slots
        words: int = -(-(int(able.sum()) - spent) // self.denominator)
        return words

    def slacks(
        self, charge: Int64Array, first: int, last: int, most: int, *, counted: int | None = None
    ) -> tuple[int, Int64Array, Int64Array]:
        """Return how many sets there are, the least slack of each step, and where it is.

        Parameters
        ----------
        charge
            (N,) what each step pays.
        first, last
            The lowest step of the sets is from `first` up to `last`.
        most
            Sets that are counted at most; -1 of them if there are more.
        counted
            Steps of the largest sets that are counted: one less than of a window, which is much
            faster, or as many if None.
        """
        size = charge.size
        slack = np.full(size, FAR, np.int64)
        witness = np.full((size, self.length), -1, np.int64)
        steps = self.sharing.steps
        counted = self.length if counted is None else counted
        orders = new_orders(self.more) if self.more >= 0 else None
        rows = self.length, counted, first, last, most, slack, witness
        return int(least_slacks(steps, charge, self.weight, orders, *rows)), slack, witness

    def peeled(
        self, charge: Int64Array, first: int, last: int, most: int, short: Int64Array
    ) -> tuple[int, int]:
        """Return how many sets there are to look at, and how many of them pay too little.

        Parameters
        ----------
        charge
            (N,) what each step pays.
        first, last
            The step that sets are built from is from `first` up to `last`.
        most
            Sets that are looked at, at most; -1 of them if there are more.
        short
            (k, length) for sets that pay too little, -1 behind each; no more than k are found.
        """
        looked, filled = peeled(
            self.sharing.steps, charge, self.weight, self.length, first, last, most, short
        )
        return int(looked), int(filled)


def proven(dag: CDAG, memory: int, rules: Rules, data: Mapping[str, Any]) -> int:
    """Return the words that the certificate proves.

    Parameters
    ----------
    dag, memory, rules
        The game.
    data
        Has the "length" A of windows, a "denominator" of all numbers, the "price" of a word for a
        step, and the "charges" of all steps; "twins" is 1 if twins are one step, "ordered" is 1 if
        sets save what they can keep in some order, "peeled" is 1 if instead of all sets those are
        looked at that peeling meets; they may be absent.
    """
    fields = ("length", "denominator", "price", "charges")
    flags = [name for name in FLAGS if name in data]
    only(data, (*fields, *flags))
    twins, ordered, peels = (name in flags and integer(data, name, least=0) > 0 for name in FLAGS)
    if rules.recompute:
        raise CertificateError("rules", "values stay or come back only where each is computed once")
    if memory < min_memory(dag, rules=rules):
        raise CertificateError("memory", f"of {memory} words is too small to play at all")
    length = integer(data, "length", least=2)
    longest = LONGEST_PEELED if peels else LONGEST
    if length > longest:
        raise CertificateError("length", f"is {length}, more than {longest}")
    sharing = Sharing(dag, memory, rules, twins=twins)
    denominator, price = integer(data, "denominator", least=1), integer(data, "price", least=0)
    if max(denominator, price) > LIMIT:
        raise CertificateError("denominator", "or price is too large to be checked")
    savings = Savings(sharing, length, denominator, price, ordered=ordered)
    charge = integers(data, "charges")
    if charge.size != sharing.size or (charge < 0).any() or (charge > LIMIT).any():
        raise CertificateError("charges", f"are not {sharing.size} numbers from 0 to {LIMIT}")
    if peels:
        _require_peeled(savings, lock(charge))
        return compulsory_words(dag) + max(0, savings.words(charge))
    steps = 0, sharing.size, MOST_SETS
    sets, slack, _ = savings.slacks(lock(charge), *steps, counted=length - 1)
    if sets < 0:
        raise CertificateError("length", f"gives more than {MOST_SETS} shorter sets")
    if (slack < 0).any():
        step = int(sharing.leaders[int(slack.argmin())])
        raise CertificateError("charges", f"of a set of steps with vertex {step} are too small")
    return compulsory_words(dag) + max(0, savings.words(charge))


def most_peeled(sharing: Sharing) -> int:
    """Return how many sets of a game a checker peels: looking at one takes time for all steps."""
    return MOST_PEELED // max(sharing.size, 1)


def _require_peeled(savings: Savings, charge: Int64Array) -> None:
    """Raise CertificateError unless no set pays too little, and few are looked at for that."""
    sharing, short = savings.sharing, np.empty((1, savings.length), np.int64)
    looked, found = savings.peeled(charge, 0, sharing.size, most_peeled(sharing), short)
    if found:
        step = int(sharing.leaders[int(short[0, 0])])
        raise CertificateError("charges", f"of a set of steps with vertex {step} are too small")
    if looked < 0:
        raise CertificateError("length", f"gives more than {most_peeled(sharing)} sets to look at")
