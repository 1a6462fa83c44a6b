"""The range of memory sizes that matter: from the least to where only compulsory I/O is left."""

from collections.abc import Callable, Iterable

import numpy as np

from dags import CDAG
from pebble import ONE_SHOT, Rules, compulsory_words, min_memory
from redblue.answers.memories import grid
from redblue.answers.plays import Player, order_of
from schedulers import Order, Scheduler, accesses, as_scheduler
from schedulers.orders.access_order import Accesses


def peak_words(layout: Accesses) -> int:
    """Least memory, in words, with which an order moves the compulsory words alone.

    It is the most that the values take which a step touches, or which were touched before it and
    will be again. With so much memory nothing has to leave that is still needed, whatever the
    eviction; with less something has, at the step where they are most, and is moved once more.

    Examples
    --------
    >>> from dags import fft
    >>> from schedulers import ORDERS, accesses
    >>> peak_words(accesses(fft(8), ORDERS["natural"](fft(8))))
    11
    """
    last = layout.touched < 0
    values = np.where(last, ~layout.touched, layout.touched)
    first = np.empty(layout.values, np.int64)
    first[values[::-1]] = layout.step_of[::-1]  # of equal values the first access is written last
    changes = np.zeros(layout.steps + 1, np.int64)
    np.add.at(changes, first, layout.words[: layout.values])
    np.subtract.at(changes, layout.step_of[last] + 1, layout.words[values[last]])
    return int(np.cumsum(changes).max(initial=0))


def found_memories(
    dag: CDAG, schedulers: Iterable[str | Scheduler], *, rules: Rules = ONE_SHOT
) -> tuple[int, ...]:
    """A geometric grid of memory sizes over the range that `memory_range` finds.

    The parameters are those of `memory_range`.

    Examples
    --------
    >>> from dags import fft
    >>> found_memories(fft(8), ["natural+lru"])
    (3, 4, 5, 6, 8, 9, 11)
    """
    return tuple(dict.fromkeys(grid(*memory_range(dag, schedulers, rules=rules))))


def memory_range(
    dag: CDAG, schedulers: Iterable[str | Scheduler], *, rules: Rules = ONE_SHOT
) -> tuple[int, int]:
    """The least memory that can play, and the least with compulsory I/O alone, in words.

    Of an order, whatever its eviction, the second one is known by `peak_words`; of another
    scheduler it is found by bisection.

    Parameters
    ----------
    dag, rules
        The game.
    schedulers
        Names or functions; at each size the best one counts.
    """
    least = min_memory(dag, rules=rules)
    players = [as_scheduler(one) for one in schedulers]
    orders = dict.fromkeys(filter(None, map(order_of, players)))
    ends = [_end_of_order(dag, order) for order in orders]
    enough = min(ends, default=int(dag.sizes.sum()))
    for player in players:
        if order_of(player) is None:
            enough = _end_of_player(Player(dag, rules), player, least, enough)
    return least, max(least, enough)


def _end_of_order(dag: CDAG, order: Order) -> int:
    return peak_words(accesses(dag, order(dag)))


def _end_of_player(player: Player, scheduler: Scheduler, least: int, most: int) -> int:
    """The least memory below `most` with which a scheduler moves compulsory words alone."""
    compulsory = compulsory_words(player.dag)

    def enough(memory: int) -> bool:
        return player.play("", scheduler, None, memory).io == compulsory

    return bisected(enough, least, most)


def bisected(enough: Callable[[int], bool], least: int, most: int) -> int:
    """The least size from `least` to `most` that is enough, if `most` is.

    Parameters
    ----------
    enough
        Called with a size; once true it should stay so.
    least, most
        Ends of the range; `most` is not asked.
    """
    return narrowed(enough, least, most)[1]


def narrowed(
    enough: Callable[[int], bool],
    least: int,
    most: int,
    late: Callable[[], bool] = bool,
    unit: int = 1,
) -> tuple[int, int]:
    """The ends between which the least size is that is enough: equal, unless it gets late.

    Parameters
    ----------
    enough, least, most
        As for `bisected`.
    late
        Says whether to ask no more.
    unit
        The number that sizes are multiples of.
    """
    while least < most and not late():
        middle = (least + most) // 2 // unit * unit
        if enough(middle):
            most = middle
        else:
            least = middle + unit
    return least, most
