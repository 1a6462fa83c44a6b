"""Checkers of proofs about loop nests: operands of updates, and how few items they need."""
