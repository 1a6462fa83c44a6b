"""Plays of loops over time by tiles that lean over: which there are, their words and room."""
