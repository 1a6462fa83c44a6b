"""The thirty kernels of PolyBench as plain functions of Python over NumPy arrays.

Loops, order and names of arrays are those of the texts in C; sizes and arrays are given in the
same order. They are read as text, and also run on arrays of traced values: what is called here
by name (`sqrt`, `exp`, ...) is an operation of `traced`.
"""

from tests.test_dags.programs import polybench_algebra_python as algebra
from tests.test_dags.programs import polybench_grids_python as grids

FUNCTIONS = {
    "2mm": algebra.mm2,
    "3mm": algebra.mm3,
    "adi": grids.adi,
    "atax": algebra.atax,
    "bicg": algebra.bicg,
    "cholesky": algebra.cholesky,
    "correlation": grids.correlation,
    "covariance": grids.covariance,
    "deriche": grids.deriche,
    "doitgen": algebra.doitgen,
    "durbin": algebra.durbin,
    "fdtd-2d": grids.fdtd_2d,
    "floyd-warshall": grids.floyd_warshall,
    "gemm": algebra.gemm,
    "gemver": algebra.gemver,
    "gesummv": algebra.gesummv,
    "gramschmidt": algebra.gramschmidt,
    "heat-3d": grids.heat_3d,
    "jacobi-1d": grids.jacobi_1d,
    "jacobi-2d": grids.jacobi_2d,
    "lu": algebra.lu,
    "ludcmp": algebra.ludcmp,
    "mvt": algebra.mvt,
    "nussinov": grids.nussinov,
    "seidel-2d": grids.seidel_2d,
    "symm": algebra.symm,
    "syr2k": algebra.syr2k,
    "syrk": algebra.syrk,
    "trisolv": algebra.trisolv,
    "trmm": algebra.trmm,
}
