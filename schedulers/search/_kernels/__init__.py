"""Kernels of the searches."""
