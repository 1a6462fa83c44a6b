"""The version of this program, which packaging reads from here."""

__version__ = "0.3.0"
