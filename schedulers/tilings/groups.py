"""Plays of many assignments: in groups one after the other, those of a group fused.

Groups are runs of assignments in the order of the text. A whole array may stay in fast memory from
the first assignment that touches it to the last: those in between have so much less memory, and
touch it for nothing. For a choice of such arrays the best groups are found by dynamic programming;
arrays are chosen one after the other, as long as that saves words.

Groups are searched without what an assignment reads only in some iterations, a bias or what it adds
at last, and as if what is read in most is read in all; all plays are counted as they are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

from dags.programs.box_nests import Access, Assignment, BoxNest
from dags.programs.tied_loops import NotCountedError
from dags.programs.touched import points, touched
from pebble import Budget
from schedulers.tilings.fusion import fused_plays
from schedulers.tilings.holds import Found, best_holds, thinned
from schedulers.tilings.joining import joined_plays
from schedulers.tilings.parts import one_after_the_other, part_of
from schedulers.tilings.pieces import array_of
from schedulers.tilings.plan import Counts, Held, Hold, Tiling

MOST_FUSED, MOST_JOINED = 5, 6  # assignments that share tiles, all or the outermost,
FEW_FUSED = 3  # of which so many may be products; of more than these, one less
FEW, FUSED = 2, 0.6  # of more assignments, the part of the time before others join a group
SHARE = 0.3  # of the time that is left, for the group that is searched next
Run = tuple[int, int]  # the first assignment of a group, and the one behind the last
Alone = Callable[[BoxNest, Sequence[int], Budget], list[Found]]


class Groups:
    """The plays of groups of a nest, and the best sequences of them.

    Parameters
    ----------
    nest
        The nest; each assignment reads earlier ones only.
    alone
        Looks for plays of a single assignment: of a nest, sizes of memory, and a budget.
    memories, budget
        What is looked for, and within what.
    """

    def __init__(
        self, nest: BoxNest, alone: Alone, memories: Sequence[int], budget: Budget
    ) -> None:
        self.nest, self.counts = nest, Counts(nest)
        self.names = [each.name for each in nest.assignments]
        self.plays: dict[Run, list[_Play]] = {}
        known: dict[object, list[Found]] = {}  # layers of a model are alike
        runs = sorted(self._runs(), key=self._worth, reverse=True)
        first_part = budget.share(FUSED if len(self.names) > FEW else 1.0)
        alone_left = len(self.names)
        for left, run in zip(range(len(runs), 0, -1), runs, strict=True):
            part = part_of(nest, self.names[slice(*run)])
            shape, called = _shape(part)
            if shape not in known:
                share = 1 / (2 * alone_left) if alone_left > 0 else max(SHARE, 1 / left)
                plain, search = _plain(part), alone if len(part.assignments) == 1 else fused_plays
                found = search(plain, memories, first_part.share(share))
                if plain is not part:
                    found = _counted(Counts(part), found)
                known[shape] = [_renamed(each, called) for each in found]
            alone_left -= 1
            own = {other: name for name, other in called.items()}
            counts = Counts(part)
            self.plays[run] = [_Play(counts, _renamed(each, own)) for each in known[shape]]
        self._join(memories, budget)

    def _join(self, memories: Sequence[int], budget: Budget) -> None:
        """Look for plays in which others share the outermost tiles of a fused group."""
        fused = [run for run in self.plays if run[1] - run[0] > 1 and self.plays[run]]
        fused.sort(key=self._worth, reverse=True)
        pairs = [
            (inner, (first, behind))
            for inner in fused
            for first in range(max(0, inner[1] - MOST_JOINED), inner[0] + 1)
            for behind in range(inner[1], min(len(self.names), first + MOST_JOINED) + 1)
            if self._is_linked((first, behind))
        ]
        known: dict[object, list[Found]] = {}
        for left, (inner, run) in zip(range(len(pairs), 0, -1), pairs, strict=True):
            part = part_of(self.nest, self.names[slice(*run)])
            shape, called = _shape(part)
            key = shape, inner[0] - run[0], inner[1] - run[0]
            if key not in known:
                plays = [each.found for each in self.plays[inner]]
                joined = joined_plays(part, plays, memories, budget.share(max(SHARE, 1 / left)))
                known[key] = [_renamed(each, called) for each in joined]
            own = {other: name for name, other in called.items()}
            counts = Counts(part)
            more = [_Play(counts, _renamed(each, own)) for each in known[key]]
            self.plays[run] = [*self.plays.get(run, []), *more]

    def _is_linked(self, run: Run) -> bool:
        """Return whether each of some assignments reads or feeds another, and few are products."""
        some = self.names[slice(*run)]
        linked = {(each.source, each.reader) for each in self.nest.distances}
        products = [each for each in some if _is_product(self.counts.assignments[each])]
        both = (({(a, b), (b, a)} & linked for b in some if a != b) for a in some)
        return all(map(any, both)) and len(products) <= FEW_FUSED - (len(some) > FEW_FUSED)

    def _worth(self, run: Run) -> tuple[float, int]:
        """Return what comes first: single assignments, and then what makes most for itself."""
        names = self.names[slice(*run)]
        if len(names) == 1:
            return inf, -run[0]
        inside = sum(
            touched([self.counts.assignments[name].item])
            for name in names
            if self.counts.assignments[name].outputs is None
            and self.counts.arrays[name].keys() <= {*names}
        )
        return inside, -run[0]

    def _runs(self) -> Iterator[Run]:
        """Yield groups: single assignments, and more of which each reads or feeds another."""
        count = len(self.names)
        for first in range(count):
            yield first, first + 1
        for size in range(2, min(count, MOST_FUSED) + 1):
            for first in range(count - size + 1):
                if self._is_linked((first, first + size)):
                    yield first, first + size

    def best(self, memory: int) -> Found | None:
        """Return the play that moves fewest words with so much memory; None if there is none."""
        kept: frozenset[str] = frozenset()
        best = self._sequence(kept, memory)
        tried = sorted(self.spans, key=lambda array: self.spans[array].density, reverse=True)
        for array in (*tried, *tried):
            if array in kept or self.spans[array].words >= memory:
                continue
            other = self._sequence(kept | {array}, memory)
            if other is not None and (best is None or other[0] < best[0]):
                best, kept = other, kept | {array}
        return None if best is None else self._found(best[1], kept)

    @cached_property
    def spans(self) -> "dict[str, _Span]":
        """Arrays that several assignments touch, from the first to the last of them."""
        place = {name: number for number, name in enumerate(self.names)}
        found = {}
        for array, by in self.counts.arrays.items():
            places = [place[name] for name in by]
            if len(places) < 2:
                continue
            tree = Tiling({name: (number,) for name, number in place.items()})
            with suppress(NotCountedError):
                words = touched([access for some in by.values() for access in some])
                once = self.counts.moved(tree, Hold(array, tuple(by), 0, ()))
                found[array] = _Span(min(places), max(places) + 1, words, once.io, len(places))
        return found

    def _sequence(self, kept: frozenset[str], memory: int) -> "tuple[int, list[_Play]] | None":
        """Return the best groups where some arrays stay, and the words that all move."""
        spans = [self.spans[array] for array in kept]
        moved = sum(each.moved for each in spans)
        best: dict[int, tuple[int, list[_Play]]] = {0: (moved, [])}
        for behind in range(1, len(self.names) + 1):
            for first in range(max(0, behind - MOST_JOINED), behind):
                if first not in best or (first, behind) not in self.plays:
                    continue
                taken = sum(s.words for s in spans if s.first < behind and first < s.behind)
                last = None
                for play in self.plays[first, behind]:
                    held = play.without(kept)
                    if held.words + taken <= memory and (last is None or held.io < last[0]):
                        last = held.io, play
                if last is None:
                    continue
                io, before = best[first]
                if behind not in best or io + last[0] < best[behind][0]:
                    best[behind] = io + last[0], [*before, last[1]]
        return best.get(len(self.names))

    def _found(self, plays: "Sequence[_Play]", kept: frozenset[str]) -> Found:
        """Return a sequence of groups as one play of the nest."""
        whole = one_after_the_other([play.found for play in plays])
        depths = {key: by for key, by in whole.depths.items() if array_of(key) not in kept}
        depths |= {array: dict.fromkeys(self.counts.arrays[array], 0) for array in kept}
        tiling = Tiling(whole.paths, depths)
        moved = self.counts.cost(tiling)
        words, first = 0, 0
        for play in plays:
            behind = first + len(play.counts.nest.assignments)
            spans = (self.spans[array] for array in kept)
            taken = sum(s.words for s in spans if s.first < behind and first < s.behind)
            words = max(words, play.without(kept).words + taken)
            first = behind
        return Found(tiling, Held(moved.loads, moved.stores, words))


@dataclass(frozen=True)
class _Span:
    """An array that may stay: between which assignments, its words, and those it moves then."""

    first: int
    behind: int
    words: int
    moved: int
    readers: int

    @property
    def density(self) -> float:
        """Estimate of words that are saved for each that assignments have less."""
        return self.readers / (self.behind - self.first)


class _Play:
    """A play of a group, and what it moves and holds where some arrays stay."""

    def __init__(self, counts: Counts, found: Found) -> None:
        self.counts, self.found = counts, found
        self.known: dict[frozenset[str], Held] = {}

    def without(self, kept: frozenset[str]) -> Held:
        """Return words moved and held, those of some arrays left out."""
        mine = kept.intersection(self.counts.arrays)
        if mine not in self.known:
            moved = {one: by for one, by in self._moved.items() if array_of(one.array) not in mine}
            self.known[mine] = self.counts.held(self._inside, moved)
        return self.known[mine]

    @cached_property
    def _moved(self) -> dict[Hold, Held]:
        """The words of each hold."""
        tiling = self._inside
        holds = (one for key in tiling.depths for one in self.counts.holds(tiling, key))
        return {one: self.counts.moved(tiling, one) for one in holds}

    @cached_property
    def _inside(self) -> Tiling:
        """The tiling with holds inside of a loop, where there are loops."""
        return one_after_the_other([self.found])


def _is_product(each: Assignment) -> bool:
    """Return whether an assignment sums products of what it reads: tiles of it are of use alone."""
    whole = [access for access in each.reads if 2 * points(access.box, access.ties) >= each.size]
    return each.sums and len(whole) > 1 and all(len(a.rows) < len(each.box) for a in whole)


def _shape(part: BoxNest) -> tuple[object, dict[str, str]]:
    """Return what two groups that are alike have in common, and the common name of each array."""
    called: dict[str, str] = {}
    for each in part.assignments:
        for array in (each.name, *(access.array for access in each.reads)):
            called.setdefault(array, f"#{len(called)}")

    def common(access: Access) -> Access:
        return replace(access, array=called[access.array])

    rows = tuple(
        (
            (each.box, each.ties, each.size, each.sums, each.summed),
            None if each.outputs is None else common(each.outputs),
            common(each.item),
            tuple(map(common, each.reads)),
        )
        for each in part.assignments
    )
    back = tuple(
        (called[each.reader], called[each.source], tuple(each.pairs.items()))
        for each in part.distances
    )
    return (rows, back, part.any_order), called


def _renamed(found: Found, called: Mapping[str, str]) -> Found:
    """Return a play with other names of arrays."""
    paths = {called[name]: path for name, path in found.tiling.paths.items()}
    depths = {
        " ".join(called.get(word, word) for word in key.split()): {
            called[name]: depth for name, depth in by.items()
        }
        for key, by in found.tiling.depths.items()
    }
    return Found(Tiling(paths, depths), found.moved)


def _plain(part: BoxNest) -> BoxNest:
    """Return a group as it is searched: each array is read in all iterations, or in none."""
    assignments = tuple(replace(each, reads=tuple(_plain_reads(each))) for each in part.assignments)
    return part if assignments == part.assignments else replace(part, assignments=assignments)


def _plain_reads(each: Assignment) -> Iterator[Access]:
    pieces: dict[Access, int] = {}
    for access in each.reads:
        whole = replace(access, box=each.box, ties=each.ties)
        pieces[whole] = pieces.get(whole, 0) + points(access.box, access.ties)
    for whole, size in pieces.items():
        if 2 * size >= each.size or len(pieces) == 1:
            yield whole


def _counted(counts: Counts, found: Sequence[Found]) -> list[Found]:
    """Return plays with the trees of others, counted as they are."""
    trees = {tuple(each.tiling.paths.items()): each.tiling.paths for each in found}
    return thinned([play for paths in trees.values() for play in best_holds(counts, paths)])
