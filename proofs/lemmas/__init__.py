"""Theorems that proofs rest on: what sets of vertices exchange at least, by counts of them."""
