"""The tiles that lean over with which fewest words move."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import product

from dags.programs.box_nests import BoxNest
from dags.programs.tied_loops import NotCountedError
from dags.work import charge
from pebble import Budget
from schedulers.tilings.skewed.cuts import Lean, Point, Skewed
from schedulers.tilings.skewed.layers import Layers, layers_of
from schedulers.tilings.skewed.room import room_of
from schedulers.tilings.skewed.words import skewed_words

PROMISING = 6  # tiles whose words are counted, for each memory
NO_ROOM = 1 << 63  # words, more than any memory
MOST_LEANING = 2  # times that an axis is in the coordinate of another one
Played = tuple[Skewed, int, int, int]  # tiles, words loaded and stored, and room


def skewed_plays(nest: BoxNest, memories: Sequence[int], budget: Budget) -> Iterator[Played]:
    """Yield plays by tiles that lean over, where a nest has such tiles.

    Parameters
    ----------
    nest
        The nest.
    memories
        Words of fast memory for which plays are looked for.
    budget
        Within what.
    """
    for search in searches(nest):
        for memory in memories:
            for tiles in dict.fromkeys(search.tiles(memory)):
                if budget.over:
                    return
                with suppress(NotCountedError):
                    yield tiles, *skewed_words(search.layers, tiles), search.room(tiles)


def searches(nest: BoxNest) -> Iterator["Search"]:
    """Yield searches for tiles that are run step after step, and along each axis."""
    for keeps in (False, True):
        layers = layers_of(nest, in_steps=True, keeps=keeps)
        if layers is not None and (layers.kept or not keeps):
            yield from _searched(layers, None, keeps=keeps)
    layers = layers_of(nest, in_steps=False)
    if layers is not None:
        for axis in range(layers.axes):
            yield from _searched(layers, axis)


def _searched(layers: Layers, along: int | None, *, keeps: bool = False) -> "Iterator[Search]":
    leans: list[Lean | None] = []
    for axis in range(layers.axes):
        alone = tuple(int(other == axis) for other in range(layers.axes))
        lean = layers.lean(alone)
        if lean is None and axis == along:
            lean = next(filter(None, map(layers.lean, _leaning(alone))), None)
        leans.append(lean)
    if any(leans) if along is None else leans[along]:
        search = Search(layers, tuple(leans), along, keeps=keeps)
        if search.is_legal():
            yield search


def _leaning(alone: Point) -> Iterator[Point]:
    """Yield coordinates in which other axes are too, once or more often."""
    for times in range(1, MOST_LEANING + 1):
        for axis, one in enumerate(alone):
            if not one:
                yield (*alone[:axis], times, *alone[axis + 1 :])
        yield tuple(each or times for each in alone)


class Search:
    """The search for tiles that are run in one way.

    Parameters
    ----------
    layers
        The nest.
    leans, along, keeps
        As tiles have them.
    """

    def __init__(
        self,
        layers: Layers,
        leans: tuple[Lean | None, ...],
        along: int | None,
        *,
        keeps: bool = False,
    ) -> None:
        self.layers, self.leans, self.along, self.keeps = layers, leans, along, keeps
        boxes = [each.box for each in layers.nest.assignments]
        self.extents = [
            max(high for _, high in some) - min(low for low, _ in some)
            for some in zip(*boxes, strict=True)
        ]
        # what has a side: time, unless tiles go on in it, and axes
        self.sided = [0] * (along is not None)
        self.sided += [1 + at for at, lean in enumerate(leans) if lean is not None and at != along]
        self.faces = [self._face(at) for at in self.sided]
        self.known: dict[Skewed, int] = {}

    def _face(self, at: int) -> int:
        """Return about how many values pass from a tile to the next one, at each point."""
        lean = self.leans[at - 1] if at else None
        ahead: dict[str, int] = {}
        for each in self.layers.reads:
            far = each.step if lean is None else self.layers.ahead(lean, each)
            ahead[each.source] = max(far, ahead.get(each.source, 1))
        return sum(ahead.values())

    def is_legal(self) -> bool:
        """Whether instances of a tile come behind what they read.

        Tiles themselves do, for no read is ahead in a coordinate.
        """
        turns = {name: turn for turn, name in enumerate(self.layers.names)}
        for each in self.layers.reads:
            lean = None if self.along is None else self.leans[self.along]
            first = () if lean is None else (self.layers.ahead(lean, each),)
            later = turns[each.reader] - turns[each.source]
            across = (by for axis, by in enumerate(each.away) if axis != self.along)
            key = (*first, each.step, later, *across)
            if key <= (0,) * len(key):
                return False
        return True

    def tiles(self, memory: int) -> Iterator[Skewed]:
        """Yield the tiles that promise most, of those that fit."""
        found = {}
        for more in product((1, 2), repeat=len(self.sided)):
            shape = [face * times for face, times in zip(self.faces, more, strict=True)]
            sides = self._largest(shape, memory)
            if sides is not None:
                found[self.cut(sides)] = self._promise(sides)
                for at in range(len(sides)):
                    longer = self._longer(sides, at, memory)
                    found[self.cut(longer)] = self._promise(longer)
        yield from sorted(found, key=found.__getitem__)[:PROMISING]

    def room(self, tiles: Skewed) -> int:
        """The words of fast memory that tiles need; more than any if it is not counted."""
        if tiles not in self.known:
            charge("skewed tile")
            self.known[tiles] = NO_ROOM
            with suppress(NotCountedError):
                self.known[tiles] = room_of(self.layers, tiles)
        return self.known[tiles]

    def cut(self, sides: Sequence[int]) -> Skewed:
        """Tiles of some sides."""
        height, own = self.extents[0], [0] * self.layers.axes
        for at, side in zip(self.sided, sides, strict=True):
            if at == 0:
                height = side
            elif side < self.extents[at]:
                own[at - 1] = side
        return Skewed(height, tuple(own), self.leans, self.along, self.keeps)

    def _largest(self, shape: Sequence[int], memory: int) -> list[int] | None:
        """The largest sides in about such proportions that fit; None if none do."""
        widest = max(shape)

        def sides(scale: int) -> list[int]:
            pairs = zip(shape, self.sided, strict=True)
            return [min(self.extents[at], -(-scale * own // widest)) for own, at in pairs]

        most = max(min(self.extents[at], memory) * widest for at in self.sided)
        scale = _last(lambda each: self.room(self.cut(sides(each))) <= memory, most)
        return sides(scale) if scale else None

    def _longer(self, sides: Sequence[int], at: int, memory: int) -> list[int]:
        """Sides of which one is as long as fits."""

        def longer(side: int) -> list[int]:
            return [*sides[:at], side, *sides[at + 1 :]]

        most = min(self.extents[self.sided[at]], memory)
        side = _last(lambda each: self.room(self.cut(longer(each))) <= memory, most)
        return longer(max(side, sides[at]))

    def _promise(self, sides: Sequence[int]) -> float:
        """Return about the values that pass to other tiles, at each point."""
        triples = zip(self.faces, sides, self.sided, strict=True)
        return sum(face / side for face, side, at in triples if side < self.extents[at])


def _last(holds: Callable[[int], bool], most: int) -> int:
    """The last number up to `most` of which something holds, up from 1; 0 if of none.

    Numbers far beyond it are not tried: for them it would take long.
    """
    low, high = 0, 1
    while high <= most and holds(high):
        low, high = high, 2 * high
    high = min(high, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
