"""Kernels that visit the sets of steps which a short window of a play can hold."""
