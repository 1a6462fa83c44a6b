"""Claims of emitted code, tested: bits, words, and its play before the referee."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dags import RedBlueError
from pebble import IllegalMoveError
from redblue.emission.emission import Emission, claimed
from redblue.emission.estimates import Ranges
from redblue.emission.original import Original
from redblue.emission.runs import Ran, Runs
from redblue.emission.source import assembled, text_lines
from redblue.emission.traces import PROLOGUE, Traced, refereed

DRAWN, LARGEST = 5, 13
MOST: Final = 300_000  # instances of statements whose play is judged
TRACED: Final = ("-Wno-unused-function",)


PLAIN: Final = "#define LOAD(x) (x)\n#define STORE(x, v) ((void)((x) = (v)))"


@dataclass(frozen=True)
class Row:
    """A run at some sizes.

    Parameters
    ----------
    sizes
        The sizes.
    bits
        Whether all outputs are those of the original, bit for bit.
    claimed, counted, judged
        Loads and stores by formula, by counters in the code, and by the referee; None of a play
        that is not judged.
    same_values
        Whether each statement reads the values that it reads in the original; None if unknown.
    """

    sizes: Mapping[str, int]
    bits: bool
    claimed: tuple[int, int]
    counted: tuple[int, int]
    judged: tuple[int, int] | None = None
    same_values: bool | None = None
    problem: str = ""

    @property
    def holds(self) -> bool:
        """True where nothing differs."""
        agree = self.claimed == self.counted and self.judged in (None, self.claimed)
        return self.bits and agree and self.same_values is not False and not self.problem

    def to_dict(self) -> dict[str, Any]:
        """Return what `--json` prints."""
        return {**vars(self), "sizes": dict(self.sizes), "holds": self.holds}


def check(emission: Emission, *, seed: int = 0) -> list[Row]:
    """Return runs of emitted code and of the original, at the given sizes and five drawn ones.

    Parameters
    ----------
    emission
        The code.
    seed
        Of the sizes that are drawn.

    Raises
    ------
    NoCompilerError
        If there is no C compiler.
    RunError
        If the code does not compile, or fails.
    """
    face, random = emission.interface, np.random.default_rng(seed)
    runs = Runs(face)
    original = assembled(face, ["as the text has it"], [], Original(face).lines(), counters=PLAIN)
    every: list[Mapping[str, int]] = [emission.sizes] if emission.sizes else [{}]
    if emission.sizes:
        every += [
            {name: int(random.integers(1, LARGEST)) for name in emission.sizes}
            for _ in range(DRAWN)
        ]
    rows = []
    tells = '  printf("%ld %ld\\n", loads, stores);'
    with (
        runs.binary(emission.source, flags=["-DCOUNT"], prints=tells) as ours,
        runs.binary(original) as theirs,
    ):
        for sizes in every:
            mine, text = ours(sizes), theirs(sizes)
            loads, stores = map(int, mine.rest.split())
            claims = claimed(emission.plan, face, sizes)
            rows.append(Row(sizes, mine.outputs == text.outputs, claims, (loads, stores)))
    return _judged(emission, runs, rows)


def _judged(emission: Emission, runs: Runs, rows: list[Row]) -> list[Row]:
    """Return rows with the referee's counts, where plays are not too long."""
    face, plan = emission.interface, emission.plan
    body = text_lines(emission.nodes, traced=True)
    traced = assembled(face, ["traced"], emission_declarations(emission), body, counters=PROLOGUE)
    text = assembled(face, ["traced"], [], Original(face).lines(traced=True), counters=PROLOGUE)
    ends = "\n".join(
        f'  for (long i_ = 0; i_ < n_{each.name}; i_++) printf("%p\\n", (void *)&{each.name}_[i_]);'
        for each in face.parameters
        if each.extents is not None and each.of in face.live
    )
    depths = {each.row.number: each.depth for each in plan.nest.of.values()}
    found = []
    with (
        runs.binary(traced, flags=TRACED, prints=ends) as ours,
        runs.binary(text, flags=TRACED, prints=ends) as theirs,
    ):
        for row in rows:
            ranges = Ranges(plan.nest, row.sizes)
            if sum(map(ranges.instances, plan.nest.steps)) > MOST:
                found.append(row)
                continue
            found.append(_with_play(row, ours(row.sizes), theirs(row.sizes), depths, plan.words))
    return found


def _with_play(row: Row, ours: Ran, theirs: Ran, depths: Mapping[int, int], words: int) -> Row:
    mine = Traced().take(ours.events.splitlines(), depths)
    original = Traced().take(theirs.events.splitlines(), depths)
    same = mine.reads() == original.reads()
    outputs = [int(each, 16) for each in ours.rest.split()]
    base = row.sizes, row.bits, row.claimed, row.counted
    try:
        judged = refereed(mine, outputs, words)
    except (IllegalMoveError, RedBlueError) as error:
        return Row(*base, None, same, str(error))
    return Row(*base, (judged.loads - 1, judged.stores), same)


def emission_declarations(emission: Emission) -> list[str]:
    """Return the lines that declare buffers."""
    lines = emission.source.splitlines()
    return [line for line in lines if "; /* of " in line]
