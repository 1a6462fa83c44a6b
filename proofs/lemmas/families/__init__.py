"""Checkers of proofs for single families of DAGs."""
