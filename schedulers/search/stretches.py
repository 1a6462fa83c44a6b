"""Stretches of a play as small games: what enters them, and what must be there behind them."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dags import CDAG
from dags.arrays import lock
from pebble import Rules
from pebble.small import BITS, SmallGame, Step, best_steps
from pebble.small.game import mask
from schedulers.exact.one_shot_plays import Play

ENTRY = 0  # the number of the step that reads what is there before a stretch


class _Value(NamedTuple):
    """A value in a stretch: where it is read, and where it comes from."""

    vertex: int
    words: int
    readers: list[int]  # steps of the game
    born: int  # step of the game that makes it, -1 for none
    comes: bool  # it is in fast memory before the stretch
    settled: bool  # it is in slow memory in any case, or will be
    reloads: int  # readings in the stretch after it has left in the stretch

    @property
    def excess(self) -> int:
        """Words moved beyond those that any play of the stretch moves."""
        return self.words * (self.reloads + (self.reloads > 0 and not self.settled))


@dataclass(frozen=True)
class Stretch:
    """Consecutive steps of a one-shot play, and the game of playing them anew.

    Step 0 of the game reads what is in fast memory before the stretch, its last step what must be
    there behind it; neither makes anything. A value that is loaded for its first use in the
    stretch, whatever the order, is an input of the game. One that is stored in any case, here or
    elsewhere, is an output. So the excess of the game is what can be saved.

    Parameters
    ----------
    game
        The game; its steps between the two are those of the play.
    excess
        Words of it in the play as it is.
    """

    game: SmallGame
    excess: int

    def better(self, most: int, stop: Callable[[], bool]) -> list[Step] | None:
        """Return the steps of the best play of it, None if none is better or too many are open.

        Parameters
        ----------
        most
            States that may be kept.
        stop
            Asked now and then whether to give up.
        """
        return best_steps(self.game, self.excess, most=most, stop=stop)


class Stretches:
    """The stretches of a play.

    Parameters
    ----------
    dag, memory
        The game.
    sliding
        Whether a result may take the place of an operand.
    play
        A play of it in which values leave behind a use, and come back for one.
    """

    def __init__(self, dag: CDAG, memory: int, *, sliding: bool, play: Play) -> None:
        self.play = play
        self._memory, self._rules = memory, Rules(sliding=sliding)
        self._words: list[int] = dag.sizes.tolist()
        self._settled = {*dag.inputs.tolist(), *dag.outputs.tolist()}
        self._made = {v: step for step, v in enumerate(play.order)}
        # Steps that read a value, and whether each loads it.
        self._uses: list[list[tuple[int, bool]]] = [[] for _ in self._words]
        bounds, operands = dag.pred_indptr.tolist(), dag.pred_indices.tolist()
        for step, v in enumerate(play.order):
            for u in operands[bounds[v] : bounds[v + 1]]:
                self._uses[u].append((step, (u, v) in play.loaded))

    def stretch(self, begin: int, end: int) -> Stretch | None:
        """Return steps `begin` to before `end` as a game.

        None where it has more than 64 steps or values, or nothing can be saved.

        Parameters
        ----------
        begin, end
            The stretch.
        """
        values = self._values(begin, end)
        excess = sum(value.excess for value in values)
        if not excess or len(values) > BITS or end - begin > BITS - 2:
            return None
        return Stretch(self._game(values, begin, end), excess)

    def played(self, begin: int, end: int, steps: list[Step]) -> Play:
        """Return the play in which a stretch is played anew.

        Parameters
        ----------
        begin, end
            The stretch.
        steps
            Those of its game.
        """
        values, order = self._values(begin, end), self.play.order
        operands = [
            [r for r, value in enumerate(values) if number in value.readers]
            for number in range(end - begin + 2)
        ]
        inside = [order[begin + step.number - 1] for step in steps[1:-1]]
        places = set(inside)
        loaded = {use for use in self.play.loaded if use[1] not in places}
        for before, step in pairwise(steps):
            for r in operands[step.number]:
                if not before.red >> r & 1:
                    u = values[r].vertex
                    place = begin + step.number - 1
                    reader = self._next_reader(u, end) if step is steps[-1] else order[place]
                    loaded.add((u, reader))
        return Play((*order[:begin], *inside, *order[end:]), frozenset(loaded))

    def _values(self, begin: int, end: int) -> list[_Value]:
        """Return the values that are read in a stretch, or stay throughout."""
        found = (self._value(u, begin, end) for u, uses in enumerate(self._uses) if uses)
        return [value for value in found if value.readers and value.readers != [ENTRY]]

    def _value(self, u: int, begin: int, end: int) -> _Value:
        """Return value u as it is in a stretch."""
        made, uses = self._made.get(u, -1), self._uses[u]
        inside = [use for use in uses if begin <= use[0] < end]
        after = next((use for use in uses if use[0] >= end), None)
        following = inside[0] if inside else after
        before = 0 <= made < begin or uses[0][0] < begin
        born = made - begin + 1 if begin <= made < end else -1
        comes = before and following is not None and not following[1]
        there = before or born >= 0 or bool(inside)
        stays = there and after is not None and not after[1]
        loads = sum(loaded for _, loaded in inside)
        reloads = loads - (bool(inside) and inside[0][1] and born < 0)
        elsewhere = sum(loaded for _, loaded in uses) > reloads
        readers = [step - begin + 1 for step, _ in inside]
        return _Value(
            vertex=u,
            words=self._words[u],
            readers=[ENTRY] * comes + readers + [end - begin + 1] * stays,
            born=born,
            comes=comes,
            settled=u in self._settled or elsewhere,
            reloads=reloads,
        )

    def _next_reader(self, u: int, end: int) -> int:
        """Return the first reader of a value from step `end` on."""
        return self.play.order[next(step for step, _ in self._uses[u] if step >= end)]

    def _game(self, values: list[_Value], begin: int, end: int) -> SmallGame:
        """Return the game of some values in a stretch."""
        count = end - begin + 2
        operands, before, result = [0] * count, [1] * count, [-1] * count
        for r, value in enumerate(values):
            if value.born >= 0:
                result[value.born] = r
            for step in value.readers:
                operands[step] |= 1 << r
                before[step] |= 1 << value.born if value.born >= 0 else 0
        before[ENTRY], before[-1] = 0, (1 << count - 1) - 1
        vertices = self.play.order[begin:end]
        nothing = lock(np.zeros(count, np.int64))
        return SmallGame(
            rules=self._rules,
            memory=self._memory,
            steps=lock(np.array([-1, *vertices, -1], np.int64)),
            values=lock(np.array([value.vertex for value in values], np.int64)),
            operands=lock(np.array(operands, np.uint64)),
            before=lock(np.array(before, np.uint64)),
            result=lock(np.array(result, np.int64)),
            own=lock(np.array([0, *(self._words[v] for v in vertices), 0], np.int64)),
            outside=nothing,
            replaceable=nothing,
            readers=lock(np.array([mask(value.readers) for value in values], np.uint64)),
            sizes=lock(np.array([value.words for value in values], np.int64)),
            inputs=mask(r for r, value in enumerate(values) if value.born < 0 and not value.comes),
            outputs=mask(r for r, value in enumerate(values) if value.settled),
        )
