"""Checkers of proofs by eigenvalues."""
