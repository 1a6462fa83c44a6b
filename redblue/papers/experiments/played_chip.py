"""Blocks shared by a square of cores, and what reaches them over the network on a chip, played."""

import numpy as np
import numpy.typing as npt

from dags import CDAG, lu
from pebble import Links, Machine, Move, Schedule, play_on
from schedulers.parallel import Placement, staged

Numbers = npt.NDArray[np.int64]
ROOM = 2**40  # words: what is held is no question here
FACTOR, SOLVE, UPDATE = range(3)


def factor_cycles(side: int, tile: int) -> int:
    """Return the cycles in which p x p cores factor a block, a tile of it on each.

    A core makes an operation a cycle. Tiles on the diagonal are factored, those beside and below
    are solved, and the rest is updated, p times; each phase takes as long as its busiest core.

    Source
    ------
    Many-core model (Euro-Par 2008), section 4.2, equation (16).
    """
    dag = lu(side * tile)
    owner, stage = _tiles(dag, side, tile)
    links = Links((side, side))
    machine = Machine.parallel(links.processors, ROOM, links)
    play_on(dag, staged(dag, Placement(owner, stage), machine), machine)
    work = dag.work
    assert work is not None
    share = np.zeros((int(stage.max()) + 1, links.processors), np.int64)
    np.add.at(share, (stage, owner), work)
    return int(share.max(axis=1).sum())


def transfer_steps(words: int, cores: int, *, whole: bool = False) -> int:
    """Return the steps in which words from one end reach all cores of a line, by a played relay.

    Cores pass words on as they come, or `whole`: when they have all of them.

    Source
    ------
    Many-core model (Euro-Par 2008), equation (6).
    """
    dag = _shared(words, cores)
    word, hop = (each.ravel() for each in np.indices((words, cores)))
    begins = hop * words + word if whole else hop + word
    order = np.argsort(begins, kind="stable")
    made, core = words + np.arange(cores), 1 + np.arange(cores)
    last = int(begins.max()) + 1
    schedule = Schedule(
        op=np.repeat(
            [Move.LOAD, Move.RECEIVE, Move.COMPUTE, Move.STORE],
            [words, words * cores, cores, cores],
        ),
        vertex=np.concatenate((np.arange(words), word[order], made, made)),
        place=np.concatenate((np.zeros(words, int), hop[order] + 1, core, core)),
        step=np.repeat([0, 1, 0, last + 1, last + 2], [words, 0, 0, 0, 0]).tolist()
        + (begins[order] + 1).tolist()
        + [last + 1] * cores
        + [last + 2] * cores,
        source=np.concatenate((np.full(words, -1), hop[order], np.full(2 * cores, -1))),
    )
    count = play_on(dag, schedule, Machine.parallel(cores + 1, words + 1, Links((cores + 1,))))
    received = count.steps.kind == Move.RECEIVE
    return int(count.steps.most[received].sum())


def _shared(words: int, cores: int) -> CDAG:
    """Return the DAG in which each core makes a value of all words."""
    indptr = np.concatenate((np.zeros(words, np.int64), np.arange(cores + 1) * words))
    return CDAG(indptr, np.tile(np.arange(words, dtype=np.int32), cores))


def _tiles(dag: CDAG, side: int, tile: int) -> tuple[Numbers, Numbers]:
    """Return the core and the stage of each value of a factorization."""
    n = side * tile
    rows, columns, steps = [np.indices((n, n))[0].ravel()], [np.indices((n, n))[1].ravel()], []
    steps.append(np.zeros(n * n, np.int64))
    for k in range(n - 1):
        i, j = (each.ravel() for each in np.mgrid[k + 1 : n, k:n])
        rows.append(i)
        columns.append(j)
        steps.append(np.full(i.size, k))
    row, column, step = (np.concatenate(each) // tile for each in (rows, columns, steps))
    beside = (row > step).astype(np.int64) + (column > step)
    phase = np.array([FACTOR, SOLVE, UPDATE])[beside]
    return row * side + column, 3 * step + phase
