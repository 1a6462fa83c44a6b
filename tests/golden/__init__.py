"""Golden answers: what the product says of small DAGs, kept in files and held against it.

`subjects` makes the answers, a file each in this folder; `files` writes, reads and compares them.
`python -m tests.golden` says what differs, and `python -m tests.golden --write` keeps what is said
now: whoever changes an answer on purpose reads the difference of the files before it is committed.
"""
