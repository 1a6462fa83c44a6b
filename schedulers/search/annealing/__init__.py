"""Simulated annealing on orders."""
