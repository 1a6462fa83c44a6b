"""Kernels of plays in an order: by a policy, with sliding, streamed."""
