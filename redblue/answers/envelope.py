"""The best of all trials: for each memory size, the least moved and the most proved."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil

from redblue.answers.results import BEST, Row


def with_best(
    rows: Sequence[Row],
    sizes: Sequence[int],
    *,
    searched: Sequence[Row] = (),
    price_of_work: float = 0.0,
) -> tuple[Row, ...]:
    """`rows`, optimal ones marked so, and behind them the best of each kind per size.

    A schedule that is legal with M words is legal with more, and a bound for M words holds for
    fewer: both envelopes fall as memory grows.

    Parameters
    ----------
    rows
        Rows of methods.
    sizes
        Words of fast memory, rising.
    searched
        Rows that count for the best ones and are not returned themselves.
    price_of_work
        Words that a recomputed operation costs.
    """
    rows = [_priced(row, price_of_work) for row in rows]
    searched = [_priced(row, price_of_work) for row in searched]
    uppers = [row for row in (*rows, *searched) if row.kind == "upper"]
    lowers = [row for row in (*rows, *searched) if row.kind == "lower"]
    floor = dict(_running(lowers, reversed(sizes), max))
    ceiling = dict(_running(uppers, sizes, min))
    best = (half[memory] for memory in sizes for half in (ceiling, floor) if memory in half)
    return tuple(_judged(row, floor.get(row.memory)) for row in (*rows, *best))


def _running(
    rows: Sequence[Row], sizes: Iterable[int], choose: Callable[..., Row | None]
) -> Iterator[tuple[int, Row]]:
    """Yield (memory, row): the choice by `choose` of the rows at this size and before it."""
    here: dict[int, list[Row]] = {}
    for row in rows:
        if row.io is not None:
            here.setdefault(row.memory, []).append(row)
    kept: list[Row] = []
    for memory in sizes:
        best = choose([*kept, *here.get(memory, [])], key=_rank, default=None)
        if best is not None:
            kept = [best]
            yield memory, replace(best, method=BEST, memory=memory)


def _rank(row: Row) -> tuple[int, int]:
    """The key by which rows are compared: words, then work; bounds have none."""
    assert row.words is not None
    return row.words, row.again or 0


def _priced(row: Row, price_of_work: float) -> Row:
    """A row with the price of its work done again, if that has one."""
    if not price_of_work or row.kind == "lower" or row.io is None:
        return row
    return replace(row, cost=ceil(row.io + price_of_work * (row.again or 0)))


def _judged(row: Row, floor: Row | None) -> Row:
    """`row`, marked optimal if it is a play that meets `floor`."""
    met = row.kind == "upper" and row.io is not None and floor is not None and row.words == floor.io
    return replace(row, status="optimal") if met else row
