"""``python -m redblue`` is the command line."""

from redblue.cli import main

if __name__ == "__main__":
    main()
