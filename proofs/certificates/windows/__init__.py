"""Checkers of proofs about windows of a play."""
