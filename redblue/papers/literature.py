"""The papers whose claims the report looks at, and others that it cites for theirs."""

from redblue.show.literature.listing import entries

PAPERS = entries("redblue.papers", "literature.bib")
