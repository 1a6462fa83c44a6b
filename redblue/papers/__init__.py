"""The source papers, played and recomputed: a leaf, which nothing else imports.

- `experiments` hold the claims of the papers against plays and proofs; `literature` has the papers.
- `models` are the machines of five papers.
- `records` are named instances solved and judged, against the best that is known of them.
- `commands` are those of the command line that are about these.

The rest of `redblue` reaches them through `redblue.leaves`, and runs without this folder.
"""
