"""Sums over small pieces that are searched completely, and over larger ones with fronts."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from pebble import Budget, Game, compulsory_words
from pebble.small import MOST_STATES
from proofs.base import Bound, BoundMethod, NotApplicableError, bound_method
from proofs.bounds.pieces.chains import longest_chains, one_stage
from proofs.bounds.pieces.layouts import Layout, Runs, best_runs, connected, layouts, wire_tiles
from proofs.bounds.pieces.piece_proofs import STATES, Known, searchable
from proofs.bounds.pieces.staged import Staged
from proofs.bounds.room_for_all import nothing_to_prove
from proofs.bounds.rounded import rounded
from proofs.bounds.thinned import as_generated, thinned
from proofs.certificates import Certificate
from proofs.certificates.pieces.piece import Cutter, Piece

if TYPE_CHECKING:
    from proofs.bounds.pieces.packing import Inequality
    from proofs.certificates.pieces.exhaustive import Form

# The seconds that may be spent where the caller gives no limit.
SECONDS = 30.0
# The states that a search may keep where the caller gives no limit, so that small DAGs answer soon.
MODEST = 8 * STATES
# Pieces may overlap, and share values by a linear program, in DAGs of up to so many vertices.
SHARED = 1200
# The shares of the time after which these end: the search of the whole DAG, quick proofs of runs,
# first searches of pieces, deeper searches. The rest is for the linear program.
SMALL_TIMES = 0.3, 0.3, 0.5, 0.7
# The same where there is no linear program, since the DAG has more than `SHARED` vertices.
LARGE_TIMES = 0.6, 0.6, 0.8, 1.0
# The same where values may be computed again: searches take longer there, and prove more.
AGAIN_TIMES = 0.1, 0.3, 0.7, 0.9
# Each length of runs that is searched is so many times the next longer one.
SHORTER = 0.85
# Each deeper search may keep so many times the states of the one before.
DEEPER = 8
# The states of a first search where values may be computed again: many forms get one.
FEW = 300


@bound_method
@thinned
@rounded
@as_generated
def exact_pieces(game: Game, budget: Budget) -> Bound:
    """Lower bound by pieces that are searched completely, and by wavefronts of sets.

    The vertices are laid out in some ways (by levels, by orders) and each layout is cut into runs;
    a dynamic program takes the runs whose connected parts prove most. Small parts are searched
    completely, as far as the time goes (`proofs.certificates.pieces.exhaustive`); large ones prove
    words that wait while one vertex is computed, or the first of many
    (`proofs.certificates.pieces.wavefronts`). In a DAG of moderate size, pieces and wavefronts may
    also share values, as in `decomposition`.

    Where values may be computed again, small parts are searched as well (`pebble.small.recompute`),
    and large ones prove words that must be loaded again after the first of many vertices is
    computed. Pieces may overlap there, too, in a DAG of moderate size.

    Parameters
    ----------
    game, budget
        As for every bound: callers give the arguments of `proofs.BoundMethod`.

    Raises
    ------
    NotApplicableError
        If the memory is too small to play at all.

    Examples
    --------
    >>> from dags import fft
    >>> exact_pieces(fft(8), 4).io
    31
    """
    return _bound(game, budget, MODEST if budget.seconds is None else MOST_STATES)


def with_states(states: int) -> BoundMethod:
    """`exact_pieces` whose searches keep so many states each, whatever the time."""
    return bound_method(thinned(as_generated(partial(_bound, states=states))))


def _bound(game: Game, budget: Budget, states: int) -> Bound:
    """The bound of `exact_pieces` by searches that keep so many states.

    Raises
    ------
    NotApplicableError
        If the memory is too small to play at all.
    """
    if game.memory < game.least:
        raise NotApplicableError(f"nothing can be played with {game.memory} words")
    known = nothing_to_prove("exact-pieces", game)
    if known is not None:
        return known
    sums = _PieceSearch(game, budget.limited(SECONDS)).sums(states)
    io, certificate = max(sums, key=lambda proof: proof[0])
    return Bound("exact-pieces", game.memory, game.compulsory + io, game.rules, certificate)


def _some_lengths(runs: Runs) -> set[int]:
    """The length of the longest runs that can be searched, and some shorter ones."""
    able = (b - a for (a, b), pieces in runs.items() if all(map(searchable, pieces)))
    lengths = {max(able, default=0)}
    while min(lengths):
        lengths.add(int(SHORTER * min(lengths)))
    return lengths


class _PieceSearch:
    """Looks for pieces of one DAG, within a budget."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.dag = game.dag
        self.cutter = Cutter(game.dag)
        self.budget = budget
        self.sharing = game.dag.n <= SHARED
        times = SMALL_TIMES if self.sharing else LARGE_TIMES
        times = AGAIN_TIMES if game.rules.recompute else times
        self.first, self.quick, self.search, self.deepen = times
        self.known = Known(game.memory, game.rules, budget)

    def late(self, share: float) -> bool:
        """Whether this share of the time has passed."""
        return self.budget.over or self.budget.spent > share

    def sums(self, states: int) -> list[tuple[int, Certificate]]:
        """The words that pieces prove, without and with values in common.

        Searches keep up to `states` states.
        """
        entire = self._whole()
        if self._solved(entire):
            return [self._sum(entire)]  # pieces prove no more
        ways, all_pieces = self._pieces()
        all_pieces = [*entire, *all_pieces]
        self._deepen([*max(ways, key=self._total), *entire], states)
        best = max(entire, *ways, key=self._total)
        sums = [self._sum(best)]
        if self.sharing and not self.budget.over and not self._solved(best):
            sums.append(self._staged([*best, *all_pieces]))
        return sums

    def _total(self, pieces: Sequence[Piece]) -> int:
        """The known excess of disjoint pieces together."""
        return sum(map(self.known.excess, pieces))

    def _whole(self) -> list[Piece]:
        """The piece of all vertices, after a search, unless it is too large."""
        if self.dag.n > SHARED and not self.known.rules.recompute:
            return []
        entire = self.cutter.whole()
        self.known.search(entire, STATES, lambda: self.late(self.first))
        return [entire]

    def _pieces(self) -> tuple[list[list[Piece]], list[Piece]]:
        """Good pieces of each layout, and all that were looked at."""
        plans = layouts(self.dag)
        pieces = [
            self._quick(plan, self.quick * (i + 2) / (len(plans) + 1))
            for i, plan in enumerate(plans)
        ]
        tiles = (
            [] if self.known.rules.recompute else self._tiles((self.quick + 3 * self.search) / 4)
        )
        self._search_some(pieces)
        ways = [tiles, *(best_runs(runs, self.known.excess) for runs in pieces)]
        return ways, [piece for runs in pieces for pieces in runs.values() for piece in pieces]

    def _tiles(self, share: float) -> list[Piece]:
        """Good tiles of a network; one of each run of levels is searched to choose runs."""
        tile_runs: Runs = {}
        tiles: dict[int, list[Piece]] = {}
        for run in wire_tiles(self.dag, self.cutter, self.known.memory):
            if self.late(share):
                break
            tile_runs[run.first, run.last] = [run.one] * len(run.pieces)
            tiles[id(run.one)] = run.pieces
        pieces: list[Piece] = []
        for states in (STATES, DEEPER * STATES):
            for alike in tile_runs.values():
                self.known.search(alike[0], states, lambda: self.late(share))
            chosen = {id(run) for run in best_runs(tile_runs, self.known.excess)}
            pieces = [piece for key in chosen for piece in tiles[key]]
            for piece in pieces:
                self.known.search(piece, states, lambda: self.late(share))
        return pieces

    def _quick(self, plan: Layout, share: float) -> Runs:
        """The runs of a layout, each with its connected parts, as far as the time goes."""
        runs: Runs = {}
        for a, b, vertices in plan.runs():
            if self.late(share) and runs:
                break
            runs[a, b] = connected(self.cutter, vertices, self.known.memory)
            for piece in runs[a, b]:
                self.known.proof(piece)
        return runs

    def _search_some(self, found: Sequence[Runs]) -> None:
        """Search the kinds of pieces that make up most of the runs, of some lengths."""
        kinds: dict[Form, Piece] = {}
        covered: Counter[Form] = Counter()
        for runs in found:
            lengths = _some_lengths(runs)
            for piece in chain.from_iterable(runs[a, b] for a, b in runs if b - a in lengths):
                form = self.known.form(piece)
                kinds.setdefault(form, piece)
                covered[form] += piece.size
        forms = [form for form, _ in covered.most_common()]
        if self.known.rules.recompute:  # where searches take longer, first short ones of all
            for form in sorted(forms, key=lambda form: kinds[form].size):
                self.known.search(kinds[form], FEW, lambda: self.late(self.search))
        for form in forms:
            self.known.search(kinds[form], STATES, lambda: self.late(self.search))

    def _deepen(self, pieces: list[Piece], limit: int) -> None:
        """Search with more and more states, those first of which there are many of a kind."""
        kinds = {self.known.form(piece): piece for piece in pieces if searchable(piece)}
        counts = Counter(map(self.known.form, pieces))
        states = STATES
        while states < limit and kinds and not self.late(self.deepen):
            states = min(DEEPER * states, limit)
            for form in sorted(kinds, key=lambda form: -counts[form]):
                self.known.search(kinds[form], states, lambda: self.late(self.deepen))

    def _solved(self, pieces: list[Piece]) -> bool:
        return len(pieces) == 1 and pieces[0].size == self.dag.n and self.known.solved(pieces[0])

    def _sum(self, pieces: Sequence[Piece]) -> tuple[int, Certificate]:
        """The words that disjoint pieces prove, with the certificate."""
        parts = []
        for piece in filter(self.known.excess, pieces):
            _, kind, data = self.known.proof(piece)
            parts.append({"vertices": piece.vertices, "proof": kind, "data": data})
        return self._total(pieces), Certificate("parts", {"parts": parts})

    def _staged(self, pieces: Sequence[Piece]) -> tuple[int, Certificate]:
        """The words that pieces and moments prove together, with the certificate."""
        game = self.known.memory, self.known.rules
        if game[1].recompute:
            stages = one_stage(self.dag)
        else:
            stages = longest_chains(self.dag, self.budget.share(1 / 4))
        staged = Staged(self.dag, stages)
        inequalities: list[Inequality] = []
        for piece in pieces:
            if self.known.excess(piece):
                inequalities += staged.inequality(piece, *game, self.known.proof(piece))
        if self.known.rules.recompute:
            io, certificate = staged.weighed(inequalities)
        else:
            io, certificate = staged.packed(*game, inequalities, self.budget)
        return io - compulsory_words(self.dag), certificate
