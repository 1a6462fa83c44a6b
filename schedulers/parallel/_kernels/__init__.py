"""Kernels of plays by several processors."""
