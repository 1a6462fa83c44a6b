"""Schedulers side by side, with the gap to the best bound."""
