"""Sums over small pieces that are searched completely, and over larger ones with fronts."""

import time
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from dags import CDAG
from pebble import ONE_SHOT, Rules, compulsory_words, min_memory
from pebble.small import MOST_STATES
from proofs.base import Bound, NotApplicableError, of_useful_memory
from proofs.bounds.pieces.chains import longest_chains, one_stage
from proofs.bounds.pieces.layouts import Layout, Runs, best_runs, connected, layouts, wire_tiles
from proofs.bounds.pieces.piece_proofs import STATES, Known, searchable
from proofs.bounds.pieces.staged import Staged
from proofs.bounds.renumbered import as_generated
from proofs.bounds.room_for_all import nothing_to_prove
from proofs.bounds.thinned import thinned
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


@of_useful_memory
@thinned
@as_generated
def exact_pieces(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
    states: int | None = None,
) -> Bound:
    """Lower bound by pieces that are searched completely, and by wavefronts of sets.

    The vertices are laid out in some ways (by levels, by orders) and each layout is cut into runs;
    a dynamic program takes the runs whose connected parts prove most. Small parts are searched
    completely, as far as the time goes (`proofs.certificates.pieces.exhaustive`); large ones prove
    what waits while one vertex is computed, or the first of many
    (`proofs.certificates.pieces.set_wavefronts`). In a DAG of moderate size, pieces and wavefronts
    may also share values, as in `decomposition`.

    Where values may be computed again, small parts are searched as well
    (`pebble.small.recompute`), and large ones prove what must be loaded again after the
    first of many vertices is computed (`proofs.certificates.pieces.reloads`). Pieces may overlap
    there, too, in a DAG of moderate size.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for every bound (`proofs.BoundMethod`).
    states
        States that a search may keep; None for as many as the time allows, without a limit of
        time for a modest number.

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
    if memory < min_memory(dag, rules=rules):
        raise NotApplicableError(f"nothing can be played with {memory} words")
    known = nothing_to_prove("exact-pieces", dag, memory, rules)
    if known is not None:
        return known
    limit, most = (SECONDS, MODEST) if time_limit is None else (time_limit, MOST_STATES)
    found = _Search(dag, memory, rules, limit).sums(most if states is None else states)
    io, certificate = max(found, key=lambda found: found[0])
    return Bound("exact-pieces", memory, compulsory_words(dag) + io, rules, certificate)


def _some_lengths(runs: Runs) -> set[int]:
    """Return the length of the longest runs that can be searched, and some shorter ones."""
    able = (b - a for (a, b), pieces in runs.items() if all(map(searchable, pieces)))
    lengths = {max(able, default=0)}
    while min(lengths):
        lengths.add(int(SHORTER * min(lengths)))
    return lengths


class _Search:
    """Looks for pieces of one DAG, for some seconds."""

    def __init__(self, dag: CDAG, memory: int, rules: Rules, seconds: float) -> None:
        self.dag = dag
        self.cutter = Cutter(dag)
        self.seconds = seconds
        self.end = time.monotonic() + seconds
        self.sharing = dag.n <= SHARED
        times = SMALL_TIMES if self.sharing else LARGE_TIMES
        times = AGAIN_TIMES if rules.recompute else times
        self.first, self.quick, self.search, self.deepen = times
        self.known = Known(memory, rules, lambda: self.end - time.monotonic())

    def late(self, share: float) -> bool:
        """Return whether this share of the time has passed."""
        return self.known.left() < (1 - share) * self.seconds

    def sums(self, most: int) -> list[tuple[int, Certificate]]:
        """Return the words that pieces prove, without and with values in common.

        Searches keep up to `most` states.
        """
        whole = self._whole()
        if self._solved(whole):
            return [self._sum(whole)]  # pieces prove no more
        ways, every = self._pieces()
        every = [*whole, *every]
        self._deepen([*max(ways, key=self._total), *whole], most)
        best = max(whole, *ways, key=self._total)
        found = [self._sum(best)]
        left = self.known.left()
        if self.sharing and left > 0 and not self._solved(best):
            found.append(self._staged([*best, *every], left))
        return found

    def _total(self, pieces: Sequence[Piece]) -> int:
        """Return what disjoint pieces are known to exceed by together."""
        return sum(map(self.known.excess, pieces))

    def _whole(self) -> list[Piece]:
        """Return the piece of all vertices, after a search, unless it is too large."""
        if self.dag.n > SHARED and not self.known.rules.recompute:
            return []
        whole = self.cutter.whole()
        self.known.search(whole, STATES, lambda: self.late(self.first))
        return [whole]

    def _pieces(self) -> tuple[list[list[Piece]], list[Piece]]:
        """Return good pieces of each layout, and all that were looked at."""
        plans = layouts(self.dag)
        found = [
            self._quick(plan, self.quick * (i + 2) / (len(plans) + 1))
            for i, plan in enumerate(plans)
        ]
        tiles = (
            [] if self.known.rules.recompute else self._tiles((self.quick + 3 * self.search) / 4)
        )
        self._search_some(found)
        ways = [tiles, *(best_runs(runs, self.known.excess) for runs in found)]
        return ways, [piece for runs in found for pieces in runs.values() for piece in pieces]

    def _tiles(self, share: float) -> list[Piece]:
        """Return good tiles of a network; one of each run of levels is searched to choose runs."""
        ones: Runs = {}
        tiles: dict[int, list[Piece]] = {}
        for run in wire_tiles(self.dag, self.cutter, self.known.memory):
            if self.late(share):
                break
            ones[run.first, run.last] = [run.one] * len(run.pieces)
            tiles[id(run.one)] = run.pieces
        found: list[Piece] = []
        for states in (STATES, DEEPER * STATES):
            for some in ones.values():
                self.known.search(some[0], states, lambda: self.late(share))
            chosen = {id(one) for one in best_runs(ones, self.known.excess)}
            found = [piece for key in chosen for piece in tiles[key]]
            for piece in found:
                self.known.search(piece, states, lambda: self.late(share))
        return found

    def _quick(self, plan: Layout, share: float) -> Runs:
        """Return the runs of a layout, each with its connected parts, as far as the time goes."""
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

    def _deepen(self, pieces: list[Piece], most: int) -> None:
        """Search with more and more states, those first of which there are many of a kind."""
        kinds = {self.known.form(piece): piece for piece in pieces if searchable(piece)}
        many = Counter(map(self.known.form, pieces))
        states = STATES
        while states < most and kinds and not self.late(self.deepen):
            states = min(DEEPER * states, most)
            for form in sorted(kinds, key=lambda form: -many[form]):
                self.known.search(kinds[form], states, lambda: self.late(self.deepen))

    def _solved(self, pieces: list[Piece]) -> bool:
        return len(pieces) == 1 and pieces[0].size == self.dag.n and self.known.solved(pieces[0])

    def _sum(self, pieces: Sequence[Piece]) -> tuple[int, Certificate]:
        """Return the words that disjoint pieces prove, with the certificate."""
        parts = []
        for piece in filter(self.known.excess, pieces):
            _, kind, data = self.known.proof(piece)
            parts.append({"vertices": piece.vertices, "proof": kind, "data": data})
        return self._total(pieces), Certificate("parts", {"parts": parts})

    def _staged(self, pieces: Sequence[Piece], seconds: float) -> tuple[int, Certificate]:
        """Return the words that pieces and moments prove together, with the certificate."""
        end = time.monotonic() + seconds
        game = self.known.memory, self.known.rules
        if game[1].recompute:
            stages = one_stage(self.dag)
        else:
            stages = longest_chains(self.dag, end - seconds * 3 / 4)
        staged = Staged(self.dag, stages)
        given: list[Inequality] = []
        for piece in pieces:
            if self.known.excess(piece):
                given += staged.inequality(piece, *game, self.known.proof(piece))
        if self.known.rules.recompute:
            io, certificate = staged.weighed(given)
        else:
            left = max(end - time.monotonic(), 0)
            io, certificate = staged.packed(*game, given, left)
        return io - compulsory_words(self.dag), certificate
