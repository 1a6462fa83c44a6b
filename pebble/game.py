"""The game: a DAG, on a machine, under rules."""

from dataclasses import dataclass
from functools import cached_property

from dags import CDAG
from pebble.machine import Machine
from pebble.rules import ONE_SHOT, Rules, compulsory_words, min_memory, useful_memory


@dataclass(frozen=True)
class Game:
    """A pebble game: a DAG, a machine and the rules.

    Memories have no more words than a play can use: by the theorem of `pebble.useful_memory` it is
    the same game, and no sum or product with a memory is larger than one with the sizes of the DAG.

    Parameters
    ----------
    dag
        The computation.
    machine
        The machine that it is played on.
    rules
        The rules of the game.
    """

    dag: CDAG
    machine: Machine
    rules: Rules = ONE_SHOT

    def __post_init__(self) -> None:
        useful = tuple(
            None if room is None else useful_memory(self.dag, room) for room in self.machine.rooms
        )
        if useful != self.machine.rooms:
            object.__setattr__(self, "machine", self.machine.with_rooms(useful))

    @classmethod
    def of(cls, dag: CDAG, memory: int, rules: Rules = ONE_SHOT) -> "Game":
        """The game with one fast memory of a given number of words.

        Parameters
        ----------
        dag, memory, rules
            The computation, the words, and the rules.
        """
        return cls(dag, Machine.fast(memory), rules)

    @property
    def memory(self) -> int:
        """Words of fast memory, of each processor where there are several."""
        return self.machine.memory

    @cached_property
    def least(self) -> int:
        """The smallest fast memory in which every vertex can be computed, in words."""
        return min_memory(self.dag, rules=self.rules)

    @cached_property
    def compulsory(self) -> int:
        """The words of inputs that are read and of outputs, which no memory saves."""
        return compulsory_words(self.dag)

    @cached_property
    def word(self) -> int:
        """The least size of a value, in words."""
        return int(self.dag.sizes.min())

    @cached_property
    def room(self) -> int:
        """Most words in fast memory just before a value is computed, or complete."""
        words, computed = self.dag.words, self.dag.computed
        result = 1 if words is None or not computed.size else int(words[computed].min())
        return self.rules.room_before(self.memory, result)

    @property
    def red(self) -> int:
        """Most values in fast memory just before one more is computed."""
        return self.rules.room_before(min(self.memory // self.word, self.dag.n))
