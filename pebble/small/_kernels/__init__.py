"""Compiled code of the searches: sets of bits, symmetries, minimum cuts, states, two games."""
