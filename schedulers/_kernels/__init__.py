"""Kernels of access sequences, and of plays that slide or are streamed."""
