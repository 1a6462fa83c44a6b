"""Seeded attacks on what judges: `python -m tests.campaigns NAME --cases N --seed S`.

Each campaign makes cases from a seed, asks an oracle about each, and counts the outcomes by kind;
`Failure` holds a case that should not have come out as it did. A few seconds of each run in the
suite.
"""
