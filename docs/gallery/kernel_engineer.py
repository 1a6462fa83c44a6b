"""Kernel engineer: how far from optimal is my loop order, and what would tiling bring?"""

import redblue as rb

# The loops as they are written, with the cache that real hardware has (LRU), with the best choice
# of what to keep (Belady), and tiled for the memory by redblue.
GEMM = "polybench/gemm:NI=8,NJ=8,NK=8"
found = rb.compare([GEMM], [16, 32, 64], schedulers=["natural+lru", "natural+belady", "tiled"])
print(found.summary_frame().to_string(index=False))

for play in found.plays:
    print(
        f"M = {play.memory}: {play.method} moves {play.io} words, {play.over_bound:.2f} x the bound"
    )

# No schedule moves fewer words than this bound, whatever its tiling; the proof is checked.
bound = rb.bound(GEMM, 32, bounds=["compulsory", "projections"])
rb.check(GEMM, bound)
print(bound)

axes = found.plot()
axes.figure.savefig("kernel_engineer.svg")
