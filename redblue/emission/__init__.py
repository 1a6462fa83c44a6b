"""Programs as C: the best legal tiling, with buffers, and the words of this code.

- `statements` has a program as isl reads it, with all that must come before it; `orders` finds
  trees of loops, `tiles` cuts their levels into chunks, `buffers` says which values are held where.
- `registers` keeps sums in small tiles of constant size, which compilers keep in registers.
- `search` starts from the `tilings` of curves, and chooses `candidates` of isl's orders by
  `estimates` of `ranges` and `lines`; `obstacles` says why a better schedule is no code.
- `generation` makes loops by isl, `nodes` prints and counts them, `names`, `expressions` and
  `source` print the rest, nothing of the text.
- `emission` puts this together; `checks` compiles (`runs`), compares with the `original`, and has
  the referee judge `traces`.
"""
