"""The schedulers that answer at once: all but the one that searches until it finds no more."""

from schedulers import SCHEDULERS

QUICK_SCHEDULERS = {name: player for name, player in SCHEDULERS.items() if name != "search"}
