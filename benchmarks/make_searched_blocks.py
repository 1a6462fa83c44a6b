"""Search for plays of the blocks that networks are played by; write them into the package.

python benchmarks/make_searched_blocks.py        writes schedulers/families/searched_blocks.npz

Every block is searched with several seeds, and takes the play of less memory where that is better;
a play that the file has already stays unless a better one is found.
"""

import argparse
from collections.abc import Iterator

from pebble import Schedule
from schedulers.families import networks, searched_blocks
from schedulers.families.searched_blocks import BlockKey, played, searched_schedule, write_blocks
from schedulers.families.transforms import widest_pass

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
    """Return the blocks that the networks ask for."""
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
    """Return the best play found of each block."""
    schedules: dict[BlockKey, Schedule] = {}
    for key in sorted(keys):
        radix, digits, memory = key
        piece = networks.block(radix, digits)
        found = [schedules[less] for less in schedules if less[:2] == key[:2]]
        found += [each for each in (searched_blocks.stored_schedule(key),) if each is not None]
        for changes in (LESS_CHANGES, CHANGES):
            found += [
                searched_schedule(piece, memory, changes=changes, seed=seed)
                for seed in range(seeds)
            ]
        schedules[key] = min(found, key=lambda each: played(piece, each, memory).io)
        print(key, played(piece, schedules[key], memory).io, flush=True)
    return schedules


def main() -> None:
    """Search and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=4)
    options = parser.parse_args()
    write_blocks(searched_blocks.FILE, best_schedules(asked(), options.seeds))


if __name__ == "__main__":
    main()
