"""Answers about members of families that are not laid out: counted plays, and closed forms.

`counted_curve` draws both against the memory.
"""

from redblue.answers.counted.curves import counted_curve

__all__ = ["counted_curve"]
