"""Compiled code of the game, a file a subject."""
