"""Methods that find lower bounds, one file each; `proofs.certificates` has the same rooms.

- `compulsory` and `fixed_order` stand alone.
- `pieces`: the game on parts of a DAG: complete searches, wavefronts, forests, and their sums.
- `windows`: stretches of a play between which memory is cut: segments, dominators.
- `loops`: windows of the updates of a loop nest: projections, attention; affine and uniform, for
  any program.
- `families`: butterflies, and the Dirac operator.
"""
