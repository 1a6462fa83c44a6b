"""Kernels of the curves."""
