"""Files that hold a DAG: one module a format, one entry of `FORMATS` a suffix.

- `hyperdag`: hyperDAG v1 text and OneStopParallel's variant (``.hdag``, ``.txt``).
- `matrix_market`: the DAG of a sparse triangular solve (``.mtx``).
- `dot`: the DOT language of Graphviz (``.dot``).
- `graphml`: GraphML (``.graphml``).
- `node_link`: node-link JSON as networkx writes it (``.json``).
- `edge_list`: one edge a line, split at white space or at commas (``.edges``, ``.csv``).
- `vertex_lines`: one vertex a line, the canonical text of what a bound can see (``.cdag``).
- `npz`: NumPy arrays, the fast one that keeps everything (``.npz``).

`read` and `save` choose by suffix, `lost` lists the parts of a DAG that a format cannot keep
(`registry`). No format keeps `family` and `params`: they are promises that a reader could not
trust. `text` is common to the text formats.
"""

from dags.formats.registry import FORMATS, Format, lost, read, save

__all__ = ["FORMATS", "Format", "lost", "read", "save"]
