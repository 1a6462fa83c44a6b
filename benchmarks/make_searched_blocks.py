"""Search for plays of the blocks that networks are played by; write them into the package.

python benchmarks/make_searched_blocks.py        writes schedulers/families/searched_blocks.npz
python benchmarks/make_searched_blocks.py --deepen 4:17 --depths 5,6        longer searches, too

Every block is searched with several seeds, and takes the play of less memory where that is better;
a play that the file has already stays unless a better one is found. Blocks of Fourier transforms
for passes within passes are searched from what that plays, with more changes, and put in beside the
others.
"""

import argparse
from collections.abc import Iterator, Mapping

import numpy as np

from dags import fft
from pebble import Budget, Schedule
from schedulers.families import networks, searched_blocks, transforms
from schedulers.families.searched_blocks import BlockKey, played, searched_schedule
from schedulers.families.transforms import widest_pass
from schedulers.search import improve

RADICES = (2, 3, 4, 5)
MOST_POINTS = 1 << 20  # of the networks whose blocks are looked at
MOST_MEMORY = 40  # beyond it blocks that do not fit have more than 32 points
LESS_CHANGES, CHANGES = 15_000, 60_000  # of the order: annealing at two paces


def networks_digits() -> Iterator[tuple[int, list[int]]]:
    """Yield radix and digits of Fourier transforms and bitonic sorts of all sizes."""
    for radix in RADICES:
        depth = 1
        while radix**depth <= MOST_POINTS:
            yield radix, [*range(depth)]
            depth += 1
    for depth in range(1, 13):
        yield 2, [bit for stage in range(1, depth + 1) for bit in reversed(range(stage))]


def asked() -> set[BlockKey]:
    """The blocks that the networks ask for."""
    keys: set[BlockKey] = set()
    block_play = networks.block_play

    def asked_for(radix: int, digits: tuple[int, ...], memory: int) -> searched_blocks.BlockPlay:
        keys.add((radix, digits, memory))
        return block_play(radix, digits, memory)

    networks.block_play = asked_for  # type: ignore[assignment]
    try:
        for radix, digits in networks_digits():
            for memory in range(radix + 1, MOST_MEMORY):
                widest = widest_pass(memory, len(set(digits)), radix)
                networks.cheapest_passes(digits, memory, widest, radix)
    finally:
        networks.block_play = block_play
    return keys


def best_schedules(keys: set[BlockKey], seeds: int) -> dict[BlockKey, Schedule]:
    """The best play found of each block."""
    schedules: dict[BlockKey, Schedule] = {}
    for key in sorted(keys):
        radix, digits, memory = key
        piece = networks.block(radix, digits)
        results = [schedules[schedule] for schedule in schedules if schedule[:2] == key[:2]]
        results += [entry for entry in (searched_blocks.stored_schedule(key),) if entry is not None]
        for changes in (LESS_CHANGES, CHANGES):
            results += [
                searched_schedule(piece, memory, changes=changes, seed=seed)
                for seed in range(seeds)
            ]
        schedules[key] = min(results, key=lambda entry: played(piece, entry, memory).io)
        print(key, played(piece, schedules[key], memory).io, flush=True)
    return schedules


def deepened(
    depth: int, memory: int, changes: int, seed: int
) -> tuple[BlockKey, Schedule | None, int]:
    """A play of a transform found from that in parts; None if that is no worse, and words.

    Parameters
    ----------
    depth, memory
        The block has 2^depth points.
    changes, seed
        Of the local search.
    """
    transforms.part_of.cache_clear()
    known = transforms.part_of(2, depth, memory)
    piece = fft(2**depth)
    improved = improve(piece, memory, [known.order], budget=Budget(seed=seed), iterations=changes)
    key = (2, tuple(range(depth)), memory)
    if improved is None or improved.io >= known.words:
        return key, None, known.words
    return key, improved.schedule, improved.io


def deepen(memories: range, depths: list[int], changes: int, seeds: int) -> None:
    """Search blocks of transforms longer, the small ones first, and write what is found."""
    for depth in depths:
        for memory in memories:
            for seed in range(seeds):
                key, schedule, words = deepened(depth, memory, changes, seed)
                print(key, words, flush=True)
                if schedule is not None:
                    write_blocks({**searched_blocks.stored(), key: schedule})
                    searched_blocks.stored.cache_clear()


def write_blocks(schedules: Mapping[BlockKey, Schedule]) -> None:
    """Write plays of blocks to the file as `stored_play` reads it."""
    keys = sorted(schedules)
    moves = [schedules[key] for key in keys]
    np.savez_compressed(
        searched_blocks.FILE,
        radix=np.array([radix for radix, _, _ in keys], np.uint8),
        memory=np.array([memory for *_, memory in keys], np.uint8),
        depth=np.array([len(digits) for _, digits, _ in keys], np.uint8),
        digits=np.array([digit for _, digits, _ in keys for digit in digits], np.uint8),
        moves=np.array([len(move) for move in moves], np.uint16),
        op=np.concatenate([move.op for move in moves]),
        vertex=np.concatenate([move.vertex for move in moves]).astype(np.uint16),
    )


def main() -> None:
    """Search and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--deepen", metavar="FIRST:END", help="only this, for so many words")
    parser.add_argument("--depths", default="5,6")
    parser.add_argument("--changes", type=int, default=4_000_000)
    options = parser.parse_args()
    if options.deepen:
        memories = range(*map(int, options.deepen.split(":")))
        deepen(memories, [*map(int, options.depths.split(","))], options.changes, options.seeds)
        return
    write_blocks(best_schedules(asked(), options.seeds))


if __name__ == "__main__":
    main()
