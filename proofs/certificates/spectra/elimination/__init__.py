"""Counts the eigenvalues of a sparse symmetric matrix below a number, with proof.

`Inertia` is the count and its proof; `blocks` decides what is eliminated when, so that the
matrix stays sparse; `_kernels` has the steps that take a loop.
"""

from proofs.certificates.spectra.elimination.inertia import Inertia

__all__ = ["Inertia"]
