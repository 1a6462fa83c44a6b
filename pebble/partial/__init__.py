"""Partial computation: operands are aggregated one by one into a partly computed value.

A computed value is *untouched* until the first of its operands is aggregated, *partly computed*
until the last one is, and then *complete*; inputs are complete. To the moves of the game comes

    COMPUTE v, u: operand u, complete and in fast memory, is aggregated into v, which is untouched
    and gets a place, or is in fast memory.

Each operand is aggregated once. A value changes by it, so that a copy in slow memory is no longer
one. COMPUTE v aggregates all operands that are still missing, which are in fast memory together:
every one-shot play is a play of this game. Partly computed values are loaded, stored and deleted
like others; one that is deleted without having been stored can never be completed.

- `pebble.referee` is the definition, in plain Python.
- `tables` is what the engine keeps between moves, `_kernels` its compiled replay.
- `search` finds the least I/O of small DAGs, by the states that `_kernels` explore.

Source
------
P. A. Papp, A. Sobczyk and A. N. Yzelman, The impact of partial computations on the red-blue pebble
game, SPAA 2025, arXiv 2506.10854v2. Theirs are COMPUTE v, u ("partial compute"), load, save and
delete; a deletion that loses what is needed, which they forbid, ends here in a play that cannot be
finished. COMPUTE v is no more than several of their moves.
"""
