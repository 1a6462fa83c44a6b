"""Kernels of orders, and of the accesses that they make."""
