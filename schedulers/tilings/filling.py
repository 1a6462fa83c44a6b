"""Parts of arrays that stay longer, where a play leaves memory free.

Items of an array up to some value of an index have a hold outside of that of the others: of a row
that nearly fits all but its end stays from sweep to sweep, and of a matrix that is read again and
again some columns. The value is the largest with which all fits.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from dags.programs.tied_loops import NotCountedError
from dags.programs.touched import values_within
from pebble import Budget
from schedulers.tilings.holds import Found
from schedulers.tilings.pieces import key_between
from schedulers.tilings.plan import Counts, Held, Hold, Tiling

MOST_TRIED, STEPS = 3, 6  # plays for each memory; values of an index
Depths = Mapping[str, int]


def filled(
    counts: Counts, found: Sequence[Found], memories: Sequence[int], budget: Budget
) -> list[Found]:
    """Plays that move less than some that are known, with more of the memory.

    Parameters
    ----------
    counts
        The nest.
    found
        Plays, by rising memory.
    memories, budget
        Words of fast memory, and the time for it.
    """
    filler, better = _Filler(counts), list[Found]()
    for memory in memories:
        some = [each for each in found if each.moved.words <= memory][-MOST_TRIED:]
        for each in some:
            if each.io > counts.compulsory and each.tiling.skewed is None and not budget.over:
                better += filler.filled(each, memory)
    return better


class _Filler:
    """Fills memory that plays of one nest leave free."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self.known: dict[tuple[int, Hold], Held] = {}  # by trees, which are kept

    def filled(self, play: Found, memory: int) -> Iterator[Found]:
        """Yield a play in which parts of one array after the other stay longer."""
        for array, by in play.tiling.depths.items():
            whole = by.keys() == self.counts.arrays.get(array, {}).keys()  # no part splits it
            if whole and array not in self.counts.assignments:
                tried = [*self._of_array(play, array, memory)]
                best = min(tried, key=lambda each: each.io, default=play)
                if best.io < play.io:
                    play = best
                    yield play

    def _of_array(self, play: Found, array: str, memory: int) -> Iterator[Found]:
        """Yield plays in which some items of an array stay longer."""
        by = play.tiling.depths[array]
        for depth in range(max(by.values())):
            outer = {
                name: min(at, depth) if depth * at > 0 else depth * at for name, at in by.items()
            }
            with suppress(NotCountedError):
                most = self._changed(play, {**play.tiling.depths, array: outer})
                if most.io < play.io:
                    for place in self._places(array):
                        yield from self._widest(play, array, outer, place, most.moved.words, memory)

    def _widest(
        self, play: Found, array: str, outer: Depths, place: int, most: int, memory: int
    ) -> Iterator[Found]:
        """Yield the play in which all items that fit stay longer, by an index.

        Parameters
        ----------
        play, array
            The play, and the array.
        outer
            The depths of its hold in which items stay longer.
        place
            The index.
        most
            Words that are held if all items stay longer.
        memory
            Words of fast memory.
        """
        first, end = self._ends(array, place)
        low, high, least = first, end, play.moved.words
        found = None
        for _ in range(STEPS):
            cut = low + (high - low) * (memory - least) // max(1, most - least)
            cut = min(max(cut, low + 1), high - 1)
            if not low < cut < high:
                break
            depths = {each: by for each, by in play.tiling.depths.items() if each != array}
            inner = play.tiling.depths[array]
            for ends, some in (((first, cut), outer), ((cut, end), inner)):
                key = key_between(array, place, *ends)
                depths[key] = {name: some[name] for name in self.counts.accesses[key]}
            tried = self._changed(play, depths)
            if tried.moved.words <= memory:
                low, least, found = cut, tried.moved.words, tried
            else:
                high, most = cut, tried.moved.words
        if found is not None:
            yield found

    def _changed(self, play: Found, depths: Mapping[str, Depths]) -> Found:
        """A play with other holds."""
        tiling = Tiling(play.tiling.paths, depths)
        holds = (one for array in depths for one in self.counts.holds(tiling, array))
        return Found(
            tiling, self.counts.held(tiling, {one: self._moved(tiling, one) for one in holds})
        )

    def _moved(self, tiling: Tiling, hold: Hold) -> Held:
        """The words of a hold."""
        key = id(tiling.paths), hold
        if key not in self.known:
            self.known[key] = self.counts.moved(tiling, hold)
        return self.known[key]

    def _places(self, array: str) -> list[int]:
        """The indices of an array that rise with one loop in all accesses."""
        every = [each for some in self.counts.arrays[array].values() for each in some]
        return [
            place
            for place in range(len(every[0].rows))
            if all(sum(map(bool, each.rows[place])) == 1 for each in every)
            and all(max(each.rows[place]) > 0 for each in every)
        ]

    def _ends(self, array: str, place: int) -> tuple[int, int]:
        """The first value of an index, and the one behind the last."""
        every = [each for some in self.counts.arrays[array].values() for each in some]
        ends = [values_within(each.rows[place], each.offset[place], each.box) for each in every]
        return min(low for low, _ in ends), 1 + max(high for _, high in ends)
