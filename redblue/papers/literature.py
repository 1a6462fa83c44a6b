"""The papers whose claims the report looks at, and others that it cites for theirs."""

from redblue.show.literature.entries import entries

PAPERS = entries("redblue.papers", "literature.bib")
