"""Checkers of proofs about loop nests: which updates read what, and how few items they need."""
