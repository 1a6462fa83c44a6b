"""Checkers of proofs about one piece of a DAG; `piece` has the theorem by which pieces add up."""
