"""Compiled code of the game on a hierarchy, a file a subject."""
