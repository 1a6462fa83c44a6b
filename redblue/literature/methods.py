"""The literature of methods: of the game, of bounds and of evictions."""

from redblue.literature.entries import entries

METHODS = entries("redblue.literature", "methods.bib")
