"""Orders of loop nests: tiles of a program's iteration points, legal by its own dependences.

- `coordinates` gives each computed vertex its loop variables, its phase and its woven time.
- `tilings` says what a tiling is and in which order it computes; `shapes` searches for one.
- `scheduler` plays the best, and `words` says how its loops are written.
"""
