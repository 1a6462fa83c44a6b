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
from dags.work import charged
from pebble import UNLIMITED, Budget
from schedulers.tilings.budgets import budget_after, own_budget
from schedulers.tilings.fusion import Fusion, Start
from schedulers.tilings.holds import Found, best_holds, lacking, thinned
from schedulers.tilings.joining import Joining
from schedulers.tilings.parts import one_after_the_other, part_of
from schedulers.tilings.pieces import array_of
from schedulers.tilings.plan import Counts, Held, Hold, Path, Tiling

PARTS = (2,)  # of memory that groups have where arrays stay, besides all of it
MOST_FUSED, MOST_JOINED = 5, 6  # assignments that share tiles, all or the outermost,
FEW_FUSED = 3  # of which so many may be products; of more than these, one less
FEW, FUSED = 2, 0.6  # of more assignments, the part of the time before others join a group
COUNTED = 3  # trees that are counted anew, the best that fit
SHARE = 0.3  # of the time that is left, for the group that is searched next
Run = tuple[int, int]  # the first assignment of a group, and the one behind the last
Search = Callable[[int, Budget], list[Found]]  # for a size of memory, in a time
Alone = Callable[[BoxNest], Search]


class Groups:
    """The search for plays of groups of a nest, and for the best sequences of them.

    Parameters
    ----------
    nest
        The nest; each assignment reads earlier ones only.
    alone
        Makes the search for plays of a nest of a single assignment, as if that were asked for.
    seed
        Of the sizes that are drawn.
    """

    def __init__(self, nest: BoxNest, alone: Alone, seed: int = 0) -> None:
        self.nest, self.counts, self.seed = nest, Counts(nest), seed
        self.alone = alone
        self.names = [assignment.name for assignment in nest.assignments]
        self.runs = sorted(self._runs(), key=self._worth, reverse=True)
        self.parts: dict[Run, _GroupNest] = {}
        # Layers of a model are alike: each kind of group is searched as its first one.
        self.searches: dict[object, tuple[_GroupNest, Search]] = {}
        self.fusions: dict[object, tuple[_GroupNest, Fusion]] = {}
        self.singles: dict[object, tuple[_GroupNest, Search]] = {}
        self.joinings: dict[object, tuple[_GroupNest, Joining]] = {}

    def best(self, memory: int, budget: Budget = UNLIMITED) -> Found | None:
        """The play that moves fewest words with so much memory; None if there is none.

        Parameters
        ----------
        memory
            Words of fast memory.
        budget
            Of the search.
        """
        sizes = [size for size in (memory, *(memory // part for part in PARTS)) if size]
        plays = {
            run: [play for play in choices if play.found.moved.words <= memory]
            for run, choices in self._plays(sizes, budget).items()
        }
        kept: frozenset[str] = frozenset()
        best = self._sequence(plays, kept, memory)
        tried = sorted(self.spans, key=lambda array: self.spans[array].density, reverse=True)
        for array in (*tried, *tried):
            if array in kept or self.spans[array].words >= memory:
                continue
            longer = self._sequence(plays, kept | {array}, memory)
            if longer is not None and (best is None or longer[0] < best[0]):
                best, kept = longer, kept | {array}
        return None if best is None else self._found(best[1], kept)

    def _plays(self, memories: Sequence[int], budget: Budget) -> "dict[Run, list[_GroupPlay]]":
        """Plays of groups, of which those alike are searched once.

        Single assignments come first, each with all the work that it has if it is asked for alone.
        """
        parts = {run: self._part(run) for run in self.runs if _is_single(run)}
        alone = {part.shape: self._alone(part, memories[0], budget) for part in parts.values()}
        rest = budget_after(budget)
        first_part = rest.share(FUSED if len(self.names) > FEW else 1.0)
        shapes = set[object]()
        for left, part in zip(range(len(parts), 0, -1), parts.values(), strict=True):
            if part.shape not in shapes:
                shapes.add(part.shape)
                within = first_part.share(1 / (2 * left))
                sizes = memories if part.is_estimated else memories[1:]
                more = [play for size in sizes for play in self._search(part, size, within)]
                alone[part.shape] = thinned([*alone[part.shape], *more])
        plays = {
            run: [part.play(tiling) for tiling in alone[part.shape]] for run, part in parts.items()
        }
        self._fuse(plays, memories, first_part)
        self._join(plays, memories, rest)
        return plays

    def _fuse(
        self, plays: "dict[Run, list[_GroupPlay]]", memories: Sequence[int], budget: Budget
    ) -> None:
        """Look for fused plays of groups: first for those of groups that seem to save most.

        Before drawn sizes are estimated for a group, it may save all that its assignments move one
        by one of what several of them touch. Where the budget ends first, groups that still seem
        to save words have the least work: one choice of shared loops, and its best drawn sizes.
        """
        waiting: dict[object, list[Run]] = {}
        for run in self.runs:
            if not _is_single(run):
                waiting.setdefault(self._part(run).shape, []).append(run)
        savings = {
            shape: self._shared_words(plays, runs[0], memories[0])
            for shape, runs in waiting.items()
        }
        starts: dict[object, list[Start]] = {}

        def least(shape: object, words: Mapping[Run, float]) -> float:
            """The words of a group: as estimated, or the least that seem possible."""
            run = waiting[shape][0]
            part = self._part(run)
            if shape in starts:
                _, fusion = self._fusion(part)
                return min((start.io for start in starts[shape]), default=inf) - fusion.alike
            turn = _in_turn(words, run)
            return max(part.counts.compulsory, turn - savings[shape] if turn < inf else 0.0)

        while waiting:
            words = self._words(plays, memories[0])
            before, behind = self._ends(words)
            total = {
                shape: min(before[run[0]] + behind[run[1]] for run in runs) + least(shape, words)
                for shape, runs in waiting.items()
            }
            shape = min(waiting, key=lambda shape: total[shape])
            if budget.over and total[shape] >= before[-1]:
                break
            runs = waiting[shape]
            first, fusion = self._fusion(self._part(runs[0]))
            within = budget.share(max(SHARE, 1 / len(waiting)))
            if shape not in starts:
                starts[shape] = fusion.starts(memories[0], within)
                continue
            del waiting[shape]
            tilings = first.counted(fusion.refined(starts[shape], memories[0], within), memories[0])
            for size in memories[1:]:
                if lacking(first.counts, tilings, [size]):
                    tilings += first.counted(fusion.plays(size, within), size)
            tilings = [_renamed(play, first.called) for play in thinned(tilings)]
            for run in runs:
                part = self._part(run)
                plays[run] = [part.play(play) for play in tilings]

    def _shared_words(
        self, plays: "Mapping[Run, Sequence[_GroupPlay]]", run: Run, memory: int
    ) -> float:
        """The words of arrays that several of some assignments touch, moved one by one."""
        names = self.names[slice(*run)]
        total = 0
        for place in range(*run):
            play = _best(plays[place, place + 1], memory)
            if play is None:
                return inf
            total += sum(
                held.io
                for hold, held in play.moved.items()
                if sum(name in self.counts.arrays[array_of(hold.array)] for name in names) > 1
            )
        return total

    def _words(self, plays: "Mapping[Run, Sequence[_GroupPlay]]", memory: int) -> dict[Run, float]:
        """The fewest words of each group: of its own plays, or of some in turn."""
        words: dict[Run, float] = {}
        for run in sorted(self.runs, key=lambda run: run[1] - run[0]):
            play = _best(plays.get(run, ()), memory)
            own_words = inf if play is None else play.without(frozenset()).io
            words[run] = min(own_words, _in_turn(words, run))
        return words

    def _alone(self, part: "_GroupNest", memory: int, budget: Budget) -> list[Found]:
        """Plays of a single assignment by common names, those of it alone."""
        if part.shape not in self.singles:
            self.singles[part.shape] = part, self.alone(part.nest)
        first, search = self.singles[part.shape]
        plays = search(memory, own_budget(part.nest, self.nest, budget))
        return [_renamed(play, first.called) for play in plays if _is_tree(play.tiling)]

    def _part(self, run: Run) -> "_GroupNest":
        """A group as a nest of its own."""
        if run not in self.parts:
            self.parts[run] = _GroupNest(part_of(self.nest, self.names[slice(*run)]))
        return self.parts[run]

    def _search(self, part: "_GroupNest", memory: int, budget: Budget) -> list[Found]:
        """Plays of an assignment as groups are searched, by common names."""
        if part.shape not in self.searches:
            self.searches[part.shape] = part, self.alone(_plain(part.nest))
        first, plays = self.searches[part.shape]
        counted = first.counted(plays(memory, budget), memory)
        return [_renamed(play, first.called) for play in counted]

    def _fusion(self, part: "_GroupNest") -> "tuple[_GroupNest, Fusion]":
        """The first group that is like one, and the search for its fused plays."""
        if part.shape not in self.fusions:
            self.fusions[part.shape] = part, Fusion(_plain(part.nest), self.seed)
        return self.fusions[part.shape]

    def _ends(self, words: Mapping[Run, float]) -> tuple[list[float], list[float]]:
        """The fewest words of all assignments before each one, and of all from it on."""
        count = len(self.names)
        before, behind = [0.0] + [inf] * count, [inf] * count + [0.0]
        for run in sorted(words):
            before[run[1]] = min(before[run[1]], before[run[0]] + words[run])
        for run in sorted(words, reverse=True):
            behind[run[0]] = min(behind[run[0]], words[run] + behind[run[1]])
        return before, behind

    def _join(
        self, plays: "dict[Run, list[_GroupPlay]]", memories: Sequence[int], budget: Budget
    ) -> None:
        """Look for plays in which others share the outermost tiles of a fused group.

        Groups that save most by being fused come first.
        """
        words = self._words(plays, memories[0])
        fused = [run for run in self.runs if not _is_single(run) and plays.get(run)]
        fused.sort(key=lambda run: _less(_in_turn(words, run), words[run]), reverse=True)
        pairs = [
            (inner, (first, behind))
            for inner in fused
            for first in range(max(0, inner[1] - MOST_JOINED), inner[0] + 1)
            for behind in range(inner[1], min(len(self.names), first + MOST_JOINED) + 1)
            if self._is_linked((first, behind))
        ]
        known: dict[object, list[Found]] = {}
        for left, (inner, run) in zip(range(len(pairs), 0, -1), pairs, strict=True):
            if budget.over:
                break
            part = self._part(run)
            key = part.shape, inner[0] - run[0], inner[1] - run[0]
            if key not in known:
                within = budget.share(max(SHARE, 1 / left))
                first_part, joining = self.joinings.setdefault(key, (part, Joining(part.nest)))
                names = {name: first_part.own[common] for name, common in part.called.items()}
                inside = [_renamed(play.found, names) for play in plays[inner]]
                joined = [play for size in memories for play in joining.plays(inside, size, within)]
                known[key] = [_renamed(play, first_part.called) for play in thinned(joined)]
            group_plays = [part.play(play) for play in known[key]]
            plays[run] = [*plays.get(run, []), *group_plays]

    def _is_linked(self, run: Run) -> bool:
        """Whether each of some assignments reads or feeds another, and few are products."""
        some = self.names[slice(*run)]
        linked = {(each.source, each.reader) for each in self.nest.distances}
        products = [each for each in some if _is_product(self.counts.assignments[each])]
        both = (({(a, b), (b, a)} & linked for b in some if a != b) for a in some)
        return all(map(any, both)) and len(products) <= FEW_FUSED - (len(some) > FEW_FUSED)

    def _worth(self, run: Run) -> tuple[float, int]:
        """What comes first: single assignments, and then what makes most for itself."""
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

    def _sequence(
        self, plays: "Mapping[Run, Sequence[_GroupPlay]]", kept: frozenset[str], memory: int
    ) -> "tuple[int, list[_GroupPlay]] | None":
        """The best groups where some arrays stay, and the words that all move."""
        spans = [self.spans[array] for array in kept]
        moved = sum(each.moved for each in spans)
        best: dict[int, tuple[int, list[_GroupPlay]]] = {0: (moved, [])}
        for behind in range(1, len(self.names) + 1):
            for first in range(max(0, behind - MOST_JOINED), behind):
                if first not in best or (first, behind) not in plays:
                    continue
                taken = sum(s.words for s in spans if s.first < behind and first < s.behind)
                last = None
                for play in plays[first, behind]:
                    held = play.without(kept)
                    if held.words + taken <= memory and (last is None or held.io < last[0]):
                        last = held.io, play
                if last is None:
                    continue
                io, before = best[first]
                if behind not in best or io + last[0] < best[behind][0]:
                    best[behind] = io + last[0], [*before, last[1]]
        return best.get(len(self.names))

    def _found(self, plays: "Sequence[_GroupPlay]", kept: frozenset[str]) -> Found:
        """A sequence of groups as one play of the nest."""
        whole = one_after_the_other([play.found for play in plays])
        depths = {key: by for key, by in whole.depths.items() if array_of(key) not in kept}
        depths |= {
            array: dict.fromkeys(by, 0) for array, by in self.counts.arrays.items() if array in kept
        }
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


class _GroupNest:
    """A group as a nest of its own, and what groups that are alike have in common.

    Attributes
    ----------
    shape, called
        Equal for groups that are alike, and the common name of each array.
    own
        The name of each array by the common one.
    """

    def __init__(self, nest: BoxNest) -> None:
        self.nest, self.counts = nest, Counts(nest)
        self.shape, self.called = _shape(nest)
        self.own = {common: name for name, common in self.called.items()}
        self.holds = charged(maxsize=None)(self._holds)

    def play(self, tiling: Found) -> "_GroupPlay":
        """A play of the group, of one by common names."""
        return _GroupPlay(self.counts, _renamed(tiling, self.own))

    @cached_property
    def is_estimated(self) -> bool:
        """Whether the group is searched without some of what it reads, and counted anew."""
        return _plain(self.nest) is not self.nest

    def counted(self, found: Sequence[Found], memory: int) -> list[Found]:
        """Plays of the group as it is searched, the best of them counted as it is.

        Parameters
        ----------
        found, memory
            The plays by rising memory, and the words of fast memory that they were searched for.
        """
        if not self.is_estimated:
            return list(found)
        fitting = [play for play in found if play.moved.words <= memory]
        trees = dict.fromkeys(tuple(play.tiling.paths.items()) for play in fitting[::-1])
        plays, count = list[Found](), 0
        for paths in trees:
            holds = self.holds(paths)
            plays += holds
            count += any(play.moved.words <= memory for play in holds)
            if count == COUNTED:
                break
        return thinned(plays)

    def _holds(self, paths: tuple[tuple[str, Path], ...]) -> list[Found]:
        return best_holds(self.counts, dict(paths))


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


class _GroupPlay:
    """A play of a group, and what it moves and holds where some arrays stay."""

    def __init__(self, counts: Counts, found: Found) -> None:
        self.counts, self.found = counts, found
        self.known: dict[frozenset[str], Held] = {}

    def without(self, kept: frozenset[str]) -> Held:
        """Words moved and held, those of some arrays left out."""
        mine = kept.intersection(self.counts.arrays)
        if mine not in self.known:
            moved = {
                access: amount
                for access, amount in self.moved.items()
                if array_of(access.array) not in mine
            }
            self.known[mine] = self.counts.held(self._inside, moved)
        return self.known[mine]

    @cached_property
    def moved(self) -> dict[Hold, Held]:
        """The words of each hold."""
        tiling = self._inside
        holds = (one for key in tiling.depths for one in self.counts.holds(tiling, key))
        return {one: self.counts.moved(tiling, one) for one in holds}

    @cached_property
    def _inside(self) -> Tiling:
        """The tiling with holds inside of a loop, where there are loops."""
        return one_after_the_other([self.found])


def _best(plays: Sequence[_GroupPlay], memory: int) -> _GroupPlay | None:
    """The play that moves fewest words with so much memory; None if none fits."""
    fitting = [play for play in plays if play.without(frozenset()).words <= memory]
    return min(fitting, key=lambda play: play.without(frozenset()).io, default=None)


def _in_turn(words: Mapping[Run, float], run: Run) -> float:
    """The fewest words of two parts of a group in turn; infinite for what has none."""
    first, behind = run
    parts = (
        words.get((first, middle), inf) + words.get((middle, behind), inf)
        for middle in range(first + 1, behind)
    )
    return min(parts, default=inf)


def _less(words: float, bound: float) -> float:
    """How many fewer words one number is than another; none fit with an infinite one."""
    return -inf if bound == inf else words - bound


def _is_single(run: Run) -> bool:
    """Whether a group is one assignment."""
    first, behind = run
    return behind == first + 1


def _is_tree(tiling: Tiling) -> bool:
    """Whether a play is a tree of loops, which others may come before and behind."""
    return tiling.skewed is None and not tiling.parts


def _is_product(each: Assignment) -> bool:
    """Whether an assignment sums products of what it reads: tiles of it are of use alone."""
    whole = [access for access in each.reads if 2 * points(access.box, access.ties) >= each.size]
    return each.sums and len(whole) > 1 and all(len(a.rows) < len(each.box) for a in whole)


def _shape(part: BoxNest) -> tuple[object, dict[str, str]]:
    """What two groups that are alike have in common, and the common name of each array."""
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
    """A play with other names of arrays."""
    paths = {called[name]: path for name, path in found.tiling.paths.items()}
    depths = {
        " ".join(called.get(word, word) for word in key.split()): {
            called[name]: depth for name, depth in by.items()
        }
        for key, by in found.tiling.depths.items()
    }
    return Found(Tiling(paths, depths), found.moved)


def _plain(part: BoxNest) -> BoxNest:
    """A group as it is searched: each array is read in all iterations, or in none."""
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
