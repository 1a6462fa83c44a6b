"""Bounds from what values can save by staying in fast memory within short windows of a play."""

from typing import TYPE_CHECKING

import numpy as np

from dags.arrays import Int64Array, lock
from dags.work import charge as charge_work
from pebble import Budget, Game
from proofs.base import Bound, NotApplicableError, bound_method, require_one_shot
from proofs.bounds.loops.kept_values import of_nests
from proofs.bounds.pieces.cuts.classes import colours
from proofs.bounds.quick_programs import FloatArray, solved_quickly
from proofs.bounds.room_for_all import nothing_to_prove
from proofs.bounds.thinned import thinned
from proofs.bounds.windows.peeled_windows import DENOMINATOR, WORTHS, Charged, Peeling
from proofs.certificates import Certificate, CertificateError
from proofs.certificates.pieces.piece import Cutter
from proofs.certificates.windows.reuse import FAR, Savings, Sharing

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

SECONDS = 10.0  # unless a limit is given
KEPT = 2  # of them that are tried with longer windows
FIRST, LAST = 3, 9  # steps of a window
# Shares of the time for windows whose sets are peeled.
PEELED, PEELED_TIGHT = 0.7, 0.2
MOST = 10_000_000  # sets of one step less than a window
AT_ONCE = 16  # steps between two looks at the budget
# Rounds of the linear program for one length; more where there is time for so many times as many,
# so that the next length has its time, too.
ROUNDS, MORE_ROUNDS, PLENTY = 8, 24, 60
MENDING = 3.2  # rounds that are left when it ends early: two that mend the charges, and another
# Longer windows are not tried where those of 3 steps, or of more, leave less than nothing by such a
# share of what all pairs together are worth: each step more gains a tenth of it at most.
HOPELESS_FIRST, HOPELESS = 0.45, 0.25
# Orders of a set are looked at where steps leave room for so many values beside them at most, what
# twins create themselves not counted: with more, hardly any order is lost, and windows are shorter.
TIGHT = 1.5
# In DAGs of more steps those whose surroundings look alike, so far, have one charge.
ALIKE, ROUNDS_ALIKE = 1000, 2


@bound_method
@thinned
def reuse(game: Game, budget: Budget) -> Bound:
    """Lower bound by what values can save in short windows, and by the room of longer stays.

    A value that is used again soon is one that the steps of a short window share, and sparse DAGs
    have few sets of steps that share much; one that is used again late takes room for long. For
    memories that hold little beside the operands of a step, in DAGs without much structure (random
    graphs, sparse matrices) and in stencils, where few kinds of steps have few charges.
    `proofs.certificates.windows.reuse.savings` has the theorem. Of products, factorizations and
    programs like them it is known without a search what sets of updates share, whatever their
    size (`proofs.lemmas.loops.kept_pairs`), and of products what sums are open where a play
    is cut (`open_chains`).

    Parameters
    ----------
    game, budget
        As for every bound: callers give what `proofs.BoundMethod` takes.

    Raises
    ------
    NotApplicableError
        If values may be computed again, the DAG is too large, or nothing can be played.

    Examples
    --------
    >>> from dags import random_layered
    >>> reuse(random_layered(n=40, seed=1), 4, time_limit=3).io > 15  # compulsory are 15
    True
    """
    if game.memory < game.least:
        raise NotApplicableError(f"nothing can be played with {game.memory} words")
    budget, floor = budget.limited(SECONDS), game.compulsory
    pairs = of_nests(game, budget)
    if game.rules.recompute and pairs.io > floor:
        return pairs
    require_one_shot("reuse", game.rules)
    try:
        sharing = _steps(game)
        known = nothing_to_prove("reuse", game)
        best = _ChargeSearch(sharing, budget).best() if known is None else None
    except CertificateError as error:
        if pairs.io > floor:
            return pairs
        raise NotApplicableError(f"{game.dag!r} is too large: {error}") from None
    if best is None or floor + best.words <= pairs.io:
        return pairs
    data = {
        "length": best.savings.length,
        "denominator": best.savings.denominator,
        "price": best.savings.price,
        "charges": best.charge,
    }
    if best.peeled:
        data["peeled"] = 1
    if sharing.is_twin.any():
        data["twins"] = 1
    if best.savings.more >= 0:
        data["ordered"] = 1
    return Bound("reuse", game.memory, floor + best.words, game.rules, Certificate("reuse", data))


def _steps(game: Game) -> Sharing:
    """The steps of a game: twins are one where most vertices have a twin."""
    dag, memory, rules = game.dag, game.memory, game.rules
    sharing = Sharing(dag, memory, rules, twins=True)
    merges = 2 * int(sharing.is_twin.sum()) > dag.computed.size
    return sharing if merges else Sharing(dag, memory, rules)


class _ChargeSearch:
    """Looks for charges of one game, within a budget."""

    def __init__(self, sharing: Sharing, budget: Budget) -> None:
        self.sharing, self.budget = sharing, budget
        self.kind, self.many = kinds_of_steps(sharing)
        size = sharing.size
        self.all = [(first, min(first + AT_ONCE, size)) for first in range(0, size, AT_ONCE)]
        # Where steps are alike, some of each kind are the lowest of the sets that are looked at.
        self.roots = self.all
        if self.many.size < size:
            chosen = np.unique(_some_of_each(self.kind))
            self.roots = [(root, root + 1) for root in chosen.tolist()]

    def best(self) -> Charged | None:
        """The charges that prove most; None if there was no time for any."""
        if not self.sharing.size:
            return None
        charges: list[Charged] = []
        tight = self._is_tight()
        share = PEELED_TIGHT if tight else PEELED
        peeling = Peeling(self.sharing)
        peeled = peeling.best(self.budget.share(share))
        length = self._try_lengths(FIRST, True, charges) if tight else FIRST
        if length <= LAST:
            self._try_lengths(length, False, charges)
        peeled = peeled and peeling.best(self.budget)  # in what time is left
        charges += [] if peeled is None else [peeled]
        return max(charges, key=lambda charged: charged.words, default=None)

    def _is_tight(self) -> bool:
        """Whether memory is so small that orders of sets matter."""
        sharing = self.sharing
        room = sharing.slots - int(sharing.words[sharing.is_twin].sum())
        return room * sharing.dag.n <= TIGHT * int(sharing.words.sum()) * sharing.size

    def _try_lengths(self, first: int, ordered: bool, charges: list[Charged]) -> int:
        """Add charges for windows of more and more steps; return how many it ended with.

        Parameters
        ----------
        first, ordered
            Steps of the shortest windows, and whether sets are kept in some order.
        charges
            What is known, and gets longer.
        """
        worths: tuple[float, ...] = WORTHS
        for length in range(first, LAST + 1):
            able: list[Charged] = []
            for worth in worths:
                charged = self._charged(length, worth, ordered, charges)
                if charged is None:
                    return length
                able.append(charged)
                charges.append(charged)
                if length == FIRST and _is_hopeless([charged], HOPELESS_FIRST):
                    return LAST + 1
            if length > FIRST and _is_hopeless(charges, HOPELESS):
                break
            able.sort(key=lambda charged: -charged.words)
            worths = tuple(charged.worth for charged in able[:KEPT])
        return LAST + 1

    def _charged(
        self, length: int, worth: float, ordered: bool, before: list[Charged]
    ) -> Charged | None:
        """Good charges for windows of a length, or None if that takes too long.

        Parameters
        ----------
        length, worth, ordered
            Of the windows; worth of a pair up to which room is sold; whether sets save only what
            they can keep in some order.
        before
            Charges for shorter windows, to begin with those of the same worth.
        """
        steps = length if self.sharing.is_twin.any() else length - 1  # that a pair takes room for
        price = min(round(worth * DENOMINATOR / steps), DENOMINATOR)
        savings = Savings(self.sharing, length, DENOMINATOR, price, ordered=ordered)
        charge = np.zeros(self.sharing.size, np.int64)
        for known in before:
            if known.worth == worth:
                charge = known.charge * (known.savings.length - 1) // (length - 1)
        sets: dict[bytes, tuple[Int64Array, int]] = {}
        for number in range(MORE_ROUNDS):
            begun = self.budget.used
            seen = self._slacks(savings, charge, self.roots)
            if seen is None:
                return None
            slack, witness = seen
            if (slack >= 0).all():
                break
            self._note(sets, charge, slack, witness)
            left = max(self.budget.left, 0.1)
            charge = _least_charges(list(sets.values()), self.many, left)[self.kind]
            enough = MENDING if number < ROUNDS else PLENTY
            if enough * (self.budget.used - begun) > self.budget.left:
                break
        return self._mended(savings, charge, worth)

    def _note(
        self,
        sets: dict[bytes, tuple[Int64Array, int]],
        charge: Int64Array,
        slack: Int64Array,
        witness: Int64Array,
    ) -> None:
        """Add the sets for which charges are too small, and what they need.

        Parameters
        ----------
        sets
            Kinds of steps, and what they need together.
        charge, slack, witness
            What steps pay, the least slack of each, and its set.
        """
        for x in np.flatnonzero(slack < 0).tolist():
            members = witness[x][witness[x] >= 0]
            need = int(charge[members].sum() - slack[x])
            kinds = np.sort(self.kind[members])
            known_need = sets.get(kinds.tobytes(), (kinds, 0))[1]
            sets[kinds.tobytes()] = kinds, max(need, known_need)

    def _mended(self, savings: Savings, charge: Int64Array, worth: float) -> Charged | None:
        """Charges that no set is too small for: raised where need be, and then lowered."""
        seen = self._slacks(savings, charge, self.all)
        if seen is None:
            return None
        charge = charge - np.minimum(seen[0], 0) // 2  # a set has two members or more
        seen = self._slacks(savings, charge, self.all)
        if seen is None:
            return None
        charge = np.maximum(charge - np.minimum(seen[0], charge) // savings.length, 0)
        return Charged(savings, lock(charge), savings.words(charge), worth)

    def _slacks(
        self, savings: Savings, charge: Int64Array, roots: list[tuple[int, int]]
    ) -> tuple[Int64Array, Int64Array] | None:
        """The least slack of each step and its set; None if that takes too long.

        Parameters
        ----------
        savings, charge
            What steps pay for what.
        roots
            Ranges of the lowest steps of the sets that are visited.
        """
        charge, slack, witness = lock(charge.copy()), None, None
        left = MOST
        for first, last in roots:
            sets, slacks_now, witnesses = savings.slacks(
                charge, first, last, left, counted=savings.length - 1
            )
            charge_work("subset", abs(sets))
            if sets < 0 or self.budget.over:
                return None
            left -= sets
            if slack is None or witness is None:
                slack, witness = slacks_now, witnesses
            else:
                smaller = slacks_now < slack
                slack[smaller], witness[smaller] = slacks_now[smaller], witnesses[smaller]
        assert slack is not None
        assert witness is not None
        slack = np.where(slack == FAR, charge, slack)  # a step that shares nothing
        return slack, witness


def _some_of_each(kind: Int64Array) -> Int64Array:
    """Places of each kind: its first, its last, and the one in the middle."""
    order = np.argsort(kind, kind="stable")
    begin = np.searchsorted(kind[order], np.arange(kind.max() + 2))
    first, last = begin[:-1], begin[1:] - 1
    places: Int64Array = order[np.concatenate((first, (first + last) // 2, last))]
    return places


def kinds_of_steps(sharing: Sharing) -> tuple[Int64Array, Int64Array]:
    """(N,) the kind of each step, and (k,) how many steps there are of each kind."""
    if sharing.size <= ALIKE:
        return np.arange(sharing.size), np.ones(sharing.size, np.int64)
    colour = colours(Cutter(sharing.dag).whole(), ROUNDS_ALIKE)[sharing.leaders]
    _, kind, counts = np.unique(colour, return_inverse=True, return_counts=True)
    return kind.astype(np.int64), counts.astype(np.int64)


def _is_hopeless(charges: list[Charged], share: float) -> bool:
    """Whether the best charges leave less than nothing by such a share of all worth."""
    best = max(charges, key=lambda charged: charged.words)
    return best.words < -share * (int(best.savings.total.sum()) // DENOMINATOR)


def _least_charges(
    sets: list[tuple[Int64Array, int]], counts: Int64Array, seconds: float
) -> Int64Array:
    """(k,) charges of least sum of which every set has as much as it needs, roughly.

    Parameters
    ----------
    sets
        Kinds of steps, as often as there are steps of them, and what they need together.
    counts
        (k,) how many steps there are of each kind.
    seconds
        For the linear program; beyond it every step has as much as its neediest set.
    """
    from scipy.sparse import csr_matrix  # not before it is needed: it takes long to import

    members = np.concatenate([members_of_set for members_of_set, _ in sets])
    rows = np.repeat(np.arange(len(sets)), [part.size for part, _ in sets])
    matrix = csr_matrix((np.ones(members.size), (rows, members)), shape=(len(sets), counts.size))
    needs = np.array([need for _, need in sets], np.float64)
    costs, enough = counts.astype(np.float64), np.full(needs.size, np.inf)
    solution = solved_quickly(costs, matrix, needs, enough)
    x = _of_many_sets(costs, matrix, needs, Budget(seconds)) if solution is None else solution.x
    if x is None:  # too late, or numerical trouble
        charges = np.zeros(counts.size)
        np.maximum.at(charges, members, needs[rows])
    else:
        charges = np.ceil(np.maximum(x, 0) - 1e-6)
    return charges.astype(np.int64)


def _of_many_sets(
    costs: FloatArray, matrix: "csr_matrix", needs: FloatArray, budget: Budget
) -> FloatArray | None:
    """The same by HiGHS, None where it has no solution in time.

    Parameters
    ----------
    costs, matrix, needs
        The program: sums of charges are no less than what sets need.
    budget
        For it.
    """
    from scipy.optimize import linprog

    options = budget.iterations("pivot", matrix.nnz)
    solution = linprog(costs, A_ub=-matrix, b_ub=-needs, method="highs", options=options)
    budget.charge_iterations("pivot", matrix.nnz, solution.nit)
    x: FloatArray | None = solution.x
    return x
