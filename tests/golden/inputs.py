"""The DAGs and the methods of golden answers: none that draws, and none that looks at the clock."""

from dags import EXAMPLES
from schedulers import SCHEDULERS
from tests.registries import SMALL_EXAMPLES, SMALL_PROGRAMS

SMALL = (
    *SMALL_EXAMPLES.values(),
    *SMALL_PROGRAMS.values(),
    "fft:n=9,radix=3",
    "grid:shape=2x3x4",
    "matmul:n=3,form=tree",
    "random_layered:n=14,max_words=3,seed=1",
    "random_layered:n=24,seed=2",
    "stencil:shape=5,steps=4,periodic=true",
)
EVERYDAY = tuple(EXAMPLES.values())
LARGER = (  # of which proofs are kept that say nothing of smaller ones
    "dirac_steps:shape=12x12,steps=12",
    "matmul:n=10",
    "polybench/gemm:NI=9,NJ=9,NK=9",
    "polybench/jacobi-1d:TSTEPS=12,N=30",
    "polybench/lu:N=12",
    "polybench/nussinov:N=12",
)
# Methods that end by themselves, whatever the machine: the others stop when their time is over.
BOUNDS = (
    *("affine", "attention", "butterflies", "compulsory", "dirac", "forests", "projections"),
    *("segments", "slices", "uniform", "wavefront"),
)
SCHEDULES = tuple(name for name in SCHEDULERS if name not in ("search", "tiled"))
FEW = ("natural+lru", "natural+belady", "depth-first+belady-cost", "structured")
