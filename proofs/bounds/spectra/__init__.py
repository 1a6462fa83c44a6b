"""Spectral proofs: what `proofs.certificates.spectra.spectral` checks is found here.

- `ascent` finds the weights that make the least eigenvalues large, `_kernels` the best cliques;
- `shifts` chooses where to count eigenvalues; `proof` rounds, counts and writes the certificate.
"""

from proofs.bounds.spectra.proof import Proof, spectral_excess

__all__ = ["Proof", "spectral_excess"]
