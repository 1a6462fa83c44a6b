"""Plays whose words a formula of the family counts, on a DAG that is built."""

from collections.abc import Iterator

from dags import CDAG, Computation
from pebble import Rules, Schedule, min_memory
from schedulers.counted import COUNTED_PLAYS, CountedPlay, Tiles, laid_out_in_parts
from schedulers.families.plays import Play


class FormulaPlay:
    """The play by tiles that a formula counts.

    Its tiles are made anew whenever they are asked for, as they are large beside other arrays.

    Parameters
    ----------
    dag
        A generator's DAG.
    room
        Words of fast memory where results are placed.
    counted
        The family's play.
    words
        That it moves.
    """

    def __init__(self, dag: CDAG, room: int, counted: CountedPlay, words: int) -> None:
        self.dag, self.room, self.counted, self.words = dag, room, counted, words

    def tiles(self) -> Tiles:
        """The tiles, and the order of the vertices in them."""
        assert self.counted.tiles is not None
        return self.counted.tiles(self.dag, self.room)

    @property
    def play(self) -> Play:
        """The play, some tiles at a time."""
        return Play(self.words, self._blocks)

    def _blocks(self) -> Iterator[Schedule]:
        yield from laid_out_in_parts(self.dag, self.tiles())


def formula_play(dag: CDAG, memory: int, rules: Rules) -> FormulaPlay | None:
    """The play of a DAG that a formula of its family counts; None where there is none.

    The formula holds for values and outputs as the generator makes them.

    Parameters
    ----------
    dag, memory, rules
        The game.
    """
    counted = COUNTED_PLAYS.get(dag.family or "")
    if counted is None or counted.tiles is None or Computation.of(dag).member is None:
        return None
    room = memory + (counted.slides if rules.sliding else 0)
    moved = counted.count(dag.params, room) if room >= min_memory(dag) else None
    return None if moved is None else FormulaPlay(dag, room, counted, sum(moved))
