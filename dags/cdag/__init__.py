"""The computation DAG: the value, the checks at its border, its rows, its files and its tables.

- `value` is the type, `border` its checks when one is made, `origin` the place of each vertex in a
  program.
- `construct` makes one of edges or renumbers it, `exchange` one of a graph of networkx.
- `rows` are algorithms on predecessors; `files` reads and writes safely; `tables` shows results.
"""
