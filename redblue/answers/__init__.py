"""Answers of the front door: curves, comparisons, plans, hierarchies, processors, machines."""
