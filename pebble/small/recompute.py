"""The least excess of the game in which values may be computed again, by best-first search.

What counts is loads, and stores of values that are no outputs: the first store of an output is
compulsory, and it is made when the output is first computed. A state is what is in fast memory,
what is in slow memory, and which goals are done. The least words from a state on do not grow if
more is in fast memory, since letting go is free, or if more goals are done. The search keeps to
plays of one form; each item is a change that makes no play dearer and keeps it legal.

1. *Goals.* All is done when each step that makes nothing for others in the game, a goal, has been
   computed: its ancestors have been before it. A value that leads to no goal still to be done
   leaves at once, and nothing is computed that leads to none.
2. *Free sources come late.* A source that is no input is computed just before a step that reads
   it, and leaves after it. So it only takes room at that step.
3. *Pairs of a store and a load.* Between a store of a value that is no output and its next load it
   is not computed: otherwise it could as well be stored when it leaves after that. If it is never
   loaded, it need not be stored. So a store pays for the load that follows, too; from then until
   that load the value is **owed**: it is not computed, and loading it costs nothing. (Where a
   change below takes away that load because the value is not read before it leaves again, a
   computation that follows is replaced by it, and so is a later load that was paid for.)
4. *Loads come late,* just before a step that reads the value. One that is not read before the value
   leaves again is not needed.
5. *Nothing leaves early.* A value leaves only where a step needs its room, and no set leaves of
   which one value could stay: it stays until its room is needed. If it comes back before that, this
   load or computation is left out, and a store is put off until it leaves, or is left out with the
   load that it paid for. Under sliding rules a value may also leave because the result of a step
   takes its place; not if there is room for both.
6. *Some things come at once.* A step whose operands are in fast memory, and whose result fits
   beside all that is there, is computed (unless it is owed): more in fast memory costs no more. So
   is a goal that fits, too, if the operands that are missing are inputs that lead to no other goal
   still to be done: whenever it is computed they are loaded for it, and for nothing else. (It may
   take the place of an operand that leads to no other goal.)
7. *What is still due.* Every way from an input to an operand of a goal still to be done meets a
   value that is in fast memory, or owed, or will be loaded, and paid for, from slow memory. So
   at least the words of a minimum cut are still to be paid, in which inputs and values in slow
   memory count their words, those in fast memory and owed ones nothing, and no others can be cut.
   Values of which no set leaves, or is stored, for what is spent by now are not tried yet.
8. *Symmetry.* A permutation of values and steps that keeps operands, words, and what is an input
   or an output takes plays to plays. Of two goals with the same operands the first comes first.
9. *Some states are as good as others* with the same goals done and the same values in fast memory:
   those that turn into the other one by storing what only the other has stored, and by paying for
   the loads that only the other has paid for, for no more words than the other has spent in
   addition. (A value owed here alone is loaded where the other computes it.)

States come in the order of what they have paid and what is still due; of what follows a state only
what has come by then is entered, and the state comes again for the rest. So when a finished play is
entered, no play has less excess; and when all states below a limit have been opened, no play has
less excess than the limit.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int64Array, lock
from pebble.schedule import Schedule
from pebble.small._kernels.recompute import search
from pebble.small._kernels.recompute_board import KNOWN, STEP, Board
from pebble.small._kernels.recompute_states import begin
from pebble.small._kernels.states import FORM, KNOWN_FORMS, Store
from pebble.small.fronts import links, new_flow
from pebble.small.game import SmallGame, mask, members
from pebble.small.plays import play_to_goal
from pebble.small.recompute_steps import RecomputeSteps
from pebble.small.search import Search, words_of
from pebble.small.symmetry import Exchanges, as_bits, swaps, twins

STEPS = 50  # between two looks at the clock: what follows a state may be much
KNOWN_CUTS = 1 << 14  # half a megabyte: a larger table costs more by waiting for memory


@dataclass(frozen=True)
class Sources:
    """A game without the values that come from nothing: they only take room.

    Parameters
    ----------
    game
        The game on the other values.
    free
        (c,) words of the operands of each step that come from nothing, or are outside the game.
    replaceable
        (c,) words of the largest of these.
    """

    game: SmallGame
    free: Int64Array
    replaceable: Int64Array


def without_free_sources(game: SmallGame) -> Sources:
    """Return the game on the inputs and on what steps make."""
    kept = [r for r, c in enumerate(game.maker.tolist()) if c >= 0 or game.inputs >> r & 1]
    place = {r: i for i, r in enumerate(kept)}
    free = [[r for r in members(int(x)) if r not in place] for x in game.operands]
    words = [[int(game.sizes[r]) for r in row] for row in free]
    operands = [mask(place[r] for r in members(int(x)) if r in place) for x in game.operands]
    others = replace(
        game,
        values=lock(game.values[kept]),
        operands=lock(np.array(operands, np.uint64)),
        result=lock(np.array([place.get(int(r), -1) for r in game.result], np.int64)),
        readers=lock(game.readers[kept]),
        sizes=lock(game.sizes[kept]),
        inputs=mask(place[r] for r in members(game.inputs)),
        outputs=mask(place[r] for r in members(game.outputs) if r in place),
    )
    return Sources(
        game=others,
        free=game.outside + np.array([sum(row) for row in words], np.int64),
        replaceable=np.maximum(
            game.replaceable, np.array([max(row, default=0) for row in words], np.int64)
        ),
    )


def recompute_board(game: SmallGame) -> Board:
    """Return the game as the kernels read it, with room to work in."""
    sources = without_free_sources(game)
    others = sources.game
    return Board(
        step=_steps(sources, np.where(others.result < 0, twins(game), -1)),
        maker=others.maker,
        links=links(others),
        sizes=others.sizes,
        words=words_of(others.sizes),
        own=words_of(others.own),
        inputs=np.uint64(others.inputs),
        outputs=np.uint64(others.outputs),
        goals=np.uint64(mask(np.flatnonzero(others.result < 0).tolist())),
        base=sum(int(others.sizes[r]) for r in members(others.inputs)),
        swaps=as_bits(*swaps(others, _room_kinds(sources))),
        memory=game.memory,
        sliding=game.rules.sliding,
        choice=np.empty((3, 66), np.int64),
        flow=new_flow(),
        known=np.zeros(KNOWN_CUTS, KNOWN),
        forms=np.zeros(KNOWN_FORMS, FORM),
    )


def recompute_search(game: SmallGame) -> Search:
    """Return the search of a game."""
    board = recompute_board(game)
    values = (1 << 64) - 1
    return Search(
        lambda: board._replace(
            choice=np.empty_like(board.choice),
            flow=new_flow(),
            known=np.zeros(KNOWN_CUTS, KNOWN),
            forms=np.zeros(KNOWN_FORMS, FORM),
        ),
        begin,
        search,
        keyed=(int(board.goals), values),
        steps=STEPS,
    )


def recompute_play(dag: CDAG, game: SmallGame, store: Store) -> Schedule:
    """Return the play that ends in the goal of a search of all of `dag`."""
    exchanges = Exchanges(*swaps(game, _room_kinds(without_free_sources(game))))
    return play_to_goal(dag, game, RecomputeSteps(game), exchanges, store)


def _steps(sources: Sources, twin: Int64Array) -> npt.NDArray[np.void]:
    """Return the steps as the kernels read them."""
    game = sources.game
    ends, below = _ways(game)
    step = np.empty(game.steps.size, STEP)
    for name in ("operands", "result", "own"):
        step[name] = getattr(game, name)
    step["ends"], step["below"] = ends, below
    step["free"] = sources.free
    replaced = np.minimum(sources.replaceable, game.own) if game.rules.sliding else 0
    step["beside"] = sources.free + game.own - replaced
    step["twin"] = twin
    return lock(step)


def _ways(game: SmallGame) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Return the goals that each step leads to, and the values that lead to it."""
    steps = range(game.steps.size)
    operands, result = [int(x) for x in game.operands], game.result.tolist()
    below, origin = list(operands), [0] * game.values.size
    for v in steps:  # in topological order
        for r in members(operands[v]):
            below[v] |= origin[r]
        if result[v] >= 0:
            origin[result[v]] = below[v]
    goals = [v for v in steps if result[v] < 0]
    own = [1 << r if r >= 0 else 0 for r in result]
    ends = [mask(w for w in goals if w == v or below[w] & own[v]) for v in steps]
    return np.array(ends, np.uint64), np.array(below, np.uint64)


def _room_kinds(sources: Sources) -> Int64Array:
    """Return (c,) a number of the room that each step takes."""
    rows = np.stack([sources.game.own, sources.free, sources.replaceable])
    _, kinds = np.unique(rows, axis=1, return_inverse=True)
    return kinds.reshape(-1).astype(np.int64)
