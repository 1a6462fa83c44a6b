"""Kernels of greatest flows, and of those around the vertices of a piece."""
