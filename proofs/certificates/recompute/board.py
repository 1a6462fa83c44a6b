"""The game with recomputation on a small piece, as the kernels read it."""

from dataclasses import dataclass, replace

import numpy as np

from dags.arrays import Int64Array
from proofs.certificates.pieces.piece import Piece
from proofs.certificates.recompute._kernels import Board
from proofs.certificates.recompute.loads import new_room
from proofs.certificates.search.game import Game, Masks, mask, members
from proofs.certificates.search.states import byte_sums, exchanges
from proofs.certificates.search.swaps import swaps


@dataclass(frozen=True)
class Sources:
    """A game without the values that come from nothing: they only take room.

    Parameters
    ----------
    game
        The game on the other values.
    free
        (c,) words of the operands of each step that come from nothing.
    replaceable
        (c,) words of the largest of these.
    inputs, outputs
        Values that begin in slow memory, and values that must end there.
    """

    game: Game
    free: Int64Array
    replaceable: Int64Array
    inputs: int
    outputs: int


def without_free_sources(game: Game, piece: Piece) -> Sources:
    """Return the game on the inputs and on what steps make."""
    made = set(game.result[game.result >= 0].tolist())
    is_input = piece.is_input[game.values]
    kept = [r for r in range(game.values.size) if r in made or is_input[r]]
    place = {r: i for i, r in enumerate(kept)}
    free = [[r for r in members(int(x)) if r not in place] for x in game.operands]
    words = [[int(game.sizes[r]) for r in row] for row in free]
    operands = [mask(place[r] for r in members(int(x)) if r in place) for x in game.operands]
    others = replace(
        game,
        values=game.values[kept],
        operands=np.array(operands, np.uint64),
        result=np.array([place.get(int(r), -1) for r in game.result], np.int64),
        readers=game.readers[kept],
        sizes=game.sizes[kept],
        price=game.price[kept],
    )
    is_output = piece.is_output[others.values]
    return Sources(
        game=others,
        free=np.array([sum(row) for row in words], np.int64),
        replaceable=np.array([max(row, default=0) for row in words], np.int64),
        inputs=mask(np.flatnonzero(is_input[kept]).tolist()),
        outputs=mask(np.flatnonzero(is_output).tolist()),
    )


def board(game: Game, piece: Piece) -> Board:
    """Return the game on `piece` as the kernels read it, with room to work in."""
    sources = without_free_sources(game, piece)
    game = sources.game
    replaced = np.minimum(sources.replaceable, game.own) if game.sliding else 0
    ends, below, above, made_of = _ways(game)
    turns, low_steps, shift_steps, low_values, shift_values = exchanges(*swaps(_marked(sources)))
    maker = np.full(game.values.size, -1, np.int64)
    maker[game.result[game.result >= 0]] = np.flatnonzero(game.result >= 0)
    return Board(
        operands=game.operands,
        result=game.result,
        maker=maker,
        own=game.own,
        free=sources.free,
        beside=sources.free + game.own - replaced,
        ends=ends,
        below=below,
        above=above,
        made_of=made_of,
        sizes=game.sizes,
        inputs=np.uint64(sources.inputs),
        outputs=np.uint64(sources.outputs),
        goals=np.uint64(mask(np.flatnonzero(game.result < 0).tolist())),
        base=sum(int(game.sizes[r]) for r in members(sources.inputs)),
        words=byte_sums(game.sizes),
        turns=turns,
        low_steps=low_steps,
        shift_steps=shift_steps,
        low_values=low_values,
        shift_values=shift_values,
        memory=game.memory,
        unit=bool((game.sizes == 1).all()),
        sliding=game.sliding,
        room=new_room(),
    )


def _ways(game: Game) -> tuple[Masks, Masks, Masks, Masks]:
    """Return the goals that steps lead to, what leads to them; what values make, and are made of.

    The first two are for each step, the others for each value.
    """
    steps = range(game.steps.size)
    operands, result = [int(x) for x in game.operands], game.result.tolist()
    below, made_of, origin = list(operands), [0] * game.values.size, [0] * game.values.size
    for v in steps:  # in topological order
        for r in members(operands[v]):
            below[v] |= origin[r]
        if result[v] >= 0:
            made_of[result[v]], origin[result[v]] = operands[v], below[v]
    goals = [v for v in steps if result[v] < 0]
    own = [1 << r if r >= 0 else 0 for r in result]
    ends = [mask(w for w in goals if w == v or below[w] & own[v]) for v in steps]
    readers = [members(int(x)) for x in game.readers]
    above = [mask(result[v] for v in row if result[v] >= 0) for row in readers]
    return _sets(ends), _sets(below), _sets(above), _sets(made_of)


def _sets(masks: list[int]) -> Masks:
    return np.array(masks, np.uint64)


def _marked(sources: Sources) -> Game:
    """Return a game in which steps that take different room look different."""
    rows = np.stack([sources.game.own, sources.free, sources.replaceable])
    _, kinds = np.unique(rows, axis=1, return_inverse=True)
    return replace(sources.game, own=kinds.reshape(-1).astype(np.int64))
