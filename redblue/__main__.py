"""``python -m redblue`` is the command line."""

from redblue.cli import main

main()
