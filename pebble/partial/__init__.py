"""Partial computation: operands are aggregated one by one into a partly computed value.

- `referee` is the definition, in plain Python, and imports nothing of the others.
- `tables` is what the engine keeps between moves, `_kernels` its compiled replay.
- `search` finds the least I/O of small DAGs, by the states that `_kernels` explore.
"""
